"""Making and finding a workspace, and reading real folders without a trace."""

from __future__ import annotations

from pathlib import Path

from memtui.config import Workspace
from tests.support import memtui, snapshot


def test_init_touches_no_note(tmp_path: Path) -> None:
    notes = tmp_path / "memory"
    notes.mkdir()
    (notes / "a.md").write_text("A note.\n")
    before = snapshot(tmp_path)
    ran = memtui("init", tmp_path)
    assert ran.status == 0
    assert snapshot(notes) == {"a.md": before["memory/a.md"]}
    assert (tmp_path / ".memtui/.gitignore").read_text() == "*\n"
    assert (tmp_path / ".memtui").stat().st_mode & 0o777 == 0o700


def test_init_refuses_a_second_time(workspace: Workspace) -> None:
    ran = memtui("init", workspace.root)
    assert ran.status == 1
    assert "already" in ran.err


def test_init_with_notes_elsewhere(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Home page.md").write_text("# Home\n")
    made = tmp_path / "ws"
    assert memtui("init", made, "--memory", vault).status == 0
    assert memtui("catalog", "--workspace", made).out == "Home page.md — Home\n"


def test_a_folder_without_a_workspace_says_what_to_do(tmp_path: Path) -> None:
    ran = memtui("list", cwd=tmp_path)
    assert ran.status == 1
    assert "memtui init" in ran.err


def test_the_nearest_workspace_above_is_found(workspace: Workspace) -> None:
    inside = workspace.memory / "people"
    assert "people/lina.md" in memtui("list", cwd=inside).out


def test_settings_that_do_not_parse_make_it_read_only(workspace: Workspace) -> None:
    workspace.config.write_text("memory = [\n")
    ran = memtui("list", "--workspace", workspace.root)
    assert ran.status == 0
    assert "does not parse" in ran.err
    ran = memtui("propose", "-", "--workspace", workspace.root, stdin='{"operation": "write"}')
    assert ran.status == 1


def test_settings_cannot_point_outside_without_trust(workspace: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("x\n")
    workspace.config.write_text(f'memory = "{outside}"\n')
    ran = memtui("list", "--workspace", workspace.root)
    assert "secret.md" not in ran.out
    assert "memtui trust" in ran.err


def test_the_app_needs_a_terminal(workspace: Workspace) -> None:
    ran = memtui("--workspace", workspace.root)
    assert ran.status == 1
    assert "terminal" in ran.err


def test_check_finds_drift_and_says_where(workspace: Workspace) -> None:
    assert memtui("check", "--workspace", workspace.root).status == 0
    index = workspace.memory / "index.md"
    index.write_text(index.read_text().replace("— goal, [sport", "— fact, [sport"))
    (workspace.memory / "1707912000-vegetarian-since-2019.md").unlink()
    ran = memtui("check", "--json", "--workspace", workspace.root)
    assert ran.status == 1
    wrong = [(found["file"], found["kind"]) for found in ran.json if not found["advice"]]
    assert wrong == [("index.md", "index")] * 2


def test_search_and_list(workspace: Workspace) -> None:
    found = memtui("search", "ЛИССАБОН", "--json", "--workspace", workspace.root).json
    assert [row["path"] for row in found] == ["1711929600-pereekhal-v-lissabon.md"]
    rows = memtui("list", "--json", "--workspace", workspace.root).json
    assert {row["kind"] for row in rows} == {"entry", "note"}
