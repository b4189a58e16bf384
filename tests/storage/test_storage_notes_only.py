"""Whatever a journal says, recovery and undo write notes alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.notes.folder import Folder
from memtui.storage.apply import recover
from memtui.storage.files import Mismatch
from memtui.storage.journal import Journal
from memtui.storage.records import RecordFile, RecordItem
from memtui.storage.steps import steps_of


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        (".git/hooks/post-checkout", None),
        ("run.sh", None),
        ("a.md", "run.sh"),
        ("run.sh", "a.md"),
        ("../out.md", None),
        ("/tmp/out.md", None),
        ("a/../../out.md", None),
    ],
)
def test_an_intent_about_anything_else_is_written_by_no_recovery(
    tmp_path: Path, path: str, origin: str | None
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    (memory / "run.sh").write_bytes(b"theirs")
    (memory / "a.md").write_bytes(b"theirs")
    journal, folder = Journal(tmp_path / "journal.db"), Folder(memory)
    before = b"theirs" if origin or path == "run.sh" else None
    number = journal.begin(
        kind="apply",
        items=[RecordItem(id="a", operation="write", verdict="approved")],
        files=[RecordFile(path, origin, before, b"evil")],
    )
    stopped = recover(journal, folder)
    record = journal.record(number)
    with pytest.raises(Mismatch):
        steps_of(journal, folder, record, record.files[0])
    journal.close()
    assert stopped
    found = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert {name for name in found if not name.startswith("journal.db")} == {"memory/run.sh", "memory/a.md"}
    assert {(memory / name).read_bytes() for name in ("run.sh", "a.md")} == {b"theirs"}
