"""Faults without strace: in the exam's child, the calls that touch the disk are counted and one of them goes wrong.

Inside SQLite only its commits are seen, not its single writes.
"""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
from collections.abc import Callable
from typing import Any

CALLS = ("write", "fsync", "rename", "link", "unlink", "mkdir", "rmdir", "fchmod", "utime")


def install(order: str) -> None:
    """`order`: `log:FILE` writes the name of each call there; `CALL:NTH:HOW` harms the NTH of these calls.

    HOW is KILL (a write is cut in half first) or the name of an errno, with `+` for this call and all later ones.
    """
    if order.startswith("log:"):
        log = os.open(order[4:], os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        real_write = os.write
        _wrap(lambda call, *_: real_write(log, f"{call}(\n".encode()) and None)
        return
    wanted, nth, how = order.split(":")
    _wrap(_harm(wanted, int(nth), how))


def _harm(wanted: str, nth: int, how: str) -> Callable[..., object]:
    count = 0
    real_write = os.write

    def step(call: str, *values: Any) -> None:
        nonlocal count
        if call != wanted:
            return
        count += 1
        if how == "KILL" and count == nth:
            if call == "write":
                real_write(values[0], values[1][: len(values[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        if how != "KILL" and (count == nth or (how.endswith("+") and count > nth)):
            code = getattr(errno, how.rstrip("+"))
            if call == "commit":
                raise sqlite3.OperationalError("disk I/O error")
            raise OSError(code, os.strerror(code))

    return step


class _Commits(sqlite3.Connection):
    """A connection whose commits count as calls."""

    step: Callable[..., object]

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            type(self).step("commit")
        return super().execute(sql, *values)


def _wrap(step: Callable[..., object]) -> None:
    def wrap(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*values: object, **named: object) -> object:
            step(name, *values)
            return real(*values, **named)

        return call

    for name in CALLS:
        setattr(os, name, wrap(name, getattr(os, name)))
    _Commits.step = staticmethod(step)
    connect = sqlite3.connect
    sqlite3.connect = lambda *v, **n: connect(*v, factory=_Commits, **n)  # type: ignore[assignment]
