"""The diff on the screen: a widget that lays out everything and draws only the lines that are looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.theme import Theme

from memtui.proposals.diff import FileDiff
from memtui.tui.diff_around import Around, AroundLines
from memtui.tui.diff_layout import (
    LEAST_HALF,
    Item,
    Layout,
    Shape,
    can_stand_beside,
)
from memtui.tui.diff_paint import Painter
from memtui.tui.diff_sections import Section, section_of, section_of_text
from memtui.tui.diff_seen import Seen
from memtui.tui.diff_steps import ChangeSteps
from memtui.tui.style import Palette, palette
from memtui.tui.themes import read_at


class DiffView(AroundLines, ChangeSteps, can_focus=True, inherit_bindings=False):
    """Files before and after, or one plain text, with lines of the app's own above and below.

    Everything from outside passes `safe_text` on its way to the screen (SPEC section 6).
    """

    DEFAULT_CSS = """
    DiffView { overflow-x: hidden; overflow-y: scroll; scrollbar-size: 0 0; }
    """

    unfold: reactive[bool] = reactive(False, init=False)
    """Whether all unchanged lines are shown."""
    side_by_side: reactive[bool | None] = reactive(None, init=False)
    """Two columns, one, or (None) two where each has 60 cells."""

    class EndSeen(Message):
        """The end of all that is shown and all that changed have been on the screen."""

    class Scrolled(Message):
        """Other lines are on the screen, or the layout is another one."""

    def __init__(self, *, ascii: bool | None = None, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ascii = ascii
        self._diffs: tuple[FileDiff, ...] = ()
        self._text: str | None = None
        """The text shown by itself, None where it is files that are compared."""
        self._sections: Sequence[Section] = []
        self._head: list[Around] = []
        self._foot: list[Around] = []
        self._idle = 0
        self._headless = False
        self._numbers = True
        self._opened: set[tuple[int, int]] = set()
        self._palette: Palette | None = None
        self._bottom_seen = self._end_seen = False
        self._seen = Seen()

    # --- what is shown

    def show(
        self,
        diffs: tuple[FileDiff, ...],
        *,
        header: Sequence[Around] = (),
        footer: Sequence[Around] = (),
        idle: int = 0,
        parts: Sequence[Mapping[int, str]] = (),
        headless: bool = False,
        laid: Layout | None = None,
    ) -> None:
        """Show these files from the top; the very same diffs again keep their place and what was seen of them.

        `idle`: of the footer's lines, so many at its end say only that nothing else changes; the end counts
        as seen without them. `parts`: of each file, which change that can be left out a row belongs to. `headless`: the
        first file is named above already. `laid`: what `lay_ahead` gave for them.
        """
        same = len(diffs) == len(self._diffs) and all(map(_is, diffs, self._diffs))
        self._head, self._foot, self._idle = list(header), list(footer), idle
        self._headless = headless
        if same and diffs:
            self._lay_out(keep=True)
            return
        self._diffs = diffs
        self._text = None
        self._begin(_sections(diffs, parts) if laid is None else laid.sections, numbers=True, laid=laid)

    def lay_ahead(
        self, diffs: Sequence[FileDiff], parts: Sequence[Mapping[int, str]], *, headless: bool
    ) -> Layout | None:
        """The layout of files for the view as it is now, None where it has no size yet; for any thread.

        Long rows take most of the time, and those are taken over where the view still has this shape.
        """
        shape = self._shape(diffs, numbers=True, headless=headless)
        return Layout(_sections(diffs, parts), shape) if shape.cells else None

    def show_text(
        self,
        text: str,
        header: Sequence[Around] = (),
        *,
        footer: Sequence[Around] = (),
        numbers: bool = False,
        links: Mapping[int, str] | None = None,
    ) -> None:
        """Show one text as it is, its lines numbered or not; the same text again keeps its place.

        `links` says where lines lead to, by their index: the pointer goes from one to the next.

        Without a text it is the header that counts: another one is shown from its top, its end not yet seen.
        """
        same = text == self._text and numbers == self._numbers and bool(text or self._head == list(header))
        self._head, self._foot, self._idle = list(header), list(footer), 0
        if same:
            self._lay_out(keep=True)
            return
        self._diffs = ()
        self._text = text
        self._begin([section_of_text(text, links or {})], numbers=numbers)

    def _begin(self, sections: Sequence[Section], *, numbers: bool, laid: Layout | None = None) -> None:
        self._sections = sections
        self._numbers = numbers
        self._opened.clear()
        self._bottom_seen = self._end_seen = False
        self._seen = Seen()
        self._pointer, self._inside = None, 0
        self._layout = laid
        self._lay_out(keep=False)
        self.scroll_to(0, 0, animate=False, immediate=True, force=True)

    # --- what was seen

    @property
    def end_seen(self) -> bool:
        """Whether the end of all that is shown and all that changed have been on the screen since."""
        return self._end_seen

    @property
    def at_end(self) -> bool:
        """Whether the end of all that is shown is on the screen now."""
        layout = self._layout
        return layout is not None and self.size.height > 0 and self._bottom >= layout.end

    @property
    def lines_below(self) -> int:
        """How many lines are still below the screen."""
        return 0 if self._layout is None else max(0, self._layout.end - self._bottom)

    @property
    def lines_above(self) -> int:
        """How many lines above the screen the first change begins that has not been on it; 0 where none is there."""
        if self._layout is None or self._end_seen:
            return 0
        unseen = self._seen.first_unseen(self._layout)
        return 0 if unseen is None else max(0, round(self.scroll_y) - unseen)

    def _look_for_end(self) -> None:
        layout = self._layout
        if self._end_seen or layout is None or not (self.size.height and self.display and self.is_on_screen):
            return
        self._seen.add(layout, round(self.scroll_y), self._bottom)
        self._bottom_seen = self._bottom_seen or self.at_end
        if self._bottom_seen and self._seen.first_unseen(layout) is None:
            self._end_seen = True
            self.post_message(self.EndSeen())

    # --- layout

    @property
    def can_be_beside(self) -> bool:
        """Whether there is a change here, and room for two columns of it."""
        return bool(self._diffs) and can_stand_beside(self.size.width, least=LEAST_HALF)

    def _shape(self, diffs: Sequence[FileDiff], *, numbers: bool, headless: bool) -> Shape:
        """In which shape files (or a text, without any) are drawn in the view as it is now."""
        cells = self.size.width
        wanted = can_stand_beside(cells) if self.side_by_side is None else self.side_by_side
        return Shape(
            cells,
            unfold=self.unfold,
            beside=bool(diffs) and wanted and can_stand_beside(cells, least=LEAST_HALF),
            ascii=self._ascii_only,
            numbers=numbers,
            headless=headless,
        )

    @property
    def is_side_by_side(self) -> bool:
        """Whether two columns are drawn now."""
        return self._layout is not None and self._layout.shape.beside

    @property
    def _ascii_only(self) -> bool:
        return bool(getattr(self.app, "ascii_only", False)) if self._ascii is None else self._ascii

    def _lay_out(self, *, keep: bool) -> None:
        """Lay out anew. `keep` leaves the row that is at the top where it is."""
        cells = self.size.width
        if not cells:
            self._layout = self._painter = None
            return
        anchor = self._anchor() if keep else None
        drawn = self._lines_drawn() if keep else None
        self._targets = self._stops = None
        shape = self._shape(self._diffs, numbers=self._numbers, headless=self._headless)
        pointed = None if self._pointer is None or self._layout is None else self._layout.item(self._pointer)
        self._layout, self._painter = self._made(shape)
        if self._fits_tight:
            self._layout, self._painter = self._made(replace(shape, tight=True))
        self._pointer = None if pointed is None else self._layout.same_place(pointed)
        self._painter.pointed = -1 if self._pointer is None else self._pointer
        self.virtual_size = Size(cells, self._layout.height)
        if anchor is not None:
            self._restore(anchor)
        self._refresh_from(drawn)
        if self._end_seen is False:
            self.call_after_refresh(self._look_for_end)
        self.post_message(self.Scrolled())

    def _lines_drawn(self) -> tuple[int, list[Strip]] | None:
        """Where the view stands, and the lines that are on the screen."""
        painter, top = self._painter, round(self.scroll_y)
        return None if painter is None else (top, [painter.line(top + y) for y in range(self.size.height)])

    def _refresh_from(self, before: tuple[int, list[Strip]] | None) -> None:
        """Draw anew what is another line than before; all of it where the view stood elsewhere."""
        after = self._lines_drawn()
        if before is None or after is None or before[0] != after[0] or len(before[1]) != len(after[1]):
            self.refresh()
            return
        other = [y for y, (one, two) in enumerate(zip(before[1], after[1], strict=True)) if one != two]
        if other:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in other))

    def _made(self, shape: Shape) -> tuple[Layout, Painter]:
        """The layout in a shape, and what draws it."""
        cells = shape.cells
        last = self._foot[len(self._foot) - self._idle :]
        parts = [
            [line for line in part if line or not shape.tight] for part in (self._head, self._foot, last)
        ]
        head, foot, idle = (self._around(part, cells) for part in parts)
        layout = Layout(
            self._sections,
            shape,
            head=len(head),
            foot=len(foot),
            idle=len(idle),
            opened=self._opened,
            like=self._layout,
        )
        return layout, Painter(layout, self.colours, head, foot, like=self._painter)

    @property
    def _fits_tight(self) -> bool:
        """Whether only the blank lines keep all of it from being on the screen at once."""
        layout = self._layout
        if layout is None or self._text is not None or layout.shape.tight:
            return False
        blank = len(self._sections) - 1 + sum(not line for line in (*self._head, *self._foot))
        return 0 < layout.end - self.size.height <= blank

    def _anchor(self) -> tuple[Item, int] | None:
        """The item at the top of the screen, unless the view stands at its very top."""
        if self._layout is None or not self._layout.height or not round(self.scroll_y):
            return None
        index, inside = self._layout.find(min(round(self.scroll_y), self._layout.height - 1))
        return self._layout.item(index), inside

    def _restore(self, anchor: tuple[Item, int]) -> None:
        if self._layout is None:
            return
        index = self._layout.same_place(anchor[0])
        if index is not None:
            top, below = self._layout.tops[index : index + 2]
            self.scroll_to(y=min(top + anchor[1], below - 1), animate=False, immediate=True, force=True)

    def watch_unfold(self) -> None:
        self._opened.clear()
        self._lay_out(keep=True)

    def watch_side_by_side(self) -> None:
        self._lay_out(keep=True)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, self._theme_changed)

    def _theme_changed(self, _: Theme) -> None:
        self._palette = None
        self._lay_out(keep=True)

    def on_resize(self, event: events.Resize) -> None:
        layout = self._layout
        if layout is None or layout.shape.cells != event.size.width or layout.shape.tight or self._fits_tight:
            self._lay_out(keep=True)
        else:
            self.post_message(self.Scrolled())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled())

    def on_click(self, event: events.Click) -> None:
        """A click on a fold opens it."""
        if self._layout is None:
            return
        line = event.y + round(self.scroll_y)
        if not 0 <= line < self._layout.height:
            return
        item = self._layout.item(self._layout.find(line)[0])
        if item.kind == "fold":
            self._opened.add((item.section, item.old))
            self._lay_out(keep=True)
        elif item.kind in ("row", "pair") and (folded := self._layout.folded(item, line)):
            self._opened.update((item.section, row) for row in folded)
            self._lay_out(keep=True)
        elif item.kind == "line" and item.text == "head":
            self.post_message(self.Clicked(self._head[item.old], event.x))

    # --- drawing

    @property
    def colours(self) -> Palette:
        """The styles of the present theme."""
        if self._palette is None:
            app = self.app
            ansi = app.current_theme.ansi
            self._palette = palette(app.theme_variables, ansi=ansi, least=read_at(app.theme))
        return self._palette

    def render_lines(self, crop: Region) -> list[Strip]:
        """Lines are being drawn: once they are, it is noted which have been on the screen."""
        if not self._end_seen:  # by way of its own queue: it is the screen that draws
            self.call_later(self.call_after_refresh, self._look_for_end)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        if self._painter is None:
            return Strip.blank(self.size.width, self.colours.text)
        return self._painter.line(y + round(self.scroll_y))


def _sections(diffs: Sequence[FileDiff], parts: Sequence[Mapping[int, str]]) -> list[Section]:
    each = (*parts, *({} for _ in diffs[len(parts) :]))
    return [section_of(*pair) for pair in zip(diffs, each, strict=True)]


def _is(one: FileDiff, other: FileDiff) -> bool:
    return one is other
