"""What the desk does so that little is kept: old contents and answers go, and what a person wants forgotten."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.review.items import Outcome
from memtui.review.recovering import FAILURES
from memtui.storage.spools import spool_of

if TYPE_CHECKING:
    from memtui.config import Workspace
    from memtui.storage.journal import Journal
    from memtui.storage.keeping import Reach
    from memtui.storage.spools import Spools

DAY = 24 * 3600.0
ANSWERS = 30 * DAY
"""Seconds after which a decision file goes; from then on the journal answers (SPEC.md section 1)."""


class Housekeeping:
    """The part of the desk that keeps the journal and the spools small."""

    workspace: Workspace
    journal: Journal
    spools: Spools
    _now: Callable[[], float]

    def _deciding(self, timeout: float = 10.0) -> AbstractContextManager[None]:
        raise NotImplementedError

    def _reading_only(self, id: str = "") -> Outcome | None:
        raise NotImplementedError

    def tidy(self) -> int:
        """Once a day: contents past the age or size of the settings go, and answers past 30 days.

        Returns how many decisions lost their contents. What fails is tried again at the next call.
        """
        now, settings = self._now(), self.workspace.settings
        if self._reading_only() is not None:
            return 0
        try:
            if 0 <= now - self.journal.tidied() < DAY:
                return 0
            age, size = settings.journal_days * DAY, settings.journal_megabytes * 1_000_000
            count = self.journal.prune(now, age=age, size=size)
            self.spools.prune_decisions(now - ANSWERS)
            self.journal.tidied(now)
        except FAILURES:  # no room, or another memtui is at it: nothing that the person asked for
            return 0
        return count

    def reach(self, id: str) -> Reach:
        """What `forget` would take away. Raises JournalError."""
        return self.journal.reach(id)

    def forget(self, id: str) -> Outcome:
        """Erase the contents and words of every decision on a proposal or batch for good (SPEC.md section 1)."""
        if stopped := self._reading_only(id):
            return stopped
        try:
            with self._deciding():
                found = self.journal.forget(id)
                if not found.records:
                    return Outcome(id, False, f"no decision has the id {id}: `memtui log` lists them")
                self._bare_answers(found)
        except FAILURES as failure:
            return Outcome(id, False, f"not forgotten: {failure}")
        if not found.settled:
            later = "another memtui reads the journal at this moment, and its log still holds the bytes"
            return Outcome(id, False, f"erased {id}, but {later}: run this again")
        return Outcome(id, True, f"forgot {id}: what it held is erased for good")

    def _bare_answers(self, found: Reach) -> None:
        """Decision files hold what the journal still holds of their answers."""
        for id, file in found.answers:
            item, spool = self.journal.latest_item(id), spool_of(file)
            if item is not None and self.spools.read_decision(id, spool) is not None:
                self.spools.write_decision(id, item.answer, spool)
