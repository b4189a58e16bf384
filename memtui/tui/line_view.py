"""The base of lists and diffs: lines drawn on demand, of which another number is no reason to lay out the screen."""

from __future__ import annotations

from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView


class LineView(ScrollView, inherit_bindings=False):
    """Scrolls over lines and shows no bar, so that its place on the screen does not depend on how many there are.

    Textual would lay out the whole screen for each other height: at every item that is moved to. A subclass says
    `overflow-y: scroll; scrollbar-size: 0 0`, for where "auto" shows a bar, the screen is laid out.
    """

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)

    def watch_virtual_size(self, size: Size) -> None:
        if self.styles.auto_dimensions:  # as high as its lines, in a sheet
            self.refresh(layout=True)
        self._scroll_update(size)
