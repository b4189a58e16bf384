"""What is computed for an item is given up once another one is looked at, and nobody is told of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from memtui.proposals.stopping import Stopped
from memtui.tui.app import MemtuiApp
from tests.tui.driver import Driver, Opener


class Watched:
    """The asks of one group: each waits at its start until it is let go, and says how it ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, group: str) -> None:
        self.begun: list[threading.Event] = []
        self.ends: dict[int, str] = {}
        self.holding = True
        ask = MemtuiApp.ask

        def watched(
            app: MemtuiApp, of: str, work: Callable[[], object], then: Callable[[Any], None], **more: Any
        ) -> None:
            ask(app, of, self._noting(work) if of == group else work, then, **more)

        monkeypatch.setattr(MemtuiApp, "ask", watched)

    def _noting(self, work: Callable[[], object]) -> Callable[[], object]:
        def noted() -> object:
            number, go = len(self.begun), threading.Event()
            self.begun.append(go)
            if self.holding:
                go.wait(30)
            try:
                value = work()
            except Stopped:
                self.ends[number] = "stopped"
                raise
            self.ends[number] = "answered"
            return value

        return noted

    def let_go(self) -> None:
        self.holding = False
        for go in self.begun:
            go.set()


async def open_watched(app: Driver, watched: Watched) -> None:
    """The first item's preview is being made."""
    await app.until(lambda: watched.begun, "the first is asked for")
    await app.until(lambda: app.app.main.inbox.model.waiting == 2)


@pytest.mark.parametrize("key", ["J", "*"])
async def test_another_item_or_a_list_instead(
    opened: Opener, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    watched = Watched(monkeypatch, "preview")
    async with opened("02", "04", wait=False) as app:
        await open_watched(app, watched)
        await (app.press("J") if key == "J" else app.press("*", "A"))
        watched.let_go()
        await app.until(lambda: 0 in watched.ends)
        assert watched.ends[0] == "stopped"
        if key == "J":
            await app.settled()
            assert app.app.main.inbox.view.preview is not None
            assert watched.ends[1] == "answered"
        else:
            await app.sees("Approve these")
        assert not app.app.main.message.alarm


async def test_a_list_that_was_closed_again(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, "bulk")
    async with opened("02", "04") as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.settled()
        await app.press("*", "A")
        await app.until(lambda: watched.begun)
        await app.press("esc")
        watched.let_go()
        await app.until(lambda: 0 in watched.ends)
        assert watched.ends[0] == "stopped"
        await app.settled()
        assert not app.app.main.message.alarm


async def test_the_same_item_asked_for_anew(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, "recheck")
    async with opened("04") as app:
        await app.settled()
        inbox = app.app.main.inbox
        inbox.recheck()
        await app.until(lambda: watched.begun)
        inbox.recheck()
        await app.until(lambda: len(watched.begun) == 2)
        watched.let_go()
        await app.until(lambda: len(watched.ends) == 2)
        assert watched.ends == {0: "stopped", 1: "answered"}
