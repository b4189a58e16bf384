"""What of a diff has been on the screen, and the stops at its changes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memtui.tui.diff_layout import Item, Layout
from memtui.tui.diff_marks import marked_lines
from memtui.tui.diff_rows import is_one_line


class Stop(NamedTuple):
    """Where `n` and `p` stop: lines of one item, or of those below it too, that are on one screen together."""

    item: int
    """The item, by its index."""
    inside: int
    """The line of the item that comes first."""
    last: int
    """The last line that belongs to it, counted in the whole layout."""


class _Part(NamedTuple):
    """One row that an item shows."""

    key: tuple[int, int]
    """Its section and its index there."""
    lines: Sequence[tuple[int, int]]
    needed: Sequence[int]
    """The lines that hold what changed, by their index: all of a row that is new or gone."""
    shown: Sequence[int]
    """The lines that are no folds."""
    partial: bool


def _parts(layout: Layout, index: int) -> Iterator[_Part]:
    item = layout.item(index)
    if item.kind == "row":
        yield _part(layout, item, item.old, False)
    elif item.kind == "pair":
        if item.old >= 0:
            yield _part(layout, item, item.old, False)
        if item.new >= 0 and item.new != item.old:
            yield _part(layout, item, item.new, True)


def _part(layout: Layout, item: Item, index: int, right: bool) -> _Part:
    section = layout.sections[item.section]
    row = section.rows[index]
    key = (item.section, index)
    changed = section.diff is not None and (row.kind != " " or bool(row.note))
    partial = changed and (row.kind == " " or index in section.partial)
    whole = range(1) if changed else ()
    if is_one_line(row, layout.text_cells(half=item.kind == "pair"), ending=layout.ending(item, row)):
        # without marks it shows nothing of the change, which is on its counterpart
        return _Part(key, ((0, len(row.text)),), whole if row.marks or not partial else (), range(1), partial)
    broken = layout.break_row(item, right=right)
    assert broken is not None
    shown = [at for at in range(len(broken.lines)) if at not in broken.folds]
    needed: Sequence[int] = shown if changed else ()
    if partial:
        needed = marked_lines(broken.drawn, broken.lines)
    return _Part(key, broken.lines, needed, shown, partial)


class Seen:
    """Which stretches of which rows have been on the screen, whatever its width was."""

    def __init__(self) -> None:
        self._of: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._layout: Layout | None = None
        self._next = 0
        """The first item of the layout that may hold something unseen."""

    def add(self, layout: Layout, top: int, below: int) -> None:
        """The lines from `top` to `below` (excluded) are on the screen."""
        below = min(below, layout.height)
        if not 0 <= top < below:
            return
        for index in range(layout.find(top)[0], layout.find(below - 1)[0] + 1):
            start = layout.tops[index]
            for part in _parts(layout, index):
                for at in part.shown:
                    if top <= start + at < below:
                        self._of[part.key] = _joined([*self._of.get(part.key, ()), part.lines[at]])

    def first_unseen(self, layout: Layout) -> int | None:
        """The first line with something of a change that has not been on the screen, None where all has been."""
        if layout is not self._layout:
            self._layout, self._next = layout, 0
        while self._next < len(layout.tops) - 1 and layout.tops[self._next] < layout.end:
            lines = [
                at
                for part in _parts(layout, self._next)
                for at in part.needed
                if not self._has(part.key, *part.lines[at])
            ]
            if lines:
                return layout.tops[self._next] + min(lines)
            self._next += 1
        return None

    def _has(self, key: tuple[int, int], start: int, end: int) -> bool:
        return any(first <= start and end <= last for first, last in self._of.get(key, ()))


def _joined(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches in order, those made one between which at most the blank is missing at which a line broke."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def stops(layout: Layout, found: Sequence[int], height: int) -> list[Stop]:
    """The stops of a view so high. `found`: the items that begin a change, each of which has one at least.

    What of a change of some words is not on one screen with the stop before has a stop of its own.
    """
    made: list[Stop] = []
    count = len(layout.tops) - 1
    for number, first in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else count
        stop: Stop | None = None
        for index in range(first, after):
            top = layout.tops[index]
            parts = list(_parts(layout, index))
            if index > first and not any(part.partial for part in parts):
                break
            lines = sorted({at for part in parts if part.partial for at in part.needed})
            if stop is None:
                # The row's number and sign too, where they are on one screen with the change and what it became.
                whole = any(not part.partial for part in parts) or not lines
                last = _last_marked(layout, index + 1) if index + 1 < after else -1
                begin = 0 if whole or max(last, top + lines[-1]) < top + height else lines[0]
                stop = Stop(first, begin, top + begin)
            for at in lines:
                if top + at < layout.tops[stop.item] + stop.inside + height:
                    stop = stop._replace(last=max(stop.last, top + at))
                else:
                    made.append(stop)
                    stop = Stop(index, at, top + at)
        if stop is not None:
            made.append(stop)
    return made


def _last_marked(layout: Layout, index: int) -> int:
    """The last line, counted in the layout, with changed words of an item; -1 where it has none."""
    found = [at for part in _parts(layout, index) if part.partial for at in part.needed]
    return layout.tops[index] + max(found) if found else -1
