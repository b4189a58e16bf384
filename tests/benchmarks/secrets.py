"""How many secrets the screen finds, by kind and disguise, and how often it is wrong; against two scanners.

Everything is made afresh from seeded generators, and every scanner reads the very same texts in one run. kingfisher
(the extra `secrets`) and detect-secrets are used where they are installed; detect-secrets is no dependency of this
project. `python -m tests.benchmarks.secrets --rounds 3 --notes 1000 --second WORD`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from memtui.gate.rules_seeds import _numbers
from memtui.gate.secrets import find
from memtui.proposals.instructions import instruction_spans
from tests.benchmarks.disguises import DISGUISES
from tests.benchmarks.ordinary_notes import fixed_lines, note
from tests.benchmarks.second_disguises import SECOND_DISGUISES, SENTENCES
from tests.benchmarks.second_kinds import SECOND_KINDS
from tests.benchmarks.secret_kinds import KINDS

Scanner = Callable[[str], bool]
"""Whether a text holds a secret."""

AIM_RECALL = 0.9
AIM_WRONG = 1 / 1000


def ours(text: str) -> bool:
    return bool(find(text))


def kingfisher() -> Scanner | None:
    """The scanner of the extra `secrets`, by itself; None where it is not installed."""
    if find_spec("kingfisher_sdk") is None:
        return None
    import kingfisher_sdk

    scanner = kingfisher_sdk.Scanner(kingfisher_sdk.Rules())
    return lambda text: bool(scanner.scan(text.encode()))


def detect_secrets() -> Scanner | None:
    """detect-secrets with all its detectors and its usual filters; None where it is not installed."""
    if find_spec("detect_secrets") is None:
        return None
    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    def scan(text: str) -> bool:
        with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file, default_settings():
            file.write(text)
            file.flush()
            return any(True for _ in scan_file(file.name))

    return scan


def scanners() -> Mapping[str, Scanner | None]:
    return {"ours": ours, "kingfisher": kingfisher(), "detect-secrets": detect_secrets()}


@dataclass
class Count:
    found: int = 0
    of: int = 0

    def add(self, hit: bool) -> None:
        self.found += hit
        self.of += 1

    @property
    def part(self) -> float:
        return self.found / self.of if self.of else 0.0


Hidden = Iterable[tuple[str, str, str]]
"""Kind, disguise and a note that holds such a secret in such a disguise."""


def hidden_notes(rounds: int) -> Hidden:
    """The first set, which the rules were made along with."""
    for kind, make in KINDS.items():
        for disguise, hide in DISGUISES.items():
            for number in range(rounds):
                chosen = random.Random(f"{kind} {disguise} {number}")
                hidden = hide(make(chosen), chosen)
                yield kind, disguise, f"A note on the flat and the trip.\n\n{hidden}\n\nCalls every Sunday.\n"


def second_notes(seed: str) -> Hidden:
    """The second set, made without a look at the first: each secret among three different sentences."""
    for kind, make in SECOND_KINDS.items():
        for disguise, hide in SECOND_DISGUISES.items():
            for number, sentence in enumerate(SENTENCES):
                chosen = random.Random(f"{seed} {kind} {disguise} {number}")
                yield kind, disguise, sentence.replace("{x}", hide(make(chosen), chosen))


def measure_recall(used: Mapping[str, Scanner], notes: Hidden) -> dict[str, dict[tuple[str, str], Count]]:
    cells: dict[str, dict[tuple[str, str], Count]] = {name: {} for name in used}
    for kind, disguise, text in notes:
        for name, scan in used.items():
            cells[name].setdefault((kind, disguise), Count()).add(scan(text))
    return cells


def ordinary(notes: int, folders: Iterable[Path]) -> list[str]:
    """Ordinary texts: made ones, lines that are easily mistaken, and pages of folders, in pieces of 2 KiB."""
    texts = [note(random.Random(f"ordinary {number}")) for number in range(notes)]
    texts += fixed_lines()
    for folder in folders:
        for path in sorted(folder.rglob("*.md")):
            text = path.read_text("utf-8", "replace")
            texts += [text[at : at + 2048] for at in range(0, len(text), 2048)]
    return texts


def measure_wrong(used: Mapping[str, Scanner], texts: Iterable[str]) -> dict[str, Count]:
    wrong = {name: Count() for name in used}
    wrong["instruction-shaped"] = Count()
    for text in texts:
        for name, scan in used.items():
            wrong[name].add(scan(text))
        wrong["instruction-shaped"].add(bool(instruction_spans(text)))
    return wrong


def print_recall(cells: Mapping[str, Mapping[tuple[str, str], Count]]) -> None:
    for title, place in (("kind", 0), ("disguise", 1)):
        print(f"\n{'recall by ' + title:34}" + "".join(f"{name:>16}" for name in cells))
        for row in dict.fromkeys(key[place] for key in next(iter(cells.values()))):
            parts = [
                _sum(count for key, count in table.items() if key[place] == row) for table in cells.values()
            ]
            print(f"{row:34}" + "".join(f"{part.part:16.1%}" for part in parts))
    print(f"\n{'all':34}" + "".join(f"{_sum(table.values()).part:16.1%}" for table in cells.values()))
    good = [sum(count.part >= AIM_RECALL for count in table.values()) for table in cells.values()]
    print(
        f"{'cells of 90% and more':34}"
        + "".join(f"{f'{n} of {len(t)}':>16}" for n, t in zip(good, cells.values(), strict=True))
    )


def _sum(counts: Iterable[Count]) -> Count:
    total = Count()
    for count in counts:
        total.found += count.found
        total.of += count.of
    return total


def print_speed() -> None:
    """Seconds for 64 KiB and for 2 KiB, the best of several runs, by the clock of the processor."""
    plain = ("Calls every Sunday; visits are easier when they are short. Plans ahead.\n" * 1000)[: 1 << 16]
    rng = random.Random(1)
    notes = "\n".join(note(rng) for _ in range(300))[: 1 << 16]
    print()
    prose = _prose(rng)
    for name, text in (
        ("64 KiB without a disguise", plain),
        ("64 KiB of varied prose", prose),
        ("2 KiB of varied prose", prose[:2048]),
        ("64 KiB of notes, hashes and base64", notes),
        ("2 KiB of notes", notes[:2048]),
    ):
        times = []
        for _ in range(9):
            start = time.process_time()
            find(text)
            times.append(time.process_time() - start)
        print(f"{name:36}{min(times) * 1000:8.1f} ms")


def _prose(rng: random.Random) -> str:
    """64 KiB of sentences without a sign of a secret, of some two thousand different words."""
    words = [word for word in _numbers() if word not in ("code", "key", "phrase", "secret", "token", "word")]
    lines = []
    for _ in range(900):
        chosen = [rng.choice(words) for _ in range(rng.randint(8, 16))]
        chosen.insert(len(chosen) // 2, "a")
        lines.append(f"{' '.join(chosen).capitalize()}.")
    return "\n".join(lines)[: 1 << 16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="secrets of each kind in each disguise")
    parser.add_argument("--notes", type=int, default=2000, help="ordinary notes to make")
    parser.add_argument(
        "--second", metavar="SEED", default="", help="the second set too, made afresh from a word"
    )
    parser.add_argument("folders", nargs="*", type=Path, help="folders with more ordinary notes")
    asked = parser.parse_args()
    found = scanners()
    for name, scan in found.items():
        if scan is None:
            print(f"{name}: not installed", file=sys.stderr)
    used = {name: scan for name, scan in found.items() if scan is not None}
    print(f"{len(KINDS)} kinds in {len(DISGUISES)} disguises, {asked.rounds} of each")
    print_recall(measure_recall(used, hidden_notes(asked.rounds)))
    if asked.second:
        print(f"\nsecond set: {len(SECOND_KINDS)} kinds in {len(SECOND_DISGUISES)} disguises, three of each")
        print_recall(measure_recall(used, second_notes(asked.second)))
    texts = ordinary(asked.notes, asked.folders)
    print(f"\nfalse alarms on {len(texts)} ordinary texts (aim of ours: at most {AIM_WRONG:.1%})")
    for name, count in measure_wrong(used, texts).items():
        print(f"{name:34}{count.found:6} {count.part:8.2%}")
    print_speed()


if __name__ == "__main__":
    main()
