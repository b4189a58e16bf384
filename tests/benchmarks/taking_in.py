"""A spool of 1,000 proposals taken in beside an index of 1,000 lines, against a tenth of them: is it linear?"""

from __future__ import annotations

import shutil
import time

from memtui.config import Workspace
from memtui.desk import Desk
from tests.benchmarks.folders import add, fill, update
from tests.benchmarks.timing import Row, alternate, drop, print_table, workspaces


def measure(rounds: int = 4) -> list[Row]:
    with workspaces("few", "many") as (few, many):
        for workspace, count in ((few, 100), (many, 1000)):
            fill(workspace.memory, 1000)
            for number in range(count):
                proposal = add(number) if number % 2 else update(number)
                drop(workspace.spool, f"p{number}", proposal)
        times = alternate(rounds, few=lambda: _take_in(few, 100), many=lambda: _take_in(many, 1000))
    return [
        Row(
            "take in 1,000 proposals, each",
            "of 100, each",
            times["many"],
            times["few"],
            "at most 1.5 times",
            most_ratio=1.5,
        )
    ]


def _take_in(workspace: Workspace, count: int) -> float:
    """Seconds a proposal, with a journal that is new."""
    shutil.rmtree(workspace.decisions, ignore_errors=True)
    for left in workspace.state.glob("journal.db*"):
        left.unlink()
    with Desk(workspace) as desk:
        start = time.perf_counter()
        taken = desk.take_in()
        spent = time.perf_counter() - start
        if taken != count:
            raise AssertionError(f"{taken} of {count} were taken in: {desk.refusals()[:1]}")
    return spent / count


if __name__ == "__main__":
    print_table(measure())
