"""What is to be forgotten is nowhere any more; what is too old or too much goes by itself."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
import zlib
from pathlib import Path

import pytest

from memtui.config import Workspace, load
from memtui.desk import Desk
from memtui.review.history import named_decision
from memtui.review.housekeeping import ANSWERS, DAY
from memtui.review.items import Outcome
from memtui.storage.journal import Journal
from memtui.storage.schema import FROM_1, FROM_2, TABLES
from tests.commands.terminal import memtui_on_terminal
from tests.support import allow_without_terminal, decision, memtui

WORD = "Zarathustra"


def write(path: str, content: str, **more: object) -> dict[str, object]:
    return {"operation": "write", "path": path, "summary": f"about {WORD}", "content": content, **more}


def undo_named(desk: Desk, id: str) -> Outcome:
    found = named_decision(desk.journal, id)
    return desk.undo(found) if isinstance(found, int) else Outcome(id, False, found)


def propose(desk: Desk, id: str, fields: dict[str, object]) -> None:
    desk.propose(json.dumps({"id": id, **fields}).encode(), f"{id}.json")


def approve(desk: Desk, id: str, note: str = "") -> None:
    assert desk.approve(id, desk.preview(id).plan.hash, note=note).ok


def places_of(workspace: Workspace, word: str) -> list[str]:
    """Files below `.memtui/` that hold a word, as it is or packed, and rows of the journal that do."""
    found = [
        str(path.relative_to(workspace.root))
        for path in workspace.dot.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes()
    ]
    connection = sqlite3.connect(workspace.journal)
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in connection.execute(f"SELECT * FROM {table}"):
            if any(word in _plain(value) for value in row):
                found.append(f"{table}: {row}")
    connection.close()
    return found


def _plain(value: object) -> str:
    if isinstance(value, bytes):
        with contextlib.suppress(zlib.error):
            value = zlib.decompress(value)
        return bytes(value).decode("latin-1")
    return str(value)


def test_every_trace_of_an_edited_rejected_undone_and_approved_proposal_goes(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        propose(desk, "one", write("one.md", f"{WORD} said this.\n", reason=f"since {WORD} came"))
        text = desk.preview("one").text.replace("said", "wrote")
        desk.edit("one", text)
        approve(desk, "one", f"note on {WORD}")
        assert desk.undo().ok
        assert desk.preview("one").item.edited
        desk.save_draft("one", f"a draft on {WORD}")
        approve(desk, "one")
        propose(desk, "two", write("two.md", f"More of {WORD}.\n"))
        assert desk.reject("two", f"no more of {WORD}").ok
        assert places_of(workspace, WORD)
        assert WORD in str(decision(workspace, "one")["text"])
        for id in ("one", "two"):
            outcome = desk.forget(id)
            assert outcome.ok, outcome.message
    assert places_of(workspace, WORD) == []
    told = decision(workspace, "one")
    assert (told["verdict"], told["edited"], told["text"], told["result"]) == ("approved", True, None, None)
    assert (
        memtui("decision", "one", "--json", "--workspace", workspace.root).json["changes"] == told["changes"]
    )
    rows = memtui("log", "--json", "--workspace", workspace.root).json
    assert {(row["id"], row["forgotten"], row["undoable"], row["headline"]) for row in rows} == {
        ("one", True, False, ""),
        ("two", True, False, ""),
    }
    assert (workspace.memory / "one.md").read_text().count(WORD) == 2


def test_pages_of_many_decisions_keep_nothing_of_the_one_that_is_forgotten(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        for number in range(12):
            word = WORD if number == 6 else "nobody"
            lines = "".join(f"What {word} said on day {n} of week {number}.\n" for n in range(number * 40))
            fields = {**write(f"n{number}.md", f"{word}\n{lines}"), "summary": f"{word} {number}"}
            propose(desk, f"p{number}", fields)
            desk.edit(f"p{number}", desk.preview(f"p{number}").text.replace(word, f"{word} "))
            approve(desk, f"p{number}")
        assert desk.forget("p6").ok
        assert places_of(workspace, WORD) == []
        assert undo_named(desk, "p5").ok
        assert undo_named(desk, "p7").ok
        again = undo_named(desk, "p6")
    assert not again.ok
    assert "no longer kept" in again.message


def test_contents_that_others_share_go_too_and_their_undo_says_so(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        for id, content in (("a", "first"), ("b", "second"), ("c", "third")):
            propose(desk, id, write("same.md", f"{content} of {WORD}\n"))
            approve(desk, id)
        found = desk.reach("b")
        assert (found.records, found.shared, found.later, found.paths) == ((2,), (1, 3), (), ("same.md",))
        assert desk.forget("b").ok
        for id in ("a", "c"):
            outcome = undo_named(desk, id)
            assert not outcome.ok
            assert "no longer kept" in outcome.message


def test_other_versions_of_the_note_are_named(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        for id in ("a", "b", "c", "d"):
            propose(desk, id, write("same.md", f"{id} of {WORD}\n"))
            approve(desk, id)
        assert desk.reach("a").later == (3, 4)


def test_a_batch_is_forgotten_by_its_name(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        members = [write("x.md", f"{WORD}\n"), write("y.md", f"{WORD}\n")]
        desk.propose(json.dumps({"id": "both", "proposals": members}).encode(), "both.json")
        for id in ("both.1", "both.2"):
            approve(desk, id)
        assert desk.forget("BOTH").ok
    assert places_of(workspace, WORD) == []


def test_what_waits_again_is_not_forgotten(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        propose(desk, "one", write("one.md", f"{WORD}\n"))
        approve(desk, "one")
        assert desk.undo().ok
        outcome = desk.forget("one")
        assert not outcome.ok
        assert "waits in the inbox" in outcome.message
        assert [item.id for item in desk.items()] == ["one"]


def test_forgetting_twice_or_nothing_is_harmless(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        propose(desk, "one", write("one.md", f"{WORD}\n"))
        approve(desk, "one")
        assert desk.forget("one").ok
        assert desk.forget("one").ok
        assert not desk.forget("nothing").ok


@pytest.fixture
def decided(workspace: Workspace) -> Workspace:
    with Desk(workspace) as desk:
        propose(desk, "one", write("one.md", f"{WORD}\n"))
        approve(desk, "one")
    return workspace


def test_the_command_wants_a_terminal(decided: Workspace) -> None:
    ran = memtui("log", "--forget", "one", "--workspace", decided.root)
    assert ran.status == 1
    assert "terminal" in ran.err
    assert places_of(decided, WORD)
    allow_without_terminal()
    ran = memtui("log", "--forget", "one", "--json", "--workspace", decided.root)
    assert (ran.status, ran.json[0]["ok"]) == (0, True)
    assert places_of(decided, WORD) == []


@pytest.mark.parametrize(("answer", "status"), [(b"y\n", 0), (b"n\n", 1), (b"\x04", 1)])
def test_the_command_says_what_goes_and_asks(decided: Workspace, answer: bytes, status: int) -> None:
    ran = memtui_on_terminal("log", "--forget", "one", "--workspace", decided.root, answers=(answer,))
    assert "erase for good? [y/N]" in ran.out
    assert "one.md" in ran.out
    assert ran.status == status
    assert bool(places_of(decided, WORD)) == bool(status)


def test_the_command_names_an_id_that_is_not_known(decided: Workspace) -> None:
    allow_without_terminal()
    ran = memtui("log", "--forget", "two", "--workspace", decided.root)
    assert ran.status == 1
    assert "no decision has the id two" in ran.err


def test_old_contents_and_answers_go_once_a_day_and_the_journal_still_answers(workspace: Workspace) -> None:
    clock = [1_700_000_000.0]
    with Desk(workspace, now=lambda: clock[0]) as desk:
        propose(desk, "one", write("one.md", "x\n"))
        approve(desk, "one")
        members = [write("x.md", "x\n"), write("y.md", "y\n")]
        desk.propose(json.dumps({"id": "both", "proposals": members}).encode(), "both.json")
        assert desk.reject("both.1").ok
        assert desk.reject("both.2").ok
        for path in workspace.decisions.iterdir():
            os.utime(path, (clock[0], clock[0]))
        told = [memtui("decision", id, "--json", "--workspace", workspace.root) for id in ("one", "both")]
        clock[0] += 400 * DAY
        assert desk.tidy() == 3
        assert list(workspace.decisions.iterdir()) == []
        assert not undo_named(desk, "one").ok
        propose(desk, "two", write("two.md", "x\n"))
        approve(desk, "two")
        clock[0] += DAY / 2
        assert desk.tidy() == 0
    later = [memtui("decision", id, "--json", "--workspace", workspace.root) for id in ("one", "both")]
    assert [(ran.status, ran.json) for ran in later] == [(ran.status, ran.json) for ran in told]


def test_a_young_answer_stays(workspace: Workspace) -> None:
    with Desk(workspace) as desk:
        propose(desk, "one", write("one.md", "x\n"))
        approve(desk, "one")
        os.utime(workspace.decisions / "one.json", (desk._now() - ANSWERS + DAY,) * 2)
        assert desk.tidy() == 0
    assert decision(workspace, "one")["verdict"] == "approved"


@pytest.mark.parametrize(("days", "left"), [(1, False), (30, True)])
def test_the_setting_says_how_long(decided: Workspace, days: int, left: bool) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"[journal]\ndays = {days}\n")
    with Desk(load(decided.root), now=lambda: time.time() + 2 * DAY) as desk:
        desk.tidy()
        assert desk.journal.record(1).files[0].kept == left


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "true", '"x"', "1000000000"])
def test_a_setting_that_makes_no_sense_is_complained_of(decided: Workspace, value: str) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"[journal]\ndays = {value}\nmegabytes = {value}\n")
    settings = load(decided.root).settings
    assert len(settings.complaints) == 2
    assert (settings.journal_days, settings.journal_megabytes) == (365, 500)


def test_a_journal_of_the_version_before_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    old = sqlite3.connect(path)
    new = {statement for statement in (*FROM_1, *FROM_2) if statement.startswith("CREATE")}
    for statement in TABLES:
        if statement not in new:
            old.execute(statement)
    old.execute("CREATE INDEX items_proposal ON items (proposal) WHERE proposal IS NOT NULL")
    old.execute("CREATE INDEX files_before ON files (before) WHERE whole")
    old.execute("CREATE INDEX files_after ON files (after) WHERE whole")
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    assert Journal(path, read_only=True).records() == ()
    journal = Journal(path)
    assert journal.tidied(5.0) == journal.tidied() == 5.0
    journal.close()
    names = {row[0] for row in sqlite3.connect(path).execute("SELECT name FROM sqlite_master")}
    fresh = Journal(tmp_path / "fresh.db")
    assert fresh.tidied() == 0.0
    fresh.close()
    assert names == {
        row[0] for row in sqlite3.connect(tmp_path / "fresh.db").execute("SELECT name FROM sqlite_master")
    }
