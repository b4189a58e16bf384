"""Which items a command means, in which order they stand on each other, and what was picked for them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.commands.common import USAGE, CommandError, unread
from memtui.config import Workspace
from memtui.desk import Choices, Desk
from memtui.notes import entry, tags
from memtui.proposals.model import Problem
from memtui.proposals.rules import from_fields
from memtui.proposals.tagpick import LEAST, MOST
from memtui.review.planning import in_order

if TYPE_CHECKING:
    from memtui.review.items import Item, Preview

_TAGGED = ("add", "update", "contradiction", "edit", "replace")
"""Operations that can give an entry its tags."""


# --- items ---------------------------------------------------------------------------------------


def picked_ids(desk: Desk, wanted: Sequence[str]) -> list[str]:
    """The ids of items, each once whatever its case; a batch's id stands for all its members that wait."""
    found: dict[str, str] = {}
    for id in wanted:
        for picked in _members(desk, id) or [id]:
            found.setdefault(picked.casefold(), picked)
    return list(found.values())


def _members(desk: Desk, batch: str) -> list[str]:
    folded = batch.casefold()
    return [item.id for item in desk.items() if folded and item.proposal.batch.casefold() == folded]


def items_by_id(desk: Desk) -> Mapping[str, Item]:
    """What waits, by its id with the case folded."""
    return {item.id.casefold(): item for item in desk.items()}


def groups_of(items: Mapping[str, Item], ids: Sequence[str]) -> list[list[str]]:
    """What is planned and approved together: members of one batch, successors before what they succeed.

    Everything else stands by itself; so does what is never part of a bulk decision, and what cannot be approved.
    """
    groups: dict[str, list[str]] = {}
    for id in ids:
        item = items.get(id.casefold())
        together = item and item.proposal.batch and item.state != "problem" and not why_alone(item)
        groups.setdefault(item.proposal.batch if item and together else f"\0{id}", []).append(id)
    return [_in_order(items, group) if len(group) > 1 else group for group in groups.values()]


def _in_order(items: Mapping[str, Item], ids: Sequence[str]) -> list[str]:
    asked = {items[id.casefold()].id: id for id in ids}
    return [asked[member.id] for member in in_order([items[id.casefold()].proposal for id in ids])]


def why_alone(item: Item) -> str:
    """Why an item is never part of a bulk decision (SPEC.md sections 4 and 6); "" where it may be."""
    if item.proposal.operation == "delete":
        return f"{item.id} is a delete: approve it by itself"
    if item.state == "stale":
        return f"{item.id} was made from an older version of its note: approve it by itself"
    return ""


# --- what was picked for them --------------------------------------------------------------------


def choices_of(args: argparse.Namespace) -> Choices:
    """--choose, --tags and --accept-new-tags. Raises CommandError where the tags are none."""
    return Choices(args.choose, _tags(args.tags), args.accept_new_tags)


def _tags(given: str | None) -> tuple[str, ...] | None:
    """The tags of --tags, held to what a proposal's tags are held to."""
    if given is None:
        return None
    asked = [part.strip() for part in given.split(",")]
    found = list(dict.fromkeys(tags.normalise(part) for part in asked if part))
    if not LEAST <= len(found) <= MOST or "" in found:
        raise CommandError("--tags wants 2 to 5 tags with commas between, such as health,food", USAGE)
    for tag in found:
        if _problems(tag):
            raise CommandError(
                f"--tags: “{tag}” is no tag: give plain words, without #, brackets, quotes or control characters",
                USAGE,
            )
    return tuple(found)


def _problems(tag: str) -> tuple[Problem, ...]:
    """What a proposal with this tag would be told."""
    fields = {"title": "t", "body": "b", "type": "fact", "confidence": "high", "context": "c"}
    made = from_fields({"operation": "add", **fields, "tags": [tag]}, id="tags")
    return made if isinstance(made, tuple) else ()


def fitting(choices: Choices, item: Item, *, alone: bool) -> Choices | str:
    """What was picked, for this item; or which option does not fit it, in one sentence.

    Of several items some may have new tags to say yes to; the other options mean one kind of item.
    """
    operation = item.proposal.operation
    if choices.choose is not None and operation != "contradiction":
        return f"--choose goes with a contradiction, and {item.id} is no contradiction but: {operation}"
    if operation in _TAGGED:
        return choices
    if choices.tags is not None:
        return f"--tags goes with what gives an entry its tags, and {item.id} does not: {operation}"
    if choices.accept_new_tags and alone:
        return f"--accept-new-tags goes with what brings new tags, and {item.id} does not: {operation}"
    return Choices(choices.choose, None, False)


def why_no_tags(preview: Preview, choices: Choices) -> str:
    """Why --tags does not fit an edit or replace, which may be of any note; "" where it does."""
    item = preview.item
    if choices.tags is None or item.proposal.operation not in ("edit", "replace") or not preview.files:
        return ""
    after = next((after for path, _, _, after in preview.files if path == item.target), None)
    if after is not None and entry.read_entry(after) is not None:
        return ""
    return f"--tags goes with an entry, and {item.target} is none"


def still_wanted(preview: Preview) -> str:
    """What is in the way of a yes, in one sentence that names the option; "" for nothing."""
    plan = preview.plan
    if plan.problems:
        return plan.problems[0].message
    return f"it wants {wants_line(plan.wants[0], plan.choices)}" if plan.wants else ""


def wants_line(want: str, choices: Sequence[str]) -> str:
    """One of the plan's wants, with the option that answers it."""
    lines = {
        "choice": f"a choice: add --choose {' or --choose '.join(choices)}",
        "tags": "tags: add --tags a,b (2 to 5)",
        "new_tags": "a yes to its new tags: add --accept-new-tags",
        "sibling": "its sibling first: approve that one, or the whole batch",
    }
    return lines.get(want, want)


def why_gone(found: Workspace, id: str, otherwise: str) -> str:
    """Why an id is not pending, and where more is to be read; one sentence."""
    from memtui.agents import tools
    from memtui.review.history import problem_sentence, problems_of

    if missed := unread(found):
        return f"{id} is not shown: {missed}"
    answered = tools.decision(found, id)
    if answered["state"] == "pending":  # its file is there, or nothing can be told of it
        return f"{id} waits, but its file in the spool cannot be read now: `memtui inbox` says why"
    if answered["state"] != "decided":
        return otherwise
    why = str(answered.get("reason") or "")
    for problem in problems_of(answered.get("problems"))[:1]:
        why = problem_sentence(problem.field, problem.message)
    said = f"{answered.get('verdict')}, {why.rstrip('.')}" if why else answered.get("verdict")
    return f"{id} is not pending but {said}: `memtui decision {id}` says more"
