"""What a plan is made from besides the proposal: a view of the folder, the day, and the person's choices."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memtui.notes import naming
from memtui.notes.folder import FolderError
from memtui.notes.lines import LineConflict
from memtui.proposals.model import Change, FileChange, LineChange, Problem

INDEX = "index.md"
TAGS = "tags.md"


if TYPE_CHECKING:

    class NoteStat(Protocol):
        """What a listing tells of a note."""

        @property
        def path(self) -> str: ...

    class FolderView(Protocol):
        """A memory folder to read from: the real one, or one with plans laid on top."""

        def read(self, path: str) -> bytes | None:
            """The bytes of a note, None where there is none."""

        def head(self, path: str, size: int = 8192) -> bytes:
            """The first `size` bytes of a note."""

        def names(self, directory: str) -> Collection[str]:
            """Names in one folder ("" for the root)."""

        def notes(self) -> Sequence[NoteStat]:
            """Every note, sorted by path."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the person picked besides yes: none of it can come from an agent."""

    choose: str | None = None
    """Of a contradiction: "refinement", "replacement" or "both"."""
    tags: tuple[str, ...] | None = None
    accept_new_tags: bool = False
    left_out: tuple[str, ...] = ()
    """Keys of the changes of the note that are not to be made (`left_out.Part`)."""


NO_CHOICES = Choices()
NOTHING_LEFT = Problem("", "Every change is left out: put one back, or reject the proposal.")


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that a plan depends on."""

    folder: FolderView
    today: str
    """YYYY-MM-DD, local, of the moment the plan is shown."""
    first_seen: int
    """Unix second in which memtui first saw the proposal."""
    choices: Choices = NO_CHOICES
    refs: Mapping[str, str] = field(default_factory=dict)
    """Names that siblings of a batch gave to their new entries, with the filenames those get."""
    types: tuple[str, ...] = ()
    """Entry types that the person added to the vocabulary."""
    own: bool = False
    """The person's own change, made in memtui: no agent's word goes into it."""
    seen: Callable[[str], str] = str
    """What its author can see of a text, which stays as long: an agent must not learn what stands in a secret."""

    def kept(self, path: str, before: bytes | None, wanted: bytes) -> bytes:
        """The text of a note without the changes that the person left out."""
        if not self.choices.left_out:
            return wanted
        from memtui.proposals.left_out import leave_out

        return leave_out(path, before, wanted, self.choices.left_out)[0]


class _Named(NamedTuple):
    """A note that a change makes."""

    path: str


class Overlay:
    """A folder with changes laid on top, for proposals that are planned one on top of the other."""

    def __init__(self, base: FolderView, changes: Sequence[Change] = ()) -> None:
        self._base = base
        self._files: dict[str, bytes | None] = {}
        for change in changes:
            self.lay(change)

    def lay(self, change: Change) -> None:
        """Lay one change on top. Raises LineConflict where a line is not what the change expects."""
        if isinstance(change, FileChange):
            if change.origin is not None:
                self._files[change.origin] = None
            self._files[change.path] = change.after
        else:
            self._files[change.path] = set_line(self.read(change.path), change)

    def read(self, path: str) -> bytes | None:
        """The bytes of a note as the changes leave it. Raises FolderError; LineConflict for index and tags."""
        if path in self._files:
            return self._files[path]
        self._check_folders(path)
        try:
            return self._base.read(path)
        except FolderError as error:
            if path in (INDEX, TAGS):
                raise LineConflict(str(error), path) from None
            raise

    def _check_folders(self, path: str) -> None:
        """Raise FolderError where a change makes a note of what has to be a folder on the way to `path`."""
        parts = path.split("/") if self._files else ()
        for count in range(1, len(parts)):
            if self._files.get(above := "/".join(parts[:count])) is not None:
                raise FolderError(f"{above} is a file, not a folder.")

    def head(self, path: str, size: int = 8192) -> bytes:
        return (self._files[path] or b"")[:size] if path in self._files else self._base.head(path, size)

    def names(self, directory: str) -> Collection[str]:
        prefix = f"{directory}/" if directory else ""
        self._check_folders(prefix)
        names = set(self._base.names(directory))
        for path, data in self._files.items():
            if not path.startswith(prefix):
                continue
            name, _, below = path.removeprefix(prefix).partition("/")
            if data is not None:
                names.add(name)
            elif not below:
                names.discard(name)
        return names

    def notes(self) -> Sequence[NoteStat]:
        listed: dict[str, NoteStat] = {note.path: note for note in self._base.notes()}
        for path, data in self._files.items():
            if data is None:
                listed.pop(path, None)
            else:
                listed.setdefault(path, _Named(path))
        return [listed[path] for path in sorted(listed, key=lambda p: p.encode("utf-8", "surrogateescape"))]


def set_line(data: bytes | None, change: LineChange) -> bytes:
    """The bytes of index.md or tags.md with one line changed. Raises LineConflict."""
    from memtui.notes import index, tags

    edit = index.set_line if change.path == INDEX else tags.set_line
    return edit(data, change.key, change.before, change.after)


def has_line(data: bytes | None, change: LineChange) -> bool:
    """Whether index.md or tags.md stands as the change would leave it."""
    from memtui.notes import index, tags

    found: index.IndexEntry | tags.Tag | None
    if change.path == INDEX:
        found = index.read_index(data).get(change.key)
    else:
        found = tags.read_tags(data).tags.get(change.key)
    if change.after is None or found is None:
        return change.after is None and found is None
    return (found.line.section, found.line.text) == (change.after.section, change.after.text)


def one_line(text: str) -> str:
    """White space collapsed to single blanks."""
    return " ".join(text.split())


def control_character(text: str) -> str:
    """The first control character (C0, DEL, C1) in one line of text, "" where it holds none."""
    if text.isprintable():
        return ""
    return next((character for character in text if unicodedata.category(character) == "Cc"), "")


def is_reserved(path: str) -> bool:
    """Whether a path is index.md or tags.md at the root, which follow by themselves (SPEC.md section 3)."""
    return naming.fold(path) in naming.FOLLOWERS
