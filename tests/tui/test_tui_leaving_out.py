"""`x`: one change is left out or put back, and what is shown is what is written."""

from __future__ import annotations

from tests.support import decision, snapshot
from tests.tui.driver import Driver, Opener

NOTE = "people/lina.md"
OLD = "---\ndescription: daughter, 7 years old\n---\nLikes dinosaurs.\n\nSchool at 8.\n"
NEW = OLD.replace("7 years", "8 years").replace("dinosaurs", "volcanoes").replace("at 8", "at 9")


async def waiting(app: Driver, text: str = NEW) -> None:
    await app.sees("Nothing is waiting")
    (app.workspace.memory / NOTE).write_text(OLD)
    app.drop("r", {"operation": "replace", "path": NOTE, "text": text, "reason": "told so", "agent": "me"})
    await app.sees("told so")
    await app.settled()


def note(app: Driver) -> str:
    return (app.workspace.memory / NOTE).read_text()


async def test_the_change_at_the_pointer_is_left_out_written_without_and_told(opened: Opener) -> None:
    async with opened() as app:
        await waiting(app)
        before = snapshot(app.workspace.memory)[NOTE][0]
        await app.press("n", "n", "x")
        await app.sees("left out  line 4")
        assert "+ Likes volcanoes" not in app.text
        await app.approve()
        await app.sees(f"approved {NOTE}")
        assert note(app) == NEW.replace("volcanoes", "dinosaurs")
        told = decision(app.workspace, "r")
        assert told["edited"] is True
        assert [part["after"] for part in told["left_out"]] == ["Likes volcanoes.\n"]  # type: ignore[attr-defined]
        await app.press("u")
        await app.sees(f"took back {NOTE}")
        assert snapshot(app.workspace.memory)[NOTE][0] == before


async def test_once_more_puts_it_back(opened: Opener) -> None:
    async with opened() as app:
        await waiting(app)
        await app.press("n", "n", "x")
        await app.sees("left out  line 4")
        await app.settled()
        await app.press("x")
        await app.misses("left out  line 4")
        await app.sees("+ Likes volcanoes")
        await app.approve()
        await app.sees(f"approved {NOTE}")
        assert note(app) == NEW
        assert decision(app.workspace, "r")["left_out"] == []


async def test_a_decision_key_is_dropped_until_the_new_plan_has_been_seen(opened: Opener) -> None:
    async with opened(settle=3600) as app:
        await app.sees("Nothing is waiting")
        (app.workspace.memory / NOTE).write_text(OLD)
        app.drop("r", {"operation": "replace", "path": NOTE, "text": NEW, "reason": "told so", "agent": "me"})
        await app.sees("told so")
        await app.press("n", "x", "a")
        await app.sees("left out  description")
        assert note(app) == OLD
        assert app.app.main.inbox.model.waiting == 1


async def test_with_every_change_out_nothing_is_written_and_x_brings_it_back(opened: Opener) -> None:
    async with opened() as app:
        await waiting(app, OLD.replace("dinosaurs", "volcanoes"))
        await app.press("x")  # there is but one: no pointer is needed
        await app.sees("Every change is left out")
        await app.settled()
        await app.press("a")
        assert note(app) == OLD
        await app.press("x")
        await app.sees("+ Likes volcanoes")
        assert "problem" not in app.text


async def test_what_follows_by_itself_and_what_is_one_piece_cannot_be_left_out(opened: Opener) -> None:
    async with opened("04", "02") as app:
        await app.shows("Run 5K")
        await app.settled()
        await app.press("n", "x")
        await app.sees("this line follows by itself")
        await app.shows("Relationship")
        await app.settled()
        await app.press("x")
        await app.sees("this is one piece")


async def test_what_was_left_out_is_still_out_when_the_item_is_shown_again(opened: Opener) -> None:
    async with opened("02") as app:
        (app.workspace.memory / NOTE).write_text(OLD)
        fields = {"operation": "replace", "path": NOTE, "text": NEW, "reason": "told so", "agent": "me"}
        app.drop("r", fields)
        await app.shows(NOTE)
        await app.settled()
        await app.press("n", "x")
        await app.sees("left out  description")
        await app.press("J")
        await app.sees("Relationship with")
        await app.misses("left out  description")
        await app.press("K")
        await app.sees("left out  description")
        await app.settled()
        assert "+ description" not in app.text


async def test_what_is_partly_left_out_is_not_decided_with_others(opened: Opener) -> None:
    async with opened() as app:
        await waiting(app)
        await app.press("n", "x")
        await app.sees("left out  description")
        await app.settled()
        await app.press("space", "A")
        await app.sees("you left out changes of it")
        await app.press("y")
        assert note(app) == OLD
        assert app.app.main.inbox.model.waiting == 1
