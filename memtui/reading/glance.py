"""What can be told without taking anything in: the counts of `memtui status`, the rows of `memtui log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.config import Workspace
from memtui.storage.journal import Journal
from memtui.storage.spools import Spools

if TYPE_CHECKING:
    from memtui.review.history import LogRow


class Status(NamedTuple):
    """Counts for the header and `memtui status`."""

    pending: int
    refused: int


def decisions(workspace: Workspace, limit: int) -> tuple[LogRow, ...]:
    """At most `limit` decisions, newest first."""
    from memtui.review.history import decision_rows

    journal = Journal(workspace.journal, read_only=True)
    try:
        return decision_rows(journal, limit)[:limit]
    finally:
        journal.close()


def glance(workspace: Workspace) -> Status:
    """How many wait and how many were refused; a file that nobody has taken in yet counts as one."""
    files, set_aside, _ = Spools(workspace.spools).scan()
    names = {file.name for file in files}
    journal = Journal(workspace.journal, read_only=True)
    try:
        rows = [row for row in journal.waiting() if row.file in names]
        refused = journal.refusal_count()
    finally:
        journal.close()
    fresh = names - {row.file for row in rows}
    return Status(len(rows) + len(fresh), refused + len(set_aside))
