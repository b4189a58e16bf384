"""Records to rows of the journal's database and back."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.storage.refusing import JournalError
from memtui.storage.schema import Database

if TYPE_CHECKING:
    from memtui.notes.lines import KeyedLine
    from memtui.proposals.model import LineChange
    from memtui.storage.records import Record, RecordFile, RecordItem
    from memtui.storage.splice import Splice

_RECORD = "number, state, kind, at, plan_hash, undoes, undone_by, dismissed, forgotten, made"
_ITEM = (
    "record, id, operation, verdict, headline, target, agent, reason, note, edited, file, file_sha256,"
    " proposal, batch, source, session, answer"
)
_FILE = "record, path, origin, whole, private, before, after, splices"


class WaitingRow(NamedTuple):
    """A proposal that was accepted into the inbox and is not decided; its bytes are in the spool."""

    id: str
    file: str
    """Name of its spool file."""
    file_sha256: str
    batch: str
    rewritten: bool = False
    """Its file has been written anew since it was first accepted."""


def fold(id: str) -> str:
    """Ids are unique without case (SPEC.md section 3)."""
    return id.casefold().encode("utf-8", "backslashreplace").decode()


def put_text(text: str) -> str | bytes:
    """A string as SQLite takes it: one with lone surrogates (a name that is not UTF-8) goes in as bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def get_text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


# --- contents: once by hash, compressed ------------------------------------------------------------


def put_content(connection: sqlite3.Connection, data: bytes) -> str:
    digest = hashlib.sha256(data).hexdigest()
    if connection.execute("SELECT 1 FROM contents WHERE sha256 = ?", (digest,)).fetchone() is None:
        packed = zlib.compress(data)
        connection.execute("INSERT INTO contents VALUES (?, ?, ?)", (digest, len(data), packed))
    return digest


def get_content(database: Database, digest: str | None) -> bytes | None:
    """The bytes with this SHA-256; None where they were erased. Raises JournalError on damage."""
    if digest is None:
        return None
    rows = database.rows("SELECT data FROM contents WHERE sha256 = ?", (digest,))
    if not rows:
        return None
    try:
        data = zlib.decompress(rows[0][0])
    except zlib.error:
        data = b""
    if hashlib.sha256(data).hexdigest() != digest:
        raise JournalError("The journal is damaged: a kept content no longer has its digest.")
    return data


# --- writing ---------------------------------------------------------------------------------------


def insert_item(connection: sqlite3.Connection, number: int, position: int, item: RecordItem) -> None:
    proposal = put_content(connection, item.proposal) if item.proposal else None
    texts = (item.id, item.operation, item.headline, item.target, item.agent, item.reason, item.note)
    claims = (item.file, item.batch, item.source, item.session)
    connection.execute(
        "INSERT INTO items (record, position, fold, verdict, edited, file_sha256, proposal, answer,"
        " id, operation, headline, target, agent, reason, note, file, batch, source, session)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            *(number, position, fold(item.id), item.verdict),
            *(item.edited, item.file_sha256, proposal, json.dumps(item.answer)),
            *map(put_text, texts + claims),
        ),
    )


def insert_file(connection: sqlite3.Connection, number: int, position: int, file: RecordFile) -> None:
    before, after, packed = file.before_sha256, file.after_sha256, None
    if not file.whole:
        from memtui.storage.splice import splices

        packed = _pack(splices(file.before or b"", file.after or b"") if file.kept else file.splices)
    else:
        if file.before is not None and not file.private:
            put_content(connection, file.before)
        if file.after is not None:
            put_content(connection, file.after)
    origin = None if file.origin is None else put_text(file.origin)
    connection.execute(
        "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?)",
        (number, position, put_text(file.path), origin, file.whole, file.private, before, after, packed),
    )


def insert_line(connection: sqlite3.Connection, number: int, position: int, change: LineChange) -> None:
    packed = json.dumps([change.path, change.key, _side(change.before), _side(change.after)])
    connection.execute("INSERT INTO lines VALUES (?,?,?)", (number, position, packed))


def _side(line: KeyedLine | None) -> list[str | None] | None:
    if line is None:
        return None
    parts = [line.text, line.section, line.above]
    return [*parts, line.below] if line.below else parts


def _pack(changes: Sequence[Splice]) -> bytes:
    plain = [[c.offset, c.removed.decode("latin-1"), c.inserted.decode("latin-1")] for c in changes]
    return zlib.compress(json.dumps(plain).encode())


# --- reading ---------------------------------------------------------------------------------------


def load_records(database: Database, where: str, values: Sequence[Any], *, contents: bool) -> list[Record]:
    """Records with their items and files, in the order of the clause `where`.

    Without `contents` the proposals, the bytes of files and the lines are left out: for lists.
    """
    with database.snapshot():
        heads = database.rows(f"SELECT {_RECORD} FROM records {where}", values)
        own = database.own_from() if heads else None
        numbers = [head[0] for head in heads]
        items: dict[int, list[RecordItem]] = {number: [] for number in numbers}
        files: dict[int, list[RecordFile]] = {number: [] for number in numbers}
        lines: dict[int, list[LineChange]] = {number: [] for number in numbers}
        for row in _of(database, _ITEM, "items", numbers):
            items[row[0]].append(_item(database, row, contents))
        for row in _of(database, _FILE, "files", numbers):
            files[row[0]].append(_file(database, row, contents))
        if contents:
            for row in _of(database, "record, line", "lines", numbers):
                lines[row[0]].append(_line(row[1]))
    return [_record(head, own, items[head[0]], files[head[0]], lines[head[0]]) for head in heads]


def load_item(database: Database, id: str) -> RecordItem | None:
    """The item of the newest record that has one with this id."""
    with database.snapshot():
        query = f"SELECT {_ITEM} FROM items WHERE fold = ? ORDER BY record DESC, position LIMIT 1"
        rows = database.rows(query, (fold(id),))
        return _item(database, rows[0], True) if rows else None


def load_items_of(database: Database, file_sha256: str) -> tuple[RecordItem, ...]:
    """The newest item of every id whose spool file had this digest, without the proposals."""
    with database.snapshot():
        query = (
            f"SELECT {_ITEM} FROM items AS i WHERE file_sha256 = ?"
            " AND record = (SELECT max(record) FROM items WHERE fold = i.fold) ORDER BY record, position"
        )
        return tuple(_item(database, row, False) for row in database.rows(query, (file_sha256,)))


def load_waiting(database: Database, clause: str, values: Sequence[Any]) -> tuple[WaitingRow, ...]:
    """Pending proposals."""
    found = database.rows(f"SELECT id, file, file_sha256, batch, rewritten FROM waiting {clause}", values)
    return tuple(
        WaitingRow(get_text(id), get_text(file), digest, get_text(batch), bool(rewritten))
        for id, file, digest, batch, rewritten in found
    )


def load_decided(
    database: Database, where: str, values: Sequence[Any], limit: int
) -> tuple[tuple[float, RecordItem], ...]:
    """Items of records that were not taken back, newest first, each with the time of its record."""
    with database.snapshot():
        query = (
            f"SELECT at, {_ITEM} FROM items JOIN records ON number = record WHERE {where}"
            " AND undone_by IS NULL ORDER BY number DESC, position LIMIT ?"
        )
        found = database.rows(query, (*values, limit))
        return tuple((float(row[0]), _item(database, row[1:], True)) for row in found)


def load_made(database: Database, path: str) -> dict[str, str]:
    """The sections of index.md or tags.md that were made or spaced for a line, with that line's `KeyedLine.above`."""
    from memtui.notes.made import brings_more

    found = {}
    for row in database.rows(r"SELECT line FROM lines WHERE line LIKE '%\n%' ORDER BY record, position"):
        line = (change := _line(row[0])).after
        if change.path == path and line and line.above and brings_more(line.above):
            found[line.section] = line.above
    return found


def _of(database: Database, columns: str, table: str, numbers: Sequence[int]) -> Iterable[tuple[Any, ...]]:
    for start in range(0, len(numbers), 500):
        part = numbers[start : start + 500]
        marks = ",".join("?" * len(part))
        query = f"SELECT {columns} FROM {table} WHERE record IN ({marks}) ORDER BY record, position"
        yield from database.rows(query, part)


def _record(
    head: tuple[Any, ...],
    own: int | None,
    items: list[RecordItem],
    files: list[RecordFile],
    lines: list[LineChange],
) -> Record:
    from memtui.storage.records import Record

    number, state, kind, at, plan_hash, undoes, undone_by, dismissed, forgotten, made = head
    return Record(
        number=number,
        state=state,
        kind=kind,
        at=at,
        items=tuple(items),
        files=tuple(files),
        lines=tuple(lines),
        plan_hash=plan_hash,
        undoes=undoes,
        undone_by=undone_by,
        dismissed=bool(dismissed),
        forgotten=bool(forgotten),
        made=tuple(json.loads(made)),
        ours=own is not None and number >= own,
    )


def _item(database: Database, row: tuple[Any, ...], contents: bool) -> RecordItem:
    from memtui.storage.records import RecordItem

    id, operation, verdict, headline, target, agent, reason, note = map(get_text, row[1:9])
    file, (batch, source, session) = get_text(row[10]), map(get_text, row[13:16])
    return RecordItem(
        id=id,
        operation=operation,
        verdict=verdict,
        headline=headline,
        target=target,
        agent=agent,
        reason=reason,
        note=note,
        edited=bool(row[9]),
        file=file,
        file_sha256=row[11],
        proposal=(get_content(database, row[12]) or b"") if contents else b"",
        batch=batch,
        source=source,
        session=session,
        answer=json.loads(row[16]),
    )


def _file(database: Database, row: tuple[Any, ...], contents: bool) -> RecordFile:
    _, path, origin, whole, private, before, after, packed = row
    old = new = None
    kept = bool(whole) and contents
    if kept:
        old, new = get_content(database, before), get_content(database, after)
        kept = (old is None) == (before is None) and (new is None) == (after is None)
    found: tuple[Splice, ...] = ()
    if packed is not None:
        from memtui.storage.splice import Splice

        plain = json.loads(zlib.decompress(packed))
        found = tuple(Splice(o, r.encode("latin-1"), i.encode("latin-1")) for o, r, i in plain)
    from memtui.storage.records import RecordFile

    return RecordFile(
        path=get_text(path),
        origin=None if origin is None else get_text(origin),
        before=old,
        after=new,
        whole=bool(whole),
        before_sha256=before,
        after_sha256=after,
        splices=found,
        kept=kept,
        private=bool(private),
    )


def _line(packed: str) -> LineChange:
    from memtui.notes.lines import KeyedLine
    from memtui.proposals.model import LineChange

    path, key, before, after = json.loads(packed)
    return LineChange(
        path,
        key,
        None if before is None else KeyedLine(*before),
        None if after is None else KeyedLine(*after),
    )
