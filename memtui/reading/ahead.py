"""What the desk reads before anybody asks, so that agents' searches find it done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.review.items import Outcome
from memtui.review.recovering import FAILURES

if TYPE_CHECKING:
    from memtui.config import Workspace
    from memtui.gate.screen import Screen
    from memtui.reading.covers import LookAhead
    from memtui.reading.library import Library

STEP = 1.0
"""Seconds for which notes are looked at in advance at a time."""


class ReadingAhead:
    """The part of the desk that reads in advance."""

    workspace: Workspace
    library: Library
    screen: Screen
    _ahead: LookAhead | None = None

    def _reading_only(self, id: str = "") -> Outcome | None:
        raise NotImplementedError

    def look_ahead(self, may: Callable[[], bool]) -> bool:
        """Find the secrets in some of the notes, for a second at most and as long as it `may`: agents' searches need
        not do it then. Returns whether notes are left.
        """
        if self._reading_only() is not None:
            return False
        from memtui.reading.covers import LookAhead  # nobody waits for this

        if self._ahead is None:
            self._ahead = LookAhead(self.library, self.screen, self.workspace.state)
        try:
            return self._ahead.go_on(STEP, may)
        except FAILURES:  # a folder that is away: tried again
            return False
