"""The presses that tasks take of a person who knows the keys, at 80x24: each at its limit or under it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from tests.support import decision
from tests.tui.driver import Driver, Opener, write


class Hands:
    """Presses keys and counts them; a text that the task gives is typed, and counts as none."""

    def __init__(self, app: Driver) -> None:
        self.app = app
        self.count = 0

    async def press(self, *keys: str) -> None:
        self.count += len(keys)
        await self.app.press(*keys)

    async def into_line(self, *keys: str) -> None:
        """Press what opens a line, and wait for it."""
        await self.press(*keys)
        await self.app.until(lambda: self.app.app.main.typing, "a line to type in")

    async def typed(self, text: str) -> None:
        await self.app.press(*text)

    async def approve(self, done: str) -> None:
        """`a` until it is approved: more than once where more is to be read than the pane shows."""
        for _ in range(9):
            await self.app.settled()
            await self.press("a")
            await self.app.until(lambda: not self.app.app.main.inbox.busy)
            if done in self.app.text:
                return
        raise AssertionError(self.app.text)

    async def agree(self, done: str) -> None:
        """`y` in the list of a bulk decision until it is done."""
        await self.app.sees("Approve th")
        for _ in range(9):
            await self.app.until(lambda: self.app.app.main.inbox.view.end_seen or "▼" in self.app.text)
            await self.press("y")
            await self.app.until(lambda: not self.app.app.main.inbox.busy)
            if self.app.app.main.inbox.bulk is None:
                break
        await self.app.sees(done)


Task = Callable[[Driver, Hands], Awaitable[None]]


class Wanted(NamedTuple):
    """A task, and the presses that it may take."""

    presses: int
    do: Task
    waiting: tuple[str, ...] = ("04",)
    """The example proposals that wait, by their numbers."""
    size: tuple[int, int] = (80, 24)


# --- the ten of SCREENS -----------------------------------------------------------------------------


async def first_approved(app: Driver, hands: Hands) -> None:
    await hands.approve("approved Run 5K")


async def approved_and_undone(app: Driver, hands: Hands) -> None:
    await app.settled()
    before = [line[2:28] for line in app.lines[2:9]]
    await hands.approve("approved Run 5K")
    await hands.press("u")
    await app.sees("took back")
    await app.settled()
    assert [line[2:28] for line in app.lines[2:9]] == before


async def rejected_with_a_picked_reason(app: Driver, hands: Hands) -> None:
    await app.settled()
    await hands.into_line("r")
    await hands.press("down", "enter")
    await app.sees("rejected Run 5K")
    assert decision(app.workspace, "04-update")["reason"]


async def backlog_but_three(app: Driver, hands: Hands) -> None:
    for number in range(76):
        agent = "nightly-summary" if number < 40 else f"agent-{number % 5}"
        app.drop(f"w{number:02}", write(f"n/{number:02}.md", f"note {number}", agent=agent))
    app.drop("w99", write("n/odd.md", content="a\u202eb\n", agent="nightly-summary"))
    inbox = app.app.main.inbox
    await app.until(lambda: inbox.model.waiting + len(inbox.model.held) == 77)
    inbox.release()
    await app.settled()
    await hands.into_line("/")
    await hands.press(*"night", "enter")
    await hands.press("*")
    await app.sees("40 marked")
    app.drop("late1", write("late/1.md", agent="nightly-summary"))
    app.drop("late2", write("late/2.md"))
    await app.until(lambda: inbox.model.waiting + len(inbox.model.held) == 79)
    await hands.press("space", "space", "space")
    await app.sees("37 marked")
    await hands.press("A")
    await hands.agree("approved 37")


async def two_arrive_in_a_split(app: Driver, hands: Hands) -> None:
    await app.sees("Nothing is waiting")
    app.drop("one", write("n/one.md"))
    app.drop("two", write("n/two.md"))
    inbox = app.app.main.inbox
    await app.until(lambda: inbox.model.waiting + len(inbox.model.held) == 2)
    for name in ("one", "two"):
        await hands.approve(f"approved n/{name}.md")


async def sentence_of_a_note(app: Driver, hands: Hands) -> None:
    await hands.into_line("f")
    await hands.press(*"veg", "enter")
    await app.sees("Vegetarian since 2019")
    await app.until(lambda: not app.app.main.typing)
    await hands.into_line("e")
    await app.sees("show the change")
    await hands.typed(" more")
    await hands.press("ctrl+s")
    await app.until(lambda: app.app.main.pane.view.preview is not None)
    view = app.app.main.pane.view
    while True:
        await app.until(lambda: view.settled)
        await hands.press("a")
        await app.pilot.pause(0.1)
        if "wrote" in app.text:
            return


async def contradiction_then_new_tag(app: Driver, hands: Hands) -> None:
    inbox = app.app.main.inbox
    await app.until(lambda: inbox.model.waiting == 2)
    await app.shows("Vegetarian")
    await hands.press("v")
    await app.until(lambda: inbox.choices.choose == "replacement")
    await hands.approve("approved Vegetarian")
    await app.sees("Plays bass in a trio")
    await hands.approve("approved Plays bass")
    desk = app.app.desk
    assert desk is not None
    assert {"1707912000-vegetarian-since-2019.md"} < {row.path for row in desk.notes()}
    assert "#music" in (app.workspace.memory / "tags.md").read_text()


async def flagged_span(app: Driver, hands: Hands) -> None:
    await app.settled()
    await hands.press("n")
    await hands.into_line("r")
    await hands.press("enter")
    await app.sees("rejected prefs/news.md")


async def changed_on_disk(app: Driver, hands: Hands) -> None:
    await app.settled()
    note = next(app.workspace.memory.glob("1704844800*"))
    note.write_text(note.read_text().replace("Target: 5K", "Target: 5 K"))
    await app.sees("changed on disk")
    await app.press("a")
    assert not list(app.workspace.decisions.glob("*.json"))
    await app.settled()
    await hands.press("enter")
    await app.misses("changed on disk")
    await hands.approve("approved Run 5K")


async def note_deleted(app: Driver, hands: Hands) -> None:
    await app.settled()
    await app.press("g", "n")
    await app.sees("Vegetarian since 2019")
    await app.press("g", "g")
    for _ in range(20):
        if app.lines[1][34:].strip().startswith("Vegetarian"):
            break
        await app.press("j")
    await hands.press("m")
    await app.sees("Delete the note")
    await hands.into_line("D")
    await hands.typed("vegetarian")
    await hands.press("enter")
    await app.until(lambda: not list(app.workspace.memory.glob("1707912000*")), "deleted")


# --- twelve jobs ----------------------------------------------------------------------------------------


async def reject_with_a_reason(app: Driver, hands: Hands) -> None:
    await app.settled()
    await hands.into_line("r")
    await hands.typed("no longer so")
    await hands.press("enter")
    await app.sees("rejected Run 5K")
    assert decision(app.workspace, "04-update")["reason"] == "no longer so"


async def edit_then_approve(app: Driver, hands: Hands) -> None:
    await app.settled()
    await hands.into_line("e")
    await app.sees("show the change")
    await hands.typed("x")
    await hands.press("ctrl+s")
    await app.sees("edited by you")
    await hands.approve("approved ")


async def undo_last(app: Driver, hands: Hands) -> None:
    await app.settled()
    await app.approve()
    await hands.press("u")
    await app.sees("took back")


async def whole_batch(app: Driver, hands: Hands) -> None:
    members = [write(f"b/{number}.md", f"note {number}") for number in range(6)]
    app.drop("together", {"agent": "me", "reason": "tidy", "proposals": members})
    await app.until(lambda: app.app.main.inbox.model.waiting == 7)
    await app.shows("b/0.md")
    await hands.press("M")
    await app.sees("6 marked")
    await hands.press("A")
    await hands.agree("approved 6")


async def five_marked(app: Driver, hands: Hands) -> None:
    for number in range(9):
        app.drop(f"w{number}", write(f"n/{number}.md", f"note {number}"))
    inbox = app.app.main.inbox
    await app.until(lambda: inbox.model.waiting + len(inbox.model.held) == 9)
    inbox.release()
    await app.shows("n/0.md")
    await hands.press(*["space"] * 5, "A")
    await hands.agree("approved 5")


async def one_change_left_out(app: Driver, hands: Hands) -> None:
    await app.settled()
    await hands.press("n", "x")
    await app.sees("left out")
    await hands.approve("approved ")


async def find_a_note(app: Driver, hands: Hands) -> None:
    await hands.into_line("f")
    await hands.typed("lisbon")
    await hands.press("enter")


async def history_of_a_note(app: Driver, hands: Hands) -> None:
    await app.settled()
    await app.press("g", "n")
    await app.sees("Vegetarian since 2019")
    await hands.press("m")
    await app.sees("change log")
    await hands.press("l")
    await app.sees("Change log")


async def grant_revoked(app: Driver, hands: Hands) -> None:
    app.drop("one", write("work/one.md"))
    await app.shows("work/one.md")
    while not app.app.main.inbox.view.end_seen:
        await app.press("a")
    await app.settled()
    await app.press("m")
    await app.sees("trust its path or folder")
    await app.press("t")
    await app.sees("approves it, and what comes later")
    await app.press("down", "enter")
    await app.sees("approved work/one.md")
    desk = app.app.desk
    assert desk is not None
    assert len(desk.list_grants()) == 1
    await hands.press("g", "t")
    await app.sees("ask again")
    await hands.press("down", "enter")
    await app.until(lambda: not desk.list_grants(), "revoked")


async def filtered_to_one_agent(app: Driver, hands: Hands) -> None:
    app.drop("one", write("n/one.md", agent="nightly-summary"))
    app.drop("two", write("n/two.md", agent="web-reader"))
    await app.until(lambda: app.app.main.inbox.model.waiting == 3)
    await hands.into_line("/")
    await hands.typed("agent:nightly")
    await hands.press("enter")
    await app.sees("1 of 3")


async def agents_delete(app: Driver, hands: Hands) -> None:
    await app.settled()
    for _ in range(9):
        await hands.press("a")
        await app.pilot.pause(0.1)
        if app.app.main.typing:
            break
        await app.settled()
    await hands.typed("puts")
    await hands.press("enter")
    await app.until(lambda: not list(app.workspace.memory.glob("1709376000*")), "deleted")


SPLIT = (40, 12)
TASKS = {
    "1 the first is approved": Wanted(1, first_approved),
    "2 approved and undone": Wanted(2, approved_and_undone, ("04", "01", "12")),
    "3 rejected with a picked reason": Wanted(3, rejected_with_a_picked_reason),
    "4 a backlog but three": Wanted(20, backlog_but_three, ()),
    "5 two arrive in a split": Wanted(2, two_arrive_in_a_split, (), (40, 20)),
    "6 a sentence of a note": Wanted(8, sentence_of_a_note),
    "7 a contradiction, then a new tag": Wanted(5, contradiction_then_new_tag, ("11", "10"), (100, 30)),
    "7 the same at 80x24, of which more has to be read": Wanted(7, contradiction_then_new_tag, ("11", "10")),
    "8 the flagged span": Wanted(3, flagged_span, ("17",)),
    "9 changed on disk": Wanted(2, changed_on_disk),
    "10 a note deleted": Wanted(3, note_deleted),
    # In a split of twelve rows; the first of the demo takes two pages there.
    "2 in a split": Wanted(3, approved_and_undone, ("04", "01", "12"), SPLIT),
    "3 in a split": Wanted(3, rejected_with_a_picked_reason, ("04",), SPLIT),
    "5 in a split": Wanted(2, two_arrive_in_a_split, (), SPLIT),
    "8 in a split": Wanted(3, flagged_span, ("17",), SPLIT),
    "9 in a split": Wanted(2, changed_on_disk, ("04",), SPLIT),
    "approve one": Wanted(1, first_approved),
    "reject with a reason": Wanted(2, reject_with_a_reason),
    "edit, then approve": Wanted(3, edit_then_approve),
    "undo the last": Wanted(1, undo_last),
    "all of a batch": Wanted(3, whole_batch),
    "five marked and decided": Wanted(7, five_marked, ()),
    "one change left out": Wanted(3, one_change_left_out, ("12",)),
    "find a note": Wanted(2, find_a_note),
    "a note's history": Wanted(2, history_of_a_note),
    "a grant revoked": Wanted(4, grant_revoked),
    "filtered to one agent": Wanted(2, filtered_to_one_agent),
    "an agent's delete, longer than the pane": Wanted(3, agents_delete, ("08",)),
}


@pytest.mark.parametrize("name", TASKS)
async def test_no_task_takes_more_presses_than_it_may(opened: Opener, name: str) -> None:
    wanted = TASKS[name]
    async with opened(*wanted.waiting, size=wanted.size) as app:
        hands = Hands(app)
        await wanted.do(app, hands)
        assert hands.count <= wanted.presses
