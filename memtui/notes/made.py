"""Sections that were made for a line, taken back with the last line in them (SPEC.md section 4, undo).

Where a heading (or the whole file) is written for a line, the line's place says in which of a few ways the text
before was extended. With the section's last line it goes again, if making it anew gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memtui.notes.lines import KeyedLine
from memtui.notes.markdown import Line
from memtui.notes.sheet import Grammar, Place, Sheet, Spot, read_place, scan

_NO_FILE, _EMPTY_FILE, _WAYS = 1, 2, 3
"""The ways: the file was made, it was there but empty, and from here on what `_cut` takes away."""


def make(sheet: Sheet, section: str, item: str, grammar: Grammar, *, bare_end: bool = False) -> str:
    """The text, without a BOM, with a section made and an item in it; `bare_end`: no final newline behind that."""
    text = grammar.make(sheet, section, item)
    bare = text.rstrip("\r\n")
    return bare if bare_end and bare.endswith(item) else text


def made_place(made: str, sheet: Sheet, key: str, grammar: Grammar, *, no_file: bool) -> str | None:
    """How a section was made, as `KeyedLine.above` carries it; None where that could not be taken back.

    `made` is what `make` gave on `sheet`; `no_file`: there was not even an empty file.
    """
    if not sheet.text:
        return Place(None, 0, made=_NO_FILE if no_file else _EMPTY_FILE).written(blank_above=False)
    new = scan(made, grammar)
    for way in range(_WAYS, _WAYS + 16):
        cuts = (_cut(new, spot, way - _WAYS) for spot in new.find(key))
        if any(cut and cut[2] == sheet.text for cut in cuts):
            return Place(None, 0, made=way).written(blank_above=False)
    return None


def unmade(sheet: Sheet, spot: Spot, above: str | None, grammar: Grammar) -> str | None:
    """The text, without a BOM, without a section's last line and without the section, where it was made for a line
    and its bytes are as they were made; else None.
    """
    way = read_place(above).made
    if not way or len(sheet.of(spot.section)) != 1 or spot.section not in sheet.headings:
        return None
    item = sheet.rows[spot.row].text + sheet.below(spot)
    if way < _WAYS:
        whole = scan(grammar.make(scan("", grammar), spot.section, item), grammar)
        return "" if _texts(whole) == _texts(sheet) else None
    cut = _cut(sheet, spot, way - _WAYS)
    if cut is None:
        return None
    made = {
        _shown(row) for row in scan(make(scan("x\n", grammar), spot.section, item, grammar), grammar).rows
    }
    first, last, text = cut
    if not all(_shown(row) in made for row in sheet.rows[first:last]):
        return None
    rest = [one for row, one in enumerate(_sections(sheet)) if one and not first <= row < last]
    # Nothing that stands below the heading may stay and fall to another one.
    return text if [one for one in _sections(scan(text, grammar)) if one] == rest else None


def with_made(line: KeyedLine, sections: Mapping[str, str]) -> KeyedLine:
    """A line with the place of the first one of its section, where more came with that than with this one: it goes
    with whichever is the last one left there.
    """
    first = sections.get(line.section)
    if first is None or brings_more(line.above):
        return line
    below_another = read_place(line.above).above is not None
    return replace(line, above=first) if below_another or read_place(first).made else line


def brings_more(above: str | None) -> bool:
    """Whether blank lines, or its section, came with the line that stands in this place."""
    place = read_place(above)
    return place.above is None and bool(place.before or place.after or place.made)


def is_bare(data: bytes, grammar: Grammar) -> bool:
    """Whether a file holds no more than the headings that every one that is made has."""
    sheet, whole = scan(data.decode("utf-8", "replace"), grammar), scan("", grammar)
    fresh = scan(grammar.make(whole, grammar.first, ""), grammar)
    return _texts(sheet) == _texts(fresh)


def _shown(row: Line) -> str:
    """A row's text, of a heading without its marks: its level is that of its neighbours in the file."""
    return row.text.lstrip("#") if row.level else row.text


def _sections(sheet: Sheet) -> list[tuple[str, str] | None]:
    """Text and section of each row; None for a blank one."""
    rows = zip(sheet.rows, sheet.sections, strict=True)
    return [(row.text, section) if row.text.strip(" \t") else None for row, section in rows]


def _texts(sheet: Sheet) -> list[str]:
    return [row.text for row in sheet.rows if row.text]


def is_file_made(above: str | None) -> bool:
    """Whether a line's place says that there was no file before it."""
    return read_place(above).made == _NO_FILE


def _cut(sheet: Sheet, spot: Spot, way: int) -> tuple[int, int, str] | None:
    """The rows from a heading to its line, and the text without them. The bits of `way` take more: the blank line
    below (1) and above (2), the heading right above (4); 8: the ending above stays where nothing stands below.
    """
    if spot.section not in sheet.headings:
        return None
    first, last = sheet.top_of(sheet.headings[spot.section]), spot.end
    if way & 4:
        above = first - 1
        while sheet.blank(above):
            above -= 1
        if above < 0 or not sheet.rows[above].level:
            return None
        first = sheet.top_of(above)
    if (way & 2 and not sheet.blank(first - 1)) or (way & 1 and not sheet.blank(last)):
        return None
    first, last = first - bool(way & 2), last + (way & 1)
    start = sheet.rows[first].start
    if last < len(sheet.rows):
        return first, last, sheet.text[:start] + sheet.text[sheet.rows[last].start :]
    if first and not sheet.rows[-1].ending and not way & 8:
        start -= len(sheet.rows[first - 1].ending)
    return first, last, sheet.text[:start]
