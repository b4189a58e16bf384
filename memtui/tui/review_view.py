"""The preview's side: the change, or a few words where there is none; it knows when what it shows has settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.timer import Timer

from memtui.review.items import Preview
from memtui.tui.paint import Line
from memtui.tui.pane import PaintedLines
from memtui.tui.proposal_lines import idle_lines, names_file
from memtui.tui.settle import Settle

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.tui.diff_layout import Layout
    from memtui.tui.diff_view import DiffView

Around = Callable[[Preview, int], tuple[Sequence[Line], Sequence[Line]]]
"""Header and footer of a preview for a width in cells."""


class ReviewView(Container):
    """One preview, drawn. Decisions ask `admit()` first."""

    DEFAULT_CSS = """
    ReviewView { height: 1fr; width: 1fr; }
    ReviewView > DiffView { height: 1fr; width: 1fr; }
    """

    class Changed(Message):
        """Drawn, settled, disturbed or read to its end: the footer has something new to say."""

    def __init__(self, around: Around, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._around = around
        self.preview: Preview | None = None
        self.settle = Settle(0.25)
        self.words = PaintedLines()
        self._diff: DiffView | None = None
        self._timer: Timer | None = None
        self._cells = 0
        self._text: tuple[str, Callable[[int], Sequence[Line]]] | None = None
        self._links: Mapping[int, str] | None = None
        self._laid: Layout | None = None
        self._decides = False

    def compose(self) -> ComposeResult:
        yield self.words

    @property
    def diff(self) -> DiffView:
        """The diff view; made when it is first needed, so that the first paint does not wait for it."""
        if self._diff is None:
            from memtui.tui.diff_view import DiffView

            self._diff = DiffView()
            self._diff.display = False
            self.mount(self._diff)
        return self._diff

    @property
    def shows_diff(self) -> bool:
        return self._diff is not None and self._diff.display

    @property
    def shows_text(self) -> bool:
        """A source text stands here, no change."""
        return self._text is not None and self.shows_diff

    # --- what is shown

    def show_words(self, draw: Callable[[int, int], Sequence[Line]]) -> None:
        """Words instead of a diff: nothing to decide."""
        self.preview = self._text = None
        self.settle.lose()
        self.words.show(draw)
        self.words.display = True
        if self._diff is not None:
            self._diff.display = False
        self.post_message(self.Changed())

    def show_preview(self, preview: Preview, laid: Layout | None = None) -> None:
        """Draw a preview from its top; its settle time starts once it stands on the screen.

        `laid`: what `lay_ahead` gave for it.
        """
        self.preview, self._text, self._laid = preview, None, laid
        self.settle.lose()
        self._draw()
        self.post_message(self.Changed())

    def show_text(
        self,
        text: str,
        header: Callable[[int], Sequence[Line]],
        links: Mapping[int, str] | None = None,
        *,
        decides: bool = False,
    ) -> None:
        """A source text instead of a diff (a note, what a refused proposal said); `header` is given the width.

        `decides`: a key will decide what is listed there, so that it settles as a preview does.
        """
        self.preview = None
        self._decides = decides
        self._links = links
        self._text = (text, header)
        self.settle.lose()
        self._draw_text()
        if decides:
            self.app.call_after_refresh(self._drawn, self._text)
        self.post_message(self.Changed())

    def _draw_text(self) -> None:
        assert self._text is not None
        text, header = self._text
        self._bring_diff()
        self._cells = self.size.width
        self.diff.show_text(text, header=header(max(20, self._cells)), links=self._links)

    def _bring_diff(self) -> None:
        self.diff.display = True
        self.words.display = False

    def _draw(self) -> None:
        assert self.preview is not None
        self._bring_diff()
        self._cells = self.size.width
        self._show_diff(self.preview, self._cells)
        self.app.call_after_refresh(self._drawn, self.preview)

    def _drawn(self, shown: object) -> None:
        if shown is self.preview or shown is self._text:
            self.settle.delay = cast("MemtuiApp", self.app).settle_seconds
            self.disturbed(first=True)

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width == self._cells or not event.size.width:
            return
        if self.preview is not None:
            self._draw()
        elif self._text is not None:
            self._draw_text()

    def redraw_around(self) -> None:
        """Header and footer anew, without a new settle time (an age, a place in the list)."""
        if self.preview is None:
            return
        if self.size.width:
            self._show_diff(self.preview, self.size.width)
        else:  # another pane is shown: drawn anew once it has a width again
            self._cells = 0

    def _show_diff(self, preview: Preview, cells: int) -> None:
        header, footer = self._around(preview, max(8, cells))
        self.diff.show(
            preview.diffs,
            header=header,
            footer=footer,
            idle=idle_lines(footer),
            parts=preview.parts,
            headless=self._headless(preview),
            laid=self._laid,
        )

    def _headless(self, preview: Preview) -> bool:
        return names_file(preview, cast("MemtuiApp", self.app).main.short)

    def lay_ahead(self, preview: Preview) -> Layout | None:
        """Lay out the diffs of a preview for the view as it is now; for any thread."""
        if self._diff is None:
            return None
        return self._diff.lay_ahead(preview.diffs, preview.parts, headless=self._headless(preview))

    # --- settling

    def disturbed(self, *, first: bool = False) -> None:
        """Focus, size or window changed: the settle time of what is drawn starts anew."""
        if not self._can_settle or not (first or self.settle.since is not None):
            return
        self.settle.begin(monotonic())
        self._wait()

    def _wait(self) -> None:
        """Tell when it has settled."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(self.settle.left(monotonic()) + 0.005, self._tell)
        self.post_message(self.Changed())

    def _tell(self) -> None:
        self.post_message(self.Changed())

    @property
    def _can_settle(self) -> bool:
        return self.preview is not None or (self._decides and self.shows_text)

    @property
    def settled(self) -> bool:
        return self._can_settle and self.settle.settled(monotonic())

    def admit(self) -> bool:
        """Whether a decision key counts now; one that doesn't starts the settle time anew."""
        if self._can_settle and self.settle.admit(monotonic()):
            return True
        if self.settle.since is not None:
            self._wait()
        return False

    # --- reading to the end

    @property
    def end_seen(self) -> bool:
        enough = self.preview is not None and not cast("MemtuiApp", self.app).read_to_end
        return self._diff is None or enough or self._diff.end_seen

    @property
    def read_on(self) -> str:
        """What a deciding key does while not all has been on the screen, and how many lines that is down or up."""
        ascii = cast("MemtuiApp", self.app).ascii_only
        above = 0 if self._diff is None else self._diff.lines_above
        if above:
            return f"read on {'^' if ascii else '▲'}{above}"
        below = 0 if self._diff is None else self._diff.lines_below
        return f"read on {'v' if ascii else '▼'}{max(1, below)}"

    @property
    def unread(self) -> bool:
        """Whether there is something to go to that has to be seen."""
        diff = self._diff
        return diff is not None and not self.end_seen and (diff.lines_below > 0 or diff.lines_above > 0)

    def go_on(self) -> None:
        """A page on; where a change was passed over that has not been on the screen, back to it."""
        above = self.diff.lines_above
        if above:
            diff = self.diff
            diff.scroll_relative(y=-(above + diff.size.height // 4), animate=False)
            self.post_message(self.Changed())
        else:
            self.page(1)

    def on_diff_view_end_seen(self) -> None:
        """The end came into view: what was read last has its settle time too."""
        self.disturbed()
        self.post_message(self.Changed())

    def on_diff_view_scrolled(self) -> None:
        self.post_message(self.Changed())

    def page(self, step: int) -> None:
        """Scroll by the height less two lines; by all of it where that brings the end."""
        diff = self.diff
        rows = max(1, diff.size.height - 2)
        if step > 0 and rows < diff.lines_below <= diff.size.height:
            rows = diff.lines_below
        diff.scroll_relative(y=step * rows, animate=False)
        self.post_message(self.Changed())
