"""Settings of strangers: what a cloned workspace may not do until the person says `memtui trust`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.config import Workspace, WorkspaceError, load
from memtui.settings import NO_VAULT, Settings
from tests.commands.terminal import memtui_on_terminal
from tests.support import memtui_here

CASES: dict[str, tuple[str, str, Callable[[Settings], object]]] = {
    "a program that picks tags": (
        '[tags]\ncommand = ["touch", "/tmp/ran"]',
        "tags.command",
        lambda s: s.tag_command,
    ),
    "the terminal rule": (
        "[review]\napprove_without_terminal = true",
        "review.approve_without_terminal",
        lambda s: s.approve_without_terminal,
    ),
    "notes outside": ('memory = "../elsewhere"', "memory", lambda s: s.memory.name == "elsewhere"),
    "secrets of files": ('[vault]\nfiles = ["~/.env"]', "vault.files", lambda s: s.vault != NO_VAULT),
    "secrets by name": ('[vault]\nkeys = ["HOME"]', "vault.keys", lambda s: s.vault != NO_VAULT),
    "secrets of the environment": (
        '[vault]\nenvironment = ["*_TOKEN"]',
        "vault.environment",
        lambda s: s.vault != NO_VAULT,
    ),
    "a program that prints secrets": (
        '[vault]\ncommands = [["touch", "/tmp/ran"]]',
        "vault.commands",
        lambda s: s.vault != NO_VAULT,
    ),
    "secrets of the keyring": (
        '[vault]\nkeyring = [["mail", "me"]]',
        "vault.keyring",
        lambda s: s.vault != NO_VAULT,
    ),
    "a spool that may write": (
        '[[spools]]\nname = "chat"\nruling = "allow"',
        "spools.chat.ruling",
        lambda s: [p for p in s.spools if p.ruling == "allow"],
    ),
    "a spool outside": (
        '[[spools]]\nname = "chat"\npath = "../elsewhere"',
        "spools.chat.path",
        lambda s: [p for p in s.spools if p.path.name == "elsewhere"],
    ),
    "a rule that allows": (
        '[[rules]]\nruling = "allow"\npath = "people/*"',
        "rules",
        lambda s: [r for r in s.rules if r.ruling == "allow"],
    ),
    "what a key decides": ("[app]\nread_to_end = false", "app.read_to_end", lambda s: not s.read_to_end),
    "how soon a key decides": ("[app]\nsettle_ms = 0", "app.settle_ms", lambda s: s.settle_ms == 0),
    "how long undo can be had": ("[journal]\ndays = 1", "journal.days", lambda s: s.journal_days == 1),
    "how much undo keeps": (
        "[journal]\nmegabytes = 1",
        "journal.megabytes",
        lambda s: s.journal_megabytes == 1,
    ),
}


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> tuple[str, str, Callable[[Settings], object]]:
    found: tuple[str, str, Callable[[Settings], object]] = CASES[request.param]
    return found


@pytest.fixture
def cloned(workspace: Workspace, tmp_path: Path, case: tuple[str, str, object]) -> Workspace:
    """A workspace as it came from elsewhere, settings and all."""
    (tmp_path / "elsewhere").mkdir()
    (workspace.root / "elsewhere").mkdir()
    workspace.config.write_text(case[0].replace("../elsewhere", str(tmp_path / "elsewhere")) + "\n")
    return workspace


def test_it_does_not_count_and_is_named_until_it_is_trusted_and_after_any_change(
    cloned: Workspace, case: tuple[str, str, Callable[[Settings], object]]
) -> None:
    _, name, counts = case
    said = memtui_here("status", "--workspace", cloned.root)
    assert said.status == 0
    assert name in said.err
    assert "memtui trust" in said.err
    assert not counts(load(cloned.root).settings)
    assert any(ignored.startswith(name) for ignored in load(cloned.root).settings.ignored)

    trusted = memtui_on_terminal("trust", "--workspace", cloned.root)
    assert trusted.status == 0
    assert f"the setting {name}" in trusted.out
    assert counts(load(cloned.root).settings)
    assert memtui_here("status", "--workspace", cloned.root).err == ""

    cloned.config.write_text(cloned.config.read_text() + " ")
    assert not counts(load(cloned.root).settings)
    assert name in memtui_here("status", "--workspace", cloned.root).err


@pytest.mark.parametrize("name", ["spool", "state"])
@pytest.mark.parametrize("how", ["absolute", "dots", "link"])
def test_no_file_of_memtuis_own_leads_out_without_trust(
    workspace: Workspace, tmp_path: Path, name: str, how: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (workspace.root / "way").symlink_to(outside)
    path = {"absolute": str(outside), "dots": "../outside", "link": "way"}[how]
    workspace.config.write_text(f'{name} = "{path}"\n')
    loaded = load(workspace.root)
    assert getattr(loaded, name) == getattr(workspace, name)
    assert name in loaded.settings.ignored
    memtui_here("inbox", "--workspace", workspace.root)
    assert list(outside.iterdir()) == []


def test_the_settings_file_is_never_a_link_a_pipe_or_endless(workspace: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "theirs.toml"
    outside.write_text("[review]\napprove_without_terminal = true\n")

    def as_link() -> None:
        workspace.config.symlink_to(outside)

    def as_pipe() -> None:
        os.mkfifo(workspace.config)

    def as_folder() -> None:
        workspace.config.mkdir()

    def as_huge() -> None:
        with workspace.config.open("wb") as file:
            file.truncate(5 * 2**30)

    def as_device() -> None:
        workspace.config.symlink_to("/dev/zero")

    for make in (as_link, as_pipe, as_folder, as_huge, as_device):
        make()
        ran = memtui_here("status", "--workspace", workspace.root)
        assert ran.status == 0
        assert "memtui only reads" in ran.err, make
        trusted = memtui_on_terminal("trust", "--workspace", workspace.root)
        assert trusted.status == 1, make
        assert len(trusted.err.splitlines()) == 1
        assert not load(workspace.root).settings.approve_without_terminal
        if make is as_folder:
            workspace.config.rmdir()
        else:
            workspace.config.unlink()


@pytest.mark.parametrize("data", [b"memory = [\n", b"\xff\xfe", b"a = 1\na = 2\n", b"x = " + b"[" * 100_000])
def test_a_broken_settings_file_means_reading_only(workspace: Workspace, data: bytes) -> None:
    workspace.config.write_bytes(data)
    assert load(workspace.root).settings.problem
    ran = memtui_here("status", "--workspace", workspace.root)
    assert (ran.status, len(ran.err.splitlines())) == (0, 1)


def test_a_workspace_folder_that_is_a_link_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    moved = workspace.dot.rename(tmp_path / "dot")
    workspace.dot.symlink_to(moved)
    with pytest.raises(WorkspaceError, match="symbolic link"):
        load(workspace.root)
    ran = memtui_on_terminal("trust", "--workspace", workspace.root)
    assert ran.status == 1
    assert "symbolic link" in ran.err


def test_an_agent_without_a_terminal_cannot_trust(workspace: Workspace) -> None:
    workspace.config.write_text("[review]\napprove_without_terminal = true\n")
    ran = memtui_here("trust", "--workspace", workspace.root)
    assert ran.status == 1
    assert "terminal" in ran.err
    assert not load(workspace.root).settings.approve_without_terminal


def test_the_persons_own_settings_may_be_a_link(workspace: Workspace, tmp_path: Path) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui" / "config.toml"
    config.parent.mkdir(parents=True)
    (tmp_path / "dotfiles.toml").write_text("catalog_budget = 99\n")
    config.symlink_to(tmp_path / "dotfiles.toml")
    assert load(workspace.root).settings.catalog_budget == 99


def test_the_persons_own_settings_need_no_trust(workspace: Workspace) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[review]\napprove_without_terminal = true\n[tags]\ncommand = ["true"]\n')
    settings = load(workspace.root).settings
    assert settings.approve_without_terminal
    assert settings.tag_command == ("true",)
    assert settings.ignored == ()


def test_trust_in_a_copy_is_not_trust_in_another_place(workspace: Workspace, tmp_path: Path) -> None:
    workspace.config.write_text("[review]\napprove_without_terminal = true\n")
    assert memtui_on_terminal("trust", "--workspace", workspace.root).status == 0
    copy = workspace.root.rename(tmp_path / "copy")
    assert not load(copy).settings.approve_without_terminal
