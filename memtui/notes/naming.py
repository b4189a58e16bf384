"""Names of notes: slugs for new entries, and which paths a note may have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection

FOLLOWERS = frozenset(("index.md", "tags.md"))
"""Files at the root that follow the notes by themselves: no new note or folder has such a name there."""
MAX_SLUG = 60
MAX_COMPONENT_BYTES = 200
MAX_PATH_BYTES = 800
"""Of a whole new path: it must be reachable by its full name, of which macOS takes 1,023 bytes."""
_LONGEST = 4_095
"""Bytes of the longest path that any system takes."""
_MAX_TITLE = 1_000

_DEVICES = re.compile(r"con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]", re.IGNORECASE)
_WINDOWS_SIGNS = re.compile(r'[<>:"|?*]')
_SLASHES = re.compile("[\u2044\u2215\u2571\u29f8\uff0f]")
"""What nobody can tell from the slash between two folders."""
_NO_NAME = re.compile("[\0\ud800-\udfff]")
"""What no proposal can name: NUL ends a name for every system, and half a character pair is no text."""

_BLANK_CELL = "\u2800"
"""The Braille cell without dots: a sign of its own in Braille, a blank in a name."""


def slug(title: str) -> str:
    """Return an ASCII name for a title: lower case, dashes, at most 60 characters, never empty (seed 004)."""
    from anyascii import anyascii

    # Composed first, so that both ways of writing a letter give one slug.
    ascii_text = anyascii(unicodedata.normalize("NFC", title[:_MAX_TITLE])).lower()
    name = re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-")[:MAX_SLUG].strip("-")
    if _DEVICES.fullmatch(name):
        return f"entry-{name}"
    return name or "entry"


def entry_filename(title: str, timestamp: int, taken: Collection[str]) -> str:
    """Return `<timestamp>-<slug>.md`, with `-2`, `-3`… where a name of `taken` is the same without case.

    `timestamp` is in Unix seconds.
    """
    begin = str(timestamp)
    used = {fold(name) for name in taken if name.startswith(begin)}
    stem = f"{begin}-{slug(title)}"
    name, number = f"{stem}.md", 1
    while fold(name) in used:
        number += 1
        name = f"{stem}-{number}.md"
    return name


def fold(name: str) -> str:
    """Return what two names share that a file system without case or normalisation takes for one."""
    if name.isascii():  # as nearly all are, of thousands
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def check_path(path: str) -> str | None:
    """Return why `path` cannot be the path of a note in the folder, in one sentence, or None.

    Names that exist are taken as they are (SPEC.md section 3): what a new name may be is `check_new_path`'s.
    """
    shown = _clip(path)
    if not path:
        return "The path is empty; give one such as people/lina.md."
    if len(path.encode("utf-8", "surrogatepass")) > _LONGEST:
        return f"The path {shown} is longer than any that a disk can hold; shorten it."
    if _NO_NAME.search(path):
        return f"The path {shown} holds characters that no file name can; leave them out."
    if path.startswith("/"):
        return f"The path {shown} is not relative to the memory folder; leave the first / out."
    parts = path.split("/")
    if ".." in parts or "." in parts or "" in parts:
        return f"The path {shown} has an empty, . or .. part; give it from the memory folder down."
    if any(part.startswith(".") for part in parts):
        return f"The path {shown} is hidden; no part of it may begin with a dot."
    if not path.endswith(".md"):
        return f"The path {shown} does not end in .md; notes are Markdown files."
    return None


def check_new_path(path: str, siblings: Callable[[str], Collection[str]]) -> str | None:
    """Return why `path` cannot be made as a new note (SPEC.md section 3), in one sentence, or None.

    `siblings` gives the names that exist in a directory of the folder ("" for the root, () for one that is
    not there). Directories that exist are taken as they are.
    """
    if problem := check_path(path):
        return problem
    size = len(path.encode())
    if size > MAX_PATH_BYTES:
        return f"The path {_clip(path)} takes {size:,} bytes, and {MAX_PATH_BYTES} are allowed; shorten it."
    parts = path.split("/")
    if (follower := fold(parts[0])) in FOLLOWERS:
        shown = _clip(parts[0])
        return (
            f"The name {shown} at the root is kept for {follower}, which follows the notes; choose another."
        )
    parent: str | None = ""
    for depth, part in enumerate(parts):
        last = depth == len(parts) - 1
        existing = siblings(parent) if parent is not None else ()
        if part in existing:
            if last:
                return f"{_clip(path)} exists already; choose another name."
        else:
            if problem := _check_component(part) or _check_twin(part, existing):
                return problem
            existing = ()
            parent = None
        if parent is not None:
            parent = f"{parent}/{part}".lstrip("/")
    return None


def _check_component(name: str) -> str | None:
    """Return why a new file or directory cannot be called so."""
    shown = _clip(name)
    if hidden := _find_hidden(name):
        return f"The name {shown} holds U+{ord(hidden):04X}, which cannot be told by eye; leave it out."
    if slash := _SLASHES.search(name):
        return f"The name {shown} holds U+{ord(slash.group()):04X}, which looks like a /; leave it out."
    if "  " in name:
        return f"The name {shown} holds two spaces side by side, which look like one; leave one out."
    if "\\" in name:
        return f"The name {shown} holds a \\; write folders with /, and leave it out of names."
    if unicodedata.normalize("NFC", name) != name:
        return f"The name {shown} is not in Unicode's composed form (NFC); write it composed."
    size = len(name.encode())
    if size > MAX_COMPONENT_BYTES:
        return f"The name {shown} takes {size} bytes, and {MAX_COMPONENT_BYTES} are allowed; shorten it."
    if _DEVICES.fullmatch(name.split(".")[0].rstrip(" ")):
        return f"The name {shown} is reserved on Windows; choose another."
    if sign := _WINDOWS_SIGNS.search(name):
        return f"The name {shown} holds {sign.group()}, which Windows does not allow; leave it out."
    if name != name.strip() or name.endswith("."):
        return f"The name {shown} begins or ends with a space or ends with a dot; leave that out."
    return None


def _check_twin(name: str, existing: Collection[str]) -> str | None:
    folded = fold(name)
    for other in existing:
        if fold(other) == folded:
            return f"The name {_clip(name)} differs from {_clip(other)} only in case or form; choose another."
    return None


def _find_hidden(name: str) -> str:
    """The first character of a new name that shows nothing or passes for a space, "" where there is none.

    A selector is none where it selects something, as in an emoji; a format character always is (SPEC.md section 3).
    """
    if name.isascii() and name.isprintable():
        return ""
    from memtui.safe_chars import CLASSES
    from memtui.safe_text import pieces

    alarms = {piece.start for piece in pieces(name, bom=False) if piece.kind == "alarm"}
    for at, character in enumerate(name):
        kind = CLASSES[character]
        # A mark too many on one letter is an alarm as well, but it can be seen.
        if kind == "blank" or character == _BLANK_CELL or (at in alarms and kind != "combining"):
            return character
        if unicodedata.category(character) in ("Cc", "Cf"):
            return character
    return ""


def _clip(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
