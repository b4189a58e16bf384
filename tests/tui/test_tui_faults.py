"""An app that breaks says that it did and where, and shows no word of what it held, wherever the fault comes up."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memtui.config import Workspace
from tests.tui.pty_driver import on_terminal

VALUE = "mellow-Badger!42"
BROKEN = f"""
import asyncio, sys, threading
from pathlib import Path
from memtui.config import load
from memtui.tui import app as module
from memtui.tui.ending import TerminalDriver
value = {VALUE!r}
where = sys.argv[2]
def fails():
    note = {{"secret": value}}
    raise KeyError(value, note)
async def fails_later():
    fails()
class Rich(Exception):
    def __rich__(self):
        return value
class Broken(module.MemtuiApp):
    CSS_PATH = str(Path(module.__file__).with_name("app.tcss"))
    def on_key(self, event):
        event.stop()
        if where == "handler":
            fails()
        if where == "rich":
            raise Rich(value)
        if where == "worker":
            self.run_worker(fails, thread=True)
        if where == "timer":
            self.set_timer(0.01, fails)
        if where == "asked":
            self.ask("x", fails, print)
        if where == "task":
            asyncio.get_running_loop().create_task(fails_later())
        if where == "callback":
            asyncio.get_running_loop().call_soon(fails)
        if where == "thread":
            threading.Thread(target=fails).start()
        if where == "input":
            self.input_fails = True
class Driver(TerminalDriver):
    def process_message(self, message):
        super().process_message(message)
        if getattr(self._app, "input_fails", False):
            fails()
if where == "input":
    Broken.get_driver_class = lambda self: Driver
sys.exit(Broken(load(Path(sys.argv[1]))).run())
"""
ENDS = ("handler", "rich", "worker", "timer", "input")
GOES_ON = ("asked", "task", "callback", "thread")


@pytest.mark.parametrize("debug", ["", "1"])
@pytest.mark.parametrize("where", [*ENDS, *GOES_ON])
def test_no_word_of_what_it_held_is_shown(
    workspace: Workspace, tmp_path: Path, where: str, debug: str
) -> None:
    script = tmp_path / "broken.py"
    script.write_text(BROKEN)
    command = [sys.executable, str(script), str(workspace.root), where]
    env = {"TEXTUAL": "debug" if debug else "", "MEMTUI_DEBUG": debug}
    with on_terminal(workspace, command=command, env=env) as app:
        app.sees("Activity")
        if where in GOES_ON:
            app.press_until("x", lambda: "fault of memtui" in app.text)
        else:
            app.press_until("x", lambda: app.process.poll() is not None)
            app.until(lambda: b"an error of its own" in app.raw)
            assert b".py:" in app.raw
        app.read(0.2)
        assert VALUE.encode() not in app.raw
