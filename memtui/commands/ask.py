"""Commands for agents: propose, decision, call."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agents import tools
from memtui.commands.common import (
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
    unread,
    warn,
    workspace,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.config import Workspace
    from memtui.proposals.model import Json


_LARGEST = 1 << 20
"""Bytes of a proposal; one more is read, so that a larger one is told so (SPEC.md section 3)."""


def propose(args: argparse.Namespace) -> int:
    """Check and spool a proposal; print its id; with --wait, wait for the decision."""
    found = workspace(args, writes=True)
    data, name = _read_input(args.file)
    answered = tools.propose(found, data, name, args.spool)
    if args.wait is not None and answered["state"] == "pending":
        answered = tools.wait_for(found, str(answered["id"]), args.wait)
    if args.wait is None and answered["state"] == "pending":
        if args.json:
            print_json(answered)
        else:
            out(shown(str(answered["id"])))
        return DONE
    if not args.json:
        out(shown(str(answered["id"])))
    return _tell(found, answered, as_json=args.json)


def _read_input(file: str) -> tuple[bytes, str]:
    if file == "-":
        if sys.stdin is None:
            raise CommandError("standard input is closed: name a .json, .yaml or .md file")
        return sys.stdin.buffer.read(_LARGEST + 1), ""
    path = Path(file)
    try:
        if not path.is_file():
            raise CommandError(f"{file} is no file: give a .json, .yaml or .md file, or - for standard input")
        with path.open("rb") as opened:
            return opened.read(_LARGEST + 1), path.name
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {(error.strerror or str(error)).lower()}") from error


def decision(args: argparse.Namespace) -> int:
    """What became of a proposal."""
    found = workspace(args)
    answered = tools.decision(found, args.id)
    if args.wait is not None and answered.get("state") == "pending":
        answered = tools.wait_for(found, args.id, args.wait)
    if answered.get("state") == "unknown":
        more = unread(found) or "`memtui inbox` lists those that wait"
        raise CommandError(f"no proposal has the id {args.id}: {more}")
    return _tell(found, answered, as_json=args.json)


def _tell(found: Workspace, answered: dict[str, Json], *, as_json: bool) -> int:
    """Print an answer and give its exit status."""
    from memtui.review.history import problems_of

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
    for id, became in _members(answered):
        out(shown(f"{id}  {became}"))
        for problem in problems_of(tools.decision(found, id).get("problems")):
            warn(f"{id}: {problem_line(problem)}")
    return STATUS_OF.get(verdict, FAILED)


def _members(answered: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Of a batch: each member and what became of it."""
    listed = answered.get("members")
    for member in listed if isinstance(listed, list) else ():
        if isinstance(member, dict):
            yield str(member.get("id")), str(member.get("verdict"))


def call(args: argparse.Namespace) -> int:
    """One tool call as an agent makes it; prints JSON."""
    given = _arguments(args.arguments)
    writes = args.tool == "memory_write"
    if args.wait is not None and not writes:
        raise CommandError("--wait goes with memory_write: the other tools answer at once", USAGE)
    if args.spool is not None and not writes:
        raise CommandError("--spool goes with memory_write: the other tools only read", USAGE)
    try:
        found = workspace(args, writes=writes)
        print_json(tools.call(found, args.tool, given, wait=args.wait, spool=args.spool))
    except tools.Pending as error:
        print_json({"id": error.id, "state": "pending"})
        return PENDING
    except (tools.Rejected, tools.Blocked) as error:
        print_json(error.answer)
        warn(str(error))
        return STATUS_OF.get(str(error.answer.get("verdict")), FAILED)
    return DONE


def _arguments(text: str) -> dict[str, Json]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"the arguments are no JSON: {error}", USAGE) from error
    if not isinstance(given, dict):
        raise CommandError("the arguments must be one JSON object", USAGE)
    return given
