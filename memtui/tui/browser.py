"""The notes: a list under folders that fold, a search, the note itself, and every change through the same review."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial

from textual.app import ComposeResult
from textual.widget import Widget

from memtui.failing import said
from memtui.proposals.model import Rename
from memtui.review.items import NoteRow, NoteView, Preview
from memtui.tui.actions import DIFF, EDITOR, GLOBAL, MOVE, NOTES, OWN, Action
from memtui.tui.curating import Curating
from memtui.tui.empty import words_lines
from memtui.tui.footer import Hint
from memtui.tui.form import new_entry_form, new_note_form, note_form
from memtui.tui.note_links import load_note
from memtui.tui.notes_model import Folder, NotesRow, key_of, written
from memtui.tui.outside import safe
from memtui.tui.paint import Line, spread
from memtui.tui.prompt import FILTER, Question
from memtui.tui.review_view import ReviewView
from memtui.tui.row_list import RowList, RowView
from memtui.tui.words import age, plural


class NotesPane(Curating):
    """Browse, search, edit."""

    pane = "notes"
    place = NOTES

    def __init__(self) -> None:
        super().__init__()
        self.view = ReviewView(self.around_lines)
        self._drawn: tuple[NoteView, bool] | None = None
        self.listed = False

    def compose_main(self) -> ComposeResult:
        yield self.view

    # --- rows

    def describe(self, row: NotesRow) -> RowView:
        if isinstance(row, Folder):
            return RowView(
                ((f"{safe(row.path)}/", "muted"),), sign="▸" if row.folded else "▾", right=str(row.count)
            )
        nested = "" if self.model.filter or self.model.found is not None or "/" not in row.path else "  "
        dim = row.status == "deprecated"
        right = age(max(0.0, self.memtui.now() - written(row)))
        text: Line = ((nested + safe(row.headline or row.path), ""),)
        badge: Line = (("draft", "accent"),) if self.memtui.has_draft(row.path) else ()
        return RowView(text, sign="×" if dim else None, badge=badge, right=right, dim=dim)

    def entered(self) -> None:
        self.reload()

    def notes_changed(self) -> None:
        self.check_still()
        if self.main_screen.pane is self:
            self.reload()

    def drafts_changed(self) -> None:
        self.rows.refresh()
        self.view.redraw_around()

    def reload(self) -> None:
        """The notes as they are on the disk now, and what was searched for among them."""
        desk, query = self.desk, self.model.query
        if desk is not None:
            self.memtui.ask(
                "notes",
                lambda: (desk.notes(), desk.search(query) if query else None),
                partial(self._got, query),
            )

    def _got(self, query: str, got: tuple[tuple[NoteRow, ...], tuple[NoteRow, ...] | None]) -> None:
        self.model.notes, found = got
        if query == self.model.query:  # else another search was begun meanwhile
            self.model.found = found
        self.listed = True
        self.refill()

    def refill(self) -> None:
        rows = self.model.rows(self.memtui.now())
        current = self.rows.current
        key = self._wanted or ("" if current is None else key_of(current))
        index = next((i for i, row in enumerate(rows) if key_of(row) == key), -1)
        if index < 0:
            index = next((i for i, row in enumerate(rows) if not isinstance(row, Folder)), 0)
        self.rows.set_rows(rows, index)
        self.rows.show_cursor()
        self._refresh_head(rows)
        self.show_row()

    def _refresh_head(self, rows: Sequence[NotesRow]) -> None:
        model = self.model
        text = model.query or model.filter
        if text:
            left: Line = ((f"{'f ' if model.found is not None else ''}/{safe(text)}", "title"),)
            self.head.set_head(left, ((plural(len(rows), "match", "matches"), "muted"),))
        else:
            self.head.set_head((("Notes", "title"),), ((plural(len(model.notes), "note"), "muted"),))

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        self._wanted = ""
        self.show_row()

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.act_fold()

    # --- the note

    def show_row(self) -> None:
        if self.form is not None or self.own is not None:
            return
        row, desk = self.rows.current, self.desk
        if isinstance(row, NoteRow) and desk is not None:
            self.memtui.ask(
                "note", partial(load_note, desk, row.path), self._show_note, failed=self._not_shown
            )
        elif isinstance(row, Folder):
            self.shown = None
            self._words(f"{row.path}/", plural(row.count, "note"), "enter folds and unfolds it")
        else:
            self.shown = None
            nothing = self.model.filter or self.model.query
            if nothing:
                self._words(
                    "Nothing matches",
                    f"{plural(len(self.model.notes), 'note')} hidden · esc shows them again",
                )
            elif self.listed:
                self._words(
                    "No notes yet", "c writes one; an agent's proposal makes one once you approve it."
                )

    def _words(self, title: str, *sentences: str) -> None:
        self.view.show_words(lambda cells, _rows: words_lines(cells, title, *sentences))

    def _not_shown(self, error: Exception) -> None:
        self.shown = None
        self._words("Cannot be shown", said(error))

    def _show_note(self, loaded: tuple[NoteView, Mapping[int, str]]) -> None:
        note, links = loaded
        row = self.rows.current
        if not isinstance(row, NoteRow) or row.path != note.row.path or self.form or self.own:
            return
        drawn = (note, self.memtui.has_draft(note.row.path))
        if drawn == self._drawn and self.shown is not None and self.view.shows_text:
            return  # looked at again and found the same: the reader's place in it stays
        self.shown, self._drawn = note, drawn
        text = note.text if note.text is not None else note.data.decode("utf-8", "backslashreplace")
        self.links = links
        self.view.show_text(text, lambda cells: self._note_header(note, cells), links)
        if self.reading:
            self.app.call_after_refresh(self.take_focus)
        self.main_screen.refresh_chrome()

    def _note_header(self, note: NoteView, cells: int) -> list[Line]:
        row = note.row
        facts = [row.path if row.headline != row.path else "", row.type, row.status, row.confidence]
        facts.append(time.strftime("%Y-%m-%d", time.localtime(written(row))) if written(row) else "")
        draft: Line = (("draft", "accent"),) if self.memtui.has_draft(row.path) else ()
        lines: list[Line] = [spread(((safe(row.headline), "title"),), draft, cells)]
        lines += words_lines(cells, "", " · ".join(fact for fact in facts if fact))
        if row.tags:
            lines.append((("  ".join(f"#{safe(tag)}" for tag in row.tags), "muted"),))
        if note.notice:
            lines += [(("! ", "chip"), (" ", ""), *line) for line in words_lines(cells - 4, "", note.notice)]
        return [*lines, ()]

    # --- places and hints

    def main_focus(self) -> Widget | None:
        return self.view.diff if self.view.shows_diff and self.view.display else None

    def places(self) -> tuple[str, ...]:
        if self.editing:
            return (EDITOR,)
        if self.own is not None:
            return (OWN, DIFF, MOVE, GLOBAL)
        return (NOTES, DIFF, MOVE, GLOBAL)

    def hints(self) -> list[Hint]:
        if self.editing:
            return self.editor_hints()
        if self.own is not None:
            return self.own_hints()
        note = [self.hint("edit_note"), self.hint("copy_path")] if self.shown is not None else []
        common = self.hint_list("find", "filter", "new_note", "go_inbox", "menu", "palette", "help")
        if self.reading and self.links and self.shown is not None:
            note = [self.hint("follow", "follow link"), *note]
        return [*note, *([self.hint("out")] if self.reading and self.narrow else []), *common]

    def offers(self, action: Action) -> bool:
        if action.id in ("write_note", "find_here"):
            return False
        if action.where == NOTES:
            entry = self.shown is not None and self.shown.row.kind == "entry"
            if action.id in ("supersede", "log"):
                return entry
            if action.id == "merge":
                return self.shown is not None and self.shown.text is not None and len(self.model.notes) > 1
            if action.id == "forget_draft":
                return self.shown is not None and self.memtui.has_draft(self.shown.row.path)
            return self.shown is not None or action.id in ("undo", "write_entry")
        return action.where != DIFF or self.own is not None

    # --- moving

    def act_fold(self) -> None:
        row = self.rows.current
        if isinstance(row, Folder) and not self.reading:
            self.model.folded ^= {row.path}
            self._wanted = row.key
            self.refill()
        elif not self.act_follow():
            self.act_into()

    def step_back(self) -> bool:
        if self.own is not None:
            self.act_back_to_text()
        elif self.reading:
            self.read(False)
        elif self.model.filter or self.model.found is not None:
            self.model.filter, self.model.query, self.model.found = "", "", None
            self.refill()
        else:
            return False
        return True

    # --- filter and search

    def filter_question(self) -> Question:
        return Question(
            "/",
            self._filter,
            value=self.model.filter,
            place=FILTER,
            changed=self._filter,
            cancelled=partial(self._filter, ""),
            hint="words, type: tag: status: confidence: age:>1y",
        )

    def _filter(self, text: str) -> None:
        self.model.query, self.model.found = "", None
        if text.strip() != self.model.filter or not text:
            self.model.filter = text.strip()
            self.refill()

    def act_find_here(self) -> None:
        question = Question(
            "find",
            partial(self._search, submitted=True),
            value=self.model.query,
            place=FILTER,
            changed=self._search,
            cancelled=self._no_search,
        )
        self.main_screen.question(question)

    def _search(self, text: str, *, submitted: bool = False) -> None:
        desk, query = self.desk, text.strip()
        if not query or desk is None:
            self._no_search()
            return

        def found(rows: tuple[NoteRow, ...]) -> None:
            self.model.query, self.model.found, self.model.filter = query, rows, ""
            self.refill()

        if query != self.model.query:
            self.memtui.ask("search", lambda: desk.search(query), found, opens=submitted)

    def _no_search(self) -> None:
        self.model.query, self.model.found = "", None
        self.refill()

    # --- acting on the note

    def act_edit_note(self) -> None:
        row, desk = self.rows.current, self.desk
        if self.shown is not None and (not isinstance(row, NoteRow) or row.path == self.shown.row.path):
            if self.shown.text is None:
                self.main_screen.fail("this note is not UTF-8: nothing here can edit it without a loss")
            else:
                self.open_form(note_form(self.shown))
        elif isinstance(row, NoteRow) and desk is not None:
            # The cursor has just come here: what is edited is its note, not the one that is still shown.
            self.memtui.ask(
                "edit",
                partial(load_note, desk, row.path),
                self._edit_loaded,
                failed=self._not_shown,
                opens=True,
            )

    def _edit_loaded(self, loaded: tuple[NoteView, Mapping[int, str]]) -> None:
        self._show_note(loaded)
        if self.shown is not None and self.shown.row.path == loaded[0].row.path:
            self.act_edit_note()

    def act_editor_note(self) -> None:
        if self.shown is not None:
            self.edit_whole(note_form(self.shown))

    def act_forget_draft(self) -> None:
        """`m x`: what was edited of the note shown and not written is forgotten."""
        if self.shown is not None and self.memtui.has_draft(self.shown.row.path):
            self.forget_drafts(self.shown.row.path)
            self.show_row()

    def act_write_note(self) -> None:
        self.open_form(new_note_form())

    def act_write_entry(self) -> None:
        self.open_form(new_entry_form())

    def act_copy_path(self) -> None:
        if self.shown is not None:
            path = self.shown.row.path
            self.app.copy_to_clipboard(path)
            self.main_screen.say(("copied ", "muted"), (safe(path), ""))

    # --- what OwnChange needs

    def own_done(self, preview: Preview) -> None:
        back, self.came_from = self.came_from, ""
        self.main_screen.message.display = True
        proposal = preview.item.proposal
        if isinstance(proposal, Rename):
            self.show_all_at(proposal.new_path)
        elif preview.item.target:
            self._wanted = preview.item.target
        self.reload()
        self.answer_merged(preview, back)

    def editor_closed(self) -> None:
        back, self.came_from = self.came_from, ""
        if not self.narrow:
            self.read(False)
        self.refill()
        if back and back != self.pane:
            self.read(False)
            self.main_screen.go(back)
