"""A desktop notification: by the sequence that the terminal knows, with nothing of what a proposal holds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.tui.notify import arrival_text, notification
from tests.tui.driver import drop, write
from tests.tui.pty_driver import on_terminal


@pytest.mark.parametrize(
    ("environment", "sequence"),
    [
        ({"TERM": "xterm-kitty"}, "\x1b]9;memtui: hello\x07"),
        ({"TERM": "foot"}, "\x1b]777;notify;memtui;hello\x07"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "\x1b]777;notify;memtui;hello\x07"),
        ({"TERM": "screen", "TMUX": "/tmp/t"}, "\x1bPtmux;\x1b\x1b]9;memtui: hello\x07\x1b\\"),
    ],
)
def test_each_terminal_gets_what_it_knows(environment: dict[str, str], sequence: str) -> None:
    assert notification("hello", environment) == sequence


def test_a_hostile_agent_name_ends_no_sequence_and_begins_none() -> None:
    text = arrival_text(1, ["x\x07\x1b]0;gone\x1b\\;\x9c" + "y" * 500])
    made = notification(text, {"TERM": "foot"})
    inside = made.removeprefix("\x1b]777;notify;memtui;").removesuffix("\x07")
    assert inside.isprintable()
    assert ";" not in inside
    assert len(inside) <= 120


def test_it_says_how_many_and_from_whom() -> None:
    assert arrival_text(1, ["codex"]) == "1 proposal waits for you, from codex"
    assert arrival_text(3, ["codex", "", "codex", "me"]) == "3 proposals wait for you, from codex and 1 more"
    assert arrival_text(2, [""]) == "2 proposals wait for you"


@pytest.mark.parametrize("wanted", [True, False])
def test_an_arrival_notifies_where_the_setting_says_so(workspace: Workspace, wanted: bool) -> None:
    own = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui"
    own.mkdir(parents=True)
    (own / "config.toml").write_text(f"[app]\nnotify = {str(wanted).lower()}\n")
    with on_terminal(workspace, env={"TERM_PROGRAM": "", "TMUX": "", "VTE_VERSION": ""}) as app:
        app.sees("Nothing is waiting")
        drop(workspace, "one", write("prefs/tea.md", "secret words", agent="codex"))
        app.sees("prefs/tea.md")
        app.sees("1 waiting")
    notified = b"memtui: 1 proposal waits for you, from codex\x07"
    assert (notified in app.raw) is wanted
