"""index.md: every published form is read, and nothing else is taken for an entry's line."""

from __future__ import annotations

import re

import pytest

from memtui.notes import index
from memtui.notes.lines import KeyedLine, LineConflict
from memtui.notes.markdown import lines


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
        (
            "- [T](t.md) — fact, [a, b], the hook, with commas",
            "T",
            "t.md",
            "fact",
            ("a", "b"),
            "the hook, with commas",
        ),
        (
            "- [T](t.md) — fact, a, b, the hook, with commas",
            "T",
            "t.md",
            "fact",
            ("a", "b"),
            "the hook, with commas",
        ),
        ("- [T](t.md) — fact, a, b", "T", "t.md", "fact", ("a",), "b"),
        ("- [T](t.md) — fact, [a, b]", "T", "t.md", "fact", ("a", "b"), ""),
        ("- [T](t.md) — fact, [], h", "T", "t.md", "fact", (), "h"),
        ("- [T](t.md) — fact, [#a, #b], h", "T", "t.md", "fact", ("a", "b"), "h"),
        ("* [T](t.md) - fact, [a], h", "T", "t.md", "fact", ("a",), "h"),
        ("   +  [T](t.md) – goal, [a], h", "T", "t.md", "goal", ("a",), "h"),
        (
            "- [T](t.md) — fact, путешествия, Берлин, весна",
            "T",
            "t.md",
            "fact",
            ("путешествия",),
            "Берлин, весна",
        ),
        ("1. [T](t.md) — fact, [a], h", "T", "t.md", "fact", ("a",), "h"),
        ("12) [T](t.md) — fact, a, h", "T", "t.md", "fact", ("a",), "h"),
        ("- [x] [T](t.md) — fact, a, h", "T", "t.md", "fact", ("a",), "h"),
        (r"| [T \| U](t.md) | fact | a |", "T | U", "t.md", "", (), "| fact | a |"),
        ("- [T](t.md) — fact", "T", "t.md", "fact", (), ""),
        ("- [T](t.md)", "T", "t.md", "", (), ""),
        ("- [T](t.md): just some words", "T", "t.md", "", (), ": just some words"),
        ("- [T](t.md) — No meat, fish is fine", "T", "t.md", "", (), "No meat, fish is fine"),
        (r"- [a \[b\] \\c](t.md) — fact, [a], h", r"a [b] \c", "t.md", "fact", ("a",), "h"),
        ("- [a [b] c](t.md) — fact, [a], h", "a [b] c", "t.md", "fact", ("a",), "h"),
        ("- [a ] b](t.md) — fact, [a], h", "a ] b", "t.md", "fact", ("a",), "h"),
        ("- [R&amp;D — AT&T](t.md) — fact, [a], h", "R&D — AT&T", "t.md", "fact", ("a",), "h"),
        (
            "- [T](people/my%20file%20%28x%29.md) — fact, [a], h",
            "T",
            "people/my file (x).md",
            "fact",
            ("a",),
            "h",
        ),
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
    assert (entry.title, entry.filename, entry.type, entry.tags, entry.hook) == (
        title,
        filename,
        kind,
        tags,
        hook,
    )
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
        "| T | [T](t.md) |",
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
        "~~~md\n- [C](c.md)\n```\n~~~\n- [E](e.md)\n"
    )
    assert [e.filename for e in index.read_index(text.encode()).entries] == ["e.md"]


def test_an_unclosed_comment_inside_a_hook_does_not_swallow_what_follows() -> None:
    text = "## Entries\n- [A](a.md) — fact, [x], opens <!-- here\n- [B](b.md)\n<!-- c -->\n- [C](c.md)\n"
    assert [e.filename for e in index.read_index(text.encode()).entries] == ["a.md", "b.md", "c.md"]


@pytest.mark.parametrize(
    "text",
    [
        "- [A](a.md) — fact, [x], h <!-- here\n- [B](b.md)\n-->\n- [C](c.md)\n",
        "- [A](a.md)\n\nwords <!-- here\n- [B](b.md) -->\n- [C](c.md)\n",
        "- [A](a.md)\nwords <!-- here\nand -->\n- [B](b.md)\n- [C](c.md)\n",
        "- [A](a.md)\nwords <!-- here\n\n- [B](b.md)\n\n-->\n- [C](c.md)\n",
        "- [A](a.md)\r\nwords <!-- a\r\nb\r\n===\r\n- [B](b.md)\r\n-->\r\n- [C](c.md)\r\n",
        "- [A](a.md)\n    <!-- x\n- [B](b.md)\n-->\n- [C](c.md)\n",
    ],
)
def test_a_comment_inside_a_paragraph_hides_no_list_item(text: str) -> None:
    found = index.read_index(b"## Entries\n" + text.encode())
    assert [e.filename for e in found.entries] == ["a.md", "b.md", "c.md"]


def test_an_inline_comment_spans_lines_of_its_own_paragraph_alone() -> None:
    kinds = [line.kind for line in lines("B <!-- x\ny\nz --> w\nv\n\nB <!-- x\n# H\n-->\n")]
    assert kinds == ["text", "comment", "comment", "text", "text", "text", "heading", "text"]


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
    (entry,) = index.read_index(
        b"## Entries\n- [T](t.md) \xe2\x80\x94 fact, health, vegetarian, since 2019\n"
    ).entries
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
