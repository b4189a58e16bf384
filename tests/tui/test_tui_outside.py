"""Tokens of hidden characters, wherever they are drawn: reverse video, whole, and no content can make one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.safe_text import safe as printed
from memtui.tui.outside import bare, clip, is_inside_token, parts, safe, token_ends, width
from memtui.tui.paint import wrap
from tests.tui.driver import Driver, Opener, write

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("\u202e\u200b\x1b\ufeff a‹›\U000f0041")
)


def drawn(text: str) -> list[tuple[str, bool]]:
    return list(parts(safe(text)))


def test_a_token_is_told_from_text_that_imitates_it() -> None:
    assert drawn("a\u202eb") == [("a", False), ("U+202E", True), ("b", False)]
    assert drawn("a‹U+202E›b") == [("a‹U+202E›b", False)]
    assert drawn("\U000f0055") == [("U+F0055", True)]


@given(TEXTS)
def test_what_is_drawn_says_what_is_printed(text: str) -> None:
    line = safe(text)
    assert "".join(part for part, _ in parts(line)) == bare(line)
    assert re.sub("[‹›]", "", bare(line)) == re.sub("[‹›]", "", printed(text))
    assert token_ends(line)[-1][0] == len(line)


@given(TEXTS, st.integers(8, 30))
def test_no_token_is_cut_or_broken_over_two_rows(text: str, cells: int) -> None:
    line = safe(text)
    for row in (*wrap(line, cells), clip(line, cells)):
        assert not row or not is_inside_token(row, 0)
    cut = clip(line, cells)
    if cut != line:
        assert not is_inside_token(line, len(cut) - 1)
        assert width(cut) <= cells


def tokens(app: Driver) -> set[str]:
    """All that stands on the screen in reverse video."""
    strips = app.app.screen._compositor.render_strips()
    return {s.text for strip in strips for s in strip if s.style is not None and s.style.reverse}


async def test_tokens_are_reverse_in_header_list_details_and_activity(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop("h", {**write("h.md", agent="ag\u2066"), "reason": "re\u202e ‹U+200B›"})
        await app.sees("h.md")
        await app.settled()
        assert {"U+2066", "U+202E"} <= tokens(app)
        assert "‹U+200B›" in app.text
        assert not any("200B" in token for token in tokens(app))
        await app.sees("in reason, agent: not in the diff, i")
        await app.press("i")
        await app.sees("Details")
        await app.until(lambda: "U+202E" in tokens(app))
        await app.press("escape")
        await app.settled()
        await app.approve()
        await app.press("g", "a")
        await app.until(lambda: "U+2066" in tokens(app))


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
async def test_ansi_themes_have_no_backgrounds(opened: Opener, theme: str) -> None:
    async with opened("01", "17") as app:
        app.app.theme = theme
        await app.settled()
        await app.pilot.pause()
        strips = app.app.screen._compositor.render_strips()
        rows = [
            s for strip in strips[1:-2] for s in list(strip)[:6] if s.style is not None and s.text.strip()
        ]
        grounds = {s.style.bgcolor.name for s in rows if s.style and s.style.bgcolor is not None}
        assert len(grounds) <= 1, grounds


async def test_what_is_harmless_at_the_beginning_of_a_file_is_said_to_be_in_the_diff_elsewhere(
    opened: Opener,
) -> None:
    async with opened() as app:
        app.drop(
            "bom", {"operation": "write", "path": "b.md", "summary": "s", "content": "One.\n\ufeffTwo.\n"}
        )
        await app.sees("1 hidden character in content: look for the marks")
        assert "not in the diff" not in app.text


async def test_the_signs_between_what_an_agent_says_of_itself_are_the_apps(opened: Opener) -> None:
    async with opened() as app:
        fields = {"operation": "write", "path": "b.md", "summary": "s", "content": "x\n", "agent": "me"}
        app.drop("two", {**fields, "source": "user", "attended": True})
        await app.sees("you said it · claims you are watching")
        await app.settled()
        assert tokens(app) == set()
