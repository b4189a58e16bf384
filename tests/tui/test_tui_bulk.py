"""Several at once: the list says exactly what comes of it, and one key takes it all back."""

from __future__ import annotations

import pytest

from tests.support import decision
from tests.tui.driver import Driver, Opener, write


def drop_many(app: Driver, count: int) -> None:
    for number in range(count):
        app.drop(f"w{number:02}", write(f"n/{number:02}.md", f"note {number}"))


async def open_sheet(app: Driver, count: int) -> None:
    await app.until(lambda: app.app.main.inbox.model.waiting + len(app.app.main.inbox.model.held) >= count)
    await app.settled()
    await app.press("*")
    await app.sees("marked")
    await app.press("A")
    await app.sees("Approve th")


async def test_the_sheet_says_what_is_left_out_written_and_read(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        drop_many(app, 3)
        app.drop("x", write("n/odd.md", content="a\u202eb\n"))
        await app.until(lambda: len(app.app.main.inbox.model.held) + app.app.main.inbox.model.waiting == 5)
        app.app.main.inbox.release()
        await open_sheet(app, 5)
        await app.sees("left out, still waiting: 1 with notices")
        await app.sees("!! n/odd.md")
        await app.sees("writes        3 new notes, 1 changed")
        await app.sees("agent reads   0.4 → 0.5 of 2.0K; 3 lines more; 1 line changed")


async def test_y_unlocks_once_the_end_of_the_list_was_on_the_screen(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        drop_many(app, 4)
        await open_sheet(app, 4)
        await app.sees("y approve 4")
        await app.press("y")
        await app.sees("approved 4")


async def test_a_long_list_is_read_to_its_end_first_and_the_cursor_stays_in_view(opened: Opener) -> None:
    async with opened(size=(80, 24)) as app:
        await app.sees("Nothing is waiting")
        drop_many(app, 30)
        app.drop("zz", write("n/zz.md", content="a\u202eb\n"))
        await app.until(lambda: len(app.app.main.inbox.model.held) + app.app.main.inbox.model.waiting == 31)
        app.app.main.inbox.release()
        await open_sheet(app, 31)
        await app.sees("y read on")
        await app.press("y")
        await app.sees("y approve 30")
        await app.press("y")
        await app.sees("approved 30")
        await app.until(lambda: any(line.startswith("▌") and "n/zz.md" in line for line in app.lines))


async def test_u_takes_all_of_them_back_with_one_message(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        drop_many(app, 4)
        await open_sheet(app, 4)
        await app.sees("y approve 4")
        await app.press("y")
        await app.sees("approved 4 · u undo")
        assert (app.workspace.memory / "n/03.md").exists()
        await app.press("u")
        await app.sees("took back 4")
        assert not list((app.workspace.memory / "n").glob("*.md"))
        await app.until(lambda: app.app.main.inbox.model.waiting == 4)


async def test_two_on_one_note_are_planned_one_on_top_of_the_other(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop("a1", write("n/a.md", content="one\n"))
        app.drop("a2", write("n/a.md", content="two\n"))
        await open_sheet(app, 2)
        await app.sees("writes        1 new note")
        await app.press("y")
        await app.sees("approved 2")
        assert decision(app.workspace, "a2")["verdict"] == "approved"
        assert "two" in (app.workspace.memory / "n/a.md").read_text()


async def test_the_message_of_the_marks_goes_with_them(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        await app.press("*")
        await app.sees("2 marked")
        await app.press("escape")
        await app.misses("2 marked")


async def test_positions_are_those_of_the_filter(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        await app.sees("1/2")
        await app.press("/")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"lina", "enter")
        await app.sees("1/1")


async def test_what_is_left_out_is_counted_by_its_kind(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        text = "Likes dinosaurs. Starts school in August.\n"
        app.drop("a", write("people/lina2.md", "daughter, 7 years old", text))
        app.drop("b", write("n/odd.md", content="a\u202eb\n"))
        app.drop("c", write("n/plain.md"))
        app.drop(
            "d", {"operation": "delete", "filename": "prefs/coding.md", "reason": "r", "user_command": "u"}
        )
        fields = {"title": "Plays bass", "body": "In a trio.", "type": "fact", "confidence": "high"}
        app.drop("e", {"operation": "add", **fields, "context": "music", "agent": "me"})
        await app.until(lambda: app.app.main.inbox.model.waiting + len(app.app.main.inbox.model.held) == 5)
        app.app.main.inbox.release()
        await open_sheet(app, 5)
        await app.sees("Approve this one?")
        words = " ".join(line[34:].strip() for line in app.lines)
        for kind in ("1 like a note", "1 with notices", "1 delete", "1 with tags to pick"):
            assert kind in words
        assert "left out, still waiting: 4: " in words
        assert "its tags are to be picked first" in words


async def test_what_a_star_leaves_unmarked_is_said_with_the_reason(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Nothing is waiting")
        app.drop("x", write("n/odd.md", content="a\u202eb\n"))
        await app.sees("n/odd.md")
        await app.settled()
        await app.press("*")
        await app.sees("nothing is marked: 1 wants a look of its own")
        app.drop("y", write("n/plain.md"))
        await app.sees("n/plain.md")
        await app.settled()
        await app.press("*")
        await app.sees("1 marked · 1 other in this list; 1 wants a look of its own")


@pytest.mark.parametrize("size", [(40, 24), (80, 24), (200, 50)])
async def test_why_an_item_is_left_out_is_never_cut(opened: Opener, size: tuple[int, int]) -> None:
    async with opened("08", "10", size=size) as app:
        app.drop("w", write("n/plain.md"))
        await app.until(lambda: app.app.main.inbox.model.waiting + len(app.app.main.inbox.model.held) == 3)
        app.app.main.inbox.release()
        await app.settled()
        await app.press("*")
        await app.sees("2 want a look each")
        await app.press("A")
        await app.sees("Approve this one")
        shown = [line.rpartition("│")[2] for line in app.lines]
        words = " ".join(" ".join(shown).split())
        for why in ("a delete is decided by itself", "its new tags want a yes of their own"):
            assert all(word in words for word in why.split()), app.text


async def test_a_yes_before_the_list_has_settled_decides_nothing(opened: Opener) -> None:
    async with opened("01", "02", settle=30.0) as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.press("*", "A")
        await app.sees("approve 2")
        await app.press("y")
        await app.pilot.pause(0.1)
        assert app.app.main.inbox.model.waiting == 2
        app.app.main.inbox.view.settle.delay = 0.01
        await app.until(lambda: app.app.main.inbox.view.settled)
        await app.press("y")
        await app.sees("approved 2")
