"""One list widget for every pane: rows drawn on demand, so that 100,000 cost what is visible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from memtui.tui.line_view import LineView
from memtui.tui.paint import Line, Painted, line_width, spread


@dataclass(frozen=True, slots=True)
class RowView:
    """How one row looks. All texts are safe already."""

    text: Line = ()
    sign: str | None = ""
    """One cell, in a column that content cannot enter; None where the list has no such column."""
    badge: Line = ()
    right: str = ""
    """The right column: an age, `ok`, a count."""
    heading: bool = False
    dim: bool = False
    mark: bool | None = None
    """Marked or not; None where no row of the list is marked, so that the column is not drawn."""
    still: bool = False
    """The cursor passes over it."""
    accent: bool = False
    unseen: bool = False
    """It has not been looked at."""


class RowList(Painted, LineView, can_focus=True, inherit_bindings=False):
    """Rows with a cursor. Knows nothing of what the rows mean."""

    DEFAULT_CSS = """
    RowList { overflow-x: hidden; overflow-y: scroll; scrollbar-size: 0 0; }
    """

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, rows: RowList) -> None:
            super().__init__()
            self.rows = rows

        @property
        def control(self) -> RowList:
            return self.rows

    class Opened(Moved):
        """Enter, or a click on the row under the cursor."""

    def __init__(
        self,
        describe: Callable[[Any], RowView],
        *,
        id: str | None = None,
        pin_end: Callable[[Any], bool] | None = None,
        bar: bool = True,
    ) -> None:
        super().__init__(id=id)
        self._describe = describe
        self._pin_end = pin_end
        self._rows: Sequence[Any] = ()
        self.cursor = -1
        """Index of the row under the cursor, -1 for none."""
        self.bar = bar
        """Whether the cursor shows; without it the list is text to read."""
        self.lit = True
        """The list has the focus."""
        self._filler = 0
        self._pinned = 0

    # --- rows

    @property
    def rows(self) -> Sequence[Any]:
        return self._rows

    @property
    def current(self) -> Any | None:
        """The row under the cursor."""
        return self._rows[self.cursor] if 0 <= self.cursor < len(self._rows) else None

    def set_rows(self, rows: Sequence[Any], cursor: int, *, drawn: bool = False) -> None:
        """Show these rows with the cursor on `cursor`; the scroll position stays where it can.

        `drawn`: a row that stands where it stood looks as it did, so that only the others are drawn.
        """
        before = self._on_screen() if drawn else []
        self._rows = rows
        self.cursor = min(cursor, len(rows) - 1)
        self._measure()
        after = self._on_screen()
        if len(before) != len(after):
            self.refresh()
            return
        other = [y for y, (one, two) in enumerate(zip(before, after, strict=True)) if one != two]
        if other:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in other))

    def _on_screen(self) -> list[tuple[Any, bool]]:
        """The rows in the lines that show, None for a blank line, and whether the cursor is there."""
        top = int(self.scroll_offset.y)
        indexes = [self._index_of(top + y) for y in range(self.size.height)]
        return [(self._rows[i] if i >= 0 else None, i == self.cursor) for i in indexes]

    def _measure(self) -> None:
        """Rows that keep to the end of the pane are pushed down by blank lines while there is room."""
        self._pinned = 0
        if self._pin_end is not None:
            while self._pinned < len(self._rows) and self._pin_end(self._rows[-1 - self._pinned]):
                self._pinned += 1
        room = self.size.height - len(self._rows)
        self._filler = max(0, room) if self._pinned else 0
        self.virtual_size = Size(self.size.width, len(self._rows) + self._filler)

    def on_resize(self) -> None:
        self._measure()
        self.show_cursor()

    @property
    def still(self) -> tuple[int, int]:
        """How many rows from the top reach down to the end of the pane: those that must not move; and how many are
        blank, before those that keep to the end.
        """
        return int(self.scroll_offset.y) + self.size.height, self._filler

    def _index_of(self, y: int) -> int:
        """The row at a line of the list, -1 for a blank line."""
        if self._filler and self._pinned:
            first = len(self._rows) - self._pinned
            if first <= y < first + self._filler:
                return -1
            if y >= first + self._filler:
                y -= self._filler
        return y if 0 <= y < len(self._rows) else -1

    def _line_of(self, index: int) -> int:
        pinned = self._filler and index >= len(self._rows) - self._pinned
        return index + (self._filler if pinned else 0)

    # --- cursor

    def move(self, step: int) -> None:
        """Move the cursor by `step` rows, over those that it passes; it stops at the ends."""
        index = self.cursor
        target = index
        left = abs(step)
        while left:
            index += 1 if step > 0 else -1
            if not 0 <= index < len(self._rows):
                break
            if not self._describe(self._rows[index]).still:
                target, left = index, left - 1
        self.go(target)

    def go(self, index: int, *, notify: bool = True) -> None:
        """Put the cursor on a row and scroll just so far that it shows."""
        if not 0 <= index < len(self._rows):
            return
        if index != self.cursor:
            old, self.cursor = self.cursor, index
            for changed in (old, index):
                if changed >= 0:
                    self.refresh_line(self._line_of(changed))
            if notify:
                self.post_message(self.Moved(self))
        self.show_cursor()

    def go_end(self, step: int) -> None:
        """To the first (-1) or last (1) row that the cursor can stand on."""
        indexes = range(len(self._rows)) if step < 0 else range(len(self._rows) - 1, -1, -1)
        for index in indexes:
            if not self._describe(self._rows[index]).still:
                if step < 0:
                    self.scroll_to(y=0, animate=False)
                self.go(index)
                return

    def show_cursor(self) -> None:
        """Scroll just so far that the cursor row shows, with its heading where the row above is one."""
        if self.cursor < 0 or not self.size.height:
            return
        line = self._line_of(self.cursor)
        top = line
        if (
            line
            and self._index_of(line - 1) >= 0
            and self._describe(self._rows[self._index_of(line - 1)]).still
        ):
            top = line - 1
        if not self.bar:
            return
        y = int(self.scroll_offset.y)
        if top < y:
            self.scroll_to(y=top, animate=False)
        elif line >= y + self.size.height:
            self.scroll_to(y=line - self.size.height + 1, animate=False)

    def bring_down(self, count: int) -> None:
        """Scroll so that `count` rows under the cursor show too, as far as the cursor stays in view."""
        line = self._line_of(self.cursor)
        wanted = min(line, line + count + 1 - self.size.height)
        if wanted > self.scroll_offset.y:
            self.scroll_to(y=wanted, animate=False)

    def show_focus(self, lit: bool) -> None:
        """The bar of the cursor row is bright where the list has the focus."""
        if lit != self.lit:
            self.lit = lit
            if self.cursor >= 0:
                self.redraw(self.cursor)

    def redraw(self, index: int) -> None:
        """Draw one row anew."""
        self.refresh_line(self._line_of(index))

    # --- mouse

    def on_click(self, event: events.Click) -> None:
        event.stop()
        index = self._index_of(event.y + int(self.scroll_offset.y))
        if index < 0 or self._describe(self._rows[index]).still:
            return
        if index == self.cursor:
            self.post_message(self.Opened(self))
        self.go(index)

    # --- drawing

    def render_line(self, y: int) -> Strip:
        cells = self.size.width
        index = self._index_of(y + int(self.scroll_offset.y))
        if index < 0:
            return self.strip((), cells)
        view = self._describe(self._rows[index])
        at_cursor = index == self.cursor and self.bar
        over = "cursor" if at_cursor else ""
        return self.strip(self._lay_out(view, at_cursor, cells), cells, over)

    def _lay_out(self, view: RowView, at_cursor: bool, cells: int) -> Line:
        bar: Line = (
            ("▌", "title" if self.lit else "dim") if at_cursor else ("•" if view.unseen else " ", "accent"),
        )
        role = "dim" if view.dim else "accent" if view.accent else ""
        column = f" {view.right:>3}" if view.badge and view.right else view.right
        right: Line = (*view.badge, (column, role or "muted"), (" ", ""))
        if view.heading:
            return (*bar, *spread(_roles(view.text, role or "muted"), right, cells - 1))
        mark: Line = () if view.mark is None else (("◆" if view.mark else " ", "accent"),)
        sign: Line = ((f"{view.sign or ' '} ", role),) if view.sign is not None else ()
        head = (*bar, *mark, *sign)
        return (*head, *spread(_roles(view.text, role), right, cells - line_width(head)))


def _roles(line: Line, role: str) -> Line:
    """The line with a role added to each span."""
    return tuple((text, f"{roles} {role}".strip()) for text, roles in line)
