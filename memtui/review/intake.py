"""Spool to pending: decode, screen, first plan; wrong ones are answered at once (SPEC.md section 4).

Everything here that writes runs under the lock, which the desk holds.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from memtui.gate.policy import NO_RULES, Asking, Policy
from memtui.proposals.context import INDEX, TAGS
from memtui.proposals.decode import Decoded, decode
from memtui.proposals.model import Plan, Problem, Proposal, sha256
from memtui.review.answering import Answering
from memtui.review.asides import away_spools
from memtui.review.editing import edited_form
from memtui.review.ids import FINAL, Ids, made_up_name
from memtui.review.planning import NO_SIBLINGS, Pending, Planner, Siblings
from memtui.storage.journal import Journal, JournalError
from memtui.storage.spool import SpoolError, SpoolFile
from memtui.storage.spool_files import LARGEST
from memtui.storage.spools import OWN, Spools, file_in, name_in, spool_of


@dataclass(slots=True)
class _Taken:
    """A spool file as it was taken in."""

    stat: SpoolFile
    sha256: str
    proposals: tuple[Proposal, ...] = ()
    batch: str = ""
    generation: int = 0
    """What the vault was when it was screened."""


@dataclass(slots=True)
class Intake:
    """What waits in the spool, kept in memory and brought up to date by `scan`."""

    spools: Spools
    journal: Journal
    planner: Planner
    types: tuple[str, ...]
    now: Callable[[], float]
    policy: Policy = NO_RULES
    pending: dict[str, Pending] = field(default_factory=dict)
    """By id, first seen first."""
    plans: dict[str, Plan] = field(default_factory=dict)
    """The latest plan of each pending proposal, for its row."""
    unsettled: bool = False
    """A file may still be being written: scan again within a second."""
    answering: Answering = field(init=False)
    ids: Ids = field(init=False)
    _taken: dict[str, _Taken] = field(default_factory=dict)
    _scanned: bool = False
    """The spool was scanned once, and what dead writers left in it has been put right."""
    _queue: deque[SpoolFile] = field(default_factory=deque)
    """What a scan that is half way has still to take in."""
    _aside: tuple[tuple[str, str], ...] = ()
    """What the last listing found that is no candidate: name, masked where it looks like a secret, and reason."""
    _away: frozenset[str] = frozenset()
    """Spools that were missing, emptied or unreadable when they were last listed: nothing in them is withdrawn."""
    _generation: int = 0
    """The person's vault as it was when the spool was last listed (`Screen.generation`)."""
    _failed: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By name: candidates that could not be read or answered, in the same form."""

    def __post_init__(self) -> None:
        self.answering = Answering(self.journal, self.spools, self.now, self.planner.screen)
        self.ids = Ids(self.journal, self.types)

    # --- scanning ----------------------------------------------------------------------------

    @property
    def half_way(self) -> bool:
        """Whether a scan has ended before everything was looked at."""
        return bool(self._queue)

    def is_behind(self) -> bool:
        """Whether the spool differs from what was taken in. Reads the directory only."""
        if self._queue or self.unsettled or self.spools.unswept or not self._scanned:
            return True
        files = self._listed()
        return (
            not self._scanned or len(files) != len(self._taken) or any(self._is_new(file) for file in files)
        )

    def _is_new(self, file: SpoolFile) -> bool:
        known = self._taken.get(file.name)
        return known is None or known.stat != file or known.generation != self._generation

    @property
    def set_aside(self) -> tuple[tuple[str, str], ...]:
        """Spool files that cannot be read or answered, each with the reason."""
        return (*self._aside, *self._failed.values())

    def _listed(self) -> tuple[SpoolFile, ...]:
        """The candidates; what is none is set aside, and so is a spool that is away."""
        self._generation = self.planner.screen.generation
        found = self.spools.scan()
        aside = [(self.planner.screen.redact(name), reason) for name, reason in found.aside]
        if found.away or found.bare:
            aside += away_spools(self.spools, found, self.journal.waiting())
        away = found.bare.union(found.away)
        if self._away - away:
            self._scanned = False  # one is back: it is put right, and what is gone from it is noticed
        self._aside, self._away = tuple(aside), away
        return found.files

    def scan(self, seconds: float = 1e9) -> int:
        """Take in what is new, answer what is wrong, notice what is gone. Returns how many items are new.

        It ends after about `seconds`: where that was not enough, `is_behind` stays true and the next scan goes
        on, so that nobody who wants the lock waits long for a spool with thousands of files.
        """
        end, listed = time.monotonic() + seconds, None
        if not self._queue:
            listed = self._begin()
        count = 0
        while self._queue:
            file = self._queue.popleft()
            found = file if listed is not None else self.spools.find(file.name)  # it may have changed since
            count += self._take_or_set_aside(found) if found is not None else 0
            if time.monotonic() >= end and self._queue:
                return count
        self._end(self._listed() if listed is None else listed)
        return count

    def _begin(self) -> tuple[SpoolFile, ...]:
        """List the spool, and queue what is new in it."""
        if not self._scanned or self.spools.unswept:
            waited_in = frozenset(spool_of(row.file) for row in self.journal.waiting())
            self.spools.prepare(waited_in, self.ids.came_in)
            self._scanned = True
        files = self._listed()
        self.unsettled = False
        self._queue.extend(file for file in files if self._is_new(file))
        return files

    def _end(self, files: tuple[SpoolFile, ...]) -> None:
        """Everything was looked at: what is gone is forgotten, and answered where it waited."""
        present = {file.name for file in files}
        self._failed = {name: why for name, why in self._failed.items() if name in present}
        gone = {p.id: p.proposal for p in self.pending.values() if p.file not in present}
        for name in [name for name in self._taken if name not in present]:
            self.forget(name)
        self._withdraw_missing(present, gone)
        if self._scanned and not (self._away or self.spools.unswept or self.unsettled or self._failed):
            self.journal.told()  # answers of before a crash, whose files are gone: none is away or moved aside

    def _take_or_set_aside(self, file: SpoolFile) -> int:
        """A file that cannot be read, or whose answer cannot be written, stays, listed; it holds up no other."""
        self._failed.pop(file.name, None)
        try:
            return self._take(file)[0]
        except SpoolError as failure:
            self.forget(file.name)  # the next scan tries it again
            self._failed[file.name] = (self.planner.screen.redact(file.name), str(failure))
            return 0
        except BaseException:
            self.forget(file.name)
            raise

    def take(self, name: str) -> int:
        """Take in one file of the spool by its name; returns how many items are new."""
        file = self.spools.find(name)
        return 0 if file is None else self._take_or_set_aside(file)

    def propose(self, data: bytes, name: str, spool: str = OWN) -> str:
        """Screen one proposal, put it into the spool of this name and take it in; returns its id.

        `name` is that of the file it came in; without one its form is told from its first character.
        """
        self.spools.path(spool)  # one that no setting names takes nothing
        if len(data) > LARGEST:
            raise SpoolError("it has more than 1 MiB, which is the most for a proposal: split it")
        name = name or made_up_name(data)
        _, dot, suffix = name.rpartition(".")
        decoded = decode(name, data, types=self.types)
        digest, file = sha256(data), file_in(spool, name)
        if shown := self.answering.block(file, digest, data, decoded):
            return shown
        if self._is_known(decoded.id, digest, spool):
            return decoded.id
        decoded = self.ids.freed(file, data, digest, decoded)
        found = self.spools.find(self.spools.write(f"{decoded.id}{dot}{suffix}", data, spool))
        if found is None:
            return decoded.id
        try:
            return self._take(found, ours=digest)[1]
        except (JournalError, SpoolError) as failure:
            self.forget(found.name)
            raise SpoolError(f"it waits in the spool until that can be done ({failure})") from failure

    def _is_known(self, id: str, digest: str, spool: str) -> bool:
        """Whether these very bytes wait under this id, or have had their answer, which then stands again."""
        row = self.journal.waits(id)
        rows = (row,) if row is not None else self.journal.waiting(batch=id)
        if any(row.file_sha256 == digest for row in rows):
            return True
        item = self.journal.latest_item(id)
        if item is None or item.verdict not in FINAL or item.file_sha256 != digest:
            return False
        if self.spools.read_decision(id, spool) is None and self.journal.open_state(digest) != "intent":
            self.spools.write_decision(id, item.answer, spool)
        return True

    def _take(self, file: SpoolFile, *, ours: str = "") -> tuple[int, str]:
        """Take in one file; returns how many items are new and the id that it got ("" where it has to wait).

        `ours`: the digest of what memtui wrote there itself; that is whole, and has been screened.
        """
        data = self.spools.read(file.name)
        if data is None:
            return 0, ""
        digest = sha256(data)
        known = self._taken.get(file.name)
        if known is not None and known.sha256 == digest:
            return 0, self._screen_again(known, file, data)
        decoded = decode(name_in(file.name), data, types=self.types)
        if not ours and not self._counts(file, digest, decoded):
            self.unsettled = True
            return 0, ""
        if known is not None:
            self.forget(file.name)
        if digest != ours and (shown := self.answering.block(file.name, digest, data, decoded)):
            return 0, shown
        decoded = self.ids.freed(file.name, data, digest, self.ids.waiting(file.name, data, digest, decoded))
        batch = decoded.id if decoded.batch else ""
        taken = _Taken(file, digest, decoded.proposals, batch, self._generation)
        self._taken[file.name] = taken
        return self._admit(taken, data, decoded), decoded.id

    def screen_now(self, pending: Pending) -> None:
        """Screen an item once more where the person's vault has changed since: what was shown may be a secret now.

        Raises VaultClosed, JournalError, SpoolError.
        """
        self._generation = self.planner.screen.generation
        known = self._taken.get(pending.file)
        if known is not None and known.generation != self._generation:
            data = self.spools.read(pending.file)
            if data is not None and sha256(data) == known.sha256:
                self._screen_again(known, known.stat, data)

    def _screen_again(self, known: _Taken, file: SpoolFile, data: bytes) -> str:
        """Where the vault has changed: the id if the file holds a secret now. Edits that do are kept no longer."""
        known.stat = file
        if known.generation == self._generation:
            return ""
        known.generation = self._generation
        decoded = decode(name_in(file.name), data, types=self.types)
        if shown := self.answering.block(file.name, known.sha256, data, decoded):
            for proposal in known.proposals:
                self.answering.drop_unfinished(proposal.id)
            self.forget(file.name)
            return shown
        for proposal in known.proposals:
            pending = self.pending.get(proposal.id)
            if pending is not None and pending.edited:
                again = self._with_edit(replace(pending, proposal=proposal, edited=""))
                self.pending[proposal.id] = again
                self.plans[proposal.id] = self.planner.plan(again, self.siblings(proposal))
        return ""

    def _counts(self, file: SpoolFile, digest: str, decoded: Decoded) -> bool:
        """Whether a file may be taken as whole: a JSON file that parses, others once they are left alone."""
        if file.name.endswith(".json") and not decoded.malformed:
            return True
        if any(row.file_sha256 == digest for row in self.journal.waiting(file=file.name)):
            return True
        return self.spools.is_whole(file, self.now())

    def _admit(self, taken: _Taken, data: bytes, decoded: Decoded) -> int:
        """Members are all registered before the first is planned: a `ref` may point forward."""
        waiting = {row.id: row for row in self.journal.waiting(file=taken.stat.name)}
        known = {id for id, row in waiting.items() if row.file_sha256 == taken.sha256}
        fresh = []
        for proposal in decoded.proposals:
            if not self.ids.is_decided(proposal.id, taken.sha256):
                row = waiting.get(proposal.id)
                rewritten = row is not None and (row.rewritten or proposal.id not in known)
                first_seen = self.journal.first_seen(proposal.id, taken.sha256, self.now())
                pending = Pending(proposal, taken.stat.name, taken.sha256, first_seen, rewritten=rewritten)
                self.pending[proposal.id] = self._with_edit(pending)
                fresh.append(proposal.id)
        count = sum(self._accept(id, data, known=id in known) for id in fresh)
        for id, problems in decoded.problems.items():
            if not self.ids.is_decided(id, taken.sha256):
                self.answering.refuse(
                    id, decoded, problems, file=taken.stat.name, digest=taken.sha256, data=data
                )
        self.close_file(taken.stat.name)
        self.journal.told(taken.sha256)
        return count

    def _accept(self, id: str, data: bytes, *, known: bool) -> bool:
        """Plan one proposal for the first time; an impossible one is answered at once."""
        pending = self.pending[id]
        made = self.planner.plan(pending, self.siblings(pending.proposal))
        self.plans[id] = made
        if known:
            return True
        problems = made.problems
        denial = self.policy.rule(Asking(pending.proposal, made, pending.spool))
        if denial.ruling == "deny":
            problems = (Problem("", f"the person denies this ({denial.by}): do not send it again"),)
        if problems and not _is_of_folder(problems):
            self.drop(id)
            headline = self.planner.headline(pending.proposal)
            self.answering.tell(pending, "refused", headline, data=data, problems=problems)
            return False
        self.journal.wait(
            id, pending.file, pending.sha256, pending.proposal.batch, rewritten=pending.rewritten
        )
        return True

    def _with_edit(self, pending: Pending) -> Pending:
        """The pending proposal in the form that the person gave it earlier, where there is one."""
        text = self.journal.edit_of(pending.id)
        edited = edited_form(text, pending, self.types, self.planner.screen) if text else ()
        if isinstance(edited, Pending):
            return edited
        if not text or not self.planner.screen.scan_fields({"": text}):
            return pending
        self.answering.drop_unfinished(pending.id)
        return replace(pending, lost_edit=True)

    # --- batches -----------------------------------------------------------------------------

    def siblings(self, proposal: Proposal) -> Siblings:
        """The other members of its batch, by ref: who waits, who was approved, who was not."""
        if not proposal.batch:
            return NO_SIBLINGS
        waiting: dict[str, Pending] = {}
        made: dict[str, str] = {}
        lost: dict[str, str] = {}
        for taken in self._taken.values():
            for member in taken.proposals if taken.batch == proposal.batch else ():
                if not member.ref:
                    continue
                if member.id in self.pending:
                    waiting[member.ref] = self.pending[member.id]
                    continue
                item = self.journal.latest_item(member.id)
                if item is not None and item.verdict == "approved":
                    made[member.ref] = item.target
                elif item is not None:
                    lost[member.ref] = item.verdict
        return Siblings(waiting, made, lost)

    def close_file(self, name: str, told: Collection[str] = ()) -> None:
        """Remove a spool file once every member is decided and every decision file stands (`Answering.close`)."""
        taken = self._taken.get(name)
        if taken is None or any(member.id in self.pending for member in taken.proposals):
            return
        del self._taken[name]  # where closing fails, the next scan takes it in anew and closes it
        self.answering.close(name, taken.sha256, taken.batch, told)

    # --- what goes away ----------------------------------------------------------------------

    def drop(self, id: str) -> None:
        """Take an item out of the inbox."""
        self.pending.pop(id, None)
        self.plans.pop(id, None)

    def file_of(self, digest: str, spool: str) -> str | None:
        """The file with these bytes in one spool, where one was taken in."""
        return next(
            (n for n, taken in self._taken.items() if taken.sha256 == digest and spool_of(n) == spool), None
        )

    def forget(self, name: str) -> None:
        """Take a file's items out of memory; the next scan takes it in anew, if it is there."""
        self._taken.pop(name, None)
        for id in [id for id, pending in self.pending.items() if pending.file == name]:
            self.drop(id)

    def _withdraw_missing(self, present: set[str], gone: Mapping[str, Proposal]) -> None:
        """Answer what is gone: its file, or its bytes in a file that was rewritten under another id.

        A file that is there but cannot be read, or has become no candidate, still waits.
        """
        for row in self.journal.waiting():
            spool = spool_of(row.file)
            if spool in self._away or spool not in self.spools.names:
                continue
            taken = self._taken.get(row.file)
            rewritten = taken is not None and taken.sha256 != row.file_sha256
            if rewritten or (row.file not in present and self.spools.is_gone(row.file)):
                self.answering.withdraw(row, self.planner.headline(gone[row.id]) if row.id in gone else "")


def _is_of_folder(problems: tuple[Problem, ...]) -> bool:
    """Whether it is index.md or tags.md that cannot be used: no fault of the agent's, so the proposal waits."""
    return all(problem.field in (INDEX, TAGS) for problem in problems)
