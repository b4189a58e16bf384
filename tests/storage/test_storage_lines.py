"""Index lines in the journal: what goes on below them is kept, and a journal from before it was is read."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memtui.notes.lines import KeyedLine
from memtui.proposals.model import LineChange, Plan
from memtui.storage.journal import Journal
from memtui.storage.records import RecordItem

ITEM = RecordItem(id="a", operation="delete", verdict="approved")


@pytest.mark.parametrize("below", ["", "\n  wrapped", "\r\n\r\n  für später \ud83d"])
def test_the_rest_of_an_item_is_kept(tmp_path: Path, below: str) -> None:
    change = LineChange("index.md", "a.md", KeyedLine("- [A](a.md)", "entries", None, below), None)
    with closing(Journal(tmp_path / "journal.db")) as journal:
        number = journal.begin(kind="apply", items=[ITEM], lines=[change])
        assert journal.record(number).lines == (change,)


def test_a_line_without_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(Journal(path)) as journal:
        number = journal.begin(kind="apply", items=[ITEM])
    line = json.dumps(["index.md", "a.md", ["- [A](a.md)", "entries", "b.md"], None])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO lines VALUES (?, 0, ?)", (number, line))
    with closing(Journal(path)) as journal:
        [change] = journal.record(number).lines
        assert change == LineChange("index.md", "a.md", KeyedLine("- [A](a.md)", "entries", "b.md"), None)


def test_what_was_made_for_a_line_is_told_by_section(tmp_path: Path) -> None:
    def put(path: str, section: str, above: str | None) -> LineChange:
        return LineChange(path, "a", None, KeyedLine("- x", section, above))

    changes = [
        put("index.md", "entries", "\n0 made1"),
        put("index.md", "deprecated", "\n1 01"),
        put("index.md", "", "b.md\n3"),
        put("tags.md", "L1", "\n0 made4"),
    ]
    with closing(Journal(tmp_path / "journal.db")) as journal:
        journal.begin(kind="apply", items=[ITEM], lines=changes)
        assert journal.made_sections("index.md") == {"entries": "\n0 made1", "deprecated": "\n1 01"}
        assert journal.made_sections("tags.md") == {"L1": "\n0 made4"}


def test_a_plan_is_bound_to_the_rest_of_the_item() -> None:
    hashes = {
        Plan(changes=(LineChange("index.md", "a", KeyedLine("- x", "entries", None, below), None),)).hash
        for below in ("", "\n  y", "\n  z")
    }
    assert len(hashes) == 3
