"""Decisions as faces list them, and the answers of an undo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from memtui.proposals.model import Json, Problem
from memtui.review.answers import record_item
from memtui.review.blocked import found
from memtui.review.items import SIGNS, DecisionRow, Refusal, Verdict
from memtui.storage.journal import Journal
from memtui.storage.records import ALLOWED_BY, Record, RecordItem
from memtui.storage.spools import name_in, spool_of

_LARGEST_NUMBER = 2**62


@dataclass(frozen=True, slots=True)
class LogRow(DecisionRow):
    """A decision with what took it back, or what it took back: numbers of other decisions."""

    undone_by: int | None = None
    undoes: int | None = None
    why_not: str = ""
    """Why it cannot be taken back, "" where it can (notes changed since aside)."""
    problems: tuple[Problem, ...] = ()
    """Of a refused or blocked one: what its agent was told."""
    forgotten: bool = False
    """What it held is no longer kept: too old, too much, or erased by the person."""


def decision_rows(journal: Journal, limit: int) -> tuple[LogRow, ...]:
    """Newest first, one row an item; `limit` counts decisions."""
    return tuple(_row(record, item) for record in journal.records(limit) for item in record.items)


_BY = {"refused": "memtui", "blocked": "memtui", "withdrawn": "its agent"}
"""Who decided, where it was not the person."""


def _row(record: Record, item: RecordItem) -> LogRow:
    why_not = why_not_undone(record)
    allowed = item.note.startswith(ALLOWED_BY)
    return LogRow(
        record=record.number,
        id=item.id,
        operation=item.operation,
        sign=_sign(record, item),
        verdict=cast(Verdict, item.verdict),
        headline=item.headline,
        target=item.target,
        agent=item.agent,
        reason=item.reason,
        at=record.at,
        edited=item.edited,
        undoable=not why_not,
        by=item.note if allowed else _BY.get(item.verdict, "you"),
        note="" if allowed or item.verdict == "blocked" else item.note,
        undone_by=record.undone_by,
        undoes=record.undoes,
        why_not=why_not,
        problems=problems_of(item.answer.get("problems")),
        forgotten=record.forgotten,
    )


def _sign(record: Record, item: RecordItem) -> str:
    """Of its operation; what made a new note shows `+`."""
    new = any(
        file.path == item.target and file.before is None and file.before_sha256 is None
        for file in record.files
        if file.whole and file.origin is None
    )
    return "+" if new else SIGNS.get(item.operation, " ")


# --- undo ----------------------------------------------------------------------------------------


def why_not_undone(record: Record) -> str:
    """Why a record cannot be taken back, in one sentence; "" where it can (notes changed since aside)."""
    if record.kind == "undo":
        return "it took another decision back itself"
    if record.undone_by is not None:
        return f"decision {record.undone_by} took it back already"
    if not record.ours:
        return "it was not made here, or by an earlier memtui: `memtui trust` lets it count"
    if record.forgotten:
        return "what it held is no longer kept: it was erased, or too old"
    if any(file.private for file in record.files):
        return "what stood there before held a secret, which is kept nowhere"
    if record.kind == "answer" and any(item.verdict != "rejected" for item in record.items):
        return f"it was {record.items[0].verdict}, and wrote nothing"
    return ""


def named_decision(journal: Journal, name: str) -> int | str:
    """The number of the decision that a person names by number, id or batch: the latest that can be undone.

    Where there is none: why, in one sentence. Raises JournalError.
    """
    if name.isdecimal() and (number := int(name)) < _LARGEST_NUMBER and _has(journal, number):
        return number
    newest: Record | None = None
    for record in _of_name(journal, name):
        if not why_not_undone(record):
            return record.number
        newest = newest or record
    if newest is None:
        return f"no decision has the number or id {name}: `memtui log` lists them"
    if newest.kind == "undo" or newest.undone_by is not None:
        return f"{name} is taken back already"
    return f"{name} cannot be undone: {why_not_undone(newest)}"


def _has(journal: Journal, number: int) -> bool:
    return any(record.number == number for record in journal.records(1, before=number + 1))


def _of_name(journal: Journal, name: str) -> Iterator[Record]:
    """Records with an item of this id or batch (case does not count), newest first."""
    folded, before = name.casefold(), None
    while page := journal.records(500, before):
        for record in page:
            if any(folded in (item.id.casefold(), item.batch.casefold()) for item in record.items):
                yield record
        before = page[-1].number


def names_of(record: Record) -> str:
    """The headlines of a record's items, `A, B`; with the id where there is none, or another has the same."""
    headlines = [item.headline for item in record.items]
    return ", ".join(
        item.headline
        if item.headline and headlines.count(item.headline) == 1
        else with_id(item.headline, item.id)
        for item in record.items
    )


def with_id(headline: str, id: str) -> str:
    """`prefs/tea.md (p-1a2b3c4d)`"""
    return f"{headline} ({id})" if headline and headline != id else id


def undone(item: RecordItem, at: float) -> RecordItem:
    """The item of the record that takes `item` back."""
    return record_item(
        item.id,
        item.operation,
        "undone",
        at=at,
        headline=item.headline,
        target=item.target,
        agent=item.agent,
        file=item.file,
        file_sha256=item.file_sha256,
        data=item.proposal,
        batch=item.batch,
    )


# --- refused ones --------------------------------------------------------------------------------


def refusal(record: Record, item: RecordItem) -> Refusal:
    """A refused or blocked item as the inbox lists it."""
    return Refusal(
        id=item.id,
        agent=item.agent,
        operation=item.operation,
        file=name_in(item.file),
        spool=spool_of(item.file),
        verdict="blocked" if item.verdict == "blocked" else "refused",
        problems=problems_of(item.answer.get("problems")),
        at=record.at,
        text=item.proposal.decode("utf-8", "replace"),
        hits=found(item.note) if item.verdict == "blocked" else (),
    )


def problems_of(listed: Json) -> tuple[Problem, ...]:
    """Problems as a decision file holds them."""
    if not isinstance(listed, list | tuple):
        return ()
    return tuple(
        Problem(str(problem.get("field", "")), str(problem.get("message", "")))
        for problem in listed
        if isinstance(problem, dict)
    )


def problem_sentence(field: str, message: str) -> str:
    """A problem in one sentence: the field is named in front where the message does not name it."""
    last = re.sub(r"\[\d+\]$", "", field).rpartition(".")[2]
    named = not last or re.search(rf"(?<!\w){re.escape(last)}(?!\w)", message, re.IGNORECASE)
    return message if named else f"{field}: {message}"
