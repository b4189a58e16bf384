"""What is like the item shown: found in a worker once it stands on the screen; `enter` goes there, `ctrl+o` back."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from textual.timer import Timer

from memtui.review.items import Preview
from memtui.tui.reading import Reading

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.review.background import Likeness, Likenesses
    from memtui.review.items import CatalogEffect


DWELL = 0.5
"""Seconds at an item before every note is looked at for it, where that takes long."""


class Neighbours(Reading):
    """The part of the inbox that looks around."""

    alike: tuple[Likeness, ...] | None = None
    """What is like the item shown, nearest first; None where that is not known, or nothing is compared."""
    looking = False
    """It is being looked for."""
    late_catalog: CatalogEffect | None = None
    """What the agent will read, where that was not known yet when the item was drawn."""

    def __init__(self) -> None:
        super().__init__()
        self._dwell: Timer | None = None
        self._one = threading.Lock()
        """One look at a time: of those that wait, only that for the item shown is made."""

    def look_for_alike(self, preview: Preview) -> None:
        """Find what is like a preview that was drawn just now; its lines follow when that is known.

        Where there are very many notes, only once the person stays at the item: looking takes the processor.
        """
        desk = self.desk
        if desk is None:
            return
        self.alike, self.looking, self.late_catalog = None, True, None
        if self._dwell is not None:
            self._dwell.stop()
        if desk.library.is_slow:
            self._dwell = self.set_timer(DWELL, lambda: self._look_around(desk, preview))
        else:
            self._look_around(desk, preview)

    def _look_around(self, desk: Desk, preview: Preview) -> None:

        def look() -> tuple[Likenesses, CatalogEffect | None]:
            with self._one:
                if self.view.preview is not preview:
                    return None, None
                late = preview.catalog is None and bool(preview.plan.changes)
                catalog = desk.catalog_effect(preview.plan.changes) if late else None
                return desk.alike([preview])[0], catalog

        def found(known: tuple[Likenesses, CatalogEffect | None]) -> None:
            if self.view.preview is preview:
                self.alike, self.late_catalog = known
                self.looking = False
                self.view.redraw_around()
                if self.late_catalog is not None and self.late_catalog.pushed_out:
                    self.view.disturbed()

        self.memtui.ask("alike", look, found, failed=lambda _error: found((None, None)))

    def act_follow(self) -> bool:
        """`enter` in the preview: to the nearest of what is like it."""
        if not self.reading or self.view.preview is None or not self.alike or self.must_look:
            return False
        like, here = self.alike[0], self.view.preview.item.id
        self.main_screen.jump(lambda: self.come_back(here))
        if like.pending:
            self.come_back(like.key)
        else:
            self.main_screen.show_note(like.key)
        self.main_screen.say((f"{like.score}% like it · ", "muted"), ("^o", "bold"), (" back", "muted"))
        return True

    @property
    def must_look(self) -> bool:
        """The item has changed, and `enter` only says that this was seen."""
        raise NotImplementedError

    def come_back(self, id: str) -> None:
        """Show an item, from wherever."""
        raise NotImplementedError
