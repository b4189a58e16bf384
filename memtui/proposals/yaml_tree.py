"""A YAML text as a tree of tables, lists and text: the safe subset, and nothing that grows.

Anchors, aliases, tags and merge keys are not taken (an alias bomb of 324 bytes expands to 387 million
leaves), dates and `yes` stay text, doubled keys are kept for the report. The tree is built from events, so
depth and number of values are bounded before anything is allocated for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from memtui.proposals.tree import MAX_DEPTH, MAX_FIELDS, MAX_VALUES, Plain, Table, Tree, Unusable

_NULLS = ("", "~", "null", "Null", "NULL")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlRefused(Exception):
    """The text is not the YAML that is taken; `message` says why, `line` is 1-based."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def read_yaml(text: str) -> Tree:
    """The one document that `text` holds, as Json with `Plain`, `Table` and `Unusable` among it.

    Raises YamlRefused where it does not parse, holds several documents, or is too deep or too large.
    """
    events = _events(text)
    try:
        next(events)  # the stream's start
        first = next(events)
        if isinstance(first, yaml.StreamEndEvent):
            return None
        tree = _Builder(events).node(next(events), 1)
        next(events)  # the document's end
        after = next(events)
    except StopIteration:
        raise YamlRefused("it ends too early", 1) from None
    if not isinstance(after, yaml.StreamEndEvent):
        raise YamlRefused("one file holds one document, so remove what follows", _line(after))
    return tree


def _events(text: str) -> Iterator[Any]:
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise YamlRefused(str(error.problem or "it is not YAML"), line) from None
    except yaml.YAMLError as error:
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position if isinstance(position, int) else 0) + 1
        raise YamlRefused("it holds a character that YAML does not allow unescaped", line) from None
    except (ValueError, OverflowError):
        raise YamlRefused("an escape names no character", 1) from None


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


class _Builder:
    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._values = 0

    def node(self, event: Any, depth: int) -> Tree:
        """The value that begins with `event`."""
        self._values += 1
        if self._values > MAX_VALUES:
            raise YamlRefused(f"there are more than {MAX_VALUES:,} values", _line(event))
        if depth > MAX_DEPTH + 1:
            raise YamlRefused(f"values are nested more than {MAX_DEPTH} deep", _line(event))
        if isinstance(event, yaml.AliasEvent):
            return Unusable("is a YAML alias (*name): write the value out.")
        if isinstance(event, yaml.ScalarEvent):
            value: Tree = _scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._sequence(depth)
        else:
            value = self._table(depth)
        if event.anchor is not None:
            return Unusable("has a YAML anchor (&name): write the value without it.")
        if event.tag is not None:
            return Unusable("has a YAML tag (!name): write the value without it.")
        return value

    def _sequence(self, depth: int) -> list[Tree]:
        items = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self.node(event, depth + 1))
        return items

    def _table(self, depth: int) -> Table:
        table = Table()
        doubled: dict[str, None] = {}
        count = 0
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            count += 1
            if count > MAX_FIELDS:
                raise YamlRefused(f"a table has more than {MAX_FIELDS} fields", _line(event))
            name, merges = self._name(event)
            if name in table:
                doubled[name] = None
            value = self.node(next(self._events), depth + 1)
            table[name] = Unusable("is a YAML merge: write the fields out.") if merges else value
        table.doubled = tuple(doubled)
        return table

    def _name(self, event: Any) -> tuple[str, bool]:
        if not isinstance(event, yaml.ScalarEvent) or event.anchor is not None or event.tag is not None:
            raise YamlRefused("a field's name must be plain text", _line(event))
        name = str(event.value)
        return name, name == "<<" and not event.style


def _scalar(event: Any) -> Tree:
    if event.style:
        return str(event.value)
    return None if event.value in _NULLS else Plain(event.value)
