"""How each row of the inbox looks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from memtui.review.items import Item, Refusal
from memtui.tui.inbox_model import Fate, InboxRow
from memtui.tui.outside import clip, safe, width
from memtui.tui.paint import Line
from memtui.tui.row_list import RowView
from memtui.tui.words import age, number

GIST_FROM = 76
"""Columns of the list from which each row says a few words more (zoomed)."""


@dataclass(frozen=True, slots=True)
class RowState:
    """What the rows need beside themselves."""

    now: float
    """Unix seconds."""
    cells: int
    """Of the list."""
    fates: Mapping[str, Fate]
    marks: Collection[str] = field(default=())
    drafts: Collection[str] = field(default=())
    """Ids of items for which unfinished text of the person's waits."""
    unseen: Collection[str] = field(default=())
    """Ids of what has not been looked at."""


def row_view(row: InboxRow, state: RowState) -> RowView:
    """One row, whatever its kind."""
    if row.item is not None:
        return _item_view(row, row.item, state)
    if row.kind == "refusal" and row.refusal is not None:
        return _refusal_view(row.refusal, state)
    text: Line = ((safe(row.text), ""),)
    count = number(row.count)
    if row.kind == "group":
        return RowView(text, heading=True, right=count, still=True)
    if row.kind == "batch":
        indent = "   " if state.marks else "  "
        return RowView(((indent, ""), *text), heading=True, right=count, still=True)
    if row.kind == "held":
        return RowView(text, heading=True, accent=True)
    if row.kind == "problems":
        return RowView(text, sign="▾" if row.same else "▸", right=count)
    return RowView(still=True)


def _item_view(row: InboxRow, item: Item, state: RowState) -> RowView:
    fate = state.fates.get(item.id)
    text = "same note" if row.same else safe(item.headline)
    indent = "  " if row.same or row.member else ""
    if row.member and row.same:
        indent = "    "
    line: Line = ((indent + text, ""),)
    if state.cells >= GIST_FROM:
        room = state.cells // 3
        name = clip(indent + text, room)
        line = ((name + " " * (room - width(name) + 2), ""), (safe(gist(item)), "muted"))
    return RowView(
        line,
        sign=item.sign,
        badge=() if fate else badges(item, draft=item.id in state.drafts),
        right=age(max(0.0, state.now - item.first_seen)) if fate is None else fate,
        dim=fate is not None,
        mark=(item.id in state.marks) if state.marks else None,
        unseen=item.id in state.unseen,
    )


def _refusal_view(refusal: Refusal, state: RowState) -> RowView:
    name = safe(refusal.file or refusal.id)
    right = age(max(0.0, state.now - refusal.at)) if refusal.at else ""
    return RowView(((f"  {name}", ""),), sign="!", right=right)


def gist(item: Item) -> str:
    """A few words of what it says: the summary, hook or reason."""
    proposal = item.proposal
    for name in ("summary", "hook", "change"):
        text = getattr(proposal, name, None)
        if text:
            return str(text)
    return proposal.reason


def badges(item: Item, *, draft: bool) -> Line:
    """What a row warns of: `!! hidden`, `!`, `#new`, `≠`; or that a draft of the person's waits."""
    alarm = next((n for n in item.notices if n.alarm), None)
    if item.state == "problem":
        return (("!! problem", "alarm"),)
    if alarm is not None:
        return ((f"!! {alarm.kind}" if alarm.kind == "hidden" else "!!", "alarm"),)
    if draft:
        return (("draft", "accent"),)
    if item.state == "stale":
        return (("≠", "accent"),)
    if item.has_new_tags:
        return (("#new", "accent"),)
    if item.notices:
        return (("!", "chip"),)
    return ()
