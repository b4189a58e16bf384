"""When a decision key counts: only once the item has been fully drawn and looked at for the settle time.

SCREENS, Five moments: a key that comes earlier is dropped and restarts the settle time, so that a held key
decides one item and then nothing. Times are monotonic seconds given by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Settle:
    """The settle time of the item in the preview."""

    delay: float
    """Seconds."""
    since: float | None = None
    """When what is shown was last drawn, focused or disturbed; None while nothing is drawn."""
    once: bool = False
    """It has been settled since this item was drawn: paging no longer waits."""

    def begin(self, now: float) -> None:
        """The item is fully drawn, or focus, size or window changed: the time starts anew."""
        self.since = now

    def lose(self) -> None:
        """Nothing is drawn any more."""
        self.since, self.once = None, False

    def settled(self, now: float) -> bool:
        done = self.since is not None and now - self.since >= self.delay
        self.once = self.once or done
        return done

    def admit(self, now: float) -> bool:
        """Whether a decision key pressed now counts; where it doesn't, the settle time starts anew."""
        if self.settled(now):
            return True
        if self.since is not None:
            self.since = now
        return False

    def left(self, now: float) -> float:
        """Seconds until it is settled, 0 where it is or where nothing is drawn."""
        return 0.0 if self.since is None else max(0.0, self.since + self.delay - now)
