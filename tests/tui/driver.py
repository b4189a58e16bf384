"""Drives the real app on a real workspace, headless: keys in, lines out, conditions instead of sleeps."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from textual.pilot import Pilot

from memtui.config import Workspace
from memtui.tui.app import MemtuiApp


class Driver:
    """The app under test, as a person at a terminal has it."""

    def __init__(self, app: MemtuiApp, pilot: Pilot[int], workspace: Workspace) -> None:
        self.app = app
        self.pilot = pilot
        self.workspace = workspace

    # --- seeing

    @property
    def lines(self) -> list[str]:
        """What stands on the screen, a string a row."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def row_of(self, text: str) -> int:
        """The number of the first line of the list's side that has `text`."""
        return next(i for i, line in enumerate(self.lines) if text in line[:33])

    # --- waiting

    async def until(self, test: Callable[[], object], what: str = "") -> None:
        """Wait for a condition, half a minute at most."""
        end = time.monotonic() + 30
        while not test():
            assert time.monotonic() < end, f"never came: {what or test}\n{self.text}"
            await self.pilot.pause(0.01)

    async def sees(self, text: str) -> None:
        await self.until(lambda: text in self.text, text)

    async def misses(self, text: str) -> None:
        await self.until(lambda: text not in self.text, f"gone: {text}")

    async def settled(self) -> None:
        """Until a decision key would count, and nothing is on its way that would draw the item anew."""
        inbox = self.app.main.inbox

        def quiet() -> bool:
            return inbox.view.settled and not inbox.busy and all(w.is_finished for w in self.app.workers)

        await self.until(quiet, "settled")
        await self.pilot.pause()  # what a worker answered last is delivered
        await self.until(quiet, "settled")

    # --- doing

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause(0.02)  # longer than a burst: a person typed it

    async def shows(self, title: str) -> None:
        """Go on with `J` until the preview shows this title."""
        for _ in range(40):
            await self.settled()
            if title in self.lines[1]:
                return
            await self.press("J")
        raise AssertionError(f"never shown: {title}\n{self.text}")

    async def approve(self) -> None:
        """Read to the end and approve: as often as it takes."""
        model = self.app.main.inbox.model
        waiting, decided = model.waiting, len(model.fates)
        for _ in range(20):
            await self.settled()
            await self.press("a")
            await self.until(lambda: not self.app.main.inbox.busy)
            if model.waiting < waiting or len(model.fates) > decided:  # more may have come meanwhile
                return

    def drop(self, name: str, fields: dict[str, object]) -> None:
        """An agent sends a proposal."""
        drop(self.workspace, name, fields)


Opener = Callable[..., AbstractAsyncContextManager[Driver]]


def drop(workspace: Workspace, name: str, fields: dict[str, object]) -> None:
    """An agent sends a proposal."""
    temporary = workspace.spool / f".{name}.tmp"
    temporary.write_text(json.dumps(fields), encoding="utf-8")
    temporary.rename(workspace.spool / f"{name}.json")


def write(
    path: str, summary: str = "a summary", content: str = "Text.\n", agent: str = "me"
) -> dict[str, object]:
    """A proposal to write a note."""
    return {"operation": "write", "path": path, "summary": summary, "content": content, "agent": agent}
