"""What the screen found in a blocked proposal, as the journal keeps it: all but the value (SPEC.md section 4)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.gate.screen import Hit
from memtui.proposals.model import Json

MOST = 50
"""Findings that are kept of one proposal."""


def kept(hits: Sequence[Hit]) -> str:
    """The note of a blocked item; memtui's own, in the place of a person's."""
    return json.dumps([as_json(hit) for hit in hits[:MOST]])


def found(note: str) -> tuple[Hit, ...]:
    """What `kept` has kept; nothing of a note that is none of its."""
    try:
        return tuple(Hit(**each) for each in json.loads(note))
    except (ValueError, TypeError):
        return ()


def as_json(hit: Hit) -> dict[str, Json]:
    return {name: getattr(hit, name) for name in Hit.__slots__}


def hit_words(hit: Hit) -> str:
    """`fingerprint 0f3c… · GitHub token · body, line 3 · 40 characters`"""
    place = f"{hit.field}, line {hit.line}" if hit.field else f"line {hit.line}"
    return f"fingerprint {hit.fingerprint} · {hit.rule} · {place} · {hit.length} characters"
