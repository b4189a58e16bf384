"""What stands where in a diff view: headings, rows, folds and the lines around them, and how high each is.

Pure. The layout knows every item's height but draws none: a diff of many thousand rows is laid out at once and
drawn only where it is looked at.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import Literal, NamedTuple

from memtui.proposals.diff import Row
from memtui.safe_chars import imitations
from memtui.safe_text import alarms
from memtui.tui.diff_folds import DELETED_ROWS, LEAST_FOLD, LISTS, is_cut, shown_ranges
from memtui.tui.diff_heads import NARROWEST, counts_text, facts_text, head_lines, name_text
from memtui.tui.diff_marks import Broken, fold_inside
from memtui.tui.diff_rows import break_row, flagged_spans, is_one_line
from memtui.tui.diff_sections import Section
from memtui.tui.outside import safe

HALF = 60
"""Cells that each half needs for two texts to stand side by side by themselves."""
LEAST_HALF = 24
"""Cells below which a half is of no use, even when asked for."""
DIVIDER = 3

ItemKind = Literal["line", "heading", "fact", "row", "pair", "fold", "blank"]


class Item(NamedTuple):
    """One thing that is drawn; `section` and the row numbers say which rows of which file."""

    kind: ItemKind
    section: int = -1
    old: int = -1
    """Row index: the row, the left half of a pair, the first folded one. -1 for none."""
    new: int = -1
    """Row index: the right half of a pair, the row after the last folded one (or the last of a run)."""
    text: str = ""
    """Of a heading or a fact: safe text. Of a line: "head" or "foot", `old` being its number."""

    @property
    def row(self) -> int:
        """Row index of what it shows first, -1 for none."""
        return self.old if self.old >= 0 else self.new

    @property
    def size(self) -> int:
        """How many items this stands for: a run of rows is kept as one."""
        return self.new - self.old if self.kind == "row" else 1


@dataclass(frozen=True, slots=True)
class Shape:
    """All that the layout of given sections depends on."""

    cells: int
    """Width of the view."""
    unfold: bool = False
    beside: bool = False
    """Two texts side by side."""
    ascii: bool = False
    numbers: bool = True
    tight: bool = False
    """No blank lines between the files: all then fits on the screen."""
    headless: bool = False
    """The first file is named above the diff already."""

    @property
    def short(self) -> bool:
        """Room is short: a narrow terminal."""
        return self.cells < NARROWEST

    def gutter(self, sections: Sequence[Section]) -> int:
        """Cells of the line numbers; 0 without numbers."""
        if not self.numbers:
            return 0
        last = max((row.new or row.old or 0 for section in sections for row in section.rows[-2:]), default=0)
        return max(2 if self.cells < 60 else 4, len(str(last)))


def can_stand_beside(cells: int, *, least: int = HALF) -> bool:
    """Whether two halves of `least` cells fit."""
    return cells >= 2 * least + DIVIDER


class Layout:
    """Items and their places for one width. Lines are counted from 0 at the top of the view."""

    def __init__(
        self,
        sections: Sequence[Section],
        shape: Shape,
        *,
        head: int = 0,
        foot: int = 0,
        idle: int = 0,
        opened: Collection[tuple[int, int]] = (),
        like: Layout | None = None,
    ) -> None:
        """`like`: another layout, whose broken rows are taken over where these would be the same."""
        self.sections = sections
        self.shape = shape
        self.gutter = shape.gutter(sections)
        self.half = (shape.cells - DIVIDER) // 2
        rest = list(_rest_items(sections, shape, opened))
        self._runs = [*_items(sections, shape, head, foot, opened), *rest]
        self._firsts = [0, *accumulate(run.size for run in self._runs)]
        self._opened = frozenset(opened)
        self._broken: dict[tuple[int, int, bool], Broken] = {}
        if like is not None and self.is_like(like):
            self._broken = like._broken
        self.tops = [0, *accumulate(chain.from_iterable(map(self._heights, self._runs)))]
        """Where each item begins; one more at the end."""
        self.height = self.tops[-1]
        self.end = self.tops[-1 - idle - sum(run.size for run in rest)]
        """The line below the last one that has to be seen before a decision: facts under the diff too."""

    def is_like(self, other: Layout) -> bool:
        """Whether every row is broken, and drawn, as in another layout."""
        shape = replace(other.shape, tight=self.shape.tight)
        return other.sections is self.sections and shape == self.shape and other._opened == self._opened

    def item(self, index: int) -> Item:
        """One item; a row is its only one (`new` is -1)."""
        at = bisect_right(self._firsts, index) - 1
        run = self._runs[at]
        return Item("row", run.section, run.old + index - self._firsts[at]) if run.kind == "row" else run

    def find(self, line: int) -> tuple[int, int]:
        """The item at a line, by its index, and the line inside it."""
        index = bisect_right(self.tops, line) - 1
        return index, line - self.tops[index]

    def same_place(self, item: Item) -> int | None:
        """The index of what shows the row of an item of another layout, or the first row after it."""
        for first, run in zip(self._firsts, self._runs, strict=False):
            if item.kind == "line" and run == item:
                return first
            if item.section < 0 or run.section != item.section:
                continue
            if item.kind in ("heading", "fact"):
                if run.kind == item.kind:
                    return first
            elif run.kind == "row" and item.row < run.new:
                return first + max(0, item.row - run.old)
            elif run.kind in ("pair", "fold") and max(run.old, run.new) >= item.row:
                return first
        return None

    @property
    def indent(self) -> int:
        """Cells before a row's text: its number, the pointer's column, its sign, a blank."""
        return self.gutter + 3 if self.gutter else 0

    def text_cells(self, half: bool = False) -> int:
        """Cells for a row's text."""
        return max(2, (self.half if half else self.shape.cells) - self.indent)

    def row(self, item: Item, *, right: bool = False) -> Row | None:
        """The row of an item, or of one half of a pair."""
        index = item.new if right else item.old
        return self.sections[item.section].rows[index] if index >= 0 else None

    def ending(self, item: Item, row: Row) -> bool:
        """Whether the row's ending is odd among its neighbours."""
        return row.kind != " " and row.ending not in ("none", self.sections[item.section].usual)

    def break_row(self, item: Item, *, right: bool = False) -> Broken | None:
        """The row of an item (or of its right half) drawn and broken into lines; None where there is none."""
        row = self.row(item, right=right)
        if row is None:
            return None
        found = self._broken.get((item.section, item.new if right else item.old, right))
        if found is not None:
            return found
        return self._break(item, item.new if right else item.old, self.text_cells(half=item.kind == "pair"))

    def _break(self, run: Item, index: int, cells: int) -> Broken:
        section, shape = self.sections[run.section], self.shape
        row = section.rows[index]
        drawn, lines = break_row(row, cells, ascii=shape.ascii, ending=self.ending(run, row))
        if section.diff is None or shape.unfold or (run.section, index) in self._opened:
            return Broken(drawn, lines)
        return fold_inside(drawn, lines, section.rows, index, section.partial, short=shape.short)

    def folded(self, item: Item, line: int) -> list[int]:
        """Which rows of an item, by their index, are folded at a line of the layout."""
        inside = self.find(line)[1]
        halves = ((item.old, False), (item.new, True))
        broken = ((row, self.break_row(item, right=right)) for row, right in halves if row >= 0)
        return [row for row, each in broken if each is not None and inside in each.folds]

    def _heights(self, run: Item) -> Iterable[int]:
        if run.kind == "row":
            cells = self.text_cells()
            return (self._row_height(run, index, cells) for index in range(run.old, run.new))
        if run.kind == "pair":
            cells = self.text_cells(half=True)
            left = self._row_height(run, run.old, cells) if run.old >= 0 else 1
            return (max(left, self._row_height(run, run.new, cells, right=True) if run.new >= 0 else 1),)
        if run.kind in ("heading", "fact"):
            return (len(self.head_lines(run)),)
        return (1,)

    def head_lines(self, item: Item) -> list[str]:
        """The lines of a heading or a fact."""
        counts = counts_text(self.sections[item.section].diff, self.shape.cells)
        return head_lines(item.text, self.shape.cells, counts if item.kind == "heading" else "")

    def _row_height(self, run: Item, index: int, cells: int, *, right: bool = False) -> int:
        row = self.sections[run.section].rows[index]
        ending = self.ending(run, row)
        if is_one_line(row, cells, ending=ending):
            return 1
        broken = self._broken.get((run.section, index, right))
        if broken is None:
            broken = self._broken[run.section, index, right] = self._break(run, index, cells)
        return len(broken.lines)

    # --- changes

    def targets(self) -> tuple[list[int], list[int]]:
        """Indexes of the items that begin a change or hold a flagged span, and of the flagged ones alone."""
        found: list[int] = []
        flagged: list[int] = []
        was_changed, part = False, ""
        for first, run in zip(self._firsts, self._runs, strict=False):
            for index, rows in enumerate(self._rows_of(run), first):
                link = run.kind == "row" and self.sections[run.section].diff is None
                changed = [row for row in rows if row.kind != " " or row.note]
                if link and self._part(run, index - first):
                    changed, part = list(rows), ""
                flag = any(is_flagged(row) or flagged_spans(row) for row in changed)
                if flag:
                    flagged.append(index)
                before, part = part, self._part(run, index - first) if changed else ""
                if flag or (changed and (not was_changed or part != before)):
                    found.append(index)
                was_changed = bool(changed)
            if run.kind not in ("row", "pair"):
                was_changed = False
        return found, flagged

    def _part(self, run: Item, place: int) -> str:
        """The key of the change that the item at a place of a run belongs to, "" for none."""
        if not run.section >= 0:
            return ""
        parts = self.sections[run.section].parts
        rows = (run.old + place,) if run.kind == "row" else (run.old, run.new)
        return next((parts[row] for row in rows if row in parts), "")

    def part_at(self, index: int) -> str:
        """The key of the change that can be left out by itself and to which an item belongs, "" for none."""
        return self._part(self.item(index), 0)

    def _rows_of(self, run: Item) -> Iterator[tuple[Row, ...]]:
        """The rows that each item of a run shows."""
        if run.kind == "row":
            rows = self.sections[run.section].rows
            yield from ((rows[index],) for index in range(run.old, run.new))
        elif run.kind == "pair":
            halves = self.row(run), self.row(run, right=True)
            yield tuple(row for row in halves if row is not None)


def is_flagged(row: Row) -> bool:
    """Whether a row holds something hidden, harmful or imitating."""
    text = row.text
    if text.isascii() and text.isprintable():
        return False
    return alarms(text) > 0 or bool(imitations(text))


# --- items ----------------------------------------------------------------------------------------


def _items(
    sections: Sequence[Section], shape: Shape, head: int, foot: int, opened: Collection[tuple[int, int]]
) -> Iterator[Item]:
    for number in range(head):
        yield Item("line", old=number, text="head")
    for number, section in enumerate(sections):
        if number and not shape.tight:
            yield Item("blank")
        yield from _section_items(number, section, shape, opened)
    for number in range(foot):
        yield Item("line", old=number, text="foot")


def _rest_items(
    sections: Sequence[Section], shape: Shape, opened: Collection[tuple[int, int]]
) -> Iterator[Item]:
    """Below all else, the lines of deleted files that are folded in their place: they can be read, and need not be."""
    for number, section in enumerate(sections):
        diff = section.diff
        if diff is None or not is_cut(diff) or shape.unfold or (number, DELETED_ROWS) in opened:
            continue
        yield Item("blank")
        yield Item("fact", number, text=f"removed with {safe(diff.path, ascii=shape.ascii)}:")
        yield Item("row", number, DELETED_ROWS, len(section.rows))


def _section_items(
    number: int, section: Section, shape: Shape, opened: Collection[tuple[int, int]]
) -> Iterator[Item]:
    diff = section.diff
    rows = section.rows
    if diff is None:
        yield Item("row", number, 0, len(rows))
        return
    if number or not shape.headless:
        yield Item("heading", number, text=name_text(diff, ascii=shape.ascii))
    for fact in facts_text(diff, ascii=shape.ascii):
        yield Item("fact", number, text=fact)
    ranges = ((0, len(rows)),) if shape.unfold else shown_ranges(diff, short=shape.short)
    position = 0
    for start, end in (*ranges, (len(rows), len(rows))):
        if position < start and (number, position) in opened:
            start = position
        elif diff.path not in LISTS and start - position >= LEAST_FOLD:
            # One or two that are left out where room is short, and those of a list: the line numbers say so.
            yield Item("fold", number, position, start)
        beside = shape.beside and diff.added > 0 and diff.removed > 0  # else one half would stand empty
        yield from _row_items(number, rows, start, end, beside)
        position = end


def _row_items(number: int, rows: Sequence[Row], start: int, end: int, beside: bool) -> Iterator[Item]:
    if not beside:
        if start < end:
            yield Item("row", number, start, end)
        return
    index = start
    while index < end:
        if rows[index].kind == " ":
            yield Item("pair", number, index, index)
            index += 1
            continue
        middle = _run(rows, index, end, "-")
        last = _run(rows, middle, end, "+")
        yield from _paired(number, rows, index, middle, last)
        index = last


def _run(rows: Sequence[Row], start: int, end: int, kind: str) -> int:
    while start < end and rows[start].kind == kind:
        start += 1
    return start


def _paired(number: int, rows: Sequence[Row], start: int, middle: int, end: int) -> Iterator[Item]:
    """Removed rows on the left, added ones on the right.

    Where the last removed row became the first added one, these two stand beside each other.
    """
    removed, added = list(range(start, middle)), list(range(middle, end))
    if removed and added and _is_pair(rows[removed[-1]], rows[added[0]]):
        for index in removed[:-1]:
            yield Item("pair", number, index)
        yield Item("pair", number, removed[-1], added[0])
        for index in added[1:]:
            yield Item("pair", number, -1, index)
        return
    for place in range(max(len(removed), len(added))):
        left = removed[place] if place < len(removed) else -1
        yield Item("pair", number, left, added[place] if place < len(added) else -1)


def _is_pair(old: Row, new: Row) -> bool:
    return old.ending_changed or bool(old.marks) or bool(new.marks)
