"""The notes as a reader sees them: list, one note, plain search, catalog. Heads are cached by size and time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.config import Workspace
from memtui.notes import entry, frontmatter
from memtui.notes.catalog import Catalog, NoteHead, catalog, read_head
from memtui.notes.folder import Folder, FolderError, NoteFile
from memtui.proposals.context import INDEX, TAGS
from memtui.proposals.model import Change, FileChange
from memtui.review.items import CatalogEffect, NoteRow, NoteView

if TYPE_CHECKING:
    from memtui.gate.screen import Screen
    from memtui.reading.covers import Covers

SLOW = 0.1
"""Seconds from which it counts as slow to look at every note."""
SHARE = 20
"""One part in so many of the time goes into looks of which a recent one would do."""
HEAD = 8192
"""Bytes of a note that the catalog and lists read (SPEC.md section 2)."""


class Library:
    """Reads one memory folder. Thread-safe; nothing here writes."""

    def __init__(self, folder: Folder, budget: int) -> None:
        self.folder = folder
        self._budget = budget
        self._heads: dict[str, tuple[NoteFile, NoteHead]] = {}
        self._lock = threading.Lock()
        self._listed = self._took = 0.0

    @property
    def is_slow(self) -> bool:
        """Whether to look at every note takes longer than a person should wait for."""
        return self._took > SLOW

    def recent_heads(self) -> dict[str, NoteHead]:
        """`heads` as they were a moment ago: not looked at anew before that would take much of the time."""
        with self._lock:
            if time.monotonic() - self._listed < SHARE * self._took:
                return {path: head for path, (_, head) in self._heads.items()}
        return self.heads()

    def heads(self) -> dict[str, NoteHead]:
        """The head of every note by path, read anew only where size or time changed."""
        with self._lock:
            begun = time.monotonic()
            kept: dict[str, tuple[NoteFile, NoteHead]] = {}
            for note in self.folder.notes():
                known = self._heads.get(note.path)
                if known is not None and known[0] == note:
                    kept[note.path] = known
                    continue
                try:
                    head = self.folder.head(note.path, HEAD)
                except FolderError:
                    continue
                kept[note.path] = (note, read_head(note.path, head, note.mtime))
            self._heads, self._listed = kept, time.monotonic()
            self._took = self._listed - begun
            return {path: head for path, (_, head) in kept.items()}

    def rows(self) -> tuple[NoteRow, ...]:
        """Every note but index.md and tags.md, sorted by path."""
        return tuple(_row(head) for path, head in self.heads().items() if path not in (INDEX, TAGS))

    def view(self, path: str) -> NoteView:
        """One note, whole. Raises FolderError where there is none or it cannot be read."""
        data = self.folder.read(path)
        if data is None:
            raise FolderError(f"{path} does not exist")
        head = self.heads().get(path) or read_head(path, data[:HEAD], 0.0)
        return _view(_row(head), data)

    def search(self, query: str, covers: Covers | None = None) -> tuple[NoteRow, ...]:
        """Notes that hold every word of the query, whatever its case, in path or text.

        With `covers` the search is an agent's: no word is found in a secret, and the rows hold none. Then every note
        is screened before anything is looked for, so that the time that it takes does not tell what a secret holds.
        """
        words = query.encode("utf-8", "replace").decode().casefold().split()
        found = []
        for path, head in self.heads().items():
            if path in (INDEX, TAGS):
                continue
            whole = self.searched(path)
            if whole is None:
                continue
            shown = whole if covers is None else covers.cover(whole)
            if _holds(words, shown):
                clean = head if covers is None or shown == whole else without_secrets(head, covers.screen)
                found.append(_row(clean))
        if covers is not None:
            covers.keep()
        return tuple(found)

    def searched(self, path: str) -> str | None:
        """What words are looked for in of one note: its path and its text; None where it cannot be read."""
        try:
            data = self.folder.read(path) or b""
        except FolderError:
            return None
        return f"{path}\n{data.decode('utf-8', 'replace')}"

    def catalog(self, screen: Screen | None = None) -> Catalog:
        """What agents read in every prompt; with a `screen`, as they are given it: without secrets."""
        heads = self.heads()
        clean: dict[str, NoteHead] = {}
        while True:
            made = catalog([clean.get(path, head) for path, head in heads.items()], self._budget)
            fresh = [path for path, _ in made.lines if path in heads and path not in clean]
            if screen is None or not fresh:
                return made
            clean.update((path, without_secrets(heads[path], screen)) for path in fresh)

    def catalog_effect(self, changes: Iterable[Change]) -> CatalogEffect:
        """The catalog now and with the changes laid on, and the lines that differ."""
        heads = self.heads()
        before = catalog(heads.values(), self._budget)
        after_heads = _with_changes(heads, changes)
        after = catalog(after_heads.values(), self._budget)
        old, new = dict(before.lines), dict(after.lines)
        return CatalogEffect(
            before=before.used,
            after=after.used,
            budget=self._budget,
            added=tuple(path for path in new if path not in old),
            changed=tuple(path for path in new if path in old and old[path] != new[path]),
            pushed_out=tuple(path for path in old if path not in new and path in after_heads),
        )


def open_library(workspace: Workspace) -> Library:
    """The notes of a workspace, for reading only; a missing folder has none. Raises FolderError."""
    folder = Folder(workspace.memory)
    folder.names("")  # a folder that cannot be read must not look like an empty one
    return Library(folder, workspace.settings.catalog_budget)


def _holds(words: Iterable[str], text: str) -> bool:
    looked_in = text.casefold()
    return all(word in looked_in for word in words)


def without_secrets(head: NoteHead, screen: Screen) -> NoteHead:
    """What an agent may read of a note's head: secrets are taken out before anything is clipped, since half of one
    is not known again.
    """
    return replace(
        head,
        path=screen.redact(head.path),
        title=screen.redact(head.title),
        description=screen.redact(head.description),
        first_line=screen.redact(head.first_line),
    )


def _with_changes(heads: Mapping[str, NoteHead], changes: Iterable[Change]) -> dict[str, NoteHead]:
    laid = dict(heads)
    newest = max((head.mtime for head in heads.values()), default=0.0) + 1
    for change in changes:
        if not isinstance(change, FileChange):
            continue
        if change.origin is not None:
            laid.pop(change.origin, None)
        if change.after is None:
            laid.pop(change.path, None)
        else:
            laid[change.path] = read_head(change.path, change.after[:HEAD], newest)
    return laid


def _row(head: NoteHead) -> NoteRow:
    return NoteRow(
        path=head.path,
        headline=head.title or head.summary,
        summary=head.summary,
        kind=head.kind,
        type=head.type,
        tags=head.tags,
        status=head.status,
        confidence=head.confidence,
        modified=head.mtime,
        updated=head.updated or head.created,
    )


def _view(row: NoteRow, data: bytes) -> NoteView:
    found = frontmatter.read(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return NoteView(row, data, None, notice=f"not UTF-8: byte {error.start} cannot be read as text")
    read = entry.read_entry(data)
    notice = ""
    if found.problem:
        notice = f"the frontmatter does not parse: {found.problem}"
    elif found.kind == "none":
        notice = "no frontmatter"
    elif found.kind == "toml":
        notice = "TOML frontmatter: shown as it is"
    body = data[found.body_start :].decode("utf-8") if read is None else read.body
    return NoteView(row, data, text, found.fields, body, read.log if read else (), notice)
