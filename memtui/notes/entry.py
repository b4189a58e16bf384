"""Entries of seed 004: their vocabularies, their body and their change log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memtui.notes import markdown
from memtui.notes.blocks import Blocks
from memtui.notes.frontmatter import EditRefused, Value, block, read

TYPES = ("fact", "belief", "preference", "event", "goal", "constraint")
CONFIDENCES = ("high", "medium", "low")
STATUSES = ("active", "deprecated")
LOG_HEADING = "## Change log"

_MARKS = ("title", "type", "confidence", "status")
_LOG_LINE = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_LIKE_HEADING = re.compile(r"(?i) {0,3}##[ \t]+change log[ \t]*#*[ \t]*")
_NEWLINES = re.compile(r"\r\n|\r")
_RAW_HTML = re.compile(r"(?m)^ {0,3}<[A-Za-z/?!]")
"""What may open raw HTML, of which some kinds end at a blank line and some at a mark of their own."""
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
    earlier: tuple[markdown.Line, ...] = ()
    """The lines of all other log sections, without their headings."""
    hidden: str = ""
    """What hides a line that reads like a log's heading and is none; what stands below it is in `earlier`."""

    @property
    def body(self) -> str:
        return _plain(_shown(self.text[self.start : self.heading]))

    @property
    def log(self) -> tuple[str, ...]:
        found = []
        for start, end in self.items:
            first, *more = self.section[start:end]
            words = [_LOG_LINE.sub("", first.text, count=1), *(line.text for line in more if _has_text(line))]
            found.append(_shown(" ".join(part.strip() for part in words)))
        return tuple(found)

    @property
    def items(self) -> list[tuple[int, int]]:
        """Where in `section` each list item begins and ends."""
        found: list[tuple[int, int]] = []
        end = 1
        for row, line in enumerate(self.section):
            if row >= end and line.kind == "text" and _LOG_LINE.match(line.text):
                end = markdown.item_end(self.section, row, len(self.section))
                found.append((row, end))
        return found


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
    """Return the change log's list items without their marks, each as one line; code in them is left out."""
    return _split(data).log


def keeps_log(before: bytes, after: bytes) -> bool:
    """Tell whether every line of the change logs stays as it was, new ones standing below the last item only.

    A log whose heading something left open hides counts too.
    """
    old, new = _split(before), _split(after)
    if new.log[: len(old.log)] != old.log:
        return False
    items = old.items
    end = items[-1][1] if items else len(old.section)
    kept = _written((*old.earlier, *old.section[1:end]))
    found = _written((*new.earlier, *new.section[1:]))
    if found[: len(kept)] != kept:
        return False
    rest = iter(found[len(kept) :])
    return all(line in rest for line in _written(old.section[end:]))


def log_trouble(data: bytes) -> str | None:
    """Return why no line can be added to the change log, in one sentence, or None."""
    try:
        append_log(data, "line")
    except EditRefused as refusal:
        return str(refusal)
    return None


def has_log(data: bytes) -> bool:
    """Tell whether a note has a change log that can be read."""
    return bool(_split(data).section)


def check_body(body: str) -> str | None:
    """Return why `body` cannot be the body of an entry, in one sentence, or None (SPEC.md section 3, add)."""
    text = _NEWLINES.sub("\n", body)
    start = read(text.encode(errors="replace"))
    if start.kind in ("yaml", "toml") or (start.kind == "broken" and start.body_start):
        return "The body opens with frontmatter of its own; give the fields by themselves."
    lines = markdown.lines(text)
    if any(map(_is_log_heading, lines)) or _in_html(lines):
        return f"The body holds a `{LOG_HEADING}` heading, which memtui writes itself; leave it out."
    if open_end := _open_end(text, f"\n\n{LOG_HEADING}\n", "heading_close"):
        return f"The body leaves {open_end} open, which would swallow the change log; close it."
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
    _refuse_hidden(parts)
    if parts.earlier:
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
    _refuse_hidden(parts)
    one_line = _log_line(line)
    if parts.section:
        at, new = _place_in_log(parts, one_line)
    else:
        at, new = len(parts.text), _new_section(parts.text, one_line)
    if open_end := _open_end(parts.text[parts.start : at], new, "bullet_list_close"):
        raise EditRefused(f"The note leaves {open_end} open, which swallows its change log; close it first.")
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
    lines = markdown.lines(text, len(head))
    left_open = _left_open(text[len(head) :]) if lines and lines[-1].kind in ("fence", "comment") else None
    earlier: list[markdown.Line] = []
    section: list[markdown.Line] = []
    inside: list[markdown.Line] | None = None
    hidden = ""
    in_html = {line.start for line in _in_html(lines)}
    for line in lines:
        if _is_log_heading(line):
            earlier += section[1:]
            section = inside = [line]
        elif line.kind == "heading" and line.level <= 2:
            inside = None
        elif line.start in in_html or (line.kind == left_open and not section and _is_like_heading(line)):
            hidden = hidden or _named(line.kind)
            inside = earlier if inside is None else inside
        elif inside is not None:
            inside.append(line)
    heading = section[0].start if section else len(text)
    return _Parts(text, len(head), heading, tuple(section), tuple(earlier), hidden)


def _is_log_heading(line: markdown.Line) -> bool:
    return line.kind == "heading" and line.level == 2 and line.heading.strip().casefold() == "change log"


def _in_html(lines: Sequence[markdown.Line]) -> list[markdown.Line]:
    """The lines that read like a log's heading and are none, since they are raw HTML outside of list items."""
    if not any(line.kind == "text" and _is_like_heading(line) for line in lines):
        return []
    blocks = Blocks()
    outside = [line for line in lines if not blocks.hold(line.kind, line.text)]
    return [line for line in outside if line.kind == "text" and _is_like_heading(line)]


def _is_like_heading(line: markdown.Line) -> bool:
    return "#" in line.text[:4] and bool(_LIKE_HEADING.fullmatch(line.text))


def _place_in_log(parts: _Parts, one_line: str) -> tuple[int, str]:
    """Where a log line goes and how: after the last list item, else last of all."""
    if items := parts.items:
        last = items[-1][1] - 1
    else:
        last = max(number for number, line in enumerate(parts.section) if line.text.strip())
    above = parts.section[last]
    if above.ending:
        return above.end, one_line + _newline(parts.text, above.end)
    return above.end, _newline(parts.text, above.start) + one_line


def _log_line(text: str) -> str:
    # Markdown shows an escaped `<!--` just the same, and it cannot open a comment over the lines below.
    return "- " + re.sub(r"(?<!\\)<!--", r"\\<!--", " ".join(text.split()))


def _written(lines: Iterable[markdown.Line]) -> list[str]:
    """What stands in the lines of a log section: blank ones, and what underlines its heading, aside."""
    return [line.text.rstrip() for line in lines if line.kind != "underline" and line.text.strip()]


def _has_text(line: markdown.Line) -> bool:
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


def _refuse_hidden(parts: _Parts) -> None:
    """Refuse a note with a change log that is not told apart from the text around it: it would be lost."""
    if parts.hidden == _named("text"):
        raise EditRefused(
            f"The note has a `{LOG_HEADING}` line that is no heading, since it stands inside {parts.hidden}; put "
            "a blank line above it first."
        )
    if parts.hidden:
        raise EditRefused(f"The note leaves {parts.hidden} open above its change log; close it first.")


def _left_open(text: str) -> markdown.Kind | None:
    """Return "fence" or "comment" where `text` ends inside one, so that lines below it would be lost."""
    *_, last = markdown.lines(text + "\n\nend")
    return last.kind if last.kind in ("fence", "comment") else None


def _open_end(text: str, added: str, closing: str) -> str:
    """Return what `text` leaves open, so that `added` below it would be lost; "" where it leaves nothing.

    `closing` is the Markdown token that `added` ends with where it is not lost.
    """
    if kind := _left_open(text):
        return _named(kind)
    if not _RAW_HTML.search(text):
        return ""
    from markdown_it import MarkdownIt

    last = MarkdownIt("commonmark").disable("inline").parse(text + added)[-1]
    return "" if (last.type, last.level) == (closing, 0) else "raw HTML (such as `<pre>`)"


def _newline(text: str, near: int) -> str:
    """Return the line ending in use; a lone CR where the note has no other one."""
    return "\r" if "\r" in text and "\n" not in text else markdown.newline(text, near)


def _named(kind: markdown.Kind) -> str:
    if kind == "text":
        return "raw HTML"
    return "a code fence" if kind == "fence" else "an HTML comment"


def _shown(text: str) -> str:
    return text if text.isascii() else text.encode(errors=_FALLBACK).decode(errors="replace")


def _plain(text: str) -> str:
    return _NEWLINES.sub("\n", text).strip("\n")


def _tags(value: object) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(item.strip() for item in items if isinstance(item, str) and item.strip())
