"""What a person would want to know beside the change itself: what says nearly the same, and what came before."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import TYPE_CHECKING, TypeAlias

from memtui.notes.catalog import NoteHead, read_head
from memtui.notes.summary import clip_summary
from memtui.proposals.alike import Alike
from memtui.proposals.context import is_reserved
from memtui.proposals.model import Delete, FileChange, Plan, Rename, Supersede

if TYPE_CHECKING:
    from memtui.review.intake import Intake
    from memtui.review.items import Preview
    from memtui.storage.journal import Journal
    from memtui.storage.records import RecordItem

NAMED = 3
"""Likenesses that are named."""
TOO_LIKE = 85
"""Percent from which an item that is like a note is not decided together with others."""
SHARE = 20
"""All texts are not gathered anew before that would take more than one part in so many of the time."""
_REJECTED = 300
"""Rejections that are looked through, newest first."""
_ID = "\0"
"""Before an id among keys that are paths else."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """A note or pending proposal that says nearly the same."""

    key: str
    """Path of the note, id of the proposal."""
    name: str
    """Path of the note; headline of the proposal."""
    score: int
    """Percent, 100 where it says the same."""
    pending: bool = False


Likenesses: TypeAlias = tuple[Likeness, ...] | None
"""The nearest first; None where there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """The same, or nearly the same, was rejected before."""

    reason: str
    at: float
    """Unix seconds."""
    agent: str
    same: bool
    """The very same file was; else one that reads like it, or another about the same note by the same agent."""


@dataclass(frozen=True, slots=True)
class Background:
    """What came before one preview."""

    rejected: Rejection | None = None
    changes: int = 0
    """How often its note was changed, by its log and the journal."""
    last: str = ""
    """The date of the last of them (YYYY-MM-DD), "" for none."""


class Backgrounds:
    """Looks around for one desk. Thread-safe; everything here may take its time."""

    def __init__(self, journal: Journal, intake: Intake) -> None:
        self._journal = journal
        self._intake = intake
        self._lock = threading.Lock()
        self._crowd = Alike({})
        self._notes: list[NoteHead] = []
        self._plans: list[Plan] = []
        self._next = 0.0
        self._texts: dict[tuple[str, str], str] = {}
        """The words of rejected proposals, by the digest of the file and the id."""
        self._rejected = Alike({})
        self._rejected_names: list[tuple[str, str]] = []

    def of(self, preview: Preview) -> Background:
        """What came before one preview. Raises JournalError."""
        changes, last = self._history(preview)
        return Background(self._rejection(preview), changes, last)

    # --- what is like it

    def likenesses(self, preview: Preview, heads: Mapping[str, NoteHead]) -> Likenesses:
        """Notes and pending proposals of new notes that say nearly the same, the nearest first.

        None where there is nothing to compare: a delete, a rename, a plan with problems.
        """
        text = _text_after(preview)
        if text is None:
            return None
        pending = dict(self._intake.pending)
        target = preview.item.target
        with self._lock:
            self._gather(heads)
            found = self._crowd.like(text, skip={target, _ID + preview.item.id})
        named: list[Likeness] = []
        for key, score in found:
            id = key[1:]
            if key[0] != _ID:
                named.append(Likeness(key, key, score))
            elif id in pending and _new_path(self._intake.plans.get(id)) not in (None, target):
                name = getattr(pending[id].proposal, "title", "") or pending[id].proposal.target
                named.append(Likeness(id, name, score, pending=True))
        return tuple(named[:NAMED])

    def _gather(self, heads: Mapping[str, NoteHead]) -> None:
        """All texts anew where any is another, but not again and again while there are very many."""
        notes = [head for path, head in heads.items() if not is_reserved(path)]
        plans = dict(self._intake.plans)
        made = list(plans.values())
        if (_same(notes, self._notes) and _same(made, self._plans)) or time.monotonic() < self._next:
            return
        begun = time.monotonic()
        texts = {head.path: _text(head) for head in notes}
        for id, plan in plans.items():
            if (path := _new_path(plan)) is not None:
                texts[_ID + id] = _text(read_head(path, _after(plan), 0.0))
        self._crowd, self._notes, self._plans = Alike(texts), notes, made
        self._next = time.monotonic() + SHARE * (time.monotonic() - begun)

    # --- what came before

    def _rejection(self, preview: Preview) -> Rejection | None:
        """The newest rejection of the same bytes, of what reads like it, or of its agent about the same note."""
        from memtui.proposals.as_fields import to_fields

        item = preview.item
        file = self._intake.pending.get(item.id)
        before = self._journal.rejected(_REJECTED)
        if not before or file is None or not file.file:
            return None
        own = _said(to_fields(item.proposal))
        like = self._like_rejected(own, [old for _, old in before])
        for number, (at, old) in enumerate(before):
            same = old.file_sha256 == file.sha256 and not item.proposal.batch
            again = bool(old.target) and old.target == item.target and old.agent == item.proposal.agent
            if same or number in like or again:
                return Rejection(old.reason, at, old.agent, same or number in like)
        return None

    def _like_rejected(self, text: str, before: Sequence[RecordItem]) -> set[int]:
        """Which of the rejections read like a text, by their places; their words are counted once."""
        names = [(old.file_sha256, old.id) for old in before]
        with self._lock:
            if names != self._rejected_names:
                texts = {str(number): self._rejected_text(old) for number, old in enumerate(before)}
                self._rejected, self._rejected_names = Alike(texts), names
            return {int(key) for key, _ in self._rejected.like(text)}

    def _rejected_text(self, old: RecordItem) -> str:
        """The words of a rejected proposal, "" where they are gone."""
        from memtui.proposals.as_fields import to_fields
        from memtui.proposals.decode import decode

        key = (old.file_sha256, old.id)
        if key not in self._texts:
            made = decode(old.file, old.proposal).proposals if old.proposal else ()
            made = made if len(made) == 1 else tuple(one for one in made if one.id == old.id)
            self._texts[key] = _said(to_fields(made[0])) if made else ""
        return self._texts[key]

    def _history(self, preview: Preview) -> tuple[int, str]:
        """How often the target was changed, and when last: by its change log, else by the journal."""
        target = preview.item.target
        dates = [line[:10] for line in preview.history]
        kept = self._journal.approved_at(target) if target else ()
        dates_kept = [time.strftime("%Y-%m-%d", time.localtime(at)) for at in kept]
        count = max(len(dates), len(dates_kept))
        return count, max((date for date in (*dates, *dates_kept) if date[:4].isdecimal()), default="")


def _same(one: Sequence[object], other: Sequence[object]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def _text(head: NoteHead) -> str:
    """What a note says in short: its title, and its description or the first line of its text."""
    return f"{head.title} {head.description or clip_summary(head.first_line)}"


def _text_after(preview: Preview) -> str | None:
    """What the note would say in short; None where the change says nothing new."""
    if isinstance(preview.item.proposal, Delete | Rename | Supersede) or not preview.plan.changes:
        return None
    note = next((c for c in preview.plan.changes if isinstance(c, FileChange) and c.after is not None), None)
    return None if note is None else _text(read_head(note.path, (note.after or b"")[:8192], 0.0))


def _new_path(plan: Plan | None) -> str | None:
    """The path of the note that a plan makes anew, None where it makes none."""
    for change in () if plan is None else plan.changes:
        if isinstance(change, FileChange) and change.before is None:
            return change.path
    return None


def _after(plan: Plan) -> bytes:
    note = next(c for c in plan.changes if isinstance(c, FileChange) and c.before is None)
    return (note.after or b"")[:8192]


def _said(fields: Mapping[str, object]) -> str:
    """The words of a proposal that a rejection was about: not who sent it, nor why."""
    skipped = ("agent", "session", "cwd", "source", "created", "attended", "base_sha256", "reason", "ref")
    return " ".join(_words(value) for name, value in fields.items() if name not in skipped)


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(map(_words, value.values()))
    if isinstance(value, list | tuple):
        return " ".join(map(_words, value))
    return value if isinstance(value, str) else ""


def too_like(likenesses: Likenesses) -> Likeness | None:
    """The note that an item is so like that it wants a look of its own, None where there is none."""
    return next((like for like in likenesses or () if not like.pending and like.score >= TOO_LIKE), None)
