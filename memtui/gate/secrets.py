"""The screen for secrets: what must not even be offered for approval (seed 000; SPEC.md section 4).

Rules look at the raw text and at its views (`gate/views.py`). A hit says which rule, where and how long; the
value itself leaves this room only as a black bar.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memtui.gate.secret_rules import RULES
from memtui.gate.views import View, views


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a secret stands. Never its value."""

    rule: str
    field: str
    """The field's path, itself redacted; "" for a whole file."""
    line: int
    """1-based, in the field's text as it came."""
    length: int
    """Characters, without their disguise."""


class _Found(NamedTuple):
    """A secret that a view shows."""

    rule: str
    value: str
    veiled: bool
    """Only a view without the disguise shows it."""
    spills: bool
    """Lines were joined, and it takes the whole of the next one: rather wrapped than followed by a word."""
    start: int
    end: int
    """Offsets in the raw text; of a veiled one in the view."""
    first: int
    last: int
    """The lines that it stands in, 1-based, both included."""


def scan_fields(fields: Mapping[str, str]) -> tuple[Hit, ...]:
    """Every secret in these texts, and in the names of the fields, in the order of the fields."""
    names_hold = bool(_find("\n".join(fields)))
    hits: dict[Hit, None] = {}
    for name, text in fields.items():
        shown = redact(name) if names_hold else name
        found = (*_hits(name, shown), *_hits(text, shown)) if names_hold else _hits(text, shown)
        hits.update(dict.fromkeys(found))
    return tuple(hits)


def scan_bytes(data: bytes) -> tuple[Hit, ...]:
    """Every secret in a raw file, whatever it holds: what is refused is screened whole before it is kept."""
    return tuple(_hits(data.decode("utf-8", "replace"), ""))


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted: <rule>]`.

    Where only a view without the disguise shows a secret, the whole lines that it stands in are replaced.
    """
    found = _find(text)
    lines = {
        number: each.rule for each in found if each.veiled for number in range(each.first, each.last + 1)
    }
    parts, at = [], 0
    for each in sorted((each for each in found if not each.veiled), key=lambda each: each.start):
        # Line breaks stay, so that the lines of veiled ones keep their numbers.
        breaks = "\n" * text.count("\n", each.start, each.end)
        parts += [text[at : each.start], _mark(each.rule), breaks]
        at = each.end
    shown = "".join((*parts, text[at:]))
    if not lines:
        return shown
    return "\n".join(
        _mark(lines[number]) if number in lines else line for number, line in enumerate(shown.split("\n"), 1)
    )


def engine() -> str:
    """Which rules run, in words for the header and `memtui vault`."""
    return "built-in rules"


def _mark(rule: str) -> str:
    return f"[redacted: {rule}]"


def _hits(text: str, field: str) -> Iterator[Hit]:
    for found in _find(text):
        yield Hit(found.rule, field, found.first, len(found.value))


def _find(text: str) -> list[_Found]:
    """Every secret once: what the text shows as it stands, then what only a view shows."""
    found: list[_Found] = []
    known: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for number, view in enumerate(views(text)):
        fresh = [each for each in _find_in(view, veiled=number > 0) if not _is_known(each, known)]
        for each in fresh:
            known[each.rule, each.first].add(each.value)
        found.extend(fresh)
    return found


def _is_known(found: _Found, known: Mapping[tuple[str, int], set[str]]) -> bool:
    """Whether an earlier view showed the same secret on the same line, give or take words that follow it."""
    if not found.veiled:
        return False
    values = known.get((found.rule, found.first), set())
    if found.spills or found.value in values:
        return found.value in values
    return any(found.value[:length] in values for length in {len(value) for value in values})


def _find_in(view: View, veiled: bool) -> Iterator[_Found]:
    lowered = _lower(view.text)
    begins = frozenset(view.starts or ())
    taken = bytearray()
    for rule in RULES:
        if view.joined and not rule.joins:
            continue
        for start, end in rule.find(view.text, lowered, begins):
            taken = taken or bytearray(len(view.text))
            if 1 in taken[start:end]:
                continue
            taken[start:end] = b"\x01" * (end - start)
            first, last = view.line(start), view.line(end - 1)
            spills = view.joined and last > first and end >= view.end_of_line(first + 1)
            yield _Found(rule.name, view.text[start:end], veiled, spills, start, end, first, last)


def _lower(text: str) -> str:
    """Text in lower case, letter by letter: `İ` alone would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


_ASCII_LOWER = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
