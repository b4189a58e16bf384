"""What a plan saw of the folder: while all of that is as it was, the plan need not be made anew.

A plan is pure (SPEC.md section 4), so the same proposal on the same bytes gives the same plan.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from memtui.notes.folder import FolderError
from memtui.proposals.model import sha256

if TYPE_CHECKING:
    from memtui.proposals.context import FolderView, NoteStat


class Seen:
    """A view of a folder that keeps a digest of everything that is read through it."""

    def __init__(self, folder: FolderView) -> None:
        self._folder = folder
        self._notes: dict[str, str] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._everywhere = False
        """All notes were looked at: to look again takes as long as to plan again."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a note. Raises FolderError."""
        try:
            data = self._folder.read(path)
        except FolderError as error:
            self._notes[path] = f"! {error}"
            raise
        self._notes[path] = _digest(data)
        return data

    def head(self, path: str, size: int = 8192) -> bytes:
        self._everywhere = True
        return self._folder.head(path, size)

    def names(self, directory: str) -> Collection[str]:
        found = self._folder.names(directory)
        self._names[directory] = frozenset(found)
        return found

    def notes(self) -> Sequence[NoteStat]:
        self._everywhere = True
        return self._folder.notes()

    def is_as_it_was(self) -> bool:
        """Whether the folder would show the same once more."""
        if self._everywhere:
            return False
        try:
            return all(self._now(path) == was for path, was in self._notes.items()) and all(
                frozenset(self._folder.names(directory)) == was for directory, was in self._names.items()
            )
        except FolderError:
            return False

    def _now(self, path: str) -> str:
        try:
            return _digest(self._folder.read(path))
        except FolderError as error:
            return f"! {error}"


def _digest(data: bytes | None) -> str:
    return "" if data is None else sha256(data)
