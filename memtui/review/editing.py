"""The person's own form of a pending proposal."""

from __future__ import annotations

from dataclasses import replace

from memtui.gate.screen import Screen
from memtui.proposals.as_fields import text_fields
from memtui.proposals.decode import decode
from memtui.proposals.model import Problem
from memtui.review.answering import secret_problems
from memtui.review.planning import Pending


def edited_form(
    text: str, pending: Pending, types: tuple[str, ...], screen: Screen
) -> Pending | tuple[Problem, ...]:
    """A pending proposal with the person's edited `.md` form; the claims of the agent stay as they were."""
    decoded = decode(
        "edited.md",
        text.encode("utf-8", "surrogatepass"),
        types=types,
        id=pending.id,
        batch=pending.proposal.batch,
        edited=True,
    )
    if len(decoded.proposals) != 1 or decoded.problems:
        return tuple(problem for problems in decoded.problems.values() for problem in problems)
    edited, before = decoded.proposals[0], pending.proposal
    if edited.operation != before.operation:
        return (
            Problem("operation", f"the operation stays {before.operation}: reject it to do something else"),
        )
    if hits := screen.scan_fields(text_fields(edited)):
        return secret_problems(hits)
    kept = replace(edited, agent=before.agent, session=before.session, batch=before.batch, ref=before.ref)
    return replace(pending, proposal=kept, edited=text)
