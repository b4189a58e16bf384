"""What the journal holds, as plain values: records, their items, files and lines."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from memtui.proposals.model import Json, LineChange
    from memtui.storage.splice import Splice

RecordState = Literal["intent", "done", "answered"]
"""intent: its files may be old, new or some of each; done: they are new; answered: the agent was told."""
RecordKind = Literal["apply", "undo", "answer"]
ALLOWED_BY = "allowed by "
"""How the note of a decision begins that a rule or grant made: no agent writes notes."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One file of a record: its whole bytes before and after, None where there is no such file.

    `whole` is True for notes. Of index.md and tags.md (False) the journal keeps splices and both digests
    instead of the bytes; so read from the journal, their `before` and `after` are None. `kept` says whether
    `before` and `after` are here: with False, None means nothing.
    """

    path: str
    origin: str | None
    """The path that it had before a rename, else None."""
    before: bytes | None
    after: bytes | None
    whole: bool = True
    before_sha256: str | None = None
    """None where there was no such file; computed where the bytes are given."""
    after_sha256: str | None = None
    splices: tuple[Splice, ...] = ()
    kept: bool = True
    private: bool = False
    """Its `before` must not be kept (it holds a secret), nor its `after` once it is written: no undo."""

    def __post_init__(self) -> None:
        if self.before is not None:
            object.__setattr__(self, "before_sha256", hashlib.sha256(self.before).hexdigest())
        if self.after is not None:
            object.__setattr__(self, "after_sha256", hashlib.sha256(self.after).hexdigest())

    def is_before(self, data: bytes | None) -> bool:
        """Whether a file with these bytes (None: no file) is as before."""
        return _is(data, self.before, self.before_sha256)

    def is_after(self, data: bytes | None) -> bool:
        """Whether a file with these bytes (None: no file) is as after."""
        return _is(data, self.after, self.after_sha256)


def _is(data: bytes | None, kept: bytes | None, digest: str | None) -> bool:
    if data is None or digest is None:
        return data is None and digest is None
    return data == kept if kept is not None else hashlib.sha256(data).hexdigest() == digest


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordItem:
    """One proposal of a record, as it was decided."""

    id: str
    operation: str
    verdict: str
    headline: str = ""
    target: str = ""
    agent: str = ""
    reason: str = ""
    note: str = ""
    """Private: stays in the journal. Of a blocked one: what was found, without the value (`review.blocked`)."""
    edited: bool = False
    file: str = ""
    """Name of its spool file; "" for a person's own change."""
    file_sha256: str = ""
    proposal: bytes = b""
    """The bytes of its spool file; b"" for a person's own change, a blocked one, and in lists."""
    batch: str = ""
    source: str = ""
    session: str = ""
    answer: Mapping[str, Json] = field(default_factory=dict)
    """The content of its decision file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One decision (or several approved together). `at` in Unix seconds."""

    number: int
    state: RecordState
    kind: RecordKind
    at: float
    items: tuple[RecordItem, ...]
    files: tuple[RecordFile, ...] = ()
    lines: tuple[LineChange, ...] = ()
    plan_hash: str = ""
    undoes: int | None = None
    undone_by: int | None = None
    dismissed: bool = False
    forgotten: bool = False
    """Its contents were erased; it can no longer be undone."""
    made: tuple[str, ...] = ()
    """Folders that its apply had to make, outermost first."""
    ours: bool = True
    """It was made here, or the person trusts it: only then it is finished or taken back (`storage.own`)."""
