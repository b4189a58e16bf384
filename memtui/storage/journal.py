"""The journal: every decision with the contents before and after (SPEC.md section 4, DESIGN.md Choices).

An intent is committed, durable, before the first file changes; the same rows are the history, the undo and
the audit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.storage import rows
from memtui.storage.rows import WaitingRow
from memtui.storage.schema import Database, JournalError

if TYPE_CHECKING:
    from memtui.proposals.model import LineChange
    from memtui.storage.records import Record, RecordFile, RecordItem, RecordKind, RecordState

__all__ = ["Journal", "JournalError", "WaitingRow"]

YEAR = 365 * 24 * 3600.0
"""Seconds that contents are kept by default."""
LARGEST = 500_000_000
"""Bytes of contents that are kept by default."""

_REFUSED = "number IN (SELECT record FROM items WHERE verdict IN ('refused', 'blocked'))"
_UNDOABLE = (
    "WHERE kind != 'undo' AND undone_by IS NULL AND NOT forgotten AND state != 'intent' AND number IN"
    " (SELECT record FROM items WHERE verdict IN ('approved', 'rejected'))"
    " AND number NOT IN (SELECT record FROM files WHERE private)"
)


def _by_member(id: str) -> tuple[str, int]:
    """Members of a batch in their order: `b.2` before `b.10`."""
    stem, _, number = id.rpartition(".")
    return (stem, int(number)) if number.isdecimal() else (id, 0)


class Journal:
    """One journal, for all threads. Every method may raise JournalError (one sentence).

    With `read_only` it writes nothing, and one that does not exist answers as empty.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._database = Database(path, read_only=read_only)

    def close(self) -> None:
        self._database.close()

    # --- the way of a record: begin, finish, answered ---

    def begin(
        self,
        *,
        kind: RecordKind,
        items: Sequence[RecordItem],
        files: Sequence[RecordFile] = (),
        lines: Sequence[LineChange] = (),
        plan_hash: str = "",
        undoes: int | None = None,
        at: float | None = None,
    ) -> int:
        """Commits a record, durable, and returns its number: an intent, or done at once without files.

        With `undoes` that record counts as undone from now on; raises JournalError where it is already.
        Ids answered refused, blocked or withdrawn are forgotten as seen: they are free again.
        """
        state: RecordState = "intent" if files else "done"
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO records (state, kind, at, plan_hash, undoes) VALUES (?, ?, ?, ?, ?)",
                (state, kind, time.time() if at is None else at, plan_hash, undoes),
            )
            number = cursor.lastrowid
            assert number is not None
            for position, item in enumerate(items):
                rows.insert_item(connection, number, position, item)
                if item.verdict in ("refused", "blocked", "withdrawn"):
                    connection.execute("DELETE FROM seen WHERE fold = ?", (rows.fold(item.id),))
            for position, file in enumerate(files):
                rows.insert_file(connection, number, position, file)
            for position, line in enumerate(lines):
                rows.insert_line(connection, number, position, line)
            if undoes is not None:
                query = "UPDATE records SET undone_by = ? WHERE number = ? AND undone_by IS NULL"
                if connection.execute(query, (number, undoes)).rowcount != 1:
                    raise JournalError(f"Decision {undoes} is undone already.")
        return number

    def finish(self, number: int) -> None:
        """Its files are written: intent becomes done, durable."""
        with self._database.transaction() as connection:
            query = "UPDATE records SET state = 'done' WHERE number = ? AND state = 'intent'"
            connection.execute(query, (number,))

    def answered(self, number: int) -> None:
        """The agent was told and the spool file is gone. Not fsynced: telling twice does no harm."""
        with self._database.transaction(durable=False) as connection:
            query = "UPDATE records SET state = 'answered' WHERE number = ? AND state = 'done'"
            connection.execute(query, (number,))

    def told(self, file_sha256: str | None = None) -> None:
        """`answered` for the answers to a spool file with these bytes (None: to any), now that it is gone."""
        where = "state = 'done' AND kind = 'answer'"
        values: tuple[str, ...] = ()
        if file_sha256 is not None:
            where += " AND number IN (SELECT record FROM items WHERE file_sha256 = ?)"
            values = (file_sha256,)
        if self._database.rows(f"SELECT 1 FROM records WHERE {where} LIMIT 1", values):
            with self._database.transaction(durable=False) as connection:
                connection.execute(f"UPDATE records SET state = 'answered' WHERE {where}", values)

    def open_state(self, file_sha256: str, id: str = "") -> RecordState | None:
        """The state of the newest record that is not answered, and decides a spool file with these bytes.

        `id`: only where that proposal is in it. None where all is answered.
        """
        found = self._database.rows(
            "SELECT state FROM records JOIN items ON record = number WHERE state != 'answered'"
            " AND file_sha256 = ? AND (? = '' OR fold = ?) ORDER BY number DESC LIMIT 1",
            (file_sha256, id, rows.fold(id)),
        )
        return found[0][0] if found else None

    def abandon(self, number: int) -> None:
        """Drops an intent of which no file was written."""
        from memtui.storage.keeping import drop_orphans

        with self._database.transaction() as connection:
            query = "DELETE FROM records WHERE number = ? AND state = 'intent'"
            if connection.execute(query, (number,)).rowcount != 1:
                return
            for table in ("items", "files", "lines"):
                connection.execute(f"DELETE FROM {table} WHERE record = ?", (number,))
            connection.execute("UPDATE records SET undone_by = NULL WHERE undone_by = ?", (number,))
            drop_orphans(connection)

    def rebase(self, number: int, file: RecordFile) -> None:
        """Of an intent: index.md or tags.md changed meanwhile, and this is what will be written instead."""
        with self._database.transaction() as connection:
            query = "SELECT position FROM files WHERE record = ? AND path = ?"
            row = connection.execute(query, (number, rows.put_text(file.path))).fetchone()
            if row is not None:
                rows.insert_file(connection, number, row[0], file)

    def note_made(self, number: int, folders: Sequence[str]) -> None:
        """Keeps which folders the apply is about to make, so that undo can take them away again."""
        with self._database.transaction(durable=False) as connection:
            query = "UPDATE records SET made = ? WHERE number = ? AND made = '[]'"
            connection.execute(query, (json.dumps(list(folders)), number))

    def unfinished(self) -> tuple[Record, ...]:
        """Intents, and records whose agents were not told yet; oldest first, with contents."""
        return tuple(self._load("WHERE state != 'answered' ORDER BY number"))

    # --- reading ---

    def record(self, number: int) -> Record:
        """One record with its contents. Raises JournalError where there is none."""
        found = self._load("WHERE number = ?", number)
        if not found:
            raise JournalError(f"There is no decision {number} in the journal.")
        return found[0]

    def latest(self, id: str) -> Record | None:
        """The newest record that has an item with this id (case does not count), with contents."""
        found = self._load("WHERE number = (SELECT max(record) FROM items WHERE fold = ?)", rows.fold(id))
        return found[0] if found else None

    def latest_item(self, id: str) -> RecordItem | None:
        """That item of `latest(id)`: quicker."""
        return rows.load_item(self._database, id)

    def items_of(self, file_sha256: str) -> tuple[RecordItem, ...]:
        """The newest item of every id that came in a spool file with these bytes: members in their order."""
        found = rows.load_items_of(self._database, file_sha256)
        return tuple(sorted(found, key=lambda item: _by_member(item.id)))

    def records(self, limit: int = 500, before: int | None = None) -> tuple[Record, ...]:
        """Newest first, from below `before`; without contents and lines (`RecordFile.kept` is False)."""
        clause = "WHERE number < ? ORDER BY number DESC LIMIT ?"
        top = 2**62 if before is None else before
        return tuple(rows.load_records(self._database, clause, (top, limit), contents=False))

    def undoable(self) -> int | None:
        """The newest decision (approved or rejected) that is not undone, and whose contents are here."""
        found = self._database.rows(f"SELECT number FROM records {_UNDOABLE} ORDER BY number DESC LIMIT 1")
        return found[0][0] if found else None

    def undoables(self, numbers: Iterable[int]) -> frozenset[int]:
        """Which of these records can be undone, as far as the journal knows; for lists."""
        wanted = set(numbers)
        if not wanted:
            return frozenset()
        query = f"SELECT number FROM records {_UNDOABLE} AND number BETWEEN ? AND ?"
        found = self._database.rows(query, (min(wanted), max(wanted)))
        return frozenset(row[0] for row in found) & wanted

    def refusals(self, limit: int = 500) -> tuple[Record, ...]:
        """Records answered refused or blocked that were not dismissed; newest first, with contents."""
        return tuple(self._load(f"WHERE NOT dismissed AND {_REFUSED} ORDER BY number DESC LIMIT ?", limit))

    def refusal_count(self) -> int:
        query = f"SELECT count(*) FROM records WHERE NOT dismissed AND {_REFUSED}"
        found = self._database.rows(query)
        return int(found[0][0]) if found else 0

    def dismiss(self, number: int) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE records SET dismissed = 1 WHERE number = ?", (number,))

    def _load(self, clause: str, *values: object) -> list[Record]:
        return rows.load_records(self._database, clause, values, contents=True)

    # --- when a proposal was first seen ---

    def first_seen(self, id: str, file_sha256: str, now: float) -> float:
        """Keeps `now` (Unix seconds) unless a time is kept already; returns the kept one.

        A file rewritten under the same id keeps its time and place in the queue.
        """
        return self.first_seen_all({id: file_sha256}, now)[id]

    def first_seen_all(self, digests: Mapping[str, str], now: float) -> dict[str, float]:
        """`first_seen` for many ids (id to SHA-256 of its file) in one transaction."""
        if self._database.read_only:
            return {id: kept[1] if (kept := self.seen(id)) else now for id in digests}
        folds = {rows.fold(id): digest for id, digest in digests.items()}
        with self._database.transaction(durable=False) as connection:
            connection.executemany(
                "INSERT INTO seen VALUES (?, ?, ?)"
                " ON CONFLICT (fold) DO UPDATE SET file_sha256 = excluded.file_sha256"
                " WHERE file_sha256 != excluded.file_sha256",
                [(key, digest, now) for key, digest in folds.items()],
            )
            query = "SELECT at FROM seen WHERE fold = ?"
            return {id: float(connection.execute(query, (rows.fold(id),)).fetchone()[0]) for id in digests}

    def seen(self, id: str) -> tuple[str, float] | None:
        """SHA-256 of the file as last seen, and when the id was first seen."""
        found = self._database.rows("SELECT file_sha256, at FROM seen WHERE fold = ?", (rows.fold(id),))
        return (found[0][0], float(found[0][1])) if found else None

    def forget_seen(self, id: str) -> None:
        with self._database.transaction(durable=False) as connection:
            connection.execute("DELETE FROM seen WHERE fold = ?", (rows.fold(id),))

    # --- what was accepted and waits ---

    def wait(self, id: str, file: str, file_sha256: str, batch: str = "", *, rewritten: bool = False) -> None:
        """Keeps that a proposal is pending, so that its going away can be noticed later."""
        values = (
            rows.fold(id),
            *map(rows.put_text, (id, file)),
            file_sha256,
            rows.put_text(batch),
            rewritten,
        )
        with self._database.transaction(durable=False) as connection:
            connection.execute("INSERT OR REPLACE INTO waiting VALUES (?, ?, ?, ?, ?, ?)", values)

    def unwait(self, id: str) -> None:
        with self._database.transaction(durable=False) as connection:
            connection.execute("DELETE FROM waiting WHERE fold = ?", (rows.fold(id),))

    def waits(self, id: str) -> WaitingRow | None:
        """The pending proposal with this id (case does not count)."""
        found = self._waiting("WHERE fold = ?", rows.fold(id))
        return found[0] if found else None

    def waiting(self, *, file: str | None = None, batch: str | None = None) -> tuple[WaitingRow, ...]:
        """All pending proposals in the order in which they were accepted, or those of one file or batch."""
        if file is not None:
            return self._waiting("WHERE file = ? ORDER BY rowid", rows.put_text(file))
        if batch is not None:
            return self._waiting("WHERE batch = ? ORDER BY rowid", rows.put_text(batch))
        return self._waiting("ORDER BY rowid")

    def _waiting(self, clause: str, *values: object) -> tuple[WaitingRow, ...]:
        found = self._database.rows(
            f"SELECT id, file, file_sha256, batch, rewritten FROM waiting {clause}", values
        )
        return tuple(
            WaitingRow(rows.get_text(id), rows.get_text(file), digest, rows.get_text(batch), bool(rewritten))
            for id, file, digest, batch, rewritten in found
        )

    # --- unfinished texts of the person ---

    def save_draft(self, key: str, text: str) -> None:
        """`key`: an item's id or a note's path."""
        self._keep("drafts", "key", rows.put_text(key), text)

    def drafts(self) -> frozenset[str]:
        """The keys of all drafts."""
        return frozenset(rows.get_text(key) for (key,) in self._database.rows("SELECT key FROM drafts"))

    def draft(self, key: str) -> str | None:
        return self._kept("drafts", "key", rows.put_text(key))

    def drop_draft(self, key: str) -> None:
        """Leaves nothing of its text in the journal's files."""
        self._drop("drafts", "key", rows.put_text(key))
        self._database.settle()

    def keep_edit(self, id: str, text: str) -> None:
        """The person's edited form of a pending item."""
        self._keep("edits", "fold", rows.fold(id), text)

    def edit_of(self, id: str) -> str | None:
        return self._kept("edits", "fold", rows.fold(id))

    def drop_edit(self, id: str) -> None:
        self._drop("edits", "fold", rows.fold(id))

    def _keep(self, table: str, column: str, key: str | bytes, text: str) -> None:
        with self._database.transaction(durable=False) as connection:
            query = f"INSERT OR REPLACE INTO {table} ({column}, text) VALUES (?, ?)"
            connection.execute(query, (key, rows.put_text(text)))

    def _kept(self, table: str, column: str, key: str | bytes) -> str | None:
        found = self._database.rows(f"SELECT text FROM {table} WHERE {column} = ?", (key,))
        return rows.get_text(found[0][0]) if found else None

    def _drop(self, table: str, column: str, key: str | bytes) -> None:
        if self._kept(table, column, key) is not None:
            with self._database.transaction(durable=False) as connection:
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))

    # --- staying small ---

    def forget(self, id: str) -> int:
        """Erases the contents of every decision with this id for good, wherever they are shared.

        Returns how many records were touched. The history stays; an undo that needs the contents is refused.
        """
        from memtui.storage import keeping

        return keeping.forget(self._database, id)

    def prune(self, now: float, *, age: float = YEAR, size: int = LARGEST) -> int:
        """Drops the contents of records older than `age` seconds, then of the oldest past `size` bytes.

        Returns how many records lost theirs. Those of unfinished records stay.
        """
        from memtui.storage import keeping

        return keeping.prune(self._database, now, age, size)
