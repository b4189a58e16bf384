"""Which list items a line of Markdown stands in, told line by line as CommonMark does.

A list item goes on in the lines below it that are indented to its content, and in the lazy lines of its last
paragraph. What is opened inside an item (a code fence, a comment) ends with it at the latest.
"""

from __future__ import annotations

import re
from typing import Literal

Leaf = Literal["", "paragraph", "heading", "fence", "comment", "html", "break", "code"]

_MARKER = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?= |$)")
_MARKER_IN_PARAGRAPH = re.compile(r"(?:[-*+]|1[.)])(?= +[^ ])")
_BREAK = re.compile(r"(?:(?:-[ ]*){3,}|(?:\*[ ]*){3,}|(?:_[ ]*){3,})$")
_UNDERLINE = re.compile(r"(?:=+|-+) *$")
_HEADING = re.compile(r"#{1,6}(?: |$)")
_FENCE = re.compile(r"`{3,}[^`]*$|~{3,}")
_HTML = re.compile(
    r"<(?:\?|![A-Za-z]|!\[CDATA\[|(?:script|pre|style|textarea)(?=[ >]|$)|/?(?:address|article|aside|base|basefont"
    r"|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure"
    r"|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav"
    r"|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track"
    r"|ul)(?=[ >]|/>|$))",
    re.IGNORECASE,
)
"""What opens raw HTML even right below a paragraph (CommonMark's HTML blocks 1 to 6, comments aside)."""


def width_of_indent(text: str) -> int:
    """The column at which a line's text begins, tabs being 4 columns wide."""
    text = text.expandtabs(4)
    return len(text) - len(text.lstrip(" "))


class Blocks:
    """The list items and the paragraph that are open after the lines taken so far."""

    def __init__(self) -> None:
        self.items: list[int] = []
        """The columns where the content of the open list items begins, the outermost item first."""
        self.paragraph = False
        self.quoted = False
        """Whether the paragraph stands in a block quote."""
        self.start = 0
        """The row where the paragraph began."""
        self.leaf: Leaf = ""
        """What the last line began; "" where it goes on with what was open, or is blank."""
        self._html = self._bare = False

    def take(self, text: str, row: int = 0) -> int:
        """Take the next line, and return how many of the items that were open before it belongs to."""
        line = text.expandtabs(4)
        rest = line.lstrip(" ")
        self.leaf = ""
        if not rest:
            self.paragraph = self._html = False
            if self._bare:  # an item that begins with two blank lines ends there
                self.items.pop()
            self._bare = False
            return len(self.items)
        self._bare = False
        column = len(line) - len(rest)
        kept = self._holding(column)
        lazy = self.quoted or kept < len(self.items)
        base = self.items[kept - 1] if kept else 0
        if self.paragraph and not (column - base < 4 and _interrupts(rest, lazy=lazy)):
            self.paragraph = lazy or _UNDERLINE.match(rest) is None
            return len(self.items)
        if self._html and kept == len(self.items):
            return kept
        self.enter(column)
        self._open(rest, column, row)
        return kept

    def hold(self, kind: str, text: str) -> bool:
        """Take the next line, of a kind that is known, and tell whether it goes on with the outermost item."""
        marked = kind == "fence" or (kind == "comment" and not (self.paragraph and not _opens_comment(text)))
        if not marked:
            return self.take(text) > 0
        if not text.strip(" \t"):
            self.paragraph = False
            return True
        return self.enter(width_of_indent(text)) > 0

    def enter(self, column: int) -> int:
        """Close the items whose content begins right of `column`, and the paragraph; return how many stay."""
        kept = self._holding(column)
        del self.items[kept:]
        self.paragraph = self._html = self.quoted = False
        return kept

    def _holding(self, column: int) -> int:
        kept = 0
        while kept < len(self.items) and column >= self.items[kept]:
            kept += 1
        return kept

    def _open(self, rest: str, column: int, row: int) -> None:
        """Open the items that a line begins, and what stands in them."""
        base = self.items[-1] if self.items else 0
        while rest and column - base < 4 and not _BREAK.match(rest) and (marker := _MARKER.match(rest)):
            behind = rest[marker.end() :]
            rest = behind.lstrip(" ")
            blanks = len(behind) - len(rest)
            base = column + marker.end() + (blanks if rest and blanks <= 4 else 1)
            column += marker.end() + blanks
            self.items.append(base)
            self._bare = not rest
        self.leaf = _leaf(rest, column - base)
        self._html = self.leaf == "html"
        self.quoted = rest.startswith(">")
        self.paragraph = self.leaf == "paragraph"
        if self.quoted and self.paragraph:
            self.paragraph = _leaf(rest.lstrip("> "), 0) == "paragraph"
        if self.paragraph:
            self.start = row


def _opens_comment(text: str) -> bool:
    return text.lstrip(" \t").startswith("<!--")


def _interrupts(rest: str, *, lazy: bool) -> bool:
    """Whether a line below a paragraph does not go on with it; `lazy`: it stands outside of the paragraph's item."""
    marker = _MARKER if lazy else _MARKER_IN_PARAGRAPH
    if marker.match(rest) or rest.startswith(">"):
        return True
    return _leaf(rest, 0) not in ("paragraph", "")


def _leaf(rest: str, indent: int) -> Leaf:
    """What a line begins behind the marks of its items."""
    if not rest:
        return ""
    if indent >= 4:
        return "code"
    if rest.startswith("<!--"):
        return "comment"
    for leaf, pattern in _LEAVES:
        if pattern.match(rest):
            return leaf
    return "paragraph"


_LEAVES: tuple[tuple[Leaf, re.Pattern[str]], ...] = (
    ("heading", _HEADING),
    ("fence", _FENCE),
    ("break", _BREAK),
    ("html", _HTML),
)
