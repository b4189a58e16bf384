"""The gate as every face meets it: what is applied without asking, and what the person lets through from now on."""

from __future__ import annotations

import threading
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.gate.grants import Grant, GrantError, Grants
from memtui.review.items import Outcome
from memtui.review.planning import Gone
from memtui.review.recovering import FAILURES
from memtui.storage.lock import LockBusy

if TYPE_CHECKING:
    from memtui.config import Workspace
    from memtui.gate.screen import Screen
    from memtui.review.allowing import Allowing
    from memtui.review.deciding import Decider

_PAUSE = 0.01
"""Seconds between two writes, in which the person's own decisions come in between."""


class Gatekeeping:
    """The part of the desk that knows rules and grants."""

    workspace: Workspace
    grants: Grants
    screen: Screen
    _allowing: Allowing
    _decider: Decider
    _frozen: str
    _mutex: threading.RLock

    def _deciding(self) -> AbstractContextManager[None]:
        raise NotImplementedError

    def _reading_only(self, id: str = "") -> Outcome | None:
        raise NotImplementedError

    def _explain(self, failure: Exception) -> str:
        raise NotImplementedError

    def approve(self, id: str, plan_hash: str) -> Outcome:
        raise NotImplementedError

    # --- what is allowed -------------------------------------------------------------------------

    def apply_allowed(self) -> tuple[Outcome, ...]:
        """Apply at once what rules and grants allow (SPEC section 4, Gate); what failed waits, and says why.

        Only the app and `watch` call this: with neither running, nothing is applied. While another thread does
        it, this returns at once, and while a program of the vault gives nothing. Raises LockBusy, VaultClosed.
        """
        if self._reading_only() or not self._allowing.busy.acquire(blocking=False):
            return ()
        try:
            wanted = self._allowing.candidates()
            if wanted:
                self.screen.vault.refresh()
            if self.screen.vault.silent:  # nobody would look at what the screen cannot know
                return ()
            outcomes = [self._apply_allowed(id) for id in wanted if not self._frozen]
        finally:
            self._allowing.busy.release()
        return tuple(outcome for outcome in outcomes if outcome is not None)

    def _apply_allowed(self, id: str) -> Outcome | None:
        time.sleep(_PAUSE)
        try:
            with self._deciding():
                return self._allowing.apply(id)
        except LockBusy:
            raise
        except FAILURES as failure:
            said = self._explain(failure).removeprefix("nothing was written: ")
            with self._mutex:
                return self._allowing.hold(id, said.rstrip("."))

    @property
    def no_count(self) -> str:
        """Why remembered approvals, or what was said to be no secret, do not count, or nothing is written without
        asking; one sentence, "" where all is well.
        """
        silent = self.screen.vault.silent if self._allowing.may_allow else ""
        if silent:
            silent = f"nothing is written without asking while your vault cannot be read whole ({silent})"
        return self.grants.problem or self.screen.marks.problem or silent

    # --- grants ----------------------------------------------------------------------------------

    def grant_widths(self, id: str) -> tuple[str, ...] | str:
        """What a grant upon an item can be for: its note, then its folder (`people/*`). Or why there is none.

        Raises Gone.
        """
        with self._mutex:
            pending = self._decider.pending(id)
            made = self._decider.intake.plans.get(pending.id)
            return "it has not been looked at" if made is None else self._allowing.widths(pending, made)

    def approve_and_grant(self, id: str, plan_hash: str, path: str, *, lasting: bool) -> Outcome:
        """Approve the plan that was shown, and let what the same spool changes at `path` through from now on.

        `path` is one of `grant_widths`; `lasting` False remembers it for this session only. What waits already
        still waits for the person.
        """
        if stopped := self._reading_only(id):
            return stopped
        try:
            widths = self.grant_widths(id)
            spool = self._decider.pending(id).spool
        except Gone as gone:
            return Outcome(id, False, str(gone))
        if isinstance(widths, str) or path not in widths:
            why = widths if isinstance(widths, str) else f"{path} is neither its note nor its folder"
            return Outcome(id, False, f"nothing is remembered of it: {why}")
        outcome = self.approve(id, plan_hash)
        if not outcome.ok:
            return outcome
        try:
            with self._deciding():
                self.grants.add(spool, path, lasting=lasting)
        except (GrantError, LockBusy) as failure:
            return Outcome(
                id, True, f"{outcome.message} · not remembered: {failure}", "approved", outcome.record
            )
        how = "from now on" if lasting else "until memtui ends"
        return Outcome(id, True, f"{outcome.message} · allows {path} {how}", "approved", outcome.record)

    def list_grants(self) -> tuple[Grant, ...]:
        """Every grant that counts, oldest first; `grants.problem` says why the kept ones do not."""
        with self._mutex:
            return self.grants.all()

    def revoke(self, id: str) -> Outcome:
        """Take a grant back: what it would let through is asked about again."""
        if stopped := self._reading_only(id):
            return stopped
        try:
            with self._deciding():
                found = self.grants.revoke(id)
        except (GrantError, LockBusy) as failure:
            return Outcome(id, False, f"not revoked: {failure}")
        return Outcome(id, found, f"revoked {id}" if found else f"no grant has the id {id}")
