from __future__ import annotations

import unicodedata

import pytest
from rich.cells import cell_len
from rich.text import Text
from textual.app import App, ComposeResult

from memtui.proposals.diff import FileDiff, diff
from memtui.tui.diff_view import DiffView
from memtui.tui.paint import COMPONENTS

HOSTILE = (
    "\x1b[2J\x1b]0;t\x07\u202eabc\u200b\x9b31m e"
    + "\u0301" * 30
    + "\U000e0041\ud800".encode("utf-8", "replace").decode()
)


def compare(before: str | None, after: str | None, path: str = "note.md") -> FileDiff:
    return diff(path, None if before is None else before.encode(), None if after is None else after.encode())


def is_hidden(character: str) -> bool:
    return unicodedata.category(character)[0] == "C" or unicodedata.category(character) in ("Zl", "Zp")


class Showing(App[None]):
    """An app with nothing but a diff view, which keeps the names of the messages it was sent."""

    COMPONENT_CLASSES = COMPONENTS

    def __init__(self, ascii: bool = False) -> None:
        super().__init__()
        self.view = DiffView(ascii=ascii)
        self.ends = 0

    def compose(self) -> ComposeResult:
        yield self.view

    def on_diff_view_end_seen(self) -> None:
        self.ends += 1

    def screen_lines(self) -> list[str]:
        return [self.view.render_line(y).text.rstrip() for y in range(self.view.size.height)]


# --- the widget -----------------------------------------------------------------------------------


def long_change(lines: int = 200) -> FileDiff:
    before = [f"line {n}" for n in range(lines)]
    after = [f"{line} new" if n % 10 == 5 else line for n, line in enumerate(before)]
    return compare("\n".join(before) + "\n", "\n".join(after) + "\n")


@pytest.mark.parametrize("columns", [40, 80, 200])
async def test_the_widget_shows_header_diff_and_footer(columns: int) -> None:
    app = Showing()
    async with app.run_test(size=(columns, 50)):
        app.view.show(
            (compare("a 日本 b\n", "a 日本 c " + HOSTILE + "\n"),),
            header=((("~ update", "bold"),), Text("why [bold]not markup[/bold]")),
            footer=((("q" * (columns + 5), ""),),),
        )
        lines = app.screen_lines()
        assert lines[:2] == ["~ update", "why [bold]not markup[/bold]"]
        assert sum(line.count("q") for line in lines) == columns + 5
        for y in range(50):
            strip = app.view.render_line(y)
            assert strip.cell_length == cell_len(strip.text) == columns
            assert not any(map(is_hidden, strip.text))


async def test_folds_open_all_at_once_or_one_by_one() -> None:
    app = Showing()
    async with app.run_test(size=(80, 20)) as pilot:
        app.view.show((long_change(),))
        assert app.screen_lines()[1] == "     ⋯ 4 lines"
        await pilot.click(DiffView, offset=(8, 1))
        assert app.screen_lines()[1:4] == ["   1   line 0", "   2   line 1", "   3   line 2"]
        assert any("⋯" in line for line in app.screen_lines())
        app.view.unfold = True
        assert not any("⋯" in line for line in app.screen_lines())
        app.view.unfold = False
        assert app.screen_lines()[1] == "     ⋯ 4 lines"


@pytest.mark.parametrize(
    ("columns", "wanted", "beside"),
    [(122, None, False), (123, None, True), (123, False, False), (90, True, True), (40, True, False)],
)
async def test_side_by_side_by_itself_only_where_each_half_has_60_cells(
    columns: int, wanted: bool | None, beside: bool
) -> None:
    app = Showing()
    async with app.run_test(size=(columns, 20)):
        app.view.side_by_side = wanted
        app.view.show((compare("a\nb\n", "a\nc\n"),))
        assert app.view.is_side_by_side is beside
        assert ("│" in app.screen_lines()[1]) is beside


async def test_the_end_counts_as_seen_only_once_it_was_on_the_screen() -> None:
    app = Showing()
    async with app.run_test(size=(80, 20)) as pilot:
        change = long_change()
        app.view.show((change,), footer=((("after", ""),),))
        await pilot.pause()
        assert not app.view.end_seen
        assert app.view.lines_below == app.view.virtual_size.height - 20, "facts under the diff count too"
        while app.view.lines_below:
            assert app.ends == 0
            app.view.scroll_relative(y=18, animate=False)
            await pilot.pause()
        assert app.view.at_end
        assert app.view.end_seen
        await pilot.pause()  # it is told by a message
        assert app.ends == 1
        app.view.scroll_home(animate=False)
        app.view.show((change,), header=((("another age", ""),),))
        await pilot.pause()
        assert app.view.end_seen, "the same diffs with other lines around them stay read"
        app.view.show((long_change(),))
        await pilot.pause()
        assert not app.view.end_seen


async def test_a_short_diff_is_seen_at_once() -> None:
    app = Showing()
    async with app.run_test(size=(80, 20)) as pilot:
        app.view.show((compare("a\n", "b\n"),))
        await pilot.pause()
        assert app.view.end_seen
        await pilot.pause()  # it is told by a message
        assert app.ends == 1


async def test_next_and_previous_bring_changes_into_view() -> None:
    app = Showing()
    async with app.run_test(size=(80, 12)) as pilot:
        app.view.show((long_change(),))
        seen = []
        while app.view.next_change():
            await pilot.pause()
            pointed = [line for line in app.screen_lines() if "▌" in line]
            seen.append(pointed[0].split("▌")[0].strip())
        assert seen == [str(n) for n in range(6, 201, 10)]
        assert app.view.previous_change()
        assert any(line.startswith(" 186▌-") for line in app.screen_lines())


async def test_the_first_step_goes_to_what_is_flagged() -> None:
    app = Showing()
    async with app.run_test(size=(60, 12)):
        app.view.show((compare(None, "fine\n" * 40 + "hid\u200bden\n" + "fine\n" * 40),))
        app.view.next_change()
        assert any(line.startswith("  41▌+ hidU+200Bden") for line in app.screen_lines())


async def test_a_resize_keeps_the_row_at_the_top() -> None:
    app = Showing()
    async with app.run_test(size=(80, 20)) as pilot:
        app.view.show((compare(None, "".join(f"w{n}" + f" w{n}" * 40 + "\n" for n in range(100))),))
        await pilot.pause()
        app.view.scroll_to(y=60, animate=False, immediate=True)
        await pilot.pause()
        word = app.screen_lines()[0].split()[-1]
        for columns in (50, 140, 80):
            await pilot.resize_terminal(columns, 20)
            await pilot.pause()
            assert word in app.screen_lines()[0]


async def test_a_text_is_shown_as_its_source() -> None:
    app = Showing()
    async with app.run_test(size=(60, 12)):
        app.view.show_text(
            "# Tea\n\n[bold]no[/bold] \x1b[31m sugar\n", header=((("prefs/tea.md", "title"),),)
        )
        assert app.screen_lines()[:4] == ["prefs/tea.md", "# Tea", "", "[bold]no[/bold] U+001B[31m sugar"]
        app.view.show_text("a\nb\n", numbers=True)
        assert app.screen_lines()[:2] == ["   1   a", "   2   b"]


async def test_a_header_without_a_text_has_its_own_end_to_be_seen() -> None:
    app = Showing()
    async with app.run_test(size=(60, 12)) as pilot:
        app.view.show_text("", header=[(("short", ""),)])
        await pilot.pause()
        assert app.view.end_seen
        app.view.show_text("", header=[((f"row {n}", ""),) for n in range(30)])
        await pilot.pause()
        assert not app.view.end_seen


async def test_the_same_text_shown_again_keeps_its_place() -> None:
    app = Showing()
    async with app.run_test(size=(60, 12)) as pilot:
        text = "".join(f"line {n}\n" for n in range(100))
        app.view.show_text(text)
        await pilot.pause()
        app.view.scroll_to(y=40, animate=False, immediate=True)
        app.view.show_text(text, header=((("another age", ""),),))
        await pilot.pause()
        assert app.screen_lines()[0] == "line 40"
        app.view.show_text(text + "more")
        await pilot.pause()
        assert app.screen_lines()[0] == "line 0"


async def test_it_survives_a_pane_of_no_width_and_no_diff() -> None:
    app = Showing()
    async with app.run_test(size=(80, 20)) as pilot:
        app.view.show(())
        assert not app.view.next_change()
        app.view.styles.width = 0
        await pilot.pause()
        app.view.show((long_change(),))
        app.view.styles.width = "1fr"
        await pilot.pause()
        assert app.screen_lines()[0].startswith("note.md")


async def test_another_theme_is_drawn_at_once() -> None:
    app = Showing()
    async with app.run_test(size=(80, 20)) as pilot:
        app.view.show((compare("a\n", "b\n"),))
        before = app.view.render_line(1)
        app.theme = "textual-light"
        await pilot.pause()
        assert app.view.render_line(1) != before
        app.theme = "ansi-dark"
        await pilot.pause()
        grounds = {s.style.bgcolor for s in app.view.render_line(1) if s.style}
        assert grounds == {None}


def prose(changed: bool) -> str:
    lines = [f"line {n} of some plain prose that goes on for a while, as notes do" for n in range(950)]
    return "\n".join(f"{x} more" if changed and n % 10 == 3 else x for n, x in enumerate(lines))


async def test_64_kib_are_laid_out_and_painted() -> None:
    app = Showing()
    async with app.run_test(size=(100, 40)):
        change = compare(prose(False), prose(True))
        app.view.show((change,))
        app.screen_lines()
