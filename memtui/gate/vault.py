"""The person's vault: the values of their own secrets, so that no note ever holds one (SPEC.md section 4).

Values are read when a text is first screened, live in memory only, and are shown nowhere.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.gate.secrets import NO_MORE
from memtui.settings import NO_VAULT, VaultSources

if TYPE_CHECKING:
    from memtui.gate.secrets import More
    from memtui.gate.vault_sources import Source
    from memtui.gate.vault_values import Values


@dataclass(frozen=True, slots=True)
class Entry:
    """One value as `memtui vault` lists it, or a source that failed (no name). Never the value."""

    source: str
    name: str = ""
    why_not: str = ""
    """Why it is not used, or why the source could not be read; "" where it counts."""

    @property
    def failed(self) -> bool:
        return not self.name


class VaultClosed(Exception):
    """memtui ends before the vault was read: what was to be screened is not let through."""


AGAIN, SELDOM = 60.0, 3600.0
"""Seconds after which a program that gave nothing is asked again: at first, and at most."""
slow: Callable[[str], object] = str
"""Called, from any thread, with what is waited for where programs take over a second. Each face sets its own."""


def end_programs() -> None:
    """This process ends at once: whatever program a vault waits for is ended too. From any thread."""
    if running := sys.modules.get("memtui.gate.vault_commands"):
        running.end_all()


class Vault:
    """The values of one workspace's sources. Thread-safe; its `repr` shows none of them."""

    def __init__(self, sources: VaultSources = NO_VAULT, environ: Mapping[str, str] | None = None) -> None:
        self._settings = sources
        self._environ = os.environ if environ is None else environ
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._sources: dict[str, Source] = {}
        self._values: Values | None = None
        self._again, self._pause = 0.0, AGAIN
        self.generation = 0
        """Counts up each time that the values have changed."""

    def __repr__(self) -> str:
        return "Vault(…)"

    def refresh(self) -> None:
        """Read what was not read yet, and files that have changed.

        Programs and the keyring are asked once; what gave nothing after a minute again, and then less and less often.
        Raises VaultClosed.
        """
        if self._settings == NO_VAULT:
            return
        from memtui.gate.vault_sources import read_sources
        from memtui.gate.vault_values import Values

        with self._lock:
            again = self._is_time_again()
            fresh = read_sources(
                self._settings,
                self._environ,
                self._sources,
                self._ended,
                lambda: slow("reading your vault"),
                again=again,
            )
            if self._ended.is_set() and self._values is None:
                raise VaultClosed("memtui ends, and your vault has not been read")
            if fresh or self._values is None:
                self._sources.update(fresh)
                self._values = Values(self._sources.values(), self._settings.keys)
                self.generation += 1

    def _is_time_again(self) -> bool:
        """Whether what gave nothing is asked once more; then it is for a while not."""
        silent = any(source.silent for source in self._sources.values())
        if self._sources and (not silent or self._ended.is_set() or time.monotonic() < self._again):
            return False
        self._again = time.monotonic() + self._pause
        self._pause = min(self._pause * 2, SELDOM) if silent else AGAIN
        return silent

    @property
    def silent(self) -> str:
        """A program or an entry of the keyring that gave nothing when it was last asked, and why; "" for none."""
        found = next((source for source in tuple(self._sources.values()) if source.silent), None)
        return "" if found is None else f"{found.name}: {found.trouble}"

    def close(self) -> None:
        """Wait for no program any more."""
        self._ended.set()

    def finder(self) -> More:
        """What finds the values in the views of one text, as the last `refresh` left them."""
        if self._values is None or not self._values.rules:
            return NO_MORE
        from memtui.gate.vault_values import Once

        return Once(self._values).find

    def value(self, rule: str) -> str:
        """The value that a rule of the vault looks for, "" where the rule is none of its. For fingerprints alone."""
        return "" if self._values is None else self._values.rules.get(rule, "")

    def identity(self) -> str:
        """The values, in an order of their own: for a salted hash alone, never to be shown or kept."""
        self.refresh()
        return "" if self._values is None else repr(sorted(self._values.rules.items()))

    def entries(self) -> tuple[Entry, ...]:
        """Every value by source and name, and why one is not used; in the order of the settings."""
        self.refresh()
        return () if self._values is None else self._values.entries

    def troubles(self) -> tuple[Entry, ...]:
        """The sources that could not be read, in whole or in part."""
        return tuple(entry for entry in self.entries() if entry.failed)
