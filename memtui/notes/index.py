"""index.md: one line an entry, read in every form that is in use and written in the file's own (SPEC.md section 2).

`- [<title>](<filename>) — <type>, <tags>, <hook>` in `## Entries` (seed 004). Tags stand bracketed or bare.
Deprecated entries bear a `[deprecated]` mark or stand under `### Deprecated` or `## Deprecated`. A line that
stands in neither section counts only where it is a whole one and its file has no line inside of them; its
section is "" and it keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from memtui.notes import made
from memtui.notes.index_edit import edit_line
from memtui.notes.index_line import (
    IndexLine,
    Mark,
    TagStyle,
    is_listed,
    key_of,
    one_line,
    read_line,
    write_line,
)
from memtui.notes.keyed import append_block, empty_place, line_place, place_after, set_keyed
from memtui.notes.lines import KeyedLine
from memtui.notes.sheet import Grammar, Place, Sheet, decode, scan

NAME = "index.md"
ENTRIES = "entries"
DEPRECATED = "deprecated"
_TITLE = "# Memory index"
_LOOKED_AT = 50
_BULLET = re.compile(r"[-*+] {1,4}(?=\S)")
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

    def is_unsure(self, tags: Collection[str], dictionary: Collection[str]) -> bool:
        """Whether its tags and its hook cannot be told apart, even beside the entry's own tags.

        Sure are all the entry's tags, and fewer where a word follows that `dictionary` does not have.
        """
        if self.style != "bare":
            return False
        known = len(self._leading(tags))
        rest = self.tags[known:]
        if not rest or (known == len(set(tags)) and not set(rest) & set(tags)):
            return False
        return not known or not dictionary or rest[0] in dictionary or bool(set(rest) & set(tags))

    def _leading(self, tags: Collection[str]) -> tuple[str, ...]:
        """Those of its words at the beginning that are tags of the entry, each once."""
        known = 0
        while (
            known < len(self.tags) and self.tags[known] in tags and self.tags[known] not in self.tags[:known]
        ):
            known += 1
        return self.tags[:known]

    def tags_beside(self, tags: Collection[str]) -> tuple[str, ...]:
        """The line's tags where the entry's own are known: without bare words of the hook that look like tags."""
        if self.style != "bare":
            return self.tags
        return self._leading(tags) or self.tags


class Index:
    """The lines of an index; each is read when it is first asked for."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    @cached_property
    def entries(self) -> tuple[IndexEntry, ...]:
        """In the file's order."""
        return tuple([entry_of(self._sheet.line(spot)) for spot in self._sheet.spots])

    @cached_property
    def duplicates(self) -> tuple[str, ...]:
        """Filenames that stand on two lines or more: `set_line` refuses them."""
        return self._sheet.duplicates()

    def get(self, key: str) -> IndexEntry | None:
        """The first line for a filename, or None."""
        spots = self._sheet.find(key)
        return entry_of(self._sheet.line(spots[0])) if spots else None


def entry_of(line: KeyedLine) -> IndexEntry:
    """What a line of the index says."""
    read = read_line(line.text)
    assert read is not None
    title, key, type_, tags, hook, style, mark, *_ = read
    deprecated = line.section == DEPRECATED or mark != ""
    return IndexEntry(title, key, type_, tags, hook, deprecated, line, style)


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
    parts = one_line(title), filename, one_line(type), tuple(tags), one_line(hook)
    line = IndexLine(*parts, style, mark, _lead(sheet))
    if present and old:
        text = edit_line(present.line.text, old, line)
        if present.line.section == section:
            return replace(present.line, text=text)
    else:
        text = write_line(line)
    moved = KeyedLine(text, section, below=present.line.below if present else "")
    return replace(moved, above=line_place(data, filename, moved, _GRAMMAR))


def set_line(data: bytes | None, key: str, before: KeyedLine | None, after: KeyedLine | None) -> bytes:
    """Turn an entry's line from `before` into `after` (None: absent); every other byte stays.

    A missing or empty file is made, a missing section too, and goes again with its last line where that was
    composed for it: `set_line(set_line(d, k, b, a), k, a, b) == (d or b"")`. The rest of a list item moves and goes
    with its line. Raises LineConflict where the file is not UTF-8, the line is not `before`, the key stands on two
    lines, or other lines would be read differently.
    """
    return set_keyed(data, key, before, after, _GRAMMAR)


def is_bare(data: bytes) -> bool:
    """Whether a file holds no more than the headings that every one that is made has."""
    return made.is_bare(data, _GRAMMAR)


# --- the file's own form -------------------------------------------------------------------------


def _form(
    sheet: Sheet, present: IndexEntry | None, old: IndexLine | None, deprecated: bool
) -> tuple[Mark, str]:
    """The mark and the section of a line that is (or becomes) deprecated or active."""
    section = present.line.section if present else ENTRIES
    if not deprecated:
        in_table = old is not None and old.in_table
        return "", ENTRIES if section == DEPRECATED and not in_table else section
    if present and old and present.deprecated:
        return old.mark, section
    in_table = old is not None and old.in_table
    for spot in reversed(sheet.spots):
        if spot.section == DEPRECATED:
            break
        line = read_line(sheet.rows[spot.row].text)
        if line and line.mark:
            return "link" if in_table else line.mark, section
    return "", section if in_table else DEPRECATED


def _style(sheet: Sheet) -> TagStyle:
    """How most of the last lines write their tags; bracketed where none does."""
    lines = [read_line(sheet.rows[spot.row].text) for spot in sheet.spots[-_LOOKED_AT:]]
    styles = [line.style for line in lines if line]
    return "bare" if styles.count("bare") > styles.count("bracketed") else "bracketed"


def _lead(sheet: Sheet) -> str:
    """The bullet of the last line that has a plain one; of a numbered list or a table none is taken."""
    bullets = (_BULLET.match(sheet.rows[spot.row].text) for spot in reversed(sheet.spots[-_LOOKED_AT:]))
    return next((found[0] for found in bullets if found), "- ")


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


_GRAMMAR = Grammar(NAME, key_of, _stray, is_listed, ENTRIES, _opens, _place, _make)
