"""What the person took back once is asked about, however it comes again."""

from __future__ import annotations

import json
import os

import pytest

from memtui.config import Workspace, load, trust
from memtui.desk import Desk


@pytest.fixture
def allowing(workspace: Workspace) -> Workspace:
    """A workspace whose spool `chat` is allowed."""
    workspace.config.write_text('[[spools]]\nname = "chat"\nruling = "allow"\n')
    trust(workspace.root)
    return load(workspace.root)


def note(**fields: object) -> bytes:
    given = {"id": "eva", "operation": "write", "path": "people/eva.md", "summary": "s", "content": "Text.\n"}
    return json.dumps({**given, **fields}).encode()


def sent(desk: Desk, workspace: Workspace, data: bytes, name: str = "eva.json") -> list[str]:
    """Put a file into the spool as an agent does; returns the ids that were applied."""
    path = workspace.spools[1].path / name
    path.write_bytes(data)
    os.utime(path, (1, 1))
    desk.take_in()
    return [outcome.id for outcome in desk.apply_allowed() if outcome.ok]


def withdraw(desk: Desk, workspace: Workspace, name: str = "eva.json") -> None:
    (workspace.spools[1].path / name).unlink()
    desk.take_in()


def test_the_same_bytes_after_a_withdrawal_and_another_note_there(allowing: Workspace) -> None:
    with Desk(allowing) as desk:
        desk.take_in()
        assert sent(desk, allowing, note()) == ["eva"]
        assert desk.undo().ok
        withdraw(desk, allowing)
        assert sent(desk, allowing, note(id="else", content="Other.\n"), "else.json") == ["else"]
        assert sent(desk, allowing, note()) == []
        assert [item.id for item in desk.items()] == ["eva"]


def test_the_same_text_for_the_note_under_another_id_and_reason(allowing: Workspace) -> None:
    with Desk(allowing) as desk:
        desk.take_in()
        assert sent(desk, allowing, note()) == ["eva"]
        assert desk.undo().ok
        withdraw(desk, allowing)
        assert sent(desk, allowing, note(id="else", content="Other.\n"), "else.json") == ["else"]
        assert sent(desk, allowing, note(id="two", agent="another"), "two.json") == []
        edit = note(id="three", operation="edit", edits=[{"old": "Other", "new": "Text"}], reason="r")
        plain = {k: v for k, v in json.loads(edit).items() if k not in ("summary", "content")}
        assert sent(desk, allowing, json.dumps(plain).encode(), "three.json") == []
        assert [item.id for item in desk.items()] == ["two", "three"]


def test_another_text_is_applied_as_before(allowing: Workspace) -> None:
    with Desk(allowing) as desk:
        desk.take_in()
        assert sent(desk, allowing, note()) == ["eva"]
        assert desk.undo().ok
        withdraw(desk, allowing)
        assert sent(desk, allowing, note(id="new", content="New.\n"), "new.json") == ["new"]
