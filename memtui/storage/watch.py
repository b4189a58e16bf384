"""Tells when the spool may have changed: a hint only, whoever is called scans it (DESIGN.md, Choices)."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from memtui.storage.spool import is_ignored

Mode = Literal["events", "polling"]

_POLL = 2.0  # seconds between two hints where there are no events
_SHARE = 20  # of the time that hints take, where one takes long: a spool may hold thousands of files
_CHECK = 1000  # milliseconds between two looks whether the directory is still the same one
_RETRY = 0.5  # seconds until a missing directory is looked for again
_REMOTE = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "fuse.sshfs",
    "fuse.rclone",
    "afs",
    "ceph",
    "vboxsf",
    "prl_fs",
)


class Watcher:
    """A thread that calls back whenever something in one directory may have changed.

    It survives a directory that is missing, or deleted and made again. Where the system gives no events (a
    network disk, no inotify watches left) `mode` is "polling": it calls back every second or two as well.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.mode: Mode = "polling" if _no_events(path) else "events"
        self.reason = "" if self.mode == "events" else "the disk of the spool may give no events"
        """Why it polls, in words; "" for events."""
        self._deaf = _forced()

    def start(self, callback: Callable[[], object]) -> None:
        """Starts the thread; `callback` is called in it, and what it raises is dropped."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(
                target=self._run, args=(callback,), name="memtui-watch", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Ends the thread; returns once it has ended (at most two seconds)."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2.0)
        self._thread = None

    def _run(self, callback: Callable[[], object]) -> None:
        while not self._stop.is_set():
            try:
                # Held open, so that a directory made anew cannot have the same number.
                opened = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError:
                self._stop.wait(_RETRY)
                continue
            try:
                if self._deaf:
                    begun = time.monotonic()
                    _call(callback)
                    self._stop.wait(max(_POLL, _SHARE * (time.monotonic() - begun)))
                else:
                    self._follow(callback, opened)
            finally:
                os.close(opened)

    def _follow(self, callback: Callable[[], object], opened: int) -> None:
        """Until the directory is another one, or events turn out not to be had."""
        from watchfiles import watch

        changes = watch(
            self._path,
            watch_filter=_matters,
            debounce=200,
            step=80,  # each wakes the processor, also where nothing changes
            stop_event=self._stop,
            rust_timeout=_CHECK,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=False,
            recursive=False,
        )
        _call(callback)  # what changed while nobody watched
        first = True
        try:
            for change in changes:
                if change or first or self.mode == "polling":
                    _call(callback)  # the first time for what came before the watch stood
                first = False
                if not _is_at(opened, self._path):
                    return
        except FileNotFoundError:
            self._stop.wait(_RETRY)
        except Exception as error:  # whatever the watcher of this system raises, the spool is still looked at
            self._deaf = True
            self.mode, self.reason = "polling", f"the system gives no events ({error})"


def _matters(_: Any, path: str) -> bool:
    return not is_ignored(path.rpartition("/")[2])


def _call(callback: Callable[[], object]) -> None:
    with contextlib.suppress(Exception):
        callback()


def _is_at(opened: int, path: Path) -> bool:
    """Whether the directory behind the descriptor still is the one at `path`."""
    try:
        return os.path.samestat(os.fstat(opened), path.stat())
    except OSError:
        return False


def _forced() -> bool:
    return os.environ.get("WATCHFILES_FORCE_POLLING", "").lower() not in ("", "false", "disable", "disabled")


def _no_events(path: Path) -> bool:
    """Whether the directory is on a disk that other machines may write to, or polling is asked for."""
    if _forced():
        return True
    best = ("", "")
    with contextlib.suppress(OSError):
        real = os.path.realpath(path)
        for line in Path("/proc/self/mounts").read_text(errors="replace").splitlines():
            place, kind = line.split(" ")[1:3]
            place = place.replace("\\040", " ")
            if (real + "/").startswith(place.rstrip("/") + "/") and len(place) >= len(best[0]):
                best = (place, kind)
    return best[1].startswith(_REMOTE)
