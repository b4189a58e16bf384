"""Headings that were made for a line go with the last line below them, and nothing that a person wrote goes."""

from __future__ import annotations

from itertools import permutations

import pytest

from memtui.notes import index, tags
from memtui.notes.lines import KeyedLine
from memtui.notes.made import brings_more, is_file_made, with_made


def entry(data: bytes | None, filename: str, *, deprecated: bool = False) -> KeyedLine:
    return index.compose(
        data, title="T", filename=filename, type="fact", tags=("x",), hook="h", deprecated=deprecated
    )


def tag(data: bytes | None, name: str, level: int, parent: str) -> KeyedLine:
    return tags.compose(
        data, name=name, level=level, parent=parent, description="x", not_to_be_confused_with=()
    )


INDEXES = [
    None,
    "",
    "\ufeff",
    "# Mine\n",
    "words",
    "words\r\n\r\n",
    "## Deprecated\n\n- [D](d.md)\n",
    "## Entries\n\n## Deprecated\n",
    "## Entries\n## Deprecated\n",
    "## Entries\n\n- [A](a.md)\n\n### Notes\n\nwords\n",
]
ORDERS = list(permutations(range(3)))


@pytest.mark.parametrize("text", INDEXES)
@pytest.mark.parametrize("deprecated", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_lines_of_a_section_that_was_made_are_taken_back_in_any_order(
    text: str | None, deprecated: bool, order: tuple[int, ...]
) -> None:
    start = data = None if text is None else text.encode()
    done: list[tuple[str, KeyedLine]] = []
    made: dict[str, str] = {}
    for number in range(3):
        key = f"{number}.md"
        line = entry(data, key, deprecated=deprecated)
        if line.above and brings_more(line.above):
            made[line.section] = line.above
        data = index.set_line(data, key, None, line)
        done.append((key, line))
    for number in order:
        key, line = done[number]
        data = index.set_line(data, key, with_made(line, made), None)
    assert data == (start or b"")
    assert is_file_made(done[0][1].above) == (text is None)


DICTIONARIES = [
    None,
    "",
    "# Mine\n\nwords\n",
    "## L1\n",
    "## L1\n- **#p** — x.\n\n## L2\n\n## L3\n",
    "## L1\n\n## L2\n\n### under #a\n- **#q** — x.\n\n### under #z\n",
    "L1\n---\n\nL3\n---\nwords",
]


@pytest.mark.parametrize("text", DICTIONARIES)
@pytest.mark.parametrize("place", [(1, ""), (2, ""), (2, "p"), (3, "p")])
@pytest.mark.parametrize("order", ORDERS)
def test_levels_and_parents_that_were_made_are_taken_back_in_any_order(
    text: str | None, place: tuple[int, str], order: tuple[int, ...]
) -> None:
    start = data = None if text is None else text.encode()
    done: list[tuple[str, KeyedLine]] = []
    made: dict[str, str] = {}
    for key in ("k", "m", "l"):
        line = tag(data, key, *place)
        if line.above and brings_more(line.above):
            made[line.section] = line.above
        data = tags.set_line(data, key, None, line)
        done.append((key, line))
    for number in order:
        key, line = done[number]
        data = tags.set_line(data, key, with_made(line, made), None)
    assert data == (start or b"")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Deprecated\n", "## DEPRECATED\n"),
        ("## Deprecated\n\n", "## Deprecated\n\nMine.\n\n"),
        ("## Deprecated\n\n", "## Deprecated\n\n<!-- mine -->\n\n"),
    ],
)
def test_a_heading_that_a_person_has_changed_since_stays(old: str, new: str) -> None:
    start = b"## Entries\n\n- [T](t.md)\n"
    before = index.read_index(start).entries[0].line
    line = entry(start, "t.md", deprecated=True)
    edited = index.set_line(start, "t.md", before, line).decode().replace(old, new)
    back = index.set_line(edited.encode(), "t.md", line, before).decode()
    assert back.startswith(start.decode())
    assert new.strip() in back


def test_a_file_to_which_a_person_has_added_stays() -> None:
    line = entry(None, "t.md")
    page = index.set_line(None, "t.md", None, line) + b"\nMine.\n"
    assert index.set_line(page, "t.md", line, None) == page.replace(line.text.encode() + b"\n", b"")


def test_a_section_that_a_person_made_stays_when_its_only_line_is_taken_back() -> None:
    for text in (b"## Entries\n\n## Deprecated\n\n", b"# Memory index\n\n## Entries\n\n\n\n## Deprecated\n"):
        line = entry(text, "t.md")
        assert index.set_line(index.set_line(text, "t.md", None, line), "t.md", line, None) == text


def test_a_line_that_is_marked_and_moved_takes_its_section_back() -> None:
    start = b"# Mine\n\n## Entries\n\n- [T](t.md)\n- [U](u.md)\n\n## Notes\n\nwords\n"
    before = index.read_index(start).entries[0].line
    line = entry(start, "t.md", deprecated=True)
    moved = index.set_line(start, "t.md", before, line)
    added = entry(moved, "n.md")
    page = index.set_line(moved, "n.md", None, added)
    back = index.set_line(page, "t.md", line, before)
    assert index.set_line(back, "n.md", added, None) == start
