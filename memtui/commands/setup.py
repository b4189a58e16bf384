"""Commands that make a workspace or open the app: init, trust, demo, and `memtui` alone."""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path

from memtui.commands.common import DONE, FAILED, CommandError, out, print_json, warn
from memtui.config import WorkspaceError, ancestor, find, init, trust
from memtui.safe_text import safe


def init_workspace(args: argparse.Namespace) -> int:
    """Make a workspace; no note is touched."""
    named = args.directory or args.workspace or "."
    try:
        made = init(Path(named), memory=args.memory, spool=args.spool)
    except WorkspaceError as error:
        raise CommandError(str(error)) from error
    if args.json:
        print_json({"workspace": str(made.root), "memory": str(made.memory), "spool": str(made.spool)})
    else:
        out(safe(f"made {made.dot} · your notes in {made.memory} are as they were"))
    return DONE


def trust_workspace(args: argparse.Namespace) -> int:
    """Let the workspace's own settings count as they are now."""
    named = args.workspace
    root = Path(named).expanduser().absolute() if named else ancestor(Path.cwd())
    if root is None:
        raise CommandError("no workspace here or in any folder above: nothing to trust")
    try:
        path = trust(root)
    except WorkspaceError as error:
        raise CommandError(str(error)) from error
    out(safe(f"trusted {path} as it is now"))
    return DONE


def demo(_: argparse.Namespace) -> int:
    """Open the app on a throw-away workspace."""
    import tempfile

    from memtui.demo import make_demo

    _need_terminal("memtui demo")
    with tempfile.TemporaryDirectory(prefix="memtui-demo-") as directory:
        made = make_demo(Path(directory))
        from memtui.tui.app import run

        _collect_again()
        return run(made, demo=True)


def app(args: argparse.Namespace) -> int:
    """Open the app; in a folder with notes and no workspace, offer to make one."""
    _need_terminal("memtui")
    here = Path.cwd()
    try:
        if not args.workspace and ancestor(here) is None and (here / "memory").is_dir():
            from memtui.tui.app import run_offer

            _collect_again()
            return run_offer(here)
        found = find(here, Path(args.workspace) if args.workspace else None)
    except WorkspaceError as error:
        raise CommandError(str(error)) from error
    for name in found.settings.ignored:
        warn(f"the setting {name} of this workspace does not count until `memtui trust`")
    from memtui.tui.app import run

    _collect_again()
    return run(found)


def _collect_again() -> None:
    """From here on memory is collected as usual; what was loaded stays out of it."""
    gc.freeze()
    gc.enable()


def _need_terminal(name: str) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError(f"{name} opens the app and needs a terminal: try `memtui --help`", FAILED)
