"""An agent that changes a note around a secret, or asks what became of the note, comes no nearer to the secret."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib

import pytest

from memtui.agents.tools import call
from memtui.config import Workspace
from memtui.desk import Choices, Desk, Wanted
from tests.support import decision

PIN = "493817"
NOTE = f"---\ndescription: the door\n---\nThe alarm PIN is {PIN}.\n\nAsk Eva.\n"


@pytest.fixture
def held(workspace: Workspace) -> Workspace:
    (workspace.memory / "door.md").write_text(NOTE)
    shown = call(workspace, "memory_read", {"path": "door.md"})["content"]  # type: ignore[index,call-overload]
    assert PIN not in str(shown)
    return workspace


def edited(desk: Desk, old: str, new: str) -> list[str]:
    """The notices of an edit."""
    given = {
        "id": "p1",
        "operation": "edit",
        "path": "door.md",
        "reason": "r",
        "edits": [{"old": old, "new": new}],
    }
    desk.propose(json.dumps(given).encode())
    desk.take_in()
    return [notice.message for notice in desk.preview("p1").plan.notices if notice.kind == "secret"]


def test_what_takes_away_how_a_secret_is_known_is_said(held: Workspace) -> None:
    with Desk(held) as desk:
        notices = edited(desk, "The alarm PIN is", "Rooms:")
        assert any("agents would read it" in notice for notice in notices)


@pytest.mark.parametrize(("old", "new"), [("Ask Eva.", "Ask Adam."), ("The alarm", "Our alarm")])
def test_what_leaves_it_known_is_not(held: Workspace, old: str, new: str) -> None:
    with Desk(held) as desk:
        notices = edited(desk, old, new)
        assert notices
        assert not any("agents would read it" in notice for notice in notices)


@pytest.mark.parametrize("keep_old", [True, False])
def test_the_answer_has_no_hash_by_which_guesses_could_be_tried(held: Workspace, keep_old: bool) -> None:
    with Desk(held) as desk:
        edited(desk, "Ask Eva.", "Ask Adam.")
        assert desk.approve("p1", desk.preview("p1").plan.hash, keep_old=keep_old).ok
    digest = hashlib.sha256((held.memory / "door.md").read_bytes()).hexdigest()
    told = decision(held, "p1")
    assert digest not in json.dumps(told)
    assert [change["sha256"] for change in told["changes"]] == [None]  # type: ignore[attr-defined]


def test_that_of_another_note_is_told(held: Workspace) -> None:
    with Desk(held) as desk:
        given = {"id": "p1", "operation": "write", "path": "a.md", "summary": "s", "content": "c\n"}
        desk.propose(json.dumps(given).encode())
        desk.take_in()
        assert desk.approve("p1", desk.preview("p1").plan.hash).ok
    digest = hashlib.sha256((held.memory / "a.md").read_bytes()).hexdigest()
    assert [change["sha256"] for change in decision(held, "p1")["changes"]] == [digest]  # type: ignore[attr-defined]


@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize(
    ("where", "value"),
    [(f"The alarm PIN is {PIN}.", PIN), ("The wifi password is\nmellow-Badger-42", "mellow-Badger-42")],
)
def test_what_was_left_out_is_told_without_it(workspace: Workspace, where: str, value: str, end: str) -> None:
    (workspace.memory / "door.md").write_text(f"---\ndescription: d\n---\nAsk Eva.\n\nMore.\n\n{where}{end}")
    whole = "---\ndescription: x\n---\nNo.\n\nMore.\n"
    given = {"id": "p1", "operation": "replace", "path": "door.md", "reason": "r", "text": whole}
    with Desk(workspace) as desk:
        desk.propose(json.dumps(given).encode())
        desk.take_in()
        keys = [key for parts in desk.preview("p1").parts for key in parts.values()]
        assert len(keys) > 1
        out = Choices(left_out=(keys[-1],))
        [shown] = desk.preview_together([("p1", out)])
        assert desk.approve_together([Wanted("p1", shown.plan.hash, out)])[0].ok
    [told] = decision(workspace, "p1")["left_out"]  # type: ignore[misc]
    assert "redacted" in told["before"]
    assert value in (workspace.memory / "door.md").read_text()
    assert not [
        path for path in workspace.dot.rglob("*") if path.is_file() and value.encode() in path.read_bytes()
    ]


TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"
ENTRY = (
    f'---\ntitle: "{TOKEN}"\ntags: [health, food]\ntype: fact\nconfidence: high\nstatus: active\n'
    "created: 2026-01-01\nupdated: 2026-01-01\n---\nB.\n\n## Change log\n\n- 2026-01-01 — created\n"
)
CHANGES: dict[str, dict[str, object]] = {
    "supersede": {"operation": "supersede", "filename": "e.md"},
    "delete": {"operation": "delete", "filename": "e.md", "user_command": "delete it"},
    "title": {"operation": "update", "filename": "e.md", "fields": {"title": "new"}},
    "body": {"operation": "update", "filename": "e.md", "body": "new"},
    "rename": {"operation": "rename", "path": "e.md", "new_path": "f.md"},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("verdict", ["approved", "rejected"])
def test_a_title_that_is_one_is_kept_neither_as_a_headline_nor_as_a_line_of_the_index(
    workspace: Workspace, change: str, verdict: str
) -> None:
    (workspace.memory / "e.md").write_text(ENTRY)
    index = workspace.memory / "index.md"
    index.write_text(f"# Index\n\n## Entries\n\n- [{TOKEN}](e.md) — fact, [health, food], hook {TOKEN}\n")
    with Desk(workspace) as desk:
        desk.propose(json.dumps({"id": "p1", "reason": "r", **CHANGES[change]}).encode())
        desk.take_in()
        if verdict == "approved":
            assert desk.approve("p1", desk.preview("p1").plan.hash).ok
            assert not desk.undo().ok
        else:
            assert desk.reject("p1", "no").ok
    journal = sqlite3.connect(workspace.journal)
    packed = [row[0] for row in journal.execute("SELECT splices FROM files WHERE splices IS NOT NULL")]
    journal.close()
    assert not any(TOKEN.encode() in zlib.decompress(each) for each in packed)
    files = [path.read_bytes() for path in workspace.dot.rglob("*") if path.is_file()]
    assert not any(TOKEN.encode() in data for data in files)
