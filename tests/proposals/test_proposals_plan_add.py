"""Plan of an add: a new entry with its log line, its index line and its tags (seed 004)."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from ruamel.yaml import YAML

from memtui.notes import entry, index
from memtui.proposals.context import INDEX, TAGS, Overlay
from tests.proposals.plans import (
    INDEX_PAGE,
    SEEN,
    TODAY,
    add,
    applied,
    done,
    folder,
    notices,
    planned,
    problem,
)

NEW = f"{SEEN}-runs-in-the-park.md"


def test_the_entry_is_that_of_the_seed() -> None:
    assert done(add())[NEW] == (
        "---\ntitle: Runs in the park\ntags: [sport, running]\ntype: fact\nconfidence: high\nstatus: active\n"
        f"created: {TODAY}\nupdated: {TODAY}\n---\n\nRuns in the park on Sundays. Likes the trees.\n\n"
        f"## Change log\n- {TODAY} — created during conversation about weekend plans\n"
    )


def test_its_line_goes_to_the_end_of_the_entries() -> None:
    line = f"- [Runs in the park]({NEW}) — fact, [sport, running], Runs in the park on Sundays\n"
    assert done(add())[INDEX] == INDEX_PAGE.replace("\n\n## Deprecated", f"\n{line}\n## Deprecated")


def test_the_result_names_the_file() -> None:
    assert planned(add()).result == {"filename": NEW}


# --- index ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [None, ""])
def test_a_missing_index_is_made(page: str | None) -> None:
    after = done(add(hook="trees"), folder({INDEX: page}), exact=False)[INDEX]
    assert f"## Entries\n\n- [Runs in the park]({NEW}) — fact, [sport, running], trees\n" in after


def test_an_index_without_entries_gets_the_section_at_its_end() -> None:
    after = done(add(hook="trees"), folder({INDEX: "# Mine\n\ntext"}), exact=False)[INDEX]
    assert after.startswith("# Mine\n\ntext\n\n## Entries\n\n- [Runs")


def test_the_files_own_tag_style_and_line_ending_are_kept() -> None:
    page = "## Entries\r\n\r\n- [A](a.md) — fact, x, y, hook\r\n"
    after = done(add(hook="trees"), folder({INDEX: page}))[INDEX]
    assert after == page + f"- [Runs in the park]({NEW}) — fact, sport, running, trees\r\n"


def test_sample_lines_in_comments_are_no_entries() -> None:
    sample = f"## Entries\n\n<!-- Example:\n- [X]({NEW}) — fact, [a], b\n-->\n\n## Deprecated\n"
    after = done(add(hook="trees"), folder({INDEX: sample}), exact=False)[INDEX]
    assert [line.title for line in index.read_index(after.encode()).entries] == ["Runs in the park"]


def test_an_index_that_is_not_utf8_is_a_problem_that_says_so() -> None:
    field, message = problem(add(), folder({INDEX: b"## Entries\n\n- \xff\n"}))
    assert (field, "UTF-8" in message) == ("index.md", True)


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "taken",
    [
        {NEW: "x"},
        {NEW.upper(): "x"},
        {INDEX: INDEX_PAGE.replace("\n\n## D", f"\n- [X]({NEW}) — fact, [a, b], c\n\n## D")},
    ],
)
def test_a_taken_name_gets_a_number(taken: dict[str, str]) -> None:
    assert planned(add(), folder(taken)).result == {"filename": f"{SEEN}-runs-in-the-park-2.md"}


def test_two_of_one_title_in_one_second_get_two_files() -> None:
    on = folder()
    over = Overlay(on, planned(add(), on).changes)
    made = planned(add(), over)  # type: ignore[arg-type]
    assert made.result == {"filename": f"{SEEN}-runs-in-the-park-2.md"}


@pytest.mark.parametrize(
    "title",
    [
        "Переехал в Лиссабон",
        "Μητέρα",
        "أمي في القاهرة",
        "אמא שלי",
        "和妈妈的关系",
        "母との関係",
        "엄마와의 관계",
        "🎸🎶",
        "CON",
        "nul",
        "...",
        "—",
        "a/b\\c: d?",
        "x" * 300,
        "é" * 90,
        "-",
        "../../etc/passwd",
        "index",
    ],
)
def test_any_title_gets_an_ascii_name_and_reads_back(title: str) -> None:
    on = folder()
    made = planned(add(title=title, hook="h"), on)
    after = applied(made, on)
    name = str(made.result["filename"])
    assert re.fullmatch(rf"{SEEN}-[a-z0-9]([a-z0-9-]{{0,58}}[a-z0-9])?\.md", name)
    _reads_back(title, name, after)


def _reads_back(title: str, name: str, after: dict[str, bytes]) -> None:
    """Our own reader, a YAML 1.2 reader and a CommonMark parser agree about the title."""
    read = entry.read_entry(after[name])
    assert read is not None
    assert read.title == title
    assert read.tags == ("sport", "running")
    block = after[name].decode().split("---\n")[1]
    assert YAML(typ="safe").load(StringIO(block))["title"] == title
    line = index.read_index(after[INDEX]).get(name)
    assert line is not None
    assert (line.title, line.type, line.tags, line.deprecated) == (title, "fact", ("sport", "running"), False)
    [links] = [
        token.children
        for token in MarkdownIt().parse(line.line.text)
        if token.type == "inline" and token.children
    ]
    assert links[0].type == "link_open"
    assert links[0].attrs["href"] == name
    ends = [child.type for child in links].index("link_close")
    assert "".join(child.content for child in links[1:ends]) == title


@pytest.mark.parametrize(
    "title",
    [
        "a]b", "[a](b)", "a[b]c", "(a)", "a\\b", "a\\", "a|b", "a — b", "`a", "`a` b", "*a*", "_a_", "<b>x</b>",
        "<!-- x", "a & b &amp; c", "[deprecated]", "#tag", "- a", "key: value", "'q'", '"q"', "%YAML", "@a", "!a",
        "true", "2024-01-01", "~~a~~", "a, b, c", "https://x.y", "{a}", "null", "1_000", "\u202eabc",
    ],
)  # fmt: skip
def test_hostile_titles_survive(title: str) -> None:
    on = folder()
    made = planned(add(title=title, hook="h"), on)
    _reads_back(title, str(made.result["filename"]), applied(made, on))


# --- hook ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "hook"),
    [
        ("Calls every Sunday. More.", "Calls every Sunday"),
        ("Calls every Sunday.", "Calls every Sunday"),
        ("Calls every\nSunday and\nMonday. More.", "Calls every Sunday and Monday"),
        ("No stop", "No stop"),
        ("Really? Yes.", "Really?"),
        ("Great! Yes.", "Great!"),
        ("Costs 3.50 a day. More.", "Costs 3.50 a day"),
        ("Likes tea, e.g. green tea. More.", "Likes tea, e.g. green tea"),
        ("Sees Dr. Smith on Mondays. More.", "Sees Dr. Smith on Mondays"),
        ("Knows J. Smith. More.", "Knows J. Smith"),
        ("# Heading\n\nThe text. More.", "The text"),
        ("# Only a heading", "Only a heading"),
        ("- first item\n- second item", "first item"),
        ("1. first\n2. second", "first"),
        ("> quoted words. More", "quoted words"),
        ("- [ ] do it", "do it"),
        ("---\n\nAfter a rule. More.", "After a rule"),
        ("```\ncode\n```\nText. More.", "Text"),
        ("<!-- note -->\nText. More.", "Text"),
        ("-5 degrees is cold. More.", "-5 degrees is cold"),
        ("**Bold** words. More.", "**Bold** words"),
        ("毎週電話する。長い。", "毎週電話する"),
        ("Созваниваемся каждое воскресенье. Ещё.", "Созваниваемся каждое воскресенье"),
        ("“Quoted.” More.", "“Quoted.”"),
        ("Wait... what", "Wait... what"),
        ("x" * 130, "x" * 119 + "…"),
        ("!!!", "Runs in the park"),
    ],
)
def test_without_one_the_hook_is_the_bodys_first_sentence(body: str, hook: str) -> None:
    on = folder()
    made = planned(add(body=body), on)
    line = index.read_index(applied(made, on)[INDEX]).get(NEW)
    assert line is not None
    assert line.hook == hook
    assert len(line.hook) <= 120


@pytest.mark.parametrize("hook", ["", " ", None])
def test_a_blank_hook_counts_as_none(hook: str | None) -> None:
    assert "Runs in the park on Sundays\n" in done(add(hook=hook))[INDEX]


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "field", "word"),
    [
        ({"type": "opinion"}, "type", "fact, belief, preference, event, goal, constraint"),
        ({"type": "Fact"}, "type", "fact"),
        ({"confidence": "sure"}, "confidence", "high, medium, low"),
        ({"body": "---\na: 1\n---\nx"}, "body", "frontmatter"),
        ({"body": "+++\na = 1\n+++\nx"}, "body", "frontmatter"),
        ({"body": "x\n\n## Change log\n- y"}, "body", "Change log"),
        ({"body": "x\n\n## change LOG ##\n"}, "body", "Change log"),
        ({"body": "```\nopen"}, "body", "code fence"),
        ({"body": "<!-- open"}, "body", "comment"),
        ({"tags": tuple("abcdef")}, "tags", "2 to 5"),
    ],
)
def test_what_breaks_a_rule_is_a_problem_of_its_field(
    fields: dict[str, object], field: str, word: str
) -> None:
    told, message = problem(add(**fields))
    assert told == field
    assert word in message


def test_a_type_that_the_person_made_is_known() -> None:
    made = planned(add(type="opinion"), types=("opinion",))
    assert made.ready


def test_a_log_heading_in_a_fence_is_text() -> None:
    body = "Like this:\n\n```\n## Change log\n- x\n```"
    after = done(add(body=body))[NEW]
    assert entry.log_of(after.encode()) == (f"{TODAY} — created during conversation about weekend plans",)


def test_a_hostile_body_stays_in_the_body() -> None:
    body = "a\n\n## Entries\n\n- [x](y.md) — fact, [a], b\n\n***\n\n  trailing  "
    read = entry.read_entry(done(add(body=body))[NEW].encode())
    assert read is not None
    assert read.body == body
    assert len(read.log) == 1


def test_a_missing_dictionary_makes_every_tag_new() -> None:
    on = folder({TAGS: None})
    made = planned(add(), on)
    assert made.wants == ("new_tags",)
    assert [new.tag for new in made.new_tags] == ["sport", "running"]
    made = planned(add(), on, accept_new_tags=True)
    after = applied(made, on, exact=False)[TAGS].decode()
    assert "- **#running**\n- **#sport**\n" in after


def test_hidden_characters_are_an_alarm() -> None:
    assert "title, body" in notices(planned(add(title="a\u200bb", body="c\u202ed")))["hidden"]


@settings(max_examples=200, deadline=None)
@given(
    title=st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=40)
    .map(lambda text: " ".join(text.split()))
    .filter(bool),
    hook=st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=40).map(
        lambda text: " ".join(text.split())
    ),
    bare=st.booleans(),
)
def test_any_title_and_hook_read_back(title: str, hook: str, bare: bool) -> None:
    page = INDEX_PAGE.replace("[sport, running]", "sport, running").replace("[biography, travel]", "a, b")
    on = folder({INDEX: page if bare else INDEX_PAGE})
    made = planned(add(title=title, hook=hook), on)
    name = str(made.result["filename"])
    after = applied(made, on)
    read, line = entry.read_entry(after[name]), index.read_index(after[INDEX]).get(name)
    assert read is not None
    assert line is not None
    assert read.title == line.title == title
    assert line.hook_beside(read.tags) == (hook or "Runs in the park on Sundays")
    assert index.read_index(after[INDEX]).duplicates == ()


@pytest.mark.parametrize("body", ["a. " * 20000, "e.g. " * 20000, "> " * 20000, "Dr. " * 20000, "x" * 60000])
def test_a_hostile_body_gives_a_hook(body: str) -> None:
    assert planned(add(body=body)).ready


@pytest.mark.parametrize(
    "page",
    [
        "## Entries\n\n<!-- never closed\n",
        "```\n## Entries\n",
        "## Entries\n```\n- [A](a.md) — fact, [a], b\n",
    ],
)
def test_a_line_that_could_not_be_read_back_is_a_problem(page: str) -> None:
    made = planned(add(), folder({INDEX: page}))
    assert made.ready or made.problems
    if made.problems:
        field, message = problem(add(), folder({INDEX: page}))
        assert (field, "index.md" in message) == ("index.md", True)
