"""Remembered approvals: for one note or its folder, from one spool, for the session or for good (SPEC.md section 4).

Those for good stand in `.memtui/grants.json`, and count only as memtui left the file: its hash is kept outside
the workspace, so what an agent writes there, or puts back from earlier, allows nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memtui.config import is_trusted, keep_trust, write_private
from memtui.settings import read_regular

OPERATIONS = ("write", "edit", "replace", "update")
"""What a grant covers: operations that change the contents of one note. An entry's `add` has no path of its own
yet, `rename` leaves its path, and the rest is never allowed."""


class GrantError(Exception):
    """A grant cannot be kept or taken back; one sentence."""


@dataclass(frozen=True, slots=True)
class Grant:
    """One remembered approval."""

    id: str
    spool: str
    """Name of the spool that the approved proposal came from, "" for the workspace's own."""
    path: str
    """One note, or `folder/*` for the notes right in it."""
    made: float
    """Unix seconds; it counts for what memtui first saw from then on."""
    lasting: bool = True
    """False: for this session, in the memory of this process only."""

    def covers(self, operation: str, path: str) -> bool:
        """Whether it is for this operation on this note."""
        if operation not in OPERATIONS:
            return False
        folder, _, rest = self.path.rpartition("/")
        return path == self.path or (rest == "*" and bool(folder) and path.rpartition("/")[0] == folder)


def widths(path: str) -> tuple[str, ...]:
    """What a grant for this note can be for: the note, then its folder; a note at the root has none."""
    folder = path.rpartition("/")[0]
    return (path, f"{folder}/*") if folder else (path,)


@dataclass(slots=True)
class Grants:
    """The grants of one workspace. Read anew when the file changes; the caller holds the lock while it writes."""

    path: Path
    now: Callable[[], float] = time.time
    problem: str = ""
    """Why grants.json does not count, one sentence; "" where it does."""
    _session: tuple[Grant, ...] = ()
    _kept: tuple[Grant, ...] = ()
    _seen: tuple[int, ...] | None = field(default=(0,))
    """Signature of the file as it was last read; None for no file."""

    def all(self) -> tuple[Grant, ...]:
        """Every grant that counts, oldest first."""
        self._read()
        return tuple(sorted((*self._kept, *self._session), key=lambda grant: grant.made))

    def add(self, spool: str, path: str, *, lasting: bool) -> Grant:
        """Remember an approval; one that is remembered already stays as it is. Raises GrantError."""
        for known in self.all():
            if (known.spool, known.path) == (spool, path) and known.lasting >= lasting:
                return known
        made = Grant(f"g-{os.urandom(4).hex()}", spool, path, self.now(), lasting)
        if lasting:
            self._write((*self._kept, made))
        else:
            self._session = (*self._session, made)
        return made

    def revoke(self, id: str) -> bool:
        """Take one grant back; whether there was one with this id. Raises GrantError."""
        self._read()
        session = tuple(grant for grant in self._session if grant.id != id)
        kept = tuple(grant for grant in self._kept if grant.id != id)
        found = len(session) + len(kept) < len(self._session) + len(self._kept)
        self._session = session
        if len(kept) < len(self._kept):
            self._write(kept)
        return found

    def _read(self) -> None:
        seen = _signature(self.path)
        if seen == self._seen:
            return
        self._seen, self._kept, self.problem = seen, (), ""
        if seen is None:
            return
        try:
            data = read_regular(self.path)
            listed = json.loads(data)["grants"]
            kept = tuple(_grant(each) for each in listed)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            self.problem = f"{self.path} cannot be read as grants: nothing is allowed by it; make them anew"
            return
        if not is_trusted(self.path, hashlib.sha256(data).hexdigest()):
            self.problem = f"{self.path} is not as memtui left it: nothing is allowed by it; make them anew"
            return
        self._kept = kept

    def _write(self, grants: Sequence[Grant]) -> None:
        """Its hash first: a file that was not written in time does not count, rather than an old one."""
        listed = [{"id": g.id, "spool": g.spool, "path": g.path, "made": g.made} for g in grants]
        data = (json.dumps({"grants": listed}, indent=2) + "\n").encode("ascii")
        try:
            keep_trust(self.path, hashlib.sha256(data).hexdigest())
            write_private(self.path, data)
        except OSError as error:
            self._seen = (0,)
            reason = (error.strerror or str(error)).lower()
            raise GrantError(f"the grants could not be kept in {self.path}: {reason}") from error
        self._seen, self._kept, self.problem = _signature(self.path), tuple(grants), ""


def _signature(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return (found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _grant(plain: dict[str, Any]) -> Grant:
    made = Grant(plain["id"], plain["spool"], plain["path"], float(plain["made"]))
    if not all(isinstance(text, str) for text in (made.id, made.spool, made.path)):
        raise TypeError("a grant holds text")
    return replace(made, lasting=True)
