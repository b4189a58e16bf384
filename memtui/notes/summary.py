"""The one line that stands for a note in the catalog (SPEC.md section 2)."""

from __future__ import annotations

SUMMARY_CHARACTERS = 120


def clip_summary(text: str) -> str:
    """White space collapsed to one line, at most 120 characters, then `…` where more followed."""
    line = " ".join(text.split())
    return line if len(line) <= SUMMARY_CHARACTERS else line[:SUMMARY_CHARACTERS] + "…"
