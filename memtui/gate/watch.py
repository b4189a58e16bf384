"""How long one text may keep the screen busy: texts can be made on which it works for minutes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from memtui.gate.view_sources import Traced

MOST_SECONDS = 5.0
"""Of the processor. A text that takes longer is a secret as a whole: 1 MiB of prose takes some 0.4, and as much of
nothing but short notes with a hash, an address or base64 in each some 3.
"""
_STEP = 64
_Each = TypeVar("_Each")


class TakesTooLong(Exception):
    """A text has had its time."""


class Watch:
    """The time that one text has."""

    def __init__(self, clock: Callable[[], float] = time.thread_time, most: float = MOST_SECONDS) -> None:
        """`clock`: seconds; other threads do not count."""
        self._clock = clock
        self._until = clock() + most

    def look(self) -> None:
        """Raises: TakesTooLong."""
        if self._clock() > self._until:
            raise TakesTooLong

    def over(self, each: Iterable[_Each]) -> Iterator[_Each]:
        """The same things, with a look at the clock now and then. Raises: TakesTooLong."""
        for number, one in enumerate(each, 1):
            if not number % _STEP:
                self.look()
            yield one


def watch_of(view: Traced) -> Watch:
    """The watch of the text that a view was made from; one that never ends where it has none."""
    watch: Watch = view.whole.known.get(Watch, _NEVER)
    return watch


def keep(view: Traced, watch: Watch) -> None:
    """Have a text, all its views included, looked at no longer than a watch says."""
    view.whole.known[Watch] = watch


_NEVER = Watch(lambda: 0.0)
"""For views that are looked at by themselves."""
