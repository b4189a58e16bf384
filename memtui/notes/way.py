"""The way to a folder: by its real path, on which nothing may become a symbolic link (SPEC.md section 1)."""

from __future__ import annotations

import os
from pathlib import Path

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


def walk(path: Path) -> int:
    """A descriptor of the folder at an absolute path, no symbolic link followed. Raises OSError as `Way.open` does."""
    *above, last = path.parts
    opened: int | None = None
    try:
        for part in above:
            below = os.open(part, _PASSING, dir_fd=opened)
            if opened is not None:
                os.close(opened)
            opened = below
        return open_quietly(last, DIRECTORY, opened)
    finally:
        if opened is not None:
            os.close(opened)


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
