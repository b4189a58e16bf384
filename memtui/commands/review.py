"""Commands for the person: inbox, show, approve, reject, undo, log, recover."""

from __future__ import annotations

import argparse
import base64
import sys
import time
from collections.abc import Sequence

from memtui.commands.common import (
    DONE,
    FAILED,
    CommandError,
    age,
    open_desk,
    out,
    print_json,
    problem_json,
    problem_line,
    warn,
    workspace,
)
from memtui.desk import Choices, Desk, DeskError, Gone, Wanted
from memtui.items import Item, Outcome, Preview, Refusal
from memtui.proposals.diff import unified
from memtui.proposals.model import Json
from memtui.safe_text import safe, safe_lines


def inbox(args: argparse.Namespace) -> int:
    """What is pending, and below it what was refused."""
    with open_desk(args) as desk:
        desk.take_in(wait=True)
        items, refusals = desk.items(), desk.refusals()
    if args.json:
        print_json([*map(_item_json, items), *map(_refusal_json, refusals)])
        return DONE
    for item in items:
        marks = "".join(f"  {'!!' if n.alarm else '!'} {n.kind}" for n in item.notices)
        marks += "  problem" if item.state == "problem" else ""
        who = item.proposal.agent or "unknown agent"
        out(safe(f"{item.sign} {item.headline}") + f"  {age(item.first_seen)}  {safe(who)}{safe(marks)}")
        out(f"    {safe(item.id)}")
    for refusal in refusals:
        out(f"x {safe(refusal.id)}  {refusal.verdict}  {safe(refusal.agent)}")
        for problem in refusal.problems:
            out(f"    {problem_line(problem)}")
    if not items and not refusals:
        out("nothing is waiting")
    return DONE


def _item_json(item: Item) -> Json:
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
        "first_seen": item.first_seen,
        "edited": item.edited,
        "notices": [{"kind": n.kind, "message": n.message, "alarm": n.alarm} for n in item.notices],
        "problems": problem_json(item.problems),
    }


def _refusal_json(refusal: Refusal) -> Json:
    return {
        "id": refusal.id,
        "operation": refusal.operation,
        "state": refusal.verdict,
        "agent": refusal.agent,
        "file": refusal.file,
        "at": refusal.at,
        "problems": problem_json(refusal.problems),
    }


def show(args: argparse.Namespace) -> int:
    """The plan of one item: every file's diff, notices, plan hash."""
    with open_desk(args) as desk:
        desk.take_in(wait=True)
        previews = [_preview(desk, id, args) for id in _ids(desk, [args.id])]
    if args.json:
        shown = [_preview_json(preview) for preview in previews]
        single = len(shown) == 1 and previews[0].item.id.casefold() == args.id.casefold()
        print_json(shown[0] if single else {"id": args.id, "members": shown})
    else:
        for preview in previews:
            print_preview(preview)
    return DONE


def _preview(desk: Desk, id: str, args: argparse.Namespace) -> Preview:
    try:
        return desk.preview(
            id, choose=args.choose, tags=_tags(args), accept_new_tags=args.accept_new_tags, catalog=False
        )
    except (Gone, DeskError) as gone:
        raise CommandError(str(gone)) from gone


def _ids(desk: Desk, wanted: Sequence[str]) -> list[str]:
    """The ids of items; a batch's id stands for all its members that wait."""
    listed: list[str] = []
    for id in wanted:
        members = [item.id for item in desk.items() if item.proposal.batch.casefold() == id.casefold()]
        listed.extend(members if members and id else [id])
    return list(dict.fromkeys(listed))


def _tags(args: argparse.Namespace) -> tuple[str, ...] | None:
    if args.tags is None:
        return None
    return tuple(tag.strip() for tag in args.tags.split(",") if tag.strip())


def _preview_json(preview: Preview) -> Json:
    plan = preview.plan
    changes: list[Json] = []
    for shown, (path, origin, before, after) in zip(preview.diffs, preview.files, strict=True):
        changes.append(
            {
                "path": path,
                "from": origin,
                "change": shown.change,
                **_text("before", before),
                **_text("after", after),
                "diff": unified(shown),
            }
        )
    return {
        "id": preview.item.id,
        "operation": preview.item.proposal.operation,
        "agent": preview.item.proposal.agent,
        "state": preview.item.state,
        "plan": plan.hash,
        "notices": [{"kind": n.kind, "message": n.message} for n in plan.notices],
        "problems": problem_json(plan.problems),
        "wants": list(plan.wants),
        "suggested_tags": [{"tag": tag, "because": why} for tag, why in plan.suggested_tags],
        "new_tags": [new.tag for new in plan.new_tags],
        "changes": changes,
        "result": dict(plan.result),
        "choices": list(plan.choices),
    }


def _text(name: str, data: bytes | None) -> dict[str, Json]:
    """`before` or `after` as text, or as base64 where it is not UTF-8."""
    if data is None:
        return {name: None}
    try:
        return {name: data.decode("utf-8")}
    except UnicodeDecodeError:
        return {name: None, f"{name}_base64": base64.b64encode(data).decode("ascii")}


def print_preview(preview: Preview) -> None:
    """A preview as text for a terminal."""
    item, plan = preview.item, preview.plan
    out(safe(f"{item.sign} {item.proposal.operation}  {item.headline}"))
    facts = [item.proposal.agent or "unknown agent", item.proposal.session, item.proposal.source]
    out(safe(" · ".join(fact for fact in facts if fact)))
    if item.proposal.reason:
        out(safe(f"why  {item.proposal.reason}"))
    for notice in plan.notices:
        out(safe(f"{'!!' if notice.alarm else '!'} {notice.message}"))
    for problem in plan.problems:
        out(f"problem  {problem_line(problem)}")
    for tag, why in plan.suggested_tags:
        out(safe(f"suggested tag  {tag}  ({why})"))
    for want in plan.wants:
        out(_WANTED[want].format(choices=" or ".join(plan.choices)))
    for shown in preview.diffs:
        out()
        out(safe_lines(unified(shown)).rstrip("\n"))
    out()
    out(f"id    {safe(item.id)}")
    out(f"plan  {plan.hash}")


_WANTED = {
    "choice": "wants a choice: approve with --choose {choices}",
    "tags": "wants tags: approve with --tags a,b (2 to 5)",
    "new_tags": "brings new tags: approve with --accept-new-tags",
    "sibling": "waits for its sibling: approve that one first, or both together",
}


# --- deciding ------------------------------------------------------------------------------------


def approve(args: argparse.Namespace) -> int:
    """Approve items, each after a look and a yes on the terminal."""
    if args.plan and len(args.ids) != 1:
        raise CommandError("--plan goes with one id", 2)
    found = workspace(args)
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    if not asks and not found.settings.approve_without_terminal:
        raise CommandError(
            "approve asks on a terminal and there is none here: run it in a terminal, or set "
            "review.approve_without_terminal = true in your own settings"
        )
    with open_desk(args) as desk:
        desk.take_in(wait=True)
        outcomes = [
            o for group in _groups(desk, _ids(desk, args.ids)) for o in _approve(desk, group, args, asks)
        ]
    return _report(outcomes, as_json=args.json)


def _groups(desk: Desk, ids: Sequence[str]) -> list[list[str]]:
    """Members of one batch together, successors before what they succeed; everything else by itself."""
    items = {item.id.casefold(): item for item in desk.items()}
    groups: dict[str, list[str]] = {}
    for id in ids:
        item = items.get(id.casefold())
        batch = item.proposal.batch if item else ""
        groups.setdefault(batch or f"\0{id}", []).append(id)

    def waits(id: str) -> bool:
        item = items.get(id.casefold())
        return item is not None and str(getattr(item.proposal, "successor", "")).startswith("ref:")

    return [sorted(group, key=waits) for group in groups.values()]


def _approve(desk: Desk, ids: Sequence[str], args: argparse.Namespace, asks: bool) -> Sequence[Outcome]:
    choices = Choices(args.choose, _tags(args), args.accept_new_tags)
    try:
        previews = desk.preview_together([(id, choices) for id in ids])
    except (Gone, DeskError) as gone:
        return [Outcome(id, False, str(gone)) for id in ids]
    if args.plan and previews[0].plan.hash != args.plan:
        return [
            Outcome(ids[0], False, "the plan is not the one that you name: look at it again", changed=True)
        ]
    if asks:
        for preview in previews:
            print_preview(preview)
        if input("approve? [y/N] ").strip().casefold() not in ("y", "yes"):
            return [Outcome(id, False, "not decided: it still waits") for id in ids]
    return desk.approve_together([Wanted(p.item.id, p.plan.hash, choices) for p in previews])


def reject(args: argparse.Namespace) -> int:
    """Reject items with a reason for their agents."""
    with open_desk(args) as desk:
        desk.take_in(wait=True)
        outcomes = [desk.reject(id, args.reason) for id in _ids(desk, args.ids)]
    return _report(outcomes, as_json=args.json)


def undo(args: argparse.Namespace) -> int:
    """Take a decision back: the last one, or the one named by number or id."""
    with open_desk(args) as desk:
        outcome = desk.undo_named(args.decision) if args.decision else desk.undo()
    return _report([outcome], as_json=args.json)


def _report(outcomes: Sequence[Outcome], *, as_json: bool) -> int:
    if as_json:
        print_json(
            [
                {"id": o.id, "ok": o.ok, "verdict": o.verdict, "message": o.message, "decision": o.record}
                for o in outcomes
            ]
        )
    for outcome in outcomes:
        if not outcome.ok:
            warn(f"{outcome.id}: {outcome.message}" if outcome.id else outcome.message)
        elif not as_json:
            out(safe(outcome.message))
    return DONE if all(outcome.ok for outcome in outcomes) else FAILED


def log(args: argparse.Namespace) -> int:
    """Decisions, newest first."""
    with open_desk(args) as desk:
        rows = desk.log(args.limit)
    if args.json:
        print_json(
            [
                {
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
                    "at": row.at,
                }
                for row in rows
            ]
        )
        return DONE
    for row in rows:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.at))
        out(f"{row.record:>5}  {when}  {row.verdict:<9}  {row.operation:<10}  {safe(row.headline or row.id)}")
    if not rows:
        out("nothing has been decided")
    return DONE


def recover(args: argparse.Namespace) -> int:
    """Finish what a crash left."""
    with open_desk(args) as desk:
        sentences, stuck = desk.recovered, desk.stuck
    if args.json:
        print_json({"recovered": list(sentences), "stuck": list(stuck)})
    elif not sentences:
        out("nothing to recover")
    return FAILED if stuck else DONE
