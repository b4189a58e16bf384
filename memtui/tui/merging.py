"""One note merged into another: the text of both to edit, then one change that is written, and undone, together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.proposals.context import NO_CHOICES
from memtui.proposals.model import Add, Json, Proposal, Write
from memtui.review.items import Item, NoteView, Preview
from memtui.tui.form import Form, Shown, Values, changes_of, note_form, take_in

if TYPE_CHECKING:
    from memtui.desk import Desk


@dataclass(frozen=True, slots=True)
class Joined(Preview):
    """Several changes that are looked at as one, and decided together."""

    others: tuple[Preview, ...] = ()
    """Those after the first, each planned on top of the ones before it."""
    deleted: str = ""
    """The title of the note that the last of them deletes, which wants its word typed; "" where none does."""
    answers: str = ""
    """The id of the proposal whose text goes into the note, and which is answered once that is written."""


def compose_together(desk: Desk, wanted: Sequence[Mapping[str, Json]], deleted: str = "") -> Shown:
    """Changes of the person's own, planned one on top of the other; the problems of the first that has some.

    `deleted`: the title of the note that the last one deletes. Blocks. Raises DeskError.
    """
    from memtui.proposals.diff import diff
    from memtui.storage.apply import materialise

    ids: list[str] = []
    for fields in wanted:
        shown = desk.compose(fields)
        if not isinstance(shown, Preview):
            for id in ids:
                desk.discard(id)
            return shown
        ids.append(shown.item.id)
    first, *others = desk.preview_together([(id, NO_CHOICES) for id in ids])
    if problems := next((p.plan.problems for p in (first, *others) if p.plan.problems), None):
        for id in ids:
            desk.discard(id)
        return problems
    changes = [change for each in (first, *others) for change in each.plan.changes]
    files = materialise(changes, desk.folder.read)
    return Joined(
        item=first.item,
        plan=first.plan,
        diffs=tuple(diff(f.path, f.before, f.after, f.origin) for f in files),
        files=tuple((f.path, f.origin, f.before, f.after) for f in files),
        catalog=desk.catalog_effect(changes),
        history=first.history,
        text=first.text,
        parts=tuple({} for _ in files),
        others=tuple(others),
        deleted=deleted,
    )


def merge_form(old: NoteView, into: NoteView) -> Form:
    """The form of `into` with the text of `old` below its own; `old` is superseded by it, or deleted.

    Only an active entry that is no event can be superseded (seed 004).
    """
    form = note_form(into)
    reason = f"merged with {old.row.headline}"

    def show(desk: Desk, values: Values) -> Shown:
        first = changes_of(into, values, reason)
        if _may_be_superseded(old):
            return compose_together(desk, [first, _superseded(old, into)])
        return compose_together(desk, [first, _deleted(old, into)], old.row.headline)

    made = replace(form, key=f"{old.row.path} into {into.row.path}", show=show)
    return _merging(made, old.row.headline, old.body, reason)


def text_of(proposal: Proposal) -> str:
    """The text of a proposal that can go into another note, "" of any other proposal."""
    if isinstance(proposal, Write):
        return proposal.content
    return proposal.body if isinstance(proposal, Add) else ""


def merge_proposal_form(item: Item, into: NoteView) -> Form:
    """The form of a note with the text of a proposal below its own; written, it answers the proposal."""
    form = note_form(into)
    reason = f"merged with a proposal by {item.proposal.agent or 'an agent'}"

    def show(desk: Desk, values: Values) -> Shown:
        shown = compose_together(desk, [changes_of(into, values, reason)])
        return replace(shown, answers=item.id) if isinstance(shown, Joined) else shown

    made = replace(form, key=f"{item.id} into {into.row.path}", show=show)
    return _merging(made, item.headline, text_of(item.proposal), reason)


def _merging(form: Form, title: str, text: str, reason: str) -> Form:
    """A form with another text below its own."""
    return replace(
        form,
        title=f"{title} into {form.title}",
        body=_both(form.body, text),
        why=reason,
        ready=True,
        whole=None,
        show_whole=None,
    )


def _both(text: str, more: str) -> str:
    """Two texts, a blank line between, with the line endings of the first."""
    words, shape = take_in(text)
    other, _ = take_in(more)
    joined = f"{words.rstrip()}\n\n{other.strip()}\n" if words.strip() else other
    return shape.give_back(joined)


def _may_be_superseded(note: NoteView) -> bool:
    row = note.row
    active = row.status.strip().casefold() != "deprecated"
    return row.kind == "entry" and active and row.type.strip().casefold() != "event"


def _superseded(old: NoteView, into: NoteView) -> dict[str, Json]:
    path = into.row.path
    reason = f"merged into {into.row.headline}"
    return {"operation": "supersede", "filename": old.row.path, "reason": reason, "successor": path}


def _deleted(old: NoteView, into: NoteView) -> dict[str, Json]:
    reason = f"merged into {into.row.headline}"
    wanted: dict[str, Json] = {"operation": "delete", "filename": old.row.path, "reason": reason}
    return {**wanted, "user_command": f"merge it into {into.row.path}"}
