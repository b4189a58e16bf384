"""Brings in what happens outside: new proposals in the spool, and changes of the notes that are being looked at.

One thread waits for the spool (watch events are hints: it also looks every few seconds) and watches the few files
of the preview by size and time. It only posts what it saw; the screen decides what that means.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memtui.failing import said
from memtui.gate import vault
from memtui.tui import pace
from memtui.tui.notes_watch import NotesWatch
from memtui.tui.outside import safe
from memtui.tui.unfinished import Unfinished, take_up
from memtui.tui.words import is_today

if TYPE_CHECKING:
    from memtui.config import Workspace
    from memtui.desk import Desk
    from memtui.settings import Settings
    from memtui.tui.app import MemtuiApp
    from memtui.tui.inbox import InboxPane
    from memtui.tui.inbox_ahead import Ahead
    from memtui.tui.paint import Span
    from memtui.tui.pane import Pane
    from memtui.tui.topbar import TopBar

TICK = 1.0
"""Seconds between looks at the files of the preview."""
SLOW = 5.0
"""Seconds between looks at the spool where no event came."""
SHARE = 20
"""A look at what was still being written takes at most one part in so many of the time."""
SHOW_SHARE = 50
"""The same of showing what came while much is taken in: no key is answered meanwhile."""
LAID_SHARE = 30
"""The same of laying it out in the thread, which makes a key slower."""
REST_SHARE = 1600
"""The same of looks that nothing asked for: at rest the app takes little more than nothing of a processor."""
AT_REST = 5.0
"""Seconds without a key."""
FIRST = 1.0
"""Seconds of taking in after which what there is so far is shown."""

Signature = tuple[tuple[int, int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the desk had at one moment."""

    ahead: Ahead
    """The list of it, laid out."""
    decisions: int
    """How many decisions of this app had been made when it was asked."""
    whole: bool
    """All that waits, not just what was taken in so far."""


@dataclass(frozen=True, slots=True)
class Counts:
    """For the top line and the words of an empty inbox. Sizes in bytes."""

    notes: int
    used: int
    budget: int
    health: int
    today: int
    """Decisions since midnight, local time."""
    ever: bool
    """Something was ever proposed here."""


def signature(paths: Iterable[Path]) -> Signature:
    """Time, size and inode of each file, None for one that is not there."""

    def one(path: Path) -> tuple[int, int, int] | None:
        try:
            stat = os.lstat(path)
        except OSError:
            return None
        return (stat.st_mtime_ns, stat.st_size, stat.st_ino)

    return tuple(one(path) for path in paths)


def open_desk(workspace: Workspace) -> Desk:
    """Build the desk; what waits is taken in by the first look. Blocks."""
    from memtui.desk import Desk

    return Desk(workspace)


class Watching:
    """The part of the screen that deals with the world outside (a mixin of `DeskScreen`)."""

    inbox: InboxPane
    panes: dict[str, Pane]
    topbar: TopBar

    _held: MemtuiApp | None = None

    def _app(self) -> MemtuiApp:
        """The app; also for the thread, whose last look may end after the screen was taken away."""
        if self._held is None:
            self._held = cast("MemtuiApp", self.app)  # type: ignore[attr-defined]
        return self._held

    def start_desk(self) -> None:
        """Build the desk in a worker; what waits is shown when it comes."""
        self.decisions = 0
        self._pace = 0.0  # seconds to leave between two showings of what came
        self._next_show = 0.0
        self.watched: tuple[tuple[Path, ...], Signature] = ((), ())
        self._stuck: tuple[str, ...] = ()
        self._no_grants = ""
        self._stop = threading.Event()
        self._since = time.monotonic()
        self._loop = asyncio.get_running_loop()
        app = self._app()
        workspace = app.workspace
        if workspace is None:
            self.inbox.show_offer()
            return
        vault.slow = lambda text: app.post_message(app.Answer(lambda: self.tell(f"{text} …")))
        app.watch(app, "app_focus", self.window_focused, init=False)
        app.ask("desk", lambda: open_desk(workspace), self._desk_ready, failed=self._no_desk)

    def window_focused(self, focus: bool) -> None:
        raise NotImplementedError

    def _desk_ready(self, desk: Desk) -> None:
        app = self._app()
        app.desk = desk
        if app.made:
            self.say_made(desk)
        self.say_settings(desk.workspace.settings)
        self.inbox.desk_ready()
        app.ask("drafts", lambda: take_up(desk), self._got_unfinished)
        self.look_around()
        self.count()
        notes = NotesWatch(desk, self._stop, lambda: app.post_message(app.Answer(self.notes_changed)))
        threading.Thread(target=notes.run, name="memtui-notes", daemon=True).start()
        threading.Thread(target=self._watch, args=(desk,), name="memtui-watch", daemon=True).start()

    def _got_unfinished(self, found: Unfinished) -> None:
        """What the person had not finished when the app ended last."""
        app = self._app()
        app.drafts |= found.drafts
        app.texts |= found.texts
        app.recovered = found.drafts
        if found.drafts or found.texts:
            self.inbox.drafts_changed()
        if found.left_out:
            self.inbox.recall_left_out(found.left_out)
        if "new note" in found.drafts:
            self.say(("a draft of a new note waits: ", "muted"), ("c", "bold"), (" goes on with it", "muted"))
        if found.left_over:
            app.left_over.update(found.left_over)
            self.say(
                ("a draft of yours is kept whose proposal is gone: ", "muted"),
                ("m w", "bold"),
                (" makes it a note", "muted"),
            )
        for sentence in found.kept:
            self.say((safe(sentence), "muted"))
        for sentence in found.unkept:
            self.fail(sentence)

    def notes_changed(self) -> None:
        """Notes were added, changed or removed, perhaps from outside: what is shown of them follows."""
        self.count()
        for pane in self.panes.values():
            pane.notes_changed()

    def say_made(self, desk: Desk) -> None:
        raise NotImplementedError

    def say_settings(self, settings: Settings) -> None:
        raise NotImplementedError

    def _no_desk(self, error: Exception) -> None:
        self.inbox.show_trouble(said(error))

    def stop_watching(self) -> None:
        stop: threading.Event | None = getattr(self, "_stop", None)
        if stop is not None:
            stop.set()

    # --- looking

    def look_around(self) -> None:
        """Ask the desk what waits now."""
        app = self._app()
        desk = app.desk
        if desk is not None:
            app.ask("look", lambda: self._look(desk), self._seen, failed=self._not_looked)

    def _not_looked(self, error: Exception) -> None:
        """Taking in failed: that is no empty inbox."""
        self.inbox.not_taken_in(said(error))

    def _look(self, desk: Desk) -> Seen:
        """Blocks; in a thread. While much is taken in, what there is so far is shown."""
        self._next_show = time.monotonic() + max(FIRST, self._pace)
        decisions = self.decisions
        desk.take_in(told=lambda: self._show_so_far(desk))
        if outcomes := desk.apply_allowed():
            app, written = self._app(), [outcome.id for outcome in outcomes if outcome.ok]
            app.post_message(app.Answer(lambda: self.applied(written)))
        whole = not desk.taking_in
        return self._seen_now(desk, decisions, whole=whole)

    def _seen_now(self, desk: Desk, decisions: int, *, whole: bool) -> Seen:
        return Seen(self.inbox.take_ahead(desk.items(), desk.refusals()), decisions, whole)

    def _show_so_far(self, desk: Desk) -> None:
        """Between two steps of taking in; blocks, in the thread."""
        pace.give_way(self._loop, lambda: self._app().typed.last)
        begun = time.monotonic()
        if begun >= self._next_show:
            app, decisions = self._app(), self.decisions
            seen = self._seen_now(desk, decisions, whole=False)
            pace.keep()
            app.post_message(app.Answer(lambda: self._seen(seen)))
            now = time.monotonic()
            self._next_show = now + max(FIRST, self._pace, LAID_SHARE * (now - begun))

    def _seen(self, seen: Seen) -> None:
        """What the desk had is shown, unless a decision came between."""
        if seen.decisions != self.decisions:
            self.look_around()
            return
        begun = time.monotonic()
        self.inbox.take(seen.ahead, whole=seen.whole)
        self._pace = SHOW_SHARE * (time.monotonic() - begun)
        self._say_stuck()

    def _say_stuck(self) -> None:
        """What a crash left and only the person can settle is said once; it names the command that asks."""
        desk = self._app().desk
        if desk is not None and desk.stuck != self._stuck:
            self._stuck = desk.stuck
            if desk.stuck:
                self.fail(desk.stuck[0])
        if desk is not None and desk.no_count != self._no_grants:
            self._no_grants = desk.no_count
            if self._no_grants:
                self.fail(self._no_grants)

    def fail(self, text: str) -> None:
        raise NotImplementedError

    def say(self, *spans: Span, undo: bool = False) -> None:
        raise NotImplementedError

    def tell(self, text: str) -> None:
        raise NotImplementedError

    def applied(self, ids: Sequence[str]) -> None:
        """Something was applied that the person allowed: its rows say so, counts and Activity follow."""
        for id in ids:
            if id in self.inbox.model.items:
                self.inbox.model.decide(id, "ok")
                self.inbox.vanished(id)
        self.count()
        if (activity := self.panes.get("activity")) is not None and activity.display:
            activity.entered()

    def decided(self) -> None:
        """A decision was made: counts and lists follow."""
        self.decisions += 1
        self.look_around()
        self.count()

    def count(self) -> None:
        """Notes, catalog and health for the top line."""
        app = self._app()
        desk = app.desk
        if desk is None:
            return

        now = app.now()

        def ask_desk() -> Counts:
            catalog = desk.catalog()
            decisions = [row for row in desk.log() if row.verdict in ("approved", "rejected")]
            # Decisions of every session count, of other terminals too; those that were taken back do not.
            kept = [row for row in decisions if getattr(row, "undone_by", None) is None]
            today = sum(1 for row in kept if is_today(row.at, now))
            used = bool(decisions) or bool(desk.status().pending)
            faults = sum(1 for finding in desk.check(advice=False) if not finding.advice)
            return Counts(len(desk.notes()), catalog.used, catalog.budget, faults, today, used)

        def show(counts: Counts) -> None:
            pace.keep()
            top = replace(self.topbar.top, notes=counts.notes, health=counts.health)
            self.topbar.update(replace(top, used=counts.used, budget=counts.budget))
            self.inbox.counted(counts.today, counts.ever)

        app.ask("count", ask_desk, show)

    # --- the thread

    def _watch(self, desk: Desk) -> None:
        """Look when the spool says so, and every few seconds; at the preview's files every second."""
        from memtui.storage.watch import Watcher

        watchers = [Watcher(place.path) for place in desk.workspace.spools]
        for watcher in watchers:
            watcher.start(lambda: self._tick(desk, events=True))
        last, took = time.monotonic(), 0.0
        while not self._stop.wait(TICK):
            begun = time.monotonic()
            pause = max(TICK, SHARE * took) if desk.unsettled else max(SLOW, REST_SHARE * took)
            events = begun - last >= max(pause, self._pace)
            self._say_loading(desk)
            try:
                self._tick(desk, events=events)
            except Exception as error:  # what goes wrong outside (a disk that is away) is tried again
                self._tell_failure(error)
            if events:
                last, took = begun, time.monotonic() - begun
            desk.tidy()  # once a day
            if self._is_at_rest():
                pace.tidy()
                desk.look_ahead(self._may_go_on)
            self._say_polled(any(watcher.mode == "polling" for watcher in watchers))
        for watcher in watchers:
            watcher.stop()

    def _is_at_rest(self) -> bool:
        """Whether nothing was typed for a while."""
        last = max(self._app().typed.last, self._since)
        return not self._stop.is_set() and time.monotonic() - last > AT_REST

    def _may_go_on(self) -> bool:
        """The same for work in the thread, which gives way first."""
        pace.give_way(self._loop, lambda: self._app().typed.last)
        return self._is_at_rest()

    def _say_loading(self, desk: Desk) -> None:
        """Nobody looks at an empty pane and wonders."""
        if not self.inbox.listed:
            app, scanner = self._app(), desk.screen.loading
            app.post_message(app.Answer(lambda: self.inbox.say_loading(scanner=scanner)))

    def _say_polled(self, polled: bool) -> None:
        app = self._app()
        if polled != self.topbar.top.polled:
            app.post_message(app.Answer(lambda: self.topbar.update(replace(self.topbar.top, polled=polled))))

    def _tell_failure(self, error: Exception) -> None:
        app = self._app()
        app.post_message(app.Answer(lambda: self._not_looked(error)))

    def _tick(self, desk: Desk, *, events: bool) -> None:
        """One look; blocks, in the thread."""
        app = self._app()
        if events:
            seen = self._look(desk)
            app.post_message(app.Answer(lambda: self._seen(seen)))
        paths, before = self.watched
        now = signature(paths)
        if now != before and self.watched == (paths, before):
            self.watched = (paths, now)
            app.post_message(app.Answer(self.inbox.recheck))
