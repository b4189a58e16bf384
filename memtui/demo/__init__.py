"""The throw-away workspace of `memtui demo`: notes and proposals that look like real ones."""

from __future__ import annotations

import time
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from memtui.config import Workspace, init

_MINUTE, _HOUR = 60.0, 3600.0
_AGES = {
    "01": 6 * _HOUR,
    "02": 2 * _MINUTE,
    "03": 2 * _MINUTE + 5,
    "04": 2 * _MINUTE - 5,
    "05": 3 * _MINUTE,
    "06": 4 * _MINUTE,
    "08": 3 * _MINUTE + 10,
    "10": 5 * _MINUTE,
    "11": 5 * _MINUTE + 10,
    "12": 2 * _MINUTE + 10,
    "13": 6 * _MINUTE,
    "14": 1 * _HOUR,
    "17": 6 * _HOUR + 20,
    "18": 4 * _MINUTE + 20,
    "19": 2 * _MINUTE + 20,
}
"""How long each proposal has waited, in seconds, by the number that its file name begins with."""
_AGE = 7 * _MINUTE


def make_demo(directory: Path) -> Workspace:
    """A workspace in `directory` with the notes and proposals that ship with the package."""
    from memtui.desk import Desk

    source = resources.files("memtui.demo") / "workspace"
    _copy(source / "memory", directory / "memory")
    made = init(directory)
    now = time.time()
    moment = [now]
    waiting = sorted((source / "proposals").iterdir(), key=lambda file: (-_age(file), file.name))
    with Desk(made, now=lambda: moment[0]) as desk:
        for file in waiting:
            moment[0] = now - _age(file)
            desk.propose(file.read_bytes(), file.name)
    return made


def _age(file: Traversable) -> float:
    return _AGES.get(file.name[:2], _AGE)


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(mode=0o700)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())
