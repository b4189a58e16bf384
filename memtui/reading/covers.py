"""What of each note an agent's words are looked for in, kept so that the time of an answer tells nothing of a secret.

To screen only the notes that hold a word would tell, by how long it takes, whether a secret begins with it. So every
note is screened, whatever is looked for; and since that takes a while, where their secrets stand is kept by a hash of
their text, salted as fingerprints are. What is kept holds no word of a note, may be deleted at any time, and counts
while the screen is the same (its rules, the vault, what was said to be no secret).
"""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.config import write_private
from memtui.gate.secrets import COVER
from memtui.settings import read_regular

if TYPE_CHECKING:
    from memtui.gate.screen import Screen

NAME = "covers.json"
LARGEST = 1 << 26
"""Bytes of what is kept: some 40 a note."""
STEP = 2.0
"""Seconds of work after which what was found so far is kept."""
_RUN = re.compile(f"{COVER}+")


class Covers:
    """The covered texts of one folder's notes, for one search: each is asked for once, then `keep` is called."""

    def __init__(self, screen: Screen, state: Path | None = None) -> None:
        self.screen = screen
        self._path = state / NAME if state is not None else None
        self._by = screen.identity()
        self._known = _read(self._path, self._by) if self._path is not None else {}
        self._seen: dict[str, list[int]] = {}
        self._kept = time.monotonic()

    def cover(self, text: str) -> str:
        """The text as `Screen.cover` gives it."""
        key = self.screen.marks.digest(text)
        spans = self._known.get(key)
        if spans is None or spans != sorted(spans) or (spans and not 0 <= spans[0] <= spans[-1] <= len(text)):
            covered = self.screen.cover(text)
            spans = [offset for run in _RUN.finditer(covered) for offset in run.span()]
            self._keep_so_far()
        self._seen[key] = spans
        shown = text
        for start, end in zip(spans[::2], spans[1::2], strict=True):
            shown = f"{shown[:start]}{COVER * (end - start)}{shown[end:]}"
        return shown

    def _keep_so_far(self) -> None:
        """A first look at very many notes takes long: who gives up on it meanwhile begins the next one further on."""
        if time.monotonic() - self._kept > STEP:
            self._write({**self._known, **self._seen})
            self._kept = time.monotonic()

    def keep(self) -> None:
        """Keep what was found, for the next search; where it cannot be written, that one looks anew."""
        if self._seen != self._known:
            self._write(self._seen)

    def _write(self, notes: dict[str, list[int]]) -> None:
        if self._path is None or self.screen.identity() != self._by:
            return
        with suppress(OSError):
            write_private(self._path, json.dumps({"by": self._by, "notes": notes}).encode("ascii"))


def _read(path: Path, by: str) -> dict[str, list[int]]:
    """What was kept by the same screen; nothing where it is anything else than memtui writes."""
    try:
        kept = json.loads(read_regular(path, most=LARGEST))
        if kept["by"] != by:
            return {}
        return {key: spans for key, spans in kept["notes"].items() if _are_spans(spans)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _are_spans(spans: object) -> bool:
    return isinstance(spans, list) and len(spans) % 2 == 0 and all(type(offset) is int for offset in spans)
