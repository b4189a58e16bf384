"""What the themes give: text that can be read on its ground, and changes told apart without red and green."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from memtui.config import Workspace
from memtui.tui.app import MemtuiApp
from memtui.tui.paint import ROLES
from memtui.tui.style import Palette, RowStyle, palette
from memtui.tui.themes import READ, READ_HIGH, SEEN, THEMES, readable
from tests.tui.driver import Driver, Opener
from tests.tui.pty_driver import on_terminal

OURS = [theme.name for theme in THEMES]
COLOURED = [*OURS, *(name for name in BUILTIN_THEMES if not name.startswith("ansi"))]
"""The themes whose colours are known."""
HARD = [*OURS, "textual-light", "solarized-light", "solarized-dark", "tokyo-night", "atom-one-light"]
"""Those of them with the least contrast, and ours."""
QUIET = {"dim", "rule"}
LINES = "│▌─█▼"
"""Glyphs that are no text: they are there to be seen."""


def contrast(one: Color, other: Color) -> float:
    """The ratio of WCAG 2."""

    def luminance(color: Color) -> float:
        return sum(
            weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(color), strict=True)
        )

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def linear(color: Color) -> list[float]:
    return [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized]


def contrast_of(style: Style) -> float:
    assert style.color is not None
    assert style.bgcolor is not None
    return contrast(color_of(style.color), color_of(style.bgcolor))


def color_of(color: RichColor) -> Color:
    return Color(*color.get_truecolor())


def least(theme: str) -> float:
    return READ_HIGH if theme in OURS else READ


def palette_of(name: str) -> Palette:
    theme = next((theme for theme in THEMES if theme.name == name), None) or BUILTIN_THEMES[name]
    variables = {**theme.to_color_system().generate(), **theme.variables}
    return palette(variables, ansi=False, least=least(name))


def styles_of(row: RowStyle) -> Iterator[Style]:
    yield from (row.sign, row.text, row.changed, row.mark, row.alarm)


# --- what can be read -----------------------------------------------------------------------------


@pytest.mark.parametrize("theme", COLOURED)
def test_every_part_of_a_diff_can_be_read(theme: str) -> None:
    colours = palette_of(theme)
    around = (colours.text, colours.muted, colours.title, colours.accent)
    counts = (colours.added_count, colours.removed_count)
    rows = [style for row in colours.rows.values() for style in styles_of(row)]
    assert min(map(contrast_of, (*around, *counts, *rows))) >= least(theme)


async def test_every_role_can_be_read_also_on_the_row_of_the_cursor(opened: Opener) -> None:
    async with opened("04") as app:
        for theme in COLOURED:
            app.app.theme = theme
            await app.pilot.pause()
            for widget in (app.app.main.inbox.rows, app.app.main.message):
                for role in ROLES:
                    for over in ("", "cursor"):
                        found = contrast_of(widget.style_of(role, over=over))
                        assert found >= (SEEN if role in QUIET else least(theme)), (theme, role, over)


async def test_what_is_drawn_can_be_read(opened: Opener) -> None:
    async with opened("01", "04", "17") as app:
        note = app.workspace.memory / "emoji.md"
        note.write_text("---\ndescription: d\n---\nA 👨‍👩‍👧 kept.\nAnd more.\n")
        app.drop(
            "e",
            {
                "operation": "edit",
                "path": "emoji.md",
                "reason": "r",
                "edits": [{"old": "And more.", "new": "And more.  \tтoken p\u0430ypal"}],
            },
        )
        await app.sees("emoji.md")
        await app.shows("emoji.md")
        await app.press("l")
        await look(app)
        await app.press("r")
        await app.sees("reject, because")
        await look(app)
        await app.press("escape", "h", "space", "e")
        await app.sees("show the change")
        await look(app)


async def look(app: Driver) -> None:
    """Every text on the screen."""
    for theme in HARD:
        app.app.theme = theme
        await app.pilot.pause()
        for segment in stretches(app):
            assert segment.style is not None
            line = not segment.text.strip().strip(LINES)
            assert contrast_of(segment.style) >= (SEEN if line else least(theme)), (theme, segment)


def stretches(app: Driver) -> list[Segment]:
    strips = app.app.screen._compositor.render_strips()
    return [segment for strip in strips for segment in strip if segment.text.strip()]


# --- changes told apart -----------------------------------------------------------------------------

BLIND = {
    "red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is left of linear red, green and blue to an eye without one kind of cones (Machado and others, 2009)."""
TOLD_APART = 20
"""The distance of two colours (CIE 1976) that nobody takes for one another; 2 is the least that is seen at all."""


def seen(color: Color, eye: str) -> tuple[float, float, float]:
    """Lightness and the two hues of a colour (CIELAB), as an eye sees it."""
    parts = linear(color)
    if eye:
        parts = [
            min(1.0, max(0.0, sum(a * b for a, b in zip(row, parts, strict=True)))) for row in BLIND[eye]
        ]
    red, green, blue = parts
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", ["", *BLIND])
@pytest.mark.parametrize("theme", OURS)
def test_added_and_removed_differ_to_every_eye(theme: str, eye: str) -> None:
    colours = palette_of(theme)
    added, removed = colours.rows["+"].text, colours.rows["-"].text
    pairs = [(added.bgcolor, removed.bgcolor), (colours.added_count.color, colours.removed_count.color)]
    for one, other in pairs:
        assert one is not None
        assert other is not None
        assert math.dist(seen(color_of(one), eye), seen(color_of(other), eye)) > TOLD_APART


@pytest.mark.parametrize("theme", [*COLOURED, "ansi-dark", "ansi-light"])
def test_no_change_is_told_by_its_colour_alone(theme: str) -> None:
    system = BUILTIN_THEMES[theme].to_color_system() if theme in BUILTIN_THEMES else None
    colours = palette(system.generate(), ansi=True) if system and theme not in COLOURED else palette_of(theme)
    for row in colours.rows.values():
        assert row.sign.bold
        assert row.changed.bold
        assert row.changed.underline
        assert row.mark.reverse


# --- choosing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OURS)
def test_a_theme_of_ours_is_chosen_as_textuals_are(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    settings = replace(workspace.settings, theme=name)
    assert MemtuiApp(replace(workspace, settings=settings)).theme == name


def test_textuals_own_way_to_choose_a_theme_reaches_ours(workspace: Workspace) -> None:
    with on_terminal(workspace, env={"TEXTUAL_THEME": "high-contrast-dark"}) as app:
        app.sees("Nothing is waiting")
        app.stand_still()
        assert b"48;2;0;0;0m" in app.raw
        assert b"48;2;18;18;18" not in app.raw


async def test_a_theme_that_is_none_is_said(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_THEME", "no\x1bne")
    async with opened() as app:
        await app.sees("there is no theme no")
        assert "\x1b" not in app.text


def test_a_colour_moves_no_further_than_it_has_to() -> None:
    ground = Color.parse("#ffffff")
    assert readable(Color.parse("#000000"), ground, 7.0) == Color.parse("#000000")
    moved = readable(Color.parse("#ffd000"), ground, 4.5)
    assert 4.5 <= contrast(moved, ground) < 5.5
    assert moved.r > moved.g > moved.b
