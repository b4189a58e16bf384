"""Frontmatter is read as strings, whatever the bytes, and what cannot be edited safely is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes.frontmatter import EditRefused, Value, block, edit, read, why_locked

SETTINGS = settings(max_examples=200, deadline=None)


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
    "TOML": b"+++\na = \n+++\n",
    "TOML that is not UTF-8": b"+++\na = '\xff'\n+++\n",
    "TOML too deep": b"+++\na = " + b"[" * 9_000 + b"\n+++\n",
    "tab": b"---\na:\n\t- b\n---\n",
    "directive": b"---\n%YAML 1.2\na: b\n---\n",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_broken_frontmatter_says_why_and_is_never_edited(data: bytes) -> None:
    found = read(data)
    assert (found.kind, dict(found.fields)) == ("broken", {})
    assert found.problem
    assert "\n" not in found.problem
    assert not found.problem.endswith(".")
    with pytest.raises(EditRefused) as refused:
        edit(data, {"new": "x"})
    assert str(refused.value) == f"The frontmatter cannot be read, because {found.problem}."


def test_bombs_are_refused() -> None:
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
        read(data)
        with pytest.raises(EditRefused):
            edit(data, {"new": None if text == keys else "x", "k1": "\ud800"})


@given(st.binary(max_size=200))
@SETTINGS
def test_reading_never_raises(data: bytes) -> None:
    for whole in (data, b"---\n" + data + b"\n---\n", b"+++\n" + data + b"\n+++\n"):
        found = read(whole)
        assert 0 <= found.body_start <= len(whole)
        why_locked(whole)


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


@pytest.mark.parametrize("data", LOCKED.values(), ids=LOCKED)
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
        ("a: [b, # why\n  c, d]\n", {"a": ("d",)}),
        ("a: [b, # why\n  c, d]\n", {"a": ()}),
    ],
)
def test_a_change_that_cannot_be_made_safely_is_refused(text: str, changes: dict[str, Value | None]) -> None:
    with pytest.raises(EditRefused) as refused:
        edit(f"---\n{text}---\n".encode(), changes)
    assert str(refused.value).endswith(".")


def test_a_value_under_an_explicit_key_can_be_set() -> None:
    assert edit(b"---\n? a\n: b\n---\n", {"a": "x", "c": "d"}) == b"---\n? a\n: x\nc: d\n---\n"


def test_a_fresh_block_has_the_form_of_seed_004() -> None:
    made = block(
        {"title": "A: b", "tags": ("x", "y z"), "created": "2024-01-10", "description": "2024-01-10"}
    )
    assert made == '---\ntitle: "A: b"\ntags: [x, y z]\ncreated: 2024-01-10\ndescription: "2024-01-10"\n---\n'
    assert block({}) == "---\n---\n"
