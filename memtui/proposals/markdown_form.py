"""The `.md` form of a proposal: what a person edits, and what an agent may send (SPEC.md section 3)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from memtui.notes.scalars import scalar
from memtui.proposals.as_fields import to_fields
from memtui.proposals.model import Json, Proposal
from memtui.proposals.parse import body_of
from memtui.proposals.tree import BODY_FIELDS

_NOT_LITERAL = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_FLOW_WORD = re.compile(r"[\w-]+")


def to_markdown(proposal: Proposal) -> str:
    """The fields as frontmatter and the body under it.

    `decode("x.md", to_markdown(p).encode(), id=p.id, batch=p.batch)` gives p again.
    """
    fields = to_fields(proposal)
    under = _take_body(fields)
    return "\n".join(["---", *_table_lines(fields, 0), "---", under])


def _take_body(fields: dict[str, Json]) -> str:
    """Take the field that goes under the frontmatter out of `fields`, where it comes back just as it is."""
    operation = str(fields["operation"])
    name = BODY_FIELDS.get(operation, "")
    text = fields.get(name)
    if not isinstance(text, str) or body_of(operation, text) != text:
        return ""
    del fields[name]
    return text


def _table_lines(table: Mapping[str, Json], indent: int) -> Iterator[str]:
    for name, value in table.items():
        yield from _lines(f"{' ' * indent}{scalar(name)}:", value, indent)


def _list_lines(items: Sequence[Json], indent: int) -> Iterator[str]:
    for item in items:
        if isinstance(item, Mapping | list) and item:
            inner = list(
                _table_lines(item, indent + 2) if isinstance(item, Mapping) else _list_lines(item, indent + 2)
            )
            yield f"{' ' * indent}- {inner[0][indent + 2 :]}"
            yield from inner[1:]
        else:
            yield from _lines(f"{' ' * indent}-", item, indent)


def _lines(head: str, value: Json, indent: int) -> Iterator[str]:
    """The lines of one value after its `name:` or `-`."""
    if isinstance(value, str) and "\n" in value and _fits_literal(value):
        yield f"{head} |{_chomping(value)}"
        for line in value.removesuffix("\n").split("\n"):
            yield f"{' ' * (indent + 2)}{line}" if line else ""
    elif isinstance(value, Mapping) and value:
        yield head
        yield from _table_lines(value, indent + 2)
    elif isinstance(value, list) and value and not _fits_flow(value):
        yield head
        yield from _list_lines(value, indent + 2)
    else:
        yield f"{head} {_inline(value)}"


def _inline(value: Json) -> str:
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, list):
        return f"[{', '.join(_inline(item) for item in value)}]"
    if isinstance(value, Mapping):
        return "{}"
    return json.dumps(value)


def _fits_flow(items: Sequence[Json]) -> bool:
    return all(isinstance(item, str) and _FLOW_WORD.fullmatch(item) for item in items)


def _fits_literal(text: str) -> bool:
    """Whether text comes back from a literal block: no blank at its start, nothing that needs escapes."""
    return not text[0].isspace() and not _NOT_LITERAL.search(text)


def _chomping(text: str) -> str:
    if not text.endswith("\n"):
        return "-"
    return "+" if text.endswith("\n\n") else ""
