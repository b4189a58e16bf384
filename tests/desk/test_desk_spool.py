"""The spool loses nothing: whatever stands in it is taken in, or listed with a reason and left as it is."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk, DeskError
from memtui.storage.schema import TABLES
from tests.support import decision, memtui

NOTE = {"operation": "write", "path": "ok.md", "summary": "s", "content": "c\n"}
WHOLE = json.dumps(NOTE).encode()
YAML = b"operation: write\npath: ok.md\nsummary: s\ncontent: c\n"


@pytest.fixture
def clock() -> list[float]:
    """The desk's clock: one place, in Unix seconds."""
    return [1_700_000_000.0]


@pytest.fixture
def timed(workspace: Workspace, clock: list[float]) -> Iterator[Desk]:
    with Desk(workspace, now=lambda: clock[0]) as desk:
        yield desk


def put(workspace: Workspace, name: str, data: bytes, at: float = 1.0) -> Path:
    """In place, as an agent does that knows no better; last written at `at`."""
    path = workspace.spool / name
    path.write_bytes(data)
    os.utime(path, (at, at))
    return path


def ids(desk: Desk) -> list[str]:
    return [item.id for item in desk.items()]


def aside(desk: Desk) -> dict[str, str]:
    return {r.file: r.problems[0].message for r in desk.refusals() if r.verdict == "unreadable"}


# --- written in place ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("a.json", WHOLE),
        ("a.yaml", YAML),
        ("a.md", b"---\n" + YAML.removesuffix(b"content: c\n") + b"---\nc\n"),
    ],
)
def test_a_file_written_slowly_in_place_counts_once_and_whole(
    timed: Desk, workspace: Workspace, clock: list[float], name: str, whole: bytes
) -> None:
    for end in range(0, len(whole), 7):
        put(workspace, name, whole[:end], clock[0])
        clock[0] += 0.5
        timed.take_in()
        assert (ids(timed), timed.refusals()) == ([], ())
        assert timed.unsettled
    put(workspace, name, whole, clock[0])
    clock[0] += 1.5
    timed.take_in()
    assert ids(timed) == ["a"]
    assert timed.preview("a").files[0][3].endswith(b"c\n")  # type: ignore[union-attr]


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell who writes")
@pytest.mark.parametrize(("name", "whole"), [("it.json", WHOLE), ("it.yaml", YAML)])
@pytest.mark.parametrize("rewrites", [False, True], ids=["goes on", "begins anew"])
def test_one_that_is_still_open_is_not_cut_off_while_its_writer_rests(
    timed: Desk, workspace: Workspace, clock: list[float], name: str, whole: bytes, rewrites: bool
) -> None:
    with (workspace.spool / name).open("wb", buffering=0) as writer:
        writer.write(whole[:36])
        os.utime(writer.fileno(), (clock[0] - 30, clock[0] - 30))
        timed.take_in()
        assert timed.unsettled
        if rewrites:
            writer.seek(0)
            writer.truncate()
        writer.write(whole if rewrites else whole[36:])
        os.utime(writer.fileno(), (clock[0] - 30, clock[0] - 30))
    timed.take_in()
    assert ids(timed) == ["it"]
    assert timed.refusals() == ()


def test_one_that_is_open_for_good_is_answered_after_a_minute(
    timed: Desk, workspace: Workspace, clock: list[float]
) -> None:
    with (workspace.spool / "it.json").open("wb", buffering=0) as writer:
        writer.write(WHOLE[:36])
        os.utime(writer.fileno(), (clock[0] - 61, clock[0] - 61))
        timed.take_in()
    assert not timed.unsettled
    assert [refusal.verdict for refusal in timed.refusals()] == ["refused"]


def test_a_half_written_file_that_stays_so_is_answered_and_its_bytes_are_kept(
    timed: Desk, workspace: Workspace, clock: list[float]
) -> None:
    put(workspace, "a.json", WHOLE[:-5], clock[0])
    timed.take_in()
    assert timed.refusals() == ()
    clock[0] += 1.5
    timed.take_in()
    [refusal] = timed.refusals()
    assert (refusal.verdict, refusal.text) == ("refused", WHOLE[:-5].decode())
    assert decision(workspace, "a")["verdict"] == "refused"


def test_one_renamed_over_it_wants_a_new_look(desk: Desk, workspace: Workspace) -> None:
    put(workspace, "a.json", WHOLE)
    desk.take_in()
    seen = desk.preview("a")
    put(workspace, ".new", json.dumps({**NOTE, "content": "other\n"}).encode()).rename(
        workspace.spool / "a.json"
    )
    assert not desk.approve("a", seen.plan.hash).ok
    desk.take_in()
    assert "changed" in [notice.kind for notice in desk.preview("a").plan.notices]
    assert desk.approve("a", desk.preview("a").plan.hash).ok
    assert (workspace.memory / "ok.md").read_text().endswith("other\n")


def test_files_that_come_and_go_while_they_are_read_harm_nothing(desk: Desk, workspace: Workspace) -> None:
    stop = threading.Event()

    def come_and_go() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            path = put(
                workspace, f"gone{number % 7}.json", json.dumps({**NOTE, "path": f"{number}.md"}).encode()
            )
            path.unlink(missing_ok=True)

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        for number in range(40):
            put(workspace, f"stays{number}.json", json.dumps({**NOTE, "path": f"stays/{number}.md"}).encode())
            desk.take_in()
    finally:
        stop.set()
        thread.join()
    for path in workspace.spool.glob("gone*.json"):
        path.unlink()
    desk.take_in()
    assert sorted(ids(desk)) == sorted(f"stays{number}" for number in range(40))


# --- what is no proposal -------------------------------------------------------------------------


def test_what_is_no_plain_file_is_listed_and_left_as_it_is(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = workspace.spool
    put(workspace, "real.json", WHOLE)
    (spool / "folder.json").mkdir()
    os.mkfifo(spool / "pipe.json")
    (spool / "link.json").symlink_to("real.json")
    (spool / "out.json").symlink_to("/etc/passwd")
    (spool / "loop.json").symlink_to("loop.json")
    with (spool / "sparse.json").open("wb") as sparse:
        sparse.truncate(5 * 2**30)
    put(workspace, "notes.txt", b"hello")
    put(workspace, "esc\x1b[31m\n.txt", b"hello")
    Path(os.fsdecode(os.fsencode(spool) + b"/caf\xe9.json")).write_bytes(WHOLE)
    monkeypatch.chdir(spool)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.json")
    before = sorted(os.listdir(spool))
    ran = memtui("inbox", "--json", "--workspace", workspace.root)
    assert ran.status == 0
    listed = {
        row["file"]: (row["state"], row["problems"][0]["message"]) for row in ran.json if row["problems"]
    }
    reasons = {
        "folder.json": "folder",
        "pipe.json": "named pipe",
        "link.json": "symbolic link",
        "out.json": "symbolic link",
        "loop.json": "symbolic link",
        "sock.json": "socket",
        "sparse.json": "1 MiB",
        "notes.txt": "must end in",
        "esc\x1b[31m\n.txt": "must end in",
        os.fsdecode(b"caf\xe9.json"): "UTF-8",
    }
    assert listed.keys() == reasons.keys()
    for name, (state, message) in listed.items():
        assert state == "unreadable"
        assert reasons[name] in message
    assert [row["state"] for row in ran.json] == ["pending", *["unreadable"] * len(reasons)]
    ran = memtui("inbox", "--workspace", workspace.root)
    assert "\x1b" not in ran.out
    assert len(ran.out.splitlines()) == 2 + 2 * len(reasons)
    assert memtui("status", "--json", "--workspace", workspace.root).json == {
        "pending": 1,
        "refused": 0,
        "unreadable": len(reasons),
        "screen": "built-in rules alone: MEMTUI_SCANNER is off",
    }
    assert sorted(os.listdir(spool)) == before


@pytest.mark.skipif(sys.platform != "linux", reason="leases are Linux's")
def test_one_that_cannot_be_read_now_is_listed_and_read_later(desk: Desk, workspace: Workspace) -> None:
    path = put(workspace, "held.json", WHOLE)
    put(workspace, "free.json", json.dumps({**NOTE, "path": "free.md"}).encode())
    with _leased(path):
        desk.take_in()
        assert ids(desk) == ["free"]
        assert list(aside(desk)) == ["held.json"]
        assert aside(desk)["held.json"].startswith("It cannot be read: ")
        desk.take_in()
        assert list(aside(desk)) == ["held.json"]
    desk.take_in()
    assert (sorted(ids(desk)), aside(desk)) == (["free", "held"], {})


@contextmanager
def _leased(path: Path) -> Iterator[None]:
    """While another one holds a lease on it, a file cannot be opened without waiting, not even by root."""
    code = (
        "import fcntl, os, signal, sys\n"
        "signal.signal(signal.SIGIO, signal.SIG_IGN)\n"
        "opened = os.open(sys.argv[1], os.O_RDWR)\n"
        "fcntl.fcntl(opened, fcntl.F_SETLEASE, fcntl.F_WRLCK)\n"
        "print(flush=True)\n"
        "sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    if not holder.stdout.readline():
        holder.wait()
        pytest.skip("this disk knows no leases")
    try:
        yield
    finally:
        holder.communicate()


@pytest.mark.parametrize(
    "name", ["new\nline.json", "esc\x1b]0;x\x07.json", "tab\t.yaml", "‮rtl.json", "a b; rm -rf.json"]
)
def test_any_name_that_is_text_is_taken_in_decided_and_removed(
    desk: Desk, workspace: Workspace, name: str
) -> None:
    put(workspace, name, YAML if name.endswith("yaml") else WHOLE)
    desk.take_in()
    [item] = desk.items()
    assert desk.approve(item.id, desk.preview(item.id).plan.hash).ok
    assert decision(workspace, item.id)["verdict"] == "approved"
    assert os.listdir(workspace.spool) == ["decisions"]


# --- the spool itself ----------------------------------------------------------------------------


def test_a_spool_that_is_removed_and_made_again_goes_on(desk: Desk, workspace: Workspace) -> None:
    put(workspace, "a.json", WHOLE)
    desk.take_in()
    shutil.rmtree(workspace.spool)
    desk.take_in()
    assert "missing" in next(iter(aside(desk).values()))
    workspace.spool.mkdir()
    put(workspace, "b.json", json.dumps({**NOTE, "path": "b.md"}).encode())
    desk.take_in()
    assert ids(desk) == ["b"]
    assert desk.approve("b", desk.preview("b").plan.hash).ok
    desk.take_in()
    assert decision(workspace, "a")["verdict"] == "withdrawn"


def test_an_answer_that_cannot_be_written_leaves_the_file_listed(desk: Desk, workspace: Workspace) -> None:
    put(workspace, "bad.json", b'{"operation": "write"}')
    put(workspace, "good.json", WHOLE)
    with _read_only(workspace.spool):
        desk.take_in()
        assert ids(desk) == ["good"]
        assert "read-only" in aside(desk)["bad.json"]
        desk.take_in()
        assert "bad.json" in aside(desk)
    assert (workspace.spool / "bad.json").read_bytes() == b'{"operation": "write"}'
    desk.take_in()
    assert aside(desk) == {}
    assert decision(workspace, "bad")["verdict"] == "refused"
    assert [row.id for row in desk.log()] == ["bad"]


@contextmanager
def _read_only(path: Path) -> Iterator[None]:
    """The folder on a disk that takes no writes."""
    for command in (["mount", "--bind", path, path], ["mount", "-o", "remount,bind,ro", path]):
        if subprocess.run(command, capture_output=True).returncode:
            subprocess.run(["umount", path], capture_output=True)
            pytest.skip("only root may mount")
    try:
        yield
    finally:
        subprocess.run(["umount", path], check=True)


def test_a_journal_that_fails_meanwhile_loses_no_file(desk: Desk, workspace: Workspace) -> None:
    put(workspace, "a.json", WHOLE)
    desk.journal.drafts()  # opens it
    statements = [statement for statement in TABLES if "waiting" in statement]
    broken = sqlite3.connect(workspace.journal, isolation_level=None)
    broken.execute("DROP TABLE waiting")
    with pytest.raises(DeskError):
        desk.take_in()
    for statement in statements:
        broken.execute(statement)
    broken.close()
    desk.take_in()
    assert ids(desk) == ["a"]


# --- many ----------------------------------------------------------------------------------------


def test_a_burst_is_taken_in_step_by_step_in_the_order_of_its_files(
    desk: Desk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        put(
            workspace,
            f"p{number}.json",
            json.dumps({**NOTE, "path": f"n/{number}.md"}).encode(),
            at=1.0 + number,
        )
    seen: list[int] = []

    def look() -> None:
        seen.append(len(desk.items()))
        if len(seen) == 1:  # somebody decides while it is going on
            first = desk.items()[0].id
            assert desk.approve(first, desk.preview(first).plan.hash).ok

    monkeypatch.setattr("memtui.desk._STEP", 0.0)
    assert desk.take_in(told=look) == 60
    assert len(seen) == 59
    assert seen == sorted(seen)
    assert ids(desk) == [f"p{number}" for number in range(1, 60)]


def test_what_goes_away_and_comes_during_a_burst_is_noticed(
    desk: Desk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        put(
            workspace,
            f"p{number}.json",
            json.dumps({**NOTE, "path": f"n/{number}.md"}).encode(),
            at=1.0 + number,
        )
    steps = iter(range(100))

    def change() -> None:
        if next(steps) == 5:
            (workspace.spool / "p2.json").unlink()
            (workspace.spool / "p15.json").unlink()
            put(workspace, "p17.json", json.dumps({**NOTE, "path": "other.md"}).encode())
            put(workspace, "late.json", json.dumps({**NOTE, "path": "late.md"}).encode())

    monkeypatch.setattr("memtui.desk._STEP", 0.0)
    desk.take_in(told=change)
    desk.take_in()
    assert sorted(ids(desk)) == sorted([*(f"p{n}" for n in range(20) if n not in (2, 15)), "late"])
    assert desk.preview("p17").item.target == "other.md"
    assert decision(workspace, "p2")["verdict"] == "withdrawn"
    assert not (workspace.decisions / "p15.json").exists()


def test_another_thread_that_takes_in_is_not_waited_for(
    desk: Desk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        put(workspace, f"p{number}.json", json.dumps({**NOTE, "path": f"n/{number}.md"}).encode())
    monkeypatch.setattr("memtui.desk._STEP", 0.0)
    others: list[int] = []

    def elsewhere() -> None:
        thread = threading.Thread(target=lambda: others.append(desk.take_in()))
        thread.start()
        thread.join()

    assert desk.take_in(told=elsewhere) == 5
    assert set(others) == {0}
