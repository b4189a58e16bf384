"""`m t` in the app: an approval is remembered, what it lets through is applied and shown, and it can be taken back."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from memtui.config import Workspace, load, trust
from memtui.tui.app import MemtuiApp
from tests.tui.driver import Driver, Opener, write


async def trusted(driver: Driver, *keys: str) -> None:
    """Read the item to its end, and choose in the sheet of `m t`."""
    view = driver.app.main.inbox.view
    for _ in range(20):
        await driver.settled()
        if view.end_seen:
            break
        await driver.press("a")
    await driver.settled()
    await driver.press("m")
    await driver.sees("trust its path or folder")
    await driver.press("t")
    await driver.sees("approves it, and what comes later")
    await driver.press(*keys)


async def test_a_folder_is_let_through_until_it_is_asked_about_again(
    opened: Opener, workspace: Workspace
) -> None:
    async with opened() as driver:
        driver.drop("one", write("work/one.md"))
        await driver.sees("work/one.md")
        await trusted(driver, *["down"] * 4)
        await driver.sees("work/*")
        await driver.press("enter")
        await driver.sees("allows work/* from now on")
        assert (workspace.memory / "work/one.md").exists()
        driver.drop("two", write("work/two.md"))
        await driver.until(lambda: (workspace.memory / "work/two.md").exists(), "applied")
        await driver.press("g", "a")
        await driver.sees("allowed by grant work/*")
        await driver.press("m")
        await driver.sees("asking again")
        await driver.press("t")
        await driver.sees("ask again")
        await driver.sees("the workspace's own spool")
        await driver.press("down", "enter")
        await driver.sees("asks again about work/*")
        driver.drop("three", write("work/three.md"))
        await driver.press("g", "i")
        await driver.sees("work/three.md")
        assert not (workspace.memory / "work/three.md").exists()


async def test_enter_alone_lets_nothing_through_and_esc_leaves_it_waiting(
    opened: Opener, workspace: Workspace
) -> None:
    async with opened() as driver:
        driver.drop("one", write("work/one.md"))
        await driver.sees("work/one.md")
        await trusted(driver, "enter")
        await driver.sees("approves it, and what comes later")
        await driver.press("esc")
        await driver.misses("approves it, and what comes later")
        assert driver.app.desk is not None
        assert driver.app.desk.list_grants() == ()
        assert not (workspace.memory / "work/one.md").exists()


async def test_what_is_asked_about_each_time_says_why(opened: Opener, workspace: Workspace) -> None:
    async with opened() as driver:
        driver.drop(
            "gone", {"operation": "rename", "path": "people/lina.md", "new_path": "x/l.md", "reason": "r"}
        )
        await driver.sees("people/lina.md")
        view = driver.app.main.inbox.view
        await driver.settled()
        while not view.end_seen:
            await driver.press("a")
            await driver.settled()
        await driver.press("m")
        await driver.sees("trust its path or folder")
        await driver.press("t")
        await driver.sees("asked about each time")


RULES = """
[[spools]]
name = "chat"

[[rules]]
spool = "chat"
path = "n/*"
ruling = "allow"
"""


@pytest.fixture
def ruled(workspace: Workspace) -> Workspace:
    workspace.config.write_text(RULES)
    trust(workspace.root)
    return load(workspace.root)


@asynccontextmanager
async def open_app(workspace: Workspace) -> AsyncIterator[Driver]:
    app = MemtuiApp(workspace)
    app.settle_seconds = 0.05
    async with app.run_test(size=(100, 30)) as pilot:
        driver = Driver(app, pilot, workspace)
        await driver.until(lambda: app._main is not None and app.desk is not None, "the desk")
        await driver.until((workspace.dot / "spools/chat").is_dir, "the spool")
        yield driver


def send(workspace: Workspace, name: str, path: str) -> None:
    """An agent sends a proposal through its own spool."""
    folder = workspace.dot / "spools/chat"
    (folder / f".{name}.tmp").write_text(json.dumps(write(path)))
    (folder / f".{name}.tmp").rename(folder / f"{name}.json")


async def test_a_rule_is_applied_while_the_app_is_open_and_the_spool_is_named(ruled: Workspace) -> None:
    async with open_app(ruled) as driver:
        send(ruled, "asked", "work/a.md")
        send(ruled, "let", "n/b.md")
        await driver.until(lambda: (ruled.memory / "n/b.md").exists(), "applied")
        await driver.sees("spool chat")
        assert not (ruled.memory / "work/a.md").exists()
        await driver.press("u")
        await driver.until(lambda: not (ruled.memory / "n/b.md").exists(), "undone with one key")
        await driver.sees("n/b.md")


async def test_u_takes_back_what_the_person_decided_and_not_what_came_between(ruled: Workspace) -> None:
    async with open_app(ruled) as driver:
        send(ruled, "asked", "work/a.md")
        await driver.sees("work/a.md")
        await driver.approve()
        assert (ruled.memory / "work/a.md").exists()
        send(ruled, "let", "n/b.md")
        await driver.until(lambda: (ruled.memory / "n/b.md").exists(), "applied")
        await driver.press("u")
        await driver.until(lambda: not (ruled.memory / "work/a.md").exists(), "undone")
        assert (ruled.memory / "n/b.md").exists()


async def test_grants_that_memtui_did_not_write_are_said_to_count_for_nothing(ruled: Workspace) -> None:
    (ruled.dot / "grants.json").write_text('{"grants": []}')
    async with open_app(ruled) as driver:
        await driver.sees("nothing is allowed by it")


async def test_a_spool_that_is_away_is_said_and_the_others_go_on(ruled: Workspace) -> None:
    async with open_app(ruled) as driver:
        send(ruled, "asked", "work/a.md")
        await driver.sees("work/a.md")
        ruled.spool.rename(ruled.dot / "elsewhere")
        send(ruled, "next", "work/next.md")
        await driver.sees("work/next.md")
        await driver.approve()


async def test_what_is_written_while_it_is_listed_is_shown_as_decided(opened: Opener) -> None:
    async with opened() as driver:
        driver.drop("one", write("work/one.md"))
        await driver.sees("work/one.md")
        inbox = driver.app.main.inbox
        [id] = inbox.model.items
        driver.app.main.applied([id])
        assert inbox.model.fates == {id: "ok"}
        assert inbox.model.waiting == 0
