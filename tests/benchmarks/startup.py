"""`memtui status` and a JSON `memtui propose`, whole processes, against `python -c pass`."""

from __future__ import annotations

import itertools
import json

from tests.benchmarks.folders import fill, write
from tests.benchmarks.timing import MEMTUI, PYTHON, Row, alternate, print_table, run, workspaces

_AIM = "at most 120 ms over"
_OVER = 0.120


def measure(rounds: int = 20) -> list[Row]:
    with workspaces("ws") as (workspace,):
        home = workspace.root / "home"
        fill(workspace.memory, 100)
        command = (*MEMTUI, "--workspace", str(workspace.root))
        numbers = itertools.count()

        def propose() -> None:
            proposal = json.dumps(write(f"notes/n{next(numbers)}.md")).encode()
            run((*command, "propose", "-"), home, proposal)

        run((*command, "propose", "-"), home, json.dumps(write("first.md")).encode())
        times = alternate(
            rounds,
            bare=lambda: run(PYTHON, home),
            status=lambda: run((*command, "status"), home),
            propose=propose,
        )
    base = times["bare"]
    return [
        Row("memtui status", "python -c pass", times["status"], base, _AIM, most_over=_OVER),
        Row("memtui propose (JSON write)", "python -c pass", times["propose"], base, _AIM, most_over=_OVER),
    ]


if __name__ == "__main__":
    print_table(measure())
