"""Text that can be read on its ground in every theme, and two themes of our own with a high contrast.

Contrast is counted as WCAG 2 does: 1 for the same colour twice, 21 for black on white. The `ansi-*` themes are left
alone: nobody knows what colours a terminal shows.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color as RichColor
from rich.style import Style
from textual.color import BLACK, WHITE, Color
from textual.theme import Theme

READ, READ_HIGH = 4.5, 7.0
"""The contrast of text at least, in Textual's themes and in ours (WCAG 2, levels AA and AAA)."""
SEEN, SEEN_HIGH = 3.0, 4.5
"""The same of lines, and of text that can't be acted on for now."""

# Added is blue and removed is orange, which no colour-blindness takes for one another; so do they differ in brightness.
THEMES = (
    Theme(
        name="high-contrast-dark",
        primary="#8ecbff",
        secondary="#c8c8c8",
        accent="#ffe14d",
        warning="#ffe14d",
        error="#ffb566",
        success="#8ecbff",
        foreground="#ffffff",
        background="#000000",
        surface="#121212",
        panel="#1f1f1f",
        dark=True,
        variables={
            "text-primary": "#8ecbff",
            "text-accent": "#ffe14d",
            "text-warning": "#ffe14d",
            "text-error": "#ffb566",
            "text-success": "#8ecbff",
            "primary-muted": "#3d3d3d",
            "success-muted": "#00305c",
            "error-muted": "#5c2e00",
            "warning-muted": "#4d4100",
        },
    ),
    Theme(
        name="high-contrast-light",
        primary="#00386b",
        secondary="#383838",
        accent="#5c3d00",
        warning="#5c4a00",
        error="#803300",
        success="#00407a",
        foreground="#000000",
        background="#ffffff",
        surface="#f2f2f2",
        panel="#e4e4e4",
        dark=False,
        variables={
            "text-primary": "#00386b",
            "text-accent": "#5c3d00",
            "text-warning": "#5c4a00",
            "text-error": "#803300",
            "text-success": "#00407a",
            "primary-muted": "#d4d4d4",
            "success-muted": "#cfe4ff",
            "error-muted": "#ffc991",
            "warning-muted": "#fff0a8",
        },
    ),
)
"""Themes of our own, chosen by name like Textual's."""
_NAMES = frozenset(theme.name for theme in THEMES)


def read_at(theme: str, *, quiet: bool = False) -> float:
    """The contrast that text has at least in a theme; `quiet` for lines and for text that can't be acted on for now."""
    if quiet:
        return SEEN_HIGH if theme in _NAMES else SEEN
    return READ_HIGH if theme in _NAMES else READ


def contrast(one: Color, other: Color) -> float:
    """How far two opaque colours stand apart, 1 to 21."""
    lights = sorted((_light(one) + 0.05, _light(other) + 0.05))
    return lights[1] / lights[0]


def _light(color: Color) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=4096)
def readable(color: Color, ground: Color, least: float) -> Color:
    """The colour, or one so much nearer to black or white that it can be read on its ground."""
    if contrast(color, ground) >= least:
        return color
    end = max(BLACK, WHITE, key=lambda end: contrast(end, ground))
    steps = (color.blend(end, step / 20, alpha=1.0) for step in range(1, 20))
    return next((made for made in steps if contrast(made, ground) >= least), end)


def read_style(style: Style, least: float) -> Style:
    """The style with a colour that can be read; as it is where it does not say both of its colours."""
    color, ground = style.color, style.bgcolor
    if color is None or ground is None or color.is_default or ground.is_default:
        return style
    made = readable(_of(color), _of(ground), least)
    return style + Style(color=made.rich_color)


def _of(color: RichColor) -> Color:
    return Color(*color.get_truecolor())


def with_readable_text(variables: dict[str, str], theme: str) -> dict[str, str]:
    """A theme's variables with text that can be read on the theme's own grounds, for what Textual draws itself."""
    foreground = Color.parse(variables["foreground"])
    for ground in ("background", "surface"):
        foreground = readable(foreground, Color.parse(variables[ground]), read_at(theme))
    cursor = {"input-cursor-background": foreground.hex, "input-cursor-foreground": variables["background"]}
    return {**variables, "foreground": foreground.hex, **cursor}
