"""How SQLite comes to the journal's files, and to no others.

SQLite opens by path, again for each helper file. So the file is found and made by descriptor first, and SQLite's own
descriptors are compared with what stands there, before anything is read and again before anything is written: a state
folder that became a symbolic link meanwhile is told, not followed. From then on SQLite keeps what it has open, and
where another file is at its path at the end, it takes no helper away.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from memtui.notes.way import NEW, walked
from memtui.storage.refusing import JournalError
from memtui.storage.spool_files import is_there

BUSY_SECONDS: Final = 10.0
_OWNERS: Final = stat.S_IRUSR | stat.S_IWUSR
_HELPERS: Final = ("-wal", "-shm")
_DESCRIPTORS: Final = ("/proc/self/fd", "/dev/fd")
_MOST: Final = 1024
"""Descriptors that are looked at where the system lists none."""
_NAMES_ANOTHER: Final = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal ends that names a file which SQLite would take away with it, wherever that lies."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that writes, to a file that is made where it is missing; nothing was read yet.

    `path` is a real one. Raises JournalError, sqlite3.DatabaseError, OSError.
    """
    with walked(path.parent, create=True) as folder:
        _create(folder, path)
        _mend_helpers(folder, path)
        _refuse_rollback(folder, path)
    return _connect(path, "mode=rw")


def connect_to_read(path: Path) -> sqlite3.Connection | None:
    """A connection that only reads; None where the file is missing or empty. Raises as `connect` does."""
    try:
        with walked(path.parent) as folder:
            if _regular(folder, path).st_size == 0:
                return None
            helped = os.access(".", os.W_OK, dir_fd=folder) or is_there(folder, f"{path.name}-wal")
    except FileNotFoundError:
        return None
    # else nobody can write there, and SQLite could not make its helper files
    return _connect(path, "mode=ro" if helped else "mode=ro&immutable=1")


def check_way(path: Path, *, helpers: bool = True) -> None:
    """Raises JournalError where the journal, as it stands at its path, is not the one that is open in this process.

    With `helpers`, also its two other files, once SQLite has opened them.
    """
    try:
        with walked(path.parent) as folder:
            wanted = {_identity(os.stat(path.name, dir_fd=folder, follow_symlinks=False))}
            for helper in _HELPERS if helpers else ():
                with contextlib.suppress(FileNotFoundError):
                    wanted.add(_identity(os.stat(path.name + helper, dir_fd=folder, follow_symlinks=False)))
    except OSError:
        wanted = {(-1, -1)}
    if not wanted <= set(_opened_here()):
        raise JournalError(f"The way to the journal {path} was changed meanwhile: look at it, and try again.")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?{mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        check_way(path, helpers=False)
    except JournalError:
        connection.close()
        raise
    return connection


def _opened_here() -> Iterator[tuple[int, int]]:
    """Device and inode of each file that is open in this process."""
    numbers: Iterable[int] = range(_MOST)
    for place in _DESCRIPTORS:
        with contextlib.suppress(OSError):
            numbers = [int(name) for name in os.listdir(place)]  # noqa: PTH208
            break
    for number in numbers:
        with contextlib.suppress(OSError):
            yield _identity(os.fstat(number))


def _identity(seen: os.stat_result) -> tuple[int, int]:
    return seen.st_dev, seen.st_ino


def _create(folder: int, path: Path) -> None:
    """Makes the file 0600 (-wal and -shm follow) and its name durable; refuses what is no regular file."""
    try:
        _regular(folder, path)
        return
    except FileNotFoundError:
        pass
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path.name, NEW, 0o600, dir_fd=folder))
    os.fsync(folder)


def _mend_helpers(folder: int, path: Path) -> None:
    """Gives -wal and -shm the journal's mode where it may be written again and they may not.

    SQLite made them with the mode that the journal had at that time, and cannot work with them as they are.
    """
    mode = stat.S_IMODE(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode)
    for helper in _HELPERS:
        with contextlib.suppress(OSError):  # then SQLite says what is wrong
            found = os.stat(path.name + helper, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISREG(found.st_mode) and mode & ~found.st_mode & _OWNERS:
                _change_mode(folder, path.name + helper, mode)


def _change_mode(folder: int, name: str, mode: int) -> None:
    """Not through a descriptor for reading or writing: closing that would drop SQLite's locks on the file."""
    if not hasattr(os, "O_PATH"):
        os.chmod(name, mode, dir_fd=folder, follow_symlinks=False)
        return
    opened = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        Path(f"/proc/self/fd/{opened}").chmod(mode)
    finally:
        os.close(opened)


def _refuse_rollback(folder: int, path: Path) -> None:
    """Refuses a rollback journal, as a new journal has beside it for a moment, that names a file to take away.

    None of memtui's ever does; SQLite would take that file away wherever it is.
    """
    name = f"{path.name}-journal"
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return
    try:
        size = os.fstat(opened).st_size
        strange = size >= len(_NAMES_ANOTHER) and _ends_so(opened, size)
    finally:
        os.close(opened)
    if strange:
        raise JournalError(f"{path.with_name(name)} was not made by memtui: take it away.")


def _ends_so(opened: int, size: int) -> bool:
    return os.pread(opened, len(_NAMES_ANOTHER), size - len(_NAMES_ANOTHER)) == _NAMES_ANOTHER


def _regular(folder: int, path: Path) -> os.stat_result:
    found = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode):
        raise JournalError(f"The journal {path} is no regular file, so it is not used.")
    if found.st_nlink > 1:
        raise JournalError(
            f"The journal {path} is a hard link: the same file has another name, so it is not used."
        )
    return found
