"""Plans for pending proposals: which day, whose siblings, on top of what. The one caller of `plan`."""

from __future__ import annotations

import datetime
import functools
import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from memtui.gate.screen import PLAIN, Screen
from memtui.notes.folder import FolderError
from memtui.proposals.context import NO_CHOICES, Choices, Context, Overlay
from memtui.proposals.model import (
    Add,
    Change,
    Contradiction,
    FileChange,
    Notice,
    Plan,
    Problem,
    Proposal,
    Replace,
    Supersede,
    Write,
    sha256,
)
from memtui.proposals.plan import plan
from memtui.review.seen import Seen

if TYPE_CHECKING:
    from memtui.proposals.context import FolderView
    from memtui.review.items import Item, State


@dataclass(frozen=True, slots=True)
class Pending:
    """A proposal that waits for the person, with where it came from."""

    proposal: Proposal
    file: str
    """Name of its spool file; "" for the person's own change."""
    sha256: str
    """Of the spool file's bytes."""
    first_seen: float
    """Unix seconds."""
    edited: str = ""
    """The person's edited `.md` form, "" where there is none."""
    rewritten: bool = False
    """The spool file has been written anew since it was first seen."""
    held: str = ""
    """Why it could not be applied though a rule or grant allows it; "" for nothing."""
    lost_edit: bool = False
    """The person's edited form held what their vault holds now, and is gone."""

    @property
    def id(self) -> str:
        return self.proposal.id

    @property
    def own(self) -> bool:
        return not self.file

    @property
    def spool(self) -> str:
        """The name of the spool that it came from, "" for the workspace's own."""
        return self.file.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Siblings:
    """The batch that a proposal is a member of: who waits, and what became of the others."""

    waiting: Mapping[str, Pending] = field(default_factory=dict)
    """By ref."""
    made: Mapping[str, str] = field(default_factory=dict)
    """Ref to filename, of approved siblings."""
    lost: Mapping[str, str] = field(default_factory=dict)
    """Ref to verdict, of siblings that were not approved."""


NO_SIBLINGS = Siblings()
_KEPT = 64
"""Plans that are kept, so that an item that was just shown is not planned anew to be approved."""


class Gone(Exception):
    """The item is no longer pending; the message says so in one sentence."""


class Wanted(NamedTuple):
    """One yes: the item, the plan that was shown, and what was picked."""

    id: str
    plan_hash: str
    choices: Choices = NO_CHOICES
    keep_old: bool = False
    """The old text may be kept for undo although it holds what looks like a secret."""


class _Made(NamedTuple):
    """A plan, and what it was made of."""

    pending: Pending
    choices: Choices
    today: str
    seen: Seen
    plan: Plan


class Planner:
    """Plans on one folder with one set of settings."""

    def __init__(
        self,
        folder: FolderView,
        types: tuple[str, ...],
        now: Callable[[], float],
        screen: Screen = PLAIN,
    ) -> None:
        self.screen = screen
        self._folder = folder
        self._types = types
        self._now = now
        self._made: dict[str, _Made] = {}
        self._held: dict[str, bool] = {}
        self._held_by: tuple[object, ...] = ()

    def today(self) -> str:
        """YYYY-MM-DD, local."""
        return datetime.date.fromtimestamp(self._now()).isoformat()

    def plan(
        self,
        pending: Pending,
        siblings: Siblings = NO_SIBLINGS,
        choices: Choices = NO_CHOICES,
        *,
        today: str | None = None,
        on: Sequence[Change] = (),
    ) -> Plan:
        """The plan of one pending proposal, on top of the changes `on`."""
        today = today or self.today()
        if on or pending.proposal.batch:
            return self._plan(pending, siblings, choices, Overlay(self._folder, on), today, on)
        made = self._made.get(pending.id)
        if made is None or made[:3] != (pending, choices, today) or not made.seen.is_as_it_was():
            seen = Seen(self._folder)
            found = self._plan(pending, siblings, choices, Overlay(seen), today, on)
            made = self._keep(_Made(pending, choices, today, seen, found))
        return made.plan

    def _keep(self, made: _Made) -> _Made:
        self._made.pop(made.pending.id, None)
        self._made[made.pending.id] = made
        while len(self._made) > _KEPT:
            del self._made[next(iter(self._made))]
        return made

    def _plan(
        self,
        pending: Pending,
        siblings: Siblings,
        choices: Choices,
        folder: Overlay,
        today: str,
        on: Sequence[Change],
    ) -> Plan:
        context = Context(
            folder=folder,
            today=today,
            first_seen=int(pending.first_seen),
            choices=choices,
            types=self._types,
            own=pending.own,
            seen=str if pending.own or pending.edited else self.screen.cover,
        )
        ref = ref_of(pending.proposal)
        made = (
            self._plan_with_ref(pending, ref, siblings, context, on)
            if ref
            else plan(pending.proposal, context)
        )
        notes = [change for change in made.changes if isinstance(change, FileChange)]
        held = [n for n in notes if self.holds_secret(n.before, n.after, moved=n.origin is not None)]
        if any(self.screen.uncovers(note.before or b"", note.after or b"") for note in held):
            made = made.with_notices(
                Notice(
                    "secret",
                    "A secret stays in the note without what told that it is one: agents would read it from then on.",
                )
            )
        if held:
            made = made.with_notices(
                Notice(
                    "secret",
                    "The old text holds what looks like a secret: it is not kept, so no undo, unless you say so.",
                )
            )
        if pending.lost_edit:
            made = made.with_notices(
                Notice(
                    "secret",
                    "Your edit of it held what your vault holds now: it is gone, and this is the proposal as it came.",
                )
            )
        if pending.held:
            made = made.with_notices(
                Notice("gate", f"It was allowed and could not be written: {pending.held}.")
            )
        if pending.rewritten and not made.problems:
            made = made.with_notices(
                Notice("changed", "Its file has been rewritten since you first saw it: look again.")
            )
        return made

    def holds_secret(self, before: bytes | None, after: bytes | None, *, moved: bool = False) -> bool:
        """Whether the text that a change takes the place of, or moves, has to be kept out of the journal.

        What the screen said of the same bytes is kept while the vault and the person's marks are the same.
        """
        if not before or (before == after and not moved):
            return False
        self.screen.marks.refresh()
        by = (self.screen.generation, self.screen.marks.marked, self.screen.trouble)
        if by != self._held_by or len(self._held) >= _KEPT:
            self._held, self._held_by = {}, by
        digest = sha256(before)
        if digest not in self._held:
            self._held[digest] = bool(self.screen.scan_bytes(before))
        return self._held[digest]

    def _plan_with_ref(
        self, pending: Pending, ref: str, siblings: Siblings, context: Context, on: Sequence[Change]
    ) -> Plan:
        """The plan of a member whose successor is a sibling: it waits for that one, or for ever in vain."""
        if ref in siblings.made:
            return plan(pending.proposal, replace(context, refs={ref: siblings.made[ref]}))
        if ref in siblings.lost:
            return _no_sibling(f"The sibling `{ref}` was {siblings.lost[ref]}: propose this anew without it.")
        waiting = siblings.waiting.get(ref)
        if waiting is None:
            return _no_sibling(f"No member of the batch has the ref `{ref}`: name one that has.")
        first = self.plan(waiting, siblings, today=context.today, on=on)
        if first.problems:
            return _no_sibling(
                f"The sibling `{ref}` cannot be approved as it is: edit or reject that one first."
            )
        filename = filename_of(waiting.proposal, first)
        folder = Overlay(context.folder, first.changes)
        made = plan(pending.proposal, replace(context, folder=folder, refs={ref: filename}))
        return made if made.problems else replace(made, wants=(*made.wants, "sibling"))

    def item(self, pending: Pending, made: Plan) -> Item:
        """The row of a pending proposal."""
        from memtui.review.items import Item

        proposal = pending.proposal
        state: State = "pending"
        if made.problems:
            state = "problem"
        elif any(notice.kind == "stale" for notice in made.notices):
            state = "stale"
        return Item(
            proposal=proposal,
            sign=_sign(proposal, made),
            headline=self.headline(proposal),
            target=filename_of(proposal, made),
            first_seen=pending.first_seen,
            state=state,
            notices=made.notices,
            problems=made.problems,
            has_new_tags=bool(made.new_tags),
            edited=bool(pending.edited),
            spool=pending.spool,
        )

    def headline(self, proposal: Proposal) -> str:
        """The entry's title where there is one, else the path."""
        if isinstance(proposal, Add):
            return proposal.title
        try:
            data = self._folder.read(proposal.target)
        except FolderError:  # the plan says so
            return proposal.target
        if data is None:
            return proposal.target
        return _headline(data, proposal.target)


@functools.lru_cache(_KEPT)
def _headline(data: bytes, target: str) -> str:
    from memtui.notes import entry
    from memtui.proposals.plan_entries import title_of

    return target if entry.read_entry(data) is None else title_of(data, target)


def filename_of(proposal: Proposal, made: Plan) -> str:
    """The resolved path of the note that a proposal is about."""
    if isinstance(proposal, Add):
        return str(made.result.get("filename", ""))
    return posixpath.normpath(proposal.target) if proposal.target else ""


def in_order(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Members of batches with what their successors refer to first, else in the order given."""
    by_ref = {(p.batch, p.ref): p for p in proposals if p.ref}
    ordered: dict[str, Proposal] = {}
    for proposal in proposals:
        chain: dict[str, Proposal] = {}
        member: Proposal | None = proposal
        while member is not None and member.id not in ordered and member.id not in chain:
            chain[member.id] = member
            member = by_ref.get((member.batch, ref)) if (ref := ref_of(member)) else None
        ordered.update(reversed(chain.items()))
    return list(ordered.values())


def _no_sibling(message: str) -> Plan:
    return Plan(problems=(Problem("successor", message),))


def ref_of(proposal: Proposal) -> str:
    """The sibling that is named as its successor, "" where none is."""
    if isinstance(proposal, Supersede) and proposal.successor.startswith("ref:"):
        return proposal.successor[4:]
    return ""


def _sign(proposal: Proposal, made: Plan) -> str:
    from memtui.review.items import SIGNS

    if isinstance(proposal, Write | Replace):
        new = any(isinstance(c, FileChange) and c.before is None for c in made.changes)
        return "+" if new else "~"
    if isinstance(proposal, Contradiction):
        return "?"
    return SIGNS[proposal.operation]
