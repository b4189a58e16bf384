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
_WAITING = re.compile(r"Inbox ([\d,]+)")


def measure(arrivals: int = 10_000, notes: int = 1000, stopped: int = 0) -> None:
    """Print the table; `arrivals` are dropped while the app is open, `stopped` before it starts."""
    with workspaces("ws") as (workspace,):
        fill(workspace.memory, notes)
        _drop(workspace, "before", BEFORE + stopped)
        env = environment(workspace.root / "home")
        start = time.perf_counter()
        with on_terminal(workspace, (110, 40), env) as app:
            keys = Keys(app)
            app.until(lambda: keys.waiting() >= BEFORE and "approve" in app.text)
            app.read(0.3)
            _tell(
                f"{stopped:,} dropped before: seconds to the first {BEFORE}", [time.perf_counter() - start], 1
            )
            meanwhile = list(keys.until(BEFORE + stopped))
            if stopped:
                _tell(f"while they are taken in ({time.perf_counter() - start:.0f} s)", meanwhile)
            time.sleep(3)
            _tell("at rest", [keys.press() for _ in range(KEYS)])
            start = time.perf_counter()
            with _dropping(workspace, arrivals):
                meanwhile = list(keys.until(BEFORE + stopped + arrivals))
            _tell(
                f"while {arrivals:,} arrive ({time.perf_counter() - start:.0f} s until all are listed)",
                meanwhile,
            )
            _tell("with all of them listed", [keys.press() for _ in range(KEYS)])
            print(f"most memory: {_peak(app.process.pid) / 1e6:,.0f} MB")
        left = len(Spool(workspace.spool).scan()[0])
        if left != BEFORE + stopped + arrivals:
            raise AssertionError(f"{left} of {BEFORE + stopped + arrivals} are in the spool")


def _drop(workspace: Workspace, name: str, count: int) -> None:
    for number in range(count):
        proposal = (
            write(f"{name}/{number}.md") if number % 2 else {**add(number), "title": f"{name} {number}"}
        )
        drop(workspace.spool, f"{name}{number}", proposal)


@contextmanager
def _dropping(workspace: Workspace, count: int) -> Iterator[None]:
    thread = threading.Thread(target=_drop, args=(workspace, "burst", count))
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


def _tell(what: str, seconds: Sequence[float], unit: int = 1000) -> None:
    times = sorted(seconds)
    if len(times) < 2:
        print(f"{what}: {times[0] if times else 0:.1f}", flush=True)
        return
    part = [statistics.median(times), times[int(len(times) * 0.95)], times[-1]]
    shown = ", ".join(
        f"{name} {value * unit:.0f} ms" for name, value in zip(("p50", "p95", "max"), part, strict=True)
    )
    print(f"{what}: {shown} (n={len(times)})", flush=True)


if __name__ == "__main__":
    measure(*(int(word) for word in sys.argv[1:]))
