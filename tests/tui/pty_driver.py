"""The real executable on a pseudo-terminal: every byte that it writes, and the screen that they make."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyte

from memtui.config import Workspace

ENVIRONMENT = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
KEYS = {"enter": "\r", "tab": "\t", "esc": "\x1b", "f4": "\x1bOS", "ctrl+s": "\x13", "ctrl+q": "\x11"}


COMPLETE = re.compile(rb"\x1b(?:\[[0-9;:<=>?$]*[@-~]|\][^\x07\x1b]*\x07|[^\[\]])")
"""A control sequence that has its end."""
UNKNOWN = re.compile(rb"\x1b\[(?:[<=>][0-9;:]*[A-Za-z]|\?[0-9;]*\$?[pu])")
"""Questions and keyboard modes, which the emulator would take for something else."""


def keys_count_at_once() -> None:
    """In the person's own settings there is next to no settle time: for tests of which it is not the point."""
    own = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui"
    own.mkdir(parents=True, exist_ok=True)
    (own / "config.toml").write_text("[app]\nsettle_ms = 1\n")


class OnTerminal:
    """The app as its terminal has it. Waits for conditions, half a minute at most."""

    def __init__(
        self, process: subprocess.Popen[bytes], ours: int, theirs: int, size: tuple[int, int]
    ) -> None:
        self.process, self.ours, self.theirs = process, ours, theirs
        self.raw = bytearray()
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self._held = b""

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def read(self, seconds: float = 0.05) -> None:
        """Take in what it has written."""
        while self.ours >= 0 and select.select([self.ours], [], [], seconds)[0]:
            try:
                data = os.read(self.ours, 65536)
            except OSError:
                return
            if not data:
                return
            self.raw += data
            self._draw(data)
            seconds = 0.0

    def _draw(self, data: bytes) -> None:
        """Let the emulator draw; a sequence cut in two waits for its end, one that it does not know is left out."""
        data = self._held + data
        last = data.rfind(b"\x1b")
        whole = len(data) if last < 0 or COMPLETE.match(data, last) or len(data) - last > 64 else last
        self._held = data[whole:]
        self._stream.feed(UNKNOWN.sub(b"", data[:whole]))

    def until(self, test: Callable[[], object], what: str = "") -> None:
        end = time.monotonic() + 30
        while not test():
            assert time.monotonic() < end, f"never came: {what or test}\n{self.text}"
            self.read()

    def sees(self, text: str) -> None:
        self.until(lambda: text in self.text, text)

    def send(self, *keys: str) -> None:
        """Each key by itself: what comes in a burst was not pressed by a person."""
        for key in keys:
            os.write(self.ours, KEYS.get(key, key).encode("utf-8", "surrogatepass"))
            self.read(0.03)

    def stand_still(self) -> None:
        """Until nothing has been drawn for longer than an item needs to settle; three seconds at most."""
        end = time.monotonic() + 3
        while time.monotonic() < end and select.select([self.ours], [], [], 0.3)[0]:
            self.read(0.0)

    def press_until(self, key: str, test: Callable[[], object]) -> None:
        """A deciding key counts once the item has settled; one that came too early is pressed again."""
        for _ in range(10):
            self.stand_still()
            self.send(key)
            end = time.monotonic() + 3
            while time.monotonic() < end:
                if test():
                    return
                self.read()
        raise AssertionError(f"{key} does nothing\n{self.text}")

    def paste(self, text: str) -> None:
        os.write(self.ours, f"\x1b[200~{text}\x1b[201~".encode())

    @property
    def is_raw(self) -> bool:
        """Whether the terminal still does not echo, as in the app."""
        return not termios.tcgetattr(self.theirs)[3] & termios.ECHO

    def hang_up(self) -> None:
        """The terminal goes away."""
        os.close(self.theirs)
        os.close(self.ours)
        self.ours = self.theirs = -1

    def ended(self, seconds: float) -> int | None:
        """The exit status within some seconds, None where it runs on."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
            if self.ours < 0:
                select.select([], [], [], 0.02)
        self.read(0.0)
        return self.process.poll()


@contextmanager
def on_terminal(
    workspace: Workspace,
    size: tuple[int, int] = (100, 30),
    env: dict[str, str] | None = None,
    *,
    controlling: bool = True,
    command: Sequence[str] = (),
) -> Iterator[OnTerminal]:
    """The app on a terminal of its own; not `controlling`: one whose end it is not told of.

    `command`: another program in its place.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def take_terminal() -> None:
        if controlling:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    # Of these two the app would believe the test runner's word, not the terminal's.
    inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        command or [sys.executable, "-m", "memtui", "--workspace", str(workspace.root)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=take_terminal,
        env={**inherited, **ENVIRONMENT, **(env or {})},
    )
    app = OnTerminal(process, ours, theirs, size)
    try:
        yield app
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        if app.ours >= 0:
            os.close(ours)
            os.close(theirs)
