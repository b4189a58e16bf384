"""Which exceptions are failures that the rooms announce, and the one sentence that each says to a person.

Of any other one, a fault of memtui itself, only its kind and its place in the code are told, here and in whatever
Python would print by itself: its own text, and that of what it holds, may be a note or a secret.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def sentence(error: BaseException) -> str | None:
    """What an announced failure says; None for one that nobody expects: a fault of memtui itself.

    Loads what it needs: it is asked only once something has failed.
    """
    from memtui.config import WorkspaceError
    from memtui.desk import DeskError
    from memtui.gate.vault import VaultClosed
    from memtui.notes.folder import FolderError
    from memtui.notes.frontmatter import EditRefused
    from memtui.notes.lines import LineConflict
    from memtui.review.planning import Gone
    from memtui.review.proposing import ProposeError
    from memtui.storage.files import Mismatch, WriteFailed
    from memtui.storage.lock import LockBusy
    from memtui.storage.refusing import JournalError
    from memtui.storage.spool import SpoolError

    announced = (
        WorkspaceError,
        DeskError,
        FolderError,
        EditRefused,
        LineConflict,
        Gone,
        ProposeError,
        Mismatch,
        WriteFailed,
        LockBusy,
        JournalError,
        SpoolError,
        VaultClosed,
    )
    if isinstance(error, announced):
        return str(error)
    if isinstance(error, OSError):
        reason = (error.strerror or str(error) or "unknown error").lower()
        return f"{error.filename} cannot be used: {reason}" if error.filename else reason
    if isinstance(error, UnicodeError):
        return f"some text cannot be read or written as UTF-8 ({error})"
    if isinstance(error, ValueError) and "null" in str(error):
        return "a path holds a NUL character: write it without"
    return None


def said(error: BaseException) -> str:
    """What is told of any failure: its sentence, or that it is a fault, and where. Not made safe for a screen."""
    return sentence(error) or f"this is a fault of memtui, not of yours ({fault(error)})"


def fault(error: BaseException) -> str:
    """An unexpected exception by kind and place, without a word of its text: `KeyError in memtui/desk.py:12`."""
    kind = type(error).__name__
    places = [_place(trace) for trace in _traces(error)]
    own = [place for place in places if place.startswith("memtui/")] or places
    return f"{kind} in {own[-1]}" if own else kind


def way_to(error: BaseException) -> str:
    """The lines of a traceback for a report: kinds, files, lines and functions, and no text of what went wrong."""
    lines: list[str] = []
    seen: set[int] = set()
    after: BaseException | None = error
    while after is not None and id(after) not in seen:
        seen.add(id(after))
        calls = [f"  {_place(trace)} in {trace.tb_frame.f_code.co_name}" for trace in _traces(after)]
        lines = [f"Traceback, latest call last, of {type(after).__name__}", *calls, *lines]
        after = after.__cause__ or (None if after.__suppress_context__ else after.__context__)
    return "".join(f"{line}\n" for line in lines)


def tell_fault(error: BaseException | None) -> None:
    """One line on stderr; the way to it with MEMTUI_DEBUG=1. In the place of Python's own words, so it never raises."""
    if (
        error is None
        or isinstance(error, KeyboardInterrupt | SystemExit | BrokenPipeError)
        or sys.stderr is None
    ):
        return
    words = f"memtui: this is a fault of memtui, not of yours ({fault(error)})\n"
    try:
        sys.stderr.write(words + (way_to(error) if os.environ.get("MEMTUI_DEBUG") else ""))
    except (OSError, ValueError):  # nobody is there to be told
        return


def guard_threads(tell: Callable[[BaseException | None], object] = tell_fault) -> None:
    """What ends a thread is told so too, in the place of Python's own words. For what starts threads."""
    import threading

    threading.excepthook = lambda left: tell(left.exc_value)


def _traces(error: BaseException) -> Iterator[TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _place(trace: TracebackType) -> str:
    """File and line, without the folders that it is installed in."""
    parts = Path(trace.tb_frame.f_code.co_filename).parts
    start = len(parts) - parts[::-1].index("memtui") - 1 if "memtui" in parts[:-1] else len(parts) - 2
    return f"{'/'.join(parts[max(start, 0) :])}:{trace.tb_lineno}"
