"""The tools that agents are given: they propose and read, and decide nothing.

`memory_write` is that of seed 000; the others read. The command line, the Python API and every other way in
call these functions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.config import Workspace
    from memtui.proposals.model import Json

    Answer = dict[str, Json]

_STEP = (0.02, 0.2)
"""Seconds between two looks at a decision file: at first, and at most."""


class ToolError(Exception):
    """A call that cannot be answered; one sentence."""


class Pending(ToolError):
    """The person has not decided within the time given."""

    def __init__(self, id: str) -> None:
        super().__init__(f"{id} is still pending: ask again with its id")
        self.id = id


class _Answered(ToolError):
    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        super().__init__(_sentence(answer))


class Rejected(_Answered):
    """The proposal was rejected or refused; `answer` is the decision, its reason or problems in it."""


class Blocked(_Answered):
    """The proposal held a secret and nobody was asked; `answer` is the decision."""


def _sentence(answer: Answer) -> str:
    from memtui.review.history import problem_sentence, problems_of

    for problem in problems_of(answer.get("problems")):
        return problem_sentence(problem.field, problem.message)
    return str(answer.get("reason") or answer.get("verdict") or "not approved")


@contextmanager
def _answerable() -> Iterator[None]:
    """What a room announces as failed (a journal that cannot be read, say) is a ToolError to who called."""
    try:
        yield
    except ToolError:
        raise
    except Exception as error:
        from memtui.failing import sentence

        said = sentence(error)
        if said is None:
            raise
        raise ToolError(said) from error


# --- proposing -----------------------------------------------------------------------------------


def propose(workspace: Workspace, data: bytes, name: str = "", spool: str | None = None) -> Answer:
    """Check one proposal and put it into a spool: its decision where there is one already, else pending.

    `name` is that of the file it came in; without one its form is told from its first characters. `spool` is the
    name of one of `[[spools]]`; None: that of `$MEMTUI_SPOOL`, else the workspace's own. Raises ToolError.
    """
    from memtui.review import proposing

    with _answerable():
        chosen = os.environ.get("MEMTUI_SPOOL", "") if spool is None else spool
        id = proposing.propose(workspace, data, name, chosen)
    return decision(workspace, id)


def decision(workspace: Workspace, id: str) -> Answer:
    """What became of a proposal or batch. Only reads. Raises ToolError.

    `state` is "decided", and beside it stands the content of its decision file; or "pending" or "unknown",
    and beside it the id alone.
    """
    from memtui.storage.spools import Spools

    with _answerable():
        known = _journalled(workspace, id)
        if known is None and not workspace.journal.exists():  # else only the journal's word counts
            told = Spools(workspace.spools).find_decision(id)
            if told is not None:
                known = {"state": "decided", **told}
        # A file that nobody has taken in yet sends again what was not approved and not rejected.
        again = known is None or known.get("verdict") not in (None, "approved", "rejected")
        if again and _in_spool(workspace, id):
            return {"id": id, "state": "pending"}
        return known or {"id": id, "state": "unknown"}


def _journalled(workspace: Workspace, id: str) -> Answer | None:
    """What the journal says: the row that waits before any older answer, as an undo or a new try makes one."""
    from memtui.storage.journal import Journal

    journal = Journal(workspace.journal, read_only=True)
    try:
        if journal.waits(id) is not None or journal.waiting(batch=id):
            return {"id": id, "state": "pending"}
        item = journal.latest_item(id)
        if item is not None:
            return {"state": "decided", **item.answer}
        if members := journal.members(id):
            from memtui.review.answers import batch_answer

            return {"state": "decided", **batch_answer(members[0].batch, members)}
        return None
    finally:
        journal.close()


def _in_spool(workspace: Workspace, id: str) -> bool:
    """Whether a file that nobody has taken in yet may hold this id."""
    from memtui.storage.spool import SUFFIXES
    from memtui.storage.spools import Spools, name_in

    names = {f"{id}{suffix}" for suffix in SUFFIXES}
    return any(name_in(file.name) in names for file in Spools(workspace.spools).scan().files)


def wait_for(workspace: Workspace, id: str, seconds: float) -> Answer:
    """The decision once there is one, `pending` after `seconds`."""
    end = time.monotonic() + seconds
    step = _STEP[0]
    while True:
        answered = decision(workspace, id)
        if answered["state"] != "pending" or time.monotonic() >= end:
            return answered
        time.sleep(min(step, max(0.0, end - time.monotonic())))
        step = min(step * 1.5, _STEP[1])


# --- tools ---------------------------------------------------------------------------------------


def call(
    workspace: Workspace,
    tool: str,
    arguments: Mapping[str, Json],
    wait: float | None = None,
    spool: str | None = None,
) -> Json:
    """Answer one tool call. Raises ToolError, and with `wait` (seconds) Rejected, Blocked or Pending.

    `spool`: where `propose` puts what it proposes.
    """
    if tool == "memory_write":
        return memory_write(workspace, arguments, wait, spool)
    if tool not in READERS:
        raise ToolError(f"no tool is called {tool}: use memory_write or one of {', '.join(READERS)}")
    with _answerable():
        return READERS[tool](workspace, arguments)


def memory_write(
    workspace: Workspace, arguments: Mapping[str, Json], wait: float | None, spool: str | None = None
) -> Json:
    """Seed 000: propose one note; with `wait` answer `{"path", "summary", "bytesWritten"}`."""
    import json

    try:
        data = json.dumps({**arguments, "operation": "write"}).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError(f"the arguments cannot be written as JSON ({error}): give text") from error
    answered = propose(workspace, data, spool=spool)
    if answered["state"] == "pending":
        if wait is None:
            return {"id": answered["id"], "state": "pending"}
        answered = wait_for(workspace, str(answered["id"]), wait)
        if answered["state"] == "pending":
            raise Pending(str(answered["id"]))
    if answered.get("verdict") == "blocked":
        raise Blocked(answered)
    if answered.get("verdict") != "approved":
        raise Rejected(answered)
    return answered["result"]


def memory_read(workspace: Workspace, arguments: Mapping[str, Json]) -> Json:
    """One note as text, secrets taken out: `{"path", "content"}`."""
    from memtui.gate.screen import open_screen
    from memtui.notes.folder import Folder

    path = arguments.get("path")
    if not isinstance(path, str):
        raise ToolError("`path` is missing: name a note, as in the catalog")
    if not path.endswith(".md"):  # whatever else lies in the folder is nothing that agents are given
        raise ToolError(f"{path} is no note: the name of a note ends in .md")
    data = Folder(workspace.memory).read(path)
    if data is None:
        raise ToolError(f"{path} does not exist")
    try:
        with open_screen(workspace) as screen:
            return {"path": path, "content": screen.redact(data.decode("utf-8"))}
    except UnicodeDecodeError:
        raise ToolError(f"{path} is not UTF-8 and cannot be read as text") from None


def memory_catalog(workspace: Workspace, _: Mapping[str, Json]) -> Json:
    """`{"catalog": TEXT, "dropped": [PATH]}`."""
    from memtui.gate.screen import open_screen
    from memtui.reading.library import open_library

    with open_screen(workspace) as screen:
        found = open_library(workspace).catalog(screen)
        dropped: list[Json] = [screen.redact(path) for path in found.dropped]
        return {"catalog": screen.redact(found.text), "dropped": dropped}


def memory_search(workspace: Workspace, arguments: Mapping[str, Json]) -> Json:
    """Notes that hold every word of `query`, outside of secrets: `{"notes": [{"path", "summary"}]}`."""
    from memtui.gate.screen import open_screen
    from memtui.reading.covers import Covers
    from memtui.reading.library import open_library

    query = arguments.get("query")
    if not isinstance(query, str) or not query.strip():
        raise ToolError("`query` is missing: give the words to look for")
    with open_screen(workspace) as screen:
        found = open_library(workspace).search(query, Covers(screen, workspace.state))
        notes: list[Json] = [{"path": row.path, "summary": row.summary} for row in found]
        return {"notes": notes}


def memory_pending(workspace: Workspace, _: Mapping[str, Json]) -> Json:
    """Ids that still wait for the person: `{"pending": [ID]}`."""
    from memtui.storage.journal import Journal

    journal = Journal(workspace.journal, read_only=True)
    try:
        return {"pending": [row.id for row in journal.waiting()]}
    finally:
        journal.close()


READERS: Mapping[str, Callable[[Workspace, Mapping[str, Json]], Json]] = {
    "memory_read": memory_read,
    "memory_catalog": memory_catalog,
    "memory_search": memory_search,
    "memory_pending": memory_pending,
}
