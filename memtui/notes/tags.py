"""tags.md: the tag dictionary, a tree of three levels (SPEC.md section 2).

`- **#tag** — description. Not to be confused with #other.` under `## L1 …`, `## L2 …` (`### under #parent`) and
`## L3 …`, alphabetical inside each level or parent. A tag that stands outside of all levels counts as level 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from types import MappingProxyType

from memtui.notes import made
from memtui.notes.keyed import append_block, empty_place, line_place, place_after, place_before, set_keyed
from memtui.notes.lines import KeyedLine, LineConflict
from memtui.notes.sheet import Grammar, Place, Sheet, Spot, decode, scan

NAME = "tags.md"
_TITLE = "# Tag dictionary"
_LEVELS = {"L1": "L1 — top categories", "L2": "L2 — subcategories", "L3": "L3 — concrete objects"}
_DEEPEST = 6
"""Of a heading's level."""
_NOT = "Not to be confused with"

_LINE = re.compile(
    r" {0,3}[-*+][ \t]+(?P<bold>\*\*|__)#(?P<tag>(?:[^\s*\\]|\\.)+?):?(?P=bold)(?P<tail>[ \t:—–].*)?",
    re.DOTALL,
)
_SEPARATOR = re.compile(r"[ \t]*(?:[—–:]|-{1,2}(?=[ \t]|$))?[ \t]*")
_CONFUSED = re.compile(
    rf"(?i:{_NOT})[ \t]+(?P<list>#[^\s,;]+(?:(?:[ \t]*[,;]|[ \t]+(?:and|or))[ \t]*#[^\s,;]+)*)"
)
_HASH_TAG = re.compile(r"#([^\s,;]+)")
_STOPS = ".!?…。！？"
_LEVEL = re.compile(r"[Ll]([123])\b")
_UNDER = re.compile(r"(?:under[ \t]+)?#(\S+?):?(?:[ \t]+(?:[(—–:]|-[ \t]).*)?", re.IGNORECASE)
"""What a person adds in brackets or behind a dash does not count."""
_LEFT_OUT = re.compile(r"[ \t]*(?:[.。]|$)")
_SECTION = re.compile(r"L1|L[23](?: \S+)?")
_ESCAPED = re.compile(r"\\([\\*_`<])")


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of the dictionary."""

    name: str
    """Normalised: lower case, dashes for blanks, no "#"."""
    level: int
    """1 to 3."""
    parent: str
    """The tag that it stands under; "" for none."""
    description: str
    not_to_be_confused_with: tuple[str, ...]
    line: KeyedLine


@dataclass(frozen=True, slots=True)
class TagDictionary:
    tags: Mapping[str, Tag]
    """By name, in the file's order; the first line of a tag that stands on two."""
    duplicates: tuple[str, ...]
    """Tags that stand on two lines or more: `set_line` refuses them."""
    parents: tuple[str, ...] = ()
    """The tags that a `### under #…` names, in the file's order, whether or not they are in the dictionary."""


def normalise(tag: str) -> str:
    """A tag as notes hold it: NFC, lower case, dashes for blanks, no "#" in front; any script."""
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", tag).lower())
    return re.sub(r"\s+", "-", re.sub(r"^[\s#]+", "", text).rstrip())


def read_tags(data: bytes | None) -> TagDictionary:
    """Read every tag. Never raises: bytes that are not UTF-8 are read as U+FFFD."""
    sheet = scan((data or b"").decode("utf-8", "replace"), _GRAMMAR)
    tags: dict[str, Tag] = {}
    for spot in sheet.spots:
        if spot.key not in tags:
            tags[spot.key] = _tag(sheet, spot)
    parents = dict.fromkeys(name[3:] for name in sheet.headings if name[2:3] == " ")
    return TagDictionary(MappingProxyType(tags), sheet.duplicates(), tuple(parents))


def compose(
    data: bytes | None,
    *,
    name: str,
    level: int,
    parent: str,
    description: str,
    not_to_be_confused_with: Collection[str],
) -> KeyedLine:
    """The line for a tag, with the place where it will stand.

    A tag that is there keeps its place unless its level or parent changes. A new one stands before the first
    greater one of its list (without case), at the end where the list is in no order. "Not to be confused with
    #other." that the description says itself counts as `not_to_be_confused_with`.

    Raises LineConflict where the file is not UTF-8, or has no room for a heading that would be needed.
    """
    sheet = scan(decode(data, NAME), _GRAMMAR)
    name, parent = normalise(name), normalise(parent)
    section = f"L{level} {parent}" if level > 1 and parent else f"L{level}"
    description, written = split_confusion(description)
    text = _text(name, description, (*written, *not_to_be_confused_with))
    spots = sheet.find(name)
    if spots:
        old = _tag(sheet, spots[0])
        if (old.level, old.parent) == (level, parent if level > 1 else ""):
            wanted = _parsed(text)
            same = wanted[1:] == (old.description, old.not_to_be_confused_with)
            return old.line if same else replace(old.line, text=text)
    moved = KeyedLine(text, section, below=sheet.below(spots[0]) if spots else "")
    return replace(moved, above=line_place(data, name, moved, _GRAMMAR))


def set_line(data: bytes | None, key: str, before: KeyedLine | None, after: KeyedLine | None) -> bytes:
    """Turn a tag's line from `before` into `after` (None: absent); every other byte stays.

    A missing or empty file, level or `### under #parent` is made, and goes again with its last line where that was
    composed for it: `set_line(set_line(d, k, b, a), k, a, b) == (d or b"")`. The rest of a list item moves and goes
    with its line. Raises LineConflict where the file is not UTF-8, the line is not `before`, the tag stands on two
    lines, or other lines would be read differently.
    """
    return set_keyed(data, normalise(key), before, after, _GRAMMAR)


def is_bare(data: bytes) -> bool:
    """Whether a file holds no more than the headings that every one that is made has."""
    return made.is_bare(data, _GRAMMAR)


def split_confusion(description: str) -> tuple[str, tuple[str, ...]]:
    """A description without its sentences "Not to be confused with #other.", and the tags that they name.

    One that goes on after the tags ("… #other — that is …") stays where it is, and its tags are not returned.
    """
    others: list[str] = []
    kept, at = "", 0
    for found in _CONFUSED.finditer(description):
        listed = found["list"].rstrip(_STOPS)
        end = found.start("list") + len(listed)
        if after := _LEFT_OUT.match(description, end):
            others += _confused(listed)
            kept += description[at : found.start()]
            at = after.end()
    kept = kept + description[at:]
    return (" ".join(kept.split()) if others else description), tuple(dict.fromkeys(others))


def _confused(listed: str) -> list[str]:
    return [name for tag in _HASH_TAG.findall(listed) if (name := normalise(tag.rstrip(_STOPS)))]


def with_confusion(text: str, other: str) -> str:
    """A tag line's text with `#other` added to what it is not to be confused with."""
    other = normalise(other)
    _, description, confused = _parsed(text)
    if other in confused:
        return text
    if confused and (found := _CONFUSED.search(text)):
        at = found.start("list") + len(found["list"].rstrip(_STOPS))
        return f"{text[:at]}, #{other}{text[at:]}"
    text = text.rstrip(" \t")
    if not description:
        return f"{text.rstrip('—–-: ')} — {_NOT} #{other}."
    return f"{text}{'' if text[-1] in _STOPS else '.'} {_NOT} #{other}."


def near(tag: str, known: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Tags of the dictionary that `tag` may be another spelling of, each with the reason.

    Reasons: "case" (case, dashes or underscores), "plural", "stem", "one edit away". The tag itself is none.
    """
    name = normalise(tag)
    found = ((other, _likeness(name, normalise(other))) for other in known if other != tag)
    order = ("case", "plural", "stem", "one edit away")
    named = [(other, reason) for other, reason in found if reason]
    return tuple(sorted(named, key=lambda pair: (order.index(pair[1]), pair[0])))


# --- one line ------------------------------------------------------------------------------------


def _tag(sheet: Sheet, spot: Spot) -> Tag:
    line = sheet.line(spot)
    _, description, confused = _parsed(line.text)
    level, _, parent = line.section.partition(" ")
    return Tag(spot.key, int(level[1:] or 1), parent, description, confused, line)


def _key(text: str) -> str | None:
    if "#" not in text:
        return None
    found = _LINE.fullmatch(text)
    return (normalise(_ESCAPED.sub(r"\1", found["tag"])) or None) if found else None


def _parsed(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Name, description and tags not to be confused with."""
    found = _LINE.fullmatch(text)
    if found is None:
        return "", "", ()
    tail = found["tail"] or ""
    separator = _SEPARATOR.match(tail)
    rest = tail[separator.end() :] if separator else tail
    confused = list(_CONFUSED.finditer(rest))
    if not confused:
        return found["tag"], _shown(rest), ()
    names = dict.fromkeys(name for one in confused for name in _confused(one["list"]))
    return found["tag"], _shown(rest[: confused[0].start()]), tuple(names)


def _shown(description: str) -> str:
    return description.strip(" \t").replace(r"\<!--", "<!--")


def _text(name: str, description: str, confused: tuple[str, ...]) -> str:
    """`- **#tag** — description. Not to be confused with #other.`"""
    description = re.sub(r"\\*<!--", r"\\<!--", " ".join(description.split()))
    if description and description[-1] not in _STOPS:
        description += "."
    said = _confused(" ".join(one["list"] for one in _CONFUSED.finditer(description)))
    names = dict.fromkeys(map(normalise, confused))
    others = ", ".join(f"#{other}" for other in names if other and other not in said)
    parts = [description, f"{_NOT} {others}." if others else ""]
    tail = " ".join(part for part in parts if part)
    shown = re.sub(r"[\\*`<]|^_|_$", r"\\\g<0>", name)
    return f"- **#{shown}** — {tail}" if tail else f"- **#{shown}**"


# --- grammar -------------------------------------------------------------------------------------


def _opens(heading: str, around: str) -> str | None:
    if found := _LEVEL.match(heading):
        return f"L{found[1]}"
    if around[:2] in ("L2", "L3") and (found := _UNDER.fullmatch(heading)):
        return f"{around[:2]} {normalise(found[1])}"
    return None


def _place(sheet: Sheet, section: str, key: str) -> Place | None:
    heading = sheet.headings.get(section)
    spots = [spot for spot in sheet.of(section) if spot.key != key]
    if not spots:
        return None if heading is None else empty_place(sheet, heading, tight=" " in section)
    keys = [spot.key.casefold() for spot in spots]
    number = len(spots)
    if keys == sorted(keys):
        number = next((n for n, other in enumerate(keys) if other > key.casefold()), number)
    if number:
        return place_after(sheet, spots[number - 1])
    return place_before(sheet, spots[0])


def _make(sheet: Sheet, section: str, line: str) -> str:
    """The text with the level, and the parent's heading, made where they are missing."""
    if not _SECTION.fullmatch(section):
        return sheet.text
    if not sheet.text:
        levels = (f"## {heading}" for heading in _LEVELS.values())
        sheet = scan("\n\n".join((_TITLE, *levels)) + "\n", _GRAMMAR)
    level, _, parent = section.partition(" ")
    if level not in sheet.headings:
        heading = f"{_depth(sheet, _LEVELS) * '#' or '##'} {_LEVELS[level]}"
        sheet = scan(append_block(sheet, _level_row(sheet, level), [heading]), _GRAMMAR)
    if level not in sheet.headings:  # it fell into a comment or code fence that is never closed
        return sheet.text
    if parent:
        siblings = [name for name in sheet.headings if name.startswith(f"{level} ")]
        depth = _depth(sheet, siblings) or _depth(sheet, [level]) + 1
        if depth > _DEEPEST:
            raise LineConflict(
                f"The levels of {NAME} have headings with six #, under which none can stand: give them fewer.",
                NAME,
            )
        heading = f"{depth * '#'} under #{parent}"
        return append_block(sheet, _parent_row(sheet, level, parent), [heading, line])
    row = sheet.headings[level] + 1
    return append_block(sheet, sheet.end_of(row - 1) if section in sheet.headings else row, [line])


def _depth(sheet: Sheet, sections: Collection[str]) -> int:
    """The level of the first heading in the file that opens one of these sections, 0 where none does."""
    rows = [sheet.headings[name] for name in sections if name in sheet.headings]
    return sheet.rows[sheet.top_of(min(rows))].level if rows else 0


def _level_row(sheet: Sheet, level: str) -> int:
    """Where a level's heading goes: before the next level, else where what holds the last one ends."""
    levels = {name: sheet.top_of(row) for name, row in sheet.headings.items() if name in _LEVELS}
    if later := [row for name, row in levels.items() if name > level]:
        return min(later)
    last = max(levels.values(), default=len(sheet.rows))
    above = range(1, sheet.rows[last].level) if levels else ()
    return next(
        (row for row in range(last, len(sheet.rows)) if sheet.rows[row].level in above), len(sheet.rows)
    )


def _parent_row(sheet: Sheet, level: str, parent: str) -> int:
    """Where a parent's heading goes: before the first greater one of its level, else at the level's end."""
    heading = sheet.headings[level]
    parents = [
        (row, name[3:].casefold()) for name, row in sheet.headings.items() if name.startswith(level + " ")
    ]
    names = [name for _, name in sorted(parents)]
    if names == sorted(names):
        for row, name in sorted(parents):
            if name > parent.casefold():
                return row
    row = heading + 1
    while row < len(sheet.rows) and sheet.sections[row][:2] == level:
        row += 1
    return row


_GRAMMAR = Grammar(NAME, _key, bool, bool, "L1", _opens, _place, _make)


# --- likeness ------------------------------------------------------------------------------------

_ENDINGS = (
    *("ations", "ation", "ments", "ment", "ness", "ings", "ing", "ers"),
    *("ies", "er", "ed", "es", "ly", "s", "y", "e"),
)
_INFLECTED = re.compile(r"[аеёиоуыэюяіїєьαεηιουωάέήίόύώ][йхмвяюеиσν]?\Z")


def _likeness(name: str, other: str) -> str:
    plain, other_plain = (re.sub(r"[-_\s]", "", text.casefold()) for text in (name, other))
    if not plain or not other_plain:
        return ""
    if plain == other_plain:
        return "case"
    if _singular(plain) == _singular(other_plain):
        return "plural"
    if _same_stem(plain, other_plain):
        return "stem"
    if min(len(plain), len(other_plain)) >= 3 and max(len(plain), len(other_plain)) >= 4:
        from rapidfuzz.distance import OSA

        return "one edit away" if OSA.distance(plain, other_plain, score_cutoff=1) <= 1 else ""
    return ""


def _singular(word: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    return (
        word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
    )


def _same_stem(one: str, two: str) -> bool:
    if _stem(one) == _stem(two):
        return True
    if one.isascii() and two.isascii():
        return False
    if {one, without_ending(one)} & {two, without_ending(two)}:
        return True
    # Inflected words of other scripts: all but the last letters are alike.
    pairs = zip(one, two, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return common >= 4 and max(len(one), len(two)) - common <= 2


def without_ending(word: str) -> str:
    """A Cyrillic or Greek word without a usual ending of its inflection; at least two letters stay."""
    bare = _INFLECTED.sub("", word)
    return bare if len(bare) >= 2 else word


def _stem(word: str) -> str:
    """A word without one usual English ending; at least four letters stay, three before a doubled one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
