"""Partial accept: what of a note can be left out, and what is written without it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.proposals.context import Choices, Context
from memtui.proposals.left_out import leave_out, parts, told
from memtui.proposals.model import Plan, Proposal
from memtui.proposals.plan import plan
from tests.proposals.plans import LINA, RUN, RUN_NOTE, SEEN, TODAY, applied, folder, replace_, update

BEFORE = b"---\ntitle: a\ntype: b\n---\none\r\ntwo\nthree\nfour"
AFTER = b"---\ntitle: A\ntype: B\n---\none\r\nTWO\nthree\nfour\nfive\n"
lines = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "d", "---\n", "k: v\n", "\xe9\n"]), max_size=8).map(
    lambda found: "".join(found).encode()
)


def planned_without(proposal: Proposal, *keys: str) -> Plan:
    choices = Choices(left_out=keys)
    return plan(proposal, Context(folder=folder(), today=TODAY, first_seen=SEEN, choices=choices))


def test_each_field_and_each_run_of_lines_is_a_part() -> None:
    _, found = leave_out("n.md", BEFORE, AFTER, ())
    assert [(part.field, part.start, part.old) for part in found] == [
        ("title", 1, ("title: a\n",)),
        ("type", 2, ("type: b\n",)),
        ("", 5, ("two\n",)),
        ("", 7, ("four",)),
    ]


def test_a_part_left_out_keeps_its_bytes_and_no_other() -> None:
    _, found = leave_out("n.md", BEFORE, AFTER, ())
    left, again = leave_out("n.md", BEFORE, AFTER, {found[0].key, found[3].key})
    assert left == b"---\ntitle: a\ntype: B\n---\none\r\nTWO\nthree\nfour"
    assert [part.out for part in again] == [True, False, False, True]


@settings(max_examples=100)
@given(lines, lines)
def test_nothing_left_out_is_what_was_wanted_and_all_left_out_what_was(before: bytes, after: bytes) -> None:
    same, found = leave_out("n.md", before, after, ())
    assert same == after
    assert leave_out("n.md", before, after, {part.key for part in found})[0] == before


def test_a_new_note_is_one_piece() -> None:
    assert leave_out("n.md", None, AFTER, ()) == (AFTER, ())


def test_a_plan_without_a_part_has_another_hash_and_undoes_to_the_byte() -> None:
    made = replace_("---\ndescription: daughter, 8 years old\n---\nLikes volcanoes.\n")
    whole = planned_without(made)
    field, line = parts(whole)
    without = planned_without(made, field.key)
    assert without.hash != whole.hash
    assert applied(without)[LINA] == b"---\ndescription: daughter, 7 years old\n---\nLikes volcanoes.\n"
    assert [part.key for part in parts(without) if part.out] == [field.key]
    assert parts(without)[1].key == line.key


def test_the_agent_is_told_which_change_was_left_out() -> None:
    made = replace_("---\ndescription: daughter, 7 years old\n---\nLikes volcanoes.\nAnd cats.\n")
    [only] = parts(planned_without(made))
    made = replace_("---\ndescription: daughter, 8 years old\n---\nLikes volcanoes.\n")
    line = parts(planned_without(made))[1]
    [said] = told(planned_without(made, line.key))
    assert said == {
        "path": LINA,
        "field": None,
        "line": 4,
        "message": f"line 4 of {LINA} stays as before: this change was left out",
        "before": "Likes dinosaurs.\n",
        "after": "Likes volcanoes.\n",
    }
    assert only.old == ("Likes dinosaurs.\n",)


def test_date_and_log_follow_what_is_left_of_an_update() -> None:
    made = update(body="Target for the year. Best so far 26:02.", fields={"confidence": "low"})
    kept = {part.field: part.key for part in parts(planned_without(made))}
    after = applied(planned_without(made, kept["confidence"]))[RUN].decode()
    assert "confidence: high" in after
    assert "26:02" in after
    assert f"updated: {TODAY}" in after
    assert "confidence changed" not in after


def test_with_everything_left_out_there_is_no_plan() -> None:
    made = update(body=RUN_NOTE.partition("---\n\n")[2].partition("\n\n##")[0].replace("28", "26"))
    keys = [part.key for part in parts(planned_without(made))]
    nothing = planned_without(made, *keys)
    assert not nothing.changes
    assert "Every change is left out" in nothing.problems[0].message
