"""Spool to pending: decode, screen, first plan; wrong ones are answered at once (SPEC.md section 4).

Everything here that writes runs under the lock, which the desk holds.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memtui.gate.policy import rule
from memtui.gate.secrets import redact, scan_fields
from memtui.proposals.as_fields import text_fields
from memtui.proposals.context import INDEX, TAGS
from memtui.proposals.decode import Decoded, decode
from memtui.proposals.model import Plan, Problem, Proposal, sha256
from memtui.review.answering import Answering, secret_problems
from memtui.review.planning import NO_SIBLINGS, Pending, Planner, Siblings
from memtui.storage.journal import Journal, JournalError
from memtui.storage.spool import Spool, SpoolError, SpoolFile, settled

if TYPE_CHECKING:
    pass

FINAL = ("approved", "rejected")
"""Verdicts after which an id is taken for good."""


@dataclass(slots=True)
class _Taken:
    """A spool file as it was taken in."""

    stat: SpoolFile
    sha256: str
    proposals: tuple[Proposal, ...] = ()
    batch: str = ""


@dataclass(slots=True)
class Intake:
    """What waits in the spool, kept in memory and brought up to date by `scan`."""

    spool: Spool
    journal: Journal
    planner: Planner
    types: tuple[str, ...]
    now: Callable[[], float]
    pending: dict[str, Pending] = field(default_factory=dict)
    """By id, first seen first."""
    plans: dict[str, Plan] = field(default_factory=dict)
    """The latest plan of each pending proposal, for its row."""
    set_aside: tuple[tuple[str, str], ...] = ()
    """Spool files that cannot be read, each with the reason."""
    unsettled: bool = False
    """A file may still be being written: scan again within a second."""
    answering: Answering = field(init=False)
    _taken: dict[str, _Taken] = field(default_factory=dict)
    _scanned: bool = False
    """The spool was scanned once, and what dead writers left in it has been put right."""

    def __post_init__(self) -> None:
        self.answering = Answering(self.journal, self.spool, self.now)

    # --- scanning ----------------------------------------------------------------------------

    def is_behind(self) -> bool:
        """Whether the spool differs from what was taken in. Reads the directory only."""
        files = self._listed()
        seen = {file.name: file for file in files}
        return not self._scanned or self.unsettled or {n: t.stat for n, t in self._taken.items()} != seen

    def _listed(self) -> tuple[SpoolFile, ...]:
        """The candidates; what is none is set aside, its name masked where it looks like a secret."""
        files, aside = self.spool.scan()
        self.set_aside = tuple((redact(name), reason) for name, reason in aside)
        if self._is_missing() and (waiting := len(self.journal.waiting())):
            gone = f"The spool is missing, and {waiting} proposals that wait in it cannot be read until it is back."
            self.set_aside = ((self.spool.path.name, gone),)
        return files

    def _is_missing(self) -> bool:
        return not self.spool.path.is_dir()

    def scan(self) -> int:
        """Take in what is new, answer what is wrong, notice what is gone. Returns how many items are new."""
        if not self._scanned:
            self.spool.sweep()
            self._scanned = True
        files = self._listed()
        self.unsettled, aside = False, len(self.set_aside)
        present = {file.name for file in files}
        count = 0
        for file in files:
            known = self._taken.get(file.name)
            if known is None or known.stat != file:
                count += self._take_or_set_aside(file)
        for name in [name for name in self._taken if name not in present]:
            self.forget(name)
        self._withdraw_missing(present)
        if not self.unsettled and len(self.set_aside) == aside:
            self.journal.told()  # answers of before a crash, whose files are gone
        return count

    def _take_or_set_aside(self, file: SpoolFile) -> int:
        """A file whose answer cannot be written stays where it is, listed; it holds up no other."""
        try:
            return self._take(file)[0]
        except SpoolError as failure:
            self.set_aside = (*self.set_aside, (redact(file.name), str(failure)))
            return 0

    def propose(self, data: bytes, name: str) -> str:
        """Screen one proposal, put it into the spool and take it in; returns its id.

        `name` is that of the file it came in; without one its form is told from its first character.
        """
        name = name or _made_up_name(data)
        _, dot, suffix = name.rpartition(".")
        decoded = decode(name, data, types=self.types)
        digest = sha256(data)
        if shown := self.answering.block(name, digest, data, decoded):
            return shown
        if self._is_known(decoded.id, digest):
            return decoded.id
        decoded = self._with_free_id(name, data, digest, decoded)
        written = self.spool.write(f"{decoded.id}{dot}{suffix}", data)
        file = self.spool.find(written)
        try:
            return self._take(file, ours=True)[1] if file is not None else decoded.id
        except (JournalError, SpoolError) as failure:
            raise SpoolError(f"it waits in the spool until that can be done ({failure})") from failure

    def _is_known(self, id: str, digest: str) -> bool:
        """Whether these very bytes wait under this id, or have had their answer, which then stands again."""
        row = self.journal.waits(id)
        rows = (row,) if row is not None else self.journal.waiting(batch=id)
        if any(row.file_sha256 == digest for row in rows):
            return True
        item = self.journal.latest_item(id)
        if item is None or item.verdict not in FINAL or item.file_sha256 != digest:
            return False
        if self.spool.read_decision(id) is None and self.journal.open_state(digest) != "intent":
            self.spool.write_decision(id, item.answer)
        return True

    def _take(self, file: SpoolFile, *, ours: bool = False) -> tuple[int, str]:
        """Take in one file; returns how many items are new and the id that it got ("" where it has to wait).

        `ours`: memtui wrote it itself, so it is whole.
        """
        data = self.spool.read(file.name)
        if data is None:
            return 0, ""
        digest = sha256(data)
        known = self._taken.get(file.name)
        if known is not None and known.sha256 == digest:
            known.stat = file
            return 0, ""
        decoded = decode(file.name, data, types=self.types)
        if not ours and not self._counts(file, digest, decoded):
            self.unsettled = True
            return 0, ""
        if known is not None:
            self.forget(file.name)
        if shown := self.answering.block(file.name, digest, data, decoded):
            return 0, shown
        decoded = self._with_free_id(
            file.name, data, digest, self._as_waiting(file.name, data, digest, decoded)
        )
        taken = _Taken(file, digest, decoded.proposals, decoded.id if decoded.batch else "")
        self._taken[file.name] = taken
        return self._admit(taken, data, decoded), decoded.id

    def _counts(self, file: SpoolFile, digest: str, decoded: Decoded) -> bool:
        """Whether a file may be taken as whole: a JSON file that parses, others once unchanged for a second."""
        if settled(file, self.now()):
            return True
        if any(row.file_sha256 == digest for row in self.journal.waiting(file=file.name)):
            return True
        return file.name.endswith(".json") and not _is_malformed(decoded)

    def _admit(self, taken: _Taken, data: bytes, decoded: Decoded) -> int:
        """Members are all registered before the first is planned: a `ref` may point forward."""
        waiting = {row.id: row for row in self.journal.waiting(file=taken.stat.name)}
        known = {id for id, row in waiting.items() if row.file_sha256 == taken.sha256}
        fresh = []
        for proposal in decoded.proposals:
            if not self._is_decided(proposal.id, taken):
                row = waiting.get(proposal.id)
                rewritten = row is not None and (row.rewritten or proposal.id not in known)
                first_seen = self.journal.first_seen(proposal.id, taken.sha256, self.now())
                pending = Pending(proposal, taken.stat.name, taken.sha256, first_seen, rewritten=rewritten)
                self.pending[proposal.id] = self._with_edit(pending)
                fresh.append(proposal.id)
        count = sum(self._accept(id, data, known=id in known) for id in fresh)
        for id, problems in decoded.problems.items():
            if not self._is_decided(id, taken):
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
        if rule(pending.proposal) == "deny":
            problems = (Problem("", "a rule of the person denies this"),)
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
        edited = edited_form(text, pending, self.types) if text else ()
        return edited if isinstance(edited, Pending) else pending

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

    def close_file(self, name: str) -> None:
        """Remove a spool file once every member is decided and every decision file stands."""
        taken = self._taken.get(name)
        if taken is None or any(member.id in self.pending for member in taken.proposals):
            return
        self.answering.close(name, taken.sha256, taken.batch)
        self._taken.pop(name, None)

    # --- ids and files that went away --------------------------------------------------------

    def _is_decided(self, id: str, taken: _Taken) -> bool:
        """Whether these bytes have had their answer: approved and rejected are for good, the others only
        while their file is on its way out, or the rest of their batch still waits."""
        item = self.journal.latest_item(id)
        if item is None or item.file_sha256 != taken.sha256:
            return False
        if item.verdict in FINAL:
            return True
        if item.verdict not in ("refused", "blocked"):
            return False
        if self.journal.open_state(taken.sha256, id):  # a crash came before its file could go
            return True
        return bool(item.batch) and bool(self.journal.waiting(batch=item.batch))

    def _as_waiting(self, name: str, data: bytes, digest: str, decoded: Decoded) -> Decoded:
        """The proposal under the id that it waits under: an undone one may have got another file name."""
        row = next((row for row in self.journal.waiting(file=name) if row.file_sha256 == digest), None)
        if row is None or decoded.explicit_id or decoded.id == (row.batch or row.id):
            return decoded
        return decode(name, data, types=self.types, id=row.batch or row.id)

    def _with_free_id(self, name: str, data: bytes, digest: str, decoded: Decoded) -> Decoded:
        """The proposal under an id of its own: `<id>-<8 hex>` where the id was used for other bytes."""
        if not self._is_used(decoded, name, digest):
            return decoded
        suffixed = f"{decoded.id[:63]}-{digest[:8]}"
        if not decoded.explicit_id:
            return decode(name, data, types=self.types, id=suffixed)
        used = Problem("id", f"the id {decoded.id} has been used for another proposal: choose a new one")
        return replace(decoded, id=suffixed, proposals=(), problems={suffixed: (used,)}, batch=False)

    def _is_used(self, decoded: Decoded, name: str, digest: str) -> bool:
        ids = {p.id for p in decoded.proposals} | set(decoded.problems) | {decoded.id}
        for id in ids:
            row = self.journal.waits(id)
            if row is not None and row.file != name:
                return True
            item = self.journal.latest_item(id)
            if item is not None and item.verdict in FINAL and item.file_sha256 != digest:
                return True
        return False

    def drop(self, id: str) -> None:
        """Take an item out of the inbox."""
        self.pending.pop(id, None)
        self.plans.pop(id, None)

    def file_of(self, digest: str) -> str | None:
        """The name of the spool file with these bytes, where one was taken in."""
        return next((name for name, taken in self._taken.items() if taken.sha256 == digest), None)

    def forget(self, name: str) -> None:
        """Take a file's items out of memory; the next scan takes it in anew, if it is there."""
        self._taken.pop(name, None)
        for id in [id for id, pending in self.pending.items() if pending.file == name]:
            self.drop(id)

    def _withdraw_missing(self, present: set[str]) -> None:
        """Answer what is gone: its file, or its bytes in a file that was rewritten under another id."""
        if self._is_missing():
            return
        for row in self.journal.waiting():
            taken = self._taken.get(row.file)
            if row.file not in present or (taken is not None and taken.sha256 != row.file_sha256):
                self.answering.withdraw(row)


def _made_up_name(data: bytes) -> str:
    """A name for a proposal that came without one, its form told from its first characters."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:3]
    suffix = ".json" if start[:1] in (b"{", b"[") else ".md" if start == b"---" else ".yaml"
    return f"p-{os.urandom(4).hex()}{suffix}"


def edited_form(text: str, pending: Pending, types: tuple[str, ...]) -> Pending | tuple[Problem, ...]:
    """A pending proposal with the person's edited `.md` form; the claims of the agent stay as they were."""
    decoded = decode(
        "edited.md",
        text.encode("utf-8", "surrogatepass"),
        types=types,
        id=pending.id,
        batch=pending.proposal.batch,
        edited=True,
    )
    if len(decoded.proposals) != 1 or decoded.problems:
        return tuple(problem for problems in decoded.problems.values() for problem in problems)
    edited, before = decoded.proposals[0], pending.proposal
    if edited.operation != before.operation:
        return (
            Problem("operation", f"the operation stays {before.operation}: reject it to do something else"),
        )
    if hits := scan_fields(text_fields(edited)):
        return secret_problems(hits)
    kept = replace(edited, agent=before.agent, session=before.session, batch=before.batch, ref=before.ref)
    return replace(pending, proposal=kept, edited=text)


def _is_of_folder(problems: tuple[Problem, ...]) -> bool:
    """Whether it is index.md or tags.md that cannot be used: no fault of the agent's, so the proposal waits."""
    return all(problem.field in (INDEX, TAGS) for problem in problems)


def _is_malformed(decoded: Decoded) -> bool:
    """Whether the file as a whole could not be read: its one problem names no field."""
    return not decoded.proposals and not any(p.field for ps in decoded.problems.values() for p in ps)
