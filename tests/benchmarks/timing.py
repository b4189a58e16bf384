"""Interleaved timing and the one table that every benchmark prints: ratios, taken in one run."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memtui.config import Workspace, init

PYTHON = (sys.executable, "-c", "pass")
MEMTUI = (sys.executable, "-m", "memtui")
_REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was timed, and what it was timed against. All times in seconds."""

    what: str
    against: str
    times: Sequence[float]
    base: Sequence[float]
    aim: str = ""
    most_over: float | None = None
    """Seconds that the best run may take more than the best of the base."""
    most_ratio: float | None = None
    """How many times the base the median may take."""
    most: float | None = None
    """Seconds that the median may take."""

    @property
    def ratio(self) -> float:
        return statistics.median(self.times) / statistics.median(self.base)

    @property
    def best_over(self) -> float:
        return min(self.times) - min(self.base)

    @property
    def verdict(self) -> str:
        """Whether the aim is met; "" where there is none."""
        held = [
            most is None or value <= most
            for most, value in (
                (self.most_over, self.best_over),
                (self.most_ratio, self.ratio),
                (self.most, statistics.median(self.times)),
            )
        ]
        return "" if not self.aim else "yes" if all(held) else "NO"


def alternate(rounds: int, **cases: Callable[[], float | None]) -> dict[str, list[float]]:
    """Seconds of each case, taken in turns, the order turned round each time; the first round is not counted.

    A case that returns a number has timed itself.
    """
    times: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(rounds + 1):
        for name in list(cases)[:: 1 if number % 2 else -1]:
            start = time.perf_counter()
            own = cases[name]()
            spent = time.perf_counter() - start if own is None else own
            if number:
                times[name].append(spent)
    return times


def print_table(rows: Iterable[Row]) -> None:
    head = ("what", "against", "median", "base", "ratio", "best over", "aim", "met")
    cells = [head]
    for row in rows:
        median, base = statistics.median(row.times), statistics.median(row.base)
        cells.append(
            (
                f"{row.what} (n={len(row.times)})",
                row.against,
                _milliseconds(median),
                _milliseconds(base),
                f"{row.ratio:.2f}",
                _milliseconds(row.best_over),
                row.aim,
                row.verdict,
            )
        )
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    for line in cells:
        shown = [
            cell.rjust(width) if 2 <= column <= 5 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(shown).rstrip(), flush=True)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


# --- where it runs -------------------------------------------------------------------------------


def environment(home: Path) -> dict[str, str]:
    """The environment for a process that shall see nothing of the person's settings and data."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMTUI_", "TEXTUAL"))}
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data")}
    return {**kept, **own, "PYTHONPATH": str(_REPOSITORY)}


@contextmanager
def workspaces(*names: str) -> Iterator[list[Workspace]]:
    """Fresh workspaces in a directory that goes away at the end."""
    with tempfile.TemporaryDirectory(prefix="memtui-benchmark-") as directory:
        yield [init(Path(directory) / name) for name in names]


def run(command: Sequence[str], home: Path, stdin: bytes = b"") -> None:
    """One whole process, its output dropped. Raises CalledProcessError where it fails."""
    subprocess.run(
        command,
        input=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(home),
        check=True,
    )


def drop(spool: Path, name: str, fields: Mapping[str, object]) -> None:
    """Put a JSON proposal into a spool as an agent does: written under another name, then renamed."""
    import json

    temporary = spool / f".{name}.tmp"
    temporary.write_text(json.dumps(fields), encoding="utf-8")
    temporary.rename(spool / f"{name}.json")
