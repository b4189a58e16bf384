"""The exact difference of two byte strings as a short list of splices.

The journal keeps these for index.md and tags.md instead of both whole files, so that a decision on an index
of 10,000 lines costs a few hundred bytes and undo still gives back every byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_REACH = 4
"""How many lines may differ in one place before the rest of the file counts as one difference."""
_RUN = 2
"""How many equal lines (or the end) make two places line up again."""
_MOST = 2000


@dataclass(frozen=True, slots=True)
class Splice:
    """At byte `offset` of the text so far, `removed` gives way to `inserted`."""

    offset: int
    removed: bytes
    inserted: bytes


def splices(before: bytes, after: bytes) -> tuple[Splice, ...]:
    """The splices that turn `before` into `after`, applied in order. Time grows linearly with the size."""
    start = _common_start(before, after)
    end = _common_end(before[start:], after[start:])
    old = before[start : len(before) - end].splitlines(keepends=True)
    new = after[start : len(after) - end].splitlines(keepends=True)
    old_end, new_end = len(old), len(new)
    found: list[Splice] = []
    i = j = 0
    offset = start
    while True:
        while i < old_end and j < new_end and old[i] == new[j]:
            offset += len(new[j])
            i, j = i + 1, j + 1
        if i == old_end and j == new_end:
            return tuple(found)
        drop, add = old_end - i, new_end - j
        if len(found) < _MOST:
            drop, add = _line_up(old[i:old_end], new[j:new_end])
        found.append(Splice(offset, b"".join(old[i : i + drop]), b"".join(new[j : j + add])))
        offset += len(found[-1].inserted)
        i, j = i + drop, j + add


def splice(data: bytes, changes: Sequence[Splice]) -> bytes | None:
    """`data` with the splices applied in order; None where one does not fit."""
    for change in changes:
        end = change.offset + len(change.removed)
        if data[change.offset : end] != change.removed:
            return None
        data = data[: change.offset] + change.inserted + data[end:]
    return data


def reverse(changes: Sequence[Splice]) -> tuple[Splice, ...]:
    """The splices that take these back."""
    return tuple(Splice(c.offset, c.inserted, c.removed) for c in reversed(changes))


def _common_start(one: bytes, other: bytes) -> int:
    """Length of what both begin with, whole lines. Halving compares big slices, not single bytes."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return one.rfind(b"\n", 0, low) + 1


def _common_end(one: bytes, other: bytes) -> int:
    """Length of what both end with, beginning after a newline."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    newline = one.find(b"\n", len(one) - low)
    return 0 if newline < 0 else len(one) - newline - 1


def _line_up(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int]:
    """How many lines of each side to exchange until both run together again; else all of them."""
    best, length = (len(old), len(new)), _RUN - 1
    for drop in range(min(_REACH, len(old)) + 1):
        for add in range(min(_REACH, len(new)) + 1):
            if drop == add == 0:
                continue
            run = _run(old, drop, new, add)
            if drop + run == len(old) and add + run == len(new):
                run += _RUN
            if run > length:
                best, length = (drop, add), run
    return best


def _run(old: Sequence[bytes], i: int, new: Sequence[bytes], j: int) -> int:
    start = i
    while i < len(old) and j < len(new) and old[i] == new[j]:
        i, j = i + 1, j + 1
    return i - start
