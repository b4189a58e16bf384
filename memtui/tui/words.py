"""Plain words for ages, sources, counts and sizes, as the app says them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.proposals.model import Proposal

SOURCES = {
    "user": "you said it",
    "conversation": "from a conversation",
    "file": "from a file",
    "web": "from the web",
    "inferred": "inferred",
}
"""The claim of a proposal's `source`, in words."""

REASONS = ("wrong", "private, do not keep", "already known", "too vague", "not worth keeping")
"""Picked reasons of the reason line (`r ↓ ⏎`)."""


def age(seconds: float) -> str:
    """An age in at most three characters: `now`, `2m`, `6h`, `1d`, `3w`, `2y`."""
    if seconds < 60:
        return "now"
    for unit, size, limit in (("m", 60, 60), ("h", 3600, 24), ("d", 86400, 14), ("w", 604800, 104)):
        if seconds < size * limit:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds // 31_557_600)}y"


def ago(seconds: float) -> str:
    """An age as a phrase: `just now`, `2 min ago`, `6 hours ago`, `3 days ago`."""
    if seconds < 60:
        return "just now"
    if seconds < 3600:
        return f"{int(seconds // 60)} min ago"
    if seconds < 86400:
        return f"{plural(int(seconds // 3600), 'hour')} ago"
    if seconds < 86400 * 365:
        return f"{plural(int(seconds // 86400), 'day')} ago"
    return f"{plural(int(seconds // 31_557_600), 'year')} ago"


def is_today(at: float, now: float) -> bool:
    """Whether a moment (Unix seconds) lies on today's date, local time."""
    return time.localtime(at)[:3] == time.localtime(now)[:3]


def number(count: int) -> str:
    """`77`, `1,000`"""
    return f"{count:,}"


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 note`, `2 notes`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def thousands(size: int) -> str:
    """Bytes as the catalog meter says them: `0.4`, `1.8` (in units of 1,024 bytes), one decimal."""
    return f"{size / 1024:.1f}"


def meter(used: int, budget: int) -> str:
    """`1.8/2.0K`"""
    return f"{thousands(used)}/{thousands(budget)}K"


def origin(proposal: Proposal) -> list[str]:
    """Where the agent says that it got this, and whether it claims that someone watches."""
    parts: list[str] = []
    if proposal.agent == "you":
        return parts
    if proposal.source:
        parts.append(SOURCES.get(proposal.source, proposal.source))
    if proposal.attended is True:
        parts.append("claims you are watching")
    elif proposal.attended is False:
        parts.append("ran unattended")
    return parts
