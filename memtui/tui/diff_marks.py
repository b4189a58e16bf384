"""Which lines of a row, broken over many, hold what changed: folded around, stepped to, and to be seen. Pure."""

from __future__ import annotations

import re
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


class Partial:
    """Of which changed rows only what is marked changed: all else stands, in its order, on the other side too.

    Told of a row beside its counterpart, else of the whole stretch of changed rows in which it stands; only what is
    known to be the same is ever folded.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._known: dict[int, bool] = {}

    def __contains__(self, index: int) -> bool:
        row = self._rows[index]
        if row.kind == " " or not (row.marks or row.ending_changed or counterpart(self._rows, index)):
            return False
        if index not in self._known:
            self._learn(index)
        return self._known[index]

    def _learn(self, index: int) -> None:
        """All rows of the stretch in which a row stands."""
        rows, start, end = self._rows, index, index + 1
        while start and rows[start - 1].kind != " ":
            start -= 1
        while end < len(rows) and rows[end].kind != " ":
            end += 1
        rest: dict[str, list[int]] = {"-": [], "+": []}
        at = start
        while at < end:
            pair = at + 1 < end and (rows[at].kind, rows[at + 1].kind) == ("-", "+")
            if pair and _unmarked(rows[at : at + 1]) == _unmarked(rows[at + 1 : at + 2]):
                self._known[at] = self._known[at + 1] = True
                at += 2
                continue
            rest[rows[at].kind].append(at)
            at += 1
        old, new = ([rows[each] for each in side] for side in rest.values())
        same = _unmarked(old) == _unmarked(new)
        self._known.update(dict.fromkeys([*rest["-"], *rest["+"]], same))


_MARKED = re.compile(r"(?<!\s)\s*+\0[\s\0]*+")


def _unmarked(rows: Sequence[Row]) -> str:
    """What of some rows is not marked. Between words that a mark parts, whose line is shown, blanks are one."""
    text = " ".join(map(_with_signs, rows))
    return _MARKED.sub(lambda found: "" if found[0].strip("\0") == "" else " ", text).strip()


def _with_signs(row: Row) -> str:
    """The text of a row with a NUL for each mark; what could be taken for one is written in another way."""
    parts, at = [], 0
    for start, end in (*row.marks, (len(row.text), len(row.text))):
        parts.append(row.text[at:start].replace("\1", "\1\2").replace("\0", "\1\1"))
        at = end
    return "\0".join(parts)


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
    drawn: Drawn,
    lines: list[tuple[int, int]],
    rows: Sequence[Row],
    index: int,
    partial: Partial,
    *,
    short: bool,
) -> Broken:
    """Fold the lines of a row that hold nothing of the change, so that what changed can stand on one screen.

    Its first line is always shown, as are all of a row that is new or gone as a whole.
    """
    row = rows[index]
    least = LEAST_INSIDE // 2 if short else LEAST_INSIDE
    if len(lines) <= least or not (row.kind == " " or index in partial):
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
