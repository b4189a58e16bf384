"""Spools and rules as settings hold them: what counts, what does not without trust, and what is complained of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.config import Workspace, load, trust, user_config_path
from memtui.settings import Rule, Settings


def settings(workspace: Workspace, text: str, *, trusted: bool = True) -> Settings:
    workspace.config.write_text(text, encoding="utf-8")
    if trusted:
        trust(workspace.root)
    return load(workspace.root).settings


def own(text: str) -> None:
    user_config_path().parent.mkdir(parents=True, exist_ok=True)
    user_config_path().write_text(text, encoding="utf-8")


SPOOLS = """
[[spools]]
name = "chat"
ruling = "allow"

[[spools]]
name = "nightly"
path = "drop/nightly"

[[rules]]
spool = ["nightly", ""]
path = "people/*"
ruling = "allow"

[[rules]]
agent = "web-reader"
ruling = "deny"
"""


def test_spools_and_rules_are_read_in_their_order(workspace: Workspace) -> None:
    read = settings(workspace, SPOOLS)
    assert [(s.name, s.path, s.ruling) for s in read.spools] == [
        ("chat", workspace.dot / "spools/chat", "allow"),
        ("nightly", workspace.root / "drop/nightly", "ask"),
    ]
    assert read.rules == (
        Rule("allow", spool=("nightly", ""), path=("people/*",)),
        Rule("deny", agent=("web-reader",)),
    )
    assert (read.ignored, read.complaints) == ((), ())
    assert [rule.words for rule in read.rules] == ["people/*, spool nightly or own", "agent web-reader"]


def test_nothing_is_allowed_by_settings_that_are_not_trusted(workspace: Workspace) -> None:
    read = settings(workspace, SPOOLS, trusted=False)
    assert {spool.ruling for spool in read.spools} == {"ask"}
    assert [rule.ruling for rule in read.rules] == ["deny"]
    assert read.ignored == ("spools.chat.ruling", "rules 1 (people/*, spool nightly or own)")


def test_trust_ends_where_the_file_changes(workspace: Workspace) -> None:
    settings(workspace, SPOOLS)
    read = settings(workspace, SPOOLS + "\n", trusted=False)
    assert {spool.ruling for spool in read.spools} == {"ask"}


def test_the_persons_own_rules_come_first_and_need_no_trust(workspace: Workspace) -> None:
    own('[[rules]]\nspool = "chat"\noperation = "memory_write"\nruling = "allow"\n')
    read = settings(workspace, SPOOLS, trusted=False)
    assert read.rules[0] == Rule("allow", spool=("chat",), operation=("write",))
    assert [rule.ruling for rule in read.rules] == ["allow", "deny"]


def test_a_spool_outside_needs_trust(workspace: Workspace, tmp_path: Path) -> None:
    text = f'[[spools]]\nname = "away"\npath = "{tmp_path / "away"}"\n'
    read = settings(workspace, text, trusted=False)
    assert (read.spools, read.ignored) == ((), ("spools.away.path",))
    assert [spool.name for spool in settings(workspace, text).spools] == ["away"]


def test_a_folder_with_files_is_no_spool_without_trust(workspace: Workspace) -> None:
    (workspace.root / "src").mkdir()
    (workspace.root / "src/a.json").write_text("{}")
    text = '[[spools]]\nname = "src"\npath = "src"\n'
    assert settings(workspace, text, trusted=False).spools == ()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("memory", "memory folder"),
        ("memory/inside", "memory folder"),
        (".", "memory folder"),
        (".memtui", "own files"),
        (".memtui/spool", "own spool"),
        (".memtui/spool/inner", "own spool"),
        ("drop/first/inner", "spool first"),
        ("drop", "spool first"),
        ("drop/./first", "spool first"),
    ],
)
def test_spools_do_not_nest(workspace: Workspace, path: str, words: str) -> None:
    text = f'[[spools]]\nname = "first"\npath = "drop/first"\n[[spools]]\nname = "second"\npath = "{path}"\n'
    read = settings(workspace, text)
    assert [spool.name for spool in read.spools] == ["first"]
    assert words in read.complaints[0]


def test_a_link_does_not_hide_that_spools_nest(workspace: Workspace) -> None:
    os.symlink(workspace.memory, workspace.root / "link")
    read = settings(workspace, '[[spools]]\nname = "x"\npath = "link/in"\n')
    assert read.spools == ()
    assert "memory folder" in read.complaints[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("spools = 3", "must be a list of tables"),
        ('rules = ["x"]', "must be a list of tables"),
        ("[[spools]]\npath = 'x'", "has no name"),
        ("[[spools]]\nname = 'a/b'", "has no name"),
        ("[[spools]]\nname = '..'", "has no name"),
        ("[[spools]]\nname = ''", "has no name"),
        ("[[spools]]\nname = 'a'\n[[spools]]\nname = 'A'", "two spools are called A"),
        ("[[spools]]\nname = 'a'\npath = 3", "must be text"),
        ("[[spools]]\nname = 'a'\nrulings = 'allow'", "rulings that is not known"),
        ("[[spools]]\nname = 'a'\nruling = 'yes'", "must be ask, allow or deny"),
        ("[[rules]]\npath = 'x.md'", "has no ruling"),
        ("[[rules]]\npath = 'x.md'\nruling = 'yes'", "has no ruling"),
        ("[[rules]]\npth = 'x.md'\nruling = 'deny'", "key pth that is not known: it asks"),
        ("[[rules]]\npth = 'x.md'\nruling = 'allow'", "key pth that is not known: it counts for nothing"),
        ("[[rules]]\npath = 3\nruling = 'allow'", "path that is no text"),
        ("[[rules]]\npath = []\nruling = 'allow'", "path that is no text"),
        (f"[[rules]]\npath = '{'x' * 201}'\nruling = 'allow'", "path that is no text"),
        ("[[rules]]\noperation = 'erase'\nruling = 'deny'", "operation erase that is not known"),
        ("[[rules]]\nspool = 'nigthly'\nruling = 'deny'", "names a spool nigthly"),
        ("[[rules]]\nagent = 'me'\nruling = 'allow'", "can never allow anything"),
        ("[[rules]]\nsource = 'user'\nagent = 'me'\nruling = 'allow'", "can never allow anything"),
        ("[[rules]]\nruling = 'allow'", "can never allow anything"),
        ("[[rules]]\npath = '*'\nruling = 'allow'", "begins with a wildcard"),
        ("[[rules]]\npath = '**'\nspool = ''\nruling = 'allow'", "begins with a wildcard"),
        ("[[rules]]\npath = ['people/*', '*.md']\nruling = 'allow'", "begins with a wildcard"),
        ("[[rules]]\noperation = 'delete'\nruling = 'allow'", "delete is always asked about"),
        ("[[rules]]\noperation = ['supersede', 'contradiction']\nruling = 'allow'", "always asked about"),
    ],
)
def test_what_cannot_be_read_is_complained_of_and_allows_nothing(
    workspace: Workspace, text: str, words: str
) -> None:
    read = settings(workspace, text + "\n")
    assert words in " / ".join(read.complaints)
    assert not read.problem
    assert "allow" not in {rule.ruling for rule in read.rules} | {spool.ruling for spool in read.spools}


def test_a_narrowing_rule_that_cannot_be_read_in_full_asks_wider_instead_of_vanishing(
    workspace: Workspace,
) -> None:
    read = settings(workspace, "[[rules]]\npath = 'private/*'\nagnet = 'x'\nruling = 'deny'\n")
    assert read.rules == (Rule("ask", path=("private/*",)),)
