"""Keys in one write: each goes to what the one before it opened, and what decides is dropped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memtui.config import Workspace
from memtui.tui.typed import TypedKeys
from tests.tui.driver import Driver, Opener, write
from tests.tui.pty_driver import OnTerminal, keys_count_at_once, on_terminal


@pytest.fixture
def terminal(workspace: Workspace) -> Iterator[OnTerminal]:
    """The real app with one proposal that has settled."""
    keys_count_at_once()
    from tests.tui.driver import drop

    drop(workspace, "one", write("work/lina.md", content="one\ntwo\n"))
    with on_terminal(workspace, size=(100, 30)) as app:
        app.sees("approve")
        app.stand_still()
        yield app


def undecided(workspace: Workspace) -> bool:
    return not list(workspace.decisions.glob("*.json")) and not (workspace.memory / "work/lina.md").exists()


def test_the_letter_after_m_is_the_menus(terminal: OnTerminal, workspace: Workspace) -> None:
    terminal.send("mc")
    terminal.sees("copied one")
    assert "Menu" not in terminal.text
    assert "new note\n" not in terminal.text
    terminal.send("mx")  # the menu has no x here: it stays, and nothing is left out beneath
    terminal.sees("Menu")
    terminal.stand_still()
    assert "left out" not in terminal.text
    assert undecided(workspace)


def test_what_is_typed_after_f_is_looked_for_the_first_time_too(terminal: OnTerminal) -> None:
    terminal.send("fveg\re")  # and the editor is that of the note which was found
    terminal.sees("/veg")
    terminal.sees("1 match")
    terminal.sees("f4 $EDITOR")
    assert "health, food, biography" in terminal.text


def test_what_is_typed_after_the_slash_filters(terminal: OnTerminal, workspace: Workspace) -> None:
    terminal.send("/lina\r")
    terminal.sees("/lina")
    terminal.sees("1 of 1")
    terminal.send("/x")
    terminal.sees("/ linax")
    assert undecided(workspace)


def test_a_reason_typed_at_once_is_kept_and_its_enter_decides_only_by_itself(
    terminal: OnTerminal, workspace: Workspace
) -> None:
    terminal.send("rnot true\r")
    terminal.sees("reject, because not true")
    terminal.sees("enter once more")
    assert undecided(workspace)
    terminal.send("enter")
    terminal.until(lambda: list(workspace.decisions.glob("*.json")), "the answer")


@pytest.mark.parametrize(
    ("keys", "seen"),
    [("ra", "reject, because a"), (":ap", "Approve the change shown"), ("ea", "aone")],
)
def test_a_key_after_an_opening_one_is_typed_into_it(
    terminal: OnTerminal, workspace: Workspace, keys: str, seen: str
) -> None:
    terminal.send(keys)
    terminal.sees(seen)
    assert undecided(workspace)


def test_c_and_a_title_in_one_write_lose_no_letter(terminal: OnTerminal) -> None:
    terminal.send("cmoon.md")
    terminal.sees("moon.md")


async def burst(app: Driver, keys: str) -> None:
    from textual import events

    names = {"\r": "enter", ":": "colon", " ": "space", "/": "slash"}
    for key in keys:
        app.app.post_message(events.Key(names.get(key, key), key))
    await app.pilot.pause()
    await app.until(lambda: not app.app.typed.more and not app.app.typed.opening, "all given on")
    await app.pilot.pause(0.05)


async def test_what_did_not_open_takes_no_keys_for_what_lies_beneath(
    opened: Opener, workspace: Workspace
) -> None:
    async with opened(settle=60.0) as app:
        app.drop("one", write("work/one.md"))
        await app.sees("work/one.md")
        await burst(app, "rnot true\r")
        assert app.app.main.prompt.question is None
        assert app.app.screen is app.app.main  # `o` opened no sheet
        assert undecided(workspace)


@pytest.mark.parametrize("keys", ["ra\r\r", "aaaa", "mn\r\r", ":approve the change\r\r", "ea\x13", "rAay\r"])
async def test_a_burst_into_the_list_decides_nothing(opened: Opener, workspace: Workspace, keys: str) -> None:
    async with opened() as app:
        app.drop("one", write("work/lina.md"))
        await app.sees("work/lina.md")
        await app.settled()
        await burst(app, keys)
        await app.settled() if not app.app.typed.opening else None
        assert undecided(workspace)


async def test_e_in_the_zoomed_list_opens_the_editor_and_loses_no_letter(opened: Opener) -> None:
    async with opened() as app:
        app.drop("one", write("work/lina.md"))
        await app.sees("work/lina.md")
        await app.settled()
        await app.press("z")
        await app.until(lambda: app.app.main.inbox.hidden, "the list alone")
        await burst(app, "eQ")
        await app.sees("QText.")


async def test_a_hold_ends_with_the_last_that_was_asked(opened: Opener) -> None:
    async with opened() as app:
        typed: TypedKeys = app.app.typed
        first = typed.hold("x")
        second = typed.hold("x")
        first()
        await app.pilot.pause()
        assert typed.opening
        second()
        await app.until(lambda: not typed.opening, "let go")
