"""One row of a diff as text to draw: tokens in place, changed words known, broken into lines of so many cells.

Pure: no widget, no colour. What is said here of a stretch of text (`Look`) the view turns into a style.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from itertools import accumulate

from memtui.proposals.diff import Row
from memtui.proposals.diff_pieces import has_odd_blanks, row_pieces, touching
from memtui.proposals.instructions import instruction_spans
from memtui.safe_chars import BLANKS, CLASSES, cells_of, imitations
from memtui.safe_text import Piece
from memtui.tui.outside import token_ends

TAB = 4
"""Cells of a tab, wherever it stands: a line must not change its look by what is before it."""

_ENDINGS = {"lf": "LF", "crlf": "CRLF", "cr": "CR", "none": "no newline"}
_QUIET = frozenset("\u200c\u200d\u20e3\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")


class Look(IntFlag):
    """What a stretch of a row is, beside the row's own kind."""

    PLAIN = 0
    CHANGED = 1
    MARK = 2
    """Something that cannot be seen by itself, or that the app says: drawn in reverse."""
    ALARM = 4
    """Hidden or harmful: drawn in reverse, bold, in the colour of alarms."""
    QUIET = 8
    """A joiner or skin tone where it belongs."""
    FLAGGED = 16
    """Reads like an instruction to an agent: underlined, in italics."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A row's text ready to draw; `spans` cover it in order: end offset and look of each."""

    text: str
    spans: tuple[tuple[int, Look], ...]
    hang: int = 0
    """Cells by which its further lines are indented."""


def is_simple(text: str) -> bool:
    """Whether every character is drawn as itself in one cell."""
    return text.isascii() and text.isprintable()


def draw_row(row: Row, *, ascii: bool = False, ending: bool = False) -> Drawn:
    """Draw a row's text. Changed rows show all that differs or hides; unchanged ones only what is an alarm.

    `ending` shows how the line ends, as an ending that changed always is.
    """
    changed = row.kind != " "
    notes, flags = _notes(row, ending), flagged_spans(row)
    if is_simple(row.text) and not (row.marks or notes or flags or (changed and has_odd_blanks(row.text))):
        return Drawn(row.text, ((len(row.text), Look.PLAIN),), hanging(row.text))
    parts: list[str] = []
    looks: list[Look] = []
    for piece in row_pieces(row, ascii=ascii):
        source = row.text[piece.start : piece.end]
        if piece.kind == "plain":
            _add_flagged(parts, looks, piece, row.marks, flags)
        else:
            _add_token(parts, looks, piece, source, row, changed)
    for note in notes:
        parts += (" ", note)
        looks += (Look.PLAIN, Look.MARK)
    return Drawn("".join(parts), _joined(parts, looks), hanging(row.text))


def _notes(row: Row, ending: bool) -> list[str]:
    """What the app says of a row, after its text."""
    notes = []
    if row.kind != " " and (ending or row.ending_changed or row.ending in ("cr", "none")):
        notes.append(_ENDINGS[row.ending])
    if row.moved is not None:
        notes.append(f"moved {'to' if row.kind == '-' else 'from'} {row.moved}")
    if row.note:
        notes.append(row.note)
    return notes


def flagged_spans(row: Row) -> tuple[tuple[int, int], ...]:
    """What reads like an instruction in a line that would be added: character offsets."""
    if row.kind != "+":
        return ()
    return tuple((span.start, span.end) for span in instruction_spans(row.text))


def _add_flagged(
    parts: list[str],
    looks: list[Look],
    piece: Piece,
    marks: tuple[tuple[int, int], ...],
    flags: tuple[tuple[int, int], ...],
) -> None:
    """Add a plain piece, cut where flagged text begins and ends too."""
    at = piece.start
    for start, end in (*flags, (piece.end, piece.end)):
        start, end = max(start, at), min(end, piece.end)
        for first, last, look in ((at, start, Look.PLAIN), (start, end, Look.FLAGGED)):
            if first < last <= piece.end:
                done = len(looks)
                text = piece.text[first - piece.start : last - piece.start]
                _add_plain(parts, looks, Piece(text, "plain", first, last), marks)
                looks[done:] = [each | look for each in looks[done:]]
                at = last


def _add_plain(parts: list[str], looks: list[Look], piece: Piece, marks: tuple[tuple[int, int], ...]) -> None:
    """Add a plain piece, cut where changed words begin and end, never between a letter and its accents."""
    at = 0
    text = piece.text
    for start, end in touching(marks, piece.start, piece.end):
        start, end = start - piece.start, end - piece.start
        if end <= at:
            continue
        start, end = max(start, at), min(end, len(text))
        while start > at and cells_of(text[start]) == 0:
            start -= 1
        while end < len(text) and cells_of(text[end]) == 0:
            end += 1
        parts += (text[at:start], text[start:end])
        looks += (Look.PLAIN, Look.CHANGED)
        at = end
    parts.append(text[at:])
    looks.append(Look.PLAIN)


def _add_token(
    parts: list[str], looks: list[Look], piece: Piece, source: str, row: Row, changed: bool
) -> None:
    touched = next(touching(row.marks, piece.start, piece.end), None) is not None
    look = Look.CHANGED if touched else Look.PLAIN
    if source == "\t":
        parts += (piece.text if changed else " ", " " * (TAB - 1))
        looks += (look | Look.MARK if changed else Look.PLAIN, look)
        return
    shown = changed and (touched or not row.marks)
    if piece.kind == "alarm":
        look |= Look.ALARM
    elif piece.text.startswith("VS") and not shown:
        return
    elif not changed and (source in _QUIET or (len(piece.text) == 2 and len(source) == 2)):
        look |= Look.QUIET
    elif changed or len(piece.text) > 1:
        look |= Look.MARK
    parts.append(piece.text)
    looks.append(look)


def _joined(parts: list[str], looks: list[Look]) -> tuple[tuple[int, Look], ...]:
    spans: list[tuple[int, Look]] = []
    end = 0
    for part, look in zip(parts, looks, strict=True):
        if not part:
            continue
        end += len(part)
        if spans and spans[-1][1] == look and look in (Look.PLAIN, Look.CHANGED):
            spans[-1] = (end, look)
        else:
            spans.append((end, look))
    return tuple(spans)


def hanging(text: str) -> int:
    """Cells to indent the further lines of a paragraph: its own indent and its list or quote sign."""
    if text[:1] not in " \t-*+>0123456789#":
        return 0
    rest = text.lstrip(" \t")
    indent = sum(TAB if c == "\t" else 1 for c in text[: len(text) - len(rest)])
    if rest[:2] in ("- ", "* ", "+ ", "> "):
        return indent + 2
    digits = len(rest) - len(rest.lstrip("0123456789"))
    if 0 < digits < 4 and rest[digits : digits + 2] in (". ", ") "):
        return indent + digits + 2
    return indent


# --- breaking into lines --------------------------------------------------------------------------


def break_row(
    row: Row, cells: int, *, ascii: bool = False, ending: bool = False
) -> tuple[Drawn, list[tuple[int, int]]]:
    """Draw a row and break it into lines of `cells` cells."""
    drawn = draw_row(row, ascii=ascii, ending=ending)
    return drawn, break_lines(drawn, cells)


def is_one_line(row: Row, cells: int, *, ending: bool = False) -> bool:
    """Whether a row surely takes one line; a quick look, which says no where it would take a long one."""
    text = row.text
    if len(text) > cells or row.twins or ((row.kind != " " or row.note) and _notes(row, ending)):
        return False
    if is_simple(text):
        return True
    if 2 * len(text) > cells or any(map(CLASSES.__getitem__, set(text))):
        return False
    return row.kind == " " or not imitations(text)


def break_lines(drawn: Drawn, cells: int) -> list[tuple[int, int]]:
    """Cut a drawn row into lines of at most `cells` cells: offsets of each in its text. Never an empty list.

    Broken after a single blank, which is left out where it would begin a line, before several, and beside wide
    characters; else before a token, or anywhere (`is_glued`). So what is read is what was written: no two texts
    give the same lines.
    """
    text = drawn.text
    length = len(text)
    even = text.isascii() or all(cells_of(c) == 1 for c in set(text))
    if even and length <= cells:
        return [(0, length)]
    reach: Sequence[int] = range(length + 1) if even else [0, *accumulate(map(cells_of, text))]
    further = max(2, cells - min(drawn.hang, cells // 2))
    lines: list[tuple[int, int]] = []
    at, room = 0, max(2, cells)
    while reach[length] - reach[at] > room:
        limit = bisect_right(reach, reach[at] + room, at) - 1
        if _is_droppable(drawn, limit):
            end, after = limit, limit + 1
        else:
            end = after = _break_before(drawn, at, limit, even)
        lines.append((at, end))
        at, room = after, further
    if at < length or not lines:
        lines.append((at, length))
    return lines


def is_glued(text: str, end: int, start: int) -> bool:
    """Whether between two lines of a drawn text, of which one ends and one starts there, a word is cut in two."""
    if start > end or " " in (text[end - 1 : end], text[start : start + 1]):
        return False
    return not (_is_wide(text, end - 1) or _is_wide(text, start))


def _is_wide(text: str, at: int) -> bool:
    return 0 <= at < len(text) and cells_of(text[at]) == 2


def _break_before(drawn: Drawn, at: int, limit: int, even: bool) -> int:
    """Where to end a line that may reach to `limit`; `even`: no character of it is wide."""
    text = drawn.text
    indent = at
    while indent < limit and (text[indent] == " " or (not at and _is_tab(drawn, indent))):
        indent += 1
    last = limit if not even else min(limit, text.rfind(" ", indent, limit + 1) + 1)
    for end in range(last, indent, -1):
        if _is_joint(text, end) and _token_start(drawn, end) == end:
            return end
    start = _token_start(drawn, limit)
    return start if start > indent else limit


def _is_tab(drawn: Drawn, offset: int) -> bool:
    return drawn.text[offset] in "→>" and bool(_look_at(drawn, offset)[2] & Look.MARK)


def _token_start(drawn: Drawn, offset: int) -> int:
    """Where the token begins that a cut at the offset would break, else the offset."""
    start, _, look = _look_at(drawn, offset)
    return start if look & (Look.MARK | Look.ALARM) else offset


def _is_joint(text: str, end: int) -> bool:
    """Whether a line may end there: after a blank between narrow words, before others, beside a wide character."""
    before, after = text[end - 1], text[end]
    if cells_of(after) == 0:  # an accent, also of a blank
        return False
    if before == " ":
        return after != " " and not (
            text[end - 2 : end - 1] == " " or _is_wide(text, end - 2) or _is_wide(text, end)
        )
    if after == " ":
        return text[end + 1 : end + 2] == " " or _is_wide(text, end - 1) or _is_wide(text, end + 1)
    return _is_wide(text, end - 1) or _is_wide(text, end)


def drawn_words(text: str) -> Drawn:
    """Words of the app's own, or of the outside as `outside.safe` gives them: its tokens stay whole."""
    ends = token_ends(text)
    return Drawn(text, tuple((end, Look.MARK if token else Look.PLAIN) for end, token in ends))


def _look_at(drawn: Drawn, offset: int) -> tuple[int, int, Look]:
    """Start, end and look of the span at an offset."""
    low, high = 0, len(drawn.spans) - 1
    while low < high:
        middle = (low + high) // 2
        if drawn.spans[middle][0] <= offset:
            low = middle + 1
        else:
            high = middle
    start = drawn.spans[low - 1][0] if low else 0
    return start, drawn.spans[low][0], drawn.spans[low][1]


def _is_droppable(drawn: Drawn, offset: int) -> bool:
    """Whether the blank there may vanish between two lines: single, between words, not part of the change."""
    text = drawn.text
    if text[offset] != " " or not 0 < offset < len(text) - 1 or _look_at(drawn, offset)[2] != Look.PLAIN:
        return False
    if text[offset - 1] in BLANKS or text[offset + 1] in BLANKS or cells_of(text[offset + 1]) == 0:
        return False
    return not (_is_wide(text, offset - 1) or _is_wide(text, offset + 1))
