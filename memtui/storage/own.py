"""Which decisions of a journal were made here (SPEC.md section 1: trusted by where it is).

A journal may come with a folder that was cloned, unpacked or synced. It is history to read; but to finish or to
take back one of its decisions writes notes, so these have to be the person's own. A mark is a random word in the
journal with the number of the first decision that it stands for. It counts where its hash is kept outside of
every workspace, wherever the workspace is moved to.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from memtui.config import WorkspaceError, keep_mark, known_marks
from memtui.storage.refusing import is_unsynced

_MOST = 1000
"""Marks that are looked at: one for each person and machine that the journal was used by."""


class Marks:
    """The marks of one journal, on its connection. What SQLite raises goes through."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: set[str] = set()

    def own_from(self, connection: sqlite3.Connection) -> int | None:
        """The number of the first decision that was made here or is trusted; None for none."""
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'marks'").fetchone():
            return None  # of an earlier version, open for reading only
        query = "SELECT mark, since FROM marks ORDER BY since LIMIT ?"
        found = connection.execute(query, (_MOST,)).fetchall()
        if strange := {mark for mark, _ in found} - self._known:
            self._known |= known_marks(strange)
        return min((since for mark, since in found if mark in self._known), default=None)

    def sign(self, connection: sqlite3.Connection) -> None:
        """Where the journal has no mark that is known here: its decisions from now on are made here.

        Where nothing can be kept outside of the workspace, that holds for this process only; no reading fails of it.
        A disk that does not confirm what was written is another matter: nothing is written after that.
        """
        if self.own_from(connection) is None:
            since = connection.execute("SELECT coalesce(max(number), 0) + 1 FROM records").fetchone()[0]
            try:
                self._mark(connection, since)
            except (OSError, sqlite3.OperationalError) as error:
                if is_unsynced(error):
                    raise

    def trust(self, connection: sqlite3.Connection) -> int:
        """Every decision that the journal holds now counts; returns how many did not. Raises WorkspaceError."""
        query = "SELECT count(*) FROM records WHERE ?1 IS NULL OR number < ?1"
        count = int(connection.execute(query, (self.own_from(connection),)).fetchone()[0])
        try:
            if count:
                self._mark(connection, 0)
        except OSError as error:
            place, reason = error.filename or "your data folder", (error.strerror or str(error)).lower()
            raise WorkspaceError(f"nothing is trusted: {place} cannot be written ({reason})") from error
        return count

    def _mark(self, connection: sqlite3.Connection, since: int) -> None:
        mark = os.urandom(16).hex()
        connection.execute("INSERT INTO marks VALUES (?, ?)", (mark, since))
        self._known.add(mark)
        keep_mark(mark, self._path)
