"""What of a long text is worth another look: the parts that a disguise lies over, and what stands near them.

A view that differs from its parent in a few places shows nothing else that the parent does not. What it shows there
a rule may tell from words before or after it, so that the paragraph stays around each place, or some lines of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memtui.gate.view_sources import Edit
from memtui.gate.views import View, edited

SHORT = 4096
"""Characters of a text that is always looked at whole."""
NEAR, FAR = 400, 3500
"""Characters that stay before and after a place, at least; where no paragraph ends there, at most this many."""
WORD = 24_000
"""Characters before or after a place up to which a word stays whole."""
_CUT = "\n\n.\n\n"
_CUT_IN_LINE = " x\n\n.\n\nx "
"""What stands in the place of what is left out; no word or number may end or begin at it by chance."""


def brief(view: View) -> View:
    """A view with only what stands near its edits, where those are few."""
    if view.parent is None or view.edits is None or len(view.text) <= SHORT:
        return view
    text, exact = view.parent.text, view.exact
    kept = _kept(text, ((edit.start, edit.end) for edit in view.edits))
    if kept is None:
        return view
    gaps = list(_gaps(text, kept))
    every = (lambda: sorted((*exact(), *gaps))) if exact else None
    return edited(view.name, view.parent, sorted((*view.edits, *gaps)), view.reach, every) or view


def excerpt(view: View, places: Sequence[tuple[int, int]]) -> View:
    """What stands in a view at these places, in their order, and near; all of it where that is much."""
    kept = None if len(view.text) <= SHORT else _kept(view.text, places)
    return view if kept is None else edited(view.name, view, _gaps(view.text, kept)) or view


def _kept(text: str, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Stretches around places, in order; None where they are half of the text or more."""
    kept: list[tuple[int, int]] = []
    left = len(text) // 2
    for first, last in places:
        if kept and last + NEAR <= kept[-1][1]:
            continue
        start, end = _start(text, first), _end(text, last)
        if kept and start < kept[-1][1] + NEAR:
            earlier = kept.pop()
            start, end = earlier[0], max(end, earlier[1])
            left += earlier[1] - start
        kept.append((start, end))
        left -= end - start
        if left < 0:
            return None
    return kept


def _start(text: str, at: int) -> int:
    """Where what stands before a place begins: with a paragraph, else with a line or a word."""
    near, far = at - NEAR, at - FAR
    if near <= 0:
        return 0
    if (found := text.rfind("\n\n", max(far, 0), near)) >= 0:
        return found + 2
    if far <= 0:
        return 0
    for sign in "\n ":
        if (found := text.find(sign, far, near)) >= 0:
            return found + 1
    first = max(at - WORD, 0)
    return max(text.rfind("\n", first, far), text.rfind(" ", first, far), first - 1) + 1


def _end(text: str, at: int) -> int:
    """Where what stands after a place ends."""
    near, far, last = at + NEAR, at + FAR, min(at + WORD, len(text))
    if near >= len(text):
        return len(text)
    if (found := text.find("\n\n", near, far)) >= 0:
        return found
    if far >= len(text):
        return len(text)
    for sign in "\n ":
        if (found := text.rfind(sign, near, far)) >= 0:
            return found
    return min((found for sign in "\n " if (found := text.find(sign, far, last)) >= 0), default=last)


def _gaps(text: str, kept: Sequence[tuple[int, int]]) -> Iterator[Edit]:
    """What is left out between those stretches."""
    at = 0
    for start, end in (*kept, (len(text), len(text))):
        if start > at:
            is_apart = text[at] == "\n" and text[start - 1] == "\n"
            yield Edit(at, start, _CUT if is_apart else _CUT_IN_LINE)
        at = end
