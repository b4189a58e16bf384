"""A note moved; index lines, `superseded_by` and links follow, dates and logs do not change."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from memtui.notes import frontmatter, index, naming
from memtui.notes.folder import FolderError, clip
from memtui.notes.index_line import key_of
from memtui.notes.lines import KeyedLine
from memtui.notes.wiki_names import Names
from memtui.proposals.context import INDEX, TAGS, Context, is_reserved
from memtui.proposals.entry_rules import listed_successor, lists_successor, same_path, successor_of
from memtui.proposals.model import Change, FileChange, LineChange, Notice, Plan, Problem, Rename
from memtui.proposals.plan_links import (
    Move,
    WikiMove,
    broken_wiki_link,
    may_link,
    relinked,
    relinked_line,
    rewiki,
)


def plan_rename(proposal: Rename, context: Context) -> Plan:
    """The move, and every link that pointed to the old path."""
    old, new = proposal.path, proposal.new_path
    data = context.folder.read(old)
    if data is None:
        return Plan(problems=(Problem("path", f"{clip(old)} does not exist: there is nothing to rename."),))
    if trouble := _name_trouble(old, new, context):
        return Plan(problems=(Problem("new_path", trouble),))
    wiki = _wiki_move(old, new, context)
    after = rewiki(relinked(data, Move(old, new)), wiki, old)
    changes: list[Change] = [FileChange(new, data, after, origin=old)]
    notices: list[Notice] = list(_broken_names(old, after, wiki))
    if not _is_text(data) and may_link(data, Move(old, new)):
        notices.append(_not_text(old))
    for change in (*_index_steps(wiki, context), *_note_steps(wiki, context)):
        if isinstance(change, Notice):
            notices.append(change)
        else:
            changes.append(change)
    return Plan(tuple(changes), tuple(notices), result={"path": old, "new_path": new})


def _wiki_move(old: str, new: str, context: Context) -> WikiMove:
    """What wiki links mean before and after the move; a title means the same after it, since it does not change."""
    paths = [note.path for note in context.folder.notes()]
    moved = [new if path == old else path for path in paths]
    return WikiMove(old, new, *(Names((path, "") for path in each) for each in (paths, moved)))


def _broken_names(path: str, after: bytes, wiki: WikiMove) -> Iterator[Notice]:
    """A wiki link that does not follow, since it is in code or frontmatter, means other notes too, or has no form."""
    if name := broken_wiki_link(after, wiki, path):
        yield Notice(
            "link", f"{path} names {wiki.old} as [[{name}]], which does not follow: change it by hand."
        )


def _name_trouble(old: str, new: str, context: Context) -> str | None:
    """Why the note cannot get its new path, None where it can."""
    if is_reserved(new):
        return f"{new} follows the notes by itself: choose another name."
    if old == new:
        return f"{new} is the path that the note has already: choose another one."

    def siblings(directory: str) -> list[str]:
        names = context.folder.names(directory)
        return [name for name in names if posixpath.join(directory, name) != old]

    if naming.fold(new).startswith(f"{naming.fold(old)}/"):
        return f"{new} would be below the note itself, which is a file: choose another path."
    try:
        trouble = naming.check_new_path(new, siblings)
    except FolderError as error:  # what should be a folder on the way is none
        return str(error)
    if trouble:
        return trouble
    if index.read_index(context.folder.read(INDEX)).get(new) is not None:
        return f"index.md has a line for {new} already: remove that line first, or choose another name."
    return None


# --- the index -----------------------------------------------------------------------------------


def _index_steps(wiki: WikiMove, context: Context) -> Iterator[Change | Notice]:
    """The note's own line under its new key, at the same place, and links to it in other lines."""
    old, new = wiki.old, wiki.new
    data = context.folder.read(INDEX)
    found = index.read_index(data)
    move = Move(old, new, at=INDEX)
    if old in found.duplicates:
        yield Notice("index", f"index.md has two lines for {old}: both stay, so change them by hand.")
    elif (line := found.get(old)) is not None:
        yield LineChange(INDEX, old, line.line, None)
        yield LineChange(INDEX, new, None, _moved_line(line, move, data))
    for line in found.entries:
        text = relinked_line(line.line.text, move)
        if line.filename not in (old, *found.duplicates) and text != line.line.text:
            after = replace(line.line, text=text)
            yield LineChange(INDEX, line.filename, line.line, after)
    for name in (INDEX, TAGS):
        page = context.folder.read(name) or b""
        keyed = {line.line.text for line in found.entries} if name == INDEX else set()
        rest = [line for line in page.decode("utf-8", "replace").splitlines() if line not in keyed]
        text = "\n".join(rest)
        if relinked(text.encode("utf-8", "replace"), move) != text.encode("utf-8", "replace"):
            yield Notice("link", f"{name} links to {old} in its own text: change that link by hand.")
        elif rewiki(page, wiki, name) != page:
            yield from _broken_names(name, page, wiki)


def _moved_line(line: index.IndexEntry, move: Move, data: bytes | None) -> KeyedLine:
    """The line with its link changed alone; where that does not read back, composed anew."""
    text = relinked_line(line.line.text, move)
    if key_of(text) != move.new:
        text = index.compose(
            data,
            title=line.title,
            filename=move.new,
            type=line.type,
            tags=line.tags,
            hook=line.hook,
            deprecated=line.deprecated,
        ).text
    return replace(line.line, text=text)


# --- other notes ---------------------------------------------------------------------------------


def _note_steps(wiki: WikiMove, context: Context) -> Iterator[Change | Notice]:
    """Every other note whose `superseded_by` or links name the old path."""
    old, new = wiki.old, wiki.new
    for note in context.folder.notes():
        if note.path in (old, INDEX, TAGS):
            continue
        try:
            data = context.folder.read(note.path)
        except FolderError as error:
            yield Notice("link", f"Links in {note.path} could not follow: {error}")
            continue
        if data is None:
            continue
        move = Move(old, new, at=note.path)
        named = b"superseded_by" in data and same_path(successor_of(data), old)
        if not _is_text(data):  # its frontmatter cannot be read either
            links = may_link(data, move) or broken_wiki_link(data, wiki, note.path)
            if links or (b"superseded_by" in data and old.encode() in data):
                yield _not_text(note.path)
            continue
        after = rewiki(relinked(data, move), wiki, note.path)
        yield from _broken_names(note.path, after, wiki)
        if b"superseded_by" in data and lists_successor(data, old):
            yield listed_successor(note.path, old)
        if named:
            try:
                after = frontmatter.edit(after, {"superseded_by": new})
            except frontmatter.EditRefused as refusal:
                why = f"{str(refusal)[:1].lower()}{str(refusal)[1:]}"
                yield Notice("link", f"{note.path} still names {old} as its successor: {why}")
        if after != data:
            yield FileChange(note.path, data, after)


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _not_text(path: str) -> Notice:
    return Notice("link", f"{path} is not UTF-8, so its links do not follow: change them by hand.")
