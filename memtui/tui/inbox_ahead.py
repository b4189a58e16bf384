"""What the list of proposals will be, laid out in a thread: of thousands, no key waits for the rows."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from memtui.review.items import Item, Refusal
from memtui.tui.inbox_model import InboxModel


@dataclass(frozen=True, slots=True)
class Ahead:
    """A copy of the model that has taken in what the desk has now, and what it was a copy of."""

    items: Sequence[Item]
    refusals: Sequence[Refusal]
    model: InboxModel
    arrived: list[str]
    state: tuple[object, ...]
    """The state of the model that was copied."""
    unseen: frozenset[str]
    """What had not been looked at then."""
    visible: int
    """How many rows from the top had to stay."""


def take_ahead(
    model: InboxModel, items: Sequence[Item], refusals: Sequence[Refusal], visible: int, room: int
) -> Ahead:
    """`model.take` on a copy, with all that is counted of its rows; for any thread."""
    state, unseen = model.state, frozenset(model.unseen)
    laid = copy(model)
    for name in ("items", "fates", "held"):
        setattr(laid, name, dict(getattr(model, name)))
    laid.marks, laid.unseen = set(model.marks), set(unseen)
    arrived = laid.take(items, refusals, visible, room)
    laid.position("")
    _ = laid.stale
    return Ahead(items, refusals, laid, arrived, state, unseen, visible)


def take(model: InboxModel, ahead: Ahead, visible: int, room: int) -> list[str]:
    """`model.take` of what was laid out; anew where the person has changed or scrolled the list since then."""
    if _adopt(model, ahead, visible, room):
        return ahead.arrived
    return model.take(ahead.items, ahead.refusals, visible, room)


def _adopt(model: InboxModel, ahead: Ahead, visible: int, room: int) -> bool:
    """Become the copy, where it still is one of this; what was marked and looked at meanwhile stays so."""
    if model.state != ahead.state or (not visible and ahead.visible):
        return False
    laid = ahead.model
    if visible > ahead.visible and not laid.keeps_still(model.rows(), laid.rows(), visible, room):
        return False
    marks = {id for id in model.marks if id not in laid.fates}
    unseen = laid.unseen - (ahead.unseen - model.unseen)
    vars(model).update(vars(laid))
    model.marks, model.unseen = marks, unseen
    return True
