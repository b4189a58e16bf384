"""The top line: `memtui  Inbox 14  Notes 6  Activity  Health 0 … ~/notes  catalog 0.4/2.0K`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual import events
from textual.message import Message

from memtui.tui.outside import safe, width
from memtui.tui.paint import NARROW, Line, PaintedLine, Span, line_width, spread
from memtui.tui.words import meter


@dataclass(frozen=True, slots=True)
class Top:
    """What the top line says. None where a count is not known yet."""

    pane: str = "inbox"
    waiting: int | None = None
    arrived: int = 0
    """Held back behind `+2 new`."""
    position: int = 0
    """Of the item in the preview, 0 for none."""
    notes: int | None = None
    health: int | None = None
    used: int | None = None
    budget: int = 2048
    """Bytes of the catalog, used and allowed."""
    stale: int = 0
    reading: str = ""
    """Not empty: memtui only reads, and why in a word or two."""
    polled: bool = False
    """The spool gives no events: it is looked at every few seconds."""


def home_path(path: Path) -> str:
    """A path with the home folder as `~`, safe to show."""
    try:
        below = str(path.relative_to(Path.home()))
        return "~" if below == "." else safe(f"~/{below}")
    except (ValueError, RuntimeError):
        return safe(str(path))


class TopBar(PaintedLine):
    """Panes with their counts on the left, the workspace and the catalog's meter on the right."""

    class Chosen(Message):
        """A click on the name of a pane."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, root: Path) -> None:
        super().__init__(id="topbar")
        self.root = root
        self.top = Top()
        self._spots: list[tuple[int, int, str]] = []

    def update(self, top: Top) -> None:
        if top != self.top:
            self.top = top
            self.refresh()

    def draw(self, cells: int) -> Line:
        return self._narrow(cells) if cells < NARROW else self._wide(cells)

    def _narrow(self, cells: int) -> Line:
        top = self.top
        self._spots = []
        names = {
            "inbox": "Inbox",
            "notes": "Notes",
            "activity": "Activity",
            "health": "Health",
            "catalog": "Catalog",
        }
        count = {"inbox": top.waiting, "notes": top.notes, "health": top.health}.get(top.pane)
        number = "" if count is None else f" {count}"
        if top.pane == "inbox" and top.position and count:
            number = f" {top.position}/{count}"
        left: list[Span] = [(" ", ""), (names[top.pane], "title"), (number, "bold")]
        if top.arrived:
            left.append((f" +{top.arrived}", "accent"))
        size = "" if top.used is None else meter(top.used, top.budget).removesuffix("K")
        room = cells - line_width(tuple(left)) - width(size) - 4
        self._spot_meter(cells, width(size))
        polled = "polled " if top.polled else ""
        place = _shorten(home_path(self.root), room - len(polled))
        return spread(tuple(left), ((f"{polled}{place} {size} ".lstrip(), "muted"),), cells)

    def _wide(self, cells: int) -> Line:
        top = self.top
        left: list[Span] = [(" ", ""), ("memtui", "bold")]
        self._spots = []
        at = 7
        for pane, name, count in (
            ("inbox", "Inbox", top.waiting),
            ("notes", "Notes", top.notes),
            ("activity", "Activity", None),
            ("health", "Health", top.health),
        ):
            text = name if count is None else f"{name} {count:,}"
            left += [("  ", ""), (text, "title" if pane == top.pane else "muted")]
            self._spots.append((at + 2, at + 2 + width(text), pane))
            at += 2 + width(text)
            if pane == "inbox" and top.arrived:
                left.append((f" +{top.arrived}", "accent"))
                at += width(f" +{top.arrived}")
        size = "" if top.used is None else f"  catalog {meter(top.used, top.budget)}"
        self._spot_meter(cells, width(size.lstrip()))
        room = cells - at - width(size) - 2
        reading: Line = ((f"{top.reading}  ", "chip"),) if top.reading else ()
        polled: Line = (("spool polled  ", "muted"),) if top.polled else ()
        place = _shorten(home_path(self.root), room - line_width((*reading, *polled)))
        last = "title" if top.pane == "catalog" else "muted"
        return spread(tuple(left), (*reading, *polled, (place, "muted"), (f"{size} ", last)), cells)

    def _spot_meter(self, cells: int, size: int) -> None:
        """The catalog's meter, before the last cell, is a way to it."""
        if size:
            self._spots.append((cells - 1 - size, cells - 1, "catalog"))

    def on_click(self, event: events.Click) -> None:
        for start, end, pane in self._spots:
            if start <= event.x < end:
                self.post_message(self.Chosen(pane))


def _shorten(path: str, cells: int) -> str:
    """The last parts of a path that fit, with `…` in front; "" where there is no room worth using."""
    if width(path) <= cells:
        return path
    parts = path.split("/")
    for start in range(1, len(parts)):
        tail = "…/" + "/".join(parts[start:])
        if width(tail) <= cells:
            return tail
    return ""
