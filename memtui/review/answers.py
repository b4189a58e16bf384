"""The answer that an agent gets: what stands in `decisions/<id>.json` (SPEC.md section 4)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memtui.proposals.model import Json, Problem

if TYPE_CHECKING:
    from memtui.review.items import Verdict
    from memtui.storage.records import RecordFile, RecordItem


def utc(seconds: float) -> str:
    """RFC 3339 in UTC, whole seconds."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def answer(
    id: str,
    operation: str,
    verdict: Verdict,
    *,
    at: float,
    reason: str = "",
    edited: bool = False,
    text: str | None = None,
    left_out: Sequence[Json] = (),
    changes: Sequence[Json] = (),
    result: Mapping[str, Json] | None = None,
    problems: Iterable[Problem] = (),
) -> dict[str, Json]:
    """The decision file's content. `at` in Unix seconds; `text` is the edited form, where there is one;
    `left_out` names the changes that were not made."""
    return {
        "id": id,
        "operation": operation,
        "verdict": verdict,
        "edited": edited,
        "text": text,
        "left_out": list(left_out),
        "reason": reason,
        "decided_at": utc(at),
        "changes": list(changes),
        "result": None if result is None else dict(result),
        "problems": [{"field": problem.field, "message": problem.message} for problem in problems],
    }


def change_of(file: RecordFile, *, secret: bool = False) -> dict[str, Json]:
    """One entry of `changes`. `secret`: the note holds one, at whose hash whoever knows the rest could try guesses."""
    return {
        "path": file.path,
        "from": file.origin,
        "change": kind_of(file.origin, file.before, file.after),
        "sha256": None if secret else file.after_sha256,
    }


def kind_of(origin: str | None, before: bytes | None, after: bytes | None) -> str:
    if origin is not None:
        return "renamed"
    if before is None:
        return "created"
    return "deleted" if after is None else "modified"


def record_item(
    id: str,
    operation: str,
    verdict: Verdict,
    *,
    at: float,
    headline: str = "",
    target: str = "",
    agent: str = "",
    session: str = "",
    source: str = "",
    reason: str = "",
    note: str = "",
    edited: str = "",
    left_out: Sequence[Json] = (),
    file: str = "",
    file_sha256: str = "",
    data: bytes = b"",
    batch: str = "",
    files: Sequence[RecordFile] = (),
    secrets: Container[str] = (),
    result: Mapping[str, Json] | None = None,
    problems: Iterable[Problem] = (),
) -> RecordItem:
    """One decided proposal for the journal, with the answer that its agent gets.

    `edited` is the person's edited `.md` form ("" for none); `data` the bytes of the spool file; `secrets` the paths
    of those of `files` that hold some.
    """
    from memtui.storage.records import RecordItem

    changes = [change_of(file, secret=file.path in secrets) for file in files]
    told = answer(
        id,
        operation,
        verdict,
        at=at,
        reason=reason,
        edited=bool(edited or left_out),
        text=edited or None,
        left_out=left_out,
        changes=changes,
        result=result,
        problems=problems,
    )
    return RecordItem(
        id=id,
        operation=operation,
        verdict=verdict,
        headline=headline,
        target=target,
        agent=agent,
        session=session,
        source=source,
        reason=reason,
        note=note,
        edited=bool(edited or left_out),
        file=file,
        file_sha256=file_sha256,
        proposal=data,
        batch=batch,
        answer=told,
    )


def batch_answer(batch: str, members: Sequence[RecordItem]) -> dict[str, Json]:
    """The decision file's content of a batch whose members are all decided."""
    listed: list[Json] = [
        {"id": item.id, "operation": item.operation, "verdict": item.verdict} for item in members
    ]
    verdicts = {item.verdict for item in members}
    verdict = verdicts.pop() if len(verdicts) == 1 else "mixed"
    return {"id": batch, "verdict": verdict, "members": listed}
