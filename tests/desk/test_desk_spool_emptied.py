"""A spool that was emptied, or is another folder for a while, as where a disk is away: nothing in it is withdrawn."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.reading.glance import glance
from tests.support import decision


def note(name: str) -> bytes:
    given = {"operation": "write", "path": f"{name}.md", "summary": name, "content": "Text.\n"}
    return json.dumps(given).encode()


def put(folder: Path, *names: str) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / f"{name}.json").write_bytes(note(name))


def ids(desk: Desk) -> list[str]:
    return sorted(item.id for item in desk.items())


def asides(desk: Desk) -> list[str]:
    return [r.problems[0].message for r in desk.refusals() if r.verdict == "unreadable"]


def swap_for_an_empty_one(spool: Path) -> Path:
    """As where a disk is no longer mounted; returns where the old folder is now."""
    away = spool.with_name("away")
    spool.rename(away)
    spool.mkdir()
    return away


def swap_back(spool: Path, away: Path) -> None:
    shutil.rmtree(spool)
    away.rename(spool)


@pytest.fixture
def waiting(desk: Desk, workspace: Workspace) -> Desk:
    put(workspace.spool, "a", "b")
    assert desk.take_in() == 2
    return desk


def test_an_empty_folder_in_its_place_withdraws_nothing_and_is_said(
    waiting: Desk, workspace: Workspace
) -> None:
    away = swap_for_an_empty_one(workspace.spool)
    waiting.take_in()
    [said] = asides(waiting)
    assert "2 proposals that wait in it are not there" in said
    assert (waiting.status(), glance(workspace)) == ((0, 0, 1), (0, 0, 1))
    assert os.listdir(workspace.spool) == []
    swap_back(workspace.spool, away)
    waiting.take_in()
    assert (ids(waiting), asides(waiting)) == (["a", "b"], [])
    assert waiting.approve("a", waiting.preview("a").plan.hash).ok


def test_the_same_while_memtui_was_closed(workspace: Workspace) -> None:
    put(workspace.spool, "a")
    with Desk(workspace) as desk:
        desk.take_in()
        seen = desk.items()[0].first_seen
    away = swap_for_an_empty_one(workspace.spool)
    with Desk(workspace) as desk:
        desk.take_in()
        assert len(asides(desk)) == 1
    swap_back(workspace.spool, away)
    with Desk(workspace) as desk:
        desk.take_in()
        assert [(item.id, item.first_seen) for item in desk.items()] == [("a", seen)]


def test_what_is_dropped_into_the_new_folder_is_taken_in(waiting: Desk, workspace: Workspace) -> None:
    shutil.rmtree(workspace.spool)
    put(workspace.spool, "c")
    waiting.take_in()
    assert (ids(waiting), len(asides(waiting))) == (["c"], 1)


@pytest.mark.parametrize("how", ["the person makes the folder", "another proposal is answered"])
def test_they_are_withdrawn_once_the_new_folder_is_a_spool(
    waiting: Desk, workspace: Workspace, how: str
) -> None:
    shutil.rmtree(workspace.spool)
    put(workspace.spool, "c")
    waiting.take_in()
    if how.startswith("the person"):
        workspace.decisions.mkdir()
    else:
        assert waiting.reject("c", "no").ok
    waiting.take_in()
    assert asides(waiting) == []
    assert [decision(workspace, id)["verdict"] for id in ("a", "b")] == ["withdrawn"] * 2


def test_files_that_come_back_after_they_were_withdrawn_wait_again(
    waiting: Desk, workspace: Workspace
) -> None:
    for name in ("a", "b"):
        (workspace.spool / f"{name}.json").unlink()
    waiting.take_in()
    assert ids(waiting) == []
    assert decision(workspace, "a")["verdict"] == "withdrawn"
    put(workspace.spool, "a", "b")
    waiting.take_in()
    assert ids(waiting) == ["a", "b"]
    assert waiting.approve("b", waiting.preview("b").plan.hash).ok
    assert decision(workspace, "b")["verdict"] == "approved"
    with Desk(workspace) as again:
        again.take_in()
        assert ids(again) == ["a"]


def test_a_batch_that_comes_back_waits_again_whole(desk: Desk, workspace: Workspace) -> None:
    data = json.dumps({"proposals": [json.loads(note(name)) for name in ("a", "b")]}).encode()
    path = workspace.spool / "both.json"
    for _ in range(3):
        path.write_bytes(data)
        desk.take_in()
        assert ids(desk) == ["both.1", "both.2"]
        path.unlink()
        desk.take_in()
        assert ids(desk) == []
        assert decision(workspace, "both")["verdict"] == "withdrawn"


def test_a_waiting_file_that_cannot_be_read_is_not_counted_as_refused(
    waiting: Desk, workspace: Workspace
) -> None:
    path = workspace.spool / "a.json"
    path.unlink()
    path.mkdir()
    waiting.take_in()
    assert (waiting.status(), glance(workspace)) == ((1, 0, 1), (1, 0, 1))
    path.rmdir()
    put(workspace.spool, "a")
    waiting.take_in()
    assert (ids(waiting), glance(workspace)) == (["a", "b"], (2, 0, 0))
