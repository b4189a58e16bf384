"""`memtui show` of an update, whole process, on 10,000 entries against 10."""

from __future__ import annotations

from tests.benchmarks.folders import fill, update
from tests.benchmarks.timing import MEMTUI, Row, alternate, drop, print_table, run, workspaces


def measure(rounds: int = 10) -> list[Row]:
    with workspaces("few", "many") as (few, many):
        for workspace, entries in ((few, 10), (many, 10_000)):
            fill(workspace.memory, entries)
            drop(workspace.spool, "changed", update(7))
        home = few.root / "home"

        def show(root: object) -> None:
            run((*MEMTUI, "--workspace", str(root), "show", "changed"), home)

        times = alternate(rounds, few=lambda: show(few.root), many=lambda: show(many.root))
    return [
        Row(
            "show an update, 10,000 entries",
            "the same, 10 entries",
            times["many"],
            times["few"],
            "at most 3 times",
            most_ratio=3,
        )
    ]


if __name__ == "__main__":
    print_table(measure())
