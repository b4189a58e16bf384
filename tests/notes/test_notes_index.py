"""index.md: every published form is read, the file's own is written, and no other byte is touched."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memtui.notes import index
from memtui.notes.index_line import read_line
from memtui.notes.lines import KeyedLine, LineConflict

FRESH = "# Memory index\n\n## Entries\n\n{}\n\n## Deprecated\n"
ENTRIES = """\
# Memory index

## Entries

- [One](1-one.md) — fact, [health, food], first hook
- [Two](2-two.md) — goal, [sport, goals], second hook, with a comma

## Deprecated
"""
COMMONMARK = MarkdownIt("commonmark")


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


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "title", "filename", "kind", "tags", "hook"),
    [
        ("- [T](t.md) — fact, [a, b], the hook, with commas", "T", "t.md", "fact", ("a", "b"), "the hook, with commas"),
        ("- [T](t.md) — fact, a, b, the hook, with commas", "T", "t.md", "fact", ("a", "b"), "the hook, with commas"),
        ("- [T](t.md) — fact, a, b", "T", "t.md", "fact", ("a",), "b"),
        ("- [T](t.md) — fact, [a, b]", "T", "t.md", "fact", ("a", "b"), ""),
        ("- [T](t.md) — fact, [], h", "T", "t.md", "fact", (), "h"),
        ("- [T](t.md) — fact, [#a, #b], h", "T", "t.md", "fact", ("a", "b"), "h"),
        ("* [T](t.md) - fact, [a], h", "T", "t.md", "fact", ("a",), "h"),
        ("   +  [T](t.md) – goal, [a], h", "T", "t.md", "goal", ("a",), "h"),
        ("- [T](t.md) — fact, путешествия, Берлин, весна", "T", "t.md", "fact", ("путешествия",), "Берлин, весна"),
        ("- [T](t.md) — fact", "T", "t.md", "fact", (), ""),
        ("- [T](t.md)", "T", "t.md", "", (), ""),
        ("- [T](t.md): just some words", "T", "t.md", "", (), ": just some words"),
        ("- [T](t.md) — No meat, fish is fine", "T", "t.md", "", (), "No meat, fish is fine"),
        (r"- [a \[b\] \\c](t.md) — fact, [a], h", r"a [b] \c", "t.md", "fact", ("a",), "h"),
        ("- [a [b] c](t.md) — fact, [a], h", "a [b] c", "t.md", "fact", ("a",), "h"),
        ("- [a ] b](t.md) — fact, [a], h", "a ] b", "t.md", "fact", ("a",), "h"),
        ("- [R&amp;D — AT&T](t.md) — fact, [a], h", "R&D — AT&T", "t.md", "fact", ("a",), "h"),
        ("- [T](people/my%20file%20%28x%29.md) — fact, [a], h", "T", "people/my file (x).md", "fact", ("a",), "h"),
        ("- [T](<my file.md>) — fact, [a], h", "T", "my file.md", "fact", ("a",), "h"),
        ("- [T](my file.md) — fact, [a], h", "T", "my file.md", "fact", ("a",), "h"),
        ('- [T](./t.md "tip") — fact, [a], h', "T", "t.md", "fact", ("a",), "h"),
        ("- [T](заметка.md) — fact, [a], h", "T", "заметка.md", "fact", ("a",), "h"),
        ("- [T](t.md#change-log) — fact, [a], h", "T", "t.md", "fact", ("a",), "h"),
        ("- [T](100%.md) — fact, [a], h", "T", "100%.md", "fact", ("a",), "h"),
        ("- [T](%FF.md) — fact, [a], h", "T", "%FF.md", "fact", ("a",), "h"),
        ("- [T](t.md) — fact, [a], see [that](x.md)", "T", "t.md", "fact", ("a",), "see [that](x.md)"),
        ("- [T](t.md) — fact, [see](x.md), h", "T", "t.md", "fact", (), "[see](x.md), h"),
    ],
)
def test_a_line_is_read(
    line: str, title: str, filename: str, kind: str, tags: tuple[str, ...], hook: str
) -> None:
    (entry,) = index.read_index(f"## Entries\n{line}\n".encode()).entries
    assert (entry.title, entry.filename, entry.type, entry.tags, entry.hook) == (title, filename, kind, tags, hook)
    assert not entry.deprecated


@pytest.mark.parametrize(
    "line",
    [
        "- [T](https://example.org/t.md) — fact, [a], h",
        "- [T](mailto:a@b.c)",
        "- [T](//host/t.md)",
        "- [T]()",
        "- plain text",
        "- see [T](t.md) — fact, [a], h",
        "    - [T](t.md) — fact, [a], h",
        "[T](t.md) — fact, [a], h",
        "1. [T](t.md) — fact, [a], h",
    ],
)
def test_what_is_no_line_of_an_entry(line: str) -> None:
    assert index.read_index(f"## Entries\n\n{line}\n".encode()).entries == ()


@pytest.mark.parametrize(
    "line",
    [
        "- [deprecated] [T](t.md) — fact, [a, b], the hook",
        "- [T](t.md) [deprecated] — fact, [a, b], the hook",
        "- [T](t.md) — [deprecated] fact, [a, b], the hook",
        "- [T](t.md) — fact, [deprecated], [a, b], the hook",
        "- [T](t.md) — fact, [a, b], [deprecated] the hook",
        "- [T](t.md) — fact, [a, b], the hook [deprecated]",
        "- [T](t.md) — fact, a, b, the hook [Deprecated]",
        "- ~~[T](t.md)~~ — fact, a, b, the hook [deprecated]",
    ],
)
def test_a_deprecated_mark_is_read_wherever_it_stands(line: str) -> None:
    (entry,) = index.read_index(f"## Entries\n{line}\n".encode()).entries
    assert entry.deprecated
    assert (entry.title, entry.type, entry.tags, entry.hook) == ("T", "fact", ("a", "b"), "the hook")


@pytest.mark.parametrize(
    ("text", "deprecated"),
    [
        ("## Entries\n- [A](a.md) — fact, [x], h\n### Deprecated\n- [T](t.md) — fact, [x], h\n", ["t.md"]),
        ("## Entries\n- [A](a.md) — fact, [x], h\n## Deprecated\n- [T](t.md) — fact, [x], h\n", ["t.md"]),
        ("## Entries\n### Deprecated\n- [T](t.md)\n### More\n- [A](a.md)\n", ["t.md"]),
        ("## entries:\n- [A](a.md)\n## **DEPRECATED**\n- [T](t.md)\n", ["t.md"]),
        ("## Entries\n- [T](t.md) — fact, [x], about the [deprecated] mark\n", []),
        ("## Entries\n- [deprecated](t.md) — fact, [x], h\n", []),
    ],
)
def test_deprecated_sections_are_read(text: str, deprecated: list[str]) -> None:
    assert [e.filename for e in index.read_index(text.encode()).entries if e.deprecated] == deprecated


def test_lines_in_comments_and_fences_are_examples() -> None:
    text = (
        "```\n- [A](a.md) — fact, [x], h\n```\n## Entries\n<!-- e.g.\n- [B](b.md) — fact, [x], h\n-->\n"
        "~~~md\n- [C](c.md)\n```\n~~~\nSome words <!-- and\n- [D](d.md)\n-->\n- [E](e.md)\n"
    )
    assert [e.filename for e in index.read_index(text.encode()).entries] == ["e.md"]


def test_an_unclosed_comment_inside_a_hook_does_not_swallow_what_follows() -> None:
    text = "## Entries\n- [A](a.md) — fact, [x], opens <!-- here\n- [B](b.md)\n<!-- c -->\n- [C](c.md)\n"
    assert [e.filename for e in index.read_index(text.encode()).entries] == ["a.md", "b.md", "c.md"]


def test_published_template_holds_no_entries() -> None:
    text = (
        "# Memory index\n\n## Line format\n\n```\n- [<title>](<filename>) — <type>, [<tag1>], <hook>\n```\n\n"
        "- `<title>` — same as the `title:`\n\n## Entries\n\n<!-- Add entries here. Example:\n"
        "- [Vegetarian](1-v.md) — fact, [health], no meat\n-->\n\n## Deprecated\n\n<!-- Move entries here. -->\n"
    )
    assert index.read_index(text.encode()).entries == ()
    assert add(text) == text.replace(
        "-->\n\n## Dep", "-->\n\n- [New](9-new.md) — fact, [health, food], a new hook\n\n## Dep"
    )
    assert add(text, deprecated=True) == text + "\n- [New](9-new.md) — fact, [health, food], a new hook\n"


def test_lines_outside_of_the_sections_count_only_where_they_are_whole_and_alone() -> None:
    text = (
        "# Index\n- [A](a.md) — fact, [x], h\n- [See](see.md)\n- [B](b.md) — fact, [x], old\n"
        "## Entries\n- [B](b.md) — fact, [x], new\n"
    )
    found = index.read_index(text.encode())
    assert [(e.filename, e.hook) for e in found.entries] == [("a.md", "h"), ("b.md", "new")]
    assert found.duplicates == ()
    assert "\n- [A](a.md) — fact, [x], h2\n- [See]" in add(
        text, filename="a.md", title="A", tags=("x",), hook="h2"
    )


def test_the_hook_of_a_bare_line_is_known_where_the_tags_are() -> None:
    (entry,) = index.read_index(b"## Entries\n- [T](t.md) \xe2\x80\x94 fact, health, vegetarian, since 2019\n").entries
    assert (entry.tags, entry.hook) == (("health", "vegetarian"), "since 2019")
    assert entry.hook_beside(("health",)) == "vegetarian, since 2019"
    assert entry.hook_beside(("health", "vegetarian")) == "since 2019"


def test_bytes_that_are_not_utf8_are_read_but_never_changed() -> None:
    data = b"## Entries\n- [A](a.md) - fact, [x], caf\xe9\n"
    (entry,) = index.read_index(data).entries
    with pytest.raises(LineConflict, match="not valid UTF-8"):
        index.set_line(data, "a.md", entry.line, None)
    with pytest.raises(LineConflict, match="not valid UTF-8"):
        compose(data)


# --- writing -------------------------------------------------------------------------------------


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
        ("## Entries\n- [A](a.md)\n  more on A\n\nwords\n", f"## Entries\n- [A](a.md)\n  more on A\n{LINE}\n\nwords\n"),
        ("## Entries\n- [A](a.md)\n### Deprecated\n- [B](b.md)\n", f"## Entries\n- [A](a.md)\n{LINE}\n### Deprecated\n- [B](b.md)\n"),
        ("## Entries\n- [A](a.md) — fact, x, y, hook\n", f"## Entries\n- [A](a.md) — fact, x, y, hook\n{BARE}\n"),
        ("## Entries\r- [A](a.md)\r", f"## Entries\r- [A](a.md)\r{LINE}\r"),
    ],
)  # fmt: skip
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
        ("* [Old *x*](9-new.md) - fact, [a], h", {"title": "Old *x*", "tags": ("a",), "hook": "i"}, "* [Old *x*](9-new.md) — fact, [a], i"),
        ("  - [O](<9-new.md>) — fact, a, b, h", {"title": "P", "tags": ("a", "c"), "hook": "h"}, "  - [P](<9-new.md>) — fact, a, c, h"),
        ("- [O](9-new.md) — fact, [a], see [x](y) `z`", {"title": "O", "tags": ("b",), "hook": "see [x](y) `z`"}, "- [O](9-new.md) — fact, [b], see [x](y) `z`"),
        ("- [O](9-new.md)", {"title": "O", "tags": ("b",), "hook": "h"}, "- [O](9-new.md) — fact, [b], h"),
        ("- [O](9-new.md)  —  fact,[a] ,  h  ", {"title": "O", "tags": ("a",), "hook": "h"}, "- [O](9-new.md)  —  fact,[a] ,  h  "),
        ("- [O](9-new.md) — fact, a, b, h", {"title": "O", "tags": (), "hook": "h"}, "- [O](9-new.md) — fact, [], h"),
        ("- [O](9-new.md) — fact, a, b, h", {"title": "O", "tags": ("a", "b"), "hook": ""}, "- [O](9-new.md) — fact, [a, b]"),
    ],
)  # fmt: skip
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
        KeyedLine("- [A](a.md) <!-- open", "entries"),
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
    assert index.set_line(b"## Entries\n- [A](a.md)\n", "z.md", None, line) == b"## Entries\n- [A](a.md)\n- [Z](z.md)\n"
    fenced = b"## Entries\n- [A](a.md)\n```\n- [X](x.md)\n```\n"
    inside = KeyedLine("- [Z](z.md)", "entries", "a.md\n2")
    result = index.set_line(fenced, "z.md", None, inside)
    assert index.read_index(result).get("z.md") is not None


# --- properties ----------------------------------------------------------------------------------

TEXT = st.text(
    st.one_of(st.sampled_from("[]()\\|—<>`*_~&#!-.,: \tae\"'"), st.characters(exclude_categories=["Cs"])), max_size=30
)
WORDS = st.sampled_from(
    ["[deprecated]", "[deprecated] x", "x [deprecated]", "a, b, c", "vegetarian, since 2019", r"veg\, x", "<!-- x",
     r"\<!-- x", r"\[deprecated]", "[a, b], c", "[a]", "[see](x.md), y", "a,", ",a", "—", "- x", r"x\\", "[deprecated][deprecated]"]
)  # fmt: skip
TAG = st.from_regex(r"[a-zа-я0-9][a-zа-я0-9-]{0,6}[a-zа-я0-9]", fullmatch=True)
NAME = st.text(st.one_of(st.sampled_from(" ()[]%#?&:<>\"\\'`*_-."), st.characters(exclude_categories=["Cs", "Cc"])), min_size=1, max_size=20)


def one_line(text: str) -> str:
    return " ".join(part for line in re.split(r"[\r\n]+", text) if (part := line.strip(" \t")))


@settings(max_examples=200, deadline=None)
@given(
    title=TEXT,
    name=NAME,
    hook=st.one_of(TEXT, WORDS, st.lists(WORDS, max_size=3).map(" ".join), st.lists(WORDS, max_size=3).map(", ".join)),
    tags=st.lists(st.one_of(TAG, st.sampled_from(["deprecated", "C++", "a b", "x]", "y,z"])), max_size=4),
    kind=st.sampled_from(["fact", "goal", "my type", "a, b", "деталь", "[x"]),
    deprecated=st.booleans(),
    style=st.sampled_from(["- [A](a.md) — fact, [x, y], h", "- [A](a.md) — fact, x, y, h"]),
    form=st.sampled_from(
        ["", "\n## Deprecated\n", "\n### Deprecated\n", "- [D](d.md) [deprecated] — fact, [x], h\n",
         "- [deprecated] [D](d.md)\n", "- [D](d.md) — fact, [x], h [deprecated]\n", "- [D](d.md) — fact, [deprecated], [x], h\n",
         "- [D](d.md) — [deprecated] fact, [x], h\n", "- [D](d.md) — fact, [x], [deprecated] h\n"]
    ),
)  # fmt: skip
@example(title="a", name="a", hook="", tags=["deprecated"], kind="fact", deprecated=False, style="", form="")
def test_any_title_and_hook_survive_the_round_trip(
    title: str, name: str, hook: str, tags: list[str], kind: str, deprecated: bool, style: str, form: str
) -> None:
    filename = name.removeprefix("./") + "-x.md"
    data = f"## Entries\n{style}\n{form}".encode()
    line = compose(
        data, title=title, filename=filename, hook=hook, tags=tuple(tags), type=kind, deprecated=deprecated
    )
    result = index.set_line(data, filename, None, line)
    entry = index.read_index(result).get(filename)
    assert entry is not None
    assert (entry.title, entry.hook, entry.type) == (one_line(title), one_line(hook), kind)
    assert entry.tags == tuple(tags)
    assert entry.deprecated == deprecated
    assert entry.line.text == line.text
    if form:
        assert index.set_line(result, filename, line, None) == data
    assert compose(
        result, title=title, filename=filename, hook=hook, tags=tuple(tags), type=kind, deprecated=deprecated
    ) == entry.line


def commonmark_link(line: str) -> tuple[str, str]:
    """Text and target of the first link as a CommonMark parser reads them."""
    inline = next(token for token in COMMONMARK.parse(line) if token.type == "inline")
    assert inline.children is not None
    start = next(n for n, token in enumerate(inline.children) if token.type == "link_open")
    end = next(n for n, token in enumerate(inline.children) if token.type == "link_close")
    inside = inline.children[start + 1 : end]
    assert all(token.type == "text" for token in inside), inside
    return "".join(token.content for token in inside), str(inline.children[start].attrs["href"])


@settings(max_examples=200, deadline=None)
@given(title=TEXT.filter(lambda text: "\0" not in text), name=NAME, hook=st.one_of(TEXT, WORDS))
@example(title="snake_case_name _x_ *y* `z`", name="a", hook="")
@example(title="&amp; &copy; R&D <b>x</b> <http://a.b> a < b", name="a", hook="")
@example(title="x\\", name="a(b) c", hook="](x)")
@example(title="![pic](x) [y][z] ~~old~~", name="data:x", hook="")
@example(title="`](`", name="b`c`", hook="`")
def test_a_commonmark_parser_reads_the_same_title_and_target(title: str, name: str, hook: str) -> None:
    from urllib.parse import unquote

    filename = name.removeprefix("./") + "-x.md"
    line = compose(b"", title=title, filename=filename, hook=hook)
    text, target = commonmark_link(line.text)
    assert text == one_line(title)
    assert unquote(target) == filename


KEYS = ["a.md", "b.md", "c.md", "d.md"]
ROW = st.one_of(
    st.sampled_from(KEYS).map(lambda key: f"- [T]({key}) — fact, [x], h"),
    st.sampled_from(
        ["", "", "words", "  more", "- item", "## Entries", "### Deprecated", "## Deprecated", "## Notes", "### Sub",
         "```", "<!--", "-->", "<!-- c -->", "x <!-- y", "- [N](n.md) — fact, x, y, h [deprecated]"]
    ),
)  # fmt: skip
DOCUMENT = st.tuples(
    st.sampled_from(["", "\ufeff"]),
    # Not "\r" among others: taking a line away from between "\r" and "\n" would make one ending of both.
    st.one_of(
        st.lists(st.tuples(ROW, st.sampled_from(["\n", "\n", "\r\n"])), max_size=14),
        st.lists(st.tuples(ROW, st.just("\r")), max_size=8),
    ),
    st.booleans(),
).map(lambda d: d[0] + "".join(row + end for row, end in d[1])[: None if d[2] else -1])


def rows_of(data: bytes) -> list[str]:
    return [row for row in data.decode().removeprefix("\ufeff").splitlines() if row]


def holds_in_order(rows: list[str], old: list[str], removed: str | None) -> bool:
    """Whether `rows` holds all of `old`, in order, but for one row that is `removed`."""
    without = [old] if removed is None else [old[:n] + old[n + 1 :] for n, row in enumerate(old) if row == removed]
    for kept in without:
        left = iter(rows)
        if all(row in left for row in kept):
            return True
    return False


@settings(max_examples=200, deadline=None)
@given(text=DOCUMENT, key=st.sampled_from([*KEYS, "new.md"]), deprecated=st.booleans())
def test_what_is_set_can_be_taken_back_exactly(text: str, key: str, deprecated: bool) -> None:
    data = text.encode()
    found = index.read_index(data)
    present = found.get(key)
    if key in found.duplicates:
        return
    before = present.line if present else None
    after = compose(data, title="N", filename=key, hook="new", deprecated=deprecated)
    try:
        result = index.set_line(data, key, before, after)
    except LineConflict as conflict:
        assert "read back" in str(conflict)
        return
    assert holds_in_order(rows_of(result), rows_of(data), before.text if before else None)
    if data and result.count(b"#") == data.count(b"#"):  # no section was made
        assert index.set_line(result, key, after, before) == data


@settings(max_examples=200, deadline=None)
@given(text=DOCUMENT, key=st.sampled_from(KEYS))
def test_what_is_removed_can_be_put_back_exactly(text: str, key: str) -> None:
    data = text.encode()
    found = index.read_index(data)
    present = found.get(key)
    if present is None or key in found.duplicates or not present.line.section:
        return
    try:
        gone = index.set_line(data, key, present.line, None)
    except LineConflict:
        return
    assert index.set_line(gone, key, None, present.line) == data


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=200), DOCUMENT.map(str.encode)))
def test_any_bytes_are_read(data: bytes) -> None:
    for entry in index.read_index(data).entries:
        assert read_line(entry.line.text) is not None


@pytest.mark.parametrize(
    "line",
    [
        "- [" + "[" * 20000,
        "- [" + "a](" * 20000,
        "- [" + "\\a" * 20000,
        "- [T](" + "(" * 20000,
        "- [T](t.md) — " + " " * 20000 + "x]",
        "- [T](t.md) — fact, [" + "\\" * 20000,
        "- [T](t.md) — fact, " + "a," * 20000,
        "- [T](t.md) — fact, [a], " + "\\" * 20000 + "x",
        "- [T](t.md) — fact, [a], " + "<!-" * 20000,
        "- [T](t.md" + " " * 20000 + "x",
        "# a" + " " * 20000 + "b",
    ],
)
def test_hostile_lines_are_read_in_a_moment(line: str) -> None:
    start = time.process_time()
    index.read_index(f"## Entries\n{line}\n".encode())
    compose(None, title=line, hook=line, filename=line[:100])
    assert time.process_time() - start < 1


def test_a_big_index_is_read_and_changed_quickly() -> None:
    rows = (f"- [Title {n}]({n}-title.md) — fact, [health, food], hook {n}\n" for n in range(10_000))
    data = ("## Entries\n\n" + "".join(rows)).encode()
    start = time.process_time()
    entries = index.read_index(data).entries
    index.set_line(data, "5000-title.md", entries[5000].line, None)
    assert time.process_time() - start < 1  # about 0.12 s, with room for a busy machine


