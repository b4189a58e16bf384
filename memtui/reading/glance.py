"""Counts without taking anything in: what `memtui status` shows. Reads the spool's directory and the journal."""

from __future__ import annotations

from typing import NamedTuple

from memtui.config import Workspace
from memtui.storage.journal import Journal
from memtui.storage.spool import Spool


class Status(NamedTuple):
    """Counts for the header and `memtui status`."""

    pending: int
    refused: int


def glance(workspace: Workspace) -> Status:
    """How many wait and how many were refused; a file that nobody has taken in yet counts as one."""
    files, set_aside = Spool(workspace.spool).scan()
    names = {file.name for file in files}
    journal = Journal(workspace.journal, read_only=True)
    try:
        rows = [row for row in journal.waiting() if row.file in names]
        refused = journal.refusal_count()
    finally:
        journal.close()
    fresh = names - {row.file for row in rows}
    return Status(len(rows) + len(fresh), refused + len(set_aside))
