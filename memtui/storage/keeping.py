"""How the journal stays small: contents go by age and size, or on request; the history stays."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

from memtui.storage.records import ALLOWED_BY
from memtui.storage.refusing import JournalError
from memtui.storage.rows import fold, get_text
from memtui.storage.schema import Database

_STEP = 1000
"""Records that lose their contents in one transaction: others wait no longer than for these."""
_FEW = 100
"""The same, at the least, while the contents are too large."""
_KEPT = ("id", "operation", "verdict", "edited", "decided_at", "changes")
"""What stays of the answer to an agent: what was decided, when, and about which files."""
_EMPTY: dict[str, Any] = {"reason": "", "left_out": [], "problems": []}
"""The others without words; null is the rest."""
_OF_ID = "SELECT record FROM items WHERE fold = ?1 OR batch = ?2 COLLATE NOCASE"
_SHARED = (
    "SELECT record FROM items WHERE proposal = ?1 UNION"
    " SELECT record FROM files WHERE whole AND (before = ?1 OR after = ?1)"
)


class Reach(NamedTuple):
    """What it takes to forget a proposal or batch."""

    records: tuple[int, ...]
    """Its decisions, which lose their contents and words."""
    shared: tuple[int, ...]
    """Other decisions that hold one of the same contents: they can no longer be undone either."""
    later: tuple[int, ...]
    """Other decisions that keep other versions of the same notes."""
    answers: tuple[tuple[str, str], ...]
    """Id and spool file of each proposal whose latest answer is among them."""
    paths: tuple[str, ...]
    contents: int
    size: int
    """Bytes of the contents, as they were before they were packed."""
    settled: bool = True
    """Once it is done: nothing of it is left in the write-ahead log either."""


def reach(database: Database, id: str) -> Reach:
    """What forgetting the proposal or batch with this id takes away. Changes nothing."""
    with database.snapshot():
        return _reach(database, id)


def _reach(database: Database, id: str) -> Reach:
    values = (fold(id), id)
    numbers = tuple(row[0] for row in database.rows(f"{_OF_ID} ORDER BY record", values))
    numbers = tuple(dict.fromkeys(numbers))
    digests = _digests(database, numbers)
    sizes = [
        row for d in digests for row in database.rows("SELECT size FROM contents WHERE sha256 = ?", (d,))
    ]
    shared = {row[0] for d in digests for row in database.rows(_SHARED, (d,))} - set(numbers)
    paths = {row for n in numbers for row in database.rows("SELECT path FROM files WHERE record = ?", (n,))}
    query = (
        "SELECT DISTINCT record FROM files JOIN records ON number = record WHERE path = ? AND NOT forgotten"
    )
    notes = {path for path in paths if path not in (("index.md",), ("tags.md",))}
    later = {row[0] for path in notes for row in database.rows(query, path)} - set(numbers) - shared
    query = (
        "SELECT id, file FROM items AS i WHERE record = ?"
        " AND record = (SELECT max(record) FROM items WHERE fold = i.fold)"
    )
    answers = [row for n in numbers for row in database.rows(query, (n,))]
    return Reach(
        numbers,
        tuple(sorted(shared)),
        tuple(sorted(later)),
        tuple((get_text(name), get_text(file)) for name, file in answers),
        tuple(sorted(get_text(path) for (path,) in notes)),
        len(sizes),
        sum(row[0] for row in sizes),
    )


def forget(database: Database, id: str) -> Reach:
    """Erases the contents and words of every decision on this proposal or batch, for good.

    Raises JournalError where one of them is not finished, or the proposal waits again.
    """
    with database.transaction() as connection:
        connection.execute("PRAGMA secure_delete = ON")
        found = _reach(database, id)
        _check_over(database, found.records)
        names = {
            row
            for n in found.records
            for row in database.rows("SELECT id, fold FROM items WHERE record = ?", (n,))
        }
        for digest in _digests(database, found.records):
            connection.execute("DELETE FROM contents WHERE sha256 = ?", (digest,))
        _strip(connection, found.records)
        for number in found.records:
            _take_words(connection, number)
        _mark(connection, (*found.records, *found.shared))
        for name, folded in names:
            connection.execute("DELETE FROM edits WHERE fold = ?", (folded,))
            # Its own, and what is kept below its key.
            of_it = "key = ?1 OR substr(key, 1, length(?1) + 1) = ?1 || char(10)"
            connection.execute(f"DELETE FROM drafts WHERE {of_it}", (name,))
    return found._replace(settled=_give_back(database))


def _check_over(database: Database, numbers: Iterable[int]) -> None:
    for number in numbers:
        unfinished = "state = 'intent' OR (state = 'done' AND kind != 'answer')"
        query = f"SELECT 1 FROM records WHERE number = ? AND ({unfinished})"
        if database.rows(query, (number,)):
            raise JournalError(f"Decision {number} is not finished yet; run memtui recover first.")
        query = (
            "SELECT id FROM waiting WHERE fold IN (SELECT fold FROM items WHERE record = ?1) OR file_sha256 IN"
            " (SELECT file_sha256 FROM items WHERE record = ?1 AND file_sha256 != '') LIMIT 1"
        )
        for (id,) in database.rows(query, (number,)):
            raise JournalError(
                f"{get_text(id)} waits in the inbox, and its file holds the same: decide it first."
            )


def _take_words(connection: sqlite3.Connection, number: int) -> None:
    """Takes what the items of a record say in words: headline, reason, note, and the answer's."""
    query = "SELECT position, answer FROM items WHERE record = ?"
    for position, answer in connection.execute(query, (number,)).fetchall():
        connection.execute(
            "UPDATE items SET headline = '', reason = '', answer = ?,"
            " note = CASE WHEN substr(note, 1, ?) = ? THEN note ELSE '' END WHERE record = ? AND position = ?",
            (json.dumps(_bare(json.loads(answer))), len(ALLOWED_BY), ALLOWED_BY, number, position),
        )


def _bare(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without its words: the same keys, empty."""
    return {key: value if key in _KEPT else _EMPTY.get(key) for key, value in answer.items()}


def prune(database: Database, now: float, age: float, size: int) -> int:
    """Drops the contents of records older than `age` seconds, then of the oldest past `size` bytes."""
    kept = "FROM records WHERE state = 'answered' AND NOT forgotten"
    dropped, many = 0, int(database.rows(f"SELECT count(*) {kept}")[0][0])
    while step := _drop(database, f"SELECT number {kept} AND at < ? LIMIT {_STEP}", now - age):
        dropped += step
    few = max(_FEW, many // 20)  # each step looks at every content that is left
    while _size(database) > size:
        step = _drop(database, f"SELECT number {kept} ORDER BY number LIMIT ?", few)
        if not step:
            break
        dropped += step
    if dropped:
        _give_back(database)
    return dropped


def _drop(database: Database, query: str, value: float) -> int:
    """Drops the contents of the records that a query gives; returns how many."""
    numbers = [row[0] for row in database.rows(query, (value,))]
    if numbers:
        with database.transaction() as connection:
            _strip(connection, numbers)
            _mark(connection, numbers)
            drop_orphans(connection)
    return len(numbers)


def finish(database: Database, number: int) -> None:
    """An intent becomes done, and what it approved waits no more.

    What its private files hold now, which only it needed, is kept no longer, nor are its lines of index.md and
    tags.md: they may hold the same secret, and such a record is never undone.
    """
    private = "SELECT after FROM files WHERE record = ? AND private AND whole"
    approved = "SELECT fold FROM items WHERE record = ? AND verdict = 'approved' AND file != ''"
    with database.transaction(durable=False) as connection:
        connection.execute(
            "UPDATE records SET state = 'done' WHERE number = ? AND state = 'intent'", (number,)
        )
        for table in ("waiting", "edits"):
            connection.execute(f"DELETE FROM {table} WHERE fold IN ({approved})", (number,))
        if found := bool(connection.execute(private, (number,)).fetchall()):
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(
                f"DELETE FROM contents WHERE sha256 IN ({private})"
                " AND NOT EXISTS (SELECT 1 FROM items WHERE proposal = sha256)"
                " AND NOT EXISTS (SELECT 1 FROM files WHERE whole AND before = sha256 AND NOT private)"
                " AND NOT EXISTS (SELECT 1 FROM files JOIN records ON record = number"
                "  WHERE whole AND after = sha256 AND (NOT private OR state = 'intent'))",
                (number,),
            )
            connection.execute("DELETE FROM lines WHERE record = ?", (number,))
            connection.execute("UPDATE files SET splices = NULL WHERE record = ? AND NOT whole", (number,))
    if found:
        database.settle()


def drop_orphans(connection: sqlite3.Connection) -> None:
    """Removes contents that no record needs any more."""
    connection.execute(
        "DELETE FROM contents WHERE sha256 NOT IN (SELECT proposal FROM items WHERE proposal IS NOT NULL)"
        " AND sha256 NOT IN (SELECT before FROM files JOIN records ON record = number"
        "  WHERE whole AND NOT private AND NOT forgotten AND before IS NOT NULL)"
        " AND sha256 NOT IN (SELECT after FROM files JOIN records ON record = number"
        "  WHERE whole AND NOT forgotten AND after IS NOT NULL)"
    )


def _mark(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    connection.executemany("UPDATE records SET forgotten = 1 WHERE number = ?", [(n,) for n in numbers])


def _strip(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Takes proposals, splices and lines from these records."""
    for number in numbers:
        connection.execute("UPDATE items SET proposal = NULL WHERE record = ?", (number,))
        connection.execute("UPDATE files SET splices = NULL WHERE record = ?", (number,))
        connection.execute("DELETE FROM lines WHERE record = ?", (number,))


def _digests(database: Database, numbers: Iterable[int]) -> set[str]:
    """Of every content of these records."""
    found: set[str | None] = set()
    for number in numbers:
        for row in database.rows("SELECT proposal FROM items WHERE record = ?", (number,)):
            found.update(row)
        query = "SELECT before, after FROM files WHERE record = ? AND whole"
        for row in database.rows(query, (number,)):
            found.update(row)
    return {digest for digest in found if digest is not None}


def _size(database: Database) -> int:
    return int(database.rows("SELECT coalesce(sum(length(data)), 0) FROM contents")[0][0])


def _give_back(database: Database) -> bool:
    """Shrinks the file, and empties the write-ahead log of what was erased; whether that could be done."""
    database.rows("PRAGMA incremental_vacuum")
    return not database.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
