"""Yes and no: approve and reject. The desk holds the lock around both.

The order is always journal, files, decision file, spool file (SPEC.md section 4, Apply).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from memtui.notes.folder import Folder
from memtui.notes.tags import read_tags
from memtui.proposals.as_fields import text_fields
from memtui.proposals.context import NO_CHOICES, TAGS, Choices, Overlay, has_line
from memtui.proposals.left_out import told
from memtui.proposals.model import Change, FileChange, LineChange, Notice, Plan, sha256
from memtui.review.answering import Untold
from memtui.review.answers import record_item
from memtui.review.ids import FINAL
from memtui.review.intake import Intake
from memtui.review.items import Outcome
from memtui.review.planning import Gone, Pending, Planner, Wanted, filename_of, in_order, ref_of
from memtui.review.recovering import UNCLOSED, Recovery, explain_unclosed
from memtui.review.screening import without_secrets
from memtui.storage.apply import apply_record, materialise
from memtui.storage.journal import Journal
from memtui.storage.records import Record, RecordFile, RecordItem
from memtui.storage.spools import Spools


class _Agreed(NamedTuple):
    """An item that can be approved as it was shown; `data` is its spool file, b"" for the person's own change."""

    pending: Pending
    plan: Plan
    data: bytes


@dataclass(frozen=True, slots=True)
class Shown:
    """A plan as it was shown, with the day and the choices that it was made for."""

    plan: Plan
    today: str
    choices: Choices


_SECRET_IN = "the {} holds what looks like a secret: leave it out"
_WANTS: Mapping[str, str] = {
    "choice": "choose first how to settle the contradiction",
    "tags": "pick 2 to 5 tags first",
    "new_tags": "say yes to its new tags first",
    "sibling": "approve its sibling first, or both together",
}


@dataclass(slots=True)
class Decider:
    """Decides pending items. Not thread-safe by itself, and wants the lock held."""

    folder: Folder
    journal: Journal
    spools: Spools
    planner: Planner
    intake: Intake
    recovery: Recovery
    now: Callable[[], float]
    own: dict[str, Pending] = field(default_factory=dict)
    """The person's own changes that are not approved yet, by id."""
    tag_command: tuple[str, ...] = ()
    picked: dict[tuple[str, str, str], tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """What the person's program suggested, by id, bytes and edited form."""
    shown: dict[tuple[str, str], Shown] = field(default_factory=dict)
    """Every plan that was shown, by id and plan hash."""

    def pending(self, id: str) -> Pending:
        """The item with this id, whatever its case. Raises Gone."""
        found = self.own.get(id) or self.intake.pending.get(id)
        if found is None:
            folded = id.casefold()
            found = next((p for p in self.intake.pending.values() if p.id.casefold() == folded), None)
        if found is not None:
            return found
        item = self.journal.latest_item(id)
        if item is not None:
            raise Gone(f"{id} is not pending: it was {item.verdict}")
        raise Gone(f"no proposal has the id {id}")

    def plan_on(
        self, pending: Pending, choices: Choices, today: str, before: Sequence[tuple[Pending, Plan]]
    ) -> Plan:
        """The plan of one item on top of those before it, which count as approved."""
        siblings = self.intake.siblings(pending.proposal)
        made = {p.proposal.ref: filename_of(p.proposal, plan) for p, plan in before if p.proposal.ref}
        siblings = replace(siblings, made={**siblings.made, **made})
        laid = [change for _, plan in before for change in plan.changes]
        planned = self.planner.plan(pending, siblings, choices, today=today, on=laid)
        return self._with_picked_tags(pending, planned) if "tags" in planned.wants else planned

    def _with_picked_tags(self, pending: Pending, planned: Plan) -> Plan:
        """The plan with what the person's own program suggests; each proposal is asked about once."""
        if not self.tag_command:
            return planned
        from memtui.review.tagcommand import TagCommandFailed, suggest

        key = (pending.id, pending.sha256, pending.edited)
        if key not in self.picked:
            try:
                dictionary = read_tags(self.folder.read(TAGS))
                self.picked[key] = suggest(self.tag_command, pending.proposal, dictionary)
            except TagCommandFailed as failure:
                return planned.with_notices(
                    Notice("tag", f"No tags from the setting tags.command: {failure}.")
                )
        return replace(planned, suggested_tags=self.picked[key])

    def order(self, ids: Sequence[str]) -> list[int]:
        """Places in `ids` so that every member of a batch comes after the sibling that it refers to."""
        places: dict[str, list[int]] = {}
        first, proposals = [], []
        for place, id in enumerate(ids):
            try:
                proposals.append(self.pending(id).proposal)
                places.setdefault(proposals[-1].id, []).append(place)
            except Gone:
                first.append(place)  # what is said of it comes before any plan
        return first + [place for member in in_order(proposals) for place in places[member.id]]

    def changes_under(
        self, pending: Pending, before: Sequence[tuple[Pending, Plan]] = ()
    ) -> tuple[Change, ...]:
        """Changes that the item's plan stands on: of those before it, else of a waiting sibling."""
        if before:
            return tuple(change for _, plan in before for change in plan.changes)
        siblings = self.intake.siblings(pending.proposal)
        first = siblings.waiting.get(ref_of(pending.proposal))
        return self.planner.plan(first, siblings).changes if first is not None else ()

    # --- approve -----------------------------------------------------------------------------

    def approve(self, wanted: Sequence[Wanted], note: str) -> tuple[Outcome, ...]:
        """Approve several as one record, each planned on top of those before it: all or none; outcomes as asked."""
        for name, text in (
            ("note", note),
            *(("tag", tag) for each in wanted for tag in self._typed_tags(each)),
        ):
            if text and self.planner.screen.scan_fields({name: text}):
                return tuple(Outcome(each.id, False, _SECRET_IN.format(name)) for each in wanted)
        self.recovery.settle()
        planned: list[_Agreed] = []
        order = self.order([each.id for each in wanted])
        for each in (wanted[place] for place in order):
            made = self._agreed(each, planned)
            if isinstance(made, Outcome):
                return tuple(
                    made
                    if other.id == each.id
                    else Outcome(other.id, False, f"not decided, since {each.id} was not: {made.message}")
                    for other in wanted
                )
            planned.append(made)
        number, items = self._apply(planned, note, keep_old=all(each.keep_old for each in wanted))
        untold = self._tell(number, items)
        outcomes = {
            place: Outcome(item.id, True, f"approved {item.headline}{untold}", "approved", number)
            for place, item in zip(order, items, strict=True)
        }
        return tuple(outcomes[place] for place in range(len(wanted)))

    def _typed_tags(self, wanted: Wanted) -> tuple[str, ...]:
        """Tags that the person gave an entry themselves, now or when it was shown."""
        shown = self.shown.get((wanted.id, wanted.plan_hash))
        chosen = (wanted.choices.tags, shown.choices.tags if shown is not None else None)
        return tuple(dict.fromkeys(tag for tags in chosen for tag in tags or ()))

    def _tell(self, number: int, items: Sequence[RecordItem]) -> str:
        """Close a record whose files are written; what an answer that cannot be written adds to the outcome."""
        unclosed = self.recovery.close_or_say(number, items)
        for item in items if unclosed else ():
            self.intake.drop(item.id)
        return unclosed

    def _agreed(self, wanted: Wanted, before: Sequence[_Agreed]) -> _Agreed | Outcome:
        """The item with the plan that was shown, where it still is that one and can be approved; else why not."""
        try:
            self.intake.screen_now(self.pending(wanted.id))
            pending = self.pending(wanted.id)
        except Gone as gone:
            return Outcome(wanted.id, False, str(gone))
        if pending.own and self.planner.screen.scan_fields(text_fields(pending.proposal)):
            return Outcome(wanted.id, False, _SECRET_IN.format("change"))
        if why := self._decided_elsewhere(pending):
            return Outcome(wanted.id, False, why)
        data = b"" if pending.own else self.spools.read(pending.file)
        if data is None or (not pending.own and sha256(data) != pending.sha256):
            return _look_again(wanted.id, "its file in the spool has changed")
        shown = self.shown.get((pending.id, wanted.plan_hash))
        today = shown.today if shown is not None else self.planner.today()
        choices = shown.choices if shown is not None and wanted.choices == NO_CHOICES else wanted.choices
        made = self.plan_on(pending, choices, today, [(b.pending, b.plan) for b in before])
        if (
            made.hash != wanted.plan_hash
            and shown is not None
            and shown.plan.ready
            and _is_on_disk(shown.plan, self.folder.read)
        ):
            return _Agreed(pending, _rest_of(shown.plan, self.folder.read), data)
        if made.problems:
            return _look_again(wanted.id, made.problems[0].message)
        if made.hash != wanted.plan_hash:
            return _look_again(wanted.id, "what it would write has changed since it was shown")
        if made.wants:
            return Outcome(wanted.id, False, _WANTS[made.wants[0]])
        return _Agreed(pending, made, data)

    def _decided_elsewhere(self, pending: Pending) -> str:
        """Why a proposal does not wait any more, where another memtui decided it and it was sent again; "" else."""
        if pending.own:
            return ""
        item = self.journal.latest_item(pending.id)
        if item is None or item.verdict not in FINAL or item.file_sha256 != pending.sha256:
            return ""
        self.intake.drop(pending.id)
        self.intake.close_file(pending.file)
        return f"{pending.id} is not pending: it was {item.verdict}"

    def _apply(
        self, agreed: Sequence[_Agreed], note: str, *, keep_old: bool
    ) -> tuple[int, tuple[RecordItem, ...]]:
        """Journal, files, answers; returns the record's number and its items."""
        at = self.now()
        changes = [change for each in agreed for change in each.plan.changes]
        files = materialise(changes, self.folder.read)
        items = self._approved_items(agreed, files, at, note)
        files = files if keep_old else tuple(map(self._private, files))
        lines = tuple(change for change in changes if isinstance(change, LineChange))
        plan_hash = agreed[0].plan.hash if len(agreed) == 1 else ""
        number = self.journal.begin(
            kind="apply", at=at, items=items, files=files, lines=lines, plan_hash=plan_hash
        )
        if files:
            begun = Record(
                number=number, state="intent", kind="apply", at=at, items=items, files=files, lines=lines
            )
            apply_record(self.journal, self.folder, number, begun)
        for item in items:
            self.own.pop(item.id, None)
        return number, items

    def _private(self, file: RecordFile) -> RecordFile:
        """A file whose old bytes hold what looks like a secret keeps them out of the journal: no undo then."""
        return replace(file, private=True) if self._had_secret(file) else file

    def _had_secret(self, file: RecordFile) -> bool:
        moved = file.origin is not None
        return file.whole and self.planner.holds_secret(file.before, file.after, moved=moved)

    def _approved_items(
        self, agreed: Sequence[_Agreed], files: tuple[RecordFile, ...], at: float, note: str
    ) -> tuple[RecordItem, ...]:
        """What each did by itself; `files` is what they do together."""
        on = Overlay(self.folder)
        items = []
        for pending, made, data in agreed:
            alone = files if len(agreed) == 1 else materialise(made.changes, on.read)
            items.append(self._approved_item(pending, made, data, alone, at, note))
            for change in made.changes if len(agreed) > 1 else ():
                on.lay(change)
        return tuple(items)

    def _approved_item(
        self,
        pending: Pending,
        made: Plan,
        data: bytes,
        files: tuple[RecordFile, ...],
        at: float,
        note: str,
    ) -> RecordItem:
        proposal = pending.proposal
        held = {file.path: file.before or b"" for file in files if self._had_secret(file)}
        return record_item(
            proposal.id,
            proposal.operation,
            "approved",
            at=at,
            headline=self.planner.screen.redact(self.planner.headline(proposal)),
            target=filename_of(proposal, made),
            agent=proposal.agent,
            session=proposal.session,
            source=proposal.source,
            note=note,
            edited=pending.edited,
            file=pending.file,
            file_sha256=pending.sha256,
            data=data,
            batch=proposal.batch,
            files=files,
            secrets=frozenset(file.path for file in files) if held else (),
            left_out=without_secrets(told(made), held, self.planner.screen),
            result=made.result,
        )

    # --- reject ------------------------------------------------------------------------------

    def reject(self, id: str, reason: str, note: str) -> Outcome:
        """Answer an item `rejected`; no note changes. Raises Gone."""
        self.recovery.settle()
        self.intake.screen_now(self.pending(id))  # what is rejected is kept too
        pending = self.pending(id)
        headline = self.planner.headline(pending.proposal)
        if pending.own:
            self.own.pop(pending.id, None)
            return Outcome(id, True, f"discarded {headline}")
        for name, text in (("reason", reason), ("note", note)):
            if self.planner.screen.scan_fields({name: text}):
                return Outcome(id, False, _SECRET_IN.format(name))
        if why := self._decided_elsewhere(pending):
            return Outcome(pending.id, False, why)
        data, untold = self.spools.read(pending.file) or b"", ""
        try:
            number = self.intake.answering.tell(
                pending, "rejected", headline, data=data, reason=reason, note=note
            )
            self.intake.drop(pending.id)
            untold = self._close_rejected(number, pending)
        except Untold as failure:
            self.intake.drop(pending.id)
            number, untold = failure.number, f" · {explain_unclosed(failure)}"
        return Outcome(pending.id, True, f"rejected {headline}{untold}", "rejected", number)

    def _close_rejected(self, number: int, pending: Pending) -> str:
        try:
            self.journal.drop_edit(pending.id)
            self.intake.close_file(pending.file)
            self.journal.answered(number)
        except UNCLOSED as failure:
            return f" · {explain_unclosed(failure)}"
        return ""


def _look_again(id: str, why: str) -> Outcome:
    return Outcome(id, False, f"{why.rstrip('.')}; look at it again", changed=True)


def _is_on_disk(made: Plan, read: Callable[[str], bytes | None]) -> bool:
    """Whether the disk holds every note of a plan as the plan would write it."""
    notes = [change for change in made.changes if isinstance(change, FileChange)]
    moved = [change.origin for change in notes if change.origin is not None]
    return (
        bool(notes)
        and all(read(change.path) == change.after for change in notes)
        and all(read(path) is None for path in moved)
    )


def _rest_of(made: Plan, read: Callable[[str], bytes | None]) -> Plan:
    """What is left to do of a plan whose notes stand on the disk already: lines of index.md and tags.md."""
    changes: list[Change] = []
    for change in made.changes:
        if isinstance(change, FileChange):
            if change.after is not None:
                changes.append(FileChange(change.path, change.after, change.after))
        elif not has_line(read(change.path), change):
            changes.append(change)
    return replace(made, changes=tuple(changes))
