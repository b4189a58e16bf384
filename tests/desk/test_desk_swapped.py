"""Folders of a workspace that are swapped for links out of it while a memtui runs: nothing outside is touched."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from memtui.config import init, load
from memtui.desk import Desk


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What the links lead to: a spool and a memory folder of somebody else."""
    for name in ("spool/decisions", "memory"):
        (tmp_path / "outside" / name).mkdir(parents=True)
    (tmp_path / "outside" / "spool" / "precious.json").write_text('{"mine": 1}', encoding="utf-8")
    return tmp_path / "outside"


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_spool_that_was_swapped_for_a_link_is_away(tmp_path: Path, outside: Path) -> None:
    before = names(outside)
    workspace = init(tmp_path / "ws")
    with Desk(workspace) as desk:
        shutil.move(workspace.dot, tmp_path / "ws" / "aside")
        workspace.dot.symlink_to(outside)
        desk.take_in()
        assert not desk.items()
    assert names(outside) == before


def test_a_note_is_not_written_over_a_link_above_the_memory_folder(tmp_path: Path, outside: Path) -> None:
    init(tmp_path / "ws", memory="notes/memory")
    workspace = load(tmp_path / "ws")
    given = {"operation": "write", "path": "n.md", "summary": "s", "content": "c\n"}
    (workspace.spool / "p.json").write_text(json.dumps(given), encoding="utf-8")
    os.utime(workspace.spool / "p.json", (1, 1))  # whole, since it is old
    with Desk(workspace) as desk:
        desk.take_in()
        shown = desk.preview("p")
        (tmp_path / "ws" / "notes").rename(tmp_path / "ws" / "aside")
        (tmp_path / "ws" / "notes").symlink_to(outside)
        assert not desk.approve("p", shown.plan.hash).ok
        (tmp_path / "ws" / "notes").unlink()
        (tmp_path / "ws" / "aside").rename(tmp_path / "ws" / "notes")
        assert desk.approve("p", desk.preview("p").plan.hash).ok
    assert names(outside / "memory") == []
