"""An app that breaks says that it did and where, and shows no word of what it held, wherever the fault comes up."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from memtui.config import Workspace
from tests.tui.pty_driver import OnTerminal, on_terminal

VALUE = "mellow-Badger!42"
BROKEN = f"""
import asyncio, sys, threading
from pathlib import Path
from memtui.config import load
from memtui.tui import app as module
from memtui.tui.ending import TerminalDriver
value, ways = {VALUE!r}, sys.argv[2:]
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
        where = ways.pop(0) if len(ways) > 1 else ways[0]
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
if ways == ["input"]:
    Broken.get_driver_class = lambda self: Driver
sys.exit(Broken(load(Path(sys.argv[1]))).run())
"""
ENDS = ("handler", "rich", "worker", "timer", "input")
GOES_ON = ("asked", "task", "callback", "thread")


def broken(
    workspace: Workspace, tmp_path: Path, debug: str, *where: str
) -> AbstractContextManager[OnTerminal]:
    """The app that breaks in the first of these ways at the first key, in the next one at the next."""
    script = tmp_path / "broken.py"
    script.write_text(BROKEN)
    command = [sys.executable, str(script), str(workspace.root), *where]
    return on_terminal(
        workspace, command=command, env={"TEXTUAL": "debug" if debug else "", "MEMTUI_DEBUG": debug}
    )


@pytest.mark.parametrize("debug", ["", "1"])
@pytest.mark.parametrize("where", ENDS)
def test_no_word_of_what_it_held_is_shown_where_it_ends(
    workspace: Workspace, tmp_path: Path, where: str, debug: str
) -> None:
    with broken(workspace, tmp_path, debug, where) as app:
        app.sees("Activity")
        app.press_until("x", lambda: app.process.poll() is not None)
        app.until(lambda: b"an error of its own" in app.raw)
        assert b".py:" in app.raw
        app.read(0.2)
        assert VALUE.encode() not in app.raw


@pytest.mark.parametrize("debug", ["", "1"])
def test_no_word_of_what_it_held_is_shown_where_it_goes_on(
    workspace: Workspace, tmp_path: Path, debug: str
) -> None:
    with broken(workspace, tmp_path, debug, *GOES_ON) as app:
        app.sees("Activity")
        for _ in GOES_ON:
            said = app.raw.count(b"fault of memtui")
            app.press_until("x", lambda said=said: app.raw.count(b"fault of memtui") > said)
        app.read(0.2)
        assert VALUE.encode() not in app.raw
