"""The app: one screen, one desk, and thread workers between them.

Nothing here blocks on the disk: the frame is painted first, then a worker builds the desk; every answer comes
back to the event loop as a message (SCREENS; DESIGN, "the desk never draws").
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.driver import Driver
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkerFailed, get_current_worker

from memtui.failing import fault, guard_threads, said, way_to
from memtui.proposals.stopping import Stopped
from memtui.tui.pace import put_keys_first
from memtui.tui.paint import COMPONENTS
from memtui.tui.themes import THEMES, with_readable_text
from memtui.tui.typed import TypedKeys

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.theme import Theme

    from memtui.config import Workspace
    from memtui.desk import Desk
    from memtui.tui.ending import Ending
    from memtui.tui.keys import Keymap
    from memtui.tui.screen import DeskScreen

T = TypeVar("T")

THEME = "textual-dark"


class MemtuiApp(App[int], inherit_bindings=False):
    """The review app on one workspace."""

    CSS_PATH = "app.tcss"
    COMPONENT_CLASSES = COMPONENTS
    BINDINGS: ClassVar[list[BindingType]] = []
    ENABLE_COMMAND_PALETTE = False
    TITLE = "memtui"
    ALLOW_SELECT = False

    class Answer(Message):
        """What a worker found, on its way to the event loop."""

        def __init__(self, deliver: Callable[[], None]) -> None:
            super().__init__()
            self.deliver = deliver

    def __init__(self, workspace: Workspace | None, *, demo: bool = False, offer: Path | None = None) -> None:
        super().__init__()
        self.workspace = workspace
        self.demo = demo
        self.offer = offer
        self.desk: Desk | None = None
        settings = None if workspace is None else workspace.settings
        self.settle_seconds = 0.25 if settings is None else settings.settle_ms / 1000
        self.read_to_end = settings is None or settings.read_to_end
        self.ascii_only = _ascii_only(bool(settings and settings.ascii))
        self._titled = False
        self._keys: Keymap | None = None
        self._main: DeskScreen | None = None
        self._ending: Ending | None = None
        self.typed = TypedKeys(self, super().on_event)
        self.drafts: set[str] = set()
        """Keys (ids of items, paths of notes) for which unfinished text of the person's is kept."""
        self.texts: set[str] = set()
        """Keys for which a whole text is kept that `$EDITOR` gave back."""
        self.recovered: frozenset[str] = frozenset()
        """Those of them that were there when the app was opened."""
        self.left_over: dict[str, str] = {}
        """Headlines of proposals that wait no longer and were not decided here, by id; some have a draft."""
        self.made = False
        """The workspace was made just now, from the offer of the first launch."""
        self.animation_level = "none"
        theme = os.environ.get("TEXTUAL_THEME") or (settings.theme if settings else "")
        if not theme and self.console.color_system == "standard":
            theme = (
                "ansi-dark"  # sixteen colours hold no quiet background: signs and text are coloured instead
            )
        found = self.get_theme(theme) if theme else None
        self.no_theme = theme if found is None else ""
        """A theme that was asked for and is none."""
        if found is not None:
            self.theme = found.name

    @property
    def available_themes(self) -> dict[str, Theme]:
        # Not by `register_theme`: Textual wants that of `TEXTUAL_THEME` before anything can be registered.
        return {**super().available_themes, **{theme.name: theme for theme in THEMES}}

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        if not self.current_theme.ansi:
            variables = self.theme_variables = with_readable_text(variables, self.theme)
        return variables

    async def on_event(self, event: events.Event) -> None:
        """Keys go on one after the other (`TypedKeys`); everything else as Textual has it."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self.typed.take(event)
        else:
            await super().on_event(event)

    # --- the screens

    def get_default_screen(self) -> Screen[None]:
        from memtui.tui.frame import FirstFrame

        return FirstFrame(self.root)

    @property
    def root(self) -> Path:
        """The folder that the app is about: the workspace's, or the one that is offered to become one."""
        root = self.workspace.root if self.workspace is not None else self.offer
        assert root is not None
        return root

    def load(self) -> None:
        """After the first paint: load the review screen's code in a worker, then show it."""

        def load_code() -> type[DeskScreen]:
            from memtui.tui.screen import DeskScreen

            return DeskScreen

        self.ask("load", load_code, lambda screen: self._show_desk(screen()))

    def _show_desk(self, screen: DeskScreen) -> None:
        self._main = screen
        self.push_screen(screen)

    @property
    def main(self) -> DeskScreen:
        """The screen under whatever sheet is open."""
        assert self._main is not None
        return self._main

    @property
    def keymap(self) -> Keymap:
        """Which keys do what, with the person's own settings applied."""
        if self._keys is None:
            from memtui.tui.keys import keymap

            self._keys = keymap({} if self.workspace is None else self.workspace.settings.keys)
        return self._keys

    def has_draft(self, key: str) -> bool:
        """Whether unfinished text of the person's is kept, from the editor here or from `$EDITOR`."""
        return key in self.drafts or key in self.texts

    def now(self) -> float:
        """Unix seconds, for ages."""
        return time.time()

    # --- work that may block

    def ask(
        self,
        group: str,
        work: Callable[[], T],
        then: Callable[[T], None],
        *,
        failed: Callable[[Exception], None] | None = None,
        exclusive: bool = True,
        opens: bool = False,
    ) -> None:
        """Run `work` in a thread and `then` on the event loop with what it gave.

        Exclusive: a newer request of the same group makes this one's answer void; work that takes long asks
        (`loading.unless`) and raises Stopped. A decision is never exclusive.
        What `opens` something to type in or to choose from has keys wait for it.
        """
        # Taken out to be done: Textual's workers hold themselves, and what they did, until garbage is looked for.
        job = [(work, then, failed or self.say_failure)]
        if exclusive and not opens:
            self.typed.forget(group)
        let_go = self.typed.hold(group) if opens else None

        def answer(deliver: Callable[[], None]) -> None:
            try:
                deliver()
            finally:
                if let_go is not None:
                    let_go()

        def run() -> None:
            worker = get_current_worker()
            work, then, complain = job.pop()
            if worker.is_cancelled and exclusive:
                return
            try:
                value = work()
            except Stopped:
                self.post_message(self.Answer(lambda: answer(lambda: None)))
                return
            except Exception as error:
                if worker.is_cancelled and exclusive:
                    return
                trouble = error
                self.post_message(self.Answer(lambda: answer(lambda: complain(trouble))))
                return
            if not (worker.is_cancelled and exclusive):
                self.post_message(self.Answer(lambda: answer(lambda: then(value))))

        self.run_worker(run, thread=True, group=group, exclusive=exclusive, exit_on_error=False)

    def on_memtui_app_answer(self, message: Answer) -> None:
        if not self._exit:  # on its way out there is nobody to tell
            message.deliver()

    def say_failure(self, error: Exception) -> None:
        """An error that nobody expected, in one line; it stays until the next action."""
        if self._main is None:
            self._handle_exception(error)
        else:
            self._main.fail(said(error))

    # --- terminal

    def write_terminal(self, sequence: str) -> None:
        """Send a control sequence of the app's own to the terminal (title, bell)."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def show_title(self, text: str) -> None:
        """Set the terminal's title; `text` is the app's own words."""
        if self.workspace is None or not self.workspace.settings.title_count:
            return
        if not self._titled:
            self._titled = True
            self.write_terminal("\x1b[22;2t")  # the terminal keeps the title that it had
        self.write_terminal(f"\x1b]2;{text}\x07")

    def suspend_to_shell(self) -> None:
        """Stop, as `^z` stops a program, until the shell continues it."""
        rest = getattr(self._driver, "rest_in_shell", None)
        if rest is not None:
            rest()

    # --- the end

    def get_driver_class(self) -> type[Driver]:
        chosen = super().get_driver_class()
        if chosen.__name__ == "LinuxDriver":
            from memtui.tui.ending import TerminalDriver

            return TerminalDriver
        return chosen

    def on_load(self) -> None:
        # What a task, a callback or a thread raises and nobody takes would be printed, text and all.
        guard_threads(self._say_fault)
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: self._say_fault(context.get("exception"))
        )
        if not self.is_headless:
            from memtui.tui.ending import Ending

            self._ending = Ending(self, asyncio.get_running_loop())
            self._ending.watch()

    def _say_fault(self, error: BaseException | None) -> None:
        """From any thread."""
        if isinstance(error, Exception) and not self._exit:
            self.call_later(self.say_failure, error)

    def terminal_lost(self) -> None:
        """Reading from the terminal failed; from any thread."""
        if self._ending is not None:
            self._ending.ask(129)

    def end(self, status: int) -> None:
        """End at once, with this exit status; unfinished text is kept."""
        if self._main is not None:
            for pane in self._main.panes.values():
                with suppress(Exception):  # a disk that is away must not keep the app from ending
                    pane.leaving()
        self.exit(return_code=status)

    def on_unmount(self) -> None:
        if self._titled:
            self.write_terminal("\x1b[23;2t")
        if self.desk is not None:
            self.desk.close()

    def _handle_exception(self, error: Exception) -> None:
        """On its way out, what a widget that is gone trips over is no failure: the status stays."""
        if not self._exit:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """What nobody expected ends the app with one sentence, not with a traceback full of notes."""
        from rich.text import Text

        failed = self._exception
        error = failed.error if isinstance(failed, WorkerFailed) else failed
        where = fault(error) if error is not None else "an error"
        words = (
            f"memtui stopped on an error of its own ({where}). Every decision that it reported is written.\n"
        )
        if error is not None and os.environ.get("MEMTUI_DEBUG"):
            words += way_to(error)
        self._exit_renderables[:] = [Text(words)]
        self._close_messages_no_wait()

    def panic(self, *_: RenderableType) -> None:
        """What Textual would show instead of the sentence may hold anything, such as the text of a note."""
        self._fatal_error()


def _ascii_only(wanted: bool) -> bool:
    """ASCII glyphs by setting, on the Linux console, or where the locale is not UTF-8 (SCREENS, Glyphs)."""
    if wanted or os.environ.get("TERM") == "linux":
        return True
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((name for name in names if name), "")
    return bool(locale) and "utf" not in locale.lower()


def run(workspace: Workspace, *, demo: bool = False) -> int:
    """Open the app on a workspace; the exit status. The desk is built in a worker, after the first paint."""
    put_keys_first()
    app = MemtuiApp(workspace, demo=demo)
    status = app.run()
    return app.return_code or status or 0


def run_offer(directory: Path) -> int:
    """A folder with `memory/` and no workspace: offer to make `.memtui/` there, then open the app on it."""
    put_keys_first()
    app = MemtuiApp(None, offer=directory)
    status = app.run()
    return app.return_code or status or 0
