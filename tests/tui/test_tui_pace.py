"""Keys first: garbage is looked for at rest, and work in the background gives way."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time

from memtui.review.items import Preview
from memtui.tui import pace
from tests.tui.driver import Opener


def collected(work: str) -> str:
    """Which generations were looked through while some code ran in a process of its own, after `put_keys_first`."""
    code = (
        "import gc\nfrom memtui.tui import pace\npace.put_keys_first()\nseen = set()\n"
        "gc.callbacks.append(lambda _, about: seen.add(about['generation']))\n"
        f"{work}\nprint(sorted(seen))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_what_is_loaded_is_never_looked_through_while_it_is_loaded() -> None:
    loaded = "kept = [[] for _ in range(300_000)]"
    assert collected(loaded) == "[0, 1]"
    assert collected(f"{loaded}\npace.tidy()") == "[0, 1, 2]"


def test_what_has_come_in_great_numbers_stays_and_is_not_looked_through() -> None:
    assert collected("kept = [[] for _ in range(800_000)]\npace.tidy()\npace.tidy()") == "[0, 1]"


def test_few_objects_are_left_alone() -> None:
    assert collected("pace.tidy()\nassert not gc.get_freeze_count()") == "[]"


async def test_background_work_waits_until_the_event_loop_has_come_round() -> None:
    order: list[str] = []
    loop, ready = asyncio.get_running_loop(), threading.Event()

    def work() -> None:
        ready.wait()
        pace.give_way(loop, lambda: -1.0)
        order.append("background")

    thread = threading.Thread(target=work)
    thread.start()
    loop.call_soon(order.append, "key")
    ready.set()
    await asyncio.to_thread(thread.join)
    assert order == ["key", "background"]


def test_background_work_goes_on_where_the_loop_has_ended() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    pace.give_way(loop, lambda: -1.0)


async def test_background_work_lets_a_key_be_drawn_first() -> None:
    loop, came = asyncio.get_running_loop(), time.monotonic()
    await asyncio.to_thread(pace.give_way, loop, lambda: came)
    assert time.monotonic() >= came + pace.DRAWN


async def test_what_was_shown_leaves_memory_before_garbage_is_looked_for(opened: Opener) -> None:
    async with opened("01", "02", "03", "04") as app:
        await app.settled()
        gc.collect()
        gc.disable()
        try:
            for key in "JJJKKK" * 4:
                await app.press(key)
                await app.settled()
            assert sum(isinstance(each, Preview) for each in gc.get_objects()) <= 3
        finally:
            gc.enable()
