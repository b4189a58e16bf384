"""Approve, reject and undo: what is bound, what is asked, what is never decided together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.config import Workspace
from tests.commands.terminal import memtui_on_terminal
from tests.support import Ran, allow_without_terminal, memtui_here, snapshot

CHAIN = {
    "id": "b",
    "proposals": [
        {
            "operation": "supersede",
            "filename": "1707912000-vegetarian-since-2019.md",
            "reason": "r",
            "successor": "ref:new",
        },
        {
            "operation": "add",
            "ref": "new",
            "title": "Eats meat now and then",
            "body": "Meat on occasion.",
            "type": "preference",
            "confidence": "medium",
            "context": "dinner",
            "tags": ["health", "food"],
        },
    ],
}


def note(id: str, path: str = "", **more: object) -> dict[str, object]:
    return {
        "operation": "write",
        "id": id,
        "path": path or f"n/{id}.md",
        "summary": "s",
        "content": f"{id}\n",
        **more,
    }


def delete(id: str = "") -> dict[str, object]:
    named = {"id": id} if id else {}
    return {
        "operation": "delete",
        **named,
        "filename": "people/lina.md",
        "reason": "r",
        "user_command": "delete it",
    }


def member(name: str) -> dict[str, object]:
    return {key: value for key, value in note(name).items() if key != "id"}


def send(workspace: Workspace, *proposals: object) -> None:
    for proposal in proposals:
        ran = memtui_here("propose", "-", "--workspace", workspace.root, stdin=json.dumps(proposal))
        assert ran.status == 0, ran.err


def run(workspace: Workspace, *args: str) -> Ran:
    return memtui_here(*args, "--workspace", workspace.root)


# --- --plan ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("hash", ["", " ", "0" * 63, "sha256:" + "0" * 57])
def test_a_hash_that_is_none_approves_nothing(workspace: Workspace, hash: str) -> None:
    allow_without_terminal()
    send(workspace, note("w1"))
    before = snapshot(workspace.memory)
    assert run(workspace, "approve", "w1", "--plan", hash).status == 2
    assert snapshot(workspace.memory) == before


def test_a_hash_binds_one_proposal_and_not_a_batch(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, CHAIN)
    first = run(workspace, "show", "b", "--json").json["members"][0]
    before = snapshot(workspace.memory)
    ran = run(workspace, "approve", "b", "--plan", first["plan"])
    assert ran.status == 2
    assert "b has 2" in ran.err
    assert snapshot(workspace.memory) == before


def test_show_of_a_batch_is_what_approving_it_writes(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, CHAIN)
    add, supersede = run(workspace, "show", "B", "--json").json["members"]
    assert (add["operation"], supersede["operation"]) == ("add", "supersede")
    assert (add["wants"], supersede["wants"]) == ([], [])
    assert run(workspace, "approve", "b").status == 0
    for change in (*add["changes"], *supersede["changes"]):
        if change["path"] != "index.md":
            assert (workspace.memory / change["path"]).read_text() == change["after"]
    [last] = [change["after"] for change in supersede["changes"] if change["path"] == "index.md"]
    assert (workspace.memory / "index.md").read_text() == last
    assert len({row["decision"] for row in run(workspace, "log", "--json").json}) == 1


def test_a_chain_of_refs_in_reverse_order_is_approved_whole(workspace: Workspace) -> None:
    allow_without_terminal()
    old, new = CHAIN["proposals"]
    last = {**old, "filename": "1704844800-run-5k-under-25-minutes.md", "successor": "ref:s"}
    send(workspace, {"id": "b", "proposals": [last, {**old, "ref": "s"}, new]})
    shown = run(workspace, "show", "b", "--json").json["members"]
    assert [(each["operation"], each["wants"]) for each in shown] == [
        ("add", []), ("supersede", []), ("supersede", [])
    ]  # fmt: skip
    ran = run(workspace, "approve", "b")
    assert ran.status == 0, ran.err
    assert f"superseded_by: {old['filename']}" in (workspace.memory / last["filename"]).read_text()


# --- the terminal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", [b"\x04", b"n\n", b"\n", b"yep\n", b"\xff\n"])
def test_only_a_yes_approves(workspace: Workspace, typed: bytes) -> None:
    send(workspace, note("w1"))
    ran = memtui_on_terminal("approve", "w1", "--workspace", workspace.root, answers=(typed,))
    assert ran.status == 1
    assert ran.err == "memtui: w1: not decided: it still waits\n"
    assert "+w1" in ran.out
    assert not (workspace.memory / "n/w1.md").exists()
    assert run(workspace, "decision", "w1").status == 4


def test_a_yes_approves_what_was_shown(workspace: Workspace) -> None:
    send(workspace, note("w1"))
    ran = memtui_on_terminal("approve", "w1", "--workspace", workspace.root, answers=(b"y\n",))
    assert ran.status == 0, ran.err
    assert "approve? [y/N]" in ran.out
    assert ran.out.endswith("approved n/w1.md\n")


def test_an_answer_that_was_typed_before_the_question_is_none(workspace: Workspace) -> None:
    send(workspace, note("w1"), note("w2"))
    args = ("approve", "w1", "w2", "--workspace", workspace.root)
    ran = memtui_on_terminal(*args, ahead=b"y\ny\ny\n", answers=(b"n\ny\n", b"y\n"))
    assert ran.err == "memtui: w1: not decided: it still waits\n"
    assert ran.out.endswith("approved n/w2.md\n")


def test_an_interrupt_decides_nothing_more(workspace: Workspace) -> None:
    send(workspace, note("w1"), note("w2"), note("w3"))
    ran = memtui_on_terminal(
        "approve", "w1", "w2", "w3", "--workspace", workspace.root, answers=(b"y\n", b"\x03")
    )
    assert ran.status == 130
    assert ran.out.endswith("approved n/w1.md\n")
    assert ran.err == "memtui: w2: interrupted: it still waits\nmemtui: w3: interrupted: it still waits\n"
    assert [item["id"] for item in run(workspace, "inbox", "--json").json] == ["w2", "w3"]


def test_what_is_asked_stays_out_of_the_json(workspace: Workspace) -> None:
    send(workspace, note("w1"))
    ran = memtui_on_terminal(
        "approve", "w1", "--json", "--workspace", workspace.root, answers=(b"y\n",), aside=True
    )
    assert ran.status == 0
    assert json.loads(ran.out[ran.out.index("[") :])[0]["verdict"] == "approved"
    assert "+w1" not in ran.out
    assert "+w1" in ran.err
    assert "approve? [y/N]" in ran.err


# --- several ---------------------------------------------------------------------------------------


def test_a_delete_is_approved_by_itself(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, note("w1"), delete("d1"), note("w2"))
    ran = run(workspace, "approve", "w1", "d1", "w2")
    assert ran.status == 1
    assert ran.err == "memtui: d1 is a delete: approve it by itself\n"
    assert ran.out == "approved n/w1.md\napproved n/w2.md\n"
    assert (workspace.memory / "people/lina.md").exists()
    assert run(workspace, "approve", "d1").status == 0
    assert not (workspace.memory / "people/lina.md").exists()


def test_a_delete_in_a_batch_is_left_out_of_it(workspace: Workspace) -> None:
    allow_without_terminal()
    send(
        workspace,
        {"id": "b", "proposals": [member("x"), delete(), member("y")]},
    )
    members = run(workspace, "show", "b", "--json").json["members"]
    assert sorted(member["operation"] for member in members) == ["delete", "write", "write"]
    ran = run(workspace, "approve", "b")
    assert ran.status == 1
    assert "is a delete: approve it by itself" in ran.err
    assert [item["operation"] for item in run(workspace, "inbox", "--json").json] == ["delete"]
    assert (workspace.memory / "people/lina.md").exists()


def test_a_member_that_has_become_impossible_holds_up_no_other(workspace: Workspace) -> None:
    allow_without_terminal()
    old = workspace.memory / "old.md"
    old.write_text("hi\n")
    edit = {"operation": "edit", "path": "old.md", "edits": [{"old": "hi", "new": "ho"}], "reason": "r"}
    send(workspace, {"id": "b", "proposals": [edit, member("x"), member("y")]})
    old.unlink()
    old.mkdir()
    ran = run(workspace, "approve", "b")
    assert (ran.status, ran.out) == (1, "approved n/x.md\napproved n/y.md\n")
    assert ran.err == "memtui: b.1: old.md is a folder, not a note.\n"
    assert [item["id"] for item in run(workspace, "inbox", "--json").json] == ["b.1"]


def test_a_stale_one_is_approved_by_itself(workspace: Workspace) -> None:
    allow_without_terminal()
    (workspace.memory / "a.md").write_text("---\ndescription: x\n---\nold\n")
    send(workspace, note("w1", "a.md", base_sha256="0" * 64), note("w2"))
    ran = run(workspace, "approve", "w1", "w2")
    assert (ran.status, ran.out) == (1, "approved n/w2.md\n")
    assert "w1 was made from an older version" in ran.err
    assert run(workspace, "approve", "w1").status == 0


def test_an_id_given_twice_is_decided_once(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, note("w1"))
    ran = run(workspace, "approve", "w1", "W1", "--json")
    assert (ran.status, [o["ok"] for o in ran.json]) == (0, [True])


def test_new_tags_are_let_in_where_there_are_some(workspace: Workspace) -> None:
    allow_without_terminal()
    add = {
        "title": "T",
        "body": "B.",
        "type": "fact",
        "confidence": "high",
        "context": "c",
        "tags": ["kite", "dune"],
    }
    send(workspace, note("w1"), {"operation": "add", "id": "a1", **add})
    ran = run(workspace, "approve", "w1", "a1")
    assert (ran.status, ran.err) == (1, "memtui: a1: it wants a yes to its new tags: add --accept-new-tags\n")
    send(workspace, note("w2"))
    assert run(workspace, "approve", "w2", "a1", "--accept-new-tags").status == 0


def test_the_same_headline_twice_is_told_apart(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, note("w1", "a.md"), note("w2", "a.md", content="other\n"))
    ran = run(workspace, "approve", "w1", "w2")
    assert ran.out == "approved a.md (w1)\napproved a.md (w2)\n"


def test_messages_name_an_id_once(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, note("w1"))
    run(workspace, "reject", "w1", "--reason", "no")
    for command in (["approve", "w1"], ["reject", "w1", "--reason", "x"]):
        ran = run(workspace, *command)
        assert ran.status == 1
        assert ran.err == "memtui: w1 is not pending but rejected, no: `memtui decision w1` says more\n"
    assert run(workspace, "approve", "nobody").err == "memtui: no proposal has the id nobody\n"


# --- undo ------------------------------------------------------------------------------------------


def test_undo_of_a_batch_takes_back_all_that_was_approved_together(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, CHAIN)
    before = snapshot(workspace.memory)
    assert run(workspace, "approve", "b").status == 0
    ran = run(workspace, "undo", "B")
    assert ran.status == 0, ran.err
    assert ran.out == "took back Eats meat now and then, Vegetarian since 2019\n"
    assert {k: v[0] for k, v in snapshot(workspace.memory).items()} == {k: v[0] for k, v in before.items()}
    assert run(workspace, "decision", "b").status == 4
    again = run(workspace, "undo", "b")
    assert (again.status, again.err) == (1, "memtui: b is taken back already\n")


def test_undo_of_a_batch_decided_one_by_one_goes_back_step_by_step(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, {"id": "b", "proposals": [member("x"), member("y")]})
    run(workspace, "approve", "b.1")
    run(workspace, "approve", "b.2")
    assert run(workspace, "undo", "b").out == "took back n/y.md\n"
    assert run(workspace, "undo", "b").out == "took back n/x.md\n"
    assert run(workspace, "undo", "b").err == "memtui: b is taken back already\n"


def test_undo_twice_says_so(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, note("u"))
    run(workspace, "approve", "u")
    assert run(workspace, "undo", "u").out == "took back n/u.md\n"
    assert run(workspace, "undo", "U").err == "memtui: U is taken back already\n"
    assert (
        run(workspace, "undo", "1").err
        == "memtui: u: decision 1 cannot be undone: decision 2 took it back already\n"
    )
    assert run(workspace, "undo").err == "memtui: there is nothing to undo\n"


@pytest.mark.parametrize("name", ["", "nobody", "99", "9" * 40, "-", "٣"])
def test_undo_of_what_was_never_decided(workspace: Workspace, name: str) -> None:
    ran = run(workspace, "undo", name)
    assert ran.status == 1
    assert ran.err.startswith("memtui: no decision has the number or id ")


def test_undo_of_an_id_that_looks_like_a_number(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, note("77"))
    run(workspace, "approve", "77")
    assert run(workspace, "undo", "77").out == "took back n/77.md\n"


# --- from Python -----------------------------------------------------------------------------------


def test_python_gets_a_tool_error_for_what_a_room_announces(workspace: Workspace) -> None:
    import memtui as package

    workspace.journal.write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(package.memory.ToolError, match="journal"):
        package.call("memory_pending", {}, workspace=workspace.root)
    with pytest.raises(package.memory.ToolError, match="journal"):
        package.memory.write("a.md", "s", "c", workspace=workspace.root)
    with pytest.raises(package.memory.ToolError, match="JSON"):
        package.call("memory_write", {"path": Path("a.md")}, workspace=workspace.root)  # type: ignore[dict-item]
