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
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.config import write_private
from memtui.gate.secrets import COVER
from memtui.notes.folder import FolderError, NoteFile
from memtui.proposals.context import INDEX, TAGS
from memtui.settings import read_regular

if TYPE_CHECKING:
    from memtui.gate.screen import Screen
    from memtui.reading.library import Library

NAME = "covers.json"
LARGEST = 1 << 26
"""Bytes of what is kept: some 40 a note."""
STEP = 2.0
"""Seconds of work after which what was found so far is kept."""
SELDOM, SHARE = 30.0, 400
"""Seconds between two looks for notes that have changed, and one part in so many of the time that they may take."""
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

    def keep_more(self) -> None:
        """Keep what was found beside what was known, where only some of the notes were asked for."""
        if any(self._known.get(key) != spans for key, spans in self._seen.items()):
            self._write({**self._known, **self._seen})

    def keep(self) -> None:
        """Keep what was found, for the next search; where it cannot be written, that one looks anew."""
        if self._seen != self._known:
            self._write(self._seen)

    def _write(self, notes: dict[str, list[int]]) -> None:
        if self._path is None or self.screen.identity() != self._by:
            return
        with suppress(OSError):
            write_private(self._path, json.dumps({"by": self._by, "notes": notes}).encode("ascii"))


class LookAhead:
    """Screens the notes of a folder before an agent searches them, a few at a time, while nobody waits for anything.

    For one thread. A note that was looked at is not read again before it changes.
    """

    def __init__(self, library: Library, screen: Screen, state: Path) -> None:
        self._library, self._screen, self._state = library, screen, state
        self._done: dict[str, NoteFile] = {}
        self._waiting: list[NoteFile] = []
        self._by = ""
        self._next = 0.0

    def go_on(self, seconds: float, may: Callable[[], bool]) -> bool:
        """Look at some notes, for so many seconds or as long as it `may`; whether any are left."""
        if not self._waiting and not self._find():
            return False
        covers, end = Covers(self._screen, self._state), time.monotonic() + seconds
        while self._waiting and time.monotonic() < end and may():
            note = self._waiting.pop()
            if (whole := self._library.searched(note.path)) is not None:
                covers.cover(whole)
            self._done[note.path] = note
        covers.keep_more()
        return bool(self._waiting)

    def _find(self) -> bool:
        """Whether notes are new or have changed, or the screen is another one; seldom looked for."""
        begun = time.monotonic()
        if begun < self._next:
            return False
        if (by := self._screen.identity()) != self._by:
            self._by, self._done = by, {}
        with suppress(FolderError):
            notes = [note for note in self._library.folder.notes() if note.path not in (INDEX, TAGS)]
            self._waiting = [note for note in notes if self._done.get(note.path) != note]
            self._done = {note.path: self._done[note.path] for note in notes if note.path in self._done}
        self._next = time.monotonic() + max(SELDOM, SHARE * (time.monotonic() - begun))
        return bool(self._waiting)


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
