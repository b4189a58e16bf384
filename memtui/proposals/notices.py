"""Notices about a proposal's own text: what a reader could overlook."""

from __future__ import annotations

from memtui.proposals.fields import text_fields
from memtui.proposals.model import Notice, Proposal
from memtui.safe_text import alarms


def hidden_text(proposal: Proposal) -> list[Notice]:
    """One alarm naming the fields that hold characters which do not show or which steer the terminal."""
    counts = {name: alarms(text) for name, text in text_fields(proposal).items()}
    counts = {name: count for name, count in counts.items() if count}
    if not counts:
        return []
    total = sum(counts.values())
    characters = "character" if total == 1 else "characters"
    return [Notice("hidden", f"{total} hidden {characters} in {', '.join(counts)}", alarm=True)]
