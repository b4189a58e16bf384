"""Plans of edit and replace: text changes onto any note, and onto entries by the rules of update."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes import entry, index
from memtui.proposals.context import INDEX, TAGS
from tests.proposals.plans import (
    INDEX_PAGE,
    LINA,
    LINA_NOTE,
    RUN,
    RUN_NOTE,
    TAGS_PAGE,
    TODAY,
    applied,
    done,
    edit,
    folder,
    notices,
    planned,
    problem,
    replace_,
    touched,
)

DATED = RUN_NOTE.replace("updated: 2024-04-22", f"updated: {TODAY}")

# --- edit: what is replaced ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("note", "edits", "after"),
    [
        ("a b c\n", [("b", "x")], "a x c\n"),
        ("a b c\n", [("b ", "")], "a c\n"),
        ("a b c", [("a", "c2"), ("c2 b", "z")], "z c"),
        ("a\nb\n", [("a\nb", "x\ny\nz")], "x\ny\nz\n"),
        ("a\r\nb\r\n", [("a\nb", "x\ny")], "x\r\ny\r\n"),
        ("a\r\nb\r\n", [("a\r\nb", "x")], "x\r\n"),
        ("a\r\nb\r\n", [("b", "x\ny")], "a\r\nx\r\ny\r\n"),
        ("a\nb\nc\r\n", [("b", "x\ny")], "a\nx\ny\nc\r\n"),
        ("a\r\nb\nc\n", [("c", "x\ny")], "a\r\nb\nx\ny\n"),
        ("a\r\nb", [("b", "x\ny")], "a\r\nx\r\ny"),
        ("\ufeffa", [("a", "b")], "\ufeffb"),
        ("a", [("a", "")], ""),
        ("---\na: [\n---\nx", [("x", "y")], "---\na: [\n---\ny"),
        ("+++\na = 1\n+++\nx", [("a = 1", "a = 2")], "+++\na = 2\n+++\nx"),
    ],
)
def test_exact_text_is_replaced_and_nothing_else(note: str, edits: list[tuple[str, str]], after: str) -> None:
    on = folder({LINA: note})
    made = planned(edit(*edits), on)
    assert touched(made) == {LINA}
    assert applied(made, on)[LINA].decode() == after
    assert made.result == {"path": LINA, "bytesWritten": len(after.encode())}


@pytest.mark.parametrize(
    ("note", "edits", "field", "word"),
    [
        ("a", [("b", "c")], "edits[0].old", "does not occur"),
        ("a a", [("a", "c")], "edits[0].old", "2 times"),
        ("aaa", [("aa", "c")], "edits[0].old", "2 times"),
        ("a b", [("a", "b"), ("b", "c")], "edits[1].old", "2 times"),
        ("a b", [("a", "c"), ("a", "d")], "edits[1].old", "does not occur"),
        ("a b", [("a", "b x"), ("b x", "a")], "edits", "change nothing"),
        (b"\xff a", [("a", "b")], "path", "UTF-8"),
        (None, [("a", "b")], "path", "does not exist"),
        ("a", [("", "b")], "edits[0].old", "does not occur"),
    ],
)
def test_old_text_must_occur_once(
    note: str | bytes | None, edits: list[tuple[str, str]], field: str, word: str
) -> None:
    told, message = problem(edit(*edits), folder({LINA: note}))
    assert told == field
    assert word in message


def test_every_edit_that_fails_is_told() -> None:
    made = planned(edit(("x", "y"), ("dinosaurs", "birds"), ("z", "y")))
    assert [found.field for found in made.problems] == ["edits[0].old", "edits[2].old"]


@pytest.mark.parametrize(
    ("note", "old", "new", "said"),
    [
        ("---\ndescription: functions, tabs\n---\nUses tabs.\n", "Uses tabs", "Uses spaces", "tabs"),
        ("---\ndescription: aged 7\n---\nIs 7.\n", "Is 7", "Is 8", "7"),
        ("---\ndescription: любит чай\n---\nПьёт чай.\n", "чай.", "кофе.", "чай"),
        ("---\ndescription: functions, tabs\n---\nUses tabs.\n", "Uses tabs", "Uses tabs often", ""),
        ("---\ndescription: Daughter Mia\n---\nHer name is Mia.\n", "is Mia", "was Ida", "Mia"),
        ("---\ndescription: writes C\n---\nUses C.\n", "Uses C", "Uses R", "C"),
        ("---\ndescription: this is with her\n---\nwith this\n", "with this", "no", ""),
        ("---\ndescription: the one\n---\nthe cat\n", "the cat", "a cat", ""),
        ("---\ndescription: old tabs\n---\nText.\n", "old tabs", "new", ""),
        ("---\ntitle: tabs\n---\nUses tabs.\n", "Uses tabs", "Uses spaces", ""),
    ],
)
def test_a_description_that_still_says_it_is_pointed_to(note: str, old: str, new: str, said: str) -> None:
    told = notices(planned(edit((old, new)), folder({LINA: note}))).get("description", "")
    assert (f"“{said}”" in told) if said else not told


def test_frontmatter_that_a_change_breaks_is_a_notice_on_a_plain_note() -> None:
    made = planned(edit(("description: d", "description: [d")))
    assert made.ready
    assert "not be readable" in notices(made)["yaml"]


# --- replace -------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["description: coffee", '"description": coffee', "'description' : coffee"])
def test_a_key_that_would_stand_twice_is_a_notice(again: str) -> None:
    made = planned(edit(("years old\n", f"years old\n{again}\n")))
    assert "key `description` twice: only the last counts" in notices(made)["yaml"]
    twice = LINA_NOTE.replace("years old\n", f"years old\n{again}\n")
    made = planned(edit(("Likes", "Loves")), folder({LINA: twice}))
    assert "yaml" not in notices(made)


@pytest.mark.parametrize(
    "text", ["x", "x\n", "a\r\nb", "\ufeffx", "---\na: 1\n---\nx", "", "+++\na=1\n+++\n"]
)
@pytest.mark.parametrize("path", [LINA, "new/note.md"])
def test_a_file_gets_the_very_text(text: str, path: str) -> None:
    on = folder()
    made = planned(replace_(text, path=path), on)
    assert touched(made) == {path}
    assert applied(made, on)[path] == text.encode()
    gone = path == LINA and text in ("", "+++\na=1\n+++\n")
    assert [notice.kind for notice in made.notices] == ["emptied"] * gone


@pytest.mark.parametrize("text", ["---\na: [\n---\nx", "---\ntitle: never closed\n", "---\na: 1\nb\n---\n"])
def test_yaml_trouble_is_a_notice(text: str) -> None:
    made = planned(replace_(text))
    assert made.ready
    assert "yaml" in notices(made)


@pytest.mark.parametrize("path", ["../x.md", "x.txt", "index.md", "People/x.md", "con.md", ".x.md"])
def test_a_new_path_must_be_sound(path: str) -> None:
    assert problem(replace_("x", path=path))[0] == "path"


def test_the_same_text_is_told() -> None:
    assert "same" in notices(planned(replace_(LINA_NOTE)))
    assert "changes nothing" in problem(replace_(RUN_NOTE, path=RUN))[1]


ENTRY = RUN_NOTE.replace("title: Run 5K under 25 minutes", "title: Sleep").split("\n## Change log")[0]


def test_a_new_entry_keeps_its_bytes_and_gains_an_index_line() -> None:
    after = done(replace_(ENTRY, path="sleep.md"))
    assert after["sleep.md"] == ENTRY
    line = "- [Sleep](sleep.md) — goal, [sport, running], Target for the year\n"
    assert after[INDEX] == INDEX_PAGE.replace("\n\n## Deprecated", f"\n{line}\n## Deprecated")


def test_a_title_with_a_control_character_gets_no_index_line() -> None:
    text = ENTRY.replace("title: Sleep", 'title: "Sl\\0eep"')
    field, message = problem(replace_(text, path="sleep.md"))
    assert (field, "U+0000" in message) == ("path", True)


def test_a_deprecated_one_goes_among_the_deprecated() -> None:
    text = ENTRY.replace("status: active", "status: deprecated")
    after = done(replace_(text, path="sub/sleep.md"))
    assert after[INDEX].startswith(INDEX_PAGE)
    found = index.read_index(after[INDEX].encode()).get("sub/sleep.md")
    assert found is not None
    assert found.deprecated


def test_a_note_that_becomes_an_entry_gains_a_line_too() -> None:
    after = done(replace_(ENTRY, path=LINA))
    assert after[LINA] == ENTRY
    assert f"- [Sleep]({LINA}) — goal, [sport, running], Target" in after[INDEX]


def test_a_line_that_waits_for_the_entry_follows_it() -> None:
    broken = RUN_NOTE.replace("title: Run 5K", "title: [Run")
    after = done(replace_(ENTRY, path=RUN), folder({RUN: broken}))
    assert f"- [Sleep]({RUN}) — goal, [sport, running], 5K target for the year\n" in after[INDEX]


def test_unknown_tags_of_a_new_entry_want_a_yes_and_odd_counts_are_told() -> None:
    on = folder()
    made = planned(replace_(ENTRY.replace("[sport, running]", "[sleep]"), path="sleep.md"), on)
    assert made.wants == ("new_tags",)
    assert "1 tag" in notices(made)["tag"]
    text = ENTRY.replace("[sport, running]", "[sleep]")
    made = planned(replace_(text, path="sleep.md"), on, accept_new_tags=True)
    after = applied(made, on)
    assert after["sleep.md"] == text.encode()
    assert "- **#sleep**" in after[TAGS].decode()


def test_a_new_entry_keeps_to_the_vocabulary() -> None:
    assert problem(replace_(ENTRY.replace("goal", "opinion"), path="x.md"))[0] == "type"
    assert planned(replace_(ENTRY.replace("goal", "opinion"), path="x.md"), types=("opinion",)).ready


# --- onto entries: the rules of update -----------------------------------------------------------


def test_an_edit_onto_an_entry_is_dated_and_logged() -> None:
    after = done(edit(("28:14.\n\n##", "26:02.\n\n##"), path=RUN))
    assert (
        after[RUN] == DATED.replace("28:14.\n\n##", "26:02.\n\n##") + f"- {TODAY} — changed body: told so\n"
    )
    assert after[INDEX] == INDEX_PAGE


def test_a_replace_onto_an_entry_is_dated_and_logged() -> None:
    text = RUN_NOTE.replace("Target for", "Aim of")
    after = done(replace_(text, path=RUN))[RUN]
    assert after == DATED.replace("Target for", "Aim of") + f"- {TODAY} — changed body: told so\n"


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("title: Run 5K under 25 minutes", "title: Run", ["changed title: told so"]),
        ("confidence: high", "confidence: low", ["confidence changed from high to low: told so"]),
        ("type: goal", "type: fact", ["type changed from goal to fact: told so"]),
        ("type: goal\nconfidence: high", "type: fact\nmood: x\nconfidence: high",
         ["changed mood: told so", "type changed from goal to fact: told so"]),
        ("title: Run", "title:  Run", ["changed wording: told so"]),
    ],
)  # fmt: skip
def test_its_log_says_what_changed(old: str, new: str, lines: list[str]) -> None:
    after = done(edit((old, new), path=RUN))[RUN]
    assert after.endswith("told after a race\n" + "".join(f"- {TODAY} — {line}\n" for line in lines))
    assert f"updated: {TODAY}\n" in after


def test_the_index_line_follows_an_edit() -> None:
    after = done(edit(("title: Run 5K under 25 minutes", "title: Run"), path=RUN))
    assert after[INDEX] == INDEX_PAGE.replace("[Run 5K under 25 minutes]", "[Run]")


@pytest.mark.parametrize("mark", ["-", "*"])
def test_a_line_of_today_that_the_text_brings_is_the_only_one(mark: str) -> None:
    text = RUN_NOTE.replace("28:14.", "26:02.", 1) + f"{mark} {TODAY} — best time now 26:02: a race\n"
    made = planned(replace_(text, path=RUN))
    after = applied(made)[RUN].decode()
    assert after == text.replace("updated: 2024-04-22", f"updated: {TODAY}")
    assert "log" in notices(made)


def test_a_line_of_another_day_does_not_stand_for_todays() -> None:
    text = RUN_NOTE.replace("28:14.", "26:02.", 1) + "- 2026-11-29 — best time now 26:02: a race\n"
    assert done(replace_(text, path=RUN))[RUN].endswith(f"a race\n- {TODAY} — changed body: told so\n")


def test_a_line_of_today_that_was_there_before_does_not_count() -> None:
    note = RUN_NOTE + f"- {TODAY} — earlier: today\n"
    after = done(edit(("Target", "Aim"), path=RUN), folder({RUN: note}))[RUN]
    assert after.endswith(f"- {TODAY} — earlier: today\n- {TODAY} — changed body: told so\n")


@pytest.mark.parametrize(
    ("text", "field", "word"),
    [
        (RUN_NOTE.replace("status: active", "status: deprecated"), "status", "supersede"),
        (RUN_NOTE.replace("created: 2024", "created: 2023"), "created", "created"),
        (RUN_NOTE.replace("created: 2024-01-10\n", ""), "created", "created"),
        (RUN_NOTE.replace("type: goal", "type: goal\nsuperseded_by: x.md"), "superseded_by", "superseded_by"),
        (RUN_NOTE.replace("goal", "opinion"), "type", "opinion"),
        (RUN_NOTE.replace("confidence: high", "confidence: sure"), "confidence", "sure"),
        (RUN_NOTE.replace("title: Run", "title: [Run"), "", "would break"),
        (RUN_NOTE.replace("title: Run", "name: Run"), "", "no entry"),
        (RUN_NOTE.split("\n\nTarget")[1], "", "no entry"),
        (RUN_NOTE.replace("- 2024-01-10 — created", "- 2024-01-10 — made"), "", "log"),
        (RUN_NOTE.split("## Change log")[0], "", "log"),
        (RUN_NOTE.replace("## Change log\n", f"## Change log\n- {TODAY} — first\n"), "", "log"),
        (RUN_NOTE.replace("[sport, running]", "[a, b, c, d, e, f]"), "tags", "2 to 5"),
        (RUN_NOTE.replace("type: goal", "type: &g goal"), "path", "anchors"),
        ("", "", "no entry"),
        (RUN_NOTE.replace("28:14.\n\n##", "28:14.\n\n<div>\n##"), "", "no heading"),
        (RUN_NOTE.replace("Target for", "```\n"), "", "code fence open"),
        (RUN_NOTE.replace("## Change log", "## Changes"), "", "would be gone"),
    ],
)  # fmt: skip
def test_what_an_update_may_not_an_edit_may_not(text: str, field: str, word: str) -> None:
    told, message = problem(replace_(text, path=RUN))
    assert told == field
    assert word in message
    assert RUN in message or field == "tags" or "no " in message or "the note" in message


def test_tags_that_a_text_changes_are_picked() -> None:
    on = folder()
    change = edit(("[sport, running]", "[Sport, sleep]"), path=RUN)
    made = planned(change, on)
    assert made.wants == ("new_tags",)
    after = applied(planned(change, on, accept_new_tags=True), on)
    assert "tags: [sport, sleep]\n" in after[RUN].decode()
    assert "goal, [sport, sleep], 5K" in after[INDEX].decode()
    assert after[TAGS] == TAGS_PAGE.replace("- **#sport**", "- **#sleep**\n- **#sport**").encode()
    made = planned(edit(("[sport, running]", "[sport]"), path=RUN), on)
    assert made.wants == ("tags",)
    made = planned(edit(("[sport, running]", "[sport]"), path=RUN), on, tags=("health", "sport"))
    assert "tags: [health, sport]\n" in applied(made, on)[RUN].decode()


def test_the_person_may_mend_what_is_no_value_at_all() -> None:
    on = folder(
        {
            RUN: RUN_NOTE.replace("status: active", "status: actve").replace(
                "created: 2024-01-10", "created: x"
            )
        }
    )
    text = RUN_NOTE.replace("Target", "Aim")
    assert {found.field for found in planned(replace_(text, path=RUN), on).problems} == {"status", "created"}
    assert planned(replace_(text, path=RUN), on, own=True).ready
    bad = RUN_NOTE.replace("status: active", "status: deprecated")
    assert [found.field for found in planned(replace_(bad, path=RUN), own=True).problems] == ["status"]


@pytest.mark.parametrize(
    "note",
    [RUN_NOTE.replace("\n", "\r\n"), "\ufeff" + RUN_NOTE, RUN_NOTE.rstrip("\n"), RUN_NOTE + "\n## More\n\nx"],
)
def test_bytes_stay_in_odd_entries(note: str) -> None:
    after = done(edit(("Target for", "Aim of"), path=RUN), folder({RUN: note}))[RUN]
    ending = "\r\n" if "\r\n" in note else "\n"
    line = f"- {TODAY} — changed body: told so"
    back = after.replace("Aim of", "Target for").replace(f"updated: {TODAY}", "updated: 2024-04-22")
    assert note in (back.replace(line + ending, ""), back.replace(ending + line, ""))


def test_index_troubles_are_reported() -> None:
    on = folder({INDEX: "# x\n"})
    assert "no line" in notices(planned(edit(("Target", "Aim"), path=RUN), on))["index"]


@settings(max_examples=200, deadline=None)
@given(
    body=st.text("abc \r\n", min_size=1, max_size=30),
    start=st.integers(0, 30),
    size=st.integers(1, 8),
    new=st.text("xy \n", max_size=8),
)
def test_an_edit_changes_its_span_alone(body: str, start: int, size: int, new: str) -> None:
    old = body[start : start + size]
    on = folder({LINA: body})
    made = planned(edit((old, new)), on)
    if made.problems or not old:
        return
    after = applied(made, on)[LINA].decode()
    at = body.find(old)
    assert after.startswith(body[:at])
    assert after.endswith(body[at + len(old) :])
    middle = after[at : len(after) - len(body) + at + len(old)]
    assert middle.replace("\r\n", "\n").replace("\r", "\n") == new


def test_earlier_log_lines_stay_in_a_replace() -> None:
    read = entry.read_entry(done(replace_(RUN_NOTE.replace("Target", "Aim"), path=RUN))[RUN].encode())
    assert read is not None
    assert read.log[:2] == entry.log_of(RUN_NOTE.encode())


@pytest.mark.parametrize(
    ("brought", "added"),
    [
        ("told so", f"- {TODAY} — confidence changed from high to low: told so\n"),
        ("confidence changed from high to low: told so", ""),
    ],
)
def test_a_critical_change_has_its_own_line_beside_one_that_the_text_brings(brought: str, added: str) -> None:
    text = RUN_NOTE.replace("confidence: high", "confidence: low") + f"- {TODAY} — {brought}\n"
    on = folder()
    made = planned(replace_(text, path=RUN), on)
    after = applied(made, on)[RUN].decode()
    assert after == text.replace("updated: 2024-04-22", f"updated: {TODAY}") + added
    assert "log" in notices(made)


TWO_LOGS = RUN_NOTE.replace(
    "## Change log\n", "## Change log\n- 2023-01-01 — an earlier line\n\nA person's words.\n\n## Change log\n"
)


def test_lines_of_an_earlier_log_stay() -> None:
    on = folder({RUN: TWO_LOGS})
    assert "must stay" in problem(replace_(RUN_NOTE, path=RUN), on)[1]
    text = TWO_LOGS.replace("28:14.", "27:00.")
    assert "an earlier line" in done(replace_(text, path=RUN), on)[RUN]
    assert "27:00." in done(edit(("28:14.", "27:00."), path=RUN), on)[RUN]


def test_what_is_put_into_a_note_with_lone_cr_takes_cr() -> None:
    on = folder({LINA: "one\rtwo\rthree\r"})
    assert done(edit(("one\ntwo", "a\nb\nc")), on)[LINA] == "a\rb\rc\rthree\r"
