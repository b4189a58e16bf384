"""Markdown links that follow a note when it moves (SPEC.md section 3, rename). Text in, text out.

Links are found as CommonMark has them: inline links and images, and link reference definitions, whose target
may be percent-encoded, in `<...>`, or have an anchor. What stands in frontmatter, code or comments is no link.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

from memtui.notes import frontmatter, markdown
from memtui.proposals.entry_rules import same_path, target

_BARE = r"(?:[^\s()<>\\\x00-\x1f]|\\[^\s]|\((?:[^\s()\\]|\\[^\s])*+\))++"
_TARGET = rf"<(?:[^<>\\\r\n]|\\.)*+>|{_BARE}"
_TITLE = r"""(?:[ \t]+(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?[ \t]*"""
_INLINE = re.compile(rf"(?P<lead>(?<!\\)\]\([ \t]*)(?P<target>{_TARGET})(?={_TITLE}\))")
_DEFINITION = re.compile(
    rf"(?P<lead> {{0,3}}\[(?!\^)(?:[^\[\]\\]|\\.)++\]:[ \t]*)(?P<target>{_TARGET})(?={_TITLE}$)"
)
_CODE = re.compile(r"(?<!`)(`++)(?!`)(?:.*?)(?<!`)\1(?!`)|<!--.*?-->", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_IN_ANGLES = re.compile(r"[<>%#&\\\x00-\x1f]")
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
        """A link's target as it is written after the move."""
        bare = written[1:-1] if written.startswith("<") else written
        path, mark, anchor = bare.partition("#")
        if not path or path.startswith("/") or _SCHEME.match(path):
            return written
        meant = unquote(unescape(_ESCAPED.sub(r"\1", path)), errors="surrogateescape")
        here, there = (self.at, self.at) if self.at is not None else (self.old, self.new)
        found = posixpath.normpath(posixpath.join(_folder(here), meant))
        is_old = same_path(found.removeprefix(_ROOT + "/"), self.old)
        if not is_old and self.at is not None:
            return written
        relative = posixpath.relpath(posixpath.join(_ROOT, self.new) if is_old else found, _folder(there))
        if same_path(relative, meant):
            return written
        if meant.startswith("./") and not relative.startswith("../"):
            relative = f"./{relative}"
        if meant.endswith("/"):
            relative += "/"
        return _written_like(written, relative, mark + anchor)


def relinked(data: bytes, move: Move) -> bytes:
    """A note's bytes with its links after the move; all else as it was, whatever the bytes."""
    if b"](" not in data and b"]:" not in data:
        return data
    text = data.decode("utf-8", "surrogateescape")
    start = len(data[: frontmatter.read(data).body_start].decode("utf-8", "surrogateescape"))
    pieces = [text[:start]]
    for line in markdown.lines(text, start):
        pieces.append(relinked_line(line.text, move) if line.kind in ("text", "heading") else line.text)
        pieces.append(line.ending)
    return "".join(pieces).encode("utf-8", "surrogateescape")


def relinked_line(line: str, move: Move) -> str:
    """One line of Markdown text with its links after the move."""
    if "](" not in line and "]:" not in line:
        return line

    def follow(found: re.Match[str]) -> str:
        return found["lead"] + move.follow(found["target"])

    if _DEFINITION.match(line):
        return _DEFINITION.sub(follow, line, count=1)
    pieces, last = [], 0
    for code in _CODE.finditer(line):
        pieces += [_INLINE.sub(follow, line[last : code.start()]), code[0]]
        last = code.end()
    return "".join([*pieces, _INLINE.sub(follow, line[last:])])


def _folder(path: str) -> str:
    return posixpath.join(_ROOT, posixpath.dirname(path)) if posixpath.dirname(path) else _ROOT


def _written_like(written: str, relative: str, anchor: str) -> str:
    """A new target in the form of the old one: in `<...>`, or percent-encoded as far as that was."""
    if written.startswith("<"):
        return f"<{_IN_ANGLES.sub(_percent, relative)}{anchor}>"
    shown = target(relative)
    if _ENCODED_LETTER.search(written):
        shown = re.sub(r"[^\x00-\x7f]", _percent, shown)
    return shown + anchor


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
