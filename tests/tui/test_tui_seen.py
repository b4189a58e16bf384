"""What has to be seen before it is decided, and what is said of an item that others change meanwhile."""

from __future__ import annotations

import fcntl
import os

import pytest

from memtui.desk import Desk
from tests.tui.driver import Driver, Opener, write

LONG = "".join(f"line {number}\n" for number in range(40))


def crowd(driver: Driver) -> None:
    """So many notes that another one pushes some out of the catalog."""
    for number in range(60):
        text = f"---\ndescription: note {number} about something that takes room\n---\nText.\n"
        (driver.workspace.memory / f"n{number:02}.md").write_text(text)


def footer(driver: Driver) -> str:
    return driver.lines[-1]


async def test_the_end_is_the_end_of_the_facts_under_the_diff_too(opened: Opener) -> None:
    async with opened(size=(40, 12)) as app:
        await app.sees("Nothing is waiting")
        crowd(app)
        app.drop("new", write("new.md", "a note that pushes others out of what the agent reads"))
        await app.sees("new.md")
        await app.settled()
        while "read on" in footer(app):
            assert not app.app.main.inbox.view.end_seen
            await app.press("a")
            await app.settled()
        await app.sees("out:")
        assert app.app.main.inbox.model.waiting == 1


async def test_that_nothing_else_changes_costs_no_page(opened: Opener) -> None:
    async with opened(size=(40, 12)) as app:
        await app.sees("Nothing is waiting")
        note = app.workspace.memory / "a.md"
        note.write_text("one\n")
        text = "".join(f"{number}\n" for number in range(6))
        fields = {"operation": "replace", "path": "a.md", "text": text, "reason": "r", "agent": "x"}
        app.drop("r", fields)
        await app.sees("a.md")
        await app.settled()
        view = app.app.main.inbox.view.diff
        assert view.virtual_size.height > 0
        assert "history" not in app.text
        layout = view._layout
        assert layout is not None
        assert layout.end == layout.height - 2, (
            "what the catalog says now and `rest unchanged` need not be seen"
        )


async def test_a_rewritten_proposal_is_shown_at_once_and_must_be_seen(opened: Opener) -> None:
    async with opened() as app:
        app.drop("one", write("one.md", content="first\n"))
        await app.sees("first")
        await app.settled()
        app.drop("one", write("one.md", content="second\n"))
        await app.sees("≠ changed by its agent")
        assert "second" in app.text
        await app.settled()
        await app.press("a")
        assert app.app.main.inbox.model.waiting == 1
        await app.settled()
        await app.press("enter")
        await app.misses("changed by its agent")
        await app.settled()
        await app.press("a")
        await app.sees("approved one.md")
        assert "second" in (app.workspace.memory / "one.md").read_text()


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        ("approved", "Approved in another terminal"),
        ("rejected", "Rejected in another terminal: too vague"),
        ("withdrawn", "Withdrawn by its agent"),
    ],
)
async def test_it_is_said_what_became_of_a_vanished_item(opened: Opener, verdict: str, words: str) -> None:
    async with opened("01") as app:
        await app.settled()
        if verdict == "withdrawn":
            (app.workspace.spool / "01-write.json").unlink()
        else:
            with Desk(app.workspace) as other:
                other.take_in()
                shown = other.preview("01-write")
                if verdict == "approved":
                    assert other.approve("01-write", shown.plan.hash).ok
                else:
                    assert other.reject("01-write", "too vague").ok
        await app.sees(words)


async def test_a_spool_that_is_away_is_an_error_and_no_empty_inbox(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        spool = app.workspace.spool
        spool.rename(spool.with_name("away"))
        app.app.main.look_around()
        await app.sees("The spool is missing")
        app.app.main.look_around()
        await app.press("j")
        await app.sees("The spool is missing")
        assert app.app.main.inbox.model.waiting == 2
        spool.with_name("away").rename(spool)
        app.app.main.look_around()
        await app.misses("The spool is missing")
        assert app.app.main.inbox.model.waiting == 2


async def test_a_lock_held_by_another_is_said_and_no_key_decides_meanwhile(opened: Opener) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        held = os.open(app.workspace.memory, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            await app.press("a")
            await app.sees("waiting for another memtui")
            hints = {hint.action.id: hint.dim for hint in app.app.main.pane.hints()}
            assert hints["approve"]
            assert hints["reject"]
        finally:
            os.close(held)
        await app.sees("approved people/lina.md")
        await app.misses("waiting for another")


async def test_a_problem_is_said_once_and_offers_no_approval(opened: Opener) -> None:
    async with opened("12") as app:
        await app.settled()
        (app.workspace.memory / "prefs/coding.md").unlink()
        await app.sees("changed on disk")
        await app.settled()
        await app.press("enter")
        await app.misses("changed on disk")
        await app.settled()
        assert sum("!!" in line[34:] for line in app.lines) == 1
        assert "a approve" not in footer(app)


async def test_what_was_decided_today_counts_other_terminals_and_not_what_was_taken_back(
    opened: Opener,
) -> None:
    async with opened("01", "12") as app:
        await app.settled()
        with Desk(app.workspace) as other:
            other.take_in()
            assert other.reject("01-write", "").ok
            assert other.reject("12-edit", "").ok
        app.app.main.look_around()
        app.app.main.count()
        await app.sees("No longer waiting")
        await app.press("g", "n")
        await app.press("g", "i")
        await app.sees("2 decided today")


async def test_a_failed_take_in_is_no_empty_inbox(opened: Opener) -> None:
    async with opened(wait=False) as app:
        await app.sees("Nothing is waiting")
        app.app.main._not_looked(OSError("the disk is away"))
        await app.sees("The spool cannot be read")
        assert "Nothing is waiting" not in app.text
        app.app.main.look_around()
        await app.sees("Nothing is waiting")


async def test_a_deleted_note_shows_its_beginning_and_says_how_much_more_goes(
    opened: Opener,
) -> None:
    async with opened(size=(100, 30)) as app:
        (app.workspace.memory / "long.md").write_text(LONG)
        wanted = {"operation": "delete", "filename": "long.md", "reason": "r", "user_command": "delete long"}
        app.drop("d", {**wanted, "agent": "x"})
        await app.sees("34 more lines are removed with it")
        await app.settled()
        assert "+0 -40" in app.text
        assert app.text.count("long.md") == 4, "row, title, heading of the diff, and its rest"
        assert "removed with long.md:" in app.text
        await app.press("w")
        await app.sees("line 19")


async def test_what_waited_before_the_start_is_no_arrival_until_the_person_begins(opened: Opener) -> None:
    async with opened("01", "02", "12") as app:
        await app.settled()
        inbox = app.app.main.inbox
        items = tuple(inbox.model.items.values())
        inbox.model.leave()
        inbox.model.items.clear()
        inbox._filling, inbox.listed = True, False
        inbox.take(inbox.take_ahead(items[:1], ()), whole=False)
        inbox.take(inbox.take_ahead(items[:2], ()), whole=False)
        assert not inbox.model.held
        inbox.select(items[1].id)
        inbox.take(inbox.take_ahead(items, ()), whole=True)
        assert set(inbox.model.items) | set(inbox.model.held) == {item.id for item in items}
        inbox.take(inbox.take_ahead(items, ()), whole=True)
        assert not inbox._filling


async def test_a_first_look_that_takes_long_says_what_it_waits_for(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Look around first")
        inbox = app.app.main.inbox
        inbox.say_loading(scanner=True)
        assert "being made ready" not in app.text, "it has ended"
        inbox.listed = False
        inbox.say_loading(scanner=True)
        await app.sees("The secret scanner is being made ready")
        app.drop(
            "late", {"operation": "write", "path": "late.md", "summary": "late", "content": "It came.\n"}
        )
        await app.sees("It came.")
        assert "being made ready" not in app.text
