"""What the journal weighs after many decisions on a long index: bytes, bytes a decision, time a decision.

Every decision goes through the desk, as the app's do: half of them new entries, half updates of three files each.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from pathlib import Path

from memtui.config import Workspace
from memtui.desk import Desk
from tests.benchmarks.folders import add, fill, update
from tests.benchmarks.timing import drop, workspaces

DECISIONS, LINES = 10_000, 10_000


def measure(decisions: int = DECISIONS, lines: int = LINES) -> None:
    """Print the table; `lines` is how many the index has before the first decision."""
    with workspaces("ws") as (workspace,):
        fill(workspace.memory, lines)
        seconds = _decide(workspace, decisions)
        size = workspace.journal.stat().st_size
        index = (workspace.memory / "index.md").stat().st_size
        print(f"{decisions:,} decisions on an index of {lines:,} lines ({index:,} bytes)")
        print(f"journal.db: {size:,} bytes, {size / decisions:,.0f} a decision")
        print(
            f"time: {seconds:,.0f} s, {seconds / decisions * 1000:,.1f} ms a decision, taking in and plan too"
        )
        for name, used in _tables(workspace.journal):
            print(f"  {name:<20}{used:>14,}{used / decisions:>10,.0f}")


def _decide(workspace: Workspace, decisions: int) -> float:
    """Seconds for all of them: taken in, looked at and approved, 100 at a time."""
    start = time.perf_counter()
    with Desk(workspace) as desk:
        for first in range(0, decisions, 100):
            for number in range(first, min(first + 100, decisions)):
                drop(workspace.spool, f"p{number}", update(number // 2) if number % 2 else add(number))
            desk.take_in()
            for item in desk.items():
                shown = desk.preview(item.id, catalog=False)
                outcome = desk.approve(item.id, shown.plan.hash)
                if not outcome.ok:
                    raise AssertionError(outcome.message)
    return time.perf_counter() - start


def _tables(journal: Path) -> list[tuple[str, int]]:
    """Bytes of each table and index, largest first; empty where this SQLite cannot tell."""
    connection = sqlite3.connect(journal)
    try:
        query = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC"
        return connection.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    measure(*(int(word) for word in sys.argv[1:]))
