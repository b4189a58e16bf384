"""Tags that the person types are screened like all that they type."""

from __future__ import annotations

import json

import pytest

from memtui.config import Workspace
from memtui.desk import Choices, Desk, Wanted
from tests.support import snapshot

TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"


@pytest.mark.parametrize("shown", [True, False])
def test_a_secret_among_the_tags_is_not_written(workspace: Workspace, shown: bool) -> None:
    given = {
        "id": "a",
        "operation": "add",
        "type": "fact",
        "title": "Where the router is",
        "body": "In the hall.",
        "confidence": "high",
        "context": "c",
        "tags": ["health", "food"],
    }
    with Desk(workspace) as desk:
        desk.propose(json.dumps(given).encode())
        before = snapshot(workspace.memory)
        choices = Choices(tags=("health", TOKEN), accept_new_tags=True)
        plan = desk.preview("a", tags=choices.tags, accept_new_tags=True).plan
        wanted = Wanted("a", plan.hash) if shown else Wanted("a", plan.hash, choices)
        [outcome] = desk.approve_together([wanted])
        assert not outcome.ok
        assert outcome.message == "the tag holds what looks like a secret: leave it out"
        assert snapshot(workspace.memory) == before
        assert TOKEN.encode() not in workspace.journal.read_bytes()
