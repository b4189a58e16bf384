"""What `m` does with a note: rename, supersede, merge, its log, delete; each is a change that is shown first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from memtui.failing import said
from memtui.proposals.model import Json
from memtui.review.items import Item, NoteRow, NoteView, Outcome, Preview
from memtui.tui.following import Following
from memtui.tui.form import Form
from memtui.tui.merging import Joined, merge_form, merge_proposal_form
from memtui.tui.note_picker import NoteSheet, candidates
from memtui.tui.outside import clip, safe, safe_lines
from memtui.tui.prompt import Question, word_to_type

NAMED = 30
"""Cells of a path at most, before a line to type in."""


class Curating(Following):
    """The part of the notes that changes more than their text."""

    def act_log(self) -> None:
        from memtui.tui.sheets import TextSheet

        if self.shown is not None:
            lines = "\n".join(self.shown.log) or "no change log"
            self.app.push_screen(TextSheet("Change log", safe_lines(lines)))

    def act_rename(self) -> None:
        if self.shown is None:
            return
        path = self.shown.row.path

        def submit(new: str) -> str | None:
            if new.strip() in ("", path):
                return "type another path"
            self.propose(
                {"operation": "rename", "path": path, "new_path": new.strip(), "reason": "renamed by hand"}
            )
            return None

        self.main_screen.question(Question("new path", submit, value=path, verb="show the change"))

    # --- supersede and merge: by another note

    def _choose_note(self, title: str, path: str, then: Callable[[str], None], *, nothing: str = "") -> None:
        """Ask for one of the other notes; those that read like the one at `path` come first."""
        notes = self.model.notes

        def choose(listed: Sequence[NoteRow]) -> None:
            def chosen(other: str | None) -> None:
                if other is not None:
                    then(other)

            self.app.push_screen(NoteSheet(title, listed, nothing), chosen)

        self.memtui.ask("candidates", lambda: candidates(notes, path), choose, opens=True)

    def act_supersede(self) -> None:
        """`m s`: by which note, if by any, and why."""
        if self.shown is None or self.shown.row.kind != "entry":
            return
        path = self.shown.row.path
        ask = partial(self._ask_why_superseded, path)
        self._choose_note("Superseded by", path, ask, nothing="no note: it is past, and nothing follows it")

    def _ask_why_superseded(self, path: str, successor: str) -> None:
        def submit(reason: str) -> str | None:
            if not reason.strip():
                return "a reason is wanted"
            wanted: dict[str, Json] = {"operation": "supersede", "filename": path, "reason": reason.strip()}
            self.propose({**wanted, "successor": successor} if successor else wanted)
            return None

        by = f" by {clip(safe(successor), NAMED)}" if successor else ""
        self.main_screen.question(
            Question(f"superseded{by}, because", submit, verb="show the change", short="because")
        )

    def act_merge(self) -> None:
        """`m g`: the text of this note below that of another, to edit; this one is superseded or deleted."""
        if self.shown is None or self.shown.text is None:
            return
        note = self.shown
        self._choose_note("Merge into", note.row.path, partial(self._merge, note))

    def _merge(self, note: NoteView, other: str) -> None:
        self._open_merge(other, lambda into: merge_form(note, into))

    def merge_proposal(self, path: str, item: Item) -> None:
        self._open_merge(path, lambda into: merge_proposal_form(item, into))

    def _open_merge(self, path: str, form: Callable[[NoteView], Form]) -> None:
        desk = self.desk
        if desk is None:
            return

        def opened(into: NoteView) -> None:
            if into.text is None:
                self.main_screen.fail(f"{path} is not UTF-8: nothing here can edit it without a loss")
            else:
                self.open_form(form(into))

        def failed(error: Exception) -> None:
            self.main_screen.fail(said(error))

        self.memtui.ask("merge", lambda: desk.note(path), opened, failed=failed, opens=True)

    def answer_merged(self, own: Preview, back: str) -> None:
        """The text of a proposal stands in a note now: its agent is told where, and one `u` takes back both."""
        desk, inbox = self.desk, self.main_screen.inbox
        if desk is None or not isinstance(own, Joined) or not own.answers:
            return
        id, path, written = own.answers, own.item.target, inbox.last_record

        def answered(outcome: Outcome) -> None:
            if not outcome.ok:
                self.main_screen.fail(
                    f"merged into {path}, but its proposal is not answered: {outcome.message}"
                )
            elif written is not None and outcome.record is not None:
                inbox.decided_together(id, (written, outcome.record))
                self.main_screen.say((f"merged into {safe(path)}", ""), undo=True)
            self.main_screen.decided()

        self.main_screen.decisions += 1
        self.memtui.ask("decide", lambda: desk.reject(id, f"merged into {path}"), answered, exclusive=False)
        if back:
            self.main_screen.go(back)

    # --- delete

    def act_delete_note(self) -> None:
        """`m D`: the first word of the title and enter; `u` takes it back."""
        if self.shown is None:
            return
        row = self.shown.row
        word = word_to_type(row.headline) or word_to_type(row.path)

        def submit(text: str) -> str | None:
            if text.strip().casefold() != word.casefold():
                return "not that word"
            wanted = {"operation": "delete", "filename": row.path, "reason": "deleted by hand"}
            self.delete({**wanted, "user_command": f"typed {text.strip()} to delete it"})
            return None

        self.main_screen.question(
            Question(f"type {word} to delete", submit, verb="delete", short=f"type {word}")
        )
