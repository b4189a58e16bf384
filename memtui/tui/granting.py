"""`m t`: the item shown is approved, and its path or folder let through from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.review.items import Preview
from memtui.tui.not_secret import NotSecret

if TYPE_CHECKING:
    from memtui.tui.grant_sheets import Width


class Granting(NotSecret):
    """The part of the inbox that remembers approvals."""

    def act_trust(self) -> None:
        """Only what has been looked at to its end can be remembered; the sheet is the act that decides."""
        preview, desk = self.view.preview, self.desk
        waits = self.busy or self.loading_id is not None or bool(self.stale) or self.hidden
        if preview is None or desk is None or waits or preview.item.id in self.model.fates:
            return
        if not self.view.end_seen:
            self.main_screen.fail("see all of it first: what you let through is what you have seen")
            self.key_dropped()
            return
        id = preview.item.id

        def choose(widths: tuple[str, ...] | str) -> None:
            if isinstance(widths, str):
                self.main_screen.fail(f"it is asked about each time: {widths}")
            else:
                from memtui.tui.grant_sheets import TrustSheet

                sheet = TrustSheet(preview.item.spool, widths)
                self.app.push_screen(sheet, lambda width: self._remember(preview, width))

        self.memtui.ask("grant", lambda: desk.grant_widths(id), choose, opens=True)

    def _remember(self, preview: Preview, width: Width | None) -> None:
        self.disturbed()
        desk, id = self.desk, preview.item.id
        if width is None or desk is None:
            return
        self._decide(
            lambda: desk.approve_and_grant(id, preview.plan.hash, width.path, lasting=width.lasting),
            lambda outcome: self._decided(id, outcome, "ok"),
        )
