"""Plans for whole notes of any shape: write (seed 000) and delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.notes import markdown, naming
from memtui.notes.folder import clip
from memtui.notes.scalars import EditRefused, block
from memtui.notes.summary import clip_summary
from memtui.proposals.context import INDEX, Context
from memtui.proposals.model import Change, Delete, FileChange, LineChange, Notice, Plan, Problem, Write
from memtui.proposals.notices import listed

if TYPE_CHECKING:
    from memtui.notes.frontmatter import Frontmatter


def plan_write(proposal: Write, context: Context) -> Plan:
    """The note replaced whole: a `description:` preamble and the content (seed 000)."""
    before = context.folder.read(proposal.path)
    if trouble := path_problem(proposal.path, before, context):
        return Plan(problems=(Problem("path", trouble),))
    notices: list[Notice] = []
    if before is not None:
        from memtui.notes import entry, frontmatter

        old = frontmatter.read(before)
        if entry.is_entry(old.fields):
            return Plan(
                problems=(
                    Problem("path", f"{proposal.path} is a typed entry: propose an `update` of it instead."),
                )
            )
        notices.extend(_lost_keys(old))
    summary = clip_summary(proposal.summary)
    wanted = _note(summary, proposal.content).encode("utf-8", "surrogatepass")
    after = context.kept(proposal.path, before, wanted)
    return Plan(
        changes=(FileChange(proposal.path, before, after),),
        notices=tuple(notices),
        result={
            "path": proposal.path,
            "summary": summary if after == wanted else _summary_of(after),
            "bytesWritten": len(after),
        },
        wanted=None if before is None else wanted,
    )


def _summary_of(data: bytes) -> str:
    """What a note's `description` says, "" where it has none."""
    from memtui.notes import frontmatter

    said = frontmatter.read(data).fields.get("description")
    return said if isinstance(said, str) else ""


def _note(summary: str, content: str) -> str:
    """The preamble and the content, with one newline at its end, in the content's own line ending."""
    ending = markdown.newline(content)
    text = content.rstrip("\r\n")
    preamble = block({"description": summary}).replace("\n", ending)
    return preamble + text + ending if text else preamble


def _lost_keys(old: Frontmatter) -> list[Notice]:
    if old.kind in ("toml", "broken"):
        what = "TOML" if old.kind == "toml" else "which cannot be read"
        return [Notice("keys-lost", f"The old note's frontmatter ({what}) will be lost: look at it first.")]
    lost = [key for key in old.fields if key != "description"]
    if not lost:
        return []
    keys = "key" if len(lost) == 1 else "keys"
    return [Notice("keys-lost", f"The old note's {keys} {listed(lost)} will be lost: look at them first.")]


def path_problem(path: str, before: bytes | None, context: Context) -> str | None:
    """Why a note cannot be made or replaced at `path`, None where it can."""
    return naming.check_new_path(path, context.folder.names) if before is None else naming.check_path(path)


# --- delete --------------------------------------------------------------------------------------


def plan_delete(proposal: Delete, context: Context) -> Plan:
    """Any note removed, its index line, and every `superseded_by` that pointed to it (seed 004)."""
    if not proposal.user_command.strip():
        return Plan(
            problems=(Problem("user_command", "A delete must quote the person's own words: ask them first."),)
        )
    from memtui.notes import entry, index
    from memtui.proposals.entry_rules import successors_of

    filename = proposal.filename
    before = context.folder.read(filename)
    if before is None:
        return Plan(
            problems=(Problem("filename", f"{clip(filename)} does not exist: there is nothing to delete."),)
        )
    changes: list[Change] = [FileChange(filename, before, None)]
    notices: list[Notice] = []
    found = index.read_index(context.folder.read(INDEX))
    line = found.get(filename)
    if filename in found.duplicates:
        notices.append(
            Notice("index", f"index.md has two lines for {filename}: both stay, so remove them by hand.")
        )
    elif line is not None:
        changes.append(LineChange(INDEX, filename, line.line, None))
    elif entry.read_entry(before) is not None:
        notices.append(Notice("index", f"index.md has no line for {filename}: none was removed."))
    linked, troubles = successors_of(filename, context)
    notices.extend(troubles)
    for path, data in linked:
        try:
            changes.append(FileChange(path, data, _without_successor(data, context.today)))
        except EditRefused as refusal:
            notices.append(
                Notice(
                    "link",
                    f"{path} still names {filename} as its successor, since it cannot be changed: "
                    f"{str(refusal)[:1].lower()}{str(refusal)[1:]}",
                )
            )
    return Plan(tuple(changes), tuple(notices), result={"filename": filename})


def _without_successor(data: bytes, today: str) -> bytes:
    from memtui.notes import entry, frontmatter

    after = frontmatter.edit(data, {"superseded_by": None})
    if entry.read_entry(data) is None:
        return after
    return entry.append_log(after, f"{today} — successor deleted {today}")
