"""The reserved row above the footer: what the person did last, or why something could not be done."""

from __future__ import annotations

from memtui.tui.paint import Line, PaintedLine, Span, spread


class MessageRow(PaintedLine):
    """One line. It says what the person did and `· u undo`; an error stays until it is answered."""

    def __init__(self) -> None:
        super().__init__(id="message")
        self.text: Line = ()
        self.can_undo = False
        self.alarm = False
        self.hint: Line = ()
        """Shown instead for a moment: the choices of a chord, `planning…`."""

    def say(self, *spans: Span, undo: bool = False, alarm: bool = False) -> None:
        self.text, self.can_undo, self.alarm = tuple(spans), undo, alarm
        self.refresh()

    def clear(self) -> None:
        self.say()

    def show_hint(self, line: Line) -> None:
        if line != self.hint:
            self.hint = line
            self.refresh()

    def draw(self, cells: int) -> Line:
        if self.hint:
            return ((" ", ""), *self.hint)
        if not self.text:
            return ()
        if self.alarm:
            return ((" ", ""), ("!! ", "alarm"), (" ", ""), *self.text)
        undo: Line = ((" · ", "muted"), ("u", "bold"), (" undo", "muted")) if self.can_undo else ()
        tail = spread(self.text, undo, min(cells - 2, _cells(self.text, undo)), gap=0)
        return ((" ", ""), *tail)


def _cells(text: Line, undo: Line) -> int:
    from memtui.tui.paint import line_width

    return line_width(text) + line_width(undo)
