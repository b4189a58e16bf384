"""Proposals, plans and problems as plain frozen values (SPEC.md sections 3 and 4)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

from memtui.notes.lines import KeyedLine

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None

SOURCES = ("user", "conversation", "file", "web", "inferred")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something cannot be done: the field it concerns ("" for the whole) and one clear sentence."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know before deciding.

    `kind` is one of "stale", "hidden", "keys-lost", "description", "yaml", "tag", "changed", "duplicate",
    "secret-scan", "log", "index", "instruction", "gate", "emptied"; `alarm` marks those shown as `!!`.
    """

    kind: str
    message: str
    alarm: bool = False
    spans: tuple[tuple[str, int, int], ...] = ()
    """Where in the proposal's own text it is: the field's path, start and end in characters; () for no place."""


# --- proposals -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What every proposal says of itself. These are claims, and shown as such."""

    operation: ClassVar[str] = ""

    id: str
    agent: str = ""
    session: str = ""
    cwd: str = ""
    source: str = ""
    created: str = ""
    attended: bool | None = None
    reason: str = ""
    base_sha256: str = ""
    ref: str = ""
    """The name that siblings of a batch use for this member ("" for none)."""
    batch: str = ""
    """The id of the batch that it is a member of ("" for none)."""
    unknown: Mapping[str, Json] = field(default_factory=dict)
    """Fields that no rule knows: kept and shown."""

    # By hand, since making them anew for each operation takes a third of the time that this module loads in.
    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
        )

    @property
    def target(self) -> str:
        """The note's path or filename as the proposal gives it; "" for an add."""
        return ""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Write(Proposal):
    """A note with a one-line summary, replaced whole (seed 000)."""

    operation: ClassVar[str] = "write"
    path: str
    summary: str
    content: str

    @property
    def target(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class NewTag:
    """A tag that a proposal (or the person) wants in the dictionary."""

    tag: str
    level: int = 1
    parent: str = ""
    description: str = ""
    not_to_be_confused_with: tuple[str, ...] = ()
    because: str = ""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Add(Proposal):
    """A new typed entry."""

    operation: ClassVar[str] = "add"
    title: str
    body: str
    type: str
    confidence: str
    context: str
    tags: tuple[str, ...] | None = None
    hook: str | None = None
    new_tags: tuple[NewTag, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Update(Proposal):
    """A change of an entry's body, fields or hook."""

    operation: ClassVar[str] = "update"
    filename: str
    body: str | None = None
    fields: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    hook: str | None = None
    change: str | None = None
    new_tags: tuple[NewTag, ...] = ()

    @property
    def target(self) -> str:
        return self.filename


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Supersede(Proposal):
    """An entry marked deprecated."""

    operation: ClassVar[str] = "supersede"
    filename: str
    successor: str = ""
    """A filename, or `ref:<name>` of a sibling in the batch; "" for none."""

    @property
    def target(self) -> str:
        return self.filename


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Delete(Proposal):
    """A note removed, on the person's own words."""

    operation: ClassVar[str] = "delete"
    filename: str
    user_command: str

    @property
    def target(self) -> str:
        return self.filename


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Contradiction(Proposal):
    """Something that an entry does not fit; the person picks how it is settled."""

    operation: ClassVar[str] = "contradiction"
    filename: str
    statement: str
    refinement: Update | None = None
    replacement: Add | None = None

    @property
    def target(self) -> str:
        return self.filename


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One exact-match replacement: `old` must occur exactly once."""

    old: str
    new: str


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Edit(Proposal):
    """Exact text exchanged in a note."""

    operation: ClassVar[str] = "edit"
    path: str
    edits: tuple[TextEdit, ...]

    @property
    def target(self) -> str:
        return self.path


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Replace(Proposal):
    """A whole file as the agent would have written it."""

    operation: ClassVar[str] = "replace"
    path: str
    text: str

    @property
    def target(self) -> str:
        return self.path


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rename(Proposal):
    """A note moved; what points to it follows."""

    operation: ClassVar[str] = "rename"
    path: str
    new_path: str

    @property
    def target(self) -> str:
        return self.path


OPERATIONS: Mapping[str, type[Proposal]] = {
    kind.operation: kind
    for kind in (Write, Add, Update, Supersede, Delete, Contradiction, Edit, Replace, Rename)
}


# --- plans ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileChange:
    """The exact bytes of one note before and after; None where there is no such file."""

    path: str
    before: bytes | None
    after: bytes | None
    origin: str | None = None
    """The path it had before a rename, else None."""


@dataclass(frozen=True, slots=True)
class LineChange:
    """One keyed line of index.md (key: filename) or tags.md (key: tag); None where it is absent."""

    path: str
    key: str
    before: KeyedLine | None
    after: KeyedLine | None


Change: TypeAlias = FileChange | LineChange


@dataclass(frozen=True, slots=True)
class Plan:
    """What a proposal would do, exactly. What is shown is the plan, and what is applied is that plan."""

    changes: tuple[Change, ...] = ()
    notices: tuple[Notice, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Not empty: it cannot be approved as it is."""
    wants: tuple[str, ...] = ()
    """What the person must still give: "choice", "tags", "new_tags". Not empty: it cannot be approved yet."""
    choices: tuple[str, ...] = ()
    """Of a contradiction: those of "refinement", "replacement", "both" that it offers."""
    new_tags: tuple[NewTag, ...] = ()
    """Tags that its approval would add to the dictionary."""
    suggested_tags: tuple[tuple[str, str], ...] = ()
    """Tag and reason, best first, where tags are wanted."""
    result: Mapping[str, Json] = field(default_factory=dict)
    """What the agent is answered once it is applied."""
    wanted: bytes | None = None
    """Of an existing note: the whole text that was asked for, before date and log follow; None where no part of it
    can be left out by itself."""
    left_out: tuple[str, ...] = ()
    """Keys of the parts that the person left out (`left_out.parts`)."""

    @property
    def hash(self) -> str:
        """SHA-256 of the effect, 64 hex digits: what an approval is bound to."""
        return hashlib.sha256(json.dumps([_canonical(c) for c in self.changes]).encode("ascii")).hexdigest()

    @property
    def ready(self) -> bool:
        """Whether it can be approved as it stands."""
        return bool(self.changes) and not self.problems and not self.wants

    def with_notices(self, *notices: Notice) -> Plan:
        return replace(self, notices=(*self.notices, *notices))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data)


def _canonical(change: Change) -> Json:
    if isinstance(change, FileChange):
        return ["file", change.path, change.origin, _digest(change.before), _digest(change.after)]
    return ["line", change.path, change.key, *map(_canonical_line, (change.before, change.after))]


def _canonical_line(line: KeyedLine | None) -> Json:
    if line is None:
        return None
    return [line.section, line.text, line.below] if line.below else [line.section, line.text]
