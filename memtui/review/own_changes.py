"""What the person writes in the app: changes of their own, and texts that are not finished (SPEC.md section 6)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.proposals.as_fields import text_fields
from memtui.proposals.model import Json, Problem
from memtui.proposals.rules import YOU, from_fields
from memtui.review.answering import secret_problems
from memtui.review.drafts import draft_fields
from memtui.review.planning import Pending

if TYPE_CHECKING:
    from memtui.config import Workspace
    from memtui.gate.screen import Screen
    from memtui.review.deciding import Decider
    from memtui.review.items import Preview
    from memtui.storage.journal import Journal


class OwnChanges:
    """The part of the desk that keeps what the person writes."""

    workspace: Workspace
    journal: Journal
    screen: Screen
    _decider: Decider
    _mutex: threading.RLock
    _now: Callable[[], float]

    def preview(self, id: str) -> Preview:
        raise NotImplementedError

    def compose(self, fields: Mapping[str, Json]) -> Preview | tuple[Problem, ...]:
        """A change that the person makes: the same plan, shown as a diff, then `approve`d by its hash."""
        if self.workspace.settings.problem:
            return (Problem("", self.workspace.settings.problem),)
        with self._mutex:
            id = f"you-{time.time_ns() // 1000}"
            given = {"source": "user", **fields}
            made = from_fields(given, id=id, types=self.workspace.settings.types)
            if isinstance(made, tuple):
                return made
            if hits := self.screen.scan_fields(text_fields(made)):
                return secret_problems(hits)
            self._decider.own[id] = Pending(replace(made, agent=YOU), "", "", self._now())
        shown = self.preview(id)
        if shown.plan.problems:
            self.discard(id)
            return shown.plan.problems
        return shown

    def discard(self, id: str) -> None:
        """Drop a change of the person's own that was not approved."""
        with self._mutex:
            self._decider.own.pop(id, None)

    def save_draft(self, key: str, text: str, *, wait: bool = True) -> bool:
        """Keep unfinished text (of an item's id or a note's path); False: it holds a secret, so none is kept.

        `wait` False: the app is about to end, and nothing is started for it any more.
        """
        if self.screen.scan_fields(draft_fields(text), wait=wait):
            self.journal.drop_draft(key)
            return False
        self.journal.save_draft(key, text)
        return True

    def drafts(self) -> frozenset[str]:
        return self.journal.drafts()

    def draft(self, key: str) -> str | None:
        return self.journal.draft(key)

    def drop_draft(self, key: str) -> None:
        self.journal.drop_draft(key)
