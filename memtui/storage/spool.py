"""The spool: proposals that wait, one file each, and the decision files that answer them (SPEC.md sections 1,
3, 4).

Agents write here, so nothing that is read is trusted: no link is followed, no pipe opened for long, no file
read past 1 MiB. Everything is reached by descriptor, below the spool that was resolved once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.notes.folder import list_names
from memtui.notes.way import Way, walked
from memtui.storage.room import NO_ROOM
from memtui.storage.spool_files import (
    LARGEST,
    PATIENCE,
    SETTLE,
    TAKEN,
    TEMP,
    Known,
    beside,
    end_aside,
    give_back,
    holds,
    is_plain,
    is_there,
    is_written_now,
    mode_at,
    publish_new,
    read_at,
    replace_at,
    taken_name,
    unlink_dead,
)

if TYPE_CHECKING:
    from memtui.proposals.model import Json

SUFFIXES = (".json", ".yaml", ".yml", ".md")
IGNORED = (".tmp", ".part", "~", ".swp")
DECISIONS = "decisions"

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,120}")
_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}


class SpoolError(Exception):
    """The spool cannot be read or written; the message is one clear sentence."""


class SpoolFile(NamedTuple):
    """One candidate. `size` in bytes, `mtime` in Unix seconds."""

    name: str
    size: int
    mtime: float
    inode: int


def settled(file: SpoolFile, now: float, seconds: float = SETTLE) -> bool:
    """Whether it has been unchanged for a second, or so many (a time in the future counts as long ago)."""
    return not 0 <= now - file.mtime < seconds


def is_ignored(name: str) -> bool:
    """Names under which agents write before they rename, and what editors leave."""
    return name.startswith(".") or name.endswith(IGNORED)


class Spool:
    """One spool directory; making the value touches nothing. Methods may raise SpoolError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._way = Way(path)

    def ensure(self) -> None:
        """Makes the spool and its decisions, 0700, where they are missing."""
        try:
            with walked(self.path, create=True) as spool:
                if not _is_folder(spool, DECISIONS):
                    _move_aside(spool, DECISIONS)
                with contextlib.suppress(FileExistsError):
                    os.mkdir(DECISIONS, 0o700, dir_fd=spool)
        except OSError as error:
            raise _failure(f"The spool {self.path} cannot be made", error) from error

    def scan(self) -> tuple[tuple[SpoolFile, ...], tuple[tuple[str, str], ...]]:
        """Candidates, oldest first then by name; and what is set aside: name and reason, one sentence.

        No file is opened. A spool that is missing is empty.
        """
        found: list[SpoolFile] = []
        aside: list[tuple[str, str]] = []
        try:
            with self._opened() as spool, os.scandir(spool) as entries:
                for entry in entries:
                    if is_ignored(entry.name) or entry.name == DECISIONS:
                        continue
                    try:
                        seen = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    except PermissionError:  # the folder's: nothing can be told of any file in it
                        raise
                    except OSError as error:  # a bad spot of the disk holds up no other file
                        aside.append((entry.name, str(_failure("It cannot be read", error))))
                        continue
                    if reason := _reason_against(entry.name, seen, spool):
                        aside.append((entry.name, reason))
                    else:
                        found.append(SpoolFile(entry.name, seen.st_size, seen.st_mtime, seen.st_ino))
        except FileNotFoundError:
            return (), ()
        except OSError as error:
            raise _failure(f"The spool {self.path} cannot be read", error) from error
        found.sort(key=lambda file: (file.mtime, file.name))
        return tuple(found), tuple(sorted(aside))

    def find(self, name: str) -> SpoolFile | None:
        """One candidate by its name; None where it is gone or no candidate."""
        with contextlib.suppress(OSError), self._opened() as spool:
            seen = os.stat(name, dir_fd=spool, follow_symlinks=False)
            if not _reason_against(name, seen, spool):
                return SpoolFile(name, seen.st_size, seen.st_mtime, seen.st_ino)
        return None

    def is_gone(self, name: str) -> bool:
        """Whether the spool can be read and nothing in it has this name; False where that cannot be told."""
        try:
            with self._opened() as spool:
                return not is_there(spool, name)
        except OSError:
            return False

    def read(self, name: str) -> bytes | None:
        """The bytes of one candidate; None where it is gone, no candidate, or changed while it was read.

        Raises SpoolError where it is there and cannot be read.
        """
        if not _is_component(name):
            return None
        try:
            with self._opened() as spool:
                return read_at(spool, name)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failure("It cannot be read", error) from error

    def is_whole(self, file: SpoolFile, now: float) -> bool:
        """Whether it has been left alone: for a second, and for a minute while somebody has it open for writing."""
        if not settled(file, now) or settled(file, now, PATIENCE):
            return settled(file, now)
        with contextlib.suppress(OSError), self._opened() as spool:
            return not is_written_now(spool, file.name)
        return True

    def write(self, name_hint: str, data: bytes) -> str:
        """Puts a new proposal in, whole and durable, without overwriting; returns the name that it got."""
        self.ensure()
        try:
            with self._opened() as spool:
                return publish_new(spool, _plain_name(name_hint), data)
        except OSError as error:
            raise _failure(f"The proposal could not be written to {self.path}", error) from error

    def put_back(self, name: str, data: bytes) -> str:
        """Gives an undone proposal its place again: under its old name if that is free or holds it still.

        Else under that name with 8 hex of its SHA-256, so that it comes back once, however often this is tried.
        """
        self.ensure()
        wanted = name if _is_component(name) and not is_ignored(name) else _plain_name(name)
        other = beside(wanted, hashlib.sha256(data).hexdigest())
        try:
            with self._opened() as spool:
                for free in (wanted, other):
                    if read_at(spool, free) == data:
                        return free
                return publish_new(spool, other if is_there(spool, wanted) else wanted, data)
        except OSError as error:
            raise _failure(f"The proposal could not be put back into {self.path}", error) from error

    def remove(self, name: str, sha256: str) -> bool:
        """Removes a proposal while its bytes are those; False where they are not (it stays) or it is gone.

        It is first moved aside and then looked at, so that one renamed over it in between is not lost. Where it
        cannot be removed it has its name again: nobody takes it for gone.
        """
        if not _is_component(name):
            return False
        try:
            with self._opened() as spool:
                if not holds(spool, name, sha256):
                    return False
                aside = taken_name(name)
                os.rename(name, aside, src_dir_fd=spool, dst_dir_fd=spool)
                removed = False
                try:
                    if holds(spool, aside, sha256):
                        os.unlink(aside, dir_fd=spool)
                        removed = True
                finally:
                    if not removed:
                        give_back(spool, aside, name)
                return removed
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _failure("The proposal could not be removed from the spool", error) from error

    def sweep(self, known: Known = lambda _: {}) -> int:
        """Removes temporary files whose writer is dead, ends what was moved aside; returns how many.

        What is aside goes where `known` says that it had its answer, else it is given back. The caller holds the
        lock (a living `propose` does not, so its file is known by its own lock). Raises SpoolError once all was
        tried where one could not be given back, OSError where the spool cannot be read.
        """
        count, failure = 0, None
        with contextlib.suppress(FileNotFoundError), self._opened() as spool:
            for name in [name for name in list_names(spool) if name.startswith(".memtui-")]:
                taken = TAKEN.fullmatch(name)
                if TEMP.fullmatch(name):
                    count += unlink_dead(spool, name)
                elif taken is not None and is_plain(spool, name):
                    try:
                        end_aside(spool, name, taken[1], known)
                        count += 1
                    except OSError as error:
                        failure = error
            with contextlib.suppress(OSError), _opened_decisions(spool) as decisions:
                for name in filter(TEMP.fullmatch, list_names(decisions)):
                    count += unlink_dead(decisions, name)
        if failure is not None:
            raise _failure("What a killed memtui moved aside could not be given back", failure) from failure
        return count

    # --- decisions ---

    def write_decision(self, id: str, answer: Mapping[str, Json]) -> None:
        """Writes decisions/<id>.json, whole, durable, 0600.

        What stands in the way (a folder of that name, `decisions` as a link or a file) is moved aside: an agent
        that can write to the spool must not be able to hold up an answer.
        """
        name = _decision_name(id)
        if not self.has_decisions():
            self.ensure()
        try:
            with self._opened() as spool, _opened_decisions(spool) as decisions:
                if _is_folder(decisions, name):
                    _move_aside(decisions, name)
                replace_at(decisions, name, _encode(answer))
        except OSError as error:
            raise _failure(f"The decision {id} could not be written", error) from error

    def has_decisions(self) -> bool:
        """Whether the folder of decisions is there, by which a spool is known as one."""
        try:
            with self._opened() as spool:
                return _is_folder(spool, DECISIONS)
        except OSError:
            return False

    def read_decision(self, id: str) -> dict[str, Json] | None:
        """What stands in decisions/<id>.json; None where it is missing or no decision."""
        try:
            with self._opened() as spool, _opened_decisions(spool) as decisions:
                data = read_at(decisions, _decision_name(id))
        except (OSError, SpoolError):
            return None
        try:
            answer = json.loads(data) if data is not None else None
        except (ValueError, RecursionError):
            return None
        return answer if isinstance(answer, dict) else None

    def drop_decision(self, id: str) -> None:
        """Removes decisions/<id>.json, where an id is free again."""
        with (
            contextlib.suppress(OSError, SpoolError),
            self._opened() as spool,
            _opened_decisions(spool) as decisions,
        ):
            os.unlink(_decision_name(id), dir_fd=decisions)

    def prune_decisions(self, older_than: float) -> int:
        """Removes decision files last written before `older_than` (Unix seconds); returns how many."""
        removed = 0
        with contextlib.suppress(OSError), self._opened() as spool, _opened_decisions(spool) as decisions:
            for name in list_names(decisions):
                with contextlib.suppress(OSError):
                    seen = os.stat(name, dir_fd=decisions, follow_symlinks=False)
                    if name.endswith(".json") and stat.S_ISREG(seen.st_mode) and seen.st_mtime < older_than:
                        os.unlink(name, dir_fd=decisions)
                        removed += 1
        return removed

    @contextmanager
    def _opened(self) -> Iterator[int]:
        opened = self._way.open()
        try:
            yield opened
        finally:
            os.close(opened)


@contextmanager
def _opened_decisions(spool: int) -> Iterator[int]:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    opened = os.open(DECISIONS, flags, dir_fd=spool)
    try:
        yield opened
    finally:
        os.close(opened)


def _is_folder(directory: int, name: str) -> bool:
    return stat.S_ISDIR(mode_at(directory, name))


def _move_aside(directory: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        aside = f".aside-{os.urandom(4).hex()}-{name}"
        os.rename(name, aside, src_dir_fd=directory, dst_dir_fd=directory)


def _reason_against(name: str, seen: os.stat_result, spool: int) -> str:
    """Why a spool file is not a candidate, one sentence; "" where it is one."""
    if not stat.S_ISREG(seen.st_mode):
        kind = _KINDS.get(stat.S_IFMT(seen.st_mode), "no regular file")
        return f"It is {kind}; a proposal must be a plain file."
    if not name.lower().endswith(SUFFIXES):
        return "Its name must end in .json, .yaml, .yml or .md."
    if seen.st_size > LARGEST:
        return f"It has {seen.st_size:,} bytes; a proposal must be at most 1 MiB."
    try:
        name.encode()
    except UnicodeEncodeError:
        return "Its name is not valid UTF-8; give it another one."
    own = (
        seen.st_uid == os.geteuid() and seen.st_mode & stat.S_IRUSR
    )  # told without asking for each of thousands
    if not own and not os.access(name, os.R_OK, dir_fd=spool):
        return "It cannot be read: permission denied."
    return ""


def _is_component(name: str) -> bool:
    return name not in ("", ".", "..", DECISIONS) and "/" not in name and "\0" not in name


def _plain_name(hint: str) -> str:
    """A name that every file system takes, made from a hint."""
    stem, dot, suffix = hint.rpartition(".")
    if dot + suffix not in SUFFIXES:
        stem, suffix = hint, "json"
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).lstrip(".-")[:150]
    return f"{plain or 'proposal'}.{suffix}"


def _decision_name(id: str) -> str:
    if _ID.fullmatch(id) is None:
        raise SpoolError("That is no id of a proposal.")
    return f"{id}.json"


def _encode(answer: Mapping[str, Json]) -> bytes:
    try:
        return (json.dumps(answer, ensure_ascii=False, indent=2) + "\n").encode()
    except UnicodeEncodeError:  # a lone surrogate in it
        return (json.dumps(answer, indent=2) + "\n").encode()


def _failure(what: str, error: OSError) -> SpoolError:
    why = NO_ROOM.get(error.errno or 0) or (error.strerror or "unknown error").lower()
    return SpoolError(f"{what}: {why}.")
