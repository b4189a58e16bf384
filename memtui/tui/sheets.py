"""Sheets over the screen: keys, palette, menu, details, tags. Each draws from the registry of actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import ModalScreen
from textual.widget import Widget

from memtui.tui.actions import ACTIONS, MOVE, PLACES, SHEET, Action
from memtui.tui.diff_rows import break_lines, drawn_words
from memtui.tui.keys import name_of, shown
from memtui.tui.legend import signs
from memtui.tui.outside import safe
from memtui.tui.paint import NARROW, Line, PaintedLine, PaintedText, spread, wrap
from memtui.tui.row_list import RowList, RowView

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

R = TypeVar("R")

ROOM = 5
"""Cells of a row in a sheet that no text gets: cursor, sign, margin."""
_LEAVES = ("esc", "ctrl+q")
_MOVES = ("up", "down", "pageup", "pagedown")
"""Keys of the rows also where a text is typed."""


class SheetLine(PaintedLine):
    """A line with something at its right end."""

    def __init__(self, left: Line, right: Line = ()) -> None:
        super().__init__()
        self._ends = (left, right)

    def draw(self, cells: int) -> Line:
        left, right = self._ends
        return spread(((" ", ""), *left), (*right, (" ", "")), cells)


class Sheet(ModalScreen[R | None], inherit_bindings=False):
    """A list at the foot of the screen; `esc` closes it, and it never has a default yes."""

    BINDINGS: ClassVar[list[BindingType]] = []
    title_text = ""
    foot: tuple[tuple[str, str], ...] = (("esc", "back"),)
    alone = True
    """The last key came by itself: text that a terminal pastes as keys decides nothing."""
    bar = True
    """Its rows can be chosen; else they are there to be read, and no cursor shows."""
    takes_keys = False
    """It has the focus: until then keys wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = RowList(self.describe, bar=self.bar)

    @property
    def memtui(self) -> MemtuiApp:
        return cast("MemtuiApp", self.app)

    def compose(self) -> ComposeResult:
        with Container(id="sheet"):
            yield SheetLine(((self.title_text, "title"),), self._foot())
            yield from self.compose_top()
            yield self.rows

    def compose_top(self) -> ComposeResult:
        yield from ()

    def _foot(self) -> Line:
        spans: list[tuple[str, str]] = []
        for key, label in self.foot:
            spans += [("  ", ""), (key, "bold"), (f" {label}", "muted")]
        return tuple(spans)

    def on_mount(self) -> None:
        self.fill()
        self.set_focus(self.first_focus())
        self.takes_keys = True
        self.memtui.typed.look_again()

    def dismiss(self, result: R | None = None) -> AwaitComplete:
        """Closed: keys wait until what was chosen here has been begun."""
        let_go = self.memtui.typed.hold("sheet")
        closed = super().dismiss(result)
        self.memtui.main.call_later(let_go)
        return closed

    def first_focus(self) -> Widget:
        return self.rows

    def fill(self) -> None:
        """Put the rows in."""

    def on_resize(self) -> None:
        """As high as the screen has room for, now too."""
        if self.rows.rows:
            cursor = self.rows.cursor
            self.fill()
            self.rows.go(min(cursor, len(self.rows.rows) - 1), notify=False)

    def show(self, rows: Sequence[Any], cursor: int = 0) -> None:
        """Rows, and as much height as they need and the screen has."""
        room = max(3, self.app.size.height - 4)
        self.rows.styles.height = max(1, min(len(rows), room))
        self.rows.set_rows(rows, cursor if rows else -1)

    def describe(self, row: Any) -> RowView:
        raise NotImplementedError

    # --- keys

    def on_key(self, event: events.Key) -> None:
        name, typing = name_of(event.key, event.character), self._typing()
        if not typing or name in (*_LEAVES, "enter", *_MOVES):
            event.stop()  # other keys are the text field's, and are found on the way up
        self.alone = self.memtui.main.typed_alone()
        if not self.is_current:  # closed by the key before this one
            return
        if name in _LEAVES or (name == "q" and not typing):
            event.prevent_default()
            self.dismiss(None)
            if name == "ctrl+q":
                self.app.exit(0)
        elif name == "enter":
            self.take()
        elif not self.letter(name):
            action = self.memtui.keymap.find((SHEET, MOVE), name)
            if action is not None and (not typing or name in _MOVES):
                self._move(action.id)

    def on_click(self, event: events.Click) -> None:
        """A click on what lies under the sheet, or on its title, which says so: back."""
        if event.widget is None or event.widget is self or isinstance(event.widget, SheetLine):
            event.stop()
            self.dismiss(None)

    def _typing(self) -> bool:
        return self.focused is not None and self.focused.has_class("text-field")

    def letter(self, name: str) -> bool:  # noqa: ARG002
        """A key of the sheet's own; whether it was one."""
        return False

    def _move(self, id: str) -> None:
        pages = max(1, self.rows.size.height - 1)
        steps = {"down": 1, "up": -1, "page_down": pages, "page_up": -pages}
        if not self.bar:
            ends = {"top": 0.0, "bottom": float(self.rows.max_scroll_y)}
            y = ends.get(id, self.rows.scroll_y + steps.get(id, 0))
            self.rows.scroll_to(y=y, animate=False)
        elif id in steps:
            self.rows.move(steps[id])
        elif id in ("top", "bottom"):
            self.rows.go_end(-1 if id == "top" else 1)

    def take(self) -> None:
        """Enter."""

    def on_row_list_opened(self) -> None:
        self.take()


class HelpSheet(Sheet[None]):
    """Every key, generated: where the person is first, then everywhere."""

    title_text = "Keys"
    bar = False

    def __init__(self, places: Sequence[str]) -> None:
        super().__init__()
        self._places = places

    def fill(self) -> None:
        keymap = self.memtui.keymap
        order = [*(p for p in self._places if p in PLACES), *(p for p in PLACES if p not in self._places)]
        rows: list[tuple[str, str]] = [("!", safe(problem)) for problem in keymap.problems]
        for place in order:
            labels: dict[str, list[str]] = {}
            for action in ACTIONS:
                keys = " ".join(shown(key, self.memtui.ascii_only) for key in keymap.keys_of(action))
                keys = f"m {action.menu}" if action.menu else keys
                if action.where == place and keys:
                    labels.setdefault(keys, []).append(action.label)
            rows += [("", PLACES[place])] if labels else []
            rows += [(" " if i else keys, each) for keys, all in labels.items() for i, each in enumerate(all)]
        rows += [("", "Signs"), *signs(self.memtui.ascii_only)]
        self.show([line for row in rows for line in self._wrapped(*row)])

    def _wrapped(self, keys: str, label: str) -> list[tuple[str, str]]:
        """A row as the lines that it takes: nothing of it is cut in a narrow terminal."""
        first, *more = wrap(label, max(8, self.app.size.width - self._column - ROOM))
        return [(keys, first), *((" ", line) for line in more)]

    @property
    def _column(self) -> int:
        """Cells of the keys."""
        return 14 if self.app.size.width >= NARROW else 10

    def describe(self, row: tuple[str, str]) -> RowView:
        keys, label = row
        if not keys:
            return RowView(((label, "title"),), heading=True, still=True)
        return RowView(((f"{keys} ".ljust(self._column), "bold"), (label, "")), sign="")


class _ActionSheet(Sheet[Action]):
    """A sheet that ends with an action."""

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self.actions = actions

    def take(self) -> None:
        self.choose(cast("Action | None", self.rows.current))

    def choose(self, action: Action | None) -> None:
        if self.alone or action is None or not action.decides:
            self.dismiss(action)


class MenuSheet(_ActionSheet):
    """`m`: what is rare or dangerous here, each by its letter."""

    title_text = "Menu"

    def fill(self) -> None:
        self.show([action for action in self.actions if action.menu])

    def describe(self, row: Action) -> RowView:
        return RowView(((row.menu.ljust(4), "bold"), (row.label, "")), sign="")

    def letter(self, name: str) -> bool:
        from memtui.tui.keys import at_position

        for action in self.rows.rows:
            if action.menu in (name, at_position(name)):
                self.choose(action)
                return True
        return False


class Narrowing(Sheet[R]):
    """A sheet whose rows are narrowed by a few letters in a line above them."""

    def compose_top(self) -> ComposeResult:
        from memtui.tui.safe_input import SafeInput

        self.input = SafeInput(compact=True, classes="text-field", placeholder="type a few letters")
        self.input.cursor_blink = False
        self.none = PaintedText(label=" ")
        yield self.input
        yield self.none

    def first_focus(self) -> Widget:
        return self.input

    def show(self, rows: Sequence[Any], cursor: int = 0) -> None:
        self.rows.styles.min_height = 1
        self.rows.display = bool(rows)
        self.none.set_text("" if rows else "nothing matches", "muted")
        super().show(rows, cursor)

    def on_input_changed(self) -> None:
        self.fill()


class PaletteSheet(_ActionSheet, Narrowing[Action]):
    """`:` and ctrl+p: every action that applies, by a few letters of its name; `q` quits."""

    title_text = "Commands"
    foot = (("enter", "do it"), ("esc", "back"))

    def fill(self) -> None:
        text = self.input.value.strip().casefold()
        listed = [a for a in self.actions if a.palette or a.id in ("help",)]
        if text:
            listed = sorted((a for a in listed if _matches(a, text)), key=lambda a: _rank(a, text))
        self.show(listed)

    def describe(self, row: Action) -> RowView:
        key = f"m {row.menu}" if row.menu else shown(self.memtui.keymap.key_of(row), self.memtui.ascii_only)
        return RowView(((row.label, ""),), sign="", right=key)

    def take(self) -> None:
        if self.input.value.strip().casefold() in ("q", "quit", "q!", "wq"):
            self.dismiss(None)
            self.app.exit(0)
            return
        super().take()


def _matches(action: Action, text: str) -> bool:
    """Every word of the text begins somewhere in the label or the id."""
    words = f"{action.label} {action.id.replace('_', ' ')}".casefold()
    return all(word in words for word in text.split())


def _rank(action: Action, text: str) -> tuple[int, str]:
    label = action.label.casefold()
    return (0 if label.startswith(text) else 1 if f" {text}" in f" {label}" else 2, label)


class TextSheet(Sheet[None]):
    """Lines of text, safe already, to look at; long ones are wrapped."""

    bar = False

    def __init__(self, title: str, text: str) -> None:
        self.title_text = title
        super().__init__()
        self._lines = text.split("\n")

    def fill(self) -> None:
        cells = max(8, self.app.size.width - 4)
        rows: list[str] = []
        for line in self._lines:
            rows += [line[start:end] for start, end in break_lines(drawn_words(line), cells)]
        self.show(rows)

    def describe(self, row: str) -> RowView:
        return RowView(((row, ""),), sign="")


class TagSheet(Sheet[tuple[str, ...]]):
    """Two to five tags out of those that the plan suggests: `space` picks, `enter` takes them."""

    title_text = "Tags: pick 2 to 5"
    foot = (("space", "pick"), ("enter", "take"), ("esc", "back"))

    def __init__(self, suggested: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._suggested = suggested
        self._picked: list[str] = []

    def fill(self) -> None:
        self.show(list(self._suggested))

    def describe(self, row: tuple[str, str]) -> RowView:
        tag, reason = row
        return RowView(
            ((f"#{safe(tag)}".ljust(18) + " ", "bold"), (safe(reason), "muted")),
            sign="",
            mark=tag in self._picked,
        )

    def letter(self, name: str) -> bool:
        if name != "space" or self.rows.current is None:
            return False
        tag = self.rows.current[0]
        if tag in self._picked:
            self._picked.remove(tag)
        elif len(self._picked) < 5:
            self._picked.append(tag)
        self.rows.refresh()
        return True

    def take(self) -> None:
        if 2 <= len(self._picked) <= 5:
            self.dismiss(tuple(self._picked))


class PickSheet(Sheet[str]):
    """One of a few things: each with what it stands for, its words safe already."""

    foot = (("enter", "take"), ("esc", "back"))

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], at: int = 0) -> None:
        self.title_text = title
        super().__init__()
        self._choices, self._at = choices, at

    def fill(self) -> None:
        self.show(list(self._choices), self._at)

    def describe(self, row: tuple[str, str]) -> RowView:
        return RowView(((row[0], ""),), sign="")

    def take(self) -> None:
        if self.rows.current is not None:
            self.dismiss(self.rows.current[1])
