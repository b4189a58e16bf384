"""`memtui recover`: finish what a crash left, and settle with the person what cannot be finished by itself."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Literal

from memtui.commands.common import (
    DONE,
    FAILED,
    USAGE,
    CommandError,
    answer_to,
    need_terminal,
    on_terminal,
    open_desk,
    out,
    print_json,
    warn,
    workspace,
)
from memtui.safe_text import safe

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.proposals.model import Json
    from memtui.review.recovering import Stopped
    from memtui.storage.apply import Conflict

QUESTION = "[k] keep the disk's version · [w] write the decision's · [l] look · [enter] later: "
_TAKES: dict[str, Literal["found", "ours"]] = {"k": "found", "w": "ours"}


def recover(args: argparse.Namespace) -> int:
    """Finish what a crash left; ask about what was changed by hand meanwhile, or settle it as the options say."""
    take: Literal["found", "ours"] | None = "found" if args.keep_disk else "ours" if args.write else None
    if (args.decision is None) != (take is None):
        raise CommandError("name one decision together with --keep-disk or --write", USAGE)
    if take is not None:
        need_terminal("recover", lifted=workspace(args, writes=True).settings.approve_without_terminal)
    with open_desk(args, writes=True, quiet=True) as desk:
        done, settled = list(desk.recovered), True
        if take is not None:
            settled = _settle(desk, args.decision, take, done)
        elif desk.stopped and not args.json and on_terminal():
            for stopped in desk.stopped:
                settled &= _ask(desk, stopped, done)
        desk.take_in()  # files of proposals that are decided now go from the spool
        if args.json:
            print_json({"recovered": list(done), "stuck": list(desk.stuck), "stopped": _json(desk)})
        else:
            _print(desk, done)
        return DONE if settled and not desk.stuck else FAILED


def _print(desk: Desk, done: list[str]) -> None:
    for sentence in done:
        out(safe(sentence))
    for stopped in desk.stopped:
        out(safe(f"decision {stopped.record} · {stopped.headline} · stopped half way"))
        for conflict in stopped.conflicts:
            out(
                safe(
                    f"  {conflict.message} On the disk: {_size(conflict)}; the decision would {_would(conflict)}."
                )
            )
        out(f"  memtui recover {stopped.record} --keep-disk    leaves the disk's version")
        out(f"  memtui recover {stopped.record} --write        writes the decision's version")
    for sentence in desk.stuck:
        warn(sentence)
    if not done and not desk.stuck:
        out("nothing to recover")


def _settle(desk: Desk, number: int, take: Literal["found", "ours"], done: list[str]) -> bool:
    outcome = desk.resolve(number, take)
    if outcome.ok:
        done.append(outcome.message)
    else:
        warn(outcome.message)
    return outcome.ok


def _ask(desk: Desk, stopped: Stopped, done: list[str]) -> bool:
    """One stopped decision on the terminal, until it is settled or left for later."""
    sys.stdout.write(safe(f"decision {stopped.record} · {stopped.headline} · stopped half way") + "\n")
    for conflict in stopped.conflicts:
        sys.stdout.write("  " + safe(conflict.message) + "\n")
    while True:
        word = answer_to(QUESTION, aside=False)[:1]
        if word in _TAKES:
            return _settle(desk, stopped.record, _TAKES[word], done)
        if word != "l":
            return True  # it is told below that it waits
        for conflict in stopped.conflicts:
            sys.stdout.write(_difference(conflict))


def _difference(conflict: Conflict) -> str:
    """From the disk's version to the decision's, safe on a terminal."""
    from memtui.proposals.diff import diff
    from memtui.proposals.diff_pieces import printed

    return printed(diff(conflict.path, conflict.found, conflict.ours))


def _size(conflict: Conflict) -> str:
    if not conflict.readable:
        return "no note that can be read"
    return "no such file" if conflict.found is None else f"{len(conflict.found):,} bytes"


def _would(conflict: Conflict) -> str:
    return "remove it" if conflict.ours is None else f"write {len(conflict.ours):,} bytes"


def _json(desk: Desk) -> Json:
    from memtui.commands.preview import text_json

    return [
        {
            "decision": stopped.record,
            "headline": stopped.headline,
            "files": [
                {
                    "path": conflict.path,
                    "message": conflict.message,
                    **text_json("disk", conflict.found),
                    **text_json("decision", conflict.ours),
                }
                for conflict in stopped.conflicts
            ],
        }
        for stopped in desk.stopped
    ]
