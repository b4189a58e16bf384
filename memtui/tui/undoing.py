"""What every decision goes through, and taking it back: `u` undoes what was decided last, one or several at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from memtui.failing import said
from memtui.review.items import Outcome
from memtui.tui.leaving_out import LeavingOut
from memtui.tui.outside import safe

if TYPE_CHECKING:
    from memtui.desk import Desk

T = TypeVar("T")

LONG = 0.3
"""Seconds after which it is said what a decision waits for."""
NOTHING_TO_UNDO = "there is nothing to undo"


class Undoing(LeavingOut):
    """The part of the inbox that runs decisions and takes them back."""

    # --- deciding

    def _decide(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Decide in a worker; where that takes long, say what it waits for, and meanwhile no key decides."""
        self.busy = True
        self.main_screen.decisions += 1
        waits = self.set_timer(LONG, self._say_waiting)

        def ended() -> None:
            waits.stop()
            self.busy = False
            self.main_screen.message.show_hint(())

        def failed(error: Exception) -> None:
            ended()
            self.main_screen.fail(f"nothing was written: {said(error)}")
            self.main_screen.refresh_chrome()

        def done(outcome: T) -> None:
            ended()
            then(outcome)

        self.memtui.ask("decide", work, done, failed=failed, exclusive=False)

    def _say_waiting(self) -> None:
        if self.busy:
            self.main_screen.message.show_hint((("waiting for another memtui…", "muted"),))
            self.main_screen.refresh_chrome()

    # --- taking back

    def act_undo(self) -> None:
        desk, together = self.desk, self.together
        if desk is None or self.busy:
            return
        if together and self.last_decision == self.together_of:
            self._decide(lambda: undo_together(desk, together), self._undone_together)
        else:
            number = self.last_record if self.last_decision else None
            self._decide(lambda: desk.undo(number), self._undone)

    def __init__(self) -> None:
        super().__init__()
        self.no_news: set[str] = set()
        """What comes into the list because the person took a decision back is not announced."""

    last_record: int | None = None
    """The number of the person's last decision here: what a rule let through meanwhile is not meant by `u`."""

    together: tuple[int, ...] = ()
    """Numbers of what was decided last, where it was several at once: one `u` takes them all back."""
    together_of: str | None = None
    """The last of them: where something else was decided since, `u` takes that back."""

    def _undone_together(self, outcomes: Sequence[Outcome]) -> None:
        """What could be taken back is; the first that could not is named."""
        done = [outcome for outcome in outcomes if outcome.ok]
        failed = [outcome for outcome in outcomes if not outcome.ok]
        self.together = ()
        for outcome in done:
            self._put_back(outcome.id)
        if failed:
            self.main_screen.fail(f"took back {len(done)}, not {len(failed)}: {failed[0].message}")
        else:
            self.main_screen.say((f"took back {len(done)}", ""))
        self.last_decision = None
        self._restoring = next((o.id for o in reversed(done) if o.id in self.model.items), None)
        self.main_screen.decided()

    def _undone(self, outcome: Outcome) -> None:
        if not outcome.ok:
            self.last_decision = None
            if outcome.message == NOTHING_TO_UNDO:
                self.main_screen.say((NOTHING_TO_UNDO, "muted"))
            else:
                self.main_screen.fail(outcome.message)
            self.main_screen.refresh_chrome()
            return
        self.main_screen.say((safe(outcome.message), ""))
        self.last_decision = None
        self._restoring = outcome.id
        self._put_back(outcome.id)
        self.main_screen.decided()

    def decided_together(self, id: str, records: tuple[int, ...]) -> None:
        """Several records were one decision on this item: its row says `no`, and one `u` takes all of them back."""
        self.last_decision = self.together_of = id
        self.last_record, self.together = records[-1], records
        if id in self.model.items:
            self.model.decide(id, "no")
            self.step_on(id)

    def step_on(self, id: str) -> None:
        """The row of what was decided stays where it is; the cursor goes to the next that waits."""
        raise NotImplementedError

    def taken_back(self, id: str, record: int | None = None) -> None:
        """The person took a decision back elsewhere: its proposal is no news, and `u` does not mean it any more."""
        self.no_news.add(id)
        if record is not None and record in (self.last_record, *self.together):
            self.last_decision, self.together = None, ()

    def _put_back(self, id: str) -> None:
        """It waits again, with what had been left out of it."""
        self.no_news.add(id)
        self.model.restore(id)
        if id in self.left_out_of:
            self.keep_left_out(id)

    def after_take(self) -> None:
        """What the desk has is in the list: go to the item that an undo brought back."""
        id, self._restoring = self._restoring, None
        if id is None:
            return
        if id in self.model.held:
            self.model.release()
        if id in self.model.items:
            self.refill(id)
            self.select(id)


def undo_together(desk: Desk, records: Sequence[int]) -> list[Outcome]:
    """Take several decisions back, the newest first; one that cannot be stops only itself. Blocks."""
    return [desk.undo(number) for number in sorted(records, reverse=True)]
