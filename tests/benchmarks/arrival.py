"""Drop of a JSON file (rename) to its row on screen, in a pty, against the bare watcher seeing such a file."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from pathlib import Path

from tests.benchmarks.folders import fill, write
from tests.benchmarks.terminal import Terminal
from tests.benchmarks.timing import MEMTUI, Row, alternate, drop, environment, print_table, workspaces


def measure(rounds: int = 20) -> list[Row]:
    with workspaces("ws") as (workspace,):
        fill(workspace.memory, 1000)
        command = (*MEMTUI, "--workspace", str(workspace.root))
        watched = workspace.root / "watched"
        watched.mkdir()
        numbers = itertools.count(100)
        with (
            Terminal(command, environment(workspace.root / "home")) as terminal,
            _Watcher(watched) as watcher,
        ):
            terminal.wait("Inbox")
            terminal.settle(1.0)

            def row() -> float:
                path = f"zebra{next(numbers)}.md"
                start = time.perf_counter()
                drop(workspace.spool, path, write(path))
                seen = terminal.wait(path)
                terminal.settle()
                return seen - start

            def bare() -> float:
                path = f"plain{next(numbers)}"
                start = time.perf_counter()
                drop(watched, path, write(path))
                seen = watcher.wait(f"{path}.json")
                time.sleep(0.3)  # as long as the other case rests
                return seen - start

            times = alternate(rounds, bare=bare, row=row)
    return [
        Row(
            "dropped file to its row",
            "watchfiles alone",
            times["row"],
            times["bare"],
            "at most 150 ms",
            most=0.15,
        )
    ]


class _Watcher:
    """watchfiles alone on one directory, with the app's figures."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._stop = threading.Event()
        self._seen: queue.SimpleQueue[tuple[float, str]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> _Watcher:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        from watchfiles import watch

        for changes in watch(self._directory, step=40, debounce=200, stop_event=self._stop, recursive=False):
            for _, path in changes:
                self._seen.put((time.perf_counter(), Path(path).name))

    def wait(self, name: str) -> float:
        while True:
            moment, seen = self._seen.get(timeout=30)
            if seen == name:
                return moment


if __name__ == "__main__":
    print_table(measure())
