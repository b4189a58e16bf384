"""`python -m tests.faults [--all] [--kills] [--act NAME] [--shim]`: kills and fails memtui at every point.

Prints how many points were tried.
Without --all, every seventh point.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.faults.acts import ACTS, drop_at_once
from tests.faults.exam import Exam, every_point
from tests.faults.harm import Engine, has_strace

_STEP = 7
_MANY = 10_000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="The fault exam.")
    parser.add_argument("--all", action="store_true", help=f"every point, not every {_STEP}th")
    parser.add_argument("--act", action="append", choices=list(ACTS), help="only this act")
    parser.add_argument("--kills", action="store_true", help="only kills, no failing calls")
    parser.add_argument("--shim", action="store_true", help="without strace, even where it is installed")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    engine: Engine = "shim" if args.shim or not has_strace() else "strace"
    step, begun = 1 if args.all else _STEP, time.monotonic()
    tried, wrong = 0, 0
    with ProcessPoolExecutor(args.jobs) as pool:
        for act, count, faults in pool.map(
            _sit, [(act, engine, step, args.kills) for act in args.act or ACTS]
        ):
            tried, wrong = tried + count, wrong + len(faults)
            print(f"{act}: {count} points, {len(faults)} faults", flush=True)
            for fault in faults:
                print(f"  {fault}")
    if args.all:
        with tempfile.TemporaryDirectory(prefix="memtui-faults-") as room:
            _be_nobody(Path(room) / "home")
            print(drop_at_once(Path(room) / "ws", _MANY))
    spent = time.monotonic() - begun
    print(f"{tried} points tried with {engine} in {spent:.0f} s, {wrong} faults")
    return 1 if wrong else 0


def _sit(task: tuple[str, Engine, int, bool]) -> tuple[str, int, list[str]]:
    act, engine, step, kills = task
    with tempfile.TemporaryDirectory(prefix="memtui-faults-") as room:
        _be_nobody(Path(room) / "home")
        exam = Exam(Path(room), engine)
        points = (exam.kills(act) if kills else list(every_point(exam, act)))[::step]
        faults = [f"{point}: {sentence}" for point in points for sentence in exam.judge(point)]
    return act, len(points), faults


def _be_nobody(home: Path) -> None:
    """Nothing of the person's own settings and data is seen or touched; the scanner has no part in this."""
    os.environ.update(HOME=str(home), XDG_CONFIG_HOME=str(home / "config"), XDG_DATA_HOME=str(home / "data"))
    os.environ["MEMTUI_SCANNER"] = "off"


if __name__ == "__main__":
    sys.exit(main())
