"""Arguments in, exit status out. Textual is imported only to open the app."""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from memtui import __version__

if TYPE_CHECKING:
    _Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"

_EPILOG = """exit status: 0 done, 1 failed or refused, 2 usage, 3 rejected, 4 still pending, 5 blocked
the workspace is --workspace, $MEMTUI_WORKSPACE, the nearest folder above with .memtui/, or your data folder"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status. Errors are one line on stderr, never a traceback."""
    if argv is None:
        # The process is ours, and a command is over before there is anything to collect; the app turns it on.
        gc.disable()
        atexit.register(gc.freeze)
        sys.excepthook = sys.unraisablehook = _tell_fault
    _print_in_any_locale()
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        from memtui.commands.common import finish_output

        finish_output()
        return status
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from memtui.commands.common import tell_failure

        return tell_failure(error)


def _tell_fault(*left: Any) -> None:
    """What Python would print by itself of what nobody takes: texts of notes may be in it."""
    from memtui.failing import tell_fault

    tell_fault(left[1] if len(left) > 1 else left[0].exc_value)


def _run(argv: Sequence[str]) -> int:
    try:
        args = _parser(argv).parse_args(argv)
    except SystemExit as ended:  # help, version, or a usage error that has been told
        return ended.code if isinstance(ended.code, int) else 0
    module, _, function = str(args.run).partition(":")
    return int(getattr(importlib.import_module(f"memtui.commands.{module}"), function)(args))


def _print_in_any_locale() -> None:
    """Where the terminal's encoding lacks a character, its escape is printed instead of a failure."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


class _Parser(argparse.ArgumentParser):
    """Tells a usage error in one line, with what came from outside made safe."""

    def error(self, message: str) -> NoReturn:
        from memtui.commands.common import USAGE, warn

        message = re.sub(
            r"^argument ([^:]+): (wants )?", lambda m: f"{m[1]} wants " if m[2] else f"{m[1]}: ", message
        )
        if unknown := re.match(r"COMMAND: invalid choice: (.*) \(choose from", message, re.DOTALL):
            message = f"no command is called {unknown[1]}"
        warn(f"{message}: see `{self.prog} --help`")
        raise SystemExit(USAGE)


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(
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
    commands: _Commands, name: str, run: str, help: str, *, json: str = "", more: str = ""
) -> argparse.ArgumentParser:
    """One command; `json` says what --json prints, "" where it has no such option."""
    made = commands.add_parser(
        name,
        help=help,
        description=help,
        epilog="\n".join(filter(None, (more, json and f"--json prints {json}"))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--workspace", metavar="DIR", default=argparse.SUPPRESS, help="the workspace to use")
    if json:
        made.add_argument("--json", action="store_true", help="print JSON")
    made.set_defaults(run=run)
    return made


def _setup_commands(commands: _Commands) -> None:
    made = _command(
        commands,
        "init",
        "setup:init_workspace",
        "make a workspace; no note is touched",
        json='{"workspace", "memory", "spool"}, three paths',
    )
    made.add_argument("directory", nargs="?", metavar="DIR", help="where (default: here)")
    made.add_argument("--memory", metavar="PATH", help="the notes (default: memory/)")
    made.add_argument("--spool", metavar="PATH", help="pending proposals (default: .memtui/spool/)")
    _command(
        commands, "trust", "setup:trust_workspace", "let the workspace's settings, links and decisions count"
    )
    _command(commands, "demo", "setup:demo", "open the app on a throw-away workspace")


_ANSWER = """{"id", "state": "pending"}, or once it is decided
  {"state": "decided", "id", "operation", "verdict", "edited", "text", "left_out", "reason", "decided_at",
  "changes": [{"path", "from", "change", "sha256"}], "result", "problems": [{"field", "message"}]}
  verdict: approved, rejected, refused, blocked, withdrawn, undone"""


def _agent_commands(commands: _Commands) -> None:
    made = _command(
        commands,
        "propose",
        "ask:propose",
        "check and spool a proposal; print its id",
        json=_ANSWER,
        more=_EPILOG,
    )
    made.add_argument("file", nargs="?", default="-", metavar="FILE", help="a file, or - for standard input")
    _wait(made)
    _spool(made)
    made = _command(
        commands,
        "decision",
        "ask:decision",
        "what became of a proposal",
        json=f"""{_ANSWER}
  of a batch: {{"state", "id", "verdict", "members": [{{"id", "operation", "verdict"}}]}}, verdict mixed (exit 1)
  where the members had different ones; while a member waits, pending (exit 4)""",
        more=_EPILOG,
    )
    made.add_argument("id", metavar="ID")
    _wait(made)
    made = _command(
        commands,
        "call",
        "ask:call",
        "one tool call as an agent makes it; prints JSON",
        more="""it prints: memory_write {"id", "state": "pending"}, with --wait {"path", "summary", "bytesWritten"} or
  the decision; memory_read {"path", "content"}; memory_catalog {"catalog", "dropped": [PATH]};
  memory_search {"notes": [{"path", "summary"}]}; memory_pending {"pending": [ID]}""",
    )
    made.add_argument("tool", metavar="TOOL", help="memory_write, memory_read, memory_catalog, …")
    made.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help="its arguments, one object")
    _wait(made)
    _spool(made)


def _wait(made: argparse.ArgumentParser) -> None:
    made.add_argument("--wait", type=_seconds, metavar="SECONDS", help="wait this long for the decision")


def _spool(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--spool", metavar="NAME", help="one of [[spools]] (default: $MEMTUI_SPOOL, else the workspace's own)"
    )


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= 1e7:
            return seconds
    raise argparse.ArgumentTypeError("wants seconds, such as 30")


def _count(text: str) -> int:
    with suppress(ValueError):
        if 1 <= (count := int(text)) <= 2**31:
            return count
    raise argparse.ArgumentTypeError("wants a number from 1 on, such as 20")


def _reason(text: str) -> str:
    if text.strip():
        return text.strip()
    raise argparse.ArgumentTypeError("wants a few words: they are told to the agent")


def _choice(text: str) -> str:
    if text in ("refinement", "replacement", "both"):
        return text
    raise argparse.ArgumentTypeError("wants refinement, replacement or both")


_OUTCOMES = '[{"id", "ok", "verdict", "message", "decision"}], one object an item'


def _review_commands(commands: _Commands) -> None:
    made = _command(
        commands,
        "inbox",
        "looking:inbox",
        "what is pending",
        json=f"""a list of {{"id", "operation", "state", "headline", "target", "agent", "session", "source",
  "attended", "reason", "batch", "spool", "file", "first_seen", "refused_at", "edited", "notices",
  "problems", "hits": [{{"rule", "field", "line", "length", "fingerprint"}}]}}, null where it does not apply;
  state: pending, stale, problem, refused, blocked, unreadable
  with --dismiss: {_OUTCOMES}""",
    )
    made.add_argument("--dismiss", metavar="ID", nargs="+", help="take refused or blocked ones off the list")
    made = _command(
        commands,
        "show",
        "looking:show",
        "the plan of a proposal: every file's diff",
        json="""{"id", "operation", "agent", "state", "headline", "target", "edited", "spool",
  "claims": {"session", "source", "cwd", "created", "attended", "base_sha256"}, "reason", "user_command",
  "statement", "unknown", "plan": HASH,
  "notices", "problems", "wants", "suggested_tags", "new_tags", "changes": [{"path", "from", "change", "before",
  "after", "diff"}], "result", "choices"}; of a batch: {"id", "members": [those]}""",
    )
    made.add_argument("id", metavar="ID", help="a proposal, or a batch as it would be approved together")
    _choices(made)
    made = _command(
        commands, "approve", "deciding:approve", "approve proposals, after a look", json=_OUTCOMES
    )
    made.add_argument("ids", metavar="ID", nargs="+")
    made.add_argument("--plan", metavar="HASH", help="only if the plan is still this one (with one ID)")
    made.add_argument(
        "--keep-old", action="store_true", help="keep the old text for undo even where it holds a secret"
    )
    _choices(made)
    made = _command(commands, "reject", "deciding:reject", "reject proposals", json=_OUTCOMES)
    made.add_argument("ids", metavar="ID", nargs="+")
    made.add_argument("--reason", metavar="TEXT", type=_reason, required=True, help="told to the agent")
    made = _command(commands, "undo", "deciding:undo", "take a decision back", json=_OUTCOMES)
    made.add_argument(
        "decision",
        nargs="?",
        metavar="DECISION",
        help="its number, or the id of its proposal or batch (default: the last)",
    )
    made = _command(
        commands,
        "log",
        "looking:log",
        "list decisions, newest first, or erase what some of them held",
        json=f"""a list of {{"decision", "id", "operation", "verdict", "headline", "target", "agent", "reason",
  "edited", "undoable", "undone_by", "undoes", "forgotten", "at", "by"}}; undone_by and undoes are numbers of
  other decisions; forgotten: what it held is not kept; by is you, memtui, its agent, or what allowed it: allowed
  by rule people/*
  with --forget: {_OUTCOMES}""",
        more="""--forget shows what goes and what stays, and asks; without a terminal it refuses, as approve does. It
erases the proposal, the notes before and after it, its headline, reason and note from the journal and the
decision files, wherever else the journal needs the same contents too. The notes themselves stay as they are.
""",
    )
    made.add_argument("--forget", metavar="ID", help="erase for good what the decisions on ID held")
    made.add_argument(
        "--limit", type=_count, default=500, metavar="N", help="at most this many (default: 500)"
    )
    made = _command(
        commands,
        "recover",
        "recovering:recover",
        "finish what a crash left, and settle what it cannot finish by itself",
        json="""{"recovered": [TEXT], "stuck": [TEXT], "stopped": [{"decision", "headline",
  "files": [{"path", "message", "disk": TEXT|null, "decision": TEXT|null}]}]}""",
    )
    made.add_argument(
        "decision", nargs="?", type=_count, metavar="DECISION", help="the number of one that stopped half way"
    )
    either = made.add_mutually_exclusive_group()
    either.add_argument("--keep-disk", action="store_true", help="its files stay as they are on the disk")
    either.add_argument("--write", action="store_true", help="its files are written as it was decided")


def _gate_commands(commands: _Commands) -> None:
    _command(
        commands,
        "watch",
        "watching:watch",
        "apply what your rules and grants allow, without the app; asks nothing",
        json="""one object a line, for each thing that memtui decided by itself: as those of log --json, or
  {"id", "message"} where an allowed write failed and waits for you""",
        more="it goes on until it is interrupted or terminated, and then exits with 0",
    )
    made = _command(
        commands,
        "grants",
        "grants:grants",
        "what you let through from now on (m t in the app); --revoke takes one back",
        json=f"""a list of {{"id", "spool", "path", "made"}}; made in Unix seconds
  with --revoke: {_OUTCOMES}""",
    )
    made.add_argument("--revoke", metavar="ID", nargs="+", help="ask again about what it lets through")


def _vault_command(commands: _Commands) -> None:
    made = _command(
        commands,
        "vault",
        "vault:vault",
        "your secrets by name and source, never by value; exit 1 where a source cannot be read",
        json=f"""{{"engine": TEXT, "values": [{{"source", "name", "used", "why"}}],
  "failed": [{{"source", "why"}}], "not_secrets": {{"fingerprints": {{NAME: SECONDS}}, "rules": {{NAME: SECONDS}}}}}}
  with an option: {_OUTCOMES}""",
        more="""The options decide, so they want a terminal. A rule's mark never covers a value of your vault.
""",
    )
    made.add_argument(
        "--not-a-secret", metavar="FINGERPRINT", nargs="+", help="what was blocked with it may be sent again"
    )
    made.add_argument("--rule", metavar="NAME", nargs="+", help="nothing that this rule finds is a secret")
    made.add_argument(
        "--again", metavar="NAME", nargs="+", help="a fingerprint or rule is a secret after all"
    )


def _status_command(commands: _Commands) -> None:
    made = _command(
        commands,
        "status",
        "status:status",
        "one line for a prompt or status bar",
        json='{"pending", "refused", "unreadable", "screen"}, three numbers, and which rules look for secrets',
    )
    made.add_argument("--exit-code", action="store_true", help="exit 10 where something waits, else 0")


def _choices(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--choose",
        type=_choice,
        metavar="C",
        help="how to settle a contradiction: refinement, replacement or both",
    )
    made.add_argument("--tags", metavar="A,B", help="the entry's tags, 2 to 5")
    made.add_argument("--accept-new-tags", action="store_true", help="let new tags into tags.md")


_NOTES = """a list of {"path", "title", "summary", "kind": "entry"|"note"|"other", "type", "tags", "status",
  "confidence", "modified"}"""


def _reading_commands(commands: _Commands) -> None:
    _command(
        commands,
        "catalog",
        "reading:catalog",
        "the catalog as an agent reads it",
        json='{"catalog": TEXT, "dropped": [PATH], "bytes", "budget"}',
    )
    _command(commands, "list", "reading:list_notes", "every note", json=_NOTES)
    made = _command(commands, "search", "reading:search", "notes that hold every word", json=_NOTES)
    made.add_argument("query", nargs="+", metavar="QUERY")
    _command(
        commands,
        "check",
        "reading:check",
        "health of the folder; exit 1 where something is wrong, 0 with advice alone",
        json='a list of {"file", "kind", "message", "advice"}; advice alone leaves the exit status at 0',
    )


_HELP = frozenset(("-h", "--help"))
_GROUPS: Mapping[Callable[[_Commands], None], frozenset[str]] = {
    _setup_commands: frozenset(("init", "trust", "demo")),
    _agent_commands: frozenset(("propose", "decision", "call")),
    _review_commands: frozenset(("inbox", "show", "approve", "reject", "undo", "log", "recover")),
    _gate_commands: frozenset(("watch", "grants")),
    _vault_command: frozenset(("vault",)),
    _status_command: frozenset(("status",)),
    _reading_commands: frozenset(("catalog", "list", "search", "check")),
}
"""The commands that each group makes, in the order of `memtui --help`."""
