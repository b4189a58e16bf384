"""A pane whose preview is a diff or a text: the keys that move in it."""

from __future__ import annotations

from time import monotonic

from memtui.tui.pane import Pane
from memtui.tui.review_view import ReviewView


class Reading(Pane):
    """The part of a pane that moves in what is shown."""

    view: ReviewView

    @property
    def hidden(self) -> bool:
        """One side at a time, and it is the list: what would be decided cannot be seen."""
        return self.narrow and not self.reading

    def key_dropped(self) -> None:
        self.view.disturbed()

    def settle_left(self) -> float:
        return self.view.settle.left(monotonic())

    def side_changed(self) -> None:
        self.view.disturbed(first=self.view.shows_diff)

    def act_next_change(self) -> None:
        if self.view.shows_diff:
            self.view.diff.next_change()

    def act_previous_change(self) -> None:
        if self.view.shows_diff:
            self.view.diff.previous_change()

    @property
    def sides_fit(self) -> bool:
        """Whether `d` can do anything: there is room for two sides."""
        return self.view.shows_diff and self.view.diff.can_be_beside

    def act_side_by_side(self) -> None:
        if not self.view.shows_diff:
            return
        diff = self.view.diff
        wanted = not diff.is_side_by_side
        diff.side_by_side = wanted
        if wanted and not diff.is_side_by_side:
            self.main_screen.say(("too narrow for two sides: ", "muted"), ("z", "bold"), (" zooms", "muted"))

    def act_unfold(self) -> None:
        if self.view.shows_diff:
            self.view.diff.unfold = not self.view.diff.unfold

    def page(self, step: int) -> None:
        if self.view.shows_diff:
            self.view.page(step)
        else:
            super().page(step)

    def on_review_view_changed(self) -> None:
        self.main_screen.refresh_chrome()
