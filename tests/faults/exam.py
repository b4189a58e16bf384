"""The exam: each act at each point where it can go wrong, recovered and judged."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.acts import ACTS, TORN, build, open_desk
from tests.faults.facts import Facts, difference, recovered
from tests.faults.harm import Ended, Engine, Harm, calls_of, perform

_WRITES = ("write", "pwrite64", "ftruncate")
_SYNCS = ("fsync", "fdatasync", "commit")
_UNSURE = ("not confirmed", "until a restart", "waits in the spool")
"""With these words the person is told that it may have been done."""
_SHARES = (0.4, 0.6, 0.8)
"""How far an act had come when it was killed, where its recovery is examined."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to try. `torn` is the act that was killed before, where the act is `recover`."""

    act: str
    harm: Harm
    torn: str = ""
    torn_at: Harm | None = None
    no_links: bool = False

    def __str__(self) -> str:
        after = f" after {self.torn} with {self.torn_at}" if self.torn else ""
        return f"{self.act}{after}, {self.harm}{' without hard links' if self.no_links else ''}"


class Exam:
    """States that are made once and copied for each try, in `room`, a folder of its own."""

    def __init__(self, room: Path, engine: Engine) -> None:
        self._room, self.engine = room, engine
        self._references: dict[str, tuple[Facts, Facts]] = {}
        self._tries = 0

    def points(self, act: str, *, no_links: bool = False) -> list[Point]:
        """Every way in which an act can be killed or fail."""
        calls = self._calls(act, no_links)
        return [Point(act, harm, no_links=no_links) for harm in _harms(calls)]

    def kills(self, act: str) -> list[Point]:
        return [Point(act, Harm(call, nth, "KILL")) for call, nth in self._calls(act, False)]

    def recoveries(self, act: str, shares: tuple[float, ...] = _SHARES) -> Iterator[Point]:
        """Every way in which the recovery of a killed act can be killed or fail in its turn."""
        calls = self._calls(act, False)
        for share in shares:
            torn_at = Harm(*calls[int(len(calls) * share)], "KILL")
            root = self._copy(ACTS[act].start)
            perform(root, act, self.engine, torn_at)
            for harm in _harms(calls_of(root, "recover", self.engine)):
                yield Point("recover", harm, act, torn_at)
            shutil.rmtree(root.parent)

    def judge(self, point: Point) -> list[str]:
        """Tries one point; what is wrong afterwards, a sentence each."""
        act = point.torn or point.act
        old, new = self._reference(act)
        root = self._copy(ACTS[act].start)
        if point.torn_at is not None:
            perform(root, act, self.engine, point.torn_at)
        ended = perform(root, point.act, self.engine, point.harm, no_links=point.no_links)
        facts = recovered(root)
        wrong = [*facts.faults]
        if ended.trouble:
            wrong.append(f"it broke: {ended.trouble.strip().splitlines()[-1]}")
        if facts not in (old, new):
            wrong.append(f"neither old ({difference(facts, old)}) nor new ({difference(facts, new)})")
        elif not ended.killed and point.act != "recover" and old != new:
            wrong += _untrue(ended, facts == new)
        if not wrong and not point.torn:
            wrong += self._once_more(root, act, facts, old, new)
        shutil.rmtree(root.parent)
        return wrong

    def _once_more(self, root: Path, act: str, facts: Facts, old: Facts, new: Facts) -> list[str]:
        """What was not done can still be done; what was done is not done again."""
        if act.startswith(("undo", "take", "approve one's own")):
            return []
        if facts == old != new:
            with open_desk(root) as desk:
                ACTS[act].perform(desk)
        facts = recovered(root)
        return [] if facts == new else [f"done once more it is not new: {difference(facts, new)}"]

    def _calls(self, act: str, no_links: bool) -> list[tuple[str, int]]:
        root = self._copy(ACTS[act].start)
        found = calls_of(root, act, self.engine, no_links=no_links)
        shutil.rmtree(root.parent)
        return found

    def _reference(self, act: str) -> tuple[Facts, Facts]:
        """The facts without the act and with it."""
        if act not in self._references:
            old = self._copy(ACTS[act].start)
            new = self._copy(ACTS[act].start)
            with open_desk(new) as desk:
                outcome = ACTS[act].perform(desk)
            assert outcome is None or outcome.ok, outcome
            both = recovered(old), recovered(new)
            assert not any(facts.faults for facts in both), [facts.faults for facts in both]
            self._references[act] = both
            shutil.rmtree(old.parent)
            shutil.rmtree(new.parent)
        return self._references[act]

    def _copy(self, start: str) -> Path:
        source = self._room / "starts" / start
        if not source.exists():
            build(start, source / "ws")
        self._tries += 1
        target = self._room / f"try{self._tries}"
        shutil.copytree(source, target)
        return target / "ws"


def _harms(calls: list[tuple[str, int]]) -> list[Harm]:
    """Killed at each call; each failing as a full disk (from there on) or a dying one (this once) lets it fail."""
    found = [Harm(call, nth, "KILL") for call, nth in calls]
    for call, nth in calls:
        if call not in _SYNCS and not call.startswith("unlink"):  # a full disk still takes files away
            found.append(Harm(call, nth, "ENOSPC+"))
        if call not in _WRITES:
            found.append(Harm(call, nth, "EIO"))
    return found


def every_point(exam: Exam, act: str) -> Iterator[Point]:
    """All of one act: by itself, on a disk without links (strace can say so), and its recovery."""
    yield from exam.points(act)
    if exam.engine == "strace" and act in TORN:
        yield from exam.points(act, no_links=True)
    if act in TORN:
        yield from exam.recoveries(act)


def _untrue(ended: Ended, is_new: bool) -> list[str]:
    """Whether what the person was told is what is true now."""
    if ended.ok and not is_new:
        return [f"it said “{ended.message}”, and nothing was done"]
    if not ended.ok and is_new and not any(word in ended.message for word in _UNSURE):
        return [f"it said “{ended.message}”, and it was done"]
    return []
