"""Gate: what is asked, allowed or denied."""

from __future__ import annotations

import pytest

from memtui.gate.policy import rule
from memtui.proposals.model import Delete, Proposal, Write


@pytest.mark.parametrize("spool", ["", "nightly"])
@pytest.mark.parametrize(
    "proposal",
    [
        Write(id="a", path="a.md", summary="s", content="c", agent="you", attended=True, source="user"),
        Delete(id="b", filename="a.md", user_command="delete it", reason="r"),
    ],
)
def test_everything_is_asked_about_whatever_a_proposal_says_of_itself(proposal: Proposal, spool: str) -> None:
    assert rule(proposal, spool) == "ask"
