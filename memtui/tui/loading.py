"""One item of the inbox as a worker brings it: planned, with what came before. Everything here blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from memtui.proposals.context import Choices
from memtui.proposals.stopping import Stop, go_on
from memtui.review.items import Preview
from memtui.tui import pace
from memtui.tui.watcher import Signature, signature

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.review.background import Background
    from memtui.tui.app import MemtuiApp
    from memtui.tui.diff_layout import Layout


@dataclass(frozen=True, slots=True)
class Loaded:
    """A preview as the worker brought it."""

    preview: Preview
    choices: Choices
    paths: tuple[Path, ...]
    signature: Signature
    background: Background
    laid: Layout | None = None
    """Its diffs, laid out for the view as it is now."""


def unless(app: MemtuiApp, wanted: Callable[[], bool]) -> Stop:
    """In a thread of the app: stop once the work is asked for anew, the app ends, or this no longer holds.

    Whoever asks waits until a key that was typed just now is drawn.
    """
    worker = get_current_worker()

    def stop() -> bool:
        pace.let_draw(app.typed.last)
        return worker.is_cancelled or not wanted()

    return stop


def load_preview(desk: Desk, id: str, choices: Choices, stop: Stop) -> Loaded:
    """The preview with the first choice of a contradiction, and with the new tags that it would add. Raises Stopped."""
    preview = _preview(desk, id, choices, stop)
    if "choice" in preview.plan.wants and preview.plan.choices and choices.choose is None:
        choices = replace(choices, choose=preview.plan.choices[0])
        preview = _preview(desk, id, choices, stop)
    if "new_tags" in preview.plan.wants and not choices.accept_new_tags:
        choices = replace(choices, accept_new_tags=True)
        preview = _preview(desk, id, choices, stop)
    go_on(stop)
    names = {path for path, _, _, _ in preview.files} | {
        origin for _, origin, _, _ in preview.files if origin
    }
    if preview.item.target:
        names.add(preview.item.target)
    paths = tuple(desk.workspace.memory / name for name in sorted(names))
    return Loaded(preview, choices, paths, signature(paths), desk.background(preview))


def _preview(desk: Desk, id: str, choices: Choices, stop: Stop) -> Preview:
    """What the agent will read is found later where there are very many notes (`Neighbours`)."""
    return desk.preview_together([(id, choices)], catalog=not desk.library.is_slow, stop=stop)[0]


def is_same_text(loaded: Loaded, shown: Preview) -> bool:
    return loaded.preview.item.proposal == shown.item.proposal


def why_changed(loaded: Loaded, shown: Preview | None) -> str:
    """What made the plan another one."""
    same = shown is None or shown.item.id != loaded.preview.item.id or is_same_text(loaded, shown)
    return "changed on disk" if same else "changed by its agent"


def what_became(desk: Desk, id: str) -> str:
    """What became of an item that waits no longer, in a sentence."""
    row = next((row for row in desk.log(200) if row.id == id), None)
    verdict = "" if row is None else row.verdict
    by = "you" if row is None else row.by
    because = f": {row.reason}" if row is not None and row.reason else ""
    return {
        "approved": "Approved in another terminal." if by == "you" else f"Written: {by}.",
        "rejected": f"Rejected in another terminal{because}.",
        "withdrawn": "Withdrawn by its agent.",
        "refused": "Refused by the rules: its agent was told why.",
        "blocked": "Blocked: it holds what looks like a secret.",
    }.get(verdict, "Its file in the spool is gone.")
