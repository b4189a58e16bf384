"""Plan: proposal + folder + day -> the exact effect. Pure: nothing here writes (SPEC.md section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memtui.notes.frontmatter import EditRefused
from memtui.notes.lines import LineConflict
from memtui.proposals import plan_contradiction, plan_entries, plan_notes, plan_rename
from memtui.proposals.context import Context, is_reserved
from memtui.proposals.model import (
    Add,
    Contradiction,
    Delete,
    Edit,
    FileChange,
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

_PLANNERS: dict[type[Proposal], Callable[..., Plan]] = {
    Write: plan_notes.plan_write,
    Add: plan_entries.plan_add,
    Update: plan_entries.plan_update,
    Supersede: plan_entries.plan_supersede,
    Delete: plan_entries.plan_delete,
    Contradiction: plan_contradiction.plan_contradiction,
    Edit: plan_notes.plan_edit,
    Replace: plan_notes.plan_replace,
    Rename: plan_rename.plan_rename,
}


def plan(proposal: Proposal, context: Context) -> Plan:
    """What the proposal would do on this folder today. Problems are in the plan, never raised."""
    if is_reserved(proposal.target):
        return Plan(problems=(Problem(_target_field(proposal), _RESERVED.format(proposal.target)),))
    try:
        made = _PLANNERS[type(proposal)](proposal, context)
    except (EditRefused, LineConflict) as refusal:
        return Plan(problems=(Problem(_target_field(proposal), str(refusal)),))
    if made.problems:
        return replace(made, changes=())
    return made.with_notices(*_common_notices(proposal, made, context))


_RESERVED = "{} follows the notes by itself and is never a target: name a note instead"


def _target_field(proposal: Proposal) -> str:
    return "path" if hasattr(proposal, "path") else "filename"


def _common_notices(proposal: Proposal, made: Plan, context: Context) -> list[Notice]:
    notices = []
    if proposal.base_sha256 and proposal.target:
        now = context.folder.read(proposal.target)
        if now is None or sha256(now) != proposal.base_sha256.lower():
            notices.append(
                Notice(
                    "stale", f"{proposal.target} has changed since the agent read it; this is today's note"
                )
            )
    if made.changes and all(isinstance(c, FileChange) and c.before == c.after for c in made.changes):
        notices.append(Notice("same", "the note already says exactly this: approving changes nothing"))
    if not context.own:
        notices.extend(hidden_text(proposal))
    return notices
