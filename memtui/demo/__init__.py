"""The throw-away workspace of `memtui demo`: notes and proposals that look like real ones."""

from __future__ import annotations

import time
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from memtui.config import Workspace, init

_ORDER = ("04", "02", "03", "12", "05", "06", "11", "10", "18", "08", "19", "13", "14", "01", "17")
"""The number that a file's name begins with, in the order in which the proposals came."""
_STEP = 55.0
"""Seconds between two of them."""


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
    """How long a proposal has waited, in seconds."""
    number = file.name[:2]
    return _STEP * (len(_ORDER) - _ORDER.index(number) if number in _ORDER else 1)


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(mode=0o700)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())
