"""Frontmatter is read as strings and edited byte by byte, or refused."""

from __future__ import annotations

import io
import time

import pytest
import ruamel.yaml
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memtui.notes.frontmatter import EditRefused, block, edit, read, scalar, why_locked

SETTINGS = settings(max_examples=200, deadline=None)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TRICKY_TEXT = st.text(
    "ab019 .:-+_#'\"[]{},&*!|>%@`~=<?\\\t\n\r\u00a0\u0085\u2028\ufeffйxoeEnNyYtT", max_size=12
)


def quotable(value: str) -> bool:
    """Whether single quotes can hold it."""
    return "\\" not in scalar(value).replace("\\\\", "").replace('\\"', "")


def ruamel_load(text: str) -> object:
    return ruamel.yaml.YAML(typ="safe", pure=True).load(io.StringIO(text))


# --- reading ----------------------------------------------------------------------------------------------


def test_reads_every_scalar_as_the_string_that_is_written() -> None:
    found = read(b"---\na: 2024-01-10\nb: true\nc: 012\nd: [1, x]\ne: {f: no}\ng: null\nh:\n---\nbody\n")
    assert found.kind == "yaml"
    assert found.fields == {
        "a": "2024-01-10",
        "b": "true",
        "c": "012",
        "d": ["1", "x"],
        "e": {"f": "no"},
        "g": "",
        "h": "",
    }


@pytest.mark.parametrize(
    "data", [b"", b"text\n", b" ---\na: b\n---\n", b"----\na: b\n----\n", b"---x\n---\n", b"\n---\n---\n"]
)
def test_a_note_without_a_block_has_none(data: bytes) -> None:
    assert (read(data).kind, read(data).body_start, read(data).problem) == ("none", 0, "")


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (b"---\na: b\n---\nbody", b"body"),
        (b"---\r\na: b\r\n---\r\nbody", b"body"),
        (b"\xef\xbb\xbf---\na: b\n---\nbody", b"body"),
        (b"---  \na: b\n--- \t\nbody", b"body"),
        (b"---\na: b\n...\nbody\n---\nmore", b"body\n---\nmore"),
        (b"---\na: b\n---", b""),
        (b"---\n---\nbody", b"body"),
        (b"---\ra: b\r---\rbody", b"body"),
        (b"+++\na = 1\n+++\nbody", b"body"),
        (b"\xef\xbb\xbfbody", b"body"),
        (b"---\na: [\n---\nbody", b"body"),
    ],
)
def test_the_body_begins_after_the_closing_line(data: bytes, body: bytes) -> None:
    assert data[read(data).body_start :] == body


BROKEN = {
    "unclosed": b"---\na: b\n",
    "not closed by longer dashes": b"---\na: b\n----\n",
    "syntax": b"---\na: [b\n---\n",
    "list": b"---\n- a\n---\n",
    "plain text": b"---\nhello\n---\n",
    "two documents": b"---\na: b\n--- # x\nc: d\n---\n",
    "control character": b"---\na: b\x07\n---\n",
    "not UTF-8": b"---\na: \xff\n---\n",
    "too big": b"---\na: " + b"x" * 17_000 + b"\n---\n",
    "too deep": b"---\na: " + b"[" * 30 + b"]" * 30 + b"\n---\n",
    "thousands of brackets": b"---\na: " + b"[" * 5_000 + b"]" * 5_000 + b"\n---\n",
    "a template's key": b"---\ndate: {{date}}\n---\n",
    "alias to nowhere": b"---\na: *b\n---\n",
    "alias into itself": b"---\na: &a [*a]\n---\n",
    "surrogate escape": b'---\na: "\\ud800"\n---\n',
    "tab": b"---\na:\n\t- b\n---\n",
    "directive": b"---\n%YAML 1.2\na: b\n---\n",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_broken_frontmatter_says_why_in_one_clause(data: bytes) -> None:
    found = read(data)
    assert (found.kind, dict(found.fields)) == ("broken", {})
    assert found.problem
    assert "\n" not in found.problem
    assert not found.problem.endswith(".")


def test_bombs_are_answered_fast() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60))]
    aliases = "\n".join(lines)
    nested = "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [[[[[*a{n - 1}]]]]]" for n in range(1, 300))])
    merges = "\n".join(
        ["m0: &m0 {a: b}", *(f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}]}}" for n in range(1, 300))]
    )
    keys = "\n".join(f"k{n}:" for n in range(2_300))
    dashes = "- " * 8_000
    for text in (
        aliases,
        nested,
        merges,
        keys,
        dashes,
        "[" * 16_000,
        "{a: " * 4_000,
        "? " * 8_000,
        "!" * 16_000,
    ):
        data = f"---\n{text}\n---\n".encode()
        started = time.perf_counter()
        read(data)
        with pytest.raises(EditRefused):
            edit(data, {"new": None if text == keys else "x", "k1": "\ud800"})
        assert time.perf_counter() - started < 1.0


@given(st.binary(max_size=200))
@SETTINGS
def test_reading_never_raises(data: bytes) -> None:
    for whole in (data, b"---\n" + data + b"\n---\n", b"+++\n" + data + b"\n+++\n"):
        found = read(whole)
        assert 0 <= found.body_start <= len(whole)
        why_locked(whole)


# --- setting, adding, removing ----------------------------------------------------------------------------

EDITS = [
    # block style: what, before, changes, after
    ("plain", "a: b\nc: d\n", {"a": "x"}, "a: x\nc: d\n"),
    ("comment stays", "a: b   # why\n", {"a": "x"}, "a: x   # why\n"),
    ("single quotes", "a: 'b''s'\n", {"a": "it's"}, "a: 'it''s'\n"),
    ("double quotes", 'a: "b"\n', {"a": 'x "y"'}, 'a: "x \\"y\\""\n'),
    ("single quotes cannot hold a newline", "a: 'b'\n", {"a": "x\ny"}, 'a: "x\\ny"\n'),
    ("quotes that had to be", 'a: "b: c"\n', {"a": "x"}, "a: x\n"),
    ("single quotes that had to be", "a: 'b: c'\n", {"a": "x"}, "a: 'x'\n"),
    ("needs quotes", "a: b # c\n", {"a": "x: y"}, 'a: "x: y" # c\n'),
    ("nested map with the same key", "m:\n  a: 1\na: b\n", {"a": "x"}, "m:\n  a: 1\na: x\n"),
    ("quoted key", "\"a\": b\n'c': d\n", {"a": "x", "c": "w"}, "\"a\": x\n'c': w\n"),
    ("odd spaces", "a :   b  \n", {"a": "x"}, "a :   x  \n"),
    ("tab", "a:\tb\t# c\n", {"a": "x"}, "a:\tx\t# c\n"),
    ("code points beyond the plane", "😀: é😀 # x\na: '😀'\n", {"😀": "w", "a": "z"}, "😀: w # x\na: 'z'\n"),
    ("value on the next line", "a:\n  b\n  c\nd: e\n", {"a": "x"}, "a:\n  x\nd: e\n"),
    ("plain over several lines", "a: b\n  c\n\n  d # e\nf: g\n", {"a": "x"}, "a: x # e\nf: g\n"),
    ("quotes over several lines", 'a: "b\n\n  c"  # d\n', {"a": "x"}, "a: x  # d\n"),
    ("literal", "a: |\n  b\n  # c\n\nd: e\n", {"a": "x"}, "a: x\n\nd: e\n"),
    ("folded with a comment", "a: >- # why\n  b\n\n  c\n# d\ne: f\n", {"a": "x"}, "a: x # why\n# d\ne: f\n"),
    ("literal with nothing", "a: |\nb: c\n", {"a": "x"}, "a: x\nb: c\n"),
    ("empty", "a:\nb: c\n", {"a": "x"}, "a: x\nb: c\n"),
    ("empty, one space", "a: \n", {"a": "x"}, "a: x\n"),
    ("empty, comment", "a:  # why\n", {"a": "x"}, "a: x  # why\n"),
    ("empty at the end", "b: c\na:\n", {"a": "x"}, "b: c\na: x\n"),
    ("empty and a list", "tags:\n", {"tags": ("a", "b")}, "tags: [a, b]\n"),
    ("null", "a: ~\n", {"a": "x"}, "a: x\n"),
    ("date plain", "updated: 2024-01-01 # c\n", {"updated": "2024-02-02"}, "updated: 2024-02-02 # c\n"),
    ("date in quotes", "updated: '2024-01-01'\n", {"updated": "2024-02-02"}, "updated: '2024-02-02'\n"),
    ("date added", "a: b\n", {"superseded_at": "2024-02-02"}, "a: b\nsuperseded_at: 2024-02-02\n"),
    (
        "a day that is none is a string",
        "updated: 2024-01-01\n",
        {"updated": "2024-02-31"},
        'updated: "2024-02-31"\n',
    ),
    ("a title like a date is a string", "title: x\n", {"title": "2024-02-02"}, 'title: "2024-02-02"\n'),
    ("add two in order", "a: b\n", {"z": "1 x", "c": "d"}, "a: b\nz: 1 x\nc: d\n"),
    ("add after comments", "a: b\n# end\n", {"c": "d"}, "a: b\n# end\nc: d\n"),
    ("add to nothing", "", {"c": "d"}, "c: d\n"),
    ("add to a comment", "# only\n", {"c": "d"}, "# only\nc: d\n"),
    ("add after a list", "a:\n  - b\n", {"c": "d"}, "a:\n  - b\nc: d\n"),
    ("add after a kept literal", "a: |+\n  b\n\n", {"c": "d"}, "a: |+\n  b\n\nc: d\n"),
    ("add indented", "  a: b\n", {"c": "d"}, "  a: b\n  c: d\n"),
    ("add a hostile key", "a: b\n", {"x: y\nz": "d"}, 'a: b\n"x: y\\nz": d\n'),
    ("add an empty list", "a: b\n", {"tags": ()}, "a: b\ntags: []\n"),
    ("remove", "a: b # c\nd: e\n", {"a": None}, "d: e\n"),
    ("remove the only one", "a: b\n", {"a": None}, ""),
    (
        "remove over several lines",
        "a: b\n  c\nd: |\n  e\n\n# f\ng: h\n",
        {"a": None, "d": None},
        "\n# f\ng: h\n",
    ),
    ("remove a list", "a:\n- b # c\n- d # e\nf: g\n", {"a": None}, "f: g\n"),
    ("remove a nested map", "a:\n  b:\n    c: d\n# f\ng: h\n", {"a": None}, "# f\ng: h\n"),
    ("remove what is empty", "a:\nb: c\n", {"a": None}, "b: c\n"),
    ("remove what is not there", "a: b\n", {"z": None}, "a: b\n"),
    ("the same value", "a: 'b'\ntags: [ x,y ]\n", {"a": "b", "tags": ("x", "y")}, "a: 'b'\ntags: [ x,y ]\n"),
    # lists
    ("flow, add", "tags: [a, b] # c\n", {"tags": ("a", "b", "d")}, "tags: [a, b, d] # c\n"),
    ("flow, tight", "tags: [a,b]\n", {"tags": ("a", "x", "b")}, "tags: [a,x,b]\n"),
    ("flow, padded", "tags: [ a, b ]\n", {"tags": ("x", "b")}, "tags: [ x, b ]\n"),
    ("flow, first", "tags: [a, b]\n", {"tags": ("x", "a", "b")}, "tags: [x, a, b]\n"),
    ("flow, drop first", "tags: [a, b, c]\n", {"tags": ("b", "c")}, "tags: [b, c]\n"),
    ("flow, drop middle", "tags: [a, b, c]\n", {"tags": ("a", "c")}, "tags: [a, c]\n"),
    ("flow, drop last", "tags: [a, b, c]\n", {"tags": ("a",)}, "tags: [a]\n"),
    ("flow, all", "tags: [a, b]\n", {"tags": ("x", "w", "z")}, "tags: [x, w, z]\n"),
    ("flow, to none", "tags: [a, b]\n", {"tags": ()}, "tags: []\n"),
    ("flow, from none", "tags: []\n", {"tags": ("a", "b")}, "tags: [a, b]\n"),
    ("flow, quoted", "tags: ['a', 'b']\n", {"tags": ("a", "c")}, "tags: ['a', 'c']\n"),
    ("flow, hostile", "tags: [a]\n", {"tags": ("a", "x, y]")}, 'tags: [a, "x, y]"]\n'),
    (
        "flow over lines",
        "tags: [\n  a, # one\n  b,\n]\n",
        {"tags": ("a", "b", "c")},
        "tags: [\n  a, # one\n  b, c,\n]\n",
    ),
    (
        "flow over lines, its commas",
        "t: [\n  a,\n  b\n]\n",
        {"t": ("a", "b", "c")},
        "t: [\n  a,\n  b,\n  c\n]\n",
    ),
    (
        "block, add",
        "tags:\n  - a\n  - b # c\nx: y\n",
        {"tags": ("a", "b", "d")},
        "tags:\n  - a\n  - b # c\n  - d\nx: y\n",
    ),
    ("block, no indent", "tags:\n- a\n- b\n", {"tags": ("a", "c")}, "tags:\n- a\n- c\n"),
    ("block, wide", "tags:\n    -   a\n", {"tags": ("b", "c")}, "tags:\n    -   b\n    -   c\n"),
    ("block, first", "tags:\n  # k\n  - a\n", {"tags": ("x", "a")}, "tags:\n  # k\n  - x\n  - a\n"),
    ("block, middle", "tags:\n- a # 1\n# 2\n- b\n- c\n", {"tags": ("a", "c")}, "tags:\n- a # 1\n# 2\n- c\n"),
    ("block, quoted", 'tags:\n  - "a"\n', {"tags": ("a", "b")}, 'tags:\n  - "a"\n  - "b"\n'),
    ("block, to none", "tags: # t\n  - a\n  - b\nx: y\n", {"tags": ()}, "tags: [] # t\nx: y\n"),
    ("block, to a string", "tags:\n- a\n- b\nx: y\n", {"tags": "z"}, "tags: z\nx: y\n"),
    ("block, with an empty item", "tags:\n  -\n  - b\n", {"tags": ("a", "b")}, "tags:\n  - a\n  - b\n"),
    ("a map becomes a list", "a:\n  b: c\n  d: e\nf: g\n", {"a": ("x",)}, "a: [x]\nf: g\n"),
    ("a string becomes a list", "tags: a # c\n", {"tags": ("a", "b")}, "tags: [a, b] # c\n"),
    ("a list becomes a string", "tags: [a, b] # c\n", {"tags": "a"}, "tags: a # c\n"),
    # a block that is one flow map
    ("root flow, set", "{a: b, c: [d]}\n", {"a": "x", "c": ("d", "e")}, "{a: x, c: [d, e]}\n"),
    ("root flow, JSON", '{"a":"b","c":1}\n', {"a": "x", "c": "w"}, '{"a":"x","c": w}\n'),
    ("root flow, add", "{a: b}\n", {"c": "d, e"}, '{a: b, c: "d, e"}\n'),
    ("root flow, add to none", "{}\n", {"c": "d"}, "{c: d}\n"),
    ("root flow, add after a comma", "{a: b,}\n", {"c": "d"}, "{a: b, c: d,}\n"),
    ("root flow, empty value", "{a, b: }\n", {"a": "x", "b": "w"}, "{a: x, b: w }\n"),
    ("root flow, remove first", "{a: b, c: d}\n", {"a": None}, "{c: d}\n"),
    ("root flow, remove last", "{a: b, c: d}\n", {"c": None}, "{a: b}\n"),
    ("root flow, remove two at the end", "{a: b, c: d, e: f }\n", {"c": None, "e": None}, "{a: b }\n"),
    ("root flow, remove around", "{a: b, c: d, e: f}\n", {"a": None, "c": "x", "e": None}, "{c: x}\n"),
    ("root flow, remove all of three", "{a: b, c: d, e: f}\n", {"a": None, "c": None, "e": None}, "{}\n"),
    ("root flow, remove and add", "{a: b}\n", {"a": None, "c": "d"}, "{c: d}\n"),
    ("root flow, remove last and add", "{a: b, c: d}\n", {"c": None, "e": "f"}, "{a: b, e: f}\n"),
    ("remove all and add", "  a: b\n  c: d\n", {"a": None, "x": "v", "c": None}, "  x: v\n"),
    ("root flow, remove all", "{a: b,}\n", {"a": None}, "{}\n"),
]


@pytest.mark.parametrize("shell", ["lf", "crlf", "bom", "no final newline", "dots"])
@pytest.mark.parametrize(("before", "changes", "after"), [e[1:] for e in EDITS], ids=[e[0] for e in EDITS])
def test_an_edit_changes_the_named_fields_alone(
    before: str, changes: dict[str, object], after: str, shell: str
) -> None:
    def note(text: str) -> bytes:
        whole = f"---\n{text}---\n\nBody  \n--- \nä\n"
        if shell == "crlf":
            return whole.replace("\n", "\r\n").encode()
        if shell == "bom":
            return b"\xef\xbb\xbf" + whole.encode()
        if shell == "dots":
            return f"---\n{text}...\nbody".encode()
        return f"---\n{text}---".encode() if shell == "no final newline" else whole.encode()

    assert edit(note(before), changes) == note(after)  # type: ignore[arg-type]


def test_the_parser_without_libyaml_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.notes.yaml_block._LOADER", yaml.BaseLoader)
    for _, before, changes, after in EDITS:
        if "\t#" in before:
            continue  # a tab before a comment is beyond it
        assert edit(f"---\n{before}---\n".encode(), changes) == f"---\n{after}---\n".encode()  # type: ignore[arg-type]
    assert "brackets" in read(b"---\n" + b"[" * 8_000 + b"\n---\n").problem


def test_an_added_line_takes_the_ending_of_its_neighbour() -> None:
    assert edit(b"---\na: b\r\nc: d\n---\r\n", {"e": "f"}) == b"---\na: b\r\nc: d\ne: f\n---\r\n"
    assert edit(b"---\nc: d\na: b\r\n---\n", {"e": "f"}) == b"---\nc: d\na: b\r\ne: f\r\n---\n"
    assert edit(b"---\r\n---\n", {"e": "f"}) == b"---\r\ne: f\r\n---\n"
    assert edit(b"---\ra: b\r---\r", {"e": "f"}) == b"---\ra: b\re: f\r---\r"
    assert edit(b"---\ntags:\r\n- a\r\n---\n", {"tags": ("a", "b")}) == b"---\ntags:\r\n- a\r\n- b\r\n---\n"


LOCKED = {
    "no frontmatter": b"text\n",
    "empty file": b"",
    "TOML": b"+++\na = 1\n+++\n",
    "duplicate key": b"---\na: b\na: c\n---\n",
    "duplicate key in other quotes": b"---\na: b\n'a': c\n---\n",
    "duplicate key below": b"---\nm:\n  a: b\n  a: c\n---\n",
    "anchor": b"---\na: &x b\n---\n",
    "alias": b"---\na: &x b\nc: *x\n---\n",
    "tag": b"---\na: !x b\n---\n",
    "tag on a list": b"---\na: !!set {b}\n---\n",
    "bare tag": b"---\na: ! b\n---\n",
    "merge key": b"---\na:\n  <<: {b: c}\n---\n",
    "line separator": "---\na: b\u2028c: d\n---\n".encode(),
    "next line": "---\na: 'b\u0085c'\n---\n".encode(),
    "BOM inside": "---\n\ufeffa: b\n---\n".encode(),
    "body is not UTF-8": b"---\na: b\n---\n\xff\n",
}


@pytest.mark.parametrize("data", [*LOCKED.values(), *BROKEN.values()], ids=[*LOCKED, *BROKEN])
def test_what_cannot_be_edited_safely_is_refused_with_one_sentence(data: bytes) -> None:
    with pytest.raises(EditRefused) as refused:
        edit(data, {"new": "x"})
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)
    assert why_locked(data) == str(refused.value)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("? a\n: b\n", {"a": None}),
        ("? a\n", {"a": "x"}),
        ("a: b\n", {"c": "\ud800"}),
        ("a: b\n", {"\ud800": "c"}),
        ("a: b\n", {"c": "x" * 17_000}),
        ("a: b\n", {"k" * 2_000: "x"}),
    ],
)
def test_a_change_that_cannot_be_made_safely_is_refused(text: str, changes: dict[str, str | None]) -> None:
    with pytest.raises(EditRefused) as refused:
        edit(f"---\n{text}---\n".encode(), changes)
    assert str(refused.value).endswith(".")


def test_a_value_under_an_explicit_key_can_be_set() -> None:
    assert edit(b"---\n? a\n: b\n---\n", {"a": "x", "c": "d"}) == b"---\n? a\n: x\nc: d\n---\n"


# --- properties -------------------------------------------------------------------------------------------


@given(st.one_of(ANY_TEXT, TRICKY_TEXT))
@SETTINGS
def test_a_scalar_reads_as_the_same_string_in_yaml_1_1_and_1_2(value: str) -> None:
    for text, flow in ((scalar(value), False), (scalar(value, flow=True), True)):
        document = f"[x, {text}, {{k: {text}, z: {text}}}]\n" if flow else f"{text}: z\nk: {text} # c\n"
        expected = ["x", value, {"k": value, "z": value}] if flow else {value: "z", "k": value}
        assume(value != "k")
        assert yaml.safe_load(document) == expected
        assert yaml.load(document, Loader=yaml.CSafeLoader) == expected
        assert ruamel_load(document) == expected


WORDS = [
    "yes",
    "No",
    "ON",
    "off",
    "y",
    "N",
    "true",
    "null",
    "~",
    "NULL",
    "",
    "1",
    "0x1f",
    "0o17",
    "0b1",
    "1_000",
    "1e3",
]
WORDS += [
    ".5",
    "-.inf",
    ".NaN",
    "12:30",
    "1:2:3",
    "2024-01-10",
    "2024-1-1",
    "2001-12-14 21:59:43.10 -5",
    "=",
    "<<",
    "+1",
]
WORDS += [
    "- a",
    "? a",
    ": a",
    "a: b",
    "a:",
    "a #b",
    "#a",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "'a",
    '"a',
    "%a",
    "@a",
    "`a",
    "---",
]


@pytest.mark.parametrize("value", WORDS)
def test_what_could_be_read_as_something_else_is_quoted(value: str) -> None:
    assert scalar(value)[0] == '"'
    assert yaml.safe_load(scalar(value)) == value == ruamel_load(scalar(value))


@pytest.mark.parametrize(
    "value", ["Run 5K under 25 minutes", "Переезд в Лиссабон", "1707912000-x.md", "it's", "a:b", "a#b"]
)
def test_ordinary_text_stays_plain(value: str) -> None:
    assert scalar(value) == value


PLAIN = (
    st.text("abcxyzäж😀 ", min_size=1, max_size=10)
    .map(str.strip)
    .filter(bool)
    .filter(lambda s: s.lower() not in "yn")
)
KEYS = st.sampled_from(["title", "tags", "type", "a", "b", "due", "ключ"])


@st.composite
def fields(draw: st.DrawFn) -> tuple[str, str]:
    """A key and the lines of its field."""
    key = draw(KEYS)
    comment = draw(st.sampled_from(["", "  # why", " # a: b", "\t# [x]"]))
    one, two = draw(PLAIN), draw(PLAIN)
    form = draw(
        st.sampled_from(
            [
                "{k}: {a}{c}\n",
                "{k}: '{a}'{c}\n",
                '{k}: "{a}"{c}\n',
                "{k}:   {a}{c}\n",
                "{k}:{c}\n",
                "{k}: 2024-01-10{c}\n",
                "{k}: '2024-01-10'{c}\n",
                "{k}: [{a}, '{b}']{c}\n",
                "{k}: []{c}\n",
                "{k}:{c}\n  - {a}{c}\n  # in between\n  - {b}\n",
                '{k}:\n- {a}\n- "{b}"{c}\n',
                "{k}: |{c}\n  {a}\n\n  # {b}\n",
                "{k}: >-\n  {a}\n   {b}\n\n",
                "{k}: {a}\n  {b}{c}\n",
                "{k}: '{a}\n\n  {b}'{c}\n",
                "{k}:{c}\n  title: {a}\n  a:\n    - {b}\n",
                "{k}: {{title: {a}, tags: [{b}]}}{c}\n",
                "'{k}': {a}{c}\n",
                "# title: {a}\n{k} : {b}{c}\n",
            ]
        )
    )
    return key, form.format(k=key, a=one, b=two, c=comment)


@st.composite
def notes(draw: st.DrawFn) -> tuple[bytes, dict[str, str]]:
    """A note, and the text of each of its fields."""
    made = dict(draw(st.lists(fields(), max_size=5)))
    body = draw(st.sampled_from(["", "\nBody\n", "\na\n---\nb: c\n---\n", "x"]))
    text = "---\n" + "".join(made.values()) + "---\n" + body
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
        made = {key: field.replace("\n", "\r\n") for key, field in made.items()}
    return draw(st.sampled_from(["", "\ufeff"])).encode() + text.encode(), made


VALUES = st.one_of(
    PLAIN,
    ANY_TEXT,
    TRICKY_TEXT,
    st.just("2024-05-06"),
    st.lists(st.one_of(PLAIN, TRICKY_TEXT), max_size=4).map(tuple),
)


@given(notes(), KEYS, st.one_of(st.none(), VALUES))
@SETTINGS
def test_an_accepted_edit_reads_back_and_leaves_every_other_byte(
    note: tuple[bytes, dict[str, str]], key: str, value: str | tuple[str, ...] | None
) -> None:
    data, made = note
    try:
        after = edit(data, {key: value})
    except EditRefused:
        assert why_locked(data) or value is None, "a note that can be edited refused a value"
        return
    expected = dict(read(data).fields)
    if value is None:
        expected.pop(key, None)
    else:
        expected[key] = value if isinstance(value, str) else list(value)
    found = read(after)
    assert list(found.fields.items()) == list(expected.items())
    position = 0
    for other, field in made.items():
        if other != key:
            position = after.index(field.encode(), position) + len(field.encode())
    assert after[found.body_start :] == data[read(data).body_start :]
    assert edit(after, {key: value}) == after
    if isinstance(value, str) and value != "2024-05-06" and read(data).fields.get(key) != value:
        text = after[: found.body_start].decode("utf-8-sig").replace("\r\n", "\n")
        assume("\t#" not in text)  # which ruamel.yaml does not read
        loaded = ruamel_load(text.removeprefix("---\n").removesuffix("---\n"))
        assert isinstance(loaded, dict)
        assert loaded[key] == value


@given(notes(), KEYS, st.one_of(PLAIN, TRICKY_TEXT))
@SETTINGS
def test_editing_back_restores_the_bytes_wherever_one_plain_or_quoted_value_stood(
    note: tuple[bytes, dict[str, str]], key: str, value: str
) -> None:
    data, made = note
    before = read(data).fields.get(key)
    if key not in made:
        before = None
    else:
        assume(isinstance(before, str) and before and "\n" not in made[key].strip())
        assume(key != "title" or before != "2024-01-10")  # a new title like a date is a string
        # Quotes that the new value needs hide whether the old ones were a choice.
        assume('"' not in made[key] or scalar(value) == value)
        assume("'" not in made[key] or quotable(value))
    after = edit(data, {key: value})
    assert edit(after, {key: before}) == data  # type: ignore[dict-item]


@given(st.lists(PLAIN, max_size=5), st.lists(PLAIN, max_size=5), st.booleans(), st.booleans())
@SETTINGS
def test_a_changed_list_keeps_its_style_and_can_be_changed_back(
    old: list[str], new: list[str], in_block: bool, indented: bool
) -> None:
    assume(old and new)
    indent = "  " if indented else ""
    text = "".join(f"\n{indent}- {item}" for item in old) if in_block else f" [{', '.join(old)}]"
    data = f"---\ntags:{text}\nx: y\n---\n".encode()
    after = edit(data, {"tags": tuple(new)})
    assert (b"[" in after) != in_block
    assert read(after).fields["tags"] == new
    assert edit(after, {"tags": tuple(old)}) == data


# --- a fresh block ----------------------------------------------------------------------------------------


def test_a_fresh_block_has_the_form_of_seed_004() -> None:
    made = block(
        {"title": "A: b", "tags": ("x", "y z"), "created": "2024-01-10", "description": "2024-01-10"}
    )
    assert made == '---\ntitle: "A: b"\ntags: [x, y z]\ncreated: 2024-01-10\ndescription: "2024-01-10"\n---\n'
    assert block({}) == "---\n---\n"
