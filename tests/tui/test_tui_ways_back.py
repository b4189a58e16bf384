"""Ways out and back: of a filter that hides all, of drafts, of decisions in Activity; and words that need room."""

from __future__ import annotations

import pytest

from memtui.review.drafts import whole_key
from memtui.tui.sheets import HelpSheet
from tests.tui.driver import Driver, Opener, write


async def filtered(app: Driver, words: str) -> None:
    await app.press("/")
    await app.until(lambda: app.app.main.typing)
    await app.press(*words, "enter")
    await app.until(lambda: not app.app.main.typing)


@pytest.mark.parametrize("size", [(100, 30), (40, 12)])
async def test_the_last_of_a_filter_decided_is_not_taken_for_an_empty_inbox(
    opened: Opener, size: tuple[int, int]
) -> None:
    async with opened("01", "12", size=size) as app:
        await app.settled()
        await filtered(app, "lina")
        await app.press("right")
        await app.approve()
        await app.sees("approved")
        assert "Nothing is waiting" not in app.text
        await app.press("escape", "escape")
        await app.until(lambda: not app.app.main.inbox.model.filter)
        assert app.app.main.inbox.model.waiting == 1


@pytest.mark.parametrize("size", [(100, 30), (40, 12)])
async def test_esc_shows_again_what_a_filter_hides(opened: Opener, size: tuple[int, int]) -> None:
    async with opened("01", size=size) as app:
        await app.settled()
        await filtered(app, "nowhere")
        await app.sees("hidden by this filter · esc")
        await app.press("escape")
        await app.until(lambda: not app.app.main.inbox.model.filter)
        await app.sees("lina")


async def test_the_menu_approves_nothing_unread_says_so_and_drops_what_is_typed(opened: Opener) -> None:
    async with opened(size=(80, 24), settle=0.2) as app:
        await app.sees("Nothing is waiting")
        app.drop("w", write("n/long.md", content="".join(f"line {n}\n" for n in range(60))))
        await app.sees("read on")
        await app.settled()
        await app.press("m", "n")
        await app.sees("see all of it first")
        await app.pilot.press("r")
        await app.pilot.pause(0.02)
        assert app.app.main.prompt.question is None
        assert app.app.main.inbox.model.waiting == 1


async def test_what_activity_takes_back_is_no_arrival_and_u_does_not_mean_it_any_more(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.approve()
        await app.press("g", "a")
        await app.sees("u undo this one")
        await app.press("u")
        await app.sees("took back")
        await app.until(lambda: app.app.main.inbox.model.waiting + len(app.app.main.inbox.model.held) == 2)
        assert "arrived" not in app.text
        assert app.app.main.inbox.last_decision is None
        app.drop("late", write("n/late.md"))
        await app.sees("1 proposal arrived")


async def test_a_decision_that_has_no_room_is_scrolled(opened: Opener) -> None:
    async with opened("01", size=(40, 12)) as app:
        await app.approve()
        await app.press("g", "a")
        await app.sees("enter read")
        await app.press("enter")
        await app.sees("verdict")
        assert "u takes it back" not in app.text
        await app.press("pagedown")
        await app.sees("u takes it back")
        await app.press("pageup")
        await app.misses("u takes it back")


async def test_no_words_of_the_help_are_cut_at_40_columns(opened: Opener) -> None:
    async with opened("01", size=(40, 12)) as app:
        await app.settled()
        await app.press("?")
        await app.sees("Next change, or link of a")
        assert any(line.strip() == "note" for line in app.lines)
        assert "…" not in "\n".join(app.lines[3:])


@pytest.mark.parametrize("pane", ["g n", "g a", "g h", "g c"])
async def test_u_takes_the_last_decision_back_from_anywhere(opened: Opener, pane: str) -> None:
    async with opened("01", "04") as app:
        await app.shows("Run 5K")
        await app.approve()
        await app.press(*pane.split())
        await app.until(lambda: app.app.main.pane is not app.app.main.inbox)
        await app.until(lambda: pane != "g a" or app.app.main.pane.rows.rows)
        await app.press("u")
        await app.sees("took back Run 5K")
        await app.press("g", "i")
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.sees("Run 5K")


@pytest.mark.parametrize("pane", ["g i", "g n", "g a", "g h", "g c"])
async def test_the_help_has_no_heading_without_keys_and_no_key_twice_under_one(
    opened: Opener, pane: str
) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press(*pane.split(), "?")
        await app.sees("esc back")
        sheet = app.app.screen
        assert isinstance(sheet, HelpSheet)
        headings: list[tuple[str, list[str]]] = []
        for keys, label in sheet.rows.rows:
            if not keys:
                headings.append((label, []))
            elif keys.strip():
                headings[-1][1].append(keys)
        assert len(headings) > 8
        for heading, listed in headings:
            assert listed, heading
            assert len(set(listed)) == len(listed), heading


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_the_help_ends_with_what_the_signs_mean(opened: Opener, ascii_only: bool) -> None:
    async with opened("01", size=(80, 24)) as app:
        app.app.ascii_only = ascii_only
        await app.settled()
        await app.press("?", "G")
        await app.sees("Goes on with the word of the line above")
        await app.sees("U+202E")
        strips = app.app.screen._compositor.render_strips()
        tokens = [s.text for strip in strips for s in strip if s.style is not None and s.style.reverse]
        assert "U+202E" in tokens
        legend = app.text[app.text.index("Signs") :]
        assert legend.isascii() is ascii_only


async def test_m_x_discards_a_draft(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("e")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"MINE ", "escape")
        await app.until(lambda: app.app.drafts)
        await app.settled()
        await app.press("m")
        await app.sees("Discard your draft")
        await app.press("x")
        await app.sees("draft discarded")
        await app.until(lambda: not app.app.drafts)
        desk = app.app.desk
        assert desk is not None
        await app.until(lambda: not desk.drafts())


async def test_a_text_of_the_editor_is_named_by_its_own_key(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        desk = app.app.desk
        id = app.app.main.inbox.shown_id
        assert desk is not None
        assert id is not None
        desk.save_draft(whole_key(id), "Mine\n")
        app.app.texts.add(id)
        await app.press("a")
        await app.sees("a draft of yours waits: E opens it")
        await app.press("e")
        await app.sees("your text from $EDITOR waits: E goes on")


@pytest.mark.parametrize("where", ["under it", "its title"])
async def test_a_click_leaves_a_sheet_and_decides_nothing(opened: Opener, where: str) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("m")
        await app.sees("Menu")
        row = 5 if where == "under it" else next(y for y, line in enumerate(app.lines) if "Menu" in line)
        await app.pilot.click(offset=(10, row))
        await app.misses("Approve with a private note")
        assert app.app.main.inbox.model.waiting == 1
