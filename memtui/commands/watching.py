"""`memtui watch`: takes in and applies what rules and grants allow, without the app; asks nothing."""

from __future__ import annotations

import argparse
import gc
import json
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from memtui.commands.common import DONE, finish_output, open_desk, out, warn, workspace
from memtui.commands.looking import log_json
from memtui.failing import guard_threads, sentence
from memtui.review.history import decision_rows
from memtui.safe_text import safe

if TYPE_CHECKING:
    from memtui.desk import Desk
    from memtui.review.history import LogRow
    from memtui.review.items import Outcome

_SLOW = 5.0
"""Seconds between two looks where no event came."""
_SOON = 1.0
"""Seconds until a file that may still be being written is looked at again."""
_LISTED = 500
"""Decisions that are looked through at a time for those that are new."""


def watch(args: argparse.Namespace) -> int:
    """Until it is told to end: take in, apply what is allowed, print one line a decision."""
    gc.enable()  # this one stays
    guard_threads()
    wake, ended = threading.Event(), threading.Event()
    ends: list[Callable[[], object]] = [ended.set, wake.set]
    with _ended_by_signals(ends), open_desk(args, writes=True) as desk:
        ends.append(desk.screen.vault.close)
        if not args.json:
            watched = ", ".join(str(place.path) for place in workspace(args).spools)
            _print(safe(f"watching {watched}"))
        run = _Watch(desk, as_json=args.json)
        with _watchers(desk, wake):
            while not ended.is_set():
                wake.clear()
                run.look()
                run.look_ahead(lambda: not wake.is_set())
                wake.wait(_SOON if desk.unsettled else _SLOW)
    return DONE


@contextmanager
def _ended_by_signals(ends: Iterable[Callable[[], object]]) -> Iterator[None]:
    def end(*_: Any) -> None:
        for each in ends:
            each()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _watchers(desk: Desk, wake: threading.Event) -> Iterator[None]:
    from memtui.storage.watch import Watcher

    watchers = [Watcher(place.path) for place in desk.workspace.spools]
    for watcher in watchers:
        watcher.start(wake.set)
    try:
        yield
    finally:
        for watcher in watchers:
            watcher.stop()


class _Watch:
    """Looks, and tells what is new."""

    def __init__(self, desk: Desk, *, as_json: bool) -> None:
        self._desk = desk
        self._as_json = as_json
        self._trouble = ""
        self._no_grants = ""
        self._aside: frozenset[str] = frozenset()
        self._told = max((row.record for row in decision_rows(desk.journal, 1)), default=0)

    def look(self) -> None:
        """One look; trouble outside (a disk that is away, a lock that is held) is told once and tried again."""
        try:
            self._desk.tidy()  # once a day
            self._desk.take_in()
            failed = [outcome for outcome in self._desk.apply_allowed() if not outcome.ok]
            self._tell(failed)
            self._trouble = ""
        except Exception as error:
            said = sentence(error)
            if said is None or isinstance(error, BrokenPipeError):
                raise
            if said != self._trouble:
                warn(said)
            self._trouble = said

    def look_ahead(self, may: Callable[[], bool]) -> None:
        """Notes are screened for agents' searches until something comes; `look` tells of trouble."""
        if not self._trouble:
            while may() and self._desk.look_ahead(may):
                pass

    def _tell(self, failed: Iterable[Outcome]) -> None:
        for outcome in failed:
            self._line({"id": outcome.id, "message": outcome.message}, f"{outcome.id}  {outcome.message}")
        fresh = self._fresh()
        for row in reversed(fresh):
            if row.by != "you":
                self._line(log_json(row), _words(row))
        self._told = max((row.record for row in fresh), default=self._told)
        if self._desk.no_count != self._no_grants:
            self._no_grants = self._desk.no_count
            if self._no_grants:
                warn(self._no_grants)
        aside = {r.id: r.problems[0].message for r in self._desk.refusals() if r.verdict == "unreadable"}
        for name in aside.keys() - self._aside:
            warn(f"{name}: {aside[name]}")
        self._aside = frozenset(aside)

    def _fresh(self) -> list[LogRow]:
        """Decisions since the last look, newest first."""
        limit = 1
        while True:
            rows = decision_rows(self._desk.journal, limit)
            fresh = list(takewhile(lambda row: row.record > self._told, rows))
            if len(fresh) < len(rows) or len({row.record for row in rows}) < limit:
                return fresh
            limit = max(_LISTED, limit * 2)

    def _line(self, value: Any, words: str) -> None:
        _print(json.dumps(value, ensure_ascii=True) if self._as_json else safe(words))


def _words(row: LogRow) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.at))
    why = row.problems[0].message if row.problems else row.by
    parts = (f"{row.record}  {row.verdict}  {row.headline or row.id}", row.agent, row.id, why)
    return f"{when}  {' · '.join(dict.fromkeys(part for part in parts if part))}"


def _print(line: str) -> None:
    out(line)
    finish_output()
