"""The journal's database: its tables, how it is opened, and its transactions.

Write-ahead logging, because a durable commit then costs one fsync (a rollback journal: three or four),
readers never wait for the writer, and a kill at any point leaves whole transactions. It needs a local disk: a
workspace on a network or sync drive sets `state` elsewhere (SPEC.md section 1).
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from memtui.storage.opening import BUSY_SECONDS, check_way, connect, connect_to_read
from memtui.storage.own import Marks
from memtui.storage.refusing import JournalError, explained

VERSION: Final = 3
TABLES: Final = (
    """CREATE TABLE records (
        number INTEGER PRIMARY KEY AUTOINCREMENT, state TEXT NOT NULL, kind TEXT NOT NULL, at REAL NOT NULL,
        plan_hash TEXT NOT NULL, undoes INTEGER, undone_by INTEGER, dismissed INTEGER NOT NULL DEFAULT 0,
        forgotten INTEGER NOT NULL DEFAULT 0, made TEXT NOT NULL DEFAULT '[]')""",
    "CREATE INDEX records_open ON records (number) WHERE state != 'answered'",
    """CREATE TABLE items (
        record INTEGER NOT NULL, position INTEGER NOT NULL, fold TEXT NOT NULL, verdict TEXT NOT NULL,
        edited INTEGER NOT NULL, file_sha256 TEXT NOT NULL, proposal TEXT, answer TEXT NOT NULL,
        id, operation, headline, target, agent, reason, note, file, batch, source, session,
        PRIMARY KEY (record, position)) WITHOUT ROWID""",
    "CREATE INDEX items_fold ON items (fold, record)",
    "CREATE INDEX items_file ON items (file_sha256)",
    "CREATE INDEX items_batch ON items (batch COLLATE NOCASE) WHERE batch != ''",
    "CREATE INDEX items_refused ON items (record) WHERE verdict IN ('refused', 'blocked')",
    """CREATE TABLE files (
        record INTEGER NOT NULL, position INTEGER NOT NULL, path NOT NULL, origin, whole INTEGER NOT NULL,
        private INTEGER NOT NULL, before TEXT, after TEXT, splices BLOB,
        PRIMARY KEY (record, position)) WITHOUT ROWID""",
    """CREATE TABLE lines (
        record INTEGER NOT NULL, position INTEGER NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (record, position)) WITHOUT ROWID""",
    "CREATE TABLE contents (sha256 TEXT PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE TABLE seen (fold TEXT PRIMARY KEY, file_sha256 TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID",
    """CREATE TABLE waiting (
        fold TEXT PRIMARY KEY, id NOT NULL, file NOT NULL, file_sha256 TEXT NOT NULL, batch NOT NULL,
        rewritten INTEGER NOT NULL)""",
    "CREATE INDEX waiting_file ON waiting (file)",
    "CREATE INDEX waiting_batch ON waiting (batch)",
    "CREATE TABLE drafts (key TEXT PRIMARY KEY, text NOT NULL) WITHOUT ROWID",
    "CREATE TABLE edits (fold TEXT PRIMARY KEY, text NOT NULL) WITHOUT ROWID",
    "CREATE TABLE tidied (number INTEGER PRIMARY KEY, at REAL NOT NULL)",
    "CREATE TABLE marks (mark TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID",
)
FROM_1: Final = (
    "DROP INDEX items_proposal",
    "DROP INDEX files_before",
    "DROP INDEX files_after",
    "CREATE INDEX items_batch ON items (batch COLLATE NOCASE) WHERE batch != ''",
    "CREATE TABLE tidied (number INTEGER PRIMARY KEY, at REAL NOT NULL)",
)
"""What makes a journal of version 1 one of version 2."""
FROM_2: Final = ("CREATE TABLE marks (mark TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID",)
"""What makes a journal of version 2 one of version 3."""
_STEPS: Final = {0: TABLES, 1: (*FROM_1, *FROM_2), 2: FROM_2}
"""What is missing in a journal of a version."""


class Database:
    """One SQLite connection that threads share, one at a time. Opened at the first use.

    Read-only, a file that does not exist (or is empty) reads as one without rows, and nothing is created.
    """

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path, self.read_only = path, read_only
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self.marks = Marks(path)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query. Raises JournalError."""
        with self._lock, explained(self.path):
            connection = self._open()
            return [] if connection is None else connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several queries on one state of the journal."""
        with self._lock:
            with explained(self.path):
                connection = self._open()
            if connection is None or connection.in_transaction:
                yield
                return
            connection.execute("BEGIN")
            try:
                yield
            finally:
                connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction, all or nothing.

        Durable, it has reached the disk when this returns; else it survives a kill, but perhaps not a loss of
        power.
        """
        if self.read_only:
            raise JournalError("The journal is open for reading only.")
        with self._lock, explained(self.path):
            connection = self._open()
            assert connection is not None
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def own_from(self) -> int | None:
        """The number of the first decision that was made here (`storage.own`). Raises JournalError."""
        with self._lock, explained(self.path):
            connection = self._open()
            return None if connection is None else self.marks.own_from(connection)

    def settle(self) -> None:
        """Bring the write-ahead log into the database and empty it, so that it keeps nothing that was dropped.

        Where another process reads at this moment, that has to wait for a later time. Raises JournalError.
        """
        with self._lock, explained(self.path):
            connection = self._open()
            if connection is not None and not self.read_only and not connection.in_transaction:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _open(self) -> sqlite3.Connection | None:
        if self._connection is None:
            if self.read_only:
                self._connection = _connect_to_read(self.path)
            else:
                self._connection = _connect(self.path)
                try:
                    self.marks.sign(self._connection)
                except BaseException:
                    self.close()
                    raise
        return self._connection


def _connect(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    try:
        if _version(connection) == 0:  # counts only before the first table, and writes and syncs each time
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        _use_write_ahead_log(connection)
        check_way(path)
        connection.execute("PRAGMA secure_delete = ON")  # what is dropped is overwritten
        connection.execute("PRAGMA fullfsync = ON")
        connection.execute("PRAGMA synchronous = FULL")
        _prepare(connection)
        _refuse_odd_tables(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(path: Path) -> sqlite3.Connection | None:
    connection = connect_to_read(path)
    if connection is None:
        return None
    try:
        if _version(connection) != 0:
            check_way(path)
            _refuse_odd_tables(connection)
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()  # made, but its tables are not there yet
    return None


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Two memtuis that open a new journal at once get "locked" here without SQLite waiting: so wait here."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _prepare(connection: sqlite3.Connection) -> None:
    if _version(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)
        for statement in _STEPS.get(version, ()):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _refuse_odd_tables(connection: sqlite3.Connection) -> None:
    """A trigger, a view or a computed column in a stranger's journal would change what is written there."""
    made = connection.execute(
        "SELECT sql FROM sqlite_master WHERE type != 'index' AND name NOT LIKE 'sqlite_%'"
    )
    if not {row[0] for row in made} <= set(TABLES):
        raise JournalError("The journal was not made by memtui as it stands: move it away.")


def _version(connection: sqlite3.Connection) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise JournalError("The journal was made by a newer memtui; update memtui to open it.")
    return version
