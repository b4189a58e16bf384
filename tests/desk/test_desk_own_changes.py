"""What the person changes in the app: the same plans, with the log line, and the index in step."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.proposals.model import Json
from tests.support import snapshot

RUN = "1704844800-run-5k-under-25-minutes.md"
DIET = "1707912000-vegetarian-since-2019.md"
MOVE = "1711929600-pereekhal-v-lissabon.md"
ADD: dict[str, Json] = {
    "operation": "add",
    "title": "Speaks Portuguese",
    "body": "At level B1. Takes lessons.",
    "type": "fact",
    "confidence": "medium",
    "context": "the move",
    "tags": ["biography", "travel"],
}


def faults(desk: Desk) -> list[str]:
    return [f"{finding.file}: {finding.message}" for finding in desk.check() if not finding.advice]


def change(desk: Desk, fields: Mapping[str, Json]) -> str:
    """Make one change of the person's own; returns the path of the note that it names."""
    shown = desk.compose(fields)
    assert not isinstance(shown, tuple), shown
    outcome = desk.approve(shown.item.id, shown.plan.hash)
    assert outcome.ok, outcome
    assert faults(desk) == []
    return str(shown.plan.result.get("filename") or shown.plan.result.get("path"))


@pytest.fixture
def memory(desk: Desk, workspace: Workspace) -> Path:
    assert faults(desk) == []
    return workspace.memory


def index_line(memory: Path, name: str) -> str:
    lines = (memory / "index.md").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if f"({name})" in line]
    assert len(found) <= 1
    return found[0] if found else ""


def log(memory: Path, name: str) -> list[str]:
    text = (memory / name).read_text(encoding="utf-8")
    return [line for line in text.partition("## Change log\n")[2].splitlines() if line]


def today() -> str:
    return time.strftime("%Y-%m-%d")


def test_a_new_entry(desk: Desk, memory: Path) -> None:
    name = change(desk, ADD)
    assert name.endswith("-speaks-portuguese.md")
    assert index_line(memory, name).endswith("[biography, travel], At level B1")
    assert log(memory, name) == [f"- {today()} — created during conversation about the move"]


def test_an_edited_entry(desk: Desk, memory: Path) -> None:
    fields: dict[str, Json] = {"title": "Run 5K under 24 minutes", "confidence": "medium"}
    wanted: dict[str, Json] = {"operation": "update", "filename": RUN, "reason": "edited by hand"}
    change(desk, {**wanted, "fields": fields, "body": "A new target."})
    assert index_line(memory, RUN).startswith(f"- [Run 5K under 24 minutes]({RUN}) — goal, ")
    assert log(memory, RUN)[-2:] == [
        f"- {today()} — changed title, body: edited by hand",
        f"- {today()} — confidence changed from high to medium: edited by hand",
    ]
    assert f"updated: {today()}\n" in (memory / RUN).read_text()


def test_a_new_note_and_an_edit_of_its_text(desk: Desk, memory: Path) -> None:
    index = (memory / "index.md").read_bytes()
    note: dict[str, Json] = {
        "operation": "write",
        "path": "prefs/tea.md",
        "summary": "tea",
        "content": "Green.\n",
    }
    change(desk, note)
    change(desk, {"operation": "replace", "path": "prefs/tea.md", "text": "Black.\n", "reason": "by hand"})
    assert (memory / "prefs/tea.md").read_text() == "Black.\n"
    assert (memory / "index.md").read_bytes() == index


def test_the_whole_text_of_an_entry(desk: Desk, memory: Path) -> None:
    text = (memory / RUN).read_text(encoding="utf-8").replace("title: Run 5K", "title: Run 6K")
    change(desk, {"operation": "replace", "path": RUN, "text": text, "reason": "by hand"})
    assert index_line(memory, RUN).startswith("- [Run 6K")
    assert log(memory, RUN)[-1] == f"- {today()} — changed title: by hand"


def test_a_renamed_entry_takes_index_successors_and_links_along(desk: Desk, memory: Path) -> None:
    (memory / "people/lina.md").write_text(f"See [the run](../{RUN}).\n", encoding="utf-8")
    change(desk, {"operation": "supersede", "filename": DIET, "successor": RUN, "reason": "a test of links"})
    before = log(memory, RUN)
    change(desk, {"operation": "rename", "path": RUN, "new_path": "goals/run.md", "reason": "by hand"})
    assert index_line(memory, "goals/run.md")
    assert index_line(memory, RUN) == ""
    assert "superseded_by: goals/run.md\n" in (memory / DIET).read_text()
    assert (memory / "people/lina.md").read_text() == "See [the run](../goals/run.md).\n"
    assert log(memory, "goals/run.md") == before


def test_a_superseded_entry(desk: Desk, memory: Path) -> None:
    change(desk, {"operation": "supersede", "filename": RUN, "reason": "stopped running"})
    assert log(memory, RUN)[-1] == f"- {today()} — marked deprecated: stopped running"
    text = (memory / "index.md").read_text(encoding="utf-8")
    assert text.index("## Deprecated") < text.index(f"({RUN})")


def test_an_event_is_not_superseded(desk: Desk, memory: Path) -> None:
    before = snapshot(memory)
    told = desk.compose({"operation": "supersede", "filename": MOVE, "reason": "past"})
    assert isinstance(told, tuple)
    assert "events never deprecate" in told[0].message
    assert snapshot(memory) == before


def test_a_deleted_entry_and_what_named_it_as_successor(desk: Desk, memory: Path) -> None:
    change(desk, {"operation": "supersede", "filename": DIET, "successor": RUN, "reason": "a test of links"})
    fields: dict[str, Json] = {"operation": "delete", "filename": RUN, "reason": "deleted by hand"}
    change(desk, {**fields, "user_command": "typed Run to delete it"})
    assert not (memory / RUN).exists()
    assert index_line(memory, RUN) == ""
    assert "superseded_by" not in (memory / DIET).read_text()
    assert log(memory, DIET)[-1] == f"- {today()} — successor deleted {today()}"


def test_every_change_can_be_taken_back_in_turn(desk: Desk, memory: Path) -> None:
    before = {path: data for path, (data, _) in snapshot(memory).items()}
    change(desk, ADD)
    change(
        desk, {"operation": "update", "filename": RUN, "reason": "x", "fields": {"type": "fact"}, "hook": "h"}
    )
    change(desk, {"operation": "rename", "path": DIET, "new_path": "diet.md", "reason": "x"})
    change(desk, {"operation": "supersede", "filename": RUN, "successor": "diet.md", "reason": "x"})
    fields: dict[str, Json] = {
        "operation": "delete",
        "filename": "diet.md",
        "reason": "x",
        "user_command": "x",
    }
    change(desk, fields)
    for _ in range(5):
        assert desk.undo().ok
    assert {path: data for path, (data, _) in snapshot(memory).items()} == before
