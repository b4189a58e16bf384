"""Tells when notes may have changed on the disk, whoever changed them. A hint only: whoever is told looks.

Watch events come at once; since they miss files of new folders and disks of other machines, the folder is also
listed every few seconds, and on the focus of the window.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.desk import Desk

SLOW = 5.0
"""Seconds between two listings."""
SHARE = 500
"""A listing is not made before it would take more than one part in so many of the time."""
STEP = 1.0
"""Seconds after which a stop is noticed."""


class NotesWatch:
    """Watches one memory folder until `stop` is set; `changed` is called in its thread."""

    def __init__(self, desk: Desk, stop: threading.Event, changed: Callable[[], object]) -> None:
        self._folder = desk.folder
        self._root = desk.workspace.memory
        self._stop = stop
        self._changed = changed
        self._seen: object = None
        self._next = 0.0

    def run(self) -> None:
        """Until it is stopped."""
        self._look()
        while not self._stop.is_set():
            with suppress(Exception):  # no events here, or no folder: then the listing alone tells
                self._follow()
            if not self._stop.wait(STEP):
                self._look_slowly()

    def _follow(self) -> None:
        from watchfiles import watch

        changes = watch(
            self._root,
            watch_filter=lambda _change, path: (
                path.endswith(".md") and "/." not in path[len(str(self._root)) :]
            ),
            debounce=300,
            step=300,  # each step wakes the processor, also where nothing changes
            stop_event=self._stop,
            rust_timeout=int(STEP * 1000),
            yield_on_timeout=True,
            raise_interrupt=False,
        )
        for change in changes:
            if change:
                self._look()
            else:
                self._look_slowly()
            if not self._root.is_dir():
                return

    def _look_slowly(self) -> None:
        if time.monotonic() >= self._next:
            self._look()

    def _look(self) -> None:
        """List the folder; tell where the list is another."""
        begun = time.monotonic()
        try:
            seen: object = self._folder.notes()
        except Exception as error:  # the folder is away: that is a change too, and it may come back
            seen = type(error)
        took = time.monotonic() - begun
        self._next = begun + max(SLOW, SHARE * took)
        before, self._seen = self._seen, seen
        if before is not None and before != seen:
            self._changed()
