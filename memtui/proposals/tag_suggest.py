"""Which known tags fit a text, and which may mean the same as a new one, each with the reason.

These are guesses: the person picks (SPEC.md section 3, tag picking).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memtui.notes import index, tags
from memtui.proposals.model import NewTag

SUGGESTED = 5
_WORD = re.compile(r"\w{3,}")
_STEM = 5
"""Letters that two words must share at their start to count as one stem."""
_ENDINGS = ("ings", "ing", "ers", "ies", "er", "ed", "es", "s", "y")
_SHORTEST = 3
"""Letters that a word keeps without its ending."""
_SHARED = 2
"""Words, or entries, that must be shared before two things count as similar."""
_NO_WORDS_APART = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts that are written without blanks between words, or with endings joined on."""
_EMPTY_WORDS = (
    "about after again all also and another any are because been before being both but can could did does "
    "doing down during each even every few for from further had has have having her here him his how into its "
    "itself just like made make many may more most much must name not now off one only other our out over own "
    "same say says she should since some still such than that the their them then there these they things this "
    "those through too two under until upon very was way were what when where which while who whom why will "
    "with without would you your"
)
_SKIPPED = frozenset(_EMPTY_WORDS.split())


def suggest(
    text: tuple[str, str, str],
    dictionary: tags.TagDictionary,
    entries: index.Index,
    skip: Sequence[str] = (),
) -> tuple[tuple[str, str], ...]:
    """Known tags that fit, best first, each with the reason: its words in the text, or similar entries.

    `text` is title, body and conversation context.
    """
    places = [
        (part.casefold(), _Words.of(part), weight, name)
        for part, weight, name in zip(text, (6, 4, 4), ("title", "body", "context"), strict=True)
    ]
    everything = _Words.of(" ".join(text))
    scores: Counter[str] = Counter()
    reasons: dict[str, list[str]] = defaultdict(list)
    for name, tag in dictionary.tags.items():
        for whole, words, weight, place in places:
            if _is_named(name, whole, words):
                scores[name] += weight
                reasons[name].append(f"named in the {place}")
        if shared := everything.shared(tag.description):
            scores[name] += 2 * len(shared)
            reasons[name].append(f"its description says {', '.join(sorted(shared)[:2])}")
    for entry in entries.entries:
        shared = everything.shared(f"{entry.title} {entry.hook}")
        if len(shared) >= _SHARED:
            for name in dict.fromkeys(map(tags.normalise, entry.tags)):
                if name in dictionary.tags:
                    scores[name] += len(shared)
                    reasons[name].append(f"used by “{entry.title}”")
    ranked = sorted((name for name in scores if name not in skip), key=lambda name: (-scores[name], name))
    return tuple((name, "; ".join([*dict.fromkeys(reasons[name])][:3])) for name in ranked[:SUGGESTED])


def like_meaning(
    new: NewTag, descriptions: Mapping[str, str], entries: index.Index
) -> Iterator[tuple[str, str]]:
    """Known tags that a new one may mean the same as: on the same entries, or described alike."""
    bearing = [set(map(tags.normalise, entry.tags)) for entry in entries.entries]
    own = [names for names in bearing if new.tag in names]
    described = _Words.of(new.description)
    for name, description in descriptions.items():
        together = sum(1 for names in own if name in names)
        if together >= _SHARED:
            either = len(own) + sum(1 for names in bearing if name in names) - together
            if 2 * together >= either:
                yield name, f"on the same {together} entries"
                continue
        if len(described.shared(description)) >= _SHARED:
            yield name, "described alike"


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text that carry meaning, and their stems."""

    words: frozenset[str]
    stems: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Words:
        words = _words(text)
        return cls(words, frozenset(stem for word in words for stem in _stems(word)))

    def shared(self, text: str) -> set[str]:
        """Words of `text` that stand here, or share a stem with one that does."""
        return {
            word
            for word in _words(text)
            if word in self.words or any(stem in self.stems for stem in _stems(word))
        }


def _is_named(name: str, whole: str, words: _Words) -> bool:
    """Whether a text names a tag: one of its words, or the tag itself where a script runs words together."""
    if _NO_WORDS_APART.search(name):
        return len(name) > 1 and name.casefold() in whole
    spaced = name.replace("-", " ")
    if not _words(spaced):
        return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", whole) is not None
    return bool(words.shared(spaced))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _SKIPPED


def _stems(word: str) -> tuple[str, ...]:
    """What two forms of one word have in common: their first letters, or all but a usual ending."""
    bare = word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            bare = word[: -len(ending)]
            break
    if len(bare) > _SHORTEST and bare[-1] == bare[-2]:
        bare = bare[:-1]
    stems = (f"{bare}-", f"{tags.without_ending(word)}-")
    return (*stems, word[:_STEM]) if len(word) >= _STEM else stems
