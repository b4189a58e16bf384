"""Markdown links that follow a note when it moves (SPEC.md section 3, rename). Text in, text out.

Links are found as CommonMark has them: inline links and images, and link reference definitions, whose target
may be percent-encoded, in `<...>`, or have an anchor. What stands in frontmatter, code or HTML is no link.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from html import unescape
from typing import Any
from urllib.parse import unquote

from memtui.notes import frontmatter
from memtui.proposals.entry_rules import same_path, target

_BARE = r"(?:[^\s()<>\\\x00-\x1f]|\\[^\s]|\((?:[^\s()\\]|\\[^\s])*+\))++"
_TARGET = rf"<(?:[^<>\\\r\n]|\\.)*+>|{_BARE}"
_GAP = r"[ \t]*(?:(?:\r\n|\n|\r)[ \t>]*)?"
"""Blanks, and at most one line ending with the marks of the block quotes around."""
_MAYBE = re.compile(rf"(?P<lead>\](?:\(|:){_GAP})(?P<target>{_TARGET})")
"""Where a link's target may stand; whether one does, the parser says."""
_FOOTNOTE = re.compile(r"\[\^[^\[\]\r\n]*\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|(&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*);)")
_ANCHOR = re.compile(r"(?<!&)#|#(?![xX]?[0-9A-Fa-f]{1,7};)")
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
        mark = _ANCHOR.search(bare)
        path, anchor = (bare[: mark.start()], bare[mark.start() :]) if mark else (bare, "")
        if not path or path.startswith("/") or _SCHEME.match(path):
            return written
        meant = unquote(_ESCAPED.sub(_unescaped, path), errors="surrogateescape")
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
        return _written_like(written, relative, anchor)


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
    """Every place that may be a link's target is marked; those are links whose mark the parser gives back."""
    places = _places(text, move)
    if not places:
        return text
    stem = _stem(text)
    marks = [f"{stem}{number}z" for number in range(len(places))]
    marked = _hrefs(_with_targets(text, places, marks))
    marks_found = set(marks) & set(marked)
    links = [place for place, mark in zip(places, marks, strict=True) if mark in marks_found]
    if not links:
        return text
    after = _with_targets(text, links, [place.after for place in links])
    is_mark = [href in marks_found for href in marked]
    kept = [_unmarked(hrefs, is_mark) for hrefs in (marked, _hrefs(text), _hrefs(after))]
    return after if kept[0] == kept[1] == kept[2] else text  # nothing else may change by it


def _unmarked(hrefs: list[str], is_mark: list[bool]) -> list[str]:
    """The targets with those left out that are meant to change."""
    if len(hrefs) != len(is_mark):
        return [*hrefs, ""]
    return ["" if mark else href for href, mark in zip(hrefs, is_mark, strict=True)]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a link's target may stand (character offsets), and what it would be after the move."""

    start: int
    end: int
    after: str


def _places(text: str, move: Move) -> list[_Place]:
    found = []
    for maybe in _MAYBE.finditer(text):
        written = maybe["target"]
        if maybe["lead"].startswith("]:") and _FOOTNOTE.search(
            text, max(0, maybe.start() - 999), maybe.start()
        ):
            continue
        if (after := move.follow(written)) != written:
            found.append(_Place(maybe.start("target"), maybe.end("target"), after))
    return found


def _with_targets(text: str, places: list[_Place], targets: list[str]) -> str:
    pieces, last = [], 0
    for place, written in zip(places, targets, strict=True):
        pieces += [text[last : place.start], written]
        last = place.end
    return "".join([*pieces, text[last:]])


def _stem(text: str) -> str:
    """A word that does not occur in the text."""
    stem = "memtuilink"
    while stem in text:
        stem += "q"
    return stem


def _hrefs(text: str) -> list[str]:
    """The targets of all links, images and definitions, in the order in which a CommonMark parser finds them."""
    from markdown_it import MarkdownIt

    env: dict[str, Any] = {}
    tokens = list(reversed(MarkdownIt("commonmark").parse(text, env)))
    found = []
    while tokens:
        token = tokens.pop()
        if token.type in ("link_open", "image"):
            found.append(str(token.attrs.get("href", token.attrs.get("src", ""))))
        tokens.extend(reversed(token.children or ()))
    definitions = (*env.get("references", {}).values(), *env.get("duplicate_refs", ()))
    return found + [str(definition["href"]) for definition in definitions]


def _unescaped(found: re.Match[str]) -> str:
    return found[1] or unescape(found[2])


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
