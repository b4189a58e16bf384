"""Commands that decide: approve, reject, undo, and `inbox --dismiss`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.commands.common import (
    DONE,
    FAILED,
    USAGE,
    CommandError,
    need_terminal,
    on_terminal,
    open_desk,
    out,
    print_json,
    says_yes,
    warn,
    workspace,
)
from memtui.commands.picking import (
    choices_of,
    fitting,
    groups_of,
    items_by_id,
    picked_ids,
    still_wanted,
    why_alone,
    why_gone,
    why_no_tags,
)
from memtui.desk import Choices, Desk, DeskError, Gone, Wanted
from memtui.review.history import named_decision, with_id
from memtui.review.items import Outcome
from memtui.safe_text import safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.review.items import Item, Preview

_HASH = re.compile(r"[0-9a-fA-F]{64}")
_INTERRUPTED = 130
_NOT_DECIDED = "not decided: it still waits"


# --- approve -------------------------------------------------------------------------------------


def approve(args: argparse.Namespace) -> int:
    """Approve items, each after a look and a yes on the terminal."""
    choices = choices_of(args)
    if args.plan is not None:
        _check_plan(args)
    asks = on_terminal()
    if not asks and not workspace(args, writes=True).settings.approve_without_terminal:
        raise CommandError(
            "approve asks on a terminal and there is none here: run it in a terminal, or set "
            "review.approve_without_terminal = true in your own settings"
        )
    with open_desk(args, writes=True) as desk:
        desk.take_in(wait=True)
        ids = picked_ids(desk, args.ids)
        if args.plan is not None and len(ids) != 1:
            raise CommandError(
                f"--plan goes with one proposal and {args.ids[0]} has {len(ids)}: name a member", USAGE
            )
        outcomes = _Approving(desk, args, choices, items_by_id(desk), asks, bulk=len(ids) > 1).run(ids)
    interrupted = any(outcome.message == _INTERRUPTION for outcome in outcomes)
    status = report(outcomes, as_json=args.json)
    return _INTERRUPTED if interrupted else status


_INTERRUPTION = "interrupted: it still waits"


def _check_plan(args: argparse.Namespace) -> None:
    """An empty or shortened hash binds nothing."""
    if _HASH.fullmatch(args.plan) is None:
        raise CommandError("--plan wants the 64 hex digits that `memtui show` prints", USAGE)
    if len(args.ids) != 1:
        raise CommandError("--plan goes with one id", USAGE)


class _Approving:
    """One run of `approve` over the ids that it was given."""

    def __init__(
        self,
        desk: Desk,
        args: argparse.Namespace,
        choices: Choices,
        items: Mapping[str, Item],
        asks: bool,
        *,
        bulk: bool,
    ) -> None:
        self.desk = desk
        self.plan: str | None = None if args.plan is None else args.plan.lower()
        self.choices = choices
        self.items = items
        self.asks = asks
        self.bulk = bulk
        self.keep_old: bool = args.keep_old
        self.aside = args.json
        """What is shown goes to stderr, since stdout is for JSON."""

    def run(self, ids: Sequence[str]) -> list[Outcome]:
        """Each group by itself; what is never decided in bulk stays as it is."""
        outcomes: list[Outcome] = []
        groups = groups_of(self.items, ids)
        for number, group in enumerate(groups):
            try:
                outcomes.extend(self._group(group))
            except KeyboardInterrupt:
                left = [id for later in groups[number:] for id in later]
                outcomes.extend(Outcome(id, False, _INTERRUPTION) for id in left)
                break
        return outcomes

    def _group(self, ids: Sequence[str]) -> Sequence[Outcome]:
        asked: list[tuple[str, Choices]] = []
        stopped: dict[str, str] = {}
        for id in ids:
            item = self.items.get(id.casefold())
            fit = self._fit(item) if item is not None else self.choices
            if isinstance(fit, str):
                stopped[id] = fit
            else:
                asked.append((id, fit))
        if stopped:
            return _stopped(ids, stopped)
        try:
            previews = self.desk.preview_together(asked)
        except Gone as gone:
            return [Outcome(id, False, why_gone(self.desk.workspace, id, str(gone))) for id in ids]
        except DeskError as error:
            return [Outcome(id, False, str(error)) for id in ids]
        return self._previewed(ids, asked, previews)

    def _fit(self, item: Item) -> Choices | str:
        alone = why_alone(item) if self.bulk else ""
        return alone or fitting(self.choices, item, alone=not self.bulk)

    def _previewed(
        self, ids: Sequence[str], asked: Sequence[tuple[str, Choices]], previews: Sequence[Preview]
    ) -> Sequence[Outcome]:
        if self.plan is not None and previews[0].plan.hash != self.plan:
            why = "the plan is no longer the one that you name: look at it again"
            return [Outcome(ids[0], False, why, changed=True)]
        if self.asks:
            self._show(previews)
        if stopped := {
            p.item.id: why for p in previews if (why := why_no_tags(p, self.choices) or still_wanted(p))
        }:
            return _stopped(ids, stopped)
        if self.asks and not says_yes("approve?", aside=self.aside):
            return [Outcome(id, False, _NOT_DECIDED) for id in ids]
        return self.desk.approve_together(
            [
                Wanted(p.item.id, p.plan.hash, made, self.keep_old)
                for p, (_, made) in zip(previews, asked, strict=True)
            ]
        )

    def _show(self, previews: Sequence[Preview]) -> None:
        from memtui.commands.preview import preview_lines

        stream = sys.stderr if self.aside else sys.stdout
        for preview in previews:
            for line in preview_lines(preview):
                stream.write(line + "\n")


def _stopped(ids: Sequence[str], why: Mapping[str, str]) -> list[Outcome]:
    """Of what is decided together: those that are in the way, and the others, which wait for them."""
    folded = {id.casefold(): message for id, message in why.items()}
    first = next(iter(why))
    return [
        Outcome(id, False, folded.get(id.casefold(), f"not decided, since {first} could not be approved"))
        for id in ids
    ]


# --- reject, undo and the rest -------------------------------------------------------------------


def reject(args: argparse.Namespace) -> int:
    """Reject items with a reason for their agents."""
    with open_desk(args, writes=True) as desk:
        desk.take_in(wait=True)
        outcomes = [_rejected(desk, id, args.reason) for id in picked_ids(desk, args.ids)]
    return report(outcomes, as_json=args.json)


def _rejected(desk: Desk, id: str, reason: str) -> Outcome:
    if id.casefold() not in items_by_id(desk):
        return Outcome(id, False, why_gone(desk.workspace, id, f"no proposal that waits has the id {id}"))
    return desk.reject(id, reason)


def undo(args: argparse.Namespace) -> int:
    """Take a decision back: the last one, or the one named by number, id or batch.

    One that wrote notes is taken back on a terminal only, as it was approved.
    """
    lifted = workspace(args, writes=True).settings.approve_without_terminal
    with open_desk(args, writes=True) as desk:
        journal = desk.journal
        found = journal.undoable() if args.decision is None else named_decision(journal, args.decision)
        if isinstance(found, int) and journal.record(found).files:
            need_terminal("undo", lifted=lifted)
        outcome = Outcome(args.decision, False, found) if isinstance(found, str) else desk.undo(found)
    return report([outcome], as_json=args.json)


def dismiss(args: argparse.Namespace) -> int:
    """Take refused and blocked items off the list of the inbox."""
    with open_desk(args, writes=True) as desk:
        desk.take_in(wait=True)
        outcomes = [_dismissed(desk, id) for id in args.dismiss]
    return report(outcomes, as_json=args.json)


def _dismissed(desk: Desk, id: str) -> Outcome:
    folded = id.casefold()
    found = next((refusal for refusal in desk.refusals() if refusal.id.casefold() == folded), None)
    if found is not None and found.verdict == "unreadable":
        return Outcome(id, False, f"{id} is a file in the spool that cannot be read: take it away there")
    if found is None and folded in items_by_id(desk):
        return Outcome(id, False, f"{id} waits for a decision: approve or reject it")
    return desk.dismiss(found.id if found is not None else id)


# --- reporting -----------------------------------------------------------------------------------


def report(outcomes: Sequence[Outcome], *, as_json: bool) -> int:
    """Print what became of each; returns the exit status."""
    if as_json:
        print_json(
            [
                {"id": o.id, "ok": o.ok, "verdict": o.verdict, "message": o.message, "decision": o.record}
                for o in outcomes
            ]
        )
    messages = [outcome.message for outcome in outcomes]
    for outcome in outcomes:
        if not outcome.ok:
            warn(_with_name(outcome))
        elif not as_json:
            doubled = messages.count(outcome.message) > 1
            out(safe(with_id(outcome.message, outcome.id) if doubled else outcome.message))
    return DONE if all(outcome.ok for outcome in outcomes) else FAILED


def _with_name(outcome: Outcome) -> str:
    """The message of one that failed, with its id in front where it does not name it itself."""
    if not outcome.id or re.search(rf"(?<![\w.-]){re.escape(outcome.id)}(?![\w-])", outcome.message, re.I):
        return outcome.message
    return f"{outcome.id}: {outcome.message}"
