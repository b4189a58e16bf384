"""A JSON file as the lines that a person would write: what is screened whole, as it is meant.

In the file itself a line break is `\\n`, and the next field's name and value stand right behind a value: neither is a
part of it. Names stay with their values, names that are given twice too, and what belongs together stays together.
"""

from __future__ import annotations

import json
from typing import Any

_MANY = 200
"""Fields from which on they are one text, with blank lines between."""


class _Pairs(list[tuple[str, Any]]):
    """An object, with every name in it."""


def json_lines(data: bytes) -> dict[str, str] | None:
    """A text for each field of a JSON object, or of each member of its `proposals`, by its path; None where it is none.

    Numbers are as they were written. Never raises.
    """
    try:
        found = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_Pairs,
            parse_int=str,
            parse_float=str,
            parse_constant=str,
        )
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, _Pairs):
        return None
    texts: dict[str, str] = {}
    _fields(found, "", texts)
    return texts if len(texts) <= _MANY else {"": "\n\n".join(texts.values())}


def _fields(pairs: _Pairs, path: str, texts: dict[str, str]) -> None:
    for name, value in pairs:
        if name == "proposals" and not path and isinstance(value, list) and not isinstance(value, _Pairs):
            for number, member in enumerate(value, 1):
                inside = f"proposals.{number}."
                _fields(member if isinstance(member, _Pairs) else _Pairs([("", member)]), inside, texts)
            continue
        text = "\n".join(_lines(name, value))
        at = f"{path}{name}"
        texts[at] = f"{texts[at]}\n{text}" if at in texts else text


def _lines(name: str, value: Any) -> list[str]:
    """`name: value`, each part of it on a line of its own below."""
    lines: list[str] = []
    left: list[tuple[str, Any]] = [(f"{name}: ", value)]
    while left:
        before, part = left.pop()
        if isinstance(part, _Pairs):
            lines.append(before.rstrip())
            left += [(f"{inner}: ", each) for inner, each in reversed(part)]
        elif isinstance(part, list):
            lines.append(before.rstrip())
            left += [("- ", each) for each in reversed(part)]
        else:
            lines.append(before + ("" if part is None else str(part)))
    return lines
