"""The memory folder on disk: alone reads notes, confined by descriptor (SPEC.md section 1, DESIGN.md
Choices).

A path is walked one component at a time with `dir_fd` and `O_NOFOLLOW`, so a folder that is swapped for a
symbolic link meanwhile leads nowhere. Reading leaves access times alone where the system allows it
(`O_NOATIME`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memtui.notes.way import DIRECTORY, Way, open_quietly

LARGEST = 64 * 1024 * 1024
"""Bytes; a larger file is no note, and is never read into memory."""

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CLIP = 80
_SURE = 3.0
"""Seconds after its last change from which a folder's time tells of the next one, however coarse its clock is."""


class FolderError(Exception):
    """A path that is refused or cannot be read; the message is one clear sentence."""


class NoteFile(NamedTuple):
    """One note as the folder lists it: `size` in bytes, `mtime` in Unix seconds, `mode` the permissions."""

    path: str
    size: int
    mtime: float
    mode: int


class Folder:
    """One memory folder, by its real path: no symbolic link is followed, on the way to the root or below it.

    Making one touches nothing on disk; every call opens what it needs and closes it again, so one value may
    be shared between threads.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._way = Way(root)
        self._names: dict[str, tuple[tuple[int, ...], list[str]]] = {}
        """By folder: its names, with what the folder was when they were listed."""

    def read(self, path: str) -> bytes | None:
        """All bytes of one note; None where there is no such file. Raises FolderError."""
        return self._read(path, None)

    def head(self, path: str, size: int = 8192) -> bytes:
        """The first `size` bytes of one note, b"" where there is no such file. Raises FolderError."""
        return self._read(path, size) or b""

    def heads(self, paths: Iterable[str], size: int = 8192) -> Iterator[tuple[str, bytes]]:
        """The heads of many notes, quickest where paths of one folder follow each other.

        A note that is missing, refused or unreadable gives b"": one bad file never holds up the rest.
        """
        here, opened = "", -1
        try:
            for path in paths:
                data: bytes | None = None
                with contextlib.suppress(FolderError, OSError):
                    parent, name = _split(path)
                    if opened < 0 or parent != here:
                        if opened >= 0:
                            os.close(opened)
                            opened = -1
                        opened, here = self.open_parent(path), parent
                    data = _read_at(opened, name, path, size)
                yield path, data or b""
        finally:
            if opened >= 0:
                os.close(opened)

    def notes(self) -> list[NoteFile]:
        """Every `*.md` file at any depth, sorted by path bytewise; hidden ones and links are left out."""
        return self.survey()[0]

    def survey(self) -> tuple[list[NoteFile], list[tuple[str, str]]]:
        """The notes, and what looks like one and is none: path and reason, one sentence."""
        found: list[NoteFile] = []
        aside: list[tuple[str, str]] = []
        waiting: list[str] = [""]
        while waiting:
            directory = waiting.pop()
            try:
                opened = self._open_directory(directory)
            except FileNotFoundError:
                continue
            except (FolderError, OSError) as error:
                aside.append((directory, _sentence(directory or str(self.root), error)))
                continue
            try:
                _list(opened, directory, found, waiting, aside)
            finally:
                os.close(opened)
        found.sort(key=lambda note: os.fsencode(note.path))
        return found, sorted(aside)

    def names(self, directory: str) -> list[str]:
        """All names in one folder ("" is the root), sorted; [] where it is missing. Raises FolderError."""
        try:
            opened = self._open_directory(directory)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FolderError(_sentence(directory or str(self.root), error)) from None
        try:
            seen, now = os.fstat(opened), time.time()
            state = (seen.st_dev, seen.st_ino, seen.st_mtime_ns, seen.st_ctime_ns)
            kept = self._names.get(directory)
            if kept is None or kept[0] != state:
                kept = (state, sorted(list_names(opened)))
                if now - max(seen.st_mtime, seen.st_ctime) > _SURE:
                    self._names[directory] = kept
            return list(kept[1])
        finally:
            os.close(opened)

    def open_parent(self, path: str, *, create: bool = False) -> int:
        """A descriptor of the folder that holds `path`; the caller closes it.

        With `create`, missing folders are made 0700 and are durable when this returns. Raises
        FileNotFoundError where one is missing, FolderError where a component is refused, OSError where the
        system says no.
        """
        return self._open_directory(_split(path)[0], create=create)

    def missing_folders(self, path: str) -> tuple[str, ...]:
        """The folders that `open_parent(create=True)` would make, outermost first."""
        parts = _parts(_split(path)[0])
        made = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        return tuple(made[bisect_left(made, True, key=self._is_missing) :])

    def _is_missing(self, directory: str) -> bool:
        try:
            os.close(self._open_directory(directory))
        except FileNotFoundError:
            return True
        return False

    def _read(self, path: str, size: int | None) -> bytes | None:
        name = _split(path)[1]
        try:
            parent = self.open_parent(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FolderError(_sentence(path, error)) from None
        try:
            return _read_at(parent, name, path, size)
        finally:
            os.close(parent)

    def _open_directory(self, directory: str, *, create: bool = False) -> int:
        """Walks from the root; "" is the root itself."""
        try:
            opened = self._way.open()
        except FileNotFoundError:
            if create:
                raise FolderError(f"The memory folder {clip(str(self.root))} is not there.") from None
            raise
        except NotADirectoryError:
            raise FolderError(f"The memory folder {clip(str(self.root))} is not a folder.") from None
        try:
            device = os.fstat(opened).st_dev
            walked = ""
            for part in _parts(directory):
                walked = f"{walked}/{part}" if walked else part
                below = _step(opened, part, walked, create)
                os.close(opened)
                opened = below
                if os.fstat(opened).st_dev != device:
                    raise FolderError(
                        f"{clip(walked)} is on another file system, and memtui stays in the folder."
                    )
        except BaseException:
            os.close(opened)
            raise
        return opened


@contextmanager
def opened_parent(folder: Folder, path: str, *, create: bool = False) -> Iterator[tuple[int, str]]:
    """The descriptor of the folder that holds `path`, closed at the end, and the name in it."""
    parent = folder.open_parent(path, create=create)
    try:
        yield parent, _split(path)[1]
    finally:
        os.close(parent)


def list_names(opened: int) -> list[str]:
    """All names in the folder behind a descriptor."""
    with os.scandir(opened) as entries:
        return [entry.name for entry in entries]


def clip(text: str) -> str:
    """A name as messages quote it: at most 80 characters."""
    return text if len(text) <= _CLIP else text[: _CLIP - 1] + "…"


def _split(path: str) -> tuple[str, str]:
    """Parent and name of a relative path that stays inside; raises FolderError."""
    if path.startswith("/"):
        raise FolderError(f"{clip(path)} is an absolute path; give one inside the memory folder.")
    parts = _parts(path)
    if not parts:
        raise FolderError("The path is empty; give one inside the memory folder.")
    return "/".join(parts[:-1]), parts[-1]


def _parts(path: str) -> list[str]:
    parts = path.split("/") if path else []
    for part in parts:
        if part in ("", ".", ".."):
            raise FolderError(f"{clip(path)} is not a plain path inside the memory folder.")
        if part.startswith("."):
            raise FolderError(f"{clip(path)} is hidden, and hidden files and folders are left alone.")
        if "\0" in part:
            raise FolderError(f"{clip(path)} holds a NUL character, which no file name can.")
    return parts


def _step(parent: int, part: str, walked: str, create: bool) -> int:
    """Opens one folder below `parent`, made first where it is missing and `create` is set."""
    try:
        return open_quietly(part, DIRECTORY, parent)
    except FileNotFoundError:
        if not create:
            raise
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise
        raise FolderError(f"{clip(walked)} is {_kind_at(parent, part)}, not a folder.") from None
    try:
        os.mkdir(part, 0o700, dir_fd=parent)
        os.fsync(parent)
    except FileExistsError:
        pass  # made meanwhile: opened below like any other
    return _step(parent, part, walked, create=False)


def _read_at(parent: int, name: str, path: str, size: int | None) -> bytes | None:
    try:
        opened = open_quietly(name, _FILE, parent)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return None  # nothing can be there
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EMLINK):
            raise FolderError(f"{clip(path)} is {_kind_at(parent, name)}, not a note.") from None
        raise FolderError(_sentence(path, error)) from None
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise FolderError(f"{clip(path)} is {_kind(found.st_mode)}, not a note.")
        if found.st_dev != os.fstat(parent).st_dev:
            raise FolderError(f"{clip(path)} is on another file system, and memtui stays in the folder.")
        if size is None and found.st_size > LARGEST:
            raise FolderError(f"{clip(path)} is larger than 64 MiB, too large for a note.")
        return _read_all(opened, LARGEST if size is None else size)
    except OSError as error:
        raise FolderError(_sentence(path, error)) from None
    finally:
        os.close(opened)


def _read_all(opened: int, most: int) -> bytes:
    pieces: list[bytes] = []
    left = most
    while left > 0 and (piece := os.read(opened, min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _list(
    opened: int, directory: str, found: list[NoteFile], waiting: list[str], aside: list[tuple[str, str]]
) -> None:
    """One folder: its notes to `found`, its folders to `waiting`, what looks like a note to `aside`."""
    device = os.fstat(opened).st_dev
    prefix = f"{directory}/" if directory else ""
    with os.scandir(opened) as entries:
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            path = prefix + name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif name.endswith(".md"):
                try:
                    seen = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # gone meanwhile
                if not stat.S_ISREG(seen.st_mode):
                    aside.append((path, f"{clip(path)} is {_kind(seen.st_mode)}, not a note."))
                elif seen.st_dev != device:
                    aside.append((path, f"{clip(path)} is on another file system."))
                else:
                    found.append(NoteFile(path, seen.st_size, seen.st_mtime, stat.S_IMODE(seen.st_mode)))


def _kind_at(parent: int, name: str) -> str:
    try:
        return _kind(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except OSError:
        return "gone"


def _kind(mode: int) -> str:
    names = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFDIR: "a folder",
        stat.S_IFREG: "a file",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return names.get(stat.S_IFMT(mode), "no regular file")


def _sentence(path: str, error: Exception) -> str:
    if not isinstance(error, OSError):
        return str(error)
    reason = (error.strerror or "unknown error").lower()
    return f"{clip(path)} cannot be read: {reason}."
