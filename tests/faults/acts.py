"""What the exam does to a workspace: the states that it starts from, and the acts that a child process performs.

The clock stands still, so that an act always ends in the same bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memtui.config import Workspace, init, load
from memtui.desk import Choices, Desk, Wanted
from memtui.review.items import Outcome
from tests.support import DEMO

NOW = 1_750_000_000.0
"""Unix seconds; older than every file of a test, which therefore counts as settled."""

ADD = json.loads((DEMO / "proposals" / "10-new-tag.json").read_text(encoding="utf-8"))
BATCH = json.loads((DEMO / "proposals" / "06-supersede-with-successor.json").read_text(encoding="utf-8"))
RENAME = json.loads((DEMO / "proposals" / "19-rename.json").read_text(encoding="utf-8"))
DELETE = {
    "operation": "delete",
    "filename": f"{int(NOW)}-eats-meat-again-since-2026.md",
    "reason": "wrong",
    "user_command": "delete the entry about meat",
}
"""Its entry is the successor of another one, whose `superseded_by` goes with it."""
TOKEN = "AKIA" + "QYLPMN5HHHFPZAM2"
NOTE = {"operation": "write", "path": "new/folder/ok.md", "summary": "s", "content": "c\n"}

OUTSIDE = ("outside/note.md", b"not ours\n")
"""A file beside the workspace, and what it holds."""

Perform = Callable[[Desk], Outcome | None]


@dataclass(frozen=True, slots=True)
class Act:
    """Something done at a desk; `start` names the state that it is done to."""

    name: str
    start: str
    perform: Perform


def open_desk(root: Path) -> Desk:
    return Desk(load(root), now=lambda: NOW)


def build(start: str, root: Path) -> None:
    """Make the workspace `root` (and its neighbour `outside`) in one of the starting states."""
    workspace = _empty(root)
    if start == "empty":
        return
    for name, fields in _DROPPED[start].items():
        _drop(workspace, name, fields)
    with open_desk(root) as desk:
        for perform in _BEFORE.get(start, ()):
            outcome = perform(desk)
            assert outcome is None or outcome.ok, outcome
        for name, fields in _THEN_DROPPED.get(start, {}).items():
            _drop(workspace, name, fields)
        if start != "dropped":
            desk.take_in()


def _empty(root: Path) -> Workspace:
    root.mkdir(parents=True)
    outside, data = OUTSIDE
    (root.parent / outside).parent.mkdir()
    (root.parent / outside).write_bytes(data)
    shutil.copytree(DEMO / "memory", root / "memory")
    return init(root)


def drop_at_once(root: Path, count: int) -> str:
    """So many proposals in the spool of a new workspace, all taken in; says how long that took."""
    workspace = _empty(root)
    for number in range(count):
        _drop(workspace, f"n{number}.json", {**NOTE, "path": f"n{number}.md"})
    begun = time.perf_counter()
    with open_desk(root) as desk:
        assert desk.take_in() == count
        assert len(desk.items()) == count
    return f"{count} proposals dropped at once were listed in {time.perf_counter() - begun:.1f} s"


def _drop(workspace: Workspace, name: str, fields: object) -> None:
    text = fields if isinstance(fields, str) else json.dumps(fields)
    path = workspace.spool / name
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1, 1))


# --- what is done --------------------------------------------------------------------------------


def take_in(desk: Desk) -> None:
    desk.take_in()


def propose(desk: Desk) -> None:
    desk.propose(json.dumps({**ADD, "id": "proposed"}).encode())


def approve(*ids: str) -> Perform:
    def perform(desk: Desk) -> Outcome:
        desk.take_in()
        wanted = [(id, Choices(accept_new_tags=True)) for id in ids]
        shown = desk.preview_together(wanted)
        agreed = [Wanted(p.item.id, p.plan.hash, Choices(accept_new_tags=True)) for p in shown]
        return desk.approve_together(agreed)[0]

    return perform


def reject(id: str) -> Perform:
    def perform(desk: Desk) -> Outcome:
        desk.take_in()
        return desk.reject(id, "not now")

    return perform


def undo(desk: Desk) -> Outcome:
    desk.take_in()
    return desk.undo()


def write_own(desk: Desk) -> Outcome:
    """A change of the person's own, into folders that are not there yet."""
    shown = desk.compose({**NOTE, "path": "own/folder/mine.md"})
    assert not isinstance(shown, tuple)
    return desk.approve(shown.item.id, shown.plan.hash)


_ADD, _RENAME = {"add.json": ADD}, {"rename.json": RENAME}
_BATCH = {"batch.json": BATCH}
_WRONG = {
    "bad.json": {"operation": "write", "agent": "a"},
    "mixed.json": {"proposals": [NOTE, {"operation": "add"}]},
    "secret.json": {**NOTE, "content": TOKEN},
}

_DROPPED: dict[str, dict[str, object]] = {
    "dropped": {**_ADD, **_BATCH, **_WRONG},
    "waiting": {**_ADD, **_BATCH, **_RENAME, "note.json": NOTE},
    "superseded": _BATCH,
    "added": _ADD,
    "taken_name": _ADD,
    "batched": _BATCH,
    "renamed": _RENAME,
    "written": {"note.json": NOTE},
    "rejected": _ADD,
}
_BEFORE: dict[str, tuple[Perform, ...]] = {
    "superseded": (approve("batch.1", "batch.2"),),
    "added": (approve("add"),),
    "taken_name": (approve("add"),),
    "batched": (approve("batch.1", "batch.2"),),
    "renamed": (approve("rename"),),
    "written": (approve("note"),),
    "rejected": (reject("add"),),
}

_THEN_DROPPED: dict[str, dict[str, object]] = {
    "superseded": {"delete.json": DELETE},
    "taken_name": {"add.json": NOTE},
}

_ALL = (
    Act("take in", "dropped", take_in),
    Act("propose", "empty", propose),
    Act("approve an add", "waiting", approve("add")),
    Act("approve a batch", "waiting", approve("batch.1", "batch.2")),
    Act("approve one member", "waiting", approve("batch.1")),
    Act("approve a delete", "superseded", approve("delete")),
    Act("approve a rename", "waiting", approve("rename")),
    Act("approve into new folders", "waiting", approve("note")),
    Act("approve one's own", "empty", write_own),
    Act("reject", "waiting", reject("add")),
    Act("reject a member", "waiting", reject("batch.1")),
    Act("undo an add", "added", undo),
    Act("undo where the name is taken", "taken_name", undo),
    Act("undo a batch", "batched", undo),
    Act("undo a rename", "renamed", undo),
    Act("undo a new folder", "written", undo),
    Act("undo a rejection", "rejected", undo),
)
ACTS = {act.name: act for act in _ALL}
TORN = ("approve an add", "approve a batch", "approve a rename", "undo an add")
"""Acts whose recovery is killed too, after they were killed themselves."""
