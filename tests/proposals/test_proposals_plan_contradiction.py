"""Plan of a contradiction: the person chooses what stands (SPEC.md section 3)."""

from __future__ import annotations

import pytest

from memtui.notes import entry, index
from memtui.proposals.context import INDEX
from tests.proposals.plans import (
    INDEX_PAGE,
    LINA,
    MOVE,
    RUN,
    RUN_NOTE,
    SEEN,
    TODAY,
    add,
    applied,
    contradiction,
    done,
    folder,
    planned,
    problem,
    touched,
    update,
)

NEW = f"{SEEN}-runs-in-the-park.md"
DATED = RUN_NOTE.replace("updated: 2024-04-22", f"updated: {TODAY}")


def test_without_a_choice_it_wants_one_and_changes_nothing() -> None:
    made = planned(contradiction())
    assert made.wants == ("choice",)
    assert made.choices == ("refinement", "replacement", "both")
    assert not made.changes
    assert not made.ready


def test_refinement_is_the_update_with_a_log_line_of_its_own() -> None:
    made = planned(contradiction(), choose="refinement")
    assert touched(made) == {RUN}
    assert applied(made)[RUN].decode() == (
        DATED.replace("Target for the year. Best so far 28:14.", "Target dropped.")
        + f"- {TODAY} — dropped: conflicts with the goal\n"
        + f"- {TODAY} — contradiction resolved by refinement: I never ran.\n"
    )
    assert made.result == {"filename": RUN}


def test_replacement_adds_and_supersedes_the_old_with_a_link() -> None:
    made = planned(contradiction(), choose="replacement")
    after = applied(made)
    assert touched(made) == {RUN, NEW}
    old = after[RUN].decode()
    assert f"superseded_at: {TODAY}\nsuperseded_by: {NEW}\n" in old
    assert old.endswith(
        f"- {TODAY} — marked deprecated: conflicts with the goal; see [Runs in the park]({NEW})\n"
        f"- {TODAY} — contradiction resolved by replacement: I never ran.\n"
    )
    found = index.read_index(after[INDEX])
    assert [(line.filename, line.deprecated) for line in found.entries] == [
        (MOVE, False),
        (NEW, False),
        (RUN, True),
    ]
    assert made.result == {"filename": NEW, "superseded": RUN}


def test_both_adds_and_the_old_one_gains_a_log_line() -> None:
    made = planned(contradiction(), choose="both")
    after = applied(made)
    line = f"- {TODAY} — contradiction kept, both stand; see [Runs in the park]({NEW}): I never ran.\n"
    assert after[RUN].decode() == DATED + line
    assert NEW in after
    assert after[INDEX].decode().replace(
        f"- [Runs in the park]({NEW}) — fact, [sport, running], Runs in the park on Sundays\n", ""
    ) == INDEX_PAGE  # fmt: skip
    assert made.result == {"filename": NEW}


def test_both_links_from_the_folder_of_the_old_one() -> None:
    on = folder({"sub/run.md": RUN_NOTE})
    kept = contradiction(filename="sub/run.md", refinement=None)
    assert (
        f"both stand; see [Runs in the park](../{NEW}): I never"
        in done(kept, on, choose="both")["sub/run.md"]
    )


@pytest.mark.parametrize(
    ("fields", "choices"),
    [
        ({}, ("refinement", "replacement", "both")),
        ({"replacement": None}, ("refinement",)),
        ({"refinement": None}, ("replacement", "both")),
        ({"filename": MOVE, "refinement": update(filename=MOVE, body="x")}, ("refinement", "both")),
        ({"filename": MOVE, "refinement": None}, ("both",)),
    ],
)
def test_what_is_offered(fields: dict[str, object], choices: tuple[str, ...]) -> None:
    assert planned(contradiction(**fields)).choices == choices


def test_a_deprecated_entry_is_not_replaced_again() -> None:
    on = folder({RUN: RUN_NOTE.replace("status: active", "status: deprecated")})
    assert planned(contradiction(), on).choices == ("refinement", "both")


def test_what_is_not_offered_cannot_be_chosen() -> None:
    made = contradiction(filename=MOVE, refinement=None)
    field, message = problem(made, choose="replacement")
    assert (field, message) == ("choose", "`replacement` is not offered here: choose `both`.")
    assert problem(contradiction(), choose="everything")[0] == "choose"


@pytest.mark.parametrize(
    ("note", "word"),
    [
        (None, "does not exist"),
        ("text\n", "not a typed entry"),
        (RUN_NOTE.replace("title: Run", "title: [Run"), "cannot be read"),
    ],
)
def test_the_entry_must_be_there_and_readable(note: str | None, word: str) -> None:
    field, message = problem(contradiction(), folder({RUN: note}))
    assert (field, word in message) == ("filename", True)
    assert problem(contradiction(filename=LINA))[0] == "filename"


def test_where_no_choice_could_be_made_it_says_so_at_once() -> None:
    idle = update(body="Target for the year. Best so far 28:14.")
    assert problem(contradiction(refinement=idle, replacement=None))[0] == "refinement"
    locked = folder({RUN: RUN_NOTE.replace("title:", "title: &a")})
    assert "anchors" in problem(contradiction(), locked)[1]
    assert planned(contradiction(refinement=idle)).wants == ("choice",), "another choice can be made"


@pytest.mark.parametrize(
    ("member", "choose", "field"),
    [
        ({"replacement": add(type="opinion")}, "both", "replacement.type"),
        ({"replacement": add(tags=tuple("abcdef"))}, "replacement", "replacement.tags"),
        ({"refinement": update(fields={"confidence": "x"})}, "refinement", "refinement.fields.confidence"),
    ],
)
def test_problems_of_a_member_name_its_fields(member: dict[str, object], choose: str, field: str) -> None:
    assert problem(contradiction(**member), choose=choose)[0] == field


@pytest.mark.parametrize("choose", ["replacement", "both"])
def test_tags_of_a_replacement_are_picked(choose: str) -> None:
    wanting = contradiction(replacement=add(tags=None))
    made = planned(wanting, choose=choose)
    assert made.wants == ("tags",)
    assert made.suggested_tags
    made = planned(wanting, choose=choose, tags=("sport", "health"))
    assert b"tags: [sport, health]" in applied(made)[NEW]


@pytest.mark.parametrize("choose", ["refinement", "replacement", "both"])
@pytest.mark.parametrize(
    "statement", ["one\ntwo", "## Change log\n- x", "<!-- open", "```", "- item", "a — b: c", "[x](y)"]
)
def test_a_statement_stays_on_one_line_of_the_log(choose: str, statement: str) -> None:
    after = done(contradiction(statement=statement), choose=choose)[RUN]
    log = entry.log_of(after.encode())
    assert len(log) == {"refinement": 4, "replacement": 4, "both": 3}[choose]
    assert " ".join(statement.split()).replace("<!--", "\\<!--") in log[-1]
