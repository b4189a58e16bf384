"""Plan of an update: an entry edited, and not one other byte (seed 004)."""

from __future__ import annotations

import pytest

from memtui.notes import index
from memtui.proposals.context import INDEX, TAGS
from tests.proposals.plans import (
    INDEX_PAGE,
    MOVE,
    RUN,
    RUN_NOTE,
    TODAY,
    applied,
    done,
    folder,
    notices,
    planned,
    problem,
    touched,
    update,
)

DATED = RUN_NOTE.replace("updated: 2024-04-22", f"updated: {TODAY}")


def log(*lines: str) -> str:
    return "".join(f"- {TODAY} — {line}\n" for line in lines)


def line_of(page: str | bytes, filename: str = RUN) -> str:
    found = index.read_index(page.encode() if isinstance(page, str) else page).get(filename)
    assert found is not None
    return found.line.text


# --- what changes --------------------------------------------------------------------------------


def test_a_body_is_replaced_between_frontmatter_and_log() -> None:
    made = update(body="Target for the year. Best so far 26:02.", change="best time now 26:02")
    expected = DATED.replace("28:14.\n\n##", "26:02.\n\n##") + log("best time now 26:02: a race")
    after = done(made)
    assert after[RUN] == expected
    assert after[INDEX] == INDEX_PAGE
    assert touched(planned(made)) == {RUN}


def test_without_a_change_the_log_names_the_fields() -> None:
    after = done(update(body="New.", fields={"title": "Run", "tags": ("sport", "health")}))
    assert after[RUN].endswith(log("changed title, tags, body: a race"))


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({"confidence": "low"}, ["confidence changed from high to low: a race"]),
        ({"type": "fact"}, ["type changed from goal to fact: a race"]),
        (
            {"confidence": "medium", "type": "fact"},
            ["type changed from goal to fact: a race", "confidence changed from high to medium: a race"],
        ),
        ({"title": "Run"}, ["changed title: a race"]),
        (
            {"title": "Run", "confidence": "low"},
            ["changed title: a race", "confidence changed from high to low: a race"],
        ),
    ],
)  # fmt: skip
def test_critical_changes_get_a_line_of_their_own(fields: dict[str, str], lines: list[str]) -> None:
    assert done(update(fields=fields))[RUN].endswith("told after a race\n" + log(*lines))


@pytest.mark.parametrize("change", [None, "said so"])
def test_a_critical_change_alone_has_its_own_line_alone(change: str | None) -> None:
    after = done(update(fields={"confidence": "low"}, change=change))[RUN]
    assert after.count(TODAY) == 2
    assert "said so" not in after


def test_the_index_line_follows_title_type_tags_and_hook() -> None:
    made = update(fields={"title": "Run", "type": "fact", "tags": ("running", "health")}, hook="faster")
    after = done(made)[INDEX]
    line = f"- [Run]({RUN}) — fact, [running, health], faster"
    assert after == INDEX_PAGE.replace(line_of(INDEX_PAGE), line)


def test_a_hook_alone_is_a_change_and_is_logged() -> None:
    after = done(update(hook="faster"))
    assert after[RUN] == DATED + log("changed hook: a race")
    assert line_of(after[INDEX]).endswith("[sport, running], faster")


def test_what_a_person_wrote_on_the_index_line_stays_unless_it_is_named() -> None:
    mine = f"* [My run]({RUN}) - goal, [sport], mine"
    page = INDEX_PAGE.replace(line_of(INDEX_PAGE), mine)
    on = folder({INDEX: page})
    assert done(update(body="New."), on)[INDEX] == page
    assert line_of(done(update(fields={"type": "fact"}), on)[INDEX]).startswith(
        f"* [My run]({RUN}) - fact, [sport], mine"
    )


@pytest.mark.parametrize(
    ("fields", "hook", "line"),
    [
        ({"title": "Run"}, None, "- [Run]({}) — goal, sport, running, short, sweet, and more"),
        ({"tags": ("running", "health")}, None, "- [Run 5K]({}) — goal, running, health, short, sweet, and more"),
        ({}, "new", "- [Run 5K]({}) — goal, sport, running, new"),
    ],
)  # fmt: skip
def test_a_hook_of_short_words_after_bare_tags_is_kept(
    fields: dict[str, str], hook: str | None, line: str
) -> None:
    page = f"## Entries\n- [Run 5K]({RUN}) — goal, sport, running, short, sweet, and more\n"
    on = folder({INDEX: page})
    assert done(update(body="New."), on)[INDEX] == page
    assert line_of(done(update(fields=fields, hook=hook), on)[INDEX]) == line.format(RUN)


def test_a_line_of_prose_changes_its_title_alone() -> None:
    page = f"## Entries\n- [Run 5K]({RUN}) all about running\n"
    on = folder({INDEX: page})
    assert done(update(body="New."), on)[INDEX] == page
    after = done(update(fields={"title": "Run"}), on)[INDEX]
    assert line_of(after) == f"- [Run]({RUN}) all about running"


# --- tags ----------------------------------------------------------------------------------------


def test_tags_are_picked_again_when_they_change_and_only_then() -> None:
    on = folder({RUN: RUN_NOTE.replace("[sport, running]", "[unknown]")})
    assert planned(update(body="New."), on).ready
    assert planned(update(fields={"tags": ("unknown",), "title": "T"}), on).ready
    made = planned(update(fields={"tags": ("unknown", "other")}), on)
    assert made.wants == ("new_tags",)
    assert planned(update(fields={"tags": ("sport",)}), on).wants == ("tags",)
    assert planned(update(fields={"tags": ()}), on).wants == ("tags",)
    assert problem(update(fields={"tags": tuple("abcdef")}), on)[0] == "tags"


def test_the_person_picks_the_tags() -> None:
    made = planned(update(fields={"tags": ("sport",)}), tags=("Health", "#sport"))
    assert made.ready
    assert "tags: [health, sport]\n" in applied(made)[RUN].decode()


@pytest.mark.parametrize(
    "written", ["tags: sport, running", "tags:\n  - sport\n  - running", 'tags: ["sport",running]']
)
def test_unchanged_tags_keep_the_way_they_are_written(written: str) -> None:
    on = folder({RUN: RUN_NOTE.replace("tags: [sport, running]", written)})
    assert written in done(update(body="New.", fields={"tags": ("sport", "running")}), on)[RUN]


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"body": "Target for the year. Best so far 28:14."},
        {"body": "\n\nTarget for the year. Best so far 28:14.\n"},
        {"fields": {"title": "Run 5K under 25 minutes"}},
        {"fields": {"tags": ("sport", "running")}},
        {"hook": "5K target for the year"},
        {"change": "said so"},
    ],
)
def test_an_update_that_changes_nothing_is_a_problem(fields: dict[str, object]) -> None:
    assert "changes nothing" in problem(update(**fields))[1]


def test_an_update_that_changes_nothing_is_none_where_the_index_differs() -> None:
    page = INDEX_PAGE.replace("[Run 5K under 25 minutes]", "[Other]")
    assert (
        "changes nothing"
        in problem(update(body="Target for the year. Best so far 28:14."), folder({INDEX: page}))[1]
    )


@pytest.mark.parametrize(
    ("note", "field", "word"),
    [
        (None, "filename", "does not exist"),
        ("just text\n", "filename", "not a typed entry"),
        ("---\ndescription: x\n---\nx\n", "filename", "not a typed entry"),
        (RUN_NOTE.replace("title: Run", "title: [Run"), "filename", "cannot be read"),
        (RUN_NOTE.replace("---\n\nTarget", "\nTarget"), "filename", "cannot be read"),
        (RUN_NOTE.replace("---\n", "+++\n"), "filename", "TOML"),
        ("+++\ntitle = 'Run'\n+++\n", "filename", "not a typed entry"),
        (RUN_NOTE.replace("title: Run", "title: &a Run"), "filename", "anchors"),
        (RUN_NOTE.replace("type: goal", "type: goal\ntype: goal"), "filename", "twice"),
        (RUN_NOTE.encode() + b"\xff\n", "filename", "UTF-8"),
        (RUN_NOTE.replace("28:14.\n\n##", "28:14.\n```\n\n##"), "filename", "code fence"),
    ],
)
def test_what_cannot_be_edited_safely_is_left_alone_and_said(
    note: str | bytes | None, field: str, word: str
) -> None:
    told, message = problem(update(body="New."), folder({RUN: note}))
    assert told == field
    assert word in message
    assert RUN in message


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"fields": {"type": "opinion"}}, "fields.type"),
        ({"fields": {"confidence": "sure"}}, "fields.confidence"),
        ({"body": "x\n## Change log\n- mine"}, "body"),
        ({"body": "---\nstatus: deprecated\n---\nx"}, "body"),
        ({"body": "<!-- "}, "body"),
    ],
)
def test_values_outside_the_rules_name_their_field(fields: dict[str, object], field: str) -> None:
    assert problem(update(**fields))[0] == field


def test_an_odd_value_that_is_there_already_stays() -> None:
    on = folder({RUN: RUN_NOTE.replace("confidence: high", "confidence: certain").replace("goal", "aim")})
    after = done(update(body="New."), on)[RUN]
    assert "confidence: certain\n" in after


# --- index reported, never guessed ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "word"),
    [
        (None, "no line"),
        ("# x\n", "no line"),
        (f"## Entries\n<!--\n- [Run]({RUN}) — goal, [a, b], c\n-->\n", "no line"),
        (f"## Entries\n- [A]({RUN}) — goal, [a, b], c\n- [B]({RUN}) — goal, [a, b], d\n", "two lines"),
    ],
)
def test_no_line_or_two_are_reported_and_left(page: str | None, word: str) -> None:
    on = folder({INDEX: page})
    made = planned(update(fields={"title": "Run"}, hook="h"), on)
    assert word in notices(made)["index"]
    assert applied(made, on).get(INDEX) == (page.encode() if page else None)
    assert problem(update(hook="h"), on)[0] == "hook"


# --- description ---------------------------------------------------------------------------------


def test_a_description_that_still_says_the_old_words_is_pointed_to() -> None:
    on = folder({RUN: RUN_NOTE.replace("type: goal", "description: the target is 28:14\ntype: goal")})
    made = planned(update(body="Best so far 26:02."), on)
    assert "target" in notices(made)["description"]
    both = update(body="Best so far 26:02.", fields={"description": "best is 26:02"})
    assert "description" not in notices(planned(both, on))


def test_any_other_field_can_be_set() -> None:
    after = done(update(fields={"aliases": ("a", "b: c"), "mood": "yes"}))[RUN]
    assert f'updated: {TODAY}\naliases: [a, "b: c"]\nmood: "yes"\n---\n' in after


def test_an_event_can_be_updated() -> None:
    assert planned(update(filename=MOVE, body="Berlin to Lisbon by train.")).ready


def test_the_dictionary_stays_out_of_it() -> None:
    on = folder({TAGS: b"\xff broken"})
    assert TAGS in done(update(body="New."), on)


@pytest.mark.parametrize("name", ["status", "created", "updated", "superseded_at", "superseded_by"])
def test_what_memtui_keeps_cannot_be_set(name: str) -> None:
    assert problem(update(fields={name: "2020-01-01"}))[0] == f"fields.{name}"


def test_a_body_that_holds_an_earlier_log_is_not_replaced_whole() -> None:
    earlier = "## Change log\n- 2023-01-01 — an earlier line\n\nA person's words.\n\n"
    on = folder({RUN: RUN_NOTE.replace("## Change log\n", f"{earlier}## Change log\n")})
    assert "edit" in problem(update(body="New."), on)[1]
    assert earlier in done(update(fields={"confidence": "low"}), on)[RUN]
