"""What is said of a spool that is away while proposals wait in it: nothing of it counts as taken away by its agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from memtui.storage.rows import WaitingRow
from memtui.storage.spools import OWN, Scanned, Spools, spool_of


def away_spools(spools: Spools, found: Scanned, waiting: Iterable[WaitingRow]) -> list[tuple[str, str]]:
    """Each spool that is missing, unreadable or emptied, with the reason, one sentence; not one that is new."""
    present = {file.name for file in found.files}
    lost = Counter(spool_of(row.file) for row in waiting if row.file not in present)
    listed = []
    for name, reason in found.away.items():
        if lost[name] or reason or name != OWN:
            listed.append((name, reason or _missing(spools.path(name), lost[name])))
    listed += [(name, _emptied(spools.path(name), lost[name])) for name in found.bare if lost[name]]
    return [(name or spools.path(name).name, reason) for name, reason in listed]


def _missing(path: Path, lost: int) -> str:
    if not lost:
        return f"The spool {path} is missing: make the folder, or take it out of the settings."
    return f"The spool is missing, and {lost} proposals that wait in it cannot be read until it is back."


def _emptied(path: Path, lost: int) -> str:
    waited = "1 proposal that waits in it is" if lost == 1 else f"{lost} proposals that wait in it are"
    return (
        f"The spool {path} was emptied, or is another folder now: {waited} not there. Put back what was in it, or"
        " make a folder decisions in it to let them go."
    )
