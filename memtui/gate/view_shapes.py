"""Changes of a text's shape: lines joined, words joined, letters that stand apart, written backwards, rot13."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from memtui.gate.views import ROTATED, Edit, Reach, View, edited, rotated

JOINED = "lines joined"

_JOINT = re.compile(r"\n[ \t]*+(?:(?:[-*+>|]|[0-9]{1,3}[.)])(?:[ \t]+|(?=\n)))*+")
_FIRST_MARK = re.compile(r"[ \t]*+(?:(?:[-*+>|]|[0-9]{1,3}[.)])[ \t]+)*+")


def join_lines(view: View) -> View | None:
    """The lines of each paragraph run together, without indents, list marks, quote marks and trailing blanks."""
    text = view.text
    if "\n" not in text.strip():
        return None
    edits, done = [], 0
    for match in _JOINT.finditer(text):
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
            edits += _glued(lines, start) if len(lines) > 1 else []
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
    if len(lines) == 2 and not _DIGIT.search(lines[1], marks[1]):
        return []  # as any sentence may be
    edits = [Edit(at, at + marks[0], "")]
    for number, line in enumerate(lines[:-1]):
        end = at + marks[number] + lengths[number]
        at += len(line) + 1
        edits.append(Edit(end, at + marks[number + 1], " " * (width - lengths[number])))
    return edits


_DIGITS = "0123456789"
_DIGIT = re.compile("[0-9]")
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
    r"|,?\\?[ \t]{0,20}(?:\r?\n[ \t]{0,40})?(?:\+[ \t]{0,4})?\1(?=[^\s,;)\]}:]))"
)


def join_strings(view: View) -> View | None:
    """Quoted strings that follow each other, as programs put them together, run together."""
    text = view.text
    if view.characters.isdisjoint("\"'`") or max(map(text.count, "\"'`")) < 4:
        return None
    return edited("strings joined", view, [Edit(*match.span(), "") for match in _STRINGS.finditer(text)])


_SIGNS = (
    " ",
    "-",
    ".",
    "_",
    ",",
    "|",
    "/",
    "·",
    "*",
    "+",
    ":",
    ";",
    "~",
    "=",
    "•",
    ", ",
    " - ",
    " | ",
    " . ",
    "  ",
    "\n",
    "\\",
    "#",
    "\t",
)
_OPENING = "\"'`([{<:="
_APART = 7
"""Letters that stand apart from which on they are drawn together."""


def close_up(view: View) -> View | None:
    """Letters that one and the same sign keeps apart, drawn together."""
    text = view.text
    for sign in _SIGNS:
        if (
            sign[0] in view.characters
            and text.count(sign) >= _APART
            and (sign != " " or _has_letters_apart(text))
        ):
            found = edited("letters closed up", view, _spelled(text, sign))
            if found is not None:
                return found
    return None


def _has_letters_apart(text: str) -> bool:
    """Whether a blank follows every letter somewhere: as quick as it can be told of ordinary text."""
    return not text.isascii() or " x x x" in text.translate(_SHAPE)


_SHAPE = dict.fromkeys(range(33, 127), "x")


def _spelled(text: str, sign: str) -> Iterator[Edit]:
    mark = re.escape(sign)
    for match in re.finditer(rf"{mark}[^\n](?:{mark}[^\n]){{{_APART - 1},}}+", text):
        start = match.start() - 1
        if start < 0 or text[start].isspace():
            start = match.start() + len(sign)
        before = text[start - 1 : start]
        if not (before.isspace() or before in _OPENING):
            continue
        closed = text[start : match.end()][:: 1 + len(sign)]
        if sum(map(str.isalnum, closed)) * 2 >= len(closed):
            yield Edit(start, match.end(), closed)


_MIXED = re.compile(r"[0-9](?:(?<=[A-Za-z][0-9])|(?=[A-Za-z]))")
_NEAR = 40
_AROUND = 60


def bare_words(view: View) -> View | None:
    """Blanks dropped around words that mix letters and digits, as pieces of one token do."""
    if view.characters.isdisjoint(_DIGITS):
        return None
    return edited("blanks dropped", view, _blanks(view), Reach.BARE)


def _blanks(view: View) -> Iterator[Edit]:
    text = view.text
    for start, end in _clusters(text):
        if view.parent is not None or end - start < _DUMP:
            yield from [Edit(*match.span(), "") for match in _BLANK.finditer(text, start, end)]
            continue
        for line in text[start:end].splitlines(keepends=True):
            yield Edit(start, start + len(line), "".join(line.split()))
            start += len(line)


_BLANK = re.compile(r"\s+")
_DUMP = 8192
"""Characters of a stretch, as a dump is, in which it is enough to know the line that something stands in."""


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Stretches in which such words stand close together, each with what is around."""
    first = last = count = 0
    done = 0
    for match in _MIXED.finditer(text):
        at = match.start()
        if count and at - last > _NEAR:
            if count >= 4:
                yield max(first - _AROUND, done), last + _AROUND
                done = last + _AROUND
            count = 0
        first = first if count else at
        last, count = at, count + 1
    if count >= 4:
        yield max(first - _AROUND, done), last + _AROUND


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
