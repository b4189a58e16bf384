"""Near-duplicates: how alike two notes read, by the words of their titles and summaries. Pure.

Words count by how rare they are among the texts compared, so that `Note 17 about tea` and `Note 18 about tea` are
not one note, and two forms of a word (`likes`, `liked`) count as the same.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

ALIKE = 70
"""Percent from which two texts are named as near-duplicates."""
_WORD = re.compile(r"\d+|[^\W\d_]+")
_RUN_TOGETHER = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts that are written without blanks between words, or with endings joined on: compared by letter pairs."""
_STEM = 5
"""Letters by which two forms of one word are the same word."""
_FEWEST = 2
"""Different words that a text must have to be compared at all."""
_CROWD = 50
"""Texts that may share a word before it is too common to lead from one to another."""
_NUMBER = 2.0
"""How much more a number counts than a word: `Note 17` is not `Note 18`."""

_ROUNDING = 1e-6
"""What sums of the same weights in another order may differ by."""


class Pair(NamedTuple):
    """Two texts that read alike."""

    one: str
    other: str
    """The one that comes first among those given."""
    score: int
    """Percent of their words that they have in common, by weight: 100 where they say the same."""


class Alike:
    """Texts by their keys (paths, or ids of proposals), to be asked for what reads like another one."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._words = {key: words_of(text) for key, text in texts.items()}
        self._spread = Counter(word for words in self._words.values() for word in words)
        self._rarity = {word: self._rare(word) for word in self._spread}
        self._weight = {key: self._weigh(words) for key, words in self._words.items()}
        self._bearing: dict[str, list[str]] = defaultdict(list)
        for key, words in self._words.items():
            for word in self._telling(words):
                self._bearing[word].append(key)

    def like(self, text: str, *, skip: Collection[str] = ()) -> tuple[tuple[str, int], ...]:
        """Keys of the texts that read like this one, each with its percent, the likest first."""
        scores = self._scores(words_of(text))
        found = [(key, score) for key, score in scores.items() if key not in skip]
        return tuple(sorted(found, key=lambda pair: -pair[1]))

    def pairs(self) -> tuple[Pair, ...]:
        """Every text with the likest of those before it, where there is one; in the order given."""
        found = []
        twins: dict[frozenset[str], str] = {}
        passed: set[str] = set()
        for key, words in self._words.items():
            if len(words) < _FEWEST:
                continue
            if (twin := twins.setdefault(words, key)) != key:
                found.append(Pair(key, twin, 100))
                continue
            scores = self._scores(words, passed)
            passed.add(key)
            if scores:
                other = max(scores, key=lambda other: scores[other])
                found.append(Pair(key, other, scores[other]))
        return tuple(found)

    def _scores(self, words: frozenset[str], among: Collection[str] | None = None) -> dict[str, int]:
        """What is alike enough, with its percent; `among` None looks at every text."""
        if len(words) < _FEWEST:
            return {}
        weight = self._weigh(words)
        near = dict.fromkeys(
            key
            for word in self._telling(words)
            if len(bearing := self._bearing.get(word, ())) <= _CROWD
            for key in bearing
            if among is None or key in among
        )
        scores = {}
        for key in near:
            shared = self._weigh(words & self._words[key])
            if (score := int(200 * shared / (weight + self._weight[key]) + _ROUNDING)) >= ALIKE:
                scores[key] = score
        return scores

    def _weigh(self, words: Iterable[str]) -> float:
        return sum(self._rarity.get(word) or self._rare(word) for word in words)

    def _rare(self, word: str) -> float:
        """How much a word tells: more, the fewer texts have it."""
        rarity = math.log(1 + (len(self._words) + 1) / (self._spread[word] + 1))
        return _NUMBER * rarity if word.isdecimal() else rarity

    def _telling(self, words: frozenset[str]) -> list[str]:
        """The rarest words; a text alike enough has one of them too, since more weight than may differ is in them."""
        ranked = sorted(words, key=lambda word: (self._spread[word], word))
        spare = self._weigh(words) * (1 - ALIKE / (200 - ALIKE))
        telling = []
        for word in ranked:
            telling.append(word)
            spare -= self._rarity.get(word) or self._rare(word)
            if spare < 0:
                break
        return telling


def words_of(text: str) -> frozenset[str]:
    """What a text is compared by: its words without case, each by its first letters; letter pairs of some scripts."""
    found: set[str] = set()
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _RUN_TOGETHER.search(word) and len(word) > 1:
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        else:
            found.add(word if word.isdecimal() else word[:_STEM])
    return frozenset(found)
