"""The inbox as rows: groups, order, filter, marks, held arrivals and decided rows that stay in place.

No Textual; a clock for a filter by age alone. The rule (SCREENS, Look): what would move a visible row waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from types import MappingProxyType
from typing import Literal

from memtui.review.items import Item, Refusal
from memtui.tui.inbox_filter import Filter

Fate = Literal["ok", "no", "gone"]
"""What became of an item whose row still stands: approved, rejected, or taken away elsewhere."""

Kind = Literal["group", "batch", "item", "held", "blank", "problems", "refusal"]

ORDERS: Mapping[str, str] = {
    "agent": "by agent, oldest first",
    "target": "by note, oldest first",
    "batch": "by batch, oldest first",
    "operation": "by operation, oldest first",
    "source": "by source, oldest first",
    "age": "oldest first",
    "newest": "newest first",
    "notices": "those with notices first",
}
"""Orders of the list, in the order in which `o` goes through them."""


@dataclass(frozen=True, slots=True)
class InboxRow:
    """One row of the list; `key` is unique in it and stays the same while the row stands."""

    kind: Kind
    key: str
    text: str = ""
    count: int = 0
    item: Item | None = None
    refusal: Refusal | None = None
    same: bool = False
    """An item about the same note as the row above it."""
    member: bool = False
    """An item under its batch's heading."""


def layout(
    items: Iterable[Item], order: str, known: Mapping[str, InboxRow] = MappingProxyType({})
) -> list[InboxRow]:
    """The rows of the items: headings, batches, and what concerns one note side by side.

    `known` are rows of before, by key: of thousands, most are the same once more.
    """
    listed = sorted(items, key=attrgetter("first_seen"))
    if order == "newest":
        listed.reverse()
    elif order == "notices":
        listed.sort(key=lambda i: (not any(n.alarm for n in i.notices), not i.notices))
    if order in _GROUPS:
        rows: list[InboxRow] = []
        for name, members in _grouped(listed, _GROUPS[order]):
            if order not in ("target", "batch") or (order == "target" and len(members) > 1):
                rows.append(InboxRow("group", f"group:{name}", name, len(members)))
            rows += _clustered(members, known)
        return rows
    return [_plain_row(item, known) for item in listed]


def _plain_row(item: Item, known: Mapping[str, InboxRow]) -> InboxRow:
    """The row of an item that stands by itself."""
    id = item.proposal.id
    row = known.get(id)
    if row is not None and row.item is item and not (row.same or row.member):
        return row
    return InboxRow("item", id, item=item)


def _agent(item: Item) -> str:
    return item.proposal.agent or "no agent named"


def _target(item: Item) -> str:
    return item.target or item.headline


_GROUPS: Mapping[str, Callable[[Item], str]] = {
    "agent": _agent,
    "target": _target,
    "batch": lambda item: item.proposal.batch,
    "operation": lambda item: item.proposal.operation,
    "source": lambda item: item.proposal.source or "no source named",
}
"""By what the orders that group do so; a batch has a heading of its own anyway."""


def _grouped(items: Sequence[Item], key: Callable[[Item], str]) -> list[tuple[str, list[Item]]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.items())


def _clustered(items: Sequence[Item], known: Mapping[str, InboxRow]) -> list[InboxRow]:
    """A batch stays together under its heading; other items follow the first that has the same target."""
    targets = {item.target for item in items}
    if len(targets) == len(items) and not any(item.proposal.batch for item in items):  # of thousands, most
        return [_plain_row(item, known) for item in items]
    batches: dict[str, list[Item]] = {}
    home: dict[str, list[Item]] = {}
    clusters: list[list[Item]] = []
    for item in items:
        name = item.proposal.batch
        cluster = batches.get(name) if name else home.get(item.target)
        if cluster is None:
            cluster = []
            clusters.append(cluster)
            if name:
                batches[name] = cluster
        home.setdefault(item.target, cluster)
        cluster.append(item)
    rows: list[InboxRow] = []
    for members in clusters:
        if len(members) == 1 and not members[0].proposal.batch:
            rows.append(_plain_row(members[0], known))
            continue
        batch = [i for i in members if i.proposal.batch]
        if batch:
            key = f"batch:{batch[0].proposal.batch}"
            rows.append(InboxRow("batch", key, _batch_text(batch), len(batch)))
        previous = ""
        for item in [*batch, *(i for i in members if not i.proposal.batch)]:
            same = bool(item.target) and item.target == previous
            rows.append(InboxRow("item", item.id, item=item, same=same, member=bool(item.proposal.batch)))
            previous = item.target
    return rows


def _batch_text(batch: Sequence[Item]) -> str:
    reason = batch[0].proposal.reason
    return f"batch · {reason}" if reason else "batch"


@dataclass
class InboxModel:
    """What the list shows, and what of the desk's items it holds back."""

    order: str = "agent"
    filter: str = ""
    unfolded: bool = False
    """The group of problems is open."""
    items: dict[str, Item] = field(default_factory=dict)
    """Shown, pending or decided, by id."""
    fates: dict[str, Fate] = field(default_factory=dict)
    held: dict[str, Item] = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)
    unseen: set[str] = field(default_factory=set)
    """What has not been looked at yet."""
    refusals: tuple[Refusal, ...] = ()
    looks_new: bool = False
    """Whether rows that stood before the last `take` show something else now."""
    _version: int = 0
    """Counts the changes of what is listed, so that the rows of 10,000 items are laid out once a change."""
    _kept: tuple[object, list[InboxRow]] = (None, [])
    _places: tuple[object, dict[str, int]] = (None, {})
    _stale: tuple[object, int] = (None, 0)
    _filter: Filter = field(default_factory=Filter)

    # --- rows

    def rows(self) -> list[InboxRow]:
        if self._kept[0] != self.state:
            self._kept = (self.state, self._rows(self.items.values(), len(self.held)))
        return self._kept[1]

    @property
    def state(self) -> tuple[object, ...]:
        """What the rows were laid out from."""
        return (self._version, self.order, self.filter, self.unfolded)

    def _rows(self, items: Iterable[Item], held: int) -> list[InboxRow]:
        known = {row.key: row for row in self._kept[1]}
        rows = layout(filter(self.matches, items) if self.filter else items, self.order, known)
        if held:
            rows.append(InboxRow("held", "held", f"+{held} new", held))
        if self.refusals:
            rows.append(InboxRow("blank", "blank"))
            rows.append(
                InboxRow(
                    "problems", "problems", "refused for the agents", len(self.refusals), same=self.unfolded
                )
            )
            if self.unfolded:
                rows += [InboxRow("refusal", f"refused:{r.id}", refusal=r) for r in self.refusals]
        return rows

    def matches(self, item: Item) -> bool:
        """Whether the filter lets it through: every word somewhere, or `agent:`, `op:`, `source:` and so on."""
        return self._filter.matches(self.filter, item)

    # --- counts

    @property
    def pending(self) -> list[Item]:
        return [item for id, item in self.items.items() if id not in self.fates]

    @property
    def waiting(self) -> int:
        """Pending and shown, whatever the filter."""
        return len(self.items) - len(self.fates)

    @property
    def stale(self) -> int:
        if self._stale[0] != self._version:
            stale = (id for id, item in self.items.items() if item.state == "stale" and id not in self.fates)
            self._stale = (self._version, sum(1 for _ in stale))
        return self._stale[1]

    def shown_ids(self) -> list[str]:
        """Ids of the item rows, as they stand."""
        return [row.key for row in self.rows() if row.kind == "item"]

    def position(self, id: str) -> tuple[int, int]:
        """Place among the pending rows and their number; (0, n) for a decided one."""
        rows = self.rows()
        if self._places[0] is not rows:
            pending = [key for key in self.shown_ids() if key not in self.fates]
            self._places = (rows, {key: number for number, key in enumerate(pending, 1)})
        places = self._places[1]
        return places.get(id, 0), len(places)

    def next_pending(self, id: str, step: int = 1) -> str | None:
        """The nearest pending row below (`step` 1) or above (-1); past the end of the list, the first one again."""
        ids = self.shown_ids()
        if not ids:
            return None
        start = ids.index(id) if id in ids else (-1 if step > 0 else 0)
        for offset in range(1, len(ids) + 1):
            other = ids[(start + step * offset) % len(ids)]
            if other not in self.fates and other != id:
                return other
        return None

    # --- changes

    def take(
        self, items: Iterable[Item], refusals: Sequence[Refusal], visible: int = 0, room: int = 0
    ) -> list[str]:
        """Bring in what the desk knows now; ids that arrived are returned.

        `visible`: how many rows from the top must not move; `room`: blank rows before the group of problems,
        which keeps to the end of the pane. What would move a visible row is held back.
        """
        known = {item.proposal.id: item for item in items}
        self.looks_new = False
        if self._has_just(known, refusals):
            return []
        before, looked = self.rows(), self._looks()
        self._version += 1
        arrived = [id for id in known if id not in self.items and id not in self.held]
        for id in list(self.held):
            if id in known:
                self.held[id] = known[id]
            else:
                del self.held[id]
        for id, old in self.items.items():
            new = known.get(id)
            if new is None:
                self.fates.setdefault(id, "gone")
            elif new is not old:
                self.items[id] = new
                self.looks_new = self.looks_new or _face(new) != _face(old)
        for id in self.fates.keys() & known.keys():
            del self.fates[id]
        self.marks &= known.keys()
        self.unseen = (self.unseen & known.keys()) | set(arrived)
        for id in arrived:
            self.held[id] = known[id]
        after = self._rows([*self.items.values(), *self.held.values()], 0) if self.held else []
        if self.held and (not self.items or self.keeps_still(before, after, visible, room)):
            self._admit()
            if self.refusals == tuple(refusals):
                self._kept = (self.state, after)
        self.refusals = tuple(refusals)
        self.looks_new = self.looks_new or looked != self._looks()
        return arrived

    def _looks(self) -> tuple[object, ...]:
        """What the rows show beside the items themselves and how many there are."""
        return dict(self.fates), [refusal.id for refusal in self.refusals]

    def _has_just(self, known: Mapping[str, Item], refusals: Sequence[Refusal]) -> bool:
        """Whether all of this is listed already, and nothing else."""
        settled = not self.held and not self.fates
        return settled and known == self.items and self.refusals == tuple(refusals)

    def keeps_still(
        self, before: Sequence[InboxRow], after: Sequence[InboxRow], visible: int, room: int
    ) -> bool:
        """Whether each of the first `visible` of the rows that stand keeps its place where others follow."""
        passed = ("held", "blank", "problems", "refusal") if room else ("held",)
        if room and len(after) - sum(1 for row in before if row.kind not in passed) > room:
            return False
        top = list(islice((row.key for row in before if row.kind not in passed), visible))
        return top == [row.key for row in after[: len(top)]]

    def _admit(self) -> None:
        self._version += 1
        self.items.update(self.held)
        self.held.clear()

    def release(self) -> None:
        """Let the held arrivals in (enter on `+2 new`, a filter, or leaving the pane)."""
        self._admit()

    @property
    def version(self) -> int:
        """Another number after each change of what is listed."""
        return self._version

    def leave(self) -> None:
        """The pane is left: decided rows go, arrivals come in."""
        self._version += 1
        for id in self.fates:
            self.items.pop(id, None)
        self.fates.clear()
        self._admit()

    def decide(self, id: str, fate: Fate) -> None:
        self._version += 1
        self.fates[id] = fate
        self.marks.discard(id)

    def restore(self, id: str) -> None:
        self._version += 1
        self.fates.pop(id, None)

    def known(self, id: str) -> Item:
        """An item that is listed or held back."""
        return self.items[id] if id in self.items else self.held[id]

    def toggle_mark(self, id: str) -> None:
        if id in self.items and id not in self.fates:
            self.marks ^= {id}

    def mark_all(self, ids: Iterable[str] | None = None) -> int:
        """Mark all shown, or these of them, but those with notices and deletes: how many were passed by.

        Where they are marked already, they are so no more.
        """
        waiting = [
            self.items[id] for id in (self.shown_ids() if ids is None else ids) if id not in self.fates
        ]
        plain = {item.id for item in waiting if may_be_marked(item)}
        if plain and plain <= self.marks:
            self.marks = set() if ids is None else self.marks - plain
        else:
            self.marks |= plain
        return len(waiting) - len(plain)

    def group_of(self, id: str) -> list[str]:
        """Ids of all that are shown of an item's batch; without one, of its group (its agent's where none shows)."""
        item = self.items.get(id)
        if item is None:
            return []
        of = _GROUPS["batch" if item.proposal.batch else self.order if self.order in _GROUPS else "agent"]
        return [other for other in self.shown_ids() if of(self.items[other]) == of(item)]


def may_be_marked(item: Item) -> bool:
    """Whether `*` takes it: no delete, no notices, nothing that a person must still give (SPEC section 6)."""
    return (
        item.state == "pending"
        and not item.notices
        and not item.has_new_tags
        and item.proposal.operation not in ("delete", "contradiction")
    )


def _face(item: Item) -> tuple[object, ...]:
    """All that a row shows of its item, cheap to compare."""
    return (item.state, item.sign, item.headline, item.has_new_tags, item.edited, len(item.notices))
