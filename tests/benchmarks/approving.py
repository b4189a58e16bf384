"""The desk's approve of an update (three files) against the same bytes written, synced and renamed, and no more."""

from __future__ import annotations

import itertools
import os
import time
from pathlib import Path

from memtui.desk import Desk
from tests.benchmarks.folders import fill, update
from tests.benchmarks.timing import Row, alternate, drop, print_table, workspaces


def measure(rounds: int = 40) -> list[Row]:
    with workspaces("ws") as (workspace,):
        fill(workspace.memory, 1000)
        for number in range(rounds + 1):
            drop(workspace.spool, f"p{number:03}", update(number))
        bare = workspace.root / "bare"
        bare.mkdir()
        numbers = itertools.count()
        written: list[tuple[str, bytes]] = []
        with Desk(workspace) as desk:
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
                start = time.perf_counter()
                for path, data in written or [("note.md", b"x" * 1000)]:
                    _write(bare, path, data)
                return time.perf_counter() - start

            times = alternate(rounds, approve=approve, plain=plain)
    return [Row("approve an update", "write + fsync + rename", times["approve"], times["plain"])]


def _write(directory: Path, name: str, data: bytes) -> None:
    temporary = directory / f".{name}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.rename(temporary, directory / name)
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


if __name__ == "__main__":
    print_table(measure())
