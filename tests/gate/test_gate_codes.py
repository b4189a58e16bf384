"""Lists of character codes: read up to what is none of them, and long runs of digits looked at once."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.gate.view_decoders import number_lists
from memtui.gate.views import View, views

TEA = "green tea, no sugar"
SEPARATORS = (" ", ", ", ":", "\n", "  ")


def _read(text: str) -> list[str]:
    return [edit.text for edit in number_lists(View("as it stands", text))]


def _written(form: str, separator: str = " ") -> str:
    return separator.join(f"{ord(each):{form}}" for each in TEA)


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("form", ["08b", "d", "02x"])
@pytest.mark.parametrize("after", ["", "\n", " x", ", 111111111", " 010000011 1", " 0100000x"])
def test_what_follows_a_list_hides_none_of_it(form: str, separator: str, after: str) -> None:
    assert any(TEA in plain for plain in _read(f"say\n\n{_written(form, separator)}{after}"))


@pytest.mark.parametrize(
    "before", ["1:1:1: ", "111111111, ", "0101 ", "01000001 01000001 010000011 ", "1" * 90 + " "]
)
def test_what_stands_before_a_list_hides_none_of_it(before: str) -> None:
    assert any(TEA in plain for plain in _read(before + _written("08b")))


@pytest.mark.parametrize("form", ["08b", "07b"])
def test_bits_in_one_word_are_read(form: str) -> None:
    bits = _written(form, "")
    shown = _read(f"say {bits} so")
    assert (shown == [TEA]) == (len(bits) % 8 == 0 and form == "08b")


@settings(max_examples=200, deadline=None)
@given(
    st.text("01 ,:\nx2", max_size=30),
    st.text("abcdefgh ,", min_size=6, max_size=12).filter(lambda word: sum(map(str.isalpha, word)) >= 4),
    st.text("01 ,:\nx2", max_size=30),
)
def test_bits_are_read_among_any_digits(before: str, word: str, after: str) -> None:
    bits = " ".join(f"{ord(each):08b}" for each in word)
    assert any(word in plain for plain in _read(f"{before} x {bits} x {after}"))


def _steps(text: str) -> tuple[int, int]:
    """Times that lists were looked for at a place, and how often at most at the same one."""
    places: Counter[tuple[str, int]] = Counter()

    def watch(frame: FrameType, event: str, called: object) -> None:
        is_match = event == "c_call" and getattr(called, "__name__", "") == "match"
        if is_match and frame.f_code.co_name == "_written":
            places[frame.f_locals["codes"].whole, frame.f_locals["at"]] += 1

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        _read(text)
    finally:
        sys.setprofile(before)
    return places.total(), max(places.values(), default=0)


RUNS = (
    "1",
    "10",
    "1\n",
    "1:",
    "1, ",
    "01000001",
    "0100000 ",
    "11111111 111111111 ",
    "41 ",
    "65, ",
    "0x41,",
    "=41",
)


@pytest.mark.parametrize("end", ["", "1\n", "x"])
@pytest.mark.parametrize("unit", RUNS)
def test_no_place_of_a_long_run_is_looked_at_again_and_again(unit: str, end: str) -> None:
    text = unit * (8000 // len(unit)) + end
    total, most = _steps(text)
    assert most <= 6
    assert total <= 2 * len(text)


@pytest.mark.parametrize("end", ["", "1\n", "x"])
@pytest.mark.parametrize("unit", ["1", "1:", "1, ", "1\n", "11111111 111111111 "])
def test_numbers_that_spell_nothing_stay_as_they_are(unit: str, end: str) -> None:
    text = unit * (64_000 // len(unit)) + end
    assert "character codes" not in {view.name for view in views(text)}
