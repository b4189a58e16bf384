"""Text from outside as the app draws it: hidden characters as tokens that no content can produce (SPEC section 6).

A printed label shows a token as `‹U+202E›`, which a note could write itself. On the screen a token is reverse
video instead. Until it is drawn each of its characters stands for itself in the planes of private use, which
`safe_text` never lets through: so a token keeps its width, is known wherever it is cut or wrapped, and is never
broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.safe_text import Piece, pieces, token, width
from memtui.safe_text import clip as clip_plain
from memtui.safe_twins import skeleton

_FIRST, _REST = 0x100000, 0xF0000
"""Where the first character of a token stands, and its other ones."""
_TOKENS = re.compile("([\U000f0000-\U0010ffff]+)")
_TOKEN = re.compile("[\U00100000-\U0010ffff][\U000f0000-\U000fffff]*")
_BARE = frozenset("‿¦▢²³⁴⁵⁶")

__all__ = [
    "bare",
    "clip",
    "is_inside_token",
    "parts",
    "safe",
    "safe_lines",
    "safe_name",
    "safe_part",
    "safe_unlike",
    "token_ends",
    "width",
]


def safe(text: str, *, ascii: bool = False) -> str:
    """`text` as one line to be drawn by the app; tokens are drawn in reverse video."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_drawn(piece) for piece in pieces(text, ascii=ascii))


def safe_lines(text: str, *, ascii: bool = False) -> str:
    """Text of several lines, each as `safe` gives it."""
    return "\n".join(safe(line, ascii=ascii) for line in text.split("\n"))


def safe_part(text: str) -> str:
    """One of several texts with ` · ` between them, a sign that it cannot bring along itself."""
    return safe(text).replace("·", _as_token("·"))


def safe_name(text: str, *, ascii: bool = False) -> str:
    """A path as `safe` gives it, in which other blanks than the usual one are seen too."""
    return "".join(_drawn(piece) for piece in pieces(text, whitespace=True, ascii=ascii, bom=False))


def safe_unlike(text: str, other: str) -> str:
    """`safe_name`, but where the other path looks the same, its letters are told by their numbers."""
    if text == other or skeleton(" ".join(text.split())) != skeleton(" ".join(other.split())):
        return safe_name(text)
    return "".join(safe(c) if c.isascii() else _as_token(token(c)) for c in text)


def _drawn(piece: Piece) -> str:
    text = piece.text
    quiet = piece.kind == "mark" and (text in _BARE or text.startswith("◌"))
    if piece.kind == "plain" or not text or quiet or max(text) > "\ufffd":
        return text
    return _as_token(text)


def _as_token(text: str) -> str:
    return chr(_FIRST + ord(text[0])) + "".join(chr(_REST + ord(c)) for c in text[1:])


def parts(text: str) -> Iterator[tuple[str, bool]]:
    """The stretches of drawn text in order, as they are on the screen, and whether each is of tokens."""
    if text.isascii():
        yield text, False
        return
    for index, part in enumerate(_TOKENS.split(text)):
        if part:
            yield (bare(part), True) if index % 2 else (part, False)


def bare(text: str) -> str:
    """The text with its tokens as plain letters, character for character."""
    if text.isascii():
        return text
    return "".join(chr(ord(c) & 0xFFFF) if ord(c) >= _REST else c for c in text)


def token_ends(text: str) -> list[tuple[int, bool]]:
    """End offset of each stretch of the text, each token by itself, and whether it is one."""
    ends: list[tuple[int, bool]] = []
    at = 0
    for found in _TOKEN.finditer(text):
        if found.start() > at:
            ends.append((found.start(), False))
        at = found.end()
        ends.append((at, True))
    if at < len(text) or not ends:
        ends.append((len(text), False))
    return ends


def is_inside_token(text: str, offset: int) -> bool:
    """Whether a cut at `offset` would break a token in two."""
    return offset < len(text) and _REST <= ord(text[offset]) < _FIRST


def clip(text: str, cells: int) -> str:
    """Drawn text cut to at most `cells` cells, the cut shown as `…`; a token that does not fit goes whole."""
    cut = clip_plain(text, cells)
    if cut == text or len(cut) < 1:
        return cut
    end = len(cut) - 1
    while end and is_inside_token(text, end):
        end -= 1
    return text[:end] + "…"
