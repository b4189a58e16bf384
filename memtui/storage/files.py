"""Writes inside the memory folder: whole or not at all, durable, confined by descriptor (DESIGN.md, Write).

A file is first *staged* (a temporary file beside it, written, synced) and then *published* (a rename, or a
link that cannot overwrite), so that a full disk shows before any note has changed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass

from memtui.notes.folder import Folder, FolderError, clip, list_names, opened_parent
from memtui.notes.way import NEW
from memtui.storage.room import NO_ROOM, begins

TEMP_PREFIX = ".memtui-"
TEMP_SUFFIX = ".tmp"

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


class WriteFailed(Exception):
    """A write that the system refused; the old bytes are still there. The message is one clear sentence."""


class SyncFailed(WriteFailed):
    """The disk did not confirm a write. Nothing more may be written until memtui is started anew."""


class Mismatch(Exception):
    """A file or line is not what was expected; nothing was written. The message is one clear sentence."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Staged:
    """New bytes that wait beside their place; `expect` is what must still stand there (None: nothing)."""

    path: str
    temp: str
    expect: bytes | None


def replace_file(folder: Folder, path: str, data: bytes, *, expect: bytes | None) -> None:
    """Puts `data` at `path`, whole and durable, where it still holds `expect` (None: no such file).

    An existing note keeps its mode; a new one is 0600, new folders 0700. Raises WriteFailed, Mismatch,
    FolderError.
    """
    staged = stage_file(folder, path, data, expect=expect)
    publish_file(folder, staged)
    sync_folders(folder, [path])


def remove_file(folder: Folder, path: str, *, expect: bytes) -> None:
    """Removes the note at `path` where it still holds `expect`. Raises WriteFailed, Mismatch, FolderError."""
    unlink_file(folder, path, expect=expect)
    sync_folders(folder, [path])


def stage_file(folder: Folder, path: str, data: bytes, *, expect: bytes | None) -> Staged:
    """Writes `data` to a synced temporary file beside `path`; nothing that a reader sees has changed yet."""
    temp = f"{TEMP_PREFIX}{os.urandom(8).hex()}{TEMP_SUFFIX}"
    try:
        with opened_parent(folder, path, create=True) as (parent, name):
            mode = _mode_at(parent, name)
            opened = os.open(temp, NEW, 0o600, dir_fd=parent)
            try:
                _fill(opened, data, mode)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temp, dir_fd=parent)
                raise
            finally:
                os.close(opened)
    except OSError as error:
        raise _failure(path, error) from error
    return Staged(path, temp, expect)


def publish_file(folder: Folder, staged: Staged) -> None:
    """Puts staged bytes in their place; the folder is not synced yet (see sync_folders).

    Raises Mismatch where the place no longer holds what was expected; the temporary file is gone in any case.
    """
    path, temp = staged.path, staged.temp
    try:
        _check(folder, path, staged.expect)
        with opened_parent(folder, path) as (parent, name):
            if staged.expect is None:
                _publish_new(parent, temp, name, path)
            else:
                os.rename(temp, name, src_dir_fd=parent, dst_dir_fd=parent)
    except OSError as error:
        discard_file(folder, staged)
        raise _failure(path, error) from error
    except BaseException:
        discard_file(folder, staged)
        raise


def discard_file(folder: Folder, staged: Staged) -> None:
    """Takes a staged file away again."""
    with contextlib.suppress(OSError, FolderError), opened_parent(folder, staged.path) as (parent, _):
        os.unlink(staged.temp, dir_fd=parent)


def unlink_file(folder: Folder, path: str, *, expect: bytes) -> None:
    """Removes a note; the folder is not synced yet. Raises as remove_file."""
    _check(folder, path, expect)
    try:
        with opened_parent(folder, path) as (parent, name):
            os.unlink(name, dir_fd=parent)
    except OSError as error:
        raise _failure(path, error) from error


def one_file(folder: Folder, origin: str, path: str) -> bool:
    """Whether two names that differ only in case mean one file: a disk that ignores case."""
    if origin == path or origin.casefold() != path.casefold():
        return False
    try:
        with opened_parent(folder, origin) as (old, old_name), opened_parent(folder, path) as (new, new_name):
            if new_name in list_names(new):
                return False  # two files, or two links to one
            return os.path.samestat(_stat_at(old, old_name), _stat_at(new, new_name))
    except OSError:
        return False


def rename_case(folder: Folder, origin: str, path: str) -> None:
    """Gives `one_file` its other name. Raises WriteFailed."""
    try:
        with opened_parent(folder, origin) as (old, old_name), opened_parent(folder, path) as (new, new_name):
            os.rename(old_name, new_name, src_dir_fd=old, dst_dir_fd=new)
    except OSError as error:
        raise _failure(path, error) from error


def remove_folder(folder: Folder, path: str) -> bool:
    """Removes a folder that is empty; False where it is not, or cannot be."""
    try:
        with opened_parent(folder, path) as (parent, name):
            try:
                os.rmdir(name, dir_fd=parent)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                os.rmdir(name, dir_fd=parent)  # one refusal of the disk is not taken for an answer
    except (OSError, FolderError):
        return False
    return True


def sync_folders(folder: Folder, paths: Iterable[str]) -> None:
    """Makes the names of these files durable: each folder once. Raises SyncFailed."""
    for parent, path in {path.rpartition("/")[0]: path for path in paths}.items():
        try:
            with opened_parent(folder, path) as (opened, _):
                sync(opened)
        except FileNotFoundError:
            continue  # the folder went with its last note
        except OSError as error:
            where = clip(parent) if parent else "the memory folder"
            raise SyncFailed(f"The disk did not confirm a write in {where}.") from error


def sweep(folder: Folder, paths: Iterable[str]) -> int:
    """Removes temporary files that a crash left beside these paths; the caller holds the lock."""
    removed = 0
    for path in {path.rpartition("/")[0]: path for path in paths}.values():
        with contextlib.suppress(OSError, FolderError), opened_parent(folder, path) as (parent, _):
            for name in list_names(parent):
                if name.startswith(TEMP_PREFIX) and name.endswith(TEMP_SUFFIX):
                    os.unlink(name, dir_fd=parent)
                    removed += 1
    return removed


def sync(opened: int) -> None:
    """fsync, and on macOS down to the platter. A failed one is never tried again on that descriptor."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        with contextlib.suppress(OSError):
            fcntl.fcntl(opened, full)
            return
    os.fsync(opened)


def write_all(opened: int, data: bytes) -> None:
    """Writes every byte, however many calls it takes."""
    left = memoryview(data)
    while left:
        left = left[os.write(opened, left) :]


def _fill(opened: int, data: bytes, mode: int | None) -> None:
    if mode is not None:
        os.fchmod(opened, mode)
    write_all(opened, data)
    try:
        sync(opened)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        raise SyncFailed("The disk did not confirm a write, so nothing was changed.") from error


def _publish_new(parent: int, temp: str, name: str, path: str) -> None:
    """A link cannot overwrite a file that appeared meanwhile; without links, the name is taken first."""
    try:
        os.link(temp, name, src_dir_fd=parent, dst_dir_fd=parent, follow_symlinks=False)
    except FileExistsError:
        raise Mismatch(f"{clip(path)} exists already.", path) from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        try:
            os.close(os.open(name, NEW, 0o600, dir_fd=parent))
        except FileExistsError:
            raise Mismatch(f"{clip(path)} exists already.", path) from None
        try:
            os.rename(temp, name, src_dir_fd=parent, dst_dir_fd=parent)
        except OSError:
            _unlink_twice(parent, name)  # empty, and ours
            raise
    else:
        _unlink_twice(parent, temp)  # it is published all the same


def _unlink_twice(parent: int, name: str) -> None:
    """Takes a file away that nobody shall see; one refusal of the disk is not taken for an answer."""
    for _ in range(2):
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=parent)
            return


def _check(folder: Folder, path: str, expect: bytes | None) -> None:
    found = folder.read(path)
    if found == expect:
        return
    if expect is None:
        raise Mismatch(f"{clip(path)} exists already.", path)
    if found is None:
        raise Mismatch(f"{clip(path)} is no longer there.", path)
    raise Mismatch(f"{clip(path)} has changed since it was read.", path)


def _stat_at(parent: int, name: str) -> os.stat_result:
    return os.stat(name, dir_fd=parent, follow_symlinks=False)


def _mode_at(parent: int, name: str) -> int | None:
    """Permission bits of the note that stands there; None for a new one."""
    try:
        mode = _stat_at(parent, name).st_mode
    except FileNotFoundError:
        return None
    return mode & 0o777 if stat.S_ISREG(mode) else None


def _failure(path: str, error: OSError) -> WriteFailed:
    shown = clip(path)
    if (why := NO_ROOM.get(error.errno or 0)) is not None:
        return WriteFailed(f"{begins(why)}, so {shown} was not written.")
    if error.errno == errno.EROFS:
        return WriteFailed(f"The memory folder is read-only, so {shown} was not written.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return WriteFailed(f"There is no permission to write {shown}.")
    if error.errno == errno.ENAMETOOLONG:
        return WriteFailed(f"The name of {shown} is too long for this disk.")
    reason = (error.strerror or "unknown error").lower()
    return WriteFailed(f"{shown} was not written: {reason}.")
