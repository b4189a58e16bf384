"""Where each part of a view comes from: the edits that made it, and the lines and offsets of the text as it stands."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from memtui.gate.views import View

ROTATED = "rot13"
_DEEP = 12
"""Characters of a stretch that is no single sign."""
BEFORE, FAR = 130, 700
"""Characters before and after the beginning of what a rule finds that it looks at, as a rule."""


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

    def __init__(self, work_out: Callable[[Any], _Value]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __get__(self, view: Any, _: type[Any]) -> _Value:
        assert view is not None
        value = view.__dict__[self._work_out.__name__] = self._work_out(view)
        return value


@dataclass(frozen=True, eq=False)
class Traced:
    """A text that was made from another, and how."""

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
        """Whether lines or words were run together, so that only rules that are sure of themselves apply."""
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
    def whole(self) -> Traced:
        """The text as it stands."""
        view = self
        while view.parent is not None:
            view = view.parent
        return view

    @WorkedOut
    def known(self) -> dict[object, Any]:
        """What others keep of it, each under a key of its own."""
        return {}

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

    def row(self, offset: int) -> int:
        """The number of the line of the view's own, from 0, in which an offset stands."""
        return self._line(offset) - 1

    def extent(self, first: int, last: int) -> tuple[int, int]:
        """Where some lines of the view's own begin and end, of those that it has; numbered from 0."""
        return self._extent(min(first, len(self._breaks)) + 1, min(last, len(self._breaks)) + 1)

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
        return places_of(self._edits)

    @property
    def is_sparse(self) -> bool:
        """Whether so little of it was replaced that some of it is as before."""
        return self.edits is not None and len(self.edits) * 100 < len(self.text)

    def is_as_before(self, at: int, far: int) -> bool:
        """Whether what stands near an offset, so many characters behind it, is the parent's, in which it was seen."""
        starts, ends = self._changed
        number = bisect_left(ends, at - BEFORE)
        return number == len(ends) or starts[number] > at + far

    def changed_stretches(self, far: int) -> Iterator[tuple[int, int]]:
        """Stretches, in order, in which what is not as before may begin and end."""
        first = last = 0
        for start, end in zip(*self._changed, strict=True):
            if start - far > last:
                if last:
                    yield first, last
                first = start - far
            last = end + BEFORE + far
        if last:
            yield max(first, 0), min(last, len(self.text))

    @WorkedOut
    def _changed(self) -> tuple[list[int], list[int]]:
        """Where each stretch that was replaced begins, and where it ends."""
        edits = self.edits or ()
        starts = places_of(edits)
        return starts, [at + len(edit.text) for at, edit in zip(starts, edits, strict=True)]

    @WorkedOut
    def joints(self) -> frozenset[int]:
        """Offsets at which a line began before lines were run together."""
        return frozenset(self._edited) if self.reach == Reach.JOINED else frozenset()


def places_of(edits: Sequence[Edit]) -> list[int]:
    """The offset, in the text that they make, at which each edit stands."""
    grown = accumulate((len(edit.text) - (edit.end - edit.start) for edit in edits), initial=0)
    return [edit.start + by for edit, by in zip(edits, grown, strict=False)]
