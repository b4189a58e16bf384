"""Set, move or remove one keyed line of index.md or tags.md without touching another byte.

Every change is read back: the line must be found again under its key, in its section, and every other keyed
line must be what it was. Where that fails nothing is changed (SPEC.md section 2: every byte that an operation
does not name stays as it was).
"""

from __future__ import annotations

from dataclasses import replace

from memtui.notes.lines import KeyedLine, LineConflict
from memtui.notes.made import made_place, make, unmade
from memtui.notes.markdown import Line, goes_on
from memtui.notes.sheet import Grammar, Place, Sheet, Spot, decode, read_place, scan

_SHOWN = 80
_NEW = Line(0, 0, "- x", "\n", "text")
_MARKS = ("<!--", "-->", "```", "~~~", "\n", "\r")


def set_keyed(
    data: bytes | None, key: str, before: KeyedLine | None, after: KeyedLine | None, grammar: Grammar
) -> bytes:
    """Turn the line `before` of a file into `after` (None: absent) and return the file's new bytes.

    Raises LineConflict where the file is not UTF-8, where the key stands on two lines, where its line is not
    `before` (text and section; its place is only a hint), or where the new line could not be read back.
    """
    old = sheet = scan(decode(data, grammar.name), grammar)
    present = _present(sheet, key, before, after, grammar)
    if before == after:
        return data or b""
    if present is not None and before is not None and after is not None and present.section == after.section:
        after = replace(after, below=sheet.below(present))
        texts = [_replaced(sheet, present, key, after, grammar)]
    else:
        bare_end = bool(present and sheet.rows and not sheet.rows[-1].ending)
        if present is not None and before is not None:
            sheet = scan(_removed(sheet, present, before.above, grammar), grammar)
        if after is None:
            texts = [(sheet.bom + sheet.text, False)]
        else:
            texts = _inserted(sheet, key, after, grammar, bare_end=bare_end)
    for text, sure in texts:
        if sure or _reads_back(old, present, scan(text, grammar), key, after):
            return _encode(text, key, grammar)
    raise LineConflict(
        f"The line for {_shown(key)} would not be read back from {grammar.name}, or others in another way: look "
        "there for a comment or code fence that is never closed, or set the line off by blank lines.",
        grammar.name,
    )


def line_place(data: bytes | None, key: str, line: KeyedLine, grammar: Grammar) -> str | None:
    """Where a line that is new to its section will stand, as `KeyedLine.above` carries it."""
    sheet = scan(decode(data, grammar.name), grammar)
    place = grammar.place(sheet, line.section, key)
    if place is not None:
        row, _ = _row(sheet, line.section, place)
        return place.written(blank_above=bool(row) and not sheet.rows[row - 1].text)
    if not line.section:
        return None
    bare_end = False
    if len(spots := sheet.find(key)) == 1:
        bare_end = not sheet.rows[-1].ending
        sheet = scan(_removed(sheet, spots[0], spots[0].above, grammar), grammar)
    text = make(sheet, line.section, line.text + line.below, grammar, bare_end=bare_end)
    return made_place(text, sheet, key, grammar, no_file=data is None)


def append_block(sheet: Sheet, row: int, block: list[str]) -> str:
    """The text with lines inserted before `row` (len(rows): at the end), one blank line around them."""
    top = row
    while sheet.blank(top - 1):
        top -= 1
    spaced = [""] if top else []
    if row < len(sheet.rows):
        return _spliced(sheet, top, [*spaced, *block, *([""] if top == row else [])])
    return _spliced(sheet, row, [*(spaced if top == row else []), *block])


def empty_place(sheet: Sheet, heading: int, *, tight: bool = False) -> Place:
    """Where the first line of a section without any goes: at its end, set off by blank lines.

    `tight`: directly under the heading where nothing else stands in the section.
    """
    row, last = _end_row(sheet, heading)
    if tight and last == heading + 1:
        return Place(None, 0, after=int(sheet.starts_text(last)))
    return Place(None, row - heading - 1, before=int(row == last), after=int(sheet.starts_text(row)))


def _end_row(sheet: Sheet, heading: int) -> tuple[int, int]:
    """The row of a section's end, one blank line (where there is one) below its text; and the row after the text."""
    last = end = sheet.end_of(heading)
    while sheet.blank(last - 1):
        last -= 1
    return min(last + 1, end), last


def place_after(sheet: Sheet, spot: Spot) -> Place:
    """The place below a keyed line and what belongs to it; where what follows would go on with a line there, the
    end of the section."""
    place, row = _place_at(sheet, spot.section, spot.end), spot.end
    while sheet.blank(row):
        row += 1
    if row >= len(sheet.rows) or not goes_on((_NEW, *sheet.rows[spot.end : row]), sheet.rows[row]):
        return place
    heading = sheet.headings.get(spot.section)
    if heading is None or (row == spot.end and sheet.rows[row].text[0] not in " \t"):
        return place._replace(after=1)
    row, last = _end_row(sheet, heading)
    place = _place_at(sheet, spot.section, row)
    return place._replace(before=int(row == last), after=int(sheet.starts_text(row)))


def place_before(sheet: Sheet, spot: Spot) -> Place:
    """The place right above a keyed line."""
    return _place_at(sheet, spot.section, spot.row)


def _place_at(sheet: Sheet, section: str, row: int) -> Place:
    """A row of a section, told by the nearest keyed line above it, else by the section's heading."""
    anchors = sheet.anchors
    above = next((s for s in reversed(sheet.of(section)) if s.row < row and s.row in anchors), None)
    start = above.row if above else sheet.headings.get(section, -1)
    gap = sum(1 for between in range(start + 1, row) if sheet.counts(between, above))
    return Place(above.key if above else None, gap)


# --- the steps -----------------------------------------------------------------------------------


def _present(
    sheet: Sheet, key: str, before: KeyedLine | None, after: KeyedLine | None, grammar: Grammar
) -> Spot | None:
    """The line under `key` as it stands. Raises LineConflict where it is not `before`.

    What goes on below it must be known only where it moves or goes along.
    """
    spots = sheet.find(key)
    if before is None and not any(spot.section for spot in spots):
        return None  # one that stands outside of every section gives way to one inside
    if len(spots) > 1:
        raise LineConflict(
            f"{grammar.name} has {len(spots)} lines for {_shown(key)}: delete all but one, then try again.",
            grammar.name,
        )
    if before is None:
        raise LineConflict(f"{grammar.name} already has a line for {_shown(key)}.", grammar.name)
    if not spots:
        raise LineConflict(f"{grammar.name} no longer has a line for {_shown(key)}.", grammar.name)
    line = sheet.line(spots[0])
    stays = after is not None and after.section == before.section
    if (line.text, line.section) != (before.text, before.section) or (
        line.below != before.below and not stays
    ):
        raise LineConflict(
            f"The line for {_shown(key)} in {grammar.name} has changed in the meantime.", grammar.name
        )
    return spots[0]


def _replaced(sheet: Sheet, spot: Spot, key: str, after: KeyedLine, grammar: Grammar) -> tuple[str, bool]:
    """The text with another line in place of one, and whether it is sure to be read back."""
    line, text = sheet.rows[spot.row], after.text
    alone = not after.below and _is_closed(sheet, spot.end)
    sure = alone and _is_plain(line.text) and _is_sure(sheet, spot.row, key, after, grammar)
    return sheet.bom + sheet.text[: line.start] + text + sheet.text[line.start + len(line.text) :], sure


def _is_sure(sheet: Sheet, row: int, key: str, line: KeyedLine, grammar: Grammar) -> bool:
    """Whether a line written in a row is read back as it should without a look at the new text.

    It must be plain, and above it must stand a line of its section after which neither a comment nor a code
    fence is open: then every other line is read as it was. In a big index that saves most of the time.
    """
    if not row or not line.section or sheet.sections[row - 1] != line.section:
        return False
    above = sheet.rows[row - 1]
    closed = above.kind in ("text", "heading") and "<!--" not in above.text
    return closed and _is_plain(line.text) and grammar.key(line.text) == key


def _is_closed(sheet: Sheet, row: int) -> bool:
    """Whether what stands from a row on surely goes on with no line above: a keyed line, a heading or nothing."""
    while sheet.blank(row):
        row += 1
    return row >= len(sheet.rows) or row in sheet.anchors or sheet.rows[row].text.startswith("#")


def _is_plain(text: str) -> bool:
    """Whether nothing in a line opens or closes anything, so that the lines below do not depend on it."""
    return "#" not in text[:4] and not any(mark in text for mark in _MARKS)


def _removed(sheet: Sheet, spot: Spot, above: str | None, grammar: Grammar) -> str:
    """Take a line's item away with its ending, and what came with it as the only one: blank lines, the section."""
    if (text := unmade(sheet, spot, above, grammar)) is not None:
        return sheet.bom + text
    place = read_place(above)
    only = len(sheet.of(spot.section)) == 1
    first, last = spot.row, spot.end - 1
    if place.before and first and not sheet.rows[first - 1].text and (only or spot.end not in sheet.anchors):
        first -= 1
    below = spot.end < len(sheet.rows) and not sheet.rows[spot.end].text
    if place.after and below and (only or not _swallows(sheet, spot)):
        last += 1
    start, end = sheet.rows[first].start, sheet.rows[last].end
    if not sheet.rows[last].ending and first:
        start = sheet.rows[first - 1].start + len(sheet.rows[first - 1].text)
    return sheet.bom + sheet.text[:start] + sheet.text[end:]


def _swallows(sheet: Sheet, spot: Spot) -> bool:
    """Whether what stands below a line and one blank would go on with the item above the line, without both."""
    above = [other for other in sheet.spots if other.end == spot.row]
    if not above or spot.end + 1 >= len(sheet.rows):
        return False
    return goes_on(sheet.rows[above[0].row : spot.row], sheet.rows[spot.end + 1])


def _inserted(
    sheet: Sheet, key: str, after: KeyedLine, grammar: Grammar, *, bare_end: bool = False
) -> list[tuple[str, bool]]:
    """The texts to try: the line at the place it names, then at the usual place of its section.

    With each, whether it is sure to be read back. `bare_end`: the file had no final newline before the line was
    taken from its end.
    """
    texts: list[tuple[str, bool]] = []
    usual = grammar.place(sheet, after.section, key)
    named = _named(sheet, after)
    if usual is None and after.section:
        made = make(sheet, after.section, after.text + after.below, grammar, bare_end=bare_end)
        return [(sheet.bom + made, False)]
    if usual is not None and named is None and read_place(after.above).above is not None:
        # What it stood below is gone, and it brought no blank lines.
        named = usual._replace(before=0, after=0)
    for place in (named, usual):
        if place is not None:
            row, missing = _row(sheet, after.section, place)
            plain = (
                not (missing or place.before or place.after) and (place.ending or _ending(sheet, row)) != "\r"
            )
            alone = not after.below and _is_closed(sheet, row)
            sure = plain and alone and _is_sure(sheet, row, key, after, grammar)
            text = _spliced_line(sheet, row, after.text + after.below, place, missing)
            texts.append((sheet.bom + text, sure))
    return texts


def _named(sheet: Sheet, line: KeyedLine) -> Place | None:
    """The place that a line names, where today's file still has it."""
    heading = sheet.headings.get(line.section, -1)
    if line.above is None:
        return Place(None, int(heading + 1 < len(sheet.rows) and not sheet.rows[heading + 1].text))
    place = read_place(line.above)
    if place.made:
        return None  # another line was first to make the section
    if place.above is not None:
        found = sheet.find(place.above)
        return place if len(found) == 1 and found[0].section == line.section else None
    if (place.before or place.after) and sheet.of(line.section):
        return None  # the section was empty when this was planned, and is not now
    return place


def _row(sheet: Sheet, section: str, place: Place) -> tuple[int, int]:
    """The row before which a place is, and how many of the lines that should be above it are missing."""
    above = None
    row = sheet.headings.get(section, -1)
    if place.above is not None:
        above = next(s for s in sheet.of(section) if s.key == place.above and s.row in sheet.anchors)
        row = above.row
    row += 1
    gap = place.gap
    while gap and row < len(sheet.rows):
        gap -= sheet.counts(row, above)
        row += 1
    return row, gap


def _spliced_line(sheet: Sheet, row: int, text: str, place: Place, missing: int) -> str:
    if missing == 1 and row == len(sheet.rows) and row and sheet.rows[-1].ending:
        # It was the last line and had no newline at its end: it took the one above away, and brings it back.
        return sheet.text + (place.ending or _ending(sheet, row)) + text
    return _spliced(sheet, row, [*[""] * place.before, text, *[""] * place.after], place.ending)


def _spliced(sheet: Sheet, row: int, texts: list[str], ending: str = "") -> str:
    """The text with lines before `row`; a missing final newline stays missing."""
    ending = ending or _ending(sheet, row)
    if row < len(sheet.rows):
        at = sheet.rows[row].start
        return sheet.text[:at] + "".join(text + ending for text in texts) + sheet.text[at:]
    if sheet.rows and not sheet.rows[-1].ending:
        return sheet.text + "".join(ending + text for text in texts)
    return sheet.text + "".join(text + ending for text in texts)


def _ending(sheet: Sheet, row: int) -> str:
    """The ending for a line before `row`: that of the line above, else of the one above that, else below."""
    for near in (row - 1, row - 2, row, 0):
        if 0 <= near < len(sheet.rows) and sheet.rows[near].ending:
            return sheet.rows[near].ending
    return "\n"


def _reads_back(old: Sheet, present: Spot | None, new: Sheet, key: str, after: KeyedLine | None) -> bool:
    """Whether the new text holds the line as it should, with what goes on below it and no more, and all else is
    read as it was, but for the headings that come or go with the line. `present`: the line in the old one.
    """
    own = [spot for spot in new.find(key) if spot.section or (after and not after.section)]
    found = [(line.text, line.section, line.below) for line in map(new.line, own)]
    if found != ([(after.text, after.section, after.below)] if after else []):
        return False
    spot = own[0] if own else None
    if _others(old, present, headings=False) != _others(new, spot, headings=False):
        return False
    kept = iter(_others(old, present, headings=True))
    makes = after is not None and after.section not in old.headings
    return makes or all(heading in kept for heading in _others(new, spot, headings=True))


def _others(sheet: Sheet, own: Spot | None, *, headings: bool) -> list[tuple[str, str, str]]:
    """The rows that are not blank and not of the own item, as they are read: the headings, or all else."""
    return [
        (line.text, line.kind, section)
        for row, (line, section) in enumerate(zip(sheet.rows, sheet.sections, strict=True))
        if bool(line.level) == headings and not (own and own.row <= row < own.end) and line.text.strip(" \t")
    ]


def _encode(text: str, key: str, grammar: Grammar) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise LineConflict(
            f"The line for {_shown(key)!a} holds characters that cannot be saved as UTF-8.", grammar.name
        ) from None


def _shown(key: str) -> str:
    return key if len(key) <= _SHOWN else key[:_SHOWN] + "…"
