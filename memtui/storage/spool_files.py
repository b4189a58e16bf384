"""The spool's files by descriptor: read with suspicion, published whole and never over another one."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import signal
import stat
import time
from collections.abc import Callable, Mapping

from memtui.notes.way import NEW

LARGEST = 1 << 20
"""Bytes; a larger file is listed and left where it is."""
SETTLE = 1.0
"""Seconds that a YAML or Markdown file must stay unchanged before it counts."""
PATIENCE = 60.0
"""Seconds that one which somebody still has open for writing may rest."""
TEMP = re.compile(r"\.memtui-[0-9a-f]{16}\.tmp")
"""Names of files that are still being written."""
TAKEN = re.compile(r"\.memtui-[0-9a-f]{16}-(.+)", re.DOTALL)
"""Names of proposals that are looked at for the last time; the group is the proposal's own."""

Known = Callable[[str], Mapping[str, bool]]
"""By the SHA-256 of a proposal's bytes: the names that it came under, and whether it had its answer under each; ""
where the name is kept nowhere, and the answer is for any."""

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_at(directory: int, name: str) -> bytes | None:
    """A regular file of at most 1 MiB that does not change meanwhile, else None; may raise OSError."""
    try:
        opened = os.open(name, _READ, dir_fd=directory)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ELOOP, errno.ENXIO, errno.EMLINK):
            return None
        raise
    try:
        first = os.fstat(opened)
        if not stat.S_ISREG(first.st_mode) or first.st_size > LARGEST:
            return None
        pieces, left = [], LARGEST + 1
        while left > 0 and (piece := os.read(opened, left)):
            pieces.append(piece)
            left -= len(piece)
        data, last = b"".join(pieces), os.fstat(opened)
        same = (first.st_size, first.st_mtime_ns) == (last.st_size, last.st_mtime_ns)
        return data if same and len(data) == last.st_size else None
    finally:
        os.close(opened)


def is_written_now(directory: int, name: str) -> bool:
    """Whether somebody has it open for writing; False where the system does not tell (another system, another owner).

    A lease for reading is given only where nobody has. It is given back at once; a writer that opens the file in
    between waits so long, and the word of it that this process gets is one that does nothing.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        opened = os.open(name, _READ, dir_fd=directory)
    except OSError:
        return False
    try:
        fcntl.fcntl(opened, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(opened, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    else:
        with contextlib.suppress(OSError):
            fcntl.fcntl(opened, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False
    finally:
        os.close(opened)


def holds(spool: int, name: str, sha256: str) -> bool:
    data = read_at(spool, name)
    return data is not None and hashlib.sha256(data).hexdigest() == sha256


def is_plain(directory: int, name: str) -> bool:
    """Whether it is a regular file; no other is ever moved aside."""
    return stat.S_ISREG(mode_at(directory, name))


def write_temp(directory: int, data: bytes) -> tuple[str, int]:
    """A synced temporary file, locked while its descriptor is open: a sweep knows that its writer lives."""
    name = f".memtui-{os.urandom(8).hex()}.tmp"
    opened = os.open(name, NEW, 0o600, dir_fd=directory)
    try:
        with contextlib.suppress(OSError):  # a file system without flock
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        left = memoryview(data)
        while left:
            left = left[os.write(opened, left) :]
        os.fsync(opened)
    except BaseException:
        os.close(opened)
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=directory)
        raise
    return name, opened


def replace_at(directory: int, name: str, data: bytes) -> None:
    """Puts `data` at `name`, whole and durable, over what stands there."""
    temp, opened = write_temp(directory, data)
    try:
        os.rename(temp, name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temp, dir_fd=directory)
        raise
    finally:
        os.close(opened)
    os.fsync(directory)


def publish_new(spool: int, wanted: str, data: bytes) -> str:
    """Under `wanted`, else a free variant of it; never over another file."""
    temp, opened = write_temp(spool, data)
    name = ""
    try:
        past = time.time() - 2 * SETTLE  # written whole: it need not settle
        os.utime(opened, (past, past))
        name = _link_free(spool, temp, wanted)
        os.fsync(spool)
    except BaseException:
        _take_away(spool, name, opened)
        raise
    finally:
        with contextlib.suppress(OSError):  # gone already, or left to the next sweep
            os.unlink(temp, dir_fd=spool)
        os.close(opened)
    return name


def _take_away(spool: int, name: str, opened: int) -> None:
    """Removes the name of a file that is open, so that what failed is not there; never another file's."""
    with contextlib.suppress(OSError):
        if name and os.path.samestat(os.stat(name, dir_fd=spool, follow_symlinks=False), os.fstat(opened)):
            os.unlink(name, dir_fd=spool)


def _link_free(spool: int, source: str, wanted: str) -> str:
    stem, dot, suffix = wanted.rpartition(".")
    name = wanted
    while True:
        try:
            os.link(source, name, src_dir_fd=spool, dst_dir_fd=spool, follow_symlinks=False)
            return name
        except FileExistsError:
            name = f"{cut(stem, 200)}-{os.urandom(3).hex()}{dot}{suffix}"
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
                raise
            return _reserve_free(spool, source, name)


def _reserve_free(spool: int, source: str, name: str) -> str:
    """Where the disk knows no links: takes the name with an empty file, which is then replaced."""
    try:
        os.close(os.open(name, NEW, 0o600, dir_fd=spool))
    except FileExistsError:
        stem, dot, suffix = name.rpartition(".")
        return _reserve_free(spool, source, f"{cut(stem, 200)}-{os.urandom(3).hex()}{dot}{suffix}")
    try:
        os.rename(source, name, src_dir_fd=spool, dst_dir_fd=spool)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=spool)
        raise
    return name


def give_back(spool: int, aside: str, name: str) -> None:
    """Under its name again, or one beside it; killed half way, it has both names and only loses the other."""
    if not _is_same(spool, aside, name):
        _link_free(spool, aside, name)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(aside, dir_fd=spool)


def end_aside(spool: int, aside: str, short: str, known: Known) -> None:
    """What was moved aside goes where it had its answer, or has its name again already; else it is given back.

    `short`: its name as far as the name aside holds it. Under another name it would be another proposal, and be
    asked about once more. May raise OSError: it stays aside.
    """
    data = None
    with contextlib.suppress(PermissionError):  # given back, it is listed as what cannot be read
        data = read_at(spool, aside)
    if data is None:
        give_back(spool, aside, short)
        return
    digest = hashlib.sha256(data).hexdigest()
    answered = known(digest)
    names = [name for name in answered if name and _shortened(name) == short]
    name = max(names, key=answered.__getitem__, default=short)
    places = (name, beside(name, digest))
    if answered.get(name, answered.get("", False)) or any(_stands(spool, place, digest) for place in places):
        os.unlink(aside, dir_fd=spool)
    else:
        give_back(spool, aside, places[is_there(spool, name)])


def _stands(spool: int, name: str, sha256: str) -> bool:
    with contextlib.suppress(PermissionError):  # an agent's, which holds nothing up
        return holds(spool, name, sha256)
    return False


def beside(name: str, sha256: str) -> str:
    """Where a proposal goes whose name another has: always the same, so that it is there once."""
    stem, dot, suffix = name.rpartition(".")
    return f"{cut(stem, 200)}-{sha256[:8]}{dot}{suffix}"


def is_there(directory: int, name: str) -> bool:
    return mode_at(directory, name) != 0


def mode_at(directory: int, name: str) -> int:
    """The `st_mode` of what has this name (a link is not followed), 0 for nothing. Raises OSError."""
    try:
        return os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return 0


def _is_same(spool: int, one: str, other: str) -> bool:
    try:
        found, beside = (os.stat(name, dir_fd=spool, follow_symlinks=False) for name in (one, other))
    except FileNotFoundError:
        return False
    return os.path.samestat(found, beside)


def unlink_dead(directory: int, name: str) -> bool:
    with contextlib.suppress(OSError):
        opened = os.open(name, _READ, dir_fd=directory)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(name, dir_fd=directory)
            return True
        finally:
            os.close(opened)
    return False


def taken_name(name: str) -> str:
    """Where a proposal waits while it is looked at for the last time; its own name is in it, for a sweep."""
    return f".memtui-{os.urandom(8).hex()}-{_shortened(name)}"


def _shortened(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return f"{cut(stem, 200)}{dot}{suffix}"


def cut(text: str, size: int) -> str:
    """At most `size` bytes, whole characters."""
    return os.fsencode(text)[:size].decode("utf-8", "ignore")
