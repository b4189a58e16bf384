"""What every pane is: a list on one side, what it shows on the other, one at a time where it is narrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.containers import Container
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.actions import GLOBAL, MOVE, Action, named
from memtui.tui.footer import Hint
from memtui.tui.keys import shown
from memtui.tui.paint import Line, Painted, PaintedLine, spread
from memtui.tui.prompt import Question
from memtui.tui.row_list import RowList, RowView

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.review.items import Item
    from memtui.tui.app import MemtuiApp
    from memtui.tui.form import Form
    from memtui.tui.screen import DeskScreen


class Divider(Painted):
    """The one line between list and preview; a bar beside the preview's title where that has the focus."""

    reading = False

    def show_focus(self, reading: bool) -> None:
        if reading != self.reading:
            self.reading = reading
            self.refresh()

    def render_line(self, y: int) -> Strip:
        bar = "▌" if self.reading and not y else " "
        return self.strip((("│", "rule"), (bar, "title")), 2)


class PaintedLines(Painted):
    """A few lines of the app's own words, laid out for the width; not for text from outside of any length."""

    DEFAULT_CSS = "PaintedLines { height: 1fr; width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw: Callable[[int, int], Sequence[Line]] = lambda _cells, _rows: ()

    def show(self, draw: Callable[[int, int], Sequence[Line]]) -> None:
        """`draw` gives the lines for a width and a height in cells."""
        self._draw = draw
        self._top = 0
        self.refresh()

    _top = 0
    """The first line that is shown, where there is no room for all."""

    @property
    def below(self) -> int:
        """Lines that there is no room for, below what is shown."""
        return max(0, len(self._draw(self.size.width, self.size.height)) - self._top - self.size.height)

    def page(self, step: int) -> bool:
        """Scroll by the height less two lines; whether there was anywhere to go."""
        top = self._top + step * max(1, self.size.height - 2)
        self._top, before = max(0, min(top, self._top + self.below)), self._top
        self.refresh()
        return self._top != before

    def render_line(self, y: int) -> Strip:
        lines = self._draw(self.size.width, self.size.height)[self._top :]
        return self.strip(lines[y] if y < len(lines) else (), self.size.width)


class Side(Container):
    """The list's side."""


class Main(Container):
    """The preview's side."""


class Head(PaintedLine):
    """The line over a list: its name on the left, a count on the right."""

    def set_head(self, left: Line, right: Line) -> None:
        self._pair = (left, right)
        self.refresh()

    focused = True
    """The list has the focus: the title of the other side is in plain bold."""

    def show_focus(self, focused: bool) -> None:
        if focused != self.focused:
            self.focused = focused
            self.refresh()

    _pair: tuple[Line, Line] = ((), ())
    indent = " "
    """Before and after it."""

    def draw(self, cells: int) -> Line:
        left, right = self._pair
        if not self.focused:
            left = tuple((text, "bold" if role == "title" else role) for text, role in left)
        return spread(((self.indent, ""), *left), (*right, (self.indent, "")), cells)


class Pane(Container):
    """A list and what it shows. Subclasses fill both and act on the person's keys (`act_<id>`)."""

    pane = ""
    """Its name, as the top line and `g` know it."""
    came_from = ""
    """The pane from which something was begun here: where its `esc` goes."""
    place = ""
    """The place of its own actions."""

    def __init__(self) -> None:
        super().__init__(id=f"pane-{self.pane}")
        self.head = Head()
        self.rows = RowList(self.describe, pin_end=self.keeps_to_end)
        self.divider = Divider()

    def compose(self) -> ComposeResult:
        with Side(classes="side"):
            yield self.head
            yield self.rows
        yield self.divider
        with Main(classes="main"):
            yield from self.compose_main()

    def compose_main(self) -> ComposeResult:
        yield from ()

    # --- what subclasses say

    def describe(self, row: Any) -> RowView:
        raise NotImplementedError

    def keeps_to_end(self, row: Any) -> bool:  # noqa: ARG002
        """Whether a row stays at the foot of the pane while there is room."""
        return False

    def entered(self) -> None:
        """The pane is shown."""

    def left(self) -> None:
        """Another pane is shown."""

    def desk_ready(self) -> None:
        """The desk has been built, or built anew."""

    def main_focus(self) -> Widget | None:
        """What takes the focus on the preview's side, None where there is nothing to read."""
        return None

    def places(self) -> tuple[str, ...]:
        """Where the person is, innermost first."""
        return (self.place, MOVE, GLOBAL)

    def hints(self) -> list[Hint]:
        """The footer."""
        return self.hint_list("new_note", "find", "filter", "menu", "palette", "help")

    def step_back(self) -> bool:
        """Out of the preview, the filter, the marks, in this order; False where there is nothing to leave."""
        if self.reading:
            self.read(False)
            return True
        return False

    def show_path(self, path: str) -> None:
        """Show the note at a path, where it is a pane of notes."""

    def merge_proposal(self, path: str, item: Item) -> None:
        """Edit the note at a path with the text of a proposal in it, where it is a pane of notes."""

    def key_dropped(self) -> None:
        """A deciding key did not count."""

    def settle_left(self) -> float:
        """Seconds until a deciding key counts; 0 too where there is nothing to decide."""
        return 0.0

    def notes_changed(self) -> None:
        """Notes were added, changed or removed; the pane may or may not be the one that is shown."""

    def open_form(self, form: Form) -> None:
        """Edit; only where something can be edited."""
        raise NotImplementedError

    def drafts_changed(self) -> None:
        """Unfinished text is kept for other keys than before (`app.drafts`)."""

    def leaving(self) -> None:
        """The app is about to end: keep what is unfinished."""

    def offers(self, action: Action) -> bool:  # noqa: ARG002
        """Whether an action makes sense at this moment (for palette and menu)."""
        return True

    def filter_question(self) -> Question:
        """What `/` asks."""
        raise NotImplementedError

    # --- helpers

    @property
    def memtui(self) -> MemtuiApp:
        return cast("MemtuiApp", self.app)

    @property
    def desk(self) -> Desk | None:
        return self.memtui.desk

    @property
    def main_screen(self) -> DeskScreen:
        return self.memtui.main

    @property
    def narrow(self) -> bool:
        """One side at a time."""
        return self.main_screen.one_side

    @property
    def reading(self) -> bool:
        """The preview has the focus (or, where it is narrow, is what is shown)."""
        return self.has_class("-reading")

    def hint(
        self, id: str, label: str = "", *, dim: bool = False, where: str | None = None, key: str = ""
    ) -> Hint:
        action = named(id, where)
        keymap = self.memtui.keymap
        return Hint(
            action, key or shown(keymap.key_of(action), self.memtui.ascii_only), label or action.short, dim
        )

    def hint_list(self, *ids: str) -> list[Hint]:
        return [hint for hint in (self.hint(id) for id in ids) if hint.key]

    def more_hint(self, words: PaintedLines) -> list[Hint]:
        """That there is more of the words that are read, and the key."""
        if not words.below or (self.narrow and not self.reading):
            return []
        below = f"{'v' if self.memtui.ascii_only else '▼'}{words.below}"
        return [self.hint("page_down", below if self.narrow else f"more {below}")]

    # --- the two sides

    def read(self, on: bool) -> None:
        """Go into the preview, or back to the list."""
        target = self.main_focus() if on else self.rows
        if target is None:
            return
        self.set_class(on, "-reading")
        if self.main_screen.pane is self:
            self.app.call_after_refresh(self.take_focus)
        self.side_changed()
        self.main_screen.refresh_chrome()

    def take_focus(self) -> None:
        target = self.main_focus() if self.reading else self.rows
        if target is not None and self.main_screen.pane is self and not self.main_screen.typing:
            self.main_screen.set_focus(target, scroll_visible=False)

    def side_changed(self) -> None:
        """The other side has the focus now."""

    def show_side(self) -> None:
        """Which side has the focus can be seen: title, cursor bar, and a bar beside the preview's title."""
        reading = self.reading
        self.head.show_focus(not reading)
        self.rows.show_focus(not reading)
        self.divider.show_focus(reading)

    def act_other_side(self) -> None:
        self.read(not self.reading)

    act_other_side_back = act_other_side

    def act_into(self) -> None:
        if not self.reading:
            self.read(True)

    def act_out(self) -> None:
        if self.reading:
            self.read(False)

    # --- moving

    def act_down(self) -> None:
        self._move(1)

    def act_up(self) -> None:
        self._move(-1)

    def _move(self, step: int) -> None:
        target = self.main_focus()
        if self.reading and target is not None:
            target.scroll_relative(y=step, animate=False)
        else:
            self.rows.move(step)

    def act_top(self) -> None:
        self._end(-1)

    def act_bottom(self) -> None:
        self._end(1)

    def _end(self, step: int) -> None:
        target = self.main_focus()
        if self.reading and target is not None:
            target.scroll_to(y=0 if step < 0 else target.max_scroll_y, animate=False)
        else:
            self.rows.go_end(step)

    def act_page_down(self) -> None:
        self.page(1)

    def act_page_up(self) -> None:
        self.page(-1)

    def act_page(self) -> None:
        self.page(1)

    def page(self, step: int) -> None:
        """Scroll the preview by its height less two lines, from either side."""
        target = self.main_focus()
        if target is None:
            self.rows.move(step * max(1, self.rows.size.height - 2))
        else:
            target.scroll_relative(y=step * max(1, target.size.height - 2), animate=False)
