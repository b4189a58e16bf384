"""Which rules a text could hold anything for: those whose cues stand in it, told from its words.

Most words of a text are words of every other, and of its other views. What is known of them is kept, under their
hashes and never the words themselves, so that a text is not searched for each of some hundred cues. A text from
its end to its beginning, and one whose letters were moved, have no words of their own: they are looked at in those
that they were made from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from memtui.gate.rule import Rule
from memtui.gate.views import AS_THEY_STAND, BACKWARDS, LONG, MOVED, WAYS, LongWords, View, rotated
from memtui.gate.watch import watch_of

MOST_TRIED = 400_000
"""Places in all views of a text at which rules are tried. A text with more is a secret as a whole: some ten times
as many as the longest documentation has.
"""
TOO_MUCH = "more than can be screened"
"""The name that this is found under."""
_MOST = 100_000
"""Words of which something is known in each way of reading them, before all is forgotten."""
_Trait: TypeAlias = tuple[int, str]
"""A rule's number and the cue that speaks for it, "" where its pattern itself was tried."""


_Held: TypeAlias = tuple[set[_Trait], set[int]]


class Cues:
    """The cues of some rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._always = tuple(n for n, rule in enumerate(self._rules) if not (rule.cues or rule.solid))
        loose: defaultdict[str, list[_Trait]] = defaultdict(list)
        solid: defaultdict[str, list[_Trait]] = defaultdict(list)
        for number, rule in enumerate(self._rules):
            for cue in rule.cues:
                (solid if rule.solid else loose)[max(cue.split(), key=len)].append((number, cue))
        tried = {n: rule for n, rule in enumerate(self._rules) if rule.solid and not rule.cues}
        self._loose = [_Known(self._rules, loose, {}, way) for way in WAYS]
        self._solid = [_Known(self._rules, solid, tried, way, LONG) for way in WAYS]

    def find(self, view: View) -> Iterator[tuple[str, int, int]]:
        """Name, start and end of what each rule finds that could find something, in the order of the rules.

        Raises: TakesTooLong.
        """
        loose = _traits(self._loose, view)[0]
        solid, held = _traits(self._solid, view)
        long_words = LongWords(view.long_runs(held)) if solid else None
        watch = watch_of(view)
        for number, cues in self._by_number(loose | solid):
            watch.look()
            rule = self._rules[number]
            words = long_words if rule.solid else None
            if not rule.applies(view):
                continue
            if words is None and _tried(view, sum(len(view.places(cue)) for cue in cues)) > MOST_TRIED:
                yield TOO_MUCH, 0, len(view.text)
                return
            for start, end in rule.find(view, [cue for cue in rule.cues if cue in cues], words):
                yield rule.name, start, end

    def _by_number(self, traits: set[_Trait]) -> list[tuple[int, set[str]]]:
        cues: defaultdict[int, set[str]] = defaultdict(set)
        for number in self._always:
            cues[number] = set()
        for number, cue in traits:
            cues[number].add(cue)
        return sorted(cues.items())


def _traits(known: Sequence[_Known], view: View, way: int = AS_THEY_STAND) -> _Held:
    """What the words of a view hold, of that which it was made from too; and the hashes of its own that hold it.

    A long word that stands in both was looked at there, but what begins with a short one may go on behind it. Where
    words are read the other way round, they were not looked at in this way before: those of both are told.
    """
    if way == AS_THEY_STAND:
        view, way = view.read
    found, held = known[way].of(view)
    if view.parent is None or not view.is_partly_known:
        return found, held
    more, of_parent = _traits(known, view.parent, way)
    return found | more, held if way == AS_THEY_STAND else held | of_parent


def _tried(view: View, places: int) -> int:
    """At how many places rules were tried in all views of a text so far."""
    known = view.whole.known
    known[_tried] = count = known.get(_tried, 0) + places
    return int(count)


class _Known:
    """What is known of words in one way of reading them."""

    def __init__(
        self,
        rules: Sequence[Rule],
        cues: Mapping[str, Sequence[_Trait]],
        tried: Mapping[int, Rule],
        way: int,
        least: int = 1,
    ) -> None:
        """`least`: characters of the shortest word that could hold anything."""
        self._rules, self._cues, self._way, self._least = rules, cues, way, least
        self._tried = {number: (_beginning(rule.pattern), rule) for number, rule in tried.items()}
        self._plain: set[int] = set()
        """Hashes of the words that hold nothing."""
        self._traits: dict[int, Sequence[_Trait]] = {}
        """What others hold."""

    def of(self, view: View) -> _Held:
        """What any word of a view holds, and the hashes of those that hold something: of one that is partly known
        the words in which something was replaced.
        """
        if (done := view.known.get(self)) is not None:
            known: _Held = done
            return known
        if len(self._plain) + len(self._traits) > _MOST:
            self._plain, self._traits = set(), {}  # others may still look into the old ones
        plain, traits = self._plain, self._traits
        words = view.words if self._least == 1 else view.long_words.values()
        held = (view.hashes if self._least == 1 else view.long_words.keys()) - plain
        if fresh := held - traits.keys():
            self._learn({each: word for word in words if (each := hash(word)) in fresh}, plain, traits)
            held -= plain
        view.known[self] = result = set[_Trait]().union(*[traits[each] for each in held]), held
        return result

    def _learn(self, words: Mapping[int, str], plain: set[int], traits: dict[int, Sequence[_Trait]]) -> None:
        """What words hold is known before any is taken for plain: another thread may ask meanwhile."""
        turned = {each: _turned(word, self._way) for each, word in words.items() if len(word) >= self._least}
        text = "\n".join(turned.values())
        lowered = text.lower()
        letters = set(lowered)
        cues = [cue for cue in self._cues if letters.issuperset(cue) and cue in lowered]
        tried = [(n, rule) for n, (begin, rule) in self._tried.items() if begin in text and rule.is_in(text)]
        for each, word in turned.items():
            low = word.lower() if cues else ""
            found = [
                trait
                for cue in cues
                if cue in low
                for trait in self._cues[cue]
                if self._rules[trait[0]].is_spelled(word)
            ]
            found += [(number, "") for number, rule in tried if rule.is_in(word)] if tried else ()
            if found:
                traits[each] = found
        plain |= words.keys() - traits.keys()


def _beginning(pattern: str) -> str:
    """The letters with which every match of a pattern begins, as far as that is easily told."""
    match = None if "|" in pattern else re.match(r"[A-Za-z0-9_-]+(?=\[)", pattern)
    return match[0] if match else ""


def _turned(word: str, way: int) -> str:
    return word[::-1] if way == BACKWARDS else rotated(word) if way == MOVED else word
