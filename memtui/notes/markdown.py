"""Lines of a Markdown file, each told apart as text, heading, code fence or HTML comment.

The index, the tag dictionary and the change log are all found by lines, and in all three a line inside a
comment or a code fence is an example, not data (SPEC.md section 2). This is the one scanner they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["text", "heading", "fence", "comment"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\r\n]*)")
# A fence may open right behind the marks of the list items that hold it, and ends with them at the latest.
_ITEM_FENCE = re.compile(r" {0,3}(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,4}){1,4}(`{3,}|~{3,})([^\r\n]*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
# What ends a paragraph without a blank line.
_BLOCK = re.compile(
    r" {0,3}(?:#{1,6}(?:[ \t]|$)|`{3}|~{3}|>|<!--|=+[ \t]*$|(?:[-*_][ \t]*){3,}$)"
    r"|[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)",
)
_BLOCK_COMMENT = re.compile(r" {0,3}<!--")
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


def lines(text: str, start: int = 0) -> Iterator[Line]:
    """Yield every line of `text` from character `start` on (which must begin a line)."""
    fence, in_item = "", False
    comment = False
    inline_end = hopeless = 0
    position = start
    for raw in _LINE.findall(text, start):
        body = raw.rstrip("\r\n")
        end = position + len(raw)
        if position < inline_end:
            yield Line(position, end, body, raw[len(body) :], "comment")
            position = end
            continue
        if not (fence or comment or "#" in raw[:4] or "<!--" in raw or "```" in raw or "~~~" in raw):
            # Nearly every line of a big index: nothing in it that opens anything.
            yield Line(position, end, body, raw[len(body) :], "text")
            position = end
            continue
        kind: Kind = "text"
        level, heading = 0, ""
        if fence and in_item and body.strip() and not body.startswith(("  ", " \t", "\t")):
            fence = ""
        if fence:
            kind = "fence"
            if _closes(body, fence, in_item):
                fence = ""
        elif comment:
            kind = "comment"
            comment = "-->" not in body
        elif (mark := body.lstrip(" ")[:1]) and mark in "`~<#":
            if opened := _FENCE.match(body):
                if opened[1][0] == "~" or "`" not in opened[2]:
                    kind, fence, in_item = "fence", opened[1], False
            elif _BLOCK_COMMENT.match(body):
                kind, comment = "comment", "-->" not in body
            elif found := _HEADING.match(body):
                kind, level, heading = "heading", len(found[1]), _heading(body[found.end() :])
            elif "<!--" in body:
                inline_end, hopeless = _comment_end(text, body, position, hopeless)
        elif mark and mark in "-*+0123456789" and (opened := _ITEM_FENCE.match(body)):
            if opened[1][0] == "~" or "`" not in opened[2]:
                kind, fence, in_item = "fence", opened[1], True
        elif "<!--" in body:
            inline_end, hopeless = _comment_end(text, body, position, hopeless)
        yield Line(position, end, body, raw[len(body) :], kind, level, heading)
        position = end


def _heading(rest: str) -> str:
    """A heading's text without the closing marks, which count only after a blank."""
    text = rest.strip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else text


def _closes(body: str, fence: str, in_item: bool) -> bool:
    stripped = body.strip(" \t")
    indent = len(body.expandtabs(4)) - len(body.expandtabs(4).lstrip(" "))
    return (in_item or indent <= 3) and len(stripped) >= len(fence) and set(stripped) == {fence[0]}


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
