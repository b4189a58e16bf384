"""Unfinished work of the person's: under which keys the journal keeps it, and what of it is screened (SPEC section 4).

The values of a form are kept under the form's key (an item's id, a note's path). What else is kept of the same thing
has a key of its own below it, so that neither takes the place of the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memtui.proposals.model import Json

_WHOLE = "\nwhole"
_LEFT_OUT = "\nleft out"
"""After a key: no id has a line feed in it, and a path of a note ends in `.md`."""


def whole_key(key: str) -> str:
    """The key of a whole text that `$EDITOR` gave back, of the thing with this key."""
    return key + _WHOLE


def left_out_key(id: str) -> str:
    """The key of the changes that the person left out of an item."""
    return id + _LEFT_OUT


def keys_of(key: str) -> tuple[str, ...]:
    """All keys under which unfinished work on one thing is kept."""
    return (key, whole_key(key), left_out_key(key))


def wholes(keys: Iterable[str]) -> frozenset[str]:
    """Of what a whole text is kept, among the keys of all drafts."""
    return frozenset(key.removesuffix(_WHOLE) for key in keys if key.endswith(_WHOLE))


def partly(keys: Iterable[str]) -> frozenset[str]:
    """The ids of items of which changes were left out, among the keys of all drafts."""
    return frozenset(key.removesuffix(_LEFT_OUT) for key in keys if key.endswith(_LEFT_OUT))


def dump_left_out(keys: Sequence[str]) -> str:
    """Keys of changes (`left_out.Part`) as a draft keeps them."""
    return json.dumps(list(keys))


def read_left_out(text: str | None) -> tuple[str, ...]:
    """The keys of the changes again; none of what is no such draft."""
    try:
        kept = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return ()
    return tuple(key for key in kept if isinstance(key, str)) if isinstance(kept, list) else ()


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
