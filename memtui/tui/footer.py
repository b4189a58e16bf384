"""The footer: one line of keys for what can be done now, drawn from the registry of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.message import Message

from memtui.safe_text import width
from memtui.tui.actions import Action
from memtui.tui.paint import NARROW, Line, PaintedLine, Span, spread


@dataclass(frozen=True, slots=True)
class Hint:
    """One key and what it does at this moment."""

    action: Action
    key: str
    """As shown, "" where no key is shown."""
    label: str
    dim: bool = False
    """The key is dead for now (the settle time runs)."""

    @property
    def cells(self) -> int:
        return width(self.key) + (1 + width(self.label) if self.label else 0)


def choose(hints: Sequence[Hint], cells: int) -> tuple[list[Hint], list[Hint]]:
    """The hints that fit, left and right, in their order; whole hints go, those of the lowest priority first."""
    kept = list(hints)
    while kept and _needs(kept) > cells:
        last = max(kept, key=lambda h: _bare(h.action) if not h.label else h.action.priority)
        at = kept.index(last)
        kept[at : at + 1] = [replace(last, label="")] if last.label and last.action.id == "help" else []
    left = [h for h in kept if not h.action.right]
    return left, [h for h in kept if h.action.right]


def _bare(action: Action) -> float:
    """How early a hint that is but a key goes: `?` is the way to all others, so it stays longest."""
    return 0 if action.id == "help" else 6.5


def _needs(hints: Sequence[Hint]) -> int:
    """Cells of the hints with two blanks between and one at each end."""
    return sum(h.cells + 2 for h in hints)


class Footer(PaintedLine):
    """The last line."""

    class Pressed(Message):
        """A click on a hint."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="footer")
        self._hints: tuple[Hint, ...] = ()
        self._spots: list[tuple[int, int, Action]] = []

    def update(self, hints: Sequence[Hint]) -> None:
        if tuple(hints) != self._hints:
            self._hints = tuple(hints)
            self.refresh()

    def draw(self, cells: int) -> Line:
        hints = self._hints
        if cells < NARROW:
            # Where room is short, the two that everybody knows stand there as bare keys.
            hints = tuple(
                replace(h, label="") if h.action.right and h.action.id != "quit" else h for h in hints
            )
        left, right = choose(hints, cells)
        spots: list[tuple[int, int, Action]] = []
        line = self._side(left, 1, spots)
        tail_cells = sum(h.cells + 2 for h in right) - 2 if right else 0
        tail = self._side(right, cells - tail_cells - 1, spots)
        self._spots = spots
        return spread(((" ", ""), *line), (*tail, (" ", "")), cells, gap=0)

    def _side(self, hints: Sequence[Hint], at: int, spots: list[tuple[int, int, Action]]) -> Line:
        spans: list[Span] = []
        for hint in hints:
            if spans:
                spans.append(("  ", ""))
                at += 2
            role = "dim" if hint.dim else ""
            spans.append((hint.key, role or "bold"))
            if hint.label:
                spans += [(" ", ""), (hint.label, role or "muted")]
            spots.append((at, at + hint.cells, hint.action))
            at += hint.cells
        return tuple(spans)

    def on_click(self, event: events.Click) -> None:
        for start, end, action in self._spots:
            if start <= event.x < end:
                self.post_message(self.Pressed(action))
