"""Which texts read alike: forms of one word, word order, rare and common words, every script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.proposals.alike import ALIKE, Alike

NOTES = {
    "run": "Run 5K under 25 minutes",
    "diet": "Vegetarian since 2019",
    "move": "Moved to Lisbon in spring",
    "кот": "У Лины есть серый кот",
    "猫": "リナは灰色の猫を飼っている",
}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("run 5k UNDER 25 minutes!", "run"),
        ("Runs 5K under 25 minutes", "run"),
        ("Under 25 minutes: run 5K", "run"),
        ("Is vegetarian since 2019", "diet"),
        ("In spring moved to Lisbon", "move"),
        ("Есть у Лины серый котик", "кот"),
        ("リナは灰色の猫を飼う", "猫"),
    ],
)
def test_another_wording_is_alike(text: str, key: str) -> None:
    [(found, score), *_] = Alike(NOTES).like(text)
    assert found == key
    assert ALIKE <= score <= 100


@pytest.mark.parametrize(
    "text", ["Vegetarian since 2020", "Run a marathon", "Moved house", "", "Lisbon", "🦊 🦊"]
)
def test_another_matter_is_not(text: str) -> None:
    assert Alike(NOTES).like(text) == ()


def test_what_is_left_out_is_not_named() -> None:
    assert Alike(NOTES).like(NOTES["run"]) == (("run", 100),)
    assert Alike(NOTES).like(NOTES["run"], skip=("run",)) == ()


def test_common_words_do_not_make_a_series_alike() -> None:
    assert Alike({str(n): f"Something about tea, note {n}" for n in range(100)}).pairs() == ()


def test_each_text_is_paired_with_the_likest_before_it() -> None:
    found = Alike(
        {"a": "one two three", "b": "three two one", "c": "four five six", "d": "one two three"}
    ).pairs()
    assert found == (("b", "a", 100), ("d", "a", 100))


@given(st.lists(st.text("abc 19äи猫", max_size=12), max_size=8))
@settings(max_examples=200, deadline=None)
def test_every_pair_is_alike_both_ways(texts: list[str]) -> None:
    named = {str(number): text for number, text in enumerate(texts)}
    alike = Alike(named)
    for one, other, score in alike.pairs():
        assert int(other) < int(one)
        assert (other, score) in alike.like(named[one])
        assert (one, score) in alike.like(named[other])
