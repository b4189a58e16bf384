"""A disk that refuses: no permission, or a limit on what may be written. Old bytes or new, and one sentence."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.config import Workspace, init
from memtui.desk import Desk
from memtui.notes.folder import clip
from tests.faults.harm import has_strace, memtui_under
from tests.support import DEMO, Ran, allow_without_terminal, memtui_here, snapshot

NOTE = {
    "operation": "write",
    "id": "it",
    "path": "people/lina.md",
    "summary": "s",
    "content": "new\n",
}
LONG = {**NOTE, "content": "new\n" * 9_000}
"""More than a file may have, or a small disk still has."""
_PLAIN = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""What makes root heed permissions."""
_ROOT = os.geteuid() == 0
needs_permissions = pytest.mark.skipif(
    _ROOT and shutil.which(_PLAIN[0]) is None, reason="root may write everywhere"
)


@pytest.fixture
def waiting(workspace: Workspace) -> Iterator[Workspace]:
    allow_without_terminal()
    for path in [workspace.memory, *workspace.memory.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)
    with Desk(workspace) as desk:
        desk.propose(json.dumps(NOTE).encode())
    modes = {path: path.stat().st_mode for path in [workspace.root, *workspace.root.rglob("*")]}
    yield workspace
    for path, mode in modes.items():
        if path.exists():
            path.chmod(mode)


def approves(workspace: Workspace) -> bool:
    """Whether it is approved, now that the disk is mended."""
    return memtui_here("approve", "it", "--workspace", workspace.root).status == 0


def run(workspace: Workspace, *args: str, most: int | None = None, cwd: Path | None = None) -> Ran:
    """As somebody who has to heed permissions; `most`: bytes that any file may have."""

    def limit() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    command = [*(_PLAIN if _ROOT else ()), sys.executable, "-m", "memtui", *args]
    done = subprocess.run(
        [*command, "--workspace", str(workspace.root)],
        capture_output=True,
        preexec_fn=limit,
        cwd=cwd,
        timeout=60,
    )
    assert b"Traceback" not in done.stderr
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@needs_permissions
@pytest.mark.parametrize(
    ("place", "mode", "said"),
    [
        ("memory/people", 0o555, "There is no permission to write people/lina.md."),
        ("memory/people", 0, "people/lina.md cannot be read: permission denied"),
        ("memory/people/lina.md", 0, "people/lina.md cannot be read: permission denied"),
        ("memory", 0, "cannot be opened: permission denied"),
        (".memtui/journal.db", 0o444, "readonly database"),
        (".memtui/journal.db", 0, "unable to open"),
        (".memtui/spool", 0, ""),
        (".memtui", 0, "permission denied"),
    ],
)
def test_without_permission_nothing_changes_and_it_is_said(
    waiting: Workspace, place: str, mode: int, said: str
) -> None:
    note = waiting.memory / "people/lina.md"
    before = note.read_bytes()
    (waiting.root / place).chmod(mode)
    ran = run(waiting, "approve", "it")
    assert ran.status == 1
    assert said in ran.err
    assert ran.err.count("\n") == 1
    for path in (waiting.dot, waiting.spool, waiting.root / place, *waiting.dot.glob("journal.db-*")):
        path.chmod(0o700)
    assert note.read_bytes() == before
    assert approves(waiting)
    assert b"new\n" in note.read_bytes()


@needs_permissions
@pytest.mark.parametrize(("place", "told"), [(".memtui/spool", True), (".memtui/spool/decisions", False)])
def test_a_decision_that_stands_is_told_later_where_the_spool_refuses(
    waiting: Workspace, place: str, told: bool
) -> None:
    (waiting.root / place).chmod(0o555)
    ran = run(waiting, "approve", "it")
    assert (ran.status, ran.err) == (0, "")
    assert ("its agent could not be told yet: " in ran.out) == (not told)
    assert ("its agent was told, but the file in the spool is taken away later: " in ran.out) == told
    assert (waiting.decisions / "it.json").exists() == told
    assert b"new\n" in (waiting.memory / "people/lina.md").read_bytes()
    (waiting.root / place).chmod(0o700)
    assert memtui_here("recover", "--workspace", waiting.root).status == 0
    assert memtui_here("decision", "it", "--workspace", waiting.root).status == 0
    assert [path.name for path in waiting.spool.iterdir()] == ["decisions"]


@needs_permissions
@pytest.mark.parametrize("command", ["list", "check"])
def test_a_memory_folder_that_may_not_be_read_is_named(waiting: Workspace, command: str) -> None:
    waiting.memory.chmod(0)
    ran = run(waiting, command)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"memtui: {clip(str(waiting.memory))} cannot be read: permission denied.\n"


def test_where_little_may_be_written_it_is_all_or_nothing(workspace: Workspace) -> None:
    make_ready(workspace, "approve")
    note = workspace.memory / "people/lina.md"
    before = note.read_bytes()
    for most in range(0, 130_000, 26_000):
        ran = run(workspace, "approve", "it", most=most)
        now = note.read_bytes()
        assert now == before or now.count(b"new\n") == 9_000
        assert (ran.status == 0) <= (now != before)
        assert ran.err.count("\n") <= 2
    memtui_here("recover", "--workspace", workspace.root)
    approves(workspace)
    assert note.read_bytes().count(b"new\n") == 9_000
    assert not list(workspace.root.rglob(".memtui-*"))


def test_a_state_folder_that_is_full_of_something_else_is_said(waiting: Workspace, tmp_path: Path) -> None:
    """The journal's log is a folder: nothing is lost, and nothing is written besides."""
    (waiting.dot / "journal.db-wal").unlink(missing_ok=True)
    (waiting.dot / "journal.db-wal").mkdir()
    ran = run(waiting, "approve", "it")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    (waiting.dot / "journal.db-wal").rmdir()
    assert approves(waiting)


# --- no space, no permission: every deciding command ------------------------------------------------

ACTS = [("approve", "it"), ("reject", "it", "--reason", "r"), ("undo",), ("propose", "other.json")]


def make_ready(workspace: Workspace, act: str) -> None:
    """It waits, or is approved where it is to be undone; a draft is kept; another proposal lies ready."""
    allow_without_terminal()
    for path in [workspace.memory, *workspace.memory.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)
    (workspace.root / "other.json").write_text(json.dumps({**LONG, "id": "other"}))
    with Desk(workspace) as desk:
        desk.propose(json.dumps({**NOTE, "id": "waits", "path": "waits.md"}).encode())
        desk.propose(json.dumps(LONG).encode())
        desk.journal.save_draft("waits", "half a thought")
        if act == "undo":
            assert desk.approve("it", desk.preview("it").plan.hash).ok


def fails_and_keeps_all(workspace: Workspace, args: tuple[str, ...]) -> None:
    """Exit 1 and one sentence."""
    before = snapshot(workspace.memory)
    ran = run(workspace, *args, cwd=workspace.root)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.count("\n") == 1, ran.err
    assert "a fault of memtui" not in ran.err
    assert snapshot(workspace.memory) == before


def works_again(workspace: Workspace, args: tuple[str, ...]) -> None:
    """The very same command; queue and draft are as they were."""
    with contextlib.chdir(workspace.root):
        ran = memtui_here(*args, "--workspace", workspace.root)
    assert (ran.status, ran.err) == (0, "")
    with Desk(workspace) as desk:
        desk.take_in()
        assert desk.journal.draft("waits") == "half a thought"
        assert {"waits", *{"propose": ["it", "other"], "undo": ["it"]}.get(args[0], [])} == {
            item.id for item in desk.items()
        }
    assert (b"new\n" in (workspace.memory / "people/lina.md").read_bytes()) == (args[0] == "approve")
    assert not list(workspace.root.rglob(".memtui-*"))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace on a small disk of its own."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)]
    if not _ROOT or shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk may not be mounted here")
    try:
        shutil.copytree(DEMO / "memory", place / "memory")
        yield init(place)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(disk: Path, leaving: int = 0) -> Path:
    """Takes what is left of a disk, to the last byte, or to so many."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as opened, contextlib.suppress(OSError):
        while True:
            opened.write(bytes(4_096))
    os.truncate(ballast, max(ballast.stat().st_size - leaving, 0))
    return ballast


@pytest.mark.parametrize("args", ACTS, ids=" ".join)
def test_on_a_full_disk_nothing_changes_and_it_works_once_there_is_space(
    small: Workspace, args: tuple[str, ...]
) -> None:
    make_ready(small, args[0])
    ballast = fill(small.root)
    fails_and_keeps_all(small, args)
    ballast.unlink()
    works_again(small, args)


@pytest.mark.parametrize("leaving", range(0, 65_536, 12_288))
@pytest.mark.parametrize("args", ACTS[:3], ids=" ".join)
def test_a_disk_with_too_little_room_is_called_full(
    small: Workspace, args: tuple[str, ...], leaving: int
) -> None:
    make_ready(small, args[0])
    ballast = fill(small.root, leaving)
    ran = run(small, *args)
    assert ran.status == 1
    assert "he disk is full" in ran.err
    assert "What was begun" not in ran.err
    ballast.unlink()
    with Desk(small) as desk:
        assert (desk.recovered, desk.journal.unfinished()) == ((), ())
    works_again(small, args)


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
@pytest.mark.parametrize("calls", ["pwrite64", "fsync,fdatasync"])
@pytest.mark.parametrize("args", ACTS, ids=" ".join)
def test_a_quota_that_is_used_up_is_called_so(
    workspace: Workspace, args: tuple[str, ...], calls: str
) -> None:
    """SQLite itself calls it a disk I/O error."""
    make_ready(workspace, args[0])
    before = snapshot(workspace.memory)
    harm = ["-e", f"trace={calls}", "-e", f"inject={calls}:error=EDQUOT"]
    done = memtui_under(harm, *args, cwd=workspace.root)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "quota is used up" in done.stderr
    assert snapshot(workspace.memory) == before
    works_again(workspace, args)


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
@pytest.mark.parametrize("args", ACTS[:3], ids=" ".join)
def test_after_a_sync_of_the_journal_that_failed_nothing_is_written(
    workspace: Workspace, tmp_path: Path, args: tuple[str, ...]
) -> None:
    make_ready(workspace, args[0])
    before = snapshot(workspace.memory)
    log = workspace.state / "journal.db-wal"
    harm = ["-P", str(log), "-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=1"]
    unknown = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "unknown")}  # the journal is signed anew
    done = memtui_under(harm, *args, cwd=workspace.root, env=unknown)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "did not confirm a write to the journal" in done.stderr
    assert snapshot(workspace.memory) == before
    works_again(workspace, args)


@pytest.mark.parametrize("args", ACTS[:3], ids=" ".join)
def test_a_limit_on_what_a_file_may_have_is_called_so(workspace: Workspace, args: tuple[str, ...]) -> None:
    make_ready(workspace, args[0])
    before = snapshot(workspace.memory)
    ran = run(workspace, *args, most=10_000)
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "A file may not become that large here (ulimit -f)" in ran.err
    assert snapshot(workspace.memory) == before
    works_again(workspace, args)


@pytest.mark.parametrize("args", ACTS[:3], ids=" ".join)
def test_a_file_system_that_is_read_only_is_called_so(small: Workspace, args: tuple[str, ...]) -> None:
    make_ready(small, args[0])
    remount = ["mount", "-o", "remount,{}", str(small.root)]
    subprocess.run([part.format("ro") for part in remount], check=True)
    try:
        ran = run(small, *args)
    finally:
        subprocess.run([part.format("rw") for part in remount], check=True)
    assert ran.status == 1
    assert f"The file system that holds {small.dot / 'journal.db'} is read-only" in ran.err
    assert "permission" not in ran.err
    assert "What was begun" not in ran.err
    works_again(small, args)


@needs_permissions
@pytest.mark.parametrize("args", ACTS, ids=" ".join)
def test_where_the_folder_may_only_be_read_nothing_changes_and_it_works_once_it_may_be_written(
    workspace: Workspace, args: tuple[str, ...]
) -> None:
    make_ready(workspace, args[0])
    everything = [workspace.root, *workspace.root.rglob("*")]
    modes = {path: path.stat().st_mode for path in everything}
    try:
        for path in everything:
            path.chmod(0o555 if path.is_dir() else 0o444)
        fails_and_keeps_all(workspace, args)
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    works_again(workspace, args)


@needs_permissions
@pytest.mark.parametrize(("place", "mode"), [("it.json", 0), (".", 0), (".", 0o444)])
def test_a_proposal_that_cannot_be_read_for_a_while_waits_on(
    waiting: Workspace, place: str, mode: int
) -> None:
    (waiting.spool / place).chmod(mode)
    ran = run(waiting, "inbox")
    assert "permission denied" in ran.out + ran.err
    assert run(waiting, "decision", "it").status == 4
    ran = run(waiting, "approve", "it")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "it" in ran.err
    assert "cannot be read" in ran.err
    (waiting.spool / place).chmod(0o700)
    assert approves(waiting)


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
@pytest.mark.parametrize("call", ["getdents64", "openat", "read", "newfstatat"])
def test_a_disk_that_fails_under_the_spool_withdraws_nothing(waiting: Workspace, call: str) -> None:
    only = ["-P", str(waiting.spool), "-P", str(waiting.spool / "it.json")]
    harm = ["-e", f"trace={call}", "-e", f"inject={call}:error=EIO"]
    done = memtui_under([*only, *harm], "inbox", "--workspace", str(waiting.root), cwd=waiting.root)
    assert "Traceback" not in done.stderr
    with Desk(waiting) as desk:
        desk.take_in()
        assert [item.id for item in desk.items()] == ["it"]
    assert not list(waiting.decisions.iterdir())
