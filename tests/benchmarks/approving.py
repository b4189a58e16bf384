"""The desk's approve against a bare loop of the same durable calls with the same bytes, and no more.

What an approve must make durable before it says yes: the intent in the journal (one append, synced), each file
(written and synced beside its place, then renamed), their folder, and the decision file with its folder.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from memtui.config import Workspace
from memtui.desk import Desk
from tests.benchmarks.folders import add, fill, update, write
from tests.benchmarks.timing import Row, alternate, drop, print_table, workspaces

_INTENT = 10 * 4096
"""Bytes that one intent adds to the journal's write-ahead log: ten pages or so."""
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
            fill(workspace.memory, 1000)
            for number in range(rounds + 1):
                drop(workspace.spool, f"p{number:03}", fields(number))
            rows.append(_measure(workspace, name, rounds))
    return rows


def _measure(workspace: Workspace, name: str, rounds: int) -> Row:
    numbers, written = itertools.count(), list[bytes]()
    with Desk(workspace) as desk, _Bare(workspace.root / "bare") as bare:
        desk.take_in()

        def approve() -> float:
            shown = desk.preview(f"p{next(numbers):03}")
            start = time.perf_counter()
            outcome = desk.approve(shown.item.id, shown.plan.hash)
            spent = time.perf_counter() - start
            if not outcome.ok:
                raise AssertionError(outcome.message)
            written[:] = [after or b"" for _, _, _, after in shown.files]
            return spent

        def plain() -> float:
            start = time.perf_counter()
            bare.decide(written or [b"x" * 1000])
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
        for name in ("memory", "decisions"):
            (self._folder / name).mkdir(parents=True)
        self._journal = os.open(self._folder / "journal", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._journal)

    def decide(self, files: list[bytes]) -> None:
        self.syncs = 0
        os.write(self._journal, b"i" * _INTENT)
        os.fdatasync(self._journal)
        self.syncs += 1
        self._write("memory", files)
        self._write("decisions", [b"d" * _ANSWER])

    def _write(self, folder: str, files: list[bytes]) -> None:
        """Each written and synced beside its place, then all renamed, then the folder synced."""
        place = self._folder / folder
        for number, data in enumerate(files):
            opened = os.open(place / f".{number}.tmp", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(opened, data)
            os.fsync(opened)
            os.close(opened)
        for number in range(len(files)):
            os.rename(place / f".{number}.tmp", place / f"{number}.md")
        opened = os.open(place, os.O_RDONLY)
        os.fsync(opened)
        os.close(opened)
        self.syncs += len(files) + 1


if __name__ == "__main__":
    print_table(measure())
