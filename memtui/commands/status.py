"""`memtui status`: light, since prompts and status bars call it all day; it only reads."""

from __future__ import annotations

import argparse

from memtui.commands.common import DONE, SOME, CommandError, out, print_json, workspace
from memtui.glance import glance
from memtui.storage.journal import JournalError
from memtui.storage.spool import SpoolError


def status(args: argparse.Namespace) -> int:
    """One line: how many wait, how many were refused."""
    try:
        seen = glance(workspace(args))
    except (JournalError, SpoolError) as error:
        raise CommandError(str(error)) from error
    if args.json:
        print_json({"pending": seen.pending, "refused": seen.refused})
    else:
        line = f"{seen.pending} waiting" if seen.pending else "nothing waiting"
        out(f"{line}, {seen.refused} refused" if seen.refused else line)
    return SOME if args.exit_code and seen.pending else DONE
