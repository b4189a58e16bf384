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
from memtui.tui.themes import READ, readable

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


def palette(variables: Mapping[str, str], *, ansi: bool, least: float = READ) -> Palette:
    """The styles for a theme's CSS variables; `ansi` for themes that use the terminal's own colours.

    `least`: the contrast that text has at least.
    """
    if ansi:
        return _ansi_palette(variables)
    ground = Color.parse(variables["background"])
    text = _coloured(variables, "foreground", ground, least)
    success, error = _on(variables, "success-muted", least), _on(variables, "error-muted", least)
    muted = _plain(ground, 0.6, least)
    return Palette(
        text=text,
        muted=muted,
        title=_coloured(variables, "text-primary", ground, least) + Style(bold=True),
        accent=_coloured(variables, "text-accent", ground, least),
        added_count=_coloured(variables, "text-success", ground, least),
        removed_count=_coloured(variables, "text-error", ground, least),
        rows={
            " ": _row(text, error, muted),
            "-": _row(error, error, error),
            "+": _row(success, error, success),
        },
    )


def _plain(ground: Color, alpha: float, least: float) -> Style:
    """Black or white text, blended into its ground so far that `alpha` of it is left."""
    color = readable(ground.blend(ground.get_contrast_text(1.0), alpha, alpha=1.0), ground, least)
    return Style(color=color.rich_color, bgcolor=ground.rich_color)


def _on(variables: Mapping[str, str], name: str, least: float) -> Style:
    """`$text` on a background of the theme."""
    return _plain(Color.parse(variables[name]), 0.87, least)


def _coloured(variables: Mapping[str, str], name: str, ground: Color, least: float) -> Style:
    color = readable(Color.parse(variables[name]), ground, least)
    return Style(color=color.rich_color, bgcolor=ground.rich_color)


def _row(text: Style, alarm: Style, quiet: Style) -> RowStyle:
    return RowStyle(
        sign=text + Style(bold=True),
        text=text,
        changed=text + Style(bold=True, underline=True),
        mark=text + Style(reverse=True),
        alarm=alarm + Style(reverse=True, bold=True),
        quiet=quiet,
    )


def _ansi_palette(variables: Mapping[str, str]) -> Palette:
    plain, dim = Style(), Style(dim=True)
    red, green = _ansi(variables, "error"), _ansi(variables, "success")
    return Palette(
        text=plain,
        muted=dim,
        title=_ansi(variables, "primary") + Style(bold=True),
        accent=_ansi(variables, "accent"),
        added_count=green,
        removed_count=red,
        rows={" ": _row(plain, red, dim), "-": _row(red, red, red + dim), "+": _row(green, red, green + dim)},
    )


def _ansi(variables: Mapping[str, str], name: str) -> Style:
    """One of the terminal's own colours as text, without a background."""
    return Style(color=Color.parse(variables[name]).rich_color)
