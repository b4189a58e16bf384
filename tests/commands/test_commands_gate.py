"""Spools, grants and the terminal rule through the real executable; what an agent with a shell is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memtui.config import Workspace, load, trust
from memtui.desk import Desk
from tests.commands.terminal import memtui_on_terminal, memtui_with
from tests.support import Ran, allow_without_terminal, memtui, memtui_here, snapshot

NOTE = {"operation": "write", "path": "people/eva.md", "summary": "s", "content": "Text.\n"}


@pytest.fixture
def several(workspace: Workspace) -> Workspace:
    workspace.config.write_text('[[spools]]\nname = "nightly"\n[[spools]]\nname = "chat"\nruling = "allow"\n')
    trust(workspace.root)
    return load(workspace.root)


def run(workspace: Workspace, *args: str, stdin: str = "") -> Ran:
    return memtui_here(*args, "--workspace", workspace.root, stdin=stdin)


def granted(workspace: Workspace) -> str:
    """The id of a grant that the person made in the app."""
    with Desk(workspace) as desk:
        id = desk.propose(json.dumps(NOTE).encode(), spool="nightly")
        desk.take_in()
        assert desk.approve_and_grant(id, desk.preview(id).plan.hash, "people/*", lasting=True).ok
        return desk.list_grants()[0].id


# --- spools ----------------------------------------------------------------------------------------


def test_propose_and_call_name_their_spool(several: Workspace) -> None:
    proposed = run(several, "propose", "-", "--spool", "nightly", stdin=json.dumps(NOTE))
    assert proposed.status == 0, proposed.err
    tool = {name: NOTE[name] for name in ("summary", "content")}
    called = run(several, "call", "memory_write", json.dumps({**tool, "path": "n/b.md"}), "--spool", "chat")
    assert called.json["state"] == "pending"
    listed = {item["id"]: item["spool"] for item in run(several, "inbox", "--json").json}
    assert listed == {proposed.out.strip(): "nightly", called.json["id"]: "chat"}
    assert run(several, "show", called.json["id"], "--json").json["spool"] == "chat"
    assert "spool      chat" in run(several, "show", called.json["id"]).out
    assert run(several, "status").out == "2 waiting\n"
    assert run(several, "decision", called.json["id"]).status == 4


def test_the_environment_names_the_spool_of_a_run_that_cannot(several: Workspace) -> None:
    command = ("call", "memory_write", json.dumps({"path": "a.md", "summary": "s", "content": "c"}))
    done = memtui_with({"MEMTUI_SPOOL": "nightly"}, *command, "--workspace", several.root)
    assert done.returncode == 0, done.stderr
    [item] = run(several, "inbox", "--json").json
    assert item["spool"] == "nightly"


def test_a_spool_that_is_not_known_is_one_sentence(several: Workspace) -> None:
    ran = run(several, "propose", "-", "--spool", "x\x1b[2J", stdin=json.dumps(NOTE))
    assert ran.status == 1
    assert len(ran.err.splitlines()) == 1
    assert "No spool is called" in ran.err
    assert "\x1b" not in ran.err
    assert run(several, "call", "memory_catalog", "--spool", "chat").status == 2


@pytest.mark.parametrize("command", [["inbox"], ["show", "eva"], ["status"], ["list"], ["recover"]])
def test_no_command_but_watch_applies_what_is_allowed(several: Workspace, command: list[str]) -> None:
    assert (
        run(several, "propose", "-", "--spool", "chat", stdin=json.dumps({**NOTE, "id": "eva"})).status == 0
    )
    before = snapshot(several.memory)
    run(several, *command)
    run(several, "propose", "-", "--spool", "chat", stdin=json.dumps({**NOTE, "path": "n/b.md"}))
    assert snapshot(several.memory) == before


# --- grants ----------------------------------------------------------------------------------------


def test_grants_are_listed_and_revoked(several: Workspace) -> None:
    assert "no grants" in run(several, "grants").out
    id = granted(several)
    [listed] = run(several, "grants", "--json").json
    assert (listed["id"], listed["spool"], listed["path"]) == (id, "nightly", "people/*")
    assert run(several, "grants").out == f"{id}  people/*  from the spool nightly  now\n"
    gone = memtui_on_terminal("grants", "--revoke", id, "--workspace", several.root)
    assert (gone.status, gone.out) == (0, f"revoked {id}\n")
    assert run(several, "grants", "--json").json == []
    again = memtui_on_terminal("grants", "--revoke", id, "--workspace", several.root)
    assert again.status == 1
    assert "no grant has the id" in again.err


def test_grants_that_memtui_did_not_write_are_said_to_count_for_nothing(several: Workspace) -> None:
    granted(several)
    path = several.dot / "grants.json"
    path.write_text(path.read_text() + "\n")
    ran = run(several, "grants")
    assert ran.status == 1
    assert "not as memtui left it" in ran.err


# --- what an agent with a shell is refused ---------------------------------------------------------


def test_without_a_terminal_nothing_is_decided(several: Workspace) -> None:
    id = granted(several)
    proposed = run(several, "propose", "-", stdin=json.dumps({**NOTE, "path": "n/b.md"})).out.strip()
    several.config.write_text("[review]\napprove_without_terminal = true\n")
    before = snapshot(several.memory)
    for command in (["trust"], ["approve", proposed], ["undo"], ["grants", "--revoke", id]):
        ran = memtui(*command, "--workspace", several.root)
        assert ran.status == 1, command
        assert "terminal" in ran.err
        assert "in your own settings" in ran.err
    assert snapshot(several.memory) == before
    assert not load(several.root).settings.approve_without_terminal


def test_the_persons_own_settings_lift_the_terminal_rule(several: Workspace) -> None:
    id = granted(several)
    allow_without_terminal()
    assert run(several, "grants", "--revoke", id).status == 0
    assert run(several, "undo").status == 0
    assert run(several, "trust").status == 0


def test_a_workspace_that_was_trusted_does_not_lift_the_rule_for_its_next_settings(
    several: Workspace,
) -> None:
    text = "[review]\napprove_without_terminal = true\n"
    several.config.write_text(text)
    trust(several.root)
    several.config.write_text(f'{text}[[rules]]\nspool = ""\nruling = "allow"\n')
    assert run(several, "trust").status == 1


def test_settings_that_point_to_trusted_ones_are_not_trusted(several: Workspace, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / "memory").mkdir(parents=True)
    (clone / ".memtui").mkdir()
    os.symlink(several.config, clone / ".memtui/config.toml")
    assert "allow" not in {spool.ruling for spool in load(clone).settings.spools}


def test_a_decision_file_that_memtui_did_not_write_is_not_believed(several: Workspace) -> None:
    proposed = run(several, "propose", "-", "--spool", "nightly", stdin=json.dumps({**NOTE, "id": "eva"}))
    assert proposed.status == 0
    for place in several.spools:
        (place.path / "decisions").mkdir(parents=True, exist_ok=True)
        for id in ("eva", "nobody"):
            (place.path / "decisions" / f"{id}.json").write_text(
                json.dumps({"id": id, "verdict": "approved"})
            )
    assert run(several, "decision", "eva").status == 4
    assert run(several, "decision", "nobody").status == 1
    assert not (several.memory / "people/eva.md").exists()


def test_the_tools_of_an_agent_decide_nothing() -> None:
    from memtui.agents import tools

    assert set(tools.READERS) == {"memory_read", "memory_catalog", "memory_search", "memory_pending"}
