"""What the screen offers works: no empty menu, no dead key without a word, clicks where keys stand."""

from __future__ import annotations

from memtui.config import Workspace
from tests.tui.driver import Driver, Opener, drop, write


async def click_on(app: Driver, text: str, *, line: int | None = None) -> None:
    """Click in the middle of a text that stands on the screen."""
    row = next(y for y, words in enumerate(app.lines) if text in words and line in (None, y))
    await app.pilot.click(offset=(app.lines[row].index(text) + len(text) // 2, row))


async def test_no_menu_is_ever_empty(opened: Opener) -> None:
    async with opened("01") as app:
        await app.press("g", "n")
        await app.sees("notes")
        await app.press("c")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"own.md", "tab", *"a summary", "tab", *"Text.", "ctrl+s")
        await app.sees("a write it")
        await app.press("m")
        await app.sees("nothing in the menu here")
        assert len(app.app.screen_stack) == 1 or app.app.screen is app.app.main


async def test_v_on_what_is_no_contradiction_says_so(opened: Opener) -> None:
    async with opened("01") as app:
        await app.settled()
        await app.press("v")
        await app.sees("nothing to choose here: v is for a contradiction")


async def test_side_by_side_is_offered_only_where_it_has_room(opened: Opener) -> None:
    async with opened("01", size=(80, 24)) as app:
        await app.settled()
        await app.press("enter")
        await app.sees("h list")
        assert "side by side" not in app.lines[-1]
        assert app.lines[-1].endswith("? keys")
    async with opened("01", size=(140, 40)) as app:
        await app.settled()
        await app.press("enter")
        await app.sees("d side by side")


async def test_a_click_on_a_choice_of_a_contradiction_takes_it(opened: Opener) -> None:
    async with opened("11", size=(140, 60)) as app:
        await app.settled()
        await app.sees("[refinement] replacement  both")
        await click_on(app, "both")
        await app.sees("refinement  replacement [both]")
        await app.settled()
        await click_on(app, "replacement")
        await app.sees("refinement [replacement] both")


async def test_undo_in_the_message_row_and_the_meter_take_a_click(opened: Opener) -> None:
    async with opened("01", "03") as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.approve()
        await app.until(lambda: "u undo" in app.lines[-2])
        await click_on(app, "u undo", line=len(app.lines) - 2)
        await app.sees("took back")
        await click_on(app, "catalog", line=0)
        await app.until(lambda: app.app.main.pane.pane == "catalog")


async def test_e_on_an_edit_edits_the_text_that_it_would_make(opened: Opener, workspace: Workspace) -> None:
    (workspace.memory / "plain.md").write_text("---\ndescription: plain\n---\nOne tea.\nTwo.\n")
    fields = {
        "operation": "edit",
        "path": "plain.md",
        "edits": [{"old": "tea", "new": "coffee"}],
        "reason": "r",
    }
    drop(workspace, "one", {**fields, "agent": "me"})
    async with opened() as app:
        await app.shows("plain.md")
        await app.press("e")
        await app.sees("One coffee.")
        await app.press("pagedown", "pagedown", *"Three.", "ctrl+s")
        await app.sees("edited by you")
        await app.approve()
        text = (workspace.memory / "plain.md").read_text()
        assert text.startswith("---\ndescription: plain\n---\nOne coffee.\nTwo.\n")
        assert "Three." in text


async def test_the_form_says_what_it_does_not_show(opened: Opener, workspace: Workspace) -> None:
    fields = {
        "operation": "edit",
        "path": "none.md",
        "edits": [{"old": "tea", "new": "coffee"}],
        "reason": "r",
    }
    (workspace.memory / "none.md").write_text("---\ndescription: none\n---\nA tea.\n")
    drop(workspace, "one", {**fields, "agent": "me"})
    async with opened() as app:
        await app.shows("none.md")
        (workspace.memory / "none.md").write_text("---\ndescription: none\n---\nNothing.\n")
        await app.sees("changed on disk")
        await app.settled()
        await app.press("enter")
        await app.press("e")
        await app.sees("not shown here: edits")


async def test_activity_shows_the_sign_of_the_operation(opened: Opener, workspace: Workspace) -> None:
    (workspace.memory / "old.md").write_text("---\ndescription: old\n---\nOld.\n")
    drop(workspace, "one", write("new.md"))
    drop(
        workspace,
        "two",
        {"operation": "delete", "filename": "old.md", "reason": "r", "user_command": "drop it"},
    )
    drop(workspace, "three", {"operation": "replace", "path": "old.md", "text": "Other.\n", "reason": "r"})
    async with opened() as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 3)
        desk = app.app.desk
        assert desk is not None
        for id in ("one", "three", "two"):
            assert desk.approve(id, desk.preview(id).plan.hash).ok
        assert [row.sign for row in desk.log(3)] == ["-", "~", "+"]


async def test_stale_is_worked_out_anew_when_decisions_are_taken_back(
    opened: Opener, workspace: Workspace
) -> None:
    from memtui.proposals.model import sha256

    note = workspace.memory / "n.md"
    note.write_text("---\ndescription: n\n---\nOne.\n")
    base = sha256(note.read_bytes())
    common = {"path": "n.md", "reason": "r", "agent": "me", "base_sha256": base}
    drop(workspace, "one", {"operation": "edit", "edits": [{"old": "One", "new": "Two"}], **common})
    drop(workspace, "two", {"operation": "replace", "text": "---\ndescription: n\n---\nSix.\n", **common})
    async with opened() as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        desk = app.app.desk
        assert desk is not None
        for id in ("one", "two"):
            assert desk.approve(id, desk.preview(id).plan.hash).ok
        assert desk.undo().ok
        assert desk.undo().ok
        assert {item.id: item.state for item in desk.items()} == {"one": "pending", "two": "pending"}


async def test_what_was_merged_into_a_note_is_decided_and_the_next_is_shown(
    opened: Opener, workspace: Workspace
) -> None:
    drop(workspace, "one", write("people/child.md", "daughter, 7 years old", "Reads a lot.\n"))
    drop(workspace, "two", write("two.md"))
    async with opened() as app:
        await app.until(lambda: app.app.main.inbox.model.waiting == 2)
        await app.shows("people/child.md")
        await app.until(lambda: app.app.main.inbox.alike)
        await app.press("m", "g")
        await app.until(lambda: any(line.startswith("▌  daughter, 7 years old") for line in app.lines))
        await app.press("enter")
        await app.sees("people/child.md into")
        await app.press("ctrl+s")
        await app.sees("a write it")
        await app.until(lambda: app.app.main.pane.view.settled)  # type: ignore[attr-defined]
        await app.press("a")
        await app.sees("merged into people/lina.md")
        await app.sees("1 waiting")
        assert app.app.main.inbox.shown_id == "two"
        assert "two.md" in app.lines[1]
        assert "1/1" in app.lines[1]
