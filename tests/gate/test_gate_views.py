"""Views: each takes one disguise off, keeps the line numbers, and none grows without bound."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.gate.views import MAX_VIEWED, views


def test_the_text_as_it_stands_comes_first() -> None:
    assert [view.text for view in views("plain words")] == ["plain words"]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("\uff48\uff49", "hi"),
        ("h\u200bi", "hi"),
        ("\U000e0068\U000e0069", "hi"),
        ("&#104;&#x69;", "hi"),
        ("&amp;#104;i", "hi"),
        ("%68%2569", "hi"),
        ("\\u0068\\x69", "hi"),
        ("%26%2335%3B%26%23104%3B", "#h"),
    ],
)
def test_disguises_come_off(text: str, bare: str) -> None:
    assert list(views(text))[-1].text == bare


def test_lines_keep_their_numbers() -> None:
    text = "one\n%0Atwo &#10; \\n\nthree"
    for view in views(text):
        assert view.line(view.text.index("three")) == 3


def test_joined_lines_know_where_they_began() -> None:
    joined = list(views("- ab\n  - cd\n\n> ef  \n12. gh"))[-1]
    assert joined.joined
    assert joined.text == "abcdefgh"
    assert [joined.line(offset) for offset in range(8)] == [1, 1, 2, 2, 4, 4, 5, 5]
    assert [joined.end_of_line(number) for number in range(1, 6)] == [2, 4, 4, 6, 8]


def test_a_text_beyond_the_bound_is_left_as_it_stands() -> None:
    assert len(list(views("%41" * MAX_VIEWED))) == 1


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_every_line_of_every_view_is_a_line_of_the_text(text: str) -> None:
    last = text.count("\n") + 1
    for view in views(text):
        assert all(1 <= view.line(offset) <= last for offset in range(len(view.text)))
