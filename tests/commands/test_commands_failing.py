"""Whatever is broken, a command ends with one line on stderr and the right exit status."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.cli import main
from memtui.config import Workspace
from memtui.failing import sentence
from memtui.storage.refusing import JournalError
from tests.commands.terminal import memtui_with
from tests.support import allow_without_terminal, memtui

NOTE = {"operation": "write", "path": "a.md", "summary": "s", "content": "c\n", "id": "w1"}


def one_line(err: str) -> str:
    lines = err.splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("memtui: ")
    return lines[0]


def spoil_journal(workspace: Workspace) -> None:
    workspace.journal.write_bytes(b"no database at all, but long enough to be looked at" * 40)


def journal_is_folder(workspace: Workspace) -> None:
    workspace.journal.mkdir()


def spool_is_file(workspace: Workspace) -> None:
    shutil.rmtree(workspace.spool)
    workspace.spool.write_text("x")


def memory_is_file(workspace: Workspace) -> None:
    shutil.rmtree(workspace.memory)
    workspace.memory.write_text("x")


def nul_in_a_path(workspace: Workspace) -> None:
    workspace.config.write_text('memory = "a\\u0000b"\n')


READ = (["status"], ["decision", "w1"], ["log"], ["call", "memory_pending"])


@pytest.mark.parametrize("command", READ, ids=" ".join)
@pytest.mark.parametrize("spoil", [spoil_journal, journal_is_folder])
def test_a_journal_that_cannot_be_read(
    workspace: Workspace, spoil: Callable[[Workspace], None], command: list[str]
) -> None:
    spoil(workspace)
    ran = memtui(*command, "--workspace", workspace.root)
    assert (ran.status, ran.out) == (1, "")
    assert "journal" in one_line(ran.err).lower()


@pytest.mark.parametrize("command", [["inbox"], ["show", "w1"], ["undo"], ["propose", "-"]], ids=" ".join)
def test_a_journal_that_cannot_be_written(workspace: Workspace, command: list[str]) -> None:
    allow_without_terminal()
    spoil_journal(workspace)
    ran = memtui(*command, "--workspace", workspace.root, stdin=json.dumps(NOTE))
    assert (ran.status, ran.out) == (1, "")
    assert "journal" in one_line(ran.err).lower()


@pytest.mark.parametrize(
    "command", [["status"], ["inbox"], ["decision", "x"], ["propose", "-"]], ids=" ".join
)
def test_a_spool_that_is_a_file(workspace: Workspace, command: list[str]) -> None:
    spool_is_file(workspace)
    ran = memtui(*command, "--workspace", workspace.root, stdin=json.dumps(NOTE))
    assert (ran.status, ran.out) == (1, "")
    assert "spool" in one_line(ran.err)


@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["search", "x"],
        ["catalog"],
        ["check"],
        ["call", "memory_catalog"],
        ["call", "memory_read", '{"path": "a.md"}'],
    ],
    ids=" ".join,
)
def test_a_memory_that_is_a_file(workspace: Workspace, command: list[str]) -> None:
    memory_is_file(workspace)
    ran = memtui(*command, "--workspace", workspace.root)
    assert (ran.status, ran.out) == (1, "")
    assert "no folder" in one_line(ran.err)


@pytest.mark.parametrize("command", ["list", "status", "inbox"])
def test_a_path_with_a_nul(workspace: Workspace, command: str) -> None:
    nul_in_a_path(workspace)
    ran = memtui(command, "--workspace", workspace.root)
    assert ran.status == 0
    assert "control character" in one_line(ran.err)


def test_an_index_that_is_a_link_and_tags_that_are_a_folder_are_findings(workspace: Workspace) -> None:
    index, tags = workspace.memory / "index.md", workspace.memory / "tags.md"
    index.rename(workspace.root / "elsewhere.md")
    index.symlink_to(workspace.root / "elsewhere.md")
    tags.unlink()
    tags.mkdir()
    ran = memtui("check", "--json", "--workspace", workspace.root)
    assert ran.status == 1
    assert [(f["file"], f["kind"]) for f in ran.json if not f["advice"]] == [
        ("index.md", "unreadable"),
        ("tags.md", "unreadable"),
    ]


def test_a_note_that_is_a_link_is_a_finding(workspace: Workspace) -> None:
    (workspace.memory / "far.md").symlink_to("/etc/hostname")
    ran = memtui("check", "--workspace", workspace.root)
    assert ran.status == 1
    assert "symbolic link" in ran.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("command", [["list"], ["catalog"], ["search", "лиссабон"]], ids=" ".join)
def test_any_encoding_can_be_printed_in(workspace: Workspace, command: list[str], encoding: str) -> None:
    ran = memtui_with({"PYTHONIOENCODING": encoding}, *command, "--workspace", workspace.root)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode(encoding)


def test_output_that_cannot_be_written(workspace: Workspace) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        ran = memtui_with({}, "list", "--workspace", workspace.root, stdout=full.fileno())
    assert ran.returncode == 1
    assert one_line(ran.stderr.decode()) == "memtui: the output cannot be written: no space left on device"


@pytest.mark.parametrize("command", [["list"], ["inbox"], ["catalog"]], ids=" ".join)
def test_a_reader_that_goes_away_is_no_error_to_tell(workspace: Workspace, command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = memtui_with({"MEMTUI_WORKSPACE": str(workspace.root)}, *command, stdout=writing)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, b"")


def test_closed_streams(workspace: Workspace) -> None:
    script = f'"{sys.executable}" -m memtui "$@" <&- >&-'
    for command in (["list"], ["propose"], ["approve", "x"]):
        ran = subprocess.run(
            ["sh", "-c", script, "sh", *command, "--workspace", str(workspace.root)],
            stderr=subprocess.PIPE,
            timeout=60,
        )
        assert ran.returncode in (0, 1)
        assert b"Traceback" not in ran.stderr
        assert len(ran.stderr.splitlines()) <= 1


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'rmdir "{gone}" && exec "{sys.executable}" -m memtui list'
    ran = subprocess.run(["sh", "-c", script], cwd=gone, capture_output=True, timeout=60)
    assert ran.returncode == 1
    assert one_line(ran.stderr.decode())


FAULT = """
import sys
from memtui import cli
from memtui.commands import status
def broken(args):
    raise KeyError('\\x1b[31m')
status.status = broken
sys.exit(cli.main(['status']))
"""


def test_a_fault_of_memtui_is_one_line_that_says_so() -> None:
    ran = subprocess.run([sys.executable, "-c", FAULT], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1
    line = one_line(ran.stderr)
    assert "fault of memtui" in line
    assert "KeyError" in line
    assert "MEMTUI_DEBUG=1" in line
    assert "\x1b" not in line


def test_a_fault_can_be_looked_into() -> None:
    env = {**os.environ, "MEMTUI_DEBUG": "1"}
    ran = subprocess.run([sys.executable, "-c", FAULT], capture_output=True, text=True, timeout=60, env=env)
    assert ran.returncode == 1
    assert "Traceback" in ran.stderr
    assert "in broken" in ran.stderr
    assert "\x1b" not in ran.stderr


def test_announced_failures_and_others_are_told_apart() -> None:
    assert sentence(JournalError("The journal is odd.")) == "The journal is odd."
    assert sentence(PermissionError(13, "Permission denied", "/x")) == "/x cannot be used: permission denied"
    assert sentence(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")) is not None
    assert sentence(KeyError("x")) is None
    assert sentence(AssertionError()) is None


# --- usage -----------------------------------------------------------------------------------------

USAGE = [
    (["propose", "x.json", "--wait", "soon"], "--wait wants seconds, such as 30"),
    (["decision", "x", "--wait", "-1"], "--wait wants seconds"),
    (["decision", "x", "--wait", "nan"], "--wait wants seconds"),
    (["log", "--limit", "0"], "--limit wants a number from 1 on"),
    (["log", "--limit", "-3"], "--limit wants a number from 1 on"),
    (["log", "--limit", "many"], "--limit wants a number from 1 on"),
    (["show", "x", "--choose", "neither"], "--choose wants refinement, replacement or both"),
    (["reject", "x", "--reason", "  "], "--reason wants a few words"),
    (["reject", "x"], "--reason"),
    (["approve", "x", "--plan", ""], "--plan wants the 64 hex digits"),
    (["approve", "x", "--plan", "abc"], "--plan wants the 64 hex digits"),
    (["approve", "x", "--plan", "g" * 64], "--plan wants the 64 hex digits"),
    (["approve", "x", "--plan", "0" * 65], "--plan wants the 64 hex digits"),
    (["approve", "x", "y", "--plan", "0" * 64], "--plan goes with one id"),
    (["approve", "x", "--tags", ""], "--tags wants 2 to 5 tags"),
    (["approve", "x", "--tags", "one"], "--tags wants 2 to 5 tags"),
    (["approve", "x", "--tags", "a,A"], "--tags wants 2 to 5 tags"),
    (["approve", "x", "--tags", "a,b,c,d,e,f"], "--tags wants 2 to 5 tags"),
    (["approve", "x", "--tags", "a,b#c"], "is no tag"),
    (["approve", "x", "--tags", "a,[b]"], "is no tag"),
    (["approve", "x", "--tags", "a,b\x1b"], "is no tag"),
    (["approve", "x", "--tags", "a,b\u202e"], "is no tag"),
    (["approve", "x", "--tags", "a,b\nc,d\x00".replace("\x00", "\x07")], "is no tag"),
    (["call", "memory_read", "{"], "no JSON"),
    (["call", "memory_read", "[" * 100_000], "no JSON"),
    (["call", "memory_read", "3"], "one JSON object"),
    (["call", "memory_catalog", "{}", "--wait", "3"], "--wait goes with memory_write"),
    (["search", " "], "search wants a word"),
    (["no\x1b[31mbody"], "no command is called"),
    (["show", "a", "b\x1b[31m"], "unrecognized arguments"),
    (["show"], "ID"),
]


@pytest.mark.parametrize(("command", "message"), USAGE, ids=[repr(" ".join(c)[:40]) for c, _ in USAGE])
def test_usage_errors_are_one_safe_line(
    workspace: Workspace,
    command: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(workspace.root)
    assert main(command) == 2
    said = capsys.readouterr()
    assert said.out == ""
    line = one_line(said.err)
    assert message in line
    assert line.isprintable()


@pytest.mark.parametrize(
    "command",
    [
        "init",
        "propose",
        "decision",
        "inbox",
        "status",
        "show",
        "approve",
        "reject",
        "undo",
        "log",
        "recover",
        "catalog",
        "list",
        "search",
        "check",
        "watch",
        "grants",
    ],
)
def test_help_documents_the_json_of_each_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--json prints" in shown
    assert all(len(line) <= 120 for line in shown.splitlines())
