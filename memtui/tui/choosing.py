"""What the person picks besides yes: the choice of a contradiction, tags, the note that supersedes an entry."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.proposals.context import Choices
from memtui.proposals.model import Supersede
from memtui.review.items import NoteRow
from memtui.safe_text import width
from memtui.tui.editing import Editing
from memtui.tui.form import with_field
from memtui.tui.merging import text_of
from memtui.tui.undoing import Undoing

if TYPE_CHECKING:
    from memtui.tui.diff_around import AroundLines


class Choosing(Editing, Undoing):
    """The part of the inbox that picks."""

    def fits(self, id: str) -> bool | None:
        """Whether an action that not every item offers fits the one shown; None for any other action."""
        shown = self.view.preview
        if id == "forget_draft":
            return shown is not None and self.memtui.has_draft(shown.item.id)
        if id == "merge":
            return shown is not None and shown.item.sign == "+" and bool(text_of(shown.item.proposal).strip())
        if id == "successor":
            return shown is not None and isinstance(shown.item.proposal, Supersede)
        if id == "approve_keeping":
            return shown is not None and any(notice.kind == "secret" for notice in shown.plan.notices)
        if id == "choose":
            return shown is not None and bool(shown.plan.choices)
        if id == "pick_tags":
            return shown is not None and "tags" in shown.plan.wants
        return None

    def act_merge(self) -> None:
        """`m g`: the text of a new note goes into one that is there, those that it is like first."""
        desk, preview = self.desk, self.view.preview
        if desk is None or preview is None or not self.fits("merge"):
            return
        if self.busy or self.loading_id is not None or preview.item.id in self.model.fates:
            return
        item, alike = preview.item, [like.key for like in self.alike or () if not like.pending]

        def choose(listed: tuple[NoteRow, ...]) -> None:
            from memtui.tui.note_picker import NoteSheet

            self.app.push_screen(NoteSheet("Merge into", listed), chosen)

        def chosen(path: str | None) -> None:
            self.disturbed()
            if path is not None:
                self.main_screen.merge_into(path, item)

        def listed() -> tuple[NoteRow, ...]:
            from memtui.tui.note_picker import candidates

            return candidates(desk.notes(), item.target, alike)

        self.memtui.ask("candidates", listed, choose, opens=True)

    def act_successor(self) -> None:
        """`m s` on what supersedes an entry: by which note, if by any."""
        desk, preview = self.desk, self.view.preview
        if desk is None or preview is None or not isinstance(preview.item.proposal, Supersede):
            return
        if self.busy or self.loading_id is not None or preview.item.id in self.model.fates:
            return
        item, text = preview.item, preview.text

        def choose(listed: tuple[NoteRow, ...]) -> None:
            from memtui.tui.note_picker import NoteSheet

            self.app.push_screen(NoteSheet("Superseded by", listed, "no note: nothing follows it"), chosen)

        def chosen(path: str | None) -> None:
            self.disturbed()
            if path is not None:
                form = with_field(text, "successor", path)
                self.memtui.ask("plan", lambda: desk.edit(item.id, form), self._planned)

        def listed() -> tuple[NoteRow, ...]:
            from memtui.tui.note_picker import candidates

            return candidates(desk.notes(), item.target)

        self.memtui.ask("candidates", listed, choose, opens=True)

    def act_choose(self) -> None:
        """The next choice of a contradiction."""
        preview = self.view.preview
        if preview is None or self.busy or self.shown_id is None:
            return
        names = preview.plan.choices
        if not names:
            self.main_screen.say(
                ("nothing to choose here: ", "muted"), ("v", "bold"), (" is for a contradiction", "muted")
            )
            return
        now = names.index(self.choices.choose) if self.choices.choose in names else -1
        self.pick_choice(names[(now + 1) % len(names)])

    def pick_choice(self, name: str) -> None:
        """One of a contradiction's choices, by `v` or a click: what it would write is shown anew."""
        if self.busy or self.shown_id is None:
            return
        self.choices = Choices(name)
        self.view.settle.lose()
        self.loading_id = self.shown_id
        self._load(self.shown_id, self.choices)

    def on_around_lines_clicked(self, message: AroundLines.Clicked) -> None:
        """A click on one of the choices."""
        shown, at = self.view.preview, 0
        if shown is None or not shown.plan.choices or not isinstance(message.line, tuple):
            return
        for text, _ in message.line:
            at += width(text)
            if message.x < at:
                if (name := text.strip(" []")) in shown.plan.choices:
                    self.pick_choice(name)
                return

    def act_pick_tags(self) -> None:
        """A small sheet of tags to pick from."""
        from memtui.tui.sheets import TagSheet

        preview = self.view.preview
        if preview is None or not preview.plan.suggested_tags:
            self.main_screen.fail("no tags are suggested: e edits the proposal's own")
            return

        def picked(tags: tuple[str, ...] | None) -> None:
            self.disturbed()
            if tags and self.shown_id is not None:
                self.choices = replace(self.choices, tags=tags, accept_new_tags=False)
                self.view.settle.lose()
                self.loading_id = self.shown_id
                self._load(self.shown_id, self.choices)

        self.app.push_screen(TagSheet(preview.plan.suggested_tags), picked)
