"""How many presses the common tasks take in small terminals: none is spent on lines that tell of no change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.config import Workspace, load
from tests.tui.driver import Opener


async def test_a_change_whose_facts_tell_of_nothing_takes_one_press_in_80_columns(opened: Opener) -> None:
    async with opened("04", size=(80, 24)) as app:
        await app.settled()
        await app.until(lambda: app.app.main.inbox.view.end_seen, "the end seen")
        await app.settled()
        assert app.app.main.inbox.view.diff.virtual_size.height > app.app.main.inbox.view.diff.size.height
        await app.press("a")
        await app.sees("approved Run 5K")


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_a_note_that_changed_on_disk_takes_enter_and_approve(
    opened: Opener, size: tuple[int, int]
) -> None:
    async with opened("04", size=size) as app:
        await app.settled()
        note = next(app.workspace.memory.glob("1704844800*"))
        note.write_text(note.read_text().replace("Target: 5K", "Target: 5 K"))
        await app.press("a")
        await app.sees("changed on disk")
        assert not list(app.workspace.decisions.glob("*.json"))
        await app.settled()
        await app.press("enter")
        await app.misses("changed on disk")
        await app.settled()
        await app.until(lambda: app.app.main.inbox.view.end_seen, "the end seen")
        await app.settled()
        await app.press("a")
        await app.sees("approved Run 5K")
        assert "5 K" not in note.read_text()


async def test_what_the_agent_will_no_longer_read_has_to_be_seen(opened: Opener) -> None:
    async with opened(size=(80, 24)) as app:
        for number in range(60):
            text = f"---\ndescription: note {number} about something that takes room\n---\nText.\n"
            (app.workspace.memory / f"n{number:02}.md").write_text(text)
        body = "".join(f"line {number}\n" for number in range(18))
        fields = {"operation": "write", "path": "new.md", "summary": "pushes others out", "content": body}
        app.drop("new", {**fields, "agent": "me"})
        await app.sees("new.md")
        await app.settled()
        view = app.app.main.inbox.view
        assert not view.end_seen
        while not view.end_seen:
            await app.press("a")
            await app.settled()
        await app.sees("out:")
        assert app.app.main.inbox.model.waiting == 1


async def test_one_press_approves_what_is_longer_than_the_screen_where_the_settings_say_so(
    opened: Opener, workspace: Workspace
) -> None:
    own = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui"
    own.mkdir(parents=True)
    (own / "config.toml").write_text("[app]\nread_to_end = false\n")
    async with opened("04", size=(40, 12), settings=load(workspace.root).settings) as app:
        await app.settled()
        assert "read on" not in app.text
        await app.press("a")
        await app.sees("approved Run 5K")
