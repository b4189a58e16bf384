"""Which rows of a file's diff are shown and which are folded. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.proposals.diff import FileDiff, Row, hunks

LEAST_FOLD = 3
"""Unchanged lines that are folded: fewer are shown, since the fold itself takes one."""
DELETED_ROWS = 6
"""Rows of a deleted file that are shown where it has more than twice as many; `w` shows them all."""
_FOLLOWING = ("index.md", "tags.md")


def shown_ranges(diff: FileDiff, context: int, *, short: bool) -> tuple[tuple[int, int], ...]:
    """Ranges of row indexes (to excluded) that are not folded.

    Of a deleted file the first rows: it goes whole, and the fold says so. `short`: room is short.
    """
    if is_cut(diff):
        return ((0, DELETED_ROWS),)
    if short:
        return tuple(_after_what(diff.rows, start, end) for start, end in hunks(diff, 0))
    ranges: list[tuple[int, int]] = []
    # Lines of index.md and tags.md are alike: what stands beside a changed one says nothing.
    for start, end in hunks(diff, 0 if diff.path in _FOLLOWING else context):
        if start - (ranges[-1][1] if ranges else 0) < LEAST_FOLD:
            start = ranges.pop()[0] if ranges else 0
        ranges.append((start, len(diff.rows) if len(diff.rows) - end < LEAST_FOLD else end))
    return tuple(ranges)


def is_cut(diff: FileDiff) -> bool:
    """Whether the rows of a deleted file are folded after the first few."""
    return diff.change == "deleted" and len(diff.rows) > 2 * DELETED_ROWS


def _after_what(rows: Sequence[Row], start: int, end: int) -> tuple[int, int]:
    """Where room is short, unchanged lines go; but an added line stays under the one that it follows."""
    follows = start > 0 and all(row.kind == "+" for row in rows[start:end])
    return (start - 1 if follows and rows[start - 1].kind == " " else start, end)
