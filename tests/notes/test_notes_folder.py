"""The memory folder: what is listed and read, what is refused, and that reading leaves no trace."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path

import pytest

from memtui.notes.folder import Folder, FolderError


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    (root / "people").mkdir(parents=True)
    (root / "a.md").write_bytes(b"alpha\n")
    (root / "people" / "lina.md").write_bytes(b"lina\n")
    return root


def times(root: Path) -> dict[str, tuple[int, int, int]]:
    found = {}
    for path in [root, *sorted(root.rglob("*"))]:
        seen = path.lstat()
        found[str(path)] = (seen.st_atime_ns, seen.st_mtime_ns, seen.st_ctime_ns)
    return found


def test_notes_are_listed_at_any_depth_sorted_bytewise(memory: Path) -> None:
    for name in ("B.md", "é.md", "people/a b.md", "x.txt", ".hidden.md", "people/.secret/n.md", "z/y/x.md"):
        (memory / name).parent.mkdir(parents=True, exist_ok=True)
        (memory / name).write_bytes(b"1")
    paths = [note.path for note in Folder(memory).notes()]
    assert paths == ["B.md", "a.md", "people/a b.md", "people/lina.md", "z/y/x.md", "é.md"]


def test_a_note_is_listed_with_its_size_time_and_mode(memory: Path) -> None:
    (memory / "a.md").chmod(0o640)
    os.utime(memory / "a.md", (5, 7.5))
    note = Folder(memory).notes()[0]
    assert (note.path, note.size, note.mtime, note.mode) == ("a.md", 6, 7.5, 0o640)


def test_reading_gives_all_bytes_or_none(memory: Path) -> None:
    folder = Folder(memory)
    assert folder.read("people/lina.md") == b"lina\n"
    assert folder.read("people/nobody.md") is None
    assert folder.read("nowhere/at/all.md") is None
    assert folder.head("a.md", 3) == b"alp"
    assert folder.head("nobody.md") == b""


def test_heads_of_many_notes_skip_what_cannot_be_read(memory: Path) -> None:
    (memory / "link.md").symlink_to(memory / "a.md")
    wanted = ["a.md", "link.md", "people/lina.md", "nowhere/x.md", "../x.md", "a.md"]
    assert list(Folder(memory).heads(wanted, 3)) == [
        ("a.md", b"alp"),
        ("link.md", b""),
        ("people/lina.md", b"lin"),
        ("nowhere/x.md", b""),
        ("../x.md", b""),
        ("a.md", b"alp"),
    ]


@pytest.mark.parametrize("known", [False, True], ids=["at once", "after a read"])
def test_a_link_on_the_way_to_the_root_is_not_followed(memory: Path, tmp_path: Path, known: bool) -> None:
    """One that came there later than the workspace was looked at, as where somebody swaps it while memtui writes."""
    (tmp_path / "above").mkdir()
    memory.rename(tmp_path / "above" / "memory")
    folder = Folder(tmp_path / "above" / "memory")
    if known:
        assert folder.read("a.md") == b"alpha\n"
    (tmp_path / "above").rename(tmp_path / "aside")
    (tmp_path / "outside" / "memory").mkdir(parents=True)
    (tmp_path / "above").symlink_to(tmp_path / "outside")
    with pytest.raises(FolderError, match="is not a folder"):
        folder.names("")


def test_a_missing_root_is_an_empty_folder(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "none")
    assert folder.notes() == []
    assert folder.names("") == []
    assert folder.read("a.md") is None
    assert not (tmp_path / "none").exists()


REFUSED = [
    "",
    "/etc/passwd",
    "../outside.md",
    "people/../a.md",
    "people//lina.md",
    "./a.md",
    "people/.",
    "..",
    ".hidden.md",
    ".git/config.md",
    "a\0.md",
    "link.md",
    "linked/lina.md",
    "people/linked/x.md",
    "pipe.md",
    "sock.md",
    "people",
    "a.md/b.md",
]


@pytest.mark.parametrize("path", REFUSED)
def test_paths_that_leave_the_folder_or_are_no_notes_are_refused_in_one_sentence(
    memory: Path, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("lina.md", "x.md"):
        (outside / name).write_bytes(b"secret")
    (tmp_path / "outside.md").write_bytes(b"secret")
    (memory / "link.md").symlink_to(outside / "lina.md")
    (memory / "linked").symlink_to(outside)
    (memory / "people" / "linked").symlink_to("../../outside")
    os.mkfifo(memory / "pipe.md")
    monkeypatch.chdir(memory)  # the address of a socket is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.md")
        with pytest.raises(FolderError) as refused:
            Folder(memory).read(path)
    message = str(refused.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 200


def test_where_no_name_fits_there_is_no_note(memory: Path) -> None:
    assert Folder(memory).read("x" * 300 + ".md") is None


def test_a_folder_swapped_for_a_link_while_open_leads_nowhere(memory: Path, tmp_path: Path) -> None:
    folder = Folder(memory)
    (tmp_path / "outside").mkdir()
    (memory / "people").rename(memory / "moved")
    (memory / "people").symlink_to(tmp_path / "outside")
    with pytest.raises(FolderError):
        folder.open_parent("people/new.md", create=True)
    assert list((tmp_path / "outside").iterdir()) == []


def test_what_only_looks_like_a_note_is_set_aside_with_a_reason(memory: Path) -> None:
    (memory / "link.md").symlink_to("a.md")
    os.mkfifo(memory / "pipe.md")
    (memory / "loop").symlink_to(".")
    notes, aside = Folder(memory).survey()
    assert [note.path for note in notes] == ["a.md", "people/lina.md"]
    assert aside == [
        ("link.md", "link.md is a symbolic link, not a note."),
        ("pipe.md", "pipe.md is a named pipe, not a note."),
    ]


def test_a_hard_link_is_read_like_any_note(memory: Path) -> None:
    os.link(memory / "a.md", memory / "twin.md")
    assert Folder(memory).read("twin.md") == b"alpha\n"


def test_names_that_are_not_utf8_are_listed_and_read(memory: Path) -> None:
    raw = os.fsencode(memory) + b"/caf\xe9.md"
    Path(os.fsdecode(raw)).write_bytes(b"1")
    folder = Folder(memory)
    odd = next(note.path for note in folder.notes() if "caf" in note.path)
    assert folder.read(odd) == b"1"


def test_making_folders_is_private_and_only_on_demand(memory: Path) -> None:
    folder = Folder(memory)
    assert folder.missing_folders("people/x.md") == ()
    assert folder.missing_folders("people/far/away/x.md") == ("people/far", "people/far/away")
    with pytest.raises(FileNotFoundError):
        folder.open_parent("people/far/away/x.md")
    os.close(folder.open_parent("people/far/away/x.md", create=True))
    assert (memory / "people/far/away").stat().st_mode & 0o777 == 0o700
    assert folder.missing_folders("people/far/away/x.md") == ()


def test_opening_listing_and_reading_change_no_time_stamp(memory: Path) -> None:
    for path in [memory, *memory.rglob("*")]:
        os.utime(path, (1, 2))  # an access time older than the modification: what relatime would renew
    before = times(memory)
    folder = Folder(memory)
    for note in folder.notes():
        folder.read(note.path)
        folder.head(note.path)
    folder.names("")
    list(folder.heads(["a.md"]))
    folder.missing_folders("people/x.md")
    after = times(memory)
    if not hasattr(os, "O_NOATIME"):
        before = {path: seen[1:] for path, seen in before.items()}  # type: ignore[misc]
        after = {path: seen[1:] for path, seen in after.items()}  # type: ignore[misc]
    assert after == before


def test_no_descriptor_is_left_open(memory: Path) -> None:
    folder = Folder(memory)

    def count() -> int:
        return len(os.listdir("/dev/fd"))

    before = count()
    for path in ("a.md", "none/x.md", "a.md/x.md", "../x.md", "people"):
        with contextlib.suppress(FolderError):
            folder.read(path)
    folder.notes()
    folder.names("people")
    list(folder.heads(["a.md", "people/lina.md"]))
    assert count() == before


def test_the_names_of_a_folder_follow_every_change_at_once(memory: Path) -> None:
    folder = Folder(memory)
    before = folder.names("")
    for number in range(50):
        (memory / f"new{number}.md").write_bytes(b"")
        assert folder.names("") == sorted(os.listdir(memory))
    folder.names("").clear()
    assert len(folder.names("")) == len(before) + 50


def test_names_that_are_kept_follow_a_change_whatever_the_time_of_the_folder_says(
    memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later, long_ago = time.time() + 1000, (1_000_000_000.0, 1_000_000_000.0)
    monkeypatch.setattr(time, "time", lambda: later)  # so that the names are kept
    folder, probe = Folder(memory), tmp_path / "probe"
    for change in (
        lambda: (memory / "new.md").write_bytes(b""),
        lambda: (memory / "new.md").rename(memory / "other.md"),
        lambda: (memory / "other.md").unlink(),
    ):
        os.utime(memory, long_ago)
        assert folder.names("") == folder.names("") == sorted(os.listdir(memory))
        probe.touch()
        while (
            probe.stat().st_ctime_ns <= memory.stat().st_ctime_ns
        ):  # until the clock of the disk has moved on
            probe.touch()
        change()
        os.utime(memory, long_ago)
        assert folder.names("") == sorted(os.listdir(memory))
