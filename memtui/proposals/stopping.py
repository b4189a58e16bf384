"""Work that may take long and that nobody may be waiting for any more: it asks between its pieces."""

from __future__ import annotations

from collections.abc import Callable

Stop = Callable[[], bool]
"""Whether nobody waits any more; asked often, so it must be cheap, and answer from any thread."""


class Stopped(Exception):
    """Nobody waited any more: there is no result."""


def never() -> bool:
    """Somebody waits."""
    return False


def go_on(stop: Stop) -> None:
    """Between two pieces of work. Raises Stopped where nobody waits any more."""
    if stop():
        raise Stopped
