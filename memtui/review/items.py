"""What the desk hands to every face: items, previews, outcomes and decisions, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from memtui.gate.screen import Hit
    from memtui.proposals.diff import FileDiff
    from memtui.proposals.model import Json, Notice, Plan, Problem, Proposal

State = Literal["pending", "stale", "problem"]
Verdict = Literal["approved", "rejected", "refused", "blocked", "withdrawn", "undone"]

SIGNS: Mapping[str, str] = {
    "write": "~",
    "add": "+",
    "update": "~",
    "supersede": "×",
    "delete": "-",
    "contradiction": "?",
    "edit": "~",
    "replace": "~",
    "rename": ">",
}
"""The sign of each operation (SCREENS.md, Glyphs); write and replace show `+` where they make a new note."""


@dataclass(frozen=True, slots=True)
class Item:
    """One pending proposal as a row needs it. All text is raw: faces pass it through `safe_text`."""

    proposal: Proposal
    sign: str
    headline: str
    """The entry's title where there is one, else the path."""
    target: str
    """Resolved path inside the memory folder; of an add, the name that it will get."""
    first_seen: float
    """Unix seconds, as the journal keeps it."""
    state: State
    notices: tuple[Notice, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Of the state "problem": what became impossible since it was accepted."""
    has_new_tags: bool = False
    edited: bool = False
    """The person has edited it; the plan is that of the edited form."""
    spool: str = ""
    """The name of the spool that it came from, "" for the workspace's own: this alone says who asks."""

    @property
    def id(self) -> str:
        return self.proposal.id


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal answered `refused` or `blocked`, or a spool file that cannot be read; listed until dismissed."""

    id: str
    agent: str
    operation: str
    file: str
    """Name of the spool file that it came in."""
    verdict: Literal["refused", "blocked", "unreadable"]
    problems: tuple[Problem, ...]
    at: float
    """Unix seconds."""
    text: str = ""
    """The refused bytes as text, "" for a blocked one."""
    spool: str = ""
    hits: tuple[Hit, ...] = ()
    """Of a blocked one: what was found, by rule, field, line, length and fingerprint."""


@dataclass(frozen=True, slots=True)
class CatalogEffect:
    """What the agent will read, before and after. Sizes in bytes."""

    before: int
    after: int
    budget: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    pushed_out: tuple[str, ...] = ()
    """Paths of notes that leave the catalog for want of room."""


@dataclass(frozen=True, slots=True)
class Preview:
    """All that is shown before a decision. `plan.hash` is what the decision is bound to."""

    item: Item
    plan: Plan
    diffs: tuple[FileDiff, ...]
    """Note first, then index.md and tags.md, then other notes."""
    files: tuple[tuple[str, str | None, bytes | None, bytes | None], ...]
    """path, origin, whole bytes before, whole bytes after, in the order of `diffs`."""
    catalog: CatalogEffect | None = None
    history: tuple[str, ...] = ()
    """Change-log lines of the target note, oldest first."""
    text: str = ""
    """The proposal in its `.md` form, for the details sheet and the editor."""
    parts: tuple[Mapping[int, str], ...] = ()
    """Of each of `diffs`: the key of the change that can be left out by itself, by the index of a row."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one decision. `ok` False: nothing was written, and `message` says why in one sentence."""

    id: str
    ok: bool
    message: str
    verdict: Verdict | None = None
    record: int | None = None
    """The journal record, for undo; None where nothing was recorded."""
    changed: bool = False
    """Not ok because the plan is no longer the one that was shown: look again, then decide."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision of the journal, newest first in lists."""

    record: int
    id: str
    operation: str
    verdict: Verdict
    headline: str
    target: str
    agent: str
    reason: str
    at: float
    """Unix seconds."""
    edited: bool = False
    undoable: bool = False
    by: str = "you"
    note: str = ""
    sign: str = " "
    """Of its operation, as in `Item`."""


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One note as the browser lists it."""

    path: str
    headline: str
    """Its title, else its catalog summary."""
    summary: str
    kind: Literal["entry", "note", "other"]
    type: str = ""
    tags: tuple[str, ...] = ()
    status: str = ""
    confidence: str = ""
    modified: float = 0.0
    """Unix seconds: the file's own time."""
    updated: str = ""
    """The date that the note gives itself (`updated`, else `created`), "" where it gives none."""


@dataclass(frozen=True, slots=True)
class NoteView:
    """One note, whole."""

    row: NoteRow
    data: bytes
    text: str | None
    """None where it is not UTF-8."""
    fields: Mapping[str, Json] = field(default_factory=dict)
    body: str = ""
    """Of an entry: without the change log."""
    log: tuple[str, ...] = ()
    notice: str = ""
    """What is odd about it (broken YAML, no frontmatter, not UTF-8), in one sentence; "" for nothing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of the health check."""

    file: str
    message: str
    """What is wrong and what to do, one sentence."""
    kind: str
    advice: bool = False
    """Advice never makes `memtui check` exit 1."""
