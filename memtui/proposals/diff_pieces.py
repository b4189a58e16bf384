"""A row of a diff in safe pieces, and a diff as safe text: what differs is seen, whatever it is.

The app draws the pieces; the commands print `printed()`. Beyond what `safe_text` does, a changed row shows the blanks
at its end and long runs of them one by one, and by their numbers the letters that look like those of the other side.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from memtui.proposals.diff import FileDiff, Row, unified_parts
from memtui.safe_text import Piece, pieces, safe, token

LONG_RUN = 12
"""Blanks in a row from which each is shown in a changed row: fewer are seen as what they are."""

_RUN = re.compile(f" {{{LONG_RUN},}}")
_ENDS = {
    "lf": "\n",
    "crlf": "‹␍›\n",
    "cr": "\n\\ Line ends in a lone CR\n",
    "none": "\n\\ No newline at end of file\n",
}
_QUOTE = "‹U+2039›"
"""A quotation mark that could begin a token of the app's."""


def printed(diff: FileDiff, context: int = 3) -> str:
    """The diff as unified text that is safe on a terminal and in which no two differences look the same."""
    facts = "".join(f"\\ {fact}\n" for fact in diff.facts)
    parts = unified_parts(diff, context)
    return facts + "".join(_printed_row(p) if isinstance(p, Row) else f"{safe(p)}\n" for p in parts)


def _printed_row(row: Row) -> str:
    text = "".join(map(_printed_piece, row_pieces(row)))
    return f"{row.kind}{text}{_ENDS[row.ending]}"


def _printed_piece(piece: Piece) -> str:
    if piece.kind == "plain":
        return piece.text.replace("‹", _QUOTE)
    return f"‹{piece.text}›" if piece.text else ""


def has_odd_blanks(text: str) -> bool:
    """Whether blanks end the text, or so many stand in it that they might be taken for its end."""
    return text[-1:] == " " or " " * LONG_RUN in text


def row_pieces(row: Row, *, ascii: bool = False) -> Iterator[Piece]:
    """The row's text in safe pieces; what no eye can tell apart or count is a token in a changed row."""
    changed = row.kind != " "
    for piece in pieces(row.text, whitespace=changed, ascii=ascii, bom=1 in (row.old, row.new)):
        if "\udc80" <= row.text[piece.start] <= "\udcff":
            yield piece._replace(text=f"\\x{ord(row.text[piece.start]) - 0xDC00:02x}")
        elif changed and piece.kind == "mark" and piece.text == row.text[piece.start : piece.end]:
            yield piece._replace(text=token(piece.text))  # a letter that imitates one of another script
        elif changed and (piece.kind == "plain" or len(piece.text) == 1) and row.twins:
            yield from _numbered(piece, row)
        elif changed and piece.kind == "plain":
            yield from _with_runs(piece, "." if ascii else "·")
        else:
            yield piece


def _numbered(piece: Piece, row: Row) -> Iterator[Piece]:
    """A piece whose characters that look like others' are drawn by their number."""
    at = piece.start
    for place in range(piece.start, piece.end):
        character = row.text[place]
        if character.isascii() or not next(touching(row.twins, place, place + 1), None):
            continue
        if at < place:
            yield Piece(piece.text[at - piece.start : place - piece.start], "plain", at, place)
        yield Piece(token(character), "mark", place, place + 1)
        at = place + 1
    if at < piece.end:
        rest = piece.text[at - piece.start :]
        yield piece if at == piece.start else Piece(rest, piece.kind, at, piece.end)


def _with_runs(piece: Piece, dot: str) -> Iterator[Piece]:
    """A plain piece whose long runs of blanks are drawn blank by blank."""
    at = 0
    for run in _RUN.finditer(piece.text):
        if at < run.start():
            yield Piece(piece.text[at : run.start()], "plain", piece.start + at, piece.start + run.start())
        yield Piece(dot * len(run[0]), "mark", piece.start + run.start(), piece.start + run.end())
        at = run.end()
    if at < len(piece.text):
        yield piece if not at else Piece(piece.text[at:], "plain", piece.start + at, piece.end)


def touching(spans: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans, of many in order, that reach into a stretch."""
    for index in range(bisect_right(spans, start, key=itemgetter(1)), len(spans)):
        if spans[index][0] >= end:
            return
        yield spans[index]
