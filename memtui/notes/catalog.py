"""The catalog: `path — summary`, one line a note, derived from the notes (SPEC.md section 2, seed 000)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from memtui.notes.head import read_fields
from memtui.notes.naming import FOLLOWERS
from memtui.notes.summary import clip_summary

Kind = Literal["entry", "note", "other"]

HEAD_BYTES = 8192
NO_SUMMARY = "(no summary)"
_FIRST_LINE = 1000
_ENTRY_FIELDS = ("title", "type", "confidence", "status")
_LINE = re.compile(r"\S.*")
_DELIMITER = re.compile(r"(?:-{3,}|\+{3,}|\*{3,}|_{3,}|={3,}|\.{3})\s*")
_HEADING = re.compile(r"#{1,6}(?:[ \t]+|$)")
_CLOSING_MARKS = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")


@dataclass(frozen=True, slots=True)
class NoteHead:
    """What the first 8 KiB of a note tell; "" for what they do not."""

    path: str
    title: str
    description: str
    first_line: str
    """The first line of the body that is not blank or a delimiter, without its heading mark: 1,000 characters of it."""
    kind: Kind
    type: str
    status: str
    confidence: str
    tags: tuple[str, ...]
    updated: str
    created: str
    mtime: float
    """Unix seconds."""

    @property
    def summary(self) -> str:
        """Description, else title, else the body's first line, else `(no summary)`; one line, clipped."""
        return (
            clip_summary(self.description)
            or clip_summary(self.title)
            or clip_summary(self.first_line)
            or NO_SUMMARY
        )


@dataclass(frozen=True, slots=True)
class Catalog:
    """What an agent reads in every prompt."""

    text: str
    """The lines, then one more that says how many notes were dropped, if any; each ends with a newline."""
    lines: tuple[tuple[str, str], ...]
    """Path and line (without its newline), sorted by path bytewise."""
    dropped: tuple[str, ...]
    """Paths of the notes that did not fit, newest first."""
    used: int
    """Bytes of the lines in UTF-8, newlines counted; the line about dropped notes is not."""
    budget: int


def read_head(path: str, head: bytes, mtime: float) -> NoteHead:
    """Read a note's head: at most its first 8 KiB count. Never raises, whatever the bytes.

    An entry has title, type, confidence and status, a note a description. Broken frontmatter makes neither, but
    what its lines plainly say is still used for the summary.
    """
    fields, names, body = read_fields(head[:HEAD_BYTES], cut=len(head) >= HEAD_BYTES)
    kind: Kind = "other"
    if all(name in names for name in _ENTRY_FIELDS):
        kind = "entry"
    elif names and fields.get("description"):
        kind = "note"
    get = fields.get
    tags = get("tags", ())
    return NoteHead(
        path=path,
        title=_text(get("title")),
        description=_text(get("description")),
        first_line=_first_line(body),
        kind=kind,
        type=_text(get("type")),
        status=_text(get("status")),
        confidence=_text(get("confidence")),
        tags=_tags(tags),
        updated=_text(get("updated")),
        created=_text(get("created")),
        mtime=mtime,
    )


def catalog(heads: Iterable[NoteHead], budget: int = 2048) -> Catalog:
    """The catalog of these notes in at most `budget` bytes (UTF-8, newlines counted).

    Deprecated entries, hidden files and index.md and tags.md at the root are left out. Lines are taken newest
    first (`updated`, else `created`, else the file's time; ties by path) until the next would not fit, and printed
    sorted by path bytewise. One line more, outside the budget, says how many were dropped.
    """
    age = _ages()
    listed = [head for head in heads if _is_listed(head)]
    ranked = sorted((-age(head), _path_bytes(head.path), head) for head in listed)
    used = taken = 0
    lines: list[tuple[bytes, str, str]] = []
    for _, key, head in ranked:
        line = _UNPRINTABLE.sub("\ufffd", f"{head.path} — {head.summary}")
        size = len(line.encode("utf-8")) + 1
        if used + size > budget:
            break
        used += size
        taken += 1
        lines.append((key, head.path, line))
    dropped = tuple(head.path for _, _, head in ranked[taken:])
    lines.sort()
    text = "".join(f"{line}\n" for _, _, line in lines)
    if dropped:
        text += f"({_count(len(dropped))} left out: the catalog holds at most {budget:,} bytes)\n"
    return Catalog(text, tuple((path, line) for _, path, line in lines), dropped, used, budget)


# --- steps ---------------------------------------------------------------------------------------


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _tags(value: object) -> tuple[str, ...]:
    """Tags of a list, or of one text with commas or blanks between."""
    parts = re.split(r"[,\s]+", value) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        return ()
    return tuple([tag for part in parts if isinstance(part, str) and (tag := part.strip().lstrip("#"))])


def _first_line(body: str) -> str:
    for found in _LINE.finditer(body):
        line = found[0]
        if line[0] in "-+*_=." and _DELIMITER.fullmatch(line):
            continue
        if line[0] == "#" and (mark := _HEADING.match(line)):
            line = _CLOSING_MARKS.sub("", line[mark.end() :])
        if text := " ".join(line.split())[:_FIRST_LINE]:
            return text
    return ""


def _is_listed(head: NoteHead) -> bool:
    if head.path in FOLLOWERS or (head.kind == "entry" and head.status.strip().casefold() == "deprecated"):
        return False
    return not (head.path.startswith(".") or "/." in head.path)


def _ages() -> Callable[[NoteHead], float]:
    """How new a note is, in unix seconds; each date is worked out once (a date is its local midnight)."""
    known: dict[str, float | None] = {"": None}

    def age(head: NoteHead) -> float:
        for text in (head.updated, head.created):
            if text not in known:
                known[text] = _seconds(text.strip())
            if (seconds := known[text]) is not None:
                return seconds
        return head.mtime

    return age


def _seconds(text: str) -> float | None:
    """Unix seconds of a date (local midnight) or of a date with a time (local, unless it names its zone)."""
    try:
        if found := _DATE.fullmatch(text):
            day = date(*map(int, found.groups()))
            return time.mktime((day.year, day.month, day.day, 0, 0, 0, 0, 0, -1))
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _path_bytes(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "replace")


def _count(number: int) -> str:
    return "1 more note is" if number == 1 else f"{number:,} more notes are"
