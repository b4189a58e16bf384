"""`m s` on what was blocked: the person says that it is no secret, and the agent may send it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memtui.gate.screen import Hit
from memtui.proposals.model import Delete
from memtui.review.blocked import hit_words
from memtui.review.items import Outcome, Refusal
from memtui.tui.deciding import Deciding
from memtui.tui.outside import safe
from memtui.tui.row_list import RowView
from memtui.tui.sheets import Sheet


class Mark(NamedTuple):
    """What is no secret: a value by its fingerprint, or everything that a rule finds."""

    fingerprint: str = ""
    rule: str = ""
    words: str = ""


class NotSecret(Deciding):
    """The part of the inbox that lets through what the screen stopped."""

    def act_not_a_secret(self) -> None:
        """The sheet is the act that decides; nothing is picked beforehand."""
        refusal: Refusal | None = getattr(self.rows.current, "refusal", None)
        if refusal is not None and refusal.hits:
            self.app.push_screen(MarkSheet(refusal.hits), self._mark)

    def act_approve_keeping(self) -> None:
        """`m k`: the old text, which holds what looks like a secret, stays in the journal, so that `u` works."""
        preview = self.approvable()
        if preview is None:
            return
        if isinstance(preview.item.proposal, Delete):
            self.main_screen.fail("a delete is approved with a, and its old text is not kept")
            return
        self._approve(preview, keep_old=True)

    def _mark(self, mark: Mark | None) -> None:
        self.disturbed()
        desk = self.desk
        if mark is not None and desk is not None:
            self._decide(lambda: desk.mark(fingerprint=mark.fingerprint, rule=mark.rule), self._marked)

    def _marked(self, outcome: Outcome) -> None:
        if outcome.ok:
            self.main_screen.say((safe(outcome.message), ""))
        else:
            self.main_screen.fail(outcome.message)


class MarkSheet(Sheet[Mark]):
    """Each value that was found, and each rule but those of the vault."""

    title_text = "No secret is…"
    foot = (("enter", "it may be sent again"), ("esc", "back"))

    def __init__(self, hits: Sequence[Hit]) -> None:
        super().__init__()
        values = {hit.fingerprint: Mark(hit.fingerprint, "", hit_words(hit)) for hit in reversed(hits)}
        rules = {hit.rule: None for hit in hits if not hit.rule.startswith("vault ")}
        self._marks = [
            *reversed(values.values()),
            *(Mark("", rule, f"whatever the rule “{rule}” finds") for rule in rules),
        ]

    def fill(self) -> None:
        self.show(self._marks)
        self.rows.set_rows(self._marks, -1)

    def describe(self, row: Mark) -> RowView:
        return RowView(((safe(row.words), ""),), sign="")

    def take(self) -> None:
        if self.rows.current is not None:
            self.dismiss(self.rows.current)
