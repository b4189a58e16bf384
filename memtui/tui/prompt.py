"""One line to type in, in the place of the message row: a reason, a filter, the first word of a title."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container

from memtui.tui.actions import FILTER, REASON
from memtui.tui.outside import safe, width
from memtui.tui.paint import NARROW, Line, PaintedLine

if TYPE_CHECKING:
    from textual.widgets import Input


@dataclass(frozen=True)
class Question:
    """What a prompt asks for and what is done with the answer."""

    label: str
    submit: Callable[[str], str | None]
    """Given the text; a sentence that it returns is shown and the line stays open."""
    value: str = ""
    place: str = REASON
    picks: Sequence[str] = field(default=())
    """Ready answers, for `↓` and `↑`."""
    changed: Callable[[str], None] | None = None
    """Called at each change of the text (a filter narrows while it is typed)."""
    cancelled: Callable[[], None] | None = None
    verb: str = ""
    """What enter does, for the footer."""
    hint: str = ""
    """What can be typed, while nothing is."""
    short: str = ""
    """The label where the terminal is narrow, so that there is room to type; "" for the same."""


class Prompt(Container):
    """The line itself. Made once; its text field is mounted when it is first needed."""

    def __init__(self) -> None:
        super().__init__(id="prompt")
        self.question: Question | None = None
        self._label = PaintedLine(id="prompt-label")
        self._note = PaintedLine(id="prompt-note")
        self._input: Input | None = None
        self._picked = -1

    def compose(self) -> ComposeResult:
        yield self._label
        yield self._note

    @property
    def place(self) -> str:
        return self.question.place if self.question else REASON

    @property
    def text(self) -> str:
        return "" if self._input is None else self._input.value

    async def open(self, question: Question) -> None:
        """Ask. What was asked before is dropped."""
        from textual.widgets import Input

        from memtui.tui.safe_input import SafeInput

        self.question, self._picked = question, -1
        narrow = self.app.size.width < NARROW
        words = safe(question.short if narrow and question.short else question.label)
        label: Line = ((" ", ""), (words, "bold"), (" ", ""))
        self._label.styles.width = width(words) + 2
        self._label.set_line(label)
        self.note("")
        if self._input is None:
            self._input = SafeInput(
                compact=True, id="prompt-input", classes="text-field", select_on_focus=False
            )
            self._input.cursor_blink = False
            await self.mount(self._input, before=self._note)
        self._input.placeholder = question.hint
        with self.prevent(Input.Changed):
            self._input.value = question.value
        self._input.cursor_position = len(question.value)
        self.add_class("-open")
        self._input.focus()

    def close(self) -> None:
        self.question = None
        self.remove_class("-open")

    def note(self, text: str, role: str = "muted") -> None:
        """A few words at the right end of the line."""
        self._note.styles.width = width(text) + 2 if text else 0
        self._note.set_line(((f" {text} ", role),) if text else ())

    # --- keys

    def submit(self) -> str | None:
        """Hand in the text; a sentence where it is not taken."""
        question = self.question
        if question is None:
            return None
        problem = question.submit(self.text)
        if problem:
            self.note(problem, "chip")
        return problem

    def pick(self, step: int) -> None:
        """The next or previous ready answer into the field."""
        question = self.question
        if question is None or not question.picks or self._input is None:
            return
        self._picked = (
            (self._picked + step) % len(question.picks) if self._picked >= 0 else (0 if step > 0 else -1)
        )
        self._picked %= len(question.picks)
        self._input.value = question.picks[self._picked]
        self._input.cursor_position = len(self._input.value)
        self.note(f"{self._picked + 1}/{len(question.picks)}")

    def on_input_changed(self) -> None:
        question = self.question
        if question is not None and question.changed is not None:
            question.changed(self.text)


def word_to_type(text: str) -> str:
    """The first word of a title, as it can be typed: without what does not show."""
    word = (text.split() or [""])[0]
    if word.isprintable() and safe(word) == word:
        return word
    found = re.search(r"\w+", word)
    return found[0] if found else ""


__all__ = ["FILTER", "REASON", "Prompt", "Question", "word_to_type"]
