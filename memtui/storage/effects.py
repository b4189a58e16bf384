"""Changes to whole bytes on today's files, and back (SPEC.md section 4, Plan and Undo). Writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memtui.notes.folder import clip
from memtui.notes.lines import KeyedLine, LineConflict
from memtui.proposals.model import Change, FileChange, LineChange, sha256
from memtui.storage.files import Mismatch
from memtui.storage.records import Record, RecordFile
from memtui.storage.splice import reverse, splice

Read = Callable[[str], bytes | None]
Made = Callable[[str], Mapping[str, str]]
"""Of index.md or tags.md: sections that were made or spaced for a line, each with that line's `KeyedLine.above`."""

_LAST = ("index.md", "tags.md")
"""Written after every note, in this order."""


def materialise(changes: Sequence[Change], read: Read) -> tuple[RecordFile, ...]:
    """The files that these changes write, on what is there now: notes first, then index.md, then tags.md.

    Several changes of one file compose, also a rename followed by an edit. Where the disk already holds the
    `after` of a change, that is success. Raises Mismatch, naming the path.
    """
    overlay = _Overlay(read)
    for change in changes:
        if isinstance(change, FileChange):
            overlay.take(change)
    found = overlay.files()
    whole = {file.path for file in found}
    for path in _line_paths(changes):
        lines = [c for c in changes if isinstance(c, LineChange) and c.path == path]
        before = overlay.now(path)
        after = move_lines(path, before, lines)
        if path in whole:
            found = [file for file in found if file.path != path]
            found.append(RecordFile(path, None, overlay.base[path], after))
        elif after != before:
            found.append(RecordFile(path, None, before, after, whole=False))
    return _in_order(found)


def move_lines(path: str, data: bytes | None, lines: Sequence[LineChange]) -> bytes | None:
    """`data` with these lines changed; one that is already as it shall be stays. Raises Mismatch."""
    for line in lines:
        data = _move_line(path, data, line)
    return data


def undo_files(record: Record, read: Read, made: Made = lambda _: {}) -> tuple[RecordFile, ...]:
    """The files that take a finished record back, exactly, on what is there now.

    What `made` names goes with the last line of its section, where its bytes are still as they were made. A file
    that already is as it was before is left out. Raises Mismatch where notes or lines have changed
    since, or the contents are no longer kept.
    """
    if record.forgotten:
        raise Mismatch("The contents of this decision are no longer kept, so it cannot be undone.")
    found: list[RecordFile] = []
    for file in reversed([file for file in record.files if file.whole]):
        undone = _undo_note(file, read)
        if undone is not None:
            found.append(undone)
    by_path = {file.path: file for file in record.files}
    for path in dict.fromkeys([*_line_paths(record.lines), *(f.path for f in record.files if not f.whole)]):
        if path in by_path and by_path[path].whole:
            continue
        before = read(path)
        after = _undo_lines(path, before, by_path.get(path), record.lines, made)
        if after != before:
            found.append(RecordFile(path, None, before, after, whole=False))
    return _in_order(found)


def undo_lines(record: Record) -> tuple[LineChange, ...]:
    """The line changes that take those of the record back: what the undo's own record keeps."""
    return tuple(LineChange(c.path, c.key, c.after, c.before) for c in reversed(record.lines))


class _Overlay:
    """The files as they become while changes are taken one after the other."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._now: dict[str, bytes | None] = {}
        self.base: dict[str, bytes | None] = {}
        self._origins: dict[str, str] = {}

    def now(self, path: str) -> bytes | None:
        return self._now[path] if path in self._now else self._read(path)

    def take(self, change: FileChange) -> None:
        if change.origin is None or change.origin == change.path:
            if self.now(change.path) not in (change.before, change.after):
                raise _changed(change.path, self.now(change.path), change.before)
            self._set(change.path, change.before, change.after)
            return
        old, new = self.now(change.origin), self.now(change.path)
        if old is not None and old != change.before:
            raise _changed(change.origin, old, change.before)
        if old is None and new != change.after:
            raise _changed(change.origin, None, change.before)
        if new not in (None, change.after):
            raise Mismatch(f"{clip(change.path)} exists already.", change.path)
        self._set(change.path, None, change.after)
        self._set(change.origin, change.before, None)
        self._origins[change.path] = self._origins.pop(change.origin, change.origin)

    def _set(self, path: str, before: bytes | None, after: bytes | None) -> None:
        self.base.setdefault(path, before)
        self._now[path] = after

    def files(self) -> list[RecordFile]:
        """Net effect, file by file; what goes comes after what is written."""
        found, moved = [], set()
        for path, origin in self._origins.items():
            gone = self.base[origin] is not None and self._now[origin] is None
            if gone and self.base[path] is None and self._now[path] is not None:
                found.append(RecordFile(path, origin, self.base[origin], self._now[path]))
                moved |= {path, origin}
        for path, before in self.base.items():
            if path not in moved and self._now[path] != before:
                found.append(RecordFile(path, None, before, self._now[path]))
        return sorted(found, key=lambda file: file.after is None)


def _undo_note(file: RecordFile, read: Read) -> RecordFile | None:
    if not file.kept:
        raise Mismatch(
            f"The earlier text of {clip(file.path)} was not kept, so this cannot be undone.", file.path
        )
    now = read(file.path)
    if file.origin is not None and file.origin != file.path:
        old = read(file.origin)
        if now is None and old == file.before:
            return None
        if old is not None:
            raise Mismatch(
                f"{clip(file.origin)} exists again, so this decision cannot be undone.", file.origin
            )
        if now == file.after:
            return RecordFile(file.origin, file.path, now, file.before)
    elif now == file.after:
        return None if now == file.before else RecordFile(file.path, None, now, file.before)
    elif now == file.before:
        return None
    if file.after is None:
        raise Mismatch(f"{clip(file.path)} exists again, so this decision cannot be undone.", file.path)
    what = "is no longer there" if now is None else "has changed since this decision"
    raise Mismatch(f"{clip(file.path)} {what}, so it cannot be undone.", file.path)


def _undo_lines(
    path: str, now: bytes | None, file: RecordFile | None, lines: Iterable[LineChange], made: Made
) -> bytes | None:
    if file is not None:
        digest = None if now is None else sha256(now)
        if digest == file.before_sha256:
            return now
        if digest == file.after_sha256:
            exact = splice(now or b"", reverse(file.splices))
            if file.before_sha256 is None:
                return None
            if exact is not None and sha256(exact) == file.before_sha256:
                return exact
    from memtui.notes.made import is_file_made, with_made

    sections = made(path)
    back = [
        LineChange(path, c.key, c.after and with_made(c.after, sections), c.before)
        for c in lines
        if c.path == path
    ]
    after = move_lines(path, now, back[::-1])
    ways = [*sections.values(), *(c.before.above for c in back if c.before)]
    if now and any(map(is_file_made, ways)) and (not after or _is_bare(path, after)):
        return None
    return after


def _move_line(path: str, data: bytes | None, line: LineChange) -> bytes | None:
    set_line = _setter(path)
    try:
        return set_line(data, line.key, line.before, line.after)
    except LineConflict as error:
        if line.after is None and data is None:
            return data
        try:
            if set_line(data, line.key, line.after, line.after) == data:
                return data
        except LineConflict:
            pass
        raise Mismatch(str(error), path) from None


def _setter(path: str) -> Callable[[bytes | None, str, KeyedLine | None, KeyedLine | None], bytes]:
    # Here, not above: the queue must open without the parsers of both files.
    if path == "tags.md":
        from memtui.notes.tags import set_line as set_tag_line

        return set_tag_line
    from memtui.notes.index import set_line as set_index_line

    return set_index_line


def _is_bare(path: str, data: bytes) -> bool:
    from memtui.notes import index, tags

    return tags.is_bare(data) if path == "tags.md" else index.is_bare(data)


def _line_paths(changes: Iterable[Change]) -> list[str]:
    return sorted({change.path for change in changes if isinstance(change, LineChange)})


def _in_order(found: Iterable[RecordFile]) -> tuple[RecordFile, ...]:
    return tuple(sorted(found, key=lambda file: _LAST.index(file.path) if file.path in _LAST else -1))


def _changed(path: str, now: bytes | None, before: bytes | None) -> Mismatch:
    if now is None:
        return Mismatch(f"{clip(path)} is no longer there.", path)
    if before is None:
        return Mismatch(f"{clip(path)} exists already.", path)
    return Mismatch(f"{clip(path)} has changed since it was shown.", path)
