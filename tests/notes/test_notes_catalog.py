"""The catalog: what each note is summed up by, and which notes fit the budget."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes import frontmatter
from memtui.notes.catalog import NoteHead, catalog, clip_summary, read_head
from memtui.notes.head import read_fields

ENTRY = """\
---
title: Vegetarian since 2019
tags: [health, food]
type: fact
confidence: high
status: active
created: 2024-02-14
updated: 2024-03-01
---

No meat.

## Change log
"""


def head(text: str | bytes, path: str = "a.md") -> NoteHead:
    return read_head(path, text.encode() if isinstance(text, str) else text, 0.0)


def note(
    path: str, summary: str = "s", *, updated: str = "", created: str = "", mtime: float = 0.0
) -> NoteHead:
    return NoteHead(path, "", summary, "", "note", "", "", "", (), updated, created, mtime)


# --- heads ---------------------------------------------------------------------------------------


def test_an_entry_is_read() -> None:
    for text in (ENTRY, ENTRY.replace("\n", "\r\n"), "\ufeff" + ENTRY, ENTRY.replace("\n", "\r")):
        assert head(text) == NoteHead(
            "a.md",
            "Vegetarian since 2019",
            "",
            "No meat.",
            "entry",
            "fact",
            "active",
            "high",
            ("health", "food"),
            "2024-03-01",
            "2024-02-14",
            0.0,
        )


@pytest.mark.parametrize(
    ("text", "summary", "kind"),
    [
        ("---\ndescription: one\ntitle: two\n---\nthree\n", "one", "note"),
        ("---\ndescription: ''\ntitle: two\n---\nthree\n", "two", "other"),
        ("---\ntitle:\n---\n\n# three #\n", "three", "other"),
        ("---\n---\n---\n***\n\n  ##\tthree\nfour", "three", "other"),
        ("# Heading\ntext", "Heading", "other"),
        ("#\n#tag line", "#tag line", "other"),
        ("plain", "plain", "other"),
        ("", "(no summary)", "other"),
        ("\n \n\t\n", "(no summary)", "other"),
        ("---\ntitle: null\n---\n", "(no summary)", "other"),
        ("---\nname: x\ndescription: d\nmetadata:\n  type: user\n  n: 1\n---\nb\n", "d", "note"),
        ("---\ndescription: >\n  folded\n  text\n---\nb\n", "folded text", "note"),
        ("---\ndescription: |-\n  two\n  lines\n---\nb\n", "two lines", "note"),
        ("---\ndescription: plain\n  goes on\n---\nb\n", "plain goes on", "note"),
        ('---\ndescription: "a \\"b\\" \\u263a"\n---\nb\n', 'a "b" ☺', "note"),
        ("---\ndescription: 'it''s'\n---\nb\n", "it's", "note"),
        ("---\ndescription: a # comment\n---\nb\n", "a", "note"),
        ("---\ndescription: a#b http://x.y/z\n---\nb\n", "a#b http://x.y/z", "note"),
        ("---\ndescription: [a, b]\ntitle: t\n---\nb\n", "t", "note"),
        ("---\n# only\ndescription   : d\n\n---\nb\n", "d", "note"),
        ("---\ndescription: a: b\ntitle: t\n---\nbody\n", "a: b", "other"),
        ("---\ntitle: 'open\nx: [\n---\nbody\n", "'open", "other"),
        ("---\nx: [\n---\nbody\n", "body", "other"),
        ("---\ntitle: never closed\n\n# Body\n", "never closed", "other"),
        ("---\n\nA rule.\n", "A rule.", "other"),
        ("---\nNote: after a rule\n", "Note: after a rule", "other"),
        ("---\n\n*Between* two rules\n\n---\nMore\n", "*Between* two rules", "other"),
        ("---\n\nA rule, then text\n", "A rule, then text", "other"),
        ('+++\ntitle = "toml"\n+++\nbody\n', "toml", "other"),
        ("+++\nweight = 1\n+++\nbody\n", "body", "other"),
        ("---\ndescription: closed by dots\n...\nbody\n", "closed by dots", "note"),
        ("---\ntitle: t\ntype:\nconfidence:\nstatus:\n---\n", "t", "entry"),
        ("---\ntitle: t\ndescription: d\ntype: x\nconfidence: y\nstatus: z\n---\n", "d", "entry"),
        ("---\na: &x [1, 2]\nb: *x\ndescription: d\n---\n", "d", "note"),
        (b"---\ndescription: caf\xe9\n---\n", "caf\ufffd", "note"),
        (b"\xff\xfe\x00", "\ufffd\ufffd\x00", "other"),
    ],
)
def test_the_summary_of_a_note(text: str | bytes, summary: str, kind: str) -> None:
    found = head(text)
    assert (found.summary, found.kind) == (summary, kind)


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ("tags: [a, 'b c', \"d\"]", ("a", "b c", "d")),
        ("tags:\n  - a\n  - '#b'", ("a", "b")),
        ("tags:\n- a\n- b", ("a", "b")),
        ("tags: a, b c", ("a", "b", "c")),
        ("tags: []", ()),
        ("tags:", ()),
        ("tags: ['a, b', c]", ("a, b", "c")),
        ("tags: [a,\n  b]", ("a", "b")),
    ],
)
def test_tags_are_read(lines: str, tags: tuple[str, ...]) -> None:
    assert head(f"---\n{lines}\n---\n").tags == tags


def test_a_head_that_is_cut_is_still_a_head() -> None:
    body = head("---\ndescription: d\n---\n" + "é" * 8000)
    assert (body.summary, body.kind) == ("d", "note")
    assert head(b"x" * 8191 + "é".encode()).summary == "x" * 120 + "…"
    inside = head("---\ndescription: d\nlong: " + "x" * 9000 + "\n---\nbody\n")
    assert (inside.summary, inside.kind, inside.first_line) == ("d", "note", "")


def test_the_summary_is_one_line_of_at_most_120_characters() -> None:
    assert clip_summary("  a\n\tb\u2028c\u00a0 d ") == "a b c d"
    assert clip_summary("x" * 120) == "x" * 120
    assert clip_summary("x" * 121) == "x" * 120 + "…"
    assert clip_summary(clip_summary("y " * 200)) == clip_summary("y " * 200)


LINE = st.one_of(
    st.sampled_from(
        [
            "title: a",
            "title: 'a'",
            'description: "x: y"',
            "description: a:b",
            "status: active # c",
            "tags: [a, b]",
            "tags:",
            "  - a",
            "- b",
            "metadata:",
            "  type: user",
            "  - {a: b}",
            "type: 'it''s'",
            "confidence: ~",
            "# comment",
            "",
            "x: |",
            "  text",
            "y: a: b",
            "z: [a",
            "created: 2024-01-10",
            "updated: !!str 1",
            "k: *a",
            "? q",
            "title: -x",
            "title: - x",
            "title: @x",
            "tags: ['a, b', c]",
            "tags: [a: b]",
            "tags: [-, a]",
            "a b: c",
            "title: \ufeffx",
            "title: a\tb",
            "title:\ta",
            "u: \u2028x",
            "v: a\x85b",
            "w: x\x07",
            "title: a #",
            "title: a:",
        ]
    ),
    st.text(st.sampled_from("ab:-# '\"[],&*!|>{}%@`?~\\\t"), max_size=10),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(LINE, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_the_quick_way_reads_what_yaml_reads(lines: list[str], ending: str) -> None:
    data = ending.join(["---", *lines, "---", "body", ""]).encode()
    slow = frontmatter.read(data)
    fields, names, _ = read_fields(data, cut=False)
    if names:
        assert slow.kind == "yaml", slow.problem
        known = {name: value for name, value in slow.fields.items() if not isinstance(value, dict)}
        assert {name: value for name, value in fields.items() if not isinstance(value, dict)} == known
    else:
        assert slow.kind != "yaml" or not slow.fields


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=100).map(lambda t: f"---\n{t}\n---\n".encode("utf-8", "replace")),
    )
)
def test_any_bytes_make_a_head(data: bytes) -> None:
    summary = head(data).summary
    assert summary
    assert len(summary) <= 121
    assert "\n" not in summary


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: " + " " * 8000 + "x\n---\n",
        "---\ntags: [" + "a" * 4000 + "," * 4000 + "\n---\n",
        "---\n" + "  - a\n" * 1300 + "---\n",
        "---\n" + "a: b\n" * 1600 + "---\n",
        "---\ntitle: " + ":#" * 4000 + "\n---\n",
        "---\nt:\n" + " - a\n" * 1500 + "x\n---\n",
        "# " + "#" * 8000,
        "# a" + " " * 8000 + "b",
        "---\n" * 2000,
    ],
)
def test_hostile_heads_are_read_in_a_moment(text: str) -> None:
    head(text)


def test_ten_thousand_heads_are_read() -> None:
    data = ENTRY.encode()
    heads = [read_head(f"{number}.md", data, float(number)) for number in range(10_000)]
    catalog(heads)


# --- the catalog ---------------------------------------------------------------------------------


def test_an_empty_folder_gives_an_empty_catalog() -> None:
    assert catalog([]).text == ""
    assert catalog([]).lines == ()


def test_lines_are_printed_by_path_bytewise() -> None:
    found = catalog([note("b.md"), note("a/z.md"), note("é.md"), note("B.md"), note("a.md")])
    assert found.text == "B.md — s\na.md — s\na/z.md — s\nb.md — s\né.md — s\n"
    assert [path for path, _ in found.lines] == ["B.md", "a.md", "a/z.md", "b.md", "é.md"]
    assert found.used == len(found.text.encode())
    assert found.dropped == ()


def test_what_is_left_out() -> None:
    gone = head(ENTRY.replace("status: active", "status: deprecated"), "old.md")
    kept = head("---\nstatus: deprecated\ndescription: no entry\n---\n", "kept.md")
    heads = [
        gone,
        kept,
        note("index.md"),
        note("tags.md"),
        note("sub/index.md"),
        note(".hidden.md"),
        note("a/.b/c.md"),
    ]
    assert [path for path, _ in catalog(heads).lines] == ["kept.md", "sub/index.md"]


def test_the_newest_notes_fit_until_the_next_would_not() -> None:
    heads = [
        note("d.md", "1234", updated="2024-01-04"),
        note("c.md", "1", updated="2024-01-01", created="2025-01-01"),
        note("b.md", "123456789", created="2024-01-03"),
        note("a.md", "1234", updated="2024-01-05"),
    ]
    size = len("a.md — 1234\n".encode())
    found = catalog(heads, 2 * size)
    assert found.text == (
        f"a.md — 1234\nd.md — 1234\n(2 more notes are left out: the catalog holds at most {2 * size} bytes)\n"
    )
    assert (found.used, found.budget, found.dropped) == (2 * size, 2 * size, ("b.md", "c.md"))
    # The short one is older than the first that does not fit, so it is not taken either.
    assert catalog(heads, 3 * size).dropped == ("b.md", "c.md")
    assert catalog(heads, 0).text == "(4 more notes are left out: the catalog holds at most 0 bytes)\n"
    assert catalog(heads[:1], 0).text.startswith("(1 more note is left out")


@pytest.fixture
def _in_lisbon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Lisbon")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_in_lisbon")
def test_dates_and_file_times_are_one_scale() -> None:
    midnight = time.mktime((2024, 7, 1, 0, 0, 0, 0, 0, -1))
    heads = [
        note("after.md", mtime=midnight + 1),
        note("before.md", mtime=midnight - 1),
        note("day.md", updated="2024-07-01"),
        note("noon.md", updated="2024-07-01T12:00:00"),
        note("odd.md", updated="last week", created="2024-13-45", mtime=midnight + 2),
        note("year.md", updated="9999-12-31"),
    ]
    ranked = list(catalog(heads, 0).dropped)
    assert ranked == ["year.md", "noon.md", "odd.md", "after.md", "day.md", "before.md"]


def test_ties_go_by_path() -> None:
    assert catalog([note("b.md"), note("a.md"), note("c.md")], 0).dropped == ("a.md", "b.md", "c.md")


def test_a_path_cannot_break_a_line() -> None:
    found = catalog([note("a\nb\udcff.md")])
    assert found.lines == (("a\nb\udcff.md", "a\ufffdb\ufffd.md — s"),)
    assert found.text.count("\n") == 1


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.text("abé/", min_size=1, max_size=4),
        st.tuples(st.text(max_size=130), st.integers(0, 5)),
        max_size=8,
    ),
    st.integers(0, 400),
)
def test_the_budget_is_never_passed(notes: dict[str, tuple[str, int]], budget: int) -> None:
    heads = [note(path, summary, mtime=age) for path, (summary, age) in notes.items()]
    found = catalog(heads, budget)
    printed = "".join(f"{line}\n" for _, line in found.lines)
    assert found.text.startswith(printed)
    assert found.used == len(printed.encode()) <= budget
    assert len(found.lines) + len(found.dropped) == len(heads)
    assert [path for path, _ in found.lines] == sorted((path for path, _ in found.lines), key=str.encode)
    ages = {path: age for path, (_, age) in notes.items()}
    assert all(ages[kept] >= ages[gone] for kept, _ in found.lines for gone in found.dropped)
