"""What was put between the letters or the pieces of a word: signs, unusual blanks, soft ends of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.gate.view_sources import Edit
from memtui.gate.views import View, edited

_ODD = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_BLANK = f"[{_ODD}]"
_EACH = re.compile(_BLANK)
_PIECES = re.compile(rf"[!-~]{{1,12}}(?:{_BLANK}[!-~]{{1,12}}){{3,}}+")


def drop_odd_blanks(view: View) -> View | None:
    """Pieces of one length with unusual blanks between them, run together: words differ in length."""
    if view.characters.isdisjoint(_ODD):
        return None
    return edited("odd blanks dropped", view, _joined(view.text))


def _joined(text: str) -> Iterator[Edit]:
    for match in _PIECES.finditer(text):
        inner = _EACH.split(match[0])[1:-1]
        if len({len(piece) for piece in inner}) > 1 or not re.search(r"[A-Za-z]", match[0]):
            continue
        yield from (Edit(*each.span(), "") for each in _EACH.finditer(text, *match.span()))


_SOFT = re.compile(r"(?<=[ -<>-~])=\r?\n(?=[ -~])")
_NAMED = re.compile(r"[ \t]{0,8}(?:- )?[\w.-]{1,40}(?:=(?![0-9A-F]{2})|:)\S")
"""A line that is a field of its own."""


def drop_soft_breaks(view: View) -> View | None:
    """Lines that quoted-printable broke, two and more times in a row, as one."""
    text = view.text
    if "=" not in view.characters or text.count("=\n") + text.count("=\r\n") < _TWICE:
        return None
    return edited("soft breaks dropped", view, _glued(text))


_TWICE = 2


def _glued(text: str) -> Iterator[Edit]:
    run: list[Edit] = []
    for match in _SOFT.finditer(text):
        if run and "\n" in text[run[-1].end : match.start()]:
            yield from run if len(run) >= _TWICE else ()
            run = []
        if not _NAMED.match(text, match.end()):
            run.append(Edit(*match.span(), ""))
    yield from run if len(run) >= _TWICE else ()


# --- letters that stand apart ---------------------------------------------------------------------

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
    if "•" not in view.characters and not _IN_OUTLINE.search(view.plain_bytes.translate(_APART_OUTLINE)):
        return None
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


_IN_OUTLINE = re.compile(rb" a a(?: a|   )| a   a   a|  a  a  a|   a   a   a")
"""Letters apart, some of which may be signs, as a text's outline shows them at least."""
_APART_OUTLINE = bytes(
    32 if chr(code) in "".join(_SIGNS) or chr(code).isspace() else 97 for code in range(256)
)


def _has_letters_apart(text: str) -> bool:
    """Whether a blank follows every letter somewhere: as quick as it can be told of ordinary text."""
    return not text.isascii() or " x x x" in text.translate(_SHAPE)


_SHAPE = dict.fromkeys(range(33, 127), "x")


def _spelled(text: str, sign: str) -> Iterator[Edit]:
    mark = re.escape(sign)
    for match in re.finditer(rf"{mark}[^\n](?:{mark}[^\n]){{{_APART - 1},}}+", text):
        start, end = match.start() - 1, match.end()
        before = text[max(start - 1, 0) : max(start, 0)]
        is_lone = start >= 0 and not text[start].isspace() and (before.isspace() or before in _OPENING)
        if not is_lone and not (start < 0 or text[start].isspace() or sign.isspace()):
            continue
        start = start if is_lone else match.start() + len(sign)
        if sign.isspace() and text[end : end + 1].isalnum():  # it begins a word
            end -= 1 + len(sign)
        closed = text[start:end][:: 1 + len(sign)]
        if sum(map(str.isalnum, closed)) * 2 >= len(closed):
            yield Edit(start, end, closed)
