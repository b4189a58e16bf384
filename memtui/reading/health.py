"""Health of a memory folder: index and notes in step, links, tags, vocabulary, frontmatter (SPEC.md section 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from memtui.notes import entry, frontmatter, index, tags
from memtui.notes.folder import Folder, FolderError
from memtui.proposals.context import INDEX, TAGS, one_line
from memtui.proposals.tagpick import LEAST, MOST
from memtui.reading.library import Library
from memtui.review.items import Finding

_Sheet = TypeVar("_Sheet")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class _Read:
    path: str
    found: frontmatter.Frontmatter
    entry: entry.Entry | None
    locked: str
    """Why no update can change its frontmatter; "" where one can."""


def check(folder: Folder, library: Library, types: tuple[str, ...] = ()) -> tuple[Finding, ...]:
    """Every finding, by file. Reads the whole folder; writes nothing. Raises FolderError."""
    reader = _Reader(folder)
    listed, aside = folder.survey()
    heads = library.heads()
    paths = [*heads, *(note.path for note in listed if note.path not in heads)]
    notes: dict[str, _Read] = {}
    for path in paths:
        if path not in (INDEX, TAGS) and (data := reader.read(path)) is not None:
            notes[path] = _read(path, data)
    lines = _keyed(index.read_index, reader, INDEX)
    dictionary = _keyed(tags.read_tags, reader, TAGS)
    findings = reader.findings
    findings += [Finding(path, reason, "unreadable") for path, reason in aside if path not in reader.refused]
    for note in notes.values():
        findings.extend(_frontmatter(note))
        if note.entry is not None:
            findings.extend(_vocabulary(note.path, note.entry, types))
            findings.extend(_dates(note.path, note.entry))
            findings.extend(_links(note.path, note.entry, notes))
            findings.extend(() if dictionary is None else _tags(note.path, note.entry, dictionary))
            findings.extend(() if lines is None else _line(note.path, note.entry, lines))
    findings.extend(() if lines is None else _index(lines, notes))
    findings.extend(() if dictionary is None else _dictionary(dictionary))
    return tuple(sorted(findings, key=lambda finding: (finding.file, finding.kind, finding.message)))


def _read(path: str, data: bytes) -> _Read:
    found = entry.read_entry(data)
    return _Read(path, frontmatter.read(data), found, frontmatter.why_locked(data) if found else "")


class _Reader:
    """Reads files of the folder; each that is refused is a finding."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.findings: list[Finding] = []
        self.refused: set[str] = set()

    def read(self, path: str) -> bytes | None:
        try:
            return self._folder.read(path)
        except FolderError as error:
            self.refused.add(path)
            self.findings.append(Finding(path, str(error), "unreadable"))
            return None


def _keyed(read: Callable[[bytes | None], _Sheet], reader: _Reader, path: str) -> _Sheet | None:
    """index.md or tags.md as it stands; None where it cannot be read, so that nothing is said against it."""
    data = reader.read(path)
    return None if path in reader.refused else read(data)


def _frontmatter(note: _Read) -> Iterator[Finding]:
    if note.found.problem:
        yield Finding(note.path, f"its frontmatter does not parse ({note.found.problem}): mend it", "yaml")
    elif note.locked:
        yield Finding(note.path, f"no update can change it: {note.locked.rstrip('.')}", "yaml")


def _vocabulary(path: str, read: entry.Entry, types: tuple[str, ...]) -> Iterator[Finding]:
    for name, value, known in (
        ("type", read.type, (*entry.TYPES, *types)),
        ("confidence", read.confidence, entry.CONFIDENCES),
        ("status", read.status, entry.STATUSES),
    ):
        if value not in known:
            yield Finding(path, f"its {name} is “{value}”: use one of {', '.join(known)}", "vocabulary")


def _dates(path: str, read: entry.Entry) -> Iterator[Finding]:
    for name, value in (("created", read.created), ("updated", read.updated)):
        if value and not _is_date(value):
            yield Finding(path, f"its {name} is “{value}”: write a date as YYYY-MM-DD", "date")


def _is_date(value: str) -> bool:
    try:
        return _DATE.fullmatch(value) is not None and bool(date.fromisoformat(value))
    except ValueError:
        return False


def _dictionary(dictionary: tags.TagDictionary) -> Iterator[Finding]:
    for name in dictionary.duplicates:
        yield Finding(TAGS, f"#{name} has two lines: remove one", "dictionary")
    for parent in dictionary.parents:
        if parent not in dictionary.tags:
            yield Finding(
                TAGS,
                f"a heading stands for what is under #{parent}, which has no line: add one",
                "dictionary",
            )


def _tags(path: str, read: entry.Entry, dictionary: tags.TagDictionary) -> Iterator[Finding]:
    if not LEAST <= len(read.tags) <= MOST:
        yield Finding(path, f"it has {len(read.tags)} tags: an entry has 2 to 5", "tag-count")
    for tag in read.tags:
        if tags.normalise(tag) not in dictionary.tags:
            yield Finding(
                path, f"#{tag} is not in tags.md: add it there or choose a known tag", "unknown-tag"
            )


def _links(path: str, read: entry.Entry, notes: dict[str, _Read]) -> Iterator[Finding]:
    if not read.superseded_by:
        return
    if read.status == "active":
        yield Finding(
            path,
            f"it is active, and its successor is {one_line(read.superseded_by)}: drop the link or mark it deprecated",
            "link",
        )
    if read.superseded_by not in notes:
        yield Finding(
            path, f"its successor {one_line(read.superseded_by)} does not exist: drop the link", "link"
        )
        return
    seen, here = {path}, read.superseded_by
    while here and here not in seen:
        seen.add(here)
        following = notes[here].entry if here in notes else None
        here = following.superseded_by if following else ""
    if here == path:
        yield Finding(path, "its chain of successors comes back to itself: drop one link", "link")


def _line(path: str, read: entry.Entry, lines: index.Index) -> Iterator[Finding]:
    if path in lines.duplicates:
        yield Finding(INDEX, f"{path} has two lines: remove one", "index")
        return
    line = lines.get(path)
    if line is None:
        yield Finding(INDEX, f"{path} has no line: add one", "index")
        return
    for name, here, there in (
        ("title", _one_line(line.title), _one_line(read.title)),
        ("type", line.type, _one_line(read.type)),
        ("tags", _plain(line.tags_beside(read.tags)), _plain(read.tags)),
        ("mark", line.deprecated, read.status == "deprecated"),
    ):
        if here != there:
            yield Finding(INDEX, f"the {name} of {path} differs from the entry's: change the line", "index")


def _one_line(text: str) -> str:
    """White space collapsed, as far as a line can carry it."""
    return " ".join(text.split())


def _plain(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(tags.normalise(name) for name in names)


def _index(lines: index.Index, notes: dict[str, _Read]) -> Iterator[Finding]:
    for line in lines.entries:
        note = notes.get(line.filename)
        if note is None:
            yield Finding(INDEX, f"a line names {line.filename}, which does not exist: remove it", "index")
        elif note.entry is None and not note.found.problem:
            yield Finding(INDEX, f"a line names {line.filename}, which is no entry: remove it", "index")
