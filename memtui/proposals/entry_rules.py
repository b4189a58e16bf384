"""Rules that every change of a typed entry shares: log lines, index line, hook, successors (seed 004)."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable

from memtui.notes import entry, frontmatter, index, index_line, markdown
from memtui.notes import tags as tag_dictionary
from memtui.notes.folder import FolderError
from memtui.notes.index_edit import hook_wraps
from memtui.proposals.context import INDEX, TAGS, Context, one_line
from memtui.proposals.model import LineChange, Notice, Problem
from memtui.proposals.notices import listed

_SENTENCE_END = re.compile(r"""(?<=[.!?…؟۔।])["'»”’)\]*_]*\s+|(?<=[。！？])""")
_SHORTENED = re.compile(
    r"(?:^|[\s(\"'“«])(?:\w|\w+(?:\.\w+)+|dr|mrs?|ms|st|vs|no|nr|ca|cf|approx|bzw|prof)\.$", re.IGNORECASE
)
"""What a full stop ends without ending the sentence: initials, `e.g.`, titles."""
_MARKS = re.compile(r"\s*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)+(?:\[[ xX]\][ \t]+)?")
_TEXT_SIGNS = re.compile(r"[\\*_<\[\]&]")
_CLOSING_SIGNS = str.maketrans({"`": "&#96;", ">": "&gt;"})
"""What may close code or raw HTML that the text before a link opens, where no backslash would help."""
_IN_TARGET = re.compile(r"[\x00-\x20\x7f\"%()<>\\^`{|}#?&:]|\s")
_WORD = re.compile(r"\w+")
_FILLING = """
    a am an and are as at be but by can did do for get got had has he her him his how i if in is it its me my no nor
    not of off on or our out own s she so t than that the their them then they this to too up us very was we were
    who why with yes you your
    an auf aus bei bis das dem den der des die du ein er es für ich ihr im ist mit nur ob sie um und uns von vor wie
    wir zu zum zur
    al au aux ce ces che con da de dei del di e el elle em en est et eu gli il je l la las le les lo los mi ne non
    nos ou para per por pour que qui se si su sur te tu un una une y
    """
"""Words that say nothing by themselves, so that a description may well hold them still."""
HOOK_LENGTH = 120
"""Characters of a hook made from the body."""
HEAD = 18 * 1024
"""Bytes of a note that surely hold its whole frontmatter."""


# --- hook ----------------------------------------------------------------------------------------


def hook_of(given: str | None, body: str, title: str) -> str:
    """The hook of a new index line: the one given, else the body's first sentence, else the title."""
    return (given or "").strip() or first_sentence(body) or title


def first_sentence(body: str) -> str:
    """The first sentence of a body without its full stop, one line, at most 120 characters."""
    text = _first_paragraph(body)[: 2 * HOOK_LENGTH]
    start = 0
    while found := _SENTENCE_END.search(text, start):
        before = text[: found.start()]
        following = text[found.end() : found.end() + 1]
        if not _SHORTENED.search(before) and not (before.endswith(".") and following.islower()):
            text = before + found[0].rstrip()
            break
        start = max(found.end(), start + 1)
    sentence = text.strip().rstrip(".。۔।").rstrip()
    return sentence if len(sentence) <= HOOK_LENGTH else sentence[: HOOK_LENGTH - 1].rstrip() + "…"


def _first_paragraph(body: str) -> str:
    """The first lines of text that belong together, as one line; a heading only where there is no text."""
    found: list[str] = []
    heading = ""
    for line in markdown.lines(body):
        text = one_line(line.text)
        if line.kind == "heading":
            heading = heading or one_line(line.heading)
        is_text = line.kind == "text" and any(character.isalnum() for character in text)
        marked = _MARKS.match(line.text)
        if found and (not is_text or marked):
            break
        if is_text:
            found.append(one_line(line.text[marked.end() :] if marked else line.text))
    return " ".join(found) or heading


# --- log -----------------------------------------------------------------------------------------


def changed_fields(before: bytes, after: bytes) -> list[str]:
    """Names of frontmatter fields, and `body`, that differ, in the order of the file."""
    old, new = frontmatter.read(before).fields, frontmatter.read(after).fields
    names = [name for name in (*new, *(n for n in old if n not in new)) if old.get(name) != new.get(name)]
    if entry.body_of(before) != entry.body_of(after):
        names.append("body")
    return names


def critical_lines(old: entry.Entry, new: entry.Entry, reason: str) -> list[str]:
    """A log line of its own for a changed type and a changed confidence (seed 004, critical changes)."""
    return [
        because(f"{name} changed from {getattr(old, name)} to {getattr(new, name)}", reason)
        for name in critical_names(old, new)
    ]


def critical_names(old: entry.Entry, new: entry.Entry) -> list[str]:
    """Which of type and confidence differ."""
    return [name for name in ("type", "confidence") if getattr(old, name) != getattr(new, name)]


def because(what: str, reason: str) -> str:
    """`<what>: <reason>`."""
    return f"{what}: {reason}" if reason.strip() else what


def vocabulary_problems(
    new: entry.Entry, old: entry.Entry | None, context: Context, prefix: str = ""
) -> list[Problem]:
    """Type and confidence outside of the vocabulary; what an entry has already is taken as it is."""
    problems = []
    for name, known, hint in (
        ("type", (*entry.TYPES, *context.types), "entry type"),
        ("confidence", entry.CONFIDENCES, "confidence"),
    ):
        value = getattr(new, name)
        if value not in known and (old is None or value != getattr(old, name)):
            shown = value if len(value) <= 80 else value[:79] + "…"
            problems.append(
                Problem(f"{prefix}{name}", f"“{shown}” is no {hint}: use one of {', '.join(known)}.")
            )
    return problems


# --- description ---------------------------------------------------------------------------------


def outdated_description(
    before: bytes, after: bytes, edits: Iterable[tuple[str, str]] | None = None
) -> list[Notice]:
    """A notice where `description` still says words that the change takes out of the body.

    `edits` are the texts exchanged, where they are known; else the two bodies are compared.
    """
    from memtui.notes import entry, frontmatter

    description = frontmatter.read(after).fields.get("description")
    bodies = entry.body_of(before), entry.body_of(after)
    if not isinstance(description, str) or bodies[0] == bodies[1]:
        return []
    said = _words(description)
    written = {word.casefold(): word for word in _WORD.findall(description)}
    for old, new in (bodies,) if edits is None else edits:
        still = sorted((_words(old) - _words(new)) & said, key=lambda word: (-len(word), word))
        if still:
            return [
                Notice(
                    "description",
                    f"The description still says “{written[still[0]]}”, which this takes out of the text: "
                    "change it too if it no longer holds.",
                )
            ]
    return []


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)} - {*_FILLING.split()}


# --- index ---------------------------------------------------------------------------------------


def enter_index(context: Context, filename: str, new: entry.Entry, hook: str | None = None) -> LineChange:
    """The index line of a new entry; a missing index is made. Raises LineConflict."""
    line = index.compose(
        context.folder.read(INDEX),
        title=new.title,
        filename=filename,
        type=new.type,
        tags=new.tags,
        hook=hook_of(hook, new.body, new.title),
        deprecated=new.status == "deprecated",
    )
    return LineChange(INDEX, filename, None, line)


def follow_index(
    context: Context,
    filename: str,
    old: entry.Entry,
    new: entry.Entry,
    *,
    hook: str | None = None,
    deprecated: bool | None = None,
) -> tuple[list[LineChange], list[Notice]]:
    """The change of an entry's index line, and a notice where the index has no line for it, or two.

    Only what the operation changes is changed on the line: where a person wrote another title there, it stays.
    `hook` None keeps the present one; `deprecated` None keeps the present mark.
    """
    data = context.folder.read(INDEX)
    found = index.read_index(data)
    if filename in found.duplicates:
        return [], [_stays(f"index.md has two lines for {filename}", "remove one by hand")]
    present = found.get(filename)
    if present is None:
        return [], [_stays(f"index.md has no line for {filename}", "add one by hand")]
    kept = present.hook_beside(old.tags)
    marked = present.deprecated if deprecated is None else deprecated
    new_hook = hook is not None and hook != kept
    retagged = new.tags != old.tags
    if not (retagged or new_hook) and (new.title, new.type, marked) == (
        old.title,
        old.type,
        present.deprecated,
    ):
        return [], []
    tags, wording = present.tags, present.hook
    unsure = (retagged or new_hook) and present.is_unsure(
        old.tags, tag_dictionary.read_tags(context.folder.read(TAGS)).tags
    )
    if not unsure and (retagged or new_hook or not present.style):
        tags = new.tags if retagged or not present.style else present.tags_beside(old.tags)
        wording = hook if new_hook and hook is not None and not hook_wraps(present.line) else kept
    line = index.compose(
        data,
        title=new.title if new.title != old.title else present.title,
        filename=filename,
        type=new.type if new.type != old.type or not present.type else present.type,
        tags=tags,
        hook=wording,
        deprecated=marked,
    )
    changes = [] if line == present.line else [LineChange(INDEX, filename, present.line, line)]
    if unsure:
        return changes, [
            Notice(
                "index",
                f"On the line of {filename} in index.md the tags cannot be told from the hook: both stay as they "
                "are, so change them by hand.",
            )
        ]
    own_form = f"the line of {filename} in index.md has a form of its own"
    if not changes:
        return [], [_stays(own_form, "change it by hand")]
    left = _left(index.entry_of(line), old, new, hook if new_hook else None, marked)
    return changes, [
        Notice("index", f"{own_form}: what it says of {listed(left)} stays, so change it by hand.")
    ] if left else []


def _left(
    said: index.IndexEntry, old: entry.Entry, new: entry.Entry, hook: str | None, marked: bool
) -> list[str]:
    """The parts that should change on a line and do not; `hook` None: it should not."""
    stays = {
        "title": new.title != old.title and said.title != index_line.one_line(new.title),
        "type": new.type != old.type and said.type != index_line.one_line(new.type),
        "tags": new.tags != old.tags and said.tags_beside(new.tags) != new.tags,
        "hook": hook is not None and said.hook_beside(new.tags) != index_line.one_line(hook),
        "mark": said.deprecated != marked,
    }
    return [name for name, left in stays.items() if left]


def _stays(what: str, remedy: str) -> Notice:
    return Notice("index", f"{what}: the index stays as it is, so {remedy}.")


# --- links ---------------------------------------------------------------------------------------


def link(title: str, filename: str, at: str) -> str:
    """A Markdown link to a note, for a change log line of the note `at`; its text is the title.

    It reads back as CommonMark, whatever text stands before it on the line.
    """
    text = _TEXT_SIGNS.sub(r"\\\g<0>", one_line(title)).translate(_CLOSING_SIGNS)
    return f"[{text}]({target(posixpath.relpath(filename, posixpath.dirname(at) or '.'))})"


def target(path: str) -> str:
    """A path as a link's target: percent-encoded where CommonMark or a reader of links needs it."""
    return _IN_TARGET.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), path)


def same_path(one: str, other: str) -> bool:
    """Whether two paths inside the folder are one, in whatever form they are written."""
    return one == other or _plain_path(one) == _plain_path(other)


def _plain_path(path: str) -> str:
    return unicodedata.normalize("NFC", posixpath.normpath(path)) if path else ""


def successors_of(filename: str, context: Context) -> tuple[list[tuple[str, bytes]], list[Notice]]:
    """Every note whose `superseded_by` names `filename`, with its bytes; a notice for each unreadable one."""
    found = []
    notices = []
    for note in context.folder.notes():
        if same_path(note.path, filename):
            continue
        try:
            if b"superseded_by" not in context.folder.head(note.path, HEAD):
                continue
            data = context.folder.read(note.path)
        except FolderError as error:
            notices.append(Notice("link", f"Whether {note.path} names {filename} is not known: {error}"))
            continue
        if data is not None and same_path(successor_of(data), filename):
            found.append((note.path, data))
        elif data is not None and lists_successor(data, filename):
            notices.append(listed_successor(note.path, filename))
    return found, notices


def successor_of(data: bytes) -> str:
    """What a note's `superseded_by` says, "" where it says nothing."""
    value = frontmatter.read(data).fields.get("superseded_by")
    return value.strip() if isinstance(value, str) else ""


def lists_successor(data: bytes, filename: str) -> bool:
    """Whether `superseded_by` is a list that names `filename`, which no field of an entry should be."""
    value = frontmatter.read(data).fields.get("superseded_by")
    return isinstance(value, list) and any(
        isinstance(item, str) and same_path(item.strip(), filename) for item in value
    )


def listed_successor(path: str, filename: str) -> Notice:
    """A notice for a list that does not follow."""
    return Notice("link", f"{path} names {filename} in a list of successors, which stays: change it by hand.")
