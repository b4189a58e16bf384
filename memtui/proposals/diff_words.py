"""Inside a block of changed lines: which lines belong together, and which words of them changed.

Everything is bounded by a `Budget`, since a proposal may hold any text; what no longer fits is marked whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from memtui.proposals.diff_lines import EXACT_CELLS, ROUGH_CELLS, align
from memtui.proposals.stopping import Stop, go_on, never
from memtui.safe_twins import looks_like, skeleton

Span = tuple[int, int]
Pair = tuple[int, int]

SIMILAR = 0.55
"""Share of characters in common from which two lines are shown as one line that changed."""
ALIKE = 0.3
"""Share of unchanged characters below which marking single words would only confuse."""
FLOWING = 0.85
"""Share of unchanged characters line by line below which lines may have been wrapped anew."""
LINKED = 3
"""Letters that two lines must share to have been wrapped from one another."""
PAIRING_CELLS = 900
"""Old lines x new lines of a block up to which each is compared with each."""
PAIRING_WORK = 600_000_000
"""Characters x characters that one block may cost to pair."""

_TOKEN = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3041-\u31ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    r"\U00020000-\U0003ffff]"  # Scripts that write no blanks between words: each character is a token.
    r"|[!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u2027\u2030-\u205e\u3001-\u3020\uff01-\uff0f\uff1a-\uff20]"
    r"|[^\s!-/:-@\[-`{-~\u00a1-\u00bf\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2010-\u2027\u2030-\u205e"
    r"\u2e80-\u2fff\u3001-\u31ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20"
    r"\U00020000-\U0003ffff]+"
)


@dataclass(slots=True)
class Budget:
    """How much comparing one file may still cost, in cells (old tokens x new tokens)."""

    words: int = ROUGH_CELLS // 2
    lines: int = 60_000
    """Comparisons of one line with another."""
    stop: Stop = never
    """Asked between two comparisons."""

    def take_words(self, cells: int) -> bool:
        if cells > self.words:
            return False
        self.words -= cells
        return True

    def take_lines(self, count: int) -> bool:
        if count > self.lines:
            return False
        self.lines -= count
        return True


@dataclass(frozen=True, slots=True)
class Words:
    """The changed spans of a text before and after (character offsets), and the share of what is outside."""

    old: tuple[Span, ...] = ()
    new: tuple[Span, ...] = ()
    alike: float = 0.0
    kept: tuple[tuple[int, int, int], ...] = ()
    """Words that are the same, of a loose comparison: offset before, offset after, length."""
    twins: tuple[tuple[Span, ...], tuple[Span, ...]] = ((), ())
    """Of both sides, the changed stretches that look like what they were (other letters, other encoding)."""


@dataclass(slots=True)
class Marked:
    """A block of changed lines, ready to be laid out: line pairs, and the changed spans of each line."""

    pairs: list[Pair] = field(default_factory=list)
    old: dict[int, tuple[Span, ...]] = field(default_factory=dict)
    new: dict[int, tuple[Span, ...]] = field(default_factory=dict)
    old_twins: dict[int, tuple[Span, ...]] = field(default_factory=dict)
    """Of a line, the changed stretches that look like what they were or became."""
    new_twins: dict[int, tuple[Span, ...]] = field(default_factory=dict)

    def mark(self, i: int, j: int, words: Words) -> None:
        """Pair two lines, and mark what changed in them."""
        self.pairs.append((i, j))
        if words.alike >= ALIKE or words.twins[0] or words.twins[1]:
            self.old[i], self.new[j] = words.old, words.new
            self.old_twins[i], self.new_twins[j] = words.twins


def mark_block(old: Sequence[str], new: Sequence[str], budget: Budget) -> Marked:
    """Pair the similar lines of a block, and mark the words that changed in them.

    Where lines were wrapped anew, so that words moved from line to line, these lines are not paired and their
    words are compared across all of them. Raises Stopped.
    """
    if not old or not new:
        return Marked()
    pairs = _pair(old, new, budget)
    compared = [compare_words(old[i], new[j], budget) for i, j in pairs]
    by_line = _share_by_line(pairs, compared, old, new)
    if by_line < FLOWING and 2 < len(old) + len(new) <= 400:
        whole = compare_words("\n".join(old), "\n".join(new), budget, loose=True)
        if whole.alike >= max(0.6, by_line + 0.1):
            return _mark_flowing(old, new, whole, budget)
    marked = Marked()
    for (i, j), words in zip(pairs, compared, strict=True):
        marked.mark(i, j, words if words.alike >= ALIKE else _compare_ends(old[i], new[j], words))
    return marked


def _compare_ends(old: str, new: str, words: Words) -> Words:
    """What the same two lines have in common at their ends, for lines that share no words (a lost blank)."""
    span, other = _narrowed(old, (0, len(old)), new, (0, len(new)), loose=False, inside=True)
    alike = 1 - (span[1] - span[0] + other[1] - other[0]) / max(1, len(old) + len(new))
    if alike < ALIKE:
        return words
    spans = [((start, end),) if start < end else () for start, end in (span, other)]
    return Words(spans[0], spans[1], alike, twins=words.twins)


def _mark_flowing(old: Sequence[str], new: Sequence[str], whole: Words, budget: Budget) -> Marked:
    """Mark a block of wrapped prose; lines that share words with no other than each other are still a pair."""
    marked = Marked([], _spread(whole.old, old), _spread(whole.new, new))
    marked.old_twins = _spread(whole.twins[0], old, whole=True)
    marked.new_twins = _spread(whole.twins[1], new, whole=True)
    for a, b, c, d in _linked(old, new, whole.kept):
        if b - a == d - c == 1:
            marked.old[a] = marked.new[c] = ()
            marked.mark(a, c, compare_words(old[a], new[c], budget))
    return marked


def _linked(
    old: Sequence[str], new: Sequence[str], kept: Sequence[tuple[int, int, int]]
) -> list[tuple[int, int, int, int]]:
    """Groups of neighbouring lines that share words: old lines from, to, new lines from, to."""
    starts = [0, *accumulate(len(line) + 1 for line in old)], [0, *accumulate(len(line) + 1 for line in new)]
    shared: Counter[Pair] = Counter()
    for before, after, length in kept:
        shared[bisect_right(starts[0], before) - 1, bisect_right(starts[1], after) - 1] += length
    groups: list[tuple[int, int, int, int]] = []
    for (i, j), letters in sorted(shared.items()):
        if letters < LINKED:
            continue
        if groups and (i < groups[-1][1] or j < groups[-1][3]):
            a, b, c, d = groups[-1]
            groups[-1] = (a, max(b, i + 1), c, max(d, j + 1))
        else:
            groups.append((i, i + 1, j, j + 1))
    return groups


def _share_by_line(pairs: list[Pair], compared: list[Words], old: Sequence[str], new: Sequence[str]) -> float:
    """The share of a block's characters that stay the same where its lines are compared pair by pair."""
    total = sum(map(len, old)) + sum(map(len, new))
    same = sum(
        words.alike * (len(old[i]) + len(new[j])) for (i, j), words in zip(pairs, compared, strict=True)
    )
    return same / total if total else 1.0


# --- pairing lines --------------------------------------------------------------------------------


def _pair(old: Sequence[str], new: Sequence[str], budget: Budget) -> list[Pair]:
    """Rising pairs of lines that are one line changed."""
    if len(old) == len(new) == 1:
        return [(0, 0)]
    squeezed = [_squeezed(line) for line in old], [_squeezed(line) for line in new]
    blocks, _ = align(*squeezed, budget.stop)
    pairs: list[Pair] = []
    a = c = 0
    for block in [*blocks, (len(old), len(old), len(new), len(new))]:
        pairs.extend(zip(range(a, block[0]), range(c, block[2]), strict=True))
        pairs.extend(_pair_similar(*squeezed, block, budget))
        a, c = block[1], block[3]
    return pairs


def _squeezed(line: str) -> str:
    """A line without what the eye passes over: how wide its blanks are, which of two like letters it has."""
    line = " ".join(line.split())
    return line if line.isascii() else skeleton(line)


def _pair_similar(
    old: Sequence[str], new: Sequence[str], block: tuple[int, int, int, int], budget: Budget
) -> list[Pair]:
    a, b, c, d = block
    cells = (b - a) * (d - c)
    if not cells:
        return []
    level = [*zip(range(a, b), range(c, d), strict=False)]
    if b - a == d - c and budget.take_lines(b - a):
        similar = [(i, j) for i, j in level if _gain(old, new, i, j, budget.stop) > 0]
        if len(similar) == len(level) or cells > PAIRING_CELLS:
            return similar
    if cells <= PAIRING_CELLS and budget.take_lines(cells):
        return _best_pairs(old, new, block, budget.stop)
    return []


def _gain(old: Sequence[str], new: Sequence[str], i: int, j: int, stop: Stop, reach: int = 4000) -> float:
    """How much is won by pairing two lines, of which `reach` characters are looked at: above 0 if similar."""
    from rapidfuzz.distance import Indel

    go_on(stop)
    before, after = old[i], new[j]
    if not before or not after or max(len(before), len(after)) > 4 * min(len(before), len(after)):
        return 0.0
    return float(Indel.normalized_similarity(before[:reach], after[:reach])) - SIMILAR


def _best_pairs(
    old: Sequence[str], new: Sequence[str], block: tuple[int, int, int, int], stop: Stop
) -> list[Pair]:
    """The rising pairs with the greatest gain in all (dynamic programming over the block)."""
    a, b, c, d = block
    reach = int((PAIRING_WORK / ((b - a) * (d - c))) ** 0.5)
    gains = [[_gain(old, new, i, j, stop, reach) for j in range(c, d)] for i in range(a, b)]
    best = [[0.0] * (d - c + 1) for _ in range(b - a + 1)]
    for i in range(b - a - 1, -1, -1):
        for j in range(d - c - 1, -1, -1):
            paired = best[i + 1][j + 1] + gains[i][j] if gains[i][j] > 0 else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs: list[Pair] = []
    i = j = 0
    while i < b - a and j < d - c:
        if gains[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + gains[i][j]:
            pairs.append((a + i, c + j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


# --- comparing words ------------------------------------------------------------------------------


def compare_words(old: str, new: str, budget: Budget, *, loose: bool = False) -> Words:
    """Compare two texts word by word; every character that differs lies inside a span of its side.

    `loose` takes any white space for any other (lines wrapped anew).
    """
    if old == new:
        return Words(alike=1.0)
    go_on(budget.stop)
    before, after = _tokens(old), _tokens(new)
    same = _same_tokens([old[s:e] for s, e in before], [new[s:e] for s, e in after], budget)
    spans_old: list[Span] = []
    spans_new: list[Span] = []
    twins: tuple[list[Span], list[Span]] = [], []
    i0 = j0 = 0
    for i, j in [*same, (len(before), len(after))]:
        old_end = before[i][0] if i < len(before) else len(old)
        new_end = after[j][0] if j < len(after) else len(new)
        if old[i0:old_end] != new[j0:new_end]:
            span_old, span_new = _narrowed(old, (i0, old_end), new, (j0, new_end), loose)
            _add(spans_old, span_old, old)
            _add(spans_new, span_new, new)
            if looks_like(old[slice(*span_old)], new[slice(*span_new)]):
                twins[0].append(span_old)
                twins[1].append(span_new)
        i0 = before[i][1] if i < len(before) else len(old)
        j0 = after[j][1] if j < len(after) else len(new)
    changed = sum(end - start for start, end in [*spans_old, *spans_new])
    alike = 1 - changed / (len(old) + len(new))
    kept = [(before[i][0], after[j][0], before[i][1] - before[i][0]) for i, j in same] if loose else []
    words = tuple(word for word in kept if old[word[0]].isalnum())
    return Words(tuple(spans_old), tuple(spans_new), alike, words, (tuple(twins[0]), tuple(twins[1])))


def _tokens(text: str) -> list[Span]:
    return [match.span() for match in _TOKEN.finditer(text)]


def _same_tokens(old: list[str], new: list[str], budget: Budget) -> list[Pair]:
    """Rising pairs of equal tokens: common ends, and the longest common subsequence between them."""
    from rapidfuzz.distance import LCSseq, Levenshtein

    start = 0
    while start < len(old) and start < len(new) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    same = [(k, k) for k in range(start)]
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    if left and right and budget.take_words(len(left) * len(right)):
        numbers: dict[str, int] = {}
        before = [numbers.setdefault(word, len(numbers)) for word in left]
        after = [numbers.setdefault(word, len(numbers)) for word in right]
        measure = LCSseq if len(left) * len(right) <= EXACT_CELLS else Levenshtein
        for step in measure.opcodes(before, after):
            if step.tag == "equal":
                width = step.src_end - step.src_start
                same.extend((start + step.src_start + k, start + step.dest_start + k) for k in range(width))
    same.extend((len(old) - k, len(new) - k) for k in range(end, 0, -1))
    return same


def _narrowed(
    old: str, span: Span, new: str, other: Span, loose: bool, inside: bool = False
) -> tuple[Span, Span]:
    """Leave out the white space that both begin and end with, and of long words (`inside`: always) the common ends."""
    (a, b), (c, d) = span, other
    if loose:
        before, after = old[a:b], new[c:d]
        if not before.strip() and not after.strip() and bool(before) == bool(after):
            return (a, a), (c, c)
        a, b = _stripped(old, a, b)
        c, d = _stripped(new, c, d)
    long = inside or (min(b - a, d - c) > 24 and not any(map(str.isspace, old[a:b] + new[c:d])))
    while a < b and c < d and old[a] == new[c] and (long or old[a].isspace()):
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1] and (long or old[b - 1].isspace()):
        b, d = b - 1, d - 1
    return (a, b), (c, d)


def _stripped(text: str, start: int, end: int) -> Span:
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip()), end - len(inside) + len(inside.rstrip())


def _add(spans: list[Span], span: Span, text: str) -> None:
    """Add a span, joined to the last one where only a few signs and blanks stand between them."""
    if span[0] >= span[1]:
        return
    if spans and span[0] - spans[-1][1] <= 3 and not any(map(str.isalnum, text[spans[-1][1] : span[0]])):
        spans[-1] = (spans[-1][0], span[1])
    else:
        spans.append(span)


def _spread(
    spans: Sequence[Span], lines: Sequence[str], *, whole: bool = False
) -> dict[int, tuple[Span, ...]]:
    """Hand the spans of joined lines back to the lines; a line changed as a whole needs none (`whole`: it does)."""
    found: dict[int, tuple[Span, ...]] = {}
    start = 0
    index = 0
    for number, line in enumerate(lines):
        end = start + len(line)
        mine: list[Span] = []
        while index < len(spans) and spans[index][0] < end:
            a, b = max(spans[index][0], start) - start, min(spans[index][1], end) - start
            if a < b:
                mine.append((a, b))
            if spans[index][1] > end:
                break
            index += 1
        if mine and (whole or mine != [(0, len(line))]):
            found[number] = tuple(mine)
        start = end + 1
    return found
