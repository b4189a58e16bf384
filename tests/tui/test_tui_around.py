"""What is said around a change: what came before it, in which order the list stands, and what is new in it."""

from __future__ import annotations

import pytest

from tests.tui.driver import Opener, write


async def test_what_was_rejected_before_is_said_with_its_reason(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop("one", write("prefs/tea.md", "green tea, no sugar", "Green tea.\n"))
        await app.sees("prefs/tea.md")
        await app.settled()
        await app.press("r")
        await app.until(lambda: app.app.main.typing)
        await app.press("down", "enter")
        await app.sees("rejected prefs/tea.md")
        app.drop("two", write("prefs/tea.md", "green tea, no sugar", "Green tea. \n"))
        await app.sees("before  rejected")
        assert ": wrong" in next(line for line in app.lines if "before  rejected" in line)


async def test_the_history_of_the_note_is_counted(opened: Opener) -> None:
    async with opened("04") as app:
        await app.sees("history        2 changes, last 2024-04-22")


async def test_nothing_alike_is_said_too(opened: Opener) -> None:
    async with opened("01") as app:
        await app.sees("alike          none")


async def test_o_goes_through_the_orders_and_keeps_the_item_that_is_shown(opened: Opener) -> None:
    async with opened("01", "02", "12") as app:
        await app.settled()
        shown = app.app.main.inbox.shown_id
        await app.press("o")
        await app.sees("Order and group")
        await app.sees("by operation, oldest first")
        await app.press("down", "down", "enter")
        await app.sees("order: by operation, oldest first")
        heads = [line[:33].split()[0] for line in app.lines[2:9] if line[:1] == " " and line[1:2].isalpha()]
        assert set(heads) >= {"write", "add", "edit"}
        assert app.app.main.inbox.shown_id == shown
        await app.press("o", "esc")
        assert app.app.main.inbox.model.order == "operation"


async def test_a_dot_marks_what_was_not_looked_at_yet(opened: Opener) -> None:
    async with opened("01", "02") as app:
        await app.settled()
        marked = [line[:1] for line in app.lines[2:8]]
        assert marked.count("•") == 1
        await app.press("J")
        await app.settled()
        assert "•" not in [line[:1] for line in app.lines[2:8]]


async def test_v_pages_through_the_choices_of_a_contradiction_each_with_its_own_diff(opened: Opener) -> None:
    async with opened("11") as app:
        await app.sees("choice")
        preview = app.app.main.inbox.view.preview
        assert preview is not None
        seen = {}
        for _ in preview.plan.choices:
            await app.settled()
            now = app.app.main.inbox.view.preview
            assert now is not None
            seen[app.app.main.inbox.choices.choose] = now.plan.hash
            await app.press("v")
        await app.settled()
        assert set(seen) == set(preview.plan.choices)
        assert len(set(seen.values())) == len(seen)


async def test_a_contradiction_shows_both_statements(opened: Opener) -> None:
    async with opened("11") as app:
        await app.sees('new  "I had a steak')
        assert 'old  "No meat since 2019' in app.text


async def test_where_notes_are_very_many_the_change_comes_first_and_the_catalog_after(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.reading.library.SLOW", -1.0)
    async with opened("01") as app:
        view = app.app.main.inbox.view
        assert view.preview is not None
        assert view.preview.catalog is None
        await app.sees("1 line changed")
        await app.sees("alike")
        await app.settled()
        await app.press("a")
        await app.sees("approved people/lina.md")
