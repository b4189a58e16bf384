"""Decisions that were cut short: finished where that can be done, and else told to the person (SPEC.md section 4)."""

from __future__ import annotations

from contextlib import AbstractContextManager, suppress
from typing import Literal

from memtui.review.items import Outcome
from memtui.review.recovering import FAILURES, Recovery, Stopped
from memtui.storage.files import SyncFailed
from memtui.storage.journal import Journal
from memtui.storage.lock import LockBusy


class CutShort:
    """The part of the desk that deals with them."""

    journal: Journal
    _recovery: Recovery

    recovered: tuple[str, ...] = ()
    """One sentence for each decision that a crash left and that was finished now."""
    stuck: tuple[str, ...] = ()
    """One sentence for each decision that could not be finished."""
    stopped: tuple[Stopped, ...] = ()
    """Those of them that wait for the person: somebody changed their files meanwhile."""
    _open: frozenset[int] = frozenset()
    """Records that were open when recovery last ran."""

    def _deciding(self, timeout: float = 10.0) -> AbstractContextManager[None]:
        raise NotImplementedError

    def _reading_only(self, id: str = "") -> Outcome | None:
        raise NotImplementedError

    def _explain(self, failure: Exception) -> str:
        raise NotImplementedError

    def _recover(self) -> None:
        self.recovered, self.stuck, self.stopped = self._recovery.recover()
        self._open = self.journal.open_numbers()

    def _settle(self) -> None:
        """Finish what another memtui left that was killed meanwhile; one that is at work is left alone."""
        if not self.journal.open_numbers() <= self._open:
            with suppress(LockBusy), self._deciding(timeout=0):
                self._recover()

    def trust_decisions(self) -> int:
        """Let the decisions that the journal came with be finished and taken back; returns how many.

        Raises JournalError, LockBusy, WorkspaceError.
        """
        with self._deciding():
            return self.journal.trust()

    def resolve(self, record: int, take: Literal["found", "ours"]) -> Outcome:
        """End a stopped decision: what is "found" on the disk stands, or "ours", what the decision would write."""
        if stopped := self._reading_only():
            return stopped
        try:
            with self._deciding():
                outcome = self._recovery.resolve(record, take)
                self._recover()
                return outcome
        except FAILURES as failure:
            said = self._explain(failure) if isinstance(failure, SyncFailed) else str(failure)
            return Outcome("", False, f"decision {record} is not finished: {said}")
