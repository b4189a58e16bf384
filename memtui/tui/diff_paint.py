"""The lines of a diff as strips of styled text; each is drawn when it is first looked at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memtui.proposals.diff import Row
from memtui.safe_text import width
from memtui.tui.diff_folds import is_cut
from memtui.tui.diff_heads import counts_text
from memtui.tui.diff_layout import DIVIDER, Item, Layout
from memtui.tui.diff_marks import Broken
from memtui.tui.diff_rows import Drawn, is_glued
from memtui.tui.outside import parts
from memtui.tui.paint import TOKEN, filled
from memtui.tui.style import Palette, RowStyle

KEPT = 4000
"""Lines kept drawn at most, and rows kept broken into lines."""


class Painter:
    """Draws the lines of one layout in one palette. `head` and `foot` are the app's own lines around it."""

    def __init__(
        self,
        layout: Layout,
        colours: Palette,
        head: Sequence[Strip],
        foot: Sequence[Strip],
        like: Painter | None = None,
    ) -> None:
        """`like`: one of before, whose lines are taken over where these would be the same."""
        self.layout = layout
        self.colours = colours
        self._around = {"head": head, "foot": foot}
        self.pointed = -1
        """The item that the pointer stands at, whose lines are not kept; -1 for none."""
        self._strips: dict[tuple[Item, int], Strip] = {}
        self._broken: dict[tuple[int, int, bool], Broken] = {}
        if like is not None and like.colours is colours and layout.is_like(like.layout):
            self._strips, self._broken = like._strips, like._broken

    def line(self, y: int) -> Strip:
        """The line `y` from the top of the layout."""
        if not 0 <= y < self.layout.height:
            return Strip.blank(self.layout.shape.cells, self.colours.text)
        index, inside = self.layout.find(y)
        item = self.layout.item(index)
        if item.kind == "line":
            return self._around[item.text][item.old]
        if index == self.pointed:
            return self._draw(item, inside, pointed=True)
        strip = self._strips.get((item, inside))
        if strip is None:
            if len(self._strips) > KEPT:
                self._strips.clear()
            strip = self._strips[item, inside] = self._draw(item, inside, pointed=False)
        return strip

    def _draw(self, item: Item, inside: int, *, pointed: bool) -> Strip:
        cells, colours = self.layout.shape.cells, self.colours
        if item.kind == "row":
            return self._draw_row(item, inside, cells, pointed=pointed)
        if item.kind == "pair":
            return self._draw_pair(item, inside, pointed)
        if item.kind == "heading":
            return self._draw_heading(item, inside)
        if item.kind == "fact":
            line = self.layout.head_lines(item)[inside]
            return filled(_words(line, colours.text), cells, colours.text)
        if item.kind == "fold":
            return self._draw_fold(item)
        return Strip.blank(cells, colours.text)

    def _draw_fold(self, item: Item) -> Strip:
        layout = self.layout
        diff, count = layout.sections[item.section].diff, item.new - item.old
        more = f"{count} more lines are removed with it, below" if diff and is_cut(diff) else f"{count} lines"
        return self._fold(more, layout.shape.cells)

    def _fold(self, more: str, cells: int) -> Strip:
        layout = self.layout
        dots = "..." if layout.shape.ascii else "⋯"
        words = f"{' ' * max(0, layout.indent - 2)}{dots} {more}"  # where no text of a file can stand
        return filled([Segment(words, self.colours.muted)], cells, self.colours.text)

    def _draw_heading(self, item: Item, inside: int) -> Strip:
        """The path, wrapped, and how many lines come and go."""
        colours, cells = self.colours, self.layout.shape.cells
        line = self.layout.head_lines(item)[inside]
        counts = counts_text(self.layout.sections[item.section].diff, cells)
        gap = cells - width(line) - len(counts)
        if inside or gap < 1 or not counts:
            return filled(_words(line, colours.title), cells, colours.text)
        segments = [*_words(line, colours.title), Segment(" " * gap, colours.text)]
        of_sign = {"+": colours.added_count, "-": colours.removed_count}
        for number, word in enumerate(counts.split(" ")):
            segments.append(Segment(" " * bool(number), colours.text))
            segments.append(Segment(word, of_sign.get(word[0], colours.muted)))
        return filled(segments, cells, colours.text)

    def _draw_pair(self, item: Item, inside: int, pointed: bool) -> Strip:
        layout = self.layout
        half, rest = layout.half, layout.shape.cells - layout.half - DIVIDER
        divider = Segment(" | " if layout.shape.ascii else " │ ", self.colours.muted)
        left = self._draw_row(item, inside, half, pointed=pointed)
        right = self._draw_row(item, inside, rest, right=True)
        return Strip.join([left, Strip([divider], DIVIDER), right])

    def _draw_row(
        self, item: Item, inside: int, cells: int, *, pointed: bool = False, right: bool = False
    ) -> Strip:
        """One line of a row over the whole width, or in one half: number, sign, text in its own column."""
        colours, layout = self.colours, self.layout
        row = layout.row(item, right=right)
        drawn, lines, folds = self._break(item, right)
        if row is None or inside >= len(lines):
            return Strip.blank(cells, colours.text)
        if inside in folds:
            return self._fold(f"{folds[inside]} rows", cells)
        style = colours.rows[row.kind]
        segments: list[Segment] = []
        if layout.gutter:
            number = _number(row, right=right or item.kind == "row") if inside == 0 else ""
            pointer = (">" if layout.shape.ascii else "▌") if pointed else " "
            segments.append(Segment(f"{number:>{layout.gutter}}", colours.muted))
            segments.append(Segment(pointer, colours.accent))
            if not inside:
                segments.append(Segment(f"{row.kind} ", style.sign))
            else:  # a word that is cut in two is told from two words
                glued = is_glued(drawn.text, lines[inside - 1][1], lines[inside][0])
                segments.append(Segment("\\ " if glued else "  ", style.text))
        if inside:
            room = layout.text_cells(half=item.kind == "pair")
            segments.append(Segment(" " * min(drawn.hang, room // 2), style.text))
        if pointed and not layout.gutter:  # no column for the pointer: the line itself shows it
            style = replace(style, text=style.changed)
        segments += _segments(drawn, *lines[inside], style)
        return filled(segments, cells, style.text)

    def _break(self, item: Item, right: bool) -> Broken:
        key = (item.section, item.new if right else item.old, right)
        found = self._broken.get(key)
        if found is None:
            if len(self._broken) > KEPT:
                self._broken.clear()
            found = self._broken[key] = self.layout.break_row(item, right=right) or Broken(Drawn("", ()), [])
        return found


def _number(row: Row, *, right: bool) -> str:
    """The line number to show: that of the side that is drawn."""
    return str(row.new if row.old is None or (right and row.new is not None) else row.old)


def _segments(drawn: Drawn, start: int, end: int, style: RowStyle) -> list[Segment]:
    """The stretches of a drawn row between two offsets, each in its style."""
    segments: list[Segment] = []
    at = start
    for index in range(bisect_right(drawn.spans, start, key=itemgetter(0)), len(drawn.spans)):
        stop, look = drawn.spans[index]
        segments.append(Segment(drawn.text[at : min(stop, end)], style.of(look)))
        at = stop
        if at >= end:
            break
    return segments


def _words(text: str, style: Style) -> list[Segment]:
    """Safe text in one style, its tokens in reverse."""
    return [Segment(part, style + TOKEN if token else style) for part, token in parts(text)]


def cut_spans(spans: list[tuple[str, Style]], start: int, end: int) -> list[Segment]:
    segments: list[Segment] = []
    at = 0
    for text, style in spans:
        part = text[max(0, start - at) : max(0, end - at)]
        if part:
            segments.append(Segment(part, style))
        at += len(text)
    return segments
