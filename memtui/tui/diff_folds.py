"""Which rows of a file's diff are shown and which are folded. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.proposals.diff import FileDiff, Row

LEAST_FOLD = 3
"""Unchanged lines that are folded: fewer are shown, since the fold itself takes one."""
DELETED_ROWS = 6
"""Rows of a deleted file that are shown where it has more than twice as many; `w` shows them all."""
LISTS = ("index.md", "tags.md")
"""Of these it is single lines that change, each named by its number: nothing is said of those between."""


def shown_ranges(diff: FileDiff, *, short: bool) -> tuple[tuple[int, int], ...]:
    """Ranges of row indexes (to excluded) that are not folded: the changes, each after the line before it.

    Of a deleted file the first rows: it goes whole, and the fold says so. `short`: room is short, so what is
    unchanged goes, but for a line that an added one follows.
    """
    rows = diff.rows
    if is_cut(diff):
        return ((0, DELETED_ROWS),)
    ranges: list[tuple[int, int]] = []
    for start, end in _runs(rows):
        only_added = all(row.kind == "+" for row in rows[start:end])
        if start and diff.path not in LISTS and (only_added or not short):
            start -= 1
        before = ranges[-1][1] if ranges else 0
        if start - before < (1 if short or diff.path in LISTS else LEAST_FOLD):
            start = ranges.pop()[0] if ranges else 0
        ranges.append((start, end))
    if ranges and not short and diff.path not in LISTS and len(rows) - ranges[-1][1] < LEAST_FOLD:
        ranges[-1] = (ranges[-1][0], len(rows))
    return tuple(ranges)


def _runs(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """The stretches of changed rows."""
    start = -1
    for index, row in enumerate(rows):
        if row.kind == " " and not row.note:
            if start >= 0:
                yield start, index
            start = -1
        elif start < 0:
            start = index
    if start >= 0:
        yield start, len(rows)


def is_cut(diff: FileDiff) -> bool:
    """Whether the rows of a deleted file are folded after the first few."""
    return diff.change == "deleted" and len(diff.rows) > 2 * DELETED_ROWS
