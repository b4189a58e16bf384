"""A value that comes into the vault while something waits: nothing that holds it is written or kept from then on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.agents import tools
from memtui.config import Workspace, load
from memtui.desk import Choices, Desk, Wanted
from memtui.gate import vault as vault_room
from memtui.gate import vault_commands
from memtui.review.items import Preview
from tests.desk.test_desk_vault import leftovers, write_own_settings
from tests.support import decision

LATE = "fresh-Heron.55"


@pytest.fixture
def env(tmp_path: Path) -> Path:
    return tmp_path / "secrets.env"


@pytest.fixture
def vault(workspace: Workspace, env: Path) -> Workspace:
    env.write_text("DB_PASSWORD=mellow-Badger!42\n")
    write_own_settings(
        f'[vault]\nfiles = ["{env}"]\n[[spools]]\nname = "chat"\nruling = "allow"\n'
        '[[rules]]\nspool = ""\npath = "free/*"\nruling = "allow"\n'
    )
    return load(workspace.root)


@pytest.fixture
def desk(vault: Workspace) -> Iterator[Desk]:
    with Desk(vault) as desk:
        yield desk


def proposal(**fields: object) -> bytes:
    given = {"operation": "write", "path": "a.md", "summary": "s", "content": "c\n", "id": "p1", **fields}
    return json.dumps(given).encode()


def learn(env: Path) -> None:
    env.write_text(f"DB_PASSWORD=mellow-Badger!42\nNEW_TOKEN={LATE}\n")


def edit(desk: Desk) -> Preview:
    text = desk.preview("p1").text
    edited = desk.edit("p1", text.replace("c\n", f"it is {LATE}\n"))
    assert isinstance(edited, Preview)
    return edited


def kept_anywhere(desk: Desk, vault: Workspace, env: Path) -> list[str]:
    desk.close()
    env.unlink()
    return [*leftovers(vault.root, LATE), *leftovers(Path(os.environ["HOME"]), LATE)]


def test_what_was_shown_before_is_not_approved_but_blocked(desk: Desk, vault: Workspace, env: Path) -> None:
    desk.propose(proposal(content=f"it is {LATE}\n"))
    shown = desk.preview("p1")
    learn(env)
    outcome = desk.approve("p1", shown.plan.hash)
    assert not outcome.ok
    assert outcome.message == "p1 is not pending: it was blocked"
    assert decision(vault, "p1")["verdict"] == "blocked"
    assert not (vault.memory / "a.md").exists()
    assert not kept_anywhere(desk, vault, env)


def test_neither_are_those_that_are_approved_together_with_it(desk: Desk, env: Path) -> None:
    desk.propose(proposal(id="p2", path="b.md"))
    desk.propose(proposal(content=f"it is {LATE}\n"))
    shown = desk.preview_together([("p2", Choices()), ("p1", Choices())])
    learn(env)
    outcomes = desk.approve_together([Wanted(each.item.id, each.plan.hash) for each in shown])
    assert not any(outcome.ok for outcome in outcomes)
    assert [item.id for item in desk.items()] == ["p2"]


def approves(desk: Desk, shown: Preview) -> None:
    outcome = desk.approve("p1", shown.plan.hash)
    assert (outcome.ok, outcome.changed) == (False, True)


def looks(desk: Desk, _: Preview) -> None:
    desk.take_in()


@pytest.mark.parametrize("then", [approves, looks])
def test_an_edit_that_holds_it_is_gone_and_that_is_said(
    desk: Desk, vault: Workspace, env: Path, then: Callable[[Desk, Preview], None]
) -> None:
    desk.propose(proposal())
    shown = edit(desk)
    assert desk.save_draft("p1", f"half of a text with {LATE}")
    learn(env)
    then(desk, shown)
    [item] = desk.items()
    assert not item.edited
    again = desk.preview("p1")
    assert LATE not in again.text
    assert any("it is gone" in notice.message for notice in again.plan.notices)
    assert not (vault.memory / "a.md").exists()
    assert not leftovers(vault.root, LATE)
    assert desk.approve("p1", again.plan.hash).ok
    assert (vault.memory / "a.md").read_text().endswith("c\n")
    assert not kept_anywhere(desk, vault, env)


def test_the_same_at_the_next_start(vault: Workspace, env: Path) -> None:
    with Desk(vault) as desk:
        desk.propose(proposal())
        edit(desk)
    learn(env)
    with Desk(vault) as desk:
        desk.take_in()
        [item] = desk.items()
        assert not item.edited
        assert any("it is gone" in notice.message for notice in item.notices)
        assert not kept_anywhere(desk, vault, env)


def test_an_edit_without_it_stays(desk: Desk, env: Path) -> None:
    desk.propose(proposal())
    edited = desk.edit("p1", desk.preview("p1").text.replace("c\n", "another text\n"))
    assert isinstance(edited, Preview)
    learn(env)
    desk.take_in()
    assert desk.items()[0].edited
    assert desk.approve("p1", edited.plan.hash).ok


def test_of_a_blocked_one_no_edit_and_no_draft_stays(desk: Desk, vault: Workspace, env: Path) -> None:
    desk.propose(proposal(reason=f"it was {LATE}"))
    edit(desk)
    desk.save_draft("p1", f"half of a text with {LATE}")
    learn(env)
    desk.take_in()
    assert decision(vault, "p1")["verdict"] == "blocked"
    assert not kept_anywhere(desk, vault, env)


def test_a_change_of_the_persons_own_is_not_written(desk: Desk, vault: Workspace, env: Path) -> None:
    own = desk.compose({"operation": "write", "path": "b.md", "summary": "s", "content": f"it is {LATE}"})
    assert isinstance(own, Preview)
    learn(env)
    outcome = desk.approve(own.item.id, own.plan.hash)
    assert not outcome.ok
    assert "looks like a secret" in outcome.message
    assert not (vault.memory / "b.md").exists()
    assert not kept_anywhere(desk, vault, env)


@pytest.mark.parametrize("path", ["free/a.md", "free/b.md"])
def test_what_a_rule_allows_is_not_written_either(desk: Desk, vault: Workspace, env: Path, path: str) -> None:
    desk.propose(proposal(path=path, content=f"it is {LATE}\n"))
    learn(env)
    assert not any(outcome.ok for outcome in desk.apply_allowed())
    assert not (vault.memory / path).exists()
    assert decision(vault, "p1")["verdict"] == "blocked"
    assert not kept_anywhere(desk, vault, env)


def test_what_is_rejected_is_not_kept_either(desk: Desk, vault: Workspace, env: Path) -> None:
    desk.propose(proposal(content=f"it is {LATE}\n"))
    desk.preview("p1")
    learn(env)
    outcome = desk.reject("p1", "no")
    assert not outcome.ok
    assert "p1 is not pending: it was blocked" in outcome.message
    assert decision(vault, "p1")["verdict"] == "blocked"
    assert not kept_anywhere(desk, vault, env)


def test_what_is_taken_back_is_screened_before_it_waits_again(
    desk: Desk, vault: Workspace, env: Path
) -> None:
    desk.propose(proposal(content=f"it is {LATE}\n"))
    assert desk.approve("p1", desk.preview("p1").plan.hash).ok
    learn(env)
    assert desk.undo().ok
    desk.take_in()
    assert not desk.items()
    assert not list(vault.spool.glob("*.json"))
    assert decision(vault, "p1")["verdict"] == "blocked"


@pytest.fixture
def answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a program of the vault prints, once it is there; the program is asked again at once."""
    monkeypatch.setattr(vault_commands, "_remembered", {})
    monkeypatch.setattr(vault_commands, "TRIED", 0.0)
    monkeypatch.setattr(vault_room, "AGAIN", 0.0)
    return tmp_path / "answer"


def test_nothing_is_written_without_asking_while_a_program_of_the_vault_gives_nothing(
    workspace: Workspace, answer: Path
) -> None:
    write_own_settings(
        f'[vault]\ncommands = [["cat", "{answer}"]]\n[[rules]]\nspool = ""\npath = "free/*"\nruling = "allow"\n'
    )
    with Desk(load(workspace.root)) as desk:
        for id, text in (("p1", "plain"), ("p2", f"it is {LATE}")):
            desk.propose(proposal(id=id, path=f"free/{id}.md", content=f"{text}\n"))
        assert desk.apply_allowed() == ()
        assert "nothing is written without asking" in desk.no_count
        assert str(answer) in desk.no_count
        assert {item.id for item in desk.items()} == {"p1", "p2"}
        answer.write_text(f"{LATE}\n")
        desk.take_in()
        assert [outcome.id for outcome in desk.apply_allowed() if outcome.ok] == ["p1"]
        assert desk.no_count == ""
    assert decision(workspace, "p2")["verdict"] == "blocked"
    assert not (workspace.memory / "free/p2.md").exists()


def test_the_person_may_still_decide(workspace: Workspace, answer: Path) -> None:
    write_own_settings(f'[vault]\ncommands = [["cat", "{answer}"]]\n')
    with Desk(load(workspace.root)) as desk:
        desk.propose(proposal())
        assert desk.no_count == ""
        assert desk.approve("p1", desk.preview("p1").plan.hash).ok


def test_what_an_agent_proposed_in_an_environment_of_its_own_is_screened_in_the_persons(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own_settings(
        '[vault]\nenvironment = ["DOOR_*"]\n[[rules]]\nspool = ""\npath = "free/*"\nruling = "allow"\n'
    )
    data = proposal(path="free/a.md", content=f"it is {LATE}\n")
    assert tools.propose(load(workspace.root), data)["state"] == "pending"
    monkeypatch.setenv("DOOR_CODE", LATE)
    with Desk(load(workspace.root)) as desk:
        desk.take_in()
        assert desk.apply_allowed() == ()
        assert not desk.items()
    assert decision(workspace, "p1")["verdict"] == "blocked"
    assert not leftovers(workspace.root, LATE)
