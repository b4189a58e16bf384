"""The app on a workspace of the example notes, opened at any size."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.settings import Settings
from memtui.tui.app import MemtuiApp
from tests.tui.driver import Driver, Opener


@pytest.fixture
def opened(workspace: Workspace, proposals: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Open the app at a size, with some of the example proposals waiting."""
    # After each key Textual's Pilot waits until the process idles, and looks for that only 50 times a second.
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.01)

    @asynccontextmanager
    async def open_app(
        *numbers: str,
        size: tuple[int, int] = (100, 30),
        settle: float = 0.05,
        wait: bool = True,
        settings: Settings | None = None,
    ) -> AsyncIterator[Driver]:
        for number in numbers:
            source = proposals[number]
            (workspace.spool / source.name).write_bytes(source.read_bytes())
        app = MemtuiApp(workspace if settings is None else replace(workspace, settings=settings))
        app.settle_seconds = settle
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot, workspace)
            await driver.until(lambda: app._main is not None and app.desk is not None, "the desk")
            if numbers and wait:
                inbox = app.main.inbox
                await driver.until(lambda: inbox.view.preview is not None, "a preview")
                await driver.until(lambda: not inbox._filling, "all that waits")  # not what came first of it
            yield driver

    return open_app
