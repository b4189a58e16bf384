"""One preview as JSON and as text: all that a person must see before a decision."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtui.commands.common import problem_json, problem_line
from memtui.commands.picking import wants_line
from memtui.proposals.diff import unified
from memtui.proposals.diff_pieces import printed
from memtui.proposals.model import Contradiction, Delete, Rename, Supersede
from memtui.safe_text import safe

if TYPE_CHECKING:
    from memtui.proposals.model import Json, NewTag, Proposal
    from memtui.review.items import Preview

SOURCES = {
    "user": "says that you said it",
    "conversation": "says it is from a conversation",
    "file": "says it is from a file",
    "web": "says it is from the web",
    "inferred": "inferred it",
}
ATTENDED = {
    True: "says that you are watching",
    False: "ran unattended",
    None: "does not say whether you watch",
}
_LABEL = 11
"""Cells of the label column."""


def preview_json(preview: Preview) -> Json:
    """What `show ID --json` prints (README, "JSON")."""
    item, plan = preview.item, preview.plan
    proposal = item.proposal
    changes: list[Json] = [
        {
            "path": path,
            "from": origin,
            "change": diff.change,
            **text_json("before", before),
            **text_json("after", after),
            "diff": unified(diff),
        }
        for diff, (path, origin, before, after) in zip(preview.diffs, preview.files, strict=True)
    ]
    return {
        "id": item.id,
        "operation": proposal.operation,
        "agent": proposal.agent,
        "state": item.state,
        "headline": item.headline,
        "target": item.target,
        "edited": item.edited,
        "spool": item.spool,
        "claims": claims_json(proposal),
        "reason": proposal.reason,
        "user_command": getattr(proposal, "user_command", None),
        "statement": getattr(proposal, "statement", None),
        "unknown": dict(proposal.unknown),
        "plan": plan.hash,
        "notices": [{"kind": n.kind, "message": n.message, "alarm": n.alarm} for n in plan.notices],
        "problems": problem_json(plan.problems),
        "wants": list(plan.wants),
        "suggested_tags": [{"tag": tag, "because": why} for tag, why in plan.suggested_tags],
        "new_tags": [_new_tag_json(new) for new in plan.new_tags],
        "changes": changes,
        "result": dict(plan.result),
        "choices": list(plan.choices),
    }


def claims_json(proposal: Proposal) -> dict[str, Json]:
    """What a proposal says of itself."""
    return {
        "session": proposal.session,
        "source": proposal.source,
        "cwd": proposal.cwd,
        "created": proposal.created,
        "attended": proposal.attended,
        "base_sha256": proposal.base_sha256,
    }


def _new_tag_json(new: NewTag) -> Json:
    return {
        "tag": new.tag,
        "level": new.level,
        "parent": new.parent,
        "description": new.description,
        "not_to_be_confused_with": list(new.not_to_be_confused_with),
        "because": new.because,
    }


def text_json(name: str, data: bytes | None) -> dict[str, Json]:
    """The content of a file under `name` as text, or as base64 where it is not UTF-8."""
    if data is None:
        return {name: None}
    try:
        return {name: data.decode("utf-8")}
    except UnicodeDecodeError:
        return {name: None, f"{name}_base64": base64.b64encode(data).decode("ascii")}


# --- text ----------------------------------------------------------------------------------------


def preview_lines(preview: Preview) -> Iterator[str]:
    """A preview as lines that are safe on a terminal."""
    item, plan = preview.item, preview.plan
    yield safe(f"{item.sign} {item.proposal.operation}  {item.headline}")
    if item.target and item.target != item.headline:
        yield _labelled("note", item.target)
    yield from _claims(preview)
    yield from _words(item.proposal)
    for notice in plan.notices:
        yield _labelled("!!" if notice.alarm else "!", notice.message)
    for problem in plan.problems:
        yield f"{'problem':<{_LABEL}}{problem_line(problem)}"
    for new in plan.new_tags:
        yield _labelled("new tag", _new_tag_text(new))
    for tag, why in plan.suggested_tags:
        yield _labelled("suggested", f"{tag} ({why})")
    for want in plan.wants:
        yield _labelled("wanted", wants_line(want, plan.choices))
    for diff in preview.diffs:
        yield ""
        yield printed(diff).rstrip("\n")
    yield ""
    yield _labelled("id", item.id)
    yield _labelled("plan", plan.hash)


def _claims(preview: Preview) -> Iterator[str]:
    """Who sent it, and what it says of itself."""
    item = preview.item
    proposal = item.proposal
    said = [ATTENDED[proposal.attended]]
    if proposal.source:
        said.insert(0, SOURCES.get(proposal.source, proposal.source))
    who = [proposal.agent or "unknown agent", proposal.session, *said, "edited by you" if item.edited else ""]
    yield _labelled("from", " · ".join(part for part in who if part))
    more = {"spool": item.spool, "in": proposal.cwd, "made": proposal.created, "batch": proposal.batch}
    for name, value in more.items():
        if value:
            yield _labelled(name, value)


def _words(proposal: Proposal) -> Iterator[str]:
    """What it gives as its grounds, and fields that no rule knows."""
    if proposal.reason:
        yield _labelled("why", proposal.reason)
    if isinstance(proposal, Delete):
        yield _labelled("you said", f"“{proposal.user_command}”")
    if isinstance(proposal, Contradiction):
        yield _labelled("statement", f"“{proposal.statement}”")
    if isinstance(proposal, Rename):
        yield _labelled("to", proposal.new_path)
    if isinstance(proposal, Supersede) and proposal.successor:
        yield _labelled("successor", proposal.successor)
    for name, value in proposal.unknown.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield _labelled("also", f"{name}: {text}")


def _new_tag_text(new: NewTag) -> str:
    text = f"#{new.tag} (level {new.level})"
    if new.parent:
        text += f" under #{new.parent}"
    if new.description:
        text += f": {new.description}"
    if new.not_to_be_confused_with:
        text += f"; not to be confused with {', '.join('#' + other for other in new.not_to_be_confused_with)}"
    return f"{text}; because {new.because}" if new.because else text


def _labelled(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}{safe(text)}"
