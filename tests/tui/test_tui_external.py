"""The file that an outside editor is given: for the person alone, and gone once nobody has it open."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from pathlib import Path

import pytest

from memtui.tui import external


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def left(tmp_path: Path) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=external._PREFIX))
    external._write_private(folder / "edit.md", b"unsaved")
    return folder


def test_it_is_for_the_person_alone(tmp_path: Path) -> None:
    path = left(tmp_path) / "edit.md"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_a_killed_one_left_goes_and_other_files_stay(tmp_path: Path) -> None:
    left(tmp_path)
    (tmp_path / "memtui-notes.md").write_text("mine")
    (tmp_path / f"{external._PREFIX}file").write_text("mine")
    (tmp_path / "target").mkdir()
    (tmp_path / f"{external._PREFIX}link").symlink_to("target")
    external.sweep()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["memtui-edit-file", "memtui-edit-link", "memtui-notes.md", "target"]


def test_one_that_an_editor_has_open_stays(tmp_path: Path) -> None:
    folder = left(tmp_path)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        external.sweep()
        assert (folder / "edit.md").exists()
    finally:
        os.close(held)
    external.sweep()
    assert not folder.exists()
