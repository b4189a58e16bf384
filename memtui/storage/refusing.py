"""What is wrong where the journal cannot be read or written, in one sentence."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from memtui.notes.way import NEW, walked
from memtui.storage.room import NO_ROOM, begins

_INDEX: Final = 32 * 1024
"""Bytes that SQLite's index of the write-ahead log takes: with less on the disk it says "disk I/O error"."""
_TRIED: Final = 2 * _INDEX
"""Bytes that are written to hear from the system itself why it refuses to."""
_UNSYNCED: Final = (sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC)
_WRITING_ENDS: Final = {**NO_ROOM, errno.EFBIG: "a file may not become that large here (ulimit -f)"}


class JournalError(Exception):
    """The journal cannot be read or written; the message is one clear sentence."""


class Refused(JournalError):
    """The disk, or a permission, refused it: the same may go well at another time."""


class Unfinished(JournalError):
    """It came after a decision was begun: the intent stands, and recovery finishes it."""


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """What SQLite and the system raise about the journal at `path` becomes Refused."""
    try:
        yield
    except (sqlite3.DatabaseError, OSError) as error:
        raise Refused(_sentence(path, error)) from error


def is_unsynced(error: Exception) -> bool:
    """Whether SQLite says that the disk did not confirm what was written."""
    return getattr(error, "sqlite_errorcode", 0) in _UNSYNCED


def _sentence(path: Path, error: sqlite3.DatabaseError | OSError) -> str:
    """What is wrong, as far as the disk itself tells more of it than SQLite does."""
    said = str(error)
    denied = "readonly" in said or "unable to open" in said
    code = error.errno if isinstance(error, OSError) else None
    if "full" in said or ("disk I/O" in said and _free(path) < _INDEX):
        code = errno.ENOSPC
    elif "disk I/O" in said:
        code = _why_not_written(path)
    if (why := _WRITING_ENDS.get(code or 0)) is not None:
        return f"{begins(why)}, so the journal could not be written."
    if is_unsynced(error):
        return f"The disk did not confirm a write to the journal {path}, so nothing was changed: look at the disk."
    if code == errno.EROFS or ((denied or "disk I/O" in said) and _is_read_only(path)):
        return f"The file system that holds {path} is read-only, so the journal could not be written."
    if code == errno.ENOTDIR:
        return f"The journal {path} is not used: a folder on the way to it is a symbolic link now, or none."
    if denied:
        return (
            f"The journal {path} may not be used ({error}): give yourself permission to read and write"
            f" {path.name}, {path.name}-wal, {path.name}-shm and their folder."
        )
    if isinstance(error, OSError):
        return f"The journal {path} could not be opened: {(error.strerror or 'unknown error').lower()}."
    return f"The journal {path} could not be used: {error}."


def _why_not_written(path: Path) -> int | None:
    """What the system says to a small file beside the journal, or to a larger one: SQLite keeps it to itself."""
    import resource  # not above: only a failure wants it

    largest = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    tried = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        for name in (path.name, f"{path.name}-wal"):
            with contextlib.suppress(FileNotFoundError):
                if 0 <= largest < path.with_name(name).lstat().st_size + _TRIED:
                    return errno.EFBIG
        with walked(tried.parent) as folder:
            opened = os.open(tried.name, NEW, 0o600, dir_fd=folder)
            try:
                os.pwrite(opened, bytes(_TRIED), 0)
                os.fsync(opened)
            finally:
                os.unlink(tried.name, dir_fd=folder)
                os.close(opened)
    except OSError as error:
        return error.errno
    return None


def _free(path: Path) -> int:
    """Bytes that the file system still has for the person; as many as they like where it does not say."""
    try:
        found = os.statvfs(path.parent)
    except OSError:
        return sys.maxsize
    return found.f_bavail * found.f_frsize if found.f_blocks else sys.maxsize


def _is_read_only(path: Path) -> bool:
    """Whether the whole file system is, so that no permission helps."""
    try:
        return bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)
    except OSError:
        return False
