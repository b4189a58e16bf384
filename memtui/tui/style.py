"""The styles of the diff, from the theme (SCREENS, Look): colour only where it says something, and never alone.

Rows lie on the theme's muted red and green, with text that contrasts by computation; the `ansi-*` themes, whose
real colours nobody knows, get coloured signs and text and no backgrounds. Without colour the sign column, bold
and underline say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.style import Style
from textual.color import Color

from memtui.tui.diff_rows import Look

_FLAGGED = Style(underline=True, italic=True)


@dataclass(frozen=True, slots=True)
class RowStyle:
    """How a row of one kind is drawn: its sign, its text, and the stretches that stand out in it."""

    sign: Style
    text: Style
    changed: Style
    mark: Style
    alarm: Style
    quiet: Style

    def of(self, look: Look) -> Style:
        """The style of a stretch of text."""
        if look & Look.ALARM:
            return self.alarm
        if look & Look.MARK:
            return self.mark
        if look & Look.FLAGGED:
            return (self.changed if look & Look.CHANGED else self.text) + _FLAGGED
        if look & Look.CHANGED:
            return self.changed
        return self.quiet if look & Look.QUIET else self.text


@dataclass(frozen=True, slots=True)
class Palette:
    """All styles of the diff for one theme."""

    text: Style
    muted: Style
    title: Style
    accent: Style
    added_count: Style
    removed_count: Style
    rows: Mapping[str, RowStyle]
    """By the kind of the row: " ", "-", "+"."""


def palette(variables: Mapping[str, str], *, ansi: bool) -> Palette:
    """The styles for a theme's CSS variables; `ansi` for themes that use the terminal's own colours."""
    if ansi:
        return _ansi_palette(variables)
    ground = Color.parse(variables["background"])
    text = Style(color=Color.parse(variables["foreground"]).rich_color, bgcolor=ground.rich_color)
    success, error = _on(variables, "success-muted"), _on(variables, "error-muted")
    return Palette(
        text=text,
        muted=Style(color=_contrast(ground, 0.6), bgcolor=ground.rich_color),
        title=_coloured(variables, "text-primary", ground) + Style(bold=True),
        accent=_coloured(variables, "text-accent", ground),
        added_count=_coloured(variables, "text-success", ground),
        removed_count=_coloured(variables, "text-error", ground),
        rows={
            " ": _row(text, alarm=error),
            "-": _row(error, alarm=error),
            "+": _row(success, alarm=error),
        },
    )


def _contrast(ground: Color, alpha: float) -> str:
    """Text that stands out from `ground`, blended into it so far that `alpha` of it is left."""
    return ground.blend(ground.get_contrast_text(1.0), alpha, alpha=1.0).hex


def _on(variables: Mapping[str, str], name: str) -> Style:
    """`$text` on a background of the theme."""
    ground = Color.parse(variables[name])
    return Style(color=_contrast(ground, 0.87), bgcolor=ground.rich_color)


def _coloured(variables: Mapping[str, str], name: str, ground: Color) -> Style:
    return Style(color=Color.parse(variables[name]).rich_color, bgcolor=ground.rich_color)


def _row(text: Style, alarm: Style) -> RowStyle:
    return RowStyle(
        sign=text + Style(bold=True),
        text=text,
        changed=text + Style(bold=True, underline=True),
        mark=text + Style(reverse=True),
        alarm=alarm + Style(reverse=True, bold=True),
        quiet=text + Style(dim=True),
    )


def _ansi_palette(variables: Mapping[str, str]) -> Palette:
    plain = Style()
    red, green = _ansi(variables, "error"), _ansi(variables, "success")
    return Palette(
        text=plain,
        muted=Style(dim=True),
        title=_ansi(variables, "primary") + Style(bold=True),
        accent=_ansi(variables, "accent"),
        added_count=green,
        removed_count=red,
        rows={" ": _row(plain, red), "-": _row(red, red), "+": _row(green, red)},
    )


def _ansi(variables: Mapping[str, str], name: str) -> Style:
    """One of the terminal's own colours as text, without a background."""
    return Style(color=Color.parse(variables[name]).rich_color)
