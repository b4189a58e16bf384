"""The fields of a note's head, read quickly: plain one-line fields by pattern, YAML only where that is not enough.

A folder of 10,000 notes is read at every catalog, where even the C parser of YAML would take more than a second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

Fields = Mapping[str, object]
"""Field names and their values: texts, tuples or lists of texts, other things where YAML has them."""

_OPENING = re.compile(r"(---|\+\+\+)[ \t]*\n")
_CLOSING = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE),
}
_ODD = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
_PLAIN = rf"[^{_ODD} \-?:,\[\]{{}}#&*!|>'\"%@`](?:[^{_ODD}:#]++|:(?=[^\s{_ODD}])|(?<! )#)*+"
_QUOTED = rf"\"[^\"\\{_ODD}]*+\"|'[^'{_ODD}]*+'"
_FLOW = rf"\[[^\[\]{{}}#&*!|>%@`:\\?{_ODD}]*+\]"
_SIMPLE = re.compile(
    rf"(?P<key>[A-Za-z_][\w-]*+) *:(?: +(?P<value>{_QUOTED}|{_FLOW}|{_PLAIN}))? *(?:(?<= )#[^{_ODD}]*+)?\n"
    rf"(?P<items>(?: *- +(?:{_QUOTED}|{_PLAIN}) *\n)*+)"
    rf"(?P<nested>(?: +[A-Za-z_][\w-]*+: +(?:{_QUOTED}|{_PLAIN}) *\n)*+)"
)
_NOTHING = re.compile(rf" *(?:#[^{_ODD}]*+)?\n")
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_LOOSE = re.compile(r"^(title|description|updated|created)[ \t]*[:=][ \t]*(\S.*)$", re.MULTILINE)
_FIELD = re.compile(r"(?:[ \t]+\S|- |[\w-]+[ \t]*:).*(?:\n|\Z)")
_FIRST_FIELD = {
    "---": re.compile(r"[a-z_][\w-]*[ \t]*:(?=\s|\Z)", re.MULTILINE),
    "+++": re.compile(r"[A-Za-z_][\w-]*[ \t]*=|\[+[\w.-]+\]", re.MULTILINE),
}
_KEY_LINE = re.compile(rf"^{_FIRST_FIELD['---'].pattern}", re.MULTILINE)


def read_fields(head: bytes, *, cut: bool) -> tuple[Fields, frozenset[str], str]:
    """The fields of a note's head, the names that well-formed YAML gives, and the body that is in it.

    `cut`: the note goes on after `head`. Broken YAML and TOML give what their lines plainly say, and no names.
    Never raises.
    """
    text = _decode(head).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    opening = _OPENING.match(text)
    if opening is None:
        return {}, frozenset(), text
    sign = opening[1]
    closing = _CLOSING[sign].search(text, opening.end())
    if closing:
        block, body = text[opening.end() : closing.start()], text[closing.end() :]
    elif cut:
        block, body = text[opening.end() : text.rfind("\n") + 1], ""
    else:
        return _read_unclosed(text, opening.end())
    if sign == "+++":
        return _read_loose(block), frozenset(), body
    fields: Fields | None = _read_simple(block)
    if fields is None:
        fields = _read_yaml(block)
    if fields is None and is_prose(block):
        return {}, frozenset(), text[opening.end() :]
    if fields is None:
        return _read_loose(block), frozenset(), body
    return fields, frozenset(fields), body


def is_cut_off(sign: str, text: str) -> bool:
    """Whether the text below an opening `sign` that nothing closes is a frontmatter that was cut off.

    A note may as well begin with a thematic break, after which comes a blank line, a heading or plain words; no
    field stands right below it.
    """
    return bool(_FIRST_FIELD[sign].match(text))


def is_prose(block: str) -> bool:
    """Whether what stands between two lines `---`, and cannot be read as fields, is text between two breaks."""
    return not block.partition("\n")[0].strip() and not _KEY_LINE.search(block)


def _decode(head: bytes) -> str:
    try:
        return head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":  # cut inside a character
            return head[: error.start].decode("utf-8")
        return head.decode("utf-8", "replace")


def _read_unclosed(text: str, start: int) -> tuple[Fields, frozenset[str], str]:
    """A block that is opened and never closed: what looks like fields, and a body after that."""
    end = start
    if not is_cut_off(text[:3], text[start:]):
        return {}, frozenset(), text[start:]
    while found := _FIELD.match(text, end):
        end = found.end()
    return _read_loose(text[start:end]), frozenset(), text[end:]


def _read_simple(block: str) -> dict[str, object] | None:
    """The fields of a block that holds plain one-line fields and simple lists alone; None for any other."""
    fields: dict[str, object] = {}
    at = 0
    while at < len(block):
        found = _SIMPLE.match(block, at)
        if found is None:
            blank = _NOTHING.match(block, at)
            if blank is None:
                return None
            at = blank.end()
            continue
        key, value, items, nested = found.groups()
        at = found.end()
        if items or nested:
            if value or (items and nested):
                return None
            fields[key] = [_scalar(item.strip()[1:].strip()) for item in items.splitlines()] if items else {}
        elif value and value[0] == "[":
            if (listed := _read_flow(value[1:-1])) is None:
                return None
            fields[key] = listed
        else:
            fields[key] = _scalar(value.rstrip()) if value else ""
    return fields


def _scalar(text: str) -> str:
    if text[0] in "\"'":
        return text[1:-1]
    return "" if text in _NULLS else text


def _read_flow(inside: str) -> list[str] | None:
    """The items of a flow list, None where a quoted one holds a comma or quote."""
    items = []
    for part in inside.split(","):
        item = part.strip()
        if not item:
            continue
        if item[0] in "\"'":
            if len(item) < 2 or item[-1] != item[0] or item[0] in item[1:-1]:
                return None
            items.append(item[1:-1])
        elif item[0] == "-":
            return None
        else:
            items.append("" if item in _NULLS else item)
    return items


def _read_yaml(block: str) -> Fields | None:
    """The fields as YAML has them (texts alone, its size capped), None where it is broken."""
    from memtui.notes.frontmatter import read

    found = read(f"---\n{block}---\n".encode("utf-8", "replace"))
    return found.fields if found.kind == "yaml" else None


def _read_loose(block: str) -> Fields:
    """What the lines of a block that cannot be parsed, or is TOML, plainly say."""
    fields: dict[str, object] = {}
    for name, value in _LOOSE.findall(block):
        text = value.strip()
        if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
            text = text[1:-1]
        if text not in ("|", ">", "|-", ">-"):
            fields.setdefault(name, text)
    return fields
