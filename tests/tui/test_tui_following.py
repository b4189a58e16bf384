"""Links and likenesses: `enter` goes there, `ctrl+o` comes back."""

from __future__ import annotations

from memtui.review.items import NoteRow
from tests.tui.driver import Driver, Opener, write


def current(app: Driver) -> str:
    row = app.app.main.pane.rows.current
    return row.path if isinstance(row, NoteRow) else ""


async def open_notes(app: Driver) -> None:
    await app.sees("Nothing is waiting")
    memory = app.workspace.memory
    (memory / "aa.md").write_text(
        "Go to [one](bb.md).\nAnd [two](people/lina.md), [three](cc.md).\nGone: [x](no.md)\n"
    )
    (memory / "bb.md").write_text("Back to [aa](aa.md).\n")
    (memory / "cc.md").write_text("Nothing.\n")
    await app.press("g", "n")
    await app.until(lambda: app.app.main.pane.pane == "notes")
    await app.sees("aa.md")
    await app.press("f")
    await app.press(*"aa.md", "enter")
    await app.until(lambda: current(app) == "aa.md")
    await app.press("enter")
    await app.sees("Go to")


async def test_a_link_is_followed_and_ctrl_o_comes_back(opened: Opener) -> None:
    async with opened() as app:
        await open_notes(app)
        await app.until(lambda: app.app.main.pane.reading)
        await app.press("enter")
        await app.sees("Back to")
        assert current(app) == "bb.md"
        await app.press("ctrl+o")
        await app.sees("Go to")
        assert current(app) == "aa.md"
        await app.press("ctrl+o")
        await app.sees("no link was followed")


async def test_the_pointer_chooses_the_line_and_a_sheet_the_link(opened: Opener) -> None:
    async with opened() as app:
        await open_notes(app)
        await app.press("n", "n", "enter")
        await app.sees("Follow which link?")
        await app.press("enter")
        await app.until(lambda: current(app) == "people/lina.md")


async def test_a_link_that_leads_nowhere_says_so(opened: Opener) -> None:
    async with opened() as app:
        await open_notes(app)
        await app.press("p", "enter")
        await app.sees("no note of this folder")
        assert current(app) == "aa.md"


async def test_what_is_alike_is_named_and_enter_goes_there(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        text = "---\ndescription: green tea in the morning, no sugar\n---\nGreen tea.\n"
        (app.workspace.memory / "prefs/tea.md").write_text(text)
        app.drop("t", write("prefs/drinks.md", "green tea in the morning, no sugar", "Green tea.\n"))
        await app.sees("like prefs/tea.md")
        await app.settled()
        await app.press("tab", "enter")
        await app.until(lambda: app.app.main.pane.pane == "notes")
        await app.until(lambda: current(app) == "prefs/tea.md")
        await app.press("ctrl+o")
        await app.until(lambda: app.app.main.pane.pane == "inbox")
        assert app.app.main.inbox.shown_id == "t"


async def test_a_wiki_link_is_followed_and_one_that_means_two_notes_asks_which(opened: Opener) -> None:
    async with opened() as app:
        await open_notes(app)
        memory = app.workspace.memory
        (memory / "work").mkdir()
        (memory / "work/cc.md").write_text("Work.\n")
        (memory / "dd.md").write_text("To [[BB|one]].\nTo [[cc#part]].\nTo `[[aa]]` and [[no such]].\n")
        await app.sees("Notes 11")
        await app.press("f")
        await app.press("ctrl+u", *"dd.md", "enter")
        await app.sees("To [[BB|one]]")
        assert current(app) == "dd.md"
        await app.press("enter")
        await app.sees("Back to")
        assert current(app) == "bb.md"
        await app.press("ctrl+o")
        await app.sees("To [[BB|one]]")
        await app.press("n", "n", "enter")
        await app.sees("Follow which link?")
        await app.press("down", "enter")
        await app.until(lambda: current(app) == "work/cc.md")
        await app.press("ctrl+o")
        await app.sees("To [[BB|one]]")
        await app.press("p", "enter")
        await app.sees("no such.md, which is no note of this folder")
