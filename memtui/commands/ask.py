"""Commands for agents: propose, decision, call."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agents import tools
from memtui.commands.common import (
    BLOCKED,
    DONE,
    FAILED,
    PENDING,
    STATUS_OF,
    USAGE,
    CommandError,
    out,
    print_json,
    problem_line,
    shown,
    warn,
    workspace,
)

if TYPE_CHECKING:
    from memtui.proposals.model import Json


def propose(args: argparse.Namespace) -> int:
    """Check and spool a proposal; print its id; with --wait, wait for the decision."""
    data, name = _read_input(args.file)
    try:
        answered = tools.propose(workspace(args), data, name)
    except tools.ToolError as error:
        raise CommandError(str(error)) from error
    if args.wait is not None and answered["state"] == "pending":
        answered = tools.wait_for(workspace(args), str(answered["id"]), args.wait)
    if args.wait is None and answered["state"] == "pending":
        if args.json:
            print_json(answered)
        else:
            out(shown(str(answered["id"])))
        return DONE
    if not args.json:
        out(shown(str(answered["id"])))
    return _tell(answered, as_json=args.json)


def _read_input(file: str) -> tuple[bytes, str]:
    if file == "-":
        return sys.stdin.buffer.read(), ""
    path = Path(file)
    try:
        if not path.is_file():
            raise CommandError(f"{file} is no file: give a .json, .yaml or .md file, or - for standard input")
        return path.read_bytes(), path.name
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from error


def decision(args: argparse.Namespace) -> int:
    """What became of a proposal."""
    answered = tools.decision(workspace(args), args.id)
    if args.wait is not None and answered.get("state") == "pending":
        answered = tools.wait_for(workspace(args), args.id, args.wait)
    if answered.get("state") == "unknown":
        raise CommandError(f"no proposal has the id {args.id}: `memtui inbox` lists those that wait")
    return _tell(answered, as_json=args.json)


def _tell(answered: dict[str, Json], *, as_json: bool) -> int:
    """Print an answer and give its exit status."""
    from memtui.history import problems_of

    verdict = str(answered.get("verdict") or answered.get("state"))
    if as_json:
        print_json(answered)
        return STATUS_OF.get(verdict, FAILED)
    problems = problems_of(answered.get("problems"))
    for problem in problems:
        warn(problem_line(problem))
    reason = str(answered.get("reason") or "")
    if not problems:
        out(shown(f"{verdict}: {reason}" if reason else verdict))
    return STATUS_OF.get(verdict, FAILED)


def call(args: argparse.Namespace) -> int:
    """One tool call as an agent makes it; prints JSON."""
    try:
        given = json.loads(args.arguments)
    except ValueError as error:
        raise CommandError(f"the arguments are no JSON: {error}", USAGE) from error
    if not isinstance(given, dict):
        raise CommandError("the arguments must be one JSON object", USAGE)
    try:
        print_json(tools.call(workspace(args), args.tool, given, wait=args.wait))
    except tools.Pending as error:
        print_json({"id": error.id, "state": "pending"})
        return PENDING
    except tools.Rejected as error:
        print_json(error.answer)
        warn(str(error))
        return STATUS_OF.get(str(error.answer.get("verdict")), FAILED)
    except tools.Blocked as error:
        print_json(error.answer)
        warn(str(error))
        return BLOCKED
    except tools.ToolError as error:
        raise CommandError(str(error)) from error
    return DONE
