"""What can be told without taking anything in: the counts of `memtui status`, the rows of `memtui log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.config import Workspace
from memtui.review.asides import away_spools
from memtui.storage.journal import Journal
from memtui.storage.spools import Spools

if TYPE_CHECKING:
    from memtui.review.history import LogRow


class Status(NamedTuple):
    """Counts for the header and `memtui status`."""

    pending: int
    refused: int
    unreadable: int = 0
    """Files in a spool that are no proposal or cannot be read, and spools that are away: they stay as they are."""


def decisions(workspace: Workspace, limit: int) -> tuple[LogRow, ...]:
    """At most `limit` decisions, newest first."""
    from memtui.review.history import decision_rows

    journal = Journal(workspace.journal, read_only=True)
    try:
        return decision_rows(journal, limit)[:limit]
    finally:
        journal.close()


def glance(workspace: Workspace) -> Status:
    """How many wait, were refused or cannot be read; a file that nobody has taken in yet counts as waiting."""
    spools = Spools(workspace.spools)
    found = spools.scan()
    names = {file.name for file in found.files}
    journal = Journal(workspace.journal, read_only=True)
    try:
        waiting = journal.waiting()
        refused = journal.refusal_count()
    finally:
        journal.close()
    rows = [row for row in waiting if row.file in names]
    fresh = names - {row.file for row in rows}
    away = away_spools(spools, found, waiting) if found.away or found.bare else []
    return Status(len(rows) + len(fresh), refused, len(found.aside) + len(away))
