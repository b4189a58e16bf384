"""What the person did is there again after memtui was killed: changes left out, and texts that `$EDITOR` had."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Desk
from memtui.review.drafts import keys_of, left_out_key, read_left_out, whole_key
from memtui.tui.form import read_draft
from memtui.tui.unfinished import take_up
from tests.tui.driver import drop, write
from tests.tui.pty_driver import OnTerminal, on_terminal

NOTE = "people/lina.md"
OLD = "---\ndescription: daughter, 7 years old\n---\nLikes dinosaurs.\n\nSchool at 8.\n"
NEW = OLD.replace("7 years", "8 years").replace("dinosaurs", "volcanoes")
SECRET = "ghp_" + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef1234"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))


@pytest.fixture
def replacing(workspace: Workspace) -> Workspace:
    """A replace of two changes waits."""
    (workspace.memory / NOTE).write_text(OLD)
    drop(workspace, "r", {"operation": "replace", "path": NOTE, "text": NEW, "reason": "told", "agent": "me"})
    return workspace


def kill(app: OnTerminal) -> None:
    app.process.send_signal(signal.SIGKILL)
    app.process.wait()


def editor(tmp_path: Path, script: str) -> dict[str, str]:
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"EDITOR": str(path), "VISUAL": ""}


def test_a_change_that_was_left_out_stays_out(replacing: Workspace) -> None:
    with on_terminal(replacing) as app:
        app.sees("+ Likes volcanoes")
        app.press_until("n", lambda: "▌" in app.text)
        app.press_until("x", lambda: "left out  description" in app.text)
        app.until(lambda: replacing.journal.exists() and _left_out(replacing))
        kill(app)
    with on_terminal(replacing) as app:
        app.sees("left out  description")
        app.press_until("a", lambda: "approved" in app.text)
    assert (replacing.memory / NOTE).read_text() == NEW.replace("8 years", "7 years")
    assert not _left_out(replacing)


def _left_out(workspace: Workspace) -> tuple[str, ...]:
    with Desk(workspace) as desk:
        return read_left_out(desk.draft(left_out_key("r")))


def test_a_text_that_was_refused_is_gone_on_with(workspace: Workspace, tmp_path: Path) -> None:
    drop(workspace, "w", write("one.md"))
    given = tmp_path / "given"
    script = f'cp "$1" {given}; sed -i "s/^operation: .*/operation: nonsense/; s/Text/Mine/" "$1"'
    with on_terminal(workspace, env=editor(tmp_path, script)) as app:
        app.sees("alike          ")
        app.press_until("E", lambda: "E goes on" in app.text)
        kill(app)
    given.unlink()
    with on_terminal(workspace, env=editor(tmp_path, script)) as app:
        app.sees("draft")
        app.press_until("E", lambda: given.exists() and "Mine" in given.read_text())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_text_is_a_draft_where_memtui_ended_while_the_editor_was_open(
    replacing: Workspace, tmp_path: Path, number: signal.Signals
) -> None:
    saved, done, given = tmp_path / "saved", tmp_path / "done", tmp_path / "given"
    script = f'[ -e {done} ] && cp "$1" {given} && exit 0; echo Mine >> "$1"; touch {saved}; trap "" HUP\n'
    env = editor(tmp_path, f"{script}while [ ! -e {done} ]; do sleep 0.05; done")
    with on_terminal(replacing, env=env) as app:
        app.sees("alike          ")
        app.press_until("E", saved.exists)
        app.process.send_signal(number)
        app.process.wait()
    done.touch()
    with on_terminal(replacing, env=env) as app:
        app.sees("draft")
        app.press_until("E", lambda: given.exists() and given.read_text().endswith("Mine\n"))


# --- found again, without a terminal --------------------------------------------------------------


def left(workspace: Workspace, text: bytes, *, key: str = NOTE, values: str = "null") -> Path:
    """What a memtui leaves that is killed while an editor is open."""
    folder = Path(tempfile.mkdtemp(prefix="memtui-edit-"))
    label = f'{{"workspace": "{workspace.journal}", "key": "{key}", "values": {values}}}'
    (folder / "label").write_text(f"digest of what was given\n{label}")
    (folder / "edit.md").write_bytes(text)
    return folder


def test_a_whole_text_and_the_body_of_a_form_become_drafts(desk: Desk) -> None:
    whole = left(desk.workspace, b"Mine\n")
    form = '"{\\"fields\\": {\\"title\\": \\"T\\"}, \\"body\\": \\"old\\", \\"why\\": \\"w\\"}"'
    body = left(desk.workspace, b"New body\n", key="a.md", values=form)
    found = take_up(desk)
    assert (found.texts, found.drafts) == ({NOTE}, {"a.md"})
    ends = sorted(sentence.partition(": ")[2] for sentence in found.kept)
    assert ends == ["E goes on with it", "e goes on with it"]
    assert desk.draft(whole_key(NOTE)) == "Mine\n"
    draft = read_draft(desk.draft("a.md"))
    assert draft is not None
    assert (draft.fields, draft.body, draft.why) == ({"title": "T"}, "New body\n", "w")
    assert not whole.exists()
    assert not body.exists()


@pytest.mark.parametrize("text", [f"{SECRET}\n".encode(), b"caf\xe9\n"])
def test_what_no_draft_can_hold_stays_where_it_is_and_is_named(desk: Desk, text: bytes) -> None:
    folder = left(desk.workspace, text)
    found = take_up(desk)
    assert not found.texts
    assert str(folder / "edit.md") in found.unkept[0]
    assert (folder / "edit.md").read_bytes() == text


def test_a_text_of_another_workspace_is_left_to_it(desk: Desk, tmp_path: Path) -> None:
    folder = left(desk.workspace, b"Mine\n")
    label = (folder / "label").read_text().replace(str(desk.workspace.journal), "/elsewhere/journal.db")
    (folder / "label").write_text(label)
    found = take_up(desk)
    assert not found.kept + found.unkept
    assert os.listdir(folder)


def test_what_is_kept_of_a_proposal_is_forgotten_with_it(desk: Desk) -> None:
    drop(desk.workspace, "one", write("one.md"))
    desk.take_in(wait=True)
    for key in (*keys_of("one"), *keys_of("one more")):
        desk.save_draft(key, "words")
    assert desk.reject("one").ok
    assert desk.forget("one").ok
    assert desk.drafts() == set(keys_of("one more"))


@pytest.mark.parametrize("pane", ["inbox", "notes"])
def test_what_the_editor_gave_back_is_a_draft_until_it_is_written(
    replacing: Workspace, tmp_path: Path, pane: str
) -> None:
    env = editor(tmp_path, 'sed -i "s/dinosaurs/dragons/; s/volcanoes/dragons/" "$1"')
    with on_terminal(replacing, env=env) as app:
        app.sees("alike          ")
        if pane == "notes":
            find_lina(app)
        app.press_until("E", lambda: "+ Likes dragons" in app.text)
        if pane == "notes":  # a proposal's edited form is kept as such
            assert _drafts(replacing) == {whole_key(NOTE)}
            kill(app)
    if pane == "inbox":
        assert not _drafts(replacing)
        return
    with on_terminal(replacing, env=env) as app:
        app.sees("alike          ")
        find_lina(app)
        app.sees("draft")
        app.press_until("E", lambda: "+ Likes dragons" in app.text)
        app.press_until("a", lambda: "wrote" in app.text)
        app.until(lambda: not _drafts(replacing))
    assert "dragons" in (replacing.memory / NOTE).read_text()


def find_lina(app: OnTerminal) -> None:
    app.send("g", "n")
    app.sees("Vegetarian")
    app.send("f")
    app.sees("enter keep")
    app.send(*"lina")
    app.sees("1 match")
    app.send("enter")
    app.sees("Likes dinosaurs")


def _drafts(workspace: Workspace) -> frozenset[str]:
    with Desk(workspace) as desk:
        return desk.drafts()
