"""`memtui status`: light, since prompts and status bars call it all day; it only reads."""

from __future__ import annotations

import argparse

from memtui.commands.common import DONE, SOME, out, print_json, workspace
from memtui.reading.glance import glance


def status(args: argparse.Namespace) -> int:
    """One line: how many wait, how many were refused, how many files in a spool cannot be read."""
    seen = glance(workspace(args))
    if args.json:
        from memtui.gate.engine import Engine

        print_json({**seen._asdict(), "screen": Engine().words()})
    else:
        line = f"{seen.pending} waiting" if seen.pending else "nothing waiting"
        others = {"refused": seen.refused, "unreadable": seen.unreadable}
        out(", ".join((line, *(f"{count} {what}" for what, count in others.items() if count))))
    return SOME if args.exit_code and seen.pending else DONE
