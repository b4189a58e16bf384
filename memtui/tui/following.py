"""Following links in the notes, and coming back."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.review.items import NoteView
from memtui.tui.note_links import BETWEEN
from memtui.tui.notes_model import NotesModel
from memtui.tui.outside import safe
from memtui.tui.own_change import OwnChange


class Following(OwnChange):
    """The part of the notes that goes where links lead."""

    shown: NoteView | None = None
    links: Mapping[int, str] = {}
    """Where the lines of the note shown lead to."""
    _wanted = ""
    """The path of the note, or the key of the folder, on which the cursor is to stand once the list is there."""

    def __init__(self) -> None:
        super().__init__()
        self.model = NotesModel()

    def refill(self) -> None:
        raise NotImplementedError

    def show_path(self, path: str) -> None:
        """The list on this note, whatever hid it before, and the note to read."""
        self.show_all_at(path)
        self.refill()
        self.set_class(True, "-reading")
        self.main_screen.refresh_chrome()

    def show_all_at(self, path: str) -> None:
        """Nothing hides this note any more, and the cursor is to stand on it."""
        model = self.model
        model.filter, model.query, model.found = "", "", None
        model.folded.discard(path.rpartition("/")[0])
        self._wanted = path

    def act_follow(self) -> bool:
        """`enter` in a note: where the link at the pointer leads; the only one, or the first, without a pointer."""
        if not self.reading or self.shown is None or self.own is not None or not self.links:
            return False
        targets = (self.view.diff.pointed_part or next(iter(self.links.values()))).split(BETWEEN)
        if len(targets) == 1:
            self._follow(targets[0])
            return True
        from memtui.tui.sheets import PickSheet

        sheet = PickSheet("Follow which link?", [(safe(target), target) for target in targets])
        self.app.push_screen(sheet, lambda target: self._follow(target) if target else None)
        return True

    def _follow(self, target: str) -> None:
        if self.shown is None:
            return
        here = self.shown.row.path
        if not any(note.path == target for note in self.model.notes):
            self.main_screen.fail(f"the link leads to {target}, which is no note of this folder")
            return
        self.main_screen.jump(lambda: self.main_screen.show_note(here))
        self.show_path(target)
        self.main_screen.say(("^o", "bold"), (" back", "muted"))
