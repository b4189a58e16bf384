"""How the app ends when nobody pressed a key: told by a signal, or its terminal is gone.

Drafts are kept, the terminal is given back as it was, and the exit status is 128 and the signal's number. What
hangs meanwhile (a worker on a slow disk, `$EDITOR`) is not waited for longer than a second or so: a decision
that is cut off then is finished at the next start, as after a crash.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, cast

from textual.drivers.linux_driver import LinuxDriver

from memtui.gate.vault import end_programs
from memtui.tui import external

if TYPE_CHECKING:
    import asyncio

    from memtui.tui.app import MemtuiApp

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
LOOK = 0.2
"""Seconds between looks whether the terminal is still there."""
PATIENCE = 1.4
"""Seconds until an ending that hangs is cut short."""
RESTORE = (
    b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)


class Ending:
    """Ends one app. `watch` is called on its event loop, in the main thread."""

    def __init__(self, app: MemtuiApp, loop: asyncio.AbstractEventLoop) -> None:
        self._app = app
        self._loop = loop
        self._asked = threading.Lock()

    def watch(self) -> None:
        """Take the signals, and look after the terminal in a thread."""
        for number in SIGNALS:
            signal.signal(number, self._signalled)
        threading.Thread(target=self._look, name="memtui-terminal", daemon=True).start()

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self.ask(128 + number)

    def _look(self) -> None:
        wait = threading.Event()
        while not wait.wait(LOOK):
            if terminal_gone():
                self.ask(128 + signal.SIGHUP)
                return

    def ask(self, status: int) -> None:
        """End with this status. Only the first call counts; from any thread."""
        if not self._asked.acquire(blocking=False):
            return
        threading.Thread(target=self._insist, args=(status,), name="memtui-ending", daemon=True).start()
        external.stop(kill=False)
        with suppress(RuntimeError):  # the loop is closed already: the app ends anyway
            self._loop.call_soon_threadsafe(self._app.end, status)

    def _insist(self, status: int) -> None:
        threading.Event().wait(PATIENCE / 2)
        external.stop(kill=True)
        threading.Event().wait(PATIENCE / 2)
        driver = self._app._driver
        with suppress(OSError, termios.error):
            os.write(2, RESTORE)
            before = getattr(driver, "attrs_before", None)
            if before is not None:
                termios.tcsetattr(0, termios.TCSANOW, before)
        end_programs()
        os._exit(status)


class TerminalDriver(LinuxDriver):
    """Textual's driver for a terminal that may go away: it neither blocks, nor spins, nor complains to nobody."""

    def __init__(
        self, app: Any, *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        if self._file is not None:
            self._file = cast("Any", _Enduring(self._file))
        self._resting = False
        """The terminal is given back, until this process is continued."""

    def rest_in_shell(self) -> None:
        """Stop, and with it what started it and waits for it: the shell looks at the whole job."""
        self._rest(lambda: self._stop(whole_job=True))

    def _sigtstp_application(self, *_: object) -> None:
        """Stopped, by `^z` or from outside: the terminal is given back first, and taken again afterwards.

        As the system has it: where no shell could continue it, it is not stopped.
        """
        if not self._auto_restart:  # `$EDITOR` has the terminal
            self._stop()
        elif not self._resting:
            self._rest(self._stop)

    def _sigcont_application(self, *_: object) -> None:
        """Continued after it was stopped without a word: what the shell made of the terminal is taken for given."""
        if self._auto_restart and not self._resting:
            self._rest(lambda: None)

    def _rest(self, meanwhile: Callable[[], None]) -> None:
        self._resting = True
        try:
            self.suspend_application_mode()
            meanwhile()
            self._must_signal_resume = True
            while not self._reads() and not terminal_gone():  # in the background it is stopped once more
                self.resume_application_mode()
        finally:
            self._resting = False
        self._app.call_later(self._app.refresh, layout=True)

    def _stop(self, *, whole_job: bool = False) -> None:
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            if whole_job:
                os.kill(0, signal.SIGTSTP)
            else:
                signal.pthread_kill(threading.get_ident(), signal.SIGTSTP)
        finally:
            signal.signal(signal.SIGTSTP, before)

    def _reads(self) -> bool:
        return self._key_thread is not None and self._key_thread.is_alive()

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except OSError:
            self._app.terminal_lost()  # type: ignore[attr-defined]
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)


class _Enduring:
    """A file that takes writes even where they get nowhere: the thread that writes must not die of one."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()


def terminal_gone() -> bool:
    """Whether the terminal was closed without telling: the app must not go on drawing for nobody."""
    try:
        poll = select.poll()
        poll.register(sys.__stdin__.fileno(), 0)  # type: ignore[union-attr]
        return any(event & (select.POLLHUP | select.POLLNVAL) for _, event in poll.poll(0))
    except (AttributeError, OSError, ValueError):
        return False
