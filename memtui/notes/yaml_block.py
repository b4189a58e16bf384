"""The YAML between the delimiters of a note, parsed into nodes that know where they stand.

YAML from a memory folder is untrusted: size, depth and expansion are bounded, and nothing is constructed but
strings, lists and maps. Positions are character offsets (code points) into the block's text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias

import yaml
from frontmatter.default_handlers import YAMLHandler

MAX_BYTES = 16 * 1024
MAX_DEPTH = 20
_MAX_NODES = 20_000
_MAX_BRACKETS = 1_000
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_HALF = re.compile("[\ud800-\udfff]")
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
# YAML 1.1 takes these for line breaks and 1.2 does not; a BOM inside shifts the positions of libyaml.
_DISPUTED = {"\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029", "\ufeff": "U+FEFF"}

Read: TypeAlias = "str | list[Read] | dict[str, Read]"
"""What a node is read as: every scalar a string, whatever it looks like."""
Shape: TypeAlias = "tuple[str, str, str, tuple[Shape, ...]]"
"""What a node is, apart from where it stands."""


class BrokenBlock(Exception):
    """The block cannot be parsed; the message is the reason, to be put after "because"."""


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar, list or map. A map's `children` are its keys and values in turn."""

    kind: Literal["scalar", "list", "map"]
    style: str
    """Of a scalar: "" (plain), "'", '"', "|" or ">"; of a list or map: "flow" or "block"."""
    start: int
    end: int
    """Past the last character of its text; of a block scalar, past its last line that is not blank."""
    value: str = ""
    children: tuple[Node, ...] = ()
    nodes: int = 1
    """How many nodes it holds with every alias expanded, itself counted."""
    height: int = 0

    @property
    def pairs(self) -> tuple[tuple[Node, Node], ...]:
        return tuple(zip(self.children[::2], self.children[1::2], strict=True))

    @property
    def shape(self) -> Shape:
        return self.kind, self.style, self.value, tuple(child.shape for child in self.children)

    @property
    def is_null(self) -> bool:
        return self.kind == "scalar" and self.style == "" and self.value in _NULLS

    def read(self) -> Read:
        """Return it as strings, lists and dicts; a plain null is "", of two equal keys the last counts."""
        if self.kind == "list":
            return [child.read() for child in self.children]
        if self.kind == "map":
            return {key.value: value.read() for key, value in self.pairs}
        return "" if self.is_null else self.value


@dataclass(frozen=True, slots=True)
class Block:
    """A parsed block. `root` is None where it holds comments and blank lines alone."""

    root: Node | None
    locked: str
    """Why no edit of it would be safe, as a clause to be put after "because"; "" where nothing forbids it."""

    @property
    def pairs(self) -> tuple[tuple[Node, Node], ...]:
        return self.root.pairs if self.root else ()

    def read(self) -> dict[str, Read]:
        """Return its fields; of two equal keys the last counts."""
        return {key.value: value.read() for key, value in self.pairs}


@dataclass(slots=True)
class _Open:
    """A list or map whose end has not come yet."""

    event: yaml.CollectionStartEvent
    children: list[Node] = field(default_factory=list)


def parse(text: str) -> Block:
    """Parse the text between the delimiters; raises BrokenBlock."""
    return _parse(text, _LOADER is yaml.BaseLoader)


@lru_cache(maxsize=64)  # a plan reads and edits one and the same block many times
def _parse(text: str, slow: bool) -> Block:
    if len(text.encode()) > MAX_BYTES:
        raise BrokenBlock(f"it is bigger than {MAX_BYTES // 1024} KiB")
    if slow and text.count("[") + text.count("{") > _MAX_BRACKETS:
        raise BrokenBlock("it holds too many brackets")  # the loader without libyaml takes seconds over them
    builder = _Builder(text)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        raise BrokenBlock(_explain(error)) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        raise BrokenBlock("it holds a character that YAML does not allow") from None
    if builder.root is not None and builder.root.kind != "map":
        raise BrokenBlock("it is not a list of `key: value` lines")
    disputed = next((name for character, name in _DISPUTED.items() if character in text), "")
    return Block(
        builder.root, builder.locked or (disputed and f"it holds the invisible character {disputed}")
    )


class _StringHandler(YAMLHandler):
    """python-frontmatter's reader, but making strings alone, and with size, depth and aliases bounded."""

    def load(self, fm: str, **_kwargs: object) -> dict[str, Read]:
        return parse(fm).read()


_HANDLER = _StringHandler()


def load(text: str) -> dict[str, Read]:
    """The fields of a block, every scalar a string; raises BrokenBlock.

    The block alone is given to the reader: `frontmatter.parse` is deaf behind a BOM and rewrites line endings.
    """
    return _HANDLER.load(text)


def _explain(error: yaml.MarkedYAMLError) -> str:
    what = error.problem or error.context or "it is not valid YAML"
    if error.problem_mark is None:
        return what
    return f"YAML stops at line {error.problem_mark.line + 2} of the note ({what})"


def _span(first: yaml.Event, last: yaml.Event) -> tuple[int, int]:
    assert first.start_mark is not None
    assert last.end_mark is not None
    return first.start_mark.index, last.end_mark.index


class _Builder:
    """Makes nodes of the parser's events, one at a time, so that a bomb is refused before it goes off."""

    def __init__(self, text: str) -> None:
        self.root: Node | None = None
        self.locked = ""
        self._text = text
        self._open: list[_Open] = []
        self._anchors: dict[str, Node] = {}

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.CollectionStartEvent):
            self._note_extras(event)
            self._open.append(_Open(event))
            if len(self._open) > MAX_DEPTH:
                raise BrokenBlock(f"it is nested more than {MAX_DEPTH} levels deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            opened = self._open.pop()
            self._place(self._close(opened, event), opened.event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            self._lock("it uses anchors or aliases")
            if event.anchor not in self._anchors:
                raise BrokenBlock("an alias in it points nowhere or into itself")
            self._place(self._anchors[event.anchor], None)
        elif isinstance(event, yaml.ScalarEvent):
            self._note_extras(event)
            self._place(self._scalar(event), event.anchor)
        elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            raise BrokenBlock("it holds more than one YAML document")

    def _scalar(self, event: yaml.ScalarEvent) -> Node:
        start, end = _span(event, event)
        style = event.style or ""
        if style in ("|", ">"):  # the parser counts the blank lines after it, too
            end = start + len(self._text[start:end].rstrip(" \t\r\n"))
        if _HALF.search(event.value):
            raise BrokenBlock("it holds half of a surrogate pair")
        return Node("scalar", style, start, end, event.value)

    def _close(self, opened: _Open, event: yaml.CollectionEndEvent) -> Node:
        children = tuple(opened.children)
        flow = bool(opened.event.flow_style)
        start, end = _span(opened.event, event)
        if not flow and children:  # the parser ends a block collection at the next token, past any comment
            end = max(child.end for child in children)
        node = Node(
            "map" if isinstance(event, yaml.MappingEndEvent) else "list",
            "flow" if flow else "block",
            start,
            end,
            children=children,
            nodes=1 + sum(child.nodes for child in children),
            height=1 + max((child.height for child in children), default=0),
        )
        if node.kind == "map":
            self._check_keys(node)
        return node

    def _check_keys(self, node: Node) -> None:
        seen: set[str] = set()
        for key, _ in node.pairs:
            if key.kind != "scalar":
                raise BrokenBlock("a key in it is a list or a map")
            if key.value in seen:
                self._lock(f"the key `{key.value[:80]}` stands twice in it")
            if key.value == "<<" and key.style == "":
                self._lock("it uses a merge key (`<<`)")
            seen.add(key.value)

    def _place(self, node: Node, anchor: str | None) -> None:
        if node.nodes > _MAX_NODES or len(self._open) + node.height > MAX_DEPTH:
            raise BrokenBlock("its aliases expand to too much")
        if anchor:
            self._anchors[anchor] = node
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node

    def _note_extras(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.anchor:
            self._lock("it uses anchors or aliases")
        if event.tag:
            self._lock("it uses YAML tags (`!`)")

    def _lock(self, why: str) -> None:
        self.locked = self.locked or why
