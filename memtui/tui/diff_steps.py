"""Stepping through the changes of a diff view: a change that is longer than the screen has several stops."""

from __future__ import annotations

from memtui.tui.diff_layout import Layout
from memtui.tui.diff_paint import Painter
from memtui.tui.diff_seen import Stop, stops
from memtui.tui.line_view import LineView


class ChangeSteps(LineView, inherit_bindings=False):
    """The part of the diff view that points to changes."""

    _layout: Layout | None = None
    _painter: Painter | None = None
    _targets: tuple[list[int], list[int]] | None = None
    _stops: tuple[int, list[Stop]] | None = None
    """The stops in the present layout, and for which height of the view."""
    _pointer: int | None = None
    """The item that is pointed to."""
    _inside = 0
    """Which of its lines, where it has several stops."""

    @property
    def _bottom(self) -> int:
        return round(self.scroll_y) + self.size.height

    def next_change(self) -> bool:
        """Bring the next change or flagged span into view and point to it; the first flagged one at first."""
        return self._step(1)

    def previous_change(self) -> bool:
        return self._step(-1)

    def _found(self, layout: Layout) -> tuple[list[int], list[int]]:
        """The items at which changes begin, and the flagged ones of them."""
        if self._targets is None:
            self._targets = layout.targets()
        return self._targets

    def _all_stops(self, layout: Layout) -> list[Stop]:
        height = max(1, self.size.height)
        if self._stops is None or self._stops[0] != height:
            self._stops = height, stops(layout, self._found(layout)[0], height)
        return self._stops[1]

    def _step(self, step: int) -> bool:
        layout = self._layout
        found = [] if layout is None else self._all_stops(layout)
        if layout is None or not found:
            return False
        if self._pointer is None:
            flagged = self._found(layout)[1][:1]
            first = next((stop for stop in found if stop.item in flagged), found[0])
            self._point_to(first if step > 0 else found[-1])
            return True
        here = (self._pointer, self._inside)
        beyond = [stop for stop in found if (stop[:2] > here if step > 0 else stop[:2] < here)]
        if not beyond:
            return False
        self._point_to(beyond[0] if step > 0 else beyond[-1])
        return True

    @property
    def pointed_part(self) -> str:
        """The key of the change at the pointer, "" where it stands on none that can be left out."""
        return "" if self._pointer is None or self._layout is None else self._layout.part_at(self._pointer)

    @property
    def points(self) -> bool:
        """Whether the pointer stands on a change."""
        return self._pointer is not None

    def point_to_part(self, key: str) -> bool:
        """Put the pointer on a change that can be left out; False where it is not shown."""
        layout = self._layout
        if layout is None:
            return False
        place = next((stop for stop in self._all_stops(layout) if layout.part_at(stop.item) == key), None)
        if place is not None:
            self._point_to(place)
        return place is not None

    def _point_to(self, stop: Stop) -> None:
        assert self._layout is not None
        assert self._painter is not None
        self._painter.pointed = stop.item
        self._pointer, self._inside = stop.item, stop.inside
        top, height = self._layout.tops[stop.item] + stop.inside, self.size.height
        below = max(stop.last + 1, min(self._layout.tops[stop.item + 1], top + height))
        if top < round(self.scroll_y) or below > self._bottom:
            y = max(0, top - height // 4, below - height)
            self.scroll_to(y=y, animate=False, immediate=True, force=True)
        self.refresh()
