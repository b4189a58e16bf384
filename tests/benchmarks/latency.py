"""How long a person waits: a key to the redrawn screen, the diff of long notes, and what the app costs at rest.

`python -m tests.benchmarks.latency [PENDING [NOTES]]`. The keys are pressed in a pty, with so many proposals
pending and so many notes, over short changes and over changes of 64 KiB (each of whose diffs is computed
meanwhile); beside each figure stands that of an empty Textual app, pressed and left alone in the same run.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from memtui.config import Workspace
from memtui.proposals.diff import diff
from tests.benchmarks.folders import write
from tests.benchmarks.keys import EMPTY, Keys
from tests.benchmarks.timing import drop, environment, workspaces
from tests.tui.pty_driver import OnTerminal, on_terminal

LONG = 64 * 1024
"""Bytes of a long note."""
LONG_ONES = 12
"""Proposals that change a long note; they come first in the list."""
KEYS, PAUSE, REST = 120, 0.15, 15.0
"""Keys pressed for a figure, seconds at most from one to the next, and seconds at rest."""
START = 900.0
"""Seconds in which all must have been taken in."""


def measure(pending: int = 10_000, notes: int = 100_000) -> None:
    """Print the table."""
    _print("what", "p50", "p95", "max", "of an empty app", "aim", "met")
    _diffs()
    with workspaces("ws") as (workspace,):
        _fill(workspace, pending, notes)
        env = environment(workspace.root / "home")
        with (
            on_terminal(workspace, (110, 40), env, command=(sys.executable, "-c", EMPTY)) as empty,
            on_terminal(workspace, (110, 40), env) as app,
        ):
            empty.sees("emptyapp")
            keys = Keys(app)
            start = time.monotonic()
            while keys.waiting() < pending and time.monotonic() - start < START:
                app.read(1.0)
            _quiet(app)
            print(
                f"{keys.waiting():,} pending, {notes:,} notes, taken in after {time.monotonic() - start:.0f} s"
            )
            bare, long = _press(Keys(empty), KEYS), _press(keys, KEYS)
            _line("a key, while a diff of 2 x 64 KiB is computed", long, bare, 0.033)
            os.write(app.ours, b"G")  # the long ones stand first; at the end all are short
            _quiet(app)
            keys = Keys(app, down=False)
            _line("a key, short changes", _press(keys, KEYS), _press(Keys(empty), KEYS), 0.033)
            _quiet(app)
            _rest(app, empty)


def _press(keys: Keys, count: int) -> list[float]:
    """Keys at any moment of what the one before them brought: planned, compared, laid out, drawn."""
    moments = random.Random(3)
    times = []
    for _ in range(count):
        keys.rest(moments.uniform(0, PAUSE))
        times.append(keys.press())
    return times


def _quiet(app: OnTerminal, seconds: float = 5.0) -> None:
    """Until it has written nothing and computed next to nothing for a while."""
    quiet = 0.0
    while quiet < seconds:
        before, written = _spent(app), len(app.raw)
        app.read(1.0)
        time.sleep(1.0)
        app.read(0.0)
        quiet = quiet + 1.0 if _spent(app) - before < 0.05 and len(app.raw) == written else 0.0


def _rest(app: OnTerminal, empty: OnTerminal) -> None:
    """The share of one processor that each takes when nothing happens."""
    before = [_spent(one) for one in (app, empty)]
    time.sleep(REST)
    share, bare = ((_spent(one) - was) / REST * 100 for one, was in zip((app, empty), before, strict=True))
    _print("at rest", f"{share:.2f} %", "", "", f"{bare:.2f} %", "0.50 %", "yes" if share <= 0.5 else "NO")


def _spent(app: OnTerminal) -> float:
    """Seconds of processor time that a program has taken, its threads too."""
    fields = Path(f"/proc/{app.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- diffs ----------------------------------------------------------------------------------------


def _diffs() -> None:
    chosen = random.Random(7)
    old = _prose(chosen, LONG)
    _line(
        "diff of 2 x 64 KiB of prose, a tenth of its lines changed",
        _timed(old, _changed(chosen, old)),
        (),
        0.1,
    )
    lines = [f"{chosen.randrange(10**6)}" for _ in range(50_000)]
    other = [line if chosen.random() > 0.1 else f"{line}x" for line in lines]
    _line("diff of 50,000 short lines", _timed("\n".join(lines), "\n".join(other)), (), 2.0)


def _timed(old: str, new: str) -> list[float]:
    before, after = old.encode(), new.encode()
    times = []
    for _ in range(9):
        start = time.perf_counter()
        diff("note.md", before, after)
        times.append(time.perf_counter() - start)
    return times


def _prose(chosen: random.Random, size: int) -> str:
    """Paragraphs of some 60 words, one a line, `size` bytes in all."""
    words = ["".join(chosen.choices("etaoinshrdlu", k=chosen.randint(2, 9))) for _ in range(2_000)]
    lines: list[str] = []
    while sum(map(len, lines)) + len(lines) < size:
        lines.append(" ".join(chosen.choices(words, k=chosen.randint(20, 100))))
    return "\n".join(lines)[:size] + "\n"


def _changed(chosen: random.Random, text: str) -> str:
    """A tenth of the lines with a few words exchanged, a few taken out and put in."""
    lines = text.split("\n")
    for number in chosen.sample(range(len(lines) - 1), len(lines) // 10):
        words = lines[number].split(" ")
        for _ in range(3):
            words[chosen.randrange(len(words))] = "exchanged"
        words.insert(chosen.randrange(len(words)), "put in")
        lines[number] = " ".join(words)
    return "\n".join(lines)


# --- the workspace --------------------------------------------------------------------------------


def _fill(workspace: Workspace, pending: int, notes: int) -> None:
    """Plain notes in folders of a thousand, and proposals: first those that change long notes, then short ones."""
    chosen = random.Random(11)
    for number in range(notes):
        folder = workspace.memory / f"f{number // 1000}"
        if not number % 1000:
            folder.mkdir()
        text = f"---\ndescription: the {number}th thing, of {chosen.randrange(10**6)}\n---\nIt is so.\n"
        (folder / f"n{number}.md").write_text(text, encoding="utf-8")
    for number in range(LONG_ONES):
        old = _prose(chosen, LONG)
        (workspace.memory / f"long{number}.md").write_text(old, encoding="utf-8")
        new = {"operation": "replace", "path": f"long{number}.md", "text": _changed(chosen, old)}
        drop(workspace.spool, f"a{number:02}", {**new, "reason": "told so", "agent": "a"})
    for number in range(pending - LONG_ONES):
        drop(workspace.spool, f"b{number:05}", {**write(f"new/b{number}.md"), "agent": "b"})


# --- the table ------------------------------------------------------------------------------------


def _line(what: str, times: Sequence[float], bare: Sequence[float], most: float) -> None:
    high = _high(times)
    ratio = f"{high / _high(bare):.2f} times ({_ms(_high(bare))})" if bare else ""
    met = "yes" if high <= most else "NO"
    _print(what, _ms(statistics.median(times)), _ms(high), _ms(max(times)), ratio, _ms(most), met)


def _high(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _print(*cells: str) -> None:
    widths = (58, 10, 10, 10, 24, 11, 3)
    print(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip(), flush=True
    )


if __name__ == "__main__":
    measure(*(int(word) for word in sys.argv[1:]))
