"""A proposal goes away while it is edited: the text stays within reach, and what is said of it is true."""

from __future__ import annotations

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.review.drafts import whole_key
from memtui.tui.form import Values
from tests.tui.driver import Driver, Opener, drop, write


async def lose_while_editing(app: Driver) -> None:
    """Edit `one.md`, and have its agent take it away with the form open."""
    await app.shows("one.md")
    await app.press("e")
    await app.until(lambda: app.app.main.typing)
    await app.press(*"Mine. ")
    (app.workspace.spool / "one.json").unlink()
    await app.sees("Withdrawn by its agent. Your text stays")


async def test_the_draft_of_a_withdrawn_proposal_becomes_a_note_by_e(
    opened: Opener, workspace: Workspace
) -> None:
    drop(workspace, "one", write("one.md", "a summary"))
    async with opened() as app:
        await lose_while_editing(app)
        await app.press("ctrl+s")
        await app.sees("Its proposal waits no longer. Your text stays")
        assert "not pending" not in app.text
        await app.press("escape")
        await app.sees("No longer waiting")
        assert "one.md" in app.lines[2]
        await app.sees("your draft is kept: e makes it a note of your own")
        assert "e make it a note" in app.lines[-1]
        await app.press("e")
        await app.sees("your draft of one.md")
        await app.sees("Mine. Text.")
        await app.press("ctrl+s")
        await app.sees("a write it")
        await app.until(lambda: app.app.main.pane.view.settled)  # type: ignore[attr-defined]
        await app.press("a")
        await app.sees("wrote one.md")
        assert "Mine. Text." in (workspace.memory / "one.md").read_text()
        await app.until(lambda: app.app.desk is not None and not app.app.desk.drafts())


async def test_the_log_names_a_withdrawn_proposal_by_its_headline(
    opened: Opener, workspace: Workspace
) -> None:
    drop(workspace, "one", write("one.md"))
    async with opened() as app:
        await lose_while_editing(app)
        desk = app.app.desk
        assert desk is not None
        assert [(row.verdict, row.headline) for row in desk.log(1)] == [("withdrawn", "one.md")]


@pytest.mark.parametrize("whole", [False, True])
async def test_after_a_restart_m_w_goes_on_with_a_draft_whose_proposal_is_gone(
    opened: Opener, workspace: Workspace, whole: bool
) -> None:
    drop(workspace, "one", write("one.md", "a summary"))
    with Desk(workspace) as desk:
        desk.take_in(wait=True)
        text = "---\noperation: write\npath: one.md\nsummary: a summary\n---\nMine.\n"
        values = Values({"path": "one.md", "summary": "a summary"}, "Mine.\n").dump()
        desk.save_draft(*((whole_key("one"), text) if whole else ("one", values)))
        (workspace.spool / "one.json").unlink()
        desk.take_in(wait=True)
    drop(workspace, "two", write("two.md"))
    async with opened() as app:
        await app.sees("a draft of yours is kept whose proposal is gone: m w makes it a note")
        await app.shows("two.md")
        await app.press("m")
        await app.sees("Make the draft of a proposal that is gone a note of your own")
        await app.press("w")
        await app.sees("your draft of one.md")
        await app.sees("Mine.")
        assert any("path" in line and "one.md" in line for line in app.lines)
        assert any("summary" in line and "a summary" in line for line in app.lines)


async def test_what_became_of_an_item_covers_no_other_item(opened: Opener, workspace: Workspace) -> None:
    drop(workspace, "one", write("one.md"))
    drop(workspace, "two", write("two.md"))
    async with opened() as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.shows("one.md")
        (workspace.spool / "one.json").unlink()
        await app.sees("Withdrawn by its agent.")
        await app.press("J")
        await app.shows("two.md")
        assert "1/1" in app.lines[1]
        assert "Withdrawn" not in app.text


async def test_words_about_a_draft_go_with_its_item_and_its_editor(
    opened: Opener, workspace: Workspace
) -> None:
    drop(workspace, "one", write("one.md"))
    drop(workspace, "two", write("two.md"))
    with Desk(workspace) as desk:
        desk.take_in(wait=True)
        desk.save_draft("one", Values({"path": "one.md", "summary": "a summary"}, "Mine.\n").dump())
    async with opened() as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.shows("one.md")
        await app.press("e")
        await app.sees("draft recovered: f8 discards it")
        await app.press("escape")
        await app.misses("f8 discards it")
        await app.shows("one.md")
        await app.press("a")
        await app.sees("a draft of yours waits")
        await app.press("G")
        await app.shows("two.md")
        assert "a draft of yours waits" not in app.text
