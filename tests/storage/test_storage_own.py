"""Which decisions of a journal were made here: only those are finished or taken back."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from memtui.storage.journal import Journal, JournalError
from memtui.storage.records import RecordFile, RecordItem
from memtui.storage.schema import TABLES

FILE = RecordFile("a.md", None, b"before", b"after")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


def decide(path: Path, id: str, *files: RecordFile) -> int:
    """One decision, which stays an intent where it has files."""
    journal = Journal(path)
    number = journal.begin(
        kind="apply" if files else "answer",
        items=[RecordItem(id=id, operation="write", verdict="approved" if files else "rejected")],
        files=files,
    )
    journal.close()
    return number


def ours(path: Path, *, read_only: bool = False) -> list[int]:
    journal = Journal(path, read_only=read_only)
    found = [record.number for record in journal.records() if record.ours]
    journal.close()
    return found


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From here on it is another person's machine."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another"))


def test_a_journal_that_is_made_here_is_ours_wherever_it_is_moved_to(path: Path, tmp_path: Path) -> None:
    decide(path, "A")
    decide(path, "B", FILE)
    assert ours(path) == [2, 1]
    moved = path.parent.rename(tmp_path / "moved") / path.name
    decide(moved, "C")
    assert ours(moved) == ours(moved, read_only=True) == [3, 2, 1]


def test_what_was_kept_of_temporary_journals_goes_once_they_are_gone(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "passing"))
    demo = tmp_path / "passing" / "demo" / "journal.db"
    for each in (demo, path):
        decide(each, "A")
    kept = Path(os.environ["XDG_DATA_HOME"], "memtui", "trusted.json")
    decide(tmp_path / "second" / "journal.db", "A")
    assert str(demo) in kept.read_text(), "it is still there"
    shutil.rmtree(demo.parent)
    moved = path.parent.rename(tmp_path / "moved") / path.name
    decide(tmp_path / "third" / "journal.db", "A")
    assert str(demo) not in kept.read_text()
    assert ours(moved) == [1], "what lies elsewhere may have been moved"


def test_of_a_strangers_journal_only_what_is_decided_here_is_ours(path: Path, elsewhere: None) -> None:
    with pytest.MonkeyPatch.context() as theirs:
        theirs.setenv("XDG_DATA_HOME", str(path.parent.parent / "theirs"))
        decide(path, "A", FILE)
        decide(path, "B")
    journal = Journal(path)
    assert journal.unfinished() == ()
    assert journal.strangers() == (1,)
    assert not journal.record(1).ours
    assert [record.number for record in journal.records()] == [2, 1]
    journal.close()
    decide(path, "C", FILE)
    assert ours(path) == [3]
    journal = Journal(path)
    assert [record.number for record in journal.unfinished()] == [3]
    assert journal.trust() == 2
    assert journal.trust() == 0
    assert journal.strangers() == ()
    journal.close()
    assert ours(path) == [3, 2, 1]


def test_trust_here_takes_nothing_from_the_one_it_came_from(path: Path, tmp_path: Path) -> None:
    decide(path, "A")
    with pytest.MonkeyPatch.context() as there:
        there.setenv("XDG_DATA_HOME", str(tmp_path / "there"))
        journal = Journal(path)
        assert journal.trust() == 1
        journal.close()
        assert ours(path) == [1]
    assert ours(path) == [1]


def test_a_journal_put_in_the_place_of_a_trusted_one_asks_again(path: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as theirs:
        theirs.setenv("XDG_DATA_HOME", str(tmp_path / "theirs"))
        decide(path, "A")
        shutil.copy(path, tmp_path / "newer.db")
        decide(tmp_path / "newer.db", "B", FILE)
    journal = Journal(path)
    journal.trust()
    journal.close()
    assert ours(path) == [1]
    for left in path.parent.iterdir():
        left.unlink()
    shutil.copy(tmp_path / "newer.db", path)
    assert ours(path) == []


def test_one_of_an_earlier_version_goes_on_from_where_it_is(path: Path) -> None:
    decide(path, "A")
    old = sqlite3.connect(path)
    old.execute("DROP TABLE marks")
    old.execute("PRAGMA user_version = 2")
    old.close()
    assert ours(path, read_only=True) == []
    decide(path, "B")
    assert ours(path) == [2]


def test_where_nothing_can_be_kept_outside_it_holds_while_this_process_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    journal = Journal(path)
    journal.begin(
        kind="apply", items=[RecordItem(id="A", operation="write", verdict="approved")], files=[FILE]
    )
    assert [record.number for record in journal.unfinished()] == [1]
    journal.close()
    assert ours(path) == []


def test_no_mark_is_kept_in_words_outside_of_the_journal(path: Path) -> None:
    decide(path, "A")
    kept = json.loads((Path(os.environ["XDG_DATA_HOME"]) / "memtui" / "trusted.json").read_text())
    marks = [row[0] for row in sqlite3.connect(path).execute("SELECT mark FROM marks")]
    assert len(marks) == 1
    assert list(kept.values()) == [str(path)]
    assert marks[0] not in json.dumps(kept)


@pytest.mark.parametrize(
    "odd",
    [
        "CREATE TRIGGER odd AFTER INSERT ON files BEGIN UPDATE files SET path = 'other.md'; END",
        "CREATE VIEW odd AS SELECT * FROM files",
        "CREATE TABLE odd (a)",
        "ALTER TABLE files ADD COLUMN odd GENERATED ALWAYS AS (path || 'x')",
    ],
    ids=["trigger", "view", "table", "computed column"],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_tables_that_would_change_what_is_written_are_refused(path: Path, odd: str, read_only: bool) -> None:
    decide(path, "A")
    stranger = sqlite3.connect(path)
    stranger.execute(odd)
    stranger.close()
    with pytest.raises(JournalError, match="was not made by memtui"):
        Journal(path, read_only=read_only).records()


def test_every_table_of_a_journal_is_one_that_memtui_makes(path: Path) -> None:
    decide(path, "A")
    made = sqlite3.connect(path).execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
    assert {row[0] for row in made if "sqlite_sequence" not in row[0]} == set(TABLES)
