"""`memtui vault`: the person's secrets by name and source, never by value; and what they said is none."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from memtui.commands.common import DONE, FAILED, need_terminal, open_desk, out, print_json, warn, workspace
from memtui.gate.screen import open_screen
from memtui.safe_text import safe

if TYPE_CHECKING:
    from memtui.gate.screen import Screen
    from memtui.gate.vault import Entry


def vault(args: argparse.Namespace) -> int:
    """List what the screen looks for; or mark a fingerprint or a rule as no secret. Exit 1 where a source failed."""
    if args.not_a_secret or args.rule or args.again:
        return _mark(args)
    with open_screen(workspace(args)) as screen:
        entries = screen.vault.entries()
        screen.marks.refresh()
        if screen.marks.problem:
            warn(screen.marks.problem)
        if args.json:
            print_json(_as_json(screen, entries))
        else:
            _print(screen, entries)
    return FAILED if any(entry.failed for entry in entries) else DONE


def _mark(args: argparse.Namespace) -> int:
    from memtui.commands.deciding import report

    lifted = workspace(args, writes=True).settings.approve_without_terminal
    need_terminal("vault", lifted=lifted)
    with open_desk(args, writes=True) as desk:
        outcomes = [desk.mark(fingerprint=name) for name in args.not_a_secret or ()]
        outcomes += [desk.mark(rule=name) for name in args.rule or ()]
        desk.screen.marks.refresh()
        marked = desk.screen.marks.marked.fingerprints
        for name in args.again or ():
            outcomes.append(
                desk.mark(fingerprint=name, secret=True)
                if name.lower() in marked
                else desk.mark(rule=name, secret=True)
            )
    return report(outcomes, as_json=args.json)


def _as_json(screen: Screen, entries: tuple[Entry, ...]) -> dict[str, object]:
    marked = screen.marks.marked
    return {
        "engine": screen.engine,
        "values": [
            {"source": e.source, "name": e.name, "used": not e.why_not, "why": e.why_not or None}
            for e in entries
            if not e.failed
        ],
        "failed": [{"source": e.source, "why": e.why_not} for e in entries if e.failed],
        "not_secrets": {"fingerprints": dict(marked.fingerprints), "rules": dict(marked.rules)},
    }


def _print(screen: Screen, entries: tuple[Entry, ...]) -> None:
    used = sum(not entry.why_not for entry in entries)
    named = sum(not entry.failed for entry in entries)
    out(f"screen: {safe(screen.engine)}")
    if not entries:
        out("vault: no sources; see the README, Secrets, for how to name them")
    else:
        out(f"vault: {used} of {named} values used")
    source = ""
    for entry in entries:
        if entry.source != source:
            source = entry.source
            out(safe(source))
        if entry.failed:
            out(safe(f"    ! {entry.why_not}"))
        else:
            out(safe(f"    {entry.name}{f'  not used: {entry.why_not}' if entry.why_not else ''}"))
    marked = screen.marks.marked
    for what, names in (("fingerprint", marked.fingerprints), ("rule", marked.rules)):
        for name, at in names.items():
            out(safe(f"no secret: {what} {name}  since {time.strftime('%Y-%m-%d', time.localtime(at))}"))
