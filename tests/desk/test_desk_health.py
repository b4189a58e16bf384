"""The health check: what it finds in a folder, and what it must not hold against anyone."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.config import init
from memtui.desk import Desk

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
TAGS = "# Tags\n\n## L1\n\n- **#x** — x.\n- **#y** — y.\n"
INDEX = "## Entries\n- [A](a.md) — fact, [x, y], hook\n"


def check(root: Path, **files: str) -> list[tuple[str, str]]:
    """File and message of every finding on a folder of one entry, with these files (name without ".md") changed."""
    memory = root / "memory"
    memory.mkdir()
    for name, text in ({"a": ENTRY, "tags": TAGS, "index": INDEX} | files).items():
        (memory / f"{name}.md").write_text(text, encoding="utf-8")
    with Desk(init(root)) as desk:
        return [(finding.file, finding.message) for finding in desk.check()]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"index": INDEX.replace("[x, y], hook", "x, y, vegan, since 2019")},
        {"index": INDEX.replace("[x, y]", "[#x, #y]")},
        {
            "a": ENTRY.replace("title: A", 'title: "A  long\\ttitle "'),
            "index": INDEX.replace("[A]", "[A long title]"),
        },
        {"a": ENTRY.replace("title: A", "title: >-\n  A\n\n  B"), "index": INDEX.replace("[A]", "[A B]")},
        {"a": ENTRY.replace("updated: 2024-01-01", "updated: '2024-02-29'")},
        {"tags": TAGS + "\n## L2\n\n### under #x (body)\n- **#z** — z.\n"},
        {"b": "A plain note that no line names.\n"},
    ],
)
def test_what_is_in_step_has_no_findings(tmp_path: Path, files: dict[str, str]) -> None:
    assert check(tmp_path, **files) == []


@pytest.mark.parametrize(
    ("files", "file", "words"),
    [
        (
            {"b": "---\ndescription: d\n---\nText.\n", "index": INDEX + "- [B](b.md) — fact, [x], h\n"},
            "index.md",
            "b.md, which is no entry",
        ),
        ({"index": INDEX.replace("[x, y], hook", "y, x, hook")}, "index.md", "the tags of a.md differs"),
        ({"index": INDEX.replace("[A]", "[B]")}, "index.md", "the title of a.md differs"),
        ({"tags": TAGS + "- **#X** — again.\n"}, "tags.md", "#x has two lines"),
        ({"tags": TAGS + "\n## L2\n\n### under #nope\n"}, "tags.md", "#nope, which has no line"),
        ({"a": ENTRY.replace("title: A", "title: A\ntitle: A")}, "a.md", ""),
        ({"a": ENTRY.replace("title: A", "title: A\nmore: &m [*m]")}, "a.md", ""),
        (
            {"a": ENTRY.replace("created: 2024-01-01", "created: yesterday")},
            "a.md",
            "its created is “yesterday”",
        ),
        (
            {"a": ENTRY.replace("updated: 2024-01-01", "updated: 2024-02-30")},
            "a.md",
            "its updated is “2024-02-30”",
        ),
        (
            {
                "a": ENTRY.replace("---\n\nB", "superseded_by: b.md\n---\n\nB"),
                "b": ENTRY,
                "index": INDEX + "- [A](b.md) — fact, [x, y], h\n",
            },
            "a.md",
            "it is active, and its successor is b.md",
        ),
    ],
)
def test_what_is_out_of_step_is_found_once(
    tmp_path: Path, files: dict[str, str], file: str, words: str
) -> None:
    [(found, message)] = [finding for finding in check(tmp_path, **files) if finding[0] == file]
    assert found == file
    assert words in message
    assert "\n" not in message
    assert not message.endswith(".")
