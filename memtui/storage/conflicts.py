"""Files of a begun decision that somebody changed by hand: both versions, and how the decision's is forced."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from memtui.notes.folder import Folder, FolderError
from memtui.notes.lines import KeyedLine, LineConflict
from memtui.proposals.model import LineChange
from memtui.storage import files
from memtui.storage.effects import move_lines
from memtui.storage.files import Mismatch
from memtui.storage.records import Record, RecordFile


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file of an intent that was changed by hand since: `found` is on disk, `ours` is the decision's.

    None is no such file. `readable` False: what stands there is no note, or cannot be read.
    """

    path: str
    message: str
    found: bytes | None = None
    ours: bytes | None = None
    readable: bool = True


def conflict_of(folder: Folder, record: Record, file: RecordFile, mismatch: Mismatch) -> Conflict:
    """Both versions of a file of which `steps_of` said that it is neither old nor new."""
    path, message = mismatch.path or file.path, str(mismatch)
    try:
        found = folder.read(path)
    except FolderError:
        return Conflict(path, message, None, file.after, readable=False)
    ours = file.after if path == file.path else None
    if not file.whole:
        with contextlib.suppress(Mismatch, FolderError, LineConflict):
            ours = forced(folder, record, file)[0].after
    return Conflict(path, message, found, ours)


def forced(folder: Folder, record: Record, file: RecordFile) -> tuple[RecordFile, ...]:
    """What puts the decision's version in the place of what is on the disk now, which becomes the `before`.

    So the journal keeps both, and an undo gives the disk's version back. Raises Mismatch, FolderError.
    """
    found = folder.read(file.path)
    if not file.whole:
        lines = [_forced_line(found, line) for line in record.lines if line.path == file.path]
        return (RecordFile(file.path, None, found, move_lines(file.path, found, lines), whole=False),)
    if file.origin is None or file.origin == file.path:
        return (RecordFile(file.path, None, found, file.after),)
    old = folder.read(file.origin)
    if files.one_file(folder, file.origin, file.path):
        return (RecordFile(file.path, file.origin, old, file.after),)
    written = RecordFile(file.path, None, found, file.after)
    return (written,) if old is None else (written, RecordFile(file.origin, None, old, None))


def _forced_line(data: bytes | None, line: LineChange) -> LineChange:
    """The change from whatever stands there under that key."""
    return LineChange(line.path, line.key, _line_of(line.path, data, line.key), line.after)


def _line_of(path: str, data: bytes | None, key: str) -> KeyedLine | None:
    # Here, not above: the queue must open without the parsers of both files.
    if path == "tags.md":
        from memtui.notes.tags import read_tags

        tag = read_tags(data).tags.get(key)
        return None if tag is None else tag.line
    from memtui.notes.index import read_index

    entry = read_index(data).get(key)
    return None if entry is None else entry.line
