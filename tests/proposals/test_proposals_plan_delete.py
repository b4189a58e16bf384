"""Plan of a delete: the file, its index line, and every reference to it as a successor (seed 004)."""

from __future__ import annotations

import pytest

from memtui.notes import frontmatter
from memtui.proposals.context import INDEX, TAGS
from tests.proposals.plans import (
    INDEX_PAGE,
    LINA,
    MOVE,
    RUN,
    RUN_NOTE,
    TAGS_PAGE,
    TODAY,
    applied,
    delete,
    done,
    folder,
    notices,
    planned,
    problem,
    touched,
)

RUN_LINE = f"- [Run 5K under 25 minutes]({RUN}) — goal, [sport, running], 5K target for the year\n"
OLD_NOTE = RUN_NOTE.replace("status: active", "status: deprecated").replace(
    "updated: 2024-04-22\n", f"updated: 2024-04-22\nsuperseded_at: 2024-04-22\nsuperseded_by: {RUN}\n"
)
LOGGED = f"- {TODAY} — successor deleted {TODAY}"


def test_file_and_line_go_and_the_rest_stays() -> None:
    after = done(delete())
    assert RUN not in after
    assert after[INDEX] == INDEX_PAGE.replace(RUN_LINE, "")
    assert after[TAGS] == TAGS_PAGE
    assert planned(delete()).result == {"filename": RUN}


@pytest.mark.parametrize("note", ["text\n", b"\xff\xfe", "---\na: [\n---\n", "+++\na = 1\n+++\n", ""])
def test_any_note_can_be_deleted(note: str | bytes) -> None:
    on = folder({LINA: note})
    made = planned(delete(filename=LINA), on)
    assert LINA not in applied(made, on)
    assert not made.notices


def test_a_reference_to_it_as_successor_goes_with_a_log_line() -> None:
    on = folder({"old.md": OLD_NOTE})
    after = done(delete(), on)["old.md"]
    assert after == OLD_NOTE.replace(f"superseded_by: {RUN}\n", "") + LOGGED + "\n"


@pytest.mark.parametrize(
    "written",
    [
        f"superseded_by: {RUN}",
        f'superseded_by: "{RUN}"',
        f"superseded_by:  '{RUN}'  # next",
        f"superseded_by: ./{RUN}",
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_however_it_is_written(written: str, ending: str) -> None:
    note = ("\ufeff" + OLD_NOTE.replace(f"superseded_by: {RUN}", written)).replace("\n", ending)
    after = done(delete(), folder({"sub/old.md": note}))["sub/old.md"]
    assert after == note.replace(written + ending, "") + LOGGED + ending


def test_every_such_entry_follows() -> None:
    on = folder({f"{n}.md": OLD_NOTE for n in range(5)})
    assert touched(planned(delete(), on)) == {RUN, *(f"{n}.md" for n in range(5))}


@pytest.mark.parametrize(
    "note",
    [
        OLD_NOTE.replace(f"superseded_by: {RUN}", f"superseded_by: {MOVE}"),
        OLD_NOTE.replace(f"superseded_by: {RUN}", f"nested:\n  superseded_by: {RUN}"),
        RUN_NOTE + f"\nsuperseded_by: {RUN}\n",
        RUN_NOTE.replace("goal", f"goal # superseded_by: {RUN}"),
    ],
)
def test_other_mentions_stay(note: str) -> None:
    on = folder({"old.md": note})
    assert done(delete(), on)["old.md"] == note


def test_a_field_far_down_in_a_long_frontmatter_is_found() -> None:
    note = OLD_NOTE.replace("type: goal", "type: goal\nnotes: |\n" + "  long line of text\n" * 600 + "x: y")
    assert note.index("superseded_by") > 9000
    on = folder({"old.md": note})
    assert "superseded_by" not in done(delete(), on)["old.md"]


@pytest.mark.parametrize(
    ("note", "word"),
    [
        (OLD_NOTE.replace("title:", "title: &a"), "anchors"),
        (OLD_NOTE.split("## Change log")[0] + "```\nopen\n", "code fence"),
        (OLD_NOTE.encode() + b"\xff", "UTF-8"),
    ],
)
def test_what_cannot_be_edited_is_named_and_does_not_stop_it(note: str | bytes, word: str) -> None:
    on = folder({"old.md": note})
    made = planned(delete(), on)
    told = notices(made)["link"]
    assert "old.md" in told
    assert word in told
    after = applied(made, on)
    assert RUN not in after
    assert after["old.md"] == on.files["old.md"]


def test_an_unreadable_neighbour_does_not_stop_it() -> None:
    made = planned(delete(), folder(unreadable=["secret.md"]))
    assert made.ready
    assert "secret.md" in notices(made)["link"]


def test_a_note_that_is_no_entry_loses_the_reference_and_gets_no_log() -> None:
    note = f"---\nsuperseded_by: {RUN}\nx: 1\n---\ntext\n"
    assert done(delete(), folder({"n.md": note}))["n.md"] == "---\nx: 1\n---\ntext\n"


@pytest.mark.parametrize(
    ("page", "word"),
    [(None, "no line"), (f"## Entries\n{RUN_LINE}{RUN_LINE}", "two lines"), ("## Entries\n", "no line")],
)
def test_no_line_or_two_are_reported_and_left(page: str | None, word: str) -> None:
    on = folder({INDEX: page})
    made = planned(delete(), on)
    assert word in notices(made)["index"]
    assert applied(made, on).get(INDEX) == (page.encode() if page else None)


def test_a_deprecated_line_goes_too() -> None:
    page = f"## Entries\n\n## Deprecated\n\n{RUN_LINE}"
    assert done(delete(), folder({INDEX: page}))[INDEX] == "## Entries\n\n## Deprecated\n\n"


@pytest.mark.parametrize("words", ["", "  ", "\n"])
def test_without_the_persons_words_it_is_refused(words: str) -> None:
    assert problem(delete(user_command=words))[0] == "user_command"


@pytest.mark.parametrize(
    ("path", "word"), [("gone.md", "does not exist"), ("index.md", "follows"), ("tags.md", "follows")]
)
def test_what_is_not_there_or_follows_by_itself_is_refused(path: str, word: str) -> None:
    field, message = problem(delete(filename=path))
    assert field == "filename"
    assert word in message


def test_dates_of_the_others_stay() -> None:
    after = done(delete(), folder({"old.md": OLD_NOTE}))["old.md"]
    assert frontmatter.read(after.encode()).fields["updated"] == "2024-04-22"


def test_an_index_that_is_not_utf8_is_a_problem_that_says_so() -> None:
    on = folder({INDEX: INDEX_PAGE.encode() + b"\xff"})
    assert "UTF-8" in problem(delete(), on)[1]


@pytest.mark.parametrize("value", [f"|\n  {RUN}", f">-\n  {RUN}", f"' {RUN} '"])
def test_a_reference_with_blanks_around_it_counts(value: str) -> None:
    on = folder({"old.md": OLD_NOTE.replace(f"superseded_by: {RUN}", f"superseded_by: {value}")})
    made = planned(delete(), on)
    after = applied(made, on)["old.md"].decode()
    gone = "superseded_by" not in after and LOGGED in after
    assert gone or "old.md" in notices(made)["link"]


def test_a_list_of_successors_is_named() -> None:
    on = folder({"old.md": OLD_NOTE.replace(f"superseded_by: {RUN}", f"superseded_by: [{RUN}]")})
    assert "old.md" in notices(planned(delete(), on))["link"]
