"""Entries of seed 004: body and change log are found, replaced and added to without touching the rest."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memtui.notes.entry import (
    append_log,
    body_of,
    check_body,
    is_entry,
    keeps_log,
    log_of,
    new_entry,
    read_entry,
    replace_body,
)
from memtui.notes.frontmatter import EditRefused

SETTINGS = settings(max_examples=200, deadline=None)
HEAD = (
    "---\ntitle: T\ntags: [a, b]\ntype: fact\nconfidence: high\nstatus: active\n"
    "created: 2024-01-10\nupdated: 2024-01-10\n---\n"
)
ENTRY = HEAD + "\nBody.\n\n## Change log\n- 2024-01-10 — created\n"


def test_a_new_entry_has_exactly_the_form_of_seed_004() -> None:
    made = new_entry(
        title="Puts off: work",
        tags=("health", "food"),
        type="belief",
        confidence="medium",
        date="2024-03-02",
        body="\nOne.\r\n\r\nTwo.\n\n",
        context="a talk\nwith a manager",
    )
    assert made.decode() == (
        '---\ntitle: "Puts off: work"\ntags: [health, food]\ntype: belief\nconfidence: medium\n'
        "status: active\ncreated: 2024-03-02\nupdated: 2024-03-02\n---\n\nOne.\n\nTwo.\n\n## Change log\n"
        "- 2024-03-02 — created during conversation about a talk with a manager\n"
    )


def test_an_entry_is_read_with_its_body_and_log() -> None:
    entry = read_entry(ENTRY.encode())
    assert entry is not None
    assert (entry.title, entry.tags, entry.type, entry.confidence) == ("T", ("a", "b"), "fact", "high")
    assert (entry.status, entry.created, entry.updated, entry.superseded_by) == (
        "active",
        "2024-01-10",
        "2024-01-10",
        "",
    )
    assert (entry.body, entry.log) == ("Body.", ("2024-01-10 — created",))


def test_title_type_confidence_and_status_make_an_entry_whatever_their_values() -> None:
    assert is_entry({"title": "", "type": "odd", "confidence": [], "status": "x"})
    assert not is_entry({"title": "", "type": "", "confidence": ""})
    assert read_entry(b"---\ndescription: x\n---\nbody\n") is None
    assert read_entry(b"---\ntitle: [\n---\n") is None
    odd = read_entry(
        b"---\ntitle: [x]\ntype: y\nconfidence:\nstatus: null\ntags: a, b\ndescription: d\n---\n"
    )
    assert odd is not None
    assert (odd.title, odd.confidence, odd.status, odd.tags, odd.description) == ("", "", "", ("a", "b"), "d")


LOGS = [
    # what, text after the frontmatter, body, log
    ("none", "\nBody\n", "Body", ()),
    ("the literal form of the seed", "Body\n## Change log\n- a\n", "Body", ("a",)),
    ("any case and closing marks", "x\n\n## CHANGE LOG ##\n- a\n", "x", ("a",)),
    ("the last one counts", "## Change log\n- a\n\n## Change log\n- b\n", "## Change log\n- a", ("b",)),
    ("ends at the next heading", "x\n## Change log\n- a\n\n## More\n- b\n", "x", ("a",)),
    ("a deeper heading belongs to it", "x\n## Change log\n- a\n### 2025\n- b\n", "x", ("a", "b")),
    ("not in a fence", "```\n## Change log\n- a\n```\n", "```\n## Change log\n- a\n```", ()),
    ("not in a comment", "<!--\n## Change log\n- a\n-->\n", "<!--\n## Change log\n- a\n-->", ()),
    (
        "other levels are none",
        "# Change log\n- a\n### Change log\n- b\n",
        "# Change log\n- a\n### Change log\n- b",
        (),
    ),
    ("a wrapped line", "## Change log\n- a\n  b\n- c\n", "", ("a b", "c")),
    ("numbers, and any bullet", "## Change log\n1. a\n2) b\n* c\n+ d\n", "", ("a", "b", "c", "d")),
    ("all text of an item", "## Change log\n- a\n\n  b\n  - c\n- d\n", "", ("a b - c", "d")),
    ("commented lines do not count", "## Change log\n<!--\n- a\n-->\n- b\n", "", ("b",)),
    ("with a line below it", "x\n\nChange Log\n---\n- a\n\nMore\n---\n- b\n", "x", ("a",)),
    ("level 1 with a line below it", "Change log\n===\n- a\n", "Change log\n===\n- a", ()),
    ("nothing", "", "", ()),
    ("spaces stay", "\n    code  \n \n## Change log\n", "    code  \n ", ()),
]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "body", "log"), [e[1:] for e in LOGS], ids=[e[0] for e in LOGS])
def test_the_change_log_is_the_last_such_heading_outside_fences_and_comments(
    text: str, body: str, log: tuple[str, ...], ending: str
) -> None:
    data = (HEAD + text).replace("\n", ending).encode()
    assert (body_of(data), log_of(data)) == (body, log)


APPENDED = [
    ("after the last", "x\n\n## Change log\n- a\n", "x\n\n## Change log\n- a\n- new\n"),
    ("no final newline", "x\n\n## Change log\n- a", "x\n\n## Change log\n- a\n- new"),
    ("blank lines after", "x\n\n## Change log\n- a\n\n\n", "x\n\n## Change log\n- a\n- new\n\n\n"),
    (
        "before the next section",
        "## Change log\n- a\n\n## More\ny\n",
        "## Change log\n- a\n- new\n\n## More\ny\n",
    ),
    ("after a wrapped line", "## Change log\n- a\n  b\nc\n\nd\n", "## Change log\n- a\n  b\nc\n- new\n\nd\n"),
    (
        "after a second paragraph",
        "## Change log\n- a\n\n  b\n\nc\n",
        "## Change log\n- a\n\n  b\n- new\n\nc\n",
    ),
    (
        "after code",
        "## Change log\n- a\n  ```\n\n  b\n  ```\n",
        "## Change log\n- a\n  ```\n\n  b\n  ```\n- new\n",
    ),
    ("after a quote", "## Change log\n* a\n  > b\n", "## Change log\n* a\n  > b\n- new\n"),
    (
        "after a comment",
        "## Change log\n- a\n  <!-- b\n  -->\n",
        "## Change log\n- a\n  <!-- b\n  -->\n- new\n",
    ),
    ("after a list", "## Change log\n- a\n  - b\n\n\n", "## Change log\n- a\n  - b\n- new\n\n\n"),
    ("numbered", "## Change log\n1. a\n2. b\n\nc\n", "## Change log\n1. a\n2. b\n- new\n\nc\n"),
    ("empty log", "x\n\n## Change log\n", "x\n\n## Change log\n- new\n"),
    ("empty log at the very end", "x\n\n## Change log", "x\n\n## Change log\n- new"),
    ("empty log with a blank line", "## Change log\n\n## More\n", "## Change log\n- new\n\n## More\n"),
    ("a log that begins with text", "## Change log\n\nAll of it:\n", "## Change log\n\nAll of it:\n- new\n"),
    ("a commented template", "## Change log\n<!--\n- x\n-->\n", "## Change log\n<!--\n- x\n-->\n- new\n"),
    (
        "a line below it",
        "x\n\nChange log\n---\n- a\n\nMore\n===\n",
        "x\n\nChange log\n---\n- a\n- new\n\nMore\n===\n",
    ),
    ("empty, a line below it", "x\n\nChange log\n-----", "x\n\nChange log\n-----\n- new"),
    ("made", "x\n", "x\n\n## Change log\n- new\n"),
    ("made after blank lines", "x\n\n\n", "x\n\n\n## Change log\n- new\n"),
    ("made without final newline", "x", "x\n\n## Change log\n- new"),
    ("made for no body", "", "\n## Change log\n- new\n"),
    (
        "made after one in a fence",
        "```\n## Change log\n```\n",
        "```\n## Change log\n```\n\n## Change log\n- new\n",
    ),
]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), [e[1:] for e in APPENDED], ids=[e[0] for e in APPENDED])
def test_a_log_line_goes_after_the_last_and_the_section_is_made_when_missing(
    before: str, after: str, ending: str
) -> None:
    def note(text: str) -> bytes:
        return (HEAD + text).replace("\n", ending).encode()

    assert append_log(note(before), "new") == note(after)


def test_a_log_line_takes_the_ending_of_its_neighbour_and_is_one_line() -> None:
    assert (
        append_log(b"x\n## Change log\r\n- a\r\n", " b\n## c ") == b"x\n## Change log\r\n- a\r\n- b ## c\r\n"
    )
    assert append_log(b"", "a") == b"## Change log\n- a\n"
    assert append_log(b"---\na: b\n---", "a") == b"---\na: b\n---\n\n## Change log\n- a"


def test_no_log_line_hides_those_below_it() -> None:
    data = ENTRY.encode()
    for line in ("x <!-- b", "--> c", "x <!-- d", "# e", "- f", "<!--", "-->"):
        data = append_log(data, line)
    assert log_of(data)[1:] == ("x \\<!-- b", "--> c", "x \\<!-- d", "# e", "- f", "\\<!--", "-->")


def test_bytes_that_are_not_utf8_pass_through() -> None:
    assert append_log(b"\xff\n\n## Change log\n- \xfe\n", "a") == b"\xff\n\n## Change log\n- \xfe\n- a\n"


@pytest.mark.parametrize(
    "text",
    [
        "```\ncode\n",
        "~~~ md\n## Change log\n- a\n",
        "<!-- open\n## Change log\n",
        "<pre>\nx\n",
        "text\n\n<script>\n",
        "<?php",
        "<pre>\n\n## Change log\n- a\n",
        "## Change log\n- a\n\n<style>\n- b\n",
    ],
)
def test_a_log_line_is_never_put_inside_of_what_was_left_open(text: str) -> None:
    with pytest.raises(EditRefused, match="close it first"):
        append_log((HEAD + text).encode(), "new")


REPLACED = [
    ("blank lines stay", "\n\nold\n\n\n## Change log\n- a\n", "new", "\n\nnew\n\n\n## Change log\n- a\n"),
    ("none around", "old\n## Change log\n- a\n", "new\n", "new\n## Change log\n- a\n"),
    ("several lines", "\nold\n\n## Change log\n- a", "\na\n\nb\n", "\na\n\nb\n\n## Change log\n- a"),
    ("no final newline, no log", "\nold", "new\n", "\nnew"),
    ("no log", "\nold\n", "new", "\nnew\n"),
    (
        "what follows stays",
        "old\n\n## Change log\n- a\n## More  \nx",
        "new",
        "new\n\n## Change log\n- a\n## More  \nx",
    ),
    ("from nothing", "", "new", "new\n"),
    ("from a blank line", "\n## Change log\n", "new", "\nnew\n\n## Change log\n"),
    ("from the form of new_entry", "\n\n\n## Change log\n", "new", "\nnew\n\n## Change log\n"),
    ("to nothing", "\nold\n\n## Change log\n", "", "\n\n\n## Change log\n"),
    ("the same", "\nold  \n\n## Change log\n", "\nold  ", "\nold  \n\n## Change log\n"),
]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "body", "after"), [e[1:] for e in REPLACED], ids=[e[0] for e in REPLACED])
def test_a_replaced_body_leaves_all_around_it(before: str, body: str, after: str, ending: str) -> None:
    def note(text: str) -> bytes:
        return (HEAD + text).replace("\n", ending).encode()

    assert replace_body(note(before), body) == note(after)


BAD_BODIES = [
    "---\na: b\n---\nx",
    "+++\na = 1\n+++\n",
    "x\n\n## Change log\n- y",
    "x\n##  change LOG  ##",
    "```\nx",
    "<!-- x\n",
    "<div>\n## Change log\n</div>",
]


@pytest.mark.parametrize("body", BAD_BODIES)
def test_a_body_that_would_be_taken_for_something_else_is_refused(body: str) -> None:
    problem = check_body(body)
    assert problem
    assert problem.endswith(".")
    with pytest.raises(EditRefused):
        replace_body(ENTRY.encode(), body)
    with pytest.raises(EditRefused):
        new_entry(
            title="t", tags=(), type="fact", confidence="low", date="2024-01-01", body=body, context="c"
        )


@pytest.mark.parametrize(
    "body", ["", "---\nx", "```\n## Change log\n```", "# Change log", "Change log\n===", "a <!-- b", "- ---"]
)
def test_an_ordinary_body_is_accepted(body: str) -> None:
    assert check_body(body) is None
    assert body_of(replace_body(ENTRY.encode(), body)) == body


@pytest.mark.parametrize(
    "body",
    [
        "<pre>\nx",
        "text\n\n  <PRE class='a'>",
        "<script>x",
        "<style>",
        "<textarea>\n",
        "<?php",
        "<!X",
        "<![CDATA[ x",
    ],
)
def test_a_body_that_leaves_raw_html_open_is_refused(body: str) -> None:
    assert "raw HTML" in (check_body(body) or "")
    with pytest.raises(EditRefused):
        replace_body(ENTRY.encode(), body)


@pytest.mark.parametrize(
    "body",
    [
        "<pre>\nx\n</pre>",
        "<!DOCTYPE html>",
        "<?x?>",
        "- <pre>\n  x",
        "> <pre>",
        "a <pre> b",
        "<div>\nx",
        "`<?`",
    ],
)
def test_raw_html_that_ends_is_accepted(body: str) -> None:
    assert check_body(body) is None


def test_a_note_with_lone_cr_endings_keeps_them() -> None:
    note = ENTRY.replace("\n", "\r").encode()
    assert append_log(note, "x") == note + b"- x\r"
    assert replace_body(note, "one\ntwo") == note.replace(b"Body.", b"one\rtwo")
    bare = HEAD.replace("\n", "\r") + "\rBody.\r"
    assert append_log(bare.encode(), "x").decode() == f"{bare}\r## Change log\r- x\r"


LINES = st.sampled_from(
    [
        "",
        "",
        "text",
        "- item",
        "  indented",
        "```",
        "~~~~",
        "<!-- a",
        "-->",
        "<!-- b -->",
        "## Change log",
        "## More",
        "# One",
        "### Three",
        "- 2024-01-01 — a",
        "  wrapped",
        "x <!-- y",
        "---",
        " ",
        "\t",
        "é😀",
        "> q",
        "<div>",
        "1. one",
        "\\<!--",
        "- ```",
    ]
)
TEXTS = st.lists(LINES, max_size=12).map("\n".join)
NOTES = st.builds(
    lambda head, text, final, ending: (head + text + final).replace("\n", ending).encode(),
    st.sampled_from([HEAD, HEAD[:-1], "", "\ufeff" + HEAD]),
    TEXTS,
    st.sampled_from(["", "\n", "\n\n"]),
    st.sampled_from(["\n", "\r\n"]),
)


@given(NOTES, TEXTS)
@SETTINGS
def test_a_replaced_body_reads_back_and_the_log_and_frontmatter_stay(data: bytes, body: str) -> None:
    assume(check_body(body) is None)
    try:
        after = replace_body(data, body)
    except EditRefused:
        assume(data.startswith((b"---", b"\xef\xbb\xbf---")) and data.count(b"\n---") < 2)
        earlier = data.count(b"## Change log") > 1
        # What is open at the end of the old text or of the new one could take the log in.
        assert earlier or any(mark in data + body.encode() for mark in (b"```", b"~~~", b"<"))
        return
    assert body_of(after) == body.strip("\n")
    assert log_of(after) == log_of(data)
    assert replace_body(after, body) == after
    entry = read_entry(data)
    if entry is not None:
        assert after.startswith(data[: data.index(b"---", 4)])


@given(NOTES, st.text(st.characters(exclude_categories=["Cs"]), max_size=30).filter(str.strip))
@SETTINGS
def test_an_appended_line_reads_back_and_is_all_that_is_added(data: bytes, line: str) -> None:
    try:
        after = append_log(data, line)
    except EditRefused:
        under = b"\n---" in data[len(HEAD) :]  # an underlined heading right below the log's own
        assert under or b"```" in data or b"~~~" in data or b"<" in data
        return
    assert keeps_log(data, after)
    assert log_of(after) == (*log_of(data), " ".join(line.split()).replace("<!--", "\\<!--"))
    assert body_of(after) == body_of(data)
    added = after.decode()
    kept = data.decode()
    at = next((i for i, (one, two) in enumerate(zip(kept, added, strict=False)) if one != two), len(kept))
    assert any(
        added == kept[:n] + added[n : n + len(added) - len(kept)] + kept[n:] for n in range(at, -1, -1)
    )


@given(st.binary(max_size=120))
@SETTINGS
def test_reading_never_raises(data: bytes) -> None:
    for whole in (data, HEAD.encode() + data):
        body_of(whole)
        log_of(whole)
        read_entry(whole)
