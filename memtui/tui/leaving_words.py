"""How the app names the changes of a note that can be left out."""

from __future__ import annotations

from memtui.proposals.context import NOTHING_LEFT
from memtui.proposals.left_out import Part, parts
from memtui.review.items import Preview


def part_text(part: Part) -> str:
    """What a part is, in a word or two: `title`, `line 11`."""
    if part.field:
        return part.field
    return f"line {part.start + 1}" if len(part.old) < 2 else f"lines {part.start + 1} to {part.end}"


def left_out_text(preview: Preview) -> str:
    """`title, line 11`, "" where nothing is left out."""
    plan = preview.plan
    if NOTHING_LEFT in plan.problems:
        return "every change"
    if not plan.left_out:
        return ""
    return ", ".join(part_text(part) for part in parts(plan) if part.out)
