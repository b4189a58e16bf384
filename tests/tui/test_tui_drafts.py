"""Unfinished edits: kept, shown, never passed over, and never with a secret in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.tui import editor
from memtui.tui.form import Values
from tests.tui.driver import Driver, Opener, drop, write

SECRET = "ghp_" + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef1234"


async def begin_edit(app: Driver, text: str) -> None:
    await app.settled()
    await app.press("e")
    await app.until(lambda: app.app.main.typing)
    await app.press(*text)


async def test_esc_after_the_change_of_a_proposal_goes_back_to_its_text(opened: Opener) -> None:
    async with opened("01") as app:
        await begin_edit(app, "Nine soon. ")
        await app.press("ctrl+s")
        await app.sees("edited by you")
        await app.settled()
        await app.press("escape")
        await app.sees("show the change")
        await app.sees("Nine soon. Likes")
        await app.press("ctrl+s")
        await app.sees("edited by you")
        await app.misses("show the change")
        await app.approve()
        assert "Nine soon. Likes" in (app.workspace.memory / "people/lina.md").read_text()


async def test_a_draft_is_shown_and_the_first_approval_says_that_it_waits(opened: Opener) -> None:
    async with opened("01") as app:
        await begin_edit(app, "MINE ")
        await app.press("escape")
        await app.until(lambda: app.app.drafts)
        await app.until(lambda: "draft" in app.lines[app.row_of("people/lina.md")][:33])
        await app.until(lambda: "draft" in app.lines[1][33:])
        await app.settled()
        await app.press("a")
        await app.sees("a draft of yours waits: e opens it, a again approves the agent's text")
        await app.approve()
        assert "MINE" not in (app.workspace.memory / "people/lina.md").read_text()


async def test_a_draft_that_an_earlier_run_left_is_shown_as_recovered(
    opened: Opener, workspace: Workspace
) -> None:
    drop(workspace, "one", write("one.md"))
    with Desk(workspace) as desk:
        desk.take_in(wait=True)
        desk.save_draft("one", Values({"path": "one.md", "summary": "a summary"}, "Mine.\n").dump())
    async with opened() as app:
        await app.until(lambda: app.app.main.inbox.view.preview is not None)
        await app.until(lambda: "draft" in app.lines[app.row_of("one.md")][:33])
        await begin_edit(app, "")
        await app.sees("draft recovered")
        await app.sees("Mine.")


async def test_a_draft_with_a_secret_is_not_kept_and_leaves_nothing(opened: Opener) -> None:
    async with opened("01") as app:
        await begin_edit(app, f"{SECRET} ")
        await app.sees("draft not kept: it holds what looks like a secret")
        assert not app.app.drafts
        assert SECRET.encode() not in everything(app.workspace.dot)


def everything(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in directory.rglob("*") if path.is_file())


def test_dropping_a_draft_leaves_nothing_of_it_in_the_journals_files(desk: Desk) -> None:
    key = "prefs/coding.md"
    assert desk.save_draft(key, Values({}, "very private words").dump())
    assert desk.drafts() == {key}
    assert not desk.save_draft(key, Values({}, f"very private words {SECRET}").dump())
    assert desk.draft(key) is None
    kept = everything(desk.workspace.dot)
    assert b"very private words" not in kept
    assert SECRET.encode() not in kept


def test_a_key_over_several_lines_is_seen_in_a_draft(desk: Desk) -> None:
    begin, end = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
    body = "\n".join([begin, "MIIEpAIBAAKCAQEA" * 4, "q83vEjRWeJCrze8SNFZ4" * 3, end])
    assert not desk.save_draft("one.md", Values({}, body).dump())


async def test_what_is_typed_without_a_rest_is_kept_too(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editor, "DRAFT_WAIT", 1000.0)
    monkeypatch.setattr(editor, "DRAFT_MOST", 0.0)
    async with opened("01") as app:
        await begin_edit(app, "Never a rest")
        desk = app.app.desk
        assert desk is not None
        await app.until(lambda: "Never a rest" in str([desk.draft(key) for key in desk.drafts()]))
