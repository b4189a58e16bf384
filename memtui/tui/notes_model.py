"""The notes as rows: folder headings that fold, and a filter by words, type, tag, status, confidence and age."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time

from memtui.review.items import NoteRow


@dataclass(frozen=True, slots=True)
class Folder:
    """A heading; `path` is the folder, "" never occurs (notes at the root have none)."""

    path: str
    count: int
    folded: bool

    @property
    def key(self) -> str:
        return f"folder:{self.path}"


NotesRow = NoteRow | Folder


@dataclass
class NotesModel:
    """What the list of notes shows."""

    notes: tuple[NoteRow, ...] = ()
    filter: str = ""
    found: tuple[NoteRow, ...] | None = None
    """What a search gave, best first; None where nothing is searched for."""
    query: str = ""
    folded: set[str] = field(default_factory=set)

    def rows(self, now: float) -> Sequence[NotesRow]:
        """Flat while filtered or searched, else under folder headings, the root's notes first."""
        if self.found is not None:
            return self.found
        if self.filter:
            return [note for note in self.notes if self.matches(note, now)]
        folders: dict[str, list[NoteRow]] = {}
        for note in self.notes:
            folders.setdefault(note.path.rpartition("/")[0], []).append(note)
        rows: list[NotesRow] = list(folders.pop("", ()))
        for path in sorted(folders):
            folded = path in self.folded
            rows.append(Folder(path, len(folders[path]), folded))
            if not folded:
                rows += folders[path]
        return rows

    def matches(self, note: NoteRow, now: float) -> bool:
        return all(_word_matches(word, note, now) for word in self.filter.casefold().split())


def key_of(row: NotesRow) -> str:
    """What a row is told by, whatever else changes."""
    return row.key if isinstance(row, Folder) else row.path


def written(note: NoteRow) -> float:
    """When it was last changed, in Unix seconds: by its own word where it gives one, else the file's time."""
    try:
        said = datetime.fromisoformat(note.updated) if note.updated else None
        if said is None or said == datetime.combine(datetime.fromtimestamp(note.modified), time()):
            return note.modified  # the day alone, and the file tells the hour of it
        return said.timestamp()
    except (ValueError, OverflowError, OSError, TypeError):
        return note.modified


_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}


def _word_matches(word: str, note: NoteRow, now: float) -> bool:
    """`type:goal`, `tag:food`, `status:active`, `confidence:low`, `age:<30d`, `age:>1y`, or a word anywhere."""
    name, colon, value = word.partition(":")
    fields = {"type": note.type, "status": note.status, "confidence": note.confidence, "kind": note.kind}
    if colon and name in fields:
        return fields[name].casefold().startswith(value)
    if colon and name == "tag":
        return any(tag.casefold().startswith(value.lstrip("#")) for tag in note.tags)
    if colon and name == "age":
        return age_matches(value, (now - written(note)) / 86400)
    texts = (note.headline, note.path, note.summary, *note.tags)
    return any(word.lstrip("#") in text.casefold() for text in texts)


def age_matches(value: str, days: float) -> bool:
    """Whether an age, in days, is what a word of a filter asks for: `<6h`, `2d` (at most), `>3w`, `>1m`, `>1y`."""
    older = value.startswith(">")
    number = value.lstrip("<>")
    unit = _DAYS.get(number[-1:], 0)
    if not unit or not number[:-1].isdigit():
        return True
    limit = int(number[:-1]) * unit
    return days > limit if older else days <= limit
