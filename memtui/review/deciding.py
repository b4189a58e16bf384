"""Everything that writes: approve, reject, undo, recover. The desk holds the lock around each of them.

The order is always journal, files, decision file, spool file (SPEC.md section 4, Apply).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memtui.gate.secrets import scan_fields
from memtui.notes.folder import Folder
from memtui.notes.tags import read_tags
from memtui.proposals.context import NO_CHOICES, TAGS, Choices, Overlay, has_line
from memtui.proposals.model import Change, FileChange, LineChange, Notice, Plan, sha256
from memtui.review.answering import Untold
from memtui.review.answers import record_item
from memtui.review.history import names_of, undone, why_not_undone
from memtui.review.intake import FINAL, Intake
from memtui.review.items import Outcome
from memtui.review.planning import Gone, Pending, Planner, Wanted, filename_of, holds_secret, in_order, ref_of
from memtui.storage.apply import apply_record, materialise, recover, undo_files, undo_lines
from memtui.storage.journal import Journal, JournalError
from memtui.storage.records import Record, RecordFile, RecordItem
from memtui.storage.spool import Spool, SpoolError


@dataclass(frozen=True, slots=True)
class Shown:
    """A plan as it was shown, with the day and the choices that it was made for."""

    plan: Plan
    today: str
    choices: Choices


_UNTOLD = " · its agent could not be told yet: "
_NEVER_PENDING = ("refused", "blocked")
"""Verdicts of what was answered when it came in."""
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
    spool: Spool
    planner: Planner
    intake: Intake
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
        self._settle()
        planned: list[tuple[Pending, Plan]] = []
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
            planned.append((self.pending(each.id), made))
        number, items = self._apply(planned, note)
        untold = self._tell(number, items)
        outcomes = {
            place: Outcome(item.id, True, f"approved {item.headline}{untold}", "approved", number)
            for place, item in zip(order, items, strict=True)
        }
        return tuple(outcomes[place] for place in range(len(wanted)))

    def _tell(self, number: int, items: Sequence[RecordItem]) -> str:
        """Close a record whose files are written; what an answer that cannot be written adds to the outcome."""
        try:
            self.close(number, items)
        except SpoolError as failure:
            for item in items:
                self.intake.drop(item.id)
            return f"{_UNTOLD}{failure}"
        return ""

    def _agreed(self, wanted: Wanted, before: Sequence[tuple[Pending, Plan]]) -> Plan | Outcome:
        """The plan, where it still is the one that was shown and can be approved; else what is in the way."""
        try:
            pending = self.pending(wanted.id)
        except Gone as gone:
            return Outcome(wanted.id, False, str(gone))
        if not pending.own:
            if why := self._decided_elsewhere(pending):
                return Outcome(wanted.id, False, why)
            data = self.spool.read(pending.file)
            if data is None or sha256(data) != pending.sha256:
                return _look_again(wanted.id, "its file in the spool has changed")
        shown = self.shown.get((pending.id, wanted.plan_hash))
        if shown is not None and shown.plan.ready and _is_on_disk(shown.plan, self.folder.read):
            return _rest_of(shown.plan, self.folder.read)
        today = shown.today if shown is not None else self.planner.today()
        choices = shown.choices if shown is not None and wanted.choices == NO_CHOICES else wanted.choices
        made = self.plan_on(pending, choices, today, before)
        if made.problems:
            return _look_again(wanted.id, made.problems[0].message)
        if made.hash != wanted.plan_hash:
            return _look_again(wanted.id, "what it would write has changed since it was shown")
        if made.wants:
            return Outcome(wanted.id, False, _WANTS[made.wants[0]])
        return made

    def _decided_elsewhere(self, pending: Pending) -> str:
        """Why a proposal does not wait any more, where another memtui decided it and it was sent again; "" else."""
        item = self.journal.latest_item(pending.id)
        if item is None or item.verdict not in FINAL or item.file_sha256 != pending.sha256:
            return ""
        self.intake.drop(pending.id)
        self.intake.close_file(pending.file)
        return f"{pending.id} is not pending: it was {item.verdict}"

    def _settle(self) -> None:
        """Finish what another memtui left that was killed while this one was open."""
        if self.journal.unfinished():
            self.recover()

    def _apply(
        self, planned: Sequence[tuple[Pending, Plan]], note: str
    ) -> tuple[int, tuple[RecordItem, ...]]:
        """Journal, files, answers; returns the record's number and its items."""
        at = self.now()
        items = self._approved_items(planned, at, note)
        changes = [change for _, made in planned for change in made.changes]
        number = self.journal.begin(
            kind="apply",
            at=at,
            items=items,
            files=[_private(file) for file in materialise(changes, self.folder.read)],
            lines=[change for change in changes if isinstance(change, LineChange)],
            plan_hash=planned[0][1].hash if len(planned) == 1 else "",
        )
        apply_record(self.journal, self.folder, number)
        for item in items:
            self.own.pop(item.id, None)
        return number, items

    def _approved_items(
        self, planned: Sequence[tuple[Pending, Plan]], at: float, note: str
    ) -> tuple[RecordItem, ...]:
        on = Overlay(self.folder)
        items = []
        for pending, made in planned:
            proposal = pending.proposal
            items.append(
                record_item(
                    proposal.id,
                    proposal.operation,
                    "approved",
                    at=at,
                    headline=self.planner.headline(proposal),
                    target=filename_of(proposal, made),
                    agent=proposal.agent,
                    session=proposal.session,
                    source=proposal.source,
                    note=note,
                    edited=pending.edited,
                    file=pending.file,
                    file_sha256=pending.sha256,
                    data=b"" if pending.own else self.spool.read(pending.file) or b"",
                    batch=proposal.batch,
                    files=materialise(made.changes, on.read),
                    result=made.result,
                )
            )
            for change in made.changes:
                on.lay(change)
        return tuple(items)

    def close(self, number: int, items: Sequence[RecordItem]) -> None:
        """Decision files, then the spool files, then the record is closed. Safe to repeat after a crash."""
        told = [item for item in items if item.file or item.verdict in _NEVER_PENDING]
        for item in told:
            self.spool.write_decision(item.id, item.answer)
            if item.verdict != "undone":
                self.journal.unwait(item.id)
                self.journal.drop_edit(item.id)
                self.intake.drop(item.id)
        for file in {item.file for item in told if item.verdict != "undone"}:
            self.intake.close_file(file)
        if not any(item.verdict in _NEVER_PENDING for item in items):
            self.journal.answered(number)  # the others stay open until a scan has seen their files go

    # --- reject and undo ---------------------------------------------------------------------

    def reject(self, id: str, reason: str, note: str) -> Outcome:
        """Answer an item `rejected`; no note changes. Raises Gone."""
        self._settle()
        pending = self.pending(id)
        headline = self.planner.headline(pending.proposal)
        if pending.own:
            self.own.pop(pending.id, None)
            return Outcome(id, True, f"discarded {headline}")
        if scan_fields({"reason": reason}):
            return Outcome(id, False, "the reason holds what looks like a secret: leave it out")
        if why := self._decided_elsewhere(pending):
            return Outcome(pending.id, False, why)
        data, untold = self.spool.read(pending.file) or b"", ""
        try:
            number = self.intake.answering.tell(
                pending, "rejected", headline, data=data, reason=reason, note=note
            )
            self.intake.drop(pending.id)
            untold = self._close_rejected(number, pending)
        except Untold as failure:
            self.intake.drop(pending.id)
            number, untold = failure.number, f"{_UNTOLD}{failure}"
        except JournalError as failure:
            return Outcome(pending.id, False, f"not confirmed: {failure}")
        return Outcome(pending.id, True, f"rejected {headline}{untold}", "rejected", number)

    def _close_rejected(self, number: int, pending: Pending) -> str:
        try:
            self.journal.drop_edit(pending.id)
            self.intake.close_file(pending.file)
            self.journal.answered(number)
        except (JournalError, SpoolError) as failure:
            return f" · its file is still in the spool: {failure}"
        return ""

    def undo(self, number: int | None) -> Outcome:
        """Take a record back exactly, and put its proposals back into the inbox. Raises Mismatch."""
        self._settle()
        number = self.journal.undoable() if number is None else number
        if number is None:
            return Outcome("", False, "there is nothing to undo")
        record = self.journal.record(number)
        if why := why_not_undone(record):
            return Outcome(record.items[0].id, False, f"decision {number} cannot be undone: {why}")
        at = self.now()
        files = undo_files(record, self.folder.read)
        items = tuple(undone(item, at) for item in record.items)
        undoing = self.journal.begin(
            kind="undo", at=at, items=items, files=files, lines=undo_lines(record), undoes=number
        )
        apply_record(self.journal, self.folder, undoing)
        said = f"took back {names_of(record)}"
        try:
            self._put_back(record)
            self.close(undoing, items)
            self.intake.scan()
        except SpoolError as failure:
            said += f" · its proposal does not wait again yet: {failure}"
        return Outcome(items[0].id, True, said, "undone", undoing)

    def _put_back(self, record: Record) -> None:
        """Its proposals wait again, under the names that their files had where those are free."""
        for item in record.items:
            if not item.file:
                continue
            name = self.intake.file_of(item.file_sha256)
            if name is None:
                name = self.spool.put_back(item.file, item.proposal)
            if item.batch:
                self.spool.drop_decision(item.batch)
            self.journal.wait(item.id, name, item.file_sha256, item.batch)
            form = item.answer.get("text")
            if item.edited and isinstance(form, str):
                self.journal.keep_edit(item.id, form)
            self.intake.forget(name)

    # --- recover -----------------------------------------------------------------------------

    def recover(self) -> tuple[list[str], list[str]]:
        """Finish what a crash left; returns what was done and what could not be, a sentence each."""
        done: list[str] = []
        stuck: list[str] = []
        for found in recover(self.journal, self.folder):
            (done if found.outcome == "finished" else stuck).append(found.message)
        for record in self.journal.unfinished():
            if record.state != "done":
                continue
            try:
                if record.kind == "undo" and record.undoes is not None:
                    self._put_back(self.journal.record(record.undoes))
                self.close(record.number, record.items)
            except SpoolError as failure:
                stuck.append(f"The agents of decision {record.number} could not be told: {failure}")
        return done, stuck


def _look_again(id: str, why: str) -> Outcome:
    return Outcome(id, False, f"{why.rstrip('.')}; look at it again", changed=True)


def _private(file: RecordFile) -> RecordFile:
    """A file whose old bytes hold what looks like a secret keeps them out of the journal: no undo then."""
    secret = file.whole and holds_secret(file.before, file.after)
    return replace(file, private=True) if secret else file


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
