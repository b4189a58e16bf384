"""How a value is written in YAML, so that readers of YAML 1.1 and 1.2 both read the same string back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import TypeAlias

Value: TypeAlias = str | tuple[str, ...]
"""What a field can be set to: one string, or a list of strings."""

_ESCAPED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
# Whatever either version, or a common reader of it, takes for null, a boolean, a merge or a default value.
_WORDS = frozenset(("null", "~", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "="))
# Whatever could be an integer, a float, a base-60 number, a date or a time: rather too wide than too narrow.
_NUMBER = re.compile(r"[-+]?(?:[0-9.][0-9a-fA-F_.,:xXoOeE+-]*|\.(?:inf|nan))", re.IGNORECASE)
_TIME = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TEXT_KEYS = frozenset(("title", "description", "name", "summary", "hook"))


class EditRefused(Exception):
    """The note cannot be edited safely; the message is one sentence that says why. Nothing was changed."""


def scalar(value: str, *, flow: bool = False) -> str:
    """Return `value` as a YAML scalar on one line, plain where that is safe and double-quoted elsewhere.

    `flow` is for values inside `[...]` or `{...}`. Dates are quoted here, since plain they are not strings;
    `dated` writes them plain. Raises EditRefused where the value holds half a surrogate pair.
    """
    return value if _reads_plain(value, flow) else _double(value)


def dated(key: str, value: str) -> bool:
    """Tell whether a new `key` with this value is written as a plain date (SPEC.md section 2)."""
    return key not in _TEXT_KEYS and is_date(value)


def is_date(value: str) -> bool:
    """Tell whether `value` is a date of the calendar, written `YYYY-MM-DD`."""
    if not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def quoted(value: str, quote: str) -> str:
    """Return `value` in the quotes (`'` or `"`) that stood there; single ones only where they can hold it."""
    if quote == "'" and not _ESCAPED.search(value):
        _refuse_surrogates(value)
        return "'" + value.replace("'", "''") + "'"
    return _double(value)


def flow_list(values: tuple[str, ...]) -> str:
    """Return `[a, b]`."""
    return "[" + ", ".join(scalar(value, flow=True) for value in values) + "]"


def written(key: str, value: Value, *, flow: bool = False) -> str:
    """Return the value of a new field as it stands after `key: `."""
    if not isinstance(value, str):
        return flow_list(value)
    return value if dated(key, value) else scalar(value, flow=flow)


def block(fields: Mapping[str, Value]) -> str:
    """Return a fresh block, `---` lines included; lists in flow style, dates plain (seed 004)."""
    lines = (f"{scalar(key)}: {written(key, value)}\n" for key, value in fields.items())
    return "---\n" + "".join(lines) + "---\n"


def _reads_plain(value: str, flow: bool) -> bool:
    if not value or value != value.strip() or value[0] in _INDICATORS or value[-1] == ":":
        return False
    if ": " in value or " #" in value or _ESCAPED.search(value) or not _encodes(value):
        return False
    # Readers disagree about a colon or a question mark inside a flow collection.
    if flow and any(mark in value for mark in ",[]{}:?#"):
        return False
    if value.lower() in _WORDS:
        return False
    return not (_NUMBER.fullmatch(value) or _TIME.fullmatch(value))


def _double(value: str) -> str:
    _refuse_surrogates(value)
    text = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    return _SHORT_ESCAPES.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def _encodes(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_surrogates(value: str) -> None:
    if not _encodes(value):
        raise EditRefused("The value holds half of a surrogate pair, which cannot be written as UTF-8.")
