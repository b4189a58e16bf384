"""Telling agents: the record in the journal, then the decision file, then the spool file goes.

Everything here runs under the lock, which the desk holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.gate.screen import Hit, Screen
from memtui.proposals.as_fields import text_fields
from memtui.proposals.decode import Decoded
from memtui.proposals.json_lines import json_lines
from memtui.proposals.model import OPERATIONS, Problem
from memtui.review.answers import batch_answer, record_item
from memtui.review.blocked import kept
from memtui.storage.journal import Journal, JournalError
from memtui.storage.spool import SpoolError
from memtui.storage.spools import Spools, file_in, name_in, spool_of

if TYPE_CHECKING:
    from memtui.review.items import Verdict
    from memtui.review.planning import Pending
    from memtui.storage.records import RecordItem
    from memtui.storage.rows import WaitingRow


class Untold(SpoolError):
    """It is decided, as record `number`, and the agent could not be told; a later recovery tells it."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class StillThere(SpoolError):
    """It is decided and the agents were told; the file could not be taken away, which a later scan does."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers proposals that write nothing, and closes spool files that are decided."""

    journal: Journal
    spools: Spools
    now: Callable[[], float]
    screen: Screen

    def tell(
        self,
        pending: Pending,
        verdict: Verdict,
        headline: str,
        *,
        data: bytes = b"",
        reason: str = "",
        problems: tuple[Problem, ...] = (),
        note: str = "",
    ) -> int:
        """Record and answer a pending proposal; returns the number of its record.

        The record stays open until its spool file is gone (`Journal.told`).
        """
        proposal, at = pending.proposal, self.now()
        item = record_item(
            proposal.id,
            proposal.operation,
            verdict,
            at=at,
            headline=self.screen.redact(headline),  # an entry's own title may hold one
            target=proposal.target,
            agent=proposal.agent,
            session=proposal.session,
            source=proposal.source,
            reason=reason,
            note=note,
            file=pending.file,
            file_sha256=pending.sha256,
            data=data,
            batch=proposal.batch,
            problems=problems,
        )
        return self._record(item, at)

    def _record(self, item: RecordItem, at: float) -> int:
        number = self.journal.begin(kind="answer", at=at, items=(item,))
        try:
            self.journal.unwait(item.id)
            self.spools.write_decision(item.id, item.answer, spool_of(item.file))
        except (JournalError, SpoolError) as failure:
            raise Untold(number, str(failure)) from failure
        return number

    def refuse(
        self, id: str, decoded: Decoded, problems: tuple[Problem, ...], *, file: str, digest: str, data: bytes
    ) -> None:
        """Answer what never became a proposal; its bytes, free of secrets, move to the journal."""
        at, claims = self.now(), decoded.claims.get(id, {})
        item = record_item(
            id,
            claims.get("operation", ""),
            "refused",
            at=at,
            headline=id,
            agent=claims.get("agent", ""),
            file=file,
            file_sha256=digest,
            data=data,
            batch=decoded.id if decoded.batch else "",
            problems=problems,
        )
        self._record(item, at)

    def withdraw(self, row: WaitingRow, headline: str = "") -> None:
        """Answer a proposal whose file was taken away while it was pending; `headline` where it was still known."""
        at = self.now()
        item = record_item(
            row.id,
            "",
            "withdrawn",
            at=at,
            headline=self.screen.redact(headline) if headline else row.id,
            file=row.file,
            file_sha256=row.file_sha256,
            batch=row.batch,
        )
        number = self._record(item, at)
        if row.batch and not self.journal.waiting(batch=row.batch):
            self._tell_batch(row.batch, row.file_sha256, spool_of(row.file))
        self.journal.answered(number)

    # --- secrets -----------------------------------------------------------------------------

    def block(self, name: str, digest: str, data: bytes, decoded: Decoded) -> str:
        """Answer `blocked` where a secret is found, and take the file away; the value is kept nowhere.

        Returns the id under which the answer stands, "" where there is nothing to block.
        """
        ids = tuple(dict.fromkeys((*(p.id for p in decoded.proposals), *decoded.problems)))
        hits = _hits(name_in(name), data, decoded, ids, self.screen)
        if not hits:
            return ""
        shown = ""
        for id in ids:
            masked = any(hit.field in ("id", "file") for hit in hits.get(id, ())) or bool(
                self.screen.scan_fields({"id": id})
            )
            shown = f"blocked-{hashlib.sha256(id.encode()).hexdigest()[:8]}" if masked else id
            if self.journal.open_state(digest, shown):  # a crash came before the file could go
                continue
            claims, came_in = decoded.claims.get(id, {}), file_in(spool_of(name), "")
            self._tell_blocked(shown, claims, hits.get(id, ()), came_in, digest, masked)
        self.close(name, digest, "")
        return shown

    def _tell_blocked(
        self, id: str, claims: Mapping[str, str], hits: tuple[Hit, ...], file: str, digest: str, masked: bool
    ) -> None:
        """One answer of a file that held a secret: no word of the file goes into it that may be one."""
        operation, agent = claims.get("operation", ""), claims.get("agent", "")
        sibling = "another member of its batch held a secret: propose this one again by itself"
        at = self.now()
        item = record_item(
            id,
            operation if operation in OPERATIONS else "",
            "blocked" if hits else "refused",
            at=at,
            headline="" if masked else id,
            agent="" if self.screen.scan_fields({"agent": agent}) else agent,
            file=file,
            file_sha256=digest,
            note=kept(hits) if hits else "",
            problems=secret_problems(hits) if hits else (Problem("", sibling),),
        )
        self._record(item, at)

    def drop_unfinished(self, id: str) -> None:
        """What the person wrote on an item that holds a secret now is kept no longer, nor is any byte of it."""
        from memtui.review.drafts import keys_of  # hardly ever needed

        self.journal.drop_edit(id)
        for key in keys_of(id):
            self.journal.drop_draft(key)  # settles the journal's files too

    # --- closing -----------------------------------------------------------------------------

    def close(self, name: str, digest: str, batch: str, told: Collection[str] = ()) -> None:
        """Remove a decided spool file once every decision file stands; not while its decision is only begun.

        `told`: ids whose decision files have just been written. Raises StillThere where only the removal failed.
        """
        if self.journal.open_state(digest) == "intent":
            return
        spool = spool_of(name)
        for item in self.journal.items_of(digest):
            if item.id not in told and self.spools.read_decision(item.id, spool) is None:
                self.spools.write_decision(item.id, item.answer, spool)
        if batch:
            self._tell_batch(batch, digest, spool)
        try:
            self.spools.remove(name, digest)
        except SpoolError as failure:
            raise StillThere(str(failure)) from failure
        self.journal.told(digest)

    def _tell_batch(self, batch: str, digest: str, spool: str) -> None:
        """`decisions/<batch id>.json`: the members and what became of each."""
        members = [item for item in self.journal.items_of(digest) if item.batch == batch]
        self.spools.write_decision(batch, batch_answer(batch, members), spool)


def _hits(
    name: str, data: bytes, decoded: Decoded, ids: tuple[str, ...], screen: Screen
) -> dict[str, tuple[Hit, ...]]:
    """What the screen finds, by id. Fields are scanned, and the file whole: a comment is no field, and a name tells
    what its value is.
    """
    hits = {p.id: found for p in decoded.proposals if (found := screen.scan_fields(text_fields(p)))}
    lines = json_lines(data) if name.endswith(".json") else None
    whole = screen.scan_bytes(data) if lines is None else screen.scan_fields(lines)
    if whole and not hits:
        hits = dict.fromkeys(ids, whole)
    for id in decoded.problems:
        if whole:
            hits.setdefault(id, whole)
    in_name = screen.scan_fields({"file": name})
    if in_name:
        hits = {id: (*hits.get(id, ()), *in_name) for id in ids}
    return hits


def secret_problems(hits: tuple[Hit, ...]) -> tuple[Problem, ...]:
    """What an agent, or the person, is told of a hit: where and by which rule, never the value."""
    return tuple(
        Problem(
            hit.field, f"line {hit.line} holds what the rule “{hit.rule}” takes for a secret: leave it out"
        )
        for hit in hits
    )
