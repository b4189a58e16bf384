"""Setting, adding and removing fields of a YAML block by replacing just the characters of their values.

Nothing is dumped: every step returns the text with one span exchanged. `frontmatter.edit` parses the
result again and compares every other node, so a span that was chosen wrongly is refused and never written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher

from memtui.notes.scalars import (
    EditRefused,
    Value,
    dated,
    flow_list,
    is_date,
    quoted,
    scalar,
    written,
)
from memtui.notes.yaml_block import Block, Node

_REST = re.compile(r"[^\r\n]*")
_ENDING = re.compile(r"\r\n|\n|\r|\Z")
_COLON = re.compile(r"[ \t]*:")
_BLOCK_HEADER = re.compile(r"[|>][0-9+-]*(?P<comment>[ \t]+#[^\r\n]*)?")
_DASH = re.compile(r"[ \t]*-[ \t]*")
_FLOW_COMMENT = re.compile(r"(?<=[ \t\r\n,\[\]{}\"'])#[^\r\n]*[\r\n]")
_COMMA = re.compile(r"[ \t\r\n]*,[ \t]*")


def apply(text: str, block: Block, changes: Mapping[str, Value | None], ending: str) -> str:
    """Return `text` with these keys set, or removed where the value is None; new ones go last, in order.

    `ending` is the line ending before the block, for a block that has no line. Raises EditRefused.
    """
    root = block.root
    known = {key.value for key, _ in block.pairs}
    new = {key: value for key, value in changes.items() if key not in known and value is not None}
    in_flow = root is not None and root.style == "flow"
    if new:
        text = _add_in_flow(text, root, new) if root and in_flow else _add_lines(text, root, new, ending)
    gone = [key.value in changes and changes[key.value] is None for key, _ in block.pairs]
    # From the end, so that the positions of what is still to be changed stay right.
    for at, (key, old) in reversed(list(enumerate(block.pairs))):
        value = changes.get(key.value)
        if gone[at]:
            text = _remove_in_flow(text, block, gone, at) if in_flow else _remove_lines(text, key, old)
        elif value is not None and not is_same(old, value):
            text = _set(text, key, old, value, in_flow)
    return text


def is_same(node: Node, value: Value) -> bool:
    """Tell whether a field already reads as `value`."""
    return node.read() == (value if isinstance(value, str) else list(value))


# --- adding and removing -------------------------------------------------------------------------------


def _add_lines(text: str, root: Node | None, new: Mapping[str, Value], ending: str) -> str:
    indent = "" if root is None else text[_line_start(text, root.start) : root.start]
    if indent.strip():
        raise EditRefused("The frontmatter begins in an unusual way, so no field can be added safely.")
    ending = _last_ending(text) or ending
    lines = (f"{indent}{scalar(key)}: {written(key, value)}{ending}" for key, value in new.items())
    return text + "".join(lines)


def _add_in_flow(text: str, root: Node, new: Mapping[str, Value]) -> str:
    fields = [f"{scalar(key, flow=True)}: {written(key, value, flow=True)}" for key, value in new.items()]
    if not root.children:
        return _splice(text, root.start + 1, root.start + 1, ", ".join(fields))
    last = _end(root.pairs[-1])
    return _splice(text, last, last, "".join(f", {field}" for field in fields))


def _remove_lines(text: str, key: Node, value: Node) -> str:
    start = _line_start(text, key.start)
    if text[start : key.start].strip():
        raise EditRefused(
            f"The field {_name(key.value)} is written in an unusual way, so it cannot be removed safely."
        )
    return _splice(text, start, _line_end(text, _end((key, value))), "")


def _remove_in_flow(text: str, block: Block, gone: list[bool], at: int) -> str:
    """Remove a field and the comma that it needs no more; the fields that go at the end go with the last."""
    pairs = block.pairs
    if not all(gone[at:]):
        return _splice(text, pairs[at][0].start, pairs[at + 1][0].start, "")
    if at + 1 < len(pairs):
        return text
    kept = next((pair for pair, goes in zip(reversed(pairs), reversed(gone), strict=True) if not goes), None)
    if kept:
        return _splice(text, _end(kept), _end(pairs[-1]), "")
    comma = _COMMA.match(text, _end(pairs[-1]))
    return _splice(text, pairs[0][0].start, comma.end() if comma else _end(pairs[-1]), "")


def _end(pair: tuple[Node, Node]) -> int:
    return max(pair[0].end, pair[1].end)


# --- setting -------------------------------------------------------------------------------------------


def _set(text: str, key: Node, old: Node, value: Value, in_flow: bool) -> str:
    if old.kind == "list" and not isinstance(value, str):
        if old.style == "flow":
            return _set_flow_items(text, old, value)
        if value and (lines := _item_lines(text, old)):
            return _set_item_lines(text, old, value, lines)
    new = _restyle(text, key.value, old, value, in_flow)
    if old.kind != "scalar" and old.style == "block":
        return _replace_below(text, key, old, new)
    if old.start == old.end:
        return _fill_empty(text, key, new, in_flow)
    if old.style in ("|", ">"):
        return _replace_block_scalar(text, old, new)
    gap = " " if text[old.start - 1 : old.start] == ":" and new[0] not in "'\"[" else ""
    return _splice(text, old.start, old.end, gap + new)


def _restyle(text: str, key: str, old: Node, value: Value, in_flow: bool) -> str:
    """Write `value` in the old one's quotes, if they were a choice; a date where one stood plain stays plain."""
    if not isinstance(value, str):
        return flow_list(value)
    if quote := _chosen_quote(old):
        return quoted(value, quote)
    was_date = old.kind == "scalar" and is_date(text[old.start : old.end])
    if is_date(value) and (was_date or dated(key, value)):
        return value
    return scalar(value, flow=in_flow)


def _fill_empty(text: str, key: Node, new: str, in_flow: bool) -> str:
    """Put a value after `key:`, before any comment, and before trailing blanks other than the usual one."""
    colon = _COLON.match(text, key.end)
    if colon is None:
        if in_flow:
            return _splice(text, key.end, key.end, f": {new}")
        raise EditRefused(
            f"The field {_name(key.value)} is written in an unusual way, so it cannot be set safely."
        )
    at = colon.end()
    if text[at : at + 1] == " " and _ENDING.match(text, at + 1):
        return _splice(text, at + 1, at + 1, new)
    return _splice(text, at, at, f" {new}")


def _replace_block_scalar(text: str, old: Node, new: str) -> str:
    header = _BLOCK_HEADER.match(text, old.start)
    assert header is not None
    return _splice(text, old.start, max(old.end, header.end()), new + (header["comment"] or ""))


def _replace_below(text: str, key: Node, old: Node, new: str) -> str:
    """Replace the lines of a block list or map by a value on the key's own line, whose comment stays.

    Comment lines between the items of a simple list stay, too.
    """
    colon = _COLON.match(text, key.end)
    if colon is None or not (below := _line_end(text, key.end)) or below > old.start:
        raise EditRefused(
            f"The field {_name(key.value)} is written in an unusual way, so it cannot be set safely."
        )
    for start, end in reversed(_item_lines(text, old) or [(below, _line_end(text, old.end))]):
        text = _splice(text, start, end, "")
    return _splice(text, colon.end(), colon.end(), f" {new}")


# --- lists ---------------------------------------------------------------------------------------------


def _set_flow_items(text: str, old: Node, values: tuple[str, ...]) -> str:
    """Change a `[a, b]` list between the items that stay at its two ends."""
    items = old.children
    head, tail = _common_ends(items, values)
    gone = items[head : len(items) - tail]
    new = _restyle_items(items, values[head : len(values) - tail], flow=True)
    if len(gone) == len(new):
        for item, value in reversed(tuple(zip(gone, new, strict=True))):
            text = _splice(text, item.start, item.end, value)
        return text
    comma = _separator(text, items)
    if gone and (new or (head and tail)):
        start, end = gone[0].start, gone[-1].end
        if not new:
            end = items[len(items) - tail].start
        return _cut(text, start, end, comma.join(new))
    if gone and head:
        return _cut(text, items[head - 1].end, gone[-1].end, "")
    if gone and tail:
        return _cut(text, gone[0].start, items[len(items) - tail].start, "")
    if head:
        return _splice(text, items[head - 1].end, items[head - 1].end, comma + comma.join(new))
    if tail:
        return _splice(text, items[0].start, items[0].start, comma.join(new) + comma)
    return _cut(text, old.start, old.end, "[" + ", ".join(new) + "]")


def _cut(text: str, start: int, end: int, new: str) -> str:
    """Replace a part of a `[a, b]` list; refuse where a comment would be lost that stands between its lines."""
    if _FLOW_COMMENT.search(text, start, end):
        raise EditRefused(
            "A comment stands between the items of a list, and would be lost: change it by hand."
        )
    return _splice(text, start, end, new)


def _set_item_lines(text: str, old: Node, values: tuple[str, ...], lines: list[tuple[int, int]]) -> str:
    """Change a list of `- a` lines item by item: every item that stays, and every comment line, is left alone."""
    items = old.children
    indent = text[lines[0][0] : items[0].start].rstrip(" \t")
    gap = text[lines[0][0] + len(indent) : items[0].start] or " "
    ending = _ending_before(text, lines[0][1])
    new = _restyle_items(items, values, flow=False)
    steps = SequenceMatcher(None, [item.read() for item in items], values, autojunk=False).get_opcodes()
    for step, start, end, first, last in reversed(steps):
        if step == "equal":
            continue
        replaced = min(end - start, last - first)
        added = "".join(f"{indent}{gap}{item}{ending}" for item in new[first + replaced : last])
        for line in reversed(lines[start + replaced : end]):
            text = _splice(text, *line, "")
        # Right below the item before it, on that one's side of any comment.
        at = lines[start + replaced - 1][1] if start + replaced else lines[0][0]
        text = _splice(text, at, at, added)
        for number in reversed(range(replaced)):
            item = items[start + number]
            apart = " " if text[item.start - 1] == "-" else ""  # an empty item stands right behind its dash
            text = _splice(text, item.start, item.end, apart + new[first + number])
    return text


def _item_lines(text: str, old: Node) -> list[tuple[int, int]]:
    """Start and end of every item's line; [] for no list, or where an item is not a plain line of its own."""
    lines: list[tuple[int, int]] = []
    if old.kind != "list":
        return lines
    for item in old.children:
        start, end = _line_start(text, item.start), _line_end(text, item.end)
        one_line = (
            item.kind == "scalar" and item.style not in ("|", ">") and end == _line_end(text, item.start)
        )
        if not one_line or not _DASH.fullmatch(text, start, item.start):
            return []
        lines.append((start, end))
    return lines


def _common_ends(items: tuple[Node, ...], values: tuple[str, ...]) -> tuple[int, int]:
    """How many items stay as they are at the beginning and at the end."""
    most = min(len(items), len(values))
    head = 0
    while head < most and is_same(items[head], values[head]):
        head += 1
    tail = 0
    while tail < most - head and is_same(items[-1 - tail], values[-1 - tail]):
        tail += 1
    return head, tail


def _restyle_items(items: tuple[Node, ...], values: tuple[str, ...], *, flow: bool) -> list[str]:
    """Write new items in the quotes that all the old ones have."""
    quote = max((_chosen_quote(item) for item in items), default="")
    if quote and len({item.style for item in items}) == 1:
        return [quoted(value, quote) for value in values]
    return [scalar(value, flow=flow) for value in values]


def _chosen_quote(old: Node) -> str:
    """Return the quotes of a value, "" where it has none or `scalar` would have had to set them."""
    if old.kind != "scalar" or old.style not in ("'", '"'):
        return ""
    needed = scalar(old.value) != old.value and not is_date(old.value)
    return "" if needed and old.style == '"' else old.style


def _separator(text: str, items: tuple[Node, ...]) -> str:
    if len(items) < 2:
        return ", "
    between = text[items[0].end : items[1].start]
    return between if between.strip() == "," else ", "


# --- lines ---------------------------------------------------------------------------------------------


def _splice(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line_end(text: str, at: int) -> int:
    """Past the ending of the line that holds `at`."""
    rest = _REST.match(text, at)
    assert rest is not None
    ending = _ENDING.match(text, rest.end())
    assert ending is not None
    return ending.end()


def _last_ending(text: str) -> str:
    return _ending_before(text, len(text))


def _ending_before(text: str, at: int) -> str:
    if text.endswith("\r\n", 0, at):
        return "\r\n"
    return text[at - 1 : at] if text.endswith(("\n", "\r"), 0, at) else ""


def _name(key: str) -> str:
    return f"`{key[:80]}`"
