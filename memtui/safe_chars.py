"""What each character is to `safe_text`: the tables, and the questions about a character's neighbours."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping

from memtui.safe_twins import TWINS

BLANKS = " \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

GLYPHS: Mapping[str, str] = {
    " ": "·",
    "\t": "→",
    "\n": "↵",
    "\r": "␍",
    "\u00a0": "⍽",
    "\u200c": "¦",
    "\u200d": "‿",
    "\u20e3": "▢",
    "\U0001f3fb": "²",
    "\U0001f3fc": "³",
    "\U0001f3fd": "⁴",
    "\U0001f3fe": "⁵",
    "\U0001f3ff": "⁶",
}
"""Short marks for characters that are no alarm; every other one is drawn by its number."""

ASCII_GLYPHS: Mapping[str, str] = {
    " ": ".",
    "\t": ">",
    "\n": "\\n",
    "\r": "\\r",
    "\u00a0": "_",
    "\u200c": "|",
    "\u200d": "+",
    "\u20e3": "#",
    "\U0001f3fb": "2",
    "\U0001f3fc": "3",
    "\U0001f3fd": "4",
    "\U0001f3fe": "5",
    "\U0001f3ff": "6",
}

# Letters and symbols that draw nothing, and the ignorable marks: they hide text as well as any control.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\U0001d159\U00016fe4")
# Format characters that have a shape (signs before Arabic, Syriac, Kaithi numbers); the blank Braille cell.
_MARKED = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u2800\U000110bd\U000110cd"
)
_SINGLE: Mapping[str, str] = {
    "\t": "mark",
    "\n": "mark",
    "\r": "cr",
    "\ufeff": "bom",
    "\u200c": "joiner",
    "\u200d": "joiner",
}


class _Classes(dict[str, str]):
    """The class of each character, worked out when it is first met; "" for a plain one."""

    def __missing__(self, character: str) -> str:
        found = self[character] = _classify(character)
        return found


def _classify(character: str) -> str:
    if character in _SINGLE:
        return _SINGLE[character]
    if character in _INVISIBLE:
        return "alarm"
    if character in _MARKED:
        return "mark"
    if "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return "selector"
    if character in "\u180b\u180c\u180d\u180f":
        return "selector"
    if "\U000e0020" <= character <= "\U000e007f":
        return "tag"
    if "\U0001f3fb" <= character <= "\U0001f3ff":
        return "skin"
    if "\U0001f1e6" <= character <= "\U0001f1ff":
        return "region"
    category = unicodedata.category(character)
    if category[0] == "M" or _is_jamo_tail(character):
        return "combining"
    if category == "Zs":
        return "" if character == " " else "blank"
    if category == "Cn" and "\U0001f000" <= character <= "\U0001faff":
        return "mark"  # An emoji newer than this Python's tables: its width is unknown, but it hides nothing.
    return "alarm" if category[0] == "C" or category in ("Zl", "Zp") else ""


def _is_jamo_tail(character: str) -> bool:
    """Whether it is a Hangul vowel or final, drawn into the cell of the consonant before it."""
    return "\u1161" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7fb"


CLASSES = _Classes()


class _Cells(dict[str, int]):
    def __missing__(self, character: str) -> int:
        found = self[character] = _measure(character)
        return found


def _measure(character: str) -> int:
    if unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff":
        return 0
    if "\ud7b0" <= character <= "\ud7ff":
        return 0
    if unicodedata.east_asian_width(character) in "WF" or _is_wide_symbol(character):
        return 2
    return 1


def _is_wide_symbol(character: str) -> bool:
    """Hexagrams, trigrams, counting rods: wide since Unicode 16, which Python's tables may not know yet."""
    return (
        "\u2630" <= character <= "\u2637"
        or "\u268a" <= character <= "\u268f"
        or "\u4dc0" <= character <= "\u4dff"
        or "\U0001d300" <= character <= "\U0001d376"
    )


cells_of = _Cells().__getitem__

# --- emoji and joining scripts --------------------------------------------------------------------


def _ranges(text: str) -> tuple[int, ...]:
    """First and last code point of each block, one after the other, from hexadecimal `first-last` words."""
    return tuple(int(code, 16) for block in text.split() for code in block.split("-"))


# Blocks that hold emoji: more than Unicode's own list, which is close enough here.
_EMOJI = _ranges(
    "A9-A9 AE-AE 203C-203C 2049-2049 2122-2122 2139-2139 2190-21FF 2300-23FF 24C2-24C2 25A0-27BF 2934-2935"
    " 2B00-2BFF 3030-3030 303D-303D 3297-3297 3299-3299 1F000-1FAFF"
)
# Blocks of scripts that join letters: Arabic to Mandaic, Devanagari to Tibetan, Myanmar, Khmer, Mongolian
_JOINING = _ranges(
    "0600-08FF 0900-0FFF 1000-109F 1700-18AF 1A20-1AAF 1B00-1C4F 1CD0-1CFF A840-A8FF A930-A9FF AA00-AADF"
    " ABC0-ABFF FB50-FDFF FE70-FEFE 10A00-10A5F 10D00-10D3F 11000-11FFF 1E900-1E95F"
)


def _within(character: str, ranges: tuple[int, ...]) -> bool:
    code = ord(character)
    return bisect_right(ranges, code) % 2 == 1 or code in ranges[1::2]


def is_emoji(character: str) -> bool:
    """Whether a variation selector or a skin tone can stand after it, or a joiner beside it."""
    return len(character) == 1 and _within(character, _EMOJI)


def is_cjk(character: str) -> bool:
    return (
        "\u3400" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003ffff"
    )


def joins(text: str, at: int) -> bool:
    """Whether the joiner or non-joiner at `at` has the neighbours that give it a meaning.

    Between two emoji (ZWJ only), inside a word of a joining script, or (ZWJ) at such a word's end.
    """
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if not before or CLASSES[before] == "joiner":
        return False
    joiner = text[at] == "\u200d"
    if joiner and after and is_emoji(after):
        base = at - 1
        while base > 0 and at - base < 3 and CLASSES[text[base]] in ("selector", "skin"):
            base -= 1
        return is_emoji(text[base])
    if not _within(before, _JOINING) or CLASSES[before] in ("alarm", "mark"):
        return False
    return joiner or (bool(after) and _within(after, _JOINING) and CLASSES[after] != "alarm")


# --- letters that imitate -------------------------------------------------------------------------

_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_OTHERS = "\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u13a0-\u13ff\uab70-\uabbf"
# Coptic, Tifinagh, Lisu, Canadian syllables, Deseret, Osage, Elbasan and the letters of mathematics
_RARE = "\u1400-\u167f\u2c80-\u2d7f\ua4d0-\ua4ff\U00010400-\U0001052f\U0001d400-\U0001d7ff"
_LOOKS_LATIN = frozenset(
    "аеорсухѕіјһԁԛԝӏүАВЕЅІЈКМНОРСТХУҮԌԚԜҺӀЗѴѵ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυκϲϳϹ"  # Greek
    "օոսցհզքՕՍԼ"  # Armenian
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏴᏵ"  # Cherokee
)
_LIKE_OTHERS = frozenset("aceopxyijshdqwvAaBCEHIJKMOPSTXYGQWZNkuv")
_JUNCTION = re.compile(f"[{_LATIN}][{_OTHERS}{_RARE}]|[{_OTHERS}{_RARE}][{_LATIN}]")
_IS_LATIN = re.compile(f"[{_LATIN}]")
_IS_OTHER = re.compile(f"[{_OTHERS}]")
_OTHER_WORD = re.compile(f"(?<![^\\W\\d_])[{_OTHERS}]{{2,}}(?![^\\W\\d_])")
_WORD = re.compile(r"[^\W\d_]*")


def imitations(text: str) -> list[int]:
    """Offsets of letters that pass for another script's: a Cyrillic `а` in `pаypal`, `сор` in an English line.

    Only where all letters of one script in the word (or, of a whole word, in the line) have a twin in the other:
    `SQLщик` is simply mixed, and so is a line of two languages.
    """
    if text.isascii() or not _IS_LATIN.search(text):
        return []
    found: list[int] = []
    done = 0
    for match in _JUNCTION.finditer(text):
        if match.start() < done:
            continue
        start = match.start()
        while start > done and text[start - 1].isalpha():
            start -= 1
        word = _WORD.match(text, start)
        done = word.end() if word else match.end()
        found.extend(_imitating(text, start, done))
    if all(map(_looks_latin, _IS_OTHER.findall(text))):
        found.extend(place for word in _OTHER_WORD.finditer(text) for place in range(*word.span()))
    return sorted(found)


def _looks_latin(character: str) -> bool:
    character = unicodedata.normalize("NFD", character)[0]  # `ё` as its `е`
    if _IS_OTHER.match(character):
        return character in _LOOKS_LATIN
    return character >= "\U0001d400" or TWINS.get(character, "").isalpha()


def _imitating(text: str, start: int, end: int) -> list[int]:
    latin = [i for i in range(start, end) if _IS_LATIN.match(text[i])]
    others = [i for i in range(start, end) if not _IS_LATIN.match(text[i])]
    sides = []
    if all(_looks_latin(text[i]) for i in others):
        sides.append(others)
    if all(text[i] in _LIKE_OTHERS for i in latin):
        sides.append(latin)
    return min(sides, key=len, default=[])
