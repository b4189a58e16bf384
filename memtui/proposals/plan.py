"""Plan: proposal + folder + day -> the exact effect. Pure: nothing here writes (SPEC.md section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from memtui.notes.folder import FolderError
from memtui.notes.lines import LineConflict
from memtui.notes.scalars import EditRefused
from memtui.proposals.context import INDEX, Context, is_reserved, set_line
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
from memtui.proposals.notices import hidden_text

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
    field = "path" if hasattr(proposal, "path") else "filename"
    if is_reserved(proposal.target):
        return Plan(problems=(Problem(field, _RESERVED.format(proposal.target)),))
    try:
        made = _planner(type(proposal))(proposal, context)
        if made.problems:
            return replace(made, changes=(), wants=())
        _lay_lines(made, context)
        return made.with_notices(*_common_notices(proposal, made, context))
    except EditRefused as refusal:
        return Plan(problems=(Problem(field, _refused(proposal, str(refusal))),))
    except FolderError as error:
        return Plan(problems=(Problem(field, str(error)),))
    except LineConflict as conflict:  # a fault of the folder, not of the proposal
        return Plan(problems=(Problem(conflict.path or INDEX, str(conflict)),))


def _lay_lines(made: Plan, context: Context) -> None:
    """Try the plan's lines on today's index.md and tags.md. Raises LineConflict where one cannot be written."""
    pages: dict[str, bytes | None] = {}
    for change in made.changes:
        if isinstance(change, LineChange):
            page = pages[change.path] if change.path in pages else context.folder.read(change.path)
            try:
                pages[change.path] = set_line(page, change)
            except LineConflict as conflict:
                raise LineConflict(str(conflict), change.path) from None


def _planner(kind: type[Proposal]) -> Callable[..., Plan]:
    module, function = _PLANNERS[kind]
    planner: Callable[..., Plan] = getattr(import_module(f"memtui.proposals.{module}"), function)
    return planner


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
    if made.changes and all(isinstance(c, FileChange) and _is_idle(c) for c in made.changes):
        notices.append(Notice("same", "The note says exactly this already: approving changes nothing."))
    if not context.own:
        notices.extend(hidden_text(proposal))
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
