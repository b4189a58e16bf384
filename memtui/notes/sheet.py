"""A file of keyed lines, scanned: index.md or tags.md with its sections and its lines, each with its place.

A `Grammar` says what a keyed line and a section look like in one of the two files. A `Place` says where a line
stands, exactly enough to put it back after it was taken away (SPEC.md section 4, undo).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from memtui.notes.lines import KeyedLine, LineConflict
from memtui.notes.markdown import Line, lines

_BOM = "\ufeff"
_BULLET = re.compile(r"[-*+](?:[ \t]|$)")
_PLACE = re.compile(r"(.*)\n(\d+)(?: ([01])([01]))?(?: (lf|crlf|cr))?", re.DOTALL)
_ENDINGS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
_ENDING_NAMES = {ending: name for name, ending in _ENDINGS.items()}


class Spot(NamedTuple):
    """A keyed line that was found: its row in the sheet, and its place in the form of `KeyedLine.above`."""

    row: int
    key: str
    section: str
    above: str | None


class Place(NamedTuple):
    """Where a line stands in its section; `KeyedLine.above` carries it in writing.

    `above` is the nearest keyed line above it in the section (None: the heading that opens the section), `gap`
    the number of other lines between, `before` and `after` the blank lines (0 or 1) that come and go with it
    where it is the section's only line, `ending` its line ending where the lines around do not tell it.
    """

    above: str | None
    gap: int
    before: int = 0
    after: int = 0
    ending: str = ""

    def written(self, *, blank_above: bool) -> str | None:
        """A bare key, or None for "first, after one blank line", in the usual cases; else all of it."""
        if not (self.before or self.after or self.ending):
            if self.above is None:
                if self.gap == 1 and blank_above:
                    return None
            elif self.gap == 0 and "\n" not in self.above:
                return self.above
        blanks = f" {self.before}{self.after}" if self.before or self.after else ""
        ending = f" {_ENDING_NAMES[self.ending]}" if self.ending else ""
        return f"{self.above or ''}\n{self.gap}{blanks}{ending}"


def read_place(above: str) -> Place:
    """The place that `KeyedLine.above` carries."""
    found = _PLACE.fullmatch(above)
    if found is None:
        return Place(above, 0)
    key, gap, before, after, ending = found.groups()
    return Place(key or None, int(gap), int(before or 0), int(after or 0), _ENDINGS.get(ending or "", ""))


@dataclass(frozen=True)
class Sheet:
    """One file, scanned: its lines, the section of each, and the keyed lines in the file's order."""

    text: str
    """Without a BOM."""
    bom: str
    rows: tuple[Line, ...]
    sections: tuple[str, ...]
    """The section of each row; "" outside of all."""
    headings: dict[str, int]
    """The row of the heading that first opens a section."""
    spots: tuple[Spot, ...]

    def find(self, key: str) -> list[Spot]:
        return self._by_key.get(key, [])

    def of(self, section: str) -> list[Spot]:
        return [spot for spot in self.spots if spot.section == section]

    def line(self, spot: Spot) -> KeyedLine:
        return KeyedLine(self.rows[spot.row].text, spot.section, spot.above)

    def duplicates(self) -> tuple[str, ...]:
        """The keys that stand on two lines or more, in the file's order."""
        return tuple(_twice(spot.key for spot in self.spots))

    @cached_property
    def anchors(self) -> frozenset[int]:
        """The rows of the keyed lines that a place can be told by."""
        twice = _twice(spot.key for spot in self.spots)
        return frozenset([spot.row for spot in self.spots if spot.section and spot.key not in twice])

    @cached_property
    def _by_key(self) -> dict[str, list[Spot]]:
        found: dict[str, list[Spot]] = {}
        for spot in self.spots:
            found.setdefault(spot.key, []).append(spot)
        return found

    @cached_property
    def _keyed(self) -> frozenset[int]:
        return frozenset([spot.row for spot in self.spots])

    def blank(self, row: int) -> bool:
        return 0 <= row < len(self.rows) and not self.rows[row].text.strip(" \t")

    def starts_text(self, row: int) -> bool:
        """Whether something that is not blank stands in this row."""
        return row < len(self.rows) and not self.blank(row)

    def end_of(self, heading: int) -> int:
        """The row after the last one of the section that a heading opens."""
        row = heading + 1
        while row < len(self.rows) and self.sections[row] == self.sections[heading]:
            row += 1
        return row

    def tail(self, spot: Spot) -> int:
        """How many lines below a keyed line belong to it (the rest of its list item)."""
        row = spot.row + 1
        while row < len(self.rows) and row not in self._keyed and not self.blank(row):
            line = self.rows[row]
            if line.text[0] not in " \t" and (line.kind != "text" or _BULLET.match(line.text)):
                break
            row += 1
        return row - spot.row - 1


@dataclass(frozen=True, slots=True)
class Grammar:
    """What keyed lines look like in one kind of file."""

    name: str
    """The file's name, as messages say it."""
    key: Callable[[str], str | None]
    """The key of a line, or None where it is no keyed line."""
    stray: Callable[[str], bool]
    """Whether a keyed line that stands outside of every section counts all the same, as section ""."""
    opens: Callable[[str, str], str | None]
    """The section that a heading (its text, the section around it) opens, or None where it opens none."""
    place: Callable[[Sheet, str, str], Place | None]
    """Where a new line (section, key) goes; None where the file lacks the section."""
    make: Callable[[Sheet, str, str], str]
    """The text with the section made and the line in it (section, line)."""


def decode(data: bytes | None, name: str) -> str:
    """The text of a file that shall be changed. Raises LineConflict where it is not UTF-8."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineConflict(
            f"{name} is not valid UTF-8 (at byte {error.start}), so none of its lines can be changed: "
            "save it as UTF-8 first."
        ) from None


def _twice(keys: Iterable[str]) -> dict[str, int]:
    return {key: count for key, count in Counter(keys).items() if count > 1}


@lru_cache(maxsize=4)  # a plan reads, composes and sets lines of one and the same file
def scan(text: str, grammar: Grammar) -> Sheet:
    """Find the sections and keyed lines of a file; lines in comments and code fences are examples."""
    bom = _BOM if text.startswith(_BOM) else ""
    text = text[len(bom) :]
    rows = tuple(lines(text))
    sections: list[str] = []
    headings: dict[str, int] = {}
    found: list[tuple[int, str, str]] = []
    around: list[tuple[int, str]] = []
    current = ""
    for row, line in enumerate(rows):
        if line.kind == "heading":
            while around and around[-1][0] >= line.level:
                around.pop()
            current = around[-1][1] if around else ""
            if (opened := grammar.opens(line.heading, current)) is not None:
                around.append((line.level, opened))
                headings.setdefault(opened, row)
                current = opened
        elif line.kind == "text" and line.text and (key := grammar.key(line.text)) is not None:
            found.append((row, key, current))
        sections.append(current)
    inside = {key for _, key, section in found if section}
    found = [one for one in found if one[2] or (one[1] not in inside and grammar.stray(rows[one[0]].text))]
    return Sheet(text, bom, rows, tuple(sections), headings, _spots(rows, headings, found))


def _spots(
    rows: Sequence[Line], headings: dict[str, int], found: list[tuple[int, str, str]]
) -> tuple[Spot, ...]:
    """Give each keyed line its place: the one above it in its section, and the other lines between.

    A key that stands twice, or outside of all sections, anchors nothing: its lines count among the others.
    """
    spots: list[Spot] = []
    last: dict[str, tuple[str | None, int]] = {"": (None, 0)}
    twice = _twice(key for _, key, _ in found)
    for section, heading in headings.items():
        keyed = sum(1 for row, key, inside in found if row < heading and inside and key not in twice)
        last[section] = (None, heading + 1 - keyed)
    anchors = 0
    for row, key, section in found:
        others = row - anchors
        above, others_above = last[section]
        gap = others - others_above
        ending = rows[row].ending
        if gap or above is None or "\n" in above or ending != rows[row - 1].ending:
            blank_above = row > 0 and not rows[row - 1].text and bool(ending)
            place = Place(above, gap, ending=_own_ending(rows, row))
            above = place.written(blank_above=blank_above)
        spots.append(Spot(row, key, section, above))
        if section and (not twice or key not in twice):
            last[section] = (key, others)
            anchors += 1
    return tuple(spots)


def _own_ending(rows: Sequence[Line], row: int) -> str:
    """The ending to remember when a line is taken away; "" where the lines around would tell the same.

    A last line without a final newline takes the ending of the line above away with it.
    """
    own = rows[row].ending
    if own:
        told = rows[row - 1].ending if row else (rows[1].ending if len(rows) > 1 else "")
    else:
        own = rows[row - 1].ending if row else ""
        told = rows[row - 2].ending if row > 1 else ""
    return "" if own == (told or "\n") else own
