"""The notes as a reader sees them: list, one note, plain search, catalog. Heads are cached by size and time."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

from memtui.config import Workspace
from memtui.notes import entry, frontmatter
from memtui.notes.catalog import Catalog, NoteHead, catalog, read_head
from memtui.notes.folder import Folder, FolderError, NoteFile
from memtui.proposals.context import INDEX, TAGS
from memtui.proposals.model import Change, FileChange
from memtui.review.items import CatalogEffect, NoteRow, NoteView

HEAD = 8192
"""Bytes of a note that the catalog and lists read (SPEC.md section 2)."""


class Library:
    """Reads one memory folder. Thread-safe; nothing here writes."""

    def __init__(self, folder: Folder, budget: int) -> None:
        self.folder = folder
        self._budget = budget
        self._heads: dict[str, tuple[NoteFile, NoteHead]] = {}
        self._lock = threading.Lock()

    def heads(self) -> dict[str, NoteHead]:
        """The head of every note by path, read anew only where size or time changed."""
        with self._lock:
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
            self._heads = kept
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

    def search(self, query: str) -> tuple[NoteRow, ...]:
        """Notes that hold every word of the query, whatever its case, in path or text."""
        words = query.casefold().split()
        found = []
        for path, head in self.heads().items():
            if path in (INDEX, TAGS):
                continue
            try:
                data = self.folder.read(path) or b""
            except FolderError:
                continue
            text = f"{path}\n{data.decode('utf-8', 'replace')}".casefold()
            if all(word in text for word in words):
                found.append(_row(head))
        return tuple(found)

    def catalog(self) -> Catalog:
        return catalog(self.heads().values(), self._budget)

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
