"""What each operation needs and what its fields may say: fields in, proposal or problems out.

Nothing is invented: what is missing or unclear is a problem that names its field (SPEC section 3, seed 004).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memtui.notes.vocabulary import CONFIDENCES, TYPES
from memtui.proposals.context import one_line
from memtui.proposals.model import OPERATIONS, SOURCES, Json, Problem, Proposal
from memtui.proposals.parse import clip, flaws, is_blank, resolve
from memtui.proposals.reader import Reader, describe
from memtui.proposals.tree import Tree, Unusable

MAX_CONTENT = 64 * 1024
"""Bytes of a write's content in UTF-8 (seed 000)."""
MAX_PROBLEMS = 40
CLAIMS = ("agent", "session", "cwd", "source", "created", "attended", "base_sha256", "ref")
"""The fields of every proposal besides operation, id and reason."""
YOU = "you"
"""The agent of the person's own changes: no spool file may call itself so."""
REF = "ref:"
"""Begins a successor that names a sibling of the batch."""
ALIASES: Mapping[str, str] = {"memory_write": "write"}

_OWN_FIELDS = ("status", "created", "updated", "superseded_at", "superseded_by")
_FIELD_NAME = re.compile(r"[^\W\d](?:[\w .-]*[\w.-])?")
_OPENING = re.compile(r"\ufeff?(?:[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)")


def from_fields(
    fields: Mapping[str, Json], *, id: str, batch: str = "", types: Iterable[str] = ()
) -> Proposal | tuple[Problem, ...]:
    """One proposal from its fields, or every problem that they have.

    `id` and `batch` are given by the caller: an `id` among the fields is not looked at. `types` are entry
    types that the person added to the vocabulary.
    """
    found = list(flaws(fields))
    if any(not problem.field for problem in found):
        return tuple(found)
    return _build(Reader(fields), _Setting(id, batch, (*TYPES, *types)), found)


def agent_problem(fields: Mapping[str, Tree], where: str = "") -> list[Problem]:
    """Whether what came through a spool calls itself the person, whose own changes are trusted more."""
    agent = fields.get("agent")
    if not isinstance(agent, str) or agent.strip().casefold() != YOU:
        return []
    return [
        Problem(f"{where}agent", f"`{where}agent` cannot be {YOU}, the person's own name: name the agent.")
    ]


class _Setting:
    """What holds for a proposal and for the members of a contradiction alike."""

    def __init__(self, id: str, batch: str, types: tuple[str, ...]) -> None:
        self.id = id
        self.batch = batch
        self.types = types


def _build(
    reader: Reader, setting: _Setting, found: Iterable[Problem] = ()
) -> Proposal | tuple[Problem, ...]:
    reader.value("id")
    operation = reader.word("operation", (*OPERATIONS, *ALIASES))
    operation = ALIASES.get(operation, operation)
    if operation not in OPERATIONS:
        return (*found, *reader.problems)[:MAX_PROBLEMS]
    own = _READERS[operation](reader, setting)
    claims = _read_claims(reader)
    problems = (*found, *reader.problems)
    if problems:
        return problems[:MAX_PROBLEMS]
    unknown = {str(name): resolve(value) for name, value in reader.rest().items()}
    return OPERATIONS[operation](id=setting.id, batch=setting.batch, unknown=unknown, **claims, **own)


def _read_claims(reader: Reader) -> dict[str, Any]:
    return {
        "agent": reader.claim("agent"),
        "session": reader.claim("session"),
        "cwd": reader.claim("cwd"),
        "source": reader.word("source", SOURCES, needed=False),
        "created": reader.claim("created"),
        "attended": reader.boolean("attended"),
        "base_sha256": reader.sha256("base_sha256"),
        "ref": reader.claim("ref"),
    }


# --- seed 000 ------------------------------------------------------------------------------------


def _read_write(reader: Reader, _: _Setting) -> dict[str, Any]:
    content = reader.text("content", blank=True) or ""
    size = len(content.encode("utf-8", "replace"))
    if size > MAX_CONTENT:
        reader.add_problem("content", f"has {size:,} bytes: a note holds at most {MAX_CONTENT:,} bytes.")
    if _OPENING.match(content):
        reader.add_problem(
            "content", "opens with a YAML block `---`: leave it out, as memtui writes the note's frontmatter."
        )
    return {
        "path": reader.path("path"),
        "summary": reader.line("summary") or "",
        "content": content,
        "reason": reader.line("reason", needed=False) or "",
    }


# --- seed 004 ------------------------------------------------------------------------------------


def _read_add(reader: Reader, setting: _Setting) -> dict[str, Any]:
    return {
        "title": reader.line("title") or "",
        "body": _read_body(reader),
        "type": reader.word("type", setting.types),
        "confidence": reader.word("confidence", CONFIDENCES),
        "context": reader.line("context") or "",
        "tags": reader.tags("tags"),
        "hook": reader.line("hook", needed=False),
        "new_tags": reader.new_tags(),
        "reason": reader.line("reason", needed=False) or "",
    }


def _read_update(reader: Reader, setting: _Setting) -> dict[str, Any]:
    given = reader.fields.get("body") is not None
    table = reader.table("fields")
    hook = reader.line("hook", needed=False)
    if not given and not reader.fields.get("fields") and hook is None:
        reader.add_problem("body", "is missing, and so are `fields` and `hook`: say what shall change.")
    return {
        "filename": reader.path("filename"),
        "body": _read_body(reader) if given else None,
        "fields": _read_fields(reader, table or {}, setting),
        "hook": hook,
        "change": reader.line("change", needed=False),
        "new_tags": reader.new_tags(),
        "reason": reader.line("reason") or "",
    }


def _read_body(reader: Reader) -> str:
    from memtui.notes import markdown

    body = reader.text("body") or ""
    if _OPENING.match(body):
        reader.add_problem(
            "body", "opens with a YAML block `---`: give the text alone, and fields as fields."
        )
    if any(
        line.kind == "heading" and line.heading.casefold() == "change log" for line in markdown.lines(body)
    ):
        reader.add_problem(
            "body", "has a `Change log` heading: leave it out, as memtui keeps the change log."
        )
    return body


def _read_fields(reader: Reader, table: Mapping[str, Tree], setting: _Setting) -> dict[str, Any]:
    """The frontmatter fields that an update changes."""
    inner = Reader(table, f"{reader.where}fields.")
    found: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, Unusable):
            continue
        if name in _OWN_FIELDS:
            inner.add_problem(name, "is kept by memtui and cannot be set: leave it out.")
        elif name == "title":
            found[name] = inner.line(name)
        elif name == "type":
            found[name] = inner.word(name, setting.types)
        elif name == "confidence":
            found[name] = inner.word(name, CONFIDENCES)
        elif name == "tags" and value is not None:
            found[name] = inner.tags(name)
        elif not _FIELD_NAME.fullmatch(name):
            inner.add_problem(
                clip(" ".join(name.split()), 40),
                "is no name for a field: use letters, digits, dashes and dots, and blanks only between.",
            )
        else:
            found[name] = _read_other(inner, name)
    reader.problems.extend(inner.problems)
    return found


def _read_other(inner: Reader, name: str) -> str | tuple[str, ...]:
    value = inner.value(name)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(str(item) for item in value)
    inner.add_problem(name, f"must be text or a list of texts, not {describe(value)}: write it so.")
    return ""


def _read_supersede(reader: Reader, setting: _Setting) -> dict[str, Any]:
    filename = reader.path("filename")
    successor = reader.text("successor", needed=False) or ""
    if successor.startswith(REF):
        successor = REF + one_line(successor.removeprefix(REF))
        if not setting.batch:
            reader.add_problem("successor", "names a sibling of a batch, and this is none: give a filename.")
    elif successor:
        successor = reader.path("successor")
        if successor == filename:
            reader.add_problem("successor", "is the entry itself: name another entry, or leave it out.")
    return {"filename": filename, "successor": successor, "reason": reader.line("reason") or ""}


def _read_delete(reader: Reader, _: _Setting) -> dict[str, Any]:
    return {
        "filename": reader.path("filename"),
        "user_command": reader.text("user_command") or "",
        "reason": reader.line("reason") or "",
    }


def _read_contradiction(reader: Reader, setting: _Setting) -> dict[str, Any]:
    own = {
        "filename": reader.path("filename"),
        "statement": reader.text("statement") or "",
        "reason": reader.line("reason") or "",
    }
    members = {
        "refinement": _read_member(reader, "refinement", "update", setting),
        "replacement": _read_member(reader, "replacement", "add", setting),
    }
    if all(reader.fields.get(name) is None for name in members):
        reader.add_problem(
            "refinement", "is missing, and so is `replacement`: give one, so there is a choice."
        )
    return {**own, **members}


def _read_member(reader: Reader, name: str, operation: str, setting: _Setting) -> Proposal | None:
    """One side of a contradiction. It inherits filename, reason and claims; their problems are told once."""
    table = reader.table(name)
    if table is None:
        return None
    given = {
        key: value for key, value in table.items() if value is not None and not _is_blank_claim(key, value)
    }
    inherited = {key: reader.fields.get(key) for key in ("filename", "reason", *CLAIMS) if key not in given}
    if operation == "add":
        inherited.pop("filename", None)
    inner = Reader({"operation": operation, **inherited, **given}, f"{reader.where}{name}.")
    if given.get("operation", operation) != operation:
        inner.add_problem("operation", f"must be {operation} here: leave it out.")
    if "filename" in given and given["filename"] != reader.fields.get("filename"):
        inner.add_problem("filename", "is not the contradiction's own: leave it out.")
    made = _build(inner, setting)
    if isinstance(made, Proposal):
        return made
    told = {f"{inner.where}{key}" for key in inherited}
    reader.problems.extend(problem for problem in made if problem.field not in told)
    return None


def _is_blank_claim(name: str, value: Tree) -> bool:
    """Whether this is a claim or reason that says nothing, which counts as absent."""
    return name in ("reason", *CLAIMS) and isinstance(value, str) and is_blank(value)


# --- any note ------------------------------------------------------------------------------------


def _read_edit(reader: Reader, _: _Setting) -> dict[str, Any]:
    return {
        "path": reader.path("path"),
        "edits": reader.edits(),
        "reason": reader.line("reason") or "",
    }


def _read_replace(reader: Reader, _: _Setting) -> dict[str, Any]:
    return {
        "path": reader.path("path"),
        "text": reader.text("text", blank=True) or "",
        "reason": reader.line("reason") or "",
    }


def _read_rename(reader: Reader, _: _Setting) -> dict[str, Any]:
    path, new_path = reader.path("path"), reader.path("new_path")
    if path and path == new_path:
        reader.add_problem("new_path", "is the path that it has already: give another one.")
    return {"path": path, "new_path": new_path, "reason": reader.line("reason") or ""}


_READERS: Mapping[str, Callable[[Reader, _Setting], dict[str, Any]]] = {
    "write": _read_write,
    "add": _read_add,
    "update": _read_update,
    "supersede": _read_supersede,
    "delete": _read_delete,
    "contradiction": _read_contradiction,
    "edit": _read_edit,
    "replace": _read_replace,
    "rename": _read_rename,
}
