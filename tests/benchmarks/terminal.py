"""A program in a real pseudo-terminal, watched from outside."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

_ROWS, _COLUMNS = 60, 120
_ESCAPES = re.compile(rb"\x1b\[[0-9;:<=>?]*[ -/]*[@-~]|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.")
_QUIT = b"\x11"


class Terminal:
    """Starts the program at once; leaving the block ends it."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self.started = time.perf_counter()
        self._written = bytearray()
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**env, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            os.write(self._master, _QUIT)
        try:
            self._read_until_gone(5.0)
        finally:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            os.close(self._master)

    def wait(self, text: str, seconds: float = 30.0) -> float:
        """The moment (perf_counter) at which `text` has been written. Raises TimeoutError with the screen."""
        wanted, end = text.encode(), time.perf_counter() + seconds
        while wanted not in _ESCAPES.sub(b"", self._written):
            left = end - time.perf_counter()
            if left <= 0 or not self._read(left):
                shown = _ESCAPES.sub(b" ", self._written).decode("utf-8", "replace")
                raise TimeoutError(f"{text!r} did not appear; the last that did: {shown[-2000:]}")
        return time.perf_counter()

    def settle(self, quiet: float = 0.3) -> None:
        """Read until nothing has been written for `quiet` seconds, and forget it."""
        while self._read(quiet):
            pass
        self._written.clear()

    def _read(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program is gone
            return False
        self._written += data
        return bool(data)

    def _read_until_gone(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while self._process.poll() is None and time.perf_counter() < end:
            self._read(0.05)
