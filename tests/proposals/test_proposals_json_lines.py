"""A JSON file is screened as what it says: line breaks are line breaks, and a field ends where it ends."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.proposals.json_lines import json_lines


def lines(value: object) -> dict[str, str] | None:
    return json_lines(json.dumps(value).encode())


def test_each_field_is_a_text_of_its_own_with_its_name() -> None:
    assert lines({"content": "pass: 14/20\n", "agent": "me", "n": 12.50, "no": None}) == {
        "content": "content: pass: 14/20\n",
        "agent": "agent: me",
        "n": "n: 12.5",
        "no": "no: ",
    }


def test_what_belongs_together_stays_together() -> None:
    assert lines({"x": {"name": "password", "value": ["a", {"b": 1}]}}) == {
        "x": "x:\nname: password\nvalue:\n- a\n-\nb: 1"
    }


def test_numbers_and_names_that_are_given_twice_are_as_they_were_written() -> None:
    assert json_lines(b'{"pin": 0.10, "a": 1e400, "a": NaN}') == {"pin": "pin: 0.10", "a": "a: 1e400\na: NaN"}


def test_members_of_a_batch_are_told_apart() -> None:
    assert lines({"proposals": [{"path": "a"}, {"path": "b"}, "odd"], "agent": "me"}) == {
        "proposals.1.path": "path: a",
        "proposals.2.path": "path: b",
        "proposals.3.": ": odd",
        "agent": "agent: me",
    }
    assert lines({"proposals": {"path": "a"}}) == {"proposals": "proposals:\npath: a"}


def test_very_many_fields_are_one_text() -> None:
    found = lines({f"f{number}": number for number in range(1000)})
    assert found is not None
    assert list(found) == [""]
    assert found[""].startswith("f0: 0\n\nf1: 1\n\n")


@pytest.mark.parametrize(
    "data",
    [b"", b"[1]", b'"x"', b'{"a": 1} trailing', b"\xff{}", b"[" * 100_000, b'{"a":' * 50_000, b"{'a': 1}"],
)
def test_what_is_no_json_object_is_left_to_be_screened_as_it_is(data: bytes) -> None:
    assert json_lines(data) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(value=st.dictionaries(st.text(), JSON))
def test_every_text_of_the_file_is_in_it(value: dict[str, object]) -> None:
    def texts(part: object) -> list[str]:
        if isinstance(part, dict):
            return [*part, *(text for each in part.values() for text in texts(each))]
        if isinstance(part, list):
            return [text for each in part for text in texts(each)]
        return [part] if isinstance(part, str) else []

    found = lines(value)
    assert found is not None
    whole = "\n".join([*found, *found.values()])
    assert all(text.rstrip() in whole for text in texts(value))
