"""What a diff looks like on a terminal, and what a reader can tell from it alone.

`draw` puts a diff on a terminal emulator, `read` takes the picture apart again: by the gutter, the signs and the
reversed tokens, and by nothing that the app knows. A text that can be read back to its last byte hid nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyte
from rich.color import ColorSystem
from textual.strip import Strip

from memtui.proposals.diff import FileDiff
from memtui.safe_chars import cells_of
from memtui.tui.diff_layout import Layout, Shape
from memtui.tui.diff_paint import Painter
from memtui.tui.diff_rows import hanging
from memtui.tui.diff_sections import section_of
from memtui.tui.style import Palette

BORDER = "║"
_TOKEN = re.compile(
    r"U\+([0-9A-F]{4,6})|\\x([0-9a-f]{2})|VS(\d+)|(BOM)|(gbeng|gbsct|gbwls)|([a-z]{2})|◌(.)|(.)", re.DOTALL
)
_GLYPHS = dict(
    zip(
        "·→⍽¦‿▢²³⁴⁵⁶",
        " \t\u00a0\u200c\u200d\u20e3\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff",
        strict=True,
    )
)
_ENDINGS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r", "no newline": ""}
_NOTE = re.compile(r"(LF|CRLF|CR|no newline|moved (?:to|from) \d+)\Z")


@dataclass(frozen=True, slots=True)
class Cell:
    """One character of a picture; wide ones take two columns."""

    text: str
    reverse: bool = False
    bold: bool = False


Cells = list[Cell]


def draw(
    diff: FileDiff, cells: int, palette: Palette, *, beside: bool = False, ascii: bool = False
) -> list[Strip]:
    """All lines of a diff, from its top to its end."""
    whole = {(0, row) for row, each in enumerate(diff.rows) if each.kind != " "}  # no fold inside a row
    layout = Layout([section_of(diff)], Shape(cells, beside=beside, ascii=ascii), opened=whole)
    painter = Painter(layout, palette, [], [])
    return [painter.line(y) for y in range(layout.height)]


def on_terminal(strips: Sequence[Strip], cells: int) -> pyte.Screen:
    """The lines on an emulator, each with a border behind it."""
    screen = pyte.Screen(cells + 1, max(1, len(strips)))
    stream = pyte.Stream(screen)
    for y, strip in enumerate(strips):
        sent = "".join(
            s.style.render(s.text, color_system=ColorSystem.TRUECOLOR) if s.style else s.text for s in strip
        )
        stream.feed(f"\x1b[{y + 1};1H{sent}\x1b[0m{BORDER}")
    return screen


def columns(strip: Strip) -> list[str]:
    """What each column of a line holds, as an emulator keeps it: accents composed, "" behind a wide character."""
    found: list[str] = []
    for character in strip.text:
        size = cells_of(character)
        if size:
            found += [character, *[""] * (size - 1)]
        elif unicodedata.combining(character) and found:
            found[-1] = unicodedata.normalize("NFC", found[-1] + character)  # the column before the cursor
    return found


def cells_in(strip: Strip) -> Cells:
    """The characters of a line with what can be seen of their style."""
    return [
        Cell(
            character,
            bool(segment.style and segment.style.reverse),
            bool(segment.style and segment.style.bold),
        )
        for segment in strip
        for character in segment.text
    ]


def split_at(line: Cells, column: int) -> tuple[Cells, Cells]:
    """The characters before a column, and the others."""
    used = 0
    for index, cell in enumerate(line):
        if used >= column and cells_of(cell.text):
            return line[:index], line[index:]
        used += cells_of(cell.text)
    return line, []


def text_of(line: Sequence[Cell]) -> str:
    return "".join(cell.text for cell in line)


@dataclass(frozen=True, slots=True)
class Seen:
    """One row of a file as it was read from the picture."""

    sign: str
    number: int
    text: str
    ending: str | None
    """None where nothing is said of it."""
    note: str = ""


class Reader:
    """Reads rows from the lines of one column of text."""

    def __init__(self, gutter: int) -> None:
        self.gutter = gutter
        self.rows: list[Seen] = []
        self.folds = 0
        self.heads: list[str] = []
        self._lines: list[tuple[str, Cells, int]] = []

    def take(self, line: Cells, cells: int) -> None:
        """The next line of the picture, `cells` wide."""
        head, body = split_at(line, self.gutter + 3)
        number, sign = text_of(head[: self.gutter]).strip(), text_of(head[self.gutter + 1 : self.gutter + 2])
        if re.fullmatch(r"\d+", number) and sign in " +-":
            self.flush()
            self._lines = [(f"{sign}{number}", body, cells)]
        elif not number and sign == "⋯":
            self.flush()
            self.folds += 1
        elif not number and sign in " \\" and self._lines and text_of(line).strip():
            self._lines.append((sign, body, cells))
        else:
            self.flush()
            if text_of(line).strip():
                self.heads.append(text_of(line).rstrip())

    def flush(self) -> None:
        """A row is at its end."""
        if not self._lines:
            return
        first = self._lines[0]
        row: Cells = _stripped(first[1]) if len(self._lines) > 1 else list(first[1])
        room = first[2] - self.gutter - 3
        indent = min(hanging(_read(first[1])[0] + " "), room // 2)
        for number, (sign, line, _) in enumerate(self._lines[1:], 2):
            body = split_at(line, indent)[1]
            if number < len(self._lines):
                body = _stripped(body)
            row += _joined(row, sign, body)
        text, ending, note = _read(row)
        self.rows.append(Seen(first[0][0], int(first[0][1:]), text, ending, note))
        self._lines = []


def _stripped(line: Cells) -> Cells:
    end = len(line)
    while end and line[end - 1].text == " " and not line[end - 1].reverse:
        end -= 1
    return line[:end]


def _joined(row: Cells, sign: str, body: Cells) -> Cells:
    """The next line of a row: after a blank, unless it goes on with one, or in a word, or beside a wide character."""
    begins = text_of(body[:1])
    if sign == "\\" or begins == " " or cells_of(begins or " ") == 2:
        return body
    last = next((cell.text for cell in reversed(row) if cells_of(cell.text)), " ")
    return body if cells_of(last) == 2 else [Cell(" "), *body]


def _read(row: Cells) -> tuple[str, str | None, str]:
    """The text of a row, what is said of its ending, and what else is said of it."""
    found: list[str] = []
    ending: str | None = None
    said = ""
    at = 0
    row = _stripped(row)
    while at < len(row):
        cell = row[at]
        if not cell.reverse:
            found.append(cell.text)
            at += 1
            continue
        end = at
        while end < len(row) and row[end].reverse and row[end].bold == cell.bold:
            end += 1
        run = text_of(row[at:end])
        note = None if cell.bold else _NOTE.fullmatch(run)
        if note and found and found[-1] == " ":
            found.pop()
            ending = _ENDINGS.get(run, ending)
            said = said if run in _ENDINGS else run
            at = end
            continue
        for token in _TOKEN.finditer(run):
            found.append(_meaning(token))
        at = end
        if run.endswith("→"):
            at += 3
    return "".join(found), ending, said


def _meaning(token: re.Match[str]) -> str:
    number, byte, selector, bom, tag, flag, mark, other = token.groups()
    if number:
        return chr(int(number, 16))
    if byte:
        return chr(0xDC00 + int(byte, 16))
    if selector:
        return chr(0xFE00 + int(selector) - 1)
    if bom:
        return "\ufeff"
    if tag:
        return "".join(chr(0xE0000 + ord(c)) for c in tag) + "\U000e007f"
    if flag:
        return "".join(chr(0x1F1E6 + ord(c) - ord("a")) for c in flag)
    return mark or _GLYPHS.get(other, other)


def read(strips: Sequence[Strip], cells: int, gutter: int, *, beside: bool = False) -> list[Reader]:
    """Read a picture: one reader of all, or one of each side."""
    half = (cells - 3) // 2
    readers = [Reader(gutter), Reader(gutter)] if beside else [Reader(gutter)]
    for strip in strips:
        line = cells_in(strip)
        if not beside:
            readers[0].take(line, cells)
            continue
        left, rest = split_at(line, half)
        middle, right = split_at(rest, 3)
        if text_of(middle) != " │ ":
            for reader in readers:
                reader.take(line, cells)
            continue
        readers[0].take(left, half)
        readers[1].take(right, cells - half - 3)
    for reader in readers:
        reader.flush()
    return readers


def rebuilt(before: str, rows: Sequence[Seen], usual: str) -> str:
    """What becomes of a text by the removed and the added rows of a picture."""
    lines = dict(enumerate(re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z", before), 1))
    gone = {row.number: row for row in rows if row.sign == "-"}
    for number, row in gone.items():
        shown = row.text + (usual if row.ending is None else row.ending)
        assert shown == lines[number], f"line {number} is shown as {shown!r}, it is {lines[number]!r}"
    come = {row.number: row for row in rows if row.sign == "+"}
    kept: Iterator[str] = iter([lines[number] for number in sorted(lines) if number not in gone])
    made: list[str] = []
    while True:
        row = come.pop(len(made) + 1, None)
        if row is not None:
            made.append(row.text + (usual if row.ending is None else row.ending))
            continue
        following = next(kept, None)
        if following is None:
            break
        made.append(following)
    assert not come, f"rows beyond the end: {come}"
    return "".join(made)
