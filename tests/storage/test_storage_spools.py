"""All spools of a workspace as one: files are known by their spool, and each spool stands by itself."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from memtui.settings import SpoolPlace
from memtui.storage.spool import SpoolError
from memtui.storage.spools import Spools, file_in, name_in, spool_of


@pytest.fixture
def spools(tmp_path: Path) -> Spools:
    places = (SpoolPlace("", tmp_path / "own"), SpoolPlace("chat", tmp_path / "chat"))
    for place in places:
        place.path.mkdir()
    return Spools((*places, SpoolPlace("new", tmp_path / "spools/new", ours=True)))


@pytest.mark.parametrize(
    ("spool", "name", "file"), [("", "a.json", "a.json"), ("chat", "a.json", "chat/a.json")]
)
def test_a_file_is_known_by_its_spool_and_its_name(spool: str, name: str, file: str) -> None:
    assert file_in(spool, name) == file
    assert (spool_of(file), name_in(file)) == (spool, name)


def test_one_name_in_two_spools_is_two_files(spools: Spools, tmp_path: Path) -> None:
    written = {
        spool: spools.write("a.json", f'{{"in": "{spool}"}}'.encode(), spool) for spool in ("", "chat")
    }
    assert written == {"": "a.json", "chat": "chat/a.json"}
    assert {file.name for file in spools.scan().files} == {"a.json", "chat/a.json"}
    assert spools.read("chat/a.json") == b'{"in": "chat"}'
    assert spools.read("a.json") == b'{"in": ""}'
    digest = hashlib.sha256(b'{"in": "chat"}').hexdigest()
    assert not spools.remove("a.json", digest), "not the one of the other spool"
    assert spools.remove("chat/a.json", digest)
    assert (tmp_path / "own/a.json").exists()


def test_a_file_of_no_known_spool_is_not_there(spools: Spools) -> None:
    for file in ("gone/a.json", "../own/a.json", "chat/../own/a.json", "/a.json"):
        assert spools.read(file) is None
        assert spools.find(file) is None
        assert not spools.remove(file, "0" * 64)
    with pytest.raises(SpoolError, match="No spool is called gone"):
        spools.write("a.json", b"{}", "gone")
    with pytest.raises(SpoolError, match="No spool is called gone"):
        spools.put_back("gone/a.json", b"{}")


def test_decisions_stand_beside_their_proposals(spools: Spools, tmp_path: Path) -> None:
    spools.write_decision("x", {"id": "x"}, "chat")
    assert (tmp_path / "chat/decisions/x.json").exists()
    assert spools.read_decision("x") is None
    assert spools.read_decision("x", "chat") == spools.find_decision("x") == {"id": "x"}
    spools.drop_decision("x")
    assert spools.find_decision("x") is not None
    spools.drop_decision("x", "chat")
    assert spools.find_decision("x") is None


def test_a_spool_that_is_away_is_named_and_not_made_anew(spools: Spools, tmp_path: Path) -> None:
    spools.write("a.json", b"{}", "chat")
    (tmp_path / "chat").rename(tmp_path / "elsewhere")
    spools.write("b.json", b"{}")
    found = spools.scan()
    assert [file.name for file in found.files] == ["b.json"]
    assert found.away == {"chat": "", "new": ""}
    with pytest.raises(SpoolError, match="is missing"):
        spools.write_decision("x", {}, "chat")
    with pytest.raises(SpoolError, match="is missing"):
        spools.put_back("chat/a.json", b"{}")
    spools.prepare(frozenset({"chat"}))
    assert not (tmp_path / "chat").exists()


def test_a_spool_without_a_folder_of_the_persons_choice_is_made(spools: Spools, tmp_path: Path) -> None:
    spools.prepare(frozenset({"new"}))
    assert not (tmp_path / "spools").exists(), "something waits in it: it is away"
    spools.prepare(frozenset())
    assert (tmp_path / "spools/new/decisions").is_dir()
    assert (tmp_path / "spools").stat().st_mode & 0o777 == 0o700


def test_one_that_cannot_be_read_is_named_with_the_reason(spools: Spools, tmp_path: Path) -> None:
    (tmp_path / "chat").rmdir()
    (tmp_path / "chat").write_text("x")
    spools.write("b.json", b"{}")
    found = spools.scan()
    assert [file.name for file in found.files] == ["b.json"]
    assert "cannot be read" in found.away["chat"]
