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


def left(text: bytes = b"changed", given: bytes = b"given") -> Path:
    """What a memtui leaves that was killed while an editor was open."""
    folder = Path(tempfile.mkdtemp(prefix=external._PREFIX))
    external._write_private(folder / "label", f"{external._digest(given)}\nof a note".encode())
    external._write_private(folder / "edit.md", text)
    return folder


def test_it_is_for_the_person_alone() -> None:
    folder = left()
    for name in ("edit.md", "label"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("done", [True, False])
def test_a_changed_text_is_offered_and_goes_once_it_is_taken(done: bool) -> None:
    folder = left()
    offered = []

    def take(label: str, text: bytes, path: Path) -> bool:
        offered.append((label, text, path))
        return done

    external.take_left(take)
    assert offered == [("of a note", b"changed", folder / "edit.md")]
    assert folder.exists() is not done


def not_offered(label: str, text: bytes, path: Path) -> bool:
    raise AssertionError(label)


def test_what_nobody_changed_goes_and_other_files_stay(tmp_path: Path) -> None:
    left(b"given")
    (left(b"given") / "edit.md").unlink()  # killed before the text was there
    (tmp_path / "memtui-notes.md").write_text("mine")
    (tmp_path / f"{external._PREFIX}file").write_text("mine")
    (tmp_path / "target").mkdir()
    (tmp_path / f"{external._PREFIX}link").symlink_to("target")
    external.take_left(not_offered)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["memtui-edit-file", "memtui-edit-link", "memtui-notes.md", "target"]


def test_one_that_an_editor_has_open_stays() -> None:
    folder = left(b"given")
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        external.take_left(not_offered)
        assert (folder / "edit.md").exists()
    finally:
        os.close(held)
    external.take_left(not_offered)
    assert not folder.exists()
