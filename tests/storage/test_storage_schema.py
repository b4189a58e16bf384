"""The journal's own files: what keeps them from being used, and what is mended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.storage.journal import Journal

_LEFT_OPEN = """
import os, sys
from pathlib import Path
from memtui.storage.journal import Journal
journal = Journal(Path(sys.argv[1]))
journal.save_draft("key", "text")
os._exit(0)
"""
"""A process that is killed leaves the write-ahead log where it is."""


@pytest.mark.parametrize("mode", [0o444, 0o400, 0])
def test_helper_files_that_may_not_be_written_get_the_mode_of_the_journal(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "journal.db"
    subprocess.run([sys.executable, "-c", _LEFT_OPEN, path], check=True)
    helpers = [tmp_path / "journal.db-wal", tmp_path / "journal.db-shm"]
    for helper in helpers:
        helper.chmod(mode)
    journal = Journal(path)
    assert journal.draft("key") == "text"
    assert [helper.stat().st_mode & 0o777 for helper in helpers] == [0o600, 0o600]
    journal.close()


def test_helper_files_stay_as_they_are_where_the_journal_may_not_be_written_either(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    subprocess.run([sys.executable, "-c", _LEFT_OPEN, path], check=True)
    for each in tmp_path.iterdir():
        each.chmod(0o444)
    journal = Journal(path)
    if os.geteuid() == 0:
        assert journal.draft("key") == "text"
    assert {each.stat().st_mode & 0o777 for each in tmp_path.glob("journal.db-*")} <= {0o444}
    journal.close()
