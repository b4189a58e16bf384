"""The inbox: what waits on the left, what it would change on the right."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult
from textual.widget import Widget

from memtui.review.items import Item, Refusal
from memtui.tui.actions import DIFF, EDITOR, EMPTY, GLOBAL, INBOX, MOVE, SHEET, Action, named
from memtui.tui.empty import SCANNER_LOADS, UNREADABLE
from memtui.tui.footer import Hint
from memtui.tui.inbox_ahead import Ahead, take, take_ahead
from memtui.tui.inbox_model import InboxModel, InboxRow
from memtui.tui.inbox_rows import RowState, row_view
from memtui.tui.notify import arrival_text, notification
from memtui.tui.outside import safe
from memtui.tui.own_notes import OwnNotes
from memtui.tui.paint import Line
from memtui.tui.review_view import ReviewView
from memtui.tui.row_list import RowList, RowView
from memtui.tui.words import number, plural


class InboxPane(OwnNotes):
    """List and preview of the pending proposals."""

    pane = "inbox"
    place = INBOX

    def __init__(self) -> None:
        super().__init__()
        self.model = InboxModel()
        self.view = ReviewView(self.around_lines)
        self._said_instead = False
        """Words that there is nothing to read yet, or that it cannot be read, stand in the place of an item."""

    def compose_main(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.set_class(self.narrow, "-reading")  # of one side alone it is that of the item, from the start
        self.refresh_head()

    # --- rows

    def describe(self, row: InboxRow) -> RowView:
        app, model = self.memtui, self.model
        drafts = app.drafts | app.texts
        state = RowState(app.now(), self.rows.size.width, model.fates, model.marks, drafts, model.unseen)
        return row_view(row, state)

    def keeps_to_end(self, row: InboxRow) -> bool:
        return row.kind in ("problems", "refusal")

    # --- what the desk has

    def desk_ready(self) -> None:
        self.refresh_head()

    def take_ahead(self, items: Sequence[Item], refusals: Sequence[Refusal]) -> Ahead:
        """Lay out in a thread what `take` will show."""
        filling = not self.listed or self._filling
        return take_ahead(self.model, items, refusals, *((0, 0) if filling else self.rows.still))

    def take(self, ahead: Ahead, *, whole: bool = True) -> None:
        """What waits now: rows stay where they are, the selection stays on its item.

        Until the first `whole` list there is nothing that rows would be moved away from, unless the person has
        begun already.
        """
        if self._is_missing(ahead.refusals):
            return
        if not (whole or self.listed or ahead.items or ahead.refusals):
            return  # nothing was taken in so far: that is no empty inbox
        first = not self.listed or (self._filling and self._is_untouched())
        self.listed = True
        self._filling &= not whole
        known, held, shown = dict(self.model.items), list(self.model.held), self.shown_id
        arrived = take(self.model, ahead, *((0, 0) if first else self.rows.still))
        if shown and self.model.fates.get(shown) == "gone" and shown in known:
            self.vanished(shown)
        elif shown in known and shown in self.model.items:
            self.rewritten(self.model.items[shown])
        if first or arrived or self.model.looks_new or held != list(self.model.held):
            self.refill(drawn=not first and not self.model.looks_new)
            self.view.redraw_around()
        if arrived and not first:
            self._announce([self.model.known(id) for id in arrived])
        if self.bulk is None and not self.editing:
            if self.rows.current is None or self.nothing:
                self._select_first()
            elif self._said_instead:
                self.show_row()
        self._said_instead = False
        self.after_take()

    def _is_untouched(self) -> bool:
        """Whether the person has neither moved nor marked nor decided anything yet."""
        model = self.model
        return self.shown_id in (None, "", model.next_pending("")) and not (model.marks or model.fates)

    def _is_missing(self, refusals: Sequence[Refusal]) -> bool:
        """The whole spool is away: an error, and what was listed stays, since nobody withdrew it."""
        desk = self.desk
        alone = desk is not None and not desk.spools.several  # of several, one that is away holds up no other
        name = desk.workspace.spool.name if desk is not None and alone else ""
        gone = next((r for r in refusals if r.verdict == "unreadable" and r.file == name), None)
        if gone is None:
            if self.missing:
                self.missing = False
                self.main_screen.message.clear()
            return False
        if not self.missing:
            self.missing = True
            self.main_screen.fail(gone.problems[0].message)
        self._say_instead(UNREADABLE, gone.problems[0].message)
        return True

    def _say_instead(self, title: str, sentence: str) -> None:
        self._said_instead = True
        if self.view.preview is None:
            self.show_note_words(title, sentence)

    def say_loading(self, *, scanner: bool) -> None:
        """The first look takes a while; `scanner`: it waits for that one."""
        if not self.listed:
            self._say_instead("Looking at what waits …", SCANNER_LOADS if scanner else "")

    def not_taken_in(self, sentence: str) -> None:
        """Taking in failed: an error, and not an empty inbox. It is tried again every few seconds."""
        self.main_screen.fail(sentence)
        if not self.listed or self.nothing:
            self.listed = False
            self._say_instead(UNREADABLE, sentence)

    def _announce(self, arrived: Sequence[Item]) -> None:
        arrived = [item for item in arrived if item.id not in self.no_news]
        self.no_news.clear()
        if not arrived:
            return
        if self.main_screen.pane is not self:
            self.main_screen.tell(f"{plural(len(arrived), 'proposal')} arrived · gi inbox")
        settings = None if self.desk is None else self.desk.workspace.settings
        if settings is not None and settings.bell:
            self.app.bell()
        if settings is not None and settings.notify:
            text = arrival_text(len(arrived), [item.proposal.agent for item in arrived])
            self.memtui.write_terminal(notification(text, os.environ))

    def _select_first(self) -> None:
        """With nothing selected, the first that waits is drawn."""
        first = self.model.next_pending("")
        if first is not None:
            self.select(first)
        elif self.shown_id is None and not self._filling:
            self.show_nothing()

    def refill(self, key: str | None = None, *, drawn: bool = False) -> None:
        """Rows anew, the cursor on `key` (else where it was); `drawn`: those that stood look as they did."""
        rows = self.model.rows()
        current = self.rows.current
        key = key or (current.key if current is not None else None)
        index = next((i for i, row in enumerate(rows) if row.key == key), -1)
        if index < 0:
            near = range(min(max(self.rows.cursor, 0), len(rows) - 1), len(rows)) if rows else range(0)
            index = next((i for i in near if not self.describe(rows[i]).still), -1)
        self.rows.set_rows(rows, index, drawn=drawn)
        self.refresh_head()

    def refresh_head(self) -> None:
        model = self.model
        shown = sum(1 for id in model.shown_ids() if id not in model.fates) if model.filter else model.waiting
        if not self.listed:
            right: Line = ()
        elif model.filter:
            right = ((f"{number(shown)} of {number(model.waiting)}", "muted"),)
        elif model.stale:
            right = ((f"{number(model.waiting)} waiting · {number(model.stale)} stale", "muted"),)
        else:
            right = ((f"{number(model.waiting)} waiting" if model.waiting else "", "muted"),)
        left: Line = ((f"/{safe(model.filter)}" if model.filter else "Inbox", "title"),)
        self.head.set_head(left, right)
        self.memtui.show_title(f"memtui ({model.waiting})" if model.waiting else "memtui")
        if self.listed:
            self.main_screen.refresh_chrome()

    def top_counts(self) -> dict[str, Any]:
        """What the top line says of the inbox."""
        if not self.listed:
            return {}
        place, count = self.model.position(self.shown_id or "")
        waiting = count if place else self.model.waiting
        return {
            "waiting": self.model.waiting if not self.narrow else waiting,
            "position": place,
            "arrived": len(self.model.held),
        }

    # --- selection

    @property
    def current_id(self) -> str | None:
        """Id of the item under the cursor, None for another kind of row."""
        row = self.rows.current
        return row.item.id if isinstance(row, InboxRow) and row.item is not None else None

    def select(self, id: str) -> None:
        """Put the cursor on an item and show it."""
        rows = self.rows.rows
        index = next((i for i, row in enumerate(rows) if row.key == id), -1)
        if index >= 0:
            self.rows.go(index, notify=False)
            self.show_row()

    def come_back(self, id: str) -> None:
        if self.main_screen.pane is not self:
            self.main_screen.go(self.pane)
        if id in self.model.held:
            self.model.release()
            self.refill(id)
        if not any(row.key == id for row in self.rows.rows) and id in self.model.items:
            self.set_filter("")
        self.select(id)
        self.read(True)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        self.show_row()

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.act_into()

    def show_row(self) -> None:
        """Show what the cursor stands on."""
        row = self.rows.current
        if not isinstance(row, InboxRow):
            self.show_nothing()
        elif row.item is not None:
            self.show_item(row.item.id)
        elif row.refusal is not None:
            self.show_refusal(row.refusal)
        elif row.kind == "held":
            self.show_note_words(
                plural(row.count, "proposal") + " arrived meanwhile", "enter lets them into the list"
            )
        elif row.kind == "problems":
            self.show_note_words("Refused for the agents", "They were told why. enter opens the list.")

    # --- places and hints

    def main_focus(self) -> Widget | None:
        return self.view.diff if self.view.shows_diff else None

    def places(self) -> tuple[str, ...]:
        if self.editing:
            return (EDITOR,)
        if self.bulk is not None:
            return (SHEET, MOVE, GLOBAL)
        if self.shown_id is None and not self.model.waiting:
            return (EMPTY, INBOX, MOVE, GLOBAL)
        return (DIFF, INBOX, MOVE, GLOBAL) if self.reading else (INBOX, DIFF, MOVE, GLOBAL)

    def hints(self) -> list[Hint]:
        if self.editing:
            return self.editor_hints()
        if self.bulk is not None:
            return self.bulk_hints()
        if self.view.preview is not None:
            return self.decision_hints()
        if self.trouble:
            return self.hint_list("help", "quit")
        if self.memtui.workspace is not None and not self.listed:
            return self.hint_list("palette", "help", "quit")
        row = self.rows.current
        if isinstance(row, InboxRow) and row.kind in ("refusal", "problems", "held"):
            return self._row_hints(row)
        if self.memtui.workspace is None:
            return [
                self.hint("copy_command", "make .memtui/"),
                self.hint("back_or_quit", "leave"),
                self.hint("help"),
            ]
        undo = [self.hint("undo", where=INBOX)] if self.last_decision else []
        undo += [self.hint("edit", "make it a note")] if self.draft_is_left() else []
        if not self.model.waiting:
            copy = [self.hint("copy_command", "copy the command")] if self.never_used else []
            return [
                *undo,
                *copy,
                self.hint("new_note"),
                *self.hint_list("go_notes", "go_activity", "palette", "help", "quit"),
            ]
        return [*self.hint_list("next_item"), *undo, *self.hint_list("filter", "menu", "palette", "help")]

    def _row_hints(self, row: InboxRow) -> list[Hint]:
        """The footer on a row that is no proposal."""
        if row.kind == "refusal":
            mine = [Hint(named("discard"), "m D", "discard")]
            if row.refusal is not None and row.refusal.hits:
                mine.append(Hint(named("not_a_secret"), "m s", "not a secret"))
            side = self.hint("out") if self.reading else self.hint("into")
            return [*mine, side, *self.hint_list("next_item", "palette", "help")]
        word = "let them in" if row.kind == "held" else "close" if row.same else "open"
        return [self.hint("into", word), *self.hint_list("next_item", "filter", "palette", "help")]

    def show_side(self) -> None:
        super().show_side()
        if self.lit != (self.reading or self.narrow):
            self.lit = not self.lit
            self.view.redraw_around()

    def offers(self, action: Action) -> bool:
        item = self.view.preview is not None
        if action.where == INBOX:
            if action.id in ("approve_marked", "reject_marked"):
                return bool(self.model.marks)
            if action.id in ("discard", "not_a_secret"):
                row = self.rows.current
                refusal = row.refusal if isinstance(row, InboxRow) else None
                return refusal is not None and (action.id == "discard" or bool(refusal.hits))
            if (fits := self.fits(action.id)) is not None:
                return fits
            return item or action.id in ("undo", "order", "next_item", "previous_item", "mark_all")
        return (item or action.where != DIFF) and (action.id != "side_by_side" or self.sides_fit)

    def act_into(self) -> None:
        row = self.rows.current
        if isinstance(row, InboxRow) and not self.reading:
            if row.kind == "held":
                self.release()
                return
            if row.kind == "problems":
                self.model.unfolded = not self.model.unfolded
                self.refill()
                if self.model.unfolded:
                    self.rows.bring_down(len(self.model.refusals))
                return
        super().act_into()

    def release(self) -> None:
        """Let the arrivals in that waited behind `+2 new`; the cursor goes to the first of them."""
        new = next(iter(self.model.held), None)
        self.model.release()
        self.refill(new)
        self.show_row()

    def drafts_changed(self) -> None:
        self.rows.refresh()
        self.view.redraw_around()

    def step_back(self) -> bool:
        if self.bulk is not None:
            self.close_bulk()
        elif self.back_to_edit():
            pass
        elif self.reading and not self.hides_all:
            self.read(False)
        elif self.model.filter:
            self.set_filter("")
        elif self.model.marks:
            self.model.marks.clear()
            self.main_screen.message.clear()
            self.refill()
        else:
            return False
        return True

    # --- moving

    def act_next_item(self) -> None:
        self._step(1)

    def act_previous_item(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        other = self.model.next_pending(self.current_id or "", step)
        if other is not None:
            self.select(other)

    # --- leaving and coming back

    def left(self) -> None:
        self.model.leave()
        if self.shown_id is not None and self.shown_id not in self.model.items:
            self.forget_shown()
        self.refill()

    def entered(self) -> None:
        self.refill()
        if self.shown_id is None:
            self._select_first()
        else:
            self.recheck()
        self.disturbed()
