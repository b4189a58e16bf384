"""Deciding on the item in the preview: approve, reject, undo, choose; only once it has settled."""

from __future__ import annotations

import re

from memtui.proposals.context import NO_CHOICES
from memtui.proposals.model import Delete
from memtui.review.items import Outcome, Preview, Refusal
from memtui.review.planning import Wanted
from memtui.tui.choosing import Choosing
from memtui.tui.footer import Hint
from memtui.tui.form import proposal_form
from memtui.tui.loading import why_changed
from memtui.tui.outside import safe, safe_lines
from memtui.tui.prompt import Question, word_to_type
from memtui.tui.words import REASONS


class Deciding(Choosing):
    """The part of the inbox that decides on the item shown."""

    # --- deciding

    def ready(self) -> Preview | None:
        """The preview to decide on, where a decision key counts now; a key that doesn't restarts the time."""
        preview = self.view.preview
        if self.hidden:
            self.read(True)
            return None
        if self.busy or self.loading_id is not None or preview is None or preview.item.id in self.model.fates:
            self.view.admit()
            return None
        return preview if self.view.admit() else None

    def act_approve(self) -> None:
        shown = self.view.preview
        # What cannot be approved as it is needs no reading to its end first.
        if (shown is None or not (shown.plan.problems or "tags" in shown.plan.wants)) and self._pages():
            return
        preview = self.ready()
        if preview is None or self.stale:
            return
        plan = preview.plan
        if plan.problems:
            self.main_screen.fail(f"cannot be approved: {plan.problems[0].message}", about=preview.item.id)
        elif "tags" in plan.wants:
            self.act_pick_tags()
        elif self._says_draft(preview):
            return
        elif isinstance(preview.item.proposal, Delete):
            self._ask_word(preview)
        else:
            self._approve(preview)

    _told_draft = ""
    """The item of which was said that a draft waits."""

    def _says_draft(self, preview: Preview) -> bool:
        """An unfinished edit is not passed over unseen: the first `a` says that it waits."""
        id = preview.item.id
        if not self.memtui.has_draft(id) or self._told_draft == id:
            return False
        self._told_draft = id
        text = "your edited text" if preview.item.edited else "the agent's text"
        key = "e" if id in self.memtui.drafts else "E"
        words = f"a draft of yours waits: {key} opens it, a again approves {text}"
        self.main_screen.fail(words, about=id)
        return True

    def _pages(self) -> bool:
        """`a` reads on until all that counts was on screen; the first page waits for the settle time too."""
        if self.view.preview is None or self.view.end_seen or self.stale or self.hidden:
            return False
        if self.view.settle.once or self.view.settled:
            self.view.go_on()
            return True
        return False

    def _ask_word(self, preview: Preview) -> None:
        """A delete wants the first word of the title typed (SCREENS, Keys)."""
        word = word_to_type(preview.item.headline) or word_to_type(preview.item.target)

        def check(text: str) -> str | None:
            if text.strip().casefold() != word.casefold():
                return "not that word"
            self._approve(preview)
            return None

        self.main_screen.question(
            Question(f"type {word} to delete", check, verb="delete", short=f"type {word}")
        )

    def _approve(self, preview: Preview, note: str = "", *, keep_old: bool = False) -> None:
        desk, id, choices = self.desk, preview.item.id, self.choices
        if desk is None:
            return

        def work() -> Outcome:
            return desk.approve_together([Wanted(id, preview.plan.hash, choices, keep_old)], note=note)[0]

        self._decide(work, lambda outcome: self._decided(id, outcome, "ok"))

    def _decided(self, id: str, outcome: Outcome, fate: str) -> None:
        if outcome.ok:
            self.last_decision = id if outcome.record is not None else None
            self.last_record = outcome.record
            self.together = ()
            self.model.decide(id, "ok" if fate == "ok" else "no")
            if id in self.left_out_of:
                self.keep_left_out(id)
            self.main_screen.say((safe(outcome.message), ""), undo=outcome.record is not None)
            self.step_on(id)
        elif outcome.changed:
            self._look_again(id)
        else:
            self.main_screen.fail(outcome.message)
        self.main_screen.decided()

    def step_on(self, id: str) -> None:
        """The decided row stays where it is; the cursor goes to the next that waits."""
        self.refill()
        following = self.model.next_pending(id)
        if following is not None:
            self.select(following)
        else:
            self.forget_shown()
            self.show_nothing()
        self.refresh_head()

    def _look_again(self, id: str) -> None:
        """The plan is not the one that was shown: nothing was written, the new one is shown."""
        desk, choices = self.desk, self.choices
        if desk is not None and id == self.shown_id:
            shown = self.view.preview
            self.memtui.ask(
                "preview",
                lambda: self.load_shown(desk, id, choices),
                lambda loaded: self._changed(loaded, why_changed(loaded, shown)),
                failed=self._not_shown,
            )

    def act_reject(self) -> None:
        preview = self.ready()
        if preview is None or self.desk is None:
            return
        desk, id = self.desk, preview.item.id

        def submit(reason: str) -> None:
            self._decide(
                lambda: desk.reject(id, reason.strip()), lambda outcome: self._decided(id, outcome, "no")
            )

        self.main_screen.question(
            Question("reject, because", submit, picks=REASONS, verb="reject", short="because")
        )

    def approvable(self) -> Preview | None:
        """The preview that an entry of the menu approves; where it does not, that is said and keys are dropped.

        A person who goes on typing, as into a line that did not open, must not decide by it.
        """
        preview = self.ready()
        if preview is None or (preview.plan.ready and self.view.end_seen and not self.stale):
            return preview
        if self.stale:
            why = "it has changed: enter says that you have seen it"
        elif preview.plan.problems:
            why = f"cannot be approved: {preview.plan.problems[0].message}"
        elif preview.plan.wants:
            why = "cannot be approved so: its tags are to be picked first"
        else:
            why = "see all of it first: a goes to what was not on the screen"
        self.main_screen.fail(why, about=preview.item.id)
        self.key_dropped()
        return None

    def act_approve_note(self) -> None:
        preview = self.approvable()
        if preview is None:
            return
        if isinstance(preview.item.proposal, Delete):
            self._ask_word(preview)
            return
        self.main_screen.question(
            Question("private note", lambda text: self._approve(preview, text.strip()), verb="approve")
        )

    # --- editing

    def act_edit(self) -> None:
        """The proposal's fields and body, here."""
        preview = self.view.preview
        if not self.hidden or preview is None or self.loading_id is not None or self._is_over(preview):
            preview = self.ready()
        if preview is not None:
            self.open_form(proposal_form(preview))

    def _is_over(self, preview: Preview) -> bool:
        """It is not the item under the cursor, or nothing is to be decided on it at the moment."""
        return self.busy or preview.item.id != self.shown_id or preview.item.id in self.model.fates

    def act_editor(self) -> None:
        """Its `.md` form in `$EDITOR`."""
        preview = self.ready()
        if preview is not None:
            self.edit_whole(proposal_form(preview))

    def act_forget_draft(self) -> None:
        """`m x`: what was edited of the item shown and not planned is forgotten."""
        if self.shown_id is not None and self.memtui.has_draft(self.shown_id):
            self.forget_drafts(self.shown_id)

    _edited_now = ""
    """The item whose edited form is looked at: `esc` goes back to its text."""

    def back_to_edit(self) -> bool:
        """`esc` on the change that an edit makes: back to the text. False where no edit was just shown."""
        id, self._edited_now = self._edited_now, ""
        preview = self.view.preview
        if (
            not id
            or id != self.shown_id
            or preview is None
            or preview.item.id != id
            or id in self.model.fates
        ):
            return False
        self.open_form(proposal_form(preview))
        return True

    def unchanged(self) -> bool:
        preview = self.view.preview
        if (
            preview is None
            or self.form is None
            or preview.item.id != self.form.key
            or not preview.item.edited
        ):
            return False
        self._close()
        self.edited(preview)
        return True

    def edited(self, preview: Preview) -> None:
        """The edited form is the item's form now: shown again, approved by another key."""
        self._edited_now = preview.item.id
        self.drop_draft()
        if self.left_out_of.pop(preview.item.id, None):
            self.keep_left_out(preview.item.id)
        self.choices, self.stale = NO_CHOICES, ""
        self.show_item(preview.item.id)
        self.read(True)

    def editor_closed(self) -> None:
        if self.shown_id is not None:
            self.show_item(self.shown_id)
        self.app.call_after_refresh(self.take_focus)

    # --- hints

    def decision_hints(self) -> list[Hint]:
        """The footer of an item: dim until it has settled."""
        view, stale = self.view, bool(self.stale)
        if self.hidden:
            count = len(self.model.marks)
            marked = [self.hint("approve_marked", f"approve {count}")] if count else []
            return [
                *marked,
                *self.hint_list("into", "next_item", "filter", "mark", "menu", "palette", "help"),
            ]
        dead = not view.settled or self.busy or self.loading_id is not None
        hints: list[Hint] = []
        if stale:
            hints.append(self.hint("seen", dim=dead))
        elif view.preview is not None and "tags" in view.preview.plan.wants:
            hints.append(self.hint("approve", "pick tags", dim=dead))
        elif view.preview is not None and view.preview.plan.problems:
            pass  # nothing to approve: edit it, or reject it
        elif view.unread:
            hints.append(self.hint("approve", view.read_on, dim=dead))
        else:
            hints.append(self.hint("approve", dim=dead or not _can(view.preview)))
        if view.preview is not None and view.preview.plan.choices:
            hints.append(self.hint("choose"))
        hints += [
            self.hint("edit", dim=dead),
            self.hint("reject", dim=dead),
            self.hint("next_item", where="inbox"),
        ]
        if self.last_decision:
            hints.append(self.hint("undo", where="inbox"))
        if self.model.marks:
            hints.append(self.hint("approve_marked", f"approve {len(self.model.marks)} marked"))
        if self.reading or self.narrow:
            hints.append(self.hint("next_change", "change", key="n p"))
            hints += self.hint_list("side_by_side") if self.sides_fit else []
            hints += self.hint_list("out")
        else:
            hints += self.hint_list(*(() if stale else ("into",)), "mark", "filter")
        return [*hints, *self.hint_list("palette", "help")]

    # --- copies and details

    def act_copy_id(self) -> None:
        if self.shown_id is not None:
            self.app.copy_to_clipboard(self.shown_id)
            self.main_screen.say(("copied ", "muted"), (safe(self.shown_id), ""))

    def act_details(self) -> None:
        from memtui.tui.sheets import TextSheet

        preview = self.view.preview
        if preview is not None:
            text = f"id {preview.item.id}\nplan {preview.plan.hash}\ntarget {preview.item.target}\n\n{preview.text}"
            self.app.push_screen(TextSheet("Details", safe_lines(text)), lambda _result: self.disturbed())

    def act_discard(self) -> None:
        row = self.rows.current
        refusal: Refusal | None = getattr(row, "refusal", None)
        desk = self.desk
        if refusal is None or desk is None:
            return
        found = re.search(r"\w+", refusal.file or refusal.id)
        word = found[0] if found else "discard"

        def check(text: str) -> str | None:
            if text.strip().casefold() != word.casefold():
                return "not that word"
            self._decide(lambda: desk.dismiss(refusal.id), self._dismissed)
            return None

        self.main_screen.question(
            Question(f"type {word} to discard", check, verb="discard", short=f"type {word}")
        )

    def _dismissed(self, outcome: Outcome) -> None:
        if outcome.ok:
            self.main_screen.say((safe(outcome.message), ""))
        else:
            self.main_screen.fail(outcome.message)
        self.main_screen.decided()


def _can(preview: Preview | None) -> bool:
    return preview is not None and preview.plan.ready
