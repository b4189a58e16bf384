"""One proposal through the real executable: propose, inbox, show, approve, decision, undo, log."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from memtui.config import Workspace
from tests.commands.terminal import memtui_on_terminal
from tests.support import allow_without_terminal, decision, memtui, snapshot

TEA = {
    "operation": "write",
    "path": "prefs/tea.md",
    "summary": "green tea",
    "content": "No sugar.\n",
    "agent": "me",
}


def propose(workspace: Workspace, fields: object = TEA) -> str:
    ran = memtui("propose", "-", "--workspace", workspace.root, stdin=json.dumps(fields))
    assert ran.status == 0, ran.err
    return ran.out.strip()


def test_a_proposal_from_the_shell_to_a_note_and_back(workspace: Workspace) -> None:
    allow_without_terminal()
    before = snapshot(workspace.memory)
    at = ("--workspace", workspace.root)
    id = propose(workspace)
    [item] = memtui("inbox", "--json", *at).json
    assert (item["id"], item["operation"], item["agent"], item["state"]) == (id, "write", "me", "pending")
    assert memtui("decision", id, *at).status == 4
    assert memtui("status", "--exit-code", *at).status == 10
    shown = memtui("show", id, "--json", *at).json
    [change] = shown["changes"]
    assert change["path"] == "prefs/tea.md"
    assert change["before"] is None
    assert "+No sugar." in change["diff"]
    done = memtui("approve", id, "--plan", shown["plan"], *at)
    assert done.status == 0, done.err
    assert (workspace.memory / "prefs/tea.md").read_text() == change["after"]
    told = memtui("decision", id, "--json", *at)
    assert told.status == 0
    assert told.json["verdict"] == "approved"
    assert told.json["result"] == shown["result"]
    assert memtui("status", "--exit-code", *at).status == 0
    assert memtui("undo", *at).status == 0
    assert snapshot(workspace.memory) == before
    assert memtui("decision", id, *at).status == 4
    assert [row["verdict"] for row in memtui("log", "--json", *at).json] == ["undone", "approved"]


def test_approve_refuses_without_a_terminal(workspace: Workspace) -> None:
    id = propose(workspace)
    ran = memtui("approve", id, "--workspace", workspace.root)
    assert ran.status == 1
    assert "terminal" in ran.err
    assert not (workspace.memory / "prefs/tea.md").exists()


def test_a_workspace_cannot_lift_the_terminal_rule_until_it_is_trusted(workspace: Workspace) -> None:
    workspace.config.write_text("[review]\napprove_without_terminal = true\n")
    id = propose(workspace)
    assert memtui("approve", id, "--workspace", workspace.root).status == 1
    assert memtui("trust", "--workspace", workspace.root).status == 1
    assert memtui_on_terminal("trust", "--workspace", workspace.root).status == 0
    assert memtui("approve", id, "--workspace", workspace.root).status == 0


def test_approve_writes_nothing_for_another_plan(workspace: Workspace) -> None:
    allow_without_terminal()
    id = propose(workspace)
    ran = memtui("approve", id, "--plan", "0" * 64, "--workspace", workspace.root)
    assert ran.status == 1
    assert not (workspace.memory / "prefs/tea.md").exists()
    assert memtui("decision", id, "--workspace", workspace.root).status == 4


def test_reject_tells_the_agent_why(workspace: Workspace) -> None:
    id = propose(workspace)
    assert memtui("reject", id, "--reason", "not mine", "--workspace", workspace.root).status == 0
    told = memtui("decision", id, "--workspace", workspace.root)
    assert told.status == 3
    assert told.out == "rejected: not mine\n"
    assert memtui("undo", "--workspace", workspace.root).status == 0
    assert memtui("decision", id, "--workspace", workspace.root).status == 4


@pytest.mark.parametrize("number", ["09", "15", "16"])
def test_a_wrong_proposal_is_refused_with_one_sentence(
    workspace: Workspace, proposals: dict[str, Path], number: str
) -> None:
    ran = memtui("propose", proposals[number], "--workspace", workspace.root)
    assert ran.status == 1
    assert len(ran.err.strip().splitlines()) == 1
    id = ran.out.splitlines()[0]
    assert decision(workspace, id)["verdict"] == "refused"
    [listed] = memtui("inbox", "--json", "--workspace", workspace.root).json
    assert (listed["id"], listed["state"]) == (id, "refused")
    assert listed["problems"]


def test_a_secret_is_blocked_and_kept_nowhere(workspace: Workspace) -> None:
    token = "ghp_" + "x7Rk2LmQ9vT4pZ8sWc1Yd6Bn3Hf5Jg0Ka2Ue"
    ran = memtui("propose", "-", "--workspace", workspace.root, stdin=json.dumps({**TEA, "content": token}))
    assert ran.status == 5
    assert token not in ran.out + ran.err
    for path in workspace.root.rglob("*"):
        if path.is_file():
            assert token.encode() not in path.read_bytes(), path
    [listed] = memtui("inbox", "--json", "--workspace", workspace.root).json
    assert listed["state"] == "blocked"


def test_decision_of_an_unknown_id(workspace: Workspace) -> None:
    ran = memtui("decision", "nobody", "--workspace", workspace.root)
    assert ran.status == 1
    assert "nobody" in ran.err


def test_wait_times_out_with_its_own_status(workspace: Workspace) -> None:
    ran = memtui("propose", "-", "--wait", "0.1", "--workspace", workspace.root, stdin=json.dumps(TEA))
    assert ran.status == 4


def test_the_journal_answers_when_the_decision_file_is_gone(workspace: Workspace) -> None:
    id = propose(workspace)
    memtui("reject", id, "--reason", "no", "--workspace", workspace.root)
    (workspace.decisions / f"{id}.json").unlink()
    assert memtui("decision", id, "--workspace", workspace.root).status == 3


def test_commands_that_read_write_nothing(workspace: Workspace) -> None:
    before = snapshot(workspace.root)
    at = ("--workspace", workspace.root)
    for command in (["status"], ["catalog"], ["list"], ["search", "lisbon"], ["check"], ["decision", "x"]):
        memtui(*command, *at)
    assert snapshot(workspace.root) == before
    assert not workspace.journal.exists()


def test_call_reads_and_proposes(workspace: Workspace) -> None:
    at = ("--workspace", workspace.root)
    read = memtui("call", "memory_read", '{"path": "people/lina.md"}', *at).json
    assert read == {"path": "people/lina.md", "content": (workspace.memory / "people/lina.md").read_text()}
    assert (
        "people/lina.md — daughter, 7 years old"
        in memtui("call", "memory_catalog", "{}", *at).json["catalog"]
    )
    arguments = json.dumps({key: TEA[key] for key in ("path", "summary", "content")})
    made = memtui("call", "memory_write", arguments, *at).json
    assert made["state"] == "pending"
    assert memtui("call", "memory_pending", *at).json == {"pending": [made["id"]]}
    assert memtui("call", "memory_read", '{"path": "../x.md"}', *at).status == 1
    assert memtui("call", "memory_read", "[]", *at).status == 2


def test_status_imports_neither_textual_nor_the_yaml_of_notes(workspace: Workspace) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from memtui.cli import main; main(['status', '--workspace', sys.argv[1]]);"
        "print([m for m in ('textual', 'rich', 'yaml', 'kingfisher', 'watchfiles') if m in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(workspace.root)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.endswith("[]\n"), ran.stdout


def test_the_journal_is_private(workspace: Workspace) -> None:
    propose(workspace)
    assert workspace.journal.stat().st_mode & 0o777 == 0o600
    assert workspace.spool.stat().st_mode & 0o777 == 0o700
    with sqlite3.connect(workspace.journal) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)
