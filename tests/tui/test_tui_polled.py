"""A spool that gives no events is looked at every few seconds, and the top line says so."""

from __future__ import annotations

import json

import pytest

from memtui.config import Workspace
from tests.tui.pty_driver import on_terminal


@pytest.mark.parametrize(("size", "words"), [((100, 30), "spool polled"), ((50, 20), "polled")])
def test_a_polled_spool_is_said_and_what_arrives_is_listed(
    workspace: Workspace, size: tuple[int, int], words: str
) -> None:
    with on_terminal(workspace, size, {"WATCHFILES_FORCE_POLLING": "1"}) as app:
        app.until(lambda: words in app.screen.display[0])
        note = {"operation": "write", "path": "later.md", "summary": "s", "content": "c\n"}
        (workspace.spool / "later.json").write_text(json.dumps(note))
        app.sees("later.md")


def test_a_watched_spool_is_not_called_polled(workspace: Workspace) -> None:
    note = {"operation": "write", "path": "first.md", "summary": "s", "content": "c\n"}
    with on_terminal(workspace) as app:
        (workspace.spool / "first.json").write_text(json.dumps(note))
        app.sees("first.md")
        assert "polled" not in app.text
