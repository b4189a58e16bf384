"""What inbox, show, log and decision print: all that a person must see, and nothing that steers a terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.review.history import problem_sentence
from tests.support import Ran, allow_without_terminal, memtui_here

STEER = "\x1b[31m\x9b2J\u202e"


def note(id: str, path: str = "", **more: object) -> dict[str, object]:
    path = path or f"n/{id}.md"
    return {"operation": "write", "id": id, "path": path, "summary": "s", "content": f"{id}\n", **more}


def member(name: str) -> dict[str, object]:
    return {key: value for key, value in note(name).items() if key != "id"}


def send(workspace: Workspace, *proposals: object) -> list[str]:
    """Propose each; their ids."""
    ids = []
    for proposal in proposals:
        ran = memtui_here("propose", "-", "--workspace", workspace.root, stdin=json.dumps(proposal))
        assert ran.status == 0, ran.err
        ids.append(ran.out.strip())
    return ids


def run(workspace: Workspace, *args: str) -> Ran:
    return memtui_here(*args, "--workspace", workspace.root)


# --- nothing steers the terminal -------------------------------------------------------------------


def test_nothing_from_outside_reaches_the_terminal_raw(workspace: Workspace) -> None:
    allow_without_terminal()
    agent = {"agent": f"a{STEER}", "session": f"s{STEER}", "cwd": f"/x{STEER}", f"odd{STEER}": f"v{STEER}"}
    send(
        workspace,
        note("w1", summary="s\u202e", content=f"c{STEER}\n", reason="r\u202e", **agent),
        note("w2"),
    )
    in_one_line = json.dumps(note("w3", summary=f"s{STEER}", reason=f"r{STEER}", **agent))
    refused = memtui_here(
        "propose",
        "-",
        "--workspace",
        workspace.root,
        stdin=json.dumps({"operation": f"o{STEER}", "id": "o1", **agent}),
    )
    (workspace.spool / f"x{STEER}.json").symlink_to("/nowhere")
    shown = [refused, memtui_here("propose", "-", "--workspace", workspace.root, stdin=in_one_line)]
    for command in (
        ["inbox"],
        ["show", "w1"],
        ["show", f"w{STEER}"],
        ["decision", "o1"],
        ["decision", f"w{STEER}"],
    ):
        shown.append(run(workspace, *command))
    shown.append(run(workspace, "reject", "w2", f"w{STEER}", "--reason", f"no{STEER}"))
    shown.append(run(workspace, "approve", "w1", f"w{STEER}"))
    for command in (
        ["decision", "w2"],
        ["log"],
        ["undo", f"w{STEER}"],
        ["undo", "w1"],
        ["list"],
        ["check"],
        ["catalog"],
    ):
        shown.append(run(workspace, *command))
    for ran in shown:
        raw = re.search(r"[^\n\t\x20-\x7e\xa0-\u2027\u2030-\uffff]", ran.out + ran.err)
        assert raw is None, (raw, ran)


# --- inbox -----------------------------------------------------------------------------------------


def test_inbox_gives_every_item_the_same_keys(workspace: Workspace) -> None:
    send(workspace, note("w1", agent="me", session="s1"))
    memtui_here("propose", "-", "--workspace", workspace.root, stdin='{"operation": "write", "id": "w2"}')
    (workspace.spool / "folder.json").mkdir()
    waits, refused, unreadable = run(workspace, "inbox", "--json").json
    assert set(waits) == set(refused) == set(unreadable)
    assert [item["state"] for item in (waits, refused, unreadable)] == ["pending", "refused", "unreadable"]
    assert (waits["file"], waits["refused_at"], waits["session"]) == ("w1.json", None, "s1")
    assert (refused["headline"], refused["first_seen"], refused["session"]) == (None, None, None)
    assert refused["refused_at"] > 0


def test_inbox_is_two_lines_an_item_and_says_what_is_wrong(workspace: Workspace) -> None:
    path = workspace.memory / "a.md"
    path.write_text("old text\n")
    send(
        workspace,
        {
            "operation": "edit",
            "id": "e1",
            "path": "a.md",
            "reason": "r",
            "edits": [{"old": "old", "new": "x"}],
        },
    )
    send(workspace, note("w1", "prefs/tea.md", agent="me"))
    path.write_text("other\n")
    lines = run(workspace, "inbox").out.splitlines()
    assert lines[0].startswith("~ a.md  now  unknown agent")
    assert lines[1] == "    e1"
    assert lines[2].startswith("    problem: ")
    assert lines[3:] == ["+ prefs/tea.md  now  me", "    w1"]


def test_a_broken_settings_file_is_said_where_proposals_are_asked_for(workspace: Workspace) -> None:
    [done] = send(workspace, note("w0"))
    assert run(workspace, "reject", done, "--reason", "no").status == 0
    (workspace.spool / "w1.json").write_text(json.dumps(note("w1")))
    (workspace.spool / "w2.json").write_text(json.dumps(note("w2")))
    workspace.config.write_text("memory = [\n")
    missed = "2 files are in the spool, not read until the settings file is mended"
    assert run(workspace, "status").out == "2 waiting, 0 refused\n".replace(", 0 refused", "")
    inbox = run(workspace, "inbox")
    assert (inbox.status, inbox.out) == (1, f"{missed}\n")
    assert run(workspace, "inbox", "--json").status == 1
    assert missed in run(workspace, "show", "w1").err
    assert missed in run(workspace, "decision", "nobody").err
    assert run(workspace, "decision", "w1").status == 4
    assert run(workspace, "decision", done).status == 3
    for command in (
        ["approve", "w1"],
        ["reject", "w1", "--reason", "no"],
        ["undo"],
        ["recover"],
        ["inbox", "--dismiss", "x"],
    ):
        ran = run(workspace, *command)
        assert ran.status == 1
        assert ran.out == ""
        assert len(ran.err.splitlines()) == 1, ran.err


def test_warnings_are_given_once(workspace: Workspace) -> None:
    workspace.config.write_text("settle = 3\n[review]\napprove_without_terminal = true\n")
    [id] = send(workspace, note("w1"))
    for command in (["show", id], ["approve", id], ["decision", id], ["inbox"]):
        lines = run(workspace, *command).err.splitlines()
        assert len(lines) == len(set(lines))
        assert sum("memtui trust" in line for line in lines) == 1


def test_dismiss_takes_a_refused_item_off_the_list(workspace: Workspace) -> None:
    memtui_here("propose", "-", "--workspace", workspace.root, stdin='{"operation": "write", "id": "Bad"}')
    send(workspace, note("w1"))
    (workspace.spool / "folder.json").mkdir()
    assert (
        run(workspace, "inbox", "--dismiss", "w1").err
        == "memtui: w1 waits for a decision: approve or reject it\n"
    )
    assert "folder.json is a file in the spool" in run(workspace, "inbox", "--dismiss", "folder.json").err
    assert run(workspace, "inbox", "--dismiss", "nobody").status == 1
    done = run(workspace, "inbox", "--dismiss", "bad")
    assert (done.status, done.out) == (0, "dismissed Bad\n")
    assert [item["id"] for item in run(workspace, "inbox", "--json").json] == ["w1", "folder.json"]


# --- show ------------------------------------------------------------------------------------------


def test_show_prints_the_claims_and_unknown_fields(workspace: Workspace) -> None:
    claims = {
        "agent": "me",
        "session": "s1",
        "cwd": "/proj",
        "created": "2026-01-02",
        "attended": False,
        "source": "web",
    }
    send(
        workspace,
        note("w1", reason="asked for", mood={"x": [1]}, **claims),
        note("w2", attended=True),
        note("w3"),
    )
    text = run(workspace, "show", "w1").out
    for line in (
        "from       me · s1 · says it is from the web · ran unattended",
        "in         /proj",
        "made       2026-01-02",
        "why        asked for",
        'also       mood: {"x": [1]}',
        "id         w1",
    ):
        assert line in text.splitlines()
    shown = run(workspace, "show", "w1", "--json").json
    assert shown["claims"] == {
        **{k: claims[k] for k in ("session", "cwd", "created", "attended", "source")},
        "base_sha256": "",
    }
    assert (shown["agent"], shown["reason"], shown["unknown"]) == ("me", "asked for", {"mood": {"x": [1]}})
    assert (shown["user_command"], shown["statement"]) == (None, None)
    assert "says that you are watching" in run(workspace, "show", "w2").out
    assert "does not say whether you watch" in run(workspace, "show", "w3").out


def test_show_quotes_what_a_delete_and_a_contradiction_rest_on(
    workspace: Workspace, proposals: dict[str, Path]
) -> None:
    for number, key, label in (("08", "user_command", "you said"), ("11", "statement", "statement")):
        words = json.loads(proposals[number].read_text())[key]
        [id] = send(workspace, json.loads(proposals[number].read_text()))
        assert f"{label:<11}“{words}”" in run(workspace, "show", id).out.splitlines()
        assert run(workspace, "show", id, "--json").json[key] == words


def test_wants_name_the_option_that_answers_them(workspace: Workspace, proposals: dict[str, Path]) -> None:
    [id] = send(workspace, json.loads(proposals["11"].read_text()))
    text = run(workspace, "show", id).out
    assert "wanted     a choice: add --choose refinement or --choose replacement" in text
    new = {"title": "T", "body": "B.", "type": "fact", "confidence": "high", "context": "c"}
    send(
        workspace,
        {"operation": "add", "id": "a1", **new},
        {"operation": "add", "id": "a2", **new, "tags": ["kite", "dune"]},
    )
    assert "add --tags a,b" in run(workspace, "show", "a1").out
    assert "add --accept-new-tags" in run(workspace, "show", "a2").out
    assert "level 1" in run(workspace, "show", "a2").out


def test_show_says_why_an_id_does_not_wait(workspace: Workspace) -> None:
    send(workspace, note("w1"))
    run(workspace, "reject", "w1", "--reason", "not mine.")
    memtui_here(
        "propose",
        "-",
        "--workspace",
        workspace.root,
        stdin='{"operation": "write", "id": "w2", "path": "a.md", "summary": "s"}',
    )
    ran = run(workspace, "show", "w1")
    assert ran.status == 1
    assert ran.err == "memtui: w1 is not pending but rejected, not mine: `memtui decision w1` says more\n"
    ran = run(workspace, "show", "w2")
    assert ran.err.startswith("memtui: w2 is not pending but refused, `content` is missing")
    assert ran.err.endswith("`memtui decision w2` says more\n")
    assert run(workspace, "show", "nobody").err == "memtui: no proposal has the id nobody\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--choose", "both"], "--choose goes with a contradiction"),
        (["--tags", "a,b"], "--tags goes with"),
        (["--accept-new-tags"], "--accept-new-tags goes with"),
    ],
)
def test_options_that_do_not_fit_are_refused(workspace: Workspace, options: list[str], message: str) -> None:
    allow_without_terminal()
    send(workspace, note("w1"))
    shown = run(workspace, "show", "w1", *options)
    assert (shown.status, shown.out) == (2, "")
    assert message in shown.err
    done = run(workspace, "approve", "w1", *options)
    assert done.status == 1
    assert message in done.err
    assert not (workspace.memory / "n/w1.md").exists()


def test_tags_do_not_fit_a_note_that_is_no_entry(workspace: Workspace) -> None:
    send(workspace, {"operation": "replace", "id": "r1", "path": "a.md", "text": "x\n", "reason": "r"})
    shown = run(workspace, "show", "r1", "--tags", "health,food")
    assert (shown.status, shown.err) == (2, "memtui: --tags goes with an entry, and a.md is none\n")


# --- log -------------------------------------------------------------------------------------------


def test_log_says_what_it_was_whose_and_what_became_of_it(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, note("w1", agent="me"), note("w2", "b.md"))
    run(workspace, "approve", "w1")
    run(workspace, "undo", "w1")
    run(workspace, "reject", "w2", "--reason", "no")
    lines = [
        re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", line) for line in run(workspace, "log").out.splitlines()
    ]
    assert lines == [
        "3  TIME  rejected  write  b.md · w2",
        "2  TIME  undone    write  n/w1.md · me · w1 · took back 1",
        "1  TIME  approved  write  n/w1.md · me · w1 · taken back by 2",
    ]
    rows = run(workspace, "log", "--json", "--limit", "2").json
    assert [(row["decision"], row["undoes"], row["undone_by"], row["undoable"]) for row in rows] == [
        (3, None, None, True),
        (2, 1, None, False),
    ]


def test_log_only_reads(workspace: Workspace) -> None:
    ran = run(workspace, "log")
    assert (ran.status, ran.out) == (0, "nothing has been decided\n")
    assert not workspace.journal.exists()


# --- decision --------------------------------------------------------------------------------------


def test_a_proposal_sent_again_is_pending_whatever_became_of_it_before(workspace: Workspace) -> None:
    bad = {"operation": "write", "id": "w1", "path": "a.md"}
    memtui_here("propose", "-", "--workspace", workspace.root, stdin=json.dumps(bad))
    assert run(workspace, "decision", "w1").status == 1
    (workspace.spool / "w1.json").write_text(json.dumps(note("w1")))
    assert run(workspace, "decision", "w1").status == 4
    run(workspace, "inbox")
    assert run(workspace, "decision", "w1").status == 4
    (workspace.spool / "w1.json").unlink()
    run(workspace, "inbox")
    assert (run(workspace, "decision", "w1").status, run(workspace, "decision", "w1").out) == (
        1,
        "withdrawn\n",
    )
    send(workspace, note("w1"))
    assert run(workspace, "decision", "W1", "--json").json == {"id": "W1", "state": "pending"}


def test_decision_of_a_batch(workspace: Workspace) -> None:
    allow_without_terminal()
    send(workspace, {"id": "b", "proposals": [member("x"), member("y")]})
    ids = [item["id"] for item in run(workspace, "inbox", "--json").json]
    assert run(workspace, "decision", "b").status == 4
    run(workspace, "approve", ids[0])
    assert run(workspace, "decision", "b").status == 4
    run(workspace, "reject", ids[1], "--reason", "no")
    told = run(workspace, "decision", "b")
    assert (told.status, told.out) == (1, f"mixed\n{ids[0]}  approved\n{ids[1]}  rejected\n")
    assert run(workspace, "decision", "b", "--json").json["state"] == "decided"
    run(workspace, "undo", ids[1])
    assert run(workspace, "decision", "b").status == 4


def test_a_batch_that_is_refused_says_what_is_wrong_with_each_member(workspace: Workspace) -> None:
    batch = {
        "id": "b",
        "proposals": [{"operation": "write", "path": "a.md", "summary": "s"}, {"operation": "fly"}],
    }
    ran = memtui_here("propose", "-", "--workspace", workspace.root, stdin=json.dumps(batch))
    assert (ran.status, ran.out) == (1, "b\nrefused\nb.1  refused\nb.2  refused\n")
    first, second = ran.err.splitlines()
    assert first.startswith("memtui: b.1: `content` is missing")
    assert second.startswith("memtui: b.2: `operation` is `fly`")


def test_problems_are_not_named_twice() -> None:
    assert problem_sentence("content", "`content` is missing: give it.") == "`content` is missing: give it."
    assert problem_sentence("tags[0]", "6 tags are too many") == "6 tags are too many"
    assert (
        problem_sentence("replacement.hook", "The hook of a.md cannot be changed")
        == "The hook of a.md cannot be changed"
    )
    assert problem_sentence("filename", "a.md does not exist") == "filename: a.md does not exist"
    assert problem_sentence("", "a.md does not exist") == "a.md does not exist"


# --- notes and setup -------------------------------------------------------------------------------


def test_nothing_found_is_said(workspace: Workspace, tmp_path: Path) -> None:
    assert run(workspace, "search", "no", "such\x1bword").out.startswith("no note holds no such")
    assert memtui_here("init", tmp_path / "new").out.endswith(f"made {tmp_path / 'new/memory'} (empty)\n")
    at = ("--workspace", tmp_path / "new")
    assert memtui_here("list", *at).out == "no notes yet\n"
    assert memtui_here("catalog", *at).out == ""
    assert memtui_here("list", "--json", *at).json == []


@pytest.mark.parametrize("option", ["--memory", "--spool"])
def test_init_names_the_file_that_should_be_a_folder(tmp_path: Path, option: str) -> None:
    (tmp_path / "notes").write_text("x")
    ran = memtui_here("init", tmp_path / "d", option, tmp_path / "notes")
    assert ran.status == 1
    assert str(tmp_path / "notes") in ran.err
    assert not (tmp_path / "d").exists()
