"""Gate: whether a proposal is asked about, applied at once, or refused (SPEC.md section 4)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from memtui.proposals.model import Proposal

Ruling: TypeAlias = Literal["ask", "allow", "deny"]


def rule(proposal: Proposal, spool: str = "") -> Ruling:  # noqa: ARG001
    """What becomes of a proposal that came in through the spool of that name ("" for the workspace's own).

    Everything is asked about. What will decide: the person's rules by spool, agent, operation, path and
    source, first match wins, default "ask"; then grants. Who asks is known by the spool alone: what a
    proposal says of itself can narrow a ruling to "ask" or "deny", never widen it to "allow" (seed 000).
    Delete and supersede are always asked about.
    """
    return "ask"
