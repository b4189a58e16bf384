"""`^z` gives the terminal back to the shell, and `fg` brings the app back as it was; so does a signal from outside."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memtui.config import Workspace
from tests.tui.driver import drop, write
from tests.tui.pty_driver import OnTerminal, keys_count_at_once, on_terminal

GIVEN_BACK = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[<u")
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no shell that knows jobs")


@pytest.fixture
def waiting(workspace: Workspace) -> Workspace:
    drop(workspace, "one", write("one.md"))
    drop(workspace, "two", write("two.md"))
    keys_count_at_once()
    return workspace


@contextmanager
def in_a_shell(
    workspace: Workspace, tmp_path: Path, *, below: bool = False
) -> Iterator[tuple[OnTerminal, int]]:
    """The app as a job of a shell, and its process; `below`: started by another program that waits for it."""
    started = tmp_path / "started"
    shell = ("bash", "--norc", "--noprofile", "-i")
    with on_terminal(workspace, env={"PS1": "shell> ", "HISTFILE": ""}, command=shell) as app:
        app.sees("shell>")
        memtui = f"{sys.executable} -m memtui --workspace {workspace.root}"
        line = f"bash -c 'echo $$ > {started}; {f'{memtui}; true' if below else f'exec {memtui}'}'"
        os.write(app.ours, f"{line}\r".encode())
        app.sees("a approve")
        yield app, int(started.read_text())


def comes_back(app: OnTerminal) -> None:
    """It is drawn anew, every key counts, and it ends as ever."""
    mark = len(app.raw)
    os.write(app.ours, b"fg\r")
    app.until(lambda: b"\x1b[?1049h" in app.raw[mark:])
    app.sees("a approve")
    app.until(lambda: app.is_raw)  # which comes after the first that it writes
    app.press_until("a", lambda: "approved" in app.text)
    app.send("ctrl+q")
    app.until(lambda: app.raw.rstrip().endswith(b"shell>"))
    os.write(app.ours, b"exit\r")
    assert app.ended(10) == 0


@needs_bash
@pytest.mark.parametrize("how", ["key", "signal"])
def test_it_rests_in_a_shell_and_comes_back(waiting: Workspace, tmp_path: Path, how: str) -> None:
    with in_a_shell(waiting, tmp_path, below=how == "key") as (app, process):
        mark = len(app.raw)
        if how == "key":
            app.send("\x1a")
        else:
            os.kill(process, signal.SIGTSTP)
        app.until(lambda: app.raw[mark:].rstrip().endswith(b"shell>"))
        assert "Stopped" in app.text
        assert all(sequence in app.raw[mark:] for sequence in GIVEN_BACK)
        os.write(app.ours, b"stty -a\r")
        app.until(lambda: b" icanon" in app.raw[mark:])
        comes_back(app)
    assert [path.name for path in waiting.memory.rglob("one.md")] == ["one.md"]


@needs_bash
def test_in_the_background_it_waits_for_the_terminal(waiting: Workspace, tmp_path: Path) -> None:
    with in_a_shell(waiting, tmp_path) as (app, _):
        app.send("\x1a")
        app.sees("Stopped")
        mark = len(app.raw)
        os.write(app.ours, b"bg; sleep 0.2; jobs\r")
        app.until(lambda: app.raw[mark:].count(b"Stopped"))
        assert b"\x1b[?1049h" not in app.raw[mark:]
        comes_back(app)


def test_where_no_shell_could_bring_it_back_it_stays(waiting: Workspace) -> None:
    with on_terminal(waiting) as app:
        app.sees("a approve")
        app.stand_still()
        mark = len(app.raw)
        app.send("\x1a")
        app.until(lambda: b"\x1b[?1049h" in app.raw[mark:])
        app.press_until("a", lambda: "approved" in app.text)
        app.send("ctrl+q")
        assert app.ended(10) == 0


def test_one_that_was_stopped_without_a_word_reads_its_terminal_once(waiting: Workspace) -> None:
    with on_terminal(waiting) as app:
        app.sees("a approve")
        for _ in range(2):
            app.stand_still()
            app.process.send_signal(signal.SIGSTOP)
            assert os.WIFSTOPPED(os.waitpid(app.process.pid, os.WUNTRACED)[1])
            mark = len(app.raw)
            app.process.send_signal(signal.SIGCONT)
            app.until(lambda: b"\x1b[?1049h" in app.raw[mark:])  # noqa: B023
        app.sees("a approve")
        app.press_until("a", lambda: "approved" in app.text)
        app.send("ctrl+q")
        assert app.ended(10) == 0
        assert not app.is_raw
