"""The editor: fields, a body, the reason; it keeps a draft by itself and loses nothing (SCREENS, Fixing a memory)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from memtui.proposals.model import Problem
from memtui.safe_text import safe, width
from memtui.tui.form import BY_HAND, Field, Form, Shape, Values, inline_problem, take_in
from memtui.tui.paint import Painted, PaintedLine, PaintedText
from memtui.tui.pane import Head
from memtui.tui.safe_input import SafeInput, SafeTextArea, hidden

LABEL, LABEL_MOST = 12, 24
"""Cells of the labels before the fields, with a blank: as many as the longest of a form needs, within these bounds."""
DRAFT_WAIT = 0.8
"""Seconds without typing until the draft is kept."""
DRAFT_MOST = 3.0
"""Seconds of typing after which it is kept all the same."""


class Rule(Painted):
    """A line between fields and body."""

    DEFAULT_CSS = "Rule { height: 1; }"

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        return self.strip((("─" * self.size.width, "rule"),), self.size.width)


class FieldLine(Container):
    """A label, its text field, and what is wrong with it."""

    def __init__(self, field: Field, value: str, column: int) -> None:
        super().__init__(classes="field")
        self.field = field
        self._column = column
        hint = BY_HAND if field.name == "why" else ""
        self.input = SafeInput(
            value, placeholder=hint, compact=True, classes="text-field", select_on_focus=False
        )
        self.input.cursor_blink = False
        self.note = PaintedLine(classes="note")

    def compose(self) -> ComposeResult:
        label = PaintedLine(((safe(self.field.label), "muted"),), classes="label")
        label.styles.width = self._column
        yield label
        yield self.input
        yield self.note

    def say(self, text: str) -> None:
        """What is wrong with the value, "" for nothing."""
        self.note.styles.width = width(text) + 2 if text else 0
        self.note.set_line(((f" {text} ", "chip"),) if text else ())

    def cycle(self, step: int) -> bool:
        """The next of the field's fixed values; False where it has none."""
        choices = self.field.choices
        if not choices:
            return False
        now = choices.index(self.input.value) if self.input.value in choices else -1 if step > 0 else 0
        self.input.value = choices[(now + step) % len(choices)]
        return True


class EditorForm(Container):
    """The form itself. It holds text; what becomes of it is its pane's business."""

    DEFAULT_CSS = """
    EditorForm { height: 1fr; width: 1fr; layout: vertical; }
    EditorForm .field { height: 1; layout: horizontal; }
    EditorForm .label { padding: 0 1 0 0; }
    EditorForm SafeInput { width: 1fr; }
    EditorForm .note { width: 0; }
    EditorForm SafeTextArea { height: 1fr; min-height: 3; border: none; padding: 0; background: $background; }
    EditorForm SafeTextArea:focus { border: none; }
    """

    class Typed(Message):
        """The text changed, and has rested: the draft can be kept."""

    def __init__(self) -> None:
        super().__init__()
        self.form: Form | None = None
        self.lossy = ""
        """Why the body cannot be edited here, as `$EDITOR` left it ("" where it can): it is shown, as it is."""
        self.head = Head()
        self.head.indent = ""
        self.says = PaintedText(role="chip")
        self.hidden = PaintedText(role="alarm")
        self._lines: list[FieldLine] = []
        self._why: FieldLine | None = None
        self._area: SafeTextArea | None = None
        self._shape = Shape("", "\n")
        self._whole_body = ""
        self._timer: Timer | None = None
        self._typing_since = 0.0
        self._opened = Values({}, "")
        self._word = ""

    async def open(self, form: Form, values: Values | None, word: str = "") -> None:
        """Show a form, with the values of a draft where there is one; `word` says what they are."""
        self.form = form
        start = values or form.start()
        self._opened = form.start()
        await self.remove_children()
        longest = max((width(safe(f.label)) + 1 for f in form.fields), default=0)
        column = min(max(LABEL, longest), LABEL_MOST)
        self._lines = [FieldLine(f, start.fields.get(f.name, f.value), column) for f in form.fields]
        _, self._shape = take_in(form.body)
        self._area = SafeTextArea(
            "", soft_wrap=True, show_line_numbers=False, classes="text-field", compact=True
        )
        self._area.cursor_blink = False
        why = None if form.why is None else FieldLine(Field("why", "why", form.why), start.why, column)
        self._why = why
        self._show_body(start.body)
        self.mark(word)
        where = PaintedText(safe(form.subtitle), "muted", classes="extra")
        parts: list[Widget] = [self.head, where, PaintedLine(classes="extra")]
        parts += [*self._lines, Rule(classes="extra"), self._area]
        if why is not None:
            parts += [Rule(classes="extra"), why]
        if form.log:
            log = PaintedText(safe(form.log[-1]), label="log".ljust(column), classes="extra")
            parts.append(log)
        parts += [self.hidden, self.says]
        await self.mount_all(parts)
        self.say(safe(form.aside))
        self._name_hidden()
        first = self._lines[0].input if self._lines and not start.body else self._area
        first.focus()

    def mark(self, word: str) -> None:
        """What the text is, at the right of the title: a draft, a recovered one."""
        title = safe(self.form.title) if self.form else ""
        self.head.set_head(((title, "title"),), ((word, "accent"),))
        self._word = word

    # --- values

    @property
    def values(self) -> Values:
        fields = {line.field.name: line.input.value for line in self._lines}
        body = self._whole_body
        if self._area is not None and not self.lossy:
            body = self._shape.give_back(self._area.text)
        return Values(fields, body, self._why.input.value if self._why is not None else "")

    @property
    def changed(self) -> bool:
        """Whether anything differs from what was there."""
        return self.values != self._opened

    def set_body(self, text: str) -> None:
        """The body as `$EDITOR` left it."""
        self._show_body(text)
        if self.lossy:
            self.say(f"shown only, f4 edits it: {self.lossy}")

    def _show_body(self, text: str) -> None:
        """A body that cannot be edited here without a loss is shown, and kept aside as it is."""
        area = self._area
        if area is None:
            return
        words, shape = take_in(text)
        self._whole_body, self.lossy = text, inline_problem(text)
        if not self.lossy:
            self._shape = shape if "\n" in words else self._shape
        area.text = words
        if not self.lossy and self._shape.give_back(area.text) != text:
            self.lossy = "the editor here would change its line breaks"
        area.read_only = bool(self.lossy)

    def say(self, text: str) -> None:
        """A few words under the form, as many lines as they need."""
        self.says.set_text(text)

    def _name_hidden(self) -> None:
        texts = {line.field.label: line.input.value for line in self._all()}
        self.hidden.set_text(hidden({**texts, "": self._area.text if self._area is not None else ""}))

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Each problem at its field, the others at the foot."""
        for line in self._all():
            line.say("")
        rest = []
        for problem in problems:
            name = problem.field.split(".")[-1]
            name = "why" if name == "reason" else name
            found = next((line for line in self._all() if line.field.name == name), None)
            short = width(safe(problem.message)) <= self.size.width - LABEL - 20
            if found is None or not short:
                rest.append(safe(problem.message))
            if found is not None:
                found.say(safe(problem.message) if short else "!")
        self.say(" · ".join(rest))

    def _all(self) -> list[FieldLine]:
        return [*self._lines, *([self._why] if self._why is not None else [])]

    def cycle(self, step: int) -> bool:
        """In a field of fixed values: the next one."""
        return any(line.input.has_focus and line.cycle(step) for line in self._all())

    # --- typing

    def on_input_changed(self, event: Input.Changed) -> None:
        for line in self._all():
            if line.input is event.input:
                line.say("")
        self._typed()

    def on_text_area_changed(self) -> None:
        self._typed()

    def _typed(self) -> None:
        """What is typed is kept once the fingers rest, and now and then where they never do."""
        self._name_hidden()
        now = time.monotonic()
        if self._timer is not None:
            self._timer.stop()
        else:
            self._typing_since = now
        wait = min(DRAFT_WAIT, max(0.001, self._typing_since + DRAFT_MOST - now))
        self._timer = self.set_timer(wait, self._rested)

    def _rested(self) -> None:
        self._timer = None
        if self.changed:
            self.post_message(self.Typed())

    def move_focus(self, step: int) -> None:
        """To the next or previous field, the body among them."""
        order = [*(line.input for line in self._lines), *([self._area] if self._area is not None else [])]
        order += [self._why.input] if self._why is not None else []
        here = next((i for i, widget in enumerate(order) if widget.has_focus), -1)
        if order:
            order[(here + step) % len(order)].focus()
