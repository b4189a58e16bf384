"""All that is shown of one item before a decision."""

from __future__ import annotations

from memtui.notes import entry
from memtui.proposals.context import Overlay
from memtui.proposals.diff import diff
from memtui.proposals.markdown_form import to_markdown
from memtui.proposals.model import Plan
from memtui.review.items import CatalogEffect, Item, Preview
from memtui.review.planning import Pending, filename_of
from memtui.storage.apply import materialise


def preview_of(
    pending: Pending, made: Plan, item: Item, on: Overlay, catalog: CatalogEffect | None
) -> Preview:
    """The plan with its diffs on the folder `on`, the target's history, and the proposal's `.md` form."""
    files = materialise(made.changes, on.read)
    target = filename_of(pending.proposal, made)
    present = on.read(target) if target and not made.problems else None
    return Preview(
        item=item,
        plan=made,
        diffs=tuple(diff(f.path, f.before, f.after, f.origin) for f in files),
        files=tuple((f.path, f.origin, f.before, f.after) for f in files),
        catalog=catalog,
        history=entry.log_of(present) if present is not None else (),
        text=pending.edited or to_markdown(pending.proposal),
    )
