"""Health of a memory folder: index and notes in step, links, tags, vocabulary, frontmatter (SPEC.md section 5)."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from memtui.notes import entry, frontmatter, index, tags
from memtui.notes.folder import Folder, FolderError
from memtui.notes.links import maybe_links, maybe_wiki_links, real_links, resolve, target_of
from memtui.notes.wiki_names import Names
from memtui.proposals.context import INDEX, TAGS, one_line
from memtui.proposals.tagpick import LEAST, MOST
from memtui.reading.advice import advise, unwritten
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
    broken: tuple[str, ...]
    """Targets of its Markdown links that lead nowhere, as written."""
    unwritten: tuple[str, ...]
    """Names in its wiki links that mean no note."""


def check(
    folder: Folder,
    library: Library,
    types: tuple[str, ...] = (),
    *,
    today: date | None = None,
    advice: bool = True,
) -> tuple[Finding, ...]:
    """Every finding by file, then the advice, if that is wanted. Reads the whole folder; writes nothing.

    Raises FolderError.
    """
    reader = _Reader(folder)
    listed, aside = folder.survey()
    heads = library.heads()
    paths = [*heads, *(note.path for note in listed if note.path not in heads)]
    titles = ((path, heads[path].title if path in heads else "") for path in paths)
    leads = _Leads(folder, paths, Names(titles) if advice else None)
    notes: dict[str, _Read] = {}
    for path in paths:
        if path not in (INDEX, TAGS) and (data := reader.read(path)) is not None:
            notes[path] = _read(path, data, leads)
    lines = _keyed(index.read_index, reader, INDEX)
    dictionary = _keyed(tags.read_tags, reader, TAGS)
    findings = reader.findings
    findings += [Finding(path, reason, "unreadable") for path, reason in aside if path not in reader.refused]
    circles = _circles(notes)
    for note in notes.values():
        findings.extend(_frontmatter(note))
        findings.extend(_broken(note.path, note.broken))
        if note.entry is not None:
            findings.extend(_vocabulary(note.path, note.entry, types))
            findings.extend(_dates(note.path, note.entry))
            findings.extend(_links(note, notes, circles))
            findings.extend(_tags(note.path, note.entry, dictionary))
            findings.extend(() if lines is None else _line(note.path, note.entry, lines))
    findings.extend(() if lines is None else _index(lines, notes))
    findings.extend(() if dictionary is None else _dictionary(dictionary))
    findings.extend(_pages(reader, leads, lines))
    if advice:
        findings += advise(heads.values(), library.catalog(), today or date.today())
        findings += (unwritten(note.path, note.unwritten) for note in notes.values() if note.unwritten)
    return tuple(sorted(findings, key=lambda found: (found.advice, found.file, found.kind, found.message)))


class _Leads:
    """Where links of notes lead: to what the folder holds, or nowhere."""

    def __init__(self, folder: Folder, paths: Iterable[str], named: Names | None) -> None:
        self._folder, self._paths = folder, _composed(paths)
        self._named = named
        self._names: dict[str, frozenset[str]] = {}

    def nowhere(self, text: str, at: str, told: Collection[str] = ()) -> tuple[str, ...]:
        """Targets, as written, of a text's links to notes that are not there; `told` are paths to pass over."""
        suspects = [
            place
            for place in maybe_links(text)
            if (path := self._missed(place.written, at)) and path not in told
        ]
        return tuple(dict.fromkeys(place.written for place in real_links(text, suspects)))

    def unwritten(self, text: str, at: str) -> tuple[str, ...]:
        """Names, as written, in a text's wiki links that mean no note; none where nobody asks."""
        named = self._named
        if named is None:
            return ()
        suspects = [
            place
            for place in maybe_wiki_links(text)
            if _names_a_note(place.written.strip()) and not named.meant(place.written, at)
        ]
        found = real_links(text, suspects) if suspects else ()
        return tuple(dict.fromkeys(place.written.strip() for place in found))

    def _missed(self, written: str, at: str) -> str:
        """The path of a note that a target means and that is not there, "" for any other target."""
        asked, whole = target_of(written), target_of(written, query=False)
        if asked is None or whole is None:
            return ""
        path = resolve(asked.path, at)
        if path in (".", "..") or path.startswith("../") or not _names_a_note(path):
            return ""
        return "" if self._is_there(path) or self._is_there(resolve(whole.path, at)) else path

    def _is_there(self, path: str) -> bool:
        path = unicodedata.normalize("NFC", path)
        if path in self._paths or f"{path}.md" in self._paths:
            return True
        directory, name = posixpath.split(path)
        if directory not in self._names:
            try:
                self._names[directory] = _composed(self._folder.names(directory))
            except FolderError:
                self._names[directory] = frozenset()
        return name in self._names[directory]


def _composed(names: Iterable[str]) -> frozenset[str]:
    """Names in Unicode's composed form, in which a link means them whichever form it is written in."""
    return frozenset(unicodedata.normalize("NFC", name) for name in names)


def _names_a_note(path: str) -> bool:
    """Whether a path ends as one of a note, or in no suffix, which may be a folder or a note named in short."""
    name = posixpath.basename(path)
    return name.casefold().endswith(".md") or "." not in name


def _read(path: str, data: bytes, leads: _Leads) -> _Read:
    found, read = frontmatter.read(data), entry.read_entry(data)
    # A change log is history, and what it links to may be gone.
    text = data[found.body_start :].decode("utf-8", "replace") if read is None else read.body
    locked = frontmatter.why_locked(data) if read else ""
    return _Read(path, found, read, locked, leads.nowhere(text, path), leads.unwritten(text, path))


class _Reader:
    """Reads files of the folder; each that is refused is a finding."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.findings: list[Finding] = []
        self.refused: set[str] = set()
        self.pages: dict[str, str] = {}
        """The texts of index.md and tags.md."""

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
    if path in reader.refused:
        return None
    try:
        reader.pages[path] = (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        reader.findings.append(Finding(path, "no line of it can be changed: save it as UTF-8", "unreadable"))
    return read(data)


def _pages(reader: _Reader, leads: _Leads, lines: index.Index | None) -> Iterator[Finding]:
    """Broken links in index.md and tags.md, but for those that make an index line, which are told of elsewhere."""
    told = {line.filename for line in lines.entries} if lines else set()
    for page, text in reader.pages.items():
        yield from _broken(page, leads.nowhere(text, page, told))


def _broken(path: str, targets: tuple[str, ...]) -> Iterator[Finding]:
    for written in targets:
        yield Finding(path, f"its link to {_clip(written)} leads nowhere: correct it or take it out", "link")


def _clip(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


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
    for name, value in (
        ("created", read.created),
        ("updated", read.updated),
        ("superseded_at", read.superseded_at),
    ):
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


def _tags(path: str, read: entry.Entry, dictionary: tags.TagDictionary | None) -> Iterator[Finding]:
    """Tags that count twice, are too few or many, are written oddly, or are unknown (None: nobody can tell)."""
    names = Counter(name for tag in read.tags if (name := tags.normalise(tag)))
    if not LEAST <= len(names) <= MOST:
        count = f"{len(names)} tag{'' if len(names) == 1 else 's'}"
        yield Finding(path, f"it has {count}: an entry has {LEAST} to {MOST}", "tag-count")
    for name, count_of in names.items():
        if count_of > 1:
            yield Finding(path, f"it has the tag #{name} more than once: keep one", "tag-twice")
        if dictionary is not None and name not in dictionary.tags:
            yield Finding(
                path, f"#{name} is not in tags.md: add it there or choose a known tag", "unknown-tag"
            )
    for tag in dict.fromkeys(read.tags):
        if (name := tags.normalise(tag)) != tag:
            do = f"write it as {one_line(_clip(name))}" if name else "take it out"
            yield Finding(path, f"its tag “{one_line(_clip(tag))}” is not plain: {do}", "tag-form")


def _links(note: _Read, notes: dict[str, _Read], circles: frozenset[str]) -> Iterator[Finding]:
    path = note.path
    if isinstance(note.found.fields.get("superseded_by"), list | dict):
        yield Finding(path, "its superseded_by is no plain text: name one file there", "link")
    following = _successor(note)
    if not following:
        return
    if note.entry is not None and note.entry.status == "active":
        yield Finding(
            path,
            f"it is active, and its successor is {one_line(following)}: drop the link or mark it deprecated",
            "link",
        )
    if following not in notes:
        yield Finding(path, f"its successor {one_line(following)} does not exist: drop the link", "link")
        return
    if path in circles:
        yield Finding(path, "its chain of successors comes back to itself: drop one link", "link")


def _circles(notes: dict[str, _Read]) -> frozenset[str]:
    """The notes whose chain of successors comes back to them."""
    found: set[str] = set()
    passed: set[str] = set()
    for path in notes:
        trail: dict[str, None] = {}
        here = path
        while here in notes and here not in passed:
            passed.add(here)
            trail[here] = None
            here = _successor(notes[here])
        if here in trail:
            steps = list(trail)
            found.update(steps[steps.index(here) :])
    return frozenset(found)


def _successor(note: _Read) -> str:
    """The path that an entry's `superseded_by` means, "" where there is none."""
    return (
        resolve(note.entry.superseded_by.strip(), "")
        if note.entry and note.entry.superseded_by.strip()
        else ""
    )


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
    return tuple(dict.fromkeys(tags.normalise(name) for name in names))


def _index(lines: index.Index, notes: dict[str, _Read]) -> Iterator[Finding]:
    for line in lines.entries:
        note = notes.get(line.filename)
        if note is None:
            yield Finding(INDEX, f"a line names {line.filename}, which does not exist: remove it", "index")
        elif note.entry is None and not note.found.problem:
            yield Finding(INDEX, f"a line names {line.filename}, which is no entry: remove it", "index")
