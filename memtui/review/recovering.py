"""The end of every decision, and what a crash left of one: files, decision files, spool files, closed.

The desk holds the lock around everything here. Each step can be killed and done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memtui.gate.vault import VaultClosed
from memtui.notes.folder import Folder, FolderError
from memtui.notes.lines import LineConflict
from memtui.review.answering import StillThere
from memtui.review.history import names_of
from memtui.review.intake import Intake
from memtui.review.items import Outcome
from memtui.storage.apply import Conflict, recover, resolve
from memtui.storage.files import Mismatch, WriteFailed
from memtui.storage.journal import Journal, JournalError, Refused, Unfinished
from memtui.storage.lock import LockBusy
from memtui.storage.records import Record, RecordItem
from memtui.storage.spool import SpoolError
from memtui.storage.spools import Spools, spool_of

FAILURES = (LockBusy, WriteFailed, FolderError, Mismatch, JournalError, SpoolError, LineConflict, VaultClosed)
"""What a decision can fail with; each says why in one sentence."""
UNCLOSED = (JournalError, SpoolError)
"""What the end of a decision that stands can fail with: a later recovery, or scan, does the rest."""
_NEVER_PENDING = ("refused", "blocked")
"""Verdicts of what was answered when it came in."""


def explain_journal(failure: JournalError) -> str:
    """What a decision says that the journal held up: whether anything of it was begun, and what comes next."""
    if isinstance(failure, Unfinished):
        return f"not confirmed: {failure} What was begun is finished at the next start."
    again = " Try again once that is mended." if isinstance(failure, Refused) else ""
    return f"nothing was changed: {failure}{again}"


def explain_unclosed(failure: Exception, agent: str = "its agent", was: str = "was") -> str:
    """What of a decision that stands is still to be done, after one of UNCLOSED; no `agent`: the person's own."""
    if isinstance(failure, StillThere):
        return f"{agent} {was} told, but the file in the spool is taken away later: {failure}"
    if isinstance(failure, JournalError):  # it comes after the answers (`Recovery.close`)
        told = f"{agent} {was} told, but " if agent else ""
        return f"{told}the decision is closed later: {failure}"
    return f"{agent} could not be told yet: {failure}"


@dataclass(frozen=True, slots=True)
class Stopped:
    """A decision that was cut short, and whose files were changed by hand before it could be finished."""

    record: int
    headline: str
    conflicts: tuple[Conflict, ...]
    """Both versions of each file in question; its other files are written once that is settled."""


class Left(NamedTuple):
    """What recovery found: sentences of what it finished and of what it could not, and what waits for the person."""

    done: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    stopped: tuple[Stopped, ...] = ()


@dataclass(frozen=True, slots=True)
class Recovery:
    """Closes records whose files are written, and finishes what a crash left."""

    folder: Folder
    journal: Journal
    spools: Spools
    intake: Intake

    def settle(self) -> None:
        """Finish what another memtui left that was killed while this one was open."""
        if self.journal.open_numbers():
            self.recover()

    def recover(self) -> Left:
        """Finish what a crash left."""
        done: list[str] = []
        stuck: list[str] = []
        stopped: list[Stopped] = []
        names = {record.number: names_of(record) for record in self.journal.unfinished()}
        for found in recover(self.journal, self.folder):
            name = names[found.number]
            if found.outcome == "finished":
                done.append(found.message)
            elif found.conflicts:
                stopped.append(Stopped(found.number, name, found.conflicts))
                stuck.append(
                    f"Decision {found.number} on {name} stopped half way: run `memtui recover` to say which version "
                    f"shall stand. {found.message}"
                )
            else:
                stuck.append(f"Decision {found.number} on {name} could not be finished: {found.message}")
        stuck += self._tell_the_rest()
        if strange := len(self.journal.strangers()):
            unfinished = "1 unfinished decision" if strange == 1 else f"{strange} unfinished decisions"
            stuck.append(f"The journal came with {unfinished}: look where it is from, then `memtui trust`")
        return Left(tuple(done), tuple(stuck), tuple(stopped))

    def _tell_the_rest(self) -> list[str]:
        """Answer what is written and not answered yet; a sentence for each that could not be."""
        stuck = []
        for record in self.journal.unfinished():
            if record.state != "done":
                continue
            try:
                if record.kind == "undo" and record.undoes is not None:
                    self.put_back(self.journal.record(record.undoes))
                self.close(record.number, record.items)
            except SpoolError as failure:
                stuck.append(explain_unclosed(failure, f"The agents of decision {record.number}", "were"))
        return stuck

    def resolve(self, number: int, take: Literal["found", "ours"]) -> Outcome:
        """End a stopped decision: what is "found" on the disk stands, or "ours", what the decision would write.

        The journal keeps both. Raises Mismatch, WriteFailed, FolderError.
        """
        stopped = next((each for each in self.recover().stopped if each.record == number), None)
        if stopped is None:
            return Outcome(
                "", False, f"decision {number} is not stopped: `memtui recover` lists those that are"
            )
        secret = next(
            (c for c in stopped.conflicts if self.intake.planner.holds_secret(c.found, c.ours)), None
        )
        if take == "ours" and secret is not None:
            why = f"{secret.path} holds what looks like a secret, which the journal does not keep"
            return Outcome("", False, f"{why}: move that file away first, or keep it as it is")
        resolve(self.journal, self.folder, number, take=take)
        untold = " · ".join(self._tell_the_rest())
        paths = ", ".join(conflict.path for conflict in stopped.conflicts)
        said = (
            f"decision {number} is finished: {paths} stays as it is on the disk, the rest is written"
            if take == "found"
            else f"decision {number} is finished and {paths} written; an undo gives back what was there"
        )
        return Outcome("", True, f"{said} · {untold}" if untold else said, record=number)

    def close(self, number: int, items: Sequence[RecordItem]) -> None:
        """Decision files, then the spool files, then the record is closed. Safe to repeat after a crash."""
        told = [item for item in items if item.file or item.verdict in _NEVER_PENDING]
        for item in told:
            self.spools.write_decision(item.id, item.answer, spool_of(item.file))
        for item in told:
            if item.verdict != "undone":
                self.journal.unwait(item.id)
                self.journal.drop_edit(item.id)
                self.intake.drop(item.id)
        for file in {item.file for item in told if item.verdict != "undone"}:
            self.intake.close_file(file, {item.id for item in told})
        if not any(item.verdict in _NEVER_PENDING for item in items):
            self.journal.answered(number)  # the others stay open until a scan has seen their files go

    def close_or_say(self, number: int, items: Sequence[RecordItem]) -> str:
        """`close`; what is still to be done where that fails, as an outcome's message adds it, "" else."""
        try:
            self.close(number, items)
        except UNCLOSED as failure:
            agent = "its agent" if any(item.file for item in items) else ""
            return f" · {explain_unclosed(failure, agent)}"
        return ""

    def put_back(self, record: Record) -> tuple[str, ...]:
        """The proposals of an undone record wait again, under the names that their files had where those are free.

        Returns the names of their spool files now.
        """
        names: dict[str, None] = {}
        for item in record.items:
            if not item.file:
                continue
            name = self.intake.file_of(item.file_sha256, spool_of(item.file))
            if name is None:
                name = self.spools.put_back(item.file, item.proposal)
            if item.batch:
                self.spools.drop_decision(item.batch, spool_of(item.file))
            self.journal.wait(item.id, name, item.file_sha256, item.batch)
            form = item.answer.get("text")
            if item.edited and isinstance(form, str):
                self.journal.keep_edit(item.id, form)
            self.intake.forget(name)
            names[name] = None
        return tuple(names)
