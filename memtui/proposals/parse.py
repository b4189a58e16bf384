"""Spool bytes to a tree of plain values: JSON, YAML and Markdown with frontmatter (SPEC.md section 3).

Everything here is hostile until proven otherwise, and nothing is raised: what cannot be used is either one
`Problem` for the whole file, or an `Unusable` in the tree, so that its field can be named and the rest of the
file (its id, its other members) still counts. YAML is loaded only for files that are YAML.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memtui.proposals.model import Json, Problem
from memtui.proposals.tree import (
    BODY_FIELDS,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_FIELDS,
    MAX_NAME,
    MAX_OWN_VALUES,
    Plain,
    Table,
    Tree,
    Unusable,
)

_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")


_SHAPELESS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that are drawn as nothing."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file as a table of fields, or the one problem that it has as a whole."""

    fields: Mapping[str, Tree]
    problem: Problem | None = None


def parse(name: str, data: bytes) -> Parsed:
    """Read one spool file by the ending of its name. Never raises."""
    if len(data) > MAX_BYTES:
        return _failed(f"The file has {len(data):,} bytes: send at most {MAX_BYTES:,} bytes in one file.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _failed(f"The file is not UTF-8 at byte {error.start + 1}: save it as UTF-8.")
    if not text.strip():
        return _failed("The file is empty: write the proposal's fields into it.")
    kind = name.rpartition(".")[2].lower()
    if kind == "json":
        return _parse_json(text)
    if kind in ("yaml", "yml"):
        return _parse_yaml(text, "YAML")
    if kind == "md":
        return _parse_markdown(text)
    return _failed("The file's name must end in .json, .yaml, .yml or .md: rename it to what it holds.")


def resolve(value: Tree) -> Json:
    """The value that a tree spells; unquoted YAML scalars become booleans and numbers as JSON has them."""
    if isinstance(value, Plain):
        return _spelled(str(value))
    if isinstance(value, dict):
        return {str(key): resolve(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(inner) for inner in value]
    if isinstance(value, Unusable):
        return None
    checked: Json = value
    return checked


def flaws(value: Tree, path: str = "") -> Iterator[Problem]:
    """Every value of a proposal that cannot be used, by its path: doubled fields, half characters, odd numbers.

    Stops after the first problem that concerns the whole (too deep, too many values or fields).
    """
    counted = 1
    waiting: list[tuple[str, Tree, int]] = [(path, value, 1)]
    while waiting:
        where, here, depth = waiting.pop()
        if isinstance(here, Unusable):
            yield Problem(where, f"{mention(where)} {here.message}")
        elif isinstance(here, str):
            if has_half_character(here):
                yield Problem(
                    where, f"{mention(where)} holds half of a character pair: send whole characters."
                )
        elif isinstance(here, dict | list | tuple):
            if depth > MAX_DEPTH:
                top = re.split(r"[.\[]", where)[0]
                yield Problem(top, f"Values are nested more than {MAX_DEPTH} deep: flatten them.")
                return
            counted += len(here)
            if crowd := _crowd(here, counted):
                yield Problem(path, f"{mention(where)} {crowd}")
                return
            if isinstance(here, dict):
                yield from _name_flaws(here, where)
                inner = [(join(where, str(key)), each) for key, each in here.items()]
            else:
                inner = [(f"{where}[{number}]", each) for number, each in enumerate(here)]
            waiting.extend((each_path, each, depth + 1) for each_path, each in reversed(inner))


def _crowd(here: Tree, counted: int) -> str:
    """What is wrong with the number of values in a table or list, the end of a sentence; told before it is read.

    `counted`: values of the proposal up to here.
    """
    if isinstance(here, dict) and len(here) > MAX_FIELDS:
        return f"has {len(here):,} fields: give at most {MAX_FIELDS} in one table."
    if counted > MAX_OWN_VALUES:
        return (
            f"has {len(here):,} values, with which the proposal has more than {MAX_OWN_VALUES:,}:"
            " split it into several proposals."
        )
    return ""


def holds_more(value: Tree, most: int) -> bool:
    """Whether a tree has more than `most` values; nothing deep or wide makes this long."""
    counted, waiting = 1, [value]
    while waiting and counted <= most:
        here = waiting.pop()
        if isinstance(here, dict | list | tuple):
            counted += len(here)
            if counted <= most:
                waiting.extend(here.values() if isinstance(here, dict) else here)
    return counted > most


def join(path: str, name: str) -> str:
    """The path of a field inside a table."""
    name = clip(name)
    return f"{path}.{name}" if path else name


def mention(path: str) -> str:
    """A field's path as a message names it."""
    return f"`{path}`" if path else "The file"


def clip(text: str, length: int = 80) -> str:
    """Text from outside as part of a message: at most `length` characters, all of them whole."""
    if has_half_character(text):
        text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= length else text[: length - 1] + "…"


def body_of(operation: str, under: str) -> str:
    """The value that text under the frontmatter stands for; only of a `replace` do blank lines at its start
    count, since everywhere else they merely set the text off from the frontmatter.
    """
    if operation == "replace":
        return under
    blank = _BLANK_LINES.match(under)
    return under[blank.end() :] if blank else under


def _name_flaws(table: Mapping[str, Tree], where: str) -> Iterator[Problem]:
    if isinstance(table, Table):
        for name in table.doubled:
            path = join(where, name)
            yield Problem(path, f"`{path}` is given more than once: say it once.")
    for key in table:
        if not isinstance(key, str) or len(key) > MAX_NAME or has_half_character(key):
            path = join(where, str(key))
            yield Problem(path, f"A field's name must be text of at most {MAX_NAME} characters: shorten it.")


def has_half_character(text: str) -> bool:
    """Whether text holds a lone surrogate, which no UTF-8 file can."""
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _failed(message: str) -> Parsed:
    return Parsed({}, Problem("", message))


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"line {line}, column {column}"


# --- JSON ----------------------------------------------------------------------------------------


def _parse_json(text: str) -> Parsed:
    try:
        tree = json.loads(
            text,
            object_pairs_hook=_table,
            parse_constant=lambda name: Unusable(f"is {name}, which is no value: leave it out."),
            parse_int=_integer,
            parse_float=_real,
        )
    except json.JSONDecodeError as error:
        return _failed(_json_message(text, error))
    except RecursionError:
        return _failed(f"Values are nested more than {MAX_DEPTH} deep: flatten them.")
    return _as_fields(tree)


def _json_message(text: str, error: json.JSONDecodeError) -> str:
    end = len(text.rstrip())
    if error.pos >= end or error.msg.startswith("Unterminated string"):
        return f"The file is cut off at {_place(text, end)}: write it whole, then rename it into the spool."
    what = error.msg[:1].lower() + error.msg[1:]
    return f"The file is not JSON at {_place(text, error.pos)} ({what}): correct it there."


def _table(pairs: list[tuple[str, Tree]]) -> dict[str, Tree]:
    table = dict(pairs)
    return table if len(table) == len(pairs) else _doubled(pairs)


def _doubled(pairs: list[tuple[str, Tree]]) -> Table:
    table = Table()
    doubled: dict[str, None] = {}
    for name, value in pairs:
        if name in table:
            doubled[name] = None
        table[name] = value
    table.doubled = tuple(doubled)
    return table


def _integer(digits: str) -> int | Unusable:
    if len(digits) > MAX_DIGITS:
        return Unusable(f"is a number of {len(digits):,} digits: send it as text.")
    return int(digits)


def _real(digits: str) -> float | Unusable:
    number = float(digits) if len(digits) <= MAX_DIGITS else math.inf
    return number if math.isfinite(number) else Unusable("is a number too large to keep: send it as text.")


def _as_fields(tree: Tree) -> Parsed:
    if not isinstance(tree, dict):
        return _failed("The file must hold one table of fields: put the proposal's fields into { }.")
    return Parsed(tree)


# --- YAML ----------------------------------------------------------------------------------------

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def _spelled(text: str) -> Json:
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    number = _NUMBER.fullmatch(text) if len(text) <= MAX_DIGITS else None
    if number is None:
        return text
    if number[1] is None and number[2] is None:
        return int(text)
    real = float(text)
    return real if math.isfinite(real) else text


def _parse_yaml(text: str, kind: str) -> Parsed:
    from memtui.proposals.yaml_tree import YamlRefused, read_yaml

    try:
        return _as_fields(read_yaml(text))
    except YamlRefused as refused:
        return _failed(f"The {kind} cannot be read at line {refused.line}: {refused.message}.")


# --- Markdown ------------------------------------------------------------------------------------


def _parse_markdown(text: str) -> Parsed:
    opening = _OPENING.match(text)
    if opening is None:
        return _failed("The file has no frontmatter: put the fields between two lines `---` at its start.")
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return _failed("The frontmatter is cut off: end it with a line `---`, then write the text under it.")
    # The opening line stays a line, so that line numbers in messages are those of the file.
    parsed = _parse_yaml("\n" + text[opening.end() : closing.start()], "frontmatter")
    return parsed if parsed.problem else Parsed(_with_body(parsed.fields, text[closing.end() :]))


def _with_body(fields: Mapping[str, Tree], under: str) -> dict[str, Tree]:
    operation = fields.get("operation")
    name = BODY_FIELDS.get(str(operation)) if isinstance(operation, str) else None
    blank = not under.strip()
    merged = Table(fields)
    merged.doubled = getattr(fields, "doubled", ())
    if "proposals" in fields or name is None:
        if not blank and operation is not None:
            merged["body"] = Unusable(f"has no place under the frontmatter of {_an(operation)}: remove it.")
        return merged
    if fields.get(name) is not None:
        if not blank:
            merged[name] = Unusable("stands in the frontmatter and under it: keep one of the two.")
    elif not blank or name != "body":
        merged[name] = body_of(str(operation), under)
    return merged


def _an(operation: Tree) -> str:
    return f"the operation {clip(str(operation), 20)}" if isinstance(operation, str) else "a batch"


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: only white space, controls and characters without a shape."""
    return all(character in _SHAPELESS or unicodedata.category(character)[0] in "CZ" for character in text)
