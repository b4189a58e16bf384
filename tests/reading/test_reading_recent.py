"""Looks at every note: anew where something may have changed, from a moment ago where that will do."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.notes.folder import Folder
from memtui.reading.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Library:
    (tmp_path / "one.md").write_text("---\ndescription: the first\n---\n")
    return Library(Folder(tmp_path), 2048)


def test_a_recent_look_serves_while_looking_takes_long(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(library.heads()) == {"one.md"}
    (tmp_path / "two.md").write_text("Two.\n")
    monkeypatch.setattr("memtui.reading.library.SHARE", 1e12)
    assert set(library.recent_heads()) == {"one.md"}
    monkeypatch.setattr("memtui.reading.library.SHARE", 0)
    assert set(library.recent_heads()) == {"one.md", "two.md"}


def test_without_a_look_before_there_is_no_recent_one(library: Library) -> None:
    assert not library.is_slow
    assert set(library.recent_heads()) == {"one.md"}
