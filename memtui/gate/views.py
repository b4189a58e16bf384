"""Views of a text: the same words with a disguise taken off, so that rules for plain text see through it.

A secret that is percent-encoded, spelled in full-width letters, cut by zero-width characters or wrapped over
lines would pass a scan of the raw text (seed 000 scans before the gate). `views` is the seam for more
disguises: each is one function from text to text, and everything is bounded in size.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

MAX_VIEWED = 4 << 20
"""Characters of text that is looked at without its disguises; beyond it only as it stands."""
MAX_LAYERS = 4
"""Disguises put one over the other that are taken off."""


@dataclass(frozen=True)
class View:
    """One view. `joined`: lines were run together, so only rules that are sure of themselves apply."""

    name: str
    text: str
    joined: bool = False
    starts: tuple[int, ...] | None = None
    """Offset in `text` at which each line of the source begins; None where the lines are the source's own."""

    def line(self, offset: int) -> int:
        """The line of the source, 1-based, that stands at this offset of the view."""
        if self.starts is None:
            return bisect_right(self._breaks, offset - 1) + 1
        return max(bisect_right(self.starts, offset), 1)

    def end_of_line(self, number: int) -> int:
        """The offset at which a line (1-based) of joined text ends."""
        starts = self.starts or ()
        return starts[number] if number < len(starts) else len(self.text)

    @cached_property
    def _breaks(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]


def views(text: str) -> Iterator[View]:
    """The text as it stands, then each view that differs from the one before it.

    Lines keep their numbers in every view: a line break that a disguise hid becomes a blank.
    """
    yield View("as it stands", text)
    if len(text) > MAX_VIEWED:
        return
    plain = text
    for _ in range(MAX_LAYERS):
        before = plain
        for name, unveil in _UNVEIL:
            bare = unveil(plain)
            if bare != plain and len(bare) <= MAX_VIEWED:
                plain = bare
                yield View(name, plain)
        if plain == before:
            break
    if "\n" in plain.strip():
        yield _join_lines(plain)


# --- one disguise each ---------------------------------------------------------------------------

_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_FEW = 60
"""Different characters up to which replacing one by one is quicker than translating all."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_PERCENT_BREAK = re.compile(r"%0[aAdD]")
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([/\"'nrt\\]))"
)


def _fold(text: str) -> str:
    """Compatible characters as plain ones (full-width letters too), tag characters as the letters that they
    hide; combining, format and control characters dropped.
    """
    text = _LONE_RETURN.sub("", text)
    if text.isascii():
        return _CONTROL.sub("", text)
    changed = {each: plain for each in set(text) if (plain := _plain(each)) != each}
    if len(changed) > _FEW:
        return text.translate({ord(each): plain for each, plain in changed.items()})
    for each, plain in changed.items():
        text = text.replace(each, plain)
    return text


def _plain(character: str) -> str:
    if character in "\r\n\t":
        return character
    plain = _TAGS.get(ord(character)) or unicodedata.normalize("NFKD", character)
    return "".join(each for each in plain if unicodedata.category(each) not in ("Cc", "Cf", "Mn", "Me"))


def _unescape_entities(text: str) -> str:
    if "&" not in text:
        return text
    import html  # its table of names is costly to load, and notes hardly ever need it

    return _ENTITY.sub(lambda match: _one_line(html.unescape(match[0])), text)


def _unquote(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(_PERCENT_BREAK.sub("%20", text))


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    if match[5]:
        return {"n": " ", "r": " ", "t": " "}.get(match[5], match[5])
    code = int(match[1] or match[2] or match[3] or match[4], 16)
    return _one_line(chr(code)) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else match[0]


def _one_line(text: str) -> str:
    return text.replace("\n", " ")


_UNVEIL: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("Unicode-folded", _fold),
    ("HTML entities decoded", _unescape_entities),
    ("percent-decoded", _unquote),
    ("backslash escapes decoded", _unescape),
)

_MARK = re.compile(r"[ \t]*(?:(?:[-*+>|]|[0-9]{1,3}[.)])[ \t]+)*")


def _join_lines(text: str) -> View:
    """All lines run together, without indents, list marks, quote marks and trailing blanks."""
    parts, starts, length = [], [], 0
    for line in text.split("\n"):
        mark = _MARK.match(line)
        part = line[mark.end() if mark else 0 :].rstrip(" \t\r\\")
        starts.append(length)
        parts.append(part)
        length += len(part)
    return View("lines joined", "".join(parts), joined=True, starts=tuple(starts))
