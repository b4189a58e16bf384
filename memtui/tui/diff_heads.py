"""What stands above the rows of each file: its name, how many lines come and go, what the rows do not tell. Pure."""

from __future__ import annotations

from dataclasses import replace

from memtui.proposals.diff import FileDiff
from memtui.tui.diff_rows import break_lines, drawn_words
from memtui.tui.outside import safe_name, safe_unlike, width

NARROWEST = 42
"""Cells below which room is short: a terminal of 40 columns beside an agent."""


def name_text(diff: FileDiff, *, ascii: bool) -> str:
    """The path, safe."""
    return safe_name(diff.path, ascii=ascii) if diff.origin is None else safe_unlike(diff.path, diff.origin)


def facts_text(diff: FileDiff, *, ascii: bool) -> list[str]:
    """What else is to be said of the file; the name it had stands by itself, since it may hold any words."""
    if _is_plain_new(diff):
        return []
    words = {"created": "new file", "deleted": "deleted"}
    origin = [] if diff.origin is None else [f"renamed from {safe_unlike(diff.origin, diff.path)}"]
    facts = [words[diff.change], *diff.facts] if diff.change in words else [*diff.facts]
    return [*origin, (" - " if ascii else " · ").join(facts)] if facts else origin


def counts_text(diff: FileDiff | None, cells: int) -> str:
    """`+3 -2`, of a new file `new +3`."""
    if diff is None or (cells < NARROWEST and cells - 7 < width(safe_name(diff.path)) <= cells):
        return ""  # the path alone fills the line
    return f"new +{diff.added}" if _is_plain_new(diff) else f"+{diff.added} -{diff.removed}"


def head_lines(text: str, cells: int, counts: str) -> list[str]:
    """A name or a fact broken into lines, with room left for the counts. Nothing is cut.

    Further lines are indented, so that what a path holds never stands where a line of the app's begins.
    """
    room = cells - len(counts) - 2 if counts else cells
    lines = break_lines(replace(drawn_words(text), hang=2), max(8, room))
    return [" " * (2 if number else 0) + text[slice(*line)] for number, line in enumerate(lines)]


def _is_plain_new(diff: FileDiff) -> bool:
    return diff.change == "created" and not diff.facts
