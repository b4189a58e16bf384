"""All that is shown of one item before a decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.notes import entry
from memtui.proposals.context import Overlay
from memtui.proposals.diff import FileDiff, Row, diff
from memtui.proposals.left_out import Part, parts
from memtui.proposals.markdown_form import to_markdown
from memtui.proposals.model import Plan
from memtui.proposals.stopping import Stop, never
from memtui.review.items import CatalogEffect, Item, Preview
from memtui.review.planning import Pending, filename_of
from memtui.storage.apply import materialise

if TYPE_CHECKING:
    from memtui.storage.records import RecordFile


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that a preview is made of, read at one moment."""

    plan: Plan
    item: Item
    files: tuple[RecordFile, ...]
    history: tuple[str, ...]
    text: str

    def preview(self, catalog: CatalogEffect | None, stop: Stop = never) -> Preview:
        """The plan with its diffs. To compare long notes takes a while; nothing is read for it. Raises Stopped."""
        diffs = [diff(f.path, f.before, f.after, f.origin, stop) for f in self.files]
        found = parts(self.plan)
        places: list[dict[int, str]] = [{} for _ in diffs]
        for number, shown in enumerate(diffs):
            if found and shown.path == found[0].path:
                diffs[number], places[number] = _with_parts(shown, found)
        return Preview(
            item=self.item,
            plan=self.plan,
            diffs=tuple(diffs),
            files=tuple((f.path, f.origin, f.before, f.after) for f in self.files),
            catalog=catalog,
            history=self.history,
            text=self.text,
            parts=tuple(places),
        )


def prepare(pending: Pending, made: Plan, item: Item, on: Overlay) -> Prepared:
    """Read what the preview of a plan shows: on the folder `on` the files, the target's history, and the `.md` form."""
    target = filename_of(pending.proposal, made)
    present = on.read(target) if target and not made.problems else None
    return Prepared(
        plan=made,
        item=item,
        files=materialise(made.changes, on.read),
        history=entry.log_of(present) if present is not None else (),
        text=pending.edited or to_markdown(pending.proposal),
    )


# --- what can be left out ------------------------------------------------------------------------


def _with_parts(shown: FileDiff, found: Sequence[Part]) -> tuple[FileDiff, dict[int, str]]:
    """A note's diff that says what was left out of it, and to which part each of its rows belongs."""
    begun = {part.start: part for part in found if not part.old}
    of_line = {line: part for part in found for line in range(part.start, part.end)}
    rows: list[Row] = []
    places: dict[int, str] = {}
    line = 0  # the old line that comes next, from 0
    for index, row in enumerate(shown.rows):
        if row.kind == "+":
            near = (begun.get(line), of_line.get(line - 1), of_line.get(line))
            part = next((p for p in near if p is not None and not p.out and _brings(p, row)), None)
        else:
            part = of_line.get(line)
            if part is not None and part.out != (row.kind == " "):
                part = None
            line += 1
            if row.kind == " " and part is None:
                after, before = begun.get(line), begun.get(0) if line == 1 else None
                part = next((p for p in (after, before) if p is not None and p.out), None)
        if part is not None:
            if part.out and part.key not in places.values():
                row = row._replace(note=_note(part))
            places[index] = part.key
        rows.append(row)
    return replace(shown, rows=tuple(rows)), places


def _brings(part: Part, row: Row) -> bool:
    return any(line.rstrip("\r\n") == row.text for line in part.new)


def _note(part: Part) -> str:
    if part.old:
        return "left out"
    return "1 new line left out" if len(part.new) == 1 else f"{len(part.new)} new lines left out"
