"""An agent's proposal into the spool and through the screen, without the rest of the desk: it starts faster."""

from __future__ import annotations

import time

from memtui.config import Workspace
from memtui.notes.folder import Folder, FolderError
from memtui.notes.lines import LineConflict
from memtui.review.intake import Intake
from memtui.review.planning import Planner
from memtui.storage.journal import Journal
from memtui.storage.lock import LockBusy, locked
from memtui.storage.schema import JournalError
from memtui.storage.spool import Spool, SpoolError

_FAILURES = (LockBusy, FolderError, JournalError, SpoolError, LineConflict)


class ProposeError(Exception):
    """The proposal was not taken in; one sentence."""


def propose(workspace: Workspace, data: bytes, name: str = "") -> str:
    """Put one proposal into the spool and screen it whole; returns its id. Raises ProposeError.

    `name` is that of the file it came in; without one its form is told from its first characters. What a crash
    left is finished first.
    """
    if workspace.settings.problem:
        raise ProposeError(workspace.settings.problem)
    types = workspace.settings.types
    journal = Journal(workspace.journal)
    try:
        folder, spool = Folder(workspace.memory), Spool(workspace.spool)
        planner = Planner(folder, types, time.time)
        intake = Intake(spool, journal, planner, types, time.time)
        with locked(workspace.memory, workspace.state):
            if journal.unfinished():
                from memtui.review.deciding import Decider

                Decider(folder, journal, spool, planner, intake, time.time).recover()
            return intake.propose(data, name)
    except _FAILURES as failure:
        raise ProposeError(f"the proposal was not taken in: {failure}") from failure
    finally:
        journal.close()
