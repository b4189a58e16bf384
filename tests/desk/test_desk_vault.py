"""A value of the person's vault: stopped before anyone is asked, kept nowhere, and theirs to let through."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.agents import tools
from memtui.config import Workspace, load
from memtui.desk import Desk
from memtui.review import proposing
from memtui.review.items import Preview
from tests.support import allow_without_terminal, decision, memtui

VALUE = "mellow-Badger!42"
"""No rule for known formats finds it."""
OTHER = "quiet-Otter+77"
TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"


@pytest.fixture
def vault(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A workspace whose owner's settings name a `.env` file outside of it."""
    (tmp_path / "secrets.env").write_text(f"DB_PASSWORD={VALUE}\nPIN_CODE={OTHER}\n")
    write_own_settings(f'[vault]\nfiles = ["{tmp_path / "secrets.env"}"]\n')
    return load(workspace.root)


@pytest.fixture
def desk(vault: Workspace) -> Iterator[Desk]:
    with Desk(vault) as opened:
        yield opened


def write_own_settings(text: str) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui"
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.toml").write_text(text)


def proposal(**fields: object) -> bytes:
    given = {"operation": "write", "path": "a.md", "summary": "s", "content": "c\n", "id": "p1", **fields}
    return json.dumps(given).encode()


def leftovers(root: Path, *needles: str) -> list[str]:
    """Files under `root` whose names or bytes hold one of the texts."""
    found = []
    for path in root.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        if any(needle in str(path) or needle.encode() in data for needle in needles):
            found.append(str(path))
    return found


# --- nobody is asked, nothing is kept ------------------------------------------------------------

PLACES: dict[str, dict[str, object]] = {
    "content": {"content": f"so: {VALUE}\n"},
    "summary": {"summary": VALUE},
    "path": {"path": f"x/{VALUE}.md"},
    "reason": {"reason": f"because {VALUE}"},
    "agent": {"agent": VALUE},
    "session": {"session": VALUE},
    "id": {"id": "quiet-Otter-77"},
    "unknown field": {"more": {"deep": [1, {"x": VALUE}]}},
    "name of a field": {f"x {VALUE}": 1},
    "operation": {"operation": VALUE},
    "what is refused": {"operation": "write", "content": 7, "summary": VALUE},
    "base64": {"content": "bWVsbG93LUJhZGdlciE0Mg==\n"},
    "split": {"content": "mellow-\nBad ger!42\n"},
    "percent": {"content": "mellow%2DBadger%2142\n"},
}


@pytest.mark.parametrize("place", PLACES)
def test_it_is_blocked_wherever_it_stands_and_no_byte_of_it_stays(
    vault: Workspace, tmp_path: Path, place: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if place == "id":
        (tmp_path / "secrets.env").write_text(f"DB_PASSWORD={VALUE}\nPIN_CODE=quiet-Otter-77\n")
    before = (tmp_path / "secrets.env").read_bytes()
    (vault.spool / ".x.tmp").write_bytes(proposal(**PLACES[place]))
    (vault.spool / ".x.tmp").rename(vault.spool / "x.json")
    with Desk(vault) as desk:
        desk.take_in()
        assert not desk.items()
        (refusal,) = desk.refusals()
        assert refusal.verdict == "blocked"
        assert {hit.rule for hit in refusal.hits} <= {"vault DB_PASSWORD", "vault PIN_CODE"}
        assert refusal.hits
        assert all(len(hit.fingerprint) == 16 and hit.line >= 1 and hit.length >= 14 for hit in refusal.hits)
        told = decision(vault, refusal.id)
        assert told["verdict"] == "blocked"
        rows = desk.log()
        assert rows[0].verdict == "blocked"
        assert not rows[0].note
        shown = repr((refusal, told, rows, desk.check(), desk.status()))
    (tmp_path / "secrets.env").write_bytes(b"")
    hidden = ("bWVsbG93LUJhZGdlciE0Mg", "ger!42", "mellow%2DBadger", "tter-77")
    assert not leftovers(tmp_path, VALUE, *hidden)
    assert not leftovers(Path(os.environ["HOME"]), VALUE, *hidden)
    assert not any(each in text for each in (VALUE, *hidden) for text in (shown, *capfd.readouterr()))
    (tmp_path / "secrets.env").write_bytes(before)


def test_the_name_of_a_file_is_masked(vault: Workspace, tmp_path: Path) -> None:
    (vault.spool / f"{VALUE}.json").write_bytes(proposal())
    (vault.spool / f"{VALUE}-dir.json").mkdir()
    with Desk(vault) as desk:
        desk.take_in()
        assert VALUE not in repr((desk.refusals(), desk.items(), desk.log()))
        assert any(refusal.verdict == "unreadable" for refusal in desk.refusals())
    (vault.spool / f"{VALUE}-dir.json").rmdir()
    (tmp_path / "secrets.env").unlink()
    assert not leftovers(tmp_path, VALUE)


def test_the_executable_blocks_it_and_says_no_word_of_it(vault: Workspace, tmp_path: Path) -> None:
    ran = memtui("propose", "-", "--workspace", vault.root, stdin=proposal(content=VALUE).decode())
    assert ran.status == 5
    assert "vault DB_PASSWORD" in ran.err
    assert VALUE not in ran.out + ran.err
    (tmp_path / "secrets.env").unlink()
    assert not leftovers(tmp_path, VALUE)


def test_agents_are_shown_bars_in_its_place(vault: Workspace) -> None:
    (vault.memory / "old.md").write_text(
        f"---\ndescription: the {VALUE} one\n---\nfirst\nit is {VALUE} there\n"
    )
    read = tools.memory_read(vault, {"path": "old.md"})
    assert VALUE not in repr(read)
    assert "it is [redacted: vault DB_PASSWORD] there" in repr(read)
    assert VALUE not in repr(tools.memory_catalog(vault, {}))
    found = tools.memory_search(vault, {"query": "first it is"})
    assert "old.md" in repr(found)
    assert VALUE not in repr(found)
    ran = memtui("call", "memory_read", '{"path": "old.md"}', "--workspace", vault.root)
    assert VALUE not in ran.out


# --- what the person writes ----------------------------------------------------------------------


def test_it_is_stopped_in_edits_own_changes_reasons_notes_and_drafts(desk: Desk, vault: Workspace) -> None:
    proposing.propose(vault, proposal())
    desk.take_in()
    text = desk.preview("p1").text
    edited = desk.edit("p1", text.replace("c\n", f"{VALUE}\n"))
    assert isinstance(edited, tuple)
    assert "vault DB_PASSWORD" in edited[0].message
    own = desk.compose({"operation": "write", "path": "b.md", "summary": VALUE, "content": "x"})
    assert isinstance(own, tuple)
    assert not desk.save_draft("p1", f"half of a text with {VALUE}")
    for outcome in (
        desk.reject("p1", f"not {VALUE}"),
        desk.reject("p1", "no", note=f"since {VALUE}"),
        desk.approve("p1", desk.preview("p1").plan.hash, note=f"as {VALUE}"),
    ):
        assert not outcome.ok
        assert "looks like a secret" in outcome.message
    assert [item.id for item in desk.items()] == ["p1"]
    desk.close()
    assert not leftovers(vault.root, VALUE)


def test_what_waits_is_screened_again_when_the_vault_has_changed(
    desk: Desk, vault: Workspace, tmp_path: Path
) -> None:
    for id, text in (("p1", "fresh-Heron.55"), ("p2", "nothing")):
        proposing.propose(vault, proposal(id=id, content=text))
    desk.take_in()
    assert {item.id for item in desk.items()} == {"p1", "p2"}
    (tmp_path / "secrets.env").write_text("NEW_TOKEN=fresh-Heron.55\n")
    desk.take_in()
    assert [item.id for item in desk.items()] == ["p2"]
    assert decision(vault, "p1")["verdict"] == "blocked"
    (tmp_path / "secrets.env").unlink()
    assert not leftovers(vault.root, "fresh-Heron.55")


# --- the person says that it is none -------------------------------------------------------------


def blocked(desk: Desk, vault: Workspace, data: bytes) -> tuple[str, str]:
    """The rule and the fingerprint of what a proposal is blocked for; ("", "") where it is not."""
    id = proposing.propose(vault, data)
    desk.take_in()
    if id in {item.id for item in desk.items()}:
        return "", ""
    hit = next(refusal for refusal in desk.refusals() if refusal.id == id).hits[0]
    return hit.rule, hit.fingerprint


@pytest.mark.parametrize("value", [VALUE, TOKEN])
def test_what_has_a_marked_fingerprint_may_be_sent_again(desk: Desk, vault: Workspace, value: str) -> None:
    rule, fingerprint = blocked(desk, vault, proposal(content=value))
    assert desk.mark(fingerprint=fingerprint).ok
    assert blocked(desk, vault, proposal(content=value)) == ("", "")
    assert blocked(desk, vault, proposal(id="p2", content=f"{value}\nnext {value}\n")) == ("", "")
    assert blocked(desk, vault, proposal(id="p3", content=f"{value} {OTHER}"))[0] == "vault PIN_CODE"
    assert desk.mark(fingerprint=fingerprint, secret=True).ok
    assert blocked(desk, vault, proposal(id="p4", content=value)) == (rule, fingerprint)


def test_a_marked_rule_finds_nothing_but_values_of_the_vault_are_still_found(
    desk: Desk, vault: Workspace
) -> None:
    rule, _ = blocked(desk, vault, proposal(content="password=tr0ub4dor&3x"))
    assert desk.mark(rule=rule).ok
    assert blocked(desk, vault, proposal(content="password=tr0ub4dor&3x")) == ("", "")
    assert blocked(desk, vault, proposal(id="p2", content=f"password={VALUE}"))[0] == "vault DB_PASSWORD"
    assert not desk.mark(rule="vault DB_PASSWORD").ok
    assert not desk.mark(fingerprint="0f").ok


def test_marks_are_salted_hashes_for_the_person_alone_and_do_not_come_with_a_clone(
    desk: Desk, vault: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, fingerprint = blocked(desk, vault, proposal(content=VALUE))
    desk.mark(fingerprint=fingerprint)
    for name in ("salt", "not-secrets.json"):
        assert stat.S_IMODE((vault.state / name).stat().st_mode) == 0o600
    assert not leftovers(vault.root, VALUE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    with Desk(vault) as elsewhere:
        assert blocked(elsewhere, vault, proposal(id="p9", content=VALUE))[0] == "vault DB_PASSWORD"


def test_fingerprints_differ_between_workspaces(desk: Desk, vault: Workspace, tmp_path: Path) -> None:
    from memtui.config import init

    other = init(tmp_path / "other")
    _, here = blocked(desk, vault, proposal(content=VALUE))
    with Desk(other) as there:
        assert blocked(there, other, proposal(content=VALUE))[1] != here


# --- settings and the command --------------------------------------------------------------------


def test_sources_of_a_workspaces_own_settings_count_only_once_it_is_trusted(workspace: Workspace) -> None:
    (workspace.root / "team.env").write_text(f"KEY={VALUE}\n")
    workspace.config.write_text('[vault]\nfiles = ["team.env"]\ncommands = [["touch", "ran"]]\n')
    allow_without_terminal()
    ran = memtui("vault", "--json", cwd=workspace.root)
    assert ran.json["values"] == []
    assert "vault.files of this workspace does not count" in ran.err
    assert not (workspace.root / "ran").exists()
    assert memtui("trust", cwd=workspace.root).status == 0
    ran = memtui("vault", "--json", cwd=workspace.root)
    assert [value["name"] for value in ran.json["values"]] == ["KEY"]
    assert [failed["why"] for failed in ran.json["failed"]] == ["it printed nothing"]
    assert ran.status == 1


@pytest.mark.parametrize(
    "text",
    [
        "vault = 3",
        "[vault]\nfiles = 3",
        "[vault]\nfiles = [3]",
        "[vault]\ncommands = ['pass show x']",
        "[vault]\nkeyring = [['a']]",
        "[vault]\nother = 1",
        "[vault]\nfiles = ['a\\u0000b']",
        "[vault]\ncommands = [[]]",
    ],
)
def test_settings_of_the_wrong_kind_are_one_sentence(workspace: Workspace, text: str) -> None:
    write_own_settings(text.replace("'", '"'))
    ran = memtui("vault", cwd=workspace.root)
    assert ran.status == 0
    assert ran.err.count("\n") == 1
    assert "vault" in ran.err


def test_the_command_lists_names_and_sources_never_values(vault: Workspace) -> None:
    ran = memtui("vault", cwd=vault.root)
    assert ran.status == 0
    assert "vault: 2 of 2 values used" in ran.out
    assert "DB_PASSWORD" in ran.out
    assert "secrets.env" in ran.out
    assert ran.out.startswith("screen: built-in rules")
    as_json = memtui("vault", "--json", cwd=vault.root)
    assert [value["used"] for value in as_json.json["values"]] == [True, True]
    assert not any(value in ran.out + as_json.out for value in (VALUE, OTHER))


def test_a_source_that_fails_is_said_by_vault_and_by_check(vault: Workspace, tmp_path: Path) -> None:
    (tmp_path / "secrets.env").unlink()
    assert memtui("vault", cwd=vault.root).status == 1
    ran = memtui("check", cwd=vault.root)
    assert ran.status == 1
    assert "there is no such file" in ran.out
    with Desk(vault) as desk:
        assert [finding.kind for finding in desk.check() if finding.kind == "vault"] == ["vault"]


def test_marking_wants_a_terminal(vault: Workspace) -> None:
    for option in (("--not-a-secret", "0" * 16), ("--rule", "card number"), ("--again", "card number")):
        ran = memtui("vault", *option, cwd=vault.root)
        assert ran.status == 1
        assert "terminal" in ran.err
    assert not (vault.state / "not-secrets.json").exists()


def test_the_inbox_lists_all_but_the_value(vault: Workspace) -> None:
    memtui("propose", "-", stdin=proposal(content=f"a\n{VALUE}\n", agent="me").decode(), cwd=vault.root)
    ran = memtui("inbox", cwd=vault.root)
    listed = memtui("inbox", "--json", cwd=vault.root).json
    (hit,) = listed[0]["hits"]
    assert (hit["rule"], hit["field"], hit["line"], hit["length"]) == ("vault DB_PASSWORD", "content", 2, 16)
    assert (
        f"fingerprint {hit['fingerprint']} · vault DB_PASSWORD · content, line 2 · 16 characters" in ran.out
    )
    assert (listed[0]["agent"], listed[0]["operation"], listed[0]["state"]) == ("me", "write", "blocked")


def test_undo_and_preview_are_as_ever(desk: Desk, vault: Workspace) -> None:
    proposing.propose(vault, proposal())
    desk.take_in()
    shown = desk.preview("p1")
    assert isinstance(shown, Preview)
    assert desk.approve("p1", shown.plan.hash).ok
    assert desk.undo().ok


def test_what_is_marked_by_the_command_may_be_sent_again(workspace: Workspace) -> None:
    allow_without_terminal()
    given = proposal(content=f"so: {TOKEN}\n").decode()
    assert memtui("propose", "-", stdin=given, cwd=workspace.root).status == 5
    (hit,) = memtui("inbox", "--json", cwd=workspace.root).json[0]["hits"]
    ran = memtui("vault", "--not-a-secret", hit["fingerprint"].upper(), cwd=workspace.root)
    assert (ran.status, ran.err) == (0, "")
    assert "may send it again" in ran.out
    assert memtui("propose", "-", stdin=given, cwd=workspace.root).status == 0
    assert hit["fingerprint"] in memtui("vault", cwd=workspace.root).out
    assert memtui("vault", "--again", hit["fingerprint"], cwd=workspace.root).status == 0
    again = proposal(id="p2", content=f"so: {TOKEN}\n").decode()
    assert memtui("propose", "-", stdin=again, cwd=workspace.root).status == 5
    assert memtui("vault", "--rule", hit["rule"], cwd=workspace.root).status == 0
    assert memtui("propose", "-", stdin=again, cwd=workspace.root).status == 0
    for wrong in (("--not-a-secret", "xyz"), ("--rule", "vault KEY")):
        ran = memtui("vault", *wrong, cwd=workspace.root)
        assert ran.status == 1
        assert ran.err.count("\n") == 1


@pytest.mark.parametrize("agent", ["me", "claude-code"])
def test_what_is_no_secret_as_markdown_is_none_as_json(desk: Desk, vault: Workspace, agent: str) -> None:
    texts = ("Exam result, pass: 14/20", "no passcode needed, host Ana", "passed: 212, pass: 98.6%")
    for number, text in enumerate(texts):
        id = desk.propose(proposal(content=f"{text}\n", agent=agent, id=f"text{number}"))
        assert id in [item.id for item in desk.items()]


def test_a_name_in_json_tells_what_its_value_is(desk: Desk, vault: Workspace) -> None:
    desk.propose(proposal(id="odd", more=[{"name": "db password", "value": "h7!kLq92mXz"}]))
    assert decision(vault, "odd")["verdict"] == "blocked"
