"""Changes to files and back: composing, matching, refusing, and taking back what a failure left half done."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from memtui.notes import index
from memtui.notes.folder import Folder
from memtui.proposals.model import Change, FileChange, LineChange
from memtui.storage.apply import apply_record, materialise, recover, resolve, undo_files, undo_lines
from memtui.storage.files import Mismatch, SyncFailed, WriteFailed
from memtui.storage.journal import Journal
from memtui.storage.records import RecordFile, RecordItem

INDEX = (
    b"# Index\n\n## Entries\n\n- [A](a.md) \xe2\x80\x94 fact, [x, y], about a\n"
    b"- [B](b.md) \xe2\x80\x94 fact, [x, y], about b\n"
)


class Desk:
    """The least that decides: a folder, a journal, and the steps between them."""

    def __init__(self, root: Path) -> None:
        self.root = root / "memory"
        self.root.mkdir()
        self.folder = Folder(self.root)
        self.journal = Journal(root / "state" / "journal.db")

    def put(self, **files: bytes) -> None:
        for name, data in files.items():
            (self.root / f"{name}.md").write_bytes(data)

    def apply(self, changes: Sequence[Change]) -> int:
        number = self.begin(changes)
        apply_record(self.journal, self.folder, number)
        self.journal.answered(number)
        return number

    def begin(self, changes: Sequence[Change]) -> int:
        return self.journal.begin(
            kind="apply",
            items=[RecordItem(id="A", operation="write", verdict="approved")],
            files=materialise(changes, self.folder.read),
            lines=[change for change in changes if isinstance(change, LineChange)],
        )

    def undo(self, number: int) -> None:
        record = self.journal.record(number)
        undoing = self.journal.begin(
            kind="undo",
            items=[RecordItem(id="A", operation="write", verdict="undone")],
            files=undo_files(record, self.folder.read),
            lines=undo_lines(record),
            undoes=number,
        )
        apply_record(self.journal, self.folder, undoing)

    def tree(self) -> dict[str, bytes | None]:
        return {
            str(path.relative_to(self.root)): path.read_bytes() if path.is_file() else None
            for path in self.root.rglob("*")
        }


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def line(desk: Desk, filename: str, hook: str | None) -> LineChange:
    """The change that gives an entry's index line another hook, or takes it away (None)."""
    data = desk.folder.read("index.md")
    found = index.read_index(data).get(filename)
    after = None
    if hook is not None:
        after = index.compose(
            data, title="T", filename=filename, type="fact", tags=("x", "y"), hook=hook, deprecated=False
        )
    return LineChange("index.md", filename, found.line if found else None, after)


def paths(files: Sequence[RecordFile]) -> list[tuple[str, str | None]]:
    return [(file.path, file.origin) for file in files]


# --- materialise ---


def test_notes_come_first_then_the_index(desk: Desk) -> None:
    desk.put(index=INDEX, z=b"1")
    files = materialise([line(desk, "a.md", "new"), FileChange("z.md", b"1", b"2")], desk.folder.read)
    assert paths(files) == [("z.md", None), ("index.md", None)]
    assert [file.whole for file in files] == [True, False]


def test_several_lines_of_one_file_compose(desk: Desk) -> None:
    desk.put(index=INDEX)
    files = materialise([line(desk, "a.md", "one"), line(desk, "b.md", "two")], desk.folder.read)
    assert len(files) == 1
    assert files[0].after is not None
    assert b", one\n" in files[0].after
    assert b", two\n" in files[0].after


def test_changes_of_one_note_compose(desk: Desk) -> None:
    changes = [FileChange("n.md", None, b"1"), FileChange("n.md", b"1", b"2")]
    assert materialise(changes, desk.folder.read) == (RecordFile("n.md", None, None, b"2"),)


def test_a_rename_that_is_edited_and_renamed_again_is_one_rename(desk: Desk) -> None:
    desk.put(a=b"1")
    changes = [
        FileChange("b.md", b"1", b"2", "a.md"),
        FileChange("b.md", b"2", b"3"),
        FileChange("c.md", b"3", b"3", "b.md"),
    ]
    assert materialise(changes, desk.folder.read) == (RecordFile("c.md", "a.md", b"1", b"3"),)


def test_a_new_note_under_the_old_name_of_a_renamed_one(desk: Desk) -> None:
    desk.put(a=b"1")
    changes = [FileChange("b.md", b"1", b"1", "a.md"), FileChange("a.md", None, b"2")]
    files = materialise(changes, desk.folder.read)
    assert files == (RecordFile("b.md", None, None, b"1"), RecordFile("a.md", None, b"1", b"2"))


def test_what_the_disk_holds_already_is_success(desk: Desk) -> None:
    desk.put(a=b"new", b=b"moved")
    changes = [FileChange("a.md", b"old", b"new"), FileChange("b.md", b"was", b"moved", "c.md")]
    number = desk.apply(changes)
    assert desk.tree() == {"a.md": b"new", "b.md": b"moved"}
    desk.undo(number)
    assert desk.tree() == {"a.md": b"old", "c.md": b"was"}


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        (FileChange("a.md", b"other", b"2"), "a.md", "a.md has changed since it was shown."),
        (FileChange("a.md", None, b"2"), "a.md", "a.md exists already."),
        (FileChange("n.md", b"1", b"2"), "n.md", "n.md is no longer there."),
        (FileChange("b.md", b"1", b"2", "a.md"), "b.md", "b.md exists already."),
        (FileChange("n.md", b"x", b"2", "a.md"), "a.md", "a.md has changed since it was shown."),
        (FileChange("n.md", b"1", b"2", "m.md"), "m.md", "m.md is no longer there."),
    ],
)
def test_another_state_is_a_mismatch_that_names_the_path(
    desk: Desk, change: FileChange, path: str, message: str
) -> None:
    desk.put(a=b"1", b=b"1")
    with pytest.raises(Mismatch) as found:
        materialise([change], desk.folder.read)
    assert (found.value.path, str(found.value)) == (path, message)


def test_a_line_that_is_not_what_was_shown_is_a_mismatch(desk: Desk) -> None:
    desk.put(index=INDEX)
    change = line(desk, "a.md", "new")
    desk.put(index=INDEX.replace(b"about a", b"edited"))
    with pytest.raises(Mismatch) as found:
        materialise([change], desk.folder.read)
    assert found.value.path == "index.md"


# --- two approvals on one index, and undo ---


def test_two_approvals_on_one_index_land_and_the_older_can_be_undone(desk: Desk) -> None:
    desk.put(index=INDEX, a=b"1", b=b"1")
    first = [FileChange("a.md", b"1", b"2"), line(desk, "a.md", "one")]
    second = [FileChange("b.md", b"1", b"2"), line(desk, "b.md", "two")]
    one, two = desk.apply(first), desk.apply(second)
    text = desk.tree()["index.md"]
    assert text is not None
    assert b", one\n" in text
    assert b", two\n" in text
    desk.undo(one)
    assert desk.tree()["index.md"] == text.replace(b"[T](a.md)", b"[A](a.md)").replace(
        b", one\n", b", about a\n"
    )
    desk.undo(two)
    assert desk.tree() == {"index.md": INDEX, "a.md": b"1", "b.md": b"1"}


def test_undo_gives_back_every_byte_also_of_a_made_index_and_folder(desk: Desk) -> None:
    new = index.compose(
        None, title="T", filename="p/q/n.md", type="fact", tags=("x",), hook="h", deprecated=False
    )
    number = desk.apply([FileChange("p/q/n.md", None, b"1"), LineChange("index.md", "p/q/n.md", None, new)])
    assert set(desk.tree()) == {"p", "p/q", "p/q/n.md", "index.md"}
    desk.undo(number)
    assert desk.tree() == {}


def test_a_made_folder_with_something_else_in_it_stays_after_undo(desk: Desk) -> None:
    number = desk.apply([FileChange("p/q/n.md", None, b"1")])
    (desk.root / "p" / "mine.txt").write_bytes(b"x")
    desk.undo(number)
    assert set(desk.tree()) == {"p", "p/mine.txt"}


def test_undo_of_rename_and_delete(desk: Desk) -> None:
    desk.put(a=b"1", b=b"2")
    number = desk.apply([FileChange("p/c.md", b"1", b"3", "a.md"), FileChange("b.md", b"2", None)])
    assert desk.tree() == {"p": None, "p/c.md": b"3"}
    desk.undo(number)
    assert desk.tree() == {"a.md": b"1", "b.md": b"2"}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ({"a": b"mine"}, "a.md has changed since this decision, so it cannot be undone."),
        ({"gone": b"mine"}, "gone.md exists again, so this decision cannot be undone."),
        ({"old": b"mine"}, "old.md exists again, so this decision cannot be undone."),
        ({"index": b"- none\n"}, ""),
    ],
)
def test_undo_refuses_where_a_note_or_line_has_changed_since(
    desk: Desk, spoil: dict[str, bytes], message: str
) -> None:
    desk.put(index=INDEX, a=b"1", gone=b"2", old=b"3")
    number = desk.apply(
        [
            FileChange("a.md", b"1", b"2"),
            FileChange("gone.md", b"2", None),
            FileChange("new.md", b"3", b"3", "old.md"),
            line(desk, "a.md", "one"),
        ]
    )
    desk.put(**spoil)
    before = desk.tree()
    with pytest.raises(Mismatch) as found:
        desk.undo(number)
    assert message in str(found.value)
    assert desk.tree() == before
    assert desk.journal.undoable() == number


def test_undo_of_what_was_taken_back_by_hand_is_success(desk: Desk) -> None:
    desk.put(a=b"1", index=INDEX)
    number = desk.apply([FileChange("a.md", b"1", b"2"), line(desk, "a.md", "one")])
    desk.put(a=b"1", index=INDEX)
    desk.undo(number)
    assert desk.tree() == {"a.md": b"1", "index.md": INDEX}


def test_undo_without_the_contents_says_so(desk: Desk) -> None:
    desk.put(a=b"1")
    number = desk.apply([FileChange("a.md", b"1", b"2")])
    desk.journal.forget("A")
    with pytest.raises(Mismatch, match="no longer kept"):
        undo_files(desk.journal.record(number), desk.folder.read)


# --- failures while writing ---


def test_a_note_changed_between_plan_and_write_drops_the_intent(desk: Desk) -> None:
    desk.put(a=b"1", b=b"1")
    number = desk.begin([FileChange("a.md", b"1", b"2"), FileChange("b.md", b"1", b"2")])
    desk.put(b=b"mine")
    with pytest.raises(Mismatch, match=r"b.md has changed"):
        apply_record(desk.journal, desk.folder, number)
    assert desk.tree() == {"a.md": b"1", "b.md": b"mine"}
    assert desk.journal.records() == ()


def test_an_index_changed_between_plan_and_write_gets_the_line_all_the_same(desk: Desk) -> None:
    desk.put(index=INDEX)
    number = desk.begin([line(desk, "a.md", "one")])
    desk.put(index=INDEX + b"- [C](c.md) \xe2\x80\x94 fact, [x, y], mine\n")
    apply_record(desk.journal, desk.folder, number)
    text = desk.tree()["index.md"]
    assert text is not None
    assert b", one\n" in text
    assert b"mine\n" in text
    desk.journal.answered(number)
    desk.undo(number)
    assert desk.tree()["index.md"] == INDEX + b"- [C](c.md) \xe2\x80\x94 fact, [x, y], mine\n"


@pytest.mark.parametrize(
    ("call", "at"),
    [
        ("write", 1),
        ("write", 4),
        ("link", 1),
        ("link", 2),
        ("rename", 1),
        ("rename", 2),
        ("mkdir", 2),
        ("unlink", 3),
        ("unlink", 4),
    ],  # the first two are of temporary files
)
def test_a_disk_that_fails_half_way_leaves_everything_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, call: str, at: int
) -> None:
    desk.put(a=b"1", b=b"1", c=b"1", d=b"1")
    before = desk.tree()
    number = desk.begin(
        [
            FileChange("a.md", b"1", b"2"),
            FileChange("b.md", b"1", b"2"),
            FileChange("p/n.md", None, b"2"),
            FileChange("q/m.md", None, b"2"),
            FileChange("c.md", b"1", None),
            FileChange("d.md", b"1", None),
        ]
    )
    real, calls = getattr(os, call), []

    def fail(*values: object, **named: object) -> object:
        calls.append(1)
        if len(calls) == at:
            raise OSError(errno.ENOSPC, "full")
        return real(*values, **named)

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(WriteFailed):
        apply_record(desk.journal, desk.folder, number)
    monkeypatch.undo()
    assert desk.tree() == before
    assert desk.journal.records() == ()


def test_a_failed_sync_of_the_folder_leaves_the_intent_for_recovery(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.put(a=b"1")
    number = desk.begin([FileChange("a.md", b"1", b"2")])
    sync, calls = os.fsync, []

    def fail(opened: int) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError(errno.EIO, "broken")
        sync(opened)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SyncFailed):
        apply_record(desk.journal, desk.folder, number)
    monkeypatch.undo()
    assert desk.journal.record(number).state == "intent"
    assert [found.outcome for found in recover(desk.journal, desk.folder)] == ["finished"]
    assert desk.tree() == {"a.md": b"2"}


# --- recovery ---


def test_recovery_rolls_forward_and_says_so_once(desk: Desk) -> None:
    desk.put(a=b"1", old=b"1", index=INDEX)
    number = desk.begin(
        [
            FileChange("a.md", b"1", b"2"),
            FileChange("new.md", b"1", b"2", "old.md"),
            line(desk, "a.md", "one"),
        ]
    )
    desk.put(new=b"2")  # half of the rename
    (desk.root / ".memtui-0123456789abcdef.tmp").write_bytes(b"half")
    found = recover(desk.journal, desk.folder)
    assert [(f.number, f.outcome) for f in found] == [(number, "finished")]
    assert set(desk.tree()) == {"a.md", "new.md", "index.md"}
    assert recover(desk.journal, desk.folder) == ()


def test_a_file_changed_by_hand_stops_recovery_and_both_versions_stay(desk: Desk) -> None:
    desk.put(a=b"1", b=b"1")
    number = desk.begin([FileChange("a.md", b"1", b"2"), FileChange("b.md", b"1", b"2")])
    desk.put(a=b"2", b=b"mine")
    for _ in range(2):
        found = recover(desk.journal, desk.folder)
        assert [(f.number, f.outcome, f.message) for f in found] == [
            (number, "stopped", "b.md has changed since it was shown.")
        ]
        conflict = found[0].conflicts[0]
        assert (conflict.path, conflict.found, conflict.ours) == ("b.md", b"mine", b"2")
    assert desk.tree() == {"a.md": b"2", "b.md": b"mine"}


@pytest.mark.parametrize(("take", "text"), [("found", b"mine"), ("ours", b"2")])
def test_a_stopped_record_ends_as_the_person_wants(desk: Desk, take: str, text: bytes) -> None:
    desk.put(a=b"1", b=b"1")
    number = desk.begin([FileChange("a.md", b"1", b"2"), FileChange("b.md", b"1", b"2")])
    desk.put(b=b"mine")
    resolve(desk.journal, desk.folder, number, take=take)  # type: ignore[arg-type]
    assert desk.tree() == {"a.md": b"2", "b.md": text}
    assert recover(desk.journal, desk.folder) == ()


def test_an_index_changed_by_hand_does_not_stop_recovery(desk: Desk) -> None:
    desk.put(index=INDEX)
    desk.begin([line(desk, "a.md", "one")])
    desk.put(index=INDEX.replace(b"# Index", b"# My index"))
    assert [found.outcome for found in recover(desk.journal, desk.folder)] == ["finished"]
    text = desk.tree()["index.md"]
    assert text is not None
    assert text.startswith(b"# My index")
    assert b", one\n" in text


def test_a_note_that_became_a_link_stops_recovery(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_bytes(b"1")
    desk.put(a=b"1")
    desk.begin([FileChange("a.md", b"1", b"2")])
    (desk.root / "a.md").unlink()
    (desk.root / "a.md").symlink_to(tmp_path / "outside.md")
    found = recover(desk.journal, desk.folder)
    assert [(f.outcome, f.message) for f in found] == [("stopped", "a.md is a symbolic link, not a note.")]
    assert (tmp_path / "outside.md").read_bytes() == b"1"


def test_a_full_disk_at_recovery_keeps_the_intent(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.put(a=b"1")
    number = desk.begin([FileChange("a.md", b"1", b"2")])

    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "write", fail)
    assert [found.outcome for found in recover(desk.journal, desk.folder)] == ["stopped"]
    monkeypatch.undo()
    assert desk.journal.record(number).state == "intent"
    assert [found.outcome for found in recover(desk.journal, desk.folder)] == ["finished"]
