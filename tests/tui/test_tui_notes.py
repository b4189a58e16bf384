"""Notes in the app: browse, search, and every change through the same review."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memtui.review.items import NoteRow
from memtui.tui.form import inline_problem
from memtui.tui.notes_model import written
from tests.tui.driver import Driver, Opener

VEGETARIAN = "1707912000-vegetarian-since-2019.md"


async def open_note(app: Driver, query: str) -> None:
    await app.sees("Notes 6")
    await app.press("f")
    await app.until(lambda: app.app.main.typing)
    await app.press(*query)
    await app.sees("1 match")
    await app.press("enter")
    await app.until(lambda: not app.app.main.typing)
    await app.until(lambda: query in app.text.casefold())


async def type_into_body(app: Driver, text: str) -> None:
    await app.press("e")
    await app.until(lambda: app.app.main.typing)
    await app.press(*text)


async def test_a_sentence_is_corrected_shown_and_written(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        await type_into_body(app, "Hm. ")
        await app.press("ctrl+s")
        await app.sees("a write it")
        await app.until(lambda: app.app.main.pane.view.settled)
        await app.press("a")
        await app.sees("wrote Vegetarian since 2019")
        text = (app.workspace.memory / VEGETARIAN).read_text()
        assert "Hm. No meat since 2019" in text
        assert "edited by hand" in text


async def test_leaving_the_editor_keeps_the_draft(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        before = (app.workspace.memory / VEGETARIAN).read_bytes()
        await type_into_body(app, "Hm. ")
        await app.press("escape")
        await app.sees("draft kept")
        assert (app.workspace.memory / VEGETARIAN).read_bytes() == before
        await app.press("e")
        await app.sees("draft taken up again")
        await app.sees("Hm. No meat")


async def test_esc_on_the_change_goes_back_to_the_text(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        await type_into_body(app, "Hm. ")
        await app.press("ctrl+s")
        await app.sees("a write it")
        await app.press("escape")
        await app.sees("show the change")
        await app.sees("Hm. No meat")


async def test_nothing_changed_shows_no_change(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        await app.press("e")
        await app.until(lambda: app.app.main.typing)
        await app.press("ctrl+s")
        await app.sees("nothing changed")


async def test_a_new_note_passes_the_same_review(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Notes 6")
        await app.press("c")
        await app.sees("New note")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"prefs/tea", "tab", *"green tea", "tab", *"No sugar.")
        await app.press("ctrl+s")
        await app.sees("a write it")
        await app.until(lambda: app.app.main.pane.view.settled)
        await app.press("a")
        await app.sees("wrote prefs/tea.md")
        assert (app.workspace.memory / "prefs/tea.md").read_text().endswith("No sugar.\n")


async def test_deleting_a_note_wants_the_first_word_and_can_be_undone(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        await app.press("m")
        await app.sees("Delete the note")
        await app.press("D")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"wrong", "enter")
        await app.sees("not that word")
        await app.press(*["backspace"] * 5, *"vegetarian", "enter")
        await app.sees("deleted Vegetarian since 2019")
        assert not (app.workspace.memory / VEGETARIAN).exists()
        await app.press("u")
        await app.until(lambda: (app.workspace.memory / VEGETARIAN).exists())


async def test_folders_fold(opened: Opener) -> None:
    async with opened() as app:
        await app.press("g", "n")
        await app.sees("Coding style")
        await app.press("G", "k", "enter")
        await app.misses("Coding style")


async def test_a_decision_is_undone_from_activity(opened: Opener) -> None:
    async with opened("01") as app:
        await app.approve()
        await app.press("g", "a")
        await app.sees("approved")
        await app.press("u")
        await app.sees("took back people/lina.md")
        assert "7 years old" in (app.workspace.memory / "people/lina.md").read_text()


async def test_health_and_catalog_open(opened: Opener) -> None:
    async with opened() as app:
        await app.press("g", "h")
        await app.sees("no faults · 2 advice")
        await app.sees("Advice: nothing is broken")
        await app.press("g", "c")
        await app.sees("the agent reads")


async def test_a_proposal_is_edited_and_then_approved_by_another_key(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("e")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"Nine soon. ")
        await app.press("ctrl+s")
        await app.sees("edited by you")
        await app.approve()
        assert "Nine soon. Likes dinosaurs" in (app.workspace.memory / "people/lina.md").read_text()


def test_what_the_editor_would_change_goes_to_another_editor() -> None:
    assert inline_problem("plain\ntext\n") == ""
    assert inline_problem("a\x0bb")
    assert inline_problem("a\r\nb\nc")
    assert inline_problem("a\r\nb\r\n") == ""
    assert inline_problem("x" * 5000)
    assert inline_problem("x\n" * 200_000)


def test_of_a_day_alone_the_file_tells_the_hour() -> None:
    midnight = datetime(2026, 12, 1).timestamp()
    note = NoteRow("a.md", "a", "a", "entry", modified=midnight + 7200)
    assert written(replace(note, updated="2026-12-01")) == midnight + 7200
    assert written(replace(note, updated="2026-11-30")) == midnight - 86400
    assert written(replace(note, updated="no day")) == midnight + 7200
