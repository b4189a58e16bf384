"""Killed between moving a decided proposal aside and removing it: it was decided once, and stays so."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.proposals.decode import id_of_name
from memtui.proposals.model import sha256
from memtui.storage.spool_files import TAKEN, taken_name
from tests.faults.acts import ADD, NOTE, TOKEN, approve, open_desk
from tests.faults.facts import recovered
from tests.support import decision

SHORT, LONG = "short.json", "y" * 245 + ".json"
NAMES = pytest.mark.parametrize("name", [SHORT, LONG], ids=["short", "long"])
ENTRY = {key: value for key, value in ADD.items() if key != "id"}


def drop(workspace: Workspace, name: str, fields: object) -> Path:
    path = workspace.spool / name
    path.write_text(json.dumps(fields), encoding="utf-8")
    os.utime(path, (1, 1))
    return path


def kill_before_removing(workspace: Workspace, act: Callable[[Desk], object]) -> None:
    """Performs it in a fork, where no journal may be open here, that dies with the proposal moved aside."""
    child = os.fork()
    if child == 0:
        try:
            remove = os.unlink

            def unlink(path: str, *, dir_fd: int | None = None) -> None:
                if TAKEN.fullmatch(os.fspath(path)):
                    os.kill(os.getpid(), signal.SIGKILL)
                remove(path, dir_fd=dir_fd)

            os.unlink = unlink  # type: ignore[assignment]
            with open_desk(workspace.root) as desk:
                desk.take_in()
                act(desk)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert any(TAKEN.fullmatch(path.name) for path in workspace.spool.iterdir())


@NAMES
@pytest.mark.parametrize("again", [False, True], ids=["gone", "delivered again"])
@pytest.mark.parametrize("verdict", ["approved", "rejected"])
def test_what_was_decided_is_not_asked_about_again(
    workspace: Workspace, name: str, again: bool, verdict: str
) -> None:
    id = id_of_name(name)
    drop(workspace, name, ENTRY)
    kill_before_removing(workspace, approve(id) if verdict == "approved" else lambda desk: desk.reject(id))
    told = decision(workspace, id)
    if again:
        drop(workspace, name, ENTRY)
    facts = recovered(workspace.root)
    assert not facts.faults
    assert facts.log == (("apply" if verdict == "approved" else "answer", False, ((id, verdict),)),)
    assert (facts.inbox, facts.refusals, facts.spool) == ((), (), {})
    assert facts.decisions == {id: told}


@NAMES
@pytest.mark.parametrize("again", [False, True], ids=["gone", "delivered again"])
@pytest.mark.parametrize(
    "fields", [{"operation": "write"}, {**NOTE, "content": TOKEN}], ids=["refused", "blocked"]
)
def test_what_was_answered_is_listed_once(
    workspace: Workspace, name: str, again: bool, fields: dict[str, str]
) -> None:
    drop(workspace, name, fields)
    kill_before_removing(workspace, lambda _: None)
    if again:
        drop(workspace, name, fields)
    facts = recovered(workspace.root)
    assert not facts.faults
    assert [id for id, _ in facts.refusals] == [id_of_name(name)]
    assert (facts.inbox, facts.spool) == ((), {})


@NAMES
def test_other_bytes_under_its_name_are_a_proposal_of_their_own(workspace: Workspace, name: str) -> None:
    id = id_of_name(name)
    drop(workspace, name, NOTE)
    kill_before_removing(workspace, approve(id))
    path = drop(workspace, name, {**NOTE, "path": "other.md"})
    facts = recovered(workspace.root)
    assert not facts.faults
    assert [(file, digest) for _, file, digest in facts.waiting] == [(name, sha256(path.read_bytes()))]
    assert [waiting.startswith(f"{id[:63]}-") for waiting, _ in facts.inbox] == [True]


@NAMES
def test_what_was_undone_waits_once(workspace: Workspace, name: str) -> None:
    drop(workspace, name, NOTE)
    kill_before_removing(workspace, approve(id_of_name(name)))
    with open_desk(workspace.root) as desk:
        assert desk.undo().ok
    facts = recovered(workspace.root)
    assert not facts.faults
    assert facts.inbox == ((id_of_name(name), "pending"),)
    assert list(facts.spool) == [name]


@NAMES
def test_what_was_not_decided_yet_waits_as_before(workspace: Workspace, name: str) -> None:
    path = drop(workspace, name, NOTE)
    waited = recovered(workspace.root)
    path.rename(workspace.spool / taken_name(name))
    facts = recovered(workspace.root)
    assert not facts.faults
    assert facts == waited
    assert facts.inbox == ((id_of_name(name), "pending"),)


@NAMES
def test_the_same_bytes_repeat_the_answer_later_too(workspace: Workspace, name: str) -> None:
    id = id_of_name(name)
    drop(workspace, name, NOTE)
    kill_before_removing(workspace, approve(id))
    first = recovered(workspace.root)
    (workspace.spool / "decisions" / f"{id}.json").unlink()
    drop(workspace, name, NOTE)
    again = recovered(workspace.root)
    assert not again.faults
    assert again == first
