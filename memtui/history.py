"""Decisions as faces list them, and the answers of an undo."""

from __future__ import annotations

from typing import cast

from memtui.answers import record_item
from memtui.items import DecisionRow, Refusal, Verdict
from memtui.proposals.model import Json, Problem
from memtui.storage.journal import Journal
from memtui.storage.records import Record, RecordItem


def decision_rows(journal: Journal, limit: int) -> tuple[DecisionRow, ...]:
    """Newest first, one row an item."""
    return tuple(_row(record, item) for record in journal.records(limit) for item in record.items)


def _row(record: Record, item: RecordItem) -> DecisionRow:
    return DecisionRow(
        record=record.number,
        id=item.id,
        operation=item.operation,
        verdict=cast(Verdict, item.verdict),
        headline=item.headline,
        target=item.target,
        agent=item.agent,
        reason=item.reason,
        at=record.at,
        edited=item.edited,
        undoable=not why_not_undone(record),
        note=item.note,
    )


def why_not_undone(record: Record) -> str:
    """Why a record cannot be taken back, in one sentence; "" where it can (notes changed since aside)."""
    if record.kind == "undo":
        return "it took another decision back itself"
    if record.undone_by is not None:
        return f"decision {record.undone_by} took it back already"
    if any(file.private for file in record.files):
        return "the old text held what looks like a secret, and was not kept"
    if record.forgotten:
        return "its contents were erased"
    if record.kind == "answer" and any(item.verdict != "rejected" for item in record.items):
        return f"it was {record.items[0].verdict}, and wrote nothing"
    return ""


def refusal(record: Record, item: RecordItem) -> Refusal:
    """A refused or blocked item as the inbox lists it."""
    return Refusal(
        id=item.id,
        agent=item.agent,
        operation=item.operation,
        file=item.file,
        verdict="blocked" if item.verdict == "blocked" else "refused",
        problems=problems_of(item.answer.get("problems")),
        at=record.at,
        text=item.proposal.decode("utf-8", "replace"),
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
