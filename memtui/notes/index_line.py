"""One line of index.md: `- [<title>](<filename>) — <type>, <tags>, <hook>`, read and written.

Titles are escaped so that CommonMark reads them back as plain text, filenames percent-encoded so that they are
one relative link. Hooks stay raw Markdown, as people write them; only what would be taken for something else
gets a backslash (`[deprecated]` at an end, an opening `<!--`, a first comma that would make its word a tag).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

TagStyle = Literal["bracketed", "bare", ""]
Mark = Literal["", "lead", "link", "type", "tags", "hook", "end"]
"""Before what the `[deprecated]` mark stands ("link": after it, "end": at the line's end); "" for none."""

Span = tuple[int, int]

_LEAD = (
    r"(?P<lead> {0,3}(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|\|[ \t]*))"
    r"(?P<mark>\[(?i:deprecated)\][ \t]*)?"
)
_TITLE = r"(?:[^\[\]\\]++|\\.|\[(?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*+\])*+"
_TARGET = r"(?:[^\x00-\x20\x7f()<>\\]++|\\.|\((?:[^\x00-\x20\x7f()\\]++|\\.)*+\))++|<(?:[^<>\\]++|\\.)*+>"
_LINE = re.compile(
    _LEAD
    + rf"[*_~]{{0,3}}\[(?P<title>{_TITLE})\]\((?P<target>{_TARGET})"
    + r"""(?:[ \t]+(?:"[^"]*+"|'[^']*+'))?[ \t]*\)[*_~]{0,3}(?P<tail>.*)""",
    re.DOTALL,
)
_LOOSE = re.compile(
    _LEAD + r"\[(?P<title>.*?)\]\((?P<target>[^()<>]*\.md)\)(?P<tail>.*)",
    re.DOTALL,
)
"""What writers without escapes leave: an odd bracket in the title, a blank in the link."""

_USUAL_LINK = r"(- )\[([^\[\]\\&]*+)\]\(([\w-][\w./-]*+)\) — "
_USUAL_KEY = re.compile(_USUAL_LINK)
_USUAL = re.compile(
    _USUAL_LINK
    + r"([\w-]++), (?:\[((?:[\w-]++(?:, (?=\w)|(?=\])))++)\], |((?:[^\W_](?:[\w-]*\w)?, )++))"
    + r"([^\s\[\\][^\[\\]*+)"
)
"""The form that memtui itself writes, where nothing in it needs an escape: read at once."""

_PLAIN_TARGET = re.compile(r"[\w-][\w./-]*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_UNESCAPE = re.compile(rf"\\([!-/:-@\[-`{{-~])|({_ENTITY.pattern})")
_IN_TITLE = re.compile(
    "|".join(
        (
            r"[\[\]*`]",  # links, emphasis, code
            r"\\(?=[!-/:-@\[-`{-~]|$)",  # a backslash that would escape
            r"<(?=[A-Za-z/!?])",  # HTML
            rf"(?={_ENTITY.pattern})&",  # entities
            r"~(?=~)|(?<=~)~",  # strikethrough
            r"(?<![^\W_])_|_(?![^\W_])",  # emphasis, but not inside a word
        )
    )
)
_IN_TARGET = re.compile(r"[\x00-\x20\x7f\"#%&()<>?\\^`{|}:]|\s")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

_SEPARATOR = re.compile(r"[ \t]*(?:[—–][ \t]*|(?<=[ \t])-{1,2}(?:[ \t]+|$))")
_MARKED = re.compile(r"[ \t]*\[(?i:deprecated)\][ \t]*,?[ \t]*")
_TYPE = re.compile(r"((?:[^,\\\[\]]++|\\.)*+)(?:,|(?=\[)|$)", re.DOTALL)
_TAG_LIST = re.compile(r"[ \t]*\[((?:[^\[\]\\]++|\\.)*+)\][ \t]*(?:,|$)", re.DOTALL)
_TAG_PART = re.compile(r"(?:[^,\\]++|\\.)++", re.DOTALL)
_BARE_TAG = re.compile(r"[ \t]*#?([^\W_](?:[\w-]*\w)?)[ \t]*,")
_IN_TAG = re.compile(r"[,\[\]\\<]")
_TAG_UNESCAPE = re.compile(r"\\([,\[\]\\<])")
_NEWLINES = re.compile(r"[\r\n]+")

_HOOK_COMMENT = re.compile(r"((?<!\\))(\\*)(<!--)")
_HOOK_MARK = re.compile(r"(^)(\\*)(\[(?i:deprecated)\])|((?<!\\))(\\*)(\[(?i:deprecated)\]$)")
_HOOK_COMMA = re.compile(r"^([^\W_](?:[\w-]*\w)?[ \t]*)(\\*)(,)")


class IndexLine(NamedTuple):
    """A line's parts. `raw_…` are as they stand on the page; "" where the line is new."""

    title: str
    filename: str
    """Relative to index.md."""
    type: str
    tags: tuple[str, ...]
    hook: str
    style: TagStyle = "bracketed"
    mark: Mark = ""
    lead: str = "- "
    raw_title: str = ""
    raw_target: str = ""
    raw_hook: str = ""

    @property
    def in_table(self) -> bool:
        """Whether it is the row of a table, which can neither move nor bear a mark behind its last cell."""
        return self.lead.lstrip(" ").startswith("|")


# --- reading -------------------------------------------------------------------------------------


def is_listed(text: str) -> bool:
    """Whether a line is an item of a bullet list: one in another form gives way to it."""
    return text.lstrip(" ")[:1] in ("-", "*", "+")


def key_of(text: str) -> str | None:
    """The filename that a line is keyed by, or None where it is no line with one relative link first."""
    if "](" not in text:
        return None
    if usual := _USUAL_KEY.match(text):
        return usual[3]
    found = match_line(text)
    return _filename(found["target"]) if found else None


def read_line(text: str) -> IndexLine | None:
    """Read a line; what cannot be told apart is left empty. None where it is not keyed by a link."""
    if (usual := _USUAL.fullmatch(text)) and (line := _usual_line(*usual.groups())):
        return line
    found = match_line(text)
    if found is None or (filename := _filename(found["target"])) is None:
        return None
    lead, lead_mark, title, target, tail = found.groups()
    type_, tags, style, mark, raw_hook, *_ = read_tail(tail)
    hook = raw_hook if "\\" not in raw_hook else _unguard(raw_hook, bare=style != "bracketed")
    if lead_mark:
        mark = "lead"
    plain = _unescape(title.strip(" \t"))
    return IndexLine(plain, filename, type_, tags, hook, style, mark, lead, title, target, raw_hook)


def _usual_line(
    lead: str, title: str, target: str, type_: str, listed: str | None, bare: str | None, hook: str
) -> IndexLine | None:
    """A line in the usual form; None where it needs a closer look."""
    hook, plain = hook.rstrip(" \t"), title.strip(" \t")
    if listed:
        if listed.lower() == "deprecated":
            return None
        return IndexLine(
            plain, target, type_, tuple(listed.split(", ")), hook, "bracketed", "", lead, title, target, hook
        )
    if not bare or bare != bare.lower() or _BARE_TAG.match(hook):
        return None
    tags = tuple(bare[:-2].split(", "))
    return IndexLine(plain, target, type_, tags, hook, "bare", "", lead, title, target, hook)


def _filename(target: str) -> str | None:
    """The file that a link's target names, or None where it points elsewhere."""
    if _PLAIN_TARGET.fullmatch(target):
        return target
    target = _unescape(target[1:-1] if target.startswith("<") else target)
    if not target or _SCHEME.match(target):
        return None
    path, mark, _ = target.partition("#")
    if mark and path.endswith(".md"):
        target = path
    while target.startswith("./"):
        target = target[2:]
    return _PERCENT.sub(_percent_decoded, target) or None


def _percent_decoded(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


class Tail(NamedTuple):
    """What follows the link: its parts, and the span of each in the tail (None where it was not found)."""

    type: str = ""
    tags: tuple[str, ...] = ()
    style: TagStyle = ""
    mark: Mark = ""
    hook: str = ""
    """Raw."""
    separated: bool = False
    """Whether a dash stands between the link and the rest."""
    mark_at: Span | None = None
    """With the blanks and the comma around it."""
    type_at: Span | None = None
    tags_at: tuple[Span, ...] = ()
    """The whole list with its brackets, or each bare tag."""
    hook_at: Span = (0, 0)


def match_line(text: str) -> re.Match[str] | None:
    """The groups `lead`, `mark`, `title`, `target` and `tail` of a line that begins with a link."""
    return _LINE.match(text) or _LOOSE.match(text)


def read_tail(tail: str) -> Tail:
    """Read what follows the link."""
    at, end = 0, len(tail.rstrip(" \t"))
    mark: Mark = ""
    mark_at: Span | None = None

    def marked(place: Mark) -> int:
        nonlocal mark, mark_at
        if not brackets or (found := _MARKED.match(tail, at, end)) is None:
            return at
        mark, mark_at = place, found.span()
        return found.end()

    brackets = "]" in tail  # without any there is neither a mark nor a list
    at = marked("link")
    if at and tail[at - 1] in " \t":
        at -= 1  # a hyphen is a separator only after a blank
    separator = _SEPARATOR.match(tail, at)
    at = min(separator.end(), end) if separator else min(at, end)
    if brackets and (start := _end_mark(tail, at, end)) is not None:
        shown = len(tail[at:start].rstrip(" \t")) + at
        mark, mark_at, end = "end", (shown, end), shown
    at = marked("type")
    if separator is None:
        at += len(tail[at:end]) - len(tail[at:end].lstrip(" \t"))
        return Tail(mark=mark, hook=tail[at:end], mark_at=mark_at, hook_at=(at, end))
    type_, rest = _read_type(tail[at:end])
    type_at = (at, at + len(tail[at : end - len(rest)].rstrip(" \t,"))) if type_ else None
    at = end - len(rest)
    at = marked("tags")
    tags, style, tags_at, at = _find_tags(tail, at, end, bare=bool(type_))
    at = marked("hook")
    at += len(tail[at:end]) - len(tail[at:end].lstrip(" \t"))
    return Tail(type_, tags, style, mark, tail[at:end], True, mark_at, type_at, tags_at, (at, end))


def _end_mark(tail: str, at: int, end: int) -> int | None:
    """Where a mark that ends the line begins."""
    start = end - len("[deprecated]")
    if start < at or tail[start:end].lower() != "[deprecated]":
        return None
    return start if start == at or tail[start - 1] in " \t," else None


def _find_tags(
    tail: str, at: int, end: int, *, bare: bool
) -> tuple[tuple[str, ...], TagStyle, tuple[Span, ...], int]:
    """The tags from `at` on, their style, their spans, and where the hook begins.

    Bare ones are leading comma parts that look like tags (lower case, no blanks); never the last part, which is
    the hook.
    """
    if found := _TAG_LIST.match(tail, at, end):
        return _read_tags(found[1]), "bracketed", ((found.start(1) - 1, found.end(1) + 1),), found.end()
    tags: list[str] = []
    spans: list[Span] = []
    while bare and (found := _BARE_TAG.match(tail, at, end)) and found[1] == found[1].lower():
        tags.append(found[1])
        spans.append((found.end() - len(found[0].lstrip(" \t")), found.end(1)))
        at = found.end()
    return tuple(tags), "bare" if tags else "", tuple(spans), at


def _read_type(rest: str) -> tuple[str, str]:
    """The type and what follows it; no type where the first part is prose."""
    found = _TYPE.match(rest)
    if found is None:
        return "", rest
    word, after = found[1].rstrip(" \t"), rest[found.end() :]
    if not word:
        return "", after if rest.startswith("[") else rest
    if " " in word and not _TAG_LIST.match(after):
        return "", rest
    return _TAG_UNESCAPE.sub(r"\1", word), after


def _read_tags(inside: str) -> tuple[str, ...]:
    parts = (_TAG_UNESCAPE.sub(r"\1", part.strip(" \t").lstrip("#")) for part in _TAG_PART.findall(inside))
    return tuple(part for part in parts if part)


def _unescape(text: str) -> str:
    """Plain text of CommonMark's backslash escapes and entities."""
    if "\\" not in text and "&" not in text:
        return text

    def plain(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        from html import unescape

        return unescape(found[2])

    return _UNESCAPE.sub(plain, text)


# --- writing -------------------------------------------------------------------------------------


def write_line(line: IndexLine) -> str:
    """The text of a new line.

    Tags are bracketed where the bare form could not be read back: none at all, no hook, a tag that does not look
    like one.
    """
    target = _IN_TARGET.sub(_percent_encoded, line.filename)
    hook = one_line(line.hook)
    type_ = one_line(line.type)
    listed = written_tags(line.tags, bare=line.style == "bare" and bool(hook and type_) and " " not in type_)
    hook = written_hook(hook, bare=not listed.startswith("["))
    return _joined(line, f"[{written_title(line.title)}]({target})", written_type(type_), listed, hook)


def written_title(title: str) -> str:
    """A title, escaped so that CommonMark reads it back as plain text."""
    return _IN_TITLE.sub(r"\\\g<0>", one_line(title))


def written_type(type_: str) -> str:
    return _IN_TAG.sub(r"\\\g<0>", one_line(type_))


def written_tags(tags: tuple[str, ...], *, bare: bool) -> str:
    """Tags as a line lists them: bracketed too where one of them, or none, could not be read back bare."""
    tags = tuple(one_line(tag).lstrip("#") for tag in tags)
    bare = bare and bool(tags) and all(_BARE_TAG.fullmatch(tag + ",") and tag == tag.lower() for tag in tags)
    listed = ", ".join(_IN_TAG.sub(r"\\\g<0>", tag) for tag in tags)
    if bare:
        return listed
    # A comma tells a list whose one tag is "deprecated" from the mark.
    return f"[{listed},]" if listed.lower() == "deprecated" else f"[{listed}]"


def _joined(line: IndexLine, link: str, type_: str, listed: str, hook: str) -> str:
    """A line of its parts, with the mark in its place."""
    mark, place = "[deprecated]", line.mark
    if place == "hook" and hook.startswith(","):
        place = "end"  # before such a hook the mark would take its comma along
    if place == "lead":
        link = f"{mark} {link}"
    elif place == "link":
        link = f"{link} {mark}"
    elif place == "hook":
        hook = f"{mark} {hook}".rstrip(" ")
    elif place == "type":
        type_ = f"{mark}, {type_}" if type_ else mark
    elif place == "tags":
        listed = f"{mark}, {listed}"
    parts = ", ".join(part for part in (type_, listed, hook) if part)
    return f"{line.lead}{link} — {parts}" + (f" {mark}" if place == "end" else "")


def one_line(text: str) -> str:
    """`text` without line breaks and without blanks at its ends."""
    return " ".join(part for line in _NEWLINES.split(text) if (part := line.strip(" \t")))


def _percent_encoded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def written_hook(hook: str, *, bare: bool) -> str:
    """A hook with a backslash before what would be read as a comment, a mark or the end of a tag.

    Of n backslashes that stand there already it makes 2n + 1, which `_unguard` takes back.
    """
    return _each_guard(one_line(hook), bare, lambda count: 2 * count + 1)


def _unguard(raw: str, *, bare: bool) -> str:
    return _each_guard(raw, bare, lambda count: (count - 1) // 2 if count % 2 else count)


def _each_guard(text: str, bare: bool, backslashes: Callable[[int], int]) -> str:
    def changed(found: re.Match[str]) -> str:
        ahead, slashes, what = (part for part in found.groups() if part is not None)
        return ahead + "\\" * backslashes(len(slashes)) + what

    text = _HOOK_MARK.sub(changed, _HOOK_COMMENT.sub(changed, text))
    if bare and (found := _HOOK_COMMA.match(text)) and found[1] == found[1].lower():
        text = _HOOK_COMMA.sub(changed, text)
    return text
