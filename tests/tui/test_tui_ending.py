"""The app ends when it is told to, or when its terminal is gone, and leaves the terminal as it was."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.tui.form import read_draft
from tests.tui.driver import drop, write
from tests.tui.pty_driver import OnTerminal, keys_count_at_once, on_terminal

SIGNALS = (
    ("list", signal.SIGTERM, 143),
    ("editing", signal.SIGTERM, 143),
    ("editing", signal.SIGHUP, 129),
    ("reason", signal.SIGHUP, 129),
)


@pytest.fixture
def waiting(workspace: Workspace) -> Workspace:
    drop(workspace, "one", write("one.md"))
    keys_count_at_once()
    return workspace


def get_to(app: OnTerminal, state: str) -> None:
    app.sees("a approve")
    if state == "editing":
        app.press_until("e", lambda: "show the change" in app.text)
        app.send(*"half a thought")
        app.sees("half a thought")
    elif state == "reason":
        app.press_until("r", lambda: "reject, because" in app.text)


@pytest.mark.parametrize(("state", "number", "status"), SIGNALS)
def test_a_signal_ends_it_and_gives_the_terminal_back(
    waiting: Workspace, state: str, number: signal.Signals, status: int
) -> None:
    with on_terminal(waiting) as app:
        get_to(app, state)
        assert app.is_raw
        app.process.send_signal(number)
        assert app.ended(2) == status
        assert not app.is_raw
        for sequence in (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l"):
            assert sequence in app.raw
        assert b"Traceback" not in app.raw
    if state == "editing":
        with Desk(waiting) as desk:
            draft = read_draft(desk.draft("one"))
            assert draft is not None
            assert "half a thought" in draft.body


def test_a_signal_ends_it_while_an_editor_has_the_terminal(waiting: Workspace, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    started = tmp_path / "started"
    editor.write_text(f"#!/bin/sh\ntrap '' TERM\ntouch {started}\nwhile :; do sleep 0.1; done\n")
    editor.chmod(0o755)
    with on_terminal(waiting, env={"EDITOR": str(editor), "VISUAL": ""}) as app:
        get_to(app, "list")
        app.press_until("E", started.exists)
        app.process.send_signal(signal.SIGTERM)
        assert app.ended(2) == 143
        assert not app.is_raw
        assert app.raw.rstrip().rfind(b"\x1b[?1049l") > app.raw.rfind(b"\x1b[?1049h")


@pytest.mark.parametrize("state", ["list", "editing"])
def test_a_terminal_that_is_gone_ends_it_without_being_told(waiting: Workspace, state: str) -> None:
    with on_terminal(waiting, controlling=False) as app:
        get_to(app, state)
        app.hang_up()
        assert app.ended(2) == 129
    if state == "editing":
        with Desk(waiting) as desk:
            assert "half a thought" in (desk.draft("one") or "")
    assert os.listdir(waiting.memory)
