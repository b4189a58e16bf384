"""A small folder in memory, and plans on it that are applied and taken back wherever they are looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memtui.notes.folder import FolderError
from memtui.proposals.context import INDEX, TAGS, Choices, Context, Overlay
from memtui.proposals.model import (
    Add,
    Change,
    Contradiction,
    Delete,
    Edit,
    FileChange,
    LineChange,
    Plan,
    Proposal,
    Rename,
    Replace,
    Supersede,
    Update,
    Write,
)
from memtui.proposals.plan import plan
from memtui.storage.effects import materialise

TODAY = "2026-11-30"
SEEN = 1796000000

RUN = "1704844800-run.md"
RUN_NOTE = """\
---
title: Run 5K under 25 minutes
tags: [sport, running]
type: goal
confidence: high
status: active
created: 2024-01-10
updated: 2024-04-22
---

Target for the year. Best so far 28:14.

## Change log
- 2024-01-10 — created during conversation about the new year
- 2024-04-22 — best time now 28:14: told after a race
"""
MOVE = "1711929600-lisbon.md"
MOVE_NOTE = """\
---
title: Moved to Lisbon
tags: [biography, travel]
type: event
confidence: high
status: active
created: 2024-04-01
updated: 2024-04-01
---

Berlin to Lisbon.

## Change log
- 2024-04-01 — created during conversation about the move
"""
LINA = "people/lina.md"
LINA_NOTE = "---\ndescription: daughter, 7 years old\n---\nLikes dinosaurs.\n"
INDEX_PAGE = f"""\
# Memory index

My own words stay.

## Entries

- [Run 5K under 25 minutes]({RUN}) — goal, [sport, running], 5K target for the year
- [Moved to Lisbon]({MOVE}) — event, [biography, travel], spring 2024

## Deprecated
"""
TAGS_PAGE = """\
# Tag dictionary

## L1 — top categories

- **#biography** — facts and events of a life.
- **#health** — body, sleep, diet.
- **#sport** — training and races.
- **#travel** — trips and moves.

## L2 — subcategories

### under #sport
- **#running** — running only.

## L3 — concrete objects
"""


@dataclass(frozen=True, slots=True)
class Listed:
    path: str


class Memory:
    """A memory folder in memory: a `FolderView`."""

    def __init__(self, files: Mapping[str, str | bytes], unreadable: Sequence[str] = ()) -> None:
        self.files = {
            path: data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
            for path, data in files.items()
        }
        self.unreadable = frozenset(unreadable)

    def read(self, path: str) -> bytes | None:
        if path in self.unreadable:
            raise FolderError(f"{path} is a symbolic link, not a note.")
        return self.files.get(path)

    def head(self, path: str, size: int = 8192) -> bytes:
        return (self.read(path) or b"")[:size]

    def names(self, directory: str) -> list[str]:
        prefix = f"{directory}/" if directory else ""
        below = (path.removeprefix(prefix) for path in self.files if path.startswith(prefix))
        return sorted({path.split("/")[0] for path in below})

    def notes(self) -> list[Listed]:
        paths = {*self.files, *self.unreadable}
        return [
            Listed(path) for path in sorted(paths, key=lambda path: path.encode()) if path.endswith(".md")
        ]


def folder(files: Mapping[str, str | bytes | None] | None = None, unreadable: Sequence[str] = ()) -> Memory:
    """The usual folder with these files besides or instead; None takes one out."""
    usual: dict[str, str | bytes | None] = {
        RUN: RUN_NOTE,
        MOVE: MOVE_NOTE,
        LINA: LINA_NOTE,
        INDEX: INDEX_PAGE,
        TAGS: TAGS_PAGE,
    }
    wanted = usual | dict(files or {})
    return Memory({path: data for path, data in wanted.items() if data is not None}, unreadable)


def planned(proposal: Proposal, on: Memory | None = None, **given: Any) -> Plan:
    """The plan of a proposal; `given`: choose, tags, accept_new_tags, and what else a context has."""
    choices = Choices(
        given.pop("choose", None), given.pop("tags", None), bool(given.pop("accept_new_tags", False))
    )
    on = on or folder()
    return plan(proposal, Context(folder=on, today=TODAY, first_seen=SEEN, choices=choices, **given))


def applied(made: Plan, on: Memory | None = None, *, exact: bool = True) -> dict[str, bytes]:
    """The folder's files once the plan is applied.

    Checks what holds of every plan: apply and overlay agree, and the swapped plan gives back every byte (`exact`
    False: but for a heading of index.md or tags.md that had to be made).
    """
    assert not made.problems, made.problems
    on = on or folder()
    over = Overlay(on, made.changes)
    after = {note.path: data for note in over.notes() if (data := over.read(note.path)) is not None}
    written = dict(on.files)
    for file in materialise(made.changes, on.read):
        if file.origin:
            del written[file.origin]
        if file.after is None:
            del written[file.path]
        else:
            written[file.path] = file.after
    assert written == after
    back = Overlay(Memory(after), [swapped(change) for change in reversed(made.changes)])
    if exact:
        restored = {note.path: back.read(note.path) for note in back.notes()}
        assert restored == on.files
    return after


def done(proposal: Proposal, on: Memory | None = None, *, exact: bool = True, **given: Any) -> dict[str, str]:
    """The texts of every file once the proposal is applied."""
    on = on or folder()
    after = applied(planned(proposal, on, **given), on, exact=exact)
    return {path: data.decode("utf-8", "surrogateescape") for path, data in after.items()}


def touched(made: Plan) -> set[str]:
    """The paths of the notes that a plan changes."""
    return {change.path for change in made.changes if isinstance(change, FileChange)}


def problem(proposal: Proposal, on: Memory | None = None, **given: Any) -> tuple[str, str]:
    """Field and message of the one problem that a proposal has; a plan with problems changes nothing."""
    made = planned(proposal, on, **given)
    assert not made.changes
    assert not made.ready
    [found] = made.problems
    check_sentence(found.message)
    return found.field, found.message


def notices(made: Plan) -> dict[str, str]:
    """The messages of a plan by their kinds; each must be one sentence."""
    for notice in made.notices:
        check_sentence(notice.message)
    return {notice.kind: notice.message for notice in made.notices}


def check_sentence(message: str) -> None:
    assert "\n" not in message
    assert message.endswith("."), message
    assert not message.endswith(".."), message
    assert len(message) < 600


# --- short proposals -----------------------------------------------------------------------------


def write(**fields: Any) -> Write:
    return Write(**{"id": "p", "path": LINA, "summary": "daughter", "content": "Text.\n"} | fields)


def add(**fields: Any) -> Add:
    usual = {
        "id": "p",
        "title": "Runs in the park",
        "body": "Runs in the park on Sundays. Likes the trees.",
        "type": "fact",
        "confidence": "high",
        "context": "weekend plans",
        "tags": ("sport", "running"),
    }
    return Add(**usual | fields)


def update(**fields: Any) -> Update:
    return Update(**{"id": "p", "filename": RUN, "reason": "a race"} | fields)


def supersede(**fields: Any) -> Supersede:
    return Supersede(**{"id": "p", "filename": RUN, "reason": "stopped running"} | fields)


def delete(**fields: Any) -> Delete:
    return Delete(
        **{"id": "p", "filename": RUN, "reason": "wrong", "user_command": "delete this entry"} | fields
    )


def contradiction(**fields: Any) -> Contradiction:
    usual = {
        "id": "p",
        "filename": RUN,
        "statement": "I never ran.",
        "reason": "conflicts with the goal",
        "refinement": update(body="Target dropped.", change="dropped", reason="conflicts with the goal"),
        "replacement": add(reason="conflicts with the goal"),
    }
    return Contradiction(**usual | fields)


def edit(*edits: tuple[str, str], **fields: Any) -> Edit:
    from memtui.proposals.model import TextEdit

    made = tuple(TextEdit(old, new) for old, new in edits)
    return Edit(**{"id": "p", "path": LINA, "reason": "told so", "edits": made} | fields)


def replace_(text: str, **fields: Any) -> Replace:
    return Replace(**{"id": "p", "path": LINA, "reason": "told so", "text": text} | fields)


def rename(path: str, new_path: str, **fields: Any) -> Rename:
    return Rename(**{"id": "p", "path": path, "new_path": new_path, "reason": "tidy"} | fields)


def swapped(change: Change) -> Change:
    """The change that takes this one back."""
    if isinstance(change, LineChange):
        return LineChange(change.path, change.key, change.after, change.before)
    if change.origin is not None:
        return FileChange(change.origin, change.after, change.before, change.path)
    return FileChange(change.path, change.after, change.before)
