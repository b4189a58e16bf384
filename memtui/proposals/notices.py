"""Notices about a proposal's own text: what a reader could overlook."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.proposals.as_fields import text_fields
from memtui.proposals.model import Notice, Proposal

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


def _is_plain(text: str) -> bool:
    """Whether nothing in a text could alarm: printable ASCII, tabs and newlines. Most texts are."""
    return text.isascii() and text.translate({9: None, 10: None}).isprintable()


def listed(names: Iterable[str]) -> str:
    """Names with commas between, the first few of many."""
    every = [name if len(name) <= 80 else name[:79] + "…" for name in names]
    rest = len(every) - _NAMED
    return ", ".join(every) if rest <= 0 else f"{', '.join(every[:_NAMED])} and {rest} more"
