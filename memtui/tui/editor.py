"""The editor: fields, a body, the reason; it keeps a draft by itself and loses nothing (SCREENS, Fixing a memory)."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, TextArea

from memtui.proposals.model import Problem
from memtui.safe_text import safe
from memtui.tui.form import BY_HAND, Field, Form, Values, inline_problem
from memtui.tui.paint import Line, Painted, PaintedLine, wrap
from memtui.tui.pane import Head, PaintedLines

LABEL = 12
"""Cells of the labels before the fields."""
DRAFT_WAIT = 0.8
"""Seconds without typing until the draft is kept."""


class Rule(Painted):
    """A line between fields and body."""

    DEFAULT_CSS = "Rule { height: 1; }"

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        return self.strip((("─" * self.size.width, "rule"),), self.size.width)


class FieldLine(Container):
    """A label, its text field, and what is wrong with it."""

    def __init__(self, field: Field, value: str) -> None:
        super().__init__(classes="field")
        self.field = field
        hint = BY_HAND if field.name == "why" else ""
        self.input = Input(value, placeholder=hint, compact=True, classes="text-field", select_on_focus=False)
        self.input.cursor_blink = False
        self.note = PaintedLine(classes="note")

    def compose(self) -> ComposeResult:
        yield PaintedLine(((safe(self.field.label).ljust(LABEL), "muted"),), classes="label")
        yield self.input
        yield self.note

    def say(self, text: str) -> None:
        """What is wrong with the value, "" for nothing."""
        self.note.styles.width = min(len(text) + 2, 44) if text else 0
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
    EditorForm .label { width: 12; }
    EditorForm Input { width: 1fr; }
    EditorForm .note { width: 0; }
    EditorForm .none { display: none; }
    EditorForm TextArea { height: 1fr; min-height: 3; border: none; padding: 0; background: $background; }
    EditorForm TextArea:focus { border: none; }
    """

    class Typed(Message):
        """The text changed, and has rested: the draft can be kept."""

    def __init__(self) -> None:
        super().__init__()
        self.form: Form | None = None
        self.lossy = ""
        """Why the body cannot be edited here ("" where it can): then it is shown and `$EDITOR` edits it."""
        self.head = Head()
        self.head.indent = ""
        self.says = PaintedLine()
        self._lines: list[FieldLine] = []
        self._why: FieldLine | None = None
        self._area: TextArea | None = None
        self._timer: Timer | None = None
        self._opened = Values({}, "")

    async def open(self, form: Form, values: Values | None, cells: int) -> None:
        """Show a form of a width in cells, with the values of a draft where there is one."""
        self.form = form
        start = values or form.start()
        self._opened = form.start()
        await self.remove_children()
        self._lines = [FieldLine(f, start.fields.get(f.name, f.value)) for f in form.fields]
        self._area = TextArea(
            start.body, soft_wrap=True, show_line_numbers=False, classes="text-field", compact=True
        )
        self._area.cursor_blink = False
        why = None if form.why is None else FieldLine(Field("why", "why", form.why), start.why)
        self._why = why
        self.lossy = inline_problem(start.body)
        if not self.lossy and self._area.text != start.body:
            self.lossy = "the editor here would change its line breaks"
        self._area.read_only = bool(self.lossy)
        self.mark_draft(values is not None)
        parts: list[Widget] = [self.head, _subtitle(form, cells), PaintedLine(classes="extra")]
        parts += [*self._lines, Rule(classes="extra"), self._area]
        if why is not None:
            parts += [Rule(classes="extra"), why]
        parts += [self._log_line(form), self.says]
        await self.mount_all(parts)
        self.say(f"{self.lossy}: f4 opens $EDITOR" if self.lossy else "")
        first = self._lines[0].input if self._lines and not start.body else self._area
        first.focus()

    def _log_line(self, form: Form) -> PaintedLine:
        last: Line = ((("log").ljust(LABEL), "muted"), (safe(form.log[-1]), "")) if form.log else ()
        return PaintedLine(last, classes="extra" if form.log else "none")

    def mark_draft(self, draft: bool) -> None:
        title = safe(self.form.title) if self.form else ""
        self.head.set_head(((title, "title"),), (("draft" if draft else "", "accent"),))

    # --- values

    @property
    def values(self) -> Values:
        fields = {line.field.name: line.input.value for line in self._lines}
        if self.lossy and self.form is not None:
            body = self.form.body
        else:
            body = self._area.text if self._area is not None else ""
        return Values(fields, body, self._why.input.value if self._why is not None else "")

    @property
    def changed(self) -> bool:
        """Whether anything differs from what was there."""
        return self.values != self._opened

    def set_body(self, text: str) -> None:
        """The body as `$EDITOR` left it."""
        if self._area is not None:
            self._area.text = text
            self.lossy = "" if self._area.text == text else "the editor here would change its line breaks"

    def say(self, text: str) -> None:
        self.says.set_line(((text, "chip"),) if text else ())
        self.says.display = bool(text)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Each problem at its field, the others at the foot."""
        for line in self._all():
            line.say("")
        rest = []
        for problem in problems:
            name = problem.field.split(".")[-1]
            name = "why" if name == "reason" else name
            found = next((line for line in self._all() if line.field.name == name), None)
            if found is None or len(problem.message) > 40:
                rest.append(safe(problem.message))
            if found is not None:
                found.say(safe(problem.message) if len(problem.message) <= 40 else "!")
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
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DRAFT_WAIT, self._rested)

    def _rested(self) -> None:
        if self.changed:
            self.mark_draft(True)
            self.post_message(self.Typed())

    def move_focus(self, step: int) -> None:
        """To the next or previous field, the body among them."""
        order = [*(line.input for line in self._lines), *([self._area] if self._area is not None else [])]
        order += [self._why.input] if self._why is not None else []
        here = next((i for i, widget in enumerate(order) if widget.has_focus), -1)
        if order:
            order[(here + step) % len(order)].focus()


def _subtitle(form: Form, cells: int) -> PaintedLines:
    """Where it is: wrapped, since a path is never cut."""
    lines = PaintedLines()
    rows = wrap(safe(form.subtitle), max(20, cells))
    lines.add_class("extra")
    lines.styles.height = len(rows)
    lines.show(lambda _cells, _rows: [((row, "muted"),) for row in rows])
    return lines
