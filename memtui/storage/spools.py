"""All spools of a workspace as one (SPEC.md section 4, "Gate"): who asks is known by the spool alone.

A file is known by `<spool>/<name>`, in the workspace's own spool by `<name>`: no name holds a `/`, so that this is
unambiguous wherever it is kept. Decisions go to the spool that the proposal came from.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.settings import SpoolPlace
from memtui.storage.spool import DECISIONS, Spool, SpoolError, SpoolFile
from memtui.storage.spool_files import Known

if TYPE_CHECKING:
    from memtui.proposals.model import Json

OWN = ""
"""The name of the workspace's own spool."""


def spool_of(file: str) -> str:
    """The name of the spool that a file is in."""
    return file.rpartition("/")[0]


def name_in(file: str) -> str:
    """The name that a file has inside its spool."""
    return file.rpartition("/")[2]


def file_in(spool: str, name: str) -> str:
    """How a file of this name in that spool is known."""
    return f"{spool}/{name}" if spool else name


def _known_in(spool: str, known: Known, sha256: str) -> dict[str, bool]:
    return {name_in(file): had for file, had in known(sha256).items() if spool_of(file) == spool}


class Scanned(NamedTuple):
    """What one look at all spools found."""

    files: tuple[SpoolFile, ...]
    """Candidates, oldest first then by name."""
    aside: tuple[tuple[str, str], ...]
    """What is no candidate: file and reason, one sentence."""
    away: Mapping[str, str]
    """Spools that are missing (with "") or cannot be read (with the reason, one sentence), by name."""
    bare: frozenset[str]
    """Spools without `decisions`, by name: the folder was emptied, or is another one, as where a disk is away."""


class Spools:
    """Every spool of one workspace; making the value touches nothing. Methods may raise SpoolError.

    One that is missing or cannot be read holds up no other.
    """

    def __init__(self, places: Iterable[SpoolPlace]) -> None:
        """The workspace's own is among `places`, under the name ""."""
        places = tuple(places)
        self._by_name = {place.name: Spool(place.path) for place in places}
        self._ours = frozenset(place.name for place in places if place.ours)
        self.unswept = False
        """A proposal may still be moved aside: it is not gone, and `prepare` has to give it back."""

    @property
    def several(self) -> bool:
        return len(self._by_name) > 1

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._by_name)

    def path(self, name: str) -> Path:
        """The folder of a spool. Raises SpoolError where none is called so."""
        return self._spool(name).path

    def _spool(self, name: str) -> Spool:
        found = self._by_name.get(name)
        if found is None:
            known = ", ".join(sorted(filter(None, self._by_name))) or "none"
            raise SpoolError(f"No spool is called {name}: the settings know {known}.")
        return found

    def _present(self, name: str) -> Spool:
        """A spool that is there: one that is away for a while is not made anew beside what waits in it."""
        found = self._spool(name)
        if name != OWN and not found.path.is_dir():
            raise SpoolError(f"The spool {name} ({found.path}) is missing.")
        return found

    def _known(self, file: str) -> Spool | None:
        return self._by_name.get(spool_of(file))

    def scan(self) -> Scanned:
        """Every candidate of every spool. No file is opened."""
        files: list[SpoolFile] = []
        aside: list[tuple[str, str]] = []
        away: dict[str, str] = {}
        bare: list[str] = []
        for name, spool in self._by_name.items():
            try:
                found, odd = spool.scan()
            except SpoolError as failure:
                away[name] = str(failure)
                continue
            if not found and not odd and not spool.path.is_dir():
                away[name] = ""
            elif not spool.has_decisions():
                bare.append(name)
            if name:
                found = tuple(file._replace(name=file_in(name, file.name)) for file in found)
                odd = tuple((file_in(name, each), reason) for each, reason in odd)
            files.extend(found)
            aside.extend(odd)
        if self.several:
            files.sort(key=lambda file: (file.mtime, file.name))
        return Scanned(tuple(files), tuple(aside), away, frozenset(bare))

    def find(self, file: str) -> SpoolFile | None:
        """One candidate; None where it is gone or no candidate."""
        spool = self._known(file)
        found = None if spool is None else spool.find(name_in(file))
        return None if found is None else found._replace(name=file)

    def is_gone(self, file: str) -> bool:
        """Whether its spool can be read and does not hold that name any more, whatever it was."""
        spool = self._known(file)
        return spool is not None and spool.is_gone(name_in(file))

    def read(self, file: str) -> bytes | None:
        """The bytes of one candidate; None where it is gone, no candidate, or changed while it was read."""
        spool = self._known(file)
        return None if spool is None else spool.read(name_in(file))

    def is_whole(self, file: SpoolFile, now: float) -> bool:
        """Whether nobody seems to write it any more (`Spool.is_whole`)."""
        spool = self._known(file.name)
        return spool is None or spool.is_whole(file._replace(name=name_in(file.name)), now)

    def write(self, name_hint: str, data: bytes, spool: str = OWN) -> str:
        """Puts a new proposal in, whole and durable, without overwriting; returns how it is known."""
        found = self._spool(spool)
        self._make(spool)
        return file_in(spool, found.write(name_hint, data))

    def put_back(self, file: str, data: bytes) -> str:
        """Gives an undone proposal its place in its spool again; returns how it is known (`Spool.put_back`)."""
        spool = spool_of(file)
        return file_in(spool, self._present(spool).put_back(name_in(file), data))

    def remove(self, file: str, sha256: str) -> bool:
        """Removes a proposal while its bytes are those; False where they are not or it is gone."""
        spool = self._known(file)
        try:
            return spool is not None and spool.remove(name_in(file), sha256)
        except SpoolError:
            self.unswept = True
            raise

    def prepare(self, waited_in: frozenset[str], known: Known = lambda _: {}) -> None:
        """Puts right what dead writers left, and makes the spools whose folder is memtui's own choice.

        `waited_in` names the spools from which something waits: one of those that is missing is away, not new.
        `known` is that of `Spool.sweep`, for files as they are known here. The caller holds the lock.
        """
        unswept = False
        for name, spool in self._by_name.items():
            with contextlib.suppress(SpoolError, OSError):  # the scan that follows says what is wrong with it
                try:
                    spool.sweep(partial(_known_in, name, known))
                except SpoolError:
                    unswept = True
                if name not in waited_in:
                    self._make(name)
        self.unswept = unswept

    def _make(self, name: str) -> None:
        """Makes a spool whose folder memtui may make, and the folders above it, 0700, where it is missing; and in every
        spool `decisions`, by which it is known as one once there are files in it.
        """
        path = self._by_name[name].path
        if not (path / DECISIONS).exists() if path.is_dir() else name in self._ours and not path.exists():
            self._by_name[name].ensure()

    # --- decisions ---

    def write_decision(self, id: str, answer: Mapping[str, Json], spool: str = OWN) -> None:
        """Writes decisions/<id>.json of a spool, whole and durable."""
        self._present(spool).write_decision(id, answer)

    def read_decision(self, id: str, spool: str = OWN) -> dict[str, Json] | None:
        """What stands in decisions/<id>.json of a spool; None where it is missing or no decision."""
        found = self._by_name.get(spool)
        return None if found is None else found.read_decision(id)

    def find_decision(self, id: str) -> dict[str, Json] | None:
        """The first decision with this id in any spool."""
        found = (spool.read_decision(id) for spool in self._by_name.values())
        return next((answer for answer in found if answer is not None), None)

    def drop_decision(self, id: str, spool: str = OWN) -> None:
        """Removes decisions/<id>.json of a spool, where an id is free again."""
        if spool in self._by_name:
            self._by_name[spool].drop_decision(id)

    def prune_decisions(self, older_than: float) -> int:
        """Removes decision files last written before `older_than` (Unix seconds); returns how many."""
        return sum(spool.prune_decisions(older_than) for spool in self._by_name.values())
