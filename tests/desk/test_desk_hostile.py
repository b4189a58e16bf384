"""What an agent with nothing but the spool can try, and what a stranger's workspace can hold."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memtui.config import Workspace, WorkspaceError, load, trust
from memtui.desk import Choices, Desk, Wanted
from tests.support import decision

NOTE = {"operation": "write", "path": "ok.md", "summary": "s", "content": "c\n"}
TOKEN = "AKIA" + "QYLPMN5HHHFPZAM2"


def drop(workspace: Workspace, name: str, fields: object = NOTE) -> Path:
    path = workspace.spool / name
    path.write_text(fields if isinstance(fields, str) else json.dumps(fields), encoding="utf-8")
    os.utime(path, (1, 1))
    return path


def test_a_folder_in_the_way_of_an_answer_is_moved_aside(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    (workspace.decisions / "ok.json" / "x").mkdir(parents=True)
    assert desk.approve("ok", desk.preview("ok").plan.hash).ok
    assert decision(workspace, "ok")["verdict"] == "approved"
    assert (workspace.memory / "ok.md").exists()


@pytest.mark.parametrize("kind", ["link", "file"])
def test_decisions_that_are_no_folder_are_moved_aside(desk: Desk, workspace: Workspace, kind: str) -> None:
    workspace.decisions.rmdir()
    if kind == "link":
        workspace.decisions.symlink_to(workspace.memory)
    else:
        workspace.decisions.write_text("")
    drop(workspace, "bad.json", {"operation": "write"})
    desk.take_in()
    assert decision(workspace, "bad")["verdict"] == "refused"
    assert not (workspace.memory / "bad.json").exists()


def test_a_folder_that_was_never_a_spool_is_not_emptied(workspace: Workspace) -> None:
    docs = workspace.root / "docs"
    docs.mkdir()
    (docs / "README.md").write_text("# my notes\n")
    workspace.config.write_text('spool = "docs"\n')
    trust(workspace.root)
    with pytest.raises(WorkspaceError, match="holds 1 file that memtui would take away"):
        load(workspace.root)
    assert (docs / "README.md").exists()


@pytest.mark.parametrize("name", ["spool", "."])
def test_a_link_out_of_the_workspace_is_refused(workspace: Workspace, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = workspace.dot / name
    link.rename(outside / "moved") if name == "spool" else workspace.dot.rename(outside / "moved")
    (workspace.spool if name == "spool" else workspace.dot).symlink_to(outside / "moved")
    with pytest.raises(WorkspaceError):
        load(workspace.root)


@pytest.mark.parametrize(
    "text", ['memory = "a\\u0000b"', "memory = 5", 'memory = ["x"]', "catalog_budget = -1", "x = 1"]
)
def test_a_setting_of_the_wrong_kind_is_complained_of(workspace: Workspace, text: str) -> None:
    workspace.config.write_text(text + "\n")
    loaded = load(workspace.root)
    assert len(loaded.settings.complaints) == 1
    assert loaded.memory == workspace.memory


@pytest.mark.parametrize(
    "text", ['state = "memory"', 'spool = "memory/x"', 'memory = ".memtui"', 'memory = ".memtui/spool"']
)
def test_folders_in_each_others_way_are_refused(workspace: Workspace, text: str) -> None:
    workspace.config.write_text(text + "\n")
    trust(workspace.root)
    with pytest.raises(WorkspaceError):
        load(workspace.root)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.json", json.dumps({"operation": TOKEN})),
        ("s.json", json.dumps({**NOTE, "summary": TOKEN})),
        ("s.json", json.dumps({**NOTE, "agent": TOKEN})),
        ("s.json", json.dumps({**NOTE, "anything": {"deep": [TOKEN]}})),
        ("s.json", json.dumps({**NOTE, TOKEN: "x"})),
        ("s.json", json.dumps({"proposals": [NOTE, {**NOTE, "content": TOKEN}]})),
        ("s.json", "{" + TOKEN),
        ("s.json", json.dumps({"operation": "add", "title": "t", "body": "b", "type": "fact", "confidence": "high",
                               "context": "c", "tags": ["health", TOKEN]})),
        ("s.yaml", f"operation: write\npath: ok.md\nsummary: s\ncontent: c # {TOKEN}\n"),
        ("s.md", f"---\noperation: write # {TOKEN}\npath: ok.md\nsummary: s\n---\nc\n"),
        (f"{TOKEN}.json", json.dumps(NOTE)),
        (f"{TOKEN}.txt", "x"),
    ],
)  # fmt: skip
def test_a_secret_is_kept_and_shown_nowhere(desk: Desk, workspace: Workspace, name: str, text: str) -> None:
    drop(workspace, name, text)
    desk.take_in()
    assert desk.items() == ()
    listed = repr([*desk.refusals(), *desk.log()])
    assert TOKEN.casefold() not in listed.casefold()
    for path in workspace.root.rglob("*"):
        if path.is_file() and not name.endswith(".txt"):
            assert TOKEN.encode() not in path.read_bytes(), path
            assert TOKEN not in path.name


def test_a_secret_in_a_reason_is_stopped(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    outcome = desk.reject("ok", f"no, {TOKEN}")
    assert not outcome.ok
    assert TOKEN not in outcome.message
    assert [item.id for item in desk.items()] == ["ok"]


def test_old_text_with_a_secret_is_not_kept_and_not_undone(desk: Desk, workspace: Workspace) -> None:
    (workspace.memory / "ok.md").write_text(f"key {TOKEN}\n")
    drop(workspace, "ok.json")
    desk.take_in()
    shown = desk.preview("ok")
    assert "secret" in [notice.kind for notice in shown.plan.notices]
    assert desk.approve("ok", shown.plan.hash).ok
    outcome = desk.undo(1)
    assert not outcome.ok
    assert "secret" in outcome.message
    for path in workspace.dot.rglob("*"):
        if path.is_file():
            assert TOKEN.encode() not in path.read_bytes()


def test_an_index_that_cannot_be_used_is_no_fault_of_the_agent(desk: Desk, workspace: Workspace) -> None:
    index = workspace.memory / "index.md"
    index.rename(workspace.root / "index.md")
    index.symlink_to(workspace.root / "index.md")
    add = {
        "operation": "add", "title": "t", "body": "b", "type": "fact", "confidence": "high", "context": "c",
        "tags": ["health", "food"],
    }  # fmt: skip
    drop(workspace, "a.json", add)
    desk.take_in()
    [item] = desk.items()
    assert item.state == "problem"
    index.unlink()
    (workspace.root / "index.md").rename(index)
    assert desk.approve("a", desk.preview("a").plan.hash).ok


def test_an_undone_batch_is_pending_again(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "b.json", {"proposals": [NOTE, {**NOTE, "path": "two.md"}]})
    desk.take_in()
    shown = desk.preview_together([(id, Choices()) for id in ("b.1", "b.2")])
    assert all(o.ok for o in desk.approve_together([Wanted(p.item.id, p.plan.hash) for p in shown]))
    assert decision(workspace, "b")["verdict"] == "approved"
    assert desk.undo().ok
    assert not (workspace.decisions / "b.json").exists()
    assert [item.id for item in desk.items()] == ["b.1", "b.2"]


def test_members_of_one_batch_on_one_note_are_planned_one_on_the_other(
    desk: Desk, workspace: Workspace
) -> None:
    drop(workspace, "b.json", {"proposals": [NOTE, {**NOTE, "content": "second\n"}]})
    desk.take_in()
    first, second = desk.preview_together([(id, Choices()) for id in ("b.1", "b.2")])
    assert second.files[0][2] == first.files[0][3]
    outcomes = desk.approve_together([Wanted(p.item.id, p.plan.hash) for p in (first, second)])
    assert all(outcome.ok for outcome in outcomes), outcomes
    assert (workspace.memory / "ok.md").read_text().endswith("second\n")


@pytest.mark.parametrize("how", ["removed", "rewritten"])
def test_a_batch_that_goes_away_half_decided_is_answered(desk: Desk, workspace: Workspace, how: str) -> None:
    path = drop(workspace, "b.json", {"proposals": [NOTE, {**NOTE, "path": "two.md"}]})
    desk.take_in()
    assert desk.approve("b.1", desk.preview("b.1").plan.hash).ok
    if how == "removed":
        path.unlink()
    else:
        drop(workspace, "b.json", {"proposals": [{**NOTE, "path": "three.md"}]})
    desk.take_in()
    told = decision(workspace, "b")
    assert [member["verdict"] for member in told["members"]] == ["approved", "withdrawn"]  # type: ignore[union-attr]


def test_a_rewritten_file_is_marked_also_in_another_process(workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    with Desk(workspace) as first:
        first.take_in()
    drop(workspace, "ok.json", {**NOTE, "content": "poison\n"})
    for _ in range(2):
        with Desk(workspace) as later:
            later.take_in()
            [item] = later.items()
            assert [notice.kind for notice in item.notices] == ["changed"]


def test_a_missing_spool_is_said_and_withdraws_nothing(workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    with Desk(workspace) as desk:
        desk.take_in()
    moved = workspace.spool.rename(workspace.root / "moved")
    with Desk(workspace) as desk:
        desk.take_in()
        [refusal] = desk.refusals()
        assert "missing" in refusal.problems[0].message
    moved.rename(workspace.spool)
    with Desk(workspace) as desk:
        desk.take_in()
        assert [item.id for item in desk.items()] == ["ok"]


@pytest.mark.parametrize("summary", ["\u200b", " \u2060 ", "\u3164", "\x00"])
def test_a_summary_that_shows_nothing_is_blank(desk: Desk, workspace: Workspace, summary: str) -> None:
    drop(workspace, "ok.json", {**NOTE, "summary": summary})
    desk.take_in()
    [refusal] = desk.refusals()
    assert [problem.field for problem in refusal.problems] == ["summary"]


def test_a_suffix_in_capitals_is_a_suffix(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "ok.JSON")
    desk.take_in()
    assert [item.id for item in desk.items()] == ["ok"]


def test_a_chain_of_refs_is_approved_together_in_any_order(desk: Desk, workspace: Workspace) -> None:
    add = {
        "operation": "add", "title": "t", "body": "b", "type": "fact", "confidence": "high", "context": "c",
        "tags": ["health", "food"], "ref": "n",
    }  # fmt: skip
    first, second = "1704844800-run-5k-under-25-minutes.md", "1707912000-vegetarian-since-2019.md"
    mark = {"operation": "supersede", "reason": "r"}
    members = [
        {**mark, "filename": first, "successor": "ref:s"},
        {**mark, "filename": second, "successor": "ref:n", "ref": "s"},
        add,
    ]
    drop(workspace, "b.json", {"proposals": members})
    desk.take_in()
    for ids in (["b.1", "b.2", "b.3"], ["b.2", "b.3", "b.1"], ["b.3", "b.1", "b.2"]):
        shown = desk.preview_together([(id, Choices()) for id in ids])
        assert [preview.item.id for preview in shown] == ids
        outcomes = desk.approve_together([Wanted(p.item.id, p.plan.hash) for p in shown])
        assert [(outcome.id, outcome.ok) for outcome in outcomes] == [(id, True) for id in ids], outcomes
        assert f"superseded_by: {second}" in (workspace.memory / first).read_text()
        assert desk.undo().ok


# --- places where no note can be ------------------------------------------------------------------

ENTRY = """\
---
title: T
tags: [health, sport]
type: fact
confidence: high
status: active
created: 2026-01-01
updated: 2026-01-01
---

Body.
"""
SAID = {"reason": "r"}
AT = {
    "write": lambda path: {**NOTE, "path": path},
    "update": lambda path: {"filename": path, "body": "b", **SAID},
    "supersede": lambda path: {"filename": path, **SAID},
    "successor": lambda path: {"operation": "supersede", "filename": "own.md", "successor": path, **SAID},
    "delete": lambda path: {"filename": path, "user_command": "delete it", **SAID},
    "contradiction": lambda path: {"filename": path, "statement": "s", "refinement": {"body": "b"}, **SAID},
    "edit": lambda path: {"path": path, "edits": [{"old": "a", "new": "b"}], **SAID},
    "replace": lambda path: {"path": path, "text": "t", **SAID},
    "rename": lambda path: {"path": path, "new_path": "new.md", **SAID},
    "rename to": lambda path: {"operation": "rename", "path": "own.md", "new_path": path, **SAID},
}
"""Fields of each operation at a path."""


def put_obstacles(memory: Path) -> None:
    (memory / "own.md").write_text(ENTRY)
    (memory / "file.txt").write_text("x")
    (memory / "folder.md").mkdir()
    (memory / "linked").symlink_to(memory / "people")
    (memory / "link.md").symlink_to(memory / "own.md")
    os.mkfifo(memory / "pipe")
    os.mkfifo(memory / "pipe.md")
    (memory / "locked").mkdir()
    (memory / "locked" / "x.md").write_text(ENTRY)
    (memory / "locked").chmod(0)


@pytest.mark.parametrize("operation", AT)
def test_a_path_where_no_note_can_be_is_refused_and_holds_up_no_sibling(
    desk: Desk, workspace: Workspace, operation: str
) -> None:
    put_obstacles(workspace.memory)
    paths = ["own.md/x.md", "file.txt/x.md", "linked/x.md", "pipe/x.md", "folder.md", "link.md", "pipe.md"]
    if os.geteuid():  # root may read everything
        paths.append("locked/x.md")
    for number, path in enumerate(paths):
        bad = {"operation": operation, **AT[operation](path)}
        drop(workspace, f"b{number}.json", {"proposals": [bad, {**NOTE, "path": f"good{number}.md"}]})
    desk.take_in()
    (workspace.memory / "locked").chmod(0o700)
    for number, path in enumerate(paths):
        answer = decision(workspace, f"b{number}.1")
        assert answer["verdict"] == "refused", path
        assert [p["field"] for p in answer["problems"]] == [field_of(operation)], path  # type: ignore[attr-defined]
        good = f"b{number}.2"
        assert desk.approve(good, desk.preview(good).plan.hash).ok
    assert not desk.items()


def field_of(operation: str) -> str:
    """The field that names the path."""
    if operation in ("write", "edit", "replace", "rename"):
        return "path"
    return {"successor": "successor", "rename to": "new_path"}.get(operation, "filename")


def test_a_member_that_stands_in_the_way_of_another_makes_it_a_problem(
    desk: Desk, workspace: Workspace
) -> None:
    members = [{**NOTE, "path": "x.md"}, {**NOTE, "path": "x.md/y.md"}, {**NOTE, "path": "z.md"}]
    moved = {"operation": "rename", "path": "z.md", "new_path": "x.md/z.md", "reason": "r"}
    drop(workspace, "b.json", {"proposals": members})
    drop(workspace, "m.json", {"proposals": [NOTE, moved]})
    (workspace.memory / "z.md").write_text("z\n")
    desk.take_in()
    one, two, three, four = desk.preview_together([(id, Choices()) for id in ("b.1", "b.2", "b.3", "m.2")])
    assert [bool(each.plan.problems) for each in (one, two, three, four)] == [False, True, False, True]
    assert [each.plan.problems[0].field for each in (two, four)] == ["path", "new_path"]
    assert desk.approve("b.1", desk.preview("b.1").plan.hash).ok
    desk.preview("b.2")
    assert {item.id: item.state for item in desk.items()}["b.2"] == "problem"
