"""The app's own lines above and below a diff, styled and broken; never cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.message import Message
from textual.strip import Strip

from memtui.safe_text import width
from memtui.tui.diff_paint import cut_spans
from memtui.tui.diff_rows import break_lines, drawn_words
from memtui.tui.outside import parts
from memtui.tui.paint import ASCII, TOKEN, Line, Painted, filled
from memtui.tui.style import Palette

Around: TypeAlias = Line | Text
"""A line above or below the diff, safe already; one that is too long for the view is wrapped."""


class AroundLines(Painted):
    """The part of the diff view that draws what stands around the diff."""

    class Clicked(Message):
        """A click on a line above the diff; `x` in cells."""

        def __init__(self, line: Around, x: int) -> None:
            super().__init__()
            self.line, self.x = line, x

    @property
    def colours(self) -> Palette:
        """The styles of the present theme."""
        raise NotImplementedError

    @property
    def _ascii_only(self) -> bool:
        raise NotImplementedError

    def _around(self, lines: Sequence[Around], cells: int) -> list[Strip]:
        """The app's own lines at exactly `cells` cells; one that is too long is wrapped, never cut."""
        strips: list[Strip] = []
        for line in lines:
            text = line.plain if isinstance(line, Text) else "".join(span for span, _ in line)
            spans = self._styled(line)
            if width(text) <= cells:
                strips.append(
                    filled([Segment(span, style) for span, style in spans], cells, self.colours.text)
                )
                continue
            for start, end in break_lines(drawn_words(text), cells):
                strips.append(filled(cut_spans(spans, start, end), cells, self.colours.text))
        return strips

    def _styled(self, line: Around) -> list[tuple[str, Style]]:
        if isinstance(line, Text):
            found = line.render(self.app.console)
            return [(s.text, s.style or Style()) for s in found if s.text and s.text != "\n"]
        styled: list[tuple[str, Style]] = []
        for text, roles in line:
            style = self.style_of(roles)
            drawn = text.translate(ASCII) if self._ascii_only else text
            styled += [(part, style + TOKEN if token else style) for part, token in parts(drawn)]
        return styled
