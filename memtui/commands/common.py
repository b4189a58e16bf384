"""What every command shares: exit statuses, the workspace, printing that is safe on a terminal."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
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
"""Exit status for each verdict; `mixed` is that of a batch whose members had different ones."""


class CommandError(Exception):
    """A command cannot go on: one sentence for stderr, and the exit status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


# --- the workspace -------------------------------------------------------------------------------


def workspace(args: argparse.Namespace, *, writes: bool = False) -> Workspace:
    """The workspace that the arguments name, or the one found from here; warnings are given once.

    Raises CommandError, with `writes` also where the settings do not parse and memtui only reads.
    """
    found: Workspace | None = getattr(args, "found", None)
    if found is None:
        found = args.found = _find(args)
        for name in found.settings.ignored:
            warn(f"the setting {name} of this workspace does not count until `memtui trust`")
        for complaint in found.settings.complaints:
            warn(complaint)
        if found.settings.problem and not writes:
            warn(found.settings.problem)
        if found.settings.vault.commands or found.settings.vault.keyring:
            from memtui.gate import vault

            vault.slow = warn
    if found.settings.problem and writes:
        raise CommandError(found.settings.problem)
    return found


def _find(args: argparse.Namespace) -> Workspace:
    named = getattr(args, "workspace", None)
    try:
        return find(Path.cwd(), Path(named) if named else None)
    except WorkspaceError as error:
        raise CommandError(str(error)) from error
    except FileNotFoundError as error:
        if error.filename is not None:
            raise
        raise CommandError("the folder that this runs in is gone: go to another one") from error
    except ValueError as error:  # a NUL in a path, or one that is no text
        raise CommandError(
            f"a path of the workspace or of its settings cannot be used ({error}): mend it"
        ) from error


def open_desk(args: argparse.Namespace, *, writes: bool = False, quiet: bool = False) -> Desk:
    """A desk on the workspace, with what a crash left finished and, unless `quiet`, told.

    Raises CommandError, DeskError.
    """
    from memtui.desk import Desk

    desk = Desk(workspace(args, writes=writes))
    for sentence in () if quiet else (*desk.recovered, *desk.stuck):
        warn(sentence)
    if writes:
        desk.tidy()
    return desk


def unread(found: Workspace) -> str:
    """While the settings do not parse: how many files wait in the spool unread, a sentence; "" for none."""
    if not found.settings.problem:
        return ""
    from memtui.reading.glance import glance

    count = glance(found).pending
    if not count:
        return ""
    files = "1 file is" if count == 1 else f"{count} files are"
    return f"{files} in the spool, not read until the settings file is mended"


def on_terminal() -> bool:
    """Whether a person can be asked here, and shown what is asked."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def need_terminal(command: str, *, lifted: bool) -> None:
    """Raises CommandError where nobody sits at this command's input: agents are given no way to decide.

    `lifted`: the person's own settings let it run without (`review.approve_without_terminal`).
    """
    if not lifted and not (sys.stdin is not None and sys.stdin.isatty()):
        raise CommandError(
            f"{command} wants a terminal and there is none here: run it in one, or set "
            "review.approve_without_terminal = true in your own settings"
        )


def says_yes(question: str, *, aside: bool) -> bool:
    """Asks on the terminal (`aside`: on stderr, since stdout is for JSON): a yes, and nothing else, is one."""
    return answer_to(f"{question} [y/N] ", aside=aside) in ("y", "yes")


def answer_to(question: str, *, aside: bool) -> str:
    """What is typed at a question, in small letters; what was typed before it was shown is no answer to it."""
    import termios

    stream = sys.stderr if aside else sys.stdout
    stream.flush()
    with suppress(termios.error, OSError):
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    stream.write(question)
    stream.flush()
    try:
        answer = sys.stdin.readline()
    except UnicodeDecodeError:
        answer = "?\n"
    if not answer.endswith("\n"):  # the end of the input
        stream.write("\n")
    return answer.strip().casefold()


# --- printing ------------------------------------------------------------------------------------


def out(text: str = "") -> None:
    """Print lines that are safe already."""
    _write(text + "\n")


def print_json(value: Any) -> None:
    """Print one JSON value; anything but ASCII is escaped, so nothing can steer a terminal."""
    _write(json.dumps(value, ensure_ascii=True, indent=2) + "\n")


def _write(text: str) -> None:
    if sys.stdout is None:  # closed by whoever started us
        return
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _no_output(error) from error


def finish_output() -> None:
    """Send out what is still kept back. Raises CommandError, BrokenPipeError."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _no_output(error) from error


def _no_output(error: OSError) -> CommandError:
    return CommandError(f"the output cannot be written: {(error.strerror or str(error)).lower()}")


def _drop_output() -> None:
    """What is kept back goes nowhere: at its end Python would try again, and complain."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def warn(text: str) -> None:
    """One line on stderr."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(f"memtui: {shown(text)}\n")


def shown(text: str) -> str:
    """`safe_text.safe`, which plain text does not even load: for commands that agents and prompts call."""
    if text.isascii() and text.isprintable():
        return text
    from memtui.safe_text import safe

    return safe(text)


def tell_failure(error: Exception) -> int:
    """Say in one line why a command ended; returns the exit status. MEMTUI_DEBUG=1 shows the way there.

    Of a fault only kind and place are told: its text may be that of a note, or a secret.
    """
    _drop_output()
    if isinstance(error, CommandError):
        warn(str(error))
        return error.status
    if isinstance(error, BrokenPipeError):
        return FAILED
    from memtui.agents.tools import ToolError
    from memtui.failing import said, sentence, way_to

    if os.environ.get("MEMTUI_DEBUG"):
        with suppress(OSError, AttributeError):
            sys.stderr.write(way_to(error))
    announced = str(error) if isinstance(error, ToolError) else sentence(error)
    warn(announced or f"{said(error)}: report it, with what MEMTUI_DEBUG=1 prints for the same command")
    return FAILED


# --- words ---------------------------------------------------------------------------------------


def problem_json(problems: Iterable[Problem]) -> list[Json]:
    return [{"field": problem.field, "message": problem.message} for problem in problems]


def problem_line(problem: Problem) -> str:
    """One problem as one safe line."""
    from memtui.review.history import problem_sentence

    return shown(problem_sentence(problem.field, problem.message))


def age(seconds: float) -> str:
    """How long ago, short: `now`, `5m`, `3h`, `2d`."""
    seconds = max(0.0, time.time() - seconds)
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return "now"
