"""The journal: every decision with the contents before and after (SPEC.md section 4, DESIGN.md Choices).

An intent is committed, durable, before the first file changes; the same rows are the history, the undo and
the audit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.storage import rows
from memtui.storage.inbox_rows import InboxRows
from memtui.storage.refusing import JournalError, Refused, Unfinished
from memtui.storage.rows import WaitingRow
from memtui.storage.schema import Database

if TYPE_CHECKING:
    from memtui.proposals.model import LineChange
    from memtui.storage.keeping import Reach
    from memtui.storage.records import Record, RecordFile, RecordItem, RecordKind, RecordState

__all__ = ["Journal", "JournalError", "Refused", "Unfinished", "WaitingRow"]

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


class Journal(InboxRows):
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
        """Its files are written, durable: intent becomes done, and what it approved waits no more.

        Not fsynced: recovery finds the files as they shall be.
        """
        from memtui.storage.keeping import finish

        finish(self._database, number)

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

    def rebase(self, number: int, *files: RecordFile) -> None:
        """Of an intent: files that changed meanwhile, and what will be written instead; new ones come last."""
        with self._database.transaction() as connection:
            for file in files:
                query = (
                    "SELECT coalesce((SELECT position FROM files WHERE record = ?1 AND path = ?2),"
                    " (SELECT 1 + max(position) FROM files WHERE record = ?1))"
                )
                row = connection.execute(query, (number, rows.put_text(file.path))).fetchone()
                if row[0] is not None:
                    rows.insert_file(connection, number, row[0], file)

    def note_made(self, number: int, folders: Sequence[str]) -> None:
        """Keeps which folders the apply is about to make, so that undo can take them away again."""
        with self._database.transaction(durable=False) as connection:
            query = "UPDATE records SET made = ? WHERE number = ? AND made = '[]'"
            connection.execute(query, (json.dumps(list(folders)), number))

    def open_numbers(self) -> frozenset[int]:
        """The numbers of those that are not answered, strangers' too: quicker than `unfinished`."""
        query = "SELECT number FROM records WHERE state != 'answered'"
        return frozenset(row[0] for row in self._database.rows(query))

    def unfinished(self) -> tuple[Record, ...]:
        """Intents, and records whose agents were not told yet, that are ours; oldest first, with contents."""
        return tuple(r for r in self._load("WHERE state != 'answered' ORDER BY number") if r.ours)

    def strangers(self) -> tuple[int, ...]:
        """Numbers of unfinished records that were not made here: nothing is done about them."""
        query = "SELECT number FROM records WHERE state = 'intent' OR (state = 'done' AND kind != 'answer')"
        found = [row[0] for row in self._database.rows(f"{query} ORDER BY number")]
        since = self._database.own_from() if found else None
        return tuple(number for number in found if since is None or number < since)

    def trust(self) -> int:
        """Every decision counts as made here; returns how many did not. May raise OSError too."""
        with self._database.transaction() as connection:
            return self._database.marks.trust(connection)

    # --- reading ---

    def record(self, number: int) -> Record:
        """One record with its contents. Raises JournalError where there is none."""
        found = self._load("WHERE number = ?", number)
        if not found:
            raise JournalError(f"There is no decision {number} in the journal.")
        return found[0]

    def latest_item(self, id: str) -> RecordItem | None:
        """The newest item with this id (case does not count), with contents."""
        return rows.load_item(self._database, id)

    def items_of(self, file_sha256: str) -> tuple[RecordItem, ...]:
        """The newest item of every id that came in a spool file with these bytes: members in their order, without
        the proposals."""
        found = rows.load_items_of(self._database, file_sha256)
        return tuple(sorted(found, key=lambda item: _by_member(item.id)))

    def members(self, batch: str) -> tuple[RecordItem, ...]:
        """The decided members of the newest batch with this id (case does not count), in their order."""
        where = "batch != '' AND batch = ? COLLATE NOCASE ORDER BY record DESC LIMIT 1"
        found = self._database.rows(f"SELECT file_sha256, batch FROM items WHERE {where}", (batch,))
        return tuple(i for sha, name in found for i in self.items_of(sha) if i.batch == name)

    def made_sections(self, path: str) -> dict[str, str]:
        """Sections of index.md or tags.md that were made or spaced for a line, with its `KeyedLine.above`."""
        return rows.load_made(self._database, path)

    def records(self, limit: int = 500, before: int | None = None) -> tuple[Record, ...]:
        """Newest first, from below `before`; without contents and lines (`RecordFile.kept` is False)."""
        clause = "WHERE number < ? ORDER BY number DESC LIMIT ?"
        top = 2**62 if before is None else before
        return tuple(rows.load_records(self._database, clause, (top, limit), contents=False))

    def undoable(self) -> int | None:
        """The newest decision (approved or rejected) that is not undone, and whose contents are here."""
        found = self._database.rows(f"SELECT number FROM records {_UNDOABLE} ORDER BY number DESC LIMIT 1")
        return found[0][0] if found else None

    def rejected(self, limit: int = 500) -> tuple[tuple[float, RecordItem], ...]:
        """Proposals that were rejected and stay so, newest first, each with when (Unix seconds), with contents."""
        return rows.load_decided(self._database, "verdict = 'rejected'", (), limit)

    def approved_at(self, target: str) -> tuple[float, ...]:
        """When changes of this note were approved (Unix seconds), newest first; not those that were taken back."""
        found = self._database.rows(
            "SELECT at FROM items JOIN records ON number = record WHERE verdict = 'approved' AND target = ?"
            " AND undone_by IS NULL ORDER BY number DESC",
            (rows.put_text(target),),
        )
        return tuple(float(row[0]) for row in found)

    def was_undone(
        self, plan_hash: str, file_sha256: str = "", effects: Sequence[tuple[str, str]] = ()
    ) -> bool:
        """Whether a decision with this plan, upon these bytes of a proposal, or that gave one of these notes (path and
        SHA-256) these contents was taken back once.
        """
        undone = "undone_by IS NOT NULL LIMIT 1"
        asked: list[tuple[str, tuple[str | bytes, ...]]] = [
            (f"SELECT 1 FROM records WHERE plan_hash = ? AND {undone}", (plan_hash,)),
            (
                f"SELECT 1 FROM items JOIN records ON number = record WHERE file_sha256 = ? AND {undone}",
                (file_sha256,),
            ),
        ]
        for path, digest in effects:
            query = f"SELECT 1 FROM records JOIN files ON number = record WHERE path = ? AND after = ? AND {undone}"
            asked.append((query, (rows.put_text(path), digest)))
        return any(bool(self._database.rows(query, values)) for query, values in asked if values[0])

    def refusals(self, whole: int = 500, limit: int = 10_000) -> tuple[Record, ...]:
        """Records answered refused or blocked that were not dismissed, newest first; `whole` of them with contents."""
        clause = f"WHERE NOT dismissed AND {_REFUSED} ORDER BY number DESC LIMIT ? OFFSET ?"
        found = self._load(clause, whole, 0)
        if len(found) == whole:
            found += rows.load_records(self._database, clause, (limit - whole, whole), contents=False)
        return tuple(found)

    def refusal_count(self) -> int:
        query = f"SELECT count(*) FROM records WHERE NOT dismissed AND {_REFUSED}"
        found = self._database.rows(query)
        return int(found[0][0]) if found else 0

    def dismiss(self, number: int) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE records SET dismissed = 1 WHERE number = ?", (number,))

    def _load(self, clause: str, *values: object) -> list[Record]:
        return rows.load_records(self._database, clause, values, contents=True)

    # --- staying small ---

    def reach(self, id: str) -> Reach:
        """What `forget` would take away, and what it would leave."""
        from memtui.storage import keeping

        return keeping.reach(self._database, id)

    def forget(self, id: str) -> Reach:
        """Erases the contents and words of every decision on this proposal or batch, wherever they are shared.

        That it was decided, when, about which files, stays; an undo that needs the contents is refused.
        """
        from memtui.storage import keeping

        return keeping.forget(self._database, id)

    def prune(self, now: float, *, age: float = YEAR, size: int = LARGEST) -> int:
        """Drops the contents of records older than `age` seconds, then of the oldest past `size` bytes.

        Returns how many records lost theirs. Those of unfinished records stay.
        """
        from memtui.storage import keeping

        return keeping.prune(self._database, now, age, size)

    def tidied(self, at: float | None = None) -> float:
        """When `prune` was last run (Unix seconds), 0 for never; with `at`, keeps that it was run then."""
        if at is not None:
            with self._database.transaction(durable=False) as connection:
                connection.execute("INSERT OR REPLACE INTO tidied VALUES (1, ?)", (at,))
            return at
        return next((float(row[0]) for row in self._database.rows("SELECT at FROM tidied")), 0.0)
