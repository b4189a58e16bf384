"""The tree that a proposal file is read into, whatever its form, and the bounds that every form keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

MAX_BYTES = 1 << 20
"""Bytes of one spool file (SPEC section 3)."""
MAX_DEPTH = 24
"""Tables and lists inside one another."""
MAX_VALUES = 20_000
"""Values in one file: far beyond any honest batch, and read in well under a second."""
MAX_OWN_VALUES = 2_000
"""Values in one proposal: each is looked at for secrets, and the person is to read them."""
MAX_FIELDS = 200
"""Fields of one table."""
MAX_DIGITS = 400
MAX_NAME = 100
"""Characters of a field's name."""

Tree: TypeAlias = Any
"""What a parser made: Json, with `Plain`, `Table` and `Unusable` among it."""

BODY_FIELDS: Mapping[str, str] = {
    "write": "content",
    "memory_write": "content",
    "add": "body",
    "update": "body",
    "replace": "text",
}
"""The field that the text under the frontmatter of a `.md` file stands for, by operation."""


class Plain(str):
    """A YAML scalar without quotes: text where text is wanted, else the boolean or number that it spells."""

    __slots__ = ()


class Table(dict[str, Tree]):
    """A table that names some of its fields more than once; the last value of each is kept."""

    doubled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unusable:
    """Stands in the tree for a value that is not taken; `message` completes "`field` …"."""

    message: str
