"""Changes made to deceive, drawn on a terminal and read back: nothing is hidden, shifted or imitated."""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.strip import Strip

from memtui.proposals.diff import FileDiff, diff
from memtui.proposals.diff_pieces import printed
from memtui.tui.style import palette
from tests.tui.deceptions import Deception, changes
from tests.tui.picture import BORDER, Seen, columns, draw, on_terminal, read, rebuilt
from tests.tui.test_tui_diff_rows import VARIABLES

ALL = tuple(changes())
PALETTE = palette(VARIABLES, ansi=False)
SHAPES = ((39, False), (45, False), (150, True))
"""Cells of the preview in terminals of 40, 80 and 200 columns, and whether two texts stand side by side."""
deceptions = pytest.mark.parametrize("one", ALL, ids=[one.name for one in ALL])


def compared(one: Deception) -> FileDiff:
    return diff(one.path, one.before, one.after)


def text_of(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "surrogateescape")


def usual_ending(shown: FileDiff) -> str:
    """The ending that goes without saying."""
    counted = Counter(row.ending for row in shown.rows if row.ending != "none")
    return {"lf": "\n", "crlf": "\r\n", "cr": "\r"}[counted.most_common(1)[0][0] if counted else "lf"]


def is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return category[0] == "C" or category in ("Zl", "Zp") or selector


def rows_in(strips: list[Strip], shown: FileDiff, cells: int, *, beside: bool) -> list[Seen]:
    """The changed rows as a reader of the picture has them."""
    last = max((row.new or row.old or 0 for row in shown.rows[-2:]), default=0)
    gutter = max(2 if cells < 60 else 4, len(str(last)))
    beside = beside and shown.added > 0 and shown.removed > 0
    readers = read(strips, cells, gutter, beside=beside)
    return [row for reader in readers for row in reader.rows if row.sign != " "]


def rows_read(shown: FileDiff, cells: int) -> list[Seen]:
    return rows_in(draw(shown, cells, PALETTE), shown, cells, beside=False)


def test_there_are_many_and_each_is_another() -> None:
    assert len(ALL) >= 300
    assert len({one.name for one in ALL}) == len(ALL)
    assert len({(one.before, one.after) for one in ALL}) == len(ALL)


@deceptions
def test_the_picture_alone_tells_what_becomes_of_the_text_and_a_terminal_draws_each_cell_where_the_app_believes_it(
    one: Deception,
) -> None:
    shown = compared(one)
    for cells, beside in SHAPES:
        strips = draw(shown, cells, PALETTE, beside=beside)
        rows = rows_in(strips, shown, cells, beside=beside)
        assert rows, "an empty diff"
        assert rebuilt(text_of(one.before), rows, usual_ending(shown)) == text_of(one.after)
        screen = on_terminal(strips, cells)
        for y, strip in enumerate(strips):
            assert not any(map(is_hidden, strip.text))
            assert cell_len(strip.text) == cells
            assert [screen.buffer[y][x].data for x in range(cells)] == columns(strip)
            assert screen.buffer[y][cells].data == BORDER


@deceptions
def test_a_command_prints_what_was_and_what_becomes_of_it_as_different_lines(one: Deception) -> None:
    text = printed(compared(one))
    lines = text.split("\n")
    before, after = ([line[1:] for line in lines if line[:1] in signs] for signs in (" -", " +"))
    assert not any(map(is_hidden, text.replace("\n", "")))
    assert before[1:] != after[1:] or "\\ " in text


ODD = "ab -\t日é\u0301\u200b\u202e\u00a0👍\u200d\u2074\U0001f3fd\u0430c·→U+\\\x1b"
texts = st.lists(
    st.lists(st.sampled_from([*ODD, "  ", " " * 13, "word ", "日本 "]), max_size=60).map("".join), max_size=3
).map(lambda lines: "".join(f"{line}\n" for line in lines))


@settings(max_examples=200, deadline=None)
@given(texts, texts, st.sampled_from([30, 39, 60]))
@example("a" * 34 + " b\n", "a" * 34 + "b\n", 39)
@example("", " \t a\u200d" + " " * 13 + "\n", 30)
@example("", "aaa\u200b\x1b" + " " * 13 + "word \u0301aa\n", 39)
@example("", "\u0430aa日\n", 30)
@example("", "word " * 6 + "   \u200bx\n", 39)
def test_no_two_texts_have_one_picture(before: str, after: str, cells: int) -> None:
    for one in {before, after} - {""}:
        new = diff("note.md", None, one.encode())
        assert rebuilt("", rows_read(new, cells), usual_ending(new)) == one
    if before != after:
        shown = diff("note.md", before.encode(), after.encode())
        rows = rows_read(shown, cells)
        assert rebuilt(before, rows, usual_ending(shown)) == after
