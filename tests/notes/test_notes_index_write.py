"""index.md: lines are written in the file's own form and place, and no other byte is touched."""

from __future__ import annotations

import re

import pytest

from memtui.notes import index
from memtui.notes.lines import KeyedLine, LineConflict

FRESH = "# Memory index\n\n## Entries\n\n{}\n\n## Deprecated\n"


def fields(**changes: object) -> dict[str, object]:
    usual: dict[str, object] = {
        "title": "New",
        "filename": "9-new.md",
        "type": "fact",
        "tags": ("health", "food"),
        "hook": "a new hook",
        "deprecated": False,
    }
    return usual | changes


def compose(data: bytes | None, **changes: object) -> KeyedLine:
    return index.compose(data, **fields(**changes))  # type: ignore[arg-type]


def add(text: str | None, **changes: object) -> str:
    """Compose an entry's line and set it; check that taking it back restores the file where it had the section."""
    data = None if text is None else text.encode()
    key = str(fields(**changes)["filename"])
    present = index.read_index(data).get(key)
    before = present.line if present else None
    after = compose(data, **changes)
    result = index.set_line(data, key, before, after)
    if data and re.search(rf"(?im)^#+ {after.section}\b", text or ""):
        assert index.set_line(result, key, after, before) == data
    return result.decode()


def test_a_missing_or_empty_index_is_made() -> None:
    line = "- [New](9-new.md) — fact, [health, food], a new hook"
    assert add(None) == add("") == FRESH.format(line)
    assert add(None, deprecated=True) == f"# Memory index\n\n## Entries\n\n## Deprecated\n\n{line}\n"
    assert add("\ufeff") == "\ufeff" + FRESH.format(line)


LINE = "- [New](9-new.md) — fact, [health, food], a new hook"
BARE = "- [New](9-new.md) — fact, health, food, a new hook"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# My own\n\ntext\n", f"# My own\n\ntext\n\n## Entries\n\n{LINE}\n"),
        ("# My own\n\ntext", f"# My own\n\ntext\n\n## Entries\n\n{LINE}"),
        ("text\r\n\r\n", f"text\r\n\r\n## Entries\r\n\r\n{LINE}\r\n"),
        ("## Deprecated\n", f"## Deprecated\n\n## Entries\n\n{LINE}\n"),
        ("## Entries\n", f"## Entries\n\n{LINE}\n"),
        ("## Entries", f"## Entries\n\n{LINE}"),
        ("## Entries\n\n", f"## Entries\n\n{LINE}\n"),
        ("## Entries\n\n## Deprecated\n", f"## Entries\n\n{LINE}\n\n## Deprecated\n"),
        ("## Entries\n## Deprecated\n", f"## Entries\n\n{LINE}\n\n## Deprecated\n"),
        ("## Entries\n\n\n\n## Deprecated\n", f"## Entries\n\n{LINE}\n\n\n## Deprecated\n"),
        ("## Entries\n- [A](a.md)\n", f"## Entries\n- [A](a.md)\n{LINE}\n"),
        ("## Entries\n- [A](a.md)", f"## Entries\n- [A](a.md)\n{LINE}"),
        ("## Entries\r\n- [A](a.md)\r\n\r\nwords", f"## Entries\r\n- [A](a.md)\r\n{LINE}\r\n\r\nwords"),
        ("\ufeff## Entries\n- [A](a.md)\n", f"\ufeff## Entries\n- [A](a.md)\n{LINE}\n"),
        (
            "## Entries\n- [A](a.md)\n  more on A\n\nwords\n",
            f"## Entries\n- [A](a.md)\n  more on A\n{LINE}\n\nwords\n",
        ),
        (
            "## Entries\n- [A](a.md)\n### Deprecated\n- [B](b.md)\n",
            f"## Entries\n- [A](a.md)\n{LINE}\n### Deprecated\n- [B](b.md)\n",
        ),
        (
            "## Entries\n- [A](a.md) — fact, x, y, hook\n",
            f"## Entries\n- [A](a.md) — fact, x, y, hook\n{BARE}\n",
        ),
        ("## Entries\r- [A](a.md)\r", f"## Entries\r- [A](a.md)\r{LINE}\r"),
    ],
)
def test_a_new_line_goes_to_the_end_of_entries(before: str, after: str) -> None:
    assert add(before) == after


OLD = "- [Old](9-new.md) — fact, [health, food], a new hook"
ACTIVE = "- [A](a.md) — fact, [x], h\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"## Entries\n{OLD}\n{ACTIVE}",
            f"## Entries\n{ACTIVE}\n## Deprecated\n\n{OLD}\n",
        ),
        (
            f"## Entries\n{OLD}\n{ACTIVE}\n## Notes\nwords\n",
            f"## Entries\n{ACTIVE}\n## Deprecated\n\n{OLD}\n\n## Notes\nwords\n",
        ),
        (
            f"## Entries\n{OLD}\n{ACTIVE}\n## Deprecated\n",
            f"## Entries\n{ACTIVE}\n## Deprecated\n\n{OLD}\n",
        ),
        (
            f"## Entries\n{OLD}\n{ACTIVE}\n### Deprecated\n",
            f"## Entries\n{ACTIVE}\n### Deprecated\n\n{OLD}\n",
        ),
        (
            f"## Entries\n{OLD}\n{ACTIVE}\n### Deprecated\n- [B](b.md)\n## Notes\n",
            f"## Entries\n{ACTIVE}\n### Deprecated\n- [B](b.md)\n{OLD}\n## Notes\n",
        ),
        (
            f"## Entries\n{OLD}\n- [A](a.md) [deprecated] — fact, [x], h\n",
            f"## Entries\n{OLD.replace('.md)', '.md) [deprecated]')}\n- [A](a.md) [deprecated] — fact, [x], h\n",
        ),
        (
            f"## Entries\n{OLD}\n- [A](a.md) — fact, [x], h [deprecated]\n## Deprecated\n",
            f"## Entries\n{OLD} [deprecated]\n- [A](a.md) — fact, [x], h [deprecated]\n## Deprecated\n",
        ),
        (
            f"## Entries\n{OLD}\n- [deprecated] [A](a.md) — fact, [x], h\n",
            f"## Entries\n{OLD.replace('- ', '- [deprecated] ')}\n- [deprecated] [A](a.md) — fact, [x], h\n",
        ),
    ],
)
def test_a_deprecated_line_takes_the_form_that_the_file_uses(before: str, after: str) -> None:
    assert add(before, title="Old", deprecated=True) == after
    assert index.read_index(after.encode()).get("9-new.md").deprecated  # type: ignore[union-attr]
    again = compose(after.encode(), title="Old", deprecated=True)
    assert again == index.read_index(after.encode()).get("9-new.md").line  # type: ignore[union-attr]


def test_a_line_that_is_active_again_goes_back_to_entries() -> None:
    text = f"## Entries\n{ACTIVE}\n## Deprecated\n\n{OLD}\n"
    assert add(text, title="Old") == f"## Entries\n{ACTIVE}{OLD}\n\n## Deprecated\n\n"
    assert add(f"## Entries\n{OLD} [deprecated]\n", title="Old") == f"## Entries\n{OLD}\n"


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        (
            "* [Old *x*](9-new.md) - fact, [a], h",
            {"title": "Old *x*", "tags": ("a",), "hook": "i"},
            "* [Old *x*](9-new.md) - fact, [a], i",
        ),
        (
            "  - [O](<9-new.md>) — fact, a, b, h",
            {"title": "P", "tags": ("a", "c"), "hook": "h"},
            "  - [P](<9-new.md>) — fact, a, c, h",
        ),
        (
            "- [O](9-new.md) — fact, [a], see [x](y) `z`",
            {"title": "O", "tags": ("b",), "hook": "see [x](y) `z`"},
            "- [O](9-new.md) — fact, [b], see [x](y) `z`",
        ),
        ("- [O](9-new.md)", {"title": "P", "tags": ("b",), "hook": "h"}, "- [P](9-new.md)"),
        (
            "- [O](9-new.md)  —  fact,[a] ,  h  ",
            {"title": "O", "tags": ("a",), "hook": "h"},
            "- [O](9-new.md)  —  fact,[a] ,  h  ",
        ),
        (
            "- [O](9-new.md) — fact, a, b, h",
            {"title": "O", "tags": (), "hook": "h"},
            "- [O](9-new.md) — fact, [], h",
        ),
        (
            "- [O](9-new.md) — fact, a, b, h",
            {"title": "O", "tags": ("a", "b"), "hook": ""},
            "- [O](9-new.md) — fact, [a, b]",
        ),
    ],
)
def test_a_line_that_is_there_keeps_its_place_and_what_stays_the_same(
    before: str, changes: dict[str, object], after: str
) -> None:
    text = "## Entries\r\n\r\n{}\r\n- [A](a.md) — fact, [x], h\n\nown words  \n"
    assert add(text.format(before), **changes) == text.format(after)


def test_lines_that_occur_twice_are_never_guessed_at() -> None:
    data = b"## Entries\n- [A](a.md)\n## Deprecated\n- [B](a.md)\n"
    found = index.read_index(data)
    assert found.duplicates == ("a.md",)
    line = found.entries[0].line
    for before, after in ((line, None), (None, line), (line, line)):
        with pytest.raises(LineConflict, match=r"has 2 lines for a\.md"):
            index.set_line(data, "a.md", before, after)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (None, KeyedLine("- [A](a.md) — x", "entries"), "already has"),
        (KeyedLine("- [A](a.md) — other", "entries"), None, "has changed"),
        (KeyedLine("- [A](a.md)", "deprecated"), None, "has changed"),
    ],
)
def test_a_line_that_is_not_what_was_planned_is_left_alone(
    before: KeyedLine | None, after: KeyedLine | None, message: str
) -> None:
    with pytest.raises(LineConflict, match=message):
        index.set_line(b"## Entries\n- [A](a.md)\n", "a.md", before, after)


@pytest.mark.parametrize(
    "after",
    [
        KeyedLine("- [B](b.md)", "entries"),
        KeyedLine("- [A](a.md)\n- [B](b.md)", "entries"),
        KeyedLine("    - [A](a.md)", "entries"),
        KeyedLine("no line", "entries"),
        KeyedLine("- [A](a.md)", "elsewhere"),
        KeyedLine("- [A](a.md) \ud800", "entries"),
    ],
)
def test_a_line_that_would_not_be_read_back_is_refused(after: KeyedLine) -> None:
    with pytest.raises(LineConflict):
        index.set_line(b"## Entries\n- [X](x.md)\n## Deprecated\n- [Y](y.md) -->\n", "a.md", None, after)


def test_a_missing_line_is_a_conflict() -> None:
    with pytest.raises(LineConflict, match="no longer has a line"):
        index.set_line(None, "a.md", KeyedLine("- [A](a.md)", "entries"), None)


def test_two_plans_on_one_empty_section_both_land_and_are_undone_in_either_order() -> None:
    empty = b"## Entries\n## Deprecated\n"
    one, two = compose(empty, filename="1.md"), compose(empty, filename="2.md")
    both = index.set_line(index.set_line(empty, "1.md", None, one), "2.md", None, two)
    assert [e.filename for e in index.read_index(both).entries] == ["1.md", "2.md"]
    for first, second in (("1.md", "2.md"), ("2.md", "1.md")):
        lines = {"1.md": one, "2.md": two}
        left = index.set_line(both, first, lines[first], None)
        assert index.set_line(left, second, lines[second], None) == empty


def test_a_place_that_is_gone_falls_back_to_the_end_of_the_section() -> None:
    line = KeyedLine("- [Z](z.md)", "entries", "gone.md")
    assert (
        index.set_line(b"## Entries\n- [A](a.md)\n", "z.md", None, line)
        == b"## Entries\n- [A](a.md)\n- [Z](z.md)\n"
    )
    fenced = b"## Entries\n- [A](a.md)\n```\n- [X](x.md)\n```\n"
    inside = KeyedLine("- [Z](z.md)", "entries", "a.md\n2")
    result = index.set_line(fenced, "z.md", None, inside)
    assert index.read_index(result).get("z.md") is not None


UNUSUAL = [
    "- [A](9-new.md), fact, [x, y], hook",
    "- [A](9-new.md) — fact, [x, y]. Hook",
    "- [A](9-new.md) — fact, [x, y] — hook",
    "- [A](9-new.md) — [x, y] — hook",
    "- [A](9-new.md) — fact, `x`, `y`, hook",
    "- [A](9-new.md): prose about fact, x, y",
    "- [A](9-new.md) — fact; x, y; hook",
    "- [A](9-new.md) | fact | x, y | hook",
    "- [A](9-new.md)",
]
USUAL = [
    '- [A](9-new.md "tt") — fact, [x, y], hook',
    "- [A](9-new.md) — fact, #x, #y, hook",
    "- [A](9-new.md) — fact, [#x, #y], hook",
    "- [A](9-new.md) — fact,[x,y],hook",
    "- [A](9-new.md) – fact, [x, y], hook  ",
    "* [ ] **[A](<9-new.md>)** - fact, x, y, hook\t",
    "-   [A](./9-new.md#part)—fact ,  [x, y] ,  hook",
]


def change(line: str, **changes: object) -> str:
    """The line of 9-new.md after a change of these parts alone; undone to the byte."""
    text = f"## Entries\n\n{line}\n\n### Deprecated\n\n- [Z](z.md) — fact, [x], h\n"
    entry = index.read_index(text.encode()).get("9-new.md")
    assert entry is not None
    same = {"title": entry.title, "type": entry.type, "tags": entry.tags, "hook": entry.hook}
    result = add(text, **(same | changes))
    found = index.read_index(result.encode()).get("9-new.md")
    assert found is not None
    return found.line.text


@pytest.mark.parametrize("line", [*UNUSUAL, *USUAL])
def test_a_change_of_title_replaces_the_text_of_the_link_alone(line: str) -> None:
    assert change(line, title="B [c]") == line.replace("[A]", r"[B \[c\]]")


@pytest.mark.parametrize("line", [*UNUSUAL, *USUAL])
def test_a_line_that_becomes_deprecated_moves_as_it_is(line: str) -> None:
    assert change(line, deprecated=True) == line


@pytest.mark.parametrize("line", UNUSUAL)
def test_what_cannot_be_told_apart_for_sure_stays(line: str) -> None:
    assert change(line, type="goal", tags=("q",), hook="other") == line


@pytest.mark.parametrize("line", USUAL)
def test_a_change_of_type_tags_or_hook_replaces_its_span_alone(line: str) -> None:
    assert change(line, type="goal") == line.replace("fact", "goal")
    assert change(line, hook="other") == line.replace("hook", "other")
    assert change(line, tags=("x", "q")) == line.replace("y", "q")
    assert change(line, type="goal", hook="other", tags=("x", "q")) == line.replace("fact", "goal").replace(
        "y", "q"
    ).replace("hook", "other")


@pytest.mark.parametrize(
    ("line", "changes", "after"),
    [
        ("- [A](9-new.md) — fact, a few words", {"hook": "others"}, "- [A](9-new.md) — fact, others"),
        ("- [A](9-new.md) — a few, words", {"hook": "other words"}, "- [A](9-new.md) — other words"),
        ("- [A](9-new.md) — fact, [x]", {"hook": "h"}, "- [A](9-new.md) — fact, [x], h"),
        ("- [A](9-new.md) — fact, [x],", {"hook": "h"}, "- [A](9-new.md) — fact, [x], h"),
        ("- [A](9-new.md) — fact, x, y,", {"title": "B"}, "- [B](9-new.md) — fact, x, y,"),
        ("- [A](9-new.md) — fact, [x] , h", {"hook": ""}, "- [A](9-new.md) — fact, [x]"),
        ("- [A](9-new.md) — [x], h", {"tags": ("y",)}, "- [A](9-new.md) — [y], h"),
        (
            "- [A](9-new.md) — fact, x, vegan, since 2019",
            {"tags": ("y",), "hook": "vegan, since 2019"},
            "- [A](9-new.md) — fact, y, vegan, since 2019",
        ),
        (
            "- [A](9-new.md) — fact, x, vegan, since 2019",
            {"tags": ("x",), "hook": "since 2020"},
            "- [A](9-new.md) — fact, x, since 2020",
        ),
    ],
)
def test_a_part_that_is_found_is_changed(line: str, changes: dict[str, object], after: str) -> None:
    assert change(line, **changes) == after


@pytest.mark.parametrize(
    ("marked", "unmarked"),
    [
        ("- [deprecated] [A](a.md)  - fact,[x],h ", "- [A](a.md)  - fact,[x],h "),
        ("- [A](a.md) [deprecated]  - fact,[x],h ", "- [A](a.md)  - fact,[x],h "),
        ("- [A](a.md) - [deprecated], fact,[x],h ", "- [A](a.md) - fact,[x],h "),
        ("- [A](a.md) - fact,[deprecated], [x],h ", "- [A](a.md) - fact,[x],h "),
        ("- [A](a.md) - fact,[x],[deprecated] h ", "- [A](a.md) - fact,[x],h "),
        ("- [A](a.md) - fact,[x],h [deprecated] ", "- [A](a.md) - fact,[x],h "),
        ("- [A](a.md): words [deprecated] ", "- [A](a.md): words "),
    ],
)
def test_a_mark_comes_and_goes_alone(marked: str, unmarked: str) -> None:
    other = marked.replace("a.md", "other.md")
    for line, after in ((marked, unmarked), (unmarked, marked)):
        text = f"## Entries\n{line}\n{other}\n".encode()
        entry = index.read_index(text).get("a.md")
        assert entry is not None
        composed = compose(
            text,
            title="A",
            filename="a.md",
            type=entry.type,
            tags=entry.tags,
            hook=entry.hook,
            deprecated=not entry.deprecated,
        )
        assert composed.text == after


def test_a_missing_final_newline_stays_missing_where_the_last_line_moves() -> None:
    for text in (
        "## Entries\n{}",
        "## Entries\n\n{}",
        "## Entries\n- [A](a.md)\n{}",
        "## Entries\n\nx\n\n{}",
    ):
        assert add(text.format(OLD), title="Old", deprecated=True).endswith(f"## Deprecated\n\n{OLD}")
