"""What every command shares: exit statuses, the workspace, printing that is safe on a terminal."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.config import Workspace, WorkspaceError, find

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.proposals.model import Json, Problem

DONE, FAILED, USAGE, REJECTED, PENDING, BLOCKED = 0, 1, 2, 3, 4, 5
"""Exit statuses (SPEC.md section 5)."""
SOME = 10
"""Exit status of `memtui status --exit-code` where something waits."""

STATUS_OF = {
    "approved": DONE,
    "rejected": REJECTED,
    "refused": FAILED,
    "withdrawn": FAILED,
    "blocked": BLOCKED,
    "undone": PENDING,
    "pending": PENDING,
    "mixed": FAILED,
}
"""Exit status for each verdict."""


class CommandError(Exception):
    """A command cannot go on: one sentence for stderr, and the exit status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


def workspace(args: argparse.Namespace) -> Workspace:
    """The workspace that the arguments name, or the one found from here. Raises CommandError."""
    named = getattr(args, "workspace", None)
    try:
        found = find(Path.cwd(), Path(named) if named else None)
    except WorkspaceError as error:
        raise CommandError(str(error)) from error
    for name in found.settings.ignored:
        warn(f"the setting {name} of this workspace does not count until `memtui trust`")
    if found.settings.problem:
        warn(found.settings.problem)
    return found


def open_desk(args: argparse.Namespace) -> Desk:
    """A desk on the workspace, with what a crash left finished. Raises CommandError."""
    from memtui.desk import Desk, DeskError

    try:
        desk = Desk(workspace(args))
    except DeskError as error:
        raise CommandError(str(error)) from error
    for sentence in desk.recovered:
        warn(sentence)
    return desk


def out(text: str = "") -> None:
    """Print lines that are safe already."""
    sys.stdout.write(text + "\n")


def print_json(value: Any) -> None:
    """Print one JSON value; anything but ASCII is escaped, so nothing can steer a terminal."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True, indent=2) + "\n")


def warn(text: str) -> None:
    """One line on stderr."""
    sys.stderr.write(f"memtui: {shown(text)}\n")


def shown(text: str) -> str:
    """`safe_text.safe`, which plain text does not even load: for commands that agents and prompts call."""
    if text.isascii() and text.isprintable():
        return text
    from memtui.safe_text import safe

    return safe(text)


def problem_json(problems: Iterable[Problem]) -> list[Json]:
    return [{"field": problem.field, "message": problem.message} for problem in problems]


def problem_line(problem: Problem) -> str:
    """One problem as one safe line."""
    return shown(f"{problem.field}: {problem.message}" if problem.field else problem.message)


def age(seconds: float) -> str:
    """How long ago, short: `now`, `5m`, `3h`, `2d`."""
    seconds = max(0.0, time.time() - seconds)
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return "now"
