"""One writer at a time: threads, processes, and two states on one memory folder."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from memtui.storage.lock import LockBusy, locked


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    return tmp_path / "memory"


def test_a_second_taker_is_told_in_one_sentence(memory: Path, tmp_path: Path) -> None:
    with (
        locked(memory, tmp_path / "one") as kind,
        pytest.raises(LockBusy, match="Another memtui"),
        locked(memory, tmp_path / "two", timeout=0.05),
    ):
        pass
    assert kind == "folder"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory"]


def test_it_is_free_again_afterwards_also_after_an_error(memory: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError), locked(memory, tmp_path):
        raise ValueError
    with locked(memory, tmp_path, timeout=0):
        pass


def test_threads_exclude_each_other(memory: Path, tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(20):
            with locked(memory, tmp_path):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 80


def test_a_killed_process_leaves_no_lock(memory: Path, tmp_path: Path) -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with locked(memory, tmp_path):
            os.write(write, b"x")
            os.read(read, 0)
            os._exit(9)
    os.waitpid(child, 0)
    assert os.read(read, 1) == b"x"
    with locked(memory, tmp_path, timeout=1):
        pass
    os.close(read)
    os.close(write)


def test_without_a_memory_folder_a_lock_file_stands_in(tmp_path: Path) -> None:
    with locked(tmp_path / "none", tmp_path / "state") as kind:
        assert kind == "file"
        with pytest.raises(LockBusy), locked(tmp_path / "none", tmp_path / "state", timeout=0):
            pass
    assert (tmp_path / "state" / "memory.lock").stat().st_mode & 0o777 == 0o600
