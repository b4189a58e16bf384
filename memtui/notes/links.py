"""Links in a Markdown text, found as CommonMark has them. Text in, places out.

Inline links and images, and link reference definitions: a target may be percent-encoded, in `<...>`, and have a
query or an anchor. Wiki links (`[[name]]`, `[[folder/name#part|words]]`) are found by themselves; what their names
mean, `wiki_names.py` says. What stands in code or HTML is no link. Offsets are in characters.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BARE = r"(?:[^\s()<>\\\x00-\x1f]|\\[^\s]|\((?:[^\s()\\]|\\[^\s])*+\))++"
_TARGET = rf"<(?:[^<>\\\r\n]|\\.)*+>|{_BARE}"
_GAP = r"[ \t]*(?:(?:\r\n|\n|\r)[ \t>]*)?"
"""Blanks, and at most one line ending with the marks of the block quotes around."""
_MAYBE = re.compile(rf"(?P<lead>\](?:\(|:){_GAP})(?P<target>{_TARGET})")
_WIKI = re.compile(r"\[\[(?P<target>[^\[\]|#\r\n]+?)(?=\]\]|(?:\\?\||#)[^\[\]\r\n]*\]\])")
"""In a table the stroke before the words is escaped."""
_BRACKETS = 2000
"""Opening brackets of a paragraph beyond which its wiki links are not looked for: a parser takes seconds for more."""
_FOOTNOTE = re.compile(r"\[\^[^\[\]\r\n]*\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|(&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*);)")
_ANCHOR = re.compile(r"(?<!&)#|#(?![xX]?[0-9A-Fa-f]{1,7};)")
_SHAPING = re.compile(r"[`'\"=\x00-\x1f]")
"""What in a target, in the middle of a line, a code fence or an HTML tag may hang on."""

_IDLE = re.compile(r"[A-Za-z0-9./%+,;#?~-]+")
"""A target that means nothing else in the text around it, as a mark does not."""


class Place(NamedTuple):
    """Where the target of a link stands, or may stand: the parser says whether one does."""

    start: int
    end: int
    written: str
    wiki: bool = False
    """The name in a wiki link, without a heading and the words to show."""


class Target(NamedTuple):
    """A link's target that leads to a file by a relative path."""

    path: str
    """Without escapes and percent-encoding, as it is meant from the file that the link stands in."""
    tail: str
    """Query and anchor, as written."""


def maybe_links(text: str) -> Iterator[Place]:
    """Every place that may be a link's target."""
    for found in _MAYBE.finditer(text):
        start = found.start()
        if found["lead"].startswith("]:") and _FOOTNOTE.search(text, max(0, start - 999), start):
            continue
        yield Place(found.start("target"), found.end("target"), found["target"])


def maybe_wiki_links(text: str) -> list[Place]:
    """Every place that may be the name in a wiki link."""
    if "[[" not in text:
        return []
    return [
        Place(found.start("target"), found.end("target"), found["target"], wiki=True)
        for found in _WIKI.finditer(text)
        if found["target"].strip()
    ]


def target_of(written: str, *, query: bool = True) -> Target | None:
    """What a target leads to; None for an address, an absolute path, or an anchor alone.

    `query` False takes a `?` for a character of the path.
    """
    bare = written[1:-1] if written.startswith("<") else written
    mark = _ANCHOR.search(bare)
    end = mark.start() if mark else len(bare)
    if query and (asked := bare.find("?", 0, end)) >= 0:
        end = asked
    path = bare[:end]
    if not path or path.startswith("/") or _SCHEME.match(path):
        return None
    meant = unquote(_ESCAPED.sub(_unescaped, path), errors="surrogateescape")
    return Target(meant, bare[end:])


def resolve(path: str, at: str) -> str:
    """The path inside the folder that a relative one means in the note `at`; it begins with `..` outside of it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(at), path))


def with_targets(text: str, places: Sequence[Place], targets: Sequence[str]) -> str:
    """The text with other targets at these places."""
    pieces, last = [], 0
    for place, written in zip(places, targets, strict=True):
        pieces += [text[last : place.start], written]
        last = place.end
    return "".join([*pieces, text[last:]])


def real_links(text: str, places: Sequence[Place]) -> list[Place]:
    """Those of these places where a CommonMark parser finds the target of a link, or leaves a wiki link as text.

    All of one kind, in their order.
    """
    marked = _marked(text, places)
    return marked.links if marked else []


def can_tell(text: str) -> bool:
    """Whether every wiki link of a text is looked for, so that what is not found is none."""
    return text.count("[") <= _BRACKETS


def retarget(text: str, places: Sequence[Place], targets: Sequence[str]) -> str:
    """The text with other targets at those of these places that are links; as it was where more would change."""
    marked = _marked(text, places)
    if marked is None or not marked.links:
        return text
    wanted = dict(zip(places, targets, strict=True))
    links = frozenset(marked.links)
    new = [wanted[place] if place in links else place.written for place in marked.places]
    return with_targets(text, marked.places, new) if marked.stands_with(new) else text


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").disable("inline")
    # It gathers its rules at first use; two threads that do so at once would find some of them missing.
    parser.parse("text")
    parser.inline.parse("text", parser, {}, [])
    return parser


def _marked(text: str, places: Sequence[Place]) -> _Marked | None:
    """The text with marks that change nothing about it: without those that would, where there are any."""
    for kept in (places, [place for place in places if not _may_shape(text, place, place.written)]):
        if not kept:
            return None
        marked = _Marked(text, kept)
        if marked.stands_with([place.written for place in kept]):
            return marked
    return None


def _may_shape(text: str, place: Place, target: str) -> bool:
    """Whether the blocks of the text may hang on this target: it begins a line, or holds odd signs."""
    before = place.start
    while before and text[before - 1] in " \t>":
        before -= 1
    return text[before - 1 : before] in ("\r", "\n") or bool(_SHAPING.search(target))


class _Marked:
    """A text with a mark at every place: those are links whose mark the parser gives back as a target.

    Only the paragraphs that hold a mark are read for inline links, which takes much of a parser's time.
    """

    def __init__(self, text: str, places: Sequence[Place]) -> None:
        self._text, self.places = text, places
        self._parser = _block_parser()
        stem = "memtuilink"
        while stem in text:
            stem += "q"
        self._mark = re.compile(rf"{stem}([0-9]+)z")
        marks = [f"{stem}{number}z" for number in range(len(places))]
        self._env: dict[str, Any] = {}
        self._blocks = self._read(with_targets(text, places, marks), self._env)
        self._inline = [content for kind, _, content in self._blocks if kind == "inline" and stem in content]
        if places[0].wiki:
            self._inline = [content for content in self._inline if content.count("[") <= _BRACKETS]
        numbers = self._wikis(stem) if places[0].wiki else self._targets()
        self.links = [place for number, place in enumerate(places) if number in numbers]

    def _targets(self) -> set[int]:
        """The numbers of the marks that are targets of links."""
        found = [*_defined(self._env), *(href for content in self._inline for href in self._hrefs(content))]
        return {int(mark[1]) for href in found if (mark := self._mark.fullmatch(href))}

    def _wikis(self, stem: str) -> set[int]:
        """The numbers of the marks that are names of wiki links, since the parser finds no meaning in them."""
        link = re.compile(rf"\[\[{stem}([0-9]+)z")
        texts = (
            token.content for each in self._inline for token in self._tokens(each) if token.type == "text"
        )
        return {int(found[1]) for text in texts for found in link.finditer(text)}

    def stands_with(self, targets: Sequence[str]) -> bool:
        """Whether with these targets, and no mark, every block and every other link is the same."""

        def unmarked(content: str) -> str:
            return self._mark.sub(lambda mark: targets[int(mark[1])], content)

        if any(map(partial(_may_shape, self._text), self.places, targets)):
            env: dict[str, Any] = {}
            blocks = self._read(with_targets(self._text, self.places, targets), env)
            if blocks != [(kind, level, unmarked(content)) for kind, level, content in self._blocks]:
                return False
            if not self._alike(_defined(self._env), _defined(env)):
                return False
        if all(map(_IDLE.fullmatch, targets)):
            return True
        return all(self._alike(self._hrefs(each), self._hrefs(unmarked(each))) for each in self._inline)

    def _alike(self, marked: Sequence[str], other: Sequence[str]) -> bool:
        """Whether two lists of targets are one but for those that have a mark."""
        return len(marked) == len(other) and all(
            self._mark.fullmatch(one) or one == two for one, two in zip(marked, other, strict=True)
        )

    def _read(self, text: str, env: dict[str, Any]) -> list[tuple[str, int, str]]:
        """Kind, level and text of every block."""
        tokens = self._parser.parse(text, env)
        return [
            (token.type, token.level, f"{token.info}\n{token.content}" if token.info else token.content)
            for token in tokens
        ]

    def _hrefs(self, content: str) -> list[str]:
        """The targets of the links and images of a paragraph, in their order."""
        links = (token for token in self._tokens(content) if token.type in ("link_open", "image"))
        return [str(token.attrs.get("href", token.attrs.get("src", ""))) for token in links]

    def _tokens(self, content: str) -> Iterator[Token]:
        """What a paragraph is made of, in its order."""
        tokens: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._env, tokens)
        tokens.reverse()
        while tokens:
            token = tokens.pop()
            yield token
            tokens.extend(reversed(token.children or ()))


def _defined(env: dict[str, Any]) -> list[str]:
    """The targets of a text's link reference definitions."""
    definitions = (*env.get("references", {}).values(), *env.get("duplicate_refs", ()))
    return [str(definition["href"]) for definition in definitions]


def _unescaped(found: re.Match[str]) -> str:
    return found[1] or unescape(found[2])
