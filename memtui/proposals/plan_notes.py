"""Plans for whole notes: write (seed 000), edit and replace."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memtui.notes import catalog, entry, frontmatter, index, naming
from memtui.proposals.context import INDEX, Context
from memtui.proposals.entry_rules import (
    changed_fields,
    critical_lines,
    first_sentence,
    follow_index,
)
from memtui.proposals.model import (
    Change,
    Edit,
    FileChange,
    Json,
    LineChange,
    Notice,
    Plan,
    Problem,
    Replace,
    TextEdit,
    Write,
)

_WORD = re.compile(r"\w{3,}")


def plan_write(proposal: Write, context: Context) -> Plan:
    """The note replaced whole: a `description:` preamble and the content (seed 000)."""
    before = context.folder.read(proposal.path)
    trouble = _new_path_problem(proposal.path, before, context)
    if trouble:
        return Plan(problems=(Problem("path", trouble),))
    notices: list[Notice] = []
    if before is not None:
        old = frontmatter.read(before)
        if entry.is_entry(old.fields):
            return Plan(
                problems=(Problem("path", f"{proposal.path} is a typed entry: propose an update instead"),)
            )
        notices.extend(_lost_keys(old.fields))
    summary = catalog.clip_summary(proposal.summary)
    content = proposal.content.rstrip("\r\n") + "\n"
    after = (frontmatter.block({"description": summary}) + content).encode("utf-8", "surrogatepass")
    return Plan(
        changes=(FileChange(proposal.path, before, after),),
        notices=tuple(notices),
        result={"path": proposal.path, "summary": summary, "bytesWritten": len(after)},
    )


def _lost_keys(fields: Mapping[str, Json]) -> list[Notice]:
    lost = [key for key in fields if key != "description"]
    return [Notice("keys-lost", f"the old note's {', '.join(lost)} will be gone")] if lost else []


def plan_edit(proposal: Edit, context: Context) -> Plan:
    """Exact-match replacements; every `old` must occur exactly once."""
    before = context.folder.read(proposal.path)
    if before is None:
        return Plan(problems=(Problem("path", f"{proposal.path} does not exist: nothing to edit"),))
    try:
        text = before.decode("utf-8")
    except UnicodeDecodeError:
        return Plan(problems=(Problem("path", f"{proposal.path} is not UTF-8: it cannot be edited as text"),))
    problems = []
    for number, edit in enumerate(proposal.edits):
        replaced = _replace_once(text, edit)
        if isinstance(replaced, int):
            found = "does not occur" if not replaced else f"occurs {replaced} times"
            problems.append(
                Problem(f"edits[{number}].old", f"this text {found} in {proposal.path}: it must occur once")
            )
        else:
            text = replaced
    if problems:
        return Plan(problems=tuple(problems))
    after = text.encode("utf-8", "surrogatepass")
    if after == before:
        return Plan(problems=(Problem("edits", "the edits change nothing"),))
    return _onto(proposal.path, before, after, proposal.reason, context, _description_notice(proposal, after))


def _replace_once(text: str, edit: TextEdit) -> str | int:
    """The text with the edit made, or how often `old` occurs where that is not once."""
    old, new = edit.old, edit.new
    count = text.count(old)
    if not count and "\n" in old and "\r\n" in text and "\r" not in old:
        old, new = old.replace("\n", "\r\n"), new.replace("\r\n", "\n").replace("\n", "\r\n")
        count = text.count(old)
    elif count and "\n" in new and "\r" not in new and "\r\n" in text and "\n" not in old:
        new = new.replace("\n", "\r\n")
    if count != 1 or text.find(old, text.find(old) + 1) >= 0:
        return max(count, 2) if count else 0
    return text.replace(old, new)


def _description_notice(proposal: Edit, after: bytes) -> list[Notice]:
    """A notice where `description` still says words that an edit took out of the body."""
    description = frontmatter.read(after).fields.get("description")
    if not isinstance(description, str):
        return []
    said = {word.casefold() for word in _WORD.findall(description)}
    for edit in proposal.edits:
        gone = set(_WORD.findall(edit.old.casefold())) - set(_WORD.findall(edit.new.casefold()))
        still = sorted(gone & said)
        if still:
            return [Notice("description", f"the description still says “{still[0]}”: {description}")]
    return []


def plan_replace(proposal: Replace, context: Context) -> Plan:
    """The whole file as the agent would have written it."""
    before = context.folder.read(proposal.path)
    trouble = _new_path_problem(proposal.path, before, context)
    if trouble:
        return Plan(problems=(Problem("path", trouble),))
    after = proposal.text.encode("utf-8", "surrogatepass")
    found = frontmatter.read(after)
    notices = [Notice("yaml", f"its frontmatter does not parse: {found.problem}")] if found.problem else []
    if before is None:
        return _create(proposal, after, context, notices)
    return _onto(proposal.path, before, after, proposal.reason, context, notices)


def _create(proposal: Replace, after: bytes, context: Context, notices: list[Notice]) -> Plan:
    changes: list[Change] = [FileChange(proposal.path, None, after)]
    made = entry.read_entry(after)
    if made is not None:
        data = context.folder.read(INDEX)
        if index.read_index(data).get(proposal.path) is None:
            line = index.compose(
                data,
                title=made.title,
                filename=proposal.path,
                type=made.type,
                tags=made.tags,
                hook=first_sentence(made.body) or made.title,
                deprecated=made.status == "deprecated",
            )
            changes.append(LineChange(INDEX, proposal.path, None, line))
    return Plan(tuple(changes), tuple(notices), result={"path": proposal.path, "bytesWritten": len(after)})


def _onto(
    path: str, before: bytes, after: bytes, reason: str, context: Context, notices: list[Notice]
) -> Plan:
    """A text change onto an existing note; onto an entry the rules of update hold."""
    old = entry.read_entry(before)
    if old is None:
        return Plan((FileChange(path, before, after),), tuple(notices), result=_written(path, after))
    if after == before:
        return Plan(problems=(Problem("", f"this changes nothing in {path}"),))
    new = entry.read_entry(after)
    problem = _entry_problem(path, old, new, context)
    if problem or new is None:
        return Plan(problems=(problem or Problem("", f"{path} would no longer be an entry"),))
    after, notice = _dated(after, old, new, before, reason, context)
    changes: list[Change] = [FileChange(path, before, after)]
    line, index_notices = follow_index(
        context, path, title=new.title, type_=new.type, tags=new.tags, hook=None
    )
    changes.extend(line)
    return Plan(tuple(changes), (*notices, *notice, *index_notices), result=_written(path, after))


def _written(path: str, after: bytes) -> dict[str, Json]:
    return {"path": path, "bytesWritten": len(after)}


def _entry_problem(path: str, old: entry.Entry, new: entry.Entry | None, context: Context) -> Problem | None:
    if new is None:
        return Problem(
            "", f"this would break the frontmatter of the entry {path}: keep title, type and status"
        )
    for name in ("status", "created"):
        if getattr(old, name) != getattr(new, name):
            return Problem(name, f"`{name}` of {path} cannot be changed this way")
    if new.type not in (*entry.TYPES, *context.types) and new.type != old.type:
        return Problem("type", f"`{new.type}` is no entry type: use one of {', '.join(entry.TYPES)}")
    if new.confidence not in entry.CONFIDENCES and new.confidence != old.confidence:
        return Problem("confidence", f"`{new.confidence}` is no confidence: use high, medium or low")
    if new.log[: len(old.log)] != old.log:
        return Problem("", f"the earlier change log lines of {path} must stay as they are")
    return None


def _dated(
    after: bytes, old: entry.Entry, new: entry.Entry, before: bytes, reason: str, context: Context
) -> tuple[bytes, list[Notice]]:
    """The text with today's date and log lines, unless it brings today's line itself."""
    brought = new.log[len(old.log) :]
    if new.updated != context.today:
        after = frontmatter.edit(after, {"updated": context.today})
    fields = changed_fields(before, after)
    lines = critical_lines(old, new, reason)
    others = [name for name in fields if name not in ("type", "confidence", "updated")]
    if others or not lines:
        lines.insert(0, f"changed {', '.join(others) or 'wording'}: {reason}")
    if any(line.startswith(context.today) for line in brought):
        return after, [Notice("log", "it brings its own change log line")]
    for line in lines:
        after = entry.append_log(after, f"{context.today} — {line}")
    return after, []


def _new_path_problem(path: str, before: bytes | None, context: Context) -> str | None:
    """Why a note cannot be made or replaced at `path`, None where it can."""
    return naming.check_new_path(path, context.folder.names) if before is None else naming.check_path(path)
