"""Set, move or remove one keyed line of index.md or tags.md without touching another byte.

Every change is read back: the line must be found again under its key, in its section, and every other keyed
line must be what it was. Where that fails nothing is changed (SPEC.md section 2: every byte that an operation
does not name stays as it was).
"""

from __future__ import annotations

from memtui.notes.lines import KeyedLine, LineConflict
from memtui.notes.sheet import Grammar, Place, Sheet, Spot, decode, read_place, scan

_SHOWN = 80
_MARKS = ("<!--", "-->", "```", "~~~", "\n", "\r")


def set_keyed(
    data: bytes | None, key: str, before: KeyedLine | None, after: KeyedLine | None, grammar: Grammar
) -> bytes:
    """Turn the line `before` of a file into `after` (None: absent) and return the file's new bytes.

    Raises LineConflict where the file is not UTF-8, where the key stands on two lines, where its line is not
    `before` (text and section; its place is only a hint), or where the new line could not be read back.
    """
    sheet = scan(decode(data, grammar.name), grammar)
    present = _present(sheet, key, before, grammar)
    if before == after:
        return data or b""
    if present is not None and before is not None and after is not None and present.section == after.section:
        texts = [_replaced(sheet, present, key, after, grammar)]
    else:
        bare_end = bool(present and sheet.rows and not sheet.rows[-1].ending)
        if present is not None and before is not None:
            sheet = scan(_removed(sheet, present, before.above), grammar)
        if after is None:
            texts = [(sheet.bom + sheet.text, False)]
        else:
            texts = _inserted(sheet, key, after, grammar, bare_end=bare_end)
    for text, sure in texts:
        if sure or _reads_back(sheet, scan(text, grammar), key, after):
            return _encode(text, key)
    raise LineConflict(
        f"The line for {_shown(key)} would not be read back from {grammar.name}: "
        "look there for a comment or code fence that is never closed."
    )


def line_place(sheet: Sheet, section: str, key: str, grammar: Grammar) -> str | None:
    """Where a new line will stand, as `KeyedLine.above` carries it; None too where the section will be made."""
    place = grammar.place(sheet, section, key)
    if place is None:
        return None
    row, _ = _row(sheet, section, place)
    return place.written(blank_above=bool(row) and not sheet.rows[row - 1].text)


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
    end = sheet.end_of(heading)
    last = end
    while sheet.blank(last - 1):
        last -= 1
    if tight and last == heading + 1:
        return Place(None, 0, after=int(sheet.starts_text(last)))
    position = min(last + 1, end)
    return Place(
        None, position - heading - 1, before=int(last == end), after=int(sheet.starts_text(position))
    )


def place_after(sheet: Sheet, spot: Spot) -> Place:
    """The place below a keyed line and what belongs to it."""
    return _place_at(sheet, spot.section, spot.row + 1 + sheet.tail(spot))


def place_before(sheet: Sheet, spot: Spot) -> Place:
    """The place right above a keyed line."""
    return _place_at(sheet, spot.section, spot.row)


def _place_at(sheet: Sheet, section: str, row: int) -> Place:
    """A row of a section, told by the nearest keyed line above it, else by the section's heading."""
    anchors = sheet.anchors
    above = next((s for s in reversed(sheet.of(section)) if s.row < row and s.row in anchors), None)
    start = above.row if above else sheet.headings.get(section, -1)
    gap = sum(1 for between in range(start + 1, row) if between not in anchors)
    return Place(above.key if above else None, gap)


# --- the steps -----------------------------------------------------------------------------------


def _present(sheet: Sheet, key: str, before: KeyedLine | None, grammar: Grammar) -> Spot | None:
    """The line under `key` as it stands. Raises LineConflict where it is not `before`."""
    spots = sheet.find(key)
    if before is None and not any(spot.section for spot in spots):
        return None  # one that stands outside of every section gives way to one inside
    if len(spots) > 1:
        raise LineConflict(
            f"{grammar.name} has {len(spots)} lines for {_shown(key)}: delete all but one, then try again."
        )
    if before is None:
        raise LineConflict(f"{grammar.name} already has a line for {_shown(key)}.")
    if not spots:
        raise LineConflict(f"{grammar.name} no longer has a line for {_shown(key)}.")
    line = sheet.line(spots[0])
    if (line.text, line.section) != (before.text, before.section):
        raise LineConflict(f"The line for {_shown(key)} in {grammar.name} has changed in the meantime.")
    return spots[0]


def _replaced(sheet: Sheet, spot: Spot, key: str, after: KeyedLine, grammar: Grammar) -> tuple[str, bool]:
    """The text with another line in place of one, and whether it is sure to be read back."""
    line, text = sheet.rows[spot.row], after.text
    sure = _is_plain(line.text) and _is_sure(sheet, spot.row, key, after, grammar)
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


def _is_plain(text: str) -> bool:
    """Whether nothing in a line opens or closes anything, so that the lines below do not depend on it."""
    return "#" not in text[:4] and not any(mark in text for mark in _MARKS)


def _removed(sheet: Sheet, spot: Spot, above: str | None) -> str:
    """Take a line away with its ending, and the blank lines that came with it as the only one.

    What a person wrote indented below it stays where it is: a `KeyedLine` carries one line, so an undo could not
    bring more of them back.
    """
    place = Place(None, 0) if above is None else read_place(above)
    only = len(sheet.of(spot.section)) == 1
    first = spot.row - (place.before if only and spot.row and not sheet.rows[spot.row - 1].text else 0)
    last = spot.row
    if only and place.after and last + 1 < len(sheet.rows) and not sheet.rows[last + 1].text:
        last += 1
    start, end = sheet.rows[first].start, sheet.rows[last].end
    if not sheet.rows[last].ending and first:
        start = sheet.rows[first - 1].start + len(sheet.rows[first - 1].text)
    return sheet.bom + sheet.text[:start] + sheet.text[end:]


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
        made = grammar.make(sheet, after.section, after.text)
        return [(sheet.bom + (made.rstrip("\r\n") if bare_end else made), False)]
    for place in (named, usual):
        if place is not None:
            row, missing = _row(sheet, after.section, place)
            plain = (
                not (missing or place.before or place.after) and (place.ending or _ending(sheet, row)) != "\r"
            )
            sure = plain and _is_sure(sheet, row, key, after, grammar)
            texts.append((sheet.bom + _spliced_line(sheet, row, after.text, place, missing), sure))
    return texts


def _named(sheet: Sheet, line: KeyedLine) -> Place | None:
    """The place that a line names, where today's file still has it."""
    heading = sheet.headings.get(line.section, -1)
    if line.above is None:
        return Place(None, int(heading + 1 < len(sheet.rows) and not sheet.rows[heading + 1].text))
    place = read_place(line.above)
    if place.above is not None:
        found = sheet.find(place.above)
        return place if len(found) == 1 and found[0].section == line.section else None
    if (place.before or place.after) and sheet.of(line.section):
        return None  # the section was empty when this was planned, and is not now
    return place


def _row(sheet: Sheet, section: str, place: Place) -> tuple[int, int]:
    """The row before which a place is, and how many of the lines that should be above it are missing."""
    keyed = sheet.anchors
    row = sheet.headings.get(section, -1)
    if place.above is not None:
        row = next(s.row for s in sheet.of(section) if s.key == place.above and s.row in keyed)
    row += 1
    gap = place.gap
    while gap and row < len(sheet.rows):
        gap -= row not in keyed
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


def _reads_back(old: Sheet, new: Sheet, key: str, after: KeyedLine | None) -> bool:
    """Whether the new text holds the line as it should, and every other keyed line as it was."""
    own = [new.line(spot) for spot in new.find(key) if spot.section or (after and not after.section)]
    if [(line.text, line.section) for line in own] != ([(after.text, after.section)] if after else []):
        return False
    return _others(old, key) == _others(new, key)


def _others(sheet: Sheet, key: str) -> list[tuple[str, str, str]]:
    return [(s.key, s.section, sheet.rows[s.row].text) for s in sheet.spots if s.key != key]


def _encode(text: str, key: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise LineConflict(
            f"The line for {_shown(key)!a} holds characters that cannot be saved as UTF-8."
        ) from None


def _shown(key: str) -> str:
    return key if len(key) <= _SHOWN else key[:_SHOWN] + "…"
