"""The first frame: the top line alone, on the screen before anything heavy is loaded (first paint)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from memtui.tui.topbar import TopBar

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


class FirstFrame(Screen[None], inherit_bindings=False):
    """Stands for the moment in which the review screen's code is loaded. Keys typed meanwhile are dropped."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root

    def compose(self) -> ComposeResult:
        yield TopBar(self._root)

    def on_mount(self) -> None:
        self.call_after_refresh(cast("MemtuiApp", self.app).load)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key == "ctrl+q":
            self.app.exit(0)
