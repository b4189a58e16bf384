"""The app ends at once though a program of the vault hangs, and the program ends with it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from memtui.config import Workspace, load, trust
from tests.commands.test_commands_vault import has_ended
from tests.tui.driver import drop, write
from tests.tui.pty_driver import on_terminal

TOLD = {"quit": None, "terminated": signal.SIGTERM, "hung up": signal.SIGHUP}


@pytest.mark.parametrize("how", [*TOLD, "terminal gone"])
def test_nothing_of_the_vault_outlives_the_app(workspace: Workspace, tmp_path: Path, how: str) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    workspace.config.write_text(
        f"[vault]\ncommands = [['sh', '-c', '''sleep 300 & echo $$ $! > {begun}; wait''', 'wifi']]\n"
    )
    trust(workspace.root)
    drop(workspace, "one", write("one.md"))
    with on_terminal(load(workspace.root), controlling=how != "terminal gone") as app:
        pids = [int(pid) for pid in begun.read_text().split()]
        app.sees("Activity")
        if how == "quit":
            app.send("ctrl+q")
        elif how == "terminal gone":
            app.hang_up()
        else:
            app.process.send_signal(TOLD[how] or 0)
        assert app.ended(4) is not None
        assert b"Traceback" not in app.raw
        app.until(lambda: all(map(has_ended, pids)))
    assert not list(workspace.decisions.iterdir())
