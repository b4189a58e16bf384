"""Commands that make a workspace or open the app: init, trust, demo, and `memtui` alone."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from contextlib import suppress
from pathlib import Path

from memtui.commands.common import DONE, FAILED, CommandError, need_terminal, out, print_json, workspace
from memtui.config import WorkspaceError, ancestor, decides_without_terminal, init, load, trust
from memtui.safe_text import safe
from memtui.settings import DOT


def init_workspace(args: argparse.Namespace) -> int:
    """Make a workspace; no note is touched."""
    root = Path(args.directory or args.workspace or ".").expanduser().absolute()
    for name, given, usual in (("memory", args.memory, "memory"), ("spool", args.spool, f"{DOT}/spool")):
        _refuse_file(name, root / Path(given or usual).expanduser())
    had_notes = (root / Path(args.memory or "memory").expanduser()).is_dir()
    made = init(root, memory=args.memory, spool=args.spool)
    if args.json:
        print_json({"workspace": str(made.root), "memory": str(made.memory), "spool": str(made.spool)})
    elif had_notes:
        out(safe(f"made {made.dot} · your notes in {made.memory} are as they were"))
    else:
        out(safe(f"made {made.dot} · made {made.memory} (empty)"))
    return DONE


def _refuse_file(name: str, path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise CommandError(f"{path} is no folder: name a folder as {name}")


def trust_workspace(args: argparse.Namespace) -> int:
    """Let what the workspace came with count as it is now: settings, links that lead out, decisions."""
    named = args.workspace
    root = Path(named).expanduser().absolute() if named else ancestor(Path.cwd())
    if root is None:
        raise CommandError("no workspace here or in any folder above: nothing to trust")
    need_terminal("trust", lifted=decides_without_terminal())
    ignored: tuple[str, ...] = ()
    with suppress(WorkspaceError):  # a link that leads out: trust is what lets it be loaded
        ignored = load(root).settings.ignored
    trusted = [f"{path} as it is now" for path in trust(root)]
    trusted += [f"the setting {name} in it, which counts now" for name in ignored]
    from memtui.desk import Desk

    with Desk(load(root)) as desk:
        count = desk.trust_decisions()
    if count:
        decisions = "1 decision" if count == 1 else f"{count} decisions"
        trusted.append(f"{decisions} that the journal came with")
    if not trusted:
        raise CommandError(f"{root / DOT} holds nothing to trust: no settings, no decisions from elsewhere")
    for each in trusted:
        out(safe(f"trusted {each}"))
    return DONE


def demo(_: argparse.Namespace) -> int:
    """Open the app on a throw-away workspace."""
    import tempfile

    from memtui.demo import make_demo

    _need_terminal("memtui demo")
    # Its secrets are made up: no scanner is worth seconds before the first look.
    os.environ.setdefault("MEMTUI_SCANNER", "off")
    with tempfile.TemporaryDirectory(prefix="memtui-demo-") as directory:
        made = make_demo(Path(directory))
        from memtui.tui.app import run

        _collect_again()
        return run(made, demo=True)


def app(args: argparse.Namespace) -> int:
    """Open the app; in a folder with notes and no workspace, offer to make one."""
    _need_terminal("memtui")
    here = Path.cwd()
    named = args.workspace or os.environ.get("MEMTUI_WORKSPACE")
    if not named and ancestor(here) is None and (here / "memory").is_dir():
        from memtui.tui.app import run_offer

        _collect_again()
        return run_offer(here)
    found = workspace(args)
    from memtui.tui.app import run

    _collect_again()
    return run(found)


def _collect_again() -> None:
    """From here on memory is collected as usual; what was loaded stays out of it."""
    gc.freeze()
    gc.enable()


def _need_terminal(name: str) -> None:
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        raise CommandError(f"{name} opens the app and needs a terminal: try `memtui --help`", FAILED)
