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
    with pytest.raises(WorkspaceError, match="never a spool"):
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
