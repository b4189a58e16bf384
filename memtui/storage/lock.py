"""One writer at a time: `flock` on the memory folder itself, so that two workspaces on one folder respect
each other (SPEC.md section 1)."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from memtui.notes.way import walk, walked

LOCK_FILE = "memory.lock"

LockKind = Literal["folder", "file"]

_STEP = 0.02  # seconds between two tries
# NFS answers EBADF (it wants a writable descriptor), other file systems one of the rest.
_NO_FLOCK = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class LockBusy(Exception):
    """Another memtui holds the lock, or it cannot be taken at all; the message is one clear sentence."""


@contextmanager
def locked(memory: Path, state: Path, *, timeout: float = 10.0) -> Iterator[LockKind]:
    """Holds the writer's lock; `timeout` in seconds.

    Yields "folder", or "file" where the memory folder knows no such lock (or is not there) and a lock file in
    `state` stands in: then only memtuis that share this `state` respect each other. It excludes threads too.
    Raises LockBusy.
    """
    opened, kind = _take(memory, state, time.monotonic() + timeout)
    try:
        yield kind
    finally:
        os.close(opened)  # gives the lock back


def _take(memory: Path, state: Path, deadline: float) -> tuple[int, LockKind]:
    try:
        opened = walk(memory)
    except (FileNotFoundError, NotADirectoryError):
        return _take_file(state, deadline), "file"
    except OSError as error:
        raise LockBusy(f"The memory folder {memory} cannot be opened: {_reason(error)}.") from None
    try:
        _wait(opened, deadline)
    except OSError as error:
        os.close(opened)
        if error.errno in _NO_FLOCK:
            return _take_file(state, deadline), "file"
        raise LockBusy(f"The memory folder {memory} cannot be locked: {_reason(error)}.") from None
    except BaseException:
        os.close(opened)
        raise
    return opened, "folder"


def _take_file(state: Path, deadline: float) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with walked(state, create=True) as folder:
            opened = os.open(LOCK_FILE, flags, 0o600, dir_fd=folder)
    except OSError as error:
        raise LockBusy(f"The lock file in {state} cannot be opened: {_reason(error)}.") from None
    try:
        _wait(opened, deadline)
    except OSError as error:
        os.close(opened)
        raise LockBusy(f"The lock file in {state} cannot be locked: {_reason(error)}.") from None
    except BaseException:
        os.close(opened)
        raise
    return opened


def _wait(opened: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise LockBusy(
                    "Another memtui is writing to this memory folder; try again in a moment."
                ) from None
            time.sleep(_STEP)
        else:
            return


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown error").lower()
