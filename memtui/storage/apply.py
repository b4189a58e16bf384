"""Plans to files, all or nothing, and what recovery and undo need (SPEC.md section 4, Apply and Undo).

The order is always: intent durable in the journal -> every file staged -> every file published -> done. A
failure before the last file was published takes back what was published and drops the intent; after a kill,
recovery rolls forward file by file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memtui.notes.folder import Folder, FolderError
from memtui.storage import files
from memtui.storage.conflicts import Conflict, conflict_of, forced
from memtui.storage.effects import materialise, undo_files, undo_lines
from memtui.storage.files import Mismatch, SyncFailed, WriteFailed
from memtui.storage.journal import Journal, JournalError, Unfinished
from memtui.storage.records import Record, RecordFile
from memtui.storage.steps import (
    Step,
    note_folders,
    places,
    remove_folders,
    steps_of,
    sync_all,
    take_back,
    tidy,
    write,
)

__all__ = [
    "Conflict",
    "Recovered",
    "apply_record",
    "materialise",
    "recover",
    "resolve",
    "undo_files",
    "undo_lines",
]


@dataclass(frozen=True, slots=True)
class Recovered:
    """What recovery did with one intent. Of a "stopped" one nothing was written now, and it stays."""

    number: int
    outcome: Literal["finished", "stopped"]
    message: str
    conflicts: tuple[Conflict, ...] = ()


def apply_record(journal: Journal, folder: Folder, number: int, begun: Record | None = None) -> None:
    """Writes the files of an intent and marks it done; the caller holds the lock.

    `begun`: what the journal holds of it, where the caller has just begun it; else it is read back.

    Raises Mismatch or WriteFailed: then nothing has changed and the intent is dropped. Raises SyncFailed where
    the disk is dying: what was written could not be confirmed, or not be taken back, and the intent stays for
    recovery. Raises Unfinished where the journal refuses: the intent stays too.
    """
    with _begun():
        _apply(journal, folder, number, begun)


@contextlib.contextmanager
def _begun() -> Iterator[None]:
    """While an intent stands: what the journal refuses now is told as such."""
    try:
        yield
    except JournalError as failure:
        raise Unfinished(str(failure)) from failure


def _apply(journal: Journal, folder: Folder, number: int, begun: Record | None) -> None:
    record = begun or journal.record(number)
    if record.state != "intent":
        return
    try:
        steps = [step for file in record.files for step in steps_of(journal, folder, record, file)]
    except Mismatch:
        journal.abandon(number)
        raise
    note_folders(journal, folder, record, steps)
    done: list[Step] = []
    try:
        write(folder, steps, done)
    except SyncFailed:
        if not done:
            _drop(journal, folder, number)
        raise
    except (Mismatch, WriteFailed, FolderError) as error:
        if not take_back(folder, done):
            raise SyncFailed(f"{error} What was written before could not be taken back.") from None
        _drop(journal, folder, number)
        raise WriteFailed(str(error)) if isinstance(error, FolderError) else error from None
    tidy(journal, folder, record)
    journal.finish(number)


def recover(journal: Journal, folder: Folder) -> tuple[Recovered, ...]:
    """Finishes every intent that a crash left, oldest first; the caller holds the lock.

    A file that still is as before is written, one that is as after is skipped; anything else stops that
    record and both versions are kept. It may be killed at any point and run again. What is done but not
    answered is the caller's: see Journal.unfinished.
    """
    found: list[Recovered] = []
    for record in journal.unfinished():
        if record.state != "intent":
            continue
        files.sweep(folder, places(record))
        found.append(_recover(journal, folder, record))
    return tuple(found)


def resolve(journal: Journal, folder: Folder, number: int, *, take: Literal["found", "ours"]) -> None:
    """Ends a stopped intent as the person wants: "ours" writes what was approved over it, "found" leaves it.

    The files without a conflict are written in both cases. With "ours" the journal first keeps what is on the disk,
    as the `before` that an undo gives back. It may be killed at any point and run again. Raises Mismatch,
    WriteFailed, FolderError, and JournalError: Unfinished where the files were being written.
    """
    record = journal.record(number)
    if record.state != "intent":
        raise Mismatch(f"Decision {number} is not stopped.")
    files.sweep(folder, places(record))
    steps, conflicts = _left(journal, folder, record)
    if take == "ours" and conflicts:
        journal.rebase(number, *(row for file, _ in conflicts for row in forced(folder, record, file)))
        record = journal.record(number)
        steps, conflicts = _left(journal, folder, record)
        if conflicts:
            raise conflicts[0][1]
    _finish(journal, folder, record, steps)


def _recover(journal: Journal, folder: Folder, record: Record) -> Recovered:
    steps, torn = _left(journal, folder, record)
    if torn:
        conflicts = tuple(conflict_of(folder, record, file, mismatch) for file, mismatch in torn)
        return Recovered(record.number, "stopped", conflicts[0].message, conflicts)
    try:
        _finish(journal, folder, record, steps)
    except (Mismatch, WriteFailed, FolderError) as error:
        return Recovered(record.number, "stopped", str(error))
    return Recovered(record.number, "finished", f"Decision {record.number} was finished after a crash.")


def _left(
    journal: Journal, folder: Folder, record: Record
) -> tuple[list[Step], list[tuple[RecordFile, Mismatch]]]:
    """What is still to be written, and the files that are neither old nor new."""
    steps: list[Step] = []
    torn: list[tuple[RecordFile, Mismatch]] = []
    for file in record.files:
        try:
            steps += steps_of(journal, folder, record, file)
        except Mismatch as mismatch:
            torn.append((file, mismatch))
    return steps, torn


def _finish(journal: Journal, folder: Folder, record: Record, steps: list[Step]) -> None:
    with _begun():
        note_folders(journal, folder, record, steps)
        write(folder, steps, [])
        sync_all(journal, folder, record)
        tidy(journal, folder, record)
        journal.finish(record.number)


def _drop(journal: Journal, folder: Folder, number: int) -> None:
    """Ends an intent of which nothing stands on the disk."""
    remove_folders(folder, journal.record(number).made)
    journal.abandon(number)
