"""One table of fields, read value by value: what is right comes back typed, what is wrong is collected."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from memtui.notes import naming
from memtui.proposals.context import control_character, is_reserved, one_line
from memtui.proposals.model import NewTag, Problem, TextEdit
from memtui.proposals.parse import clip, has_half_character, is_blank
from memtui.proposals.tree import Plain, Tree, Unusable

MAX_CLAIM = 1_000
"""Characters of what a proposal says of itself: agent, session, cwd, created."""
MAX_ITEMS = 500
"""Items of one list."""

_HINTS: Mapping[str, str] = {
    "operation": "say what to do",
    "title": "say what the entry is called",
    "body": "give the entry's text",
    "type": "say what kind of entry it is",
    "confidence": "say high, medium or low",
    "context": "say in a few words what the conversation was about",
    "tags": 'give a list of tags, such as ["health", "food"]',
    "hook": "give one line for the index, or leave it out",
    "change": "say in a few words what changes, or leave it out",
    "path": "name the note, such as people/lina.md",
    "new_path": "name the note's new place, such as work/lina.md",
    "filename": "name the note's file",
    "summary": "give the one line that stands for the note in the catalog",
    "content": "give the note's text",
    "text": "give the whole file as it shall be",
    "reason": "say in one line why",
    "statement": "quote what contradicts the entry",
    "user_command": "a note is deleted only on the person's explicit words, so quote them",
    "successor": "name the entry that takes its place, or leave it out",
    "edits": "give a list of {old, new}",
    "old": "quote the text to replace exactly as it stands",
    "new": "give the text to put in its place",
    "new_tags": "give a list of {tag, level, description}",
    "tag": "name the tag",
    "description": "say what the tag is for",
    "fields": "give a table of the frontmatter fields to change",
    "refinement": "give the fields of an update, or leave it out",
    "replacement": "give the fields of an add, or leave it out",
    "attended": "say true or false, or leave it out",
    "base_sha256": "give the 64 hex digits of the note's SHA-256 as it was read, or leave it out",
}
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_NEW_TAG = ("tag", "level", "parent", "description", "not_to_be_confused_with", "because")
_NO_TAG = re.compile(r"[#,\[\](){}<>\"'`*|\\\n\r]")


def hint(name: str) -> str:
    """What to do about a field, as the end of a sentence."""
    return _HINTS.get(name, "give it as text, or leave it out")


class Reader:
    """Reads typed values out of `fields`; problems gather in `problems`, by their path below `where`."""

    def __init__(self, fields: Mapping[str, Tree], where: str = "") -> None:
        self.fields = fields
        self.where = where
        self.problems: list[Problem] = []
        self._read: set[str] = set()

    def add_problem(self, name: str, message: str) -> None:
        """Collect a problem; `message` completes "`name` …"."""
        path = self.where + name
        self.problems.append(Problem(path, f"`{path}` {message}"))

    def value(self, name: str) -> Tree:
        """The value as it came, None where it is absent or was reported already."""
        self._read.add(name)
        value = self.fields.get(name)
        return None if isinstance(value, Unusable) else value

    def rest(self) -> dict[str, Tree]:
        """The fields that nothing has read."""
        return {name: value for name, value in self.fields.items() if name not in self._read}

    # --- text ---

    def text(self, name: str, *, needed: bool = True, blank: bool = False) -> str | None:
        """Text as it came. None where it is absent (a problem if `needed`) or wrong.

        Blank text is a problem where it is needed and counts as absent where not, unless `blank` allows it.
        """
        value = self.value(name)
        if value is None:
            if needed and not isinstance(self.fields.get(name), Unusable):
                self.add_problem(name, f"is missing: {hint(name)}.")
            return None
        if not isinstance(value, str):
            self.add_problem(name, f"must be text, not {describe(value)}: {hint(name)}.")
            return None
        if has_half_character(value):
            return None  # `flaws` tells of it
        if not blank and is_blank(value):
            if needed:
                self.add_problem(name, f"is blank: {hint(name)}.")
            return None
        return str(value)

    def line(self, name: str, *, needed: bool = True) -> str | None:
        """Text collapsed to one line (SPEC section 3), of which each may become part of a line of Markdown.

        A control character in it is a problem: CommonMark reads NUL as another one, and terminals obey some.
        """
        text = self._collapsed(name, needed=needed)
        if text and (found := control_character(text)):
            self.add_problem(name, f"holds the control character U+{ord(found):04X}: take it out.")
        return text

    def _collapsed(self, name: str, *, needed: bool) -> str | None:
        text = self.text(name, needed=needed)
        return None if text is None else one_line(text)

    def claim(self, name: str) -> str:
        """What the proposal says of itself, which no note gets to hold; "" where it does not."""
        text = self._collapsed(name, needed=False) or ""
        if len(text) > MAX_CLAIM:
            self.add_problem(name, f"has {len(text):,} characters: use at most {MAX_CLAIM:,}.")
            return ""
        return text

    def word(self, name: str, known: Sequence[str], *, needed: bool = True) -> str:
        """One word of a vocabulary."""
        text = self.text(name, needed=needed)
        if text is not None and text not in known:
            self.add_problem(name, f"is `{clip(one_line(text), 40)}`: use one of {', '.join(known)}.")
        return text or ""

    def sha256(self, name: str) -> str:
        """64 hex digits in lower case, "" where absent."""
        text = (self.text(name, needed=False) or "").strip()
        if text and not _SHA256.fullmatch(text):
            self.add_problem(name, f"is no SHA-256: {hint(name)}.")
        return text.lower()

    def boolean(self, name: str) -> bool | None:
        """True or false, None where absent."""
        value = self.value(name)
        if isinstance(value, Plain):
            value = {"true": True, "false": False}.get(value.lower(), value)
        if value is None or isinstance(value, bool):
            return value
        self.add_problem(name, f"must be true or false, not {describe(value)}: {hint(name)}.")
        return None

    # --- notes ---

    def path(self, name: str) -> str:
        """The path of a note inside the folder; never index.md or tags.md, which follow by themselves."""
        text = self.text(name)
        if text is None:
            return ""
        if message := naming.check_path(text):
            self.problems.append(Problem(self.where + name, message))
        elif is_reserved(text):
            self.add_problem(
                name, f"is {clip(text)}, which follows the notes by itself: name the note to change instead."
            )
        return text

    # --- lists and tables ---

    def items(self, name: str, *, needed: bool = False) -> list[Tree] | None:
        """A list, None where it is absent (a problem if `needed`) or wrong."""
        value = self.value(name)
        if value is None:
            if needed and not isinstance(self.fields.get(name), Unusable):
                self.add_problem(name, f"is missing: {hint(name)}.")
            return None
        if not isinstance(value, list | tuple):
            self.add_problem(name, f"must be a list, not {describe(value)}: {hint(name)}.")
            return None
        if len(value) > MAX_ITEMS:
            self.add_problem(name, f"has {len(value):,} items: give at most {MAX_ITEMS}.")
            return None
        return list(value)

    def table(self, name: str) -> Mapping[str, Tree] | None:
        """A table of fields, None where it is absent or wrong."""
        value = self.value(name)
        if value is None or isinstance(value, dict):
            return value
        if isinstance(value, Mapping):
            return dict(value)
        self.add_problem(name, f"must be a table of fields, not {describe(value)}: {hint(name)}.")
        return None

    def tags(self, name: str) -> tuple[str, ...] | None:
        """Tags as the dictionary writes them, each once, in the order given."""
        items = self.items(name)
        if items is None:
            return None
        found: dict[str, None] = {}
        for number, item in enumerate(items):
            if tag := self._tag(f"{name}[{number}]", item):
                found[tag] = None
        return tuple(found)

    def _tag(self, path: str, item: Tree) -> str:
        if isinstance(item, Unusable):
            return ""
        if not isinstance(item, str):
            self.add_problem(path, f"must be text, not {describe(item)}: {hint('tag')}.")
            return ""
        from memtui.notes import tags

        tag = tags.normalise(one_line(item))
        if not tag:
            self.add_problem(path, f"is blank: {hint('tag')}.")
        elif _NO_TAG.search(tag) or not tag.isprintable():
            self.add_problem(
                path, "holds a #, comma, bracket, quote or hidden character: give each tag as a plain word."
            )
        return tag

    def new_tags(self) -> tuple[NewTag, ...]:
        """`new_tags`: what a proposal brings for tags that the dictionary does not have."""
        found = []
        for number, item in enumerate(self.items("new_tags") or ()):
            path = f"new_tags[{number}]"
            if inner := self._inner(path, item, "new_tags", _NEW_TAG):
                found.append(inner._new_tag())
                self.problems.extend(inner.problems)
        return tuple(found)

    def _new_tag(self) -> NewTag:
        names = {}
        for name in ("tag", "parent"):
            text = self.line(name, needed=name == "tag")
            names[name] = self._tag(name, text) if text else ""
        return NewTag(
            tag=names["tag"],
            level=self._level(),
            parent=names["parent"],
            description=self.line("description", needed=False) or "",
            not_to_be_confused_with=self.tags("not_to_be_confused_with") or (),
            because=self.line("because", needed=False) or "",
        )

    def _level(self) -> int:
        value = self.value("level")
        if isinstance(value, Plain) and str(value) in ("1", "2", "3"):
            return int(value)
        if value is None:
            return 1
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 3:
            return value
        self.add_problem("level", "must be 1, 2 or 3: say on which level of the dictionary the tag stands.")
        return 1

    def edits(self) -> tuple[TextEdit, ...]:
        """`edits`: at least one exact-match replacement."""
        items = self.items("edits", needed=True)
        if items == []:
            self.add_problem("edits", f"is empty: {hint('edits')}.")
        found = []
        for number, item in enumerate(items or ()):
            path = f"edits[{number}]"
            if inner := self._inner(path, item, "edits", ("old", "new")):
                found.append(inner._edit())
                self.problems.extend(inner.problems)
        return tuple(found)

    def _edit(self) -> TextEdit:
        old, new = self.text("old", blank=True), self.text("new", blank=True)
        if old == "":
            self.add_problem("old", f"is empty: {hint('old')}.")
        elif old is not None and old == new:
            self.add_problem("new", "is the same as `old`: leave this edit out.")
        return TextEdit(old or "", new or "")

    def _inner(self, path: str, item: Tree, name: str, known: Collection[str]) -> Reader | None:
        """A reader of one table in a list; it holds known fields only, as nothing would show others."""
        if isinstance(item, Unusable):
            return None
        if not isinstance(item, Mapping):
            self.add_problem(path, f"must be a table of fields, not {describe(item)}: {hint(name)}.")
            return None
        for key in item:
            if key not in known:
                self.add_problem(f"{path}.{clip(str(key), 40)}", f"is not known here: {hint(name)}.")
        return Reader(item, f"{self.where}{path}.")


def describe(value: Tree) -> str:
    """What kind of value it is, in words."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list | tuple):
        return "a list"
    return "nothing" if value is None else "a table of fields"
