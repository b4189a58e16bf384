"""A line moves and goes with the rest of its list item, and comes back with it, to the byte."""

from __future__ import annotations

import pytest

from memtui.notes import index, tags
from memtui.notes.lines import KeyedLine, LineConflict

BELOW = [
    "\n  wrapped words",
    "\nlazy words",
    "\n  wrapped\nand lazy",
    "\n  - a note\n  - another [link](z.md)",
    "\n\n  a second paragraph",
    "\n  ```\n  - [Ex](ex.md)\n  ```",
    "\n  ~~~\n  never closed",
    "\n  <!-- a note -->",
    "\n  > a quote",
    "\n    - [deep](d.md)",
    "\n  ## Deprecated",
    "\r\n  mixed\n  endings",
    "\n\ttabbed",
]
NOT_BELOW = [
    "\n- another item",
    "\n\nwords",
    "\n<!-- a comment -->",
    "\n> a quote",
    "\n</details>",
    "\n---",
    "\n```\ncode\n```",
    "\n 1. one",
    "\n\n a paragraph",
]
LINE = "- [T](t.md) — fact, [x, y], hook"
PAGE = "# Mine\n\n## Entries\n\n- [A](a.md) — fact, [x, y], a\n{}{}\n- [B](b.md) — fact, [x, y], b\n\n## Deprecated\n"


def change(text: str, **changes: object) -> tuple[KeyedLine, KeyedLine, str]:
    """The line of t.md before and after, and the text with it; taking it back gives every byte."""
    data = text.encode()
    found = index.read_index(data).get("t.md")
    assert found is not None
    fields = {"title": "T", "type": "fact", "tags": ("x", "y"), "hook": "hook", "deprecated": False} | changes
    after = index.compose(data, filename="t.md", **fields)  # type: ignore[arg-type]
    result = index.set_line(data, "t.md", found.line, after)
    assert index.set_line(result, "t.md", after, found.line) == data
    return found.line, after, result.decode()


@pytest.mark.parametrize("below", BELOW)
def test_what_goes_on_below_a_line_belongs_to_it(below: str) -> None:
    text = PAGE.format(LINE, below)
    line, moved, after = change(text, deprecated=True)
    assert line.below == moved.below == below
    assert after == PAGE.format("", "").replace("a\n\n- [B]", "a\n- [B]") + f"\n{LINE}{below}\n"
    gone = index.set_line(text.encode(), "t.md", line, None)
    assert gone.decode() == text.replace(f"{LINE}{below}\n", "")
    assert index.set_line(gone, "t.md", None, line).decode() == text


@pytest.mark.parametrize("below", NOT_BELOW)
def test_what_is_no_part_of_the_item_stays(below: str) -> None:
    text = PAGE.format(LINE, below)
    line, _, _ = change(text, deprecated=True)
    assert line.below == ""
    gone = index.set_line(text.encode(), "t.md", line, None)
    assert gone.decode() == text.replace(f"{LINE}\n", "")
    assert index.set_line(gone, "t.md", None, line).decode() == text


@pytest.mark.parametrize("below", BELOW)
def test_a_change_of_the_line_alone_keeps_what_goes_on_below_it(below: str) -> None:
    text = PAGE.format(LINE, below)
    line, after, result = change(text, title="U", hook="other")
    assert result == text.replace("[T](t.md) — fact, [x, y], hook", "[U](t.md) — fact, [x, y], other")
    # Not even where it has changed since the plan was made.
    later = text.replace(f"{LINE}{below}", f"{LINE}\n  by hand")
    done = index.set_line(later.encode(), "t.md", line, after).decode()
    assert done == later.replace(LINE, after.text)


def test_a_line_whose_item_has_changed_since_neither_moves_nor_goes() -> None:
    text = PAGE.format(LINE, "")
    line, moved, _ = change(text, deprecated=True)
    later = PAGE.format(LINE, "\n  by hand").encode()
    for after in (moved, None):
        with pytest.raises(LineConflict, match="has changed"):
            index.set_line(later, "t.md", line, after)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_an_item_at_the_end_keeps_the_endings_of_the_file(ending: str, final: bool, bom: str) -> None:
    text = bom + f"## Entries\n\n- [A](a.md)\n{LINE}\n  wrapped\n  more".replace("\n", ending)
    text += ending if final else ""
    line, _, after = change(text, deprecated=True)
    assert after == bom + (
        f"## Entries\n\n- [A](a.md)\n\n## Deprecated\n\n{LINE}\n  wrapped\n  more".replace("\n", ending)
        + (ending if final else "")
    )
    gone = index.set_line(text.encode(), "t.md", line, None)
    assert index.set_line(gone, "t.md", None, line) == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "## Deprecated\n\n- [D](d.md)\n\n## Entries\n\n{}\n",
        "## Deprecated\n\n- [D](d.md)\n\n## Entries\n\n{}",
        "## Deprecated\n\n- [D](d.md)\n## Entries\n{}\n\nwords of mine\n",
        "## Deprecated\n\n## Entries\n\n{}\n\nwords of mine",
        "Deprecated\n---\n\nEntries\n---\n\n{}",
        "## Deprecated\n- [D](d.md)\n  more\n\n## Entries\n\nwords\n\n{}\n\nmore words\n",
    ],
)
def test_the_last_line_moves_up_into_a_section_above(text: str) -> None:
    for item in (LINE, f"{LINE}\n  wrapped"):
        _, _, after = change(text.format(item), deprecated=True)
        assert after.index(item) < after.index("Entries")
        assert f"{item}\n" in after


def test_a_new_line_stands_below_the_whole_last_item() -> None:
    text = "## Entries\n\n- [A](a.md)\n  wrapped\n\n  - sub\nlazy\n\nwords\n"
    line = index.compose(
        text.encode(), title="N", filename="n.md", type="fact", tags=("x",), hook="", deprecated=False
    )
    result = index.set_line(text.encode(), "n.md", None, line).decode()
    assert result == text.replace("lazy\n", "lazy\n- [N](n.md) — fact, [x]\n")


def test_a_place_inside_of_another_item_is_not_taken() -> None:
    line = KeyedLine("- [N](n.md)", "entries", "a.md")
    text = "## Entries\n- [A](a.md)\n  wrapped\n- [B](b.md)\n"
    assert index.set_line(text.encode(), "n.md", None, line).decode() == f"{text}- [N](n.md)\n"


@pytest.mark.parametrize(
    "text",
    [
        "## Entries\n\n- [T](t.md)\n\nDeprecated\n---\n",
        "words\n- [T](t.md)\n---\n",
        "## Entries\n-   [A](a.md)\n- [T](t.md)\n\n  ## Deprecated\n",
    ],
)
def test_a_heading_below_an_item_is_neither_made_nor_lost(text: str) -> None:
    found = index.read_index(text.encode()).get("t.md")
    if found is None:
        return
    try:
        gone = index.set_line(text.encode(), "t.md", found.line, None)
    except LineConflict:
        return
    assert [e.filename for e in index.read_index(gone).entries] == [
        e.filename for e in index.read_index(text.encode()).entries if e.filename != "t.md"
    ]
    assert index.set_line(gone, "t.md", None, found.line) == text.encode()


def test_a_tag_takes_its_words_along() -> None:
    text = "## L1\n- **#a** — x,\n  and more.\n- **#b** — x.\n\nL2\n---\n"
    line = tags.compose(
        text.encode(), name="a", level=2, parent="", description="x", not_to_be_confused_with=()
    )
    before = tags.read_tags(text.encode()).tags["a"].line
    result = tags.set_line(text.encode(), "a", before, line)
    assert result.decode() == "## L1\n- **#b** — x.\n\nL2\n---\n\n- **#a** — x.\n  and more.\n"
    assert tags.set_line(result, "a", line, before) == text.encode()


def test_underlined_headings_open_sections() -> None:
    text = "Memory\n======\n\nEntries\n-------\n- [A](a.md)\n\nDeprecated\n---\n\n- [D](d.md)\n"
    text += "\nNotes\n-----\n- [N](n.md)\n"
    found = index.read_index(text.encode()).entries
    assert [(e.filename, e.deprecated) for e in found] == [("a.md", False), ("d.md", True)]
    line = index.compose(
        text.encode(), title="X", filename="x.md", type="fact", tags=("x",), hook="", deprecated=True
    )
    result = index.set_line(text.encode(), "x.md", None, line)
    assert result.decode() == text.replace("- [D](d.md)\n", "- [D](d.md)\n- [X](x.md) — fact, [x]\n")
    assert index.set_line(result, "x.md", line, None) == text.encode()


def test_a_section_is_made_above_an_underlined_heading() -> None:
    line = tags.compose(
        b"L3\n--\n", name="n", level=1, parent="", description="x", not_to_be_confused_with=()
    )
    result = tags.set_line(b"L3\n--\n", "n", None, line)
    assert result == "## L1 — top categories\n\n- **#n** — x.\n\nL3\n--\n".encode()
    assert tags.set_line(result, "n", line, None) == b"L3\n--\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1. [A](a.md)\n\n  no part of it\n", "1. [A](a.md)\n\n  no part of it\n\n{}\n"),
        ("-   [A](a.md)\n\n  more\n\n## Mine\n", "-   [A](a.md)\n\n  more\n\n{}\n\n## Mine\n"),
        ("- [A](a.md)\n  ```\n  x\n  ```\nwords\n", "- [A](a.md)\n  ```\n  x\n  ```\n{}\n\nwords\n"),
        ("- [A](a.md)\n  <!-- x -->\nMine\n---\n", "- [A](a.md)\n  <!-- x -->\n{}\n\nMine\n---\n"),
    ],
)
def test_a_new_line_takes_nothing_from_what_stands_below(before: str, after: str) -> None:
    data = f"## Entries\n{before}".encode()
    line = index.compose(
        data, title="N", filename="n.md", type="fact", tags=("x",), hook="", deprecated=False
    )
    result = index.set_line(data, "n.md", None, line)
    assert result.decode() == f"## Entries\n{after}".format(line.text)
    found = index.read_index(result).get("n.md")
    assert found is not None
    assert found.line.below == ""
    assert index.set_line(result, "n.md", line, None) == data


@pytest.mark.parametrize(
    "page",
    [
        "## Entries\n- [A](a.md)\n  ```\n  x\n  ```\n- [T](t.md)\nMine\n---\n- [N](n.md)\n",
        "## Entries\n\nwords\n- [T](t.md)\n---\n- [A](a.md)\n",
    ],
)
def test_a_line_does_not_go_where_others_would_be_read_differently(page: str) -> None:
    found = index.read_index(page.encode()).get("t.md")
    assert found is not None
    if found.line.below:
        return
    with pytest.raises(LineConflict, match="others in another way"):
        index.set_line(page.encode(), "t.md", found.line, None)
