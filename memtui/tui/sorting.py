"""Order, grouping and filter of the inbox."""

from __future__ import annotations

from functools import partial

from memtui.tui.bulk import Bulk
from memtui.tui.inbox_model import ORDERS
from memtui.tui.prompt import FILTER, Question


class Sorting(Bulk):
    """The part of the inbox that says which rows there are, and in which order."""

    listed = False
    """What waits has come once."""
    _filling = True
    """What waited when the app was opened is still being taken in."""

    @property
    def current_id(self) -> str | None:
        """Id of the item under the cursor, None for another kind of row."""
        raise NotImplementedError

    def _select_first(self) -> None:
        raise NotImplementedError

    def act_order(self) -> None:
        """A sheet of the orders, the cursor on the next one: `o` and enter go through them."""
        from memtui.tui.sheets import PickSheet

        names = list(ORDERS)
        following = (names.index(self.model.order) + 1) % len(names)
        sheet = PickSheet("Order and group", [(ORDERS[name], name) for name in names], following)
        self.app.push_screen(sheet, self._set_order)

    def _set_order(self, order: str | None) -> None:
        self.disturbed()
        if order is None:
            return
        self.model.order = order
        self.model.release()
        self.refill()
        self.main_screen.say(("order: ", "muted"), (ORDERS[self.model.order], ""))

    def filter_question(self) -> Question:
        before = self.model.filter
        return Question(
            "/",
            lambda text: self.set_filter(text),
            value=before,
            place=FILTER,
            changed=self.set_filter,
            cancelled=partial(self.set_filter, ""),
            hint="words, ! !! agent: op: note: source: age:<1d state:",
        )

    def set_filter(self, text: str) -> None:
        """Show only what matches; arrivals come in, since the list is laid out anew anyway."""
        if self.listed and text.strip() != self.model.filter:
            self.model.filter = text.strip()
            self.model.release()
            self.refill()
            if self.current_id is None:
                self._select_first()
            elif self.current_id != self.shown_id:
                self.show_row()
            else:
                self.view.redraw_around()
            if not self.model.shown_ids():
                self.show_filtered_empty()
