"""What the journal keeps of what waits: when it was first seen, what was accepted, the person's unfinished texts."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.storage import rows
from memtui.storage.rows import WaitingRow
from memtui.storage.schema import Database


class InboxRows:
    """The part of the journal that knows the inbox. Every method may raise JournalError."""

    _database: Database

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
        if self.waits(id) is not None:
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
        return rows.load_waiting(self._database, clause, values)

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
