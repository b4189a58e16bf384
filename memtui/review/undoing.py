"""Taking a decision back: its effect, exactly, and its proposals into the inbox (SPEC.md section 4, Undo)."""

from __future__ import annotations

from collections.abc import Collection

from memtui.review.history import names_of, undone, why_not_undone
from memtui.review.intake import Intake
from memtui.review.items import Outcome
from memtui.review.planning import filename_of
from memtui.review.recovering import UNCLOSED, Recovery
from memtui.storage.apply import apply_record, undo_files, undo_lines


def undo(recovery: Recovery, number: int | None, at: float) -> Outcome:
    """Take a record back (None: the newest that can be), at the Unix second `at`.

    Wants the lock held. Raises Mismatch where its notes or lines have changed since.
    """
    recovery.settle()
    journal, folder = recovery.journal, recovery.folder
    number = journal.undoable() if number is None else number
    if number is None:
        return Outcome("", False, "there is nothing to undo")
    record = journal.record(number)
    if why := why_not_undone(record):
        return Outcome(record.items[0].id, False, f"decision {number} cannot be undone: {why}")
    files = undo_files(record, folder.read, journal.made_sections)
    items = tuple(undone(item, at) for item in record.items)
    undoing = journal.begin(
        kind="undo", at=at, items=items, files=files, lines=undo_lines(record), undoes=number
    )
    apply_record(journal, folder, undoing)
    said = f"took back {names_of(record)}"
    touched = {path for file in record.files for path in (file.path, file.origin)}
    try:
        names = recovery.put_back(record)
        said += recovery.close_or_say(undoing, items)
        for name in names:
            recovery.intake.take(name)
        _plan_again(recovery.intake, touched)
    except UNCLOSED as failure:
        said += f" · its proposal does not wait again yet: {failure}"
    return Outcome(items[0].id, True, said, "undone", undoing)


def _plan_again(intake: Intake, paths: Collection[str | None]) -> None:
    """What waits for the notes at these paths was planned on what they held before: whether it is stale, too."""
    for id, made in list(intake.plans.items()):
        pending = intake.pending.get(id)
        if pending is not None and filename_of(pending.proposal, made) in paths:
            intake.plans[id] = intake.planner.plan(pending, intake.siblings(pending.proposal))
