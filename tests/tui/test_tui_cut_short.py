"""A decision that was cut short and cannot be finished by itself: the app says so, and which command settles it."""

from __future__ import annotations

import os

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from tests.tui.driver import Opener, drop, write


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


async def test_a_decision_that_stopped_half_way_is_said_with_the_command(
    workspace: Workspace, opened: Opener
) -> None:
    drop(workspace, "it", write("it.md"))
    with Desk(workspace) as desk:
        desk.take_in()
        shown = desk.preview("it")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "link", interrupted)
            with pytest.raises(KeyboardInterrupt):
                desk.approve("it", shown.plan.hash)
    (workspace.memory / "it.md").write_text("by hand\n")
    async with opened("01") as app:
        await app.sees("memtui recover")
        assert "stopped half way" in app.text.replace("\n", " ")
