"""The reserved row above the footer: what the person did last, or why something could not be done."""

from __future__ import annotations

from textual import events
from textual.strip import Strip

from memtui.tui.actions import named
from memtui.tui.footer import Footer
from memtui.tui.paint import Line, PaintedLine, Span, line_width, spread, wrap

MOST_ROWS = 3
"""Rows that an error takes at most; the useful half of it stands in front."""


UNDO: Line = ((" · ", "muted"), ("u", "bold"), (" undo", "muted"))


class MessageRow(PaintedLine):
    """It says what the person did and `· u undo`; an error is wrapped, and stays until it is answered."""

    def __init__(self) -> None:
        super().__init__(id="message")
        self.text: Line = ()
        self.can_undo = False
        self.alarm = False
        self.about = ""
        self.hint: Line = ()
        """Shown instead for a moment: the choices of a chord, `planning…`."""

    def say(self, *spans: Span, undo: bool = False, alarm: bool = False, about: str = "") -> None:
        """`about`: the one thing (id of an item, path of a note) that it is true of, "" for none."""
        self.text, self.can_undo, self.alarm, self.about = tuple(spans), undo, alarm, about
        self._fit()

    def stand_on(self, key: str) -> None:
        """Something is shown: what was said about something else goes."""
        if self.about not in ("", key):
            self.clear()

    def clear(self) -> None:
        self.say()

    def show_hint(self, line: Line) -> None:
        if line != self.hint:
            self.hint = line
            self._fit()

    def on_click(self, event: events.Click) -> None:
        """A click on `u undo`."""
        if self.can_undo and not (self.hint or self.alarm):
            end = line_width(self.draw(self.size.width))
            if end - line_width(UNDO[1:]) <= event.x < end:
                self.post_message(Footer.Pressed(named("undo")))

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        self._fit()

    def _fit(self) -> None:
        """As many rows as an error needs; everything else has one."""
        rows = 1
        if self.alarm and not self.hint and self.is_mounted:
            rows = len(self._error(self.app.size.width))
        height = self.styles.height
        if height is None or height.value != rows:
            self.styles.height = rows
        self.refresh()

    def _error(self, cells: int) -> list[Line]:
        """The error on as many rows as it needs, with the key that takes it away."""
        words = "".join(text for text, _ in self.text)
        rows = wrap(f"{words} · esc", max(8, cells - 7))
        if len(rows) > MOST_ROWS:
            rows = [*rows[: MOST_ROWS - 1], f"{rows[MOST_ROWS - 1]} …"]
        lines: list[Line] = []
        for number, row in enumerate(rows):
            head: Line = ((" ", ""), (" !! ", "alarm"), (" ", "")) if not number else ((" " * 6, ""),)
            if row.endswith("· esc"):
                tail: Line = ((row[:-5], ""), ("· ", "muted"), ("esc", "bold"))
                lines.append((*head, *tail))
            else:
                lines.append((*head, (row, "")))
        return lines

    def render_line(self, y: int) -> Strip:
        cells = self.size.width
        if self.hint or not self.alarm:
            return super().render_line(y)
        lines = self._error(cells)
        return self.strip(lines[y] if y < len(lines) else (), cells)

    def draw(self, cells: int) -> Line:
        if self.hint:
            return ((" ", ""), *self.hint)
        if not self.text:
            return ()
        undo = UNDO if self.can_undo else ()
        tail = spread(self.text, undo, min(cells - 2, line_width(self.text) + line_width(undo)), gap=0)
        return ((" ", ""), *tail)
