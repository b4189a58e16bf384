"""Stopped decisions: the person's way out can itself be cut short at any call, and loses neither version."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memtui.notes.folder import Folder
from memtui.proposals.model import FileChange
from memtui.storage.apply import apply_record, materialise, recover, resolve, undo_files
from memtui.storage.journal import Journal
from memtui.storage.records import RecordItem

CALLS = ("write", "fsync", "rename", "link", "unlink", "mkdir", "rmdir")


class _Cut(BaseException):
    """Stands for a kill: nothing catches it."""


@contextmanager
def cut_at(nth: int) -> Iterator[list[int]]:
    """The `nth` call that touches the disk, and every later one, does not happen."""
    count = [0]

    def wrapped(name: str) -> object:
        real = getattr(os, name)

        def call(*values: object, **named: object) -> object:
            count[0] += 1
            if count[0] >= nth:
                raise _Cut
            return real(*values, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, wrapped(name))
        yield count


class Stopped:
    """A decision on four notes, cut short, of which two were changed by hand meanwhile."""

    def __init__(self, root: Path) -> None:
        self.root = root / "memory"
        (self.root / "d").mkdir(parents=True)
        self.folder, self.journal = Folder(self.root), Journal(root / "state" / "journal.db")
        for name in ("a", "b", "old", "gone"):
            (self.root / f"{name}.md").write_bytes(b"1")
        changes = [
            FileChange("a.md", b"1", b"2"),
            FileChange("b.md", b"1", b"2"),
            FileChange("d/new.md", b"1", b"2", "old.md"),
            FileChange("gone.md", b"1", None),
            FileChange("e/f/more.md", None, b"2"),
        ]
        self.number = self.journal.begin(
            kind="apply",
            items=[RecordItem(id="A", operation="write", verdict="approved")],
            files=materialise(changes, self.folder.read),
        )
        for name in ("b.md", "d/new.md", "gone.md"):
            (self.root / name).write_bytes(b"by hand")

    def tree(self) -> dict[str, bytes]:
        files = (path for path in self.root.rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)): path.read_bytes() for path in sorted(files)}

    def undo(self) -> None:
        record = self.journal.record(self.number)
        undoing = self.journal.begin(
            kind="undo",
            items=[RecordItem(id="A", operation="write", verdict="undone")],
            files=undo_files(record, self.folder.read),
            undoes=self.number,
        )
        apply_record(self.journal, self.folder, undoing)


WRITTEN = {"a.md": b"2", "b.md": b"2", "d/new.md": b"2", "e/f/more.md": b"2"}
BEFORE = {"a.md": b"1", "b.md": b"by hand", "d/new.md": b"by hand", "gone.md": b"by hand", "old.md": b"1"}


def test_writing_the_decisions_version_can_be_cut_short_anywhere(tmp_path: Path) -> None:
    nth, cut = 0, True
    while cut:
        nth += 1
        stopped = Stopped(tmp_path / str(nth))
        try:
            with cut_at(nth):
                resolve(stopped.journal, stopped.folder, stopped.number, take="ours")
            cut = False
        except _Cut:
            pass
        for found in recover(stopped.journal, stopped.folder):
            if found.outcome == "stopped":
                resolve(stopped.journal, stopped.folder, found.number, take="ours")
        assert stopped.tree() == WRITTEN
        stopped.undo()
        assert stopped.tree() == BEFORE
    assert nth > 15
    print(f"cut short at {nth - 1} calls")


def test_keeping_the_disks_version_can_be_cut_short_anywhere(tmp_path: Path) -> None:
    kept = {**WRITTEN, "b.md": b"by hand", "d/new.md": b"by hand", "gone.md": b"by hand", "old.md": b"1"}
    nth, cut = 0, True
    while cut:
        nth += 1
        stopped = Stopped(tmp_path / str(nth))
        try:
            with cut_at(nth):
                resolve(stopped.journal, stopped.folder, stopped.number, take="found")
            cut = False
        except _Cut:
            pass
        for found in recover(stopped.journal, stopped.folder):
            resolve(stopped.journal, stopped.folder, found.number, take="found")
        assert stopped.tree() == kept
        record = stopped.journal.record(stopped.number)
        assert {file.path: file.after for file in record.files}["b.md"] == b"2"
    assert nth > 8
    print(f"cut short at {nth - 1} calls")
