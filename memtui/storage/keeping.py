"""How the journal stays small: contents go by age and size, or on request; the history stays."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from memtui.storage.rows import fold
from memtui.storage.schema import Database, JournalError

_STEP = 100
"""Records that lose their contents at once while the journal is too large."""
_SHARED = (
    "SELECT record FROM items WHERE proposal = ?1 UNION"
    " SELECT record FROM files WHERE whole AND (before = ?1 OR after = ?1)"
)


def forget(database: Database, id: str) -> int:
    """Erases the contents of every record with this id, for good; returns how many records lost some."""
    with database.transaction() as connection:
        connection.execute("PRAGMA secure_delete = ON")
        query = "SELECT number, state FROM records WHERE number IN (SELECT record FROM items WHERE fold = ?)"
        found = connection.execute(query, (fold(id),)).fetchall()
        if any(state == "intent" for _, state in found):
            raise JournalError("That decision is not finished yet; run memtui recover first.")
        numbers = {number for number, _ in found}
        digests = {d for number in numbers for d in _digests(connection, number)}
        for digest in digests:
            connection.execute("DELETE FROM contents WHERE sha256 = ?", (digest,))
        touched = numbers | {row[0] for d in digests for row in connection.execute(_SHARED, (d,))}
        _strip(connection, numbers)
        connection.executemany("UPDATE records SET forgotten = 1 WHERE number = ?", [(n,) for n in touched])
        connection.execute("DELETE FROM edits WHERE fold = ?", (fold(id),))
        connection.execute("DELETE FROM drafts WHERE key = ?", (id,))
    _give_back(database)
    return len(touched)


def prune(database: Database, now: float, age: float, size: int) -> int:
    """Drops the contents of records older than `age` seconds, then of the oldest past `size` bytes."""
    dropped = 0
    with database.transaction() as connection:
        query = "SELECT number FROM records WHERE state = 'answered' AND NOT forgotten AND at < ?"
        old = [row[0] for row in connection.execute(query, (now - age,))]
        dropped += _drop(connection, old)
        query = (
            "SELECT number FROM records WHERE state = 'answered' AND NOT forgotten"
            f" ORDER BY number LIMIT {_STEP}"
        )
        while _size(connection) > size:
            oldest = [row[0] for row in connection.execute(query)]
            if not oldest:
                break
            dropped += _drop(connection, oldest)
    if dropped:
        _give_back(database)
    return dropped


def drop_orphans(connection: sqlite3.Connection) -> None:
    """Removes contents that no record needs any more."""
    connection.execute(
        "DELETE FROM contents WHERE sha256 NOT IN (SELECT proposal FROM items WHERE proposal IS NOT NULL)"
        " AND sha256 NOT IN (SELECT before FROM files JOIN records ON record = number"
        "  WHERE whole AND NOT private AND NOT forgotten AND before IS NOT NULL)"
        " AND sha256 NOT IN (SELECT after FROM files JOIN records ON record = number"
        "  WHERE whole AND NOT forgotten AND after IS NOT NULL)"
    )


def _drop(connection: sqlite3.Connection, numbers: list[int]) -> int:
    _strip(connection, numbers)
    connection.executemany("UPDATE records SET forgotten = 1 WHERE number = ?", [(n,) for n in numbers])
    drop_orphans(connection)
    return len(numbers)


def _strip(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Takes proposals, splices and lines from these records."""
    for number in numbers:
        connection.execute("UPDATE items SET proposal = NULL WHERE record = ?", (number,))
        connection.execute("UPDATE files SET splices = NULL WHERE record = ?", (number,))
        connection.execute("DELETE FROM lines WHERE record = ?", (number,))


def _digests(connection: sqlite3.Connection, number: int) -> set[str]:
    proposals = connection.execute("SELECT proposal FROM items WHERE record = ?", (number,))
    found = {row[0] for row in proposals}
    files = connection.execute("SELECT before, after FROM files WHERE record = ? AND whole", (number,))
    for row in files:
        found.update(row)
    return {digest for digest in found if digest is not None}


def _size(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(sum(length(data)), 0) FROM contents").fetchone()[0])


def _give_back(database: Database) -> None:
    """Shrinks the file, and empties the write-ahead log of what was erased."""
    database.rows("PRAGMA incremental_vacuum")
    database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
