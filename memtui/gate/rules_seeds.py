"""Seed phrases: words of BIP 39 whose checksum holds, wherever they stand, or that the words around them name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from memtui.gate.rule import Rule
from memtui.gate.seed_names import CUES, NAMES
from memtui.gate.view_sources import Reach
from memtui.gate.views import View

LENGTHS = (12, 15, 18, 21, 24)
"""Words that a phrase has."""
_SLACK = 3
"""Words of the list that may stand before and after a phrase by chance, all together."""
_BITS = 11
"""Bits that a word stands for."""
_ELECTRUM = ("01", "100", "101", "102")
"""How the hash of a phrase begins by which a wallet of another kind knows its own; of the same words, as a rule."""


@cache
def _numbers() -> dict[str, int]:
    """The 2,048 English words of BIP 39, each with its number."""
    words = Path(__file__).with_name("seed_words.txt").read_text("ascii").split()
    return {word: number for number, word in enumerate(words)}


def is_phrase(words: Sequence[str]) -> bool:
    """Whether so many words of the list, in small letters, end in their checksum."""
    import hashlib  # both are hardly ever needed
    import hmac

    if len(words) not in LENGTHS or _is_a_list(words):
        return False
    numbers = _numbers()
    value, bits = 0, len(words) * _BITS
    for word in words:
        if word not in numbers:
            return False
        value = value << _BITS | numbers[word]
    check = bits // 33
    drawn = (value >> check).to_bytes((bits - check) // 8, "big")
    if hashlib.sha256(drawn).digest()[0] >> (8 - check) == value & ((1 << check) - 1):
        return True
    seed = hmac.new(b"Seed version", " ".join(words).encode("ascii"), "sha512").hexdigest()
    return len(words) in (12, 24) and seed.startswith(_ELECTRUM)


def _is_a_list(words: Sequence[str]) -> bool:
    """Whether words stand in the order of the alphabet, as in a list of words and never in a phrase."""
    return all(one < next_ for one, next_ in pairwise(words))


_WORD = r"[A-Za-z]{3,8}(?![A-Za-z])"
_NUMBER = r"(?:[0-9]{1,2}[.):]?[ \t]{1,3})?"
_PART = rf"(?:[ \t,;|/·-]{{1,4}}(?:\r?\n[ \t>*+|-]{{0,8}})?|\r?\n[ \t>*+|-]{{0,8}}){_NUMBER}"


def _runs(text: str) -> Iterator[list[tuple[str, int]]]:
    """Words of the list that follow each other, each with the number of its line."""
    known, run = _numbers(), list[tuple[str, int]]()
    for line, row in enumerate(text.split("\n")):
        for word in re.findall(r"[a-z]+", row.lower()):
            if word in known:
                run.append((word, line))
            elif run:
                yield run
                run = []
    if run:
        yield run


_LETTERS = bytes(ord(chr(n).lower()) if chr(n).isalpha() else ord(" ") for n in range(128)) + b" " * 128
"""Small ASCII letters for letters, blanks for all else."""


def _where(view: View) -> Iterator[tuple[int, int]]:
    """Start and end of as many words of the list in a row as a phrase has: quicker than the pattern."""
    known, least, done = _known_bytes(), LENGTHS[0], 0
    text = view.plain_bytes.translate(_LETTERS)
    words = text.split()
    places: list[tuple[int, int]] = []
    for at in range(least - 1, len(words), least):  # of so many in a row, one stands here
        if at < done or words[at] not in known:
            continue
        start = done = at
        while start and words[start - 1] in known:
            start -= 1
        while done < len(words) and words[done] in known:
            done += 1
        if done - start >= least:
            places = places or [match.span() for match in re.finditer(rb"\S+", text)]
            yield places[start][0], places[done - 1][1]


@cache
def _known_bytes() -> frozenset[bytes]:
    return frozenset(word.encode("ascii") for word in _numbers())


def _is_named(match: re.Match[str]) -> bool:
    """Whether 12 words in a row are of the list, and it is no list of such words."""
    runs = ([word for word, _ in run] for run in _runs(match["value"]))
    return any(len(run) >= LENGTHS[0] and not _is_a_list(run) for run in runs)


def _holds_phrase(match: re.Match[str]) -> bool:
    """Whether words end in their checksum: all of the list that follow each other, give or take a few, or a line's."""
    return any(
        is_phrase(words) for run in _runs(match["value"]) if len(run) >= LENGTHS[0] for words in _parts(run)
    )


def _parts(run: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """What may be a phrase in words of the list that follow each other."""
    words = [word for word, _ in run]
    for length in LENGTHS:
        if length <= len(words) <= length + _SLACK:
            yield from (words[at : at + length] for at in range(len(words) - length + 1))
    rows: dict[int, list[str]] = {}
    for word, line in run:
        rows.setdefault(line, []).append(word)
    if len(rows) > 1:
        yield from (row for row in rows.values() if len(row) in LENGTHS)


SEEDS: tuple[Rule, ...] = (
    Rule(
        "seed phrase",
        CUES,
        rf"(?i:{NAMES})[^\n.!?]{{0,60}}?"
        rf"[\"'`*_:：\s([-]{{1,12}}{_NUMBER}(?P<value>{_WORD}(?:{_PART}{_WORD}){{11,27}}+)",
        _is_named,
        reach=Reach.JOINED,
        far=1200,
    ),
    Rule(
        "seed phrase",
        (),
        rf"(?<![A-Za-z])(?P<value>{_WORD}(?:{_PART}{_WORD}){{11,}}+)",
        _holds_phrase,
        where=_where,
    ),
)
