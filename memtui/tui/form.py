"""What is edited, as plain values: fields, a body, and what becomes of them. Pure but for the desk it is given."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from memtui.notes.entry import CONFIDENCES, TYPES
from memtui.proposals.model import Json, Problem
from memtui.review.items import NoteView, Preview

if TYPE_CHECKING:
    from memtui.desk import Desk

Shown = Preview | tuple[Problem, ...]

BY_HAND = "edited by hand"
"""The reason of a person's own change that gives none."""
INLINE_BYTES = 256 * 1024
INLINE_LINE = 4096
"""Beyond these a text goes to `$EDITOR` only (MEASURED, Textual): bytes of the whole, characters of a line."""

_CLAIMS = ("agent", "session", "source", "cwd", "created", "attended", "base_sha256")
FIXED = frozenset(("operation", "id", "ref", "batch", "filename", "body", "content", "text", *_CLAIMS))
"""Fields of a proposal that are no text of the person's to change."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a form."""

    name: str
    label: str
    value: str
    choices: tuple[str, ...] = ()
    many: bool = False
    """Several values with commas between."""


@dataclass(frozen=True)
class Values:
    """What the form holds now."""

    fields: Mapping[str, str]
    body: str
    why: str = ""

    def dump(self) -> str:
        """As a draft keeps it."""
        return json.dumps({"fields": dict(self.fields), "body": self.body, "why": self.why})


def read_draft(text: str | None) -> Values | None:
    """The values of a draft, None where there is none or it is no draft of a form."""
    try:
        kept = json.loads(text or "")
        return Values(dict(kept["fields"]), str(kept["body"]), str(kept["why"]))
    except (ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True)
class Form:
    """A thing to edit."""

    key: str
    """Of its draft."""
    title: str
    subtitle: str
    fields: tuple[Field, ...]
    body: str
    show: Callable[[Desk, Values], Shown]
    """Blocks: plans what the values would change."""
    why: str | None = None
    """Its reason so far; None where none is asked for."""
    log: tuple[str, ...] = ()
    whole: str | None = None
    """The text that `$EDITOR` gets instead of the body (a whole file or proposal), None for the body."""
    show_whole: Callable[[Desk, str], Shown] | None = None
    ready: bool = False
    """What it opens with is a change already."""
    aside: str = ""
    """What of it the form does not show, and where that is edited; "" for nothing."""
    still: Callable[[Desk], bool] | None = None
    """Blocks: whether what is edited is as it was when the form was made; None where it cannot change."""

    def start(self) -> Values:
        return Values({f.name: f.value for f in self.fields}, self.body, self.why or "")


def listed(text: str) -> tuple[str, ...]:
    """The values of a field with commas."""
    return tuple(part.strip().lstrip("#") for part in text.split(",") if part.strip())


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a text is no part of its words, and comes back around them: its BOM and its line ending."""

    bom: str
    ending: str

    def give_back(self, text: str) -> str:
        return self.bom + text.replace("\n", self.ending)


def take_in(text: str) -> tuple[str, Shape]:
    """The words of a text, LF throughout, and its shape; a text of mixed endings stays as it is."""
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    words = text[len(bom) :]
    plain = words.replace("\r\n", "\n")
    if words and plain.replace("\n", "\r\n") == words and "\n" in plain:
        return plain, Shape(bom, "\r\n")
    return words, Shape(bom, "\n")


def inline_problem(text: str) -> str:
    """Why a text cannot be edited in the app, "" where it can."""
    text, _ = take_in(text)
    if len(text.encode("utf-8", "surrogatepass")) > INLINE_BYTES:
        return "it is larger than 256 KiB"
    if any(len(line) > INLINE_LINE for line in text.split("\n")):
        return "it has lines of more than 4,096 characters"
    if any(character in text for character in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"):
        return "it has line breaks that the editor here would change"
    return ""


# --- notes -----------------------------------------------------------------------------------------


def note_form(view: NoteView) -> Form:
    """Of a typed entry: its fields and body, as an update. Of any other note: its whole text."""
    row = view.row
    entry = row.kind == "entry"
    created = str(view.fields.get("created", ""))
    parts = [row.path, row.status, f"created {created}" if created else ""] if entry else [row.path]
    return Form(
        key=row.path,
        title=row.headline,
        subtitle=" · ".join(part for part in parts if part),
        fields=_entry_fields(view) if entry else (),
        body=view.body if entry else view.text or "",
        show=lambda desk, values: desk.compose(changes_of(view, values, BY_HAND)),
        why="",
        log=view.log,
        whole=view.text,
        show_whole=lambda desk, text: desk.compose(_replace_fields(row.path, text, BY_HAND)),
        still=partial(_is_still, view),
    )


def _is_still(view: NoteView, desk: Desk) -> bool:
    """Whether the note is on the disk as it was when the form was opened. Blocks. Raises FolderError."""
    return desk.note(view.row.path).data == view.data


def _replace_fields(path: str, text: str, reason: str) -> dict[str, Json]:
    return {"operation": "replace", "path": path, "text": text, "reason": reason}


def _entry_fields(view: NoteView) -> tuple[Field, ...]:
    row = view.row
    return (
        Field("title", "title", row.headline),
        Field("type", "type", row.type, TYPES),
        Field("confidence", "confidence", row.confidence, CONFIDENCES),
        Field("tags", "tags", ", ".join(row.tags), many=True),
    )


def changes_of(view: NoteView, values: Values, reason: str) -> dict[str, Json]:
    """The operation that makes a note what its form holds; `reason` where the form gives none."""
    row, reason = view.row, values.why.strip() or reason
    if row.kind != "entry":
        return _replace_fields(row.path, values.body, reason)
    changed: dict[str, Json] = {}
    for item in _entry_fields(view):
        new = values.fields.get(item.name, item.value)
        if new != item.value:
            changed[item.name] = listed(new) if item.many else new.strip()
    wanted: dict[str, Json] = {"operation": "update", "filename": row.path, "reason": reason}
    if changed:
        wanted["fields"] = changed
    if values.body != view.body:
        wanted["body"] = values.body
    return wanted


def new_note_form() -> Form:
    """A new note: path, summary and text, as a write."""
    fields = (Field("path", "path", ""), Field("summary", "summary", ""))

    def show(desk: Desk, values: Values) -> Shown:
        path = values.fields["path"].strip()
        path = path if not path or path.endswith(".md") else f"{path}.md"
        if path and any(note.path == path for note in desk.notes()):
            return (Problem("path", f"{path} exists already: e edits it"),)
        wanted: dict[str, Json] = {"operation": "write", "path": path, "summary": values.fields["summary"]}
        return desk.compose({**wanted, "content": values.body, "reason": "written by hand"})

    return Form(
        "new note", "New note", "a path ending in .md, one line of summary, the text", fields, "", show
    )


def new_entry_form() -> Form:
    """A new typed entry, as an add."""
    fields = (
        Field("title", "title", ""),
        Field("type", "type", "fact", TYPES),
        Field("confidence", "confidence", "high", CONFIDENCES),
        Field("tags", "tags", "", many=True),
        Field("context", "context", ""),
    )

    def show(desk: Desk, values: Values) -> Shown:
        wanted: dict[str, Json] = {"operation": "add", "body": values.body}
        for item in fields:
            text = values.fields[item.name].strip()
            wanted[item.name] = listed(text) if item.many else text
        return desk.compose(wanted)

    return Form("new entry", "New entry", "a typed entry; it gets its own file name", fields, "", show)


# --- proposals -------------------------------------------------------------------------------------


def proposal_form(preview: Preview) -> Form:
    """The `.md` form of a proposal: its one-line fields and its body."""
    from memtui.notes import frontmatter
    from memtui.tui.whole_text import made_text, whole_text

    data = preview.text.encode("utf-8", "surrogatepass")
    read = frontmatter.read(data)
    body = data[read.body_start :].decode("utf-8", "surrogatepass")
    fields = tuple(
        Field(name, name, _shown_value(value), _choices(name), many=not isinstance(value, str))
        for name, value in read.fields.items()
        if name not in FIXED and _is_plain(value)
    )
    if preview.item.proposal.operation == "supersede" and "successor" not in read.fields:
        fields += (Field("successor", "successor", ""),)
    id = preview.item.id
    whole, form_of = whole_text(preview)
    made = made_text(preview)
    if made is not None:  # an edit: its text is that of the note as it would be
        body = made
    others = [name for name, value in read.fields.items() if name not in FIXED and not _is_plain(value)]
    others = [name for name in others if made is None or name != "edits"]

    def show_whole(desk: Desk, text: str) -> Shown:
        return desk.edit(id, form_of(text))

    def show(desk: Desk, values: Values) -> Shown:
        changes: dict[str, str | tuple[str, ...] | None] = {}
        for item in fields:
            new = values.fields[item.name]
            if new != item.value:
                changes[item.name] = listed(new) if item.many else new
        if changes.get("successor") == "":
            changes["successor"] = None
        if made is not None:
            again = form_of(values.body) if values.body != made else preview.text
            text = again.encode("utf-8", "surrogatepass")
            return desk.edit(id, (frontmatter.edit(text, changes) if changes else text).decode("utf-8"))
        edited = frontmatter.edit(data, changes) if changes else data
        head = edited[: frontmatter.read(edited).body_start]
        return desk.edit(id, (head + values.body.encode("utf-8", "surrogatepass")).decode("utf-8"))

    return Form(
        key=id,
        title=preview.item.headline,
        subtitle=f"{preview.item.proposal.operation} by {preview.item.proposal.agent or 'no agent named'}",
        fields=fields,
        body=body,
        show=show,
        whole=whole,
        show_whole=show_whole,
        aside=f"not shown here: {', '.join(others)} · esc, then E edits all of it in $EDITOR"
        if others
        else "",
    )


def with_field(text: str, name: str, value: str) -> str:
    """The `.md` form of a proposal with one field set, or without it where the value is "". Raises EditRefused."""
    from memtui.notes import frontmatter

    data = text.encode("utf-8", "surrogatepass")
    return frontmatter.edit(data, {name: value or None}).decode("utf-8", "surrogatepass")


def _is_plain(value: Json) -> bool:
    if isinstance(value, str):
        return "\n" not in value
    return isinstance(value, list | tuple) and all(isinstance(v, str) and "," not in v for v in value)


def _shown_value(value: Json) -> str:
    return value if isinstance(value, str) else ", ".join(str(v) for v in value)  # type: ignore[union-attr]


def _choices(name: str) -> tuple[str, ...]:
    return {"type": TYPES, "confidence": CONFIDENCES}.get(name, ())
