"""The health check: one finding a line, with the file, what is wrong, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.notes.folder import Folder
from memtui.reading.health import check
from memtui.reading.library import Library
from memtui.review.items import Finding

ENTRY = """\
---
title: A
tags: [x, y]
type: fact
confidence: high
status: active
created: 2024-01-01
updated: 2024-01-01
---

Body.
"""
LINE = "- [A](a.md) — fact, [x, y], hook\n"
USUAL = {
    "a.md": ENTRY,
    "index.md": f"## Entries\n{LINE}",
    "tags.md": "## L1\n\n- **#x** — x.\n- **#y** — y.\n",
}


def found(root: Path, files: dict[str, str | bytes | None], types: tuple[str, ...] = ()) -> list[Finding]:
    """What is found in the usual folder with these files besides or instead; None takes one out."""
    for path, data in (USUAL | files).items():
        if data is not None:
            (root / path).write_bytes(data.encode() if isinstance(data, str) else data)
    folder = Folder(root)
    return [finding for finding in check(folder, Library(folder, 2048), types) if not finding.advice]


TWICE = "## Entries\n" + LINE.replace("[x, y]", "[x, x]")


@pytest.mark.parametrize(
    ("files", "finding"),
    [
        ({"index.md": "## Entries\n"}, ("index.md", "index", "a.md has no line: add one")),
        ({"index.md": None}, ("index.md", "index", "a.md has no line: add one")),
        ({"index.md": f"## Entries\n{LINE}{LINE}"}, ("index.md", "index", "a.md has two lines: remove one")),
        (
            {"index.md": f"## Entries\n{LINE}- [B](b.md) — fact, [x], h\n"},
            ("index.md", "index", "a line names b.md, which does not exist: remove it"),
        ),
        (
            {"index.md": f"## Entries\n{LINE}- [B](b.md) — fact, [x], h\n", "b.md": "text\n"},
            ("index.md", "index", "a line names b.md, which is no entry: remove it"),
        ),
        (
            {"index.md": "## Entries\n" + LINE.replace("fact", "goal")},
            ("index.md", "index", "the type of a.md differs from the entry's: change the line"),
        ),
        (
            {"index.md": f"## Entries\n\n## Deprecated\n{LINE}"},
            ("index.md", "index", "the mark of a.md differs from the entry's: change the line"),
        ),
        (
            {"a.md": ENTRY.replace("status: active", "status: deprecated")},
            ("index.md", "index", "the mark of a.md differs from the entry's: change the line"),
        ),
        (
            {
                "a.md": ENTRY.replace("type: fact", "type: idea"),
                "index.md": "## Entries\n" + LINE.replace("fact", "idea"),
            },
            ("a.md", "vocabulary", "its type is “idea”: use one of fact, belief, preference, event, goal"),
        ),
        (
            {"a.md": ENTRY.replace("confidence: high", "confidence: sure")},
            ("a.md", "vocabulary", "its confidence is “sure”: use one of high, medium, low"),
        ),
        (
            {"a.md": ENTRY.replace("status: active", "status: current")},
            ("a.md", "vocabulary", "its status is “current”: use one of active, deprecated"),
        ),
        (
            {"a.md": ENTRY.replace("[x, y]", "[x]"), "index.md": "## Entries\n" + LINE.replace("[x, y]", "[x]")},
            ("a.md", "tag-count", "it has 1 tag: an entry has 2 to 5"),
        ),
        (
            {"a.md": ENTRY.replace("[x, y]", "[x, z]"), "index.md": "## Entries\n" + LINE.replace("[x, y]", "[x, z]")},
            ("a.md", "unknown-tag", "#z is not in tags.md: add it there or choose a known tag"),
        ),
        (
            {"a.md": ENTRY.replace("[x, y]", "[x, y, x]")},
            ("a.md", "tag-twice", "it has the tag #x more than once: keep one"),
        ),
        (
            {"a.md": ENTRY.replace("[x, y]", '["#X", y]')},
            ("a.md", "tag-form", "its tag “#X” is not plain: write it as x"),
        ),
        (
            {
                "a.md": ENTRY.replace("[x, y]", '[x, "y z"]'),
                "index.md": "## Entries\n" + LINE.replace("[x, y]", "[x, y-z]"),
                "tags.md": "## L1\n- **#x** — x.\n- **#y-z** — y.\n",
            },
            ("a.md", "tag-form", "its tag “y z” is not plain: write it as y-z"),
        ),
        ({"b.md": "+++\na = \n+++\nx\n"}, ("b.md", "yaml", "it is not valid TOML: Invalid value (at line 2, ")),
        ({"b.md": "+++\ntitle = 'x'\n\ntext\n"}, ("b.md", "yaml", "it is opened with `+++` but never closed")),
        ({"b.md": "---\ndescription: x"}, ("b.md", "yaml", "it is opened with `---` but never closed")),
        (
            {"b.md": "---\ntitle: [unclosed\n---\ntext\n"},
            ("b.md", "yaml", "its frontmatter does not parse"),
        ),
        (
            {"b.md": "---\ntitle: never closed\n\ntext\n"},
            ("b.md", "yaml", "it is opened with `---` but never closed"),
        ),
        (
            {"a.md": ENTRY.replace("title: A", "title: A\nmore: !!str x")},
            ("a.md", "yaml", "no update can change it: "),
        ),
        (
            {"a.md": ENTRY.replace("updated: 2024-01-01", "updated: soon")},
            ("a.md", "date", "its updated is “soon”: write a date as YYYY-MM-DD"),
        ),
        (
            {"a.md": ENTRY.replace("---\n\nB", "superseded_at: now\n---\n\nB")},
            ("a.md", "date", "its superseded_at is “now”: write a date as YYYY-MM-DD"),
        ),
        (
            {"index.md": f"## Entries\n{LINE}".encode() + b"\xff\n"},
            ("index.md", "unreadable", "no line of it can be changed: save it as UTF-8"),
        ),
    ],
)  # fmt: skip
def test_a_fault_is_one_finding_with_its_file_and_what_to_do(
    tmp_path: Path, files: dict[str, str | bytes | None], finding: tuple[str, str, str]
) -> None:
    [told] = found(tmp_path, files)
    file, kind, message = finding
    assert (told.file, told.kind) == (file, kind)
    assert message in told.message
    assert "\n" not in told.message


def test_a_tag_that_stands_twice_counts_once(tmp_path: Path) -> None:
    told = found(tmp_path, {"a.md": ENTRY.replace("[x, y]", "[x, x]"), "index.md": TWICE})
    assert [(each.file, each.kind) for each in told] == [("a.md", "tag-count"), ("a.md", "tag-twice")]
    assert "it has 1 tag:" in told[0].message


def test_a_folder_in_step_has_none(tmp_path: Path) -> None:
    assert found(tmp_path, {"deep.md": "plain\n"}) == []


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA note that begins with a rule.\n",
        "---\nA note: with a rule.\n",
        "---\n# A heading\n\ntitle: words\n",
        "--- \r\n\r\ntitle: words\r\n",
        "---\n",
        "---",
        "---\n- one\n- two\n",
        "---\n> said: so\n",
        "---\nhttps://example.org/x\n",
        "---\n\n*Words* between two rules.\n\n---\n\nMore: words.\n",
        "---\n\nWords.\n\n...\n",
        "+++\nwords\n",
        "+++\ntitle = 'x'\n\n[more]\nn = 1\n+++\ntext\n",
        "+++\r\ntitle = 'x'\r\n+++\r\n",
    ],
)
def test_a_rule_at_the_start_of_a_note_is_no_broken_frontmatter(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, {"b.md": text}) == []


def test_a_type_that_the_person_made_is_known(tmp_path: Path) -> None:
    files: dict[str, str | bytes | None] = {
        "a.md": ENTRY.replace("type: fact", "type: idea"),
        "index.md": "## Entries\n" + LINE.replace("fact", "idea"),
    }
    assert found(tmp_path, files, types=("idea",)) == []


def test_checking_writes_nothing_and_gives_the_same_again(tmp_path: Path) -> None:
    first = found(tmp_path, {"b.md": "[x](gone.md)\n", "c.md": b"\xff\xfe[x](gone.md)"})
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    folder = Folder(tmp_path)
    assert [f for f in check(folder, Library(folder, 2048)) if not f.advice] == first
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()} == before
