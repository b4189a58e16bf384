"""index.md: what is written is read back, by memtui and by CommonMark, and can be taken back to the byte."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memtui.notes import index
from memtui.notes.index_line import read_line
from memtui.notes.lines import KeyedLine, LineConflict

COMMONMARK = MarkdownIt("commonmark")


def compose(data: bytes | None, **changes: object) -> KeyedLine:
    usual: dict[str, object] = {
        "title": "New",
        "filename": "9-new.md",
        "type": "fact",
        "tags": ("health", "food"),
        "hook": "a new hook",
        "deprecated": False,
    }
    return index.compose(data, **(usual | changes))  # type: ignore[arg-type]


TEXT = st.text(
    st.one_of(st.sampled_from("[]()\\|—<>`*_~&#!-.,: \tae\"'"), st.characters(exclude_categories=["Cs"])),
    max_size=30,
)
WORDS = st.sampled_from(
    [
        "[deprecated]",
        "[deprecated] x",
        "x [deprecated]",
        "a, b, c",
        "vegetarian, since 2019",
        r"veg\, x",
        "<!-- x",
        r"\<!-- x",
        r"\[deprecated]",
        "[a, b], c",
        "[a]",
        "[see](x.md), y",
        "a,",
        ",a",
        "—",
        "- x",
        r"x\\",
        "[deprecated][deprecated]",
    ]
)
TAG = st.from_regex(r"[a-zа-я0-9][a-zа-я0-9-]{0,6}[a-zа-я0-9]", fullmatch=True)
NAME = st.text(
    st.one_of(st.sampled_from(" ()[]%#?&:<>\"\\'`*_-."), st.characters(exclude_categories=["Cs", "Cc"])),
    min_size=1,
    max_size=20,
)


def one_line(text: str) -> str:
    return " ".join(part for line in re.split(r"[\r\n]+", text) if (part := line.strip(" \t")))


@settings(max_examples=200, deadline=None)
@given(
    title=TEXT,
    name=NAME,
    hook=st.one_of(
        TEXT, WORDS, st.lists(WORDS, max_size=3).map(" ".join), st.lists(WORDS, max_size=3).map(", ".join)
    ),
    tags=st.lists(st.one_of(TAG, st.sampled_from(["deprecated", "C++", "a b", "x]", "y,z"])), max_size=4),
    kind=st.sampled_from(["fact", "", "my type", "a, b", "деталь", "[x"]),
    deprecated=st.booleans(),
    style=st.sampled_from(["- [A](a.md) — fact, [x, y], h", "- [A](a.md) — fact, x, y, h"]),
    form=st.sampled_from(
        [
            "",
            "\n## Deprecated\n",
            "\n### Deprecated\n",
            "- [D](d.md) [deprecated] — fact, [x], h\n",
            "- [deprecated] [D](d.md)\n",
            "- [D](d.md) — fact, [x], h [deprecated]\n",
            "- [D](d.md) — fact, [deprecated], [x], h\n",
            "- [D](d.md) — [deprecated] fact, [x], h\n",
            "- [D](d.md) — fact, [x], [deprecated] h\n",
        ]
    ),
)
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
    assert (
        compose(
            result,
            title=title,
            filename=filename,
            hook=hook,
            tags=tuple(tags),
            type=kind,
            deprecated=deprecated,
        )
        == entry.line
    )


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
        [
            "",
            "",
            "words",
            "  more",
            "- item",
            "## Entries",
            "### Deprecated",
            "## Deprecated",
            "## Notes",
            "### Sub",
            "```",
            "<!--",
            "-->",
            "<!-- c -->",
            "x <!-- y",
            "- [N](n.md) — fact, x, y, h [deprecated]",
        ]
    ),
)
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


def holds_in_order(rows: list[str], old: list[str], removed: list[str]) -> bool:
    """Whether `rows` holds all of `old`, in order, but for one run of rows that is `removed`."""
    size = len(removed)
    without = [old[:n] + old[n + size :] for n in range(len(old) + 1) if old[n : n + size] == removed]
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
    except LineConflict:
        assert re.search("```|<!--", text)  # one that is never closed
        return
    gone = before.text + (before.below if before.section != after.section else "") if before else ""
    assert holds_in_order(rows_of(result), rows_of(data), rows_of(gone.encode()))
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
    data = f"## Entries\n{line}\n".encode()
    index.read_index(data)
    compose(data, title="U", hook="other", filename="t.md", deprecated=True)
    compose(None, title=line, hook=line, filename=line[:100])


def test_a_big_index_is_read_and_changed() -> None:
    rows = (f"- [Title {n}]({n}-title.md) — fact, [health, food], hook {n}\n" for n in range(10_000))
    data = ("## Entries\n\n" + "".join(rows)).encode()
    entries = index.read_index(data).entries
    index.set_line(data, "5000-title.md", entries[5000].line, None)
