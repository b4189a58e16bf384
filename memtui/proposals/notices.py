"""Notices about a proposal's own text: what a reader could overlook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memtui.proposals.as_fields import text_fields
from memtui.proposals.model import FileChange, Notice, Plan, Proposal

if TYPE_CHECKING:
    from memtui.proposals.instructions import Span

_NAMED = 8
"""Names that a notice lists before it only counts."""


def hidden_text(proposal: Proposal) -> list[Notice]:
    """One alarm naming the fields that hold characters which do not show or which steer the terminal."""
    odd = {name: text for name, text in text_fields(proposal).items() if not _is_plain(text)}
    if not odd:
        return []
    from memtui.safe_text import alarms

    counts = {name: count for name, text in odd.items() if (count := alarms(text))}
    if not counts:
        return []
    total = sum(counts.values())
    characters = "character" if total == 1 else "characters"
    where = listed(counts)
    return [
        Notice(
            "hidden", f"{total} hidden {characters} in {where}: look for the marks in the diff.", alarm=True
        )
    ]


def instruction_shaped(proposal: Proposal) -> list[Notice]:
    """One notice for each shape of text that reads like orders to an agent; what an edit takes away aside."""
    from memtui.proposals.instructions import in_words, instruction_spans

    found: dict[str, list[tuple[str, str, Span]]] = {}
    for name, text in text_fields(proposal).items():
        if name.endswith(".old"):
            continue
        for span in instruction_spans(text):
            if span.shape != "trust" or proposal.source == "web":
                found.setdefault(span.shape, []).append((name, text, span))
    return [
        Notice(
            "instruction",
            f"{_quoted(text, first)} in {name} {in_words(first.shape)}{_and_more(len(every) - 1)}.",
            spans=tuple((field, span.start, span.end) for field, _, span in every),
        )
        for every in found.values()
        for name, text, first in every[:1]
    ]


def emptied(made: Plan) -> list[Notice]:
    """A notice for each note of which nothing but its head would be left: that is a delete by another name."""
    return [
        Notice("emptied", f"This leaves nothing of what {change.path} says.")
        for change in made.changes
        if isinstance(change, FileChange) and change.before and change.after is not None
        if len(change.after) < len(change.before) and _says(change.before) and not _says(change.after)
    ]


def _says(data: bytes) -> bool:
    from memtui.notes import entry

    return bool(entry.body_of(data).strip())


def _quoted(text: str, span: Span) -> str:
    """The words that were found, shortened, in quotes; of blanks how many there are."""
    words = " ".join(text[span.start : span.end].split())
    if not words:
        return f"{span.end - span.start} blanks"
    return f"“{words if len(words) <= _SHOWN else words[: _SHOWN - 1] + '…'}”"


def _and_more(count: int) -> str:
    return f" ({count} more like it)" if count else ""


_SHOWN = 60
"""Characters of flagged text that a notice repeats."""


def _is_plain(text: str) -> bool:
    """Whether nothing in a text could alarm: printable ASCII, tabs and newlines. Most texts are."""
    return text.isascii() and text.translate({9: None, 10: None}).isprintable()


def listed(names: Iterable[str]) -> str:
    """Names with commas between, the first few of many."""
    every = [name if len(name) <= 80 else name[:79] + "…" for name in names]
    rest = len(every) - _NAMED
    return ", ".join(every) if rest <= 0 else f"{', '.join(every[:_NAMED])} and {rest} more"
