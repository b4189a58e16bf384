"""Any string from outside made safe to show, as plain data (SPEC.md section 6, "Text from outside is data").

Terminals obey control characters, reorder text at bidi controls and draw nothing for a long list of others,
so a note could rewrite what the person reads. Here every character that is not what it looks like becomes a
short visible token. No face may show outside text that has not been through this file: the app styles the
pieces, the commands print `safe()`.

What is drawn never holds a control, format, surrogate, private-use or unassigned character, nor a variation
selector: that holds for joiners inside emoji too, whose width differs from terminal to terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import methodcaller
from typing import Literal, NamedTuple

from memtui.safe_chars import (
    ASCII_GLYPHS,
    BLANKS,
    CLASSES,
    GLYPHS,
    cells_of,
    imitations,
    is_cjk,
    is_emoji,
    joins,
)

Kind = Literal["plain", "mark", "alarm"]

STACK = 4
"""Combining marks drawn on one base; further ones become tokens, or they would spill over other lines."""

_ALARM_HINT = re.compile(r"[^\t\n\x20-\x7e]")
_TAG_FLAG = re.compile("[\U000e0020-\U000e007e]{1,8}\U000e007f")
_REGIONS = ("gbeng", "gbsct", "gbwls")
_NEIGHBOURLY = frozenset(("cr", "bom", "joiner", "selector", "tag", "combining"))
"""Classes of characters that are an alarm or not by what stands around them."""
_LIKE_TOKEN = re.compile(r"‹(?=[^\s‹›]{1,8}›)")
_LIKE_ASCII_TOKEN = re.compile("<(?=U\\+[0-9A-F]{4,6}>)")
"""What a text may hold itself and would pass for a printed token."""
_START = methodcaller("start")
_BARE = frozenset("‿¦▢²³⁴⁵⁶")


class Piece(NamedTuple):
    """A stretch of text ready to draw, and where it came from.

    A plain piece has one character for each of its source; a mark may be "" (a variation selector that does
    what it should). `start` and `end` are character offsets in the source.
    """

    text: str
    kind: Kind
    """`mark`: visible but no reason to worry; `alarm`: hidden or harmful, counted in a badge."""
    start: int
    end: int


def pieces(
    text: str, *, whitespace: bool = False, ascii: bool = False, bom: bool = True
) -> tuple[Piece, ...]:
    """Cut `text` into pieces that cover every character of it, in order.

    Meant for one line: a newline inside is shown as a mark. `whitespace` shows trailing and unusual blanks
    and variation selectors as marks (a tab always is one); `ascii` draws the marks themselves in ASCII;
    `bom` says that the text begins its file, so that a leading U+FEFF is a BOM and no alarm.
    """
    if not text:
        return ()
    tail = len(text.rstrip(BLANKS)) if whitespace else len(text)
    if tail == len(text) and text.isascii() and text.isprintable():
        return (Piece(text, "plain", 0, len(text)),)
    scan = _Scan(text, tail, whitespace, ascii, bom)
    return tuple(_split_imitations(scan.run(), text))


def safe(text: str, *, ascii: bool = False) -> str:
    """`text` as one plain line, hidden and harmful characters as tokens such as `‹U+202E›`.

    Where the text itself holds what looks like a token, its first character is one: `‹U+2039›U+202E›`.
    """
    if text.isascii() and text.isprintable() and not (ascii and "<U+" in text):
        return text
    return "".join(_printed(piece, ascii) for piece in pieces(text, ascii=ascii))


def safe_lines(text: str, *, ascii: bool = False) -> str:
    """Like `safe`, for text of several lines: line feeds stay."""
    return "".join(
        "\n" if text[piece.start] == "\n" else _printed(piece, ascii) for piece in pieces(text, ascii=ascii)
    )


def alarms(text: str) -> int:
    """How many characters of `text` are hidden or harmful; line feeds (with their CR) and tabs are not."""
    if not _ALARM_HINT.search(text):
        return 0
    classes = {c: CLASSES[c] for c in set(text)}
    if not _NEIGHBOURLY.intersection(classes.values()):
        hidden = [c for c, kind in classes.items() if kind == "alarm"]
        return sum(map(text.count, hidden)) if len(hidden) < 50 else sum(classes[c] == "alarm" for c in text)
    return sum(piece.kind == "alarm" for piece in pieces(text))


def width(text: str) -> int:
    """Terminal cells of safe text: wide characters 2, combining marks 0."""
    if text.isascii():
        return len(text)
    return sum(map(cells_of, text))


def clip(text: str, cells: int, *, ascii: bool = False) -> str:
    """Safe text cut to at most `cells` cells, the cut shown as `…` (`..` in ASCII)."""
    if cells <= 0:
        return ""
    if width(text) <= cells:
        return text
    dots = ".."[:cells] if ascii else "…"
    room = cells - len(dots)
    for index, character in enumerate(text):
        room -= cells_of(character)
        if room < 0:
            return text[:index] + dots
    return text


class _Tokens(dict[str, str]):
    def __missing__(self, character: str) -> str:
        found = self[character] = f"U+{ord(character):04X}"
        return found


_TOKENS = _Tokens()


def token(character: str) -> str:
    """The visible name of one character: `U+202E`."""
    return _TOKENS[character]


def _printed(piece: Piece, ascii: bool) -> str:
    if piece.kind == "plain":
        like, shown = (_LIKE_ASCII_TOKEN, "<U+003C>") if ascii else (_LIKE_TOKEN, "‹U+2039›")
        return like.sub(shown, piece.text)
    if not piece.text:
        return ""
    if piece.kind == "mark" and (piece.text in _BARE or piece.text.startswith("◌")):
        return piece.text
    return f"<{piece.text}>" if ascii else f"‹{piece.text}›"


class _Scan:
    """One pass over a text that holds something other than printable ASCII."""

    def __init__(self, text: str, tail: int, whitespace: bool, ascii: bool, bom: bool) -> None:
        self.text = text
        self.tail = tail
        self.whitespace = whitespace
        self.ascii = ascii
        self.bom = bom
        self.glyphs = ASCII_GLYPHS if ascii else GLYPHS
        self.found: list[Piece] = []
        self.begun = 0
        """Where the plain stretch that is being read began."""
        self.stack = 0
        """Combining marks met in a row, the last of them at `stacked`."""
        self.stacked = -1

    def run(self) -> list[Piece]:
        text, found = self.text, self.found
        for position in self._special():
            character = text[position]
            kind = CLASSES[character]
            if kind == "alarm":
                if self.begun < position:
                    self._close(position)
                found.append(Piece(_TOKENS[character], "alarm", position, position + 1))
                self.begun = position + 1
            elif position >= self.begun and not self._is_plain(kind, position):
                self._close(position)
                self._add(position, character, kind)
        self._close(len(text))
        return found

    def _special(self) -> Iterable[int]:
        """Offsets of characters that need a look; only those cost time in Python."""
        text, tail = self.text, self.tail
        special = [c for c in set(text[:tail]) if CLASSES[c]]
        ends = range(tail, len(text))
        if len(special) > 300:  # Such a pattern would take longer to compile than it saves.
            return (i for i, c in enumerate(text) if CLASSES[c] or i >= tail)
        if not special:
            return ends
        pattern = re.compile("[" + re.escape("".join(special)) + "]")
        return chain(map(_START, pattern.finditer(text, 0, tail)), ends)

    def _is_plain(self, kind: str, position: int) -> bool:
        """Whether this character can stay in the plain stretch after all."""
        if kind == "combining":
            return self._stacks(position)
        return kind == "blank" and not self.whitespace

    def _stacks(self, position: int) -> bool:
        """Whether the combining mark at `position` may be drawn on what stands before it."""
        self.stack = self.stack + 1 if self.stacked == position - 1 else 1
        self.stacked = position
        return self.begun < position and self.stack <= STACK

    def _close(self, end: int) -> None:
        if self.begun < end:
            drawn = self.text[self.begun : end]
            if not drawn.isprintable():
                drawn = "".join(c if CLASSES[c] != "blank" or c == "\u3000" else " " for c in drawn)
            self.found.append(Piece(drawn, "plain", self.begun, end))
            self.begun = end

    def _put(self, kind: Kind, drawn: str, start: int, end: int) -> None:
        self.found.append(Piece(drawn, kind, start, end))
        self.begun = end

    def _add(self, at: int, character: str, kind: str) -> None:
        """Put the piece for the special character at `at`; it may take the following ones along."""
        text, following = self.text, self.text[at + 1 : at + 2]
        if kind == "combining":
            self._add_combining(at, character)
        elif kind == "cr":
            ends = following == "\n"
            self._put("mark" if ends else "alarm", self.glyphs["\r"] if ends else token("\r"), at, at + 1)
        elif kind == "bom":
            leading = at == 0 and self.bom
            self._put("mark" if leading else "alarm", "BOM" if leading else token(character), at, at + 1)
        elif kind == "joiner":
            fits = joins(text, at)
            self._put(
                "mark" if fits else "alarm", self.glyphs[character] if fits else token(character), at, at + 1
            )
        elif kind == "selector":
            self._add_selector(at, character)
        elif kind == "tag":
            self._add_tag(at, character)
        elif kind == "skin" and at and is_emoji(text[at - 1].replace("\ufe0f", text[at - 2 : at - 1])):
            self._put("mark", self.glyphs[character], at, at + 1)
        elif kind == "region" and following and CLASSES[following] == "region":
            letters = "".join(chr(ord(c) - 0x1F1E6 + ord("a")) for c in character + following)
            self._put("mark", letters, at, at + 2)
        else:
            self._put("mark", self.glyphs.get(character) or token(character), at, at + 1)

    def _add_combining(self, at: int, character: str) -> None:
        if self.stack > STACK:
            self._put("alarm", token(character), at, at + 1)
        elif character == "\u20e3" and self.text[at - 1 : at] == "\ufe0f":
            self._put("mark", self.glyphs[character], at, at + 1)
        else:
            self._put("mark", token(character) if self.ascii else "◌" + character, at, at + 1)

    def _add_selector(self, at: int, character: str) -> None:
        before = self.text[at - 1 : at]
        if before and _selects(before, character, self.text[at + 1 : at + 2]):
            name = (
                f"VS{ord(character) - 0xFE00 + 1}" if "\ufe00" <= character <= "\ufe0f" else token(character)
            )
            self._put("mark", name if self.whitespace else "", at, at + 1)
        else:
            self._put("alarm", token(character), at, at + 1)

    def _add_tag(self, at: int, character: str) -> None:
        found = _TAG_FLAG.match(self.text, at) if self.text[at - 1 : at] == "\U0001f3f4" else None
        region = "".join(chr(ord(c) - 0xE0000) for c in found.group()[:-1]) if found else ""
        if found and region in _REGIONS:
            self._put("mark", region, at, found.end())
        else:
            self._put("alarm", token(character), at, at + 1)


def _selects(before: str, selector: str, following: str) -> bool:
    """Whether a variation selector has something to select: emoji, ideograph, symbol, a keycap's digit."""
    if selector in "\ufe0e\ufe0f":
        return is_emoji(before) or (before in "0123456789#*" and following == "\u20e3")
    if "\u180b" <= selector <= "\u180f":
        return "\u1820" <= before <= "\u18aa"
    if is_cjk(before):
        return True
    return selector in "\ufe00\ufe01" and ("\u2200" <= before <= "\u2aff" or "\u3001" <= before <= "\uff1f")


def _split_imitations(found: Iterable[Piece], text: str) -> Iterator[Piece]:
    """Cut letters that imitate those of another script out of the plain pieces, as marks."""
    places = imitations(text)
    if not places:
        yield from found
        return
    waiting = iter([*places, len(text)])
    place = next(waiting)
    for piece in found:
        if piece.kind != "plain":
            yield piece
            continue
        start = piece.start
        while place < piece.end:
            if start < place:
                yield Piece(piece.text[start - piece.start : place - piece.start], "plain", start, place)
            yield Piece(text[place], "mark", place, place + 1)
            start = place + 1
            place = next(waiting)
        if start < piece.end:
            yield Piece(piece.text[start - piece.start :], "plain", start, piece.end)
