"""The difference between two versions of one file, down to the last byte (SPEC.md section 6, "The diff").

Two different byte strings never give an empty diff: what the text of rows cannot show (line endings, a
final newline, bytes that are not UTF-8) is in `ending_changed` and in the facts. All text here is raw; faces
make it safe.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memtui.proposals.diff_facts import facts_of
from memtui.proposals.diff_lines import Block, Ending, Side, align, cut
from memtui.proposals.diff_words import Budget, Marked, mark_block
from memtui.proposals.stopping import Stop, go_on, never

Change = Literal["created", "modified", "deleted", "renamed"]
RowKind = Literal[" ", "-", "+"]

MOVED = 12
"""Characters that a removed line needs to be recognised where it was added again."""


class Row(NamedTuple):
    """One line of the old text, the new one, or both."""

    kind: RowKind
    old: int | None
    """Line number before, from 1; None for an added line."""
    new: int | None
    text: str
    """Without its ending; bytes that are no UTF-8 as lone surrogates (U+DC80 to U+DCFF)."""
    ending: Ending
    marks: tuple[tuple[int, int], ...] = ()
    """The words that changed: character offsets in `text`."""
    ending_changed: bool = False
    """Whether its counterpart on the other side ends differently."""
    moved: int | None = None
    """The line's number on the other side, where it was only moved."""
    twins: tuple[tuple[int, int], ...] = ()
    """Of the marks, what looks the same on the other side: only its characters' numbers tell the two apart."""
    note: str = ""
    """What else is to be said of the line ("left out"): it is shown as if it had changed."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file before and after, whole: unchanged lines too."""

    path: str
    origin: str | None
    """The path before a rename, else None."""
    change: Change
    rows: tuple[Row, ...]
    added: int
    """Rows of the kind `+`."""
    removed: int
    facts: tuple[str, ...]
    """What the rows alone would not tell, each a few plain words."""


def diff(
    path: str,
    before: bytes | None,
    after: bytes | None,
    origin: str | None = None,
    stop: Stop = never,
) -> FileDiff:
    """Compare two versions of one file; None where there is no such file. Pure, and bounded in time.

    Rows of the kinds " " and "-" are the old lines in order, " " and "+" the new ones. In a changed block a
    line stands right above the line that it became; where none correspond, the old ones come before the new.
    Raises Stopped once `stop` says so, which is asked again and again.
    """
    go_on(stop)
    old, new = _text(before), _text(after)
    left, right = cut(old), cut(new)
    if before == after:
        rows = tuple(_unchanged(left, 0, 0, len(left.keys)))
        aligned = True
    elif before is None or after is None:
        rows = tuple(_rows(left, right, [(0, len(left.keys), 0, len(right.keys))], None))
        aligned = True
    else:
        blocks, aligned = align(left.keys, right.keys, stop)
        rows = _with_moves(tuple(_rows(left, right, blocks, Budget(stop=stop) if aligned else None)))
        go_on(stop)
    change = _change(before, after, origin)
    facts = facts_of(before, after, left, right, renamed=change == "renamed", aligned=aligned)
    added = sum(row.kind == "+" for row in rows)
    return FileDiff(path, origin, change, rows, added, sum(row.kind == "-" for row in rows), facts)


def hunks(diff: FileDiff, context: int = 3) -> tuple[tuple[int, int], ...]:
    """Ranges of row indexes (to excluded) around the changes; what lies between is folded.

    A single line is never folded, since the fold itself takes one.
    """
    if diff.rows and diff.added + diff.removed == len(diff.rows):
        return ((0, len(diff.rows)),)
    found: list[tuple[int, int]] = []
    for index, row in enumerate(diff.rows):
        if row.kind == " ":
            continue
        start, end = max(0, index - context), min(len(diff.rows), index + context + 1)
        if found and start <= found[-1][1] + 1:
            found[-1] = (found[-1][0], end)
        else:
            found.append((0 if start == 1 else start, end))
    if found and found[-1][1] == len(diff.rows) - 1:
        found[-1] = (found[-1][0], len(diff.rows))
    return tuple(found)


def unified(diff: FileDiff, context: int = 3) -> str:
    """The diff as unified text, raw (`diff_pieces.printed` is for terminals). "" where nothing changed."""
    parts = unified_parts(diff, context)
    return "".join(_unified_row(part) if isinstance(part, Row) else f"{part}\n" for part in parts)


def unified_parts(diff: FileDiff, context: int) -> Iterator[str | Row]:
    """The lines of a unified diff in order: its own as text, without their ends, those of the file as rows."""
    if diff.origin is not None:
        yield f"rename from {_named(diff.origin)}"
        yield f"rename to {_named(diff.path)}"
    ranges = hunks(diff, context)
    if ranges or diff.change in ("created", "deleted"):
        before = "/dev/null" if diff.change == "created" else _named("a/" + (diff.origin or diff.path))
        after = "/dev/null" if diff.change == "deleted" else _named("b/" + diff.path)
        yield f"--- {before}"
        yield f"+++ {after}"
    done_old = done_new = position = 0
    for start, end in ranges:
        done_old += sum(row.kind != "+" for row in diff.rows[position:start])
        done_new += sum(row.kind != "-" for row in diff.rows[position:start])
        rows = diff.rows[start:end]
        olds, news = sum(row.kind != "+" for row in rows), sum(row.kind != "-" for row in rows)
        yield f"@@ -{_range(done_old, olds)} +{_range(done_new, news)} @@"
        yield from _grouped(rows)
        done_old, done_new, position = done_old + olds, done_new + news, end


# --- rows -----------------------------------------------------------------------------------------


def _text(data: bytes | None) -> str:
    """The text of a file; bytes that are not UTF-8 become lone surrogates, so that no two files are equal."""
    return "" if data is None else data.decode("utf-8", "surrogateescape")


def _change(before: bytes | None, after: bytes | None, origin: str | None) -> Change:
    if before is None and after is not None:
        return "created"
    if after is None:
        return "deleted"
    return "modified" if origin is None else "renamed"


def _unchanged(side: Side, old: int, new: int, count: int) -> Iterator[Row]:
    for k in range(count):
        yield Row(" ", old + k + 1, new + k + 1, side.texts[old + k], side.endings[old + k])


def _rows(left: Side, right: Side, blocks: list[Block], budget: Budget | None) -> Iterator[Row]:
    """`budget`: what the words that changed may cost to mark; None marks none."""
    old = new = 0
    for a, b, c, d in blocks:
        yield from _unchanged(left, old, new, a - old)
        yield from _block_rows(left, right, (a, b, c, d), budget)
        old, new = b, d
    yield from _unchanged(left, old, new, len(left.keys) - old)


def _block_rows(left: Side, right: Side, block: Block, budget: Budget | None) -> Iterator[Row]:
    a, b, c, d = block
    marked = Marked() if budget is None else mark_block(left.texts[a:b], right.texts[c:d], budget)
    i = j = 0
    for pair_i, pair_j in [*marked.pairs, (b - a, d - c)]:
        for k in range(i, min(pair_i, b - a)):
            yield _changed("-", left, a, k, marked)
        for k in range(j, min(pair_j, d - c)):
            yield _changed("+", right, c, k, marked)
        if pair_i < b - a:
            differs = left.endings[a + pair_i] != right.endings[c + pair_j]
            yield _changed("-", left, a, pair_i, marked, differs)
            yield _changed("+", right, c, pair_j, marked, differs)
        i, j = pair_i + 1, pair_j + 1


def _changed(kind: RowKind, side: Side, start: int, k: int, marked: Marked, ending: bool = False) -> Row:
    at = start + k
    text, closed, number = side.texts[at], side.endings[at], at + 1
    if kind == "-":
        marks, twins = marked.old.get(k, ()), marked.old_twins.get(k, ())
        return Row("-", number, None, text, closed, marks, ending, twins=twins)
    marks, twins = marked.new.get(k, ()), marked.new_twins.get(k, ())
    return Row("+", None, number, text, closed, marks, ending, twins=twins)


def _with_moves(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Name the other place of lines that were removed here and added there, each once."""
    gone: dict[str, int] = {}
    come: dict[str, int] = {}
    for index, row in enumerate(rows):
        if row.kind != " " and len(row.text.strip()) >= MOVED:
            side = gone if row.kind == "-" else come
            side[row.text] = -1 if row.text in side else index
    places: dict[int, int | None] = {}
    for text, index in gone.items():
        other = come.get(text, -1)
        if index >= 0 and other >= 0 and not rows[index].ending_changed:
            places[index], places[other] = rows[other].new, rows[index].old
    if not places:
        return rows
    return tuple(row._replace(moved=places[i]) if i in places else row for i, row in enumerate(rows))


# --- unified text ---------------------------------------------------------------------------------


def _named(path: str) -> str:
    """A path as it may stand in one line: quoted where it holds control characters or a quote."""
    odd = any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in '"\\' for c in path)
    return json.dumps(path) if odd else path


def _range(done: int, count: int) -> str:
    start = done + 1 if count else done
    return str(start) if count == 1 else f"{start},{count}"


def _grouped(rows: tuple[Row, ...]) -> Iterator[Row]:
    """Removed lines before added ones in each changed block, as patch wants them."""
    added: list[Row] = []
    for row in rows:
        if row.kind == "+":
            added.append(row)
            continue
        if row.kind == " ":
            yield from added
            added = []
        yield row
    yield from added


_AFTER: dict[Ending, str] = {
    "lf": "\n",
    "crlf": "\r\n",
    "cr": "\n\\ Line ends in a lone CR\n",
    "none": "\n\\ No newline at end of file\n",
}


_ESCAPED = re.compile("[\udc80-\udcff]")


def _unified_row(row: Row) -> str:
    """One line; bytes that are not UTF-8 as `\\xff`."""
    text = _ESCAPED.sub(lambda match: f"\\x{ord(match[0]) - 0xDC00:02x}", row.text)
    return row.kind + text + _AFTER[row.ending]
