"""Changes of a text's shape: lines joined, words joined, letters that stand apart, written backwards, rot13."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate, groupby
from typing import NamedTuple

from memtui.gate.seed_names import named_at
from memtui.gate.view_excerpts import SHORT
from memtui.gate.view_gaps import close_up
from memtui.gate.view_sources import ROTATED, Edit, Reach
from memtui.gate.views import View, edited, rotated

JOINED = "lines joined"

_JOINT = re.compile(r"\n[ \t]*+(?:(?:[-*+>|]|[0-9]{1,3}[.)])(?:[ \t]+|(?=\n)))*+")
_FIRST_MARK = re.compile(r"[ \t]*+(?:(?:[-*+>|]|[0-9]{1,3}[.)])[ \t]+)*+")


def join_lines(view: View) -> View | None:
    """The lines of each paragraph run together, without indents, list marks, quote marks and trailing blanks.

    Of a long text only where a word may have been cut: a rule that looks over lines finds no plain ones.
    """
    text = view.text
    if "\n" not in text.strip():
        return None
    edits, done = [], 0
    for begin, stop in _cut_somewhere(view) if len(text) > SHORT else ((0, len(text)),):
        for match in _JOINT.finditer(text, begin, stop):
            start = match.start()
            if text[start - 1 : start] in _TRAILING:
                start = _trimmed(text, start, done)
            if start and text[start - 1] != "\n" and not text.startswith(_BREAKS, match.end()):
                done = match.end()
                edits.append(Edit(start, done, ""))
    first = _FIRST_MARK.match(text)
    if first and first.end():
        edits.insert(0, Edit(0, first.end(), ""))
    return edited(JOINED, view, edits, Reach.JOINED)


_AROUND_CUTS = 5
"""Lines before and after a cut that are joined too."""
_SEED_LINES = 40
"""Lines that a seed phrase may take."""
_PLAIN_EDGE = re.compile(
    r"[>*_~`\"'(\[{<|+#-]*"
    r"(?:[^\W\d_]?[^\W\dA-Z_]{0,22}|[A-Z]{1,4}|[0-9]{1,4}(?:[.:/,-][0-9]{1,4}){0,3})"
    r"[.,;:!?)\]}>*_~`\"'|…–-]*"
)
"""A word at the end or the beginning of a line that is no piece of a token: small letters, a short number, signs."""
_PLAIN_EDGES: set[int] = set()
"""Hashes of words that are such ones."""
_LONGEST_EDGE, _MOST_EDGES = 24, 20_000
_MARKS = frozenset("-*+>|")
_NUMBERED = re.compile(r"[0-9]{1,3}[.)]")
_QUOTES = frozenset("\"'`")
_IN_TOKEN = frozenset("+/=_.~%-&#@$^*\\")


def _cut_somewhere(view: View) -> Iterator[tuple[int, int]]:
    """Stretches of a text, in order, in which a line may be cut within something that rules find over lines."""
    seeds = {view.row(at) for at in named_at(view)}
    wanted = [(number, number + _SEED_LINES) for number in seeds]
    known, last = _PLAIN_EDGES, ""
    for number, row in enumerate(view.rows):
        words = row.split(None, 2)
        if not words:
            last = ""
            continue
        if last:
            first = words[1] if words[0] in _MARKS and len(words) > 1 else words[0]
            if (hash(last) not in known or hash(first) not in known) and _may_be_cut(last, row):
                wanted.append((number - 1, number))
        last = row.rsplit(None, 1)[-1]
    first_row = end = -1
    for start, stop in sorted(wanted):
        if end >= 0 and start - _AROUND_CUTS > end:
            yield view.extent(first_row, end)
            end = -1
        first_row = first_row if end >= 0 else max(start - _AROUND_CUTS, 0)
        end = max(end, stop + _AROUND_CUTS)
    if end >= 0:
        yield view.extent(first_row, end)


def _may_be_cut(last: str, row: str) -> bool:
    """Whether a word may go on in the next line, given the last one before it."""
    words = row.split(None, 4)
    first = next((word for word in words if not (word in _MARKS or _NUMBERED.fullmatch(word))), words[0])
    before, after = last[-1], first[0]
    if before in _QUOTES and after in _QUOTES:  # strings that programs put together
        return True
    if len(last) == len(first) == 1:  # letters that stand apart
        return True
    is_plain = _is_plain_edge(first)
    if before in ":=" and not is_plain:  # a name and its value
        return True
    if not ((before.isalnum() or before in _IN_TOKEN) and (after.isalnum() or after in _IN_TOKEN)):
        return False
    return not (is_plain or before == ".") or not _is_plain_edge(last)


def _is_plain_edge(word: str) -> bool:
    if (key := hash(word)) in _PLAIN_EDGES:
        return True
    if len(word) > _LONGEST_EDGE or not _PLAIN_EDGE.fullmatch(word):
        return False
    if len(_PLAIN_EDGES) > _MOST_EDGES:
        _PLAIN_EDGES.clear()
    _PLAIN_EDGES.add(key)
    return True


_BREAKS = ("\n", "\r\n")
_TRAILING = " \t\r\\"


def _trimmed(text: str, end: int, least: int) -> int:
    while end > least and text[end - 1] in _TRAILING:
        end -= 1
    return end


_LONE_WORDS = re.compile(
    r"\n[^\s]{4,}+[ \t\r]*+\n\s*+(?<=\n)[ \t]*+(?:[-*+>|][ \t])?[^\s]{4,}+[ \t\r]*+(?=\n|\Z)"
)


def join_paragraphs(view: View) -> View | None:
    """Paragraphs of one word each run together too."""
    if (
        "\n" not in view.text.strip()
        or view.characters.isdisjoint(_DIGITS)
        or not any(map(_DIGIT.search, (match[0] for match in _LONE_WORDS.finditer(f"\n{view.text}"))))
    ):
        return None
    edits = [
        Edit(*match.span(), "")
        for match in re.finditer(r"\s*\n\s*(?:(?:[-*+>|]|[0-9]{1,3}[.)])[ \t]+)*", view.text)
    ]
    return edited("paragraphs joined", view, edits, Reach.JOINED)


_MARKED = re.compile(r"[ \t]*+(?:(?:[-*+>|]|[0-9]{1,3}[.)])[ \t])*+")


def glue(view: View) -> View | None:
    """Paragraphs that were cut at a fixed width put together, their blanks as they were."""
    if "\n" not in view.text.strip():
        return None
    edits: list[Edit] = []
    start = at = 0
    lines: list[str] = []
    for line in (*view.text.split("\n"), ""):
        if line and not line.isspace():
            start = start if lines else at
            lines.append(line)
        else:
            edits += (_glued(lines, start) or _glued_within(lines, start)) if len(lines) > 1 else []
            lines = []
        at += len(line) + 1
    return edited("lines glued", view, edits)


def _glued(lines: list[str], at: int) -> list[Edit]:
    """The joints of a paragraph whose lines are all as long as the first, but for the last and a lost blank."""
    if max(map(len, lines[:-1])) - min(map(len, lines[:-1])) > _UNEVEN:
        return []
    indent = min(len(line) - len(line.lstrip(" \t")) for line in lines[1:])
    marks = [_mark(line, indent if number else 1000) for number, line in enumerate(lines)]
    lengths = [len(line.rstrip("\r\\")) - mark for line, mark in zip(lines, marks, strict=True)]
    width = max(lengths[:-1])
    if min(lengths[:-1]) < width - 1 or lengths[-1] > width or width < (4 if len(lines) > 2 else 12):
        return []
    if len(lines) == 2 and not _NO_WORD.search(lines[1], marks[1]):
        return []  # as any sentence may be
    edits = [Edit(at, at + marks[0], "")]
    for number, line in enumerate(lines[:-1]):
        end = at + marks[number] + lengths[number]
        at += len(line) + 1
        edits.append(Edit(end, at + marks[number + 1], " " * (width - lengths[number])))
    return edits


def _glued_within(lines: list[str], at: int) -> list[Edit]:
    """The joints of lines in a paragraph that others stand around: a list, an indented block, or two or more of one
    width and a shorter one.
    """
    edits: list[Edit] = []
    starts = list(accumulate((len(line) + 1 for line in lines), initial=at))
    kinds = [line[0] in _LIST_SIGNS and bool(_LISTED.match(line)) for line in lines]
    if True in kinds and False in kinds:
        for kind, numbers in groupby(range(len(lines)), kinds.__getitem__):
            block = list(numbers)
            if kind and len(block) > 1:
                edits += _glued([lines[number] for number in block], starts[block[0]])
    if edits:
        return edits
    sizes = [len(line.rstrip("\r\\")) for line in lines]
    for first, (size, following, after) in enumerate(zip(sizes, sizes[1:], sizes[2:], strict=False)):
        if size == following >= after and (not first or sizes[first - 1] != size):
            last = next((number for number in range(first + 2, len(sizes)) if sizes[number] != size), 0)
            cut = lines[first : last + 1]
            if (
                last and sizes[last] < size and any(map(_NO_WORD.search, cut))
            ):  # as no sentence's lines may be
                edits += _glued(cut, starts[first])
    return edits


_LIST_SIGNS = frozenset("-*+>| \t0123456789")
_LISTED = re.compile(r"[ \t]*(?:[-*+>|]|[0-9]{1,3}[.)])[ \t]|[ \t]{2}")
"""How a line of a list or of an indented block begins."""
_DIGITS = "0123456789"
_DIGIT = re.compile("[0-9]")
_NO_WORD = re.compile(r"[0-9]|\w[#$%&@^~=+][\w]")
_UNEVEN = 6
"""Characters by which lines with their marks may differ that were cut at one width."""


def _mark(line: str, indent: int) -> int:
    """Characters of a line's mark and the one blank after it, else of an indent that all lines have."""
    match = _MARKED.match(line)
    if match and match.end() and not match[0].isspace() and match.end() < len(line):
        return match.end()
    return min(indent, len(line) - len(line.lstrip(" \t")))


_STRINGS = re.compile(
    r"([\"'`])[ \t]{0,20}(?:(?:\+|\.|&|\|\|)[ \t]{0,20}(?:\r?\n[ \t]{0,40})?\1"
    r"|,?\\?[ \t]{0,20}(?:\r?\n[ \t]{0,40})?(?:\+[ \t]{0,4})?\1(?=[^\s,;)\]}:])(?![^\"'`\n]{1,60}\1[ \t]{0,4}:))"
)


def join_strings(view: View) -> View | None:
    """Quoted strings that follow each other, as programs put them together, run together."""
    text = view.text
    if view.characters.isdisjoint("\"'`") or max(map(text.count, "\"'`")) < 4:
        return None
    return edited("strings joined", view, [Edit(*match.span(), "") for match in _STRINGS.finditer(text)])


_NEAR = 40
_AROUND = 60
_MIXED = rb"0(?:(?<=a0)|(?=a))"
_CLUSTER = re.compile(rb"%b(?:.{0,%d}?%b){3,}+" % (_MIXED, _NEAR - 1, _MIXED), re.DOTALL)
_LETTERS_AND_DIGITS = bytes(
    48 if 48 <= code < 58 else 97 if chr(code).isascii() and chr(code).isalpha() else 32
    for code in range(256)
)


def bare_words(view: View) -> View | None:
    """Blanks dropped around words that mix letters and digits, as pieces of one token do."""
    if view.characters.isdisjoint(_DIGITS):
        return None
    text, clusters = view.text, list(_clusters(view))
    found = [Edit(start, end, "".join(text[start:end].split())) for start, end in clusters]
    return edited("blanks dropped", view, found, Reach.BARE, lambda: list(_blanks(view, clusters)))


def _blanks(view: View, clusters: list[tuple[int, int]]) -> Iterator[Edit]:
    text = view.text
    for start, end in clusters:
        if view.parent is not None or end - start < _DUMP:
            yield from [Edit(*match.span(), "") for match in _BLANK.finditer(text, start, end)]
            continue
        for line in text[start:end].splitlines(keepends=True):
            yield Edit(start, start + len(line), "".join(line.split()))
            start += len(line)


_BLANK = re.compile(r"\s+")
_DUMP = 8192
"""Characters of a stretch, as a dump is, in which it is enough to know the line that something stands in."""


def _clusters(view: View) -> Iterator[tuple[int, int]]:
    """Stretches in which four such words and more stand close together, each with what is around."""
    done = 0
    for match in _CLUSTER.finditer(view.plain_bytes.translate(_LETTERS_AND_DIGITS)):
        start, end = max(match.start() - _AROUND, done), min(match.end() - 1 + _AROUND, len(view.text))
        yield start, end
        done = end


def turn_round(view: View) -> View | None:
    """The text from its end to its beginning."""
    return View("reversed", view.text[::-1], view, backwards=True, reach=view.reach)


def rotate(view: View) -> View | None:
    """Letters moved by half an alphabet."""
    return View(ROTATED, rotated(view.text), view, reach=view.reach)


class Shape(NamedTuple):
    """A change of shape; it is made once on the way to a view."""

    name: str
    change: Callable[[View], View | None]
    after: tuple[str, ...] = ()
    """Views without a trace of a disguise that it is tried on, beside the text as it stands."""


SHAPES = (
    Shape(JOINED, join_lines, ("letters closed up",)),
    Shape("paragraphs joined", join_paragraphs),
    Shape("lines glued", glue),
    Shape("strings joined", join_strings, (JOINED,)),
    Shape("letters closed up", close_up, (JOINED,)),
    Shape("blanks dropped", bare_words, (JOINED,)),
    Shape("reversed", turn_round, (JOINED, "letters closed up")),
    Shape(ROTATED, rotate),
)
