"""A vault whose programs are slow: what is waited for is said, and an end ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
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
