"""`x`: one change of a note is left out, or put back; the plan is made anew, and what is shown is what is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memtui.proposals.left_out import parts
from memtui.review.drafts import dump_left_out, left_out_key
from memtui.review.items import Preview
from memtui.tui.leaving_words import part_text
from memtui.tui.loading import Loaded
from memtui.tui.outside import safe
from memtui.tui.showing import Showing
from memtui.tui.words import plural

ONE_PIECE = "this is one piece, of which nothing can be left out: e edits it"
FOLLOWS = (
    "this line follows by itself (date, change log, index, tags): it goes with the change that it is about"
)


class LeavingOut(Showing):
    """The part of the inbox that accepts in part."""

    _last = ""
    """The key of the change that was left out or put back last."""
    _point = ""
    """The change to point to once the new plan is drawn."""

    def act_leave_out(self) -> None:
        preview = self.view.preview
        if preview is None or self.busy or self.stale or self.loading_id is not None or self.hidden:
            return
        key = self._meant(preview)
        if not key:
            return
        out = self.choices.left_out
        kept = tuple(other for other in out if other != key)
        self._last = self._point = key
        self.choices = replace(self.choices, left_out=kept if key in out else (*kept, key))
        self.left_out_of[preview.item.id] = self.choices.left_out
        self.keep_left_out(preview.item.id)
        self._say(preview, key, key not in out)
        self.view.settle.lose()
        self.loading_id = preview.item.id
        self._load(preview.item.id, self.choices)

    def keep_left_out(self, id: str) -> None:
        """What is left out of an item is kept as a draft of the person's, or goes where it is nothing any more."""
        desk, left_out = self.desk, self.left_out_of
        if desk is None:
            return

        def keep() -> None:
            # What holds now, not when it was asked: two that run at once keep the same.
            out = () if id in self.model.fates else left_out.get(id, ())
            if out:
                desk.save_draft(left_out_key(id), dump_left_out(out))
            else:
                desk.drop_draft(left_out_key(id))

        self.memtui.ask("left-out", keep, lambda _none: None, exclusive=False)

    def recall_left_out(self, kept: Mapping[str, tuple[str, ...]]) -> None:
        """What an earlier run left out is out again, of the item that is shown already too."""
        self.left_out_of = {**kept, **self.left_out_of}
        shown = self.shown_id
        if (
            shown is not None
            and shown in kept
            and not self.choices.left_out
            and shown not in self.model.fates
        ):
            self.choices = replace(self.choices, left_out=self.left_out_of[shown])
            self.view.settle.lose()
            self.loading_id = shown
            self._load(shown, self.choices)

    def _meant(self, preview: Preview) -> str:
        """The change that `x` is about; "" where it is about none, which is said."""
        keys = list(dict.fromkeys(key for places in preview.parts for key in places.values()))
        diff = self.view.diff
        if diff.pointed_part:
            return diff.pointed_part
        if not keys:
            if self.choices.left_out:  # all of it was left out, so that no plan is left
                return self._last if self._last in self.choices.left_out else self.choices.left_out[-1]
            self.main_screen.fail(ONE_PIECE)
        elif diff.points:
            self.main_screen.fail(FOLLOWS)
        elif len(keys) == 1:
            return keys[0]
        else:
            diff.point_to_part(keys[0])
            words = f"{plural(len(keys), 'change')}: "
            self.main_screen.say((words, "muted"), ("n p", "bold"), (" choose, ", "muted"), ("x", "bold"))
        return ""

    def _say(self, preview: Preview, key: str, out: bool) -> None:
        part = next((part for part in parts(preview.plan) if part.key == key), None)
        what = f" {safe(part_text(part))}" if part is not None else ""
        if out:
            self.main_screen.say((f"left out{what} · ", ""), ("x", "bold"), (" puts it back", "muted"))
        else:
            self.main_screen.say((f"back in{what}", ""))

    def _loaded_preview(self, loaded: Loaded) -> None:
        super()._loaded_preview(loaded)
        if self._point and loaded.preview.item.id == self.shown_id:
            self.view.diff.point_to_part(self._point)
        self._point = ""
