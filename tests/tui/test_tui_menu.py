"""The `m` menu and the palette: what is chosen is done, and text that is pasted as keys decides nothing."""

from __future__ import annotations

from memtui.config import Workspace
from tests.support import decision
from tests.tui.driver import Driver, Opener, write


async def ready(app: Driver) -> None:
    """Read the item to its end, and let it settle."""
    for _ in range(20):
        await app.settled()
        if app.app.main.inbox.view.end_seen:
            return
        await app.press("a")


async def test_m_n_approves_with_a_private_note(opened: Opener, workspace: Workspace) -> None:
    async with opened(settle=0.25) as app:
        app.drop("one", write("work/one.md"))
        await app.sees("work/one.md")
        await ready(app)
        await app.press("m")
        await app.sees("Approve with a private note")
        await app.press("n")
        await app.sees("private note")
        await app.press(*"why", "enter")
        await app.sees("approved work/one.md")
        assert app.app.desk is not None
        [row] = app.app.desk.log()
        assert row.note == "why"
        assert "why" not in str(decision(workspace, "one"))


async def test_the_palette_approves_what_it_lies_over(opened: Opener, workspace: Workspace) -> None:
    async with opened(settle=0.25) as app:
        app.drop("one", write("work/one.md"))
        await app.sees("work/one.md")
        await ready(app)
        await app.press(":")
        await app.sees("Commands")
        await app.press(*"approve the change")
        await app.press("enter")
        await app.sees("approved work/one.md")


async def test_a_key_before_it_has_settled_drops_what_was_chosen(
    opened: Opener, workspace: Workspace
) -> None:
    async with opened(settle=0.25) as app:
        app.drop("one", write("work/one.md"))
        await app.sees("work/one.md")
        await ready(app)
        app.app.settle_seconds = app.app.main.inbox.view.settle.delay = 60.0
        await app.press("m")
        await app.sees("Approve with a private note")
        await app.press("n")
        await app.misses("esc back")
        await app.until(lambda: app.app.main._held_back is not None, "waits")
        await app.press("j")
        await app.until(lambda: app.app.main._held_back is None, "dropped")
        assert app.app.main.prompt.question is None


async def test_keys_in_one_burst_decide_nothing_and_break_nothing(
    opened: Opener, workspace: Workspace
) -> None:
    async with opened(settle=0.05) as app:
        app.drop("one", write("work/one.md"))
        await app.sees("work/one.md")
        for keys in ("mn\r", "mnwhy\r", ":approve the change\r", "mt\r\r", "mc\r\r\r"):
            await ready(app)
            for key in keys:
                app.app.post_message(_key(key))
            await app.pilot.pause(0.2)
            await app.press("esc", "esc")
            await app.settled()
            assert not (workspace.memory / "work/one.md").exists(), keys
        assert app.app.is_running


def _key(character: str) -> object:
    from textual import events

    names = {"\r": "enter", ":": "colon", " ": "space"}
    return events.Key(names.get(character, character), character)
