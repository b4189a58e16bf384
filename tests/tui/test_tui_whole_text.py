"""`$EDITOR` on a proposal: an edit or a replace opens as the text that it makes, any other as its `.md` form."""

from __future__ import annotations

from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memtui.config import Workspace
from memtui.tui.whole_text import IN_FORM, OVER_TEXT, one_edit
from tests.support import decision
from tests.tui.driver import drop
from tests.tui.pty_driver import OnTerminal, keys_count_at_once, on_terminal

NOTE = "people/lina.md"
texts = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "a\r\n", "d", "\n"]), max_size=8).map("".join)


@settings(max_examples=100)
@given(texts, texts)
def test_one_edit_makes_the_one_text_of_the_other(before: str, after: str) -> None:
    assume(before and before != after)
    made = one_edit(before, after)
    assert before.count(made.old) == 1
    assert before.replace(made.old, made.new) == after


def editor_in(tmp_path: Path, exchange: str) -> tuple[dict[str, str], Path]:
    """An editor that exchanges something, and where it keeps what it was given; keys count at once."""
    keys_count_at_once()
    editor, given = tmp_path / "editor", tmp_path / "given"
    editor.write_text(f'#!/bin/sh\ncp "$1" {given}\nsed -i "{exchange}" "$1"\n')
    editor.chmod(0o755)
    return {"EDITOR": str(editor), "VISUAL": ""}, given


def press_editor(app: OnTerminal, given: Path) -> None:
    app.sees("alike          ")
    app.press_until("E", given.exists)


def test_an_edit_opens_as_the_text_that_it_makes(workspace: Workspace, tmp_path: Path) -> None:
    note = workspace.memory / NOTE
    before = note.read_text()
    edits = [{"old": "dinosaurs", "new": "volcanoes"}]
    fields = {"operation": "edit", "path": NOTE, "reason": "told", "edits": edits, "agent": "me"}
    drop(workspace, "e", fields)
    env, given = editor_in(tmp_path, "s/volcanoes/dragons/")
    with on_terminal(workspace, env=env) as app:
        press_editor(app, given)
        app.sees("edited by you")
        app.sees("Likes dragons")
        assert given.read_text() == OVER_TEXT + before.replace("dinosaurs", "volcanoes")
        app.press_until("a", lambda: "approved" in app.text)
    assert note.read_text() == before.replace("dinosaurs", "dragons")
    assert decision(workspace, "e")["edited"] is True


def test_a_text_that_cannot_be_planned_is_there_again(workspace: Workspace, tmp_path: Path) -> None:
    fields = {"operation": "write", "path": NOTE, "summary": "s", "content": "Text.\n", "agent": "me"}
    drop(workspace, "w", fields)
    env, given = editor_in(tmp_path, "s/^operation: .*/operation: nonsense/; s/Text/Other/")
    with on_terminal(workspace, env=env) as app:
        press_editor(app, given)
        app.sees("operation")
        assert "operation: write" in given.read_text()
        assert IN_FORM in given.read_text()
        given.unlink()
        app.press_until("E", lambda: given.exists() and "Other" in given.read_text())


def test_a_replace_and_a_form_come_back_without_the_rules(workspace: Workspace, tmp_path: Path) -> None:
    text = "---\ndescription: daughter\n---\nTall.\n"
    fields = {"operation": "replace", "path": NOTE, "reason": "told", "text": text, "agent": "me"}
    drop(workspace, "1", fields)
    drop(workspace, "2", {"operation": "write", "path": "b.md", "summary": "s", "content": "Tall.\n"})
    env, given = editor_in(tmp_path, "s/Tall/Small/")
    with on_terminal(workspace, env=env) as app:
        press_editor(app, given)
        app.sees("edited by you")
        app.sees("Small.")
        app.press_until("a", lambda: "approved" in app.text)
        app.until(lambda: "write  b.md" in app.text and "alike" in app.text)
        given.unlink()
        app.press_until("E", given.exists)
        app.sees("edited by you")
        app.sees("Small.")
        app.press_until("a", lambda: (workspace.memory / "b.md").exists())
    assert (workspace.memory / NOTE).read_text() == text.replace("Tall", "Small")
    assert (workspace.memory / "b.md").read_text() == "---\ndescription: s\n---\nSmall.\n"
    for id in ("1", "2"):
        told = decision(workspace, id)
        assert told["edited"] is True
        assert "memtui:" not in str(told["text"])
