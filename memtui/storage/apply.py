"""Plans to files, all or nothing, and what recovery and undo need (SPEC.md section 4, Apply and Undo).

The order is always: intent durable in the journal -> every file staged -> every file published -> done. A
failure before the last file was published takes back what was published and drops the intent; after a kill,
recovery rolls forward file by file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.notes.folder import Folder, FolderError, clip
from memtui.proposals.model import sha256
from memtui.storage import files
from memtui.storage.effects import materialise, move_lines, undo_files, undo_lines
from memtui.storage.files import Mismatch, Staged, SyncFailed, WriteFailed
from memtui.storage.journal import Journal
from memtui.storage.records import Record, RecordFile
from memtui.storage.splice import splice

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
class Conflict:
    """A file of an intent that was changed by hand since: `found` is on disk, `ours` in the journal."""

    path: str
    message: str
    found: bytes | None = None
    ours: bytes | None = None


@dataclass(frozen=True, slots=True)
class Recovered:
    """What recovery did with one intent. Of a "stopped" one nothing was written now, and it stays."""

    number: int
    outcome: Literal["finished", "stopped"]
    message: str
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class _Step:
    """One file to write (`data`) or to remove (None), and what must stand there.

    `origin`: its name so far, where the disk ignores case and only the case changes.
    """

    path: str
    data: bytes | None
    expect: bytes | None
    origin: str | None = None


def apply_record(journal: Journal, folder: Folder, number: int) -> None:
    """Writes the files of an intent and marks it done; the caller holds the lock.

    Raises Mismatch or WriteFailed: then nothing has changed and the intent is dropped. Raises SyncFailed where
    the disk is dying: what was written could not be confirmed, or not be taken back, and the intent stays for
    recovery.
    """
    record = journal.record(number)
    if record.state != "intent":
        return
    try:
        steps = _steps(journal, folder, record)
    except Mismatch:
        journal.abandon(number)
        raise
    _note_folders(journal, folder, record, steps)
    done: list[_Step] = []
    try:
        _write(folder, steps, done)
    except SyncFailed:
        if not done:
            _drop(journal, folder, number)
        raise
    except (Mismatch, WriteFailed, FolderError) as error:
        if not _take_back(folder, done):
            raise SyncFailed(f"{error} What was written before could not be taken back.") from None
        _drop(journal, folder, number)
        raise WriteFailed(str(error)) if isinstance(error, FolderError) else error from None
    _tidy(journal, folder, record)
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
        files.sweep(folder, _places(record))
        found.append(_recover(journal, folder, record))
    return tuple(found)


def resolve(journal: Journal, folder: Folder, number: int, *, take: Literal["found", "ours"]) -> None:
    """Ends a stopped intent as the person wants: "ours" writes what was approved over it, "found" leaves it.

    The files without a conflict are written in both cases. Raises Mismatch, WriteFailed, FolderError.
    """
    record = journal.record(number)
    steps: list[_Step] = []
    for file in record.files:
        try:
            steps += _steps_of(journal, folder, record, file)
        except Mismatch:
            if take == "ours":
                steps += _forced(folder, file)
    _note_folders(journal, folder, record, steps)
    _write(folder, steps, [])
    _sync_all(journal, folder, record)
    _tidy(journal, folder, record)
    journal.finish(number)


def _recover(journal: Journal, folder: Folder, record: Record) -> Recovered:
    conflicts = []
    steps: list[_Step] = []
    for file in record.files:
        try:
            steps += _steps_of(journal, folder, record, file)
        except Mismatch as error:
            conflicts.append(_conflict(folder, file, str(error)))
    if conflicts:
        return Recovered(record.number, "stopped", conflicts[0].message, tuple(conflicts))
    try:
        _note_folders(journal, folder, record, steps)
        _write(folder, steps, [])
        _sync_all(journal, folder, record)
    except (Mismatch, WriteFailed, FolderError) as error:
        return Recovered(record.number, "stopped", str(error))
    _tidy(journal, folder, record)
    journal.finish(record.number)
    return Recovered(record.number, "finished", f"Decision {record.number} was finished after a crash.")


def _conflict(folder: Folder, file: RecordFile, message: str) -> Conflict:
    found = None
    with contextlib.suppress(FolderError):
        found = folder.read(file.path)
    return Conflict(file.path, message, found, file.after)


# --- what is still to be written -------------------------------------------------------------------


def _steps(journal: Journal, folder: Folder, record: Record) -> list[_Step]:
    return [step for file in record.files for step in _steps_of(journal, folder, record, file)]


def _steps_of(journal: Journal, folder: Folder, record: Record, file: RecordFile) -> list[_Step]:
    """What is left to do for one file; [] where it is as after. Raises Mismatch where it is neither."""
    try:
        if file.origin is not None:
            return _rename_steps(folder, file, file.origin)
        found = folder.read(file.path)
    except FolderError as error:
        raise Mismatch(str(error), file.path) from None
    digest = None if found is None else sha256(found)
    if digest == file.after_sha256:
        return []
    if not file.whole:
        return [_Step(file.path, _lines_after(journal, record, file, found, digest), found)]
    # An empty file is a name taken in advance, where the disk knows no links: nobody loses anything.
    if digest == file.before_sha256 or (file.before_sha256 is None and found == b""):
        return [_Step(file.path, file.after, found)]
    if found is None:
        raise Mismatch(f"{clip(file.path)} is no longer there.", file.path)
    if file.before_sha256 is None:
        raise Mismatch(f"{clip(file.path)} exists already.", file.path)
    raise Mismatch(f"{clip(file.path)} has changed since it was shown.", file.path)


def _rename_steps(folder: Folder, file: RecordFile, origin: str) -> list[_Step]:
    assert file.after is not None
    old, new = folder.read(origin), folder.read(file.path)
    old_digest = None if old is None else sha256(old)
    new_digest = None if new is None else sha256(new)
    if new_digest == file.after_sha256 and (old is None or origin == file.path):
        return []
    if old is None or old_digest != file.before_sha256:
        gone = "is no longer there" if old is None else "has changed since it was shown"
        raise Mismatch(f"{clip(origin)} {gone}.", origin)
    if files.one_file(folder, origin, file.path):
        return [_Step(file.path, file.after, old, origin)]
    if new is None:
        return [_Step(file.path, file.after, None), _Step(origin, None, old)]
    if new_digest == file.after_sha256:
        return [_Step(origin, None, old)]
    raise Mismatch(f"{clip(file.path)} exists already.", file.path)


def _lines_after(
    journal: Journal, record: Record, file: RecordFile, found: bytes | None, digest: str | None
) -> bytes | None:
    """index.md or tags.md as it shall be: exact on what the plan saw, else line by line on what is there."""
    if digest == file.before_sha256:
        after = splice(found or b"", file.splices)
        if after is not None and file.after_sha256 in (None, sha256(after)):
            return None if file.after_sha256 is None else after
    lines = [line for line in record.lines if line.path == file.path]
    if not lines:
        raise Mismatch(f"{clip(file.path)} has changed since it was shown.", file.path)
    moved = move_lines(file.path, found, lines)
    journal.rebase(record.number, RecordFile(file.path, None, found, moved, whole=False))
    return moved


def _forced(folder: Folder, file: RecordFile) -> list[_Step]:
    if not file.whole:
        return []
    steps = []
    if file.origin is not None and (old := folder.read(file.origin)) is not None:
        steps.append(_Step(file.origin, None, old))
    found = folder.read(file.path)
    if found != file.after:
        steps.insert(0, _Step(file.path, file.after, found))
    return steps


# --- writing ---------------------------------------------------------------------------------------


def _write(folder: Folder, steps: Sequence[_Step], done: list[_Step]) -> None:
    """Stages all, then publishes in order, then syncs each folder once. `done` gains what was published."""
    staged: list[Staged | None] = []
    try:
        for step in steps:
            staged.append(_stage(folder, step))
        for position, step in enumerate(steps):
            waiting, staged[position] = staged[position], None
            _publish(folder, step, waiting, done)
    except BaseException:
        for left in staged:
            if left is not None:
                files.discard_file(folder, left)
        raise
    touched = [step.path for step in done] + [step.origin for step in done if step.origin is not None]
    files.sync_folders(folder, touched)


def _stage(folder: Folder, step: _Step) -> Staged | None:
    return None if step.data is None else files.stage_file(folder, step.path, step.data, expect=step.expect)


def _publish(folder: Folder, step: _Step, staged: Staged | None, done: list[_Step]) -> None:
    if step.origin is not None:
        files.rename_case(folder, step.origin, step.path)
    if staged is not None:
        files.publish_file(folder, staged)
    elif step.expect is not None:
        files.unlink_file(folder, step.path, expect=step.expect)
    done.append(step)


def _take_back(folder: Folder, done: Sequence[_Step]) -> bool:
    """Puts what was published back as it was, last first; False where that fails."""
    try:
        for step in reversed(done):
            if step.origin is not None:
                files.rename_case(folder, step.path, step.origin)
            if step.data is None:
                if step.expect is not None:
                    files.replace_file(folder, step.path, step.expect, expect=None)
            elif step.expect is None:
                files.remove_file(folder, step.path, expect=step.data)
            else:
                files.replace_file(folder, step.origin or step.path, step.expect, expect=step.data)
    except (Mismatch, WriteFailed, FolderError):
        return False
    return True


# --- folders ---------------------------------------------------------------------------------------


def _drop(journal: Journal, folder: Folder, number: int) -> None:
    """Ends an intent of which nothing stands on the disk."""
    _remove_folders(folder, journal.record(number).made)
    journal.abandon(number)


def _sync_all(journal: Journal, folder: Folder, record: Record) -> None:
    """What was renamed before the crash is seen, but perhaps not on the disk yet. Raises SyncFailed."""
    files.sync_folders(folder, [*_places(record), *journal.record(record.number).made])


def _places(record: Record) -> list[str]:
    return [place for file in record.files for place in (file.path, file.origin) if place is not None]


def _note_folders(journal: Journal, folder: Folder, record: Record, steps: Sequence[_Step]) -> None:
    missing: dict[str, None] = {}
    for step in steps:
        if step.data is not None and "/" in step.path:
            with contextlib.suppress(FolderError, OSError):
                missing.update(dict.fromkeys(folder.missing_folders(step.path)))
    if missing:
        journal.note_made(record.number, sorted(missing))


def _tidy(journal: Journal, folder: Folder, record: Record) -> None:
    """After an undo: takes away the folders that the decision had made, where they are empty."""
    if record.undoes is not None:
        _remove_folders(folder, journal.record(record.undoes).made)


def _remove_folders(folder: Folder, made: Sequence[str]) -> None:
    for path in sorted(made, reverse=True):
        files.remove_folder(folder, path)
