"""Real processes killed before every call that touches the disk: nothing torn, nothing lost, nothing twice.

A child process counts the calls that write (and the commits of the journal) and ends itself without a farewell at
the N-th; a write is cut in half first. The parent then recovers and looks. `strace`, where it is installed, does the
same to single system calls inside SQLite.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.notes import index, tags
from memtui.notes.folder import Folder
from memtui.notes.lines import KeyedLine
from memtui.proposals.model import Change, FileChange, LineChange
from memtui.storage.apply import apply_record, materialise, recover, undo_files, undo_lines
from memtui.storage.journal import Journal
from memtui.storage.lock import locked
from memtui.storage.records import RecordItem
from memtui.storage.spool import Spool

KILLED = 9
CALLS = ("write", "fsync", "rename", "link", "unlink", "mkdir", "rmdir", "fchmod", "utime")
PROPOSAL = b'{"operation": "write"}'
INDEX = b"# Index\n\n## Entries\n\n" + b"".join(
    b"- [T%d](n%d.md) \xe2\x80\x94 fact, [x, y], hook %d\n" % (n, n, n) for n in range(30)
)

Tree = dict[str, bytes | None]


class Workspace:
    """Memory, journal and spool, and the steps of a decision in their order."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.memory, self.state = root / "memory", root / "state"
        self.folder, self.spool = Folder(self.memory), Spool(root / "spool")

    def fill(self) -> None:
        (self.memory / "people").mkdir(parents=True)
        self.state.mkdir()
        for name, data in {
            "people/lina.md": b"lina\n" * 50,
            "old.md": b"old\n",
            "gone.md": b"gone\n",
            "other.md": b"other\n",
            "index.md": INDEX,
        }.items():
            (self.memory / name).write_bytes(data)
        (self.memory / "people/lina.md").chmod(0o640)
        self.spool.ensure()
        (self.spool.path / "lina.json").write_bytes(PROPOSAL)
        Journal(self.state / "journal.db").close()

    def changes(self) -> list[Change]:
        data = self.folder.read("index.md")
        new = index.compose(
            data, title="N", filename="p/new.md", type="fact", tags=("x",), hook="h", deprecated=False
        )
        tag = tags.compose(
            None, name="x", level=1, parent="", description="about x", not_to_be_confused_with=()
        )
        return [
            FileChange("people/lina.md", b"lina\n" * 50, b"lina moved\n" * 60),
            FileChange("p/new.md", None, b"new\n"),
            FileChange("renamed.md", b"old\n", b"old\nedited\n", "old.md"),
            FileChange("gone.md", b"gone\n", None),
            LineChange("index.md", "p/new.md", None, new),
            self._dropped(data, "n7.md"),
            LineChange("tags.md", "x", None, tag),
        ]

    def _dropped(self, data: bytes | None, key: str) -> LineChange:
        found = index.read_index(data).get(key)
        assert found is not None
        before: KeyedLine = found.line
        return LineChange("index.md", key, before, None)

    def approve(self) -> None:
        journal = Journal(self.state / "journal.db")
        changes = self.changes()
        with locked(self.memory, self.state):
            number = journal.begin(
                kind="apply",
                items=[self._item("approved")],
                files=materialise(changes, self.folder.read),
                lines=[change for change in changes if isinstance(change, LineChange)],
            )
            apply_record(journal, self.folder, number)
            self.answer(journal)
        journal.close()

    def undo(self) -> None:
        journal = Journal(self.state / "journal.db")
        with locked(self.memory, self.state):
            number = journal.undoable()
            assert number is not None
            record = journal.record(number)
            undoing = journal.begin(
                kind="undo",
                items=[self._item("undone")],
                files=undo_files(record, self.folder.read),
                lines=undo_lines(record),
                undoes=number,
            )
            apply_record(journal, self.folder, undoing)
            self.answer(journal)
        journal.close()

    def recover(self) -> None:
        journal = Journal(self.state / "journal.db")
        with locked(self.memory, self.state):
            assert all(found.outcome == "finished" for found in recover(journal, self.folder))
            self.spool.sweep()
            self.answer(journal)
        journal.close()

    def answer(self, journal: Journal) -> None:
        """What follows the files, for every record that is done and not answered: safe to repeat."""
        for record in journal.unfinished():
            item = record.items[0]
            if record.kind == "undo":
                self.spool.put_back(item.file, item.proposal)
            self.spool.write_decision(item.id, {"id": item.id, "verdict": item.verdict})
            if record.kind != "undo":
                self.spool.remove(item.file, item.file_sha256)
            journal.answered(record.number)

    def _item(self, verdict: str) -> RecordItem:
        digest = hashlib.sha256(PROPOSAL).hexdigest()
        return RecordItem(
            id="lina",
            operation="write",
            verdict=verdict,
            file="lina.json",
            file_sha256=digest,
            proposal=PROPOSAL,
        )

    def tree(self) -> Tree:
        """Every file and folder of the memory, with bytes."""
        found: Tree = {}
        for path in self.memory.rglob("*"):
            found[str(path.relative_to(self.memory))] = path.read_bytes() if path.is_file() else None
        return found

    def facts(self) -> tuple[str, ...]:
        """Where the proposal is: as the spool, the decisions and the journal say."""
        journal = Journal(self.state / "journal.db")
        item = journal.latest_item("lina")
        answer = self.spool.read_decision("lina")
        unfinished = len(journal.unfinished())
        journal.close()
        spooled = sorted(path.name for path in self.spool.path.iterdir() if path.name != "decisions")
        return (
            "+".join(spooled) or "-",
            str(answer["verdict"]) if answer else "-",
            item.verdict if item else "-",
            f"{unfinished} open",
        )


OLD = ("lina.json", "-", "-", "0 open")
APPROVED = ("-", "approved", "approved", "0 open")
UNDONE = ("lina.json", "undone", "undone", "0 open")


class _Commits(sqlite3.Connection):
    """A connection whose commits are counted like the other calls."""

    step: Callable[[], None]

    def execute(self, sql: str, *values: object) -> sqlite3.Cursor:  # type: ignore[override]
        if sql != "COMMIT":
            return super().execute(sql, *values)  # type: ignore[arg-type]
        type(self).step()
        cursor = super().execute(sql, *values)  # type: ignore[arg-type]
        type(self).step()
        return cursor


def run_killed_at(point: int, action: Callable[[], None]) -> bool:
    """Runs the action in a child that dies at its `point`-th writing call; False where it lived to the end."""
    child = os.fork()
    if child == 0:
        try:
            _count_down(point)
            action()
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED), f"the child failed at point {point}"
    return code == KILLED


def _count_down(point: int) -> None:
    """In the child alone: wraps the calls that touch the disk."""
    left = [point]
    real_write, connect = os.write, sqlite3.connect

    def step() -> None:
        left[0] -= 1
        if left[0] == 0:
            os._exit(KILLED)

    def wrap(real: Callable[..., object]) -> Callable[..., object]:
        def call(*values: object, **named: object) -> object:
            step()
            return real(*values, **named)

        return call

    def write(opened: int, data: memoryview) -> int:
        if left[0] == 1:
            real_write(opened, data[: len(data) // 2])
        step()
        return real_write(opened, data)

    for name in CALLS:
        setattr(os, name, wrap(getattr(os, name)))
    os.write = write  # type: ignore[assignment]
    _Commits.step = staticmethod(step)  # type: ignore[method-assign, assignment]
    sqlite3.connect = lambda *v, **n: connect(*v, factory=_Commits, **n)  # type: ignore[assignment]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tree, Path, Tree]:
    """A workspace before and after the approval, to copy from; with what each holds."""
    root = tmp_path_factory.mktemp("pristine")
    before = Workspace(root / "before")
    before.fill()
    shutil.copytree(before.root, root / "after")
    after = Workspace(root / "after")
    after.approve()
    assert before.facts() == OLD
    assert after.facts() == APPROVED
    return before.root, before.tree(), after.root, after.tree()


def fresh(source: Path, tmp_path: Path, name: str) -> Workspace:
    shutil.copytree(source, tmp_path / name)
    return Workspace(tmp_path / name)


def look(workspace: Workspace, old: tuple[Tree, tuple[str, ...]], new: tuple[Tree, tuple[str, ...]]) -> bool:
    """All old or all new, folders too, and nothing else; True for new."""
    tree, facts = workspace.tree(), workspace.facts()
    assert (tree, facts) in (old, new)
    assert sorted(path.name for path in workspace.root.iterdir()) == ["memory", "spool", "state"]
    assert (workspace.memory / "people/lina.md").stat().st_mode & 0o777 == 0o640
    return (tree, facts) == new


def test_a_kill_at_any_point_of_an_approval_leaves_all_old_or_all_new(
    pristine: tuple[Path, Tree, Path, Tree], tmp_path: Path
) -> None:
    source, before, _, after = pristine
    point, results = 0, []
    killed = True
    while killed:
        point += 1
        workspace = fresh(source, tmp_path, str(point))
        killed = run_killed_at(point, workspace.approve)
        workspace.recover()
        results.append(look(workspace, (before, OLD), (after, APPROVED)))
    print(f"{point - 1} kill points")
    assert point > 30
    assert results == sorted(results), "from the commit of the intent on, it is always new"
    assert results[0] is False
    assert results[-1] is True


def test_a_kill_at_any_point_of_an_undo_leaves_all_new_or_all_old(
    pristine: tuple[Path, Tree, Path, Tree], tmp_path: Path
) -> None:
    _, before, source, after = pristine
    point, results = 0, []
    killed = True
    while killed:
        point += 1
        workspace = fresh(source, tmp_path, str(point))
        killed = run_killed_at(point, workspace.undo)
        workspace.recover()
        results.append(look(workspace, (after, APPROVED), (before, UNDONE)))
    print(f"{point - 1} kill points")
    assert point > 30
    assert results == sorted(results)


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_recovery_may_be_killed_at_any_point_and_run_again(
    pristine: tuple[Path, Tree, Path, Tree], tmp_path: Path, share: float
) -> None:
    source, before, _, after = pristine
    points = 1
    while run_killed_at(points, fresh(source, tmp_path, f"count{points}").approve):
        points += 4
    torn = fresh(source, tmp_path, "torn")
    assert run_killed_at(max(1, int(points * share)), torn.approve)
    point, killed = 0, True
    while killed:
        point += 1
        workspace = fresh(torn.root, tmp_path, str(point))
        killed = run_killed_at(point, workspace.recover)
        workspace.recover()
        look(workspace, (before, OLD), (after, APPROVED))


def test_a_recovery_killed_again_and_again_gets_there(
    pristine: tuple[Path, Tree, Path, Tree], tmp_path: Path
) -> None:
    source, _, _, after = pristine
    workspace = fresh(source, tmp_path, "again")
    point = 8  # the intent is committed by then
    while run_killed_at(point, workspace.approve if point == 8 else workspace.recover):
        point += 1
    workspace.recover()
    assert workspace.tree() == after
    assert workspace.facts() == APPROVED


def _strace_works() -> bool:
    if shutil.which("strace") is None:
        return False
    tried = subprocess.run(["strace", "-e", "trace=none", "true"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.mark.skipif(not _strace_works(), reason="strace is not installed, or may not trace")
@pytest.mark.parametrize(
    ("call", "when"),
    [
        ("fdatasync", 1),
        ("fdatasync", 2),
        ("pwrite64", 3),
        ("pwrite64", 6),
        ("pwrite64", 9),
        ("fsync", 4),
        ("renameat", 1),
        ("linkat", 1),
        ("unlinkat", 2),
        ("unlink", 1),
    ],
)
def test_a_kill_inside_a_system_call_of_sqlite_too_leaves_all_old_or_all_new(
    pristine: tuple[Path, Tree, Path, Tree], tmp_path: Path, call: str, when: int
) -> None:
    source, before, _, after = pristine
    workspace = fresh(source, tmp_path, "traced")
    code = (
        "import sys, pathlib; sys.path[:0] = sys.argv[2:]\n"
        "from test_storage_kills import Workspace; Workspace(pathlib.Path(sys.argv[1])).approve()"
    )
    traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    inject = ["-e", f"inject={call}:signal=KILL:when={when}"]
    child = [sys.executable, "-c", code, str(workspace.root), str(Path(__file__).parent), *sys.path]
    done = subprocess.run([*traced, *inject, *child], capture_output=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL, 128 + signal.SIGKILL), done.stderr.decode()
    workspace.recover()
    look(workspace, (before, OLD), (after, APPROVED))
