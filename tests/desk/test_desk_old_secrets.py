"""Notes that held a secret before memtui came: their bytes stay out of the journal, unless the person agrees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.review import proposing

TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"
OLD = f"first\nso: {TOKEN} now\nlast\n"


@pytest.fixture
def held(workspace: Workspace) -> Workspace:
    (workspace.memory / "old.md").write_text(OLD)
    return workspace


@pytest.fixture
def desk(held: Workspace) -> Iterator[Desk]:
    with Desk(held) as opened:
        yield opened


CHANGES: dict[str, dict[str, object]] = {
    "a change beside it": {"operation": "edit", "path": "old.md", "edits": [{"old": "last", "new": "end"}]},
    "a rename": {"operation": "rename", "path": "old.md", "new_path": "new.md"},
    "a replacement": {"operation": "write", "path": "old.md", "summary": "s", "content": "nothing\n"},
    "a delete": {"operation": "delete", "path": "old.md", "filename": "old.md", "user_command": "delete it"},
}


def sent(desk: Desk, workspace: Workspace, change: str) -> str:
    data = json.dumps({"id": "p1", "reason": "r", **CHANGES[change]}).encode()
    proposing.propose(workspace, data)
    desk.take_in()
    return desk.preview("p1").plan.hash


def kept(state: Path) -> bool:
    """Whether any file of the state holds the token, or what SQLite compressed of it could be had back."""
    from memtui.storage.journal import Journal

    journal = Journal(state / "journal.db", read_only=True)
    try:
        records = [journal.record(row.number) for row in journal.records()]
    finally:
        journal.close()
    contents = [data for record in records for f in record.files for data in (f.before, f.after) if data]
    return any(TOKEN.encode() in data for data in contents) or any(
        TOKEN.encode() in path.read_bytes() for path in state.rglob("*") if path.is_file()
    )


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_there_is_kept_nowhere_and_undo_is_not_offered(
    desk: Desk, held: Workspace, change: str
) -> None:
    plan = sent(desk, held, change)
    assert any(notice.kind == "secret" for notice in desk.preview("p1").plan.notices)
    assert desk.approve("p1", plan).ok
    assert not kept(held.state)
    undone = desk.undo()
    assert not undone.ok
    row = desk.log()[0]
    assert not row.undoable


@pytest.mark.parametrize("change", CHANGES)
def test_where_the_person_agrees_it_is_kept_and_undone(desk: Desk, held: Workspace, change: str) -> None:
    plan = sent(desk, held, change)
    assert desk.approve("p1", plan, keep_old=True).ok
    assert kept(held.state)
    assert desk.undo().ok
    assert (held.memory / "old.md").read_text() == OLD


def test_the_next_change_of_such_a_note_keeps_nothing_either(desk: Desk, held: Workspace) -> None:
    assert desk.approve("p1", sent(desk, held, "a change beside it")).ok
    data = {"id": "p2", "operation": "write", "path": "old.md", "summary": "s", "content": "nothing\n"}
    proposing.propose(held, json.dumps(data).encode())
    desk.take_in()
    assert desk.approve("p2", desk.preview("p2").plan.hash).ok
    assert not kept(held.state)
