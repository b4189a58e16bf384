"""What a cloned, unpacked or synced workspace may not do until `memtui trust`: write by its journal, point outside."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from memtui.config import Workspace, WorkspaceError, init, load
from memtui.desk import Desk
from tests.commands.terminal import memtui_on_terminal
from tests.commands.test_commands_recovering import cut_short
from tests.support import memtui_here, snapshot

WRITE = {"operation": "write", "path": "prefs/new.md", "summary": "s", "content": "decided\n"}


@pytest.fixture
def theirs(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Workspace:
    """Another person's workspace; from the moment that `arrive` is called it is here."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "their data"))
    return workspace


def arrive(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A copy of a workspace, on a machine that knows nothing of it."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path / "data")
    return load(Path(shutil.copytree(workspace.root, tmp_path / "cloned", symlinks=True)))


def approve(workspace: Workspace, id: str, fields: object) -> None:
    path = workspace.spool / f"{id}.json"
    path.write_text(json.dumps(fields))
    os.utime(path, (1, 1))
    with Desk(workspace) as desk:
        desk.take_in()
        assert desk.approve(id, desk.preview(id).plan.hash).ok


def test_an_unfinished_decision_is_written_by_nothing_before_trust(theirs: Workspace, tmp_path: Path) -> None:
    cut_short(theirs, WRITE, "rename")
    here = arrive(theirs, tmp_path)
    before = snapshot(here.memory)
    for args in (
        ("recover",),
        ("inbox",),
        ("propose", "-"),
        ("show", "it"),
        ("status",),
    ):
        ran = memtui_here(*args, "--workspace", here.root, stdin=json.dumps({**WRITE, "path": "b.md"}))
        assert snapshot(here.memory) == before, args
    ran = memtui_here("recover", "--workspace", here.root)
    assert ran.status == 1
    assert "1 unfinished decision" in ran.err
    assert "memtui trust" in ran.err
    assert memtui_here("recover", "1", "--write", "--workspace", here.root).status == 1
    assert snapshot(here.memory) == before
    trusted = memtui_on_terminal("trust", "--workspace", here.root)
    assert trusted.status == 0
    assert "1 decision that the journal came with" in trusted.out
    assert memtui_here("recover", "--workspace", here.root).status == 0
    assert (here.memory / "prefs/new.md").read_text().endswith("decided\n")


def test_a_decision_that_was_not_made_here_is_not_taken_back_before_trust(
    theirs: Workspace, tmp_path: Path
) -> None:
    approve(theirs, "it", WRITE)
    here = arrive(theirs, tmp_path)
    before = snapshot(here.memory)
    for args in (("undo",), ("undo", "1"), ("undo", "it")):
        ran = memtui_on_terminal(*args, "--workspace", here.root)
        assert ran.status == 1
        assert "memtui trust" in ran.err
    assert snapshot(here.memory) == before
    [row] = memtui_here("log", "--json", "--workspace", here.root).json
    assert (row["id"], row["undoable"]) == ("it", False)
    approve(here, "mine", {**WRITE, "path": "prefs/mine.md"})
    assert memtui_on_terminal("undo", "--workspace", here.root).status == 0
    assert snapshot(here.memory) == before
    assert memtui_on_terminal("trust", "--workspace", here.root).status == 0
    assert memtui_on_terminal("undo", "it", "--workspace", here.root).status == 0
    assert not (here.memory / "prefs/new.md").exists()


def test_a_workspace_that_its_person_moves_asks_nothing(workspace: Workspace, tmp_path: Path) -> None:
    approve(workspace, "it", WRITE)
    moved = workspace.root.rename(tmp_path / "moved")
    ran = memtui_on_terminal("undo", "--workspace", moved)
    assert (ran.status, ran.err) == (0, "")


def test_trust_says_where_there_is_nothing_to_trust(workspace: Workspace) -> None:
    ran = memtui_on_terminal("trust", "--workspace", workspace.root)
    assert ran.status == 1
    assert "nothing to trust" in ran.err


def test_a_clone_whose_memory_leads_out_writes_and_finishes_nothing(
    theirs: Workspace, tmp_path: Path
) -> None:
    cut_short(theirs, WRITE, "rename")
    here = arrive(theirs, tmp_path)
    victim = tmp_path / "victim"
    shutil.copytree(here.memory, victim)
    shutil.rmtree(here.memory)
    (here.root / "memory").symlink_to("../victim")
    before = snapshot(victim)
    for args in (("recover",), ("inbox",), ("watch",), ("propose", "-"), ("undo",)):
        ran = memtui_here(*args, "--workspace", here.root, stdin=json.dumps({**WRITE, "path": "b.md"}))
        assert ran.status == 1
        assert "leads out" in ran.err
    assert snapshot(victim) == before
    assert sorted(path.name for path in victim.parent.iterdir() if path.name.startswith(".")) == []


# --- links ----------------------------------------------------------------------------------------


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "private.md").write_text("not for agents\n")
    return folder


@pytest.mark.parametrize("name", ["memory", ".memtui/spool"])
def test_a_link_that_leads_out_counts_only_after_trust_and_while_it_leads_there(
    workspace: Workspace, outside: Path, tmp_path: Path, name: str
) -> None:
    shutil.rmtree(workspace.root / name)
    (workspace.root / name).symlink_to(outside)
    for args in (("status",), ("catalog",), ("inbox",), ("call", "memory_catalog", "{}")):
        ran = memtui_here(*args, "--workspace", workspace.root)
        assert ran.status == 1
        assert str(outside) in ran.err
        assert "memtui trust" in ran.err
        assert "private" not in ran.out
    assert [path.name for path in outside.iterdir()] == ["private.md"]
    assert memtui_on_terminal("trust", "--workspace", workspace.root).status == 0
    assert memtui_here("status", "--workspace", workspace.root).status == 0
    (workspace.root / name).unlink()
    (workspace.root / name).symlink_to(tmp_path)
    with pytest.raises(WorkspaceError, match="leads out"):
        load(workspace.root)


def test_a_link_that_the_person_made_a_workspace_with_counts(tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "own"
    root.mkdir()
    (root / "memory").symlink_to(outside)
    assert memtui_here("init", root).status == 0
    assert "private.md" in memtui_here("catalog", "--workspace", root).out


def test_a_link_that_stays_inside_needs_no_trust(tmp_path: Path) -> None:
    root = tmp_path / "own"
    (root / "notes").mkdir(parents=True)
    init(root)
    (root / "memory").rmdir()
    (root / "memory").symlink_to("notes")
    assert memtui_here("status", "--workspace", root).status == 0
