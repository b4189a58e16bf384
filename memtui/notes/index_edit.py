"""Change parts of an index line that is there: each in its own span, every other byte stays (SPEC.md section 2).

A part of the tail that cannot be found with certainty stays as it is: people write lines in ways of their own,
and a line left is better than one garbled.
"""

from __future__ import annotations

import re
from itertools import accumulate

from memtui.notes.blocks import Blocks
from memtui.notes.index_line import (
    IndexLine,
    Mark,
    Span,
    Tail,
    match_line,
    read_line,
    read_tail,
    written_hook,
    written_tags,
    written_title,
    written_type,
)
from memtui.notes.lines import KeyedLine
from memtui.notes.vocabulary import TYPES

_NEWLINE = re.compile(r"\r\n|\n|\r")
_MARK = "[deprecated]"
_PROSE = re.compile(r"[^\[\]`#;—–|]+")
"""A hook behind a type without tags, or alone, that surely holds nothing else."""


def edit_line(text: str, old: IndexLine, new: IndexLine) -> str:
    """The line `text` (read as `old`) with what `new` has otherwise; its filename is the same.

    Where a change would not be read back, it is left out.
    """
    title = _with_title(text, old, new)
    tail = _with_tail(title, new)
    return _with_mark(tail, old.mark, new.mark)


def hook_wraps(line: KeyedLine) -> bool:
    """Whether the paragraph of a line goes on below it, so that its hook stands there in part or whole."""
    _, *below = _NEWLINE.split(line.below, maxsplit=2)
    if not below or not below[0].strip():
        return False
    blocks = Blocks()
    blocks.take(line.text)
    blocks.take(below[0])
    return blocks.paragraph and not blocks.leaf


def _with_title(text: str, old: IndexLine, new: IndexLine) -> str:
    found = match_line(text)
    if found is None or new.title == old.title:
        return text
    raw = found["title"]
    start = found.start("title") + len(raw) - len(raw.lstrip(" \t"))
    end = max(start, found.start("title") + len(raw.rstrip(" \t")))
    written = written_title(new.title)
    if old.in_table:
        written = written.replace("|", "\\|")
    changed = text[:start] + written + text[end:]
    read = read_line(changed)
    kept = read is not None and (read.title, read.filename) == (new.title, old.filename)
    return changed if kept else text


def _with_tail(text: str, new: IndexLine) -> str:
    """The line with type, tags and hook changed in the spans where they stand."""
    found = match_line(text)
    if found is None:
        return text
    start, raw = found.start("tail"), found["tail"]
    tail = _beside(read_tail(raw), new)
    old = read_line(text)
    hook = old.hook if old and tail.hook == old.raw_hook else tail.hook
    changes: list[tuple[Span, str]] = []
    if new.type != tail.type and tail.type_at and _sure_type(tail) and new.type:
        changes.append((tail.type_at, written_type(new.type)))
    bare = tail.style == "bare"
    loses_hook = bool(tail.hook) and not new.hook
    if tail.style and (new.tags != tail.tags or (bare and loses_hook)):
        span = (tail.tags_at[0][0], tail.tags_at[-1][1])
        listed, bare = _listed(raw[slice(*span)], new, bare=bare and not loses_hook)
        changes.append((span, listed))
    if new.hook != hook and (tail.style or _sure_hook(tail)):
        changes += _hook_changes(raw, tail, new, bare=bare)
    changed = raw
    for (at, end), written in sorted(changes, reverse=True):
        changed = changed[:at] + written + changed[end:]
    result = text[:start] + changed
    return result if not changes or _reads_as(result, text, new, tail) else text


def _beside(tail: Tail, new: IndexLine) -> Tail:
    """The tail with those bare words counted to the hook that the entry does not have as tags.

    Which words of a bare line are tags shows only beside the entry (`IndexEntry.hook_beside`).
    """
    if tail.style != "bare":
        return tail
    words = ", ".join((*tail.tags, tail.hook))
    begins = list(accumulate((len(tag) + 2 for tag in tail.tags), initial=0))
    kept = len(words) - len(new.hook)
    known = begins.index(kept) if words.endswith(new.hook) and kept in begins else len(new.tags)
    if not 0 < known < len(tail.tags):
        return tail
    if begins[known] != kept and new.tags != tail.tags[:known]:
        return tail
    hook_at = (tail.tags_at[known][0], tail.hook_at[1])
    return tail._replace(
        tags=tail.tags[:known], tags_at=tail.tags_at[:known], hook=words[begins[known] :], hook_at=hook_at
    )


def _sure_type(tail: Tail) -> bool:
    """Whether the first word is a type, and not the first one of a hook."""
    return (
        tail.style == "bracketed"
        or tail.type in TYPES
        or (tail.type == tail.type.lower() and bool(tail.style))
    )


def _sure_hook(tail: Tail) -> bool:
    """Whether the hook of a line without tags is surely one."""
    known = not tail.type or tail.type in TYPES
    return tail.separated and known and _PROSE.fullmatch(tail.hook) is not None


def _listed(raw: str, new: IndexLine, *, bare: bool) -> tuple[str, bool]:
    """The new tags as the old ones were written, and whether they are bare."""
    listed = written_tags(new.tags, bare=bare)
    bare = not listed.startswith("[")
    parts = raw.strip("[] \t").split(",")
    if all(part.strip(" \t").startswith("#") for part in parts) and new.tags and "\\" not in listed:
        listed = re.sub(r"(^\[?|, )", r"\1#", listed)
    if len(parts) > 1 and all(part == part.lstrip(" \t") for part in parts[1:]) and "\\" not in listed:
        listed = listed.replace(", ", ",")
    return listed, bare


def _hook_changes(raw: str, tail: Tail, new: IndexLine, *, bare: bool) -> list[tuple[Span, str]]:
    at, end = tail.hook_at
    hook = written_hook(new.hook, bare=bare or tail.style == "")
    if at == end and hook:
        comma = raw[:at].rstrip(" \t").endswith(",") or not (tail.type or tail.style)
        blank = " " if raw[:at].endswith((",", "—", "–", "-")) else ""
        return [((at, end), f"{blank}{hook}" if comma else f", {hook}")]
    if not hook:  # its comma goes with it
        at = len(raw[:at].rstrip(" \t").removesuffix(",").rstrip(" \t"))
    return [((at, end), hook)]


def _reads_as(changed: str, before: str, new: IndexLine, tail: Tail) -> bool:
    """Whether a changed line holds what it should, and the rest as before."""
    old, read = read_line(before), read_line(changed)
    if old is None or read is None or (read.title, read.filename) != (old.title, old.filename):
        return False
    if read.mark != old.mark or (tail.type and read.type != (new.type if _sure_type(tail) else tail.type)):
        return False
    if read.style == "bracketed" or not tail.style:
        return read.hook == new.hook and (not tail.style or read.tags == new.tags)
    # Bare tags and words of the hook cannot be told apart on the line alone.
    return (read.tags, read.hook) == (new.tags, new.hook) or (
        _words(*read.tags, read.raw_hook) == _words(*new.tags, new.hook)
    )


def _words(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


# --- the mark ------------------------------------------------------------------------------------


def _with_mark(text: str, old: Mark, new: Mark) -> str:
    """The line with the mark set or taken away."""
    if old == new or (old and new):
        return text
    changed = _unmarked(text) if old else _marked(text, new)
    before, after = read_line(text), read_line(changed)
    kept = before and after and (after.title, after.filename) == (before.title, before.filename)
    if not (kept and after and bool(after.mark) == bool(new)):
        changed = _marked(text, "lead") if new else text
    return changed


def _marked(text: str, place: Mark) -> str:
    found = match_line(text)
    if found is None:
        return text
    start = found.start("tail")
    tail = read_tail(found["tail"])
    if place == "lead":
        at = found.end("lead")
        return f"{text[:at]}{_MARK} {text[at:]}"
    if place == "type" and tail.type_at:
        return _put(text, start + tail.type_at[0], f"{_MARK}, ")
    if place == "tags" and tail.tags_at:
        return _put(text, start + tail.tags_at[0][0], f"{_MARK}, ")
    if place == "hook" and tail.style and tail.hook and not tail.hook.startswith(","):
        return _put(text, start + tail.hook_at[0], f"{_MARK} ")
    if place == "link":
        return _put(text, start, f" {_MARK}")
    return _put(text, len(text.rstrip(" \t")), f" {_MARK}")


def _put(text: str, at: int, what: str) -> str:
    return text[:at] + what + text[at:]


def _unmarked(text: str) -> str:
    found = match_line(text)
    if found is None:
        return text
    if found["mark"]:
        return text[: found.start("mark")] + text[found.end("mark") :]
    tail = read_tail(found["tail"])
    if tail.mark_at is None:
        return text
    start, end = (found.start("tail") + at for at in tail.mark_at)
    if tail.mark in ("link", "end"):  # the blanks behind it were there without it
        end = start + len(text[start:end].rstrip(" \t,"))
    else:
        start += len(text[start:end]) - len(text[start:end].lstrip(" \t"))
    return text[:start] + text[end:]
