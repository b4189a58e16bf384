"""Texts in the alphabets of mail and of dumps: quoted-printable, uuencode, base85, lines of a hex dump.

They hold signs that other layers would take for their own, and so come off first.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator

from memtui.gate.view_decoders import remember
from memtui.gate.view_sources import Edit
from memtui.gate.views import WAYS, View, edited

# Each begins with its sign: quicker.
_QUOTED = re.compile(r"=(?:\r?\n|[0-9A-F]{2}(?:=[0-9A-F]{2})*+)")
_QUOTED_TRACE = re.compile(r"=(?:3D|[89A-F][0-9A-F]=[89AB][0-9A-F]|[0-9A-F]{2}(?:=[0-9A-F]{2}){3})")
"""What hardly any other text has: an encoded `=`, or an encoded letter beyond ASCII."""
_SOFT_BREAK = re.compile(r"^[^\n=]{70,75}=\r?\n(?=\S)", re.M)
"""A line that was cut at its 76th character, as hardly any other is."""
_OCTAL = re.compile(r"\\[0-3][0-7]{2}(?:\\[0-3][0-7]{2}){2,}+")
_CONTINUED = re.compile(r"(?<=[^\s\\])\\\r?\n(?=\S)")
_UU = re.compile(
    r"^begin [0-7]{3,4} [^\n]{1,80}\n(?P<lines>(?:[!-`][ -`]{1,84}\r?\n){1,4000})`?\r?\n?end$", re.M
)
_ASCII85 = re.compile(r"<~([!-uz\s]{10,200000}?)~>")
_BASE85 = re.compile(r"[0-9A-Za-z!#$%&()*+\-;<=>?@^_`{|}~]{15,20000}")
_EMPTY_85: tuple[set[int], ...] = tuple(set() for _ in WAYS)
"""Hashes of words that are no text in base85, by the way that they are read."""
_SIGN = re.compile(r"[!#$%&()*+;<=>?@^`{|}~]")
_DUMP = re.compile(
    r"(?:^[ \t>]{0,8}[0-9a-fA-F]{4,8}:?[ \t]{1,3}(?:[0-9a-fA-F]{2}[ \t]{0,2}){1,32}"
    r"(?:[ \t]{1,4}\S[^\n]{0,40})?(?:\r?\n|\Z)){1,4000}+",
    re.M,
)
_DUMP_TRACE = re.compile(r"\n[ \t>]{0,8}[0-9a-fA-F]{4,8}:?[ \t]{1,3}[0-9a-fA-F]{2}")
_DUMP_LINE = re.compile(
    r"[0-9a-fA-F]{4,8}:?[ \t]{1,3}((?:[0-9a-fA-F]{2} ?){1,16}(?: (?:[0-9a-fA-F]{2} ?){1,8})?)"
)


def decode_dumps(view: View) -> View | None:
    """Quoted-printable, octal escapes, continued lines, uuencode, base85 and hex dumps as the text that they hold."""
    for has, decode in _DECODERS:
        if has <= view.characters and (found := edited("dump decoded", view, decode(view.text))) is not None:
            return found
    return edited("dump decoded", view, _base85(view))


def _is_base85(word: str) -> bool:
    return bool(_BASE85.fullmatch(word)) and len(_SIGN.findall(word)) >= 3


def _quoted_printable(text: str) -> Iterator[Edit]:
    breaks = "=\n" in text or "=\r\n" in text
    if not (_QUOTED_TRACE.search(text) or (breaks and _SOFT_BREAK.search(text))):
        return
    for match in _QUOTED.finditer(text):
        data = bytes.fromhex(match[0].replace("=", "")) if match[0][1:2] not in "\r\n" else b""
        yield Edit(*match.span(), data.decode("utf-8", "replace"))


def _octal(text: str) -> Iterator[Edit]:
    for match in _OCTAL.finditer(text):
        with contextlib.suppress(UnicodeDecodeError):
            yield Edit(*match.span(), bytes(int(each, 8) for each in match[0][1:].split("\\")).decode())


def _continued(text: str) -> Iterable[Edit]:
    if "\\\n" not in text and "\\\r" not in text:
        return ()
    return (Edit(*match.span(), "") for match in _CONTINUED.finditer(text))


def _uuencoded(text: str) -> Iterator[Edit]:
    if "begin " not in text:
        return
    for match in _UU.finditer(text):
        with contextlib.suppress(binascii.Error, UnicodeDecodeError):
            data = b"".join(binascii.a2b_uu(line) for line in match["lines"].splitlines())
            yield Edit(*match.span(), data.decode())


def _ascii85(text: str) -> Iterator[Edit]:
    if "<~" not in text:
        return
    for match in _ASCII85.finditer(text):
        with contextlib.suppress(ValueError):
            yield from _if_text(match, base64.a85decode(match[1]))


def _base85(view: View) -> list[Edit]:
    source, way = view.read
    held = source.all_long_words.keys() - _EMPTY_85[way]
    met, useful = set() if source.is_partly_known else set(held), set()
    edits = []
    for at, run, key in view.long_runs(held):
        met.add(key)
        if _is_base85(run):
            with contextlib.suppress(ValueError, UnicodeDecodeError):
                if _is_shown(plain := base64.b85decode(run).decode()):
                    edits.append(Edit(at, at + len(run), plain))
                    useful.add(key)
    remember(met - useful, _EMPTY_85[way])
    return edits


def _hex_dump(text: str) -> Iterator[Edit]:
    if not (_DUMP.match(text) or _DUMP_TRACE.search(text)):
        return
    for match in _DUMP.finditer(text):
        pairs = "".join(line[1] for line in _DUMP_LINE.finditer(match[0]))
        with contextlib.suppress(ValueError):
            yield from _if_text(match, bytes.fromhex(pairs), "\n")


def _if_text(match: re.Match[str], data: bytes, end: str = "") -> Iterator[Edit]:
    with contextlib.suppress(UnicodeDecodeError):
        if _is_shown(plain := data.decode()):
            yield Edit(*match.span(), plain + end)


def _is_shown(plain: str) -> bool:
    return len(plain) >= 6 and plain.replace("\n", "").replace("\t", "").isprintable()


_DECODERS: tuple[tuple[frozenset[str], Callable[[str], Iterable[Edit]]], ...] = (
    (frozenset("="), _quoted_printable),
    (frozenset("\\"), _octal),
    (frozenset("\\\n"), _continued),
    (frozenset("begin \n"), _uuencoded),
    (frozenset("<~>"), _ascii85),
    (frozenset("0"), _hex_dump),
)
"""With the characters that each needs."""
