"""Arguments in, exit status out. Textual is imported only to open the app."""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from memtui import __version__

if TYPE_CHECKING:
    _Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_EPILOG = """exit status: 0 done, 1 failed or refused, 2 usage, 3 rejected, 4 still pending, 5 blocked
the workspace is --workspace, $MEMTUI_WORKSPACE, the nearest folder above with .memtui/, or your data folder"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status. Errors are one line on stderr, never a traceback."""
    if argv is None:
        # The process is ours, and a command is over before there is anything to collect; the app turns it on.
        gc.disable()
        atexit.register(gc.freeze)
    args = _parser(sys.argv[1:] if argv is None else argv).parse_args(argv)
    module, _, function = str(args.run).partition(":")
    from memtui.commands.common import CommandError, warn

    try:
        return int(getattr(importlib.import_module(f"memtui.commands.{module}"), function)(args))
    except CommandError as error:
        warn(str(error))
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        warn(f"{error.filename or 'a file'}: {error.strerror or error}")
        return 1


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="memtui",
        description="You decide what AI agents may remember about you. Alone, it opens the app.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"memtui {__version__}")
    parser.add_argument("--workspace", metavar="DIR", help="the workspace to use")
    parser.set_defaults(run="setup:app")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    # Only the group that the command is in is made: all of them take as long as the rest of `memtui status`.
    wanted = [make for make, names in _GROUPS.items() if not names.isdisjoint(argv)]
    helped = not _HELP.isdisjoint(argv)
    for make in _GROUPS if helped or not wanted else wanted:
        make(commands)
    return parser


def _command(
    commands: _Commands, name: str, run: str, help: str, *, json: bool = True
) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=help, description=help)
    made.add_argument("--workspace", metavar="DIR", default=argparse.SUPPRESS, help="the workspace to use")
    if json:
        made.add_argument("--json", action="store_true", help="print JSON")
    made.set_defaults(run=run)
    return made


def _setup_commands(commands: _Commands) -> None:
    made = _command(commands, "init", "setup:init_workspace", "make a workspace; no note is touched")
    made.add_argument("directory", nargs="?", metavar="DIR", help="where (default: here)")
    made.add_argument("--memory", metavar="PATH", help="the notes (default: memory/)")
    made.add_argument("--spool", metavar="PATH", help="pending proposals (default: .memtui/spool/)")
    _command(commands, "trust", "setup:trust_workspace", "let the workspace's own settings count", json=False)
    _command(commands, "demo", "setup:demo", "open the app on a throw-away workspace", json=False)


def _agent_commands(commands: _Commands) -> None:
    made = _command(commands, "propose", "ask:propose", "check and spool a proposal; print its id")
    made.add_argument("file", nargs="?", default="-", metavar="FILE", help="a file, or - for standard input")
    _wait(made)
    made = _command(commands, "decision", "ask:decision", "what became of a proposal")
    made.add_argument("id", metavar="ID")
    _wait(made)
    made = _command(
        commands, "call", "ask:call", "one tool call as an agent makes it; prints JSON", json=False
    )
    made.add_argument("tool", metavar="TOOL", help="memory_write, memory_read, memory_catalog, …")
    made.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help="its arguments, one object")
    _wait(made)


def _wait(made: argparse.ArgumentParser) -> None:
    made.add_argument("--wait", type=_seconds, metavar="SECONDS", help="wait this long for the decision")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= 1e7:
        raise ValueError(text)
    return seconds


def _review_commands(commands: _Commands) -> None:
    _command(commands, "inbox", "review:inbox", "what is pending")
    made = _command(commands, "show", "review:show", "the plan of a proposal: every file's diff")
    made.add_argument("id", metavar="ID")
    _choices(made)
    made = _command(commands, "approve", "review:approve", "approve proposals, after a look")
    made.add_argument("ids", metavar="ID", nargs="+")
    made.add_argument("--plan", metavar="HASH", help="only if the plan is still this one")
    _choices(made)
    made = _command(commands, "reject", "review:reject", "reject proposals")
    made.add_argument("ids", metavar="ID", nargs="+")
    made.add_argument("--reason", metavar="TEXT", required=True, help="told to the agent")
    made = _command(commands, "undo", "review:undo", "take a decision back")
    made.add_argument("decision", nargs="?", metavar="DECISION", help="its number or id (default: the last)")
    made = _command(commands, "log", "review:log", "list decisions, newest first")
    made.add_argument("--limit", type=int, default=500, metavar="N", help="at most this many")
    _command(commands, "recover", "review:recover", "finish what a crash left")


def _status_command(commands: _Commands) -> None:
    made = _command(commands, "status", "status:status", "one line for a prompt or status bar")
    made.add_argument("--exit-code", action="store_true", help="exit 10 where something waits, else 0")


def _choices(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--choose", choices=("refinement", "replacement", "both"), help="how to settle a contradiction"
    )
    made.add_argument("--tags", metavar="A,B", help="the entry's tags, 2 to 5")
    made.add_argument("--accept-new-tags", action="store_true", help="let new tags into tags.md")


def _reading_commands(commands: _Commands) -> None:
    _command(commands, "catalog", "reading:catalog", "the catalog as an agent reads it")
    _command(commands, "list", "reading:list_notes", "every note")
    made = _command(commands, "search", "reading:search", "notes that hold every word")
    made.add_argument("query", nargs="+", metavar="QUERY")
    _command(commands, "check", "reading:check", "health of the folder; exit 1 where something is wrong")


_HELP = frozenset(("-h", "--help"))
_GROUPS: Mapping[Callable[[_Commands], None], frozenset[str]] = {
    _setup_commands: frozenset(("init", "trust", "demo")),
    _agent_commands: frozenset(("propose", "decision", "call")),
    _review_commands: frozenset(("inbox", "show", "approve", "reject", "undo", "log", "recover")),
    _status_command: frozenset(("status",)),
    _reading_commands: frozenset(("catalog", "list", "search", "check")),
}
"""The commands that each group makes, in the order of `memtui --help`."""
