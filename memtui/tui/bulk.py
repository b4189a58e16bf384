"""Several at once: marks, the list of exactly what would be decided, and one `y` (SCREENS, A backlog of 77)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from memtui.review.items import Item, Outcome, Preview
from memtui.safe_text import clip, safe
from memtui.tui.deciding import Deciding
from memtui.tui.footer import Hint
from memtui.tui.inbox_model import may_be_marked
from memtui.tui.paint import Line, line_width
from memtui.tui.prompt import Question
from memtui.tui.words import REASONS, plural

if TYPE_CHECKING:
    from memtui.desk import Desk

Verb = Literal["approve", "reject"]


@dataclass(frozen=True)
class BulkSheet:
    """What is about to be decided together: fixed when the sheet opens; later arrivals stay out."""

    verb: Verb
    ready: tuple[Item, ...]
    left_out: tuple[Item, ...]
    hashes: dict[str, str] = field(default_factory=dict)
    """Of each plan that is listed, by id; empty while it is planned."""
    gists: dict[str, str] = field(default_factory=dict)
    read: bool = False
    """The end of the list has been on screen."""


def gist(item: Item) -> str:
    """A few words of what it says: the summary, hook or reason."""
    proposal = item.proposal
    for name in ("summary", "hook", "change"):
        text = getattr(proposal, name, None)
        if text:
            return str(text)
    return proposal.reason


def sheet_lines(sheet: BulkSheet) -> list[Line]:
    """The list: each item with what it does, then what is left out and why."""
    count = len(sheet.ready)
    name_cells = max([12, *(line_width(((clip(safe(i.headline), 24), ""),)) for i in sheet.ready)])
    lines: list[Line] = [
        ((f"{sheet.verb.title()} these {count}?", "title"), ("   later arrivals stay out", "muted")),
        (),
    ]
    for item in sheet.ready:
        name = clip(safe(item.headline), 24)
        pad = " " * (name_cells - line_width(((name, ""),)) + 2)
        lines.append(
            ((f"{item.sign} ", "bold"), (name + pad, ""), (safe(sheet.gists.get(item.id, "")), "muted"))
        )
    if sheet.left_out:
        lines += [(), ((f"left out, still waiting: {len(sheet.left_out)}", "bold"),)]
        for item in sheet.left_out:
            why = (
                item.notices[0].message if item.notices else f"{item.proposal.operation} is decided by itself"
            )
            lines.append((("! ", "chip"), (f" {safe(item.headline)}  ", ""), (safe(why), "muted")))
    return lines


class Bulk(Deciding):
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
        _, passed = self.model.mark_all()
        self.rows.refresh()
        self._say_marks(
            f"; {passed} with notices or deletes passed by" if passed and self.model.marks else ""
        )

    def _say_marks(self, more: str = "") -> None:
        count = len(self.model.marks)
        if not count:
            self.main_screen.message.clear()
        else:
            others = len(self.model.shown_ids()) - sum(
                1 for id in self.model.shown_ids() if id in self.model.marks
            )
            rest = f" · {plural(others, 'other')} in this {'filter' if self.model.filter else 'list'}"
            self.main_screen.say((f"{count} marked", "bold"), (rest + more, "muted"))
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
        ready = [i for i in marked if verb == "reject" or may_be_marked(i)]
        sheet = BulkSheet(verb, tuple(ready), tuple(i for i in marked if i not in ready))
        self.bulk = sheet
        self.forget_shown()
        self.show_words(f"planning {len(ready)}…")
        self.memtui.ask("bulk", lambda: _plan_all(desk, sheet), self._show_bulk)

    def _show_bulk(self, sheet: BulkSheet) -> None:
        if self.bulk is None:
            return
        self.bulk = sheet
        self.view.show_text("", lambda _cells: sheet_lines(sheet))
        self.read(True)
        self.main_screen.refresh_chrome()

    def bulk_hints(self) -> list[Hint]:
        sheet = self.bulk
        assert sheet is not None
        seen = bool(sheet.hashes) and self.view.end_seen
        label = f"{sheet.verb} {len(sheet.ready)}" if seen else f"read on ▼{self.view.lines_below}"
        yes = self.hint("yes", label, dim=not sheet.hashes)
        return [yes, self.hint("no", "back, marks stay"), *self.hint_list("palette", "help")]

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
            self.view.page(1)
            return
        if sheet.verb == "reject":
            self.main_screen.question(
                Question(
                    f"reject {len(sheet.ready)}, because", self._reject_all, picks=REASONS, verb="reject"
                )
            )
            return
        self._run_bulk(lambda item: desk.approve(item.id, sheet.hashes[item.id]))

    def _reject_all(self, reason: str) -> None:
        desk = self.desk
        if desk is not None:
            self._run_bulk(lambda item: desk.reject(item.id, reason.strip()))

    def _run_bulk(self, decide: Callable[[Item], Outcome]) -> None:
        """Each item is its own decision: a failure stops only itself and stays marked."""
        sheet = self.bulk
        assert sheet is not None
        self.busy = True
        self.main_screen.decisions += 1
        self.memtui.ask(
            "decide",
            lambda: [(item, decide(item)) for item in sheet.ready],
            self._bulk_done,
            failed=self._bulk_failed,
            exclusive=False,
        )

    def _bulk_failed(self, error: Exception) -> None:
        self.busy = False
        self.main_screen.fail(f"stopped: {error}")

    def _bulk_done(self, results: list[tuple[Item, Outcome]]) -> None:
        sheet = self.bulk
        assert sheet is not None
        self.busy, self.bulk = False, None
        failures = [outcome for _, outcome in results if not outcome.ok]
        for item, outcome in results:
            if outcome.ok:
                self.model.decide(item.id, "ok" if sheet.verb == "approve" else "no")
                self.last_decision = item.id
        done = len(results) - len(failures)
        word = "approved" if sheet.verb == "approve" else "rejected"
        self.main_screen.say((f"{word} {done}", ""), undo=done > 0)
        if failures:
            self.main_screen.fail(
                f"{word} {done}; {len(failures)} failed and stay marked: {failures[0].message}"
            )
        self.set_class(False, "-reading")
        self.read(False)
        self._step_down("")
        self.main_screen.decided()


def _plan_all(desk: Desk, sheet: BulkSheet) -> BulkSheet:
    """Plan each item; what cannot be approved as it is goes to those left out. Blocks."""
    from memtui.desk import Gone

    hashes: dict[str, str] = {}
    ready: list[Item] = []
    left_out = list(sheet.left_out)
    for item in sheet.ready:
        try:
            preview: Preview = desk.preview(item.id, catalog=False)
        except Gone:
            continue
        if sheet.verb == "approve" and not preview.plan.ready:
            left_out.append(preview.item)
            continue
        hashes[item.id] = preview.plan.hash
        ready.append(preview.item)
    gists = {item.id: gist(item) for item in ready}
    return replace(sheet, ready=tuple(ready), left_out=tuple(left_out), hashes=hashes, gists=gists)
