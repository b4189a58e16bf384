"""Every example proposal on the example folder, each with the outcome that it must have."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Choices, Desk, Wanted
from memtui.review.items import Preview
from tests.support import decision, snapshot

TODAY = datetime.date.today().isoformat()


def propose(desk: Desk, proposals: dict[str, Path], number: str) -> str:
    path = proposals[number]
    return desk.propose(path.read_bytes(), path.name)


def approve(desk: Desk, id: str, **choices: object) -> Preview:
    """Preview, approve what was shown, and return what was shown."""
    shown = desk.preview(id, **choices)  # type: ignore[arg-type]
    outcome = desk.approve(id, shown.plan.hash, **choices)  # type: ignore[arg-type]
    assert outcome.ok, outcome.message
    for path, origin, _, after in shown.files:
        assert desk.folder.read(path) == after
        assert origin is None or desk.folder.read(origin) is None
    return shown


def text(workspace: Workspace, path: str) -> str:
    return (workspace.memory / path).read_text(encoding="utf-8")


def test_all_are_taken_in_from_the_spool_as_the_rules_say(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    before = snapshot(workspace.memory)
    for path in proposals.values():
        (workspace.spool / path.name).write_bytes(path.read_bytes())
    desk.take_in(wait=True)
    waiting = {item.id for item in desk.items()}
    assert {id[:2] for id in waiting} == {
        "01", "02", "03", "04", "05", "06", "08", "10", "11", "12", "13", "14", "17", "19", "ho",
    }  # fmt: skip
    assert {"06-supersede-with-successor.1", "06-supersede-with-successor.2", "hook-7f3a"} <= waiting
    assert {refusal.id[:2] for refusal in desk.refusals()} == {"07", "09", "15", "16"}
    assert snapshot(workspace.memory) == before


@pytest.mark.parametrize(
    ("number", "field"), [("07", "filename"), ("09", "user_command"), ("15", ""), ("16", "path")]
)
def test_a_wrong_proposal_is_answered_with_one_sentence_that_names_the_field(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path], number: str, field: str
) -> None:
    id = propose(desk, proposals, number)
    told = decision(workspace, id)
    assert told["verdict"] == "refused"
    problems = told["problems"]
    assert isinstance(problems, list)
    assert [problem["field"] for problem in problems] == [field]
    assert "\n" not in problems[0]["message"]
    assert not list(workspace.spool.glob("*.json")), "the file goes once the answer stands"
    [refusal] = desk.refusals()
    assert refusal.id == id
    assert refusal.text == proposals[number].read_text(encoding="utf-8")
    assert desk.dismiss(id).ok
    assert not desk.refusals()


def test_write_replaces_the_note_whole(desk: Desk, workspace: Workspace, proposals: dict[str, Path]) -> None:
    id = propose(desk, proposals, "01")
    approve(desk, id)
    note = text(workspace, "people/lina.md")
    assert note == (
        "---\ndescription: daughter, 8 years old\n---\n"
        "Likes dinosaurs and, lately, volcanoes. Goes to school since August.\n"
    )
    told = decision(workspace, id)
    assert told["result"] == {
        "path": "people/lina.md",
        "summary": "daughter, 8 years old",
        "bytesWritten": len(note.encode()),
    }


def test_add_makes_an_entry_and_its_index_line(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    shown = approve(desk, propose(desk, proposals, "02"))
    filename = shown.item.target
    assert re.fullmatch(r"\d{10}-relationship-with-my-mother\.md", filename)
    assert text(workspace, filename) == (
        "---\ntitle: Relationship with my mother\ntags: [family, psychology, communication]\ntype: belief\n"
        f"confidence: medium\nstatus: active\ncreated: {TODAY}\nupdated: {TODAY}\n---\n\n"
        "Calls every Sunday. Visits are easier when they are short.\n\n"
        f"## Change log\n- {TODAY} — created during conversation about a visit at the weekend\n"
    )
    line = (
        f"- [Relationship with my mother]({filename}) — belief, [family, psychology, communication], "
        "short visits go better\n"
    )
    index = text(workspace, "index.md")
    assert line + "\n## Deprecated" in index


def test_a_cyrillic_title_gets_an_ascii_name_and_a_hook_from_the_body(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    shown = approve(desk, propose(desk, proposals, "03"))
    assert shown.item.target.isascii()
    assert "fact, [family, biography], Созваниваемся каждое воскресенье\n" in text(workspace, "index.md")


def test_update_changes_only_what_it_names(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    name = "1704844800-run-5k-under-25-minutes.md"
    before, index = text(workspace, name), text(workspace, "index.md")
    approve(desk, propose(desk, proposals, "04"))
    after = before.replace("updated: 2024-04-22", f"updated: {TODAY}").replace("far 28:14.", "far 26:02.")
    after += f"- {TODAY} — best time now 26:02: result of the spring race\n"
    assert text(workspace, name) == after
    assert text(workspace, "index.md") == index


def test_a_critical_change_gets_a_log_line_of_its_own(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    name = "1709376000-puts-off-hard-conversations.md"
    approve(desk, propose(desk, proposals, "05"))
    note = text(workspace, name)
    assert 'title: "Puts off hard conversations: work and family"\n' in note
    assert "tags: [psychology, communication, patterns]\n" in note
    assert "confidence: high\n" in note
    assert note.endswith(
        f"- {TODAY} — changed tags: named by the person three times this month\n"
        f"- {TODAY} — confidence changed from medium to high: named by the person three times this month\n"
    )
    assert "belief, [psychology, communication, patterns], waits for the right moment\n" in text(
        workspace, "index.md"
    )


def test_a_batch_is_approved_together_and_undone_together(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    before = snapshot(workspace.memory)
    batch = propose(desk, proposals, "06")
    ids = [item.id for item in desk.items()]
    assert ids == [f"{batch}.1", f"{batch}.2"]
    shown = desk.preview_together([(id, Choices()) for id in ids])
    outcomes = desk.approve_together([Wanted(p.item.id, p.plan.hash) for p in shown])
    assert [outcome.ok for outcome in outcomes] == [True, True], outcomes
    assert len({outcome.record for outcome in outcomes}) == 1
    old = text(workspace, "1707912000-vegetarian-since-2019.md")
    new = shown[0].item.target
    assert "status: deprecated\n" in old
    assert f"superseded_at: {TODAY}\nsuperseded_by: {new}\n" in old
    assert old.endswith(
        f"- {TODAY} — marked deprecated: eats meat again; see [Eats meat again since 2026]({new})\n"
    )
    _, _, deprecated = text(workspace, "index.md").partition("## Deprecated")
    assert "1707912000-vegetarian-since-2019.md" in deprecated
    told = decision(workspace, batch)
    assert told["verdict"] == "approved"
    assert not list(workspace.spool.glob("*.json"))
    assert desk.undo().ok
    assert {name: data for name, (data, _) in snapshot(workspace.memory).items()} == {
        name: data for name, (data, _) in before.items()
    }
    assert [item.id for item in desk.items()] == ids


def test_a_member_waits_for_its_sibling_and_says_so_when_that_is_rejected(
    desk: Desk, proposals: dict[str, Path]
) -> None:
    batch = propose(desk, proposals, "06")
    shown = desk.preview(f"{batch}.2")
    assert shown.plan.wants == ("sibling",)
    assert not desk.approve(f"{batch}.2", shown.plan.hash).ok
    assert desk.reject(f"{batch}.1", "not true").ok
    shown = desk.preview(f"{batch}.2")
    assert shown.item.state == "problem"
    assert "rejected" in shown.plan.problems[0].message


def test_delete_removes_note_and_line_and_undo_brings_both_back(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    before = {name: data for name, (data, _) in snapshot(workspace.memory).items()}
    approve(desk, propose(desk, proposals, "08"))
    assert not (workspace.memory / "1709376000-puts-off-hard-conversations.md").exists()
    assert "puts-off" not in text(workspace, "index.md")
    assert desk.undo().ok
    assert {name: data for name, (data, _) in snapshot(workspace.memory).items()} == before


def test_a_new_tag_waits_for_the_persons_yes(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path]
) -> None:
    id = propose(desk, proposals, "10")
    shown = desk.preview(id)
    assert shown.plan.wants == ("new_tags",)
    assert [new.tag for new in shown.plan.new_tags] == ["music"]
    assert not desk.approve(id, shown.plan.hash).ok
    assert "#music" not in text(workspace, "tags.md")
    approve(desk, id, accept_new_tags=True)
    assert (
        "- **#health** — body, sleep, diet.\n- **#music** — playing and listening.\n- **#psychology**"
        in text(workspace, "tags.md")
    )


@pytest.mark.parametrize("choice", ["refinement", "replacement", "both"])
def test_a_contradiction_is_settled_as_the_person_chooses(
    desk: Desk, workspace: Workspace, proposals: dict[str, Path], choice: str
) -> None:
    id = propose(desk, proposals, "11")
    shown = desk.preview(id)
    assert shown.plan.choices == ("refinement", "replacement", "both")
    assert shown.plan.wants == ("choice",)
    shown = approve(desk, id, choose=choice)
    old = text(workspace, "1707912000-vegetarian-since-2019.md")
    assert ("status: deprecated" in old) == (choice == "replacement")
    assert ("rare exceptions; fish" in old) == (choice == "refinement")
    assert "I had a steak on Friday and it was great." in old
    added = [path for path, _, before, _ in shown.files if before is None]
    assert bool(added) == (choice != "refinement")


def test_edit_replaces_exact_text(desk: Desk, workspace: Workspace, proposals: dict[str, Path]) -> None:
    before = text(workspace, "prefs/coding.md")
    approve(desk, propose(desk, proposals, "12"))
    after = before.replace("tabs, not spaces", "spaces, four of them")
    assert text(workspace, "prefs/coding.md") == after.replace("functions, tabs,", "functions, spaces,")


def test_markdown_and_yaml_forms(desk: Desk, workspace: Workspace, proposals: dict[str, Path]) -> None:
    shown = approve(desk, propose(desk, proposals, "13"))
    assert "title: 'Coffee: none" in text(workspace, shown.item.target) or (
        'title: "Coffee: none' in text(workspace, shown.item.target)
    )
    approve(desk, propose(desk, proposals, "14"))
    assert text(workspace, "prefs/travel.md").startswith(
        "---\ndescription: window seat, trains over planes\n"
    )


def test_hidden_text_is_an_alarm(desk: Desk, proposals: dict[str, Path]) -> None:
    shown = desk.preview(propose(desk, proposals, "17"))
    [notice] = [notice for notice in shown.plan.notices if notice.kind == "hidden"]
    assert notice.alarm
    assert "content" in notice.message


def test_replace_and_a_stale_base(desk: Desk, workspace: Workspace, proposals: dict[str, Path]) -> None:
    fields = json.loads(proposals["18"].read_text(encoding="utf-8"))
    id = propose(desk, proposals, "18")
    assert id == "hook-7f3a"
    assert desk.preview(id).item.state == "pending"
    (workspace.memory / "people/lina.md").write_text("---\ndescription: changed\n---\nOther.\n")
    assert desk.preview(id).item.state == "stale"
    approve(desk, id)
    assert text(workspace, "people/lina.md") == fields["text"]


def test_rename_moves_the_note(desk: Desk, workspace: Workspace, proposals: dict[str, Path]) -> None:
    before = text(workspace, "prefs/coding.md")
    id = propose(desk, proposals, "19")
    approve(desk, id)
    assert text(workspace, "work/coding-style.md") == before
    assert not (workspace.memory / "prefs/coding.md").exists()
    [change] = decision(workspace, id)["changes"]  # type: ignore[misc]
    assert (change["path"], change["from"], change["change"]) == (
        "work/coding-style.md",
        "prefs/coding.md",
        "renamed",
    )
    assert desk.undo().ok
    assert text(workspace, "prefs/coding.md") == before
    assert not (workspace.memory / "work").exists()
