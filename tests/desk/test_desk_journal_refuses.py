"""The journal refuses at one point of a decision: what is said is what stands, and trying again ends it well."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.review.items import Outcome, Preview
from tests.support import decision, snapshot

NOTE = {"operation": "write", "id": "it", "path": "it.md", "summary": "s", "content": "new\n"}
BEGIN = "INSERT ON records"
FINISH = "UPDATE OF state ON records WHEN NEW.state = 'done'"
CLOSE = "UPDATE OF state ON records WHEN NEW.state = 'answered'"
ACTS = ["approve", "own", "reject", "undo"]
AGAIN = "Try again once that is mended."


@contextlib.contextmanager
def refusing(workspace: Workspace, when: str) -> Iterator[None]:
    """The journal's own database says no, as a disk does, as soon as this is to be written."""
    with contextlib.closing(sqlite3.connect(workspace.dot / "journal.db")) as database:
        database.execute(
            f"CREATE TRIGGER no BEFORE {when} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
        try:
            yield
        finally:
            database.execute("DROP TRIGGER no")


def ready(desk: Desk, workspace: Workspace, act: str) -> Preview:
    """What the act decides on: `it` waits, is approved, or is the person's own."""
    if act == "own":
        made = desk.compose({**NOTE, "id": ""})
        assert isinstance(made, Preview)
        return made
    hidden = workspace.spool / ".it.tmp"
    hidden.write_text(json.dumps(NOTE), encoding="utf-8")
    hidden.rename(workspace.spool / "it.json")
    desk.take_in()
    shown = desk.preview("it")
    if act == "undo":
        assert desk.approve("it", shown.plan.hash).ok
    return shown


def do(desk: Desk, act: str, shown: Preview) -> Outcome:
    if act == "undo":
        return desk.undo()
    if act == "reject":
        return desk.reject("it", "no")
    return desk.approve(shown.item.id, shown.plan.hash)


@pytest.mark.parametrize("act", ACTS)
def test_before_anything_is_begun_it_says_that_nothing_was_changed(
    desk: Desk, workspace: Workspace, act: str
) -> None:
    shown = ready(desk, workspace, act)
    before, decided = snapshot(workspace.memory), desk.log()
    with refusing(workspace, BEGIN):
        outcome = do(desk, act, shown)
    assert not outcome.ok
    assert "nothing was changed: The disk is full" in outcome.message
    assert outcome.message.endswith(AGAIN)
    assert (snapshot(workspace.memory), desk.log()) == (before, decided)
    assert desk.journal.unfinished() == ()
    assert do(desk, act, shown).ok


@pytest.mark.parametrize("act", ["approve", "own", "undo"])
def test_once_an_intent_stands_it_says_that_the_next_start_finishes_it(
    desk: Desk, workspace: Workspace, act: str
) -> None:
    shown = ready(desk, workspace, act)
    with refusing(workspace, FINISH):
        outcome = do(desk, act, shown)
    assert not outcome.ok
    assert "not confirmed: The disk is full" in outcome.message
    assert outcome.message.endswith("What was begun is finished at the next start.")
    assert [record.state for record in desk.journal.unfinished()] == ["intent"]
    desk.close()
    with Desk(workspace) as later:
        later.recover()
        assert later.journal.unfinished() == ()
        later.take_in()
        assert (workspace.memory / "it.md").exists() == (act != "undo")
        assert [item.id for item in later.items()] == (["it"] if act == "undo" else [])


@pytest.mark.parametrize("act", ACTS)
def test_once_it_is_decided_and_told_it_says_so(desk: Desk, workspace: Workspace, act: str) -> None:
    shown = ready(desk, workspace, act)
    with refusing(workspace, CLOSE):
        outcome = do(desk, act, shown)
    assert outcome.ok
    assert "the decision is closed later: The disk is full" in outcome.message
    assert ("its agent was told, but " in outcome.message) == (act != "own")
    if act != "own":
        assert decision(workspace, "it")["verdict"] == outcome.verdict
    desk.take_in()
    assert [item.id for item in desk.items()] == (["it"] if act == "undo" else [])
    desk.recover()
    assert desk.journal.unfinished() == ()
