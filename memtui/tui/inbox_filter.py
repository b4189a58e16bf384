"""What a filter of the inbox lets through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import time

from memtui.review.items import Item
from memtui.tui.notes_model import age_matches

_FIELDS: Mapping[str, Callable[[Item], str]] = {
    "agent": lambda item: item.proposal.agent,
    "op": lambda item: item.proposal.operation,
    "source": lambda item: item.proposal.source,
    "session": lambda item: item.proposal.session,
    "note": lambda item: item.target,
    "state": lambda item: item.state,
}
"""What a word of a filter can name, as in `agent:me`."""


class Filter:
    """Keeps what it looks in, since a filter is tried on thousands of items at each key."""

    def __init__(self) -> None:
        self._texts: dict[str, tuple[Item, str]] = {}
        """By id, each with the item that it is of."""

    def matches(self, words: str, item: Item) -> bool:
        """Whether every word is somewhere in the item, or where it names: `agent:`, `age:<6h`, `!` for notices."""
        return all(self._has(word, item) for word in words.casefold().split())

    def _has(self, word: str, item: Item) -> bool:
        name, colon, value = word.partition(":")
        if colon and name == "age":
            return age_matches(value, (time() - item.first_seen) / 86400)
        if colon and name in _FIELDS:
            return value in _FIELDS[name](item).casefold()
        if word in ("!", "notices"):
            return bool(item.notices)
        if word == "!!":
            return any(notice.alarm for notice in item.notices)
        return word in self._text(item)

    def _text(self, item: Item) -> str:
        """No word of a filter holds a line break."""
        proposal = item.proposal
        kept = self._texts.get(proposal.id)
        if kept is None or kept[0] is not item:
            said = (item.headline, item.target, proposal.agent, proposal.operation, proposal.id)
            kept = self._texts[proposal.id] = (item, "\n".join((*said, proposal.reason)).casefold())
        return kept[1]
