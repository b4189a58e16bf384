"""Keys in the order in which they were typed: each is given on once what the one before it opened has the focus.

Textual decides where a key goes when it arrives. A key that comes in the same moment as the one before it would
so reach what lies beneath the sheet, line or editor that the first one opens. Here a key waits until the key before
it has passed every widget, and as long as something is on its way to the focus (`hold`). Once it is there, what was
typed for it comes, in order. Whether a key decides is a matter of settle time and bursts (`alone`), as ever.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual import events

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

    from memtui.tui.app import MemtuiApp

BURST = 0.012
"""Seconds: keys that come closer together were not pressed by a person."""
LOST = 0.5
"""Seconds after which a key has passed, even where what it was given to is gone and can't say so."""


class TypedKeys:
    """The keys and pastes of the terminal on their way to the app's widgets. All on the event loop."""

    def __init__(self, app: MemtuiApp, give: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app = app
        self._give = give
        self._waiting: deque[tuple[events.Event, bool]] = deque()
        self._holds: dict[str, object] = {}
        self._under_way: object | None = None
        """Stands for the key that passes the widgets now."""
        self.last = -1.0
        """When the last key came, in monotonic seconds."""
        self.alone = True
        """No other key came just before the one that is given on now."""

    # --- keys

    async def take(self, event: events.Event) -> None:
        """A key or a paste has come from the terminal."""
        alone, self.last = event.time - self.last > BURST, event.time
        if self._holds and isinstance(event, events.Key) and event.key == "ctrl+q":
            self._waiting.clear()  # whatever is slow to open: memtui can be left
            await self._give(event)
            return
        self._waiting.append((event, alone))
        await self._go_on()

    @property
    def more(self) -> bool:
        """A key has come that is not given on yet."""
        return bool(self._waiting)

    async def _go_on(self) -> None:
        """Give on the next key, where there is one and nothing is on its way to the focus."""
        screen = self._app.screen
        if self._under_way or self._holds or not self._waiting or not getattr(screen, "takes_keys", True):
            return
        event, self.alone = self._waiting.popleft()
        self._under_way = mark = object()
        path: list[MessagePump] = [*(self._app.focused or screen).ancestors_with_self]
        await self._give(event)
        late = asyncio.get_running_loop().call_later(LOST, self._app.call_later, self._passed, mark)
        self._follow(path, mark, late)

    def _follow(self, path: list[MessagePump], mark: object, late: asyncio.TimerHandle) -> None:
        """Go the way of the key, through the queue of one widget after the other, up to the app."""
        while path:
            pump = path.pop(0)
            if pump is self._app:
                late.cancel()
                pump.call_later(self._passed, mark)
                return
            if pump.call_later(self._follow, path, mark, late):
                return

    async def _passed(self, mark: object) -> None:
        if self._under_way is mark:
            self._under_way = None
            await self._go_on()

    # --- what is being opened

    def hold(self, what: str) -> Callable[[], None]:
        """Something is being opened: keys wait until what this returns is called, or the same `what` is held anew."""
        token = self._holds[what] = object()

        def let_go() -> None:
            # By way of the app's queue: there the request for the focus, made before, stands before it.
            self._app.call_later(self._let_go, what, token)

        return let_go

    def forget(self, what: str) -> None:
        """It will not be opened any more."""
        if self._holds.pop(what, None) is not None:
            self.look_again()

    @property
    def opening(self) -> bool:
        """Something is on its way to the focus."""
        return bool(self._holds) or not getattr(self._app.screen, "takes_keys", True)

    async def _let_go(self, what: str, token: object) -> None:
        if self._holds.get(what) is token:
            del self._holds[what]
            await self._go_on()

    def look_again(self) -> None:
        """A sheet takes keys now."""
        self._app.call_later(self._go_on)
