"""The way to a folder: by its real path, on which nothing may become a symbolic link (SPEC.md section 1)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
"""Flags of a file that is made, in the place of nothing and nobody's link."""
_NOATIME = getattr(os, "O_NOATIME", 0)
DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PASSING = (
    getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY))
    | os.O_DIRECTORY
    | os.O_NOFOLLOW
    | os.O_CLOEXEC
)
"""Of a folder on the way, which need not be readable."""


class Way:
    """The way to a folder by its real path, on which nothing may become a symbolic link."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: tuple[int, int] | None = None
        """Device and inode of the folder to which the way was last walked."""

    def open(self) -> int:
        """A descriptor of the folder, which the caller closes. Another folder than before is walked to step by step.

        Raises NotADirectoryError where something on the way is a symbolic link or no folder; OSError.
        """
        if self._known is not None:
            opened = open_quietly(str(self.path), DIRECTORY, None)
            if _identity(opened) == self._known:
                return opened
            os.close(opened)
        opened = walk(self.path)
        self._known = _identity(opened)
        return opened


def walk(path: Path, *, create: bool = False) -> int:
    """A descriptor of the folder at an absolute path, no symbolic link followed. Raises OSError as `Way.open` does.

    With `create`, folders that are missing are made, 0700.
    """
    *above, last = path.parts
    opened: int | None = None
    try:
        for part in above:
            below = _pass(part, _PASSING, opened, create)
            if opened is not None:
                os.close(opened)
            opened = below
        return _pass(last, DIRECTORY, opened, create)
    finally:
        if opened is not None:
            os.close(opened)


def _pass(part: str, flags: int, opened: int | None, create: bool) -> int:
    if create:
        try:
            return open_quietly(part, flags, opened)
        except FileNotFoundError:
            pass
        with suppress(FileExistsError):  # made meanwhile
            os.mkdir(part, 0o700, dir_fd=opened)
    return open_quietly(part, flags, opened)


@contextmanager
def walked(path: Path, *, create: bool = False) -> Iterator[int]:
    """The descriptor that `walk` gives, closed at the end."""
    opened = walk(path, create=create)
    try:
        yield opened
    finally:
        os.close(opened)


def open_file(path: Path, flags: int) -> int:
    """`os.open` of a file by its real path: no symbolic link is followed, on the way or at its end. Raises OSError."""
    try:
        with walked(path.parent) as folder:
            return os.open(path.name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    except OSError as error:
        error.filename = str(path)
        raise


def _identity(opened: int) -> tuple[int, int]:
    seen = os.fstat(opened)
    return seen.st_dev, seen.st_ino


def open_quietly(name: str, flags: int, dir_fd: int | None) -> int:
    """`os.open` that leaves the access time alone where the system allows it. Raises OSError."""
    if _NOATIME:
        try:
            return os.open(name, flags | _NOATIME, dir_fd=dir_fd)
        except PermissionError:
            pass  # only the owner may ask for it
    return os.open(name, flags, dir_fd=dir_fd)
