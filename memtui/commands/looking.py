"""Commands that look at what waits and what was decided: inbox, show, log."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memtui.commands.common import (
    DONE,
    FAILED,
    USAGE,
    CommandError,
    age,
    open_desk,
    out,
    print_json,
    problem_json,
    problem_line,
    unread,
    workspace,
)
from memtui.review.blocked import as_json, hit_words
from memtui.safe_text import safe, width
from memtui.storage.records import ALLOWED_BY

if TYPE_CHECKING:
    from memtui.desk import Choices, Desk
    from memtui.proposals.model import Json
    from memtui.review.history import LogRow
    from memtui.review.items import Item, Preview, Refusal


# --- inbox ---------------------------------------------------------------------------------------


def inbox(args: argparse.Namespace) -> int:
    """What is pending, and below it what was refused; --dismiss takes refused ones off the list."""
    if args.dismiss is not None:
        from memtui.commands.deciding import dismiss

        return dismiss(args)
    with open_desk(args) as desk:
        desk.take_in(wait=True)
        items, refusals = desk.items(), desk.refusals()
        files = {id: pending.file for id, pending in desk.intake.pending.items()}
    missed = unread(workspace(args))
    if args.json:
        if missed:
            raise CommandError(missed)
        print_json([*(_item_json(item, files.get(item.id)) for item in items), *map(_refusal_json, refusals)])
        return DONE
    for item in items:
        for line in _item_lines(item):
            out(line)
    for refusal in refusals:
        for line in _refusal_lines(refusal):
            out(line)
    if missed:
        out(missed)
    elif not items and not refusals:
        out("nothing is waiting")
    return FAILED if missed else DONE


def _item_lines(item: Item) -> Iterator[str]:
    """Two lines, and below them its problems, where it has any."""
    flags = dict.fromkeys(f"{'!!' if notice.alarm else '!'} {notice.kind}" for notice in item.notices)
    who = item.proposal.agent or "unknown agent"
    yield safe("  ".join((f"{item.sign} {item.headline}", age(item.first_seen), who, *flags)))
    yield f"    {safe(item.id)}"
    for problem in item.problems:
        yield f"    problem: {problem_line(problem)}"


def _refusal_lines(refusal: Refusal) -> Iterator[str]:
    """One line, and below it what is wrong."""
    when = age(refusal.at) if refusal.at else ""
    yield safe("  ".join(filter(None, (f"x {refusal.id}", refusal.verdict, when, refusal.agent))))
    for problem in refusal.problems:
        yield f"    {problem_line(problem)}"
    for hit in refusal.hits:
        yield safe(f"    {hit_words(hit)}")


def _item_json(item: Item, file: str | None) -> Json:
    proposal = item.proposal
    return {
        "id": item.id,
        "operation": proposal.operation,
        "state": item.state,
        "headline": item.headline,
        "target": item.target,
        "agent": proposal.agent,
        "session": proposal.session,
        "source": proposal.source,
        "attended": proposal.attended,
        "reason": proposal.reason,
        "batch": proposal.batch or None,
        "spool": item.spool,
        "file": file,
        "first_seen": item.first_seen,
        "refused_at": None,
        "edited": item.edited,
        "notices": [{"kind": n.kind, "message": n.message, "alarm": n.alarm} for n in item.notices],
        "problems": problem_json(item.problems),
        "hits": [],
    }


def _refusal_json(refusal: Refusal) -> Json:
    """The keys of `_item_json`, null where nothing is known of a proposal that was never read."""
    return {
        "id": refusal.id,
        "operation": refusal.operation or None,
        "state": refusal.verdict,
        "headline": None,
        "target": None,
        "agent": refusal.agent or None,
        "session": None,
        "source": None,
        "attended": None,
        "reason": None,
        "batch": None,
        "spool": refusal.spool,
        "file": refusal.file or None,
        "first_seen": None,
        "refused_at": refusal.at or None,
        "edited": False,
        "notices": [],
        "problems": problem_json(refusal.problems),
        "hits": [as_json(hit) for hit in refusal.hits],
    }


# --- show ----------------------------------------------------------------------------------------


def show(args: argparse.Namespace) -> int:
    """The plan of one item, or of the members of a batch as they would be approved together."""
    from memtui.commands.picking import choices_of, picked_ids
    from memtui.commands.preview import preview_json, preview_lines

    choices = choices_of(args)
    with open_desk(args) as desk:
        desk.take_in(wait=True)
        ids = picked_ids(desk, [args.id])
        previews = _previews(desk, args.id, ids, choices)
    if args.json:
        listed = [preview_json(preview) for preview in previews]
        single = ids[0].casefold() == args.id.casefold()
        print_json(listed[0] if single else {"id": args.id, "members": listed})
        return DONE
    for number, preview in enumerate(previews):
        if number:
            out()
        for line in preview_lines(preview):
            out(line)
    return DONE


def _previews(desk: Desk, wanted: str, ids: Sequence[str], choices: Choices) -> list[Preview]:
    """Each as `approve` of the same id would plan it."""
    from memtui.commands.picking import fitting, groups_of, items_by_id, why_gone, why_no_tags
    from memtui.desk import Gone

    items = items_by_id(desk)
    found: list[Preview] = []
    for group in groups_of(items, ids):
        asked = []
        for id in group:
            item = items.get(id.casefold())
            fit = fitting(choices, item, alone=len(ids) == 1) if item is not None else choices
            if isinstance(fit, str):
                raise CommandError(fit, USAGE)
            asked.append((id, fit))
        try:
            previews = desk.preview_together(asked)
        except Gone as gone:
            raise CommandError(why_gone(desk.workspace, wanted, str(gone))) from gone
        for preview in previews:
            if missed := why_no_tags(preview, choices):
                raise CommandError(missed, USAGE)
        found.extend(previews)
    return found


# --- log -----------------------------------------------------------------------------------------


def log(args: argparse.Namespace) -> int:
    """Decisions, newest first; only reads. --forget erases what those on one proposal held."""
    if args.forget is not None:
        from memtui.commands.forgetting import forget

        return forget(args)
    from memtui.reading.glance import decisions

    rows = decisions(workspace(args), args.limit)
    if args.json:
        print_json([log_json(row) for row in rows])
        return DONE
    for line in _log_lines(rows):
        out(line)
    if not rows:
        out("nothing has been decided")
    return DONE


def log_json(row: LogRow) -> Json:
    """One decision as `log --json` and `watch --json` print it."""
    return {
        "decision": row.record,
        "id": row.id,
        "operation": row.operation,
        "verdict": row.verdict,
        "headline": row.headline,
        "target": row.target,
        "agent": row.agent,
        "reason": row.reason,
        "edited": row.edited,
        "undoable": row.undoable,
        "undone_by": row.undone_by,
        "undoes": row.undoes,
        "forgotten": row.forgotten,
        "at": row.at,
        "by": row.by,
    }


def _log_lines(rows: Sequence[LogRow]) -> Iterator[str]:
    """One line a row, in columns as wide as what stands in them."""
    table = [
        (
            str(row.record),
            time.strftime("%Y-%m-%d %H:%M", time.localtime(row.at)),
            safe(row.verdict),
            safe(row.operation or "-"),
            " · ".join(_log_words(row)),
        )
        for row in rows
    ]
    widths = [max((width(line[column]) for line in table), default=0) for column in range(4)]
    for line in table:
        cells = [text + " " * (widths[column] - width(text)) for column, text in enumerate(line[:4])]
        yield "  ".join((" " * (widths[0] - width(line[0])) + line[0], *cells[1:], line[4]))


def _log_words(row: LogRow) -> Iterator[str]:
    """What it was about, who proposed it, and what became of the decision itself."""
    yield safe(row.headline or row.id)
    if row.agent:
        yield safe(row.agent)
    if row.headline and row.headline != row.id:
        yield safe(row.id)
    if row.edited:
        yield "edited"
    if row.by.startswith(ALLOWED_BY):
        yield safe(row.by)
    if row.undoes is not None:
        yield f"took back {row.undoes}"
    if row.undone_by is not None:
        yield f"taken back by {row.undone_by}"
    if row.forgotten:
        yield "no longer kept"
