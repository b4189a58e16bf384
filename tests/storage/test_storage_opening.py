"""What memtui keeps beside the notes is opened where it was resolved to: no link is followed that came later."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.config import WorkspaceError, init, load, write_private
from memtui.gate.fingerprints import Marks, MarksError
from memtui.gate.grants import GrantError, Grants
from memtui.settings import read_regular
from memtui.storage.journal import Journal, JournalError
from memtui.storage.lock import LockBusy, locked
from memtui.storage.records import RecordItem
from memtui.storage.spool import Spool, SpoolError
from tests.faults.layout import everything

ITEM = RecordItem(id="A", operation="write", verdict="rejected")
SUPER = bytes.fromhex("d9d505f920a163d7")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    made = tmp_path / "ws" / "state"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Somebody else's folder, with a journal whose log holds all that it has."""
    made = tmp_path / "outside"
    for folder in (made, made / "state"):
        folder.mkdir()
        other = sqlite3.connect(tmp_path / "other.db", isolation_level=None)
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE IF NOT EXISTS theirs (word)")
        other.execute("INSERT INTO theirs VALUES (1)")
        for helper in ("", "-wal", "-shm"):
            shutil.copy(tmp_path / f"other.db{helper}", folder / f"journal.db{helper}")
        other.close()
        (folder / "kept").write_bytes(b"{}")
    return made


def swap(folder: Path, outside: Path) -> Path:
    """The folder is moved away, and a link to the other one stands in its place."""
    moved = folder.rename(folder.with_name("moved"))
    folder.symlink_to(outside)
    return moved


def begin(journal: Journal) -> None:
    journal.begin(kind="answer", items=[ITEM])


# --- the journal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("above", [False, True], ids=["itself", "the one above"])
@pytest.mark.parametrize("is_made", [False, True], ids=["new", "there"])
def test_a_folder_that_became_a_link_before_the_first_use_is_told(
    state: Path, outside: Path, read_only: bool, above: bool, is_made: bool
) -> None:
    if is_made:
        first = Journal(state / "journal.db")
        begin(first)
        first.close()
    journal = Journal(state / "journal.db", read_only=read_only)
    before = everything(outside)
    swap(state.parent if above else state, outside)
    with pytest.raises(JournalError, match="on the way to it is a symbolic link"):
        journal.records()
    journal.close()
    assert everything(outside) == before


@pytest.mark.parametrize("above", [False, True], ids=["itself", "the one above"])
def test_one_that_became_a_link_while_it_is_used_stays_out_of_it(
    state: Path, outside: Path, above: bool
) -> None:
    """Also its end: SQLite would take the log away that stands at that path then."""
    journal = Journal(state / "journal.db")
    begin(journal)
    before = everything(outside)
    moved = swap(state.parent if above else state, outside)
    begin(journal)
    journal.close()
    assert everything(outside) == before
    there = Journal((moved / "state" if above else moved) / "journal.db")
    assert len(there.records()) == 2
    there.close()


def test_a_journal_that_was_taken_away_meanwhile_takes_nothing_with_it(state: Path) -> None:
    journal = Journal(state / "journal.db")
    begin(journal)
    shutil.rmtree(state)
    state.mkdir()
    other = Journal(state / "journal.db")
    begin(other)
    journal.close()
    assert (state / "journal.db-wal").exists()
    begin(other)
    other.close()
    assert sorted(path.name for path in state.iterdir()) == ["journal.db"]


def test_a_strangers_rollback_that_names_a_file_takes_it_not_away(state: Path, tmp_path: Path) -> None:
    """SQLite removes what such a journal names once it has rolled back."""
    path, victim = state / "journal.db", tmp_path / "precious"
    first = Journal(path)
    begin(first)
    first.close()
    victim.write_text("precious\n")
    (state / "journal.db-journal").write_bytes(naming(path, victim))
    journal = Journal(path)
    with pytest.raises(JournalError, match="was not made by memtui: take it away"):
        journal.records()
    journal.close()
    assert victim.read_text() == "precious\n"
    (state / "journal.db-journal").unlink()
    assert len(Journal(path, read_only=True).records()) == 1


def naming(path: Path, victim: Path) -> bytes:
    """A rollback journal of no pages, as SQLite's format has it, whose transaction spans files and is over."""
    page, name = 4096, os.fsencode(victim)
    head = SUPER + b"".join(n.to_bytes(4, "big") for n in (0, 1234, path.stat().st_size // page, 512, page))
    numbers = (len(name), sum(name))
    tail = (2**30 // page + 1).to_bytes(4, "big") + name + b"".join(n.to_bytes(4, "big") for n in numbers)
    return head.ljust(512, b"\0") + tail + SUPER


# --- the other files ------------------------------------------------------------------------------


def take_lock(state: Path) -> None:
    with locked(state.parent / "gone", state):
        pass


def make_spool(state: Path) -> None:
    Spool(state / "spool").ensure()


def keep_grant(state: Path) -> None:
    Grants(state / "grants.json").add("", "a.md", lasting=True)


def mark(state: Path) -> None:
    Marks(state).mark(fingerprint="abc")


def write(state: Path) -> None:
    write_private(state / "covers.json", b"{}")


def read(state: Path) -> None:
    read_regular(state / "kept")


@pytest.mark.parametrize("use", [take_lock, make_spool, keep_grant, mark, write, read])
@pytest.mark.parametrize("above", [False, True], ids=["itself", "the one above"])
def test_nothing_else_goes_through_a_link_that_came_later(
    state: Path, outside: Path, use: Callable[[Path], None], above: bool
) -> None:
    before = everything(outside)
    swap(state.parent if above else state, outside)
    with pytest.raises((LockBusy, SpoolError, GrantError, MarksError, OSError)) as told:
        use(state)
    assert "symbolic" in str(told.value) or "not a directory" in str(told.value).lower()
    assert everything(outside) == before


def test_a_salt_is_kept_nowhere_else(state: Path, outside: Path) -> None:
    before = everything(outside)
    swap(state, outside)
    assert Marks(state).digest("text")
    assert everything(outside) == before


def test_a_person_may_reach_the_workspace_and_their_own_folder_through_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("real", "data"):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}-link").symlink_to(tmp_path / name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data-link"))
    made = init(tmp_path / "real-link" / "ws", memory="notes")
    assert load(made.root).settings.ignored == ()
    assert Grants(made.grants).add("", "a.md", lasting=True) in Grants(load(made.root).grants).all()
    journal = Journal(load(made.root).journal)
    begin(journal)
    journal.close()
    with pytest.raises(WorkspaceError):
        init(made.root)


def test_a_journal_that_has_another_name_elsewhere_is_not_written(state: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.touch()
    os.link(theirs, state / "journal.db")
    with pytest.raises(JournalError, match="hard link"):
        begin(Journal(state / "journal.db"))
    assert theirs.read_bytes() == b""
