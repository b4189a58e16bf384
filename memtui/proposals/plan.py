"""Plan: proposal + folder + day -> the exact effect. Pure: nothing here writes (SPEC.md section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from memtui.notes.folder import FolderError
from memtui.notes.lines import LineConflict
from memtui.notes.scalars import EditRefused
from memtui.proposals.context import (
    NOTHING_LEFT,
    Context,
    control_character,
    is_reserved,
    one_line,
    set_line,
)
from memtui.proposals.model import (
    Add,
    Contradiction,
    Delete,
    Edit,
    FileChange,
    LineChange,
    Notice,
    Plan,
    Problem,
    Proposal,
    Rename,
    Replace,
    Supersede,
    Update,
    Write,
    sha256,
)
from memtui.proposals.notices import emptied, hidden_text, instruction_shaped

_PLANNERS: dict[type[Proposal], tuple[str, str]] = {
    Write: ("plan_notes", "plan_write"),
    Add: ("plan_entries", "plan_add"),
    Update: ("plan_entries", "plan_update"),
    Supersede: ("plan_entries", "plan_supersede"),
    Delete: ("plan_notes", "plan_delete"),
    Contradiction: ("plan_contradiction", "plan_contradiction"),
    Edit: ("plan_text", "plan_edit"),
    Replace: ("plan_text", "plan_replace"),
    Rename: ("plan_rename", "plan_rename"),
}
"""Module and function of each operation; a module is loaded when the first of its proposals is planned."""


def plan(proposal: Proposal, context: Context) -> Plan:
    """What the proposal would do on this folder today. Problems are in the plan, never raised."""
    made = _plan(proposal, context)
    messages = [*(problem.message for problem in made.problems), *(notice.message for notice in made.notices)]
    if all(len(message.splitlines()) == 1 for message in messages):
        return made
    # A name that exists is taken as it is, even with a line break in it: what is said of it stays one line.
    return replace(
        made,
        problems=tuple(replace(each, message=one_line(each.message)) for each in made.problems),
        notices=tuple(replace(each, message=one_line(each.message)) for each in made.notices),
    )


def _plan(proposal: Proposal, context: Context) -> Plan:
    field = "path" if hasattr(proposal, "path") else "filename"
    if is_reserved(proposal.target):
        return Plan(problems=(Problem(field, _RESERVED.format(proposal.target)),))
    try:
        made = _planner(type(proposal))(proposal, context)
        if made.problems:
            return replace(made, changes=(), wants=(), left_out=context.choices.left_out)
        if context.choices.left_out and made.wanted is not None:
            made = replace(made, left_out=context.choices.left_out)
            if _changes_nothing(made):
                return Plan(problems=(NOTHING_LEFT,), left_out=made.left_out)
        _lay(made, context)
        return made.with_notices(*_common_notices(proposal, made, context))
    except EditRefused as refusal:
        return Plan(problems=(Problem(field, _refused(proposal, str(refusal))),))
    except FolderError as error:
        return Plan(problems=(Problem(field, str(error)),))
    except LineConflict as conflict:  # a fault of the folder, not of the proposal
        return Plan(problems=(Problem(conflict.path, str(conflict)),))


def _lay(made: Plan, context: Context) -> None:
    """Try the plan on today's folder: its lines on index.md and tags.md, and whether its new notes have a place.

    What applies it meets no trouble then that it could have told of. Raises LineConflict, FolderError, EditRefused.
    """
    pages: dict[str, bytes | None] = {}
    for change in made.changes:
        if isinstance(change, LineChange):
            page = pages[change.path] if change.path in pages else context.folder.read(change.path)
            _check_characters(change, page)
            pages[change.path] = set_line(page, change)
        elif change.before is None or change.origin is not None:
            context.folder.read(change.path)


def _check_characters(change: LineChange, page: bytes | None) -> None:
    """Raise EditRefused where a line would bring a control character: not every reader reads it back."""
    if change.after is None or not (found := control_character(change.after.text.replace("\t", " "))):
        return
    if found not in (page or b"").decode("utf-8", "replace"):
        raise EditRefused(
            f"The line for {change.key} in {change.path} would hold the control character U+{ord(found):04X}: "
            "take it out of the title."
        )


def _planner(kind: type[Proposal]) -> Callable[..., Plan]:
    module, function = _PLANNERS[kind]
    planner: Callable[..., Plan] = getattr(import_module(f"memtui.proposals.{module}"), function)
    return planner


def _changes_nothing(made: Plan) -> bool:
    return all(isinstance(change, FileChange) and _is_idle(change) for change in made.changes)


_RESERVED = "{} follows the notes by itself and is never a target: name a note instead."


def _refused(proposal: Proposal, why: str) -> str:
    """Why a note is not changed, with its name."""
    if not proposal.target:
        return why
    return f"{proposal.target} cannot be changed: {why[:1].lower()}{why[1:]}"


def _common_notices(proposal: Proposal, made: Plan, context: Context) -> list[Notice]:
    notices = []
    if proposal.base_sha256 and proposal.target and (stale := _stale(proposal, context)):
        notices.append(Notice("stale", stale))
    if made.changes and _changes_nothing(made):
        notices.append(Notice("same", "The note says exactly this already: approving changes nothing."))
    notices.extend(emptied(made))
    if not context.own:
        notices.extend(hidden_text(proposal))
        notices.extend(instruction_shaped(proposal))
    return notices


def _stale(proposal: Proposal, context: Context) -> str:
    now = context.folder.read(proposal.target)
    if now is None:
        return f"{proposal.target} has been removed since the agent read it: approving makes it anew."
    if sha256(now) != proposal.base_sha256.lower():
        return f"{proposal.target} has changed since the agent read it: the diff is against today's note."
    return ""


def _is_idle(change: FileChange) -> bool:
    return change.origin is None and change.before == change.after
