"""Several at once: marks, the list of exactly what would be decided, and one `y` (SCREENS, A backlog of 77)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from memtui.review.items import Item, Outcome
from memtui.tui.bulk_lines import PARTLY, BulkSheet, Verb, plan_all, sheet_lines
from memtui.tui.footer import Hint
from memtui.tui.granting import Granting
from memtui.tui.inbox_model import may_be_marked
from memtui.tui.loading import unless
from memtui.tui.prompt import Question
from memtui.tui.undoing import LONG
from memtui.tui.words import REASONS, number, plural


class Bulk(Granting):
    """The part of the inbox that acts on marks."""

    bulk: BulkSheet | None = None

    # --- marks

    def act_mark(self) -> None:
        id = self.rows.current.key if self.rows.current is not None else ""
        before = bool(self.model.marks)
        self.model.toggle_mark(id)
        if before != bool(self.model.marks):
            self.rows.refresh()
        elif self.rows.cursor >= 0:
            self.rows.redraw(self.rows.cursor)
        self._say_marks()
        self.rows.move(1)

    def act_mark_all(self) -> None:
        self._say_passed(self.model.mark_all())

    def act_mark_group(self) -> None:
        row = self.rows.current
        self._say_passed(self.model.mark_all(self.model.group_of(row.key if row is not None else "")))

    def _say_passed(self, passed: int) -> None:
        """What is marked now, and how many were not."""
        self.rows.refresh()
        must = "1 wants a look of its own" if passed == 1 else f"{number(passed)} want a look each"
        if passed and not self.model.marks:
            self.main_screen.say(("nothing is marked: ", "muted"), (must, ""))
        else:
            self._say_marks(must if passed else "")

    def _say_marks(self, more: str = "") -> None:
        count = len(self.model.marks)
        if not count:
            self.main_screen.message.clear()
        else:
            others = len(self.model.shown_ids()) - sum(
                1 for id in self.model.shown_ids() if id in self.model.marks
            )
            rest = f"{plural(others, 'other')} in this {'filter' if self.model.filter else 'list'}"
            words = [more] if more and self.main_screen.narrow else [rest, *filter(None, [more])]
            self.main_screen.say((f"{number(count)} marked", "bold"), (f" · {'; '.join(words)}", "muted"))
        self.main_screen.refresh_chrome()

    # --- the sheet

    def act_approve_marked(self) -> None:
        self._open_bulk("approve")

    def act_reject_marked(self) -> None:
        self._open_bulk("reject")

    def _open_bulk(self, verb: Verb) -> None:
        """List exactly what would be decided; each is planned anew, so that what is listed is what is bound."""
        desk = self.desk
        marked = [item for item in self.model.pending if item.id in self.model.marks]
        if desk is None or not marked or self.busy:
            if not marked:
                self.main_screen.say(("nothing is marked: ", "muted"), ("space", "bold"), (" marks", "muted"))
            return
        partly = {i.id: PARTLY for i in marked if verb == "approve" and self.left_out_of.get(i.id)}
        ready = [i for i in marked if verb == "reject" or (may_be_marked(i) and i.id not in partly)]
        left_out = [i for i in marked if i not in ready] + (self._passed_by() if verb == "approve" else [])
        sheet = BulkSheet(verb, tuple(ready), tuple(left_out), reasons=partly)
        self.bulk = sheet
        self.forget_shown()
        self.show_words(f"planning {number(len(ready))}…")
        self.memtui.ask(
            "bulk",
            lambda: plan_all(desk, sheet, unless(self.memtui, lambda: self.bulk is sheet)),
            self._show_bulk,
        )

    def _passed_by(self) -> list[Item]:
        """What is listed and not marked, and wants a look of its own: it goes on waiting, and is named."""
        model = self.model
        shown = [
            model.items[id] for id in model.shown_ids() if id not in model.fates and id not in model.marks
        ]
        return [item for item in shown if not may_be_marked(item)]

    def _show_bulk(self, sheet: BulkSheet) -> None:
        if self.bulk is None:
            return
        self.bulk = sheet
        self.view.show_text("", lambda cells: sheet_lines(sheet, cells), decides=True)
        self.read(True)
        self.main_screen.refresh_chrome()

    def bulk_hints(self) -> list[Hint]:
        sheet = self.bulk
        assert sheet is not None
        seen = bool(sheet.hashes) and self.view.end_seen
        label = f"{sheet.verb} {number(len(sheet.ready))}" if seen else self.view.read_on
        yes = [self.hint("yes", label, dim=not sheet.hashes or self.busy or not self.view.settled)]
        if sheet.planned and not sheet.ready:
            yes = []
        back = self.hint("no", "back" if self.narrow else "back, marks stay")
        return [*yes, back, *self.hint_list("palette", "help")]

    def close_bulk(self) -> None:
        """Back to the list; the marks stay."""
        self.bulk = None
        self.read(False)
        self.show_row()

    def show_row(self) -> None:
        raise NotImplementedError

    def act_no(self) -> None:
        if self.bulk is not None:
            self.close_bulk()

    def act_yes(self) -> None:
        """`y`: pages until the list's end has been on screen, then decides."""
        sheet, desk = self.bulk, self.desk
        if sheet is None or desk is None or not sheet.hashes or self.busy:
            return
        if not self.view.end_seen:
            self.view.go_on()
            return
        if not self.view.admit():
            return
        if sheet.verb == "reject":
            self.main_screen.question(
                Question(
                    f"reject {len(sheet.ready)}, because",
                    self._reject_all,
                    picks=REASONS,
                    verb="reject",
                    short="because",
                )
            )
            return
        self._run_bulk(lambda item: desk.approve(item.id, sheet.hashes[item.id]))  # in the order of the list

    def _reject_all(self, reason: str) -> None:
        desk = self.desk
        if desk is not None:
            self._run_bulk(lambda item: desk.reject(item.id, reason.strip()))

    def _run_bulk(self, decide: Callable[[Item], Outcome]) -> None:
        """Each item is its own decision: a failure stops only itself and stays marked."""
        sheet, app = self.bulk, self.memtui
        assert sheet is not None
        count = len(sheet.ready)

        def work() -> list[tuple[Item, Outcome]]:
            results = []
            for place, item in enumerate(sheet.ready, 1):
                results.append((item, decide(item)))
                app.post_message(app.Answer(lambda place=place: self._say_progress(place, count)))  # type: ignore[misc]
            return results

        self._started = monotonic()
        self._decide(work, self._bulk_done)
        self.main_screen.refresh_chrome()

    _started = 0.0

    def _say_progress(self, place: int, count: int) -> None:
        """`7 of 12`, where it takes long enough to be worth saying."""
        if self.busy and monotonic() - self._started > LONG:
            self.main_screen.message.show_hint(((f"{number(place)} of {number(count)}", "muted"),))

    def _bulk_done(self, results: Sequence[tuple[Item, Outcome]]) -> None:
        sheet = self.bulk
        assert sheet is not None
        self.bulk = None
        failures = [outcome for _, outcome in results if not outcome.ok]
        for item, outcome in results:
            if outcome.ok:
                self.model.decide(item.id, "ok" if sheet.verb == "approve" else "no")
                self.last_decision = self.together_of = item.id
                self.last_record = outcome.record
        self.together = tuple(o.record for _, o in results if o.ok and o.record is not None)
        done = len(results) - len(failures)
        word = "approved" if sheet.verb == "approve" else "rejected"
        self.main_screen.say((f"{word} {number(done)}", ""), undo=done > 0)
        if failures:
            self.main_screen.fail(
                f"{word} {number(done)}; {number(len(failures))} failed and stay marked: {failures[0].message}"
            )
        self._browsing = False
        self.set_class(False, "-reading")
        self.read(False)
        self.step_on(results[-1][0].id if results else "")
        self.main_screen.decided()
