"""Hostile contents as proposals, as notes and as settings: answered, listed, bounded, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.config import Workspace, load
from memtui.desk import Desk
from tests.faults.hostile import NOTES, PROPOSALS, SETTINGS
from tests.support import memtui, memtui_here

_MOST = 400
"""MB that taking in all of them at once may take."""
_MEASURED = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:])
_, status, used = os.wait4(child.pid, 0)
print(used.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Runs a command from a small process: what a child took at most is counted with what its parent had when it began."""


TOO_LARGE = "more than a mebibyte.json"


def test_a_proposal_that_is_too_large_is_not_spooled(workspace: Workspace) -> None:
    ran = memtui("propose", "-", "--workspace", workspace.root, stdin=PROPOSALS[TOO_LARGE].decode())
    assert (ran.status, ran.out) == (1, "")
    assert "more than 1 MiB" in ran.err
    assert [path.name for path in workspace.spool.iterdir()] == ["decisions"]


@pytest.mark.parametrize("name", [name for name in PROPOSALS if name != TOO_LARGE])
def test_a_hostile_proposal_is_answered(desk: Desk, workspace: Workspace, name: str) -> None:
    id = desk.propose(PROPOSALS[name], name)
    waiting = {item.id for item in desk.items()}
    told = {path.stem for path in workspace.decisions.iterdir()}
    aside = {refusal.id for refusal in desk.refusals()}
    assert id in waiting | told | aside or any(other.startswith(f"{id}.") for other in waiting | told)
    for refusal in desk.refusals():
        assert refusal.problems
        assert all(0 < len(problem.message) < 400 for problem in refusal.problems)
    for item in desk.items():
        desk.preview(item.id)


def test_all_of_them_dropped_at_once_are_listed_in_bounded_memory(workspace: Workspace) -> None:
    for name, data in PROPOSALS.items():
        path = workspace.spool / name
        path.write_bytes(data)
        os.utime(path, (1, 1))
    command = [sys.executable, "-m", "memtui", "inbox", "--json", "--workspace", str(workspace.root)]
    ran = subprocess.run([sys.executable, "-c", _MEASURED, *command], capture_output=True, check=False)
    said, _, used = ran.stderr.rstrip().rpartition(b"\n")
    assert (ran.returncode, said) == (0, b"")
    size = int(used) // (1024 if sys.platform == "linux" else 1024 * 1024)
    print(f"{len(PROPOSALS)} hostile files were taken in with {size} MB")
    assert size < _MOST
    listed = {row["file"] for row in json.loads(ran.stdout)}
    left = {path.name for path in workspace.spool.iterdir() if path.is_file()}
    assert left <= listed
    with Desk(workspace) as desk:
        desk.take_in()
        answered = {item.file for record in desk.journal.records(1_000) for item in record.items}
    assert set(PROPOSALS) <= listed | answered


def test_hostile_notes_are_read_as_they_are(workspace: Workspace) -> None:
    for name, data in NOTES.items():
        (workspace.memory / name).write_bytes(data)
    for command in (["list"], ["catalog"], ["search", "x"], ["check"], ["list", "--json"]):
        ran = memtui_here(*command, "--workspace", workspace.root)
        assert ran.status in (0, 1)
        assert "a fault of memtui" not in ran.err
    with Desk(workspace) as desk:
        for name in NOTES:
            desk.note(name)
            text = {"operation": "update", "filename": name, "reason": "r", "body": "b"}
            desk.compose(text)
    assert {name: (workspace.memory / name).read_bytes() for name in NOTES} == NOTES


@pytest.mark.parametrize("name", list(SETTINGS))
def test_hostile_settings_make_it_read_only_or_are_complained_of(workspace: Workspace, name: str) -> None:
    workspace.config.write_bytes(SETTINGS[name])
    before = sorted(Path(workspace.root).iterdir())
    settings = load(workspace.root).settings
    said = (settings.problem, *settings.complaints, *settings.ignored)
    assert any(said) or name == "ten mebibytes"
    assert all("\n" not in sentence and len(sentence) < 400 for sentence in said)
    assert sorted(Path(workspace.root).iterdir()) == before
