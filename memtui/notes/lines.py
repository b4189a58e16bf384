"""A keyed line of index.md or tags.md: the value that plans carry instead of the whole file.

Two approvals that touch different lines of one file must both land, and an old decision must stay undoable
after later ones touched other lines (SPEC.md section 4), so a line knows its place by its neighbour's key.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyedLine:
    """One line as it stands in a file, or as it shall stand there, with the rest of its list item."""

    text: str
    """The line without its ending."""
    section: str
    """Where it stands: "entries" or "deprecated" in index.md; "L1", "L2 parent" or "L3 parent" in tags.md."""
    above: str | None = None
    """Key of the nearest keyed line above it in the same section; None where it is the first."""
    below: str = ""
    """What goes on below it in its list item (wrapped or indented lines), from the line's own ending on and
    without the last one. It moves and goes with the line; a change of the line alone leaves it as it is."""


class LineConflict(Exception):
    """A line is not what the plan saw, its key occurs twice, or its file cannot be used; one clear sentence.

    `path` is index.md or tags.md, whichever it is about.
    """

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path
