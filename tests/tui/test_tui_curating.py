"""Superseding a note by another that the person chooses, and merging one into another."""

from __future__ import annotations

import pytest

from memtui.desk import Desk
from memtui.review.items import NoteRow, NoteView
from memtui.tui.form import Values
from memtui.tui.merging import Joined, merge_form
from memtui.tui.note_picker import candidates
from tests.support import decision, snapshot
from tests.tui.driver import Driver, Opener, write
from tests.tui.test_tui_notes import VEGETARIAN, open_note

RUN = "1704844800-run-5k-under-25-minutes.md"


async def choose(app: Driver, title: str, letters: str) -> None:
    await app.sees(title)
    await app.press(*letters, "enter")
    await app.misses(title)


async def write_it(app: Driver, until: str) -> None:
    """Read it to its end and say yes: each press either pages on or writes."""
    view = app.app.main.pane.view  # type: ignore[attr-defined]
    await app.until(lambda: view.preview is not None)
    for _ in range(20):
        await app.until(lambda: view.settled or until in app.text)
        if until in app.text:
            return
        ended = view.end_seen
        await app.press("a")
        await app.pilot.pause(0.1)
        if ended:
            break
    await app.sees(until)


async def test_a_note_is_superseded_by_the_one_that_is_chosen(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        await app.press("m", "s")
        await choose(app, "Superseded by", "run 5k")
        await app.sees("superseded by 170484")
        await app.press(*"eats meat", "enter")
        await write_it(app, "wrote Vegetarian")
        text = (app.workspace.memory / VEGETARIAN).read_text()
        assert f"superseded_by: {RUN}" in text
        assert "marked deprecated: eats meat; see [Run 5K" in text


async def test_the_first_row_names_no_successor(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        await app.press("m", "s")
        await choose(app, "Superseded by", "")
        await app.sees("superseded, because")
        await app.press(*"past", "enter")
        await write_it(app, "wrote Vegetarian")
        text = (app.workspace.memory / VEGETARIAN).read_text()
        assert "status: deprecated" in text
        assert "superseded_by" not in text


async def test_what_an_agent_would_supersede_gets_a_successor_from_the_person(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop(
            "s", {"operation": "supersede", "filename": VEGETARIAN, "reason": "eats meat", "agent": "me"}
        )
        await app.sees("eats meat")
        await app.settled()
        await app.press("m", "s")
        await choose(app, "Superseded by", "run 5k")
        await app.sees("edited by you")
        await app.approve()
        await app.sees("approved Vegetarian")
        assert f"superseded_by: {RUN}" in (app.workspace.memory / VEGETARIAN).read_text()
        assert decision(app.workspace, "s")["edited"] is True


async def test_a_successor_that_is_not_there_is_told_at_its_field(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop(
            "s", {"operation": "supersede", "filename": VEGETARIAN, "reason": "eats meat", "agent": "me"}
        )
        await app.sees("eats meat")
        await app.settled()
        await app.press("e")
        await app.sees("successor")
        await app.press("tab", *"gone.md", "ctrl+s")
        await app.sees("does not exist")


async def test_an_entry_is_merged_into_another_and_taken_back_with_one_key(opened: Opener) -> None:
    async with opened() as app:
        await open_note(app, "veg")
        before = snapshot(app.workspace.memory)
        await app.press("m", "g")
        await choose(app, "Merge into", "run 5k")
        await app.sees("Vegetarian since 2019 into Run 5K")
        await app.sees("No meat since 2019")
        await app.press("ctrl+s")
        await write_it(app, "wrote Run 5K")
        into, old = ((app.workspace.memory / name).read_text() for name in (RUN, VEGETARIAN))
        assert "fish and dairy" in into
        assert "changed body: merged with Vegetarian since 2019" in into
        assert f"superseded_by: {RUN}" in old
        await app.press("u")
        await app.sees("took back")
        after = snapshot(app.workspace.memory)
        assert {name: data for name, (data, _) in after.items()} == {
            n: data for n, (data, _) in before.items()
        }


async def test_a_plain_note_goes_with_the_merge_once_its_word_is_typed(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        memory = app.workspace.memory
        (memory / "prefs/zeta.md").write_text("Zeta words.\n")
        await app.sees("Notes 7")
        await app.press("g", "n", "f")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"zeta", "enter")
        await app.sees("Zeta words.")
        await app.press("m", "g")
        await choose(app, "Merge into", "lina")
        await app.sees("Zeta words. into")
        await app.press("ctrl+s")
        await write_it(app, "type Zeta to merge")
        assert (memory / "prefs/zeta.md").exists()
        await app.press(*"zeta", "enter")
        await app.sees("wrote people/lina.md")
        assert not (memory / "prefs/zeta.md").exists()
        assert (memory / "people/lina.md").read_text().endswith("\n\nZeta words.\n")


# --- without a screen -----------------------------------------------------------------------------


def note(desk: Desk, path: str) -> NoteView:
    return desk.note(path)


@pytest.mark.parametrize(
    ("text", "more", "merged"),
    [
        ("One.\r\n", "Two.\nThree.\n", "One.\r\n\r\nTwo.\r\nThree.\r\n"),
        ("One.", "Two.", "One.\n\nTwo.\n"),
        ("One.\n\n\n", "\n\nTwo.\n", "One.\n\nTwo.\n"),
    ],
)
def test_the_text_of_both_keeps_the_line_endings_of_the_one_that_stays(
    desk: Desk, text: str, more: str, merged: str
) -> None:
    memory = desk.workspace.memory
    (memory / "a.md").write_bytes(more.encode())
    (memory / "b.md").write_bytes(text.encode())
    assert merge_form(note(desk, "a.md"), note(desk, "b.md")).body == merged


def test_problems_of_the_second_change_leave_nothing_behind(desk: Desk) -> None:
    memory = desk.workspace.memory
    (memory / "b.md").write_text("Text.\n")
    old = note(desk, VEGETARIAN)
    form = merge_form(old, note(desk, "b.md"))
    path = memory / VEGETARIAN
    path.write_text(path.read_text().replace("status: active", "status: deprecated"))
    shown = form.show(desk, Values({}, form.body))
    assert not isinstance(shown, Joined)
    assert "deprecated already" in str(shown)
    assert not desk._decider.own


def test_what_reads_alike_comes_first_then_the_newest_and_never_itself_or_the_index() -> None:
    def row(path: str, summary: str, modified: float) -> NoteRow:
        return NoteRow(path, summary, summary, "note", modified=modified)

    rows = [
        row("a.md", "green tea without any sugar", 1),
        row("old.md", "left knee hurts", 2),
        row("new.md", "two weeks in Porto", 3),
        row("like.md", "green tea without sugar", 0),
        row("index.md", "green tea without sugar", 9),
    ]
    assert [found.path for found in candidates(rows, "a.md")] == ["like.md", "new.md", "old.md"]


@pytest.mark.parametrize("size", [(100, 30), (40, 12)])
async def test_a_new_note_of_an_agents_goes_into_one_that_it_is_like(
    opened: Opener, size: tuple[int, int]
) -> None:
    async with opened(size=size) as app:
        await app.sees("Nothing is waiting")
        lina = app.workspace.memory / "people/lina.md"
        before = lina.read_text()
        app.drop("t", write("people/child.md", "daughter, 7 years old", "Reads a lot.\n"))
        await app.until(lambda: app.app.main.inbox.alike)
        await app.settled()
        await app.press("m", "g")
        await app.sees("Merge into")
        await app.until(lambda: any(line.startswith("▌  daughter, 7 years old") for line in app.lines))
        await app.press("enter")
        await app.sees("people/child.md into")
        assert app.app.main.pane.pane == "notes"
        await app.press("ctrl+s")
        await write_it(app, "merged into people/lina.md")
        assert app.app.main.pane.pane == "inbox"
        assert lina.read_text() == f"{before.rstrip()}\n\nReads a lot.\n"
        told = decision(app.workspace, "t")
        assert (told["verdict"], told["reason"]) == ("rejected", "merged into people/lina.md")
        assert not (app.workspace.memory / "people/child.md").exists()
        await app.press("u")
        await app.sees("took back 2")
        assert lina.read_text() == before
        await app.until(lambda: app.app.main.inbox.model.waiting == 1)


async def test_esc_from_a_merge_goes_back_to_the_proposal_which_waits_on(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop("t", write("n/new.md", "something else"))
        await app.until(lambda: app.app.main.inbox.alike is not None)
        await app.settled()
        await app.press("m", "g")
        await choose(app, "Merge into", "lina")
        await app.sees("n/new.md into")
        await app.press("escape")
        await app.until(lambda: app.app.main.pane.pane == "inbox")
        assert app.app.main.inbox.model.waiting == 1


async def test_a_renamed_note_is_shown_under_its_new_name_whatever_was_searched_for(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        (app.workspace.memory / "aa.md").write_text("Of [[lina]].\n")
        await app.sees("Notes 7")
        await app.press("g", "n", "f")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"dinosaurs", "enter")
        await app.sees("1 match")
        await app.sees("Starts school")
        await app.press("m", "r")
        await app.sees("new path")
        await app.press("ctrl+u", *"family/mia.md", "enter")
        await write_it(app, "wrote people/lina.md")
        await app.until(lambda: getattr(app.app.main.pane.rows.current, "path", "") == "family/mia.md")
        await app.sees("Starts school")
        assert (app.workspace.memory / "aa.md").read_text() == "Of [[mia]].\n"
