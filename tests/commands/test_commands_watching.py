"""`memtui watch`: applies what is allowed, asks nothing, and goes on whatever happens to its spools."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from memtui.config import Workspace, load, trust
from memtui.desk import Desk

SETTINGS = """
[[spools]]
name = "chat"
path = "drop/chat"
ruling = "allow"

[[rules]]
path = "private/*"
ruling = "deny"
"""


@pytest.fixture
def ruled(workspace: Workspace) -> Workspace:
    workspace.config.write_text(SETTINGS)
    trust(workspace.root)
    (workspace.root / "drop/chat").mkdir(parents=True)
    return load(workspace.root)


class Watch:
    """A running `memtui watch`."""

    def __init__(self, workspace: Workspace, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "memtui", "watch", "--workspace", str(workspace.root), *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: Iterator[str]) -> None:
        for line in stream:
            self._lines.put(line.rstrip("\n"))

    def line(self, words: str) -> str:
        """Wait for a line that holds these words."""
        while words not in (line := self._lines.get(timeout=60)):
            assert "Traceback" not in line
        return line

    def rest(self) -> list[str]:
        """What was printed and not read yet."""
        return [self._lines.get() for _ in range(self._lines.qsize())]

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


@contextmanager
def watching(workspace: Workspace, *args: str) -> Iterator[Watch]:
    watch = Watch(workspace, *args)
    try:
        if "--json" not in args:
            watch.line("watching ")
        yield watch
    finally:
        watch.process.kill()
        watch.process.wait()


def drop(workspace: Workspace, name: str, path: str = "", spool: str = "chat", **more: object) -> None:
    fields = {
        "operation": "write",
        "path": path or f"n/{name}.md",
        "summary": "s",
        "content": "Text.\n",
        **more,
    }
    folder = next(place.path for place in workspace.spools if place.name == spool)
    (folder / f".{name}.tmp").write_text(json.dumps(fields))
    (folder / f".{name}.tmp").rename(folder / f"{name}.json")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_applies_what_is_allowed_and_ends_well(ruled: Workspace, number: signal.Signals) -> None:
    drop(ruled, "before")
    with watching(ruled) as watch:
        assert "approved" in watch.line("n/before.md")
        drop(ruled, "asked", spool="")
        drop(ruled, "after")
        assert "allowed by spool chat" in watch.line("n/after.md")
        drop(ruled, "no", "private/x.md", agent="bad\x1b[2J")
        line = watch.line("refused")
        assert "the person denies this" in line
        assert "bad" in line
        assert "\x1b" not in line
        assert watch.end(number) == 0
    assert {path.name for path in (ruled.memory / "n").iterdir()} == {"before.md", "after.md"}
    with Desk(ruled) as desk:
        desk.take_in()
        assert [item.id for item in desk.items()] == ["asked"]
        assert desk.log()[-1].by == "allowed by spool chat"


def test_json_is_one_object_a_line(ruled: Workspace) -> None:
    with watching(ruled, "--json") as watch:
        drop(ruled, "eva")
        told = json.loads(watch.line("n/eva.md"))
        assert (told["id"], told["verdict"], told["by"]) == ("eva", "approved", "allowed by spool chat")


def test_two_watchers_apply_each_write_once(ruled: Workspace) -> None:
    count = 12
    with watching(ruled) as one, watching(ruled) as other:
        for number in range(count):
            drop(ruled, f"p{number:02}")
        names = {f"n/p{number:02}.md" for number in range(count)}
        while names:
            line = one.line("approved")
            names -= {name for name in names if name in line}
        assert (one.end(), other.end()) == (0, 0)
    with Desk(ruled) as desk:
        rows = [row for row in desk.log() if row.verdict == "approved"]
        assert len(rows) == count
        assert len({row.id for row in rows}) == count


def test_it_survives_a_spool_that_goes_away(ruled: Workspace) -> None:
    chat = ruled.root / "drop/chat"
    with watching(ruled) as watch:
        drop(ruled, "first")
        watch.line("n/first.md")
        shutil.rmtree(chat)
        watch.line("is missing")
        chat.mkdir()
        drop(ruled, "second")
        watch.line("n/second.md")
        assert watch.end() == 0


def test_an_undone_write_waits_while_it_watches(ruled: Workspace) -> None:
    with watching(ruled) as watch:
        drop(ruled, "eva")
        watch.line("n/eva.md")
        with Desk(ruled) as desk:
            assert desk.undo().ok
        drop(ruled, "later")
        watch.line("n/later.md")
        drop(ruled, "latest")
        watch.line("n/latest.md")
        assert watch.end() == 0
    assert not (ruled.memory / "n/eva.md").exists()


def test_it_finishes_first_what_a_crash_left(ruled: Workspace) -> None:
    from memtui.storage.journal import Journal
    from memtui.storage.records import RecordFile, RecordItem

    journal = Journal(ruled.journal)
    item = RecordItem(id="eva", operation="write", verdict="approved", headline="n/eva.md", target="n/eva.md")
    journal.begin(kind="apply", items=(item,), files=(RecordFile("n/eva.md", None, None, b"Text.\n"),))
    journal.close()
    with watching(ruled) as watch:
        drop(ruled, "next")
        watch.line("n/next.md")
    assert (ruled.memory / "n/eva.md").read_bytes() == b"Text.\n"


def test_with_settings_that_do_not_parse_it_says_so_and_ends(ruled: Workspace) -> None:
    ruled.config.write_text("[[")
    watch = Watch(ruled)
    watch.line("does not parse")
    assert watch.process.wait(timeout=60) == 1


def test_nobody_reads_what_it_prints(ruled: Workspace) -> None:
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", "watch", "--json", "--workspace", str(ruled.root)],
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    os.close(reader)
    drop(ruled, "eva")
    _, err = process.communicate(timeout=60)
    assert b"Traceback" not in err
    assert process.returncode == 1
    assert (ruled.memory / "n/eva.md").exists()
