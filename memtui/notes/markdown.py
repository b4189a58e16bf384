"""Lines of a Markdown file, each told apart as text, heading, code fence or HTML comment.

The index, the tag dictionary and the change log are all found by lines, and in all three a line inside a
comment or a code fence is an example, not data (SPEC.md section 2). This is the one scanner they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from memtui.notes.blocks import Blocks, width_of_indent

Kind = Literal["text", "heading", "underline", "fence", "comment"]
"""A heading inside a list item is text of that item. "underline": what follows the first line of a heading that is
written with a line of `=` or `-` below it."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_FENCE = re.compile(r"`{3,}|~{3,}")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
# What ends a paragraph without a blank line.
_BLOCK = re.compile(
    r" {0,3}(?:#{1,6}(?:[ \t]|$)|`{3}|~{3}|>|<!--|=+[ \t]*$|(?:[-*_][ \t]*){3,}$)"
    r"|[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)",
)
_MARGIN = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)]) ")
"""What begins a list item at the margin, and ends every one above."""
_OPENING = re.compile(r"(?<!\\)(?:\\\\)*<!--")


class Line(NamedTuple):
    """One line: `start` and `end` are character offsets, `end` past the line ending."""

    start: int
    end: int
    text: str
    ending: str
    kind: Kind
    level: int = 0
    """1 to 6 for a heading, else 0."""
    heading: str = ""
    """A heading's text without its marks."""


def lines(text: str, start: int = 0) -> list[Line]:
    """Every line of `text` from character `start` on (which must begin a line)."""
    scan = _Scan(text)
    found = scan.found
    position = start
    for raw in _LINE.findall(text, start):
        body = raw.rstrip("\r\n")
        line = Line(position, position + len(raw), body, raw[len(body) :], "text")
        position += len(raw)
        if scan.is_plain(raw) and body.strip("-= \t"):
            # Nearly every line of a big index: nothing in it that opens or underlines anything.
            if raw.startswith("- "):
                scan.top = len(found)
            found.append(line)
        else:
            scan.take(line)
    return found


def item_end(rows: Sequence[Line], row: int, limit: int) -> int:
    """The row after the list item that begins in `row`, at most `limit`; blank lines below it are not its own."""
    end = row + 1
    if limit == end or (rows[end].kind == "text" and _MARGIN.match(rows[end].text)):
        return end
    blocks = Blocks()
    blocks.take(rows[row].text)
    for below in range(end, limit):
        line = rows[below]
        if line.kind in ("heading", "underline") or not blocks.items or not blocks.hold(line.kind, line.text):
            break
        if line.text.strip(" \t"):
            end = below + 1
    return end


def goes_on(item: Iterable[Line], line: Line) -> bool:
    """Whether a line, not a blank one, that is right below these goes on with the list item that they end in."""
    if not line.text.strip(" \t"):
        return False
    blocks = Blocks()
    for part in item:
        blocks.hold(part.kind, part.text)
    return bool(blocks.items) and blocks.hold(line.kind, line.text)


class _Scan:
    """The lines found so far, and what is open after them."""

    def __init__(self, text: str) -> None:
        self.found: list[Line] = []
        self.top = 0
        """The last row that surely began a list item at the margin: nothing above it is open any more."""
        self._text = text
        self._blocks = Blocks()
        self._taken = 0
        """The rows above this one are in `_blocks`."""
        self._fence = ""
        self._comment = False
        self._limit = 0
        """The column where the item that holds the fence or comment begins; a line left of it ends both."""
        self._inline_end = self._hopeless = 0

    def is_plain(self, raw: str) -> bool:
        """Whether a line opens nothing and stands in nothing open."""
        if self._fence or self._comment or self._inline_end:
            return False
        return not ("#" in raw[:4] or "<!--" in raw or "```" in raw or "~~~" in raw)

    def take(self, line: Line) -> None:
        """Add a line that may open, close or underline something."""
        body = line.text
        if line.start < self._inline_end:
            self.found.append(line._replace(kind="comment"))
            return
        self._inline_end = 0
        if self._limit and body.strip(" \t") and width_of_indent(body) < self._limit:
            self._fence, self._comment, self._limit = "", False, 0
        if self._fence or self._comment:
            self._go_on(line)
        elif "#" in body[:4] or "<!--" in body or "```" in body or "~~~" in body:
            self._open(line)
        elif not (_UNDERLINE.fullmatch(body) and self._underline(line)):
            self.found.append(line)

    def _go_on(self, line: Line) -> None:
        kind: Kind = "fence" if self._fence else "comment"
        self.found.append(line._replace(kind=kind))
        self._taken = len(self.found)
        if self._fence and _closes(line.text, self._fence, self._limit):
            self._fence = ""
        self._comment = self._comment and "-->" not in line.text

    def _open(self, line: Line) -> None:
        """A line that holds a mark of a heading, fence or comment, whatever it means there."""
        body, row = line.text, len(self.found)
        blocks = self._up_to(row)
        blocks.take(body, row)
        self._taken = row + 1
        if blocks.leaf == "fence" and (mark := _FENCE.search(body)):
            self._fence, self._limit = mark[0], _last(blocks.items)
            line = line._replace(kind="fence")
        elif blocks.leaf == "comment":
            self._comment, self._limit = "-->" not in body, _last(blocks.items)
            line = line._replace(kind="comment")
        elif blocks.leaf == "heading" and not blocks.items and (found := _HEADING.match(body)):
            line = line._replace(kind="heading", level=len(found[1]), heading=_heading(body[found.end() :]))
        elif "<!--" in body:
            self._inline_end, self._hopeless = _comment_end(self._text, body, line.start, self._hopeless)
        self.found.append(line)

    def _underline(self, line: Line) -> bool:
        """Make a heading of the paragraph right above; False where there is none outside of list items."""
        row = len(self.found)
        blocks = self._up_to(row)
        if not blocks.paragraph or blocks.items or blocks.quoted:
            return False
        above = self.found[blocks.start :]
        if above[0].text.lstrip(" ").startswith("[") and "]:" in above[0].text:
            return False  # a link's definition
        level = 1 if "=" in line.text else 2
        heading = " ".join(part.text.strip(" \t") for part in above)
        self.found[blocks.start :] = [
            part._replace(kind="underline", level=level, heading=heading) for part in (*above, line)
        ]
        self.found[blocks.start] = self.found[blocks.start]._replace(kind="heading")
        blocks.enter(0)
        self._taken = row + 1
        return True

    def _up_to(self, row: int) -> Blocks:
        """What is open above a row."""
        if self.top >= self._taken:
            self._blocks, self._taken = Blocks(), self.top
        while self._taken < row:
            self._blocks.take(self.found[self._taken].text, self._taken)
            self._taken += 1
        return self._blocks


def _last(columns: list[int]) -> int:
    return columns[-1] if columns else 0


def _heading(rest: str) -> str:
    """A heading's text without the closing marks, which count only after a blank."""
    text = rest.strip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else text


def _closes(body: str, fence: str, column: int) -> bool:
    stripped = body.strip(" \t")
    return width_of_indent(body) - column <= 3 and len(stripped) >= len(fence) and set(stripped) == {fence[0]}


def _comment_end(text: str, body: str, position: int, hopeless: int) -> tuple[int, int]:
    """Where a comment that begins after other text on this line ends (0: nowhere), and where its paragraph ends.

    Such a comment is inline: it spans lines of its own paragraph alone, and one that is not closed there is
    plain text, so that it never hides a list item, a heading or what stands below a blank line. `hopeless` is
    the end of a paragraph that is known to close none.
    """
    opened = [found.end() for found in _OPENING.finditer(body)]
    if position < hopeless or not opened or "-->" in body[opened[-1] :] or "`" in body:
        return 0, hopeless
    at = position + len(body)
    while (line := _LINE.match(text, at + _ending_length(text, at))) and line[0].strip():
        if _BLOCK.match(line[0].rstrip("\r\n")):
            break
        if "-->" in line[0]:
            return line.end(), hopeless
        at = line.start() + len(line[0].rstrip("\r\n"))
    return 0, at + 1


def _ending_length(text: str, at: int) -> int:
    return 2 if text.startswith("\r\n", at) else 1


def newline(text: str, near: int | None = None) -> str:
    """The line ending in use: that of the line before character `near`, else the file's first, else LF."""
    if near is not None:
        before = text.rfind("\n", 0, near)
        if before >= 0:
            return "\r\n" if before and text[before - 1] == "\r" else "\n"
    first = text.find("\n")
    if first < 0:
        return "\n"
    return "\r\n" if first and text[first - 1] == "\r" else "\n"
