"""A value of the vault that agents send in every field and disguise: no file, answer or terminal ever holds it."""

from __future__ import annotations

import base64
import json
import os
import tempfile
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.config import Workspace
from tests.support import memtui_here
from tests.tui.pty_driver import on_terminal

VALUE = "mellow-Badger!42"
FORMS = {
    "plain": VALUE,
    "base64": base64.b64encode(VALUE.encode()).decode(),
    "base64 twice": base64.b64encode(base64.b64encode(VALUE.encode())).decode(),
    "hex": VALUE.encode().hex(),
    "percent": urllib.parse.quote(urllib.parse.quote("".join(f"%{byte:02X}" for byte in VALUE.encode()))),
    "reversed": VALUE[::-1],
    "entities": "".join(f"&#{ord(letter)};" for letter in VALUE),
    "escapes": "".join(f"\\u{ord(letter):04x}" for letter in VALUE),
    "zero width": "\u200b".join(VALUE),
    "full width": "".join(chr(ord(letter) + 0xFEE0) for letter in VALUE),
}
NEEDLES = tuple(form.encode() for form in FORMS.values())
FIELDS = ("summary", "content", "path", "reason", "agent", "session", "cwd", "source", "created", "odd", "id")
REST = {
    "odd operation": {"operation": "{}"},
    "delete": {"operation": "delete", "filename": "a.md", "reason": "r", "user_command": "{}"},
    "edit": {"operation": "edit", "path": "a.md", "reason": "r", "edits": [{"old": "{}", "new": "x"}]},
    "add": {"operation": "add", "title": "{}", "body": "b", "type": "fact", "confidence": "high", "context": "c"},
    "tags": {"operation": "add", "title": "t", "body": "b", "type": "fact", "confidence": "high", "context": "c",
             "tags": ["{}", "food"], "new_tags": [{"tag": "x", "level": 1, "description": "{}"}]},
    "batch": {"id": "b", "agent": "{}", "proposals": [{"operation": "write", "path": "b.md", "summary": "s",
              "content": "c"}, {"operation": "edit", "path": "{}", "reason": "r", "ref": "{}"}]},
}  # fmt: skip


def filled(template: object, form: str) -> object:
    if isinstance(template, str):
        return template.replace("{}", form)
    if isinstance(template, dict):
        return {name: filled(value, form) for name, value in template.items()}
    return [filled(each, form) for each in template] if isinstance(template, list) else template


def texts(form: str) -> Iterator[tuple[str, bytes]]:
    """A form of it in every place of a proposal: the ends of file names, and bytes."""
    for field in FIELDS:
        given = {"operation": "write", "path": "x.md", "summary": "s", "content": "c\n", field: form}
        yield f"{field}.json", json.dumps(given, ensure_ascii=False).encode()
    for name, template in REST.items():
        yield f"{name.split()[0]}.json", json.dumps(filled(template, form), ensure_ascii=False).encode()
    yield "note.md", f"---\noperation: write # {form}\npath: y.md\n---\n{form}\n".encode()
    yield "broken.yaml", f"operation: [write\n{form}".encode()
    yield "broken.json", f'{{"operation": "write", "{form}'.encode()


def proposals(turn: int) -> Iterator[tuple[str, bytes]]:
    """File names and bytes: every form in four places, two forms in every place; in each turn others."""
    for number, form in enumerate(FORMS.values()):
        for place, (end, data) in enumerate(texts(form)):
            if (number + place) % 5 == turn:
                yield f"{number}-{end}", data


NAMES = (
    (f"{VALUE}.json", b'{"operation": "write", "path": "z.md", "summary": "s", "content": "c"}'),
    (f"{FORMS['base64']}.md", b"---\noperation: write\n---\n"),
)
"""The names of files hold it."""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The vault's value stands in the environment alone; whatever is put down for a while has its own folder."""
    (tmp_path / "tmp").mkdir()
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "memtui"
    config.mkdir(parents=True)
    (config / "config.toml").write_text('[vault]\nenvironment = ["DOOR_*"]\n')
    monkeypatch.setenv("DOOR_CODE", VALUE)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return dict(os.environ)


def traces(*roots: Path) -> list[str]:
    found = []
    for path in (path for root in roots for path in root.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        if any(needle in data or needle in os.fsencode(path) for needle in NEEDLES):
            found.append(str(path))
    return found


def run(workspace: Workspace, *args: str, stdin: bytes = b"") -> bytes:
    ran = memtui_here(*args, "--workspace", workspace.root, stdin=stdin.decode())
    return (ran.out + ran.err).encode()


COMMANDS = (
    ["inbox"],
    ["inbox", "--json"],
    ["log", "--json"],
    ["log"],
    ["status", "--json"],
    ["vault"],
    ["vault", "--json"],
    ["check"],
    ["show", "0-content"],
    ["decision", "0-content", "--json"],
    ["call", "memory_pending"],
    ["call", "memory_read", '{"path": "old.md"}'],
    ["call", "memory_catalog"],
    ["call", "memory_search", '{"query": "first"}'],
    ["catalog"],
    ["inbox", "--dismiss", "0-content"],
    ["recover"],
)


def test_no_file_no_answer_and_no_terminal_holds_it(
    workspace: Workspace, tmp_path: Path, environment: dict[str, str]
) -> None:
    for name, data in (*proposals(0), *NAMES):
        (workspace.spool / name).write_bytes(data)
    with on_terminal(workspace, size=(100, 40)) as app:
        app.until(
            lambda: not any(path.is_file() and path.suffix == ".json" for path in workspace.spool.iterdir())
        )
        app.until(lambda: not any(path.is_file() for path in workspace.spool.iterdir()))
        app.sees("Activity")
        for key in (*"jjkG", "enter", "esc", "g", "a", "enter", "esc", "g", "h", "g", "i", "ctrl+q"):
            app.send(key)
        assert app.ended(10) is not None
        assert not any(needle in app.raw for needle in NEEDLES)
    for name, data in (*proposals(1), *proposals(2)):
        said = run(workspace, "propose", "-", "--json", stdin=data)
        assert not any(needle in said for needle in NEEDLES), name
    (workspace.memory / "old.md").write_text("first\nsecond\n")
    for command in COMMANDS:
        said = run(workspace, *command)
        assert not any(needle in said for needle in NEEDLES), (command, said)
    assert not traces(workspace.root, tmp_path / "tmp", Path(os.environ["HOME"]))


def test_what_agents_read_of_a_note_that_holds_it_does_not(
    workspace: Workspace, environment: dict[str, str]
) -> None:
    for number, form in enumerate(FORMS.values()):
        (workspace.memory / f"old{number}.md").write_text(
            f"---\ndescription: is {form}\n---\nfirst {form}\nend\n"
        )
    commands = [["call", "memory_read", f'{{"path": "old{number}.md"}}'] for number in range(len(FORMS))]
    said = b"".join(run(workspace, *command) for command in (*COMMANDS[-7:], *commands))
    assert not any(needle in said for needle in NEEDLES)
    assert b"redacted" in said
