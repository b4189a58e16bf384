"""Draws the README's pictures from the real app on the demo workspace: `python screenshots/make.py`."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

# As where most people work: all colours.
os.environ.update(TEXTUAL_ANIMATIONS="none", COLORTERM="truecolor")

from textual.pilot import Pilot

from memtui.demo import make_demo
from memtui.tui.app import MemtuiApp

HERE = Path(__file__).parent
PICTURES = (
    ("inbox", (100, 30), (), "Run 5K"),
    ("notes", (100, 30), ("g", "n", "down", "down", "enter"), "Change log"),
    ("narrow", (40, 20), (), "Run 5K"),
)
"""Name, columns and rows, keys to press first, and text that must be on the screen."""


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="memtui-screenshots-") as directory:
        for name, size, keys, text in PICTURES:
            await draw(Path(directory) / name, name, size, keys, text)


async def draw(directory: Path, name: str, size: tuple[int, int], keys: tuple[str, ...], text: str) -> None:
    """Save one picture as SVG. Raises TimeoutError where `text` never shows."""
    root = directory / "notes"
    root.mkdir(parents=True)
    os.environ["HOME"] = str(directory)
    app = MemtuiApp(make_demo(root), demo=True)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "Run 5K" in shown(app))
        for key in keys:
            await pilot.press(key)
        await until(pilot, lambda: text in shown(app))
        await asyncio.sleep(0.5)
        await pilot.pause()
        picture = app.export_screenshot(title="memtui")
    picture = re.sub(r"terminal-\d+", "terminal", picture)
    (HERE / f"{name}.svg").write_text(picture, encoding="utf-8")


def shown(app: MemtuiApp) -> str:
    """What is on the screen, as an SVG's text."""
    return app.export_screenshot().replace("&#160;", " ")


async def until(pilot: Pilot[int], holds: Callable[[], bool], seconds: float = 10.0) -> None:
    end = asyncio.get_running_loop().time() + seconds
    while not holds():
        if asyncio.get_running_loop().time() > end:
            raise TimeoutError("the app did not draw what the picture should show")
        await pilot.pause(0.05)


if __name__ == "__main__":
    asyncio.run(main())
