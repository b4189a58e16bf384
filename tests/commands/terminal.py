"""The real executable on a terminal of its own, and in an environment of one's choice."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
from pathlib import Path

from tests.support import Ran

QUESTION = b"[y/N] "


def memtui_on_terminal(
    *args: str | Path,
    answers: tuple[bytes, ...] = (),
    ahead: bytes = b"",
    question: bytes = QUESTION,
    aside: bool = False,
) -> Ran:
    """Run with stdin and stdout on a pseudo-terminal; each answer is typed at a `question`, `ahead` at once.

    `out` is what the terminal shows. `aside`: the questions are asked on stderr, which is no terminal.
    """
    ours, theirs = pty.openpty()
    os.write(ours, ahead)

    def take_terminal() -> None:
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    started = subprocess.Popen(
        [sys.executable, "-m", "memtui", *map(str, args)],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=take_terminal,
    )
    os.close(theirs)
    assert started.stderr is not None
    seen, err, typed = b"", b"", 0
    if aside:
        for answer in answers:
            while err.count(question) <= typed and (piece := os.read(started.stderr.fileno(), 65536)):
                err += piece
            os.write(ours, answer)
            typed += 1
    while piece := _read(ours, again=answers[typed - 1] if typed else b""):
        seen += piece
        if not aside and typed < min(seen.count(question), len(answers)):
            os.write(ours, answers[typed])
            typed += 1
    err += started.communicate(timeout=60)[1]
    os.close(ours)
    assert b"Traceback" not in err, err
    return Ran(started.returncode, seen.decode("utf-8", "replace").replace("\r\n", "\n"), err.decode())


def _read(terminal: int, *, again: bytes = b"") -> bytes:
    """What is shown next; b"" once the other side has ended.

    `again`: what was typed last. A ^C in the instant before Python waits for a line is not heard, and a person presses
    it once more.
    """
    for _ in range(12):
        if select.select([terminal], [], [], 5)[0]:
            break
        if again == b"\x03":
            os.write(terminal, again)
    else:
        raise AssertionError("nothing more is shown")
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux: nobody has it open any more
        return b""


def memtui_with(
    env: dict[str, str], *args: str | Path, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    """Run with more in the environment; bytes come back as they are."""
    return subprocess.run(
        [sys.executable, "-m", "memtui", *map(str, args)],
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=60,
    )
