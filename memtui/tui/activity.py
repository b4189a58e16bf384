"""Activity: every decision, newest first; `u` takes the selected one back."""

from __future__ import annotations

import time
from functools import partial

from textual.app import ComposeResult

from memtui.failing import said
from memtui.review.history import problem_sentence
from memtui.review.items import DecisionRow, Outcome
from memtui.storage.records import ALLOWED_BY
from memtui.tui.actions import ACTIVITY, Action
from memtui.tui.footer import Hint
from memtui.tui.outside import safe
from memtui.tui.paint import Line, wrap
from memtui.tui.pane import PaintedLines, Pane
from memtui.tui.prompt import FILTER, Question
from memtui.tui.row_list import RowList, RowView
from memtui.tui.words import age, ago, number

_SIGNS = {"rejected": "-", "undone": "<", "refused": "!", "blocked": "!", "withdrawn": "."}


def _sign(row: DecisionRow) -> str:
    """Of what was written the operation's own, as the inbox has it; else that of the verdict."""
    if row.verdict == "approved":
        return row.sign
    return _SIGNS.get(row.verdict, " ")


def _none(filter: str) -> str:
    return "nothing matches" if filter else "nothing decided yet"


class ActivityPane(Pane):
    """The journal as a list."""

    pane = "activity"
    place = ACTIVITY

    def __init__(self) -> None:
        super().__init__()
        self.words = PaintedLines()
        self._all: tuple[DecisionRow, ...] = ()
        self._filter = ""
        self._busy = False

    def compose_main(self) -> ComposeResult:
        yield self.words

    def describe(self, row: DecisionRow) -> RowView:
        dim = row.verdict == "undone" or not row.undoable
        right = age(max(0.0, self.memtui.now() - row.at))
        badge: Line = (("allowed" if row.by.startswith(ALLOWED_BY) else row.verdict, "muted"),)
        return RowView(((safe(row.headline), ""),), sign=_sign(row), badge=badge, right=right, dim=dim)

    def entered(self) -> None:
        desk = self.desk
        if desk is not None:
            self.memtui.ask("log", desk.log, self._got)

    def _got(self, rows: tuple[DecisionRow, ...]) -> None:
        self._all = rows
        self.refill()

    def refill(self) -> None:
        current = self.rows.current
        text = self._filter.casefold()
        rows = [
            row
            for row in self._all
            if text in f"{row.headline} {row.agent} {row.verdict} {row.target}".casefold()
        ]
        record = None if current is None else current.record
        self.rows.set_rows(rows, next((i for i, row in enumerate(rows) if row.record == record), 0))
        left: Line = ((f"/{safe(self._filter)}" if self._filter else "Activity", "title"),)
        self.head.set_head(
            left, ((f"{number(len(rows))} decided" if rows else _none(self._filter), "muted"),)
        )
        self._show()

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        self._show()

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.act_into()

    def _show(self) -> None:
        row = self.rows.current
        self.words.show(partial(_lines, row, self.memtui.now()))
        self.main_screen.refresh_chrome()

    def hints(self) -> list[Hint]:
        row = self.rows.current
        undo = [self.hint("undo_selected")] if row is not None and row.undoable else []
        side = self.hint_list("out" if self.reading else "into") if self.narrow and row is not None else []
        more = (
            [self.hint("page_down", f"more ▼{self.words.below}")] if self.reading and self.words.below else []
        )
        return [
            *undo,
            *more,
            *side,
            *self.hint_list("filter", "go_inbox", "go_notes", "palette", "help", "quit"),
        ]

    def offers(self, action: Action) -> bool:
        row = self.rows.current
        return action.id != "undo_selected" or (row is not None and row.undoable)

    def step_back(self) -> bool:
        if self.reading:
            self._read(False)
        elif self._filter:
            self._set_filter("")
        else:
            return False
        return True

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

    def act_undo_selected(self) -> None:
        row, desk = self.rows.current, self.desk
        if row is None or desk is None or self._busy:
            return
        if not row.undoable:
            self.main_screen.say(("this one stays: ", "muted"), (safe(_why_not(row)), "muted"))
            return
        self._busy = True
        self.main_screen.decisions += 1
        self.memtui.ask(
            "decide",
            partial(desk.undo, row.record),
            partial(self._undone, row.record),
            failed=self._failed,
            exclusive=False,
        )

    def _failed(self, error: Exception) -> None:
        self._busy = False
        self.main_screen.fail(f"not undone: {said(error)}")

    def _undone(self, record: int, outcome: Outcome) -> None:
        self._busy = False
        if outcome.ok:
            self.main_screen.inbox.taken_back(outcome.id, record)
        self.main_screen.decided()
        if outcome.ok:
            self.main_screen.say((safe(outcome.message), ""))
        else:
            self.main_screen.fail(outcome.message)
        self.entered()


def _why_not(row: DecisionRow) -> str:
    return getattr(row, "why_not", "") or "it was taken back, or wrote nothing"


def _lines(row: DecisionRow | None, now: float, cells: int, _rows: int) -> list[Line]:
    """One decision, in full."""
    if row is None:
        return [
            (("Nothing decided yet", "title"),),
            (),
            (("What you approve or reject is listed here.", "muted"),),
        ]
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.at))
    ruled = {"refused": " (refused by the rules)", "blocked": " (it looks like a secret)"}
    facts = (
        ("decision", f"{row.record}"),
        ("verdict", row.verdict + (" (edited)" if row.edited else "")),
        ("operation", row.operation),
        ("note", row.target),
        ("agent", row.agent),
        ("by", row.by + ruled.get(row.verdict, "")),
        *(("problem", problem_sentence(p.field, p.message)) for p in getattr(row, "problems", ())),
        ("reason", row.reason),
        ("private", row.note),
        ("when", f"{when} · {ago(max(0.0, now - row.at))}"),
        ("undo", "u takes it back" if row.undoable else f"cannot: {_why_not(row)}"),
    )
    lines: list[Line] = [((text, "title"),) for text in wrap(safe(row.headline), max(8, cells - 1))]
    lines.append(())
    for label, text in facts:
        if text:
            rows = wrap(safe(text), max(8, cells - 13))
            lines.append(((label.ljust(12), "muted"), (rows[0], "")))
            lines += [((" " * 12, ""), (more, "")) for more in rows[1:]]
    return lines
