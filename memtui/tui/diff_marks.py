"""Which lines of a row, broken over many, hold what changed: folded around, stepped to, and to be seen. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from memtui.proposals.diff import Row
from memtui.tui.diff_rows import Drawn, Look

LEAST_INSIDE = 4
"""Lines of one row that are folded: fewer are shown; half as many where room is short."""
AROUND = 2
"""Lines shown before and after those that changed; half as many where room is short."""

_NOTABLE = Look.CHANGED | Look.MARK | Look.ALARM | Look.FLAGGED


class Broken(NamedTuple):
    """A drawn row and its lines: offsets in its text."""

    drawn: Drawn
    lines: list[tuple[int, int]]
    folds: dict[int, int] = {}  # noqa: RUF012 - never written to
    """Of the lines, by index, those that stand for so many that are folded."""


def is_partial(rows: Sequence[Row], index: int) -> bool:
    """Whether of a changed row only some words changed: its counterpart stands right beside it."""
    row = rows[index]
    if row.kind == " ":
        return False
    return bool(row.marks or row.ending_changed or counterpart(rows, index))


def counterpart(rows: Sequence[Row], index: int) -> Row | None:
    """What a changed row without marks became or was, where marks are all on that side; None where nothing is."""
    row = rows[index]
    if row.marks or row.kind == " ":
        return None
    other = index + 1 if row.kind == "-" else index - 1
    if not 0 <= other < len(rows) or rows[other].kind in (" ", row.kind) or not rows[other].marks:
        return None
    return rows[other]


def marked_lines(drawn: Drawn, lines: Sequence[tuple[int, int]]) -> list[int]:
    """Indexes of the lines that hold changed words, or what has to be told from plain text."""
    found: set[int] = set()
    starts = [start for start, _ in lines]
    at = 0
    for end, look in drawn.spans:
        if look & _NOTABLE and not (look == Look.MARK and drawn.text[at:end] in ("→", ">")):  # no mere tab
            first = max(0, bisect_right(starts, at) - 1)
            found.update(range(first, max(first + 1, bisect_left(starts, end))))
        at = end
    return sorted(found)


def fold_inside(
    drawn: Drawn, lines: list[tuple[int, int]], rows: Sequence[Row], index: int, *, short: bool
) -> Broken:
    """Fold the lines of a row that hold nothing of the change, so that what changed can stand on one screen.

    Its first line is always shown, as are all of a row that is new or gone as a whole.
    """
    row = rows[index]
    least = LEAST_INSIDE // 2 if short else LEAST_INSIDE
    if len(lines) <= least or not (row.kind == " " or is_partial(rows, index)):
        return Broken(drawn, lines)
    last = len(lines) - 1
    around = AROUND // 2 if short else AROUND
    kept = {0, last} if row.kind == " " else {0}
    for at in (*marked_lines(drawn, lines), *_gaps(rows, index, lines)):
        kept.update(range(max(0, at - around), min(last, at + around) + 1))
    shown: list[tuple[int, int]] = []
    folds: dict[int, int] = {}
    at = 0
    for stop in (*sorted(kept), len(lines)):
        if stop - at >= least:
            folds[len(shown)] = stop - at
            shown.append((lines[at][0], lines[stop - 1][1]))
            at = stop
        shown += lines[at : stop + 1]
        at = stop + 1
    return Broken(drawn, shown, folds)


def _gaps(rows: Sequence[Row], index: int, lines: Sequence[tuple[int, int]]) -> list[int]:
    """The lines of a row without marks at which its counterpart has words that are not here."""
    other = counterpart(rows, index)
    if other is None:
        return []
    starts = [start for start, _ in lines]
    found, gone = [], 0
    for start, end in other.marks:
        found.append(max(0, bisect_right(starts, start - gone) - 1))
        gone += end - start
    return found
