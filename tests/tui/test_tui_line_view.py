"""Lists and diffs scroll over any number of lines, and the screen is laid out for none of them."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.screen import Screen

from memtui.tui.paint import COMPONENTS
from memtui.tui.row_list import RowList, RowView


class Counting(Screen[None]):
    """Counts how often it is laid out."""

    layouts = 0

    def _refresh_layout(self, *arguments: object, **named: object) -> None:
        self.layouts += 1
        super()._refresh_layout(*arguments, **named)  # type: ignore[arg-type]


class Listing(App[None]):
    COMPONENT_CLASSES = COMPONENTS
    CSS = "RowList { height: 1fr; width: 1fr; } .-tall RowList { height: auto; }"

    def __init__(self) -> None:
        super().__init__()
        self.rows = RowList(self.describe)
        self.described: set[int] = set()

    def describe(self, row: int) -> RowView:
        self.described.add(row)
        return RowView(((f"row {row}", ""),))

    def get_default_screen(self) -> Counting:
        return Counting()

    def compose(self) -> ComposeResult:
        yield self.rows

    def line(self, y: int) -> str:
        return self.rows.render_line(y).text.strip()


async def test_another_number_of_lines_is_scrolled_over_without_a_layout_of_the_screen() -> None:
    app = Listing()
    async with app.run_test(size=(40, 10)) as pilot:
        app.rows.set_rows(range(5), 0)
        await pilot.pause()
        counting = app.screen
        assert isinstance(counting, Counting)
        before = counting.layouts
        app.rows.set_rows(range(10_000), 0)
        await pilot.pause()
        app.rows.go_end(1)
        await pilot.pause()
        assert app.line(9).endswith("row 9999")
        app.rows.set_rows(range(12), 11)
        await pilot.pause()
        assert [app.line(0), app.line(9)] == ["row 2", "▌  row 11"], "what is shorter is shown to its end"
        app.rows.set_rows(range(3), 0)
        await pilot.pause()
        assert app.rows.scroll_offset.y == 0
        assert counting.layouts == before


async def test_rows_that_stand_where_they_stood_are_not_drawn_again() -> None:
    app = Listing()
    async with app.run_test(size=(40, 10)) as pilot:
        app.rows.set_rows([0, 1, 2, 3], 1)
        await pilot.pause()
        app.described.clear()
        app.rows.set_rows([0, 1, 9, 3, 4], 1, drawn=True)
        await pilot.pause()
        assert app.described == {4, 9}
        app.described.clear()
        app.rows.set_rows([0, 1, 9, 3, 4], 2, drawn=True)
        await pilot.pause()
        assert app.described == {1, 9}, "where the cursor was, and where it is"
        app.described.clear()
        app.rows.set_rows([0, 1, 9, 3, 4], 2)
        await pilot.pause()
        assert app.described == {0, 1, 9, 3, 4}


async def test_a_list_as_high_as_its_lines_grows_with_them() -> None:
    app = Listing()
    async with app.run_test(size=(40, 10)) as pilot:
        app.screen.add_class("-tall")
        for count in (3, 7, 2):
            app.rows.set_rows(range(count), 0)
            await pilot.pause()
            assert app.rows.size.height == count
