"""Showing one item of the inbox: planned in a worker, drawn, and looked at again when its files change."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.config import Workspace, init
from memtui.failing import said
from memtui.proposals.context import NO_CHOICES, Choices
from memtui.review.items import Item, Preview, Refusal
from memtui.tui.empty import COMMAND, empty_lines, offer_lines, trouble_lines, words_lines
from memtui.tui.inbox_model import InboxModel
from memtui.tui.leaving_words import left_out_text
from memtui.tui.loading import Loaded, is_same_text, load_preview, unless, what_became, why_changed
from memtui.tui.neighbours import Neighbours
from memtui.tui.paint import Line
from memtui.tui.proposal_lines import Around, footer_lines, header_lines, refusal_lines

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.review.background import Background


class Showing(Neighbours):
    """The part of the inbox that shows one item."""

    model: InboxModel

    def __init__(self) -> None:
        super().__init__()
        self.shown_id: str | None = None
        """The item in the preview, or on its way there."""
        self.loading_id: str | None = None
        self._previews = threading.Semaphore(2)
        """Two at a time, so that one that takes long holds up no other: of those that wait while a key is held down,
        only that of the item shown is made.
        """
        self.choices = NO_CHOICES
        self.left_out_of: dict[str, tuple[str, ...]] = {}
        """The changes that the person left out of an item, by its id, for when it is shown again."""
        self.background: Background | None = None
        """What came before the item shown."""
        self.stale = ""
        """Why the item must be seen again before `a` counts, "" for nothing."""
        self.busy = False
        """A decision is on its way."""
        self.last_decision: str | None = None
        self.decided_today = 0
        self.never_used = True
        self.nothing = True
        """Nothing is shown yet, or the words of an empty inbox."""
        self.trouble = False
        """The workspace cannot be opened: nothing can be done but leave."""
        self._restoring: str | None = None
        self.missing = False
        """The whole spool is away."""
        self._became: dict[str, str] = {}
        """What became of items that wait no longer, in a sentence, by id."""
        self.lit = False
        """The preview is drawn as the side that has the focus."""

    @property
    def must_look(self) -> bool:
        return bool(self.stale)

    # --- for subclasses

    def select(self, id: str) -> None:
        raise NotImplementedError

    def refill(self, key: str | None = None) -> None:
        raise NotImplementedError

    def refresh_head(self) -> None:
        raise NotImplementedError

    def edited_is_gone(self, sentence: str) -> None:
        """Where the item shown is being edited: say beside its text what became of it."""
        raise NotImplementedError

    def close_editor(self) -> None:
        """Leave a form that stands in the place of the preview; its draft stays."""
        raise NotImplementedError

    # --- showing

    def show_item(self, id: str) -> None:
        """Show an item: planned anew in a worker, drawn from its top."""
        self.close_editor()
        self.main_screen.message.stand_on(id)
        if id in self.model.fates:
            self.forget_shown()
            self.shown_id = id
            self._show_decided(id)
            return
        if id != self.shown_id:
            self.choices, self.stale = Choices(left_out=self.left_out_of.get(id, ())), ""
        self.shown_id = self.loading_id = id
        if self.nothing:
            self.view.show_words(lambda _cells, _rows: [])  # something waits: it is being planned
        self.nothing = False
        self.view.settle.lose()
        self._load(id, self.choices)
        if self.narrow and not self.reading and not self.model.marks and not self._browsing:
            self.read(True)
        self.main_screen.refresh_chrome()

    _browsing = False
    """On one side only: the person went back to the list, so moving in it does not open the preview."""

    def side_changed(self) -> None:
        self._browsing = not self.reading
        super().side_changed()

    def became_narrow(self) -> None:
        """The terminal has one side now: that of the item which is being looked at."""
        if self.view.preview is not None and self.main_screen.pane is self:
            self.read(True)

    def _load(self, id: str, choices: Choices) -> None:
        desk = self.desk
        if desk is None:
            return
        self.set_timer(0.3, lambda: self._say_planning(id))

        def load() -> Loaded:
            with self._previews:
                loaded = self.load_shown(desk, id, choices)
                return replace(loaded, laid=self.view.lay_ahead(loaded.preview))

        self.memtui.ask("preview", load, self._loaded_preview, failed=self._not_shown)

    def load_shown(self, desk: Desk, id: str, choices: Choices) -> Loaded:
        """An item, for as long as it is the one shown; in a thread. Raises Stopped."""
        return load_preview(desk, id, choices, unless(self.memtui, lambda: self.shown_id == id))

    def _say_planning(self, id: str) -> None:
        if self.loading_id == id:
            self.main_screen.message.show_hint((("planning…", "muted"),))

    def _loaded_preview(self, loaded: Loaded) -> None:
        if loaded.preview.item.id != self.shown_id:
            return
        self.loading_id = None
        self.main_screen.message.show_hint(())
        self.choices, self.background = loaded.choices, loaded.background
        self.model.unseen.discard(loaded.preview.item.id)
        self.main_screen.watched = (loaded.paths, loaded.signature)
        self.alike, self.looking, self.late_catalog = None, True, None
        self.view.show_preview(loaded.preview, loaded.laid)
        self.look_for_alike(loaded.preview)
        if self.reading:
            self.app.call_after_refresh(self.take_focus)
        elif self.narrow and not self._browsing and not self.model.marks:
            self.read(True)
        self.main_screen.refresh_chrome()

    def _not_shown(self, error: Exception) -> None:
        self.loading_id = None
        self.main_screen.message.show_hint(())
        id = self.shown_id
        if self.missing:
            self.show_words("Cannot be shown", "The spool is missing: it is read again once it is back.")
        elif type(error).__name__ == "Gone" and id is not None:
            self.model.decide(id, "gone")
            self.refill()
            self.vanished(id)
        else:
            self.show_words("Cannot be shown", said(error))

    def around_lines(self, preview: Preview, cells: int) -> tuple[Sequence[Line], Sequence[Line]]:
        """Header and footer of the preview."""
        around = Around(
            cells=cells,
            now=self.memtui.now(),
            position=self.model.position(preview.item.id),
            narrow=self.main_screen.narrow,
            stale=self.stale,
            choice=self.choices.choose or "",
            new_tags=self.choices.accept_new_tags,
            tags=self.choices.tags or (),
            draft=self.memtui.has_draft(preview.item.id),
            focused=self.lit,
            short=self.main_screen.short,
            background=self.background,
            alike=self.alike,
            looking=self.looking,
            catalog=self.late_catalog,
            left_out=left_out_text(preview),
        )
        return header_lines(preview, around), footer_lines(preview, around)

    def forget_shown(self) -> None:
        self.shown_id = self.loading_id = None
        self.stale = ""
        self.nothing = False
        self.main_screen.watched = ((), ())

    def show_nothing(self) -> None:
        """Nothing is waiting: the first launch, or all done; or the filter hides all that waits."""
        if self.hides_all:
            self.show_filtered_empty()
            return
        self.forget_shown()
        self.nothing = True
        app = self.memtui
        if app.workspace is None:
            return
        state = (self.never_used, self.decided_today, str(app.workspace.spool), app.demo)
        self.view.show_words(lambda cells, rows: empty_lines(cells, rows, *state))
        if self.narrow:
            self.read_empty()

    @property
    def hides_all(self) -> bool:
        """The filter lets nothing through that waits."""
        return bool(self.model.filter and self.model.waiting) and self.model.next_pending("") is None

    def read_empty(self) -> None:
        """On one side only: an empty list has nothing to show, so its words are shown."""
        self.add_class("-reading")
        if self.main_screen.pane is self and not self.main_screen.typing:
            self.main_screen.set_focus(self.rows)

    def counted(self, today: int, ever: bool) -> None:
        """How many decisions there were today, and whether there ever was a proposal."""
        if (today, not ever) != (self.decided_today, self.never_used):
            self.decided_today, self.never_used = today, not ever
            if self.nothing and self.view.preview is None and not self.trouble:
                self.show_nothing()

    def show_words(self, title: str, *sentences: str) -> None:
        self.view.show_words(lambda cells, _rows: words_lines(cells, title, *sentences))
        self.main_screen.refresh_chrome()

    def show_note_words(self, title: str, *sentences: str) -> None:
        self.forget_shown()
        self.show_words(title, *sentences)

    def show_filtered_empty(self) -> None:
        self.show_note_words("Nothing matches", f"{self.model.waiting} hidden by this filter · esc")

    def show_offer(self) -> None:
        app = self.memtui
        assert app.offer is not None
        directory = app.offer
        self.view.show_words(lambda cells, _rows: offer_lines(cells, directory))
        self.add_class("-reading")
        self.main_screen.refresh_chrome()

    def act_copy_command(self) -> None:
        """Nothing waiting: copy the command of the first launch. No workspace yet: make it."""
        app = self.memtui
        if app.workspace is None and app.offer is not None:
            directory = app.offer
            app.ask(
                "init",
                lambda: init(directory),
                self._made,
                failed=lambda error: self.main_screen.fail(said(error)),
            )
        elif self.never_used:
            app.copy_to_clipboard(COMMAND)
            self.main_screen.say(("copied the command", "muted"))

    def _made(self, workspace: Workspace) -> None:
        self.memtui.workspace, self.memtui.made = workspace, True
        self.remove_class("-reading")
        self.main_screen.start_desk()

    def show_trouble(self, sentence: str) -> None:
        self.trouble = True
        self.view.show_words(lambda cells, _rows: trouble_lines(cells, sentence))
        self.add_class("-reading")

    def show_refusal(self, refusal: Refusal) -> None:
        """Why it was refused, and what it said."""
        self.forget_shown()
        if refusal.text:
            self.view.show_text(refusal.text, lambda cells: refusal_lines(refusal, cells))
        else:
            self.view.show_words(lambda cells, _rows: refusal_lines(refusal, cells))
        self.main_screen.refresh_chrome()

    def _show_decided(self, id: str) -> None:
        fate = self.model.fates[id]
        if fate == "gone":
            self._show_gone(id)
            return
        item = self.model.items.get(id)
        self.show_words(
            {"ok": "Approved", "no": "Rejected"}[fate],
            item.headline if item is not None else "",
            "u takes it back" if id == self.last_decision else "",
        )

    def _show_gone(self, id: str) -> None:
        """What became of it, and where a draft of it goes on."""
        item = self.model.items.get(id)
        kept = "your draft is kept: e makes it a note of your own" if self.memtui.has_draft(id) else ""
        headline = "" if item is None else item.headline
        self.show_words("No longer waiting", headline, self._became.get(id, ""), kept, "J goes on")

    def vanished(self, id: str) -> None:
        """The item was withdrawn or decided elsewhere."""
        desk = self.desk
        if id != self.shown_id or self.busy or desk is None:
            return
        if id in self.model.items:
            self.memtui.left_over[id] = self.model.items[id].headline
        self._show_gone(id)

        def told(sentence: str) -> None:
            self._became[id] = sentence
            if id == self.shown_id and id in self.model.fates:
                self._show_gone(id)
                self.edited_is_gone(sentence)

        self.memtui.ask("vanished", lambda: what_became(desk, id), told)

    # --- looking again

    def rewritten(self, item: Item) -> None:
        """The desk's item is another than the one shown: where its agent rewrote it, look again at once."""
        shown = self.view.preview
        if shown is None or item.edited:  # another text of an edited one is the person's own
            return
        if shown.item.id == item.id and shown.item.proposal != item.proposal:
            self.recheck()

    def recheck(self) -> None:
        """The files under the preview changed: plan again, and say so in place where the plan is another."""
        id, desk, shown = self.shown_id, self.desk, self.view.preview
        if id is None or desk is None or shown is None or self.busy or self.loading_id is not None:
            return
        choices = self.choices

        def compare(loaded: Loaded) -> None:
            same = loaded.preview.plan.hash == shown.plan.hash
            if (
                self.shown_id == id
                and self.view.preview is shown
                and not (same and is_same_text(loaded, shown))
            ):
                self._changed(loaded, why_changed(loaded, shown))

        self.memtui.ask(
            "recheck",
            lambda: self.load_shown(desk, id, choices),
            compare,
            failed=lambda _error: None,
        )

    def _changed(self, loaded: Loaded, why: str) -> None:
        self.stale = f"{why} {time.strftime('%H:%M')}"
        self._loaded_preview(loaded)

    def act_seen(self) -> bool:
        """`enter` on a stale item: seen, and nothing else; elsewhere it means what it always does.

        Where room is short the page that was seen is turned: what was said of the sender stands in its place no more.
        """
        if not self.stale:
            return False
        if self.view.preview is not None and self.view.admit():
            on_disk = self.stale.startswith("changed on disk")
            turn = on_disk and self.main_screen.short and not self.view.end_seen
            self.stale = ""
            self.view.show_preview(self.view.preview)
            if turn:
                self.view.page(1)
        return True

    def disturbed(self) -> None:
        """Focus, size or window changed."""
        self.view.disturbed()
