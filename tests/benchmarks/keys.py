"""A key to the redraw that it asks for, in a pty: at rest, and while thousands of proposals are taken in."""

from __future__ import annotations

import os
import re
import select
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from memtui.config import Workspace
from memtui.storage.spool import Spool
from tests.benchmarks.folders import add, fill, write
from tests.benchmarks.timing import drop, environment, workspaces
from tests.tui.pty_driver import OnTerminal, on_terminal

BEFORE, KEYS = 60, 60
"""Proposals that wait already, and keys pressed at rest."""
PATIENCE = 60.0
"""Seconds after which a key counts as lost."""
SLOW, PROGRESS = 0.05, 10.0
"""Seconds from which a key is called slow; seconds between two words on how far it is."""
_WAITING = re.compile(r"Inbox ([\d,]+)")

EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    row = 0
    def compose(self):
        yield Static(id="rows")
    def on_mount(self):
        self.show()
    def show(self):
        self.query_one(Static).update("\\n".join("▌ emptyapp" if n == self.row else "  row" for n in range(20)))
    def on_key(self, event):
        self.row = (self.row + {"j": 1, "k": -1}.get(event.key, 0)) % 20
        self.show()

Empty().run()
"""
"""A Textual app that does next to nothing: what a key takes at least."""


def measure(arrivals: int = 10_000, notes: int = 1000, stopped: int = 0, size: int = 0) -> None:
    """Print the table; `arrivals` are dropped while the app is open, `stopped` before it starts.

    `size`: bytes that each says beside what it says anyway.
    """
    with workspaces("ws") as (workspace,):
        fill(workspace.memory, notes)
        _drop(workspace, "before", BEFORE + stopped, size)
        env = environment(workspace.root / "home")
        start = time.perf_counter()
        with (
            on_terminal(workspace, (110, 40), env, command=(sys.executable, "-c", EMPTY)) as empty,
            on_terminal(workspace, (110, 40), env) as app,
        ):
            empty.sees("emptyapp")
            keys, bare = Keys(app), Keys(empty)
            app.until(lambda: keys.waiting() >= BEFORE)
            app.read(0.3)
            _tell(f"{stopped:,} dropped before: seconds to the first {BEFORE}", [time.perf_counter() - start])
            if stopped:
                _tell("while they are taken in", list(_listing(keys, BEFORE + stopped)))
            time.sleep(3)
            _tell("at rest", [keys.press() for _ in range(KEYS)], bare)
            with _dropping(workspace, arrivals, size):
                meanwhile = list(_listing(keys, BEFORE + stopped + arrivals))
            _tell(f"while {arrivals:,} arrive", meanwhile, bare)
            _tell("with all of them listed", [keys.press() for _ in range(KEYS)], bare)
            print(f"most memory: {_peak(app.process.pid) / 1e6:,.0f} MB")
        left = len(Spool(workspace.spool).scan()[0])
        if left != BEFORE + stopped + arrivals:
            raise AssertionError(f"{left} of {BEFORE + stopped + arrivals} are in the spool")


def _listing(keys: Keys, count: int) -> Iterator[float]:
    """Press keys until so many are listed, and tell now and then how far it is."""
    start = told = time.perf_counter()
    since: list[float] = []
    for seconds in keys.until(count):
        yield seconds
        since.append(seconds)
        now = time.perf_counter()
        if now - told >= PROGRESS or keys.waiting() >= count:
            each = keys.waiting() / (now - start)
            print(
                f"  {now - start:4.0f} s: {keys.waiting():,} of {count:,} listed ({each:.0f} a second),"
                f" slowest key {max(since) * 1000:.0f} ms",
                flush=True,
            )
            told, since = now, []


def _drop(workspace: Workspace, name: str, count: int, size: int = 0) -> None:
    more = "It is so, and was said in passing. " * (size // 35)
    for number in range(count):
        proposal = (
            {**write(f"{name}/{number}.md"), "content": f"A line.\n{more}\n"}
            if number % 2
            else {**add(number), "title": f"{name} {number}", "body": f"Learned today, {number}. {more}"}
        )
        drop(workspace.spool, f"{name}{number}", proposal)


@contextmanager
def _dropping(workspace: Workspace, count: int, size: int) -> Iterator[None]:
    thread = threading.Thread(target=_drop, args=(workspace, "burst", count, size))
    thread.start()
    yield
    thread.join()


class Keys:
    """Moves the cursor down and up again, and waits each time until it is drawn in another row."""

    def __init__(self, app: OnTerminal, *, down: bool = True) -> None:
        self._app = app
        self._down = down

    def waiting(self) -> int:
        """How many the top line says are waiting."""
        found = _WAITING.search(self._app.screen.display[0])
        return int(found[1].replace(",", "")) if found else 0

    def until(self, count: int) -> Iterator[float]:
        """Press until so many are listed."""
        while self.waiting() < count:
            yield self.press()

    def rest(self, seconds: float) -> None:
        """Press nothing for a while."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._app.read(left)

    def press(self) -> float:
        """Seconds from the key to the bytes that show the cursor in another row."""
        app = self._app
        app.read(0.1)
        before = self._row()
        os.write(app.ours, b"j" if self._down else b"k")
        self._down = not self._down
        start = time.perf_counter()
        while time.perf_counter() - start < PATIENCE:
            if select.select([app.ours], [], [], 0.1)[0]:
                data = os.read(app.ours, 65536)
                moment = time.perf_counter()
                app._draw(data)
                if self._row() != before:
                    return moment - start
        raise TimeoutError(f"the cursor never moved\n{app.text}")

    def _row(self) -> int:
        column = (line[0] for line in self._app.screen.display)
        return next((number for number, sign in enumerate(column) if sign == "▌"), -1)


def _peak(pid: int) -> int:
    """Bytes that a process had in memory at most, 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def _tell(what: str, seconds: Sequence[float], bare: Keys | None = None) -> None:
    """One line; beside it keys pressed just now in an empty Textual app."""
    if len(seconds) < 2:
        print(f"{what}: {seconds[0] if seconds else 0:.1f}", flush=True)
        return
    slow = sum(each > SLOW for each in seconds)
    line = f"{what}: {_parts(seconds)}, {slow} of {len(seconds)} over {SLOW * 1000:.0f} ms"
    if bare is not None:
        line += f" (empty app: {_parts([bare.press() for _ in range(KEYS)])})"
    print(line, flush=True)


def _parts(seconds: Sequence[float]) -> str:
    times = sorted(seconds)
    parts = {"p50": statistics.median(times), "p95": times[int(len(times) * 0.95)], "max": times[-1]}
    return ", ".join(f"{name} {value * 1000:.0f} ms" for name, value in parts.items())


if __name__ == "__main__":
    measure(*(int(word) for word in sys.argv[1:]))
