"""The review desk: the one service that every face uses. Thread-safe; knows nothing of screens.

The way through is that of SPEC.md section 4: spool -> decode -> screen -> gate -> plan -> review -> apply ->
decision file. The desk looks and asks; `intake` takes in, `deciding` writes, both under the lock that it holds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

from memtui.config import Workspace
from memtui.gate.grants import Grants
from memtui.gate.policy import policy_of
from memtui.gate.screen import open_screen
from memtui.notes.catalog import Catalog
from memtui.notes.folder import Folder
from memtui.proposals.context import Choices, Overlay
from memtui.proposals.model import Change, Plan, Problem
from memtui.proposals.stopping import Stop, go_on, never
from memtui.reading.ahead import ReadingAhead
from memtui.reading.glance import Status
from memtui.reading.health import check
from memtui.reading.library import Library
from memtui.review.allowing import Allowing
from memtui.review.background import Background, Backgrounds, Likenesses
from memtui.review.cut_short import CutShort
from memtui.review.deciding import Decider, Shown
from memtui.review.editing import edited_form
from memtui.review.gatekeeping import Gatekeeping
from memtui.review.history import decision_rows, refusal
from memtui.review.housekeeping import Housekeeping
from memtui.review.intake import Intake
from memtui.review.items import (
    CatalogEffect,
    DecisionRow,
    Finding,
    Item,
    NoteRow,
    NoteView,
    Outcome,
    Preview,
    Refusal,
)
from memtui.review.own_changes import OwnChanges
from memtui.review.planning import Gone, Pending, Planner, Wanted
from memtui.review.previews import Prepared, prepare
from memtui.review.recovering import FAILURES, Recovery, explain_journal
from memtui.review.screening import Screening, screen_findings
from memtui.review.undoing import undo
from memtui.storage.files import SyncFailed
from memtui.storage.journal import Journal
from memtui.storage.lock import locked
from memtui.storage.refusing import JournalError
from memtui.storage.spools import OWN, Spools

__all__ = ["Choices", "Desk", "DeskError", "Gone", "Wanted"]

_NO_PLAN = Plan()
_STEP = 0.01
"""Seconds for which taking in holds the lock at a time, give or take one file."""
_PAUSE = 0.001
"""Seconds between two such steps, in which others get it."""


class DeskError(Exception):
    """The workspace cannot be used as it is; one sentence."""


class Desk(CutShort, Gatekeeping, Housekeeping, OwnChanges, ReadingAhead, Screening):
    """Everything that can be seen and decided in one workspace."""

    def __init__(self, workspace: Workspace, *, now: Callable[[], float] = time.time) -> None:
        """Opens the journal and finishes what a crash left. Raises DeskError."""
        self.workspace = workspace
        self._now = now
        self._mutex = threading.RLock()
        self._taking_in = threading.Lock()
        self._frozen = ""
        """Why nothing is written any more, "" while it is."""
        self._rows: dict[str, tuple[Pending, Plan, Item]] = {}
        """The items as they were last given, each with what it was made of."""
        types = workspace.settings.types
        try:
            self.folder = Folder(workspace.memory)
            self.journal = Journal(workspace.journal, read_only=bool(workspace.settings.problem))
            self.spools = Spools(workspace.spools)
            self.screen = open_screen(workspace)
            self.planner = Planner(self.folder, types, now, self.screen)
            self.policy = policy_of(workspace)
            self.intake = Intake(self.spools, self.journal, self.planner, types, now, self.policy)
            self.library = Library(self.folder, workspace.settings.catalog_budget)
            self._backgrounds = Backgrounds(self.journal, self.intake)
            self._recovery = Recovery(self.folder, self.journal, self.spools, self.intake)
            rooms = (self.folder, self.journal, self.spools, self.planner, self.intake, self._recovery, now)
            self._decider = Decider(*rooms, tag_command=workspace.settings.tag_command)
            self.grants = Grants(workspace.grants, now)
            self._allowing = Allowing(self._decider, self.policy, self.grants)
            if not workspace.settings.problem:
                self.recover()
        except FAILURES as failure:
            raise DeskError(str(failure)) from failure

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.journal.close()
        self.screen.close()

    @contextmanager
    def _deciding(self, timeout: float = 10.0) -> Iterator[None]:
        """The mutex of this process and the lock on the memory folder, in this order; `timeout` in seconds."""
        with self._mutex, locked(self.workspace.memory, self.workspace.state, timeout=timeout):
            yield

    def recover(self) -> None:
        """Finish what a crash left. Raises DeskError."""
        if not self.journal.open_numbers():
            return
        try:
            with self._deciding():
                self._recover()
        except FAILURES as failure:
            raise DeskError(f"a decision that a crash left could not be finished: {failure}") from failure

    def _reading_only(self, id: str = "") -> Outcome | None:
        problem = self.workspace.settings.problem or self._frozen
        return Outcome(id, False, problem) if problem else None

    # --- taking in -------------------------------------------------------------------------------

    def take_in(self, *, wait: bool = False, told: Callable[[], object] | None = None) -> int:
        """Bring the inbox up to date with the spool; returns how many items are new. Raises DeskError.

        The lock is held for a moment at a time, and `told` is called in between. While another thread takes in,
        this returns at once. `wait` also waits, a second or so, for files that may still be being written.
        """
        if self.workspace.settings.problem or not self._taking_in.acquire(blocking=False):
            return 0
        try:
            count = self._take_in(told)
        except FAILURES as failure:
            raise DeskError(f"the spool could not be taken in: {failure}") from failure
        finally:
            self._taking_in.release()
        if wait and self.intake.unsettled:
            time.sleep(1.05)
            count += self.take_in()
        return count

    def _take_in(self, told: Callable[[], object] | None) -> int:
        count = 0
        self._settle()
        with self._mutex:
            behind = self.intake.is_behind()
        while behind:
            with self._deciding():
                count += self.intake.scan(_STEP)
            behind = self.intake.half_way
            if behind:
                time.sleep(_PAUSE)
                if told is not None:
                    told()
        return count

    def propose(self, data: bytes, name: str = "", spool: str = OWN) -> str:
        """Put one proposal into the spool of this name and screen it whole; returns its id. Raises DeskError."""
        if self.workspace.settings.problem:
            raise DeskError(self.workspace.settings.problem)
        try:
            with self._deciding():
                return self.intake.propose(data, name, spool)
        except FAILURES as failure:
            raise DeskError(f"the proposal was not taken in: {failure}") from failure

    @property
    def unsettled(self) -> bool:
        """Whether a spool file may still be being written: take in again within a second."""
        return self.intake.unsettled

    @property
    def taking_in(self) -> bool:
        """Whether a thread is taking in, so that not all that waits is listed yet."""
        return self._taking_in.locked()

    # --- looking ---------------------------------------------------------------------------------

    def items(self) -> tuple[Item, ...]:
        """What waits, first seen first."""
        with self._mutex:
            waiting = sorted(self.intake.pending.values(), key=lambda pending: pending.first_seen)
            rows: dict[str, tuple[Pending, Plan, Item]] = {}
            for pending in waiting:
                made = self.intake.plans.get(pending.id, _NO_PLAN)
                row = self._rows.get(pending.id)
                if row is None or row[0] is not pending or row[1] is not made:
                    row = (pending, made, self.planner.item(pending, made))  # reads the note's title
                rows[pending.id] = row
            self._rows = rows
            return tuple(item for _, _, item in rows.values())

    def refusals(self) -> tuple[Refusal, ...]:
        """What was answered refused or blocked and not dismissed, and spool files that cannot be read."""
        listed = [refusal(row, item) for row in self.journal.refusals() for item in row.items]
        listed += [
            Refusal(name, "", "", name, "unreadable", (Problem("", reason),), 0.0)
            for name, reason in self.intake.set_aside
        ]
        return tuple(listed)

    def status(self) -> Status:
        with self._mutex:
            refused, aside = self.journal.refusal_count(), len(self.intake.set_aside)
            return Status(len(self.intake.pending), refused, aside)

    def preview(
        self,
        id: str,
        *,
        choose: str | None = None,
        tags: tuple[str, ...] | None = None,
        accept_new_tags: bool = False,
        catalog: bool = True,
    ) -> Preview:
        """The plan of one item on today's folder, with its diffs. Raises Gone, DeskError.

        `catalog` False leaves out the effect on the catalog, which reads the head of every note.
        """
        return self.preview_together([(id, Choices(choose, tags, accept_new_tags))], catalog=catalog)[0]

    def preview_together(
        self, wanted: Sequence[tuple[str, Choices]], *, catalog: bool = False, stop: Stop = never
    ) -> tuple[Preview, ...]:
        """Items planned one upon the other, as `approve_together` applies them. Raises Gone, DeskError, Stopped."""
        try:
            return tuple(self._compare(found, catalog, stop) for found in self._prepare(wanted, stop))
        except FAILURES as failure:
            raise DeskError(str(failure)) from failure

    def _prepare(self, wanted: Sequence[tuple[str, Choices]], stop: Stop) -> list[Prepared]:
        with self._mutex:
            before: list[tuple[Pending, Plan]] = []
            today = self.planner.today()
            found: dict[int, Prepared] = {}
            for place in self._decider.order([id for id, _ in wanted]):
                go_on(stop)
                id, choices = wanted[place]
                pending = self._decider.pending(id)
                made = self._decider.plan_on(pending, choices, today, before)
                self._decider.shown[(pending.id, made.hash)] = Shown(made, today, choices)
                if pending.id in self.intake.plans and not before and not choices.left_out:
                    self.intake.plans[pending.id] = made
                on = Overlay(self.folder, self._decider.changes_under(pending, before))
                found[place] = prepare(pending, made, self.planner.item(pending, made), on)
                before.append((pending, made))
        return [found[place] for place in range(len(wanted))]

    def _compare(self, found: Prepared, catalog: bool, stop: Stop) -> Preview:
        """Outside the lock: long notes, and the heads of very many, take a while."""
        changes = found.plan.changes
        return found.preview(self.library.catalog_effect(changes) if catalog and changes else None, stop)

    def background(self, preview: Preview) -> Background:
        """What came before a preview: an earlier rejection, the history of its note. Raises DeskError."""
        try:
            return self._backgrounds.of(preview)
        except FAILURES as failure:
            raise DeskError(str(failure)) from failure

    def alike(self, previews: Sequence[Preview]) -> tuple[Likenesses, ...]:
        """Of each preview, notes and pending proposals that say nearly the same. May be slow. Raises DeskError."""
        try:
            heads = self.library.recent_heads()
            return tuple(self._backgrounds.likenesses(preview, heads) for preview in previews)
        except FAILURES as failure:
            raise DeskError(str(failure)) from failure

    # --- deciding --------------------------------------------------------------------------------

    def approve(
        self,
        id: str,
        plan_hash: str,
        *,
        choose: str | None = None,
        tags: tuple[str, ...] | None = None,
        accept_new_tags: bool = False,
        note: str = "",
        keep_old: bool = False,
    ) -> Outcome:
        """Apply the plan that was shown, bound by its hash; where it is no longer that plan, write nothing."""
        wanted = Wanted(id, plan_hash, Choices(choose, tags, accept_new_tags), keep_old)
        return self.approve_together([wanted], note=note)[0]

    def approve_together(self, wanted: Sequence[Wanted], *, note: str = "") -> tuple[Outcome, ...]:
        """Approve several as one record, each planned on top of those before it: all or none of them."""
        if stopped := self._reading_only():
            return (stopped,)
        try:
            with self._deciding():
                return self._decider.approve(wanted, note)
        except FAILURES as failure:
            return tuple(Outcome(w.id, False, self._explain(failure)) for w in wanted)

    def _explain(self, failure: Exception) -> str:
        """What a failed decision says. After a failed sync nothing is written any more: the disk may be lying."""
        if isinstance(failure, SyncFailed):
            lost = f"the disk failed to keep what was written ({failure})"
            self._frozen = f"{lost}: nothing is written until a restart, which finishes what was begun"
            return self._frozen
        if isinstance(failure, JournalError):
            return explain_journal(failure)
        return f"nothing was written: {failure}"

    def reject(self, id: str, reason: str = "", *, note: str = "") -> Outcome:
        """Answer an item `rejected`, with a reason for the agent; no note changes."""
        if stopped := self._reading_only(id):
            return stopped
        try:
            with self._deciding():
                return self._decider.reject(id, reason, note)
        except (Gone, *FAILURES) as failure:
            said = self._explain(failure) if isinstance(failure, SyncFailed | JournalError) else str(failure)
            return Outcome(id, False, f"not rejected: {said}")

    def edit(self, id: str, text: str) -> Preview | tuple[Problem, ...]:
        """Give an item another form: its `.md` form, edited. Raises Gone, DeskError."""
        with self._mutex:
            pending = self._decider.pending(id)
            edited = edited_form(text, pending, self.workspace.settings.types, self.screen)
            if not isinstance(edited, Pending):
                return edited
            if pending.own:
                self._decider.own[pending.id] = edited
            else:
                self.intake.pending[pending.id] = edited
                self.journal.keep_edit(pending.id, text)
        return self.preview(pending.id)

    def dismiss(self, id: str) -> Outcome:
        """Take a refused or blocked item off the list; its record stays."""
        if stopped := self._reading_only(id):
            return stopped
        with self._mutex:
            for row in self.journal.refusals():
                if any(item.id == id for item in row.items):
                    self.journal.dismiss(row.number)
                    return Outcome(id, True, f"dismissed {id}")
        return Outcome(id, False, f"{id} is not on the list of problems")

    def undo(self, record: int | None = None) -> Outcome:
        """Take a decision back exactly (None: the last one), its proposal back into the inbox."""
        if stopped := self._reading_only():
            return stopped
        try:
            with self._deciding():
                return undo(self._recovery, record, self._now())
        except FAILURES as failure:
            said = self._explain(failure) if isinstance(failure, SyncFailed | JournalError) else str(failure)
            return Outcome("", False, f"not undone: {said}")

    # --- history and notes -----------------------------------------------------------------------

    def log(self, limit: int = 500) -> tuple[DecisionRow, ...]:
        """Decisions, newest first."""
        return decision_rows(self.journal, limit)

    def notes(self) -> tuple[NoteRow, ...]:
        return self.library.rows()

    def note(self, path: str) -> NoteView:
        """One note, whole. Raises FolderError."""
        return self.library.view(path)

    def search(self, query: str) -> tuple[NoteRow, ...]:
        return self.library.search(query)

    def catalog(self) -> Catalog:
        return self.library.catalog()

    def catalog_effect(self, changes: Sequence[Change]) -> CatalogEffect:
        """What the agent will read with these changes, against now."""
        return self.library.catalog_effect(changes)

    def check(self, *, advice: bool = True) -> tuple[Finding, ...]:
        found = check(self.folder, self.library, self.workspace.settings.types, advice=advice)
        return (*found, *screen_findings(self.screen))
