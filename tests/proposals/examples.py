"""One sound proposal of each operation, and short ways to decode changed ones."""

from __future__ import annotations

import json
from typing import Any

from memtui.proposals.decode import Decoded, decode
from memtui.proposals.model import Proposal

ADD = {
    "operation": "add",
    "title": "Relationship with my mother",
    "body": "Calls every Sunday.",
    "type": "belief",
    "confidence": "medium",
    "tags": ["family", "psychology"],
    "context": "a visit at the weekend",
}
WRITE = {
    "operation": "write",
    "path": "people/lina.md",
    "summary": "daughter",
    "content": "Likes dinosaurs.\n",
}
UPDATE = {"operation": "update", "filename": "1-run.md", "body": "Best so far 26:02.", "reason": "a race"}
SUPERSEDE = {"operation": "supersede", "filename": "1-run.md", "reason": "moved on"}
DELETE = {
    "operation": "delete",
    "filename": "1-run.md",
    "reason": "wrong",
    "user_command": "delete this entry",
}
CONTRADICTION = {
    "operation": "contradiction",
    "filename": "1-vegetarian.md",
    "statement": "I had a steak.",
    "reason": "conflicts",
    "agent": "claude-code",
    "refinement": {"body": "Rare exceptions.", "change": "exceptions"},
    "replacement": {k: v for k, v in ADD.items() if k != "operation"},
}
EDIT = {"operation": "edit", "path": "a.md", "reason": "r", "edits": [{"old": "tabs", "new": "spaces"}]}
REPLACE = {"operation": "replace", "path": "a.md", "text": "---\nx: 1\n---\nHi", "reason": "r"}
RENAME = {"operation": "rename", "path": "a.md", "new_path": "work/a.md", "reason": "r"}
EVERY = (ADD, WRITE, UPDATE, SUPERSEDE, DELETE, CONTRADICTION, EDIT, REPLACE, RENAME)


def read(fields: Any, name: str = "x.json", **options: Any) -> Decoded:
    return decode(name, json.dumps(fields).encode(), **options)


def one(fields: Any, **options: Any) -> Proposal:
    decoded = read(fields, **options)
    assert not decoded.problems, decoded.problems
    return decoded.proposals[0]


def problems(fields: Any, **options: Any) -> dict[str, str]:
    """Messages by field, of the one proposal in the file."""
    decoded = read(fields, **options)
    assert not decoded.proposals
    return {problem.field: problem.message for each in decoded.problems.values() for problem in each}


def bad(decoded: Decoded) -> dict[str, list[str]]:
    """Fields with problems, by id."""
    return {id: [problem.field for problem in each] for id, each in decoded.problems.items()}
