"""Which exceptions are failures that the rooms announce, and the one sentence that each says to a person."""

from __future__ import annotations


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
    from memtui.storage.schema import JournalError
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
