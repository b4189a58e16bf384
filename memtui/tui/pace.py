"""Keys first: how the threads of the app share one interpreter, and when it looks for garbage."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
from collections.abc import Callable

SWITCH = 0.001
"""Seconds after which a thread that computes lets another one go on, where that one waits."""
NEVER = 1 << 30
ROUND = 0.03
"""Seconds at most for which work in the background waits for the event loop."""
DRAWN = 0.012
"""Seconds from a key in which it is drawn as a rule, where no thread computes meanwhile."""
MANY, LOADED = 30, 60
"""Collections of the young, each after some 7,000 objects, from which the old are looked through at rest; and from
which so much has come that it was loaded to stay, and would take long to look through.
"""


def put_keys_first() -> None:
    """For the process of the app: work in threads holds up no key for long.

    A key passes from thread to thread some ten times until it is drawn. And to look for garbage among the objects
    of 100,000 notes takes a tenth of a second and more, in which no thread goes on: that is done at rest (`tidy`).
    """
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(*gc.get_threshold()[:2], NEVER)


def keep() -> None:
    """What is in memory now stays: nothing looks through it for garbage again."""
    gc.freeze()


def tidy() -> None:
    """Look for garbage among what came since `keep`, where that is much; nobody waits for anything now."""
    young = gc.get_count()[2]
    if MANY <= young < LOADED:
        gc.collect()
    if young >= MANY:
        gc.freeze()


def give_way(loop: asyncio.AbstractEventLoop, last_key: Callable[[], float]) -> None:
    """Let the event loop do first what it has to do, and draw what the last key asked for; blocks, in a thread.

    `last_key`: when it came, in monotonic seconds.
    """
    came = threading.Event()
    try:
        loop.call_soon_threadsafe(came.set)
    except RuntimeError:  # closed: the app has ended
        return
    came.wait(ROUND)
    let_draw(last_key())


def let_draw(last_key: float) -> None:
    """Wait until what the last key asked for is drawn; blocks, in a thread. `last_key` in monotonic seconds."""
    rest = last_key + DRAWN - time.monotonic()
    if rest > 0:
        time.sleep(min(rest, DRAWN))
