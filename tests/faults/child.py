"""`python -m tests.faults.child ROOT ACT [SHIM]`: performs one act and says in one line of JSON how it went.

Ends with 0 and the line; anything else (a traceback) is a fault of memtui's. The line goes out by `writev`, which
the exam leaves alone.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main() -> None:
    root, name, *shim = sys.argv[1:]
    act(Path(root), name, *shim)


def act(root: Path, name: str, *shim: str) -> None:
    """In this very process, which is a child of the exam's."""
    from memtui.desk import DeskError
    from tests.faults.acts import ACTS, open_desk, take_in
    from tests.faults.shim import install

    perform = take_in if name == "recover" else ACTS[name].perform
    if shim:
        install(shim[0])
    said: dict[str, object]
    try:
        with open_desk(root) as desk:
            outcome = perform(desk)
        said = {"ok": outcome is None or outcome.ok, "message": "" if outcome is None else outcome.message}
    except DeskError as error:
        said = {"ok": False, "message": str(error)}
    os.writev(1, [json.dumps(said).encode()])


if __name__ == "__main__":
    main()
