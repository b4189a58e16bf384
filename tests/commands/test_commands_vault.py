"""A vault whose programs are slow: what is waited for is said, and an end ends it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memtui.config import Workspace, load, trust
from tests.support import memtui

NOTE = '{"operation": "write", "id": "it", "path": "it.md", "summary": "s", "content": "c\\n"}'


def with_command(workspace: Workspace, shell: str) -> Workspace:
    workspace.config.write_text(f"[vault]\ncommands = [['sh', '-c', '''{shell}''', 'wifi']]\n")
    trust(workspace.root)
    return load(workspace.root)


def test_propose_says_what_it_waits_for(workspace: Workspace) -> None:
    with_command(workspace, "sleep 1.5; echo mellow-Badger!42")
    ran = memtui("propose", "-", "--workspace", workspace.root, stdin=NOTE)
    assert (ran.status, ran.out, ran.err) == (0, "it\n", "memtui: reading your vault\n")


def test_a_quick_one_is_not_spoken_of(workspace: Workspace) -> None:
    with_command(workspace, "echo mellow-Badger!42")
    assert memtui("vault", "--workspace", workspace.root).status == 0
    held = NOTE.replace("c\\n", "mellow-Badger!42")
    ran = memtui("propose", "-", "--workspace", workspace.root, stdin=held)
    assert ran.status == 5
    assert "reading your vault" not in ran.err


def has_ended(pid: int) -> bool:
    """One that was killed may for a moment be there, and as a zombie for longer."""
    try:
        os.kill(pid, 0)
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return True


def wait_until_ended(pids: list[int]) -> None:
    end = time.monotonic() + 10
    while not all(map(has_ended, pids)):
        assert time.monotonic() < end
        select.select([], [], [], 0.01)


@pytest.mark.parametrize("command", ["propose it.json", "inbox", "vault", "call memory_catalog", "watch"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_no_program_outlives_a_command_that_is_told_to_end(
    workspace: Workspace, tmp_path: Path, number: signal.Signals, command: str
) -> None:
    """Nor do its children; and what was to be screened with what it prints is not taken in."""
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    with_command(workspace, f"sleep 300 & echo $$ $! > {begun}; wait")
    (workspace.root / "it.json").write_text(NOTE)
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", *command.split()],
        cwd=workspace.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    pids = [int(pid) for pid in begun.read_text().split()]
    process.send_signal(number)
    _, err = process.communicate(timeout=8)
    assert process.returncode in (-number, 130, 0 if command == "watch" else -number)
    assert b"Traceback" not in err
    wait_until_ended(pids)
    assert not (workspace.spool / "it.json").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_neither_does_the_program_that_picks_tags(
    workspace: Workspace, tmp_path: Path, number: signal.Signals
) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    shell = f"sleep 300 & echo $$ $! > {begun}; wait"
    workspace.config.write_text("[tags]\ncommand = " + json.dumps(["sh", "-c", shell]) + "\n")
    trust(workspace.root)
    add = '"title": "t", "body": "b", "type": "fact", "confidence": "high", "context": "c"'
    memtui("propose", "-", "--workspace", workspace.root, stdin=f'{{"operation": "add", "id": "it", {add}}}')
    command = [sys.executable, "-m", "memtui", "show", "it", "--workspace", str(workspace.root)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    pids = [int(pid) for pid in begun.read_text().split()]
    process.send_signal(number)
    _, err = process.communicate(timeout=8)
    assert process.returncode in (-number, 130)
    assert b"Traceback" not in err
    wait_until_ended(pids)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_watch_ends_while_it_waits_and_takes_nothing_in(
    workspace: Workspace, tmp_path: Path, number: signal.Signals
) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    with_command(workspace, f"echo x > {begun}; sleep 60")
    (workspace.spool / "it.json").write_text(NOTE)
    command = [sys.executable, "-m", "memtui", "watch", "--workspace", str(workspace.root)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert begun.read_text() == "x\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"Traceback" not in err
    assert (workspace.spool / "it.json").exists()
    assert not list(workspace.decisions.iterdir())
