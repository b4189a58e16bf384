"""Tags that are missing are suggested by the person's own program, where a trusted setting names one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from memtui.config import Workspace, load, trust
from memtui.desk import Desk
from memtui.review import tagcommand
from tests.commands.test_commands_vault import wait_until_ended

ADD = {
    "operation": "add",
    "title": "Sleeps badly after coffee",
    "body": "None after two.",
    "type": "fact",
    "confidence": "high",
    "context": "a bad night",
}


def with_command(workspace: Workspace, script: str) -> Path:
    program = workspace.root / "picker.py"
    program.write_text(script)
    workspace.config.write_text(f"[tags]\ncommand = {json.dumps([sys.executable, str(program)])}\n")
    return program


ECHO = """
import json, sys
asked = json.load(sys.stdin)
assert asked["title"] == "Sleeps badly after coffee", asked
print(json.dumps({"tags": ["Health", {"tag": "food", "because": "coffee"}]}))
"""


def test_a_trusted_program_suggests_and_the_person_picks(workspace: Workspace) -> None:
    with_command(workspace, ECHO)
    trust(workspace.root)
    with Desk(load(workspace.root)) as desk:
        id = desk.propose(json.dumps(ADD).encode(), "a.json")
        shown = desk.preview(id)
        assert shown.plan.wants == ("tags",)
        assert shown.plan.suggested_tags == (("health", "picked by the tag command"), ("food", "coffee"))
        assert not desk.approve(id, shown.plan.hash).ok
        tags = tuple(tag for tag, _ in shown.plan.suggested_tags)
        shown = desk.preview(id, tags=tags)
        assert desk.approve(id, shown.plan.hash, tags=tags).ok


def test_a_program_that_nobody_trusted_is_not_run(workspace: Workspace) -> None:
    ran = workspace.root / "ran"
    with_command(workspace, f"open({str(ran)!r}, 'w')")
    loaded = load(workspace.root)
    assert loaded.settings.ignored == ("tags.command",)
    with Desk(loaded) as desk:
        desk.preview(desk.propose(json.dumps(ADD).encode(), "a.json"))
    assert not ran.exists()


def test_proposing_does_not_run_it(workspace: Workspace) -> None:
    ran = workspace.root / "ran"
    with_command(workspace, f"open({str(ran)!r}, 'w')")
    trust(workspace.root)
    with Desk(load(workspace.root)) as desk:
        desk.propose(json.dumps(ADD).encode(), "a.json")
    assert not ran.exists()


@pytest.mark.parametrize(
    "script", ["raise SystemExit(3)", "print('no json')", "print('{}')", "print('{\"tags\": [5]}')"]
)
def test_a_program_that_fails_is_a_notice(workspace: Workspace, script: str) -> None:
    with_command(workspace, script)
    trust(workspace.root)
    with Desk(load(workspace.root)) as desk:
        shown = desk.preview(desk.propose(json.dumps(ADD).encode(), "a.json"))
        assert [n.kind for n in shown.plan.notices] == ["tag"]
        assert "tags.command" in shown.plan.notices[0].message


@pytest.mark.parametrize("closes", ["", "os.close(1)\n"])
def test_a_program_that_hangs_is_a_notice_and_ends_with_its_children(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closes: str
) -> None:
    monkeypatch.setattr(tagcommand, "SECONDS", 1)
    pids = tmp_path / "pids"
    script = f"import os, time\nos.fork()\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}} ')\n{closes}time.sleep(300)"
    with_command(workspace, script)
    trust(workspace.root)
    with Desk(load(workspace.root)) as desk:
        shown = desk.preview(desk.propose(json.dumps(ADD).encode(), "a.json"))
        assert "took more than 1 seconds" in shown.plan.notices[0].message
    wait_until_ended([int(pid) for pid in pids.read_text().split()])
