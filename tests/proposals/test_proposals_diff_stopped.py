"""A comparison that nobody waits for any more ends between two of its pieces, whatever it compares."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from memtui.proposals.diff import diff
from memtui.proposals.stopping import Stop, Stopped


def lines(count: int, words: int, seed: int) -> list[str]:
    pick = random.Random(seed)
    return [" ".join(f"word{pick.randrange(800)}" for _ in range(words)) for _ in range(count)]


def changed(before: list[str], share: float, seed: int = 5) -> list[str]:
    pick = random.Random(seed)
    return [f"{line} and more" if pick.random() < share else line for line in before]


def text(of: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in of).encode()


PROSE, SHORT = lines(900, 12, 1), lines(6_000, 1, 2)
CASES = {
    "64 KiB of prose, a tenth changed": (text(PROSE), text(changed(PROSE, 0.1))),
    "64 KiB of prose, all changed": (text(PROSE), text(changed(PROSE, 1.0))),
    "short lines, a tenth changed": (text(SHORT), text(changed(SHORT, 0.1))),
    "lines that are all new": (text(lines(800, 12, 3)), text(lines(800, 12, 4))),
    "one line": (" ".join(PROSE).encode(), " ".join(changed(PROSE, 0.1)).encode()),
}


def asked_until(last: int) -> tuple[Stop, Callable[[], int]]:
    """A stop that says so when it is asked for the last time, and how often it was asked."""
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked == last

    return stop, lambda: asked


@pytest.mark.parametrize("name", CASES)
def test_it_ends_where_it_is_told_to(name: str) -> None:
    before, after = CASES[name]
    stop, asked = asked_until(0)
    whole = diff("n.md", before, after, stop=stop)
    assert whole == diff("n.md", before, after)
    times = asked()
    assert times > 3
    for last in (1, 2, times // 2, times):
        stop, asked = asked_until(last)
        with pytest.raises(Stopped):
            diff("n.md", before, after, stop=stop)
        assert asked() == last


@pytest.mark.parametrize("name", ["64 KiB of prose, all changed", "short lines, a tenth changed"])
def test_of_many_pieces_each_asks(name: str) -> None:
    before, after = CASES[name]
    stop, asked = asked_until(0)
    diff("n.md", before, after, stop=stop)
    assert asked() > 500
