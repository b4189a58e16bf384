"""Writes that the person allowed beforehand, by a rule, a spool's ruling or a grant (SPEC.md section 4, "Gate").

They go the way of every approval: planned anew under the lock, bound to that plan, kept in the journal with what
allowed them, and taken back like any other. What cannot be written so waits for the person, with the reason.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

from memtui.gate.grants import OPERATIONS, Grant, Grants, widths
from memtui.gate.policy import Asking, Policy, Ruled, why_asked
from memtui.proposals.context import NO_CHOICES
from memtui.proposals.model import FileChange, Plan, sha256
from memtui.review.deciding import Decider
from memtui.review.drafts import keys_of
from memtui.review.items import Outcome
from memtui.review.planning import Gone, Pending, Wanted
from memtui.storage.records import ALLOWED_BY


@dataclass(slots=True)
class Allowing:
    """Applies what is allowed, for one desk. `apply` and `hold` want the lock held; one thread at a time."""

    decider: Decider
    policy: Policy
    grants: Grants
    busy: threading.Lock = field(default_factory=threading.Lock)
    """Held by the thread that applies."""
    _asked: dict[str, tuple[Pending, Plan]] = field(default_factory=dict)
    """Items that nothing allows, as they were when that was found."""
    _under: tuple[Grant, ...] = ()
    """The grants that were looked at for that."""

    @property
    def may_allow(self) -> bool:
        """Whether anything allowed something when it was last looked for. Reads nothing."""
        return self.policy.may_allow or bool(self._under)

    def candidates(self) -> list[str]:
        """Ids of items that something seems to allow, first seen first; quick where nothing has changed."""
        grants = self.grants.all()
        intake = self.decider.intake
        if grants != self._under:
            self._asked.clear()
            self._under = grants
        if not self.may_allow:
            return []
        self._asked = {id: was for id, was in self._asked.items() if id in intake.pending}
        found: list[Pending] = []
        for id, pending in list(intake.pending.items()):
            made = intake.plans.get(id)
            was = self._asked.get(id)
            if made is None or (was is not None and was[0] is pending and was[1] is made):
                continue
            if self._ruled(pending, made).ruling == "allow":
                found.append(pending)
            else:
                self._asked[id] = (pending, made)
        return [pending.id for pending in sorted(found, key=lambda pending: pending.first_seen)]

    def _ruled(self, pending: Pending, made: Plan) -> Ruled:
        """What the gate says of an item that the person has not touched."""
        if pending.own or pending.edited:
            return Ruled("ask")
        return self.policy.rule(_asking(pending, made), self._under)

    def apply(self, id: str) -> Outcome | None:
        """Apply one item, if it is allowed as it stands now; None where it waits. May raise what approving does."""
        decider = self.decider
        decider.recovery.settle()
        try:
            pending = decider.pending(id)
        except Gone:
            return None
        made = decider.plan_on(pending, NO_CHOICES, decider.planner.today(), ())
        decider.intake.plans[pending.id] = made
        ruled = self._ruled(pending, made)
        if ruled.ruling != "allow" or self._has_been_touched(pending, made):
            self._asked[pending.id] = (pending, made)
            return None
        wanted = Wanted(pending.id, made.hash)
        outcome = decider.approve([wanted], f"{ALLOWED_BY}{ruled.by}")[0]
        if outcome.ok:
            self._plan_siblings(pending)
            return replace(outcome, message=f"{outcome.message} · {ALLOWED_BY}{ruled.by}")
        return self.hold(pending.id, outcome.message)

    def _has_been_touched(self, pending: Pending, made: Plan) -> bool:
        """Whether the person took this proposal or what it does to a note back once, or has unfinished work on it."""
        journal = self.decider.journal
        effects = [
            (change.path, sha256(change.after))
            for change in made.changes
            if isinstance(change, FileChange) and change.after is not None
        ]
        undone = journal.was_undone(made.hash, pending.sha256, effects)
        return undone or any(journal.draft(key) is not None for key in keys_of(pending.id))

    def _plan_siblings(self, applied: Pending) -> None:
        """What waited for a sibling may be possible now."""
        intake = self.decider.intake
        for pending in list(intake.pending.values()):
            if applied.proposal.batch and pending.proposal.batch == applied.proposal.batch:
                intake.plans[pending.id] = intake.planner.plan(pending, intake.siblings(pending.proposal))

    def hold(self, id: str, reason: str) -> Outcome | None:
        """An allowed write that failed waits for the person and says why; it is not tried again by itself."""
        intake = self.decider.intake
        pending = intake.pending.get(id)
        if pending is None:  # decided by another memtui meanwhile
            return None
        held = replace(pending, held=reason)
        intake.pending[id] = held
        intake.plans[id] = intake.planner.plan(held, intake.siblings(held.proposal))
        return Outcome(id, False, f"allowed, but not written: {reason}")

    # --- grants ------------------------------------------------------------------------------

    def widths(self, pending: Pending, made: Plan) -> tuple[str, ...] | str:
        """What a grant upon this item can be for: its note, then its folder. Or why there can be none."""
        asking = _asking(pending, made)
        if pending.own:
            return "it is your own change"
        if pending.edited:
            return "you have edited it: approve it by itself"
        if why := why_asked(asking):
            return why
        if pending.proposal.operation not in OPERATIONS or len(asking.paths) != 1:
            return f"the operation {pending.proposal.operation} is asked about each time"
        ruled = self.policy.rule(asking)
        if ruled.by:
            return f"the {ruled.by} decides about it already: change your settings instead"
        [path] = asking.paths
        return widths(path)


def _asking(pending: Pending, made: Plan) -> Asking:
    return Asking(pending.proposal, made, pending.spool, pending.first_seen)
