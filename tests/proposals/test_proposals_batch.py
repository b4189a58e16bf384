"""Batches: members, common fields, references between siblings (SPEC.md section 3)."""

from __future__ import annotations

from typing import Any

import pytest

from memtui.proposals.decode import Decoded
from memtui.proposals.model import Supersede
from tests.proposals.examples import ADD, DELETE, SUPERSEDE, WRITE, bad, read

# --- batches -------------------------------------------------------------------------------------


def batch(*members: Any, **common: Any) -> Decoded:
    return read({"agent": "codex", "reason": "r", **common, "proposals": list(members)}, "b.json")


def test_members_get_ids_and_the_common_fields() -> None:
    decoded = batch(
        {**ADD, "ref": "new"}, {**SUPERSEDE, "successor": "ref:new", "reason": "own"}, mood="good"
    )
    add, supersede = decoded.proposals
    assert decoded.batch
    assert (add.id, supersede.id) == ("b.1", "b.2")
    assert (add.batch, add.agent, add.reason, supersede.reason) == ("b", "codex", "r", "own")
    assert isinstance(supersede, Supersede)
    assert supersede.successor == "ref:new"
    assert add.unknown == {"mood": "good"}


def test_common_fields_of_other_operations_do_not_become_unknown_ones() -> None:
    decoded = batch({k: v for k, v in ADD.items() if k != "context"}, SUPERSEDE, context="a talk")
    assert [proposal.unknown for proposal in decoded.proposals] == [{}, {}]


def test_a_bad_member_does_not_hold_up_the_others() -> None:
    decoded = batch(ADD, {"operation": "add"}, "x", {**ADD, "proposals": [ADD]}, WRITE)
    assert [proposal.id for proposal in decoded.proposals] == ["b.1", "b.5"]
    assert set(decoded.problems) == {"b.2", "b.3", "b.4"}
    assert bad(decoded)["b.3"] == ["proposals[2]"]
    assert bad(decoded)["b.4"] == ["proposals[3].proposals"]


def test_a_member_has_no_id_of_its_own_and_is_not_the_person() -> None:
    assert bad(batch({**ADD, "id": "mine"})) == {"b.1": ["proposals[0].id"]}
    assert bad(batch({**ADD, "agent": "you"})) == {"b.1": ["proposals[0].agent"]}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"proposals": []}, "proposals"),
        ({"proposals": {}}, "proposals"),
        ({"proposals": [ADD] * 501}, "proposals"),
        ({"proposals": [ADD], "ref": "x"}, "ref"),
        ({"proposals": [ADD], "reason": "x" * 20000}, ""),
        ({"proposals": [ADD], "id": "a b"}, "id"),
    ],
)
def test_a_batch_that_is_wrong_as_a_whole(fields: Any, field: str) -> None:
    assert bad(read(fields, "b.json")) == {"b": [field]}


def test_a_ref_given_twice_is_a_problem_of_both_and_of_who_uses_it() -> None:
    decoded = batch({**ADD, "ref": "a"}, {**ADD, "ref": "a"}, {**SUPERSEDE, "successor": "ref:a"}, WRITE)
    assert bad(decoded) == {"b.1": ["ref"], "b.2": ["ref"], "b.3": ["successor"]}
    assert [proposal.id for proposal in decoded.proposals] == ["b.4"]


def test_a_successor_must_be_a_sibling_that_stands() -> None:
    decoded = batch(
        {**SUPERSEDE, "successor": "ref:nobody"},
        {**SUPERSEDE, "successor": "ref:broken"},
        {**SUPERSEDE, "successor": "ref:chained"},
        {**SUPERSEDE, "ref": "chained", "successor": "ref:broken"},
        {**SUPERSEDE, "successor": "ref:gone"},
        {"operation": "add", "ref": "broken"},
        {**DELETE, "ref": "gone"},
    )
    assert [proposal.id for proposal in decoded.proposals] == ["b.7"]
    assert all(bad(decoded)[f"b.{number}"] == ["successor"] for number in range(1, 6))
    assert "b.6" in decoded.problems["b.2"][0].message


def test_a_circle_of_successors_is_a_problem_of_each_in_it() -> None:
    decoded = batch(
        {**SUPERSEDE, "ref": "a", "successor": "ref:b"},
        {**SUPERSEDE, "ref": "b", "successor": "ref:a"},
        {**SUPERSEDE, "ref": "c", "successor": "ref:c"},
        {**SUPERSEDE, "successor": "ref:d"},
        {**ADD, "ref": "d"},
    )
    assert bad(decoded) == {"b.1": ["successor"], "b.2": ["successor"], "b.3": ["successor"]}
    assert "circle" in decoded.problems["b.1"][0].message


def test_an_edited_form_is_one_proposal() -> None:
    assert bad(read({"proposals": [ADD]}, id="x", edited=True)) == {"x": ["proposals"]}
