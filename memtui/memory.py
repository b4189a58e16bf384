"""Memory for programs in Python: read a note, propose one (seed 000, "From JavaScript", in Python).

Nothing is written here: a `write` is a proposal, and the person decides.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from memtui.agents.tools import Blocked, Pending, Rejected, ToolError
from memtui.agents.tools import call as _call
from memtui.config import Workspace, find
from memtui.proposals.model import Json

__all__ = ["Blocked", "Pending", "Rejected", "ToolError", "call", "read", "write"]


def read(path: str, *, workspace: str | os.PathLike[str] | None = None) -> str:
    """The text of a note, secrets taken out. Raises ToolError, WorkspaceError."""
    answered = _call(_workspace(workspace), "memory_read", {"path": path})
    assert isinstance(answered, Mapping)
    return str(answered["content"])


def write(
    path: str,
    summary: str,
    content: str,
    wait: float | None = None,
    *,
    workspace: str | os.PathLike[str] | None = None,
) -> dict[str, Json]:
    """Propose a note. Without `wait` (seconds): `{"id", "state": "pending"}`.

    With it: `{"path", "summary", "bytesWritten"}` once approved. Raises Rejected, Blocked, Pending,
    WorkspaceError.
    """
    arguments: dict[str, Json] = {"path": path, "summary": summary, "content": content}
    return call("memory_write", arguments, wait, workspace=workspace)


def call(
    tool: str,
    arguments: Mapping[str, Json],
    wait: float | None = None,
    *,
    workspace: str | os.PathLike[str] | None = None,
) -> dict[str, Json]:
    """One tool call, as an agent makes it. Raises ToolError and its kinds, WorkspaceError."""
    answered = _call(_workspace(workspace), tool, arguments, wait)
    assert isinstance(answered, Mapping)
    return dict(answered)


def _workspace(named: str | os.PathLike[str] | None) -> Workspace:
    return find(Path.cwd(), Path(named) if named is not None else None)
