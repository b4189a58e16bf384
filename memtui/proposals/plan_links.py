"""Markdown links that follow a note when it moves (SPEC.md section 3, rename). Text in, text out.

What is a link, `notes/links.py` says. What stands in frontmatter is none.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from memtui.notes import frontmatter
from memtui.notes.links import Place, Target, maybe_links, retarget, target_of
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
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    start = len(data[: frontmatter.read(data).body_start].decode("utf-8"))
    return (text[:start] + _relinked_text(text[start:], move)).encode("utf-8", "surrogateescape")


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


def names_by_wiki_link(data: bytes, old: str, new: str) -> bool:
    """Whether a note names `old` by a wiki link (`[[name]]`, `[[folder/name]]`) that `new` breaks.

    A bare name is looked up in every folder, so that it breaks with the name alone.
    """
    if b"[[" not in data:
        return False
    names = [old.removesuffix(".md")]
    if posixpath.basename(old) != posixpath.basename(new):
        names.append(posixpath.basename(names[0]))
    text = data.decode("utf-8", "surrogateescape")
    return any(re.search(rf"\[\[{re.escape(name)}(?:\.md)?(?:[#|][^\[\]]*)?\]\]", text) for name in names)
