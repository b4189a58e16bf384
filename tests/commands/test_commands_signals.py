"""Commands that are told to end, stopped or left without a terminal: nothing half done, the queue stays."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from tests.commands.test_commands_recovering import LATER, RUN, UPDATE, cut_short
from tests.faults.harm import has_strace, memtui_under
from tests.support import allow_without_terminal, memtui, snapshot

NOTE = {"operation": "write", "id": "it", "path": "it.md", "summary": "s", "content": "c\n"}
QUESTION = b"[y/N] "
ENDS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL]
GOES_AWAY = None
"""In place of a signal: the terminal is closed."""


class OnTerminal:
    """A command on a terminal of its own."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process, self.terminal, self.seen = process, terminal, b""

    def until(self, test: Callable[[], object]) -> None:
        end = time.monotonic() + 60
        while not test():
            assert time.monotonic() < end, self.seen
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.seen += os.read(self.terminal, 65536)

    def ended(self) -> int:
        end = time.monotonic() + 60
        while self.process.poll() is None:
            assert time.monotonic() < end, "it does not end"
            if self.terminal >= 0 and select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.terminal, 65536)
                except OSError:  # nobody has it open any more
                    self.process.wait(60)
        return self.process.returncode

    def pause(self) -> None:
        """Stopped as `kill -STOP` does it: a leader of its session cannot be stopped by ctrl+z."""
        self.process.send_signal(signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(self.process.pid, os.WUNTRACED)[1])
        self.process.send_signal(signal.SIGCONT)

    def hang_up(self) -> None:
        """The terminal goes away."""
        os.close(self.terminal)
        self.terminal = -1


@contextmanager
def begun(workspace: Workspace, *args: str, until: bytes) -> Iterator[OnTerminal]:
    """A command, once its terminal shows `until`."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", *args, "--workspace", str(workspace.root)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    command = OnTerminal(process, ours)
    try:
        command.until(lambda: until in command.seen)
        yield command
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if command.terminal >= 0:
            os.close(ours)


def asking(workspace: Workspace, *args: str) -> AbstractContextManager[OnTerminal]:
    """`approve` or another command, once it asks."""
    return begun(workspace, *args, until=QUESTION)


@pytest.fixture
def waiting(workspace: Workspace) -> Workspace:
    with Desk(workspace) as desk:
        desk.propose(json.dumps(NOTE).encode())
    return workspace


def still_waits(workspace: Workspace, before: object) -> bool:
    """The old bytes and the queue are there, and the next yes is taken."""
    assert snapshot(workspace.memory) == before
    assert memtui("decision", "it", "--workspace", workspace.root).status == 4
    return decides(workspace, "approve")


# --- at a question --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ENDS)
def test_one_that_is_told_to_end_at_its_question_decides_nothing(
    waiting: Workspace, number: signal.Signals
) -> None:
    before = snapshot(waiting.memory)
    with asking(waiting, "approve", "it") as command:
        command.process.send_signal(number)
        assert command.ended() in (-number, 128 + number)
        assert b"Traceback" not in command.seen
    assert still_waits(waiting, before)


def test_a_terminal_that_goes_away_is_no_yes(waiting: Workspace) -> None:
    before = snapshot(waiting.memory)
    with asking(waiting, "approve", "it") as command:
        command.hang_up()
        assert command.ended() != 0
    assert still_waits(waiting, before)


def test_one_that_is_stopped_and_goes_on_takes_the_answer(waiting: Workspace) -> None:
    with asking(waiting, "approve", "it") as command:
        command.pause()
        os.write(command.terminal, b"y\n")
        assert command.ended() == 0
    assert (waiting.memory / "it.md").exists()


@pytest.fixture
def stopped(workspace: Workspace) -> Workspace:
    """A decision that was cut short, and whose note was then changed by hand."""
    cut_short(workspace, UPDATE, "rename")
    (workspace.memory / RUN).write_text("by hand\n")
    return workspace


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, GOES_AWAY])
def test_recover_that_ends_at_its_question_settles_nothing(
    stopped: Workspace, number: signal.Signals | None
) -> None:
    before = snapshot(stopped.memory)
    with begun(stopped, "recover", until=LATER) as command:
        if number is GOES_AWAY:
            command.hang_up()
        else:
            command.process.send_signal(number)
        assert command.ended() != 0 or number is GOES_AWAY
        assert b"Traceback" not in command.seen
    assert snapshot(stopped.memory) == before
    with Desk(stopped) as desk:
        [waits] = desk.stopped
        assert desk.resolve(waits.record, "ours").ok


def test_recover_that_is_stopped_and_goes_on_takes_the_answer(stopped: Workspace) -> None:
    with begun(stopped, "recover", until=LATER) as command:
        command.pause()
        os.write(command.terminal, b"k\n")
        assert command.ended() == 0
    assert (stopped.memory / RUN).read_text() == "by hand\n"


# --- while it waits ------------------------------------------------------------------------------


@contextmanager
def proposing(workspace: Workspace) -> Iterator[OnTerminal]:
    """`propose --wait`, once its proposal waits."""
    note = workspace.root.parent / "it.json"
    note.write_text(json.dumps(NOTE))
    with begun(workspace, "propose", str(note), "--wait", "60", until=b"") as command:
        command.until(lambda: (workspace.spool / "it.json").exists() and Desk(workspace).journal.waits("it"))
        yield command


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, GOES_AWAY])
def test_a_proposal_stays_where_the_one_that_waits_for_it_ends(
    workspace: Workspace, number: signal.Signals | None
) -> None:
    with proposing(workspace) as command:
        if number is GOES_AWAY:
            command.hang_up()
        else:
            command.process.send_signal(number)
        assert command.ended() != 0
        assert b"Traceback" not in command.seen
    assert decides(workspace, "approve")


def test_one_that_waits_is_stopped_goes_on_and_gets_the_answer(workspace: Workspace) -> None:
    with proposing(workspace) as command:
        command.pause()
        assert decides(workspace, "approve")
        assert command.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, GOES_AWAY])
def test_watch_that_ends_leaves_the_queue(waiting: Workspace, number: signal.Signals | None) -> None:
    with begun(waiting, "watch", until=b"watching") as command:
        command.pause()
        if number is GOES_AWAY:
            command.hang_up()
        else:
            command.process.send_signal(number)
        ended = command.ended()
        assert (ended == 0) == (number == signal.SIGTERM)
        assert b"Traceback" not in command.seen
    assert decides(waiting, "approve")


# --- in the middle of the work -------------------------------------------------------------------


def decides(workspace: Workspace, what: str) -> bool:
    """The next one does it, whatever the one before left."""
    with Desk(workspace) as desk:
        desk.take_in(wait=True)
        if what == "undo":
            number = desk.journal.undoable()
            return number is None or desk.undo(number).ok
        if "it" not in {item.id for item in desk.items()}:
            return desk.journal.latest_item("it") is not None
        if what == "reject":
            return desk.reject("it", "r").ok
        return desk.approve("it", desk.preview("it").plan.hash).ok


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
@pytest.mark.parametrize(
    "args",
    [("approve", "it"), ("reject", "it", "--reason", "r"), ("undo",), ("propose", "it.json")],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("call", "number"),
    [
        ("fdatasync:when=2", signal.SIGHUP),
        ("renameat:when=1", signal.SIGTERM),
        ("renameat:when=1", signal.SIGINT),
        ("unlinkat:when=1", signal.SIGINT),
    ],
)
def test_one_that_is_told_to_end_in_the_middle_leaves_all_old_or_all_new(
    workspace: Workspace, args: tuple[str, ...], number: signal.Signals, call: str
) -> None:
    allow_without_terminal()
    (workspace.root / "it.json").write_text(json.dumps(NOTE))
    old = snapshot(workspace.memory)
    with Desk(workspace) as desk:
        if args[0] != "propose":
            desk.propose(json.dumps(NOTE).encode())
    if args[0] == "undo":
        assert decides(workspace, "approve")
    name, when = call.split(":")
    harm = ["-e", f"trace={name}", "-e", f"inject={name}:signal={number.name}:{when}"]
    traced = memtui_under(harm, *args, "--workspace", str(workspace.root), cwd=workspace.root)
    assert traced.returncode in (0, -number, 128 + number)
    assert "Traceback" not in traced.stderr
    assert decides(workspace, args[0])
    wanted = {"approve": True, "undo": False, "reject": False, "propose": True}[args[0]]
    assert (workspace.memory / "it.md").exists() == wanted
    assert {name: kept for name, kept in snapshot(workspace.memory).items() if name != "it.md"} == old
    assert not list(workspace.root.rglob(".memtui-*"))
