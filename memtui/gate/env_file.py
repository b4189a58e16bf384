"""`.env` files: `NAME=value` lines with `export`, quotes, comments and values over several lines.

A reader of its own, since python-dotenv takes longer to load than all that `memtui propose` does.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE = re.compile(
    r"""[^\S\r\n]*(?:export[^\S\r\n]+)? (?P<name>[^\s=\#'"`]+) [^\S\r\n]*=[^\S\r\n]*+
    (?: '(?P<single>(?:\\.|[^'\\])*)' | "(?P<double>(?:\\.|[^"\\])*)" | `(?P<back>[^`]*)`
      | (?P<bare>(?!['"`])[^\r\n]*) )
    [^\S\r\n]*(?:\#[^\r\n]*)?(?:\r\n|\r|\n|\Z)""",
    re.VERBOSE | re.DOTALL,
)
_IDLE = re.compile(r"[^\S\r\n]*(?:\#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")
_REST = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BREAK = re.compile(r"\r\n|\r|\n")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class EnvFile(NamedTuple):
    """What a `.env` file says."""

    values: tuple[tuple[str, str], ...]
    """Name and value, in the order of the file; a name may come twice."""
    unread: tuple[int, ...]
    """Lines, 1-based, that are neither a comment nor an assignment."""


def read_env(text: str) -> EnvFile:
    """Every assignment. In double quotes `\\n` and the like are escapes, in single ones only `\\'` and `\\\\`."""
    values: list[tuple[str, str]] = []
    unread: list[int] = []
    at, line = 0, 1
    while at < len(text):
        match = _IDLE.match(text, at)
        if match is None and (match := _LINE.match(text, at)) is not None:
            values.append((match["name"], _value(match)))
        elif match is None:
            unread.append(line)
            match = _REST.match(text, at)
        assert match is not None
        line += len(_BREAK.findall(match[0]))
        at = match.end()
    return EnvFile(tuple(values), tuple(unread))


def _value(match: re.Match[str]) -> str:
    if (single := match["single"]) is not None:
        return re.sub(r"\\(['\\])", r"\1", single)
    if (double := match["double"]) is not None:
        return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), double, flags=re.DOTALL)
    if (back := match["back"]) is not None:
        return back
    bare: str = match["bare"]
    return "" if bare.startswith("#") else re.sub(r"\s+#.*", "", bare).rstrip()
