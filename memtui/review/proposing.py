"""An agent's proposal into the spool and through the screen, without the rest of the desk: it starts faster."""

from __future__ import annotations

import time

from memtui.config import Workspace
from memtui.gate.policy import policy_of
from memtui.gate.screen import open_screen
from memtui.gate.vault import VaultClosed
from memtui.notes.folder import Folder, FolderError
from memtui.notes.lines import LineConflict
from memtui.review.intake import Intake
from memtui.review.planning import Planner
from memtui.storage.journal import Journal
from memtui.storage.lock import LockBusy, locked
from memtui.storage.refusing import JournalError
from memtui.storage.spool import SpoolError
from memtui.storage.spools import OWN, Spools

_FAILURES = (LockBusy, FolderError, JournalError, SpoolError, LineConflict, VaultClosed)


class ProposeError(Exception):
    """The proposal was not taken in; one sentence."""


def propose(workspace: Workspace, data: bytes, name: str = "", spool: str = OWN) -> str:
    """Put one proposal into the spool of this name and screen it whole; returns its id. Raises ProposeError.

    `name` is that of the file it came in; without one its form is told from its first characters. What a crash
    left is finished first.
    """
    if workspace.settings.problem:
        raise ProposeError(workspace.settings.problem)
    types = workspace.settings.types
    journal, screen = Journal(workspace.journal), open_screen(workspace)
    try:
        folder, spools = Folder(workspace.memory), Spools(workspace.spools)
        planner = Planner(folder, types, time.time, screen)
        intake = Intake(spools, journal, planner, types, time.time, policy_of(workspace))
        with locked(workspace.memory, workspace.state):
            if journal.open_numbers():
                from memtui.review.recovering import Recovery

                Recovery(folder, journal, spools, intake).recover()
            return intake.propose(data, name, spool)
    except _FAILURES as failure:
        raise ProposeError(f"the proposal was not taken in: {failure}") from failure
    finally:
        journal.close()
        screen.close()
