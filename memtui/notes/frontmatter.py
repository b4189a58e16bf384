"""Frontmatter read as strings, and edited byte by byte.

SPEC.md section 2: every byte that an operation does not name stays as it was, and a note whose frontmatter
cannot be parsed is never rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from memtui.notes.head import is_cut_off, is_prose
from memtui.notes.scalars import EditRefused, Value, block, scalar

# YAML is loaded at the first block that is read: what makes a fresh one alone starts without it.
if TYPE_CHECKING:
    from memtui.notes.yaml_block import Block, Read

__all__ = ["EditRefused", "Frontmatter", "Value", "block", "edit", "read", "scalar", "why_locked"]

_ENDING = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"
_LOOK = 16 * 1024
"""Bytes of what is not YAML that are looked at."""
_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)")
_CLOSING = {
    # YAML ends its documents with `...` as well, and some tools close the block so.
    b"---": re.compile(rb"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)"),
    b"+++": re.compile(rb"(?<=[\r\n])\+\+\+[ \t]*(?:\r\n|\n|\r|\Z)"),
}


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """What stands before a note's body."""

    kind: Literal["none", "yaml", "toml", "broken"]
    fields: Mapping[str, Read] = field(default_factory=dict)
    """Every scalar as the string written there (`true`, `2024-01-10`), a plain null as ""; {} elsewhere."""
    body_start: int = 0
    """Byte offset of the body, past the closing delimiter's line (or past a BOM)."""
    problem: str = ""
    """Of the kind "broken": why it cannot be parsed, as a clause to be put after a colon or "because"."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Byte offsets of the block between the delimiters' lines, and of the body."""

    delimiter: bytes
    start: int
    end: int
    body: int


def read(data: bytes) -> Frontmatter:
    """Read the frontmatter of a note, or of the first bytes of one. Never raises, whatever the bytes."""
    layout = _layout(data)
    if layout is None:
        opening = _OPENING.match(data)
        if opening and is_cut_off(opening[1].decode(), _loose_text(data[opening.end() :][:_LOOK])):
            return Frontmatter(
                "broken", problem=f"it is opened with `{opening[1].decode()}` but never closed"
            )
        return _without(data)
    if layout.delimiter == b"+++":
        why_not = _toml_trouble(data[layout.start : layout.end])
        return Frontmatter("broken" if why_not else "toml", {}, layout.body, why_not)
    from memtui.notes.yaml_block import BrokenBlock, load

    try:
        fields = load(_text(data, layout))
    except BrokenBlock as why:
        if is_prose(_loose_text(data[layout.start : layout.end])):
            return _without(data)
        return Frontmatter("broken", {}, layout.body, str(why))
    return Frontmatter("yaml", fields, layout.body)


def twice(data: bytes) -> tuple[str, ...]:
    """The keys of a note's YAML frontmatter that stand more than once in it: only the last of each counts."""
    from memtui.notes.sheet import repeated
    from memtui.notes.yaml_block import BrokenBlock, parse

    layout = _layout(data)
    if layout is None or layout.delimiter == b"+++":
        return ()
    try:
        return tuple(repeated(key.value for key, _ in parse(_text(data, layout)).pairs))
    except BrokenBlock:
        return ()


def _without(data: bytes) -> Frontmatter:
    return Frontmatter("none", {}, len(_BOM) if data.startswith(_BOM) else 0)


def _loose_text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _toml_trouble(block: bytes) -> str:
    """Why a TOML block cannot be parsed, "" where it can, or is too big to be looked at."""
    if len(block) > _LOOK:
        return ""
    import tomllib

    try:
        tomllib.loads(block.decode().replace("\r\n", "\n").replace("\r", "\n"))
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except tomllib.TOMLDecodeError as error:
        # Line 1 of the block is line 2 of the note.
        told = re.sub(r"(?<=at line )\d+", lambda line: str(int(line[0]) + 1), str(error))
        return f"it is not valid TOML: {told}"
    except RecursionError:
        return "it is nested too deep"
    return ""


def why_locked(data: bytes) -> str:
    """Return the sentence with which `edit` refuses every change of this note, "" where it takes changes."""
    try:
        _editable(data)
    except EditRefused as why:
        return str(why)
    return ""


def edit(data: bytes, changes: Mapping[str, Value | None]) -> bytes:
    """Return the note with these fields set, or removed (None), and every other byte as it was.

    New keys go last in the block, in the order given. A field that already reads as the value is left as it
    stands. Dates are written plain or in the quotes that stood there. Raises EditRefused where that cannot be
    done safely.
    """
    from memtui.notes import yaml_edit
    from memtui.notes.yaml_block import BrokenBlock, parse

    layout, text, before = _editable(data)
    ending = _ENDING.findall(data[: layout.start])[-1].decode()
    text = yaml_edit.apply(text, before, changes, ending)
    try:
        after = parse(text)
    except BrokenBlock as why:
        raise EditRefused(f"The fields cannot be changed so, because afterwards {why}.") from None
    _compare(before, after, changes)
    result = data[: layout.start] + text.encode() + data[layout.end :]
    found = _layout(result)
    if found is None or result[found.end :] != data[layout.end :]:
        raise EditRefused("The change would move the end of the frontmatter, so it was not made.")
    return result


def _layout(data: bytes) -> _Layout | None:
    opening = _OPENING.match(data)
    closing = opening and _CLOSING[opening[1]].search(data, opening.end())
    if opening is None or closing is None:
        return None
    return _Layout(opening[1], opening.end(), closing.start(), closing.end())


def _text(data: bytes, layout: _Layout) -> str:
    from memtui.notes.yaml_block import MAX_BYTES, BrokenBlock

    if layout.end - layout.start > MAX_BYTES:
        raise BrokenBlock(f"it is bigger than {MAX_BYTES // 1024} KiB")
    try:
        return data[layout.start : layout.end].decode()
    except UnicodeDecodeError:
        raise BrokenBlock("it is not UTF-8") from None


def _editable(data: bytes) -> tuple[_Layout, str, Block]:
    """Find and parse the block of a note that may be edited; raises EditRefused with the reason."""
    found = read(data)
    if found.kind == "none":
        raise EditRefused("The note has no frontmatter, so it has no fields that could be changed.")
    if found.kind == "toml":
        raise EditRefused("The frontmatter is TOML (`+++`), which is never rewritten.")
    layout = _layout(data)
    if found.kind == "broken" or layout is None:
        raise EditRefused(f"The frontmatter cannot be read, because {found.problem}.")
    try:
        data.decode()
    except UnicodeDecodeError:
        raise EditRefused("The note is not UTF-8, so it is never rewritten.") from None
    from memtui.notes.yaml_block import parse

    text = _text(data, layout)
    parsed = parse(text)
    if parsed.locked:
        raise EditRefused(f"The frontmatter cannot be edited safely, because {parsed.locked}.")
    return layout, text, parsed


def _compare(before: Block, after: Block, changes: Mapping[str, Value | None]) -> None:
    """Raise EditRefused unless `after` is `before` with exactly these changes, in their order."""
    from memtui.notes.yaml_edit import is_same

    kept = [(key, old) for key, old in before.pairs if changes.get(key.value, "") is not None]
    known = {key.value for key, _ in kept}
    new = [key for key, value in changes.items() if value is not None and key not in known]
    names = [key.value for key, _ in kept] + new
    same = not after.locked and [key.value for key, _ in after.pairs] == names
    if same:
        same = all(
            old_key.shape == key.shape and (key.value in changes or old.shape == node.shape)
            for (old_key, old), (key, node) in zip(kept, after.pairs, strict=False)
        ) and all(
            is_same(node, value) for key, node in after.pairs if (value := changes.get(key.value)) is not None
        )
    if not same:
        raise EditRefused(
            "The frontmatter is written in a way that cannot be edited without touching other fields."
        )
