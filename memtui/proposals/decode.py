"""Spool bytes to proposals, or to problems that name their fields (SPEC.md section 4, Decode and Ids)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memtui.proposals.model import Problem, Proposal
from memtui.proposals.parse import clip, flaws, parse
from memtui.proposals.rules import MAX_PROBLEMS, agent_problem, from_fields
from memtui.proposals.tree import Tree

ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,71}")
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_CLAIMS = ("operation", "agent", "session", "source")


@dataclass(frozen=True, slots=True)
class Decoded:
    """What one spool file holds."""

    id: str
    proposals: tuple[Proposal, ...] = ()
    problems: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    """By id: of a bad file under the file's, of a bad member of a batch under the member's."""
    batch: bool = False
    explicit_id: bool = False
    """The file itself gives its id; else it is made from the file's name."""
    claims: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Operation, agent, session and source as the file gives them, unchecked, by id of file and member."""

    @property
    def malformed(self) -> bool:
        """Whether the file as a whole could not be read: its one problem names no field."""
        return not self.proposals and not any(p.field for ps in self.problems.values() for p in ps)


def decode(
    name: str,
    data: bytes,
    *,
    types: Iterable[str] = (),
    id: str | None = None,
    batch: str = "",
    edited: bool = False,
) -> Decoded:
    """Read one spool file; never raises, whatever the bytes.

    `types` are entry types that the person added to the vocabulary. `id` takes the place of the file's own.
    `edited`: not from a spool, but the `.md` form of the one proposal of that `id` (and `batch`), as the
    person edited it.
    """
    parsed = parse(name, data)
    fields = parsed.fields
    given = fields.get("id")
    explicit = id is None and isinstance(given, str) and bool(ID.fullmatch(given))
    own_id = str(given) if explicit else (id or id_of_name(name))
    problems = (parsed.problem,) if parsed.problem else _file_problems(fields, edited)
    made: Mapping[str, Proposal | tuple[Problem, ...]]
    if problems:
        made = {own_id: problems}
    elif "proposals" in fields:
        from memtui.proposals.batch import decode_members

        made = decode_members(own_id, fields, tuple(types))
    else:
        made = {own_id: from_fields(fields, id=own_id, batch=batch, types=types)}
    return Decoded(
        own_id,
        tuple(each for each in made.values() if isinstance(each, Proposal)),
        {key: each for key, each in made.items() if not isinstance(each, Proposal)},
        "proposals" in fields,
        explicit,
        _claims(own_id, fields, len(made)),
    )


def id_of_name(name: str) -> str:
    """The id of a file that gives none: its stem, or what of it fits and a hash (SPEC section 3)."""
    stem = name.rpartition(".")[0] or name
    if ID.fullmatch(stem):
        return stem
    fits = _UNFIT.sub("", stem).lstrip(".-")[:63].rstrip(".-")
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{fits or 'proposal'}-{digest}"


def _file_problems(fields: Mapping[str, Tree], edited: bool) -> tuple[Problem, ...]:
    """What is wrong with the file as a whole, beyond any single proposal in it."""
    found = []
    given = fields.get("id")
    if not edited and given is not None and not (isinstance(given, str) and ID.fullmatch(given)):
        found.append(
            Problem(
                "id",
                "`id` must be 1 to 72 letters, digits, dots, dashes or underscores, and begin with a letter,"
                " digit or underscore: choose another one or leave it out.",
            )
        )
    if not edited:
        found.extend(agent_problem(fields))
    if "proposals" in fields:
        if edited:
            found.append(Problem("proposals", "`proposals` has no place here: edit one proposal at a time."))
        found.extend(flaws({key: value for key, value in fields.items() if key != "proposals"}))
        found.extend(_doubled(fields))
    return tuple(found[:MAX_PROBLEMS])


def _doubled(fields: Mapping[str, Tree]) -> list[Problem]:
    """Fields that a batch names twice at its top, which its members cannot tell of."""
    doubled: Sequence[str] = getattr(fields, "doubled", ())
    return [
        Problem(clip(name), f"`{clip(name)}` is given more than once: say it once.")
        for name in doubled[:MAX_PROBLEMS]
    ]


def _claims(id: str, fields: Mapping[str, Tree], count: int) -> dict[str, Mapping[str, str]]:
    common = _claims_of(fields)
    members = fields.get("proposals")
    claims: dict[str, Mapping[str, str]] = {id: common}
    if isinstance(members, list | tuple):
        for number, member in enumerate(members[:count], start=1):
            claims[f"{id}.{number}"] = {
                **common,
                **(_claims_of(member) if isinstance(member, Mapping) else {}),
            }
    return claims


def _claims_of(fields: Mapping[str, Tree]) -> dict[str, str]:
    return {name: clip(str(fields[name]), 200) for name in _CLAIMS if isinstance(fields.get(name), str)}
