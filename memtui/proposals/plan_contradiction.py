"""A contradiction: the person picks refinement, replacement, both, or nothing (SPEC.md section 3)."""

from __future__ import annotations

from dataclasses import replace

from memtui.notes import entry, frontmatter
from memtui.proposals.context import Context, Overlay
from memtui.proposals.entry_rules import link
from memtui.proposals.model import Add, Contradiction, FileChange, Plan, Problem, Supersede
from memtui.proposals.plan_entries import plan_add, plan_supersede, plan_update


def plan_contradiction(proposal: Contradiction, context: Context) -> Plan:
    """The plan of the choice that the person made; without one, a plan that wants it."""
    data = context.folder.read(proposal.filename)
    if data is None:
        return Plan(problems=(Problem("filename", f"{proposal.filename} does not exist"),))
    old = entry.read_entry(data)
    if old is None:
        return Plan(problems=(Problem("filename", f"{proposal.filename} is no typed entry"),))
    choices = _choices(proposal, old)
    if not choices:
        return Plan(
            problems=(Problem("replacement", "an event cannot be replaced: bring a refinement instead"),)
        )
    choice = context.choices.choose
    if choice is None:
        return Plan(wants=("choice",), choices=choices)
    if choice not in choices:
        return Plan(
            problems=(Problem("choose", f"`{choice}` is not offered: choose {' or '.join(choices)}"),),
            choices=choices,
        )
    made = _PLANS[choice](proposal, context)
    return replace(made, choices=choices)


def _choices(proposal: Contradiction, old: entry.Entry) -> tuple[str, ...]:
    offered = ["refinement"] if proposal.refinement else []
    if proposal.replacement:
        offered += ["both"] if old.type == "event" else ["replacement", "both"]
    return tuple(offered)


def _refine(proposal: Contradiction, context: Context) -> Plan:
    assert proposal.refinement is not None
    return plan_update(
        proposal.refinement, context, resolved=f"contradiction resolved by refinement: {proposal.statement}"
    )


def _replace(proposal: Contradiction, context: Context) -> Plan:
    added, on_top, filename = _added(proposal, context)
    if added.problems:
        return added
    marked = plan_supersede(
        Supersede(id=proposal.id, filename=proposal.filename, successor=filename, reason=proposal.reason),
        on_top,
        resolved=f"contradiction resolved by replacement: {proposal.statement}",
    )
    return _joined(added, marked)


def _keep_both(proposal: Contradiction, context: Context) -> Plan:
    added, on_top, filename = _added(proposal, context)
    if added.problems:
        return added
    before = on_top.folder.read(proposal.filename)
    assert before is not None
    line = f"contradiction kept, both stand; see {link(_title(proposal), filename)}: {proposal.statement}"
    after = frontmatter.edit(before, {"updated": context.today})
    after = entry.append_log(after, f"{context.today} — {line}")
    return _joined(added, Plan((FileChange(proposal.filename, before, after),)))


def _added(proposal: Contradiction, context: Context) -> tuple[Plan, Context, str]:
    assert isinstance(proposal.replacement, Add)
    added = plan_add(proposal.replacement, context)
    if added.problems:
        return added, context, ""
    on_top = replace(context, folder=Overlay(context.folder, added.changes))
    return added, on_top, str(added.result["filename"])


def _title(proposal: Contradiction) -> str:
    assert proposal.replacement is not None
    return proposal.replacement.title


def _joined(first: Plan, second: Plan) -> Plan:
    return replace(
        first,
        changes=(*first.changes, *second.changes),
        notices=(*first.notices, *second.notices),
        problems=second.problems,
        result={**first.result, "superseded": second.result.get("filename")},
    )


_PLANS = {"refinement": _refine, "replacement": _replace, "both": _keep_both}
