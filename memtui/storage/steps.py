"""What is still to be written of one record, file by file, and the writing: whole or not at all.

A file that is as before is to be written, one that is as after is done; anything else is a Mismatch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from memtui.notes.folder import Folder, FolderError, clip
from memtui.storage import files
from memtui.storage.effects import move_lines
from memtui.storage.files import Mismatch, Staged, WriteFailed
from memtui.storage.journal import Journal
from memtui.storage.records import Record, RecordFile
from memtui.storage.splice import splice


@dataclass(frozen=True, slots=True)
class Step:
    """One file to write (`data`) or to remove (None), and what must stand there.

    `origin`: its name so far, where the disk ignores case and only the case changes.
    """

    path: str
    data: bytes | None
    expect: bytes | None
    origin: str | None = None


def steps_of(journal: Journal, folder: Folder, record: Record, file: RecordFile) -> list[Step]:
    """What is left to do for one file; [] where it is as after. Raises Mismatch where it is neither, or no note."""
    for path in (file.path, file.origin):
        if path is not None and not path.endswith(".md"):  # whatever a journal says
            raise Mismatch(f"{clip(path)} is no note: nothing is written there.", path)
    try:
        if file.origin is not None:
            return _rename_steps(folder, file, file.origin)
        found = folder.read(file.path)
    except FolderError as error:
        raise Mismatch(str(error), file.path) from None
    if file.is_after(found):
        return []
    if not file.whole:
        return [Step(file.path, _lines_after(journal, record, file, found), found)]
    # An empty file is a name taken in advance, where the disk knows no links: nobody loses anything.
    if file.is_before(found) or (file.before_sha256 is None and found == b""):
        return [Step(file.path, file.after, found)]
    if found is None:
        raise Mismatch(f"{clip(file.path)} is no longer there.", file.path)
    if file.before_sha256 is None:
        raise Mismatch(f"{clip(file.path)} exists already.", file.path)
    raise Mismatch(f"{clip(file.path)} has changed since it was shown.", file.path)


def _rename_steps(folder: Folder, file: RecordFile, origin: str) -> list[Step]:
    assert file.after is not None
    old, new = folder.read(origin), folder.read(file.path)
    if file.is_after(new) and (old is None or origin == file.path):
        return []
    if old is None or not file.is_before(old):
        gone = "is no longer there" if old is None else "has changed since it was shown"
        raise Mismatch(f"{clip(origin)} {gone}.", origin)
    if files.one_file(folder, origin, file.path):
        return [Step(file.path, file.after, old, origin)]
    if new is None:
        return [Step(file.path, file.after, None), Step(origin, None, old)]
    if file.is_after(new):
        return [Step(origin, None, old)]
    raise Mismatch(f"{clip(file.path)} exists already.", file.path)


def _lines_after(journal: Journal, record: Record, file: RecordFile, found: bytes | None) -> bytes | None:
    """index.md or tags.md as it shall be: exact on what the plan saw, else line by line on what is there."""
    if file.is_before(found):
        after = file.after if file.kept else splice(found or b"", file.splices)
        if file.after_sha256 is None:
            return None
        if after is not None and file.is_after(after):
            return after
    lines = [line for line in record.lines if line.path == file.path]
    if not lines:
        raise Mismatch(f"{clip(file.path)} has changed since it was shown.", file.path)
    moved = move_lines(file.path, found, lines)
    journal.rebase(record.number, RecordFile(file.path, None, found, moved, whole=False))
    return moved


# --- writing ---------------------------------------------------------------------------------------


def write(folder: Folder, steps: Sequence[Step], done: list[Step]) -> None:
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


def _stage(folder: Folder, step: Step) -> Staged | None:
    return None if step.data is None else files.stage_file(folder, step.path, step.data, expect=step.expect)


def _publish(folder: Folder, step: Step, staged: Staged | None, done: list[Step]) -> None:
    if step.origin is not None:
        files.rename_case(folder, step.origin, step.path)
    if staged is not None:
        files.publish_file(folder, staged)
    elif step.expect is not None:
        files.unlink_file(folder, step.path, expect=step.expect)
    done.append(step)


def take_back(folder: Folder, done: Sequence[Step]) -> bool:
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


def sync_all(journal: Journal, folder: Folder, record: Record) -> None:
    """What was renamed before the crash is seen, but perhaps not on the disk yet. Raises SyncFailed."""
    files.sync_folders(folder, [*places(record), *journal.record(record.number).made])


def places(record: Record) -> list[str]:
    return [place for file in record.files for place in (file.path, file.origin) if place is not None]


def note_folders(journal: Journal, folder: Folder, record: Record, steps: Sequence[Step]) -> None:
    missing: dict[str, None] = {}
    for step in steps:
        if step.data is not None and "/" in step.path:
            with contextlib.suppress(FolderError, OSError):
                missing.update(dict.fromkeys(folder.missing_folders(step.path)))
    if missing:
        journal.note_made(record.number, sorted(missing))


def tidy(journal: Journal, folder: Folder, record: Record) -> None:
    """After an undo: takes away the folders that the decision had made, where they are empty."""
    if record.undoes is not None:
        remove_folders(folder, journal.record(record.undoes).made)


def remove_folders(folder: Folder, made: Sequence[str]) -> None:
    for path in sorted(made, reverse=True):
        files.remove_folder(folder, path)
