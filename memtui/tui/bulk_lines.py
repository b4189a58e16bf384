"""What the list of a bulk decision says: exactly what is decided, what is left out, and what comes of it all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from memtui.proposals.stopping import Stop
from memtui.review.background import too_like
from memtui.review.items import CatalogEffect, Item, Preview
from memtui.tui.inbox_rows import gist
from memtui.tui.outside import clip, safe, width
from memtui.tui.paint import Line, wrap
from memtui.tui.proposal_lines import catalog_text
from memtui.tui.words import number, plural

if TYPE_CHECKING:
    from memtui.desk import Desk

Verb = Literal["approve", "reject"]

NAME = 24
"""Cells of a name at most."""
LABEL = 14
REASON, BELOW = 18, 5
"""Cells that a reason needs beside the name, and those before it where it stands below."""
PARTLY = "of which you left out changes"
WANTS = "with tags to pick"
NAMED = 20
"""Of those left out, so many are named."""


@dataclass(frozen=True)
class BulkSheet:
    """What is about to be decided together: fixed when the sheet opens; later arrivals stay out."""

    verb: Verb
    ready: tuple[Item, ...]
    left_out: tuple[Item, ...]
    hashes: dict[str, str] = field(default_factory=dict)
    """Of each plan that is listed, by id; empty while it is planned."""
    new: int = 0
    """Notes that would be written anew."""
    changed: int = 0
    catalog: CatalogEffect | None = None
    planned: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Why an item is left out, by its id, where it is not its own notices."""


def sheet_lines(sheet: BulkSheet, cells: int) -> list[Line]:
    """Each item with what it does, what is left out and why, and what comes of all of them."""
    count = number(len(sheet.ready))
    later = "later arrivals stay out"
    title = (
        f"{sheet.verb.title()} {'this one' if len(sheet.ready) == 1 else f'these {count}'}?"
        if sheet.ready
        else f"Nothing here to {sheet.verb} together"
    )
    lines: list[Line] = [((title, "title"), (f"   {later}", "muted"))]
    if width(title) + 3 + len(later) > cells:
        lines = [((title, "title"),), ((later, "muted"),)]
    lines.append(())
    listed = [*sheet.ready, *sheet.left_out]
    column = max([12, *(width(clip(safe(item.headline), NAME)) for item in listed)])
    for item in sheet.ready:
        lines.append(_row((f"{item.sign} ", "bold"), item, safe(gist(item)), column, cells))
    if sheet.left_out:
        lines += [(), *(((row, "bold"),) for row in wrap(left_out_words(sheet), max(8, cells)))]
        for item in sheet.left_out[:NAMED]:
            alarm = any(notice.alarm for notice in item.notices)
            flag = ("!! ", "bold") if alarm else ("!  ", "bold")
            why = _WHY.get(reason := sheet.reasons.get(item.id, ""), reason) or why_left_out(item)
            lines += _with_reason(flag, item, safe(why), column, cells)
        if len(sheet.left_out) > NAMED:
            lines.append(((f"   and {number(len(sheet.left_out) - NAMED)} more", "muted"),))
    return [*lines, *_result_lines(sheet, cells)]


def left_out_words(sheet: BulkSheet) -> str:
    """How many are left out, and of what kind they are: `left out, still waiting: 4: 2 with notices, 1 delete, …`."""
    kinds = Counter(_kind(item, sheet.reasons.get(item.id, "")) for item in sheet.left_out)
    told = ", ".join(
        f"{number(count)} {kind}" if " " in kind else plural(count, kind)
        for kind, count in kinds.most_common()
    )
    whole = f"left out, still waiting: {number(len(sheet.left_out))}"
    return (
        f"{whole}: {told}" if len(kinds) > 1 else f"{whole}{told.removeprefix(number(len(sheet.left_out)))}"
    )


def _kind(item: Item, reason: str) -> str:
    """In a few words, why an item is not decided with the others."""
    if reason:
        return reason if reason in (PARTLY, WANTS) else "like a note"
    if item.problems:
        return "with a problem"
    if item.notices:
        return "with notices"
    return "with new tags" if item.has_new_tags else item.proposal.operation


def _row(sign: tuple[str, str], item: Item, words: str, column: int, cells: int) -> Line:
    """A sign, the name in its column and a few words, on one line."""
    name = clip(safe(item.headline), NAME)
    pad = " " * (column - width(name) + 2)
    room = cells - width(sign[0]) - column - 2
    return (sign, (name + pad, ""), (clip(words, room) if room > 4 else "", "muted"))


def _with_reason(sign: tuple[str, str], item: Item, why: str, column: int, cells: int) -> list[Line]:
    """A sign, the name and why: in a column of its own where that is wide enough, else below; never cut."""
    indent = width(sign[0]) + column + 2
    beside = cells - indent >= REASON or width(why) <= cells - indent
    rows = wrap(why, max(8, cells - (indent if beside else BELOW)))
    first = _row(sign, item, rows.pop(0) if beside else "", column, cells)
    return [first, *((((" " * (indent if beside else BELOW)), ""), (row, "muted")) for row in rows)]


_WHY = {
    PARTLY: "you left out changes of it: it is decided by itself",
    WANTS: "its tags are to be picked first",
}


def why_left_out(item: Item) -> str:
    """Why it is not decided with the others."""
    alarm = next((notice for notice in item.notices if notice.alarm), None)
    if item.problems:
        return item.problems[0].message
    if alarm is not None:
        return "hidden text" if alarm.kind == "hidden" else alarm.message
    if item.notices:
        return item.notices[0].message
    if item.has_new_tags:
        return "its new tags want a yes of their own"
    return f"a {item.proposal.operation} is decided by itself"


def _result_lines(sheet: BulkSheet, cells: int) -> list[Line]:
    if sheet.verb != "approve" or not sheet.hashes:
        return []
    written = [plural(sheet.new, "new note")] if sheet.new else []
    if sheet.changed:
        written.append(f"{number(sheet.changed)} changed")
    lines: list[Line] = [(), *_labelled("writes", ", ".join(written) or "no note", cells)]
    if sheet.catalog is not None:
        lines += _labelled("agent reads", catalog_text(sheet.catalog), cells)
    return lines


def _labelled(label: str, text: str, cells: int) -> list[Line]:
    rows = wrap(text, max(8, cells - LABEL))
    first: Line = ((label.ljust(LABEL), "muted"), (rows[0], ""))
    return [first, *(((" " * LABEL, ""), (row, "")) for row in rows[1:])]


# --- planning -------------------------------------------------------------------------------------


def plan_all(desk: Desk, sheet: BulkSheet, stop: Stop) -> BulkSheet:
    """Plan the items one on top of the other; what cannot be approved as it is goes to those left out. Blocks.

    Raises Stopped.
    """
    if sheet.verb == "reject":
        return replace(sheet, hashes=dict.fromkeys((item.id for item in sheet.ready), ""), planned=True)
    left_out = list(sheet.left_out)
    wanted = list(sheet.ready)
    reasons = dict(sheet.reasons)
    looked = False
    waiting = {item.id for item in desk.items()}
    while True:
        previews, failed, missing = _plan(desk, wanted, stop)
        if failed is None and not looked:
            looked, found = True, _too_like(desk, previews)
            left_out = [*(item for item in wanted if item.id in found), *left_out]
            wanted = [item for item in wanted if item.id not in found]
            reasons |= found
            if found:
                continue
        if failed is None:
            break
        wanted = [item for item in wanted if item.id != failed.id]
        if failed.id in waiting:
            left_out.append(failed)
            reasons |= {failed.id: WANTS} if missing == "tags" else {}
    changes = [change for preview in previews for change in preview.plan.changes]
    changed = {
        path: before for p in reversed(previews) for path, _, before, _ in p.files if path not in _LISTS
    }
    return replace(
        sheet,
        planned=True,
        ready=tuple(preview.item for preview in previews),
        left_out=tuple(left_out),
        reasons=reasons,
        hashes={preview.item.id: preview.plan.hash for preview in previews},
        new=sum(1 for before in changed.values() if before is None),
        changed=sum(1 for before in changed.values() if before is not None),
        catalog=desk.catalog_effect(changes) if changes else None,
    )


def _too_like(desk: Desk, previews: Sequence[Preview]) -> dict[str, str]:
    """Which items say nearly what a note says already, and which note: each wants a look of its own."""
    found = {}
    for preview, alike in zip(previews, desk.alike(previews), strict=True):
        if preview.item.sign == "+" and (like := too_like(alike)):
            found[preview.item.id] = f"{like.score}% like {like.name}"
    return found


_LISTS = ("index.md", "tags.md")


def _plan(desk: Desk, items: list[Item], stop: Stop) -> tuple[tuple[Preview, ...], Item | None, str]:
    """The previews of all; or the first item that cannot be approved with the others, and what it wants."""
    from memtui.desk import Choices, Gone

    try:
        previews = desk.preview_together([(item.id, Choices()) for item in items], stop=stop)
    except Gone:
        waiting = {item.id for item in desk.items()}
        return (), next((item for item in items if item.id not in waiting), items[0]), ""
    failed = next((preview for preview in previews if not preview.plan.ready), None)
    if failed is None:
        return previews, None, ""
    return previews, failed.item, next(iter(failed.plan.wants), "")
