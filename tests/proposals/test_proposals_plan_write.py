"""Plan of a write: the note replaced whole (seed 000)."""

from __future__ import annotations

import hashlib
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from memtui.notes import frontmatter
from tests.proposals.plans import (
    LINA,
    LINA_NOTE,
    MOVE,
    RUN,
    RUN_NOTE,
    Memory,
    applied,
    delete,
    done,
    edit,
    folder,
    notices,
    planned,
    problem,
    rename,
    replace_,
    supersede,
    touched,
    update,
    write,
)


def test_preamble_and_content_replace_the_note_whole() -> None:
    after = done(write(summary="daughter, 8 years old", content="Likes volcanoes."))
    assert after[LINA] == "---\ndescription: daughter, 8 years old\n---\nLikes volcanoes.\n"


def test_the_result_is_that_of_the_seed() -> None:
    made = planned(write(summary="  daughter,\n 8 ", content="Ünïcode."))
    [change] = made.changes
    assert made.result == {"path": LINA, "summary": "daughter, 8", "bytesWritten": len(change.after or b"")}  # type: ignore[arg-type]


def test_nothing_but_the_note_is_touched() -> None:
    made = planned(write(path="prefs/new.md"))
    assert touched(made) == {"prefs/new.md"}
    assert len(made.changes) == 1


@pytest.mark.parametrize(
    ("content", "body"),
    [
        ("Text.", "Text.\n"),
        ("Text.\n", "Text.\n"),
        ("Text.\n\n\n", "Text.\n"),
        ("\n\nText.", "\n\nText.\n"),
        ("Text.  \n", "Text.  \n"),
        ("", ""),
        ("\n\n", ""),
        ("# A\n\nb\n", "# A\n\nb\n"),
    ],
)
def test_it_ends_with_one_newline(content: str, body: str) -> None:
    assert done(write(content=content))[LINA] == "---\ndescription: daughter\n---\n" + body


def test_the_preamble_takes_the_line_ending_of_the_content() -> None:
    after = done(write(content="One.\r\nTwo.\r\n"))
    assert after[LINA] == "---\r\ndescription: daughter\r\n---\r\nOne.\r\nTwo.\r\n"


@pytest.mark.parametrize(
    "summary",
    [
        "a: b",
        "#x",
        "true",
        "2024-01-10",
        "12:30:45",
        "- x",
        "'",
        '"',
        "[a",
        "x #y",
        "null",
        "ä — ü",
        "\u202e",
        "@",
    ],
)
def test_any_summary_reads_back_as_the_same_string(summary: str) -> None:
    data = applied(planned(write(summary=summary)))[LINA]
    assert frontmatter.read(data).fields == {"description": summary}
    block = data.decode().split("---\n")[1]
    assert YAML(typ="safe").load(StringIO(block)) == {"description": summary}


def test_a_summary_is_clipped_as_in_the_catalog() -> None:
    made = planned(write(summary="x" * 200))
    assert made.result["summary"] == "x" * 120 + "…"


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("../x.md", ".."),
        ("/etc/x.md", "relative"),
        ("a/./x.md", "part"),
        (".x.md", "hidden"),
        ("a/.b/x.md", "hidden"),
        ("x.txt", ".md"),
        ("", "empty"),
        ("C:/x.md", "Windows"),
        ("a\\x.md", "folders with /"),
        ("con.md", "Windows"),
        ("ab:c.md", "Windows"),
        ("people/LINA.md", "case"),
        ("People/new.md", "case"),
        ("x" * 220 + ".md", "bytes"),
        ("cafe\u0301.md", "NFC"),
        ("a\u202eb.md", "U+202E"),
        ("a\u2800b.md", "U+2800"),
        ("a\u3164/b.md", "U+3164"),
    ],
)
def test_a_path_that_cannot_be_is_a_problem(path: str, word: str) -> None:
    field, message = problem(write(path=path))
    assert field == "path"
    assert word in message


@pytest.mark.parametrize("path", ["index.md", "tags.md", "INDEX.md", "Tags.md"])
def test_index_and_tags_are_never_a_target(path: str) -> None:
    assert "follows the notes" in problem(write(path=path))[1]


def test_an_index_in_a_subfolder_is_a_note() -> None:
    assert "people/index.md" in done(write(path="people/index.md"))


@pytest.mark.parametrize("name", ["index.md", "Tags.md"])
def test_a_folder_with_the_name_of_index_or_tags_gets_no_new_note(name: str) -> None:
    inside = f"{name}/x.md"
    for fresh in (write(path=inside), replace_("new\n", path=inside), rename(LINA, inside)):
        for on in (Memory({LINA: LINA_NOTE}), Memory({LINA: LINA_NOTE, f"{name}/old.md": "old\n"})):
            assert "at the root is kept for" in problem(fresh, on)[1]
    on = Memory({f"{name}/old.md": "old\n"})
    assert done(edit(("old", "new"), path=f"{name}/old.md"), on)[f"{name}/old.md"] == "new\n"
    assert done(rename(f"{name}/old.md", "old.md"), on) == {"old.md": "old\n"}


ODD_NAMES = (
    "con.md",
    "cafe\u0301.md",
    "x:y.md",
    "back\\s.md",
    "C:/x.md",
    "a\u202eb.md",
    "line\nbreak.md",
    " a.md",
    "a\u2800.md",
    "a\u00a0b.md",
    "\u3164.md",
    "a\ufe0f.md",
    "a\ue000.md",
)


@pytest.mark.parametrize("path", [RUN, MOVE])
def test_a_typed_entry_is_not_written_over(path: str) -> None:
    field, message = problem(write(path=path))
    assert (field, "update" in message) == ("path", True)


def test_a_name_that_exists_is_taken_as_it_is() -> None:
    for path in ODD_NAMES:
        on = folder({path: "old\n"})
        assert done(write(path=path), on)[path].startswith("---\ndescription")
        assert done(replace_("new\n", path=path), on)[path] == "new\n"
        assert done(edit(("old", "new"), path=path), on)[path] == "new\n"
        assert done(rename(path, "new.md"), on)["new.md"] == "old\n"
        assert path not in done(delete(filename=path), on)


@pytest.mark.parametrize("path", ODD_NAMES)
def test_an_entry_with_such_a_name_is_reached_and_a_new_one_refused(path: str) -> None:
    on = folder({path: RUN_NOTE})
    assert "confidence: low" in done(update(filename=path, fields={"confidence": "low"}), on)[path]
    assert "status: deprecated" in done(supersede(filename=path), on)[path]
    assert done(supersede(successor=path), on)[path] == RUN_NOTE
    for fresh in (write(path=path), replace_("new\n", path=path), rename(LINA, path)):
        assert problem(fresh)[0] in ("path", "new_path")
    for gone in (delete(filename=path), edit(("a", "b"), path=path), update(filename=path, body="x")):
        assert "does not exist" in problem(gone)[1]


@pytest.mark.parametrize(
    ("old", "named"),
    [
        ("---\ndescription: x\naliases: [y]\n---\n", "aliases"),
        ("---\ncssclass: a\ntags: [b]\n---\n", "cssclass, tags"),
        ("+++\ntitle = 'x'\n+++\n", "TOML"),
        ("---\na: [\n---\nx\n", "cannot be read"),
        ("---\ntitle: never closed\n", "cannot be read"),
    ],
)
def test_what_the_old_note_loses_is_named(old: str, named: str) -> None:
    assert named in notices(planned(write(), folder({LINA: old})))["keys-lost"]


@pytest.mark.parametrize("old", [LINA_NOTE, "no frontmatter\n", "", b"\xff\xfe not text"])
def test_nothing_is_named_where_nothing_is_lost(old: str | bytes) -> None:
    on = folder({LINA: old})
    made = planned(write(), on)
    assert not made.notices
    applied(made, on)


def test_a_note_that_says_so_already_is_told() -> None:
    same = write(summary="daughter, 7 years old", content="Likes dinosaurs.\n")
    assert set(notices(planned(same))) == {"same"}


def test_a_stale_base_is_a_notice_and_the_plan_is_on_todays_note() -> None:
    read = hashlib.sha256(b"older").hexdigest()
    made = planned(write(base_sha256=read))
    assert set(notices(made)) == {"stale"}
    assert made.ready
    assert "has been removed" in notices(planned(write(path="gone.md", base_sha256=read)))["stale"]


@pytest.mark.parametrize("upper", [False, True])
def test_todays_base_is_no_notice(upper: bool) -> None:
    digest = hashlib.sha256(LINA_NOTE.encode()).hexdigest()
    assert not planned(write(base_sha256=digest.upper() if upper else digest)).notices


def test_hidden_characters_are_an_alarm_that_names_the_field() -> None:
    made = planned(write(content="Be kind.\u202e\u200b"))
    [notice] = made.notices
    assert notice.alarm
    assert "2 hidden characters in content" in notices(made)["hidden"]
    assert not planned(write(content="Be kind.\u202e"), own=True).notices


@pytest.mark.parametrize("path", ["link.md", LINA])
def test_what_cannot_be_read_is_a_problem_and_no_crash(path: str) -> None:
    field, message = problem(write(path=path), folder(unreadable=[path]))
    assert (field, "symbolic link" in message) == ("path", True)


@settings(max_examples=150, deadline=None)
@given(
    summary=st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip),
    content=st.text(st.characters(exclude_categories=["Cs"])),
)
def test_whatever_is_written_reads_back(summary: str, content: str) -> None:
    made = planned(write(summary=summary, content=content))
    data = applied(made)[LINA]
    found = frontmatter.read(data)
    said: Any = made.result["summary"]
    assert found.fields == {"description": said}
    assert data[found.body_start :].decode().rstrip("\r\n") == content.rstrip("\r\n")
