"""The gate at the desk: what is applied without asking, how it is kept and taken back, and what never is."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from memtui.config import Workspace, load, trust
from memtui.desk import Desk
from memtui.review.items import Outcome
from tests.support import decision

SETTINGS = """
[[spools]]
name = "chat"
ruling = "allow"

[[spools]]
name = "nightly"

[[rules]]
path = "private/**"
ruling = "deny"

[[rules]]
spool = ""
path = "people/*"
ruling = "allow"
"""


@pytest.fixture
def ruled(workspace: Workspace) -> Workspace:
    """A workspace with two more spools and a few rules."""
    workspace.config.write_text(SETTINGS)
    trust(workspace.root)
    return load(workspace.root)


def note(path: str = "people/eva.md", **more: object) -> bytes:
    return json.dumps(
        {"operation": "write", "path": path, "summary": "s", "content": "Text.\n", **more}
    ).encode()


def drop(workspace: Workspace, name: str, data: bytes, spool: str = "") -> None:
    place = next(place.path for place in workspace.spools if place.name == spool)
    (place / f".{name}.tmp").write_bytes(data)
    (place / f".{name}.tmp").rename(place / name)


def apply(desk: Desk) -> tuple[Outcome, ...]:
    desk.take_in()
    return desk.apply_allowed()


def test_an_allowed_write_is_applied_told_and_kept_with_its_rule(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        desk.propose(note(id="eva"))
        [outcome] = apply(desk)
        assert (outcome.ok, outcome.verdict) == (True, "approved")
        assert outcome.message == "approved people/eva.md · allowed by rule people/*, spool own"
        [row] = desk.log()
        assert (row.by, row.note, row.undoable) == ("allowed by rule people/*, spool own", "", True)
        assert desk.items() == ()
    assert (ruled.memory / "people/eva.md").exists()
    assert decision(ruled, "eva")["verdict"] == "approved"
    assert "allowed" not in (ruled.decisions / "eva.json").read_text(), "what the rules are is not told"
    assert not (ruled.spool / "eva.json").exists()


def test_only_who_applies_applies(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        drop(ruled, "eva.json", note())
        desk.take_in()
        assert [item.id for item in desk.items()] == ["eva"]
        desk.preview("eva")
    assert not (ruled.memory / "people/eva.md").exists()


def test_what_waits_is_applied_once_somebody_watches(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        desk.propose(note(id="eva"))
    with Desk(ruled) as desk:
        assert [outcome.id for outcome in apply(desk)] == ["eva"]


def test_an_allowed_write_that_was_undone_waits_and_is_not_applied_again(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        desk.propose(note(id="eva"))
        apply(desk)
        assert desk.undo().ok
        assert not (ruled.memory / "people/eva.md").exists()
        assert apply(desk) == ()
        assert [item.id for item in desk.items()] == ["eva"]
    with Desk(ruled) as desk:
        assert apply(desk) == ()
        desk.propose(note(id="again"))
        assert apply(desk) == (), "the same effect under another id is the same write"
        shown = desk.preview("eva")
        assert desk.approve("eva", shown.plan.hash).ok, "the person still can"


def test_a_denied_one_is_refused_and_never_applied(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        desk.propose(note("private/x.md", id="x"), spool="chat")
        assert apply(desk) == ()
        [refusal] = desk.refusals()
        assert (refusal.verdict, refusal.spool) == ("refused", "chat")
        assert "private/**" in refusal.problems[0].message


LINA = "1704844800-run-5k-under-25-minutes.md"


@pytest.mark.parametrize(
    "fields",
    [
        {"operation": "delete", "filename": "people/lina.md", "user_command": "delete it", "reason": "r"},
        {"operation": "supersede", "filename": LINA, "reason": "r"},
        {
            "operation": "contradiction",
            "filename": LINA,
            "statement": "s",
            "reason": "r",
            "refinement": {"body": "Another."},
        },
        {
            "operation": "add",
            "title": "Tea",
            "body": "Green.",
            "type": "fact",
            "confidence": "high",
            "context": "tea",
            "tags": ["tea", "newest"],
        },
        {"operation": "write", "path": "a.md", "summary": "s", "content": "x\n", "base_sha256": "0" * 64},
        {"operation": "write", "path": "a.md", "summary": "s", "content": "hid\u200bden\n"},
        {"operation": "write", "path": "a.md", "summary": "s", "content": "x\n", "attended": False},
    ],
    ids=lambda fields: str(fields["operation"]),
)
def test_what_must_be_seen_waits_even_where_the_whole_spool_is_allowed(
    ruled: Workspace, fields: Mapping[str, object]
) -> None:
    with Desk(ruled) as desk:
        id = desk.propose(json.dumps({**fields, "id": "x"}).encode(), spool="chat")
        assert apply(desk) == ()
        assert [item.id for item in desk.items()] == [id]


def test_an_entry_with_known_tags_can_be_allowed(ruled: Workspace, proposals: dict[str, Path]) -> None:
    with Desk(ruled) as desk:
        update = {"operation": "update", "filename": LINA, "reason": "r", "body": "Another body."}
        desk.propose(json.dumps(update).encode(), spool="chat")
        assert [outcome.ok for outcome in apply(desk)] == [True]
        assert "Another body." in (ruled.memory / LINA).read_text()
        assert desk.undo().ok


def test_what_the_person_has_touched_is_not_applied_under_their_hands(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        for id in ("drafted", "edited"):
            desk.propose(note(f"people/{id}.md", id=id))
        desk.take_in()
        desk.save_draft("drafted", "half a sentence")
        text = desk.preview("edited").text
        desk.edit("edited", text.replace("Text.", "Better text."))
        assert apply(desk) == ()


def test_a_file_that_was_rewritten_wants_a_look(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        drop(ruled, "eva.json", note())
        desk.take_in()
        drop(ruled, "eva.json", note(content="Another text.\n"))
        assert apply(desk) == ()


def test_a_file_that_is_exchanged_after_the_look_is_not_written(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        drop(ruled, "eva.json", note())
        desk.take_in()
        drop(ruled, "eva.json", note(content="Another text.\n"))
        outcomes = desk.apply_allowed()
        assert [outcome.ok for outcome in outcomes] == [False]
        assert not (ruled.memory / "people/eva.md").exists()
        assert apply(desk) == ()


def test_one_that_cannot_be_written_waits_with_the_reason_and_holds_up_no_other(ruled: Workspace) -> None:
    (ruled.memory / "shut").mkdir()
    with Desk(ruled) as desk:
        desk.propose(note("shut/a.md", id="a"), spool="chat")
        desk.propose(note("open/b.md", id="b"), spool="chat")
        desk.take_in()
        (ruled.memory / "shut").rmdir()
        (ruled.memory / "shut").write_text("a file now")
        outcomes = {outcome.id: outcome.ok for outcome in desk.apply_allowed()}
        assert outcomes.pop("b")
        assert not any(outcomes.values())
        assert apply(desk) == (), "it is not tried for ever"
        assert [item.id for item in desk.items()] == ["a"]


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow meanwhile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_that_fails_is_said_at_the_item(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        desk.propose(note("open/b.md", id="b"), spool="chat")
        desk.take_in()
        with full_disk():
            [outcome] = desk.apply_allowed()
        assert not outcome.ok
        assert not (ruled.memory / "open/b.md").exists()
        [item] = desk.items()
        [notice] = item.notices
        assert notice.kind == "gate"
        assert "could not be written" in notice.message
        assert apply(desk) == (), "it is not tried for ever"
        assert desk.approve("b", desk.preview("b").plan.hash).ok


def test_two_desks_apply_one_write_once(ruled: Workspace) -> None:
    with Desk(ruled) as one, Desk(ruled) as other:
        drop(ruled, "eva.json", note())
        one.take_in()
        other.take_in()
        assert [outcome.ok for outcome in one.apply_allowed()] == [True]
        assert other.apply_allowed() == ()
        assert apply(other) == ()
        assert other.items() == ()
        assert len(one.log()) == 1
        assert one.undo().ok
        assert apply(other) == ()


def test_members_of_a_batch_are_applied_as_they_become_possible(ruled: Workspace) -> None:
    members = [
        {"operation": "write", "path": f"people/{name}.md", "summary": "s", "content": "x\n"}
        for name in ("a", "b")
    ]
    members.append({"operation": "write", "path": "work/c.md", "summary": "s", "content": "x\n"})
    with Desk(ruled) as desk:
        desk.propose(json.dumps({"id": "bt", "proposals": members}).encode())
        assert [outcome.id for outcome in apply(desk)] == ["bt.1", "bt.2"]
        assert [item.id for item in desk.items()] == ["bt.3"]


def test_settings_that_are_not_trusted_apply_nothing(ruled: Workspace) -> None:
    ruled.config.write_text(SETTINGS + "# touched\n")
    with Desk(load(ruled.root)) as desk:
        desk.propose(note(), spool="chat")
        desk.propose(note())
        assert apply(desk) == ()


def test_settings_that_do_not_parse_apply_nothing(ruled: Workspace) -> None:
    drop(ruled, "eva.json", note())
    ruled.config.write_text("[[")
    with Desk(load(ruled.root)) as desk:
        assert apply(desk) == ()
    assert not (ruled.memory / "people/eva.md").exists()


# --- grants --------------------------------------------------------------------------------------


def granted(desk: Desk, path: str = "work/x.md", *, lasting: bool = True, wide: bool = False) -> Outcome:
    id = desk.propose(note(path), spool="nightly")
    desk.take_in()
    widths = desk.grant_widths(id)
    assert isinstance(widths, tuple), widths
    return desk.approve_and_grant(id, desk.preview(id).plan.hash, widths[-1 if wide else 0], lasting=lasting)


def test_an_approval_is_remembered_for_the_note_or_its_folder(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        outcome = granted(desk)
        assert outcome.ok
        assert "allows work/x.md from now on" in outcome.message
        desk.propose(note("work/x.md", content="More.\n"), spool="nightly")
        desk.propose(note("work/y.md"), spool="nightly")
        assert [o.message for o in apply(desk)] == ["approved work/x.md · allowed by grant work/x.md"]
        assert granted(desk, "work/z.md", wide=True).ok
        desk.propose(note("work/w.md"), spool="nightly")
        desk.propose(note("work/deep/w.md"), spool="nightly")
        desk.propose(note("work/w2.md"), spool="")
        assert [o.message for o in apply(desk)] == ["approved work/w.md · allowed by grant work/*"]
        assert len(desk.items()) == 3, "what waited before, what lies deeper, and the other spool's"


def test_a_grant_for_good_outlives_the_desk_and_one_for_the_session_does_not(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        granted(desk, "work/kept.md")
        granted(desk, "work/now.md", lasting=False)
        assert len(desk.list_grants()) == 2
    with Desk(ruled) as desk:
        for name in ("kept", "now"):
            desk.propose(note(f"work/{name}.md", content="More.\n"), spool="nightly")
        assert [outcome.message for outcome in apply(desk)] == [
            "approved work/kept.md · allowed by grant work/kept.md"
        ]


def test_what_a_revoked_grant_let_through_is_asked_about_again(ruled: Workspace) -> None:
    with Desk(ruled) as desk, Desk(ruled) as other:
        granted(desk)
        [grant] = desk.list_grants()
        assert other.revoke(grant.id).ok
        desk.propose(note("work/x.md", content="More.\n"), spool="nightly")
        assert apply(desk) == ()
        assert not desk.revoke(grant.id).ok


def test_there_is_no_grant_for_what_is_asked_each_time(ruled: Workspace) -> None:
    asked: list[tuple[dict[str, object], str]] = [
        (
            {"operation": "delete", "filename": "people/lina.md", "user_command": "u", "reason": "r"},
            "nightly",
        ),
        ({"operation": "supersede", "filename": LINA, "reason": "r"}, "nightly"),
        (
            {"operation": "rename", "path": "people/lina.md", "new_path": "x/lina.md", "reason": "r"},
            "nightly",
        ),
        ({"operation": "write", "path": "a.md", "summary": "s", "content": "hid\u200bden\n"}, "nightly"),
    ]
    with Desk(ruled) as desk:
        for number, (fields, spool) in enumerate(asked):
            id = desk.propose(json.dumps({**fields, "id": f"n{number}"}).encode(), spool=spool)
            desk.take_in()
            shown = desk.preview(id)
            assert isinstance(desk.grant_widths(id), str), fields
            outcome = desk.approve_and_grant(id, shown.plan.hash, shown.item.target, lasting=True)
            assert not outcome.ok
        assert len(desk.items()) == len(asked), "nor is it approved"
        assert desk.list_grants() == ()


def test_a_grant_is_for_no_other_path_than_those_offered(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        id = desk.propose(note("work/x.md"), spool="nightly")
        desk.take_in()
        plan = desk.preview(id).plan.hash
        for path in ("*", "**", "people/*", "work/**", ""):
            assert not desk.approve_and_grant(id, plan, path, lasting=True).ok
        root = desk.propose(note("tea.md"), spool="nightly")
        assert desk.grant_widths(root) == ("tea.md",)
        assert not desk.approve_and_grant(root, desk.preview(root).plan.hash, "*", lasting=True).ok


def test_nothing_is_remembered_of_a_plan_that_was_not_shown(ruled: Workspace) -> None:
    with Desk(ruled) as desk:
        id = desk.propose(note("work/x.md"), spool="nightly")
        desk.take_in()
        assert not desk.approve_and_grant(id, "0" * 64, "work/x.md", lasting=True).ok
        assert desk.list_grants() == ()


@pytest.mark.parametrize(
    "tamper",
    [
        lambda path: path.write_text(
            '{"grants": [{"id": "g", "spool": "nightly", "path": "work/*", "made": 0}]}'
        ),
        lambda path: path.write_bytes(path.read_bytes().replace(b"work/x.md", b"work/*")),
        lambda path: path.write_text("{"),
    ],
)
def test_grants_that_an_agent_writes_let_nothing_through(
    ruled: Workspace, tamper: Callable[[Path], object]
) -> None:
    with Desk(ruled) as desk:
        granted(desk)
        tamper(ruled.dot / "grants.json")
        desk.propose(note("work/x.md", content="More.\n"), spool="nightly")
        desk.propose(note("work/y.md"), spool="nightly")
        assert apply(desk) == ()
        assert desk.grants.problem


def test_a_write_that_leaves_nothing_of_a_note_is_asked_about(ruled: Workspace) -> None:
    place = ruled.memory / "people" / "full.md"
    place.parent.mkdir(exist_ok=True)
    place.write_text("---\ndescription: s\n---\nMuch.\n")
    with Desk(ruled) as desk:
        desk.propose(note("people/full.md", content=""), spool="chat")
        assert apply(desk) == ()
        [item] = desk.items()
        assert [notice.kind for notice in item.notices] == ["emptied"]
    assert "Much." in place.read_text()
