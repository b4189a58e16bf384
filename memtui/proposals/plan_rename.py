"""A note moved; index lines, `superseded_by` and Markdown links follow, dates and logs do not change."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote, unquote

from memtui.notes import frontmatter, index, naming
from memtui.notes.lines import KeyedLine
from memtui.proposals.context import INDEX, TAGS, Context, is_reserved
from memtui.proposals.model import Change, FileChange, LineChange, Notice, Plan, Problem, Rename

_LINK = re.compile(rb"(\]\()(<[^<>\r\n]*>|[^\s()<>]+)((?:\s+(?:\"[^\"\r\n]*\"|'[^'\r\n]*'))?\))")


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_KEPT = "/-._~!$&'*+,;=:@"
"""What stays as it is in a percent-encoded relative link."""


def plan_rename(proposal: Rename, context: Context) -> Plan:
    """The move, and every link that pointed to the old path."""
    old, new = proposal.path, proposal.new_path
    data = context.folder.read(old)
    if data is None:
        return Plan(problems=(Problem("path", f"{old} does not exist"),))
    if is_reserved(new):
        return Plan(
            problems=(Problem("new_path", f"{new} follows the notes by itself: choose another name"),)
        )
    if old == new:
        return Plan(problems=(Problem("new_path", f"{new} is the path that it has"),))

    def siblings(directory: str) -> list[str]:
        names = context.folder.names(directory)
        return [n for n in names if posixpath.join(directory, n) != old]

    if trouble := naming.check_new_path(new, siblings):
        return Plan(problems=(Problem("new_path", trouble),))
    changes: list[Change] = [FileChange(new, data, _relinked(data, old, new, moved=True), origin=old)]
    notices: list[Notice] = []
    found = index.read_index(context.folder.read(INDEX))
    line = found.get(old)
    if old in found.duplicates:
        notices.append(Notice("index", f"index.md has two lines for {old}: both stay"))
    elif line is not None:
        changes.extend(_moved_line(line, new, context))
    for note in context.folder.notes():
        if note.path in (old, INDEX, TAGS):
            continue
        followed, notice = _followed(note.path, old, new, context)
        changes.extend(followed)
        notices.extend(notice)
    return Plan(tuple(changes), tuple(notices), result={"path": old, "new_path": new})


def _moved_line(line: index.IndexEntry, new: str, context: Context) -> list[Change]:
    """The line under its old key goes, and stands under the new one, at the same place."""
    composed = index.compose(
        context.folder.read(INDEX),
        title=line.title,
        filename=new,
        type=line.type,
        tags=line.tags,
        hook=line.hook,
        deprecated=line.deprecated,
    )
    placed = KeyedLine(composed.text, line.line.section, line.line.above)
    return [LineChange(INDEX, line.filename, line.line, None), LineChange(INDEX, new, None, placed)]


def _followed(path: str, old: str, new: str, context: Context) -> tuple[list[Change], list[Notice]]:
    data = context.folder.read(path)
    if data is None:
        return [], []
    after = _relinked(data, old, new, at=path)
    notices: list[Notice] = []
    if b"superseded_by" in data and frontmatter.read(data).fields.get("superseded_by") == old:
        try:
            after = frontmatter.edit(after, {"superseded_by": new})
        except frontmatter.EditRefused as refusal:
            notices.append(Notice("link", f"{path} still names {old} as its successor: {refusal}"))
    return ([FileChange(path, data, after)] if after != data else []), notices


def _relinked(data: bytes, old: str, new: str, *, at: str = "", moved: bool = False) -> bytes:
    """The bytes with every relative link to `old` pointing to `new`.

    Of the moved note itself (`moved`) every relative link is made to point to where it pointed before.
    """
    if b"](" not in data:
        return data
    here, there = (old, new) if moved else (at, at)

    def follow(match: re.Match[bytes]) -> bytes:
        written = match[2].decode("utf-8", "surrogateescape")
        bare = written[1:-1] if written.startswith("<") else written
        path, mark, anchor = bare.partition("#")
        if not path or path.startswith("/") or _SCHEME.match(path):
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(here), unquote(path)))
        if target.startswith("..") or (target != old and not moved):
            return match[0]
        relative = posixpath.relpath(new if target == old else target, posixpath.dirname(there) or ".")
        if relative == posixpath.normpath(unquote(path)):
            return match[0]
        shown = quote(relative, safe=_KEPT) if "%" in path else relative
        wrapped = written.startswith("<") or bool(re.search(r"[\s()<>]", shown))
        followed = f"<{shown}{mark}{anchor}>" if wrapped else f"{shown}{mark}{anchor}"
        return match[1] + followed.encode("utf-8", "surrogateescape") + match[3]

    return _LINK.sub(follow, data)
