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
from memtui.notes.markdown import Line, item_end, lines

_BOM = "\ufeff"
_PLACE = re.compile(r"(.*)\n(\d+)(?: ([01])([01]))?(?: (lf|crlf|cr))?(?: made(\d+))?", re.DOTALL)
_ENDINGS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
_ENDING_NAMES = {ending: name for name, ending in _ENDINGS.items()}


class Spot(NamedTuple):
    """A keyed line that was found: its row in the sheet, and its place in the form of `KeyedLine.above`."""

    row: int
    key: str
    section: str
    above: str | None
    end: int
    """The row after its list item, which ends at the latest before the next keyed line."""


class Place(NamedTuple):
    """Where a line stands in its section; `KeyedLine.above` carries it in writing.

    `above` is the nearest keyed line above it in the section (None: the heading that opens the section), `gap`
    the number of other lines between (without the items of keyed lines), `before` and `after` the blank lines
    (0 or 1) that come and go with it where it is the section's only line, `ending` its line ending where the
    lines around do not tell it, `made` how the section was made for it (0: it was there).
    """

    above: str | None
    gap: int
    before: int = 0
    after: int = 0
    ending: str = ""
    made: int = 0

    def written(self, *, blank_above: bool) -> str | None:
        """A bare key, or None for "first, after one blank line", in the usual cases; else all of it."""
        if not (self.before or self.after or self.ending or self.made):
            if self.above is None:
                if self.gap == 1 and blank_above:
                    return None
            elif self.gap == 0 and "\n" not in self.above:
                return self.above
        blanks = f" {self.before}{self.after}" if self.before or self.after else ""
        ending = f" {_ENDING_NAMES[self.ending]}" if self.ending else ""
        made = f" made{self.made}" if self.made else ""
        return f"{self.above or ''}\n{self.gap}{blanks}{ending}{made}"


def read_place(above: str | None) -> Place:
    """The place that `KeyedLine.above` carries; of None, which depends on the file, only that it is no other."""
    if above is None:
        return Place(None, 0)
    found = _PLACE.fullmatch(above)
    if found is None:
        return Place(above, 0)
    key, gap, before, after, ending, made = found.groups()
    ending = _ENDINGS.get(ending or "", "")
    return Place(key or None, int(gap), int(before or 0), int(after or 0), ending, int(made or 0))


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
    """The last row of the heading that first opens a section."""
    spots: tuple[Spot, ...]

    def find(self, key: str) -> list[Spot]:
        return self._by_key.get(key, [])

    def of(self, section: str) -> Sequence[Spot]:
        return self._by_section.get(section, ())

    def line(self, spot: Spot) -> KeyedLine:
        return KeyedLine(self.rows[spot.row].text, spot.section, spot.above, self.below(spot))

    def below(self, spot: Spot) -> str:
        """What goes on below a keyed line in its item, as `KeyedLine.below` carries it."""
        if spot.end == spot.row + 1:
            return ""
        first, last = self.rows[spot.row], self.rows[spot.end - 1]
        return self.text[first.start + len(first.text) : last.start + len(last.text)]

    def duplicates(self) -> tuple[str, ...]:
        """The keys that stand on two lines or more, in the file's order."""
        return tuple(repeated(spot.key for spot in self.spots))

    @cached_property
    def anchors(self) -> frozenset[int]:
        """The rows of the keyed lines that a place can be told by."""
        twice = repeated(spot.key for spot in self.spots)
        return frozenset([spot.row for spot in self.spots if spot.section and spot.key not in twice])

    @cached_property
    def _by_section(self) -> dict[str, list[Spot]]:
        found: dict[str, list[Spot]] = {}
        for spot in self.spots:
            found.setdefault(spot.section, []).append(spot)
        return found

    @cached_property
    def _by_key(self) -> dict[str, list[Spot]]:
        found: dict[str, list[Spot]] = {}
        for spot in self.spots:
            found.setdefault(spot.key, []).append(spot)
        return found

    @cached_property
    def _taken(self) -> frozenset[int]:
        """The rows of the anchors and of what belongs to them."""
        anchors = self.anchors
        return frozenset(row for s in self.spots if s.row in anchors for row in range(s.row, s.end))

    def counts(self, row: int, above: Spot | None) -> bool:
        """Whether a row below the keyed line `above` (None: below a heading) counts into a place's gap."""
        return row not in self._taken or (above is not None and above.row < row < above.end)

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

    def top_of(self, heading: int) -> int:
        """The first row of the heading whose last one is `heading`."""
        while self.rows[heading].kind == "underline":
            heading -= 1
        return heading


@dataclass(frozen=True, slots=True)
class Grammar:
    """What keyed lines look like in one kind of file."""

    name: str
    """The file's name, as messages say it."""
    key: Callable[[str], str | None]
    """The key of a line, or None where it is no keyed line."""
    stray: Callable[[str], bool]
    """Whether a keyed line that stands outside of every section counts all the same, as section ""."""
    listed: Callable[[str], bool]
    """Whether a keyed line has the usual form; one in another form counts only where its key has none in it."""
    first: str
    """The section that comes first in a file that is made."""
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
            "save it as UTF-8 first.",
            name,
        ) from None


def repeated(keys: Iterable[str]) -> dict[str, int]:
    """Those that stand more than once, each with how often."""
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
        elif line.kind == "underline":
            if headings.get(current) == row - 1:
                headings[current] = row
        elif line.kind == "text" and line.text and (key := grammar.key(line.text)) is not None:
            found.append((row, key, current))
        sections.append(current)
    if others := [one for one in found if not grammar.listed(rows[one[0]].text)]:
        usual = {key for row, key, _ in found if grammar.listed(rows[row].text)}
        found = [one for one in found if one not in others or one[1] not in usual]
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
    twice = repeated(key for _, key, _ in found)
    ends = _item_ends(rows, [row for row, _, _ in found])
    for section, heading in headings.items():
        taken = sum(
            end - row
            for (row, key, inside), end in zip(found, ends, strict=True)
            if row < heading and inside and key not in twice
        )
        last[section] = (None, heading + 1 - taken)
    taken = 0
    for (row, key, section), end in zip(found, ends, strict=True):
        others = row - taken
        above, others_above = last[section]
        gap = others - others_above
        ending = rows[end - 1].ending
        if gap or above is None or "\n" in above or ending != rows[row - 1].ending:
            blank_above = row > 0 and not rows[row - 1].text and bool(ending)
            place = Place(above, gap, ending=_own_ending(rows, row, end))
            above = place.written(blank_above=blank_above)
        spots.append(Spot(row, key, section, above, end))
        if section and (not twice or key not in twice):
            last[section] = (key, others - (end - row - 1))
            taken += end - row
    return tuple(spots)


def _item_ends(rows: Sequence[Line], keyed: Sequence[int]) -> list[int]:
    """The row after the list item of each keyed row."""
    limits = zip(keyed, (*keyed[1:], len(rows)), strict=False)
    return [item_end(rows, row, limit) for row, limit in limits]


def _own_ending(rows: Sequence[Line], row: int, end: int) -> str:
    """The ending to remember when an item is taken away; "" where the lines around would tell the same.

    A last one without a final newline takes the ending of the line above away with it.
    """
    own = rows[end - 1].ending
    if own:
        told = rows[row - 1].ending if row else (rows[end].ending if len(rows) > end else "")
    else:
        own = rows[row - 1].ending if row else ""
        told = rows[row - 2].ending if row > 1 else ""
    return "" if own == (told or "\n") else own
