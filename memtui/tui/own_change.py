"""A change of the person's own: the same diff as an agent's, approved by `a`, back to the text by `esc`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.failing import said
from memtui.proposals.context import Choices
from memtui.proposals.model import Json
from memtui.review.items import Outcome, Preview
from memtui.review.planning import Wanted
from memtui.safe_text import safe
from memtui.tui.editing import Editing
from memtui.tui.footer import Hint
from memtui.tui.form import Shown
from memtui.tui.merging import Joined
from memtui.tui.paint import Line
from memtui.tui.prompt import Question, word_to_type
from memtui.tui.proposal_lines import Around, footer_lines, header_lines


class OwnChange(Editing):
    """The part of a pane that plans, shows and writes what the person wants changed."""

    own: Preview | None = None
    """The change that is being looked at."""
    _writing = False

    def own_done(self, preview: Preview) -> None:
        """The change was written."""
        raise NotImplementedError

    def around_lines(self, preview: Preview, cells: int) -> tuple[Sequence[Line], Sequence[Line]]:
        around = Around(
            cells,
            self.memtui.now(),
            narrow=self.main_screen.narrow,
            new_tags=bool(preview.plan.new_tags),
            short=self.main_screen.short,
            own=True,
        )
        return header_lines(preview, around), footer_lines(preview, around)

    # --- showing

    def propose(self, fields: Mapping[str, Json]) -> None:
        """Plan a change and show it."""
        desk = self.desk
        if desk is not None:
            self.memtui.ask("plan", lambda: desk.compose(fields), self._planned)

    def edited(self, preview: Preview) -> None:
        self.own = preview
        self.view.show_preview(preview)
        self.set_class(True, "-reading")
        self.app.call_after_refresh(self.take_focus)
        self.main_screen.refresh_chrome()

    def own_hints(self) -> list[Hint]:
        view, dead = self.view, not self.view.settled or self._writing
        label = "write it" if view.end_seen else view.read_on
        back = "back to the text" if self.form is not None else "back"
        hints = [self.hint("approve_own", label, dim=dead), self.hint("back_to_text", back)]
        return [
            *hints,
            self.hint("next_change", "change", key="n p"),
            *(self.hint_list("side_by_side") if self.sides_fit else []),
            *self.hint_list("palette", "help"),
        ]

    def act_back_to_text(self) -> None:
        """Not written: back to the form with its draft, or to the note."""
        own, desk, form = self.own, self.desk, self.form
        self.own, self._whole = None, ""
        if own is not None and desk is not None:
            ids = [one.item.id for one in _each(own)]

            def discard() -> None:
                for id in ids:
                    desk.discard(id)

            self.memtui.ask("discard", discard, lambda _none: None, exclusive=False)
        if form is not None:
            self.open_form(form)
        else:
            self.editor_closed()

    # --- writing

    def act_approve_own(self) -> None:
        own, view = self.own, self.view
        if own is None or self._writing:
            return
        if not view.end_seen:
            if view.settle.once or view.settled:
                view.go_on()
            return
        if view.admit():
            if own.plan.wants:
                self.main_screen.fail(_wanted(own.plan.wants[0]))
            elif isinstance(own, Joined) and own.deleted:
                self._ask_word(own)
            else:
                self._write(own)

    def _ask_word(self, own: Joined) -> None:
        """What deletes a note too wants its word typed (SCREENS, Keys)."""
        word = word_to_type(own.deleted) or word_to_type(own.others[-1].item.target)

        def submit(text: str) -> str | None:
            if text.strip().casefold() != word.casefold():
                return "not that word"
            self._write(own)
            return None

        self.main_screen.question(
            Question(f"type {word} to merge and delete it", submit, verb="write", short=f"type {word}")
        )

    def _write(self, own: Preview, word: str = "wrote") -> None:
        desk = self.desk
        if desk is None:
            return
        self._writing = True
        self.main_screen.decisions += 1
        wanted = [
            Wanted(one.item.id, one.plan.hash, Choices(accept_new_tags=bool(one.plan.new_tags)))
            for one in _each(own)
        ]

        def work() -> Outcome:
            outcomes = desk.approve_together(wanted)
            return next((outcome for outcome in outcomes if not outcome.ok), outcomes[0])

        self.memtui.ask(
            "decide",
            work,
            lambda outcome: self._written(own, outcome, word),
            failed=self._failed,
            exclusive=False,
        )

    def _failed(self, error: Exception) -> None:
        self._writing = False
        self.main_screen.fail(f"nothing was written: {said(error)}")

    def _written(self, own: Preview, outcome: Outcome, word: str) -> None:
        self._writing = False
        self.main_screen.decided()
        if outcome.ok:
            self.own = None
            self.drop_draft()
            self.main_screen.inbox.last_decision = own.item.id
            self.main_screen.inbox.last_record = outcome.record
            self.main_screen.say((f"{word} {safe(own.item.headline)}", ""), undo=outcome.record is not None)
            self.read(False)
            self.own_done(own)
        elif outcome.changed:
            self.main_screen.fail("the note changed on disk meanwhile: nothing was written")
            self.act_back_to_text()
        else:
            self.main_screen.fail(outcome.message)

    def delete(self, fields: Mapping[str, Json]) -> None:
        """A deletion whose word was typed in full: that was the yes, so it is planned and written at once."""
        desk = self.desk
        if desk is not None:
            self.memtui.ask("plan", lambda: desk.compose(fields), self._delete_planned)

    def _delete_planned(self, shown: Shown) -> None:
        if isinstance(shown, Preview):
            self._write(shown, "deleted")
        else:
            self._planned(shown)

    # --- undo

    def act_undo(self) -> None:
        desk = self.desk
        if desk is None or self._writing:
            return
        self._writing = True
        self.main_screen.decisions += 1
        self.memtui.ask("decide", desk.undo, self._undone, failed=self._failed, exclusive=False)

    def _undone(self, outcome: Outcome) -> None:
        self._writing = False
        if outcome.ok:
            self.main_screen.inbox.taken_back(outcome.id)
        self.main_screen.decided()
        if outcome.ok:
            self.main_screen.say((safe(outcome.message), ""))
            self.own_done_undo()
        else:
            self.main_screen.fail(outcome.message)

    def own_done_undo(self) -> None:
        """A decision was taken back: what is listed follows."""
        self.main_screen.pane.entered()


def _each(own: Preview) -> tuple[Preview, ...]:
    """The changes that one look is about, in their order."""
    return (own, *own.others) if isinstance(own, Joined) else (own,)


def _wanted(want: str) -> str:
    return {
        "tags": "2 to 5 tags are wanted",
        "new_tags": "it has tags that the dictionary does not know",
    }.get(want, want)
