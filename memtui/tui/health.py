"""Health of the folder, and the catalog: what is wrong and what to do; what the agent reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from textual.app import ComposeResult

from memtui.notes.catalog import Catalog
from memtui.review.items import Finding
from memtui.tui.actions import CATALOG, HEALTH
from memtui.tui.empty import words_lines
from memtui.tui.footer import Hint
from memtui.tui.outside import safe
from memtui.tui.paint import Line
from memtui.tui.pane import PaintedLines, Pane
from memtui.tui.prompt import FILTER, Question
from memtui.tui.row_list import RowList, RowView
from memtui.tui.words import meter, number, plural


class _ReadPane(Pane):
    """A list to read, each row with a few words beside it."""

    title = ""

    def __init__(self) -> None:
        super().__init__()
        self.words = PaintedLines()
        self._all: Sequence[Any] = ()
        self._filter = ""
        self.loaded = False

    def compose_main(self) -> ComposeResult:
        yield self.words

    def text_of(self, row: Any) -> str:
        """What a filter looks at."""
        raise NotImplementedError

    def words_of(self, row: Any | None) -> tuple[str, ...]:
        """A title and sentences."""
        raise NotImplementedError

    def count_words(self, rows: Sequence[Any]) -> str:
        return number(len(rows))

    def notes_changed(self) -> None:
        if self.main_screen.pane is self:
            self.entered()

    def act_undo(self) -> None:
        self.main_screen.inbox.act_undo()

    def got(self, rows: Sequence[Any]) -> None:
        self._all, self.loaded = rows, True
        self.refill()

    def refill(self) -> None:
        text = self._filter.casefold()
        rows = [row for row in self._all if text in self.text_of(row).casefold()] if text else list(self._all)
        self.rows.set_rows(rows, min(max(self.rows.cursor, 0), len(rows) - 1))
        left: Line = ((f"/{safe(self._filter)}" if self._filter else self.title, "title"),)
        self.head.set_head(left, ((self.count_words(rows), "muted"),))
        self._show()

    def _show(self) -> None:
        title, *sentences = self.words_of(self.rows.current)
        self.words.show(lambda cells, _rows: _spaced(cells, title, sentences))
        self.main_screen.refresh_chrome()

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        self._show()

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.act_into()

    def act_into(self) -> None:
        self._read(self.rows.current is not None)

    def act_out(self) -> None:
        self._read(False)

    def _read(self, on: bool) -> None:
        """One side at a time; side by side the list keeps the focus, since nothing scrolls beside it."""
        self.set_class(on and self.narrow, "-reading")
        self.main_screen.refresh_chrome()

    def act_other_side(self) -> None:
        self._read(not self.reading)

    act_other_side_back = act_other_side

    def page(self, step: int) -> None:
        """Where the words have no room, they are scrolled first."""
        if (self.narrow and not self.reading) or not self.words.page(step):
            super().page(step)
        self.main_screen.refresh_chrome()

    def step_back(self) -> bool:
        if self.reading:
            self._read(False)
        elif self._filter:
            self._set_filter("")
        else:
            return False
        return True

    def filter_question(self) -> Question:
        return Question(
            "/",
            self._set_filter,
            value=self._filter,
            place=FILTER,
            changed=self._set_filter,
            cancelled=partial(self._set_filter, ""),
        )

    def _set_filter(self, text: str) -> None:
        self._filter = text.strip()
        self.refill()

    def hints(self) -> list[Hint]:
        side = (
            self.hint_list("out" if self.reading else "into")
            if self.narrow and self.rows.current is not None
            else []
        )
        more = (
            [self.hint("page_down", f"more ▼{self.words.below}")] if self.reading and self.words.below else []
        )
        return [*more, *side, *self.hint_list("filter", "go_inbox", "go_notes", "palette", "help", "quit")]


def _spaced(cells: int, title: str, sentences: Sequence[str]) -> list[Line]:
    lines = words_lines(cells, title)
    for sentence in sentences:
        lines += [(), *words_lines(cells, "", sentence)]
    return lines


class HealthPane(_ReadPane):
    """What `memtui check` finds."""

    pane = "health"
    place = HEALTH
    title = "Health"

    def entered(self) -> None:
        desk = self.desk
        if desk is not None:
            self.memtui.ask("check", desk.check, self.got)

    def describe(self, row: Finding) -> RowView:
        return RowView(
            ((safe(row.file or row.kind), ""),),
            sign="·" if row.advice else "!",
            right=safe(row.kind),
            dim=False,
        )

    def text_of(self, row: Finding) -> str:
        return f"{row.file} {row.kind} {row.message}"

    def count_words(self, rows: Sequence[Finding]) -> str:
        advice = sum(1 for row in rows if row.advice)
        faults = len(rows) - advice
        words = [plural(faults, "finding") if faults else "no faults" if advice else "nothing to mend"]
        return " · ".join([*words, f"{number(advice)} advice"] if advice else words)

    def words_of(self, row: Finding | None) -> tuple[str, ...]:
        if row is None:
            if not self.loaded:
                return ("Scanning…",)
            return (
                "Nothing to mend",
                "Index, tags, links and frontmatter are in step.",
                self._screen_words(),
            )
        advice = "Advice: nothing is broken." if row.advice else ""
        return (row.file or row.kind, row.message, advice, self._screen_words())

    def _screen_words(self) -> str:
        """Which rules look for secrets."""
        return "" if self.desk is None else f"Secrets: {self.desk.screen.engine}."


class CatalogPane(_ReadPane):
    """The lines that an agent reads, and the notes that did not fit."""

    pane = "catalog"
    place = CATALOG
    title = "Catalog"
    _used = (0, 0)

    def entered(self) -> None:
        desk = self.desk
        if desk is not None:
            self.memtui.ask("catalog", desk.catalog, self._got_catalog)

    def _got_catalog(self, catalog: Catalog) -> None:
        self._used = (catalog.used, catalog.budget)
        listed = [(path, line, True) for path, line in catalog.lines]
        self.got([*listed, *((path, "", False) for path in catalog.dropped)])

    def describe(self, row: tuple[str, str, bool]) -> RowView:
        path, _line, read = row
        return RowView(((safe(path), ""),), sign=None, right="" if read else "dropped", dim=not read)

    def text_of(self, row: tuple[str, str, bool]) -> str:
        return f"{row[0]} {row[1]}"

    def count_words(self, rows: Sequence[Any]) -> str:  # noqa: ARG002
        return meter(*self._used) if self.loaded else ""

    def words_of(self, row: tuple[str, str, bool] | None) -> tuple[str, ...]:
        if row is None:
            return ("The catalog is empty",) if self.loaded else ("Scanning…",)
        path, line, read = row
        if not read:
            return (path, "It does not fit any more: the agent is told only how many were dropped.")
        return (path, line, "This is the line that the agent reads.")
