"""A proposal went away while it was edited: its draft goes on as a note of the person's own."""

from __future__ import annotations

from functools import partial

from memtui.tui.form import Form
from memtui.tui.left_over import own_form
from memtui.tui.outside import safe
from memtui.tui.sorting import Sorting


class OwnNotes(Sorting):
    """The part of the inbox that keeps such drafts within reach."""

    def _left(self) -> dict[str, str]:
        """The headlines of proposals that are gone and have a draft, by id."""
        gone = self.memtui.left_over.items()
        return {
            id: headline
            for id, headline in gone
            if self.memtui.has_draft(id) and (id not in self.model.items or id in self.model.fates)
        }

    def draft_is_left(self) -> bool:
        """Whether what is shown is a proposal that is gone, and has a draft."""
        return self.shown_id is not None and self.shown_id in self._left()

    def stands_on(self, key: str) -> bool:
        return self.shown_id == key

    def fits(self, id: str) -> bool | None:
        return bool(self._left()) if id == "own_note" else super().fits(id)

    def act_edit(self) -> None:
        """`e` on a proposal that is gone goes on with its draft."""
        if self.draft_is_left():
            self.act_own_note()
        else:
            super().act_edit()

    def act_own_note(self) -> None:
        """`m w`: the draft of what is shown, else of the one there is, else one is chosen."""
        left = self._left()
        ids = [self.shown_id] if self.shown_id in left else list(left)
        if len(ids) == 1:
            self._go_on(ids[0])
        elif ids:
            from memtui.tui.sheets import PickSheet

            choices = [(safe(left[id]), id) for id in left]
            self.app.push_screen(PickSheet("Drafts of proposals that are gone", choices), self._go_on)

    def _go_on(self, id: str | None) -> None:
        desk = self.desk
        if id is None or desk is None:
            return
        headline = self.memtui.left_over[id]
        self.memtui.ask("draft", lambda: own_form(desk, id, headline), self._write_own)

    def _write_own(self, form: Form) -> None:
        screen = self.main_screen
        self.memtui.texts.discard(form.key)
        self.memtui.drafts.add(form.key)
        screen.go("notes")
        screen.soon(partial(screen.write_own, form))
