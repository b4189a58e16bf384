"""Views of a text: the same words with a disguise taken off, so that rules for plain text see through it.

A secret that is percent-encoded, spelled in full-width letters, in base64, cut by zero-width characters or wrapped
over lines would pass a scan of the raw text (seed 000 scans before the gate). Every disguise is one function
(`view_folds.py`, `view_decoders.py`, `view_shapes.py`) that looks for traces of it before it does any work;
here they are put one over the other, bounded in depth, number and size.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate

from memtui.gate.view_sources import ROTATED, Edit, Reach, Traced, WorkedOut, places_of
from memtui.gate.watch import Watch, keep, watch_of

MAX_VIEWED = 4 << 20
"""Characters of text that is looked at without its disguises; beyond it only as it stands."""
MAX_LAYERS = 5
"""Disguises put one over the other that are taken off."""
MAX_SHAPES = 3
"""Changes of a text's shape (lines joined, reversed, …) put one over the other."""
MAX_VIEWS = 60
LEAST = 6
"""Characters of the shortest text that could hide something."""
AS_THEY_STAND, BACKWARDS, MOVED = WAYS = range(3)
"""How words are read."""
LONG = 15
"""Characters from which a word is long: tokens are."""
_ALL_DIGITS = bytes(48 if chr(code) in "0123456789" else 32 for code in range(256))
_TINY, _SMALL = 400, 8192
"""Characters of a text that is soon looked through: by each of them, and at all."""
_FEW = 24
"""Words that are quicker looked for one by one."""
_WIDE = 4096
"""Characters of the longest word that is taken by itself."""
_LONG = re.compile(rf"[!-~]{{{LONG},}}")


class View(Traced):
    """One view: what its text is made of."""

    @WorkedOut
    def lowered(self) -> str:
        """The text in lower case, as long: `İ` alone would become two."""
        if self.parent is not None and self.backwards:
            return self.parent.lowered[::-1]
        lowered = self.text.lower()
        return lowered if len(lowered) == len(self.text) else self.text.translate(_ASCII_LOWER)

    @WorkedOut
    def characters(self) -> frozenset[str]:
        """Every character of the text, and perhaps some that it has not: what is missing here, it has not."""
        if self.parent is not None and (self.backwards or (self.edits and len(self.text) > _SMALL)):
            return self.parent.characters.union("".join([edit.text for edit in self.edits or ()]))
        if len(self.text) < _TINY:
            return frozenset(self.text)
        rest = self.text.encode("utf-8", "surrogatepass").translate(None, _COMMONEST)
        return frozenset(rest.decode("utf-8", "surrogatepass")).union(_COMMONEST.decode())

    @WorkedOut
    def plain_bytes(self) -> bytes:
        """The text a byte a character: `?` for what Latin-1 has not."""
        if self.parent is not None and self.backwards:
            return self.parent.plain_bytes[::-1]
        return self.text.encode("latin-1", "replace")

    @WorkedOut
    def outline(self) -> bytes:
        """The text a byte a character: `0` for what may be a digit, `x`, `a` for other letters, a blank, a comma for
        signs between numbers, `!` for all else.
        """
        if self.parent is not None and self.backwards:
            return self.parent.outline[::-1]
        return self.plain_bytes.translate(_OUTLINE)

    def has_digits(self, count: int) -> bool:
        """Whether so many digits may follow each other, with nothing but blanks and dashes between them."""
        return b"0" * count in self._digits or (
            not self.text.isascii()
            and any(each.isdecimal() for each in self.characters if not each.isascii())
        )

    @WorkedOut
    def _digits(self) -> bytes:
        return self.plain_bytes.translate(_ALL_DIGITS, b" -")

    @property
    def read(self) -> tuple[View, int]:
        """The view whose words these are, and how they are read: from their end, with their letters moved.

        Not kept: a view that held itself would stay in memory, where nothing collects such rings.
        """
        if self.parent is not None and self.backwards:
            return self.parent, BACKWARDS
        if self.parent is not None and self.name == ROTATED:
            return self.parent, MOVED
        return self, AS_THEY_STAND

    @WorkedOut
    def words(self) -> set[str]:
        """The different words of the text; of one that was made from another those in which something was replaced,
        where they are few (`is_partly_known`).
        """
        fresh = self._fresh
        return set(self._words) if fresh is None else fresh

    @WorkedOut
    def hashes(self) -> set[int]:
        """Those of `words`, by which what is known of them is looked up."""
        return set(map(hash, self.words))

    @property
    def is_partly_known(self) -> bool:
        """Whether what `words` leaves out are the words of the text that it was made from."""
        return self._fresh is not None

    @WorkedOut
    def _fresh(self) -> set[str] | None:
        """The words in which something was replaced; None where all of them are soon looked at."""
        text, parent = self.text, self.parent
        if parent is None or not self.edits or 2 * len(text) < len(parent.text):
            return None
        spans, done, left = [], 0, len(text) // 2
        for at, edit in zip(places_of(self.edits), self.edits, strict=True):
            end = at + len(edit.text)
            start = max(text.rfind(" ", done, at), text.rfind("\n", done, at), done)
            ends = [found for sign in " \n" if (found := text.find(sign, end, end + _WIDE)) >= 0]
            if not ends and end + _WIDE < len(text):
                return None
            done = min(ends, default=len(text))
            spans.append(text[start:done])
            left -= done - start
            if left < 0:
                return None
        return set("\n".join(spans).split())

    @WorkedOut
    def rows(self) -> list[str]:
        """The text's lines, without their ends."""
        return self.text.split("\n")

    @WorkedOut
    def long_words(self) -> Mapping[int, str]:
        """Those of `words` that have `LONG` and more characters, by their hashes."""
        return {hash(word): word for word in self.words if len(word) >= LONG}

    @WorkedOut
    def all_long_words(self) -> Mapping[int, str]:
        """The words of `LONG` and more characters by their hashes, and perhaps some that the text has not."""
        if self.parent is None or not self.is_partly_known:
            return self.long_words
        return {**self.parent.all_long_words, **self.long_words}

    @WorkedOut
    def _words(self) -> list[str]:
        return self.text.split()

    def _long_places(self, held: Set[int]) -> list[tuple[int, str]]:
        """Where each of the words stands whose hashes are among these, in order."""
        text, wanted = self.text, [word for key in held if (word := self.all_long_words.get(key))]
        if len(wanted) > _FEW:
            return [(at, word) for at, word in self._all_long_places if hash(word) in held]
        found = []
        for word in wanted:
            at, end = text.find(word), len(word)
            while at >= 0:
                if not text[at - 1 : at].strip() and not text[at + end : at + end + 1].strip():
                    found.append((at, word))
                at = text.find(word, at + end)
        return sorted(found)

    @WorkedOut
    def _all_long_places(self) -> list[tuple[int, str]]:
        """The words of `LONG` and more characters, and where each begins."""
        found, at, find = [], 0, self.text.index
        for word in [word for word in self._words if len(word) >= LONG]:
            at = find(word, at)
            found.append((at, word))
            at += len(word)
        return found

    def long_runs(self, held: Set[int]) -> list[tuple[int, str, int]]:
        """Each run of `LONG` and more visible ASCII characters, its offset, and its word's hash, where that is
        among these (of the words as they are read from).
        """
        source, way = self.read
        if not held:
            return []
        runs = [
            (at + match.start(), match[0], hash(word))
            for at, word in source._long_places(held)
            for match in _LONG.finditer(word)
        ]
        if way == BACKWARDS:
            length = len(self.text)
            return [(length - at - len(run), run[::-1], key) for at, run, key in reversed(runs)]
        if way == MOVED:
            return [(at, self.text[at : at + len(run)], key) for at, run, key in runs]
        return runs

    def places(self, cue: str) -> list[int]:
        """Where a text in lower case stands in the view's, in order."""
        found: dict[str, list[int]] = self.known.setdefault(View.places, {})
        if cue not in found:
            found[cue] = list(_every(cue, self.lowered))
        return found[cue]


def _every(cue: str, text: str) -> Iterator[int]:
    at = text.find(cue)
    while at >= 0:
        yield at
        at = text.find(cue, at + 1)


class LongWords:
    """Words of a text set in lines, and where they come from."""

    def __init__(self, runs: Sequence[tuple[int, str, int]]) -> None:
        self.text = "\n".join(run for _, run, _ in runs)
        self.lowered = self.text.lower()
        self._starts = list(accumulate((len(run) + 1 for _, run, _ in runs), initial=0))
        self._sources = [start for start, _, _ in runs]

    def places(self, cue: str) -> Iterator[int]:
        """Where a text in lower case stands in them, in order."""
        return _every(cue, self.lowered)

    def offset(self, at: int) -> int:
        """The offset in the view's text of what stands at `at` here."""
        number = min(bisect_right(self._starts, at), len(self._sources)) - 1
        return self._sources[number] + at - self._starts[number]


def _outlined(letter: str) -> str:
    if letter in "0123456789abcdefABCDEF":
        return "0"
    if letter in "xX":
        return "x"
    if letter in " \t\r\n,:;.|/_-":
        return " " if letter.isspace() else ","
    return "a" if letter.isascii() and letter.isalpha() else "!"


_OUTLINE = "".join(_outlined(chr(code)) for code in range(256)).encode("ascii")
_COMMONEST = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n"
_ROTATED = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    b"NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm",
)


def rotated(text: str) -> str:
    """The text with its letters moved by half an alphabet."""
    return text.encode("utf-8", "surrogatepass").translate(_ROTATED).decode("utf-8", "surrogatepass")


_ASCII_LOWER = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}


def edited(
    name: str,
    parent: View,
    edits: Iterable[Edit],
    reach: Reach = Reach.LINES,
    exact: Callable[[], Sequence[Edit]] | None = None,
) -> View | None:
    """A view of `parent` with stretches replaced; None where nothing changes."""
    kept = [edit for edit in watch_of(parent).over(edits) if parent.text[edit.start : edit.end] != edit.text]
    if not kept:
        return None
    parts: list[str] = []
    at = 0
    for edit in kept:
        parts += (parent.text[at : edit.start], edit.text)
        at = edit.end
    text = "".join((*parts, parent.text[at:]))
    return View(name, text, parent, kept, exact, reach=max(reach, parent.reach))


def views(text: str, watch: Watch | None = None) -> Iterator[View]:
    """The text as it stands, then each view that shows something else, every one once.

    Where a disguise lies over parts of a long text alone, only those are shown without it, and what is near.
    Raises: TakesTooLong, where a watch says so.
    """
    whole = View("as it stands", text)
    if watch is not None:
        keep(whole, watch)
    yield whole
    if LEAST <= len(text) <= MAX_VIEWED:
        from memtui.gate.view_walk import Unveiling  # the first text waits for the disguises, not the start

        yield from Unveiling(text).of(whole, MAX_SHAPES)
