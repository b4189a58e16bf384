"""The one screen: top line, pane, message row, footer; where each key and click finds its action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.timer import Timer

from memtui.tui.actions import Action, named
from memtui.tui.dispatch import QUIT_WAIT, Dispatching
from memtui.tui.footer import Footer
from memtui.tui.inbox import InboxPane
from memtui.tui.outside import safe, width
from memtui.tui.paint import NARROW, PaintedLine, Span
from memtui.tui.pane import PaintedLines, Pane
from memtui.tui.topbar import TopBar, home_path
from memtui.tui.watcher import Watching
from memtui.tui.words import plural

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.gate.grants import Grant
    from memtui.review.items import Item, Outcome
    from memtui.settings import Settings
    from memtui.tui.form import Form

SMALLEST = (40, 12)
"""Columns and rows under which memtui only says so (SPEC section 6)."""
WIDER = 140
"""Columns from which the list is wider."""
JUMPS = 50
"""Ways back that are kept."""
SHORT = 18
"""Rows under which the editor shows its fields and the body alone."""


class DeskScreen(Watching, Dispatching, inherit_bindings=False):
    """Everything the person sees, but for sheets."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self) -> None:
        super().__init__()
        self.inbox = InboxPane()
        self.pane: Pane = self.inbox
        self.panes: dict[str, Pane] = {"inbox": self.inbox}
        self.footer = Footer()
        self.toast = PaintedLine(id="toast")
        self._toast_timer: Timer | None = None
        self.zoomed = False
        self._jumps: list[Callable[[], None]] = []
        """The ways back of the links that were followed."""

    def compose(self) -> ComposeResult:
        self.topbar = TopBar(self.memtui.root)
        yield self.topbar
        with Container(id="body"):
            yield self.inbox
        yield PaintedLines(id="small")
        yield self.message
        yield self.prompt
        yield self.footer
        yield self.toast

    def on_mount(self) -> None:
        small = self.query_one("#small", PaintedLines)
        small.show(self._too_small)
        self._set_classes(*self.app.size)  # the first drawing has the layout of the size already
        self.set_focus(self.inbox.rows)
        self.refresh_chrome()
        # The frame stands on the screen before the desk is built (first paint).
        self.call_after_refresh(self.start_desk)

    def on_unmount(self) -> None:
        self.stop_watching()

    def on_screen_resume(self) -> None:
        """A sheet was closed: what is looked at again has its settle time."""
        self.pane.key_dropped()

    # --- size

    @property
    def narrow(self) -> bool:
        """Too narrow for two panes side by side."""
        return self.app.size.width < NARROW

    @property
    def short(self) -> bool:
        """Narrow, and few rows: a split beside an agent."""
        return self.narrow and self.app.size.height < SHORT

    @property
    def one_side(self) -> bool:
        """One side of the pane at a time: narrow, or zoomed."""
        return self.narrow or self.zoomed

    def on_resize(self, event: events.Resize) -> None:
        before = self.has_class("-narrow")
        self._set_classes(event.size.width, event.size.height)
        self.inbox.disturbed()
        if self.has_class("-narrow") and not before:
            self.call_after_refresh(self.inbox.became_narrow)
        self.call_after_refresh(self.refresh_chrome)

    def _set_classes(self, columns: int, rows: int) -> None:
        self.set_class(columns < NARROW, "-narrow")
        self.set_class(columns >= WIDER, "-wider")
        self.set_class(rows < SHORT, "-short")
        self.set_class(columns < SMALLEST[0] or rows < SMALLEST[1], "-small")

    def _too_small(self, cells: int, rows: int) -> list[tuple[Span, ...]]:
        size = self.app.size
        words = [
            f"{size.width}x{size.height} is too small",
            f"memtui needs {SMALLEST[0]}x{SMALLEST[1]}",
            "^q quits",
        ]
        blank: list[tuple[Span, ...]] = [()] * max(0, (rows - 3) // 2)
        return [*blank, *(((word.center(cells).rstrip(), ""),) for word in words)]

    # --- focus of the window: its settle time starts when the person can see it

    def window_focused(self, focus: bool) -> None:
        self.inbox.disturbed()
        if focus:
            self.look_around()

    # --- clicks

    def on_footer_pressed(self, message: Footer.Pressed) -> None:
        self.perform(message.action)

    def on_top_bar_chosen(self, message: TopBar.Chosen) -> None:
        self.go(message.pane)

    # --- top line, footer, message row

    def refresh_chrome(self) -> None:
        """Top line and footer say what holds now."""
        if not self.is_mounted:
            return
        self.pane.show_side()
        top = replace(self.topbar.top, pane=self.pane.pane, **self.inbox.top_counts())
        self.topbar.update(top)
        if self.prompt.question is not None:
            self.footer.update(self.prompt_hints())
        else:
            self.footer.update(self.pane.hints())

    def say(self, *spans: Span, undo: bool = False, about: str = "") -> None:
        """What the person just did; `about` the one thing that it is true of."""
        self.message.say(*spans, undo=undo, about=about)

    def say_made(self, desk: Desk) -> None:
        """The first words after the workspace was made."""

        def told(notes: int) -> None:
            dot = home_path(desk.workspace.dot)
            rest = f"your {plural(notes, 'note')} {'is as it was' if notes == 1 else 'are as they were'}"
            self.say((f"made {dot}", ""), (f" · {rest}", "muted"))

        self.memtui.ask("made", lambda: len(desk.notes()), told)

    def say_settings(self, settings: Settings) -> None:
        """What of the settings could not be used; where they do not parse, memtui only reads."""
        if settings.problem:
            self.topbar.update(replace(self.topbar.top, reading="reading only"))
            self.fail(settings.problem)
        elif self.memtui.keymap.problems:
            self.fail(self.memtui.keymap.problems[0])
        elif settings.ignored:
            names = ", ".join(settings.ignored)
            self.fail(f"{names} of the workspace's settings do not count: `memtui trust` lets them")
        elif settings.complaints:
            self.fail(settings.complaints[0])
        elif self.memtui.no_theme:
            self.fail(f"there is no theme {self.memtui.no_theme}: the default counts, the README lists them")

    def fail(self, text: str, *, about: str = "") -> None:
        """What could not be done; it stays until it is answered: `esc`, or another act of the person."""
        self.message.say((safe(text), ""), alarm=True, about=about)

    def tell(self, text: str) -> None:
        """One line at the top right, for what happens elsewhere."""
        self.toast.set_line(((f" {text} ", "chip"),))
        self.toast.styles.width = width(text) + 2
        self.toast.styles.offset = (max(0, self.app.size.width - width(text) - 3), 1)
        self.toast.add_class("-open")
        if self._toast_timer is not None:
            self._toast_timer.stop()
        self._toast_timer = self.set_timer(4.0, partial(self.toast.remove_class, "-open"))

    # --- panes

    def go(self, name: str) -> None:
        """Show another pane; what was decided in the one that is left goes from its list."""
        if self.prompt.question is not None:
            self.close_prompt()
        if name == self.pane.pane:
            return
        self.pane.left()
        self.pane.display = False
        if name not in self.panes:
            self.panes[name] = _make_pane(name)
            self.query_one("#body", Container).mount(self.panes[name])
        self.pane = self.panes[name]
        self.pane.display = True
        self.pane.entered()
        self.message.clear()
        self.call_after_refresh(self.pane.take_focus)
        self.refresh_chrome()

    def jump(self, back: Callable[[], None]) -> None:
        """A link is followed: `back` shows again what is shown now."""
        self._jumps = [*self._jumps[-JUMPS:], back]

    def act_jump_back(self) -> None:
        if self._jumps:
            self._jumps.pop()()
        else:
            self.say(("no link was followed", "muted"))

    def show_note(self, path: str) -> None:
        """Show one note in its pane."""
        self.go("notes")
        self.soon(lambda: self.panes["notes"].show_path(path))

    def merge_into(self, path: str, item: Item) -> None:
        """Edit a note with the text of a proposal in it; back to where the person was once that is done."""
        before = self.pane.pane
        self.go("notes")

        def begin() -> None:
            self.panes["notes"].came_from = before
            self.panes["notes"].merge_proposal(path, item)

        self.soon(begin)

    def act_go_inbox(self) -> None:
        self.go("inbox")

    def act_go_notes(self) -> None:
        self.go("notes")

    def act_go_activity(self) -> None:
        self.go("activity")

    def act_go_health(self) -> None:
        self.go("health")

    def act_go_catalog(self) -> None:
        self.go("catalog")

    def act_zoom(self) -> None:
        self.zoomed = not self.zoomed
        self.set_class(self.zoomed, "-zoomed")
        self.call_after_refresh(self.pane.take_focus)
        self.inbox.disturbed()

    # --- everywhere

    def act_back(self) -> None:
        """`esc`: out of the preview, then the filter, then the marks; it never quits."""
        if self.zoomed and not self.pane.reading:
            self.act_zoom()
        else:
            self.pane.step_back()

    def act_back_or_quit(self) -> None:
        if self.memtui.workspace is None:
            self.app.exit(0)
            return
        if self.pane.step_back():
            return
        if self.pane is not self.inbox:
            self.go("inbox")
            return
        now = monotonic()
        if now - self._last_q < QUIT_WAIT:
            self.act_quit()
            return
        self._last_q = now
        self.say(("q", "bold"), (" once more quits", "muted"))

    def act_suspend(self) -> None:
        self.memtui.suspend_to_shell()

    def act_quit(self) -> None:
        """Quit, once a decision that is on its way has been written."""
        if self.inbox.busy:
            self.set_timer(0.05, self.act_quit)
            return
        self.pane.leaving()
        self.app.exit(0)

    def act_interrupt(self) -> None:
        self.say(("^q", "bold"), (" quits", "muted"))

    def act_new_note(self) -> None:
        before = self.pane.pane
        self.go("notes")
        self.soon(lambda: self._write_note(before))

    def _write_note(self, came_from: str) -> None:
        self.perform(named("write_note"))
        self.pane.came_from = came_from

    def write_own(self, form: Form) -> None:
        """A new note of the person's own, begun elsewhere; back to the inbox once that is done."""
        self.panes["notes"].open_form(form)
        self.panes["notes"].came_from = "inbox"

    def act_find(self) -> None:
        self.go("notes")
        self.soon(lambda: self.perform(named("find_here")))

    def act_filter(self) -> None:
        self.question(self.pane.filter_question())

    def act_menu(self) -> None:
        from memtui.tui.sheets import MenuSheet

        listed = [action for action in self.possible() if action.menu]
        if listed:
            self.app.push_screen(MenuSheet(listed), self._chosen)
        else:
            self.say(("nothing in the menu here · ", "muted"), (":", "bold"), (" commands", "muted"))

    def act_palette(self) -> None:
        from memtui.tui.sheets import PaletteSheet

        self.app.push_screen(PaletteSheet(self.possible()), self._chosen)

    def act_help(self) -> None:
        from memtui.tui.sheets import HelpSheet

        self.app.push_screen(HelpSheet(self.places()))

    def act_grants(self) -> None:
        """What is let through without asking; one that is chosen is asked about again."""
        desk = self.memtui.desk
        if desk is None:
            return

        def show(grants: Sequence[Grant]) -> None:
            from memtui.tui.grant_sheets import GrantsSheet

            self.app.push_screen(GrantsSheet(grants, desk.grants.problem), revoke)

        def revoke(grant: Grant | None) -> None:
            self.inbox.disturbed()
            if grant is not None:
                told = partial(revoked, grant)
                self.memtui.ask("revoke", lambda: desk.revoke(grant.id), told, exclusive=False)

        def revoked(grant: Grant, outcome: Outcome) -> None:
            if outcome.ok:
                self.say(("asks again about ", "muted"), (safe(grant.path), ""))
            else:
                self.fail(outcome.message)

        self.memtui.ask("grants", desk.list_grants, show, opens=True)

    def _chosen(self, action: Action | None) -> None:
        if action is not None:
            self.soon(partial(self.chosen, action))
        self.inbox.disturbed()


def _make_pane(name: str) -> Pane:
    """Panes other than the inbox are made, and their code is loaded, when they are first looked at."""
    if name == "notes":
        from memtui.tui.browser import NotesPane

        return NotesPane()
    if name == "activity":
        from memtui.tui.activity import ActivityPane

        return ActivityPane()
    from memtui.tui.health import CatalogPane, HealthPane

    return HealthPane() if name == "health" else CatalogPane()
