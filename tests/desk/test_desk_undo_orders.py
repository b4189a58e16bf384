"""Decisions that made a heading, or a file, and those that moved whole items, are taken back in any order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from tests.support import snapshot

ADD = {
    "operation": "add",
    "body": "Words.",
    "type": "fact",
    "confidence": "high",
    "tags": ["health", "food"],
    "context": "a talk",
}


def decide(desk: Desk, workspace: Workspace, id: str, fields: dict[str, object]) -> int:
    """Propose and approve; return the decision's number."""
    hidden = workspace.spool / f".{id}.tmp"
    hidden.write_text(json.dumps(fields), encoding="utf-8")
    hidden.rename(workspace.spool / f"{id}.json")
    desk.take_in()
    outcome = desk.approve(id, desk.preview(id).plan.hash)
    assert outcome.ok, outcome.message
    assert outcome.record is not None
    return outcome.record


def contents(root: Path) -> dict[str, bytes]:
    return {path: data for path, (data, _) in snapshot(root).items()}


@pytest.mark.parametrize("index", [None, "# Mine\n\nwords\n", "Entries\r\n---\r\n\r\nwords"])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_adds_are_taken_back_in_any_order(
    desk: Desk, workspace: Workspace, index: str | None, order: tuple[int, ...]
) -> None:
    page = workspace.memory / "index.md"
    if index is None:
        page.unlink()
    else:
        page.write_bytes(index.encode())
    before = contents(workspace.memory)
    done = [decide(desk, workspace, f"n{n}", {**ADD, "title": f"Title {n}"}) for n in range(3)]
    for number in order:
        assert desk.undo(done[number]).ok
    assert contents(workspace.memory) == before


ENTRY = (
    "---\ntitle: {0}\ntags: [health, food]\ntype: fact\nconfidence: high\nstatus: active\n"
    "created: 2024-01-01\nupdated: 2024-01-01\n---\n\nWords.\n\n## Change log\n- 2024-01-01 — created\n"
)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 1, 0), (3, 0, 2, 1), (3, 2, 1, 0)])
def test_a_supersede_and_a_delete_take_whole_items_and_are_taken_back_in_any_order(
    desk: Desk, workspace: Workspace, order: tuple[int, ...]
) -> None:
    for name in ("a", "b", "c"):
        (workspace.memory / f"{name}.md").write_text(ENTRY.format(name.upper()), encoding="utf-8")
    page = workspace.memory / "index.md"
    page.write_text(
        "## Entries\n\n- [A](a.md) — fact, [health, food], a\n  wrapped\n\n  - more on A\n"
        "- [C](c.md) — fact, [health, food], c\n- [B](b.md) — fact, [health, food], b\nlazy\n\n## Mine\n",
        encoding="utf-8",
    )
    before = contents(workspace.memory)
    why = {"reason": "a talk"}
    done = [
        decide(desk, workspace, "n1", {"operation": "supersede", "filename": "a.md", **why}),
        decide(
            desk,
            workspace,
            "n2",
            {"operation": "delete", "filename": "b.md", "user_command": "delete b", **why},
        ),
        decide(desk, workspace, "n3", {"operation": "update", "filename": "c.md", "hook": "other", **why}),
        decide(desk, workspace, "n4", {**ADD, "title": "New"}),
    ]
    text = page.read_text(encoding="utf-8")
    assert "lazy" not in text
    assert text.index("## Deprecated") < text.index("  wrapped\n\n  - more on A\n") < text.index("## Mine")
    for number in order:
        outcome = desk.undo(done[number])
        assert outcome.ok, outcome.message
    assert contents(workspace.memory) == before
