"""`memtui recover`: decisions that were cut short, and files that were changed by hand before they were finished."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from tests.commands.terminal import memtui_on_terminal
from tests.support import Ran, allow_without_terminal, decision, memtui, memtui_here, snapshot

RUN = "1704844800-run-5k-under-25-minutes.md"
UPDATE = {
    "operation": "update",
    "filename": RUN,
    "body": "Under 24:00 now.",
    "hook": "a new target",
    "reason": "r",
}
WRITE = {"operation": "write", "path": "prefs/new.md", "summary": "s", "content": "decided\n"}
LATER = b"later: "
TOKEN = "AKIA" + "QYLPMN5HHHFPZAM2"


@pytest.fixture(autouse=True)
def _without_terminal(_no_person: None) -> None:
    """The person's own settings let all this run without one."""
    allow_without_terminal()


def interrupted_at(call: str, nth: int, act: Callable[[], object]) -> None:
    """Do something, and be interrupted at the `nth` call of that name."""
    real, count = getattr(os, call), 0

    def interrupted(*values: object, **named: object) -> object:
        nonlocal count
        count += 1
        if count == nth:
            raise KeyboardInterrupt
        return real(*values, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, call, interrupted)
        with pytest.raises(KeyboardInterrupt):
            act()


def cut_short(workspace: Workspace, fields: object, call: str, nth: int = 1) -> None:
    """Approve a proposal (`it`) and be interrupted at the `nth` call of that name: its intent stays."""
    path = workspace.spool / "it.json"
    path.write_text(json.dumps(fields))
    os.utime(path, (1, 1))
    with Desk(workspace) as desk:
        desk.take_in()
        shown = desk.preview("it")
        interrupted_at(call, nth, lambda: desk.approve("it", shown.plan.hash))


@pytest.fixture
def stopped(workspace: Workspace) -> Workspace:
    """An update whose note was changed by hand before it was written; decision 1."""
    cut_short(workspace, UPDATE, "rename")
    (workspace.memory / RUN).write_text("by hand\n")
    return workspace


def recover(workspace: Workspace, *args: str) -> Ran:
    return memtui_here("recover", *args, "--workspace", workspace.root)


def test_without_a_terminal_both_versions_and_both_ways_out_are_told(stopped: Workspace) -> None:
    before = snapshot(stopped.memory)
    ran = recover(stopped)
    assert ran.status == 1
    assert "decision 1 · Run 5K under 25 minutes · stopped half way" in ran.out
    assert f"{RUN} has changed since it was shown. On the disk: 8 bytes; the decision would write" in ran.out
    assert "memtui recover 1 --keep-disk" in ran.out
    assert "memtui recover 1 --write" in ran.out
    assert ran.err.count("\n") == 1
    assert snapshot(stopped.memory) == before


def test_the_json_holds_both_versions(stopped: Workspace) -> None:
    told = recover(stopped, "--json").json
    assert [(each["decision"], each["headline"]) for each in told["stopped"]] == [
        (1, "Run 5K under 25 minutes")
    ]
    (file,) = told["stopped"][0]["files"]
    assert file["path"] == RUN
    assert file["disk"] == "by hand\n"
    assert "Under 24:00 now." in file["decision"]
    assert len(told["stuck"]) == 1


def test_the_disks_version_can_stay(stopped: Workspace) -> None:
    ran = recover(stopped, "1", "--keep-disk")
    assert (ran.status, ran.err) == (0, "")
    assert "stays as it is on the disk" in ran.out
    assert (stopped.memory / RUN).read_text() == "by hand\n"
    assert "a new target" in (stopped.memory / "index.md").read_text()
    assert decision(stopped, "it")["verdict"] == "approved"
    assert not (stopped.spool / "it.json").exists()
    assert recover(stopped).out == "nothing to recover\n"
    refused = memtui_here("undo", "1", "--workspace", stopped.root)
    assert refused.status == 1
    assert "has changed since" in refused.err


def test_the_decisions_version_can_be_written_and_taken_back_to_the_disks(stopped: Workspace) -> None:
    ran = recover(stopped, "1", "--write")
    assert (ran.status, ran.err) == (0, "")
    assert "Under 24:00 now." in (stopped.memory / RUN).read_text()
    assert decision(stopped, "it")["verdict"] == "approved"
    assert memtui_here("check", "--workspace", stopped.root).status == 0
    assert memtui_here("undo", "1", "--workspace", stopped.root).status == 0
    assert (stopped.memory / RUN).read_text() == "by hand\n"
    assert "a new target" not in (stopped.memory / "index.md").read_text()


@pytest.mark.parametrize("way", ["--keep-disk", "--write"])
def test_a_line_of_the_index_that_was_changed_by_hand(workspace: Workspace, way: str) -> None:
    cut_short(workspace, UPDATE, "rename", 2)
    index = workspace.memory / "index.md"
    index.write_text(index.read_text().replace("5K target for the year", "my own words"))
    ran = recover(workspace)
    assert "index.md" in ran.out
    assert "the decision would write" in ran.out
    assert recover(workspace, "1", way).status == 0
    assert ("a new target" in index.read_text()) is (way == "--write")
    assert memtui_here("undo", "1", "--workspace", workspace.root).status == (0 if way == "--write" else 1)
    assert "my own words" in index.read_text()


def test_a_rename_onto_a_name_that_was_taken_meanwhile(workspace: Workspace) -> None:
    fields = {"operation": "rename", "path": "people/lina.md", "new_path": "people/li.md", "reason": "r"}
    lina = (workspace.memory / "people/lina.md").read_bytes()
    cut_short(workspace, fields, "link")
    (workspace.memory / "people/li.md").write_text("another\n")
    assert "people/li.md exists already." in recover(workspace).out
    assert recover(workspace, "1", "--write").status == 0
    assert not (workspace.memory / "people/lina.md").exists()
    assert (workspace.memory / "people/li.md").read_bytes() == lina
    assert memtui_here("undo", "1", "--workspace", workspace.root).status == 0
    assert (workspace.memory / "people/lina.md").read_bytes() == lina
    assert (workspace.memory / "people/li.md").read_text() == "another\n"


@pytest.mark.parametrize("way", ["--keep-disk", "--write"])
def test_a_delete_of_a_note_that_was_changed_meanwhile(workspace: Workspace, way: str) -> None:
    note = workspace.memory / "people/lina.md"
    fields = {"operation": "delete", "filename": "people/lina.md", "reason": "r", "user_command": "away"}
    cut_short(workspace, fields, "unlink")
    note.write_text("by hand\n")
    assert "the decision would remove it" in recover(workspace).out
    assert recover(workspace, "1", way).status == 0
    assert note.exists() is (way == "--keep-disk")
    memtui_here("undo", "1", "--workspace", workspace.root)
    assert note.read_text() == "by hand\n"


def test_a_note_that_was_taken_away_meanwhile(workspace: Workspace) -> None:
    cut_short(workspace, UPDATE, "rename")
    (workspace.memory / RUN).unlink()
    assert "On the disk: no such file" in recover(workspace).out
    assert recover(workspace, "1", "--write").status == 0
    assert "Under 24:00 now." in (workspace.memory / RUN).read_text()
    assert memtui_here("undo", "1", "--workspace", workspace.root).status == 0
    assert not (workspace.memory / RUN).exists()


def test_a_link_in_its_place_is_not_written_through(workspace: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("not ours\n")
    cut_short(workspace, UPDATE, "rename")
    (workspace.memory / RUN).unlink()
    (workspace.memory / RUN).symlink_to(outside)
    assert "is a symbolic link, not a note. On the disk: no note" in recover(workspace).out
    ran = recover(workspace, "1", "--write")
    assert ran.status == 1
    assert "is a symbolic link, not a note" in ran.err
    assert recover(workspace, "1", "--keep-disk").status == 0
    assert outside.read_text() == "not ours\n"
    assert (workspace.memory / RUN).is_symlink()


def test_a_version_with_a_secret_is_not_written_over(stopped: Workspace) -> None:
    (stopped.memory / RUN).write_text(f"key {TOKEN}\n")
    ran = recover(stopped, "1", "--write")
    assert ran.status == 1
    assert "looks like a secret" in ran.err.splitlines()[0]
    assert TOKEN not in ran.err + ran.out
    assert (stopped.memory / RUN).read_text() == f"key {TOKEN}\n"
    assert recover(stopped, "1", "--keep-disk").status == 0


def test_an_undo_that_was_cut_short_is_settled_too(workspace: Workspace) -> None:
    cut_short(workspace, WRITE, "link")
    note = workspace.memory / "prefs/new.md"
    with Desk(workspace) as desk:
        interrupted_at("unlink", 1, desk.undo)
    note.write_text("by hand\n")
    assert "the decision would remove it" in recover(workspace).out
    assert recover(workspace, "2", "--write").status == 0
    assert not note.exists()
    assert memtui_here("decision", "it", "--workspace", workspace.root).status == 4


def test_it_is_asked_on_a_terminal(stopped: Workspace) -> None:
    where = ("recover", "--workspace", stopped.root)
    later = memtui_on_terminal(*where, answers=(b"\n",), question=LATER)
    assert later.status == 1
    assert "memtui recover 1 --write" in later.out
    seen = memtui_on_terminal(*where, answers=(b"l\n", b"w\n"), question=LATER)
    assert seen.status == 0
    assert "-by hand" in seen.out
    assert "+Under 24:00 now." in seen.out
    assert "Under 24:00 now." in (stopped.memory / RUN).read_text()


@pytest.mark.parametrize("typed", [b"\x04", b"\x03", b"x\n", b"\xff\n"])
def test_anything_else_than_an_answer_settles_nothing(stopped: Workspace, typed: bytes) -> None:
    ran = memtui_on_terminal("recover", "--workspace", stopped.root, answers=(typed,), question=LATER)
    assert ran.status in (1, 130)
    assert (stopped.memory / RUN).read_text() == "by hand\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["1"], "--keep-disk or --write"),
        (["--write"], "name one decision"),
        (["x", "--write"], "wants a number"),
        (["1", "--write", "--keep-disk"], "not allowed with"),
    ],
)
def test_half_an_order_is_a_usage_error(stopped: Workspace, args: list[str], message: str) -> None:
    ran = recover(stopped, *args)
    assert ran.status == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("way", ["--keep-disk", "--write"])
def test_nobody_settles_it_without_a_terminal(stopped: Workspace, way: str) -> None:
    (Path(os.environ["XDG_CONFIG_HOME"]) / "memtui" / "config.toml").unlink()
    ran = memtui("recover", "1", way, "--workspace", stopped.root)
    assert ran.status == 1
    assert "wants a terminal" in ran.err
    assert recover(stopped).status == 1


def test_a_decision_that_did_not_stop_is_left_alone(stopped: Workspace) -> None:
    ran = recover(stopped, "7", "--write")
    assert ran.status == 1
    assert "decision 7 is not stopped" in ran.err


def test_every_deciding_command_names_the_command_that_settles(stopped: Workspace) -> None:
    for command in (["inbox"], ["undo"], ["reject", "it", "--reason", "no"]):
        assert "run `memtui recover`" in memtui_here(*command, "--workspace", stopped.root).err
