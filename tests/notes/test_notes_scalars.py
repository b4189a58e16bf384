"""A value is written so that readers of YAML 1.1 and 1.2 read the same string back."""

from __future__ import annotations

import io

import pytest
import ruamel.yaml
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memtui.notes.frontmatter import scalar

SETTINGS = settings(max_examples=200, deadline=None)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TRICKY_TEXT = st.text(
    "ab019 .:-+_#'\"[]{},&*!|>%@`~=<?\\\t\n\r\u00a0\u0085\u2028\ufeffйxoeEnNyYtT", max_size=12
)


def ruamel_load(text: str) -> object:
    return ruamel.yaml.YAML(typ="safe", pure=True).load(io.StringIO(text))


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
