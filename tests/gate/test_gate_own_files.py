"""Files of memtui's own in a workspace: whatever stands in their place is answered at once, and said."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.gate.fingerprints import Marks
from memtui.gate.grants import Grants
from tests.support import memtui

IN_THE_WAY: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a huge file": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), 1 << 33),
    "a link": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_stands_in_the_place_of_the_marks_lets_nothing_through(workspace: Workspace, what: str) -> None:
    IN_THE_WAY[what](workspace.state / "not-secrets.json")
    marks = Marks(workspace.state)
    marks.refresh()
    assert not marks.marked.fingerprints
    assert "cannot be read as marks" in marks.problem


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_stands_in_the_place_of_the_salt_is_said(workspace: Workspace, what: str) -> None:
    IN_THE_WAY[what](workspace.state / "salt")
    marks = Marks(workspace.state)
    assert marks.fingerprint("a") == marks.fingerprint("a") != marks.fingerprint("b")
    assert "salt cannot be read" in marks.problem


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_stands_in_the_place_of_the_grants_allows_nothing(workspace: Workspace, what: str) -> None:
    IN_THE_WAY[what](workspace.dot / "grants.json")
    grants = Grants(workspace.dot / "grants.json")
    assert grants.all() == ()
    assert grants.problem


def test_marks_that_memtui_did_not_write_are_told_and_do_not_count(workspace: Workspace) -> None:
    forged = {"fingerprints": {}, "rules": {"GitHub token": 1.0}}
    (workspace.state / "not-secrets.json").write_text(json.dumps(forged))
    with Desk(workspace) as desk:
        desk.screen.marks.refresh()
        assert "is not as memtui left it" in desk.no_count
        assert [f.kind for f in desk.check() if "not as memtui left it" in f.message] == ["vault"]
        assert not desk.screen.marks.marked.rules
    ran = memtui("vault", "--workspace", workspace.root)
    assert "is not as memtui left it" in ran.err
    assert "no secret: rule" not in ran.out


@pytest.mark.parametrize("rule", ["nonsense", "GitHub tokens", "vault KEY"])
def test_a_rule_that_there_is_not_is_not_marked(workspace: Workspace, rule: str) -> None:
    with Desk(workspace) as desk:
        outcome = desk.mark(rule=rule)
        assert not outcome.ok
        assert rule.startswith("vault") or "GitHub token" in desk.mark(rule="GitHub tokens").message
        assert not desk.screen.marks.marked.rules


def test_one_that_was_marked_may_be_taken_back_though_it_is_gone(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        desk.screen.marks.mark(rule="of an earlier version")
        assert desk.mark(rule="of an earlier version", secret=True).ok
        assert not desk.screen.marks.marked.rules
