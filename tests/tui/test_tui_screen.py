"""What stands on the screen: sizes, arrivals, hostile text, sheets, other layouts."""

from __future__ import annotations

import unicodedata

import pytest
from textual import events

from memtui.config import Workspace
from memtui.tui.app import MemtuiApp
from tests.tui.driver import Opener, drop, write
from tests.tui.pty_driver import on_terminal

HOSTILE = "x[/nope][@click=app.exit]y[/] \x1b]0;pwned\x07\x1b[2J\u202eabc\u200b\x9b31m\u2028"


async def test_an_empty_inbox_says_how_to_send_a_first_proposal(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        await app.sees("memtui propose - <<<")
        assert "watching" in app.text


async def test_a_dropped_proposal_appears_and_is_shown(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop("tea", write("prefs/tea.md"))
        await app.sees("+ write  prefs/tea.md")


async def test_arrivals_move_neither_rows_nor_the_preview(opened: Opener) -> None:
    async with opened("01", "04") as app:
        await app.settled()
        before = app.lines
        app.drop("tea", write("prefs/tea.md", agent="nightly-summary"))
        await app.sees("+1 new")
        assert [line[:28] for line in app.lines[2:6]] == [line[:28] for line in before[2:6]]
        assert [line[34:] for line in app.lines[2:10]] == [line[34:] for line in before[2:10]]


async def test_from_80_columns_list_and_preview_stand_side_by_side(opened: Opener) -> None:
    async with opened("01", size=(80, 24)) as app:
        await app.settled()
        assert "people/lina.md" in app.lines[3][:33]
        assert "write  people/lina.md" in app.lines[1][34:]


async def test_beside_an_agent_two_arrivals_take_two_keys(opened: Opener) -> None:
    async with opened(size=(40, 20)) as app:
        await app.sees("Nothing is waiting")
        app.drop("one", write("prefs/one.md"))
        app.drop("two", write("prefs/two.md"))
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.settled()
        await app.press("a")
        await app.sees("approved prefs/")
        await app.settled()
        await app.press("a")
        await app.sees("2 decided today")


async def test_in_one_pane_h_shows_the_list_and_a_first_shows_the_preview(opened: Opener) -> None:
    async with opened("01", "12", size=(40, 12)) as app:
        await app.settled()
        await app.press("h")
        await app.sees("2 waiting")
        await app.press("a")
        await app.misses("2 waiting")
        assert app.app.main.inbox.model.waiting == 2


@pytest.mark.parametrize("size", [(40, 12), (60, 15), (80, 24), (100, 30), (141, 40), (300, 60)])
async def test_it_works_at_every_size(opened: Opener, size: tuple[int, int]) -> None:
    async with opened("01", "17", size=size) as app:
        await app.settled()
        assert len(app.lines) == size[1]
        assert "a " in app.lines[-1]


async def test_below_the_smallest_size_nothing_else_is_drawn_after_a_question(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("r")
        await app.until(lambda: app.app.main.typing)
        await app.press("escape")
        await app.press("m", "c")
        await app.sees("copied")
        await app.pilot.resize_terminal(30, 8)
        await app.sees("too small")
        await app.misses("copied")
        await app.pilot.resize_terminal(100, 30)
        await app.sees("copied")


async def test_below_the_smallest_size_it_says_so(opened: Opener) -> None:
    async with opened("01", size=(39, 12)) as app:
        await app.sees("memtui needs 40x12")


async def test_a_live_resize_keeps_the_item(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.shows("prefs/coding.md")
        await app.pilot.resize_terminal(40, 20)
        await app.until(lambda: "prefs/coding.md" in app.lines[1])
        await app.pilot.resize_terminal(120, 30)
        await app.until(lambda: "prefs/coding.md" in app.lines[1][34:])


async def test_hostile_text_is_drawn_as_tokens_and_runs_nothing(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        one_line = "".join(c for c in HOSTILE if unicodedata.category(c) != "Cc")  # they are refused there
        fields = write("prefs/h.md", one_line, HOSTILE + "\n", agent=HOSTILE)
        app.drop("h", {**fields, "reason": one_line, "session": HOSTILE, "odd": HOSTILE})
        await app.sees("prefs/h.md")
        await app.settled()
        await app.press("i")
        await app.sees("Details")
        drawn = app.text
        await app.press("escape")
        drawn += app.text
        hidden = {
            c for c in drawn if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") and c != "\n"
        }
        assert not hidden
        assert "[/nope]" in drawn


async def test_decision_keys_answer_in_a_russian_layout(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        app.app.post_message(events.Key("ф", "ф"))
        await app.sees("approved people/lina.md")


async def test_help_palette_and_menu_draw_from_the_registry(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("?")
        await app.sees("Approve the change shown")
        await app.press("escape")
        await app.press(":")
        await app.sees("Commands")
        await app.press(*"activ", "enter")
        await app.sees("Nothing decided yet")
        await app.press("g", "i")
        await app.press("m")
        await app.sees("Copy the id")
        await app.press("escape")


async def test_the_choices_of_a_chord_appear_after_a_moment(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("g")
        await app.sees("c Catalog")
        await app.press("n")
        await app.sees("6 notes")


async def test_q_twice_at_the_top_quits_and_esc_never_does(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("escape", "escape", "escape")
        await app.press("q")
        await app.sees("once more quits")
        await app.press("q")
        await app.until(lambda: app.app._exit)


async def test_a_refused_proposal_is_listed_with_the_agents_answer(opened: Opener) -> None:
    async with opened("01", "09") as app:
        await app.sees("refused for the agents")
        await app.settled()
        await app.press("G", "enter", "j")
        await app.sees("09-delete-without-command.json")
        await app.sees("user_command")


async def test_the_first_launch_offers_a_workspace_and_makes_nothing_else(workspace: Workspace) -> None:
    root = workspace.root.parent / "fresh"
    (root / "memory").mkdir(parents=True)
    (root / "memory/a.md").write_text("A.\n")
    app = MemtuiApp(None, offer=root)
    async with app.run_test(size=(100, 30)) as pilot:
        for _ in range(200):
            await pilot.pause(0.01)
            if app._main is not None and app.focused is not None:
                break
        await pilot.press("y")
        for _ in range(300):
            await pilot.pause(0.01)
            if app.desk is not None:
                break
        assert (root / ".memtui/spool").is_dir()
        assert sorted(path.name for path in root.iterdir()) == [".memtui", "memory"]


async def test_what_is_first_drawn_of_an_inbox_that_fills_says_no_untruth(opened: Opener) -> None:
    async with opened("04", size=(40, 12), wait=False) as app:
        while app.app.main.inbox.view.preview is None:
            if app.app.main.inbox.model.waiting:
                assert "Nothing is waiting" not in app.text
                assert " a approve" not in app.text
            assert app.app.main.has_class("-narrow")
            await app.pilot.pause(0.001)
        await app.sees("a read on")


async def test_nothing_taken_in_so_far_is_no_empty_inbox(opened: Opener) -> None:
    async with opened() as app:
        inbox = app.app.main.inbox
        inbox.listed, inbox._filling = False, True  # as at the start, before any look
        inbox.take(inbox.take_ahead([], []), whole=False)
        assert not inbox.listed
        inbox.take(inbox.take_ahead([], []))
        assert inbox.listed
        await app.sees("Nothing is waiting")


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
def test_nothing_flashes_on_the_way_to_the_first_item(workspace: Workspace, size: tuple[int, int]) -> None:
    drop(workspace, "one", write("n/one.md"))
    with on_terminal(workspace, size) as app:
        app.sees("write  n/one.md")
        app.sees("a approve")
        assert b"copy the command" not in app.raw
        assert b"read on" not in app.raw
        assert (b"waiting" in app.raw) is (size[0] >= 80)  # the list, which stands beside it there
