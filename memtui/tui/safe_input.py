"""Text fields for text from anywhere: what they hold stays as it is, what they draw obeys no terminal.

A cursor moves by characters, so here, unlike in a diff, each hidden or harmful character is drawn as one symbol
of one cell in reverse video: the control pictures for C0, `�` for the rest, `?` for all of them where ASCII is
wanted. Which they are is said beside the field (`hidden`). Every text field of the app is one of these two (SPEC
section 6, "Text from outside is data").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, cast, overload

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.document._document import Document
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.events import Hide, Paste
from textual.widget import Widget
from textual.widgets import Input, TextArea

from memtui.safe_text import alarms, pieces, token

NAMED = 3
"""Hidden characters that are named one by one; further ones are only counted."""
_REVERSE = Style(reverse=True)


@lru_cache(maxsize=4096)
def drawn(text: str, *, tabs: bool = False) -> tuple[str, tuple[tuple[int, int], ...]]:
    """One line as it is drawn, a character for each of its own, and the stretches that stand for another.

    `tabs` leaves tabs to whoever lays the line out.
    """
    if text.isascii() and text.isprintable():
        return text, ()
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    for piece in pieces(text, bom=False):
        source = text[piece.start : piece.end]
        if piece.kind == "plain":
            parts.append(piece.text)
        elif tabs and source == "\t":
            parts.append(source)
        else:
            parts.append(source if piece.text == source else "".join(map(_symbol, source)))
            spans.append((piece.start, piece.end))
    return "".join(parts), tuple(spans)


def _symbol(character: str) -> str:
    """One cell that stands for a character."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"


def _marked(text: str, *, tabs: bool = False, ascii: bool = False) -> Text:
    line, spans = drawn(text, tabs=tabs)
    for start, end in spans if ascii else ():
        line = f"{line[:start]}{'?' * (end - start)}{line[end:]}"
    marked = Text(line, end="", no_wrap=True, overflow="ignore")
    for start, end in spans:
        marked.stylize(_REVERSE, start, end)
    return marked


def _is_ascii(app: object) -> bool:
    """Whether the app draws its own signs in ASCII (SCREENS, Glyphs)."""
    return bool(getattr(app, "ascii_only", False))


def hidden(texts: Mapping[str, str]) -> str:
    """Which hidden characters the texts hold, by field ("" for the body); "" where there are none."""
    count = sum(map(alarms, texts.values()))
    if not count:
        return ""
    named = [f"{name} at {place}" for name, place in _places(texts, NAMED + 1)]
    more = ", …" if len(named) > NAMED else ""
    word = "hidden character" if count == 1 else "hidden characters"
    return f"{count} {word}: {', '.join(named[:NAMED])}{more}"


def _places(texts: Mapping[str, str], limit: int) -> Iterator[tuple[str, str]]:
    """The first hidden characters and where they stand: `4:12` in the body, `title 3` in a field."""
    for field, text in texts.items():
        for number, line in enumerate(text.split("\n") if alarms(text) else (), 1):
            for piece in pieces(line, bom=False) if alarms(line) else ():
                if piece.kind == "alarm" and limit:
                    limit -= 1
                    column = piece.start + 1
                    yield token(line[piece.start]), f"{field} {column}" if field else f"{number}:{column}"


class SafeInput(Input):
    """A text field of one line."""

    @property
    def _value(self) -> Text:
        return _marked(self.value, ascii=_is_ascii(self.app))

    def _position_to_cell(self, position: int) -> int:
        return cell_len(drawn(self.value)[0][:position])

    def _cell_offset_to_index(self, offset: int) -> int:
        offset += self.scroll_offset.x
        line, cells = drawn(self.value)[0], 0
        for index, character in enumerate(line):
            cells += cell_len(character)
            if offset < cells:
                return index
        return len(line)

    def _on_hide(self, event: Hide) -> None:
        """Told that it was hidden after it has been shown again, it keeps the focus that it got meanwhile."""
        if all(isinstance(one, Widget) and one.display for one in self.ancestors_with_self[:-1]):
            event.prevent_default()

    def _on_paste(self, event: Paste) -> None:
        """Several lines become one: nothing of what was pasted is dropped unseen."""
        event.text = " ".join(event.text.splitlines())
        super()._on_paste(event)
        event.prevent_default()


class _Lines(Sequence[str]):
    """The lines of a document as they are drawn, made when they are asked for."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [drawn(line, tabs=True)[0] for line in self._lines[index]]
        return drawn(self._lines[index], tabs=True)[0]


class _SafeDocument(Document):
    """A document whose text is true and whose lines, which wrapping, cursor and drawing look at, are drawn ones.

    Both have the same number of characters, so a place in one is the same place in the other.
    """

    @property
    def lines(self) -> list[str]:
        return cast("list[str]", _Lines(self._lines))

    @overload
    def __getitem__(self, line_index: int) -> str: ...

    @overload
    def __getitem__(self, line_index: slice) -> list[str]: ...

    def __getitem__(self, line_index: int | slice) -> str | list[str]:
        return _Lines(self._lines)[line_index]

    def true_line(self, index: int) -> str:
        return self._lines[index]


class SafeTextArea(TextArea):
    """A text field of many lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+home", "go_end(-1)", show=False),
        Binding("ctrl+end", "go_end(1)", show=False),
        Binding("ctrl+shift+home", "go_end(-1, True)", show=False),
        Binding("ctrl+shift+end", "go_end(1, True)", show=False),
    ]

    def _set_document(self, text: str, language: str | None) -> None:  # noqa: ARG002
        document = _SafeDocument(text)
        self.document = document
        self.wrapped_document = WrappedDocument(document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    def get_line(self, line_index: int) -> Text:
        document = self.document
        if isinstance(document, _SafeDocument):
            return _marked(document.true_line(line_index), tabs=True, ascii=_is_ascii(self.app))
        return super().get_line(line_index)

    def action_go_end(self, step: int, select: bool = False) -> None:
        """To the first or last character."""
        self.move_cursor(self.document.end if step > 0 else self.document.start, select=select)
