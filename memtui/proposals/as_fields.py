"""A proposal as its fields again, and as the texts that it holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memtui.proposals.model import (
    Add,
    Contradiction,
    Delete,
    Edit,
    Json,
    NewTag,
    Proposal,
    Rename,
    Replace,
    Supersede,
    Update,
    Write,
)
from memtui.proposals.rules import CLAIMS

ORDER: Mapping[type[Proposal], tuple[str, ...]] = {
    Write: ("path", "summary", "content"),
    Add: ("title", "type", "confidence", "tags", "new_tags", "hook", "context", "body"),
    Update: ("filename", "change", "fields", "new_tags", "hook", "body"),
    Supersede: ("filename", "successor"),
    Delete: ("filename", "user_command"),
    Contradiction: ("filename", "statement", "refinement", "replacement"),
    Edit: ("path", "edits"),
    Replace: ("path", "text"),
    Rename: ("path", "new_path"),
}
"""The fields of each operation in the order in which a person reads them, without reason and claims."""


def to_fields(proposal: Proposal) -> dict[str, Json]:
    """The fields of a proposal; what it leaves out stays out.

    `from_fields(to_fields(p), id=p.id, batch=p.batch) == p`: id and batch are not among the fields.
    """
    return {"operation": proposal.operation, **_own_fields(proposal)}


def text_fields(proposal: Proposal) -> dict[str, str]:
    """Every value of a proposal that holds text or a number, by its path: what is screened and looked over.

    Id, batch, claims, the members of a contradiction and unknown fields are among them.
    """
    found = {"id": proposal.id, "batch": proposal.batch}
    for path, text in _texts(to_fields(proposal), ""):
        found[path] = text
    return {path: text for path, text in found.items() if text}


def _own_fields(proposal: Proposal, parent: Proposal | None = None) -> dict[str, Json]:
    """The fields without the operation; of a contradiction's member, without what it inherits."""
    fields: dict[str, Json] = {}
    for name in ORDER[type(proposal)]:
        if parent is None or name != "filename":
            _put(fields, name, getattr(proposal, name), proposal)
    for name in ("reason", *CLAIMS):
        value = getattr(proposal, name)
        if parent is None or value != getattr(parent, name):
            _put(fields, name, value, proposal)
    return {**fields, **proposal.unknown}


_MAY_BE_EMPTY = ("content", "text", "body", "tags")


def _put(fields: dict[str, Json], name: str, value: Any, proposal: Proposal) -> None:
    if value is None or (name not in _MAY_BE_EMPTY and value in ("", (), {})):
        return
    fields[name] = _as_json(value, proposal)


def _as_json(value: Any, proposal: Proposal) -> Json:
    if isinstance(value, Proposal):
        return _own_fields(value, parent=proposal)
    if isinstance(value, NewTag):
        return _new_tag_fields(value)
    if isinstance(value, tuple):
        return [_as_json(item, proposal) for item in value]
    if isinstance(value, Mapping):
        return {name: _as_json(item, proposal) for name, item in value.items()}
    if isinstance(value, bool | str):
        return value
    return {"old": value.old, "new": value.new}


def _new_tag_fields(new: NewTag) -> dict[str, Json]:
    fields: dict[str, Json] = {"tag": new.tag, "level": new.level}
    for name in ("parent", "description", "because"):
        if text := getattr(new, name):
            fields[name] = text
    if new.not_to_be_confused_with:
        fields["not_to_be_confused_with"] = list(new.not_to_be_confused_with)
    return fields


def _texts(value: Json, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, Sequence):
        for number, inner in enumerate(value):
            yield from _texts(inner, f"{path}[{number}]")
    elif value is not None and not isinstance(value, bool):
        yield path, str(value)
