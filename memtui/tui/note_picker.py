"""A sheet to choose one note: what reads most like a note comes first, a few letters narrow the list."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.proposals.alike import Alike
from memtui.proposals.context import is_reserved
from memtui.review.items import NoteRow
from memtui.tui.notes_model import NotesModel, written
from memtui.tui.outside import safe
from memtui.tui.row_list import RowView
from memtui.tui.sheets import Narrowing

NOTHING = ""
"""What is chosen where no note is."""


def candidates(notes: Sequence[NoteRow], path: str, first: Sequence[str] = ()) -> tuple[NoteRow, ...]:
    """The other notes: those at `first`, those that read like the one at `path`, the likest first, then the newest."""
    others = {note.path: note for note in notes if note.path != path and not is_reserved(note.path)}
    here = next((note for note in notes if note.path == path), None)
    texts = {other: f"{note.headline} {note.summary}" for other, note in others.items()}
    like = Alike(texts).like(f"{here.headline} {here.summary}") if here is not None else ()
    newest = sorted(others.values(), key=written, reverse=True)
    nearest = [other for other in (*first, *(other for other, _ in like)) if other in others]
    ranked = dict.fromkeys([*(others[other] for other in nearest), *newest])
    return tuple(ranked)


class NoteSheet(Narrowing[str]):
    """The path of the note that is chosen; `nothing`: the words of a first row that chooses none."""

    foot = (("enter", "take"), ("esc", "back"))

    def __init__(self, title: str, notes: Sequence[NoteRow], nothing: str = "") -> None:
        self.title_text = title
        super().__init__()
        self._notes, self._nothing = notes, nothing

    def fill(self) -> None:
        model = NotesModel(filter=self.input.value.strip())
        now = self.memtui.now()
        rows: list[NoteRow | None] = [note for note in self._notes if model.matches(note, now)]
        if self._nothing and not model.filter:
            rows.insert(0, None)
        self.show(rows)

    def describe(self, row: NoteRow | None) -> RowView:
        if row is None:
            return RowView(((self._nothing, "muted"),), sign="")
        path = f"  {safe(row.path)}" if row.headline != row.path else ""
        sign = "×" if row.status == "deprecated" else ""
        return RowView(((safe(row.headline), ""), (path, "muted")), sign=sign, dim=bool(sign))

    def take(self) -> None:
        if self.rows.rows:
            row: NoteRow | None = self.rows.current
            self.dismiss(NOTHING if row is None else row.path)
