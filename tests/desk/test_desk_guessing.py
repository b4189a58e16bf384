"""An agent that guesses learns nothing of a secret in a note: not by searching, not by what its edits are answered."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.agents.tools import ToolError, call
from memtui.config import Workspace, load, trust
from memtui.desk import Desk
from memtui.review import proposing
from tests.support import decision

TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"
NOTE = f"---\ndescription: where the router is\n---\nFirst line.\n\nThe token is {TOKEN} for now.\n\nLast line.\n"


@pytest.fixture
def held(workspace: Workspace) -> Workspace:
    (workspace.memory / "router.md").write_text(NOTE)
    return load(workspace.root)


@pytest.fixture
def desk(held: Workspace) -> Iterator[Desk]:
    with Desk(held) as opened:
        yield opened


def found(workspace: Workspace, query: str) -> list[object]:
    notes = call(workspace, "memory_search", {"query": query})["notes"]  # type: ignore[index,call-overload]
    return [note["path"] for note in notes]  # type: ignore[index,call-overload,union-attr]


@pytest.mark.parametrize("length", [2, 3, 8, 20, len(TOKEN)])
def test_no_part_of_a_secret_is_found_by_an_agent(held: Workspace, length: int) -> None:
    parts = {TOKEN[at : at + length] for at in range(len(TOKEN) - length + 1)}
    visible = NOTE.replace(TOKEN, "").casefold() + "router.md"
    hidden = [part for part in parts if part.casefold() not in visible]
    assert all("router.md" not in found(held, part) for part in hidden)


@pytest.mark.parametrize("query", ["redacted", "github", "\udfff", "\udfff" * 3])
def test_neither_is_what_stands_in_its_place(held: Workspace, query: str) -> None:
    assert "router.md" not in found(held, query)


def test_what_is_around_it_is_found_and_the_person_finds_all(held: Workspace, desk: Desk) -> None:
    assert found(held, "router LAST for now") == ["router.md"]
    assert [row.path for row in desk.search(TOKEN[5:12])] == ["router.md"]


@pytest.mark.parametrize("before", range(80, 122, 7))
def test_no_half_of_a_secret_is_in_the_catalog_or_a_summary(held: Workspace, before: int) -> None:
    """A summary is clipped at 120 characters: half a secret is not known again."""
    lead = ("word " * 40)[: before - 1] + " "
    for text in (f"---\ndescription: {lead}{TOKEN}\n---\nText.\n", f"{lead}{TOKEN}\n"):
        (held.memory / "router.md").write_text(text)
        catalog = call(held, "memory_catalog", {})["catalog"]  # type: ignore[index,call-overload]
        notes = json.dumps(call(held, "memory_search", {"query": "word"}))
        assert "router.md" in str(catalog)
        assert TOKEN[:4] not in str(catalog)
        assert TOKEN[:4] not in notes


def kept(workspace: Workspace) -> dict[str, list[int]]:
    """What a search has found out, by a hash of each note."""
    read = json.loads((workspace.state / "covers.json").read_text())["notes"]
    assert isinstance(read, dict)
    return read


@pytest.mark.parametrize("query", [TOKEN[:6], "nothing-has-this", "First"])
def test_every_note_is_screened_whatever_is_looked_for(held: Workspace, query: str) -> None:
    """Else the time of an answer would tell whether a secret holds the word."""
    notes = [path for path in held.memory.rglob("*.md") if path.name not in ("index.md", "tags.md")]
    found(held, query)
    first = kept(held)
    assert len(first) == len(notes)
    found(held, "another word")
    assert kept(held) == first
    (held.memory / "router.md").write_text(NOTE + "More.\n")
    assert "router.md" in found(held, "More.")
    assert len(kept(held)) == len(notes)
    assert len(kept(held).keys() - first.keys()) == 1


def test_what_is_kept_of_it_holds_no_word_and_no_path(held: Workspace) -> None:
    found(held, "x")
    data = (held.state / "covers.json").read_text()
    assert TOKEN not in data
    assert "router" not in data
    assert (held.state / "covers.json").stat().st_mode & 0o777 == 0o600
    [spans] = [spans for spans in kept(held).values() if spans]
    whole = f"router.md\n{NOTE}"
    assert whole[slice(*spans)] == TOKEN


@pytest.mark.parametrize("spans", [3, [1], ["a", "b"], [0, 10**15], [-5, 3], [9, 2], None])
def test_what_cannot_be_read_of_it_is_found_out_anew(held: Workspace, spans: object) -> None:
    found(held, "x")
    path = held.state / "covers.json"
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, "notes": dict.fromkeys(whole["notes"], spans)}))
    assert "router.md" not in found(held, TOKEN[:9])
    assert kept(held) == whole["notes"]
    for data in (b"", b"\xff", b"[" * 100_000, b"{}", b'{"by": 1}', b'{"by": 1, "notes": []}'):
        path.write_bytes(data)
        assert "router.md" not in found(held, TOKEN[:9])


def test_notes_are_looked_at_before_an_agent_searches(held: Workspace, desk: Desk) -> None:
    while desk.look_ahead(lambda: True):
        pass
    first = (held.state / "covers.json").read_bytes()
    assert "router.md" not in found(held, TOKEN[:9])
    assert (held.state / "covers.json").read_bytes() == first
    assert not desk.look_ahead(lambda: True)


def test_that_stops_where_something_else_is_to_do(held: Workspace, desk: Desk) -> None:
    assert desk.look_ahead(lambda: False)
    assert not (held.state / "covers.json").exists()
    assert desk.look_ahead(iter([True, False]).__next__)
    assert len(kept(held)) == 1


def test_what_an_earlier_screen_found_does_not_count(held: Workspace, tmp_path: Path) -> None:
    (held.memory / "door.md").write_text("the mellow-Badger one\n")
    assert "door.md" in found(held, "badger")
    (tmp_path / "x.env").write_text("DOOR_SECRET=mellow-Badger\n")
    held.config.write_text(f'[vault]\nfiles = ["{tmp_path}/x.env"]\n')
    trust(held.root)
    again = load(held.root)
    assert "door.md" not in found(again, "badger")
    (tmp_path / "x.env").write_text("")
    assert "door.md" in found(again, "badger")


def test_without_a_place_to_keep_it_the_answer_is_the_same(held: Workspace) -> None:
    (held.state / "covers.json").mkdir()
    assert "router.md" not in found(held, TOKEN[:9])
    assert found(held, "router LAST") == ["router.md"]


def edit(held: Workspace, old: str, id: str) -> dict[str, object]:
    given = {"id": id, "operation": "edit", "path": "router.md", "reason": "r"}
    proposing.propose(held, json.dumps({**given, "edits": [{"old": old, "new": "x"}]}).encode())
    return decision(held, id)


GUESSES = {
    "right": (TOKEN[:9], TOKEN[:8] + "Z"),
    "from the left": (f"token is {TOKEN[:5]}", f"token is {TOKEN[:4]}Z"),
    "from the right": (f"{TOKEN[-3:]} for", f"Z{TOKEN[-2:]} for"),
    "one character": ("Q", "Z"),
}


@pytest.mark.parametrize("guess", GUESSES)
def test_an_edit_in_a_secret_is_answered_as_one_that_guesses_wrong(held: Workspace, guess: str) -> None:
    answers = [edit(held, old, f"p{number}") for number, old in enumerate(GUESSES[guess])]
    assert answers[0]["verdict"] == answers[1]["verdict"] == "refused"
    assert answers[0]["problems"] == answers[1]["problems"]


def test_an_edit_beside_it_waits_though_its_text_stands_in_the_secret_too(
    held: Workspace, desk: Desk
) -> None:
    (held.memory / "router.md").write_text(NOTE.replace("First", "k7First"))
    given = {"id": "p1", "operation": "edit", "path": "router.md", "reason": "r"}
    proposing.propose(held, json.dumps({**given, "edits": [{"old": "k7", "new": "x"}]}).encode())
    desk.take_in()
    assert desk.approve("p1", desk.preview("p1").plan.hash, keep_old=True).ok
    assert (held.memory / "router.md").read_text() == NOTE.replace("First", "xFirst")


@pytest.mark.parametrize(
    "path", ["data.csv", ".env", "sub/.hidden.md", "index.md.bak", "../outside.md", "pipe.md"]
)
def test_agents_read_notes_and_nothing_else_that_lies_beside_them(held: Workspace, path: str) -> None:
    (held.memory / "sub").mkdir()
    if path == "pipe.md":
        os.mkfifo(held.memory / path)
    else:
        (held.memory / path).write_text("plain words\n")
    with pytest.raises(ToolError):
        call(held, "memory_read", {"path": path})
