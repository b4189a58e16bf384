"""Two at once, very many at once, and names and files that nobody would write."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.config import Workspace, init, load, trust
from memtui.desk import Desk
from tests.faults.acts import drop_at_once
from tests.faults.facts import recovered
from tests.faults.harm import PROJECT

_COUNT = 24
_MANY = 500
_LOOP = """
import sys
from pathlib import Path
from tests.faults.acts import approve, open_desk
from memtui.desk import Gone
with open_desk(Path(sys.argv[1])) as desk:
    desk.take_in()
    for item in desk.items()[:: int(sys.argv[2])]:
        try:
            outcome = approve(item.id)(desk)
        except Gone:
            continue
        print(item.id if outcome.ok else "")
"""


def test_two_that_approve_the_same_in_a_loop_decide_each_once(workspace: Workspace) -> None:
    for number in range(_COUNT):
        fields = {
            "operation": "add", "title": f"Number {number}", "body": "b", "type": "fact", "confidence": "high",
            "context": "c", "tags": ["health", "food"],
        }  # fmt: skip
        path = workspace.spool / f"n{number:02}.json"
        path.write_text(json.dumps(fields))
        os.utime(path, (1, 1))
    both = [
        subprocess.Popen(
            [sys.executable, "-c", _LOOP, str(workspace.root), order],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True,
        )
        for order in ("1", "-1")
    ]  # fmt: skip
    said = [process.communicate(timeout=60) for process in both]
    assert [error for _, error in said] == ["", ""]
    approved = [id for out, _ in said for id in out.split()]
    assert sorted(approved) == [f"n{number:02}" for number in range(_COUNT)]
    facts = recovered(workspace.root)
    assert not facts.faults
    assert facts.inbox == ()
    index = facts.memory["index.md"] or b""
    assert index.count(b"[Number ") == _COUNT


def test_very_many_at_once_are_all_listed(tmp_path: Path) -> None:
    print(drop_at_once(tmp_path / "ws", _MANY))


def test_what_is_no_plain_file_is_listed_with_its_reason_and_never_hangs(workspace: Workspace) -> None:
    spool, outside = workspace.spool, workspace.root.parent / "secret.json"
    outside.write_text("{}")
    os.mkfifo(spool / "pipe.json")
    (spool / "link.json").symlink_to(outside)
    (spool / "dangling.json").symlink_to("nowhere")
    (spool / "folder.json").mkdir()
    with (spool / "huge.json").open("wb") as huge:
        huge.truncate(5 << 30)
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(spool)  # the path of a socket is short
        try:
            listening.bind("socket.json")
        finally:
            os.chdir(here)
        (spool / "new\nline.json").write_text('{"operation": "write"}')
        (spool / "fine.json").write_text(
            '{"operation": "write", "path": "a.md", "summary": "s", "content": "c"}'
        )
        with Desk(workspace) as desk:
            desk.take_in(wait=True)
            assert [item.id for item in desk.items()] == ["fine"]
            listed = {refusal.id: refusal.verdict for refusal in desk.refusals()}
    aside = ("pipe", "link", "dangling", "folder", "huge", "socket")
    assert {name: listed[f"{name}.json"] for name in aside} == dict.fromkeys(aside, "unreadable")
    assert "refused" in listed.values()
    assert (spool / "huge.json").stat().st_size == 5 << 30
    assert outside.read_text() == "{}"


@pytest.mark.parametrize("swapped", ["link", "pipe", "huge"])
def test_a_file_that_turns_into_something_else_while_it_waits_is_not_followed(
    desk: Desk, workspace: Workspace, swapped: str
) -> None:
    path = workspace.spool / "ok.json"
    path.write_text('{"operation": "write", "path": "a.md", "summary": "s", "content": "c"}')
    desk.take_in()
    shown = desk.preview("ok")
    path.unlink()
    if swapped == "link":
        path.symlink_to(workspace.memory / "index.md")
    elif swapped == "pipe":
        os.mkfifo(path)
    else:
        with path.open("wb") as huge:
            huge.truncate(5 << 30)
    assert not desk.approve("ok", shown.plan.hash).ok
    assert not (workspace.memory / "a.md").exists()


_ADD = """
import sys
from pathlib import Path
from tests.faults.acts import approve, open_desk
with open_desk(Path(sys.argv[1])) as desk:
    desk.take_in()
    for item in desk.items():
        outcome = approve(item.id)(desk)
        print(item.id if outcome.ok else outcome.message)
"""


def test_two_workspaces_on_one_folder_both_land_and_the_older_is_undone_after_the_later(
    workspace: Workspace, tmp_path: Path
) -> None:
    other = init(tmp_path / "other", memory=str(workspace.memory))
    trust(other.root)
    for spool, start in ((workspace.spool, 0), (other.spool, _COUNT)):
        for number in range(start, start + _COUNT):
            fields = {
                "operation": "add", "title": f"Number {number}", "body": "b", "type": "fact", "confidence": "high",
                "context": "c", "tags": ["health", "food"],
            }  # fmt: skip
            path = spool / f"n{number:02}.json"
            path.write_text(json.dumps(fields))
            os.utime(path, (1, 1))
    before = (workspace.memory / "index.md").read_bytes()
    both = [
        subprocess.Popen(
            [sys.executable, "-c", _ADD, str(root)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True,
        )
        for root in (workspace.root, other.root)
    ]  # fmt: skip
    said = [process.communicate(timeout=100) for process in both]
    assert [error for _, error in said] == ["", ""]
    assert sorted(id for out, _ in said for id in out.split()) == [f"n{n:02}" for n in range(2 * _COUNT)]
    assert (workspace.memory / "index.md").read_bytes().count(b"[Number ") == 2 * _COUNT
    for root in (workspace.root, other.root):
        with Desk(load(root)) as desk:
            numbers = [row.record for row in desk.log() if row.verdict == "approved"]
            assert all(desk.undo(number).ok for number in reversed(numbers))  # the oldest first
    assert (workspace.memory / "index.md").read_bytes() == before
