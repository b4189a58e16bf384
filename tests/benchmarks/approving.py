"""The desk's approve against a bare loop of the durable calls that it needs, with the same bytes, and no more.

What an approve must make durable before it says yes: the intent in the journal (one SQLite commit, its log synced),
each file (written and synced beside its place, then renamed, or linked where it is new), their folder, and the decision
file with its folder; then the proposal's file goes. The bare loop works in a folder of as many notes, since making and
renaming a file costs more among a thousand than among ten, and its journal is an SQLite database in the same mode.
strace counts the same syncs, new files, links and renames on both sides, but for one rename by which the desk moves a
proposal aside before it goes. What the bare loop leaves out is all that an approve does beside them: reading and
checking anew under the lock, the checks before each rename, and two commits that are not synced.
"""

from __future__ import annotations

import itertools
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from memtui.config import Workspace
from memtui.desk import Desk
from tests.benchmarks.folders import add, fill, update, write
from tests.benchmarks.timing import Row, alternate, drop, print_table, workspaces

_NOTES = 1000
_INTENT = 8 * 4096
"""Bytes of a row that adds to a write-ahead log what one intent adds to it: eleven pages or so."""
_ANSWER = 600
"""Bytes of a decision file."""
_AIM = 1.5
_CASES: Mapping[str, Callable[[int], Mapping[str, object]]] = {
    "a note": lambda number: write(f"note-{number}.md"),
    "an update": update,
    "an add": add,
}


def measure(rounds: int = 40) -> list[Row]:
    rows = []
    for name, fields in _CASES.items():
        with workspaces("ws") as (workspace,):
            fill(workspace.memory, _NOTES)
            for number in range(rounds + 1):
                drop(workspace.spool, f"p{number:03}", fields(number))
            rows.append(_measure(workspace, name, rounds))
    return rows


def _measure(workspace: Workspace, name: str, rounds: int) -> Row:
    numbers, written = itertools.count(), list[tuple[str, bytes]]()
    with Desk(workspace) as desk, _Bare(workspace.root / "bare") as bare:
        desk.take_in()

        def approve() -> float:
            shown = desk.preview(f"p{next(numbers):03}")
            start = time.perf_counter()
            outcome = desk.approve(shown.item.id, shown.plan.hash)
            spent = time.perf_counter() - start
            if not outcome.ok:
                raise AssertionError(outcome.message)
            written[:] = [(path, after or b"") for path, _, _, after in shown.files]
            return spent

        def plain() -> float:
            files = written or [("first.md", b"x" * 1000)]
            bare.spool()
            start = time.perf_counter()
            bare.decide(files)
            return time.perf_counter() - start

        times = alternate(rounds, approve=approve, plain=plain)
    return Row(
        f"approve {name}: {len(written)} files",
        f"its {bare.syncs} syncs, bare",
        times["approve"],
        times["plain"],
        f"<= {_AIM} times",
        most_ratio=_AIM,
    )


class _Bare:
    """The durable calls of one decision after the other, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.syncs = 0
        """How many the last decision took."""

    def __enter__(self) -> _Bare:
        fill(self._folder / "memory", _NOTES)
        (self._folder / "decisions").mkdir()
        self._journal = sqlite3.connect(self._folder / "journal.db", isolation_level=None)
        for mode in ("journal_mode = WAL", "synchronous = FULL"):
            self._journal.execute(f"PRAGMA {mode}")
        self._journal.execute("CREATE TABLE intents (number INTEGER PRIMARY KEY, data BLOB NOT NULL)")
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def spool(self) -> None:
        """What an agent has done before: its proposal lies there."""
        (self._folder / "proposal.json").write_bytes(b"p" * 300)

    def decide(self, files: Sequence[tuple[str, bytes]]) -> None:
        self.syncs = 0
        self._journal.execute("INSERT INTO intents (data) VALUES (?)", (b"i" * _INTENT,))
        self.syncs += 1
        self._write("memory", files)
        self._write("decisions", [(f"{time.monotonic_ns()}.json", b"d" * _ANSWER)])
        os.unlink(self._folder / "proposal.json")

    def _write(self, folder: str, files: Sequence[tuple[str, bytes]]) -> None:
        """Each written and synced beside its place, then all put there, then the folder synced."""
        place = self._folder / folder
        temps = [place / f".{os.urandom(8).hex()}.tmp" for _ in files]
        for temp, (_, data) in zip(temps, files, strict=True):
            opened = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(opened, data)
            os.fsync(opened)
            os.close(opened)
        for temp, (name, _) in zip(temps, files, strict=True):
            self._put(temp, place / name, new=folder == "memory" and not (place / name).exists())
        opened = os.open(place, os.O_RDONLY)
        os.fsync(opened)
        os.close(opened)
        self.syncs += len(files) + 1

    def _put(self, temp: Path, place: Path, *, new: bool) -> None:
        if new:  # a link cannot overwrite what appeared meanwhile
            os.link(temp, place)
            os.unlink(temp)
        else:
            os.rename(temp, place)


if __name__ == "__main__":
    print_table(measure())
