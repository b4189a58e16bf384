"""Writes into the memory folder: whole or not at all, and nowhere else."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.notes.folder import Folder, FolderError
from memtui.storage import files
from memtui.storage.files import Mismatch, SyncFailed, WriteFailed, remove_file, replace_file


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "a.md").write_bytes(b"old")
    return tmp_path / "memory"


def names(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def failing(name: str, code: int) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise OSError(code, os.strerror(code))

    return fail


def test_a_replaced_note_keeps_its_mode_and_a_hard_link_its_bytes(memory: Path) -> None:
    (memory / "a.md").chmod(0o640)
    os.link(memory / "a.md", memory / "twin.md")
    replace_file(Folder(memory), "a.md", b"new", expect=b"old")
    assert (memory / "a.md").read_bytes() == b"new"
    assert (memory / "a.md").stat().st_mode & 0o777 == 0o640
    assert (memory / "twin.md").read_bytes() == b"old"
    assert names(memory) == ["a.md", "twin.md"]


def test_a_new_note_is_private_and_so_are_its_folders(memory: Path) -> None:
    replace_file(Folder(memory), "x/y/n.md", b"new", expect=None)
    assert (memory / "x/y/n.md").stat().st_mode & 0o777 == 0o600
    assert (memory / "x").stat().st_mode & 0o777 == 0o700
    assert names(memory / "x") == ["y", "y/n.md"]


def test_another_state_than_the_expected_one_is_left_alone(memory: Path) -> None:
    folder = Folder(memory)
    for expect, message in ((None, "a.md exists already."), (b"else", "a.md has changed since it was read.")):
        with pytest.raises(Mismatch) as found:
            replace_file(folder, "a.md", b"new", expect=expect)
        assert (str(found.value), found.value.path) == (message, "a.md")
    with pytest.raises(Mismatch, match=r"b.md is no longer there."):
        replace_file(folder, "b.md", b"new", expect=b"old")
    with pytest.raises(Mismatch):
        remove_file(folder, "a.md", expect=b"else")
    assert names(memory) == ["a.md"]
    assert (memory / "a.md").read_bytes() == b"old"


def test_a_removed_note_is_gone(memory: Path) -> None:
    remove_file(Folder(memory), "a.md", expect=b"old")
    assert names(memory) == []


@pytest.mark.parametrize(
    "path", ["link.md", "linked/n.md", "../n.md", "/n.md", ".hidden.md", "a.md/n.md", "pipe.md"]
)
def test_nothing_is_written_outside_or_through_a_link(memory: Path, tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "n.md").write_bytes(b"theirs")
    (memory / "link.md").symlink_to(outside / "n.md")
    (memory / "linked").symlink_to(outside)
    os.mkfifo(memory / "pipe.md")
    before = names(tmp_path)
    with pytest.raises(FolderError):
        replace_file(Folder(memory), path, b"new", expect=None)
    with pytest.raises(FolderError):
        remove_file(Folder(memory), path, expect=b"theirs")
    assert names(tmp_path) == before
    assert (outside / "n.md").read_bytes() == b"theirs"


def test_a_file_that_appears_while_writing_is_not_overwritten(memory: Path) -> None:
    folder = Folder(memory)
    staged = files.stage_file(folder, "n.md", b"ours", expect=None)
    (memory / "n.md").write_bytes(b"theirs")
    with pytest.raises(Mismatch):
        files.publish_file(folder, staged)
    assert names(memory) == ["a.md", "n.md"]
    assert (memory / "n.md").read_bytes() == b"theirs"


def test_without_hard_links_a_new_note_still_never_overwrites(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", failing("link", errno.EPERM))
    folder = Folder(memory)
    replace_file(folder, "n.md", b"ours", expect=None)
    assert (memory / "n.md").read_bytes() == b"ours"
    staged = files.stage_file(folder, "m.md", b"ours", expect=None)
    (memory / "m.md").symlink_to("a.md")
    with pytest.raises(FolderError):
        files.publish_file(folder, staged)
    assert names(memory) == ["a.md", "m.md", "n.md"]


@pytest.mark.parametrize(
    ("call", "code", "kind", "message"),
    [
        ("write", errno.ENOSPC, WriteFailed, "The disk is full, so a.md was not written."),
        ("write", errno.EDQUOT, WriteFailed, "The disk quota is used up, so a.md was not written."),
        ("rename", errno.EROFS, WriteFailed, "The memory folder is read-only, so a.md was not written."),
        ("rename", errno.EACCES, WriteFailed, "There is no permission to write a.md."),
        ("fsync", errno.ENOSPC, WriteFailed, "The disk is full, so a.md was not written."),
        ("fsync", errno.EIO, SyncFailed, "The disk did not confirm a write, so nothing was changed."),
    ],
)
def test_a_disk_that_refuses_keeps_the_old_bytes_and_is_explained(
    memory: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, kind: type[Exception], message: str
) -> None:
    monkeypatch.setattr(os, call, failing(call, code))
    with pytest.raises(kind) as failed:
        replace_file(Folder(memory), "a.md", b"new", expect=b"old")
    monkeypatch.undo()
    assert str(failed.value) == message
    assert names(memory) == ["a.md"]
    assert (memory / "a.md").read_bytes() == b"old"


def test_a_short_write_is_continued(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda opened, data: write(opened, data[:7]))
    replace_file(Folder(memory), "a.md", b"0123456789" * 10, expect=b"old")
    assert (memory / "a.md").read_bytes() == b"0123456789" * 10


def test_a_sweep_takes_only_our_temporary_files(memory: Path) -> None:
    (memory / "p").mkdir()
    for name in ("p/.memtui-00ff.tmp", ".memtui-0a0b.tmp", "p/.other.tmp", "p/x.tmp", "p/n.md"):
        (memory / name).write_bytes(b"1")
    assert files.sweep(Folder(memory), ["p/n.md", "p/m.md", "q/none.md"]) == 1
    assert names(memory) == [".memtui-0a0b.tmp", "a.md", "p", "p/.other.tmp", "p/n.md", "p/x.tmp"]
