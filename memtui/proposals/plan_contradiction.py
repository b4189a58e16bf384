"""A contradiction: the person picks refinement, replacement, both, or nothing (SPEC.md section 3)."""

from __future__ import annotations

from dataclasses import replace

from memtui.notes import entry, frontmatter
from memtui.proposals.context import Context, Overlay
from memtui.proposals.entry_rules import link
from memtui.proposals.model import Add, Contradiction, FileChange, Plan, Problem, Supersede
from memtui.proposals.plan_entries import deprecation_problem, entry_at, plan_add, plan_supersede, plan_update


def plan_contradiction(proposal: Contradiction, context: Context) -> Plan:
    """The plan of the choice that the person made; without one, a plan that wants it."""
    old = entry_at(proposal.filename, context.folder.read(proposal.filename))
    if isinstance(old, Problem):
        return Plan(problems=(old,))
    choices = _choices(proposal, old)
    choice = context.choices.choose
    if choice is None:
        # Where no choice could be made, the agent learns it at once.
        plans = [_PLANS[offered](proposal, context) for offered in choices]
        if all(made.problems for made in plans):
            told = (problem for made in plans for problem in made.problems)
            return Plan(problems=tuple(dict.fromkeys(told)) or (_NOTHING_OFFERED,))
        return Plan(wants=("choice",), choices=choices)
    if choice not in choices:
        offered = " or ".join(f"`{name}`" for name in choices)
        return Plan(
            problems=(Problem("choose", f"`{choice}` is not offered here: choose {offered}."),),
            choices=choices,
        )
    return replace(_PLANS[choice](proposal, context), choices=choices)


_NOTHING_OFFERED = Problem(
    "refinement", "There is nothing to choose: give a `refinement` or a `replacement`."
)


def _choices(proposal: Contradiction, old: entry.Entry) -> tuple[str, ...]:
    """What can be chosen: an entry that cannot be deprecated, as an event, cannot be replaced."""
    offered = ["refinement"] if proposal.refinement else []
    if proposal.replacement:
        lasting = deprecation_problem(proposal.filename, old) is not None
        offered += ["both"] if lasting else ["replacement", "both"]
    return tuple(offered)


def _refine(proposal: Contradiction, context: Context) -> Plan:
    assert proposal.refinement is not None
    line = f"contradiction resolved by refinement: {proposal.statement}"
    return _told_by("refinement", plan_update(proposal.refinement, context, resolved=line))


def _replace(proposal: Contradiction, context: Context) -> Plan:
    added, on_top, filename = _added(proposal, context)
    if added.problems:
        return added
    marked = plan_supersede(
        Supersede(id=proposal.id, filename=proposal.filename, successor=filename, reason=proposal.reason),
        on_top,
        resolved=f"contradiction resolved by replacement: {proposal.statement}",
    )
    return _joined(added, marked, {"superseded": proposal.filename})


def _keep_both(proposal: Contradiction, context: Context) -> Plan:
    added, on_top, filename = _added(proposal, context)
    if added.problems:
        return added
    before = on_top.folder.read(proposal.filename)
    assert before is not None
    assert proposal.replacement is not None
    other = link(proposal.replacement.title, filename, proposal.filename)
    after = frontmatter.edit(before, {"updated": context.today})
    after = entry.append_log(
        after, f"{context.today} — contradiction kept, both stand; see {other}: {proposal.statement}"
    )
    return _joined(added, Plan((FileChange(proposal.filename, before, after),)), {})


def _added(proposal: Contradiction, context: Context) -> tuple[Plan, Context, str]:
    """The plan of the new entry, and the folder with it laid on top."""
    assert isinstance(proposal.replacement, Add)
    added = _told_by("replacement", plan_add(proposal.replacement, context))
    if added.problems:
        return added, context, ""
    on_top = replace(context, folder=Overlay(context.folder, added.changes))
    return added, on_top, str(added.result["filename"])


def _told_by(member: str, made: Plan) -> Plan:
    """The plan of a member, whose problems name its fields from the contradiction down."""
    told = (
        Problem(p.field if p.field == "filename" else f"{member}.{p.field}".rstrip("."), p.message)
        for p in made.problems
    )
    return replace(made, problems=tuple(told))


def _joined(first: Plan, second: Plan, more: dict[str, str]) -> Plan:
    return replace(
        first,
        changes=(*first.changes, *second.changes),
        notices=(*first.notices, *second.notices),
        problems=second.problems,
        result={**first.result, **more},
    )


_PLANS = {"refinement": _refine, "replacement": _replace, "both": _keep_both}
