"""Seed phrases are known by their checksum, whatever stands around them; words of their list alone are none."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

import memtui.gate
from memtui.gate.rules_seeds import LENGTHS, is_phrase
from memtui.gate.secrets import find
from memtui.gate.seed_names import named_at
from memtui.gate.views import View

LIST = Path(memtui.gate.__file__).with_name("seed_words.txt").read_text("ascii").split()
VECTORS = (
    "abandon " * 11 + "about",
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
    "zoo " * 11 + "wrong",
    "abandon " * 17 + "agent",
    "legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal will",
    "abandon " * 23 + "art",
    "hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple"
    " dilemma loan word shrug inflict delay length",
    "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic",
)


def drawn(length: int, seed: int) -> list[str]:
    """A phrase with its checksum."""
    bits = length * 11 * 32 // 33
    data = random.Random(seed).randbytes(bits // 8)
    value = int.from_bytes(data, "big") << bits // 32 | hashlib.sha256(data).digest()[0] >> (8 - bits // 32)
    return [LIST[value >> 11 * at & 2047] for at in reversed(range(length))]


def wrong(length: int, seed: int) -> list[str]:
    """As many words without one."""
    words = drawn(length, seed)
    return next(other for last in LIST if not is_phrase(other := [*words[:-1], last]))


def rules(text: str) -> set[str]:
    return {each.rule for each in find(text)}


@pytest.mark.parametrize("phrase", VECTORS)
def test_what_the_standard_gives_is_found(phrase: str) -> None:
    assert is_phrase(phrase.split())
    assert rules(f"ledger: {phrase}") == {"seed phrase"}


def numbered(words: list[str]) -> str:
    return "\n".join(f"{number}. {word}" for number, word in enumerate(words, 1))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    "around", ["{}", "ledger: {}", "back up of the ledger is {} ok", "keep these {} somewhere", "({})."]
)
def test_one_is_found_whatever_stands_around_it(length: int, around: str) -> None:
    words = drawn(length, length)
    for written in (" ".join(words), ", ".join(words), "\n".join(words), " ".join(words).upper()):
        assert rules(around.format(written)) == {"seed phrase"}


@pytest.mark.parametrize("length", LENGTHS)
def test_one_with_numbers_and_lines_is_found(length: int) -> None:
    words = drawn(length, 40 + length)
    assert rules(f"From the drawer\n\n{numbered(words)}\n") == {"seed phrase"}
    assert rules(" ".join(f"{number}. {word}" for number, word in enumerate(words, 1))) == {"seed phrase"}


def test_two_on_lines_of_their_own_are_found() -> None:
    assert rules(f"{' '.join(drawn(12, 1))}\n{' '.join(drawn(12, 2))}") == {"seed phrase"}


@pytest.mark.parametrize("length", LENGTHS)
def test_words_of_the_list_without_a_checksum_are_left_alone(length: int) -> None:
    words = wrong(length, 90 + length)
    assert rules(f"Vocabulary: {', '.join(words)}") == set()
    assert rules(" ".join(words)) == set()


@pytest.mark.parametrize(
    "name", ["seed phrase", "Mnemonic", "Recovery phrase", "my wallet", "the 24 words", "twenty-four words"]
)
def test_they_are_found_where_a_word_names_them(name: str) -> None:
    assert rules(f"{name}: {' '.join(wrong(12, 7))}") == {"seed phrase"}


def test_a_list_in_the_order_of_the_alphabet_is_none() -> None:
    assert rules(f"Vocabulary: {', '.join(LIST[:12])}") == set()
    for at in range(0, 400, 24):
        assert rules(" ".join(LIST[at : at + 24])) == set()
    assert rules("\n".join(LIST)) == set()


@pytest.mark.parametrize(
    "name",
    ["seed", "mnemonic", "wallet", "frase", "пароль: сид", "мнемоника", "助记词", "Wiederherstellungswörter"]
    + [f"{kind}{sign}{what}" for kind in ("recovery", "secret", "wallet", "backup", "pass") for sign in " -"
       for what in ("phrase", "words")]
    + [f"{count}{sign}words" for count in ("12", "15", "18", "21", "24", "twelve", "twenty-four") for sign in " -"],
)  # fmt: skip
def test_every_name_is_told_by_a_cue_also_in_a_long_text_with_a_line_for_each_word(name: str) -> None:
    words = wrong(12, 5)
    assert list(named_at(View("as it stands", f"my {name}: ...")))
    prose = "We went to the market and had a long talk on the way.\n" * 200
    for shape in (" ".join(words), "\n".join(words), numbered(words)):
        assert rules(f"{prose}\nMy {name}: {shape}\n\n{prose}") == {"seed phrase"}


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("by", [" ", ", ", " - ", "\n", "\n> ", "\r\n* ", "|", "/", "·"])
def test_a_phrase_anywhere_in_a_long_text_is_found(length: int, by: str) -> None:
    prose = "Gestern gingen wir über den Markt; Käse, Öl und Brot für später.\n" * 150
    for seed in range(6):
        phrase = by.join(drawn(length, seed)).title() if seed % 2 else by.join(drawn(length, seed))
        at = random.Random(seed).randrange(len(prose))
        assert "seed phrase" in rules(f"{prose[:at]}. {phrase}. {prose[at:]}")
