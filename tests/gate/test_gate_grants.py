"""Remembered approvals: what they cover, and that a file which memtui did not leave so allows nothing."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from memtui.config import load
from memtui.gate.grants import Grant, GrantError, Grants, widths
from memtui.gate.policy import Asking, Policy, Ruled
from memtui.proposals.model import Edit, FileChange, Plan, Rename, TextEdit, Write

NOTE = "people/lina.md"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / ".memtui").mkdir()
    return tmp_path / ".memtui/grants.json"


@pytest.mark.parametrize(
    ("granted", "operation", "note", "covered"),
    [
        (NOTE, "write", NOTE, True),
        (NOTE, "edit", NOTE, True),
        (NOTE, "replace", NOTE, True),
        (NOTE, "update", NOTE, True),
        (NOTE, "rename", NOTE, False),
        (NOTE, "add", NOTE, False),
        (NOTE, "delete", NOTE, False),
        (NOTE, "supersede", NOTE, False),
        (NOTE, "contradiction", NOTE, False),
        (NOTE, "write", "people/Lina.md", False),
        (NOTE, "write", "people/eva.md", False),
        ("people/*", "write", "people/eva.md", True),
        ("people/*", "write", "people/family/eva.md", False),
        ("people/*", "write", "people.md", False),
        ("*", "write", "a.md", False),
        ("**", "write", "a.md", False),
        ("/*", "write", "a.md", False),
    ],
)
def test_a_grant_covers_changes_of_one_note_or_right_in_its_folder(
    granted: str, operation: str, note: str, covered: bool
) -> None:
    assert Grant("g", "", granted, 0.0).covers(operation, note) is covered


def test_a_note_at_the_root_has_no_folder_to_let_through() -> None:
    assert widths("tea.md") == ("tea.md",)
    assert widths("a/b/c.md") == ("a/b/c.md", "a/b/*")


def asked(
    *grants: Grant, spool: str = "", first_seen: float = 10.0, policy: Policy | None = None, **claims: object
) -> Ruled:
    said = Write(id="a", path=NOTE, summary="s", content="c", **claims)  # type: ignore[arg-type]
    plan = Plan(changes=(FileChange(NOTE, b"a", b"b"),))
    return (policy or Policy()).rule(Asking(said, plan, spool, first_seen), grants)


GRANT = Grant("g", "", "people/*", 10.0)


def test_a_grant_is_bound_to_its_spool_and_to_what_comes_after_it() -> None:
    assert asked(GRANT) == Ruled("allow", "grant people/*")
    assert asked(GRANT, spool="nightly") == Ruled("ask")
    assert asked(GRANT, first_seen=9.9) == Ruled("ask"), "what waited before still waits for the person"
    assert asked(GRANT, attended=False) == Ruled("ask")


def test_a_rule_or_the_ruling_of_a_spool_goes_before_a_grant() -> None:
    from memtui.settings import Rule

    assert asked(GRANT, policy=Policy((Rule("ask", source=("web",)),)), source="web").ruling == "ask"
    assert asked(GRANT, policy=Policy((Rule("deny", path=("people/*",)),))).ruling == "deny"
    assert asked(GRANT, policy=Policy((), {"": "deny"})).ruling == "deny"


def test_two_notes_need_two_grants() -> None:
    edit = Edit(id="a", path=NOTE, edits=(TextEdit("a", "b"),), reason="r")
    both = Plan(changes=(FileChange(NOTE, b"a", b"b"), FileChange("work/x.md", b"a", b"b")))
    assert Policy().rule(Asking(edit, both, "", 10.0), [GRANT]).ruling == "ask"
    moved = Rename(id="a", path=NOTE, new_path="people/eva.md", reason="r")
    assert Policy().rule(Asking(moved, Plan(changes=both.changes[:1]), "", 10.0), [GRANT]).ruling == "ask"


# --- the file ------------------------------------------------------------------------------------


def test_a_grant_for_good_is_there_for_the_next_process(path: Path) -> None:
    made = Grants(path).add("chat", NOTE, lasting=True)
    assert Grants(path).all() == (made,)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["grants.json"]


def test_a_grant_for_the_session_stays_in_this_process(path: Path) -> None:
    grants = Grants(path)
    made = grants.add("", NOTE, lasting=False)
    assert grants.all() == (made,)
    assert not path.exists()
    assert Grants(path).all() == ()
    assert grants.revoke(made.id)
    assert grants.all() == ()


def test_the_same_grant_is_kept_once(path: Path) -> None:
    grants = Grants(path)
    assert grants.add("", NOTE, lasting=True) == grants.add("", NOTE, lasting=True)
    assert grants.add("", NOTE, lasting=False) in grants.all()
    assert len(grants.all()) == 1


def test_another_process_sees_a_grant_and_that_it_was_revoked(path: Path) -> None:
    here, there = Grants(path), Grants(path)
    assert there.all() == ()
    made = here.add("", NOTE, lasting=True)
    assert there.all() == (made,)
    assert there.revoke(made.id)
    assert here.all() == ()
    assert not here.revoke(made.id)


def forged() -> bytes:
    listed = [{"id": "g-00000000", "spool": "", "path": "people/*", "made": 0.0}]
    return json.dumps({"grants": listed}).encode()


def test_a_file_that_an_agent_writes_allows_nothing(path: Path) -> None:
    path.write_bytes(forged())
    grants = Grants(path)
    assert grants.all() == ()
    assert "not as memtui left it" in grants.problem


def test_a_grant_that_an_agent_adds_takes_the_others_with_it(path: Path) -> None:
    grants = Grants(path)
    grants.add("", NOTE, lasting=True)
    path.write_bytes(path.read_bytes().replace(NOTE.encode(), b"people/*"))
    assert grants.all() == ()
    assert grants.problem


def test_a_revoked_grant_does_not_come_back_with_the_old_file(path: Path) -> None:
    grants = Grants(path)
    made = grants.add("", NOTE, lasting=True)
    old = path.read_bytes()
    grants.revoke(made.id)
    path.write_bytes(old)
    assert grants.all() == ()
    assert Grants(path).all() == ()


def test_a_new_grant_does_not_let_forged_ones_in(path: Path) -> None:
    path.write_bytes(forged())
    grants = Grants(path)
    made = grants.add("", NOTE, lasting=True)
    assert grants.all() == Grants(path).all() == (made,)
    assert not grants.problem


def test_a_workspace_that_was_copied_brings_no_grants(path: Path, tmp_path: Path) -> None:
    Grants(path).add("", NOTE, lasting=True)
    shutil.copytree(path.parent, tmp_path / "clone/.memtui")
    assert Grants(tmp_path / "clone/.memtui/grants.json").all() == ()


def test_on_another_machine_nothing_is_granted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Grants(path).add("", NOTE, lasting=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(path.parent / "elsewhere"))
    assert Grants(path).all() == ()


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b"[]", b"null", b'{"grants": 3}', b'{"grants": [3]}', b'{"grants": [{}]}'),
        *(b"\xff", b"[" * 9000),
        json.dumps({"grants": [{"id": 1, "spool": "", "path": "x", "made": 0}]}).encode(),
        json.dumps({"grants": [{"id": "g", "spool": "", "path": "x", "made": "soon"}]}).encode(),
    ],
)
def test_a_broken_file_is_one_sentence_and_allows_nothing(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    grants = Grants(path)
    assert grants.all() == ()
    assert str(path) in grants.problem
    assert "\n" not in grants.problem
    assert grants.add("", NOTE, lasting=True) in Grants(path).all()


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_not_followed_and_nothing_hangs(path: Path, kind: str, tmp_path: Path) -> None:
    if kind == "link":
        kept = Grants(tmp_path / "real.json")
        kept.add("", NOTE, lasting=True)
        path.symlink_to(tmp_path / "real.json")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    grants = Grants(path)
    assert grants.all() == ()
    assert grants.problem


def test_a_data_folder_that_cannot_be_written_keeps_no_grant(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = path.parent / "blocked"
    blocked.write_text("a file, no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(blocked))
    with pytest.raises(GrantError, match="could not be kept"):
        Grants(path).add("", NOTE, lasting=True)
    assert not path.exists()


def test_trust_in_settings_and_in_grants_stand_beside_each_other(tmp_path: Path) -> None:
    from memtui.config import init, trust

    workspace = init(tmp_path / "ws")
    workspace.config.write_text("[review]\napprove_without_terminal = true\n")
    trust(workspace.root)
    grants = Grants(workspace.dot / "grants.json")
    grants.add("", NOTE, lasting=True)
    assert load(workspace.root).settings.approve_without_terminal
    workspace.config.write_text("[review]\napprove_without_terminal = true \n")
    trust(workspace.root)
    assert len(Grants(grants.path).all()) == 1
