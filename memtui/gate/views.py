"""Views of a text: the same words with a disguise taken off, so that rules for plain text see through it.

A secret that is percent-encoded, spelled in full-width letters, in base64, cut by zero-width characters or wrapped
over lines would pass a scan of the raw text (seed 000 scans before the gate). Every disguise is one function
(`view_folds.py`, `view_decoders.py`, `view_shapes.py`) that looks for traces of it before it does any work;
here they are put one over the other, bounded in depth, number and size.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

MAX_VIEWED = 4 << 20
"""Characters of text that is looked at without its disguises; beyond it only as it stands."""
MAX_LAYERS = 5
"""Disguises put one over the other that are taken off."""
MAX_SHAPES = 3
"""Changes of a text's shape (lines joined, reversed, …) put one over the other."""
MAX_VIEWS = 60
LEAST = 6
"""Characters of the shortest text that could hide something."""
ROTATED = "rot13"
AS_THEY_STAND, BACKWARDS, MOVED = WAYS = range(3)
"""How words are read."""
_DEEP = 12
"""Characters of a stretch that is no single sign."""
LONG = 15
"""Characters from which a word is long: tokens are."""
_ALL_DIGITS = bytes(48 if chr(code) in "0123456789" else 32 for code in range(256))
_TINY, _SMALL = 400, 8192
"""Characters of a text that is soon looked through: by each of them, and at all."""
_LONG = re.compile(rf"[!-~]{{{LONG},}}")


class Reach(IntEnum):
    """How far a text was run together, and how sure of itself a rule must be to apply there."""

    LINES = 0
    """Lines as they are."""
    JOINED = 1
    """Lines run together."""
    BARE = 2
    """Words run together too."""


class Edit(NamedTuple):
    """A stretch of a text and what it is replaced by."""

    start: int
    end: int
    text: str


_Value = TypeVar("_Value")


class WorkedOut(Generic[_Value]):
    """A property that is worked out once, as `functools.cached_property`, whose lock costs more than most of these."""

    def __init__(self, work_out: Callable[[View], _Value]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __get__(self, view: View | None, _: type[View]) -> _Value:
        assert view is not None
        value = view.__dict__[self._work_out.__name__] = self._work_out(view)
        return value


@dataclass(frozen=True, eq=False)
class View:
    """One view. `joined`: lines or words were run together, so only rules that are sure of themselves apply."""

    name: str
    text: str
    parent: View | None = None
    """The view that it was made from; None: the text as it stands."""
    edits: Sequence[Edit] | None = None
    """What was replaced in the parent's text, in order; None: line for line the parent's."""
    exact: Callable[[], Sequence[Edit]] | None = None
    """The same in smaller pieces, which are only told apart where something is found."""
    backwards: bool = False
    """The parent's text from its end to its beginning."""
    reach: Reach = Reach.LINES
    """What a rule must reach to apply here."""

    @property
    def joined(self) -> bool:
        return self.reach > Reach.LINES

    @property
    def veiled(self) -> bool:
        """Whether it shows something other than the text as it stands."""
        return self.parent is not None

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last line of the raw text, 1-based, that make up these offsets of the view."""
        start, end = self.raw(start, end)
        whole = self.whole
        return whole._line(start), whole._line(max(end - 1, start))

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the text as it stands that make up these offsets of the view."""
        view = self
        while view.parent is not None:
            start, end = view.source(start, end)
            view = view.parent
        return start, end

    @property
    def whole(self) -> View:
        """The text as it stands."""
        view = self
        while view.parent is not None:
            view = view.parent
        return view

    def line(self, offset: int) -> int:
        """The line of the raw text, 1-based, that stands at this offset of the view."""
        return self.lines(offset, offset + 1)[0]

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the parent's text that make up these offsets of the view."""
        if self.parent is None:
            return start, end
        if self.backwards:
            return len(self.text) - end, len(self.text) - start
        if self.edits is None and len(self.text) == len(self.parent.text):  # letter for letter
            return start, end
        if self.edits is None:
            return self.parent._extent(self._line(start), self._line(max(end - 1, start)))
        first, _ = self._before_edit(start)
        return first, max(self._before_edit(max(end - 1, start))[1], first)

    def _before_edit(self, offset: int) -> tuple[int, int]:
        """Start and end in the parent's text of the character at an offset, or of the edit that made it."""
        edits = self._edits
        number = bisect_right(self._edited, offset) - 1
        if number < 0:
            return offset, offset + 1
        edit = edits[number]
        after = offset - self._edited[number] - len(edit.text)
        return (edit.start, edit.end) if after < 0 else (edit.end + after, edit.end + after + 1)

    def _line(self, offset: int) -> int:
        return bisect_right(self._breaks, offset - 1) + 1

    def _extent(self, first: int, last: int) -> tuple[int, int]:
        """Where some lines of the view's own begin and end."""
        breaks = self._breaks
        return breaks[first - 2] + 1 if first > 1 else 0, breaks[last - 1] if last <= len(breaks) else len(
            self.text
        )

    def is_after(self, name: str) -> bool:
        """Whether it was made, at first or second hand, by what has that name."""
        return self.name == name or (self.parent is not None and self.parent.is_after(name))

    @property
    def is_deep(self) -> bool:
        """Whether more than a sign here and there was replaced."""
        return any(edit.end - edit.start >= _DEEP for edit in self.edits or ())

    @WorkedOut
    def is_turned(self) -> bool:
        """Whether its letters are not the text's own or in another order: shapes without a word say nothing."""
        return self.is_after(ROTATED) or self.is_after("reversed")

    @WorkedOut
    def _breaks(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    @WorkedOut
    def _edits(self) -> Sequence[Edit]:
        return self.exact() if self.exact else self.edits or ()

    @WorkedOut
    def _edited(self) -> list[int]:
        """The offset in the view's text at which each edit stands."""
        edits = self._edits
        grown = accumulate((len(edit.text) - (edit.end - edit.start) for edit in edits), initial=0)
        return [edit.start + by for edit, by in zip(edits, grown, strict=False)]

    @WorkedOut
    def joints(self) -> frozenset[int]:
        """Offsets at which a line began before lines were run together."""
        return frozenset(self._edited) if self.reach == Reach.JOINED else frozenset()

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
        """The different words of the text."""
        return set(self._words)

    @WorkedOut
    def hashes(self) -> set[int]:
        """Those of the words, by which what is known of them is looked up."""
        return set(map(hash, self.words))

    @WorkedOut
    def long_hashes(self) -> set[int]:
        """Those of the words of `LONG` and more characters."""
        return {hash(word) for word in self.words if len(word) >= LONG}

    @WorkedOut
    def _words(self) -> list[str]:
        return self.text.split()

    @WorkedOut
    def _long_places(self) -> list[tuple[int, str]]:
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
            for at, word in source._long_places
            if hash(word) in held
            for match in _LONG.finditer(word)
        ]
        if way == BACKWARDS:
            length = len(self.text)
            return [(length - at - len(run), run[::-1], key) for at, run, key in reversed(runs)]
        if way == MOVED:
            return [(at, self.text[at : at + len(run)], key) for at, run, key in runs]
        return runs


class LongWords:
    """Words of a text set in lines, and where they come from."""

    def __init__(self, runs: Sequence[tuple[int, str, int]]) -> None:
        self.text = "\n".join(run for _, run, _ in runs)
        self.lowered = self.text.lower()
        self._starts = list(accumulate((len(run) + 1 for _, run, _ in runs), initial=0))
        self._sources = [start for start, _, _ in runs]

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
    kept = [edit for edit in edits if parent.text[edit.start : edit.end] != edit.text]
    if not kept:
        return None
    parts: list[str] = []
    at = 0
    for edit in kept:
        parts += (parent.text[at : edit.start], edit.text)
        at = edit.end
    text = "".join((*parts, parent.text[at:]))
    return View(name, text, parent, kept, exact, reach=max(reach, parent.reach))


def views(text: str) -> Iterator[View]:
    """The text as it stands, then each view that shows something else, every one once.

    Where a disguise lies over parts of a long text alone, only those are shown without it, and what is near.
    """
    whole = View("as it stands", text)
    yield whole
    if LEAST <= len(text) <= MAX_VIEWED:
        from memtui.gate.view_walk import Unveiling  # the first text waits for the disguises, not the start

        yield from Unveiling(text).of(whole, MAX_SHAPES)
