"""Entries of seed 004: their vocabularies, their body and their change log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memtui.notes import markdown
from memtui.notes.frontmatter import EditRefused, Value, block, read

TYPES = ("fact", "belief", "preference", "event", "goal", "constraint")
CONFIDENCES = ("high", "medium", "low")
STATUSES = ("active", "deprecated")
LOG_HEADING = "## Change log"

_MARKS = ("title", "type", "confidence", "status")
_LOG_LINE = re.compile(r" {0,3}[-*+](?:[ \t]+|$)")
_NEWLINES = re.compile(r"\r\n|\r")
_RAW_HTML = re.compile(r"(?im)^ {0,3}<(?:script|pre|style|textarea|\?|!)")
"""What may open raw HTML that does not end at a blank line (CommonMark's HTML blocks 1 to 5)."""
_FALLBACK = "surrogateescape"
"""Bytes that are not UTF-8 pass through a rewrite unchanged."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One typed entry. Fields are as written, whatever their values; "" where absent."""

    title: str
    type: str
    confidence: str
    status: str
    created: str
    updated: str
    superseded_at: str
    superseded_by: str
    description: str
    tags: tuple[str, ...]
    body: str
    log: tuple[str, ...]
    """The lines of its change log without their `- `, oldest first."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """Character offsets into a note: body, then (where there is one) the change log."""

    text: str
    start: int
    """Of the body."""
    heading: int
    """Start of the log's heading; the end of the text where there is no log."""
    section: tuple[markdown.Line, ...]
    """The log section's lines, its heading first; () where there is no log."""

    @property
    def body(self) -> str:
        return _plain(_shown(self.text[self.start : self.heading]))

    @property
    def log(self) -> tuple[str, ...]:
        found: list[list[str]] = []
        wraps = False
        for line in self.section[1:]:
            mark = _LOG_LINE.match(line.text) if line.kind == "text" else None
            if mark:
                found.append([line.text[mark.end() :].strip()])
            elif wraps and _continues(line):
                found[-1].append(line.text.strip())
            wraps = bool(mark) or (wraps and _continues(line))
        return tuple(_shown(" ".join(item)) for item in found)


def is_entry(fields: Mapping[str, object]) -> bool:
    """Tell whether frontmatter is an entry's: title, type, confidence and status, whatever their values."""
    return all(name in fields for name in _MARKS)


def read_entry(data: bytes) -> Entry | None:
    """Read an entry; None where the note is not one or its frontmatter cannot be parsed."""
    fields = read(data).fields
    if not is_entry(fields):
        return None

    def text(name: str) -> str:
        value = fields.get(name, "")
        return value if isinstance(value, str) else ""

    parts = _split(data)
    return Entry(
        title=text("title"),
        type=text("type"),
        confidence=text("confidence"),
        status=text("status"),
        created=text("created"),
        updated=text("updated"),
        superseded_at=text("superseded_at"),
        superseded_by=text("superseded_by"),
        description=text("description"),
        tags=_tags(fields.get("tags", "")),
        body=parts.body,
        log=parts.log,
    )


def body_of(data: bytes) -> str:
    """Return the text between frontmatter and change log, LF throughout, without newlines at its two ends."""
    return _split(data).body


def log_of(data: bytes) -> tuple[str, ...]:
    """Return the change log's lines without their `- `; a wrapped line is joined to one."""
    return _split(data).log


def earlier_log(body: str) -> tuple[str, ...]:
    """Return the lines of change logs that stand in a body, above the last one, without their `- `."""
    found, inside = [], False
    for line in markdown.lines(body):
        if line.kind == "heading" and line.level <= 2:
            inside = _is_log_heading(line)
        elif inside and line.kind == "text" and (mark := _LOG_LINE.match(line.text)):
            found.append(line.text[mark.end() :].strip())
    return tuple(found)


def check_body(body: str) -> str | None:
    """Return why `body` cannot be the body of an entry, in one sentence, or None (SPEC.md section 3, add)."""
    text = _NEWLINES.sub("\n", body)
    start = read(text.encode(errors="replace"))
    if start.kind in ("yaml", "toml") or (start.kind == "broken" and start.body_start):
        return "The body opens with frontmatter of its own; give the fields by themselves."
    if any(_is_log_heading(line) for line in markdown.lines(text)):
        return f"The body holds a `{LOG_HEADING}` heading, which memtui writes itself; leave it out."
    if open_end := _left_open(text):
        return f"The body leaves {_named(open_end)} open, which would swallow the change log; close it."
    if _swallows_heading(text):
        return (
            "The body leaves raw HTML (such as `<pre>`) open, which would swallow the change log; close it."
        )
    return None


def replace_body(data: bytes, body: str) -> bytes:
    """Return the note with another body, written in the file's line ending.

    The blank lines around the old body, the frontmatter, the change log and all else stay as they are. Raises
    EditRefused where `body` cannot stand there.
    """
    wanted = _plain(body)
    parts = _split(data)
    if wanted == parts.body:
        return data
    if problem := check_body(body):
        raise EditRefused(problem)
    if not parts.section:
        _refuse_swallowed(parts)
    if any(_is_log_heading(line) for line in markdown.lines(parts.text[: parts.heading], parts.start)):
        raise EditRefused(
            f"It has an earlier `{LOG_HEADING}` section above the last one, which a new body would erase; "
            "use an edit instead."
        )
    old = parts.text[parts.start : parts.heading]
    ending = _newline(parts.text, parts.start)
    before, after = _around(old, ending, has_log=bool(parts.section))
    text = before + wanted.replace("\n", ending) + after if wanted else before + after
    head = parts.text[: parts.start]
    if head and wanted and not head.endswith(("\n", "\r", "\ufeff")):
        text = ending + text  # the closing delimiter was the file's last line and had no ending
    result = (head + text + parts.text[parts.heading :]).encode(errors=_FALLBACK)
    found = _split(result)
    if found.body != wanted or found.log != parts.log:
        raise EditRefused("The body cannot be told apart from the text around it, so it was not written.")
    return result


def append_log(data: bytes, line: str) -> bytes:
    """Return the note with one more change-log line (given without `- `), after the last one.

    The log is the last `## Change log` heading outside code fences and comments; where there is none it is
    made at the end of the file. Line ending and missing final newline are the file's own. Raises EditRefused.
    """
    parts = _split(data)
    one_line = _log_line(line)
    if parts.section:
        at, new = _place_in_log(parts, one_line)
    else:
        if open_end := _left_open(parts.text[parts.start :]):
            raise EditRefused(
                f"The note leaves {_named(open_end)} open, which would swallow a change log; close it first."
            )
        at, new = len(parts.text), _new_section(parts.text, one_line)
    result = (parts.text[:at] + new + parts.text[at:]).encode(errors=_FALLBACK)
    if log_of(result) != (*parts.log, one_line[2:]):
        raise EditRefused("The change log is written in a way that a line cannot safely be added to.")
    return result


def new_entry(
    *, title: str, tags: tuple[str, ...], type: str, confidence: str, date: str, body: str, context: str
) -> bytes:
    """Return a new entry in the form of seed 004, dated `YYYY-MM-DD`. Raises EditRefused for a bad body."""
    if problem := check_body(body):
        raise EditRefused(problem)
    fields: dict[str, Value] = {
        "title": title,
        "tags": tags,
        "type": type,
        "confidence": confidence,
        "status": "active",
        "created": date,
        "updated": date,
    }
    log = _log_line(f"{date} — created during conversation about {context}")
    return f"{block(fields)}\n{_plain(body)}\n\n{LOG_HEADING}\n{log}\n".encode()


def _split(data: bytes) -> _Parts:
    start = read(data).body_start
    head = data[:start].decode(errors=_FALLBACK)
    text = head + data[start:].decode(errors=_FALLBACK)
    section: list[markdown.Line] = []
    for line in markdown.lines(text, len(head)):
        if _is_log_heading(line):
            section = [line]
        elif section and not (section[-1].kind == "heading" and section[-1].level <= 2 and section[1:]):
            section.append(line)
    if len(section) > 1 and section[-1].kind == "heading" and section[-1].level <= 2:
        section.pop()
    return _Parts(text, len(head), section[0].start if section else len(text), tuple(section))


def _is_log_heading(line: markdown.Line) -> bool:
    return line.kind == "heading" and line.level == 2 and line.heading.strip().casefold() == "change log"


def _place_in_log(parts: _Parts, one_line: str) -> tuple[int, str]:
    """Where a log line goes and how: after the last one and what is wrapped below it, else last of all."""
    last = 0
    for number, line in enumerate(parts.section):
        if line.kind == "text" and _LOG_LINE.match(line.text):
            last = number
    if last:
        while last + 1 < len(parts.section) and _continues(parts.section[last + 1]):
            last += 1
    else:
        last = max(number for number, line in enumerate(parts.section) if line.text.strip())
    above = parts.section[last]
    if above.ending:
        return above.end, one_line + _newline(parts.text, above.end)
    return above.end, _newline(parts.text, above.start) + one_line


def _log_line(text: str) -> str:
    # Markdown shows an escaped `<!--` just the same, and it cannot open a comment over the lines below.
    return "- " + re.sub(r"(?<!\\)<!--", r"\\<!--", " ".join(text.split()))


def _continues(line: markdown.Line) -> bool:
    return line.kind == "text" and bool(line.text.strip())


def _new_section(text: str, one_line: str) -> str:
    ending = _newline(text, len(text))
    if not text:
        return f"{LOG_HEADING}\n{one_line}\n"
    if not text.endswith(("\n", "\r")):
        return f"{ending}{ending}{LOG_HEADING}{ending}{one_line}"
    blank = "" if re.search(r"(?>\r\n|\n|\r){2}\Z", text) else ending
    return f"{blank}{LOG_HEADING}{ending}{one_line}{ending}"


def _around(old: str, ending: str, *, has_log: bool) -> tuple[str, str]:
    """Return the line endings before and after a body; for an empty one, those that seed 004 would have."""
    start = len(old) - len(old.lstrip("\r\n"))
    if start < len(old):
        return old[:start], old[len(old.rstrip("\r\n")) :]
    found = re.findall(r"\r\n|\n|\r", old)
    missing = (2 if has_log and found else 1) - len(found[1:])
    return "".join(found[:1]), "".join(found[1:]) + ending * missing


def _refuse_swallowed(parts: _Parts) -> None:
    """Refuse a body that ends in an open fence or comment with a change log inside: it would be lost."""
    text = parts.text[parts.start :]
    open_end = _left_open(text)
    if open_end and re.search(r"(?im)^ {0,3}##[ \t]+change log", text):
        raise EditRefused(f"The note leaves {_named(open_end)} open above its change log; close it first.")


def _left_open(text: str) -> markdown.Kind | None:
    """Return "fence" or "comment" where `text` ends inside one, so that lines below it would be lost."""
    *_, last = markdown.lines(text + "\n\nend")
    return last.kind if last.kind in ("fence", "comment") else None


def _swallows_heading(text: str) -> bool:
    """Tell whether a heading below `text` would be part of raw HTML that is left open."""
    if not _RAW_HTML.search(text):
        return False
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").disable("inline").parse(f"{text}\n\n{LOG_HEADING}\n")
    return tokens[-1].type != "heading_close"


def _newline(text: str, near: int) -> str:
    """Return the line ending in use; a lone CR where the note has no other one."""
    return "\r" if "\r" in text and "\n" not in text else markdown.newline(text, near)


def _named(kind: markdown.Kind) -> str:
    return "a code fence" if kind == "fence" else "an HTML comment"


def _shown(text: str) -> str:
    return text if text.isascii() else text.encode(errors=_FALLBACK).decode(errors="replace")


def _plain(text: str) -> str:
    return _NEWLINES.sub("\n", text).strip("\n")


def _tags(value: object) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(item.strip() for item in items if isinstance(item, str) and item.strip())
