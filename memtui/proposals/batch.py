"""The members of a batch: common fields, references between siblings (SPEC.md section 3, batch)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from memtui.proposals.as_fields import ORDER
from memtui.proposals.model import OPERATIONS, Delete, Problem, Proposal, Supersede, Write
from memtui.proposals.parse import clip, holds_more
from memtui.proposals.reader import describe
from memtui.proposals.rules import ALIASES, REF, agent_problem, from_fields
from memtui.proposals.tree import MAX_VALUES, Table, Tree, Unusable

MAX_MEMBERS = 500
MAX_COMMON = 16 * 1024
"""Characters of all common fields together: every member repeats them."""

Made: TypeAlias = Proposal | tuple[Problem, ...]

_COMMON_ONLY = ("id", "ref", "proposals")
_OPERATION_FIELDS = frozenset(name for names in ORDER.values() for name in names)


def decode_members(id: str, fields: Mapping[str, Tree], types: tuple[str, ...]) -> dict[str, Made]:
    """Every member by its id `<id>.1`, `<id>.2`…; what is wrong with the batch itself, by `id`."""
    members = fields["proposals"]
    if problem := _list_problem(members, fields):
        return {id: (problem,)}
    common = _common(fields)
    ids = [f"{id}.{number}" for number in range(1, len(members) + 1)]
    made = [
        _decode_member(number, member, common, ids[number], id, types)
        for number, member in enumerate(members)
    ]
    _check_refs(made, [_ref_of(member) for member in members], ids)
    return dict(zip(ids, made, strict=True))


def _common(fields: Mapping[str, Tree]) -> dict[str, Tree]:
    """The fields at the top that each member has a part in."""
    return {key: value for key, value in fields.items() if key not in _COMMON_ONLY}


def _list_problem(members: Tree, fields: Mapping[str, Tree]) -> Problem | None:
    if isinstance(members, Unusable):
        return Problem("proposals", f"`proposals` {members.message}")
    if not isinstance(members, list | tuple):
        return Problem(
            "proposals", f"`proposals` must be a list, not {describe(members)}: list the proposals in it."
        )
    if not members:
        return Problem("proposals", "`proposals` is empty: list at least one proposal.")
    if len(members) > MAX_MEMBERS:
        return Problem("proposals", f"`proposals` has {len(members):,} members: send at most {MAX_MEMBERS}.")
    if holds_more([members, *[_common(fields)] * len(members)], MAX_VALUES):
        return Problem(
            "proposals",
            f"`proposals` holds more than {MAX_VALUES:,} values, common fields counted for each member:"
            " split it into several files.",
        )
    if "ref" in fields:
        return Problem("ref", "`ref` names one member, not the batch: put it into the member.")
    if _size({key: value for key, value in fields.items() if key != "proposals"}) > MAX_COMMON:
        return Problem(
            "", f"The common fields have more than {MAX_COMMON:,} characters: put them into the members."
        )
    return None


def _size(value: Tree) -> int:
    if isinstance(value, Mapping):
        return sum(len(key) + _size(inner) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return sum(_size(inner) for inner in value) + len(value)
    return len(value) if isinstance(value, str) else 8


def _decode_member(
    number: int, member: Tree, common: Mapping[str, Tree], id: str, batch: str, types: tuple[str, ...]
) -> Made:
    where = f"proposals[{number}]"
    if isinstance(member, Unusable):
        return (Problem(where, f"`{where}` {member.message}"),)
    if not isinstance(member, Mapping):
        return (Problem(where, f"`{where}` must be a table of fields, not {describe(member)}: write it so."),)
    found = agent_problem(member, f"{where}.")
    if member.get("id") is not None:
        found.append(
            Problem(
                f"{where}.id", f"`{where}.id` is not taken: leave it out, the member is called {clip(id)}."
            )
        )
    if "proposals" in member:
        found.append(
            Problem(
                f"{where}.proposals", f"`{where}.proposals` is a batch in a batch: list all members in one."
            )
        )
    made = from_fields(_with_common(member, common), id=id, batch=batch, types=types)
    if found:
        return (*found, *(() if isinstance(made, Proposal) else made))
    return made


def _with_common(member: Mapping[str, Tree], common: Mapping[str, Tree]) -> Table:
    """A member with the common fields that it does not give itself and that its operation has a use for."""
    operation = member.get("operation", common.get("operation"))
    kind = OPERATIONS.get(ALIASES.get(operation, operation)) if isinstance(operation, str) else None
    known = ORDER[kind] if kind else ()
    table = Table(
        {key: value for key, value in common.items() if key in known or key not in _OPERATION_FIELDS}
    )
    table.update(member)
    table.doubled = getattr(member, "doubled", ())
    return table


def _ref_of(member: Tree) -> str:
    ref = member.get("ref") if isinstance(member, Mapping) else None
    return " ".join(ref.split()) if isinstance(ref, str) else ""


def _check_refs(made: list[Made], refs: Sequence[str], ids: Sequence[str]) -> None:
    """Replace members whose references do not hold by their problems."""
    named: dict[str, list[int]] = defaultdict(list)
    for number, ref in enumerate(refs):
        if ref:
            named[ref].append(number)
    for ref, numbers in named.items():
        if len(numbers) > 1:
            for number in numbers:
                _spoil(
                    made,
                    number,
                    "ref",
                    f"`ref` is {clip(ref, 40)}, as is a sibling's: name each differently.",
                )
    for number in _circular(made, named):
        _spoil(
            made, number, "successor", "`successor` leads in a circle back to this entry: name another entry."
        )
    _check_successors(made, named, ids)


def _spoil(made: list[Made], number: int, name: str, message: str) -> None:
    old = made[number]
    made[number] = (*(() if isinstance(old, Proposal) else old), Problem(name, message))


def _sibling(made: Made, named: Mapping[str, Sequence[int]]) -> int | None:
    """The number of the sibling that a member's successor names."""
    if not isinstance(made, Supersede) or not made.successor.startswith(REF):
        return None
    numbers = named.get(made.successor.removeprefix(REF), ())
    return numbers[0] if len(numbers) == 1 else None


def _circular(made: Sequence[Made], named: Mapping[str, Sequence[int]]) -> list[int]:
    nexts = [_sibling(each, named) for each in made]
    circular = []
    for start in range(len(made)):
        here, steps = nexts[start], 0
        while here is not None and here != start and steps < len(made):
            here, steps = nexts[here], steps + 1
        if here == start:
            circular.append(start)
    return circular


def _check_successors(made: list[Made], named: Mapping[str, Sequence[int]], ids: Sequence[str]) -> None:
    """A successor must be a sibling that is sound itself; what depends on a spoilt one is spoilt in turn."""
    checking = True
    while checking:
        checking = False
        for number, member in enumerate(made):
            if isinstance(member, Supersede) and (message := _successor_problem(member, made, named, ids)):
                _spoil(made, number, "successor", message)
                checking = True


def _successor_problem(
    member: Supersede, made: Sequence[Made], named: Mapping[str, Sequence[int]], ids: Sequence[str]
) -> str:
    if not member.successor.startswith(REF):
        return ""
    ref = member.successor.removeprefix(REF)
    shown = clip(ref, 40)
    numbers = named.get(ref, ())
    if not numbers:
        return f"`successor` names `{shown}`, and no sibling has that `ref`: name one that has."
    sibling = made[numbers[0]]
    if len(numbers) > 1:
        return f"`successor` names `{shown}`, and several siblings have that `ref`: name each differently."
    if not isinstance(sibling, Proposal):
        bad = ids[numbers[0]]
        return f"`successor` names `{shown}`, and that sibling ({bad}) has problems: correct it first."
    if isinstance(sibling, Delete | Write):
        return f"`successor` names `{shown}`, which leaves no entry ({sibling.operation}): name an entry."
    return ""
