"""Runs of characters that are text in another alphabet: base64, base32, hexadecimal, lists of codes."""

from __future__ import annotations

import base64
import binascii
import contextlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from memtui.gate.view_sources import Edit
from memtui.gate.views import WAYS, View
from memtui.gate.watch import watch_of

LEAST_RUN = 16
"""Characters of the shortest run that is decoded."""
MAX_INFLATED, LEAST_INFLATED = 1 << 18, 1 << 10
"""Bytes that a compressed run may hold, and that each may hold whatever others do; what is beyond is not looked at."""
ALL_INFLATED = 1 << 20
"""Bytes that all of a text may hold together, beside those that each may."""
_DEFLATED = 1 << 13
"""Bytes up to which a run is tried as deflated without a header."""

_RUN = re.compile(rf"[A-Za-z0-9+/_-]{{{LEAST_RUN},}}+={{0,6}}")
_RUN_LINE = re.compile(
    r"\n[ \t]*+(?:(?:[-*+>|#]"
    r"|[0-9]{1,3}[.)])[ \t]+)*+[\"'`]?([A-Za-z0-9+/_-]{1,}+={0,6})[\"'`]?[ \t\\,+]*(?=\r?\n|\Z)"
)
_LAST_WORD = re.compile(r"[A-Za-z0-9+/_-]{4,}+(?=[\"'`]?[ \t\\,+]*\r?\Z)")


class _Room:
    """How much the compressed runs of one text may still hold."""

    def __init__(self) -> None:
        self._left = ALL_INFLATED
        self.is_cut = False
        """Whether the last one held more than there was room for."""

    @property
    def most(self) -> int:
        """Bytes for the next one: a part of what is left, so that those behind a large one are looked at too."""
        return max(min(MAX_INFLATED, self._left // 4), LEAST_INFLATED)

    def take(self, count: int) -> None:
        self._left = max(self._left - count, 0)


def decoded_runs(view: View) -> list[Edit]:
    """What each run of the view's text holds: over lines, then in one."""
    room = _Room()
    over_lines = list(watch_of(view).over(_over_lines(view.text, room))) if "\n" in view.characters else []
    source, way = view.read
    held = source.all_long_words.keys() - _EMPTY_WORDS[way]
    if not (held or over_lines):
        return []
    edits, at = [], 0
    waiting = iter((*over_lines, None))
    block = next(waiting)
    met, useful = set() if source.is_partly_known else set(held), set()
    for place, word, key in watch_of(view).over(view.long_runs(held)):
        met.add(key)
        for match in _RUN.finditer(word):
            start, end = place + match.start(), place + match.end()
            while block is not None and block.end <= start:
                edits.append(block)
                at, block = block.end, next(waiting)
            is_free = start >= at and (block is None or end <= block.start)
            found = list(_in_one(start, match[0], room)) if is_free else []
            if found and view.text.endswith(";base64,", max(start - 8, 0), start):  # of a data: URL
                found[0] = found[0]._replace(text=f" {found[0].text}")
            if found or not is_free:
                useful.add(key)
            edits += found
    remember(met - useful, _EMPTY_WORDS[way])
    edits += [] if block is None else [block, *(each for each in waiting if each is not None)]
    return edits


def _in_one(at: int, run: str, room: _Room) -> Iterator[Edit]:
    """What a run holds, or the parts of it between signs that are no letters."""
    if (plain := decode(run, room)) is not None:
        yield Edit(at, at + len(run), plain)
        return
    for part in re.split(r"([-_/+]+)", run) if re.search(r"[-_/+]", run) else ():
        if len(part) >= LEAST_RUN and (plain := decode(part, room)) is not None:
            yield Edit(at, at + len(part), plain)
        at += len(part)


def _over_lines(text: str, room: _Room) -> Iterator[Edit]:
    """What lines of one word each that follow each other hold, with the last word before them or without."""
    block: list[tuple[int, int, str]] = []
    for match in _RUN_LINE.finditer(text):
        if not block or match.start() != block[-1][1] or block[-1][2].endswith("="):
            yield from _block(block, room)
            line = text.rfind("\n", 0, match.start()) + 1
            before = _LAST_WORD.search(text, max(line, match.start() - 200), match.start())
            padded = bool(block) and match.start() == block[-1][1]  # what ends in "=" has ended
            block = [(*before.span(), before[0])] if before and not padded else []
        block.append((match.start(1), match.end(), match[1]))
    yield from _block(block, room)


def _block(words: list[tuple[int, int, str]], room: _Room) -> Iterator[Edit]:
    """One word at either end may be of the text around it."""
    if len(words) < 2:
        return
    for part in (words, words[:-1], words[1:], words[1:-1]):
        run = "".join(word for _, _, word in part)
        if len(part) > 1 and len(run) >= LEAST_RUN and (plain := decode(run, room)) is not None:
            yield Edit(part[0][0], part[-1][1], plain)
            return


def decode(run: str, room: _Room) -> str | None:
    """The text that a run of base64, base32 or hexadecimal holds, unpacked; None where it is none."""
    bare = run.rstrip("=")
    if hash(bare) in _EMPTY:
        return None
    room.is_cut = False
    for data in _readings(bare):
        text = _as_text(_inflated(data, room))
        if text is not None:
            return text
    if not room.is_cut:
        remember({hash(bare)}, _EMPTY)
    return None


def remember(hashes: set[int], empty: set[int]) -> None:
    """Keep hashes of what holds nothing, all of them forgotten where they are many."""
    if len(empty) > _MOST_EMPTY:
        empty.clear()
    empty |= hashes


_EMPTY: set[int] = set()
"""Hashes of runs that hold nothing: most views of a text have the same ones."""
_EMPTY_WORDS: tuple[set[int], ...] = tuple(set() for _ in WAYS)
"""Hashes of words that hold nothing, and no part of which does, by the way that they are read."""
_EMPTY_LISTS: set[int] = set()
"""Hashes of lists of codes that spell nothing, and of runs of numbers with what stands beside them."""
_MOST_EMPTY = 100_000


def _readings(bare: str) -> Iterator[bytes]:
    if len(bare) % 2 == 0 and re.fullmatch(r"(?:0[xX])?[0-9a-fA-F]+", bare):
        yield bytes.fromhex(bare[2:] if bare[:2] in ("0x", "0X") else bare)
    if re.fullmatch(r"[A-Z2-7]+|[a-z2-7]+", bare):
        with contextlib.suppress(binascii.Error):
            yield base64.b32decode(bare.upper() + "=" * (-len(bare) % 8))
    if len(bare) % 4 != 1:
        with contextlib.suppress(binascii.Error):
            yield base64.b64decode(bare.replace("-", "+").replace("_", "/") + "=" * (-len(bare) % 4))


def _inflated(data: bytes, room: _Room) -> bytes:
    """What compressed bytes hold, as far as there is room; others as they are."""
    plain, most = _unpacked(data, room.most), room.most
    if plain is None:
        return data
    room.take(len(plain))
    room.is_cut = len(plain) >= most
    return _whole(plain) if room.is_cut else plain


def _whole(data: bytes) -> bytes:
    """Bytes without a character in UTF-8 that was cut at their end."""
    end = len(data)
    while end and data[end - 1] & 0xC0 == 0x80:
        end -= 1
    return data[: end - 1] if end and data[end - 1] >= 0xC0 else data


def _unpacked(data: bytes, most: int) -> bytes | None:
    if data[:2] == b"\x1f\x8b" or (
        data[:1] == b"\x78" and len(data) > 2 and int.from_bytes(data[:2], "big") % 31 == 0
    ):
        window = 47
    elif data[:3] == b"BZh":
        import bz2

        try:
            return bz2.BZ2Decompressor().decompress(data, most)
        except OSError:
            return None
    elif len(data) <= _DEFLATED and not _mostly_text(data):
        window = -15
    else:
        return None
    unpacking = zlib.decompressobj(window)
    try:
        plain = unpacking.decompress(data, most)
    except zlib.error:
        return None
    return plain if plain and (window > 0 or (unpacking.eof and len(plain) >= 8)) else None


def _mostly_text(data: bytes) -> bool:
    return data[:16].isascii()


def _as_text(data: bytes) -> str | None:
    """Bytes as text, where every character of it can be read."""
    if len(data) < 4:
        return None
    try:
        text = data.decode("utf-16-le" if data.count(0) * 3 >= len(data) and len(data) % 2 == 0 else "utf-8")
    except UnicodeDecodeError:
        return None
    text = text.removeprefix("\ufeff")
    shown = text.translate(_BREAKS)
    if not shown.isprintable() or sum(map(str.isalnum, shown[:400])) < 4:
        return None
    return (
        text
        if len(shown) >= 12 or shown.isascii() or sum(map(str.isascii, shown)) * 2 >= len(shown)
        else None
    )


_BREAKS = {9: None, 10: None, 13: None, 0x200B: None, 0x200C: None, 0x200D: None, 0xAD: None}

# --- lists of codes ------------------------------------------------------------------------------

_GAP = r"(?:[,:;.|/_-][ \t]*(?:\r?\n[ \t]*)?|[ \t]{1,4}(?:\r?\n[ \t]*)?|\r?\n[ \t]*)"
_NEXT = r"[\s,:;.|/_-]{1,3}"


@dataclass(frozen=True)
class _Codes:
    """One way of writing character codes."""

    trace: str
    """A short beginning that is quick to look for: where a text has it nowhere, nothing else is tried."""
    whole: str
    number: str
    base: int


_PAIRS = _Codes(
    rf"[2-7][0-9a-fA-F]({_NEXT})(?:0x)?[2-7][0-9a-fA-F]\1(?:0x)?[2-7][0-9a-fA-F]",
    rf"(?<![0-9A-Za-z])(?:0x)?[0-9a-fA-F]{{2}}(?:{_GAP}(?:0x)?[0-9a-fA-F]{{2}}(?![0-9A-Za-z])){{5,}}+",
    r"(?<![0-9a-fA-F])[0-9a-fA-F]{2}(?![0-9a-zA-Z])|(?<=0x)[0-9a-fA-F]{2}",
    16,
)
_DECIMAL = _Codes(
    rf"[0-9]{{2,3}}(?:{_NEXT}[0-9]{{2,3}}(?![0-9])){{5}}",
    rf"(?<![\w.])[0-9]{{2,3}}(?:{_GAP}[0-9]{{2,3}}(?!\w)){{5,}}+",
    r"[0-9]{2,3}",
    10,
)
_BINARY = _Codes(  # which ends with the last whole word, so that a long one is never read in vain
    r"[01]{7}[\s01,]",
    rf"(?<!\w)(?=[01]{{7,8}}(?:{_GAP}?[01]{{8}}){{5}})"
    rf"[01]{{7,8}}(?:[01]{{8}})*+(?!\w)(?:{_GAP}(?:[01]{{8}})++(?!\w))*+",
    r"[01]{8}|[01]{7}",
    2,
)
_QUOTED = _Codes(r"=[0-9A-F]{2}=", r"(?:=[0-9A-F]{2}){4,}+", r"(?<==)[0-9A-F]{2}", 16)
_POINTS = _Codes(
    r"[Uu]\+[0-9A-Fa-f]{4}", r"(?:[Uu]\+[0-9A-Fa-f]{4,5}[ \t,]{0,2}){4,}+", r"(?<=\+)[0-9A-Fa-f]{4,5}", 16
)
_PREFIXED = _Codes(
    r"0[xX][0-9a-fA-F]{2}", r"(?:0[xX][0-9a-fA-F]{2}[ \t,]{0,2}){4,}+", r"(?<=[xX])[0-9a-fA-F]{2}", 16
)
_SHORT_NUMBERS = re.compile(rb"000?+(?:(?:, *+| ++)(?:0x)?000?+(?![0xa])){5,}+")
"""Six numbers of two or three digits, in a text's outline."""
_SHORTEST = re.compile(rb"00(?:(?:, *+| ++)(?:0x)?00(?![0xa])){5}")
"""Six of two digits."""


def number_lists(view: View) -> Iterator[Edit]:
    """Every list of character codes that spells a text. Where two ways of writing them fit, the plainer text."""
    spelled = [*_in_numbers(view)]
    spelled += [
        (plain, match) for match, ways in _others(view) if (plain := _spelled(match[0], ways)) is not None
    ]
    at = 0
    for plain, match in sorted(spelled, key=lambda each: (each[1].start(), -_plainness(each[0]))):
        if match.start() >= at:
            yield Edit(*match.span(), plain)
            at = match.end()


def _spelled(run: str, ways: _Codes) -> str | None:
    if (key := hash((run, ways.base))) in _EMPTY_LISTS:
        return None
    codes = [int(each, ways.base) for each in re.findall(ways.number, run)]
    text = _as_text(bytes(codes)) if max(codes) < 256 else None
    if text is None and _are_letters(codes):
        text = _as_text("".join(map(chr, codes)).encode("utf-8", "replace"))
    if text is None:
        remember({key}, _EMPTY_LISTS)
    return text


def _are_letters(codes: list[int]) -> bool:
    """Whether codes are of a text: most of it in ASCII, a third beside letters beyond Latin-1, or those alone."""
    plain = sum(code < 128 for code in codes)
    if max(codes) < 256:
        return plain * 4 >= len(codes) * 3
    return plain * 3 >= len(codes) or all(code < 128 or code > 879 for code in codes)


def _plainness(text: str) -> float:
    """The part of a text that is small letters, digits and blanks."""
    return sum(each.islower() or each.isdigit() or each == " " for each in text) / len(text)


def _in_numbers(view: View) -> Iterator[tuple[str, re.Match[str]]]:
    """What each run of short numbers spells, as the text's outline shows them."""
    text, outline = view.text, view.outline
    for numbers in _SHORT_NUMBERS.finditer(outline):
        start, end = numbers.span()
        if (key := hash(text[max(start - 3, 0) : end + 8])) in _EMPTY_LISTS:
            continue
        found: list[tuple[re.Match[str], _Codes]] = []
        if _SHORTEST.search(outline, start, end):
            first = start - 2 if text.startswith("0x", max(start - 2, 0)) else start
            found += _written(_PAIRS, text, first, end)
        found += _written(_DECIMAL, text, start, end)
        spelled = [(plain, match) for match, ways in found if (plain := _spelled(match[0], ways)) is not None]
        if not spelled:
            remember({key}, _EMPTY_LISTS)
        yield from spelled


def _others(view: View) -> Iterator[tuple[re.Match[str], _Codes]]:
    """Each other way of writing codes is only looked for where the text's outline or its characters allow it."""
    text, outline, characters = view.text, view.outline, view.characters
    if _BYTE in outline and (start := view.plain_bytes.translate(_BITS).find(_BYTE)) >= 0:
        yield from _written(_BINARY, text, start, len(text))
    if "=" in characters:
        yield from _written(_QUOTED, text, 0, len(text))
    if "+" in characters and ("U+" in text or "u+" in text):
        yield from _written(_POINTS, text, 0, len(text))
    if b"0x" in outline:
        yield from _written(_PREFIXED, text, 0, len(text))


_BYTE = b"00000000"
_BITS = bytes(48 if code in b"01" else 32 for code in range(256))


@cache
def _compiled(codes: _Codes) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(codes.trace), re.compile(codes.whole)


def _written(codes: _Codes, text: str, start: int, end: int) -> Iterator[tuple[re.Match[str], _Codes]]:
    """The lists of one way of writing that begin within a stretch."""
    (trace_of, whole), done = _compiled(codes), 0
    for number, trace in enumerate(trace_of.finditer(text, start, end)):
        if trace.start() < done:
            continue
        # Codes of other letters may come before those of plain ones: looked for once, as it may take the whole stretch.
        begin = (start,) if not number and trace.start() - start > 2 else ()
        for at in (*begin, *range(trace.start(), max(trace.start() - 3, done - 1), -1)):
            if match := whole.match(text, at):
                yield match, codes
                done = match.end()
                break
