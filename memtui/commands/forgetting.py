"""`memtui log --forget`: what decisions held is erased for good, after a look at what goes and what stays."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memtui.commands.common import CommandError, need_terminal, on_terminal, open_desk, says_yes, workspace
from memtui.commands.deciding import report
from memtui.review.items import Outcome
from memtui.safe_text import safe

if TYPE_CHECKING:
    from memtui.storage.keeping import Reach


def forget(args: argparse.Namespace) -> int:
    """Erase what the decisions on one proposal or batch held; asks on the terminal."""
    need_terminal("log --forget", lifted=workspace(args, writes=True).settings.approve_without_terminal)
    with open_desk(args, writes=True) as desk:
        found = desk.reach(args.forget)
        if not found.records:
            raise CommandError(f"no decision has the id {args.forget}: `memtui log` lists them")
        if on_terminal():
            stream = sys.stderr if args.json else sys.stdout
            for line in _reach_lines(args.forget, found):
                stream.write(safe(line) + "\n")
            if not says_yes("erase for good?", aside=args.json):
                return report([Outcome(args.forget, False, "nothing was erased")], as_json=args.json)
        outcome = desk.forget(args.forget)
    return report([outcome], as_json=args.json)


def _reach_lines(id: str, found: Reach) -> Iterator[str]:
    """What goes, and what stays."""
    yield f"forget {id} · {_decisions(found.records)}"
    size = f"{found.contents} of them, {found.size:,} bytes" if found.contents else "they are gone already"
    yield f"  goes   the proposal and the notes before and after it ({size}), its headline, reason and note,"
    yield "         its edited form and its drafts, also in the decision files that its agent reads"
    yield f"  goes   undo of {_decisions((*found.records, *found.shared))}"
    yield "  stays  that it was decided and when, its id, agent and files; its notes and their index lines"
    for path in found.paths:
        yield f"         {path}"
    if found.later:
        yield f"  stays  other versions of these notes, kept with {_decisions(found.later)}"


def _decisions(numbers: Sequence[int]) -> str:
    listed = ", ".join(map(str, sorted(numbers)[:20])) + (" …" if len(numbers) > 20 else "")
    return f"decision {listed}" if len(numbers) == 1 else f"decisions {listed}"
