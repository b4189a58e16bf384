"""What is like the item shown: found in a worker once it stands on the screen; `enter` goes there, `ctrl+o` back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.review.items import Preview
from memtui.tui.reading import Reading

if TYPE_CHECKING:
    from memtui.review.background import Likeness


class Neighbours(Reading):
    """The part of the inbox that looks around."""

    alike: tuple[Likeness, ...] | None = None
    """What is like the item shown, nearest first; None where that is not known, or nothing is compared."""
    looking = False
    """It is being looked for."""

    def look_for_alike(self, preview: Preview) -> None:
        """Find what is like a preview that was drawn just now; its lines follow when that is known."""
        desk = self.desk
        if desk is None:
            return
        self.alike, self.looking = None, True

        def found(alike: tuple[Likeness, ...] | None) -> None:
            if self.view.preview is preview:
                self.alike, self.looking = alike, False
                self.view.redraw_around()

        self.memtui.ask("alike", lambda: desk.alike([preview])[0], found, failed=lambda _error: found(None))

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
