"""What is made to keep the screen busy: it is bounded, and what cannot be told apart is a secret as a whole."""

from __future__ import annotations

import base64
import gzip
import itertools

import pytest

from memtui.gate.cues import MOST_TRIED, TOO_MUCH
from memtui.gate.rule import is_placeholder, is_random, is_second, is_slug, is_strong, reads_as_words
from memtui.gate.secrets import BUILT_IN, MOST, cover, find, redact
from memtui.gate.view_decoders import ALL_INFLATED, LEAST_INFLATED, decoded_runs
from memtui.gate.view_shapes import JOINED
from memtui.gate.views import View, views
from memtui.gate.watch import Watch

TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"


def test_a_text_with_very_many_secrets_is_one_as_a_whole() -> None:
    text = "\n".join(f"password=Xk{number}#pq91v" for number in range(MOST + 5)) + "\nthe end"
    found = find(text)
    assert found[-1].rule == TOO_MUCH
    assert len(found) < 100
    assert "Xk" not in redact(text)
    assert "end" not in redact(text)
    assert not any(letter.isalnum() for letter in cover(text))


def test_with_fewer_each_is_told() -> None:
    text = "\n".join(f"password=Xk{number}#pq91v" for number in range(MOST // 2)) + "\nthe end"
    assert len(find(text)) == MOST // 2
    assert redact(text).endswith("the end")


def test_a_text_in_which_rules_could_look_everywhere_is_one_as_a_whole() -> None:
    assert [each.rule for each in find("password " * (MOST_TRIED // 4))] == [TOO_MUCH]


def test_what_compressed_runs_hold_is_bounded_together_and_the_last_is_read() -> None:
    bombs = [base64.b64encode(gzip.compress(f"{n} ".encode() * 90_000)).decode() for n in range(1000, 1030)]
    last = base64.b64encode(gzip.compress(f"a note: {TOKEN}".encode())).decode()
    whole = View("as it stands", "\n\n".join((*bombs, last)))
    edits = decoded_runs(whole)
    assert len(edits) == len(bombs) + 1
    assert sum(len(edit.text) for edit in edits) <= ALL_INFLATED + LEAST_INFLATED * len(edits)
    assert TOKEN in edits[-1].text


def test_what_was_cut_is_not_remembered_as_empty() -> None:
    bombs = [base64.b64encode(gzip.compress(f"{n} ".encode() * 90_000)).decode() for n in range(2000, 2030)]
    long = base64.b64encode(gzip.compress(("é" * 3000 + TOKEN).encode())).decode()
    decoded_runs(View("as it stands", "\n\n".join((*bombs, long))))
    [edit] = decoded_runs(View("as it stands", f"x {long}"))
    assert TOKEN in edit.text


PROSE = "We walked along the river until it was dark,\nand then we took the last bus home again.\n" * 80


def test_lines_of_ordinary_prose_are_not_joined() -> None:
    assert JOINED not in [view.name for view in views(PROSE)]


@pytest.mark.parametrize("at", [6, 11, 20, 30, 38])
@pytest.mark.parametrize("between", ["\n", "\n> ", "\n- ", " \\\n  "])
def test_a_token_that_was_cut_in_it_is_found(at: int, between: str) -> None:
    text = f"{PROSE}{TOKEN[:at]}{between}{TOKEN[at:]}\n{PROSE}"
    assert any(TOKEN in each.value for each in find(text))


def test_what_stands_backwards_is_read_where_letters_elsewhere_were_plain_ones_made() -> None:
    told = "the wifi password is Xk4#pq91v"
    text = f"{PROSE}\n\nA café.\n\n{told[::-1]}\n\n{PROSE}"
    assert any("Xk4#pq91v" in each.value for each in find(text))


@pytest.mark.parametrize("distance", [200, 900, 5000])
def test_a_word_and_its_disguised_value_are_seen_together_or_apart(distance: int) -> None:
    filler = "word " * (distance // 5)
    text = f"{PROSE}\n\n{filler}the password is X%6B4%23pq91v {filler}\n\n{PROSE}"
    assert any("Xk4#pq91v" in each.value for each in find(text))


def looks(count: int) -> Watch:
    """A watch that lets a text be looked at for so many looks at the clock."""
    return Watch(itertools.count().__next__, count)


def test_a_text_that_takes_too_long_is_a_secret_as_a_whole() -> None:
    text = f"{PROSE}\npassword=Xk4#pq91v"
    assert [each.rule for each in find(text, BUILT_IN, looks(10**6))] != [TOO_MUCH]
    found = find(text, BUILT_IN, looks(5))
    assert found[-1].rule == TOO_MUCH
    assert found[-1].raw == (0, len(text))


def test_what_was_found_in_time_is_still_told() -> None:
    text = "password=Xk4#pq91v " + "a%2541b " * 2000
    rules = [each.rule for each in find(text, BUILT_IN, looks(20))]
    assert rules == ["password or key in an assignment", TOO_MUCH]


@pytest.mark.parametrize(
    "text",
    [
        "password " * 5000,
        "%2541 " * 5000,
        "&#97; " * 5000,
        "\\x61 " * 5000,
        " ".join(f"{number:032x}" for number in range(10**9, 10**9 + 3000)),
        "\n\n".join(base64.b64encode(f"{n}".encode() * 20).decode() for n in range(3000)),
    ],
)
def test_the_clock_is_looked_at_within_one_view_of_it(text: str) -> None:
    seen = itertools.count()
    find(text, BUILT_IN, Watch(seen.__next__, 10**9))
    few = itertools.count()
    find(text[:40], BUILT_IN, Watch(few.__next__, 10**9))
    assert next(seen) > next(few) + len(text.split()) // 100


@pytest.mark.parametrize("part", ["3f-eb", "ab", "a-", "aB", "aaaa.", "1,", "/a", "a/", "a=", "[x", "a1_"])
def test_no_long_value_is_read_in_very_many_ways(part: str) -> None:
    value = part * 400
    for end in ("!", "1!A", "#Xk4", "-"):
        for told in (is_slug, is_second, is_placeholder, is_strong, is_random, reads_as_words):
            told(f"{value}{end}")
        find(f"disk key: {value}{end}\npassword is {value}{end}\n")
