"""Lines cut and aligned: which lines of two texts are the same line (SPEC.md section 6, "The diff").

`difflib` is quadratic to cubic on hostile input; here common ends are trimmed, lines unique on both sides
anchor the rest, and what lies between is aligned by bit-parallel opcodes, whose time no content can stretch.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.proposals.stopping import Stop, go_on, never

Ending = Literal["lf", "crlf", "cr", "none"]
Block = tuple[int, int, int, int]
"""Old lines from, to; new lines from, to (0-based, to excluded)."""

EXACT_CELLS = 400_000_000
"""Old lines x new lines of one gap up to which the longest common subsequence is found (8 cells a byte)."""
ROUGH_CELLS = 4_000_000_000
"""Up to here a cheaper alignment serves, in little memory; a gap beyond it is shown plain."""
LINES_BOUND = 400_000
"""Lines of both sides together beyond which nothing is aligned at all."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_ENDINGS: dict[str, Ending] = {"\n": "lf", "\r\n": "crlf", "\r": "cr", "": "none"}


@dataclass(frozen=True, slots=True)
class Side:
    """One text as lines: `texts` without their endings, `keys` with them."""

    texts: Sequence[str]
    endings: Sequence[Ending]
    keys: Sequence[str]


def cut(text: str) -> Side:
    """Cut `text` into lines, at LF, CR LF and a lone CR only: VT, FF, NEL, LS and PS stay inside a line."""
    if not text:
        return Side((), (), ())
    if "\r" not in text:
        texts = text.split("\n")
        closed = not texts[-1]
        if closed:
            texts.pop()
        endings: list[Ending] = ["lf"] * len(texts)
        keys = [line + "\n" for line in texts]
        if not closed:
            endings[-1] = "none"
            keys[-1] = texts[-1]
        return Side(texts, endings, keys)
    found = [match for match in _LINE.finditer(text) if match.end() > match.start()]
    return Side(
        [match[1] for match in found], [_ENDINGS[match[2]] for match in found], [match[0] for match in found]
    )


def align(old: Sequence[str], new: Sequence[str], stop: Stop = never) -> tuple[list[Block], bool]:
    """Return the blocks of lines that differ, in order, and whether all gaps were small enough to align.

    Lines outside the blocks are the same on both sides, one to one. Raises Stopped, asked between two gaps.
    """
    if len(old) + len(new) > LINES_BOUND:
        return _trimmed(old, new), False
    numbers: dict[str, int] = {}
    before = [numbers.setdefault(line, len(numbers)) for line in old]
    after = [numbers.setdefault(line, len(numbers)) for line in new]
    whole = True
    same: list[tuple[int, int]] = []
    for gap in _anchored(before, after, same):
        go_on(stop)
        whole = _match(before, after, gap, same) and whole
    same.sort()
    return list(_settled(list(between(same, len(old), len(new))), before, after, old, new)), whole


def _trimmed(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    block = trim(old, new, (0, len(old), 0, len(new)))
    return [block] if block[0] < block[1] or block[2] < block[3] else []


def trim(old: Sequence[object], new: Sequence[object], block: Block) -> Block:
    """Take the lines that both sides of a block begin and end with out of it."""
    a, b, c, d = block
    while a < b and c < d and old[a] == new[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
    return a, b, c, d


def _anchored(old: list[int], new: list[int], same: list[tuple[int, int]]) -> Iterator[Block]:
    """Yield the gaps between lines that occur once on both sides, in order; note what is the same."""
    start = trim(old, new, (0, len(old), 0, len(new)))
    a, b, c, d = start
    same.extend(zip(range(a), range(c), strict=True))
    same.extend(zip(range(b, len(old)), range(d, len(new)), strict=True))
    for i, j in [*_rising(_unique_pairs(old, new, start)), (b, d)]:
        gap = trim(old, new, (a, i, c, j))
        same.extend(zip(range(a, gap[0]), range(c, gap[2]), strict=True))
        same.extend(zip(range(gap[1], i), range(gap[3], j), strict=True))
        if gap[0] < gap[1] and gap[2] < gap[3]:
            yield gap
        if (i, j) != (b, d):
            same.append((i, j))
        a, c = i + 1, j + 1


def _unique_pairs(old: list[int], new: list[int], block: Block) -> list[tuple[int, int]]:
    a, b, c, d = block
    once = {line for line, count in Counter(old[a:b]).items() if count == 1}
    once &= {line for line, count in Counter(new[c:d]).items() if count == 1}
    place = {new[j]: j for j in range(c, d) if new[j] in once}
    return [(i, place[old[i]]) for i in range(a, b) if old[i] in once]


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs that rises on both sides (patience sorting)."""
    tops: list[int] = []
    piles: list[int] = []
    below: list[int] = []
    for index, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        if pile == len(tops):
            tops.append(place)
            piles.append(index)
        else:
            tops[pile] = place
            piles[pile] = index
        below.append(piles[pile - 1] if pile else -1)
    found: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        found.append(pairs[index])
        index = below[index]
    return found[::-1]


def _match(old: list[int], new: list[int], gap: Block, same: list[tuple[int, int]]) -> bool:
    """Note the lines of one gap that are the same; False where it is too big to align."""
    from rapidfuzz.distance import LCSseq, Levenshtein

    a, b, c, d = gap
    shared = set(old[a:b]) & set(new[c:d])
    left = [i for i in range(a, b) if old[i] in shared]
    right = [j for j in range(c, d) if new[j] in shared]
    cells = len(left) * len(right)
    if not cells:
        return True
    if cells > ROUGH_CELLS:
        return False
    measure = LCSseq if cells <= EXACT_CELLS else Levenshtein
    for step in measure.opcodes([old[i] for i in left], [new[j] for j in right]):
        if step.tag == "equal":
            same.extend(
                zip(
                    left[step.src_start : step.src_end],
                    right[step.dest_start : step.dest_end],
                    strict=True,
                )
            )
    return True


def between(same: Sequence[tuple[int, int]], old: int, new: int) -> Iterator[Block]:
    """The blocks that differ, given the rising pairs that are the same and the length of both sides."""
    a = c = 0
    for i, j in [*same, (old, new)]:
        if a < i or c < j:
            yield a, i, c, j
        a, c = i + 1, j + 1


def _settled(
    blocks: list[Block], before: list[int], after: list[int], old: Sequence[str], new: Sequence[str]
) -> Iterator[Block]:
    """Move pure insertions and deletions to where a person sees them: whole paragraphs, blank line last."""
    done = 0
    for index, (a, b, c, d) in enumerate(blocks):
        move = 0
        if a == b or c == d:
            up = a - done
            down = blocks[index + 1][0] - b - 1 if index + 1 < len(blocks) else len(old) - b
            if a == b:
                move = _best_move(after, new, c, d, up, down)
            else:
                move = _best_move(before, old, a, b, up, down)
        yield a + move, b + move, c + move, d + move
        done = b + move + 1


def _best_move(lines: list[int], texts: Sequence[str], start: int, end: int, up: int, down: int) -> int:
    """By how many lines to slide the block: to a paragraph's edge, else as far down as it goes."""
    low = 0
    while low < min(down, 200) and lines[start + low] == lines[end + low]:
        low += 1
    high = 0
    while high < min(up, 200) and lines[start - high - 1] == lines[end - high - 1]:
        high += 1
    for move in range(low, -high - 1, -1):
        if texts[start + move].strip() and not texts[end + move - 1].strip():
            return move
    return low
