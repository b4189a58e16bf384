"""Unfinished texts of the person's: what of them is screened before one is kept (SPEC section 3, secrets)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from memtui.proposals.model import Json


def draft_fields(text: str) -> Mapping[str, str]:
    """The texts of a draft as they were typed, by the place where they stand in it; a plain text is one."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        return {"": text}
    return dict(_texts("", kept))


def _texts(place: str, value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _texts(f"{place}.{name}" if place else name, part)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _texts(f"{place}[{number}]", part)
