"""A pane in which something can be edited: open a form, keep its draft, show the change, take `$EDITOR`'s text."""

from __future__ import annotations

from functools import partial
from time import strftime
from typing import TYPE_CHECKING

from memtui.review.drafts import whole_key
from memtui.review.items import Preview
from memtui.storage.refusing import JournalError
from memtui.tui.footer import Hint
from memtui.tui.form import Form, Shown, Values, inline_problem, read_draft
from memtui.tui.reading import Reading
from memtui.tui.unfinished import Lent

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.tui.editor import EditorForm

RECOVERED = "draft recovered: f8 discards it"
NOT_KEPT = "draft not kept: it holds what looks like a secret"
GONE = "Its proposal waits no longer."
GOES_ON = "Your text stays: esc, then e makes it a note of your own"
OUTSIDE = "changed outside while you edit: ^s shows your text against the note as it is now"


class Editing(Reading):
    """The part of a pane that edits; `view` is what the form stands in the place of."""

    def __init__(self) -> None:
        super().__init__()
        self._editor: EditorForm | None = None
        self.form: Form | None = None
        """What is being edited, None for nothing; stays while its change is looked at."""
        self.editing = False
        """The form is on the screen."""
        self._unkept: dict[str, str] = {}
        """Texts of `$EDITOR` of which no draft can be kept, by the key of their form: `$EDITOR` goes on with them."""
        self._whole = ""
        """The key of the form whose text from `$EDITOR` is being looked at."""

    def edited(self, preview: Preview) -> None:
        """The change is planned: show it, to be approved by another key."""
        raise NotImplementedError

    def editor_closed(self) -> None:
        """The form was left; its draft stays."""
        raise NotImplementedError

    def stands_on(self, key: str) -> bool:  # noqa: ARG002
        """Whether the thing that a form is of is still the one that is looked at."""
        return True

    # --- opening and leaving

    def open_form(self, form: Form) -> None:
        """Edit; a kept draft is taken up again."""
        desk = self.desk
        if desk is None:
            return
        if problem := inline_problem(form.body):
            self.main_screen.fail(f"this text is edited in $EDITOR only: E ({problem})")
            self.editor_closed()
            return
        self.memtui.ask(
            "draft",
            lambda: desk.draft(form.key),
            lambda draft: self._open(form, read_draft(draft)),
            opens=True,
        )

    def _open(self, form: Form, values: Values | None) -> None:
        from memtui.tui.editor import EditorForm

        self.form, self.editing, self._whole = form, True, ""
        self._last_kept = ("", "") if values is None else (form.key, values.dump())
        if self._editor is None:
            self._editor = EditorForm()
            self.query_one(".main").mount(self._editor)
        editor = self._editor
        self.view.display, editor.display = False, True
        self.set_class(True, "-reading")

        recovered = form.key in self.memtui.recovered
        word = "" if values is None else "recovered" if recovered else "draft"

        let_go = self.memtui.typed.hold("editor")

        async def fill() -> None:
            try:
                await editor.open(form, values, word)
                self.main_screen.refresh_chrome()
            finally:
                let_go()

        self.call_next(fill)
        if values is not None:
            again = RECOVERED if recovered else "draft taken up again"
            self.main_screen.say((again, "muted"), about=form.key)
        elif form.key in self.memtui.texts:
            self.main_screen.say(
                ("your text from $EDITOR waits: ", "muted"), ("E", "bold"), (" goes on", "muted")
            )

    def _close(self) -> None:
        self.editing = False
        if self.main_screen.message.text == ((RECOVERED, "muted"),):  # f8 is a key of the editor
            self.main_screen.message.clear()
        if self._editor is not None:
            self._editor.display = False
        self.view.display = True

    def close_editor(self) -> None:
        """Leave the form, if one is open; its draft is kept without a question."""
        if self.editing:
            self._keep_draft()
            self._close()
            self.form = None

    def act_leave(self) -> None:
        """`esc`: back, and the draft stays."""
        self.close_editor()
        self.editor_closed()

    def leaving(self) -> None:
        if self.editing:
            self._keep_draft(now=True)

    def act_discard_draft(self) -> None:
        """Forget the draft: the text is again what it was."""
        if self.form is not None and self.desk is not None:
            self._close()
            self.drop_draft()
            self.main_screen.say(("draft discarded", "muted"))
            self.editor_closed()

    def forget_drafts(self, key: str) -> None:
        """`m x`: every draft of one thing goes."""
        self._unkept.pop(key, None)
        self._mark_draft(key, False)
        self._mark_text(key, False)
        self._drop(key, whole_key(key))
        self.main_screen.say(("draft discarded", "muted"))

    # --- drafts

    _last_kept = ("", "")
    """The key and text of the draft that was kept last, or is being kept."""

    def on_editor_form_typed(self) -> None:
        self._keep_draft()

    def _keep_draft(self, *, now: bool = False) -> None:
        form, desk, editor = self.form, self.desk, self._editor
        if form is None or desk is None or editor is None or not editor.changed:
            return
        text = editor.values.dump()
        if now:
            desk.save_draft(form.key, text, wait=False)
            return
        if self._last_kept == (form.key, text):
            return
        self._last_kept = (form.key, text)

        def kept(kept: bool) -> None:
            self._mark_draft(form.key, kept)
            if not kept:
                self._last_kept = ("", "")
            if kept and self.stands_on(form.key):
                self.main_screen.say((f"draft kept {strftime('%H:%M')}", "muted"), about=form.key)
            elif not kept:
                self.main_screen.fail(NOT_KEPT)

        def failed(error: Exception) -> None:
            self._last_kept = ("", "")
            self.memtui.say_failure(error)

        self.memtui.ask(
            "draft-save", lambda: desk.save_draft(form.key, text), kept, failed=failed, exclusive=False
        )

    def _mark_draft(self, key: str, kept: bool) -> None:
        """Rows, preview and editor say whether there is a draft."""
        drafts = self.memtui.drafts
        if kept:
            drafts.add(key)
        else:
            drafts.discard(key)
            self.memtui.recovered -= {key}
        if self._editor is not None and self.editing and self.form is not None and self.form.key == key:
            self._editor.mark("draft" if kept else "")
        self.drafts_changed()

    def _mark_text(self, key: str, kept: bool) -> None:
        """The same for a whole text that `$EDITOR` gave back."""
        if kept:
            self.memtui.texts.add(key)
        else:
            self.memtui.texts.discard(key)
        self.drafts_changed()

    def drop_draft(self) -> None:
        """What was edited has been written: its draft goes."""
        form, whole = self.form, self._whole
        self.form, self._whole = None, ""
        if form is not None:
            self._mark_draft(form.key, False)
            self._drop(form.key)
        if whole:
            self._mark_text(whole, False)
            self._drop(whole_key(whole))

    def _drop(self, *keys: str) -> None:
        desk, self._last_kept = self.desk, ("", "")
        if desk is None:
            return

        def drop() -> None:
            for key in keys:
                desk.drop_draft(key)

        self.memtui.ask("drop", drop, lambda _none: None, exclusive=False)

    # --- showing the change

    def act_show_change(self) -> None:
        form, desk, editor = self.form, self.desk, self._editor
        if form is None or desk is None or editor is None:
            return
        values = editor.values
        if not editor.changed and not form.ready:
            if not self.unchanged():
                self.main_screen.say(("nothing changed", "muted"))
            return
        self._keep_draft()
        self.memtui.ask(
            "plan", lambda: form.show(desk, values), self._planned, failed=self._not_planned, opens=True
        )

    def _not_planned(self, error: Exception) -> None:
        if type(error).__name__ == "Gone":
            self.edited_is_gone("")
        else:
            self.memtui.say_failure(error)

    def edited_is_gone(self, sentence: str) -> None:
        """The proposal in the form waits no longer: its text is kept, and goes on as a note of the person's own."""
        if self._editor is not None and self.editing:
            self._keep_draft()
            self._editor.say(f"{sentence or GONE} {GOES_ON}")

    def unchanged(self) -> bool:
        """The change was asked for, and the text is as it was opened: whether there is one to show even so."""
        return False

    # --- what others do meanwhile

    def check_still(self) -> None:
        """Notes changed on the disk: say so where it is the one that is being edited."""
        form, desk = self.form, self.desk
        if form is None or desk is None or form.still is None or not self.editing:
            return
        still = form.still

        def told(same: bool) -> None:
            if not same and self._editor is not None and self.form is form and self.editing:
                self._editor.say(OUTSIDE)

        self.memtui.ask("still", lambda: still(desk), told, failed=lambda _gone: told(False))

    def _planned(self, shown: Shown) -> None:
        if not isinstance(shown, Preview):
            if self._editor is not None and self.editing:
                self._editor.show_problems(shown)
            else:
                self.main_screen.fail(shown[0].message)
            return
        self._close()
        self.edited(shown)

    # --- $EDITOR

    def act_editor_here(self) -> None:
        """`f4`: the body goes on in `$EDITOR` and comes back into the form."""
        from memtui.tui.external import EditorFailed, edit

        form, desk, editor = self.form, self.desk, self._editor
        if form is None or desk is None or editor is None or not self.editing:
            return
        values = editor.values
        lent = Lent(str(desk.workspace.journal), form.key, values)

        def keep(text: str) -> None:
            self._mark_draft(form.key, _is_kept(lent, desk, text))

        try:
            after = edit(self.memtui, values.body, label=lent.label(), keep=keep)
        except EditorFailed as failure:
            self.main_screen.fail(str(failure))
            return
        if after == values.body:
            self.main_screen.say(("nothing changed in $EDITOR", "muted"))
        editor.set_body(after)

    def act_editor_whole(self) -> None:
        """The whole text in `$EDITOR`; what it leaves is shown as a change at once."""
        if self.form is not None:
            self.edit_whole(self.form)

    def edit_whole(self, form: Form) -> None:
        """A text that `$EDITOR` gave back before and that was not written is gone on with."""
        desk = self.desk
        if desk is None or form.whole is None or form.show_whole is None:
            self.main_screen.fail("this text is not UTF-8: it cannot be edited here")
            return
        self.memtui.ask(
            "draft",
            lambda: desk.draft(whole_key(form.key)),
            lambda kept: self._edit_whole(form, desk, self._unkept.get(form.key) or kept or form.whole or ""),
        )

    def _edit_whole(self, form: Form, desk: Desk, before: str) -> None:
        from memtui.tui.external import EditorFailed, edit

        lent = Lent(str(desk.workspace.journal), form.key)

        def keep(text: str) -> None:
            """Before anything is made of it, so that no end of memtui can take it."""
            kept = _is_kept(lent, desk, text)
            self._mark_text(form.key, kept)
            self._unkept.pop(form.key, None)
            if not kept:
                self._unkept[form.key] = text

        try:
            text = edit(self.memtui, before, label=lent.label(), keep=keep)
        except EditorFailed as failure:
            self.main_screen.fail(str(failure))
            return
        if text == form.whole:
            if before != form.whole:
                self.forget_text(form.key)
            self.main_screen.say(("nothing changed in $EDITOR", "muted"))
            return
        show = form.show_whole
        assert show is not None
        self.memtui.ask("plan", lambda: show(desk, text), partial(self._planned_whole, form.key))

    def _planned_whole(self, key: str, shown: Shown) -> None:
        if isinstance(shown, Preview):
            self._whole = key
            self._planned(shown)
        else:
            self.main_screen.fail(f"{shown[0].message.rstrip('.')} · E goes on with your text")

    def forget_text(self, key: str) -> None:
        """The text that `$EDITOR` gave back is as it was before: nothing is kept of it."""
        self._unkept.pop(key, None)
        self._mark_text(key, False)
        self._drop(whole_key(key))

    # --- fields

    def act_next_field(self) -> None:
        if self._editor is not None:
            self._editor.move_focus(1)

    def act_previous_field(self) -> None:
        if self._editor is not None:
            self._editor.move_focus(-1)

    def act_next_value(self) -> bool:
        return self._editor is not None and self._editor.cycle(1)

    def act_previous_value(self) -> bool:
        return self._editor is not None and self._editor.cycle(-1)

    def editor_hints(self) -> list[Hint]:
        hints = self.hint_list("show_change", "next_field", "editor_here", "leave")
        if self.narrow:
            hints = [
                self.hint("show_change", "show"),
                self.hint("leave", "back"),
                self.hint("next_field", "next"),
            ]
        return [*hints, self.hint("help", key="f1")]


def _is_kept(lent: Lent, desk: Desk, text: str) -> bool:
    """Keep a draft; False where it holds a secret, or the journal takes nothing at the moment. Blocks."""
    try:
        return lent.keep(desk, text)
    except JournalError:
        return False
