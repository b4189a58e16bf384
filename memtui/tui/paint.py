"""Lines of styled spans, and the base of every widget that draws them itself.

A span is a text that has passed `safe_text` and the names of its roles; the app's style sheet says what a role
looks like (`.p--muted`). No markup anywhere: what a span holds is drawn as it is (SPEC section 6).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.css.styles import RenderStyles
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from memtui.safe_chars import cells_of
from memtui.tui.outside import clip, is_inside_token, parts, width
from memtui.tui.themes import read_at, read_style

Span: TypeAlias = tuple[str, str]
"""Text and its roles, separated by spaces ("" for plain)."""
Line: TypeAlias = tuple[Span, ...]

NARROW = 80
"""Cells of width from which list and preview stand side by side (SPEC section 6)."""

ROLES = (
    "muted",
    "title",
    "bold",
    "chip",
    "alarm",
    "accent",
    "cursor",
    "dim",
    "add",
    "remove",
    "rule",
)
_QUIET = frozenset(("dim", "rule"))
"""Of them, those that are there to be seen, not to be read or acted on."""
COMPONENTS: set[str] = {f"p--{role}" for role in ROLES}

_CUT = re.compile("(.)…")
ASCII = str.maketrans("×▌◆•≠⋯│─·▼▸▾↓↑→←█", "x>*.#~|--v+vv^><#")
"""Our own glyphs in ASCII, cell for cell (SCREENS, Glyphs); only ever applied to text of the app's own."""


TOKEN = Style(reverse=True, bold=True)
"""A token, over the style of the text that it stands in."""


def filled(segments: Iterable[Segment], cells: int, style: Style) -> Strip:
    """A strip of exactly `cells` cells.

    A run ends behind a mark that has no cell and no place of its own: a terminal that does not know what to do with one
    drops what it was sent after it, and all that follows on the line would stand in other columns.
    """
    runs: list[Segment] = []
    for segment in segments:
        text = segment.text
        cuts = [] if text.isascii() else [i + 1 for i, c in enumerate(text) if _is_lost(c)]
        starts = [0, *cuts]
        runs += [
            Segment(text[a:b], segment.style) for a, b in zip(starts, [*cuts, None], strict=True) if text[a:b]
        ]
    return Strip(runs).adjust_cell_length(cells, style)


@lru_cache(maxsize=4096)
def _is_lost(character: str) -> bool:
    return cells_of(character) == 0 and not unicodedata.combining(character)


def line_width(line: Line) -> int:
    """Cells of a line."""
    return sum(width(text) for text, _ in line)


def fit(line: Line, cells: int) -> Line:
    """The line cut with `…` to at most `cells`."""
    fitted: list[Span] = []
    left = cells
    for text, roles in line:
        size = width(text)
        if size > left:
            fitted.append((clip(text, left), roles))
            break
        fitted.append((text, roles))
        left -= size
    return tuple(fitted)


def spread(left: Line, right: Line, cells: int, *, gap: int = 1) -> Line:
    """Left and right at the two ends of `cells`; the left is cut where they meet."""
    room = max(0, cells - line_width(right) - (gap if right else 0))
    left = fit(left, room)
    return (*left, (" " * max(0, cells - line_width(left) - line_width(right)), ""), *right)


def wrap(text: str, cells: int) -> list[str]:
    """Lines of at most `cells`, broken at spaces where it can be; a long word is broken, never cut."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width(joined) <= cells:
            line = joined
            continue
        if line:
            lines.append(line)
        while width(word) > cells > 0:
            head = _head(word, cells)
            lines.append(head)
            word = word[len(head) :]
        line = word
    return [*lines, line]


def _head(word: str, cells: int) -> str:
    """The longest beginning of `word` that fits, at least one character."""
    used = 0
    for index, character in enumerate(word):
        used += width(character)
        if used > cells:
            return word[: _whole(word, max(1, index))]
    return word


def _whole(word: str, end: int) -> int:
    """`end`, or the start of the token that it would break; the token alone may be too long for a line."""
    start = end
    while start and is_inside_token(word, start):
        start -= 1
    return start or end


def in_ascii(text: str) -> str:
    """The app's own glyphs in ASCII; `…` becomes `..` and takes the cell before it, so that widths stay."""

    def cut(found: re.Match[str]) -> str:
        if found[1] >= "\U000f0000":  # the end of a token, which stays whole
            return found[1] + "."
        return ".." if width(found[1]) == 1 else "..."

    return _CUT.sub(cut, text).translate(ASCII)


_ON_ANSI = {"alarm": "red", "chip": "yellow"}


def _without_ground(style: Style, roles: str, over: str) -> Style:
    """A style for the terminal's own colours: no background but the ground, secondary text dimmer."""
    names = set(roles.split())
    quiet = not names.isdisjoint(("muted", "dim", "rule"))
    chip = next((colour for role, colour in _ON_ANSI.items() if role in names), None)
    coloured = bool(names - {"bold", "muted", "dim", "rule"})
    bold = bool(style.bold) or chip is not None or over == "cursor"
    colour = chip or (style.color if coloured else None)
    return Style(
        color=colour, bold=bold, underline=style.underline, reverse=style.reverse, dim=quiet and not bold
    )


class Painted(Widget):
    """A widget that draws its own lines. Roles become styles once and are kept until the theme changes."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._styles: dict[tuple[str, str, str], Style] = {}

    def get_component_styles(self, *names: str) -> RenderStyles:
        """Those of the app: what a role looks like says the theme, not where it stands.

        Of a component class of its own, Textual finds the rules anew for each widget whenever a class changes.
        """
        return self.app.get_component_styles(*names)

    def notify_style_update(self) -> None:
        self._styles.clear()
        super().notify_style_update()

    def style_of(self, roles: str, *, over: str = "") -> Style:
        """The style of some roles, drawn over those of `over` (the row's own)."""
        key = (self.app.theme, over, roles)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._style_of(roles, over)
        return style

    def _style_of(self, roles: str, over: str) -> Style:
        names = tuple(f"p--{role}" for role in (*over.split(), *roles.split()))
        style = self.get_visual_style(*names).rich_style
        if self.app.current_theme.ansi:
            return _without_ground(style, roles, over)
        quiet = not _QUIET.isdisjoint(roles.split())
        return read_style(style, read_at(self.app.theme, quiet=quiet))

    def strip(self, line: Line, cells: int, over: str = "") -> Strip:
        """One line at exactly `cells` cells."""
        ascii_only = bool(getattr(self.app, "ascii_only", False))
        segments = []
        for text, roles in fit(line, cells):
            drawn = in_ascii(text) if ascii_only else text
            style = self.style_of(roles, over=over)
            segments += [Segment(part, style + TOKEN if token else style) for part, token in parts(drawn)]
        return filled(segments, cells, self.style_of("", over=over))


class PaintedLine(Painted):
    """One line: what it shows is set, not composed."""

    DEFAULT_CSS = "PaintedLine { height: 1; }"

    def __init__(self, line: Line = (), *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._line = line

    def set_line(self, line: Line) -> None:
        if line != self._line:
            self._line = line
            self.refresh()

    def draw(self, cells: int) -> Line:  # noqa: ARG002
        """The line for this width; subclasses lay it out here."""
        return self._line

    def render_line(self, y: int) -> Strip:
        cells = self.size.width
        return self.strip(self.draw(cells) if y == 0 else (), cells)


class PaintedText(Painted):
    """A few words wrapped to the width that they get, as tall as they need; safe already, never cut."""

    DEFAULT_CSS = """
    PaintedText { height: auto; width: 1fr; }
    PaintedText.-empty { display: none; }
    """

    def __init__(
        self, text: str = "", role: str = "", *, label: str = "", classes: str | None = None
    ) -> None:
        super().__init__(classes=classes)
        self._text, self._role, self._label = text, role, label
        self.set_class(not text, "-empty")

    def set_text(self, text: str, role: str | None = None) -> None:
        """Other words; none take no room."""
        self._text, self._role = text, self._role if role is None else role
        self.set_class(not text, "-empty")
        self.refresh(layout=True)

    def lines(self, cells: int) -> list[Line]:
        """The lines for a width, the label before the first and blanks before the others."""
        indent = width(self._label)
        rows = wrap(self._text, max(8, cells - indent))
        labels = [self._label, *[" " * indent] * (len(rows) - 1)]
        return [((label, "muted"), (row, self._role)) for label, row in zip(labels, rows, strict=True)]

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.lines(width)) if self._text else 0

    def render_line(self, y: int) -> Strip:
        cells = self.size.width
        lines = self.lines(cells)
        return self.strip(lines[y] if y < len(lines) else (), cells)
