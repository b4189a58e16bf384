"""`memtui check`: faults exit 1, advice alone exits 0 and stands apart."""

from __future__ import annotations

from memtui.config import Workspace
from tests.support import memtui

GOAL = "1704844800-run-5k-under-25-minutes.md"


def test_advice_alone_exits_0_and_says_so(workspace: Workspace) -> None:
    ran = memtui("check", "--workspace", workspace.root)
    assert ran.status == 0
    first, *advice = ran.out.splitlines()
    assert first == "index and notes are in step"
    assert advice
    assert all(line.startswith("advice: ") for line in advice)
    assert any(
        line.startswith(f"advice: {GOAL}: it is a goal not touched since 2024-04-22") for line in advice
    )
    told = memtui("check", "--json", "--workspace", workspace.root)
    assert told.status == 0
    assert len(told.json) == len(advice)
    assert all(finding["advice"] is True for finding in told.json)


def test_faults_exit_1_and_stand_above_the_advice(workspace: Workspace) -> None:
    (workspace.memory / "a.md").write_text("See [Lina](people/nina.md).\n", encoding="utf-8")
    ran = memtui("check", "--workspace", workspace.root)
    assert ran.status == 1
    first, *rest = ran.out.splitlines()
    assert first == "a.md: its link to people/nina.md leads nowhere: correct it or take it out"
    assert all(line.startswith("advice: ") for line in rest)
    told = memtui("check", "--json", "--workspace", workspace.root)
    assert [finding["advice"] for finding in told.json] == [False, *[True] * len(rest)]
    assert set(told.json[0]) == {"file", "kind", "message", "advice"}
