"""A folder that holds the person's own files is no spool, whoever says so; a missing one of theirs is made."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memtui.config import Workspace, WorkspaceError, init, load, trust
from memtui.desk import Desk

SPOOL = '[[spools]]\nname = "docs"\npath = "docs"\n'


@pytest.fixture
def docs(workspace: Workspace) -> Path:
    folder = workspace.root / "docs"
    folder.mkdir()
    (folder / "mine.md").write_text("# mine\n")
    (folder / "more.json").write_text("{}\n")
    return folder


@pytest.mark.parametrize("trusted", [True, False])
def test_a_folder_in_use_is_left_out_and_left_alone(workspace: Workspace, docs: Path, trusted: bool) -> None:
    workspace.config.write_text(SPOOL)
    if trusted:
        trust(workspace.root)
    read = load(workspace.root)
    assert read.settings.spools == ()
    [complaint] = read.settings.complaints
    assert f"{docs} holds 2 files that memtui would take away: name an empty folder" in complaint
    with Desk(read) as desk:
        desk.take_in()
    assert sorted(path.name for path in docs.iterdir()) == ["mine.md", "more.json"]


def test_the_workspaces_own_spool_is_no_folder_in_use_either(workspace: Workspace, docs: Path) -> None:
    workspace.config.write_text('spool = "docs"\n')
    trust(workspace.root)
    with pytest.raises(WorkspaceError, match="holds 2 files that memtui would take away"):
        load(workspace.root)
    other = workspace.root / "other"
    (other / "docs").mkdir(parents=True)
    (other / "docs" / "mine.md").write_text("# mine\n")
    with pytest.raises(WorkspaceError, match="holds 1 file that memtui would take away"):
        init(other, spool="docs")


def test_with_decisions_made_by_hand_it_counts(workspace: Workspace, docs: Path) -> None:
    (docs / "decisions").mkdir()
    workspace.config.write_text(SPOOL)
    trust(workspace.root)
    assert [spool.path for spool in load(workspace.root).settings.spools] == [docs]


def test_a_folder_that_an_agent_wrote_to_first_counts(workspace: Workspace) -> None:
    folder = workspace.root / "docs"
    folder.mkdir()
    (folder / "a.json").write_text('{"operation": "delete"}')
    (folder / ".b.tmp").write_text("half")
    workspace.config.write_text(SPOOL)
    trust(workspace.root)
    assert [spool.path for spool in load(workspace.root).settings.spools] == [folder]


def test_a_missing_folder_of_a_trusted_spool_in_the_workspace_is_made(workspace: Workspace) -> None:
    workspace.config.write_text('[[spools]]\nname = "nightly"\npath = "drop/nightly"\n')
    trust(workspace.root)
    with Desk(load(workspace.root)) as desk:
        desk.take_in()
        assert desk.refusals() == ()
    assert (workspace.root / "drop/nightly/decisions").is_dir()


def test_what_arrives_in_an_empty_folder_after_the_first_look_does_not_put_it_out_of_use(
    workspace: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    workspace.config.write_text(f'[[spools]]\nname = "far"\npath = "{folder}"\n')
    trust(workspace.root)
    with Desk(load(workspace.root)) as desk:
        desk.take_in()
    given = {"id": "a", "operation": "write", "path": "a.md", "summary": "s", "content": "c\n"}
    (folder / "a.json").write_text(json.dumps(given))
    os.utime(folder / "a.json", (1, 1))
    with Desk(load(workspace.root)) as desk:
        desk.take_in()
        assert [item.id for item in desk.items()] == ["a"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('commands = [[""]]', "none of them empty"),
        ("commands = [[]]", "none of them empty"),
        ('environment = ["PATH"]', "has PATH, which is also for PATH"),
        ('environment = ["*"]', "has *, which is also for PATH"),
        ('environment = ["*_TOKEN", "H*"]', "has H*, which is also for HOME"),
    ],
)
def test_a_source_of_the_vault_that_can_be_none_is_complained_of(
    workspace: Workspace, text: str, words: str
) -> None:
    workspace.config.write_text(f"[vault]\n{text}\n")
    trust(workspace.root)
    read = load(workspace.root).settings
    assert len(read.complaints) == 1
    assert words in read.complaints[0]
    assert read.vault.commands == ()
    assert not {"PATH", "*", "H*"} & set(read.vault.environment)
