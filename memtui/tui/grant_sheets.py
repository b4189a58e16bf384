"""Sheets of what the person lets through: one to choose what, one to take it back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from textual.app import ComposeResult

from memtui.gate.grants import Grant
from memtui.tui.outside import safe
from memtui.tui.row_list import RowView
from memtui.tui.sheets import Sheet, SheetLine

HOW_LONG = 19
"""Cells of the column that says until when: it comes first, since a path may be long."""


class Width(NamedTuple):
    """One way to remember an approval."""

    path: str
    lasting: bool


class TrustSheet(Sheet[Width]):
    """What is let through from now on; nothing is picked beforehand."""

    title_text = "Let through"
    foot = (("enter", "take"), ("esc", "back"))

    def __init__(self, spool: str, widths: Sequence[str]) -> None:
        super().__init__()
        self._words = f"approves it, and what comes later from {from_words(spool)}"
        self._widths = [Width(path, lasting) for path in widths for lasting in (False, True)]

    def compose_top(self) -> ComposeResult:
        yield SheetLine(((safe(self._words), "muted"),))

    def fill(self) -> None:
        self.show(self._widths)
        self.rows.set_rows(self._widths, -1)

    def describe(self, row: Width) -> RowView:
        how = "from now on" if row.lasting else "until memtui ends"
        what = "  new notes too" if row.path.endswith("/*") else ""
        return RowView(((how.ljust(HOW_LONG), ""), (safe(row.path), "bold"), (what, "muted")), sign="")

    def take(self) -> None:
        if self.rows.current is not None:
            self.dismiss(self.rows.current)


class GrantsSheet(Sheet[Grant]):
    """What the person lets through; `enter` on one asks about it again."""

    foot = (("enter", "ask again"), ("esc", "back"))

    def __init__(self, grants: Sequence[Grant], problem: str) -> None:
        self.title_text = "Let through" if grants else "No grants"
        super().__init__()
        self._grants = grants
        self._problem = problem

    def compose_top(self) -> ComposeResult:
        if self._problem:
            yield SheetLine(((safe(self._problem), "muted"),))

    def fill(self) -> None:
        self.show(self._grants)
        self.rows.set_rows(self._grants, -1)

    def describe(self, row: Grant) -> RowView:
        day = time.strftime("%Y-%m-%d", time.localtime(row.made))
        how = f"since {day}" if row.lasting else "until memtui ends"
        words = (safe(f"  {from_words(row.spool)}"), "muted")
        return RowView(((how.ljust(HOW_LONG), ""), (safe(row.path), "bold"), words), sign="")

    def take(self) -> None:
        if self.rows.current is not None:
            self.dismiss(self.rows.current)


def from_words(spool: str) -> str:
    """A spool as a title names it."""
    return f"spool {spool}" if spool else "the workspace's own spool"
