"""Focus that can be seen, messages, footers and the words of empty panes."""

from __future__ import annotations

import pytest
from textual import events

from memtui.tui.actions import ACTIONS, INBOX, REASON, named
from memtui.tui.footer import Hint, choose
from memtui.tui.keys import keymap, shown
from tests.tui.driver import Driver, Opener, write


def names(app: Driver) -> list[str]:
    return [hint.action.id for hint in app.app.main.pane.hints()]


async def test_tab_shows_which_side_has_the_focus(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        assert app.lines[1][34] == " "
        assert "into" in names(app)
        await app.press("tab")
        await app.until(lambda: app.lines[1][34] == "▌", "a bar beside the preview's title")
        assert "next_change" in names(app)
        assert "out" in names(app)
        assert not app.app.main.inbox.rows.lit
        assert not app.app.main.inbox.head.focused
        await app.press("tab")
        await app.until(lambda: app.lines[1][34] == " ")
        assert app.app.main.inbox.rows.lit


async def test_an_error_is_wrapped_and_stays_until_it_is_answered(opened: Opener) -> None:
    async with opened("01", size=(40, 20)) as app:
        await app.settled()
        app.app.main.fail("nothing was written: the memory folder is on a disk that is full; make room")
        await app.sees("make room")
        await app.press("j", "k", "n")
        assert "make room" in app.text.replace("\n", " ")
        await app.press("escape")
        await app.misses("make room")
        assert app.app.main.inbox.reading, "esc answered the error and nothing else"


async def test_that_there_is_nothing_to_undo_is_said_calmly(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        assert "undo" not in names(app)
        await app.press("u")
        await app.sees("there is nothing to undo")
        assert "!!" not in app.lines[-2]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ((80, 24), ("memtui propose - <<<", '"agent": "me"}', "memtui demo")),
        ((40, 20), ("An agent sends:", "memtui propose FILE")),
        ((40, 12), ("An agent sends:", "memtui propose FILE")),
    ],
)
async def test_an_empty_inbox_of_any_size_says_how_to_begin(
    opened: Opener, size: tuple[int, int], words: tuple[str, ...]
) -> None:
    async with opened(size=size) as app:
        await app.sees("Nothing is waiting")
        for word in words:
            await app.sees(word)
        assert app.lines[-1].startswith(" y copy the command")


def hints(*ids: str) -> list[Hint]:
    keys = keymap({})
    return [Hint(named(id), shown(keys.key_of(named(id))), named(id).short) for id in ids]


def test_next_and_the_keys_outlive_the_palette_at_40_columns() -> None:
    listed = hints("approve", "edit", "reject", "next_item", "undo", "next_change", "palette", "help")
    bare = [Hint(h.action, h.key, "") if h.action.right else h for h in listed]
    left, right = choose(bare, 40)
    assert [h.action.id for h in (*left, *right)] == ["approve", "edit", "reject", "next_item", "help"]


def test_the_way_back_is_not_the_first_hint_to_go_from_a_prompt() -> None:
    prompt = [a for a in ACTIONS if a.where == REASON and a.short]
    assert max(prompt, key=lambda a: a.priority).id == "pick_next"


@pytest.mark.parametrize(("key", "id"), [("Ж", "palette"), ("ж", "palette"), (".", "filter"), (",", "help")])
def test_punctuation_answers_at_its_place_in_a_russian_layout(key: str, id: str) -> None:
    found = keymap({}).find((INBOX, "global"), key)
    assert found is not None
    assert found.id == id


def test_g_and_a_number_go_where_the_number_alone_goes() -> None:
    keys = keymap({})
    for number in "1234":
        assert keys.find(("global",), f"g {number}") == keys.find(("global",), number)


async def test_the_palette_opens_in_a_russian_layout(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        app.app.post_message(events.Key("Ж", "Ж"))
        await app.sees("Commands")


async def test_a_problem_is_discarded_by_the_first_word_of_its_name(opened: Opener) -> None:
    async with opened("01", "09") as app:
        await app.sees("refused for the agents")
        await app.settled()
        await app.press("G", "enter", "j")
        await app.sees("m D discard")
        assert "undo" not in names(app)
        await app.press("m", "D")
        await app.sees("type 09 to discard")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"09", "enter")
        await app.misses("refused for the agents")


async def test_what_was_refused_was_decided_by_the_rules_and_says_why(opened: Opener) -> None:
    async with opened("01", "09") as app:
        await app.settled()
        await app.press("g", "a")
        await app.sees("memtui (refused by the rules)")
        await app.sees("user_command")
        await app.sees("cannot: it was refused, and wrote nothing")
        assert "undo_selected" not in names(app)


async def test_narrow_activity_says_how_to_read_on_and_back(opened: Opener) -> None:
    async with opened("01", "09", size=(40, 20)) as app:
        await app.settled()
        await app.press("g", "a")
        await app.sees("enter read")
        await app.press("enter")
        await app.sees("h list")


async def test_a_sheet_grows_with_the_terminal(opened: Opener) -> None:
    async with opened("01", size=(80, 24)) as app:
        await app.settled()
        await app.press("?")
        await app.sees("Keys")
        before = app.app.screen.query_one("RowList").size.height
        await app.pilot.resize_terminal(80, 60)
        await app.until(lambda: app.app.screen.query_one("RowList").size.height > before)
        assert "▌" not in "\n".join(app.lines[30:]), "nothing to choose in it, so no cursor"


async def test_a_list_scrolls_to_its_cursor(opened: Opener) -> None:
    async with opened(size=(80, 24)) as app:
        await app.sees("Nothing is waiting")
        for number in range(40):
            app.drop(f"w{number:02}", write(f"n/{number:02}.md"))
        await app.until(lambda: len(app.app.main.inbox.model.held) + app.app.main.inbox.model.waiting == 40)
        app.app.main.inbox.release()
        await app.press("G")
        await app.until(lambda: any(line.startswith("▌") and "n/39.md" in line for line in app.lines))


async def test_the_palette_says_that_nothing_matches(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press(":", "z", "z", "z")
        await app.sees("nothing matches")
        assert "z" not in app.lines[-1], "an empty list takes no row"
        await app.press("backspace", "backspace", "backspace")
        await app.misses("nothing matches")
        await app.sees("Approve")


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (("a", "p", "backspace"), "a"),
        (("a", "p", "left", "x"), "axp"),
        (("a", "p", "home", "delete"), "p"),
        (("a", "p", "ctrl+u"), ""),
        (("a", "space", "p", "ctrl+w"), "a "),
    ],
)
async def test_what_is_typed_into_a_sheet_can_be_corrected(
    opened: Opener, keys: tuple[str, ...], text: str
) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press(":", *keys)
        await app.until(lambda: app.app.screen.query_one("Input").value == text)  # type: ignore[attr-defined]
        await app.press("escape")
        await app.misses("Commands")
        assert app.app.main.inbox.model.waiting == 1
