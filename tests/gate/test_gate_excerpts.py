"""Long texts: a disguise that lies over a part of them comes off there, and no gate before the work hides one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.gate.secrets import find, redact
from memtui.gate.view_decoders import number_lists
from memtui.gate.view_excerpts import FAR, NEAR, SHORT, brief, excerpt
from memtui.gate.view_gaps import _APART, _SIGNS, _spelled, close_up
from memtui.gate.view_layers import _INSIDE, drop_markup
from memtui.gate.view_sources import Edit
from memtui.gate.views import View, edited, views
from tests.benchmarks.disguises import DISGUISES
from tests.benchmarks.ordinary_texts import DENSE, PLAIN
from tests.benchmarks.secret_kinds import KINDS

AMONG = ("lists with links", "chat with emoji", "Python", "log lines", "URLs with percent-escapes")


@pytest.mark.parametrize("disguise", DISGUISES)
def test_every_disguise_is_seen_through_in_a_long_text(disguise: str) -> None:
    """Each in another of these texts in turn."""
    among = AMONG[list(DISGUISES).index(disguise) % len(AMONG)]
    chosen = random.Random(f"{disguise} {among}")
    hidden = DISGUISES[disguise](KINDS["GitHub token"](chosen), chosen)
    around = {**PLAIN, **DENSE}[among]()
    half = around.find("\n", chosen.randrange(5000, 40_000)) + 1
    text = f"{around[:half]}\n{hidden}\n\n{around[half:]}"
    first = text.count("\n", 0, half) + 1
    last = first + hidden.count("\n") + 2
    assert any(first <= each.last and each.first <= last for each in find(text))


@pytest.mark.parametrize(
    "junk", ["%", "&#", "x: y\n", "`a`b ", "12 34 56 ", "QUJD\n", '"a" + ', "é ", "\u200b\n"]
)
def test_junk_around_hides_nothing(junk: str) -> None:
    token = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    padding = junk * (50_000 // len(junk))
    for hidden in (token, "".join(f"%{ord(each):02X}" for each in token), token[::-1]):
        assert find(f"{padding}\n\n{hidden}\n\n{padding}")


def _long(paragraph: str, count: int = 200) -> str:
    return "\n\n".join(f"{paragraph} {number}" for number in range(count))


def test_what_stands_far_from_a_few_edits_is_left_out_of_a_view() -> None:
    text = _long("A paragraph of some words that say nothing much, and then some more of them")
    at = text.index("words", len(text) // 2)
    whole = View("as it stands", text)
    view = edited("one word", whole, [Edit(at, at + 5, "signs")])
    assert view is not None
    short = brief(view)
    assert len(short.text) < 2 * FAR
    place = short.text.index("signs")
    assert text[at - NEAR : at] in short.text
    assert short.raw(place, place + 5) == (at, at + 5)
    assert short.line(place) == whole.line(at)
    last = short.text.rindex("words")
    assert text[slice(*short.raw(last, last + 5))] == "words"


def test_many_edits_leave_a_view_whole() -> None:
    whole = View("as it stands", _long("Every paragraph has a word"))
    view = edited("all", whole, [Edit(at, at + 1, "W") for at, each in enumerate(whole.text) if each == "w"])
    assert view is not None
    assert brief(view) is view
    assert excerpt(whole, [(edit.start, edit.end) for edit in view.edits or ()]) is whole


def test_a_word_without_end_is_not_cut() -> None:
    text = "a" * 10_000 + "%41" + "b" * 10_000 + " c" * 30_000
    assert len(text) > SHORT
    assert any("a" * 10_000 + "A" + "b" * 10_000 in view.text for view in views(text))


@pytest.mark.parametrize("words", [0, 3, 6])
def test_a_value_some_words_after_a_disguised_name_is_found(words: int) -> None:
    around = _long("Calls every Sunday, and the visits are easier when they are short. Plans ahead")
    told = f"the p&#97;ssword {'for a thing ' * (words // 3)}is h0rse-Battery9"
    half = around.index("\n\n", len(around) // 2) + 2
    found = find(f"{around[:half]}{told}\n\n{around[half:]}")
    assert [each.value for each in found] == ["h0rse-Battery9"]


def test_a_key_is_covered_to_its_end_where_only_its_first_line_is_disguised() -> None:
    chosen = random.Random("a key")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    body = "\n".join("".join(chosen.choices(letters, k=64)) for _ in range(25))
    key = f"&#45;----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    around = _long("Calls every Sunday, and the visits are easier when they are short. Plans ahead")
    shown = redact(f"{around}\n\n{key}\n\n{around}")
    assert not any(line in shown for line in body.split("\n"))


# --- a gate before the work lets everything through that the work would find ------------------------


@settings(max_examples=200, deadline=None)
@given(st.text("a1 .,`*~<>b\n-(", max_size=40))
def test_no_mark_inside_of_a_word_is_passed_over(text: str) -> None:
    if len(list(_INSIDE.finditer(text))) >= 3:
        assert drop_markup(View("as it stands", text)) is not None


@settings(max_examples=200, deadline=None)
@given(st.text("ab1Z", min_size=8, max_size=12), st.sampled_from([each for each in _SIGNS if each != "\n"]))
def test_letters_apart_are_drawn_together(word: str, sign: str) -> None:
    text = f"say: {sign.join(word)}\nand so on"
    spelled = any(edit.text for edit in _spelled(text, sign))
    assert len(word) >= _APART
    assert (close_up(View("as it stands", text)) is not None) == spelled


@settings(max_examples=100, deadline=None)
@given(
    st.text("abcdefgh 12", min_size=8, max_size=20),
    st.sampled_from([" ", ", ", ":", "-", "\n", ",\n", " 0x", ", 0x"]),
    st.sampled_from(["x", "d"]),
)
def test_lists_of_codes_are_read(word: str, sign: str, kind: str) -> None:
    codes = [format(ord(each), kind).zfill(2) for each in word]
    if kind == "d":
        sign = sign.replace("0x", "")
    read = edited("codes", whole := View("as it stands", f"see: {sign.join(codes)}."), number_lists(whole))
    assert sum(map(str.isalnum, word)) < 4 or (read is not None and word in read.text)
