"""Start to first paint of the app with 1,000 notes against an empty Textual app, seen from outside in a pty."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.benchmarks.folders import fill, write
from tests.benchmarks.terminal import Terminal
from tests.benchmarks.timing import MEMTUI, Row, alternate, drop, environment, print_table, workspaces

_EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("emptyapp")

Empty().run()
"""


def measure(rounds: int = 10) -> list[Row]:
    with workspaces("ws") as (workspace,):
        env = environment(workspace.root / "home")
        fill(workspace.memory, 1000)
        drop(workspace.spool, "one", write("zebra.md"))
        app = (*MEMTUI, "--workspace", str(workspace.root))

        def first(command: Sequence[str], text: str) -> float:
            with Terminal(command, env) as terminal:
                return terminal.wait(text) - terminal.started

        times = alternate(
            rounds,
            empty=lambda: first((sys.executable, "-c", _EMPTY), "emptyapp"),
            paint=lambda: first(app, "Inbox"),
            row=lambda: first(app, "zebra.md"),
        )
    against = "empty Textual app"
    return [
        Row(
            "first paint, 1,000 notes",
            against,
            times["paint"],
            times["empty"],
            "at most 1.3 times",
            most_ratio=1.3,
        ),
        Row("first row on screen, 1,000 notes", against, times["row"], times["empty"]),
    ]


if __name__ == "__main__":
    print_table(measure())
