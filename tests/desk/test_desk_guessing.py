"""An agent that guesses learns nothing of a secret in a note: not by searching, not by what its edits are answered."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from memtui.agents.tools import call
from memtui.config import Workspace, load
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
