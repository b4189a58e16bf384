"""Links that follow a note when it moves (SPEC.md section 3, rename). Text in, text out.

What is a link, `notes/links.py` says, and what a wiki link means, `notes/wiki_names.py`. What stands in frontmatter
is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memtui.notes import frontmatter
from memtui.notes.links import (
    Place,
    Target,
    can_tell,
    maybe_links,
    maybe_wiki_links,
    real_links,
    retarget,
    target_of,
)
from memtui.notes.wiki_names import Names, is_relative, without_suffix
from memtui.proposals.entry_rules import same_path, target

_IN_ANGLES = re.compile(r"[<>%#?&\\\x00-\x1f]")
_ENCODED_LETTER = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
_ROOT = "/r" * 40
"""Stands for the memory folder, deep enough that `..` never reaches the top."""


@dataclass(frozen=True, slots=True)
class Move:
    """A note that moves from `old` to `new`, and whose links are followed: those of the note `at`.

    `at` is None for the moved note itself, whose every relative link is kept pointing where it pointed.
    """

    old: str
    new: str
    at: str | None = None

    def follow(self, written: str) -> str:
        """A link's target as it is written after the move; a `?` begins a query, or is part of the name."""
        asked, whole = target_of(written), target_of(written, query=False)
        for meant in dict.fromkeys((whole, asked)):
            if meant is not None and self._is_old(meant):
                return self._written(written, meant, to_old=True)
        if asked is None or self.at is not None:
            return written
        return self._written(written, asked, to_old=False)

    def _is_old(self, meant: Target) -> bool:
        return same_path(self._found(meant).removeprefix(_ROOT + "/"), self.old)

    def _found(self, meant: Target) -> str:
        here = self.old if self.at is None else self.at
        return posixpath.normpath(posixpath.join(_folder(here), meant.path))

    def _written(self, written: str, meant: Target, *, to_old: bool) -> str:
        there = _folder(self.new if self.at is None else self.at)
        relative = posixpath.relpath(posixpath.join(_ROOT, self.new) if to_old else self._found(meant), there)
        if same_path(relative, meant.path):
            return written
        if meant.path.startswith("./") and not relative.startswith("../"):
            relative = f"./{relative}"
        if meant.path.endswith("/"):
            relative += "/"
        return _written_like(written, relative, meant.tail)


def relinked(data: bytes, move: Move) -> bytes:
    """A note's bytes with its links after the move; all else as it was. One that is not UTF-8 stays as it is."""
    if b"](" not in data and b"]:" not in data:
        return data
    parts = _head_and_body(data)
    if parts is None:
        return data
    head, body = parts
    return (head + _relinked_text(body, move)).encode("utf-8", "surrogateescape")


def _head_and_body(data: bytes) -> tuple[str, str] | None:
    """The frontmatter and the text below it; None where the note is not UTF-8."""
    try:
        return _split_at_body(data, "strict")
    except UnicodeDecodeError:
        return None


def _split_at_body(data: bytes, errors: str) -> tuple[str, str]:
    start = frontmatter.read(data).body_start
    return data[:start].decode("utf-8", errors), data[start:].decode("utf-8", errors)


def relinked_line(line: str, move: Move) -> str:
    """One line of Markdown text with its links after the move."""
    text = line.lstrip()
    return line[: len(line) - len(text)] + _relinked_text(text, move)


def may_link(data: bytes, move: Move) -> bool:
    """Whether a note, which may not be UTF-8, seems to have a link that the move would change."""
    return bool(_places(data.decode("utf-8", "surrogateescape"), move))


def _relinked_text(text: str, move: Move) -> str:
    places = _places(text, move)
    return retarget(text, places, [move.follow(place.written) for place in places])


def _places(text: str, move: Move) -> list[Place]:
    """Where the target of a link may stand that the move would change."""
    return [place for place in maybe_links(text) if move.follow(place.written) != place.written]


def _folder(path: str) -> str:
    return posixpath.join(_ROOT, posixpath.dirname(path)) if posixpath.dirname(path) else _ROOT


def _written_like(written: str, relative: str, tail: str) -> str:
    """A new target in the form of the old one: in `<...>`, or percent-encoded as far as that was."""
    if written.startswith("<"):
        return f"<{_IN_ANGLES.sub(_percent, relative)}{tail}>"
    shown = target(relative)
    if _ENCODED_LETTER.search(written):
        shown = re.sub(r"[^\x00-\x7f]", _percent, shown)
    return shown + tail


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogateescape"))


# --- wiki links ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WikiMove:
    """The same for wiki links: `before` and `after` are what there is to be named before and after the move."""

    old: str
    new: str
    before: Names
    after: Names

    def follow(self, written: str, at: str) -> str:
        """A name in the note `at` as it is written after the move; as it was where it still means the same."""
        here = self.new if at == self.old else at
        meant = self.before.meant(written, at)
        if len(meant) != 1:
            return written
        to = self.new if meant[0] == self.old else meant[0]
        if self.after.meant(written, here) == (to,):
            return written
        return next((name for name in self._names(written, to, here) if self._leads(name, to, here)), written)

    def breaks(self, written: str, at: str) -> bool:
        """Whether a name that meant the moved note, perhaps among others, does not mean it any more."""
        here = self.new if at == self.old else at
        return self.old in self.before.meant(written, at) and self.new not in self.after.meant(written, here)

    def _names(self, written: str, to: str, here: str) -> Iterator[str]:
        """Ways to name a note, in the manner of the old name first; a name alone only where it was one."""
        name = written.strip()
        paths = [to]
        if is_relative(name):
            relative = posixpath.relpath(f"{_ROOT}/{to}", _folder(here))
            paths.insert(0, relative if relative.startswith("../") else f"./{relative}")
        elif "/" not in name:
            paths.insert(0, posixpath.basename(to))
        for path in paths:
            shown = path if name.casefold().endswith(".md") else without_suffix(path)
            yield written.replace(name, shown, 1)

    def _leads(self, name: str, to: str, here: str) -> bool:
        return not _NO_NAME.search(name) and self.after.meant(name, here) == (to,)


_NO_NAME = re.compile(r"[\[\]|#\\\r\n]")
"""What a wiki link cannot have in its name."""


def rewiki(data: bytes, move: WikiMove, at: str) -> bytes:
    """The bytes of the note `at` with its wiki links after the move; all else as it was."""
    if b"[[" not in data:
        return data
    parts = _head_and_body(data)
    if parts is None:
        return data
    head, body = parts
    places = [p for p in maybe_wiki_links(body) if move.follow(p.written, at) != p.written]
    if not places:
        return data
    names = [move.follow(place.written, at) for place in places]
    return (head + retarget(body, places, names)).encode("utf-8")


def broken_wiki_link(data: bytes, move: WikiMove, at: str) -> str:
    """The first name of the moved note in a wiki link that the move breaks; "" for none. What is in code is none.

    Asked of the bytes after `rewiki`: what is left is in frontmatter, means other notes too, or cannot be written.
    """
    if b"[[" not in data:
        return ""
    for number, part in enumerate(_split_at_body(data, "surrogateescape")):
        places = [place for place in maybe_wiki_links(part) if move.breaks(place.written, at)]
        if number and places and can_tell(part):
            places = real_links(part, places)
        if places:
            return places[0].written
    return ""
