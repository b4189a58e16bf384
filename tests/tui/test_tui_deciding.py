"""Deciding in the app: one key on a settled item, nothing by accident."""

from __future__ import annotations

from pathlib import Path

from textual import events

from tests.support import decision
from tests.tui.driver import Opener, write


async def test_the_first_that_waits_is_shown_and_a_approves_it(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("a")
        await app.sees("approved people/lina.md")
        assert "8 years old" in (app.workspace.memory / "people/lina.md").read_text()
        assert decision(app.workspace, "01-write")["verdict"] == "approved"


async def test_a_decided_row_stays_in_place_and_undo_restores_it_there(opened: Opener) -> None:
    async with opened("01", "02", "04") as app:
        await app.settled()
        before = app.lines
        row = app.row_of("people/lina.md")
        await app.approve()
        assert app.lines[row].split("│")[0].rstrip().endswith("ok")
        assert app.row_of("Run 5K") == next(i for i, line in enumerate(before) if "Run 5K" in line[:33])
        await app.press("u")
        await app.sees("took back people/lina.md")
        await app.until(lambda: "▌" in app.lines[row] and "ok" not in app.lines[row][:33])
        unmarked = [[line[:28].replace("•", " ") for line in lines[1:9]] for lines in (app.lines, before)]
        assert unmarked[0] == unmarked[1]  # what was shown meanwhile is no longer new
        assert "7 years old" in (app.workspace.memory / "people/lina.md").read_text()


async def test_a_decision_key_before_the_settle_time_is_dropped(opened: Opener) -> None:
    async with opened("01", settle=3600) as app:
        await app.press("a", "a", "r")
        assert app.app.main.inbox.model.waiting == 1
        assert app.app.main.prompt.question is None


async def test_a_held_key_decides_one_item_and_then_nothing(opened: Opener) -> None:
    async with opened("01", "12", "18", settle=0.25) as app:
        await app.settled()
        for _ in range(40):
            await app.pilot.press("a")
            await app.pilot.pause(0.02)
        assert app.app.main.inbox.model.waiting >= 2


async def test_paste_decides_nothing(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        app.app.post_message(events.Paste("a\nr\ny\n" * 200))
        for _ in range(3):
            await app.pilot.pause(0.05)
        assert app.app.main.inbox.model.waiting == 2


async def test_a_burst_of_keys_decides_nothing(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        for _ in range(50):
            app.app.post_message(events.Key("a", "a"))
        for _ in range(3):
            await app.pilot.pause(0.05)
        assert app.app.main.inbox.model.waiting == 2


async def test_reject_sends_the_picked_reason(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("r")
        await app.until(lambda: app.app.main.typing)
        await app.press("down", "enter")
        await app.sees("rejected people/lina.md")
        assert decision(app.workspace, "01-write")["reason"] == "wrong"


async def test_an_empty_reason_is_a_reason_too_and_esc_rejects_nothing(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("r")
        await app.until(lambda: app.app.main.typing)
        await app.press("escape")
        assert app.app.main.inbox.model.waiting == 1
        await app.settled()
        await app.press("r")
        await app.until(lambda: app.app.main.typing)
        await app.press("enter")
        await app.sees("rejected people/lina.md")


async def test_until_the_end_was_on_screen_a_reads_on(opened: Opener) -> None:
    async with opened("02", size=(40, 12)) as app:
        await app.settled()
        await app.sees("a read on ▼")
        await app.press("a")
        assert app.app.main.inbox.model.waiting == 1
        await app.approve()
        await app.sees("Nothing is waiting")


async def test_a_change_on_disk_is_shown_in_place_and_must_be_seen(opened: Opener) -> None:
    async with opened("12") as app:
        await app.settled()
        note = app.workspace.memory / "prefs/coding.md"
        note.write_text(note.read_text() + "\nMore.\n")
        await app.press("a")
        await app.sees("≠ changed on disk")
        assert "spaces, four of them" not in note.read_text()
        await app.settled()
        await app.press("a")
        assert app.app.main.inbox.model.waiting == 1
        await app.settled()
        await app.press("enter")
        await app.misses("≠ changed on disk")
        await app.approve()
        assert "spaces, four of them" in note.read_text()
        assert note.read_text().endswith("More.\n")


async def test_delete_wants_the_first_word_of_the_title(opened: Opener) -> None:
    async with opened("08") as app:
        path = app.workspace.memory / "1709376000-puts-off-hard-conversations.md"
        for _ in range(6):
            await app.settled()
            await app.press("a")
            if app.app.main.typing:
                break
        await app.press(*"wrong", "enter")
        await app.sees("not that word")
        assert path.exists()
        await app.press(*["backspace"] * 5, *"puts", "enter")
        await app.until(lambda: not path.exists())


async def test_v_goes_through_the_choices_of_a_contradiction(opened: Opener) -> None:
    async with opened("11", size=(140, 90)) as app:
        await app.settled()
        await app.sees("[refinement] replacement  both")
        await app.press("v")
        await app.sees("Eats meat now and then")
        await app.approve()
        result = decision(app.workspace, "11-contradiction")
        assert result["verdict"] == "approved"
        assert len(result["changes"]) >= 3


async def test_a_new_tag_is_shown_and_approved_with_the_proposal(opened: Opener) -> None:
    async with opened("10", size=(140, 60)) as app:
        await app.settled()
        await app.sees("adds tag #music")
        await app.sees("tags.md")
        await app.approve()
        await app.sees("approved Plays bass in a trio")
        assert "**#music**" in (app.workspace.memory / "tags.md").read_text()


async def test_n_finds_the_flagged_span(opened: Opener) -> None:
    async with opened("17") as app:
        await app.settled()
        await app.sees("U+202E")
        await app.press("n", "r")
        await app.until(lambda: app.app.main.typing)
        await app.press("enter")
        await app.sees("rejected prefs/news.md")


async def test_what_was_decided_elsewhere_is_said_in_place(opened: Opener, workspace: object) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        Path(app.workspace.spool / "01-write.json").unlink()
        await app.sees("No longer waiting")
        assert app.row_of("people/lina.md")


async def test_bulk_lists_what_it_would_decide_and_passes_deletes_by(opened: Opener) -> None:
    async with opened("01", "08", "12") as app:
        await app.settled()
        await app.press("*")
        await app.sees("2 marked")
        await app.press("A")
        await app.sees("Approve these 2?")
        await app.until(lambda: app.app.main.inbox.view.end_seen)
        await app.press("y")
        await app.sees("approved 2")
        assert app.app.main.inbox.model.waiting == 1


async def test_later_arrivals_are_not_part_of_a_bulk_decision(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        await app.press("*", "A")
        await app.sees("Approve these 2?")
        app.drop("later", write("prefs/later.md"))
        await app.until(lambda: app.app.main.inbox.model.held or app.app.main.inbox.model.waiting == 3)
        await app.press("y")
        await app.sees("approved 2")
        assert not (app.workspace.memory / "prefs/later.md").exists()
