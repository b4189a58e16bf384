"""Rules that every change of a typed entry shares: log lines, index line, hook (seed 004)."""

from __future__ import annotations

import re

from memtui.notes import entry, frontmatter, index
from memtui.proposals.context import INDEX, Context, one_line
from memtui.proposals.model import LineChange, Notice

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'»”’)]*\s|(?<=[。！？])")
HOOK_LENGTH = 120
"""Characters of a hook made from the body."""


def first_sentence(body: str) -> str:
    """The first sentence of a body without its full stop, one line, at most 120 characters."""
    for line in body.splitlines():
        text = one_line(line).lstrip("#>*-+ ")
        if text:
            break
    else:
        return ""
    sentence = _SENTENCE_END.split(text, maxsplit=1)[0].strip().rstrip(".。").rstrip()
    return sentence if len(sentence) <= HOOK_LENGTH else sentence[: HOOK_LENGTH - 1].rstrip() + "…"


def changed_fields(before: bytes, after: bytes) -> list[str]:
    """Names of frontmatter fields, and `body`, that differ, in the order of the file."""
    old, new = frontmatter.read(before).fields, frontmatter.read(after).fields
    names = [name for name in (*new, *(n for n in old if n not in new)) if old.get(name) != new.get(name)]
    if entry.body_of(before) != entry.body_of(after):
        names.append("body")
    return names


def critical_lines(old: entry.Entry, new: entry.Entry, reason: str) -> list[str]:
    """A log line of its own for a changed type and a changed confidence (seed 004, critical changes)."""
    return [
        f"{name} changed from {getattr(old, name)} to {getattr(new, name)}: {reason}"
        for name in ("type", "confidence")
        if getattr(old, name) != getattr(new, name)
    ]


def follow_index(
    context: Context,
    filename: str,
    *,
    title: str,
    type_: str,
    tags: tuple[str, ...],
    hook: str | None,
    deprecated: bool | None = None,
) -> tuple[list[LineChange], list[Notice]]:
    """The change of the entry's index line, and a notice where the index has none, or two.

    `hook` None keeps the present one; `deprecated` None keeps the present mark.
    """
    data = context.folder.read(INDEX)
    found = index.read_index(data)
    if filename in found.duplicates:
        return [], [Notice("index", f"index.md has two lines for {filename}: neither was changed")]
    present = found.get(filename)
    if present is None:
        return [], [Notice("index", f"index.md has no line for {filename}: none was changed")]
    wanted = (title, type_, tags, present.hook if hook is None else hook)
    marked = present.deprecated if deprecated is None else deprecated
    if wanted == (present.title, present.type, present.tags, present.hook) and marked == present.deprecated:
        return [], []
    line = index.compose(
        data,
        title=title,
        filename=filename,
        type=type_,
        tags=tags,
        hook=wanted[3],
        deprecated=marked,
    )
    return [LineChange(INDEX, filename, present.line, line)], []


def link(title: str, filename: str) -> str:
    """A Markdown link whose text is the title, for a change log line."""
    text = re.sub(r"([\\\[\]])", r"\\\1", one_line(title))
    target = f"<{filename}>" if re.search(r"[\s()<>]", filename) else filename
    return f"[{text}]({target})"
