"""The tools that agents are given: they propose and read, and decide nothing.

`memory_write` is that of seed 000; the others read. The command line, the Python API and every other way in
call these functions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
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
    problems = answer.get("problems")
    if isinstance(problems, list) and problems and isinstance(problems[0], dict):
        first = problems[0]
        return f"{first['field']}: {first['message']}" if first.get("field") else str(first.get("message"))
    return str(answer.get("reason") or answer.get("verdict") or "not approved")


# --- proposing -----------------------------------------------------------------------------------


def propose(workspace: Workspace, data: bytes, name: str = "") -> Answer:
    """Check one proposal and put it into the spool: its decision where there is one already, else pending.

    `name` is that of the file it came in; without one its form is told from its first characters.
    """
    from memtui import proposing

    try:
        id = proposing.propose(workspace, data, name)
    except proposing.ProposeError as error:
        raise ToolError(str(error)) from error
    return decision(workspace, id)


def decision(workspace: Workspace, id: str) -> Answer:
    """What became of a proposal: its decision, or `state` "pending" or "unknown". Only reads."""
    from memtui.storage.journal import Journal
    from memtui.storage.spool import Spool

    told = Spool(workspace.spool).read_decision(id)
    if told is not None and told.get("verdict") != "undone":
        return {"state": "decided", **told}
    journal = Journal(workspace.journal, read_only=True)
    try:
        if journal.waits(id) is not None or journal.waiting(batch=id):
            return {"id": id, "state": "pending"}
        item = journal.latest_item(id)
        if item is not None:
            return {"state": "decided", **item.answer}
    finally:
        journal.close()
    if told is not None:
        return {"state": "decided", **told}
    return {"id": id, "state": "pending" if _in_spool(workspace, id) else "unknown"}


def _in_spool(workspace: Workspace, id: str) -> bool:
    """Whether a file that nobody has taken in yet may hold this id."""
    return any((workspace.spool / f"{id}{suffix}").is_file() for suffix in (".json", ".yaml", ".yml", ".md"))


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


def call(workspace: Workspace, tool: str, arguments: Mapping[str, Json], wait: float | None = None) -> Json:
    """Answer one tool call. Raises ToolError, and with `wait` (seconds) Rejected, Blocked or Pending."""
    if tool == "memory_write":
        return memory_write(workspace, arguments, wait)
    if tool not in READERS:
        raise ToolError(f"no tool is called {tool}: use memory_write or one of {', '.join(READERS)}")
    return READERS[tool](workspace, arguments)


def memory_write(workspace: Workspace, arguments: Mapping[str, Json], wait: float | None) -> Json:
    """Seed 000: propose one note; with `wait` answer `{"path", "summary", "bytesWritten"}`."""
    import json

    fields = {**arguments, "operation": "write"}
    answered = propose(workspace, json.dumps(fields).encode("ascii"))
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
    from memtui.gate.secrets import redact
    from memtui.notes.folder import Folder, FolderError

    path = arguments.get("path")
    if not isinstance(path, str):
        raise ToolError("`path` is missing: name a note, as in the catalog")
    try:
        data = Folder(workspace.memory).read(path)
    except FolderError as error:
        raise ToolError(str(error)) from error
    if data is None:
        raise ToolError(f"{path} does not exist")
    try:
        return {"path": path, "content": redact(data.decode("utf-8"))}
    except UnicodeDecodeError:
        raise ToolError(f"{path} is not UTF-8 and cannot be read as text") from None


def memory_catalog(workspace: Workspace, _: Mapping[str, Json]) -> Json:
    """`{"catalog": TEXT, "dropped": [PATH]}`."""
    from memtui.gate.secrets import redact
    from memtui.library import open_library

    found = open_library(workspace).catalog()
    return {"catalog": redact(found.text), "dropped": list(found.dropped)}


def memory_search(workspace: Workspace, arguments: Mapping[str, Json]) -> Json:
    """Notes that hold every word of `query`: `{"notes": [{"path", "summary"}]}`."""
    from memtui.gate.secrets import redact
    from memtui.library import open_library

    query = arguments.get("query")
    if not isinstance(query, str) or not query.strip():
        raise ToolError("`query` is missing: give the words to look for")
    found = open_library(workspace).search(query)
    return {"notes": [{"path": row.path, "summary": redact(row.summary)} for row in found]}


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
