"""What an approve waits for: the intent, each file, their folder, the decision file and its folder; nothing twice."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.acts import build
from tests.faults.harm import PROJECT, has_strace

_MARK = "/begin-or-end"
_APPROVE = f"""
import os, sys
from contextlib import suppress
from pathlib import Path
from tests.faults.acts import open_desk
with open_desk(Path(sys.argv[1])) as desk:
    desk.take_in()
    for id in ("rename", sys.argv[2]):  # the first one warms the journal up
        shown = desk.preview(id, accept_new_tags=True)
        with suppress(OSError):
            os.stat({_MARK!r})
        outcome = desk.approve(id, shown.plan.hash, accept_new_tags=True)
        with suppress(OSError):
            os.stat({_MARK!r})
        assert outcome.ok, outcome
"""


def synced(root: Path, id: str) -> Counter[str]:
    """What is synced while one proposal is approved in a process that is at work already, with how often."""
    log = root.parent / "calls"
    subprocess.run(
        ["strace", "-qq", "-f", "-y", "-o", str(log), "-e", "trace=fsync,fdatasync,%%stat",
         sys.executable, "-c", _APPROVE, str(root), id],
        cwd=PROJECT, check=True,
    )  # fmt: skip
    begun = log.read_text(errors="replace").split(_MARK)[3]
    paths = re.findall(r"sync\(\d+<([^>]*)>", begun)
    return Counter(
        re.sub(r"\.memtui-[0-9a-f]{16}\.tmp", "TEMP", str(Path(p).relative_to(root))) for p in paths
    )


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
@pytest.mark.parametrize(
    ("id", "files"),
    [("note", {"memory/new/folder/TEMP": 1, "memory/new/folder": 1, "memory/new": 1, "memory": 1}),
     ("add", {"memory/TEMP": 3, "memory": 1})],
)  # fmt: skip
def test_an_approve_syncs_what_it_must_and_nothing_twice(
    tmp_path: Path, id: str, files: dict[str, int]
) -> None:
    root = tmp_path / "ws"
    build("waiting", root)
    told = {".memtui/spool/decisions/TEMP": 1, ".memtui/spool/decisions": 1}
    assert synced(root, id) == {".memtui/journal.db-wal": 1, **files, **told}
