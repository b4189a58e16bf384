"""Secrets that programs print: `pass show mail`, `op read op://…`, and the system keyring.

No shell; no terminal, so that nothing can ask for a pass phrase in the middle of the app; all run side by side, under
one limit on time and each under one on output. What a program prints is never part of a message. None outlives this
process, but where that is killed outright.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from memtui.gate.vault import VaultClosed
from memtui.gate.vault_words import is_secret_name

SECONDS = 10.0
"""How long all programs together may take."""
REMEMBERED, TRIED = 600.0, 60.0
"""Seconds for which a process that lives on does not ask a program again that gave a value, or none."""
SLOW = 1.0
"""Seconds after which it is said what is waited for."""
LARGEST = 64 << 10
"""Bytes that each may print."""
Answer = tuple[tuple[tuple[str, str], ...], str]
"""Names and values; and why there are none, "" where there are."""
_LOOK = 0.05
"""Seconds between two looks whether a program has ended, or its answer is not wanted any more."""
Printed = tuple[str, str]
"""What a program printed, and why that is nothing, "" where it is something."""
_NAMED = re.compile(r"(?P<name>[\w .-]{1,40})\s*[:=]\s*(?P<value>\S.*)")
_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
_running: set[_Program] = set()
_closing = threading.Event()
_remembered: dict[tuple[str, ...], tuple[float, Printed]] = {}
"""Until when it is not asked again, and what it printed. In memory alone, as all values are."""


def ask(
    commands: Sequence[Sequence[str]],
    keyring: Sequence[tuple[str, str]] = (),
    ended: threading.Event | None = None,
    slow: Callable[[], object] = int,
) -> list[Answer]:
    """What programs give, then what the system keyring has for services and users, asked by the `keyring` package's
    own command.

    `ended`: nobody waits for it any more, and what comes of it means nothing. `slow` is called once where it takes
    over a second.
    """
    from importlib.util import find_spec

    has_keyring = bool(keyring) and find_spec("keyring") is not None
    wanted = [tuple(command) for command in commands]
    if has_keyring:
        wanted += [(sys.executable, "-P", "-m", "keyring", "get", "--", *pair) for pair in keyring]
    printed = _run(wanted, ended, slow)
    answers = [_values(command, *each) for command, each in zip(commands, printed, strict=False)]
    if not has_keyring:
        missing = "the package keyring is not installed: pip install 'memtui[keyring]'"
        return answers + [((), missing) for _ in keyring]
    entries = zip(keyring, printed[len(commands) :], strict=True)
    return answers + [_entry(user, *each) for (_, user), each in entries]


def _values(command: Sequence[str], printed: str, trouble: str) -> Answer:
    """The first line, as `pass` has it, and below it lines such as `token: …`; a value over several lines, such as a
    private key, counts whole.
    """
    if trouble:
        return (), trouble
    text = printed.strip("\r\n")
    if not text.strip():
        return (), "it printed nothing"
    name = command[-1].rpartition("/")[2] or command[0]
    first, *others = text.splitlines()
    if first.startswith("-----BEGIN"):
        return ((name, text),), ""
    values = [(name, first)]
    for line in others:
        match = _NAMED.fullmatch(line.strip())
        if match and is_secret_name(match["name"]):
            values.append((f"{name} {match['name']}", match["value"]))
        elif line.startswith("otpauth:"):
            values.append((f"{name} otp", line.strip()))
    return tuple(values), ""


def _entry(user: str, printed: str, trouble: str) -> Answer:
    value = printed.strip("\r\n")
    if not value:
        ended = not trouble or trouble.startswith("it ended")
        return (), "the keyring has nothing for this service and user" if ended else trouble
    return ((user, value),), ""


# --- running them --------------------------------------------------------------------------------


def _run(
    commands: Sequence[tuple[str, ...]], ended: threading.Event | None, slow: Callable[[], object]
) -> list[Printed]:
    """What each prints, and why it gave nothing, "" where it did; asked anew where that is not remembered."""
    begun = time.monotonic()
    known = {each: was[1] for each, was in _remembered.items() if begun < was[0]}
    with until_told_to_end(ended) as told:
        running = {each: _Program(each) for each in commands if each not in known}
        try:
            _wait([program for program in running.values() if program.process], begun, told, slow)
        finally:
            for program in running.values():
                program.end()
    if _closing.is_set():
        raise VaultClosed("memtui ends, and your vault has not been read")
    for each, program in running.items():
        known[each] = program.printed()
        if ended is None or not ended.is_set():
            _remembered[each] = (time.monotonic() + (TRIED if known[each][1] else REMEMBERED), known[each])
    return [known[each] for each in commands]


@contextmanager
def until_told_to_end(ended: threading.Event | None) -> Iterator[Callable[[], bool]]:
    """Whether nobody waits for the programs any more. A signal that ends this process is kept until they have ended."""
    kept: list[int] = []
    usual = (signal.SIG_DFL, signal.default_int_handler)
    main = threading.current_thread() is threading.main_thread()
    before = {each: handler for each in _SIGNALS if main and (handler := signal.getsignal(each)) in usual}
    for each in before:
        signal.signal(each, lambda number, _frame: kept.append(number))
    try:
        yield lambda: bool(kept) or _closing.is_set() or (ended is not None and ended.is_set())
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        for number in kept:
            os.kill(os.getpid(), number)


def end_all() -> None:
    """This process ends in a moment, whatever its threads do: no program is waited for, and none stays."""
    _closing.set()
    for program in tuple(_running):
        program.kill()


def _wait(
    programs: Sequence[_Program], begun: float, ended: Callable[[], bool], slow: Callable[[], object]
) -> None:
    """Read what they print until each has ended; a child that holds on to the output is not waited for."""
    said = False
    with selectors.DefaultSelector() as selector:
        for program in programs:
            selector.register(program.output, selectors.EVENT_READ, program)
        while any(not program.done for program in programs):
            taken = time.monotonic() - begun
            if taken >= SECONDS or ended():
                return
            if taken >= SLOW and not said:
                said = True
                slow()
            for key, _ in selector.select(_LOOK):
                if not key.data.read():
                    selector.unregister(key.fileobj)
            for program in programs:
                program.look()


class _Program:
    """One program that runs, or why it cannot."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.done = False
        """It has ended by itself, or printed too much."""
        self._data = bytearray()
        self._why = ""
        try:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            _running.add(self)
            os.set_blocking(self.output.fileno(), False)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "a NUL in its arguments"
            self._why = f"it cannot be run ({(reason or 'unknown error').lower()})"

    @property
    def output(self) -> IO[bytes]:
        assert self.process is not None
        assert self.process.stdout is not None
        return self.process.stdout

    def read(self) -> bool:
        """Take what it has printed; False where no more will come."""
        try:
            while part := os.read(self.output.fileno(), 1 << 16):
                self._data += part
                if len(self._data) > LARGEST:
                    self.done, self._why = True, f"it printed more than {LARGEST >> 10} KiB"
                    return False
        except BlockingIOError:
            return True
        if self.process is not None:
            with suppress(subprocess.TimeoutExpired):  # it mostly ends right after
                self.process.wait(_LOOK)
        return False

    def look(self) -> None:
        """See whether it has ended: what was printed until then is all."""
        if not self.done and self.process is not None and self.process.poll() is not None:
            self.done = True
            self.read()

    def end(self) -> None:
        """One that has not ended runs no longer, nor do its children; an agent that one has started stays."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.kill()
            self.process.wait()
        _running.discard(self)
        self.output.close()

    def kill(self) -> None:
        """Its whole group, from any thread; what has ended and been waited for is left alone."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def printed(self) -> Printed:
        if self._why or self.process is None:
            return "", self._why
        if not self.done:
            return "", f"it took more than {SECONDS:g} seconds"
        if self.process.returncode:
            return "", f"it ended with status {self.process.returncode}: run it once yourself and see"
        try:
            return self._data.decode("utf-8"), ""
        except UnicodeDecodeError:
            return "", "what it printed is not UTF-8"
