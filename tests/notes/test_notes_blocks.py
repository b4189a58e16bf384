"""Lines are told apart as CommonMark does: underlined headings, and what list items hold and end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memtui.notes import entry
from memtui.notes.index import _GRAMMAR
from memtui.notes.markdown import lines
from memtui.notes.sheet import scan

COMMONMARK = MarkdownIt("commonmark").disable("inline")


def kinds(text: str) -> str:
    """One letter a line: t(ext), h(eading), u(nderline), f(ence), c(omment)."""
    return "".join(line.kind[0] for line in lines(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Entries\n-------\nx\n", "hut"),
        ("Entries\n===\n", "hu"),
        ("Entries\n-", "hu"),
        ("two\nlines\n  ---  \n", "huu"),
        ("a\n\n---\n", "ttt"),
        ("- a\n---\n", "tt"),
        ("- a\nlazy\n---\n", "ttt"),
        ("- a\n\n  inside\n  ---\n", "tttt"),
        ("> a\n---\n", "tt"),
        ("# a\n---\n", "ht"),
        ("a\n---|---\n", "tt"),
        ("[a]: b\n---\n", "tt"),
        ("    code\n---\n", "tt"),
        ("<div>\n---\n", "tt"),
        ("a\n---\nb\n===\n", "huhu"),
        ("```\na\n---\n```\n", "ffff"),
        ("a\r\n---\r\n", "hu"),
        ("a\r---\r", "hu"),
    ],
)
def test_a_paragraph_with_a_line_below_is_a_heading(text: str, expected: str) -> None:
    assert kinds(text) == expected


def test_an_underlined_heading_has_a_level_and_a_text() -> None:
    found = lines("Change  \nlog\n---\nTop\n===\n")
    assert [(line.level, line.heading) for line in found] == [(2, "Change log")] * 3 + [(1, "Top")] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n  ```\n  x\n- b\n", "tfft"),
        ("- a\n  ```\n\n  x\n\nwords\n", "tfffft"),
        ("1. a\n   ~~~\n2. b\n", "tft"),
        ("1. a\n  ~~~\n2. b\n", "tff"),
        ("- a\n  - b\n    ```\n  - c\n", "ttft"),
        ("- ```\n  x\n- b\n", "fft"),
        ("1. ```\n  x\n", "ft"),
        ("- a\nlazy\n  ```\n- b\n", "ttft"),
        ("- a\n  <!-- x\n- b\n", "tct"),
        ("- a\n  <!-- x\n\n  y -->\n  z\n", "tccct"),
        ("<!-- x\n- b\n", "cc"),
        ("- a\n  ## b\n- c\n", "ttt"),
        ("- a\n ## b\n", "th"),
        ("-   a\n  ## b\n", "th"),
    ],
)
def test_what_is_opened_in_a_list_item_ends_with_it(text: str, expected: str) -> None:
    assert kinds(text) == expected


PARTS = st.sampled_from(
    [
        *(
            "- [A](a.md) x",
            "* [B](b.md)",
            "-   [C](c.md)",
            "  - [D](d.md)",
            "  - sub",
            "    - deep",
            "1. one",
        ),
        *(
            "10. ten",
            "  more",
            " one",
            "lazy",
            "",
            "   ",
            "# H",
            "  ## H",
            "Entries",
            "---",
            "===",
            "-",
            "- - -",
        ),
        *("```", "  ```", "    ```", "~~~~", "- ```", "> quote", "<!-- c -->", "  <!-- c -->", "    code"),
        *("\ttab", "      six"),
    ]
)
TEXT = st.lists(PARTS, max_size=9).map(lambda rows: "\n".join(rows) + "\n")


@settings(max_examples=200, deadline=None)
@given(TEXT)
def test_headings_and_fences_are_those_that_a_commonmark_parser_finds(text: str) -> None:
    expected: dict[int, str] = {}
    for token in COMMONMARK.parse(text):
        if token.map is None or token.type not in ("heading_open", "fence"):
            continue
        kind = "fence" if token.type == "fence" else "heading"
        if kind == "fence" or token.level == 0:
            expected |= dict.fromkeys(range(*token.map), kind)
    for row, line in enumerate(lines(text)):
        kind = {"underline": "heading", "comment": "text"}.get(line.kind, line.kind)
        if line.text.strip():
            assert kind == expected.get(row, "text"), (row, text)


@settings(max_examples=200, deadline=None)
@given(TEXT.map(lambda text: f"## Entries\n{text}"))
def test_an_item_ends_where_a_commonmark_parser_ends_it(text: str) -> None:
    rows = text.splitlines()
    items = [token.map for token in COMMONMARK.parse(text) if token.type == "list_item_open"]
    ends = {found[0]: found[1] for found in items[::-1] if found}
    spots = scan(text, _GRAMMAR).spots
    for number, spot in enumerate(spots):
        following = spots[number + 1].row if number + 1 < len(spots) else len(rows)
        if spot.row not in ends:
            continue
        end = min(ends[spot.row], following)
        while not rows[end - 1].strip():
            end -= 1
        assert spot.end == end, (spot.row, text)


def test_a_change_log_below_an_underlined_heading_is_found_and_continued() -> None:
    note = b"---\ntitle: T\n---\n\nWords.\n\nChange log\n----------\n\n- 2024-01-01 - created\n"
    assert entry.body_of(note) == "Words."
    assert entry.log_of(note) == ("2024-01-01 - created",)
    assert entry.append_log(note, "2024-01-02 - more") == note + b"- 2024-01-02 - more\n"
    assert entry.replace_body(note, "Other.") == note.replace(b"Words.", b"Other.")
    empty = note[: note.index(b"\n- 2024")]
    assert entry.append_log(empty, "x") == empty + b"- x\n"


def test_a_fence_that_a_list_item_leaves_open_is_no_trouble() -> None:
    for body in ("- a\n  ```\n  code", "1. a\n\n   ~~~\n   code\n\nwords", "- a\n  <!-- note"):
        assert entry.check_body(body) is None
        note = f"---\ntitle: T\n---\n\n{body}\n".encode()
        assert entry.log_of(entry.append_log(note, "2024-01-02 - more")) == ("2024-01-02 - more",)
    assert entry.check_body("a\n  ```\n  code") is not None


def test_a_heading_inside_of_a_list_item_is_no_change_log() -> None:
    body = "- a\n\n  ## Change log\n  - mine"
    assert entry.check_body(body) is None
    note = entry.append_log(f"---\ntitle: T\n---\n\n{body}\n".encode(), "more")
    assert entry.body_of(note) == body
    assert entry.log_of(note) == ("more",)
