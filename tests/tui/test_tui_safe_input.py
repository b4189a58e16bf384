"""Text fields hold what was typed or pasted and draw nothing that a terminal would obey."""

from __future__ import annotations

import json
import os
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from memtui.config import Workspace
from memtui.tui.safe_input import SafeInput, SafeTextArea, drawn, hidden
from tests.tui.driver import drop, write
from tests.tui.pty_driver import OnTerminal, keys_count_at_once, on_terminal

HARMFUL = {
    "an OSC": "\x1b]52;c;QUJD\x07",
    "a CSI": "\x1b[35;7m",
    "a C1 CSI": "\x9b35m",
    "a C1 OSC": "\x9d0;t\x9c",
    "a bidi override": "\u202e",
    "a bidi isolate": "\u2066",
    "a zero-width space": "\u200b",
    "a tag": "\U000e0041",
    "a NUL": "\x00",
    "a BOM": "\ufeff",
    "a backspace": "\x08",
    "a delete": "\x7f",
}
ALL = "".join(HARMFUL.values())


def obeyed(raw: bytes) -> list[str]:
    """Which of them reached the terminal."""
    return [name for name, text in HARMFUL.items() if text.encode() in raw and text != "\x08"]


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(list(ALL + "\u200d\ufe0f❤a "))))
def test_a_line_is_drawn_character_for_character_and_nothing_in_it_is_hidden(text: str) -> None:
    line, spans = drawn(text)
    assert len(line) == len(text)
    assert not [c for c in line if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")]
    for start, end in spans:
        assert 0 <= start < end <= len(text)


def test_hidden_characters_are_named_with_their_place() -> None:
    assert hidden({"title": "plain", "": "two\nlines\n"}) == ""
    assert hidden({"title": "ab\u202e", "": ""}) == "1 hidden character: U+202E at title 3"
    assert hidden({"": "a\nb\x1b"}) == "1 hidden character: U+001B at 2:2"
    assert hidden({"": "\u200b" * 5}).startswith("5 hidden characters: U+200B at 1:1, U+200B at 1:2, ")
    assert hidden({"": "\u200b" * 5}).endswith(", …")


class Fields(App[None]):
    def compose(self) -> ComposeResult:
        yield SafeInput(f"a{ALL}z", compact=True)
        yield SafeTextArea(f"a{ALL}z\nsecond\nlast", compact=True)


async def test_the_text_stays_true_under_cursor_and_typing() -> None:
    app = Fields()
    async with app.run_test(size=(60, 20)) as pilot:
        area, line = app.query_one(SafeTextArea), app.query_one(SafeInput)
        assert area.text == f"a{ALL}z\nsecond\nlast"
        area.focus()
        await pilot.press("ctrl+end", "!", "ctrl+home", "right", "x", "delete")
        assert area.text == f"ax{ALL[1:]}z\nsecond\nlast!"
        assert area.get_text_range((0, 0), (0, 6)) == f"ax{ALL[1:]}z"[:6]
        assert area.cursor_location == (0, 2)
        line.focus()
        await pilot.press("home", "right", "x")
        assert line.value == f"ax{ALL}z"


async def test_a_click_puts_the_cursor_on_the_character_under_it() -> None:
    app = Fields()
    async with app.run_test(size=(60, 20)) as pilot:
        line, area = app.query_one(SafeInput), app.query_one(SafeTextArea)
        await pilot.click(SafeInput, offset=(3, 0))
        assert line.cursor_position == 3
        await pilot.click(SafeTextArea, offset=(4, 0))  # it has a blank column before it
        assert area.cursor_location == (0, 3)


async def test_a_paste_of_several_lines_becomes_one() -> None:
    from textual.events import Paste

    app = Fields()
    async with app.run_test(size=(60, 20)) as pilot:
        line = app.query_one(SafeInput)
        line.value = ""
        line.focus()
        line.post_message(Paste("one\r\ntwo\n\u202ethree"))
        await pilot.pause()
        assert line.value == "one two \u202ethree"


# --- bytes


def hostile(workspace: Workspace) -> None:
    one_line = "".join(
        c for c in ALL if unicodedata.category(c) != "Cc"
    )  # control characters are refused there
    fields = write("one.md", summary=f"su{one_line}", content=f"co{ALL}\nline\n")
    fields["reason"] = f"re{one_line}"
    drop(workspace, "hostile", fields)
    assert "\\u202e" in json.dumps(fields)


@pytest.mark.parametrize("size", [(100, 30), (40, 12)])
def test_a_hostile_proposal_in_the_editor_reaches_no_terminal(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    hostile(workspace)
    keys_count_at_once()
    with on_terminal(workspace, size) as app:
        app.sees("one.md")
        app.press_until("e", lambda: "back" in app.text.splitlines()[-1])
        app.sees("hidden characters: U+")
        app.send("tab", "x", "tab", "y", "tab", "z")
        assert obeyed(bytes(app.raw)) == []


def type_harm(app: OnTerminal) -> None:
    """As a paste, and as what a terminal without bracketed paste sends."""
    app.paste("pasted\u202e\u2066\u200b\U000e0041\ufeff\x9b35m\x9d0;t\x9cend")
    app.sees("pasted")
    app.send("\u202e", "\u200b", "\U000e0041", "\u2066", "\ufeff")
    os.write(app.ours, b"\xc2\x9b35m")
    app.read(0.3)
    app.send("q")
    app.until(lambda: "q" in app.text)


@pytest.mark.parametrize(
    ("key", "sign"), [("r", "reject, because"), ("/", "enter keep"), ("e", "show the change")]
)
def test_what_is_pasted_or_typed_into_a_field_reaches_no_terminal(
    workspace: Workspace, key: str, sign: str
) -> None:
    drop(workspace, "one", write("one.md"))
    keys_count_at_once()
    with on_terminal(workspace) as app:
        app.sees("one.md")
        app.press_until(key, lambda: sign in app.text)
        before = len(app.raw)
        type_harm(app)
        assert obeyed(bytes(app.raw[before:])) == []
        assert "�" in app.text or "␛" in app.text


def test_what_is_pasted_into_the_search_and_the_palette_reaches_no_terminal(workspace: Workspace) -> None:
    with on_terminal(workspace) as app:
        app.sees("Nothing is waiting")
        app.press_until("f", lambda: "enter keep" in app.text)
        type_harm(app)
        app.send("esc")
        app.until(lambda: "enter keep" not in app.text)
        app.press_until(":", lambda: "type a few letters" in app.text)
        type_harm(app)
        assert obeyed(bytes(app.raw)) == []
