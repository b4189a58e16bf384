"""What the exam, and thinking about it, found: each stays found."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk, DeskError
from memtui.storage.journal import Journal
from memtui.storage.lock import locked
from tests.faults.acts import NOTE, TOKEN, approve, build, open_desk
from tests.faults.facts import recovered
from tests.faults.harm import Harm, perform
from tests.support import decision

OTHER = {**NOTE, "path": "other.md"}
SECRET = {**NOTE, "content": TOKEN}


def drop(workspace: Workspace, name: str, fields: object = NOTE) -> Path:
    path = workspace.spool / name
    path.write_text(json.dumps(fields), encoding="utf-8")
    os.utime(path, (1, 1))
    return path


@contextmanager
def failing(name: str, code: int, wanted: Callable[[int], bool]) -> Iterator[list[int]]:
    """The system's `name` fails with this errno at each call whose number is wanted; counts the calls."""
    real, count = getattr(os, name), [0]

    def call(*values: object, **named: object) -> object:
        count[0] += 1
        if wanted(count[0]):
            raise OSError(code, os.strerror(code))
        return real(*values, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, name, call)
        yield count


def kill_after_the_intent(root: Path, act: str) -> None:
    """The intent is durable, and no note is written yet."""
    ended = perform(root, act, "shim", Harm("link" if act.startswith("approve") else "unlink", 1, "KILL"))
    assert ended.killed


def test_what_a_killed_memtui_began_is_finished_by_one_that_was_open_already(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    build("waiting", root)
    with open_desk(root) as desk:
        desk.take_in()
        kill_after_the_intent(root, "approve an add")
        shown = desk.preview("add", accept_new_tags=True)
        outcome = desk.approve("add", shown.plan.hash, accept_new_tags=True)
        assert not outcome.ok
        assert "was approved" in outcome.message
        assert desk.undo().ok
    facts = recovered(root)
    assert not facts.faults
    assert ("add", "pending") in facts.inbox


def test_a_proposal_sent_again_is_not_decided_a_second_time_by_one_that_did_not_notice(
    workspace: Workspace,
) -> None:
    path = drop(workspace, "ok.json")
    with Desk(workspace) as slow, Desk(workspace) as quick:
        slow.take_in()
        shown = slow.preview("ok")
        quick.take_in()
        data = path.read_bytes()
        assert quick.approve("ok", quick.preview("ok").plan.hash).ok
        path.write_bytes(data)
        assert not slow.approve("ok", shown.plan.hash).ok
        assert not slow.reject("ok", "no").ok
        assert [(row.id, row.verdict) for row in slow.log()] == [("ok", "approved")]
    assert not path.exists()


def test_a_decision_that_is_stuck_is_not_told_as_done(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    build("waiting", root)
    kill_after_the_intent(root, "approve an add")
    made = next(iter((root / "memory").glob("*.md")))
    entry = root / "memory" / "1750000000-plays-bass-in-a-trio.md"
    shutil.copy(made, entry)  # somebody made a file of that name meanwhile
    for _ in range(2):
        with open_desk(root) as desk:
            desk.take_in()
            assert len(desk.stuck) == 1
            assert "add" not in [item.id for item in desk.items()]
    assert (root / ".memtui/spool/add.json").exists()
    assert not (root / ".memtui/spool/decisions/add.json").exists()
    entry.unlink()
    with open_desk(root) as desk:
        desk.take_in()
    assert not recovered(root).faults


@pytest.mark.parametrize("fields", [{"operation": "write"}, SECRET])
def test_an_answer_that_a_kill_cut_short_is_listed_once(workspace: Workspace, fields: dict[str, str]) -> None:
    drop(workspace, "bad.json", fields)
    for call in ("rename", "unlink"):  # of the decision file, of the spool file
        assert perform(workspace.root, "take in", "fork", Harm(call, 1, "KILL")).killed
    facts = recovered(workspace.root)
    assert not facts.faults
    assert [id for id, _ in facts.refusals] == ["bad"]
    assert facts.spool == {}


@pytest.mark.parametrize("looks", [0, 1, 2])
@pytest.mark.parametrize("last", [1, 100], ids=["once", "again and again"])
@pytest.mark.parametrize("fields", [{"operation": "write"}, SECRET], ids=["refused", "blocked"])
def test_what_is_answered_and_cannot_be_removed_is_answered_once(
    workspace: Workspace, fields: dict[str, str], last: int, looks: int
) -> None:
    """However often the memtui that could not remove it looks again, before or after the disk is well."""
    with open_desk(workspace.root) as desk:
        drop(workspace, "first.json", SECRET)
        desk.take_in()  # a workspace is readied with its first hit
        path = drop(workspace, "bad.json", fields)
        data = path.read_bytes()
        with failing("unlink", errno.EIO, lambda nth: nth <= last):
            desk.take_in()
            for number in range(looks):
                drop(workspace, f"{number}.json")  # there is something to look at
                desk.take_in()
        told = decision(workspace, "bad")
        for number in range(looks):
            drop(workspace, f"later-{number}.json")
            desk.take_in()
        assert looks == 0 or not path.exists()
    facts = recovered(workspace.root)
    assert not facts.faults
    assert [id for id, _ in facts.refusals] == ["bad", "first"]
    assert "bad.json" not in facts.spool
    assert decision(workspace, "bad") == told
    path.write_bytes(data)  # delivered once more: its id is free, so that it has an answer of its own
    os.utime(path, (1, 1))
    assert [id for id, _ in recovered(workspace.root).refusals] == ["bad", "bad", "first"]


def test_an_answer_whose_file_is_out_of_sight_is_not_given_again(workspace: Workspace) -> None:
    away = workspace.root / "away"
    with open_desk(workspace.root) as desk:
        drop(workspace, "ok.json")
        drop(workspace, "bad.json", {"operation": "write"})
        with failing("unlink", errno.EIO, lambda nth: nth == 1):
            desk.take_in()
        workspace.spool.rename(away)
        workspace.spool.write_bytes(b"")  # in its place, so that it is not made anew
        desk.take_in()
        workspace.spool.unlink()
        away.rename(workspace.spool)
    facts = recovered(workspace.root)
    assert [id for id, _ in facts.refusals] == ["bad"]
    assert list(facts.spool) == ["ok.json"]


@pytest.mark.parametrize("verdict", ["rejected", "approved"])
def test_a_decided_file_that_could_not_be_removed_goes_at_the_next_look(
    desk: Desk, workspace: Workspace, verdict: str
) -> None:
    path = drop(workspace, "ok.json")
    desk.take_in()
    real = os.unlink

    def unlink(name: str, **named: int) -> None:
        if str(name).endswith("-ok.json"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(name, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "unlink", unlink)
        outcome = desk.reject("ok", "no") if verdict == "rejected" else approve("ok")(desk)
    assert outcome is not None
    assert outcome.ok
    assert "could not be removed" in outcome.message
    assert path.exists()
    desk.take_in()
    assert [left.name for left in workspace.spool.iterdir()] == ["decisions"]
    assert desk.items() == ()
    assert [(row.id, row.verdict) for row in desk.log()] == [("ok", verdict)]


def test_an_agent_that_cannot_be_told_does_not_make_a_rejection_undone(
    desk: Desk, workspace: Workspace
) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    with failing("rename", errno.EIO, lambda _: True):
        outcome = desk.reject("ok", "no")
    assert outcome.ok
    assert "could not be told" in outcome.message
    assert not [path for path in workspace.decisions.iterdir() if path.name.startswith(".memtui-")]
    assert desk.items() == ()
    assert desk.undo().ok
    assert [item.id for item in desk.items()] == ["ok"]


def test_an_undo_says_when_its_proposal_could_not_wait_again(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    assert desk.approve("ok", desk.preview("ok").plan.hash).ok
    with failing("link", errno.EIO, lambda _: True):
        outcome = desk.undo()
    assert outcome.ok
    assert "does not wait again yet" in outcome.message
    assert not recovered(workspace.root).faults


def test_what_can_neither_be_written_nor_taken_back_is_not_called_undone(
    desk: Desk, workspace: Workspace
) -> None:
    for name in ("one.md", "two.md"):
        (workspace.memory / name).write_text("old\n")
    notes = [{**NOTE, "path": name, "content": "new\n"} for name in ("one.md", "two.md")]
    drop(workspace, "b.json", {"proposals": notes})
    desk.take_in()
    with failing("rename", errno.EIO, lambda nth: nth > 1):
        outcome = approve("b.1", "b.2")(desk)
    assert not outcome.ok
    assert "nothing was written" not in outcome.message
    assert not recovered(workspace.root).faults
    assert (workspace.memory / "two.md").read_text().endswith("new\n")


def test_a_name_taken_in_advance_is_given_back(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    shown = desk.preview("ok")
    with failing("link", errno.EPERM, lambda _: True), failing("rename", errno.EIO, lambda _: True):
        assert not desk.approve("ok", shown.plan.hash).ok
    assert not (workspace.memory / "new").exists()
    facts = recovered(workspace.root)
    assert not facts.faults
    assert facts.inbox == (("ok", "pending"),)


def test_a_temporary_file_goes_although_the_disk_refuses_once(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    shown = desk.preview("ok")
    with failing("unlink", errno.EIO, lambda nth: nth == 1):
        assert desk.approve("ok", shown.plan.hash).ok
    assert not recovered(workspace.root).faults


def test_a_proposal_that_could_not_be_taken_in_says_that_it_waits(desk: Desk, workspace: Workspace) -> None:
    desk.take_in()
    with failing("rename", errno.EIO, lambda _: True), pytest.raises(DeskError, match="waits in the spool"):
        desk.propose(b'{"operation": "write"}')
    facts = recovered(workspace.root)
    assert not facts.faults
    assert len(facts.refusals) == 1


@pytest.mark.parametrize("call", ["fsync", "link"])
def test_a_proposal_that_is_said_not_to_be_written_is_not_there(
    desk: Desk, workspace: Workspace, call: str
) -> None:
    desk.take_in()
    last = 2 if call == "fsync" else 1  # of the file, then of the spool
    with failing(call, errno.EIO, lambda nth: nth == last), pytest.raises(DeskError, match="not be written"):
        desk.propose(json.dumps(NOTE).encode())
    facts = recovered(workspace.root)
    assert not facts.faults
    assert facts.spool == {}


def test_a_folder_goes_with_its_last_note_although_the_disk_refuses_once(
    desk: Desk, workspace: Workspace
) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    assert desk.approve("ok", desk.preview("ok").plan.hash).ok
    with failing("rmdir", errno.EIO, lambda nth: nth == 1):
        assert desk.undo().ok
    assert not (workspace.memory / "new").exists()


def test_a_failed_sync_leaves_no_folder_behind(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "first.json", OTHER)  # a new journal is marked as the person's own with its first record
    drop(workspace, "ok.json")
    desk.take_in()
    assert desk.approve("first", desk.preview("first").plan.hash).ok
    shown = desk.preview("ok")
    with failing("fsync", errno.EIO, lambda nth: nth == 3):  # two for the folders, then the note
        outcome = desk.approve("ok", shown.plan.hash)
    assert "until a restart" in outcome.message
    assert not (workspace.memory / "new").exists()


def test_recovery_syncs_the_folders_of_what_it_finds_written(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    build("waiting", root)
    assert perform(root, "approve into new folders", "fork", Harm("unlink", 1, "KILL")).killed
    assert (root / "memory/new/folder/ok.md").exists()
    with failing("fsync", errno.EIO, lambda _: True), open_desk(root) as desk:
        assert len(desk.stuck) == 1
        assert desk.journal.unfinished()
    assert not recovered(root).faults


def test_an_undone_proposal_whose_name_is_taken_keeps_its_id(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    build("taken_name", root)
    with open_desk(root) as desk:
        desk.take_in()
        assert desk.undo().ok
        assert "add" in [item.id for item in desk.items()]
    facts = recovered(root)
    assert not facts.faults
    assert len(facts.spool) == 2


def test_a_busy_lock_is_one_sentence(desk: Desk, workspace: Workspace) -> None:
    drop(workspace, "ok.json")
    desk.take_in()
    shown = desk.preview("ok")
    with locked(workspace.memory, workspace.state), pytest.MonkeyPatch.context() as patch:
        times = iter(range(0, 1_000_000, 20))  # each look at the clock is 20 seconds later
        patch.setattr("memtui.storage.lock.time.monotonic", lambda: float(next(times)))
        outcome = desk.approve("ok", shown.plan.hash)
    assert not outcome.ok
    assert outcome.message.count(".") == 1
    assert "Another memtui is writing" in outcome.message
    assert decision_is_missing(workspace)
    assert Journal(workspace.journal).undoable() is None


def decision_is_missing(workspace: Workspace) -> bool:
    with pytest.raises(FileNotFoundError):
        decision(workspace, "ok")
    return True


def test_what_a_killed_memtui_began_is_finished_when_an_open_one_looks(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    build("waiting", root)
    with open_desk(root) as desk:
        desk.take_in()
        kill_after_the_intent(root, "approve an add")
        desk.take_in()
        assert len(desk.recovered) == 1
        assert desk.journal.unfinished() == ()
        assert "add" not in [item.id for item in desk.items()]


def test_one_that_is_at_work_is_left_alone_by_a_look(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    build("waiting", root)
    with open_desk(root) as desk:
        desk.take_in()
        kill_after_the_intent(root, "approve an add")
        with locked(desk.workspace.memory, desk.workspace.state):
            desk.take_in()
            assert len(desk.journal.unfinished()) == 1
