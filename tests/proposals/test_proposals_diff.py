from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.proposals.diff import FileDiff, Row, diff, hunks, unified

X, Y = "x" * 40, "y" * 40
ENDINGS = {"lf": "\n", "crlf": "\r\n", "cr": "\r", "none": ""}


def shown(result: FileDiff) -> list[str]:
    return [row.kind + " " + bracketed(row) for row in result.rows]


def bracketed(row: Row) -> str:
    text = row.text
    for start, end in reversed(row.marks):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


def side(result: FileDiff, kinds: str) -> bytes:
    return "".join(row.text + ENDINGS[row.ending] for row in result.rows if row.kind in kinds).encode()


def compare(before: str | None, after: str | None) -> FileDiff:
    return diff(
        "note.md",
        None if before is None else before.encode(),
        None if after is None else after.encode(),
    )


# --- rows -----------------------------------------------------------------------------------------


def test_a_changed_line_stands_above_what_it_became_with_its_words_marked() -> None:
    result = compare(
        "created: 2024-01-10\nupdated: 2024-04-22\n---\nBest so far 28:14.\n",
        "created: 2024-01-10\nupdated: 2026-11-30\n---\nBest so far 26:02.\n",
    )
    assert shown(result) == [
        "  created: 2024-01-10",
        "- updated: [2024-04-22]",
        "+ updated: [2026-11-30]",
        "  ---",
        "- Best so far [28:14].",
        "+ Best so far [26:02].",
    ]
    assert (result.change, result.added, result.removed, result.facts) == ("modified", 2, 2, ())
    assert [(row.old, row.new) for row in result.rows[:4]] == [(1, 1), (2, None), (None, 2), (3, 3)]


def test_similar_lines_of_unequal_blocks_are_paired_in_order() -> None:
    result = compare(
        "- tea\n- milk and honey\n- bread\n", "- milk and sugar\n- coffee\n- bread rolls\n- figs\n"
    )
    assert shown(result) == [
        "- - tea",
        "- - milk and [honey]",
        "+ - milk and [sugar]",
        "+ - coffee",
        "- - bread",
        "+ - bread[ rolls]",
        "+ - figs",
    ]


def test_a_paragraph_wrapped_anew_marks_only_its_changed_words() -> None:
    result = compare(
        "The quick brown fox jumps over\nthe lazy dog and then goes\nhome to sleep for the night.\n",
        "The quick brown fox jumps\nover the lazy cat and then\ngoes home to sleep for the\nnight.\n",
    )
    assert [line for line in shown(result) if "[" in line] == [
        "- the lazy [dog] and then goes",
        "+ over the lazy [cat] and then",
    ]
    assert [row.kind for row in result.rows] == ["-"] * 3 + ["+"] * 4


def test_lines_that_have_nothing_in_common_carry_no_marks() -> None:
    result = compare("no meat since 2019\n", "Купить молоко и хлеб\n")
    assert shown(result) == ["- no meat since 2019", "+ Купить молоко и хлеб"]


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        ("日本語の文章です。", "日本語の文書です。", ["- 日本語の文[章]です。", "+ 日本語の文[書]です。"]),
        ("мама мыла раму", "мама мыла пол", ["- мама мыла [раму]", "+ мама мыла [пол]"]),
        ("a b c d", "a  b c d", ["- a b c d", "+ a [ ]b c d"]),
        ("a b c d", "a\tb c d", ["- a[ ]b c d", "+ a[\t]b c d"]),
        ("one two", "one two  ", ["- one two", "+ one two[  ]"]),
        ("  deep line", "    deep line", ["-   deep line", "+   [  ]deep line"]),
        ("keep this here", "keep here", ["- keep [this ]here", "+ keep here"]),
        ("a b\u200bc d e f", "a bc d e f", ["- a [b\u200bc] d e f", "+ a [bc] d e f"]),
        (f"{X}1{Y}", f"{X}2{Y}", [f"- {X}[1]{Y}", f"+ {X}[2]{Y}"]),
    ],
)
def test_words_are_marked_exactly(before: str, after: str, rows: list[str]) -> None:
    assert shown(compare(before, after)) == rows


def test_a_moved_line_names_its_other_place() -> None:
    result = compare(
        "a paragraph that moves\n\nsecond one\n\nthird\n", "second one\n\nthird\n\na paragraph that moves\n"
    )
    assert [(row.kind, row.moved) for row in result.rows if row.moved] == [("-", 5), ("+", 1)]


def test_an_inserted_paragraph_is_shown_whole() -> None:
    result = compare("# a\n\nfoo\n\nbar\n", "# a\n\nfoo\n\nnew\n\nbar\n")
    assert [row.new for row in result.rows if row.kind == "+"] == [5, 6]
    result = compare("foo\n\nbar\n\nfoo\n\nbaz\n", "foo\n\nbar\n\nqux\n\nfoo\n\nbaz\n")
    assert [row.text for row in result.rows if row.kind == "+"] == ["qux", ""]


def test_lines_end_only_at_line_feeds_and_carriage_returns() -> None:
    result = compare(None, "a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg\nh\ri\r\nj")
    assert [(row.text, row.ending) for row in result.rows] == [
        ("a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg", "lf"),
        ("h", "cr"),
        ("i", "crlf"),
        ("j", "none"),
    ]


# --- kinds of change and facts --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "change", "kinds", "facts"),
    [
        (None, b"a\nb\n", "created", "++", ()),
        (None, b"", "created", "", ("empty file",)),
        (
            None,
            b"\xef\xbb\xbfa\r\nb",
            "created",
            "++",
            ("starts with a BOM", "line endings: CRLF", "no final newline"),
        ),
        (b"a\n", None, "deleted", "-", ()),
        (b"", None, "deleted", "", ("empty file",)),
        (b"a\n", b"", "modified", "-", ("empty file now",)),
        (b"", b"a\n", "modified", "+", ("was an empty file",)),
        (b"a", b"a\n", "modified", "-+", ("final newline added",)),
        (b"a\n", b"a", "modified", "-+", ("final newline removed",)),
        (
            b"a\r\nb\r\n",
            b"a\nb\n",
            "modified",
            "-+-+",
            ("line endings: CRLF to LF", "only line endings differ"),
        ),
        (b"a\nb\r\n", b"a\r\nb\n", "modified", "-+-+", ("only line endings differ",)),
        (
            b"a\rb\n",
            b"a\nb\n",
            "modified",
            "-+ ",
            ("line endings: LF and CR to LF", "only line endings differ"),
        ),
        (b"a\n", b"a \n", "modified", "-+", ("only white space differs",)),
        (b"\xef\xbb\xbfa\nb\n", b"a\nb\n", "modified", "-+ ", ("BOM removed",)),
        (b"a\n", b"\xef\xbb\xbfa\n", "modified", "-+", ("BOM added",)),
        (
            "é\n".encode(),
            "e\u0301\n".encode(),
            "modified",
            "-+",
            ("only the encoding of accents differs (Unicode normalisation)",),
        ),
        (b"a\xff\n", b"a\xfe\n", "modified", "-+", ("not UTF-8 before: 1 byte", "not UTF-8 after: 1 byte")),
        (None, b"\xff\xfe", "created", "+", ("no final newline", "not UTF-8: 2 bytes")),
        (b"a\n", b"a\n", "modified", " ", ("nothing changes",)),
    ],
)
def test_what_rows_do_not_tell_is_in_the_facts(
    before: bytes | None, after: bytes | None, change: str, kinds: str, facts: tuple[str, ...]
) -> None:
    result = diff("n.md", before, after)
    assert (result.change, "".join(row.kind for row in result.rows), result.facts) == (change, kinds, facts)


def test_a_rename_shows_its_text_unchanged_or_not() -> None:
    same = diff("b.md", b"x\n", b"x\n", origin="a.md")
    assert (same.change, same.origin, same.facts) == ("renamed", "a.md", ("the text is unchanged",))
    assert [row.kind for row in same.rows] == [" "]
    other = diff("b.md", b"x\n", b"y\n", origin="a.md")
    assert (other.change, other.added, other.removed) == ("renamed", 1, 1)


def test_a_changed_ending_is_flagged_on_both_rows() -> None:
    result = compare("same\r\nother\n", "same\nother\n")
    assert [(row.ending, row.ending_changed) for row in result.rows] == [
        ("crlf", True),
        ("lf", True),
        ("lf", False),
    ]


def test_bytes_that_are_not_utf8_are_shown_escaped_with_their_marks_in_place() -> None:
    result = diff("n.md", b"a\xff one two three\n", b"a\xff one 2\xfe three\n")
    assert shown(result) == ["- a\udcff one [two] three", "+ a\udcff one [2\udcfe] three"]
    assert "+a\\xff one 2\\xfe three\n" in unified(result)


# --- properties -----------------------------------------------------------------------------------

lines = st.lists(
    st.sampled_from(["a", "b", "", "a b c", "a b  c", "x y z", "é", "\ufeff", "a\x85b", "- - 1", " "]),
    max_size=12,
)
notes = st.builds(
    lambda texts, ends, last: "".join(t + e for t, e in zip(texts, ends * 12, strict=False)) + last,
    lines,
    st.lists(st.sampled_from(["\n", "\n", "\r\n", "\r"]), min_size=1, max_size=4),
    st.sampled_from(["", "end"]),
)
data = st.one_of(notes.map(str.encode), st.binary(max_size=30), st.none())


@settings(max_examples=300, deadline=None)
@given(notes, notes)
def test_both_texts_can_be_rebuilt_from_the_rows(before: str, after: str) -> None:
    result = compare(before, after)
    assert side(result, " -") == before.encode()
    assert side(result, " +") == after.encode()
    assert [row.old for row in result.rows if row.old] == list(
        range(1, sum(r.kind != "+" for r in result.rows) + 1)
    )
    assert [row.new for row in result.rows if row.new] == list(
        range(1, sum(r.kind != "-" for r in result.rows) + 1)
    )


@settings(max_examples=300, deadline=None)
@given(data, data)
def test_two_different_contents_never_give_an_empty_diff(before: bytes | None, after: bytes | None) -> None:
    result = diff("n.md", before, after)
    differs = any(row.kind != " " for row in result.rows)
    if before is None or after is None:
        assert differs or result.facts
    else:
        assert differs == (before != after)


@settings(max_examples=200, deadline=None)
@given(notes, notes)
def test_marks_lie_inside_their_text_in_order(before: str, after: str) -> None:
    for row in compare(before, after).rows:
        places = [place for mark in row.marks for place in mark]
        assert places == sorted(places)
        assert all(start < end for start, end in row.marks)
        assert not places or places[-1] <= len(row.text)


@settings(max_examples=200, deadline=None)
@given(notes, notes, st.integers(0, 4))
def test_hunks_hold_every_change_and_never_fold_a_single_line(before: str, after: str, context: int) -> None:
    result = compare(before, after)
    ranges = hunks(result, context)
    shown = {index for start, end in ranges for index in range(start, end)}
    assert all(index in shown for index, row in enumerate(result.rows) if row.kind != " ")
    edges = [0, *(place for pair in ranges for place in pair), len(result.rows)]
    gaps = [end - start for start, end in zip(edges[::2], edges[1::2], strict=True)]
    assert not ranges or 1 not in gaps


# --- unified text ---------------------------------------------------------------------------------


def test_unified_text_is_what_diff_writes() -> None:
    before = "".join(f"line {n}\n" for n in range(1, 13))
    after = before.replace("line 2\n", "line two\n").replace("line 12\n", "line 12")
    assert unified(compare(before, after), 1) == (
        "--- a/note.md\n+++ b/note.md\n"
        "@@ -1,3 +1,3 @@\n line 1\n-line 2\n+line two\n line 3\n"
        "@@ -11,2 +11,2 @@\n line 11\n-line 12\n+line 12\n\\ No newline at end of file\n"
    )


def test_unified_text_of_files_that_come_go_and_move() -> None:
    assert unified(compare(None, "a\n")) == "--- /dev/null\n+++ b/note.md\n@@ -0,0 +1 @@\n+a\n"
    assert unified(compare("a\n", None)) == "--- a/note.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    assert unified(diff("b.md", b"x\n", b"x\n", "a.md")) == "rename from a.md\nrename to b.md\n"
    assert unified(compare("a\n", "a\n")) == ""


def test_unified_text_tells_line_endings_apart() -> None:
    assert "-a\n\\ Line ends in a lone CR\n+a\r\n" in unified(compare("a\r", "a\r\n"))


def test_a_path_cannot_break_out_of_its_line() -> None:
    text = unified(diff('a\n+"evil', b"a\n", b"b\n"))
    assert text.startswith('--- "a/a\\n+\\"evil"\n+++ ')


# --- bounds ---------------------------------------------------------------------------------------


def lines_of(kind: str, count: int, seed: int) -> bytes:
    pick = random.Random(seed)
    make: dict[str, Callable[[], str]] = {
        "two symbols": lambda: pick.choice("ab"),
        "short": lambda: f"line {pick.randrange(10_000)}",
        "blank": lambda: "",
    }
    return "\n".join(make[kind]() for _ in range(count)).encode()


def words_of(count: int, seed: int) -> bytes:
    return lines_of("two symbols", count, seed).replace(b"\n", b" ")


def with_tenth_changed(data: bytes) -> bytes:
    pick = random.Random(5)
    return b"\n".join(line + b" more" if pick.random() < 0.1 else line for line in data.split(b"\n"))


def prose(size: int) -> bytes:
    pick = random.Random(7)
    words = [f"word{n}" for n in range(800)] + ["the", "of", "and", "to"] * 50
    rows = [" ".join(pick.choice(words) for _ in range(12)) for _ in range(size // 70)]
    return "\n".join(rows).encode()[:size]


def test_64_kib_of_prose_are_aligned_by_line() -> None:
    before = prose(65536)
    result = diff("n.md", before, with_tenth_changed(before))
    assert result.added == result.removed
    assert 0 < result.added < before.count(b"\n") / 5


@pytest.mark.parametrize(
    "sides",
    [
        lambda: (lines_of("short", 50_000, 1), with_tenth_changed(lines_of("short", 50_000, 1))),
        lambda: (lines_of("two symbols", 32_000, 1), lines_of("two symbols", 32_000, 2)),
        lambda: (lines_of("two symbols", 120_000, 1), lines_of("two symbols", 120_000, 2)),
        lambda: (lines_of("short", 50_000, 1), lines_of("short", 50_000, 1).replace(b"\n", b"\r\n")),
        lambda: (words_of(250_000, 3), words_of(250_000, 4)),
        lambda: (words_of(900, 3) * 9, lines_of("blank", 30_000, 4)),
    ],
    ids=["a tenth", "all", "all of many", "endings", "one long line", "short by long"],
)
def test_hostile_and_large_input_is_shown_whole(sides: Callable[[], tuple[bytes, bytes]]) -> None:
    before, after = sides()
    result = diff("n.md", before, after)
    assert side(result, " -") == before
    assert side(result, " +") == after


def test_what_is_too_big_to_align_is_shown_plain_and_said() -> None:
    before, after = lines_of("two symbols", 210_000, 1), lines_of("two symbols", 210_000, 2)
    result = diff("n.md", before, after)
    assert result.facts[-1] == "too big to align: shown plain, before then after"
    kinds = "".join(row.kind for row in result.rows).strip()
    assert kinds == "-" * kinds.count("-") + "+" * kinds.count("+")
    assert side(result, " +") == after
