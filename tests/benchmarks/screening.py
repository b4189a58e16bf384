"""How long the screen takes for 64 KiB of each kind of text, against one pass of a regular expression over it.

Seconds of the processor; words that stand in many texts are known already. `python -m tests.benchmarks.screening`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

from memtui.gate.secrets import find
from tests.benchmarks.ordinary_texts import DENSE, PLAIN
from tests.benchmarks.timing import Row, alternate, print_table

_WORDS = re.compile(r"\w+")
_PART = 2048
"""Characters of an ordinary proposal."""
PLAIN_AIM, DENSE_AIM = 0.01, 0.15
"""Seconds for 64 KiB."""


def measure(rounds: int = 5) -> list[Row]:
    return list(_rows(rounds))


def _rows(rounds: int) -> Iterator[Row]:
    for texts, aim in ((PLAIN, PLAIN_AIM), (DENSE, DENSE_AIM)):
        for name, make in texts.items():
            text = make()
            times = alternate(
                rounds, screen=lambda text=text: _spent(find, text), words=lambda text=text: _pass(text)
            )
            shown = f"at most {aim * 1000:.0f} ms"
            yield Row(name, "one pass over it", times["screen"], times["words"], shown, most=aim)
            parts = [text[at : at + _PART] for at in range(0, len(text), _PART)]
            times = alternate(
                rounds,
                screen=lambda parts=parts: sum(_spent(find, part) for part in parts) / len(parts),
                words=lambda text=text, parts=parts: _pass(text) / len(parts),
            )
            yield Row("  2 KiB of it", "one pass over it", times["screen"], times["words"])


def _pass(text: str) -> float:
    return _spent(_WORDS.findall, text)


def _spent(act: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    act(text)
    return time.process_time() - start


if __name__ == "__main__":
    print_table(measure())
