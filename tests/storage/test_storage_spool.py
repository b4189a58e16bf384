"""The spool: what counts as a proposal, what is set aside, and that nothing is lost or overwritten."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from memtui.storage.spool import Spool, SpoolError, SpoolFile, settled


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    made = Spool(tmp_path / "spool")
    made.ensure()
    return made


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def put(spool: Spool, name: str, data: bytes = b"{}", mtime: float | None = None) -> Path:
    path = spool.path / name
    path.write_bytes(data)
    if mtime is not None:
        os.utime(path, (mtime, mtime))
    return path


def names(spool: Spool) -> list[str]:
    return sorted(path.name for path in spool.path.iterdir())


def test_making_the_value_touches_nothing_and_a_missing_spool_is_empty(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "none")
    assert spool.scan() == ((), ())
    assert spool.read("a.json") is None
    assert spool.remove("a.json", "") is False
    assert spool.read_decision("a") is None
    assert spool.sweep() == 0
    assert not (tmp_path / "none").exists()


def test_the_spool_and_its_decisions_are_private(spool: Spool) -> None:
    for path in (spool.path, spool.path / "decisions"):
        assert path.stat().st_mode & 0o777 == 0o700


def test_candidates_come_oldest_first_then_by_name(spool: Spool) -> None:
    put(spool, "b.yaml", mtime=5)
    put(spool, "a.json", mtime=5)
    put(spool, "z.md", b"---", mtime=1)
    put(spool, "new\nline.yml", mtime=9)
    files, aside = spool.scan()
    assert [(file.name, file.size, file.mtime) for file in files] == [
        ("z.md", 3, 1),
        ("a.json", 2, 5),
        ("b.yaml", 2, 5),
        ("new\nline.yml", 2, 9),
    ]
    assert aside == ()
    assert spool.read("new\nline.yml") == b"{}"


def test_temporary_names_are_ignored(spool: Spool) -> None:
    for name in (".x.json", "x.json.tmp", "x.part", "x.json~", ".x.json.swp", "y.swp"):
        put(spool, name)
    assert spool.scan() == ((), ())


def test_what_is_no_plain_file_is_set_aside_with_a_reason_and_never_opened(
    spool: Spool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (spool.path / "folder.json").mkdir()
    os.mkfifo(spool.path / "pipe.json")
    put(spool, "notes.txt")
    put(spool, "real.json")
    (spool.path / "link.json").symlink_to("real.json")
    (spool.path / "loop.json").symlink_to("loop.json")
    with (spool.path / "sparse.json").open("wb") as sparse:
        sparse.truncate(5 * 2**30)
    Path(os.fsdecode(os.fsencode(spool.path) + b"/caf\xe9.json")).write_bytes(b"{}")
    monkeypatch.chdir(spool.path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.json")
        files, aside = spool.scan()
        for name in (
            "folder.json",
            "pipe.json",
            "link.json",
            "loop.json",
            "sparse.json",
            "sock.json",
            "../x.json",
        ):
            assert spool.read(name) is None
    assert [file.name for file in files] == ["real.json"]
    reasons = dict(aside)
    assert reasons.pop(os.fsdecode(b"caf\xe9.json")) == "Its name is not valid UTF-8; give it another one."
    assert reasons == {
        "folder.json": "It is a folder; a proposal must be a plain file.",
        "link.json": "It is a symbolic link; a proposal must be a plain file.",
        "loop.json": "It is a symbolic link; a proposal must be a plain file.",
        "notes.txt": "Its name must end in .json, .yaml, .yml or .md.",
        "pipe.json": "It is a named pipe; a proposal must be a plain file.",
        "sock.json": "It is a socket; a proposal must be a plain file.",
        "sparse.json": "It has 5,368,709,120 bytes; a proposal must be at most 1 MiB.",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_set_aside(spool: Spool) -> None:
    put(spool, "a.json").chmod(0)
    assert spool.scan() == ((), (("a.json", "It cannot be read: permission denied."),))
    with pytest.raises(SpoolError, match="permission denied"):
        spool.read("a.json")


def test_exactly_one_mebibyte_is_read_and_a_byte_more_is_not(spool: Spool) -> None:
    put(spool, "a.json", b"x" * 2**20)
    put(spool, "b.json", b"x" * (2**20 + 1))
    files, aside = spool.scan()
    assert [file.name for file in files] == ["a.json"]
    assert [name for name, _ in aside] == ["b.json"]
    assert len(spool.read("a.json") or b"") == 2**20
    assert spool.read("b.json") is None


def test_a_file_that_grows_while_it_is_read_does_not_count(
    spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(spool, "a.json", b"{}", mtime=1)
    read = os.read

    def grow(opened: int, size: int) -> bytes:
        data = read(opened, size)
        path.write_bytes(b"{} more")
        return data

    monkeypatch.setattr(os, "read", grow)
    assert spool.read("a.json") is None
    monkeypatch.undo()
    assert spool.read("a.json") == b"{} more"


def test_a_file_is_settled_once_unchanged_for_a_second() -> None:
    file = SpoolFile("a.yaml", 1, 100.0, 1)
    assert [settled(file, now) for now in (100.0, 100.99, 101.0, 90.0)] == [False, False, True, True]


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        ("lina.json", "lina.json"),
        ("lina", "lina.json"),
        ("note.md", "note.md"),
        ("../../etc/pass wd", "etc-pass-wd.json"),
        (".hidden.yaml", "hidden.yaml"),
        ("", "proposal.json"),
        ("x" * 400 + ".json", "x" * 150 + ".json"),
    ],
)
def test_a_new_proposal_gets_a_plain_name(spool: Spool, hint: str, name: str) -> None:
    assert spool.write(hint, b"{}") == name
    assert spool.read(name) == b"{}"
    assert stat.S_IMODE((spool.path / name).stat().st_mode) == 0o600
    assert names(spool) == sorted(["decisions", name])


def test_a_new_proposal_overwrites_nothing_and_need_not_settle(spool: Spool) -> None:
    put(spool, "a.json", b"theirs")
    (spool.path / "b.json").symlink_to("a.json")
    for wanted in ("a.json", "b.json"):
        name = spool.write(wanted, b"ours")
        assert name != wanted
        assert name.endswith(".json")
        assert spool.read(name) == b"ours"
    assert spool.read("a.json") == b"theirs"
    assert all(settled(file, os.stat(spool.path / file.name).st_ctime) for file in spool.scan()[0][:2])


def test_an_undone_proposal_comes_back_under_its_name(spool: Spool) -> None:
    assert spool.put_back("odd\nname.yaml", b"1") == "odd\nname.yaml"
    assert spool.put_back("odd\nname.yaml", b"1") == "odd\nname.yaml"
    assert len(spool.scan()[0]) == 1
    other = spool.put_back("odd\nname.yaml", b"2")
    assert other != "odd\nname.yaml"
    assert (spool.read("odd\nname.yaml"), spool.read(other)) == (b"1", b"2")
    assert spool.put_back("../x.json", b"3") == "x.json"


def test_a_proposal_is_removed_only_with_its_own_bytes(spool: Spool) -> None:
    put(spool, "a.json", b"new")
    assert spool.remove("a.json", digest(b"old")) is False
    assert spool.read("a.json") == b"new"
    assert spool.remove("a.json", digest(b"new")) is True
    assert spool.remove("a.json", digest(b"new")) is False
    assert names(spool) == ["decisions"]


def test_one_renamed_over_in_the_last_moment_is_not_lost(
    spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(spool, "a.json", b"old")
    rename = os.rename

    def race(source: str, target: str, **named: int) -> None:
        (spool.path / "a.json").write_bytes(b"new")
        rename(source, target, **named)

    monkeypatch.setattr(os, "rename", race)
    assert spool.remove("a.json", digest(b"old")) is False
    monkeypatch.undo()
    assert spool.read("a.json") == b"new"
    assert names(spool) == ["a.json", "decisions"]


@pytest.mark.parametrize("call", ["unlink", "read"])
def test_one_that_cannot_be_removed_keeps_its_name(
    spool: Spool, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    put(spool, "a.json", b"old")
    real, calls = getattr(os, call), []
    first = 1 if call == "unlink" else 3  # it is read to its end, moved aside and read again

    def fail(*values: object, **named: object) -> object:
        calls.append(values)
        if len(calls) == first:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(*values, **named)

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(SpoolError, match="could not be removed"):
        spool.remove("a.json", digest(b"old"))
    monkeypatch.undo()
    assert len(calls) >= first
    assert names(spool) == ["a.json", "decisions"]
    assert spool.remove("a.json", digest(b"old"))


def test_a_sweep_gives_back_the_others_and_says_that_one_cannot_be(
    spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        put(spool, f".memtui-0123456789abcdef-{name}.json", name.encode())
    put(spool, "decisions/.memtui-00000000000000cc.tmp", b"dead")
    (spool.path / ".memtui-0123456789abcdef-folder.json").mkdir()  # none of ours: nothing waits in it
    link = os.link

    def fail(source: str, target: str, **named: Any) -> None:
        if target == "b.json":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        link(source, target, **named)

    monkeypatch.setattr(os, "link", fail)
    with pytest.raises(SpoolError, match="given back"):
        spool.sweep()
    monkeypatch.undo()
    assert [file.name for file in spool.scan()[0]] == ["a.json", "c.json"]
    assert list((spool.path / "decisions").iterdir()) == []
    assert spool.sweep() == 1
    assert sorted(file.name for file in spool.scan()[0]) == ["a.json", "b.json", "c.json"]


def test_a_sweep_gives_back_what_was_moved_aside_and_spares_a_living_writer(spool: Spool) -> None:
    put(spool, ".memtui-0123456789abcdef-a.json", b"aside")
    put(spool, ".memtui-00000000000000aa.tmp", b"dead")
    living = put(spool, ".memtui-00000000000000bb.tmp", b"living")
    put(spool, ".mine.tmp", b"theirs")
    put(spool, "decisions/.memtui-00000000000000cc.tmp", b"dead")
    opened = os.open(living, os.O_RDONLY)
    fcntl.flock(opened, fcntl.LOCK_EX)
    try:
        assert spool.sweep() == 3
    finally:
        os.close(opened)
    assert names(spool) == [".memtui-00000000000000bb.tmp", ".mine.tmp", "a.json", "decisions"]
    assert spool.read("a.json") == b"aside"
    assert list((spool.path / "decisions").iterdir()) == []


def test_a_decision_is_written_whole_and_private_and_read_back(spool: Spool) -> None:
    spool.write_decision("Lina-1", {"id": "Lina-1", "text": "é ‮", "bad": "\ud800"})
    spool.write_decision("Lina-1", {"id": "Lina-1", "verdict": "approved"})
    path = spool.path / "decisions" / "Lina-1.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert spool.read_decision("Lina-1") == {"id": "Lina-1", "verdict": "approved"}
    assert [found.name for found in path.parent.iterdir()] == ["Lina-1.json"]
    spool.drop_decision("Lina-1")
    assert spool.read_decision("Lina-1") is None


@pytest.mark.parametrize("id", ["", "../x", "a/b", ".x", "x" * 200, "a\0b", "é"])
def test_an_id_is_never_a_path(spool: Spool, id: str) -> None:
    with pytest.raises(SpoolError):
        spool.write_decision(id, {})
    assert spool.read_decision(id) is None


def test_decisions_that_are_a_link_lead_nowhere(spool: Spool, tmp_path: Path) -> None:
    (spool.path / "decisions").rmdir()
    (tmp_path / "outside").mkdir()
    (spool.path / "decisions").symlink_to(tmp_path / "outside")
    (tmp_path / "outside" / "a.json").write_bytes(b"{}")
    assert spool.read_decision("a") is None
    spool.prune_decisions(2**40)
    spool.write_decision("b", {})
    assert spool.read_decision("b") == {}
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["a.json"]


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"[" * 100_000, b"\xff", b"1" * 5000])
def test_a_decision_file_that_is_none_reads_as_missing(spool: Spool, data: bytes) -> None:
    (spool.path / "decisions" / "a.json").write_bytes(data)
    assert spool.read_decision("a") is None


def test_old_decisions_are_pruned(spool: Spool) -> None:
    for id, age in (("old", 100), ("new", 300)):
        spool.write_decision(id, {})
        os.utime(spool.path / "decisions" / f"{id}.json", (age, age))
    assert spool.prune_decisions(200) == 1
    assert spool.read_decision("old") is None
    assert spool.read_decision("new") == {}


def test_a_full_disk_is_explained_and_leaves_nothing(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", fail)
    for call in (lambda: spool.write("a.json", b"{}"), lambda: spool.write_decision("a", {})):
        with pytest.raises(SpoolError, match="the disk is full"):
            call()
    monkeypatch.undo()
    assert names(spool) == ["decisions"]
    assert list((spool.path / "decisions").iterdir()) == []


def test_ten_thousand_files_are_listed(spool: Spool) -> None:
    for number in range(10_000):
        (spool.path / f"{number}.json").touch()
    files, aside = spool.scan()
    assert (len(files), aside) == (10_000, ())


def test_a_sweep_that_was_killed_half_way_gives_nothing_back_twice(spool: Spool) -> None:
    aside = put(spool, ".memtui-0123456789abcdef-a.json")
    os.link(aside, spool.path / "a.json")
    spool.sweep()
    assert names(spool) == ["a.json", "decisions"]


def test_a_name_is_gone_only_where_the_spool_can_be_read_and_has_it_no_more(
    spool: Spool, tmp_path: Path
) -> None:
    path = put(spool, "a.json")
    (spool.path / "b.json").symlink_to("nowhere")
    assert [spool.is_gone(name) for name in ("a.json", "b.json", "c.json")] == [False, False, True]
    path.unlink()
    assert spool.is_gone("a.json")
    spool.path.rename(tmp_path / "elsewhere")
    assert not spool.is_gone("a.json")
    spool.path.write_text("")
    assert not spool.is_gone("a.json")
