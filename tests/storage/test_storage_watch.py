"""The watcher's hints: real events, waited for by condition."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.storage.watch import Watcher

PATIENCE = 10.0  # seconds: a bound for a slow machine, not a wait


class Hints:
    def __init__(self) -> None:
        self.seen = threading.Event()

    def __call__(self) -> None:
        self.seen.set()

    def come(self) -> bool:
        """Whether another hint comes."""
        self.seen.clear()
        return self.seen.wait(PATIENCE)


@pytest.fixture
def hints() -> Hints:
    return Hints()


@pytest.fixture
def watched(tmp_path: Path, hints: Hints) -> Iterator[Path]:
    path = tmp_path / "spool"
    watcher = Watcher(path)
    path.mkdir()
    watcher.start(hints)
    yield path
    watcher.stop()
    assert not any(thread.name == "memtui-watch" for thread in threading.enumerate())


def drop_until_seen(path: Path, hints: Hints) -> bool:
    """Writes files until one is noticed: the watch may not stand yet."""
    for number in range(20):
        hints.seen.clear()
        (path / f"{number}.json").write_bytes(b"{}")
        if hints.seen.wait(PATIENCE / 20):
            return True
    return False


def test_a_file_that_arrives_is_noticed(watched: Path, hints: Hints) -> None:
    assert drop_until_seen(watched, hints)


def test_a_directory_made_again_is_watched_again(watched: Path, hints: Hints) -> None:
    assert drop_until_seen(watched, hints)
    shutil.rmtree(watched)
    watched.mkdir()
    assert hints.come()
    assert drop_until_seen(watched, hints)


def test_a_missing_directory_is_watched_once_it_is_there(tmp_path: Path, hints: Hints) -> None:
    watcher = Watcher(tmp_path / "later")
    watcher.start(hints)
    (tmp_path / "later").mkdir()
    try:
        assert hints.seen.wait(PATIENCE)
        assert drop_until_seen(tmp_path / "later", hints)
    finally:
        watcher.stop()


def test_a_callback_that_fails_does_not_end_the_watch(tmp_path: Path) -> None:
    seen = Hints()

    def fail() -> None:
        seen()
        raise ValueError

    watcher = Watcher(tmp_path)
    watcher.start(fail)
    try:
        assert seen.seen.wait(PATIENCE)
        assert drop_until_seen(tmp_path, seen)
    finally:
        watcher.stop()


def test_polling_is_said_and_still_hints(
    tmp_path: Path, hints: Hints, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Watcher(tmp_path).mode == "events"
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    watcher = Watcher(tmp_path)
    assert (watcher.mode, watcher.reason != "") == ("polling", True)
    watcher.start(hints)
    try:
        assert hints.come()
    finally:
        watcher.stop()


def test_stopping_twice_or_before_the_start_is_harmless(tmp_path: Path, hints: Hints) -> None:
    watcher = Watcher(tmp_path)
    watcher.stop()
    watcher.start(hints)
    watcher.stop()
    watcher.stop()


NO_EVENTS = """
import os, resource, sys, threading
from pathlib import Path
from memtui.storage.watch import Watcher

import watchfiles

watcher, hints = Watcher(Path(sys.argv[1])), threading.Semaphore(0)
free = os.dup(0)
os.close(free)
resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, free + 1))  # room for the folder, and for no watch
watcher.start(hints.release)
told = [hints.acquire(timeout=10) for _ in range(3)]
print(all(told), watcher.mode, watcher.reason)
watcher.stop()
"""


def test_a_system_without_watches_left_is_polled_and_says_why(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_EVENTS, tmp_path], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.startswith("True polling the system gives no events"), done
