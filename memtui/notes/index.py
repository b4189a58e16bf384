"""index.md: one line an entry, read in every form that is in use and written in the file's own (SPEC.md section 2).

`- [<title>](<filename>) — <type>, <tags>, <hook>` in `## Entries` (seed 004). Tags stand bracketed or bare.
Deprecated entries bear a `[deprecated]` mark or stand under `### Deprecated` or `## Deprecated`. A line that
stands in neither section counts only where it is a whole one and its file has no line inside of them; its
section is "" and it keeps its place.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from memtui.notes.index_edit import edit_line
from memtui.notes.index_line import (
    IndexLine,
    Mark,
    TagStyle,
    key_of,
    one_line,
    read_line,
    write_line,
)
from memtui.notes.keyed import append_block, empty_place, line_place, place_after, set_keyed
from memtui.notes.lines import KeyedLine
from memtui.notes.sheet import Grammar, Place, Sheet, Spot, decode, scan

NAME = "index.md"
ENTRIES = "entries"
DEPRECATED = "deprecated"
_TITLE = "# Memory index"
_LOOKED_AT = 50
_HEADINGS = {ENTRIES: "## Entries", DEPRECATED: "## Deprecated"}


class IndexEntry(NamedTuple):
    """One line of the index; what could not be told apart is empty."""

    title: str
    filename: str
    """Relative to index.md; an entry may stand in a subfolder."""
    type: str
    tags: tuple[str, ...]
    hook: str
    deprecated: bool
    line: KeyedLine
    style: TagStyle = "bracketed"

    def hook_beside(self, tags: Collection[str]) -> str:
        """The hook where the entry's own tags are known.

        Bare tags and a hook that begins with short words and commas cannot be told apart on the line alone: what
        follows the last tag that the entry has is its hook.
        """
        known = len(self.tags_beside(tags))
        return ", ".join((*self.tags[known:], self.hook)) if known else self.hook

    def tags_beside(self, tags: Collection[str]) -> tuple[str, ...]:
        """The line's tags where the entry's own are known: without bare words of the hook that look like tags."""
        if self.style != "bare":
            return self.tags
        known = 0
        while known < len(self.tags) and self.tags[known] in tags:
            known += 1
        return self.tags[:known] or self.tags


class Index:
    """The lines of an index; each is read when it is first asked for."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    @cached_property
    def entries(self) -> tuple[IndexEntry, ...]:
        """In the file's order."""
        return tuple([_entry(self._sheet, spot) for spot in self._sheet.spots])

    @cached_property
    def duplicates(self) -> tuple[str, ...]:
        """Filenames that stand on two lines or more: `set_line` refuses them."""
        return self._sheet.duplicates()

    def get(self, key: str) -> IndexEntry | None:
        """The first line for a filename, or None."""
        spots = self._sheet.find(key)
        return _entry(self._sheet, spots[0]) if spots else None


def read_index(data: bytes | None) -> Index:
    """Read every line that is keyed by a link. Never raises: bytes that are not UTF-8 are read as U+FFFD."""
    return Index(scan((data or b"").decode("utf-8", "replace"), _GRAMMAR))


def compose(
    data: bytes | None,
    *,
    title: str,
    filename: str,
    type: str,
    tags: tuple[str, ...],
    hook: str,
    deprecated: bool,
) -> KeyedLine:
    """The line for an entry in the file's own style, with the place where it will stand.

    A line that is there keeps its place (unless `deprecated` changes and the file has a section for it) and
    every byte but those of the parts that change; a part that cannot be found with certainty stays too, so that
    the line may come back as it is. A new one goes to the end of its section. The form for deprecated entries is
    that of the file's last one, else the Deprecated section there is, else `## Deprecated`, made after Entries.

    Raises LineConflict where the file is not UTF-8.
    """
    sheet = scan(decode(data, NAME), _GRAMMAR)
    present = Index(sheet).get(filename)
    old = read_line(present.line.text) if present else None
    mark, section = _form(sheet, present, old, deprecated)
    style = (old.style if old else "") or _style(sheet)
    line = IndexLine(one_line(title), filename, one_line(type), tuple(tags), one_line(hook), style, mark)
    if present and old:
        text = edit_line(present.line.text, old, line)
        if present.line.section == section:
            return KeyedLine(text, section, present.line.above)
    else:
        text = write_line(line)
    return KeyedLine(text, section, line_place(sheet, section, filename, _GRAMMAR))


def set_line(data: bytes | None, key: str, before: KeyedLine | None, after: KeyedLine | None) -> bytes:
    """Turn an entry's line from `before` into `after` (None: absent); every other byte stays.

    A missing or empty file is made, a missing section too. `set_line(set_line(d, k, b, a), k, a, b) == d` wherever
    the section was there; one that was made stays. Raises LineConflict where the file is not UTF-8, the line is
    not `before`, or the key stands on two lines.
    """
    return set_keyed(data, key, before, after, _GRAMMAR)


# --- the file's own form -------------------------------------------------------------------------


def _form(
    sheet: Sheet, present: IndexEntry | None, old: IndexLine | None, deprecated: bool
) -> tuple[Mark, str]:
    """The mark and the section of a line that is (or becomes) deprecated or active."""
    section = present.line.section if present else ENTRIES
    if not deprecated:
        return "", ENTRIES if section == DEPRECATED else section
    if present and old and present.deprecated:
        return old.mark, section
    for spot in reversed(sheet.spots):
        if spot.section == DEPRECATED:
            break
        line = read_line(sheet.rows[spot.row].text)
        if line and line.mark:
            return line.mark, section
    return "", DEPRECATED


def _style(sheet: Sheet) -> TagStyle:
    """How most of the last lines write their tags; bracketed where none does."""
    lines = [read_line(sheet.rows[spot.row].text) for spot in sheet.spots[-_LOOKED_AT:]]
    styles = [line.style for line in lines if line]
    return "bare" if styles.count("bare") > styles.count("bracketed") else "bracketed"


# --- grammar -------------------------------------------------------------------------------------


def _opens(heading: str, around: str) -> str | None:  # noqa: ARG001 - the grammar's shape
    name = heading.strip(" \t*_:").casefold()
    return name if name in _HEADINGS else None


def _stray(text: str) -> bool:
    line = read_line(text)
    return line is not None and line.filename.endswith(".md") and bool(line.type and line.style)


def _place(sheet: Sheet, section: str, key: str) -> Place | None:
    """The end of the section: after its last line, and what belongs to that."""
    others = [spot for spot in sheet.of(section) if spot.key != key]
    if others:
        return place_after(sheet, others[-1])
    heading = sheet.headings.get(section)
    return None if heading is None else empty_place(sheet, heading)


def _make(sheet: Sheet, section: str, line: str) -> str:
    if section not in _HEADINGS:
        return sheet.text
    if not sheet.text:
        return _fresh(section, line)
    row = len(sheet.rows)
    entries = sheet.headings.get(ENTRIES)
    if section == DEPRECATED and entries is not None:
        level = sheet.rows[entries].level
        ends = (r for r in range(entries + 1, row) if 0 < sheet.rows[r].level <= level)
        row = next(ends, row)
    return append_block(sheet, row, [_HEADINGS[section], "", line])


def _fresh(section: str, line: str) -> str:
    blocks = [_TITLE]
    for name, heading in _HEADINGS.items():
        blocks += [heading, line] if name == section else [heading]
    return "\n\n".join(blocks) + "\n"


_GRAMMAR = Grammar(NAME, key_of, _stray, _opens, _place, _make)


def _entry(sheet: Sheet, spot: Spot) -> IndexEntry:
    row, key, section, above = spot
    text = sheet.rows[row].text
    line = read_line(text)
    assert line is not None
    title, _, type_, tags, hook, style, mark, *_ = line
    deprecated = section == DEPRECATED or mark != ""
    return IndexEntry(title, key, type_, tags, hook, deprecated, KeyedLine(text, section, above), style)
