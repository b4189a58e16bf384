"""`python -m tests.benchmarks`: every benchmark, one table. Compare ratios of one run only."""

from __future__ import annotations

import sys

from tests.benchmarks import approving, arrival, first_paint, screening, show, startup, taking_in
from tests.benchmarks.timing import print_table

_ALL = (startup, first_paint, arrival, show, taking_in, approving, screening)


def main() -> None:
    rows = []
    for module in _ALL:
        print(f"{module.__name__.rpartition('.')[2]} …", file=sys.stderr, flush=True)
        rows += module.measure()
    print_table(rows)


if __name__ == "__main__":
    main()
