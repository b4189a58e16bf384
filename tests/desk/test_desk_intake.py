"""From the spool into the inbox: ids, redelivery, rewritten and withdrawn files, two desks on one spool."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk, Gone
from tests.support import decision

NOTE = {"operation": "write", "path": "prefs/tea.md", "summary": "green tea", "content": "No sugar.\n"}


def drop(workspace: Workspace, name: str, fields: object = NOTE) -> Path:
    """Put a file into the spool as an agent does: written under another name, then renamed."""
    hidden = workspace.spool / f".{name}.tmp"
    hidden.write_text(json.dumps(fields), encoding="utf-8")
    target = workspace.spool / name
    hidden.rename(target)
    return target


def ids(desk: Desk) -> list[str]:
    return [item.id for item in desk.items()]


def approve(desk: Desk, id: str) -> None:
    outcome = desk.approve(id, desk.preview(id).plan.hash)
    assert outcome.ok, outcome.message


def test_a_dropped_file_is_an_item_and_stays_in_the_spool(desk: Desk, workspace: Workspace) -> None:
    path = drop(workspace, "tea.json")
    assert desk.take_in() == 1
    assert ids(desk) == ["tea"]
    assert path.exists()
    assert desk.take_in() == 0


def test_a_json_file_written_in_place_counts_once_it_parses(desk: Desk, workspace: Workspace) -> None:
    path = workspace.spool / "slow.json"
    path.write_text(json.dumps(NOTE)[:30])
    assert desk.take_in() == 0
    assert desk.unsettled
    assert not desk.refusals()
    path.write_text(json.dumps(NOTE))
    assert desk.take_in() == 1


def test_a_file_that_stays_broken_is_answered_and_its_bytes_are_kept(
    desk: Desk, workspace: Workspace
) -> None:
    path = workspace.spool / "cut.json"
    path.write_bytes(b'{"operation": "wri')
    os.utime(path, (1, 1))
    assert desk.take_in() == 0
    [refusal] = desk.refusals()
    assert refusal.text == '{"operation": "wri'
    assert decision(workspace, "cut")["verdict"] == "refused"
    assert not path.exists()


@pytest.mark.parametrize("name", [".hidden.json", "x.json.tmp", "x.part", "x.json~", "x.swp"])
def test_names_that_are_still_being_written_are_ignored(desk: Desk, workspace: Workspace, name: str) -> None:
    (workspace.spool / name).write_text(json.dumps(NOTE))
    assert desk.take_in() == 0
    assert not desk.refusals()


def test_the_same_bytes_after_an_approval_repeat_the_answer(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    approve(desk, "tea")
    (workspace.decisions / "tea.json").unlink()
    path = drop(workspace, "tea.json")
    assert desk.take_in() == 0
    assert decision(workspace, "tea")["verdict"] == "approved"
    assert not path.exists()


def test_other_bytes_after_an_approval_are_a_new_proposal(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    approve(desk, "tea")
    drop(workspace, "tea.json", {**NOTE, "content": "Two sugars.\n"})
    assert desk.take_in() == 1
    [id] = ids(desk)
    assert id.startswith("tea-")
    assert len(id) == len("tea-") + 8


def test_an_explicit_id_that_was_used_is_refused(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "one.json", {**NOTE, "id": "mine"})
    desk.take_in()
    approve(desk, "mine")
    drop(workspace, "two.json", {**NOTE, "id": "MINE", "content": "Other.\n"})
    assert desk.take_in() == 0
    [refusal] = desk.refusals()
    assert [problem.field for problem in refusal.problems] == ["id"]
    assert decision(workspace, "mine")["verdict"] == "approved"


def test_a_copy_of_what_waits_is_answered_as_a_copy(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json", {**NOTE, "id": "tea"})
    assert desk.take_in() == 1
    drop(workspace, "copy.json", {**NOTE, "id": "tea"})
    assert desk.take_in() == 0
    assert ids(desk) == ["tea"]
    [refusal] = desk.refusals()
    assert refusal.problems[0].message == "tea waits already, with the same bytes: this copy was not needed"
    approve(desk, "tea")


def test_an_id_that_was_refused_is_free_again(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json", {**NOTE, "summary": " "})
    desk.take_in()
    assert decision(workspace, "tea")["verdict"] == "refused"
    drop(workspace, "tea.json")
    assert desk.take_in() == 1
    assert ids(desk) == ["tea"]


def test_a_file_taken_away_is_withdrawn(desk: Desk, workspace: Workspace) -> None:
    path = drop(workspace, "tea.json")
    desk.take_in()
    path.unlink()
    desk.take_in()
    assert ids(desk) == []
    assert decision(workspace, "tea")["verdict"] == "withdrawn"


def test_a_file_taken_away_while_memtui_was_closed_is_withdrawn(workspace: Workspace) -> None:
    path = drop(workspace, "tea.json")
    with Desk(workspace) as first:
        first.take_in()
    path.unlink()
    with Desk(workspace) as second:
        second.take_in()
        assert ids(second) == []
    assert decision(workspace, "tea")["verdict"] == "withdrawn"


def test_a_spool_that_is_gone_withdraws_nothing(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    moved = workspace.spool.with_name("elsewhere")
    workspace.spool.rename(moved)
    desk.take_in()
    moved.rename(workspace.spool)
    desk.take_in()
    assert ids(desk) == ["tea"]


def test_a_rewritten_file_wants_a_new_look(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    shown = desk.preview("tea")
    drop(workspace, "tea.json", {**NOTE, "content": "Poison.\n"})
    assert not desk.approve("tea", shown.plan.hash).ok
    desk.take_in()
    assert [notice.kind for notice in desk.preview("tea").plan.notices] == ["changed"]
    outcome = desk.approve("tea", shown.plan.hash)
    assert not outcome.ok
    assert outcome.changed
    assert not (workspace.memory / "prefs/tea.md").exists()


def test_a_note_that_changed_since_it_was_shown_is_not_overwritten(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    shown = desk.preview("tea")
    (workspace.memory / "prefs/tea.md").write_text("by hand\n")
    outcome = desk.approve("tea", shown.plan.hash)
    assert not outcome.ok
    assert outcome.changed
    assert (workspace.memory / "prefs/tea.md").read_text() == "by hand\n"


def test_a_disk_that_holds_the_result_already_is_success(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    shown = desk.preview("tea")
    (workspace.memory / "prefs/tea.md").write_bytes(shown.files[0][3] or b"")
    assert desk.approve("tea", shown.plan.hash).ok
    assert decision(workspace, "tea")["verdict"] == "approved"


def test_two_desks_decide_one_proposal_once(workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    with Desk(workspace) as one, Desk(workspace) as two:
        for desk in (one, two):
            desk.take_in()
        hashes = [desk.preview("tea").plan.hash for desk in (one, two)]
        outcomes = [desk.approve("tea", hash) for desk, hash in zip((one, two), hashes, strict=True)]
        assert [outcome.ok for outcome in outcomes] == [True, False]
        two.take_in()
        assert ids(two) == []
        with pytest.raises(Gone, match="approved"):
            two.preview("tea")
        assert [row.verdict for row in one.log()] == ["approved"]


def test_threads_decide_one_proposal_once(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    hash = desk.preview("tea").plan.hash
    wins: list[bool] = []
    threads = [threading.Thread(target=lambda: wins.append(desk.approve("tea", hash).ok)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(wins) == [False] * 7 + [True]


def test_two_adds_on_one_index_both_land_and_the_first_can_be_undone(
    desk: Desk, workspace: Workspace
) -> None:
    add = {
        "operation": "add",
        "title": "One",
        "body": "First.",
        "type": "fact",
        "confidence": "high",
        "tags": ["health", "food"],
        "context": "a talk",
    }
    drop(workspace, "one.json", add)
    drop(workspace, "two.json", {**add, "title": "Two"})
    desk.take_in()
    shown = [desk.preview(id) for id in ("one", "two")]
    before = (workspace.memory / "index.md").read_text()
    first, second = (desk.approve(p.item.id, p.plan.hash) for p in shown)
    assert first.ok, first.message
    assert second.ok, second.message
    assert desk.undo(first.record).ok
    index = (workspace.memory / "index.md").read_text()
    assert "[One]" not in index
    assert [line for line in index.splitlines() if "[Two]" not in line] == before.splitlines()
    assert ids(desk) == ["one"]
    assert desk.undo(second.record).ok
    assert (workspace.memory / "index.md").read_text() == before


def test_an_undo_refuses_where_the_note_has_changed_since(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    approve(desk, "tea")
    (workspace.memory / "prefs/tea.md").write_text("by hand\n")
    outcome = desk.undo()
    assert not outcome.ok
    assert "prefs/tea.md" in outcome.message
    assert (workspace.memory / "prefs/tea.md").read_text() == "by hand\n"


def test_an_edited_proposal_is_planned_anew_and_the_agent_is_told(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json", {**NOTE, "agent": "me"})
    desk.take_in()
    first = desk.preview("tea")
    edited = desk.edit("tea", first.text.replace("No sugar.", "One sugar."))
    assert not isinstance(edited, tuple), edited
    assert edited.plan.hash != first.plan.hash
    assert edited.item.proposal.agent == "me"
    assert not desk.approve("tea", first.plan.hash).ok
    assert desk.approve("tea", edited.plan.hash).ok
    assert "One sugar." in (workspace.memory / "prefs/tea.md").read_text()
    told = decision(workspace, "tea")
    assert told["edited"] is True
    assert "One sugar." in str(told["text"])


def test_an_undone_edit_waits_in_the_form_that_the_person_gave_it(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    desk.take_in()
    edited = desk.edit("tea", desk.preview("tea").text.replace("No sugar.", "One sugar."))
    assert not isinstance(edited, tuple)
    assert desk.approve("tea", edited.plan.hash).ok
    assert desk.undo().ok
    [item] = desk.items()
    assert item.edited
    assert "One sugar." in desk.preview("tea").text


def test_an_edit_survives_a_restart(workspace: Workspace) -> None:
    drop(workspace, "tea.json")
    with Desk(workspace) as first:
        first.take_in()
        first.edit("tea", first.preview("tea").text.replace("No sugar.", "One sugar."))
    with Desk(workspace) as second:
        second.take_in()
        [item] = second.items()
        assert item.edited
        assert "One sugar." in second.preview("tea").text


def test_the_persons_own_change_passes_the_same_plan(desk: Desk, workspace: Workspace) -> None:
    name = "1704844800-run-5k-under-25-minutes.md"
    before = (workspace.memory / name).read_bytes()
    shown = desk.compose(
        {"operation": "update", "filename": name, "reason": "new race", "body": "Done: 24:50."}
    )
    assert not isinstance(shown, tuple), shown
    assert desk.approve(shown.item.id, shown.plan.hash).ok
    assert b"changed body: new race" in (workspace.memory / name).read_bytes()
    assert not list(workspace.decisions.iterdir()), "no agent asked, so none is answered"
    assert desk.undo().ok
    assert (workspace.memory / name).read_bytes() == before


def test_a_secret_in_an_edit_or_in_the_persons_own_change_is_stopped(
    desk: Desk, workspace: Workspace
) -> None:
    token = "ghp_" + "x7Rk2LmQ9vT4pZ8sWc1Yd6Bn3Hf5Jg0Ka2Ue"
    drop(workspace, "tea.json")
    desk.take_in()
    edited = desk.edit("tea", desk.preview("tea").text.replace("No sugar.", token))
    assert isinstance(edited, tuple)
    assert token not in str(edited)
    own = desk.compose({**NOTE, "path": "own.md", "content": token})
    assert isinstance(own, tuple)
    assert [problem.field for problem in own] == ["content"]


def test_settings_that_do_not_parse_let_nothing_be_decided(workspace: Workspace) -> None:
    from memtui.config import load

    drop(workspace, "tea.json")
    workspace.config.write_text("x = [")
    with Desk(load(workspace.root)) as desk:
        assert desk.take_in() == 0
        assert not desk.undo().ok
        assert not desk.reject("tea", "no").ok


def _turn_into_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _turn_into_a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _let_grow(path: Path) -> None:
    os.truncate(path, 5 << 20)


@pytest.mark.parametrize("change", [_turn_into_a_folder, _turn_into_a_link, _let_grow])
def test_a_file_that_becomes_no_candidate_still_waits_and_says_why(
    workspace: Workspace, change: Callable[[Path], None]
) -> None:
    path = drop(workspace, "tea.json")
    kept = path.read_bytes()
    with Desk(workspace) as desk:
        desk.take_in()
        change(path)
        for _ in range(2):
            desk.take_in()
            assert ids(desk) == []
            assert [refusal.verdict for refusal in desk.refusals()] == ["unreadable"]
    with Desk(workspace) as later:
        later.take_in()
        assert not (workspace.decisions / "tea.json").exists()
        path.rmdir() if path.is_dir() else path.unlink()
        path.write_bytes(kept)
        later.take_in(wait=True)
        assert ids(later) == ["tea"]
