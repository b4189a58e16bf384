"""The journal: the way of a record, what is kept, what is erased, and who may look."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest

from memtui.notes.lines import KeyedLine
from memtui.proposals.model import LineChange
from memtui.storage.journal import Journal, JournalError
from memtui.storage.records import RecordFile, RecordItem
from memtui.storage.splice import splice


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "state" / "journal.db")


def item(id: str, verdict: str = "approved", **more: object) -> RecordItem:
    return RecordItem(id=id, operation="write", verdict=verdict, **more)  # type: ignore[arg-type]


def apply(journal: Journal, id: str, *files: RecordFile, at: float = 1.0, proposal: bytes = b"") -> int:
    number = journal.begin(kind="apply", at=at, items=[item(id, proposal=proposal)], files=files)
    journal.finish(number)
    journal.answered(number)
    return number


ONE = RecordFile("a.md", None, b"before", b"after")


def test_a_record_goes_from_intent_to_done_to_answered(journal: Journal) -> None:
    number = journal.begin(kind="apply", items=[item("A")], files=[ONE])
    for step, state in ((None, "intent"), (journal.finish, "done"), (journal.answered, "answered")):
        if step is not None:
            step(number)
        assert journal.record(number).state == state
        assert [record.number for record in journal.unfinished()] == ([] if state == "answered" else [number])


def test_steps_out_of_order_change_nothing(journal: Journal) -> None:
    number = journal.begin(kind="apply", items=[item("A")], files=[ONE])
    journal.answered(number)
    assert journal.record(number).state == "intent"
    journal.finish(number)
    journal.abandon(number)
    assert journal.record(number).state == "done"


def test_a_record_without_files_is_done_at_once(journal: Journal) -> None:
    number = journal.begin(kind="answer", items=[item("A", "rejected")])
    assert journal.record(number).state == "done"


def test_everything_that_was_put_in_comes_back(journal: Journal) -> None:
    line = KeyedLine("- [a](a.md) — fact", "entries", "b.md")
    full = RecordItem(
        id="Ünï-\ud800",
        operation="update",
        verdict="approved",
        headline="line\nbreak",
        target="caf\udce9.md",
        agent="claude",
        reason="\x1b[31m",
        note="private",
        edited=True,
        file="x\n.json",
        file_sha256="0" * 64,
        proposal=b"\xff\x00" * 1000,
        batch="b",
        source="user",
        session="s",
        answer={"id": "x", "n": [1, None, True], "bad": "\udcff"},
    )
    lines = (LineChange("index.md", "a.md", None, line), LineChange("index.md", "b.md", line, None))
    files = (RecordFile("caf\udce9.md", "old.md", b"1", b"2"), RecordFile("p/n.md", None, None, b"3"))
    number = journal.begin(
        kind="apply", at=2.5, items=[full], files=files, lines=lines, plan_hash="h", undoes=None
    )
    record = journal.record(number)
    assert record.items == (full,)
    assert record.files == files
    assert record.lines == lines
    assert (record.at, record.plan_hash, record.kind, record.undoes) == (2.5, "h", "apply", None)


def test_index_and_tags_are_kept_as_splices_only(journal: Journal) -> None:
    before = b"".join(b"- [t%d](%d.md)\n" % (i, i) for i in range(5000))
    after = before.replace(b"[t77]", b"[new]")
    number = journal.begin(
        kind="apply", items=[item("A")], files=[RecordFile("index.md", None, before, after, whole=False)]
    )
    file = journal.record(number).files[0]
    assert (file.before, file.after, file.kept) == (None, None, False)
    assert splice(before, file.splices) == after
    assert [len(s.removed) for s in file.splices] == [15]


def test_a_content_is_kept_once_and_compressed(journal: Journal, tmp_path: Path) -> None:
    text = b"the same text " * 10_000
    for number in range(20):
        apply(journal, f"A{number}", RecordFile("a.md", None, text, text + b"%d" % (number % 2)))
    journal.close()
    assert (tmp_path / "state" / "journal.db").stat().st_size < 200_000


def test_the_latest_item_of_an_id_is_found_whatever_its_case(journal: Journal) -> None:
    apply(journal, "Lina-1", ONE)
    journal.begin(kind="answer", items=[item("lina-1", "refused", proposal=b"{}")])
    found = journal.latest_item("LINA-1")
    assert found is not None
    assert (found.verdict, found.proposal) == ("refused", b"{}")
    assert journal.latest_item("nobody") is None


def test_records_are_listed_newest_first_without_contents(journal: Journal) -> None:
    for number in range(5):
        apply(journal, f"A{number}", ONE, proposal=b"{}")
    listed = journal.records(limit=2, before=5)
    assert [record.number for record in listed] == [4, 3]
    assert listed[0].items[0].proposal == b""
    assert (listed[0].files[0].path, listed[0].files[0].kept) == ("a.md", False)


def test_undoable_is_the_newest_decision_that_is_not_undone(journal: Journal) -> None:
    assert journal.undoable() is None
    first = apply(journal, "A", ONE)
    second = journal.begin(kind="answer", items=[item("B", "rejected")])
    journal.begin(kind="answer", items=[item("C", "refused")])
    assert journal.undoable() == second
    undo = journal.begin(kind="undo", items=[item("B", "undone")], undoes=second)
    assert journal.undoable() == first
    assert journal.record(second).undone_by == undo
    with pytest.raises(JournalError, match="undone already"):
        journal.begin(kind="undo", items=[item("B", "undone")], undoes=second)


def test_an_abandoned_intent_leaves_nothing_and_its_undo_is_open_again(journal: Journal) -> None:
    first = apply(journal, "A", ONE)
    second = journal.begin(
        kind="undo", items=[item("A", "undone")], files=[RecordFile("a.md", None, b"x", b"y")], undoes=first
    )
    journal.abandon(second)
    assert journal.undoable() == first
    assert journal.unfinished() == ()
    assert journal.records()[0].number == first
    assert journal.begin(kind="answer", items=[item("B", "rejected")]) > second


def test_refusals_are_listed_until_dismissed(journal: Journal) -> None:
    one = journal.begin(kind="answer", items=[item("A", "refused", proposal=b"bad")])
    two = journal.begin(kind="answer", items=[item("B", "blocked")])
    journal.begin(kind="answer", items=[item("C", "rejected")])
    assert [record.number for record in journal.refusals()] == [two, one]
    assert journal.refusals()[1].items[0].proposal == b"bad"
    journal.dismiss(two)
    assert [record.number for record in journal.refusals()] == [one]
    assert journal.refusal_count() == 1


def test_the_first_time_seen_is_kept_also_between_processes(journal: Journal, tmp_path: Path) -> None:
    other = Journal(tmp_path / "state" / "journal.db")
    assert journal.first_seen("A", "1" * 64, 10.5) == 10.5
    assert other.first_seen("a", "2" * 64, 99.0) == 10.5
    assert journal.seen("A") == ("2" * 64, 10.5)
    assert journal.first_seen_all({"A": "2" * 64, "B": "3" * 64}, 50.0) == {"A": 10.5, "B": 50.0}


@pytest.mark.parametrize(
    ("verdict", "kept"), [("refused", False), ("blocked", False), ("withdrawn", False), ("rejected", True)]
)
def test_an_id_that_is_free_again_is_no_longer_seen(journal: Journal, verdict: str, kept: bool) -> None:
    journal.first_seen("A", "1" * 64, 1.0)
    journal.begin(kind="answer", items=[item("A", verdict)])
    assert (journal.seen("A") is not None) == kept


def test_waiting_proposals_are_found_by_id_file_and_batch(journal: Journal) -> None:
    journal.wait("z.1", "z.json", "1" * 64, "z")
    journal.wait("a", "caf\udce9.json", "2" * 64)
    journal.wait("z.2", "z.json", "1" * 64, "z")
    assert [row.id for row in journal.waiting()] == ["z.1", "a", "z.2"]
    assert [row.id for row in journal.waiting(batch="z")] == ["z.1", "z.2"]
    assert [row.id for row in journal.waiting(file="caf\udce9.json")] == ["a"]
    found = journal.waits("A")
    assert found is not None
    assert found.file_sha256 == "2" * 64
    journal.unwait("Z.1")
    assert [row.id for row in journal.waiting()] == ["a", "z.2"]


def test_members_of_a_spool_file_come_in_their_order_with_their_newest_answer(journal: Journal) -> None:
    for id in ("b.10", "b.2"):
        journal.begin(kind="answer", items=[item(id, "refused", file_sha256="5" * 64)])
    journal.begin(kind="answer", items=[item("b.2", "rejected", file_sha256="5" * 64)])
    journal.begin(kind="answer", items=[item("b.10", "rejected", file_sha256="6" * 64)])
    assert [(i.id, i.verdict) for i in journal.items_of("5" * 64)] == [("b.2", "rejected")]


def test_drafts_and_edits_are_kept_until_dropped(journal: Journal, tmp_path: Path) -> None:
    journal.save_draft("people/lina.md", "text\ud800")
    journal.keep_edit("Lina", "edited")
    again = Journal(tmp_path / "state" / "journal.db")
    assert again.draft("people/lina.md") == "text\ud800"
    assert again.edit_of("lina") == "edited"
    again.drop_draft("people/lina.md")
    again.drop_edit("LINA")
    assert journal.draft("people/lina.md") is None
    assert journal.edit_of("Lina") is None


def test_forgetting_erases_the_bytes_from_the_disk_and_keeps_the_history(
    journal: Journal, tmp_path: Path
) -> None:
    secret = os.urandom(40).hex().encode()  # incompressible enough to be found as it is
    shared = RecordFile("a.md", None, b"1", secret)
    one = apply(journal, "A", shared, proposal=secret + b"p")
    two = apply(journal, "B", RecordFile("a.md", None, secret, b"3"), proposal=b"{}")
    three = apply(journal, "C", ONE)
    found = journal.forget("a")
    assert (found.records, found.shared, found.settled) == ((one,), (two,), True)
    assert journal.record(one).forgotten
    assert journal.record(two).forgotten
    assert not journal.record(three).forgotten
    assert journal.record(one).items[0].headline == ""
    assert journal.record(one).items[0].proposal == b""
    assert journal.record(two).items[0].proposal == b"{}"
    assert journal.record(one).files[0].kept is False
    import zlib

    for path in (tmp_path / "state").iterdir():
        data = path.read_bytes()
        assert zlib.compress(secret) not in data
        assert zlib.compress(secret + b"p") not in data


def test_contents_go_by_age_and_then_by_size_oldest_first(journal: Journal) -> None:
    numbers = [
        apply(journal, f"A{n}", RecordFile("a.md", None, None, os.urandom(1000)), at=float(n))
        for n in range(210)
    ]
    waiting = journal.begin(kind="apply", at=0.0, items=[item("W")], files=[ONE])
    assert journal.prune(now=105.0, age=100.0, size=10**9) == 5
    assert journal.prune(now=105.0, age=1000.0, size=120_000) == 100
    left = [n for n in numbers if not journal.record(n).forgotten]
    assert left == numbers[105:]
    assert journal.record(left[0]).files[0].kept
    assert not journal.record(waiting).forgotten
    assert len(journal.records()) == 211


def test_what_must_not_be_kept_is_not_and_cannot_be_undone(journal: Journal) -> None:
    number = apply(journal, "A", RecordFile("a.md", None, b"the secret", b"after", private=True))
    file = journal.record(number).files[0]
    assert (file.before, file.after, file.kept, file.private) == (None, None, False, True)
    assert file.before_sha256 is not None
    assert journal.undoable() is None


def test_a_journal_that_is_only_read_creates_nothing(tmp_path: Path) -> None:
    reader = Journal(tmp_path / "none" / "journal.db", read_only=True)
    assert reader.records() == ()
    assert reader.unfinished() == ()
    assert reader.undoable() is None
    assert reader.latest_item("A") is None
    assert reader.refusal_count() == 0
    assert reader.draft("x") is None
    assert reader.first_seen("A", "", 5.0) == 5.0
    with pytest.raises(JournalError, match="reading only"):
        reader.begin(kind="answer", items=[item("A", "rejected")])
    assert list(tmp_path.iterdir()) == []


def test_a_reader_sees_what_is_written_meanwhile(journal: Journal, tmp_path: Path) -> None:
    reader = Journal(tmp_path / "state" / "journal.db", read_only=True)
    assert reader.records() == ()
    apply(journal, "A", ONE)
    assert len(reader.records()) == 1
    apply(journal, "B", ONE)
    assert len(reader.records()) == 2


def test_files_are_private(journal: Journal, tmp_path: Path) -> None:
    apply(journal, "A", ONE)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "state").iterdir()}
    assert modes["journal.db"] == 0o600
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700


def test_commits_are_durable(journal: Journal, tmp_path: Path) -> None:
    with journal._database.transaction() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("kind", ["link", "directory", "garbage", "newer"])
def test_a_journal_that_cannot_be_used_is_explained_in_one_sentence(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "journal.db"
    if kind == "link":
        path.symlink_to(tmp_path / "elsewhere.db")
    elif kind == "directory":
        path.mkdir()
    elif kind == "garbage":
        path.write_bytes(b"no database at all " * 100)
    else:
        sqlite3.connect(path).execute("PRAGMA user_version = 99")
    for read_only in (False, True):
        with pytest.raises(JournalError) as failed:
            Journal(path, read_only=read_only).records()
        assert str(failed.value).endswith(".")
        assert "\n" not in str(failed.value)
    assert not (tmp_path / "elsewhere.db").exists()


def test_threads_and_processes_write_at_once(journal: Journal, tmp_path: Path) -> None:
    children = []
    for child in range(3):
        pid = os.fork()
        if pid == 0:
            own = Journal(tmp_path / "state" / "journal.db")
            for n in range(10):
                apply(own, f"P{child}-{n}", ONE)
            os._exit(0)
        children.append(pid)
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for n in range(10):
                apply(journal, f"T{name}-{n}", ONE)
                journal.records()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0, 0, 0]
    assert failures == []
    assert len(journal.records()) == 60


def test_a_full_disk_is_explained_and_leaves_the_journal_as_it_was(journal: Journal) -> None:
    apply(journal, "A", ONE)
    with journal._database.transaction() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    journal._database.rows(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(JournalError, match="disk is full"):
        apply(journal, "B", RecordFile("a.md", None, None, os.urandom(100_000)))
    journal._database.rows("PRAGMA max_page_count = 1000000")
    assert [record.items[0].id for record in journal.records()] == ["A"]
    apply(journal, "B", ONE)


def test_very_many_refusals_are_all_listed_the_older_ones_without_contents(journal: Journal) -> None:
    for number in range(5):
        journal.begin(kind="answer", items=[item(f"A{number}", "refused", proposal=b"bad")])
    found = journal.refusals(whole=2)
    assert [record.items[0].id for record in found] == ["A4", "A3", "A2", "A1", "A0"]
    assert [record.items[0].proposal for record in found] == [b"bad", b"bad", b"", b"", b""]
