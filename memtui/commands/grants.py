"""`memtui grants`: what the person lets through from now on, and taking it back."""

from __future__ import annotations

import argparse

from memtui.commands.common import (
    DONE,
    FAILED,
    age,
    need_terminal,
    open_desk,
    out,
    print_json,
    warn,
    workspace,
)
from memtui.safe_text import safe


def grants(args: argparse.Namespace) -> int:
    """List the grants for good, or revoke some; those for a session are the app's alone."""
    if args.revoke is not None:
        return _revoke(args)
    from memtui.gate.grants import Grants

    found = Grants(workspace(args).grants)
    listed = found.all()
    if found.problem:
        warn(found.problem)
    if args.json:
        print_json([{"id": g.id, "spool": g.spool, "path": g.path, "made": g.made} for g in listed])
    for grant in () if args.json else listed:
        out(safe(f"{grant.id}  {grant.path}  from {spool_words(grant.spool)}  {age(grant.made)}"))
    if not listed and not args.json and not found.problem:
        out("no grants: every write is asked about, or allowed by a rule of your settings")
    return FAILED if found.problem else DONE


def spool_words(name: str) -> str:
    """A spool as a sentence names it."""
    return f"the spool {name}" if name else "the workspace's own spool"


def _revoke(args: argparse.Namespace) -> int:
    from memtui.commands.deciding import report

    lifted = workspace(args, writes=True).settings.approve_without_terminal
    need_terminal("grants --revoke", lifted=lifted)
    with open_desk(args, writes=True) as desk:
        outcomes = [desk.revoke(id) for id in args.revoke]
    return report(outcomes, as_json=args.json)
