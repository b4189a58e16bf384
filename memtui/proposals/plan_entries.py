"""Plans for typed entries: add, update, supersede, delete (seed 004)."""

from __future__ import annotations

from memtui.notes import entry, frontmatter, index, naming
from memtui.proposals import tagpick
from memtui.proposals.context import INDEX, Context
from memtui.proposals.entry_rules import changed_fields, critical_lines, first_sentence, follow_index, link
from memtui.proposals.model import (
    Add,
    Change,
    Delete,
    FileChange,
    LineChange,
    Notice,
    Plan,
    Problem,
    Supersede,
    Update,
)


def plan_add(proposal: Add, context: Context) -> Plan:
    """A new entry with its log line, its index line, and the tags that it needs."""
    if problem := _vocabulary_problem(proposal.type, proposal.confidence, context):
        return Plan(problems=(problem,))
    picked = tagpick.pick(
        context.choices.tags if context.choices.tags is not None else proposal.tags,
        proposal.new_tags,
        context,
        text=(proposal.title, proposal.body, proposal.context),
    )
    if picked.problems:
        return Plan(problems=picked.problems)
    filename = naming.entry_filename(proposal.title, context.first_seen, context.folder.names(""))
    data = entry.new_entry(
        title=proposal.title,
        tags=picked.tags,
        type=proposal.type,
        confidence=proposal.confidence,
        date=context.today,
        body=proposal.body,
        context=proposal.context,
    )
    line = index.compose(
        context.folder.read(INDEX),
        title=proposal.title,
        filename=filename,
        type=proposal.type,
        tags=picked.tags,
        hook=proposal.hook or first_sentence(proposal.body) or proposal.title,
        deprecated=False,
    )
    changes: list[Change] = [FileChange(filename, None, data), LineChange(INDEX, filename, None, line)]
    return Plan(
        changes=(*changes, *picked.changes),
        notices=picked.notices,
        wants=picked.wants,
        new_tags=picked.new_tags,
        suggested_tags=picked.suggested,
        result={"filename": filename},
    )


def plan_update(proposal: Update, context: Context, resolved: str = "") -> Plan:
    """An entry edited; `resolved` is the line of a settled contradiction, kept in the log for itself."""
    before = context.folder.read(proposal.filename)
    old = _entry(proposal.filename, before)
    if isinstance(old, Problem) or before is None:
        return Plan(problems=(_as_problem(old),))
    wanted = dict(proposal.fields)
    type_, confidence = str(wanted.get("type", old.type)), str(wanted.get("confidence", old.confidence))
    if problem := _vocabulary_problem(
        type_ if type_ != old.type else entry.TYPES[0],
        confidence if confidence != old.confidence else entry.CONFIDENCES[0],
        context,
        prefix="fields.",
    ):
        return Plan(problems=(problem,))
    picked = _picked_tags(proposal, old, context)
    if picked.problems:
        return Plan(problems=picked.problems)
    if picked.tags != old.tags or "tags" in wanted:
        wanted["tags"] = picked.tags
    present = frontmatter.read(before).fields
    edits = {name: value for name, value in wanted.items() if not _same(present.get(name), value)}
    after = frontmatter.edit(before, edits) if edits else before
    if proposal.body is not None and _plain(proposal.body) != _plain(old.body):
        after = entry.replace_body(after, proposal.body)
    new = entry.read_entry(after)
    if new is None:
        return Plan(problems=(Problem("fields", f"{proposal.filename} would no longer be an entry"),))
    lines, notices = follow_index(
        context, proposal.filename, title=new.title, type_=new.type, tags=new.tags, hook=proposal.hook
    )
    log = _update_log(proposal, old, new, changed_fields(before, after), bool(lines))
    if not log:
        return Plan(problems=(Problem("", f"this changes nothing in {proposal.filename}"),))
    after = frontmatter.edit(after, {"updated": context.today})
    for line in (*log, *((resolved,) if resolved else ())):
        after = entry.append_log(after, f"{context.today} — {line}")
    return Plan(
        changes=(FileChange(proposal.filename, before, after), *lines, *picked.changes),
        notices=(*picked.notices, *notices),
        wants=picked.wants,
        new_tags=picked.new_tags,
        suggested_tags=picked.suggested,
        result={"filename": proposal.filename},
    )


def _picked_tags(proposal: Update, old: entry.Entry, context: Context) -> tagpick.Picked:
    """Tags go through tag picking when they change, and only then."""
    asked = context.choices.tags
    if asked is None:
        given = proposal.fields.get("tags")
        asked = given if isinstance(given, tuple) else None
    if asked is None or asked == old.tags:
        return tagpick.Picked(tags=old.tags)
    return tagpick.pick(
        asked, proposal.new_tags, context, text=(old.title, proposal.body or old.body, proposal.reason)
    )


def _update_log(
    proposal: Update, old: entry.Entry, new: entry.Entry, changed: list[str], index_changes: bool
) -> list[str]:
    """The log lines of an update, without their date; none where nothing changes."""
    critical = critical_lines(old, new, proposal.reason)
    others = [name for name in changed if name not in ("type", "confidence")]
    if not others and not critical and index_changes:
        others = ["hook"]
    if not others:
        return critical
    return [f"{proposal.change or 'changed ' + ', '.join(others)}: {proposal.reason}", *critical]


def plan_supersede(proposal: Supersede, context: Context, resolved: str = "") -> Plan:
    """An entry marked deprecated; events never are (seed 004)."""
    before = context.folder.read(proposal.filename)
    old = _entry(proposal.filename, before)
    if isinstance(old, Problem) or before is None:
        return Plan(problems=(_as_problem(old),))
    if old.type == "event":
        return Plan(
            problems=(
                Problem(
                    "filename",
                    f"{proposal.filename} is an event, and events never deprecate: they happened; "
                    "add a new entry for what came after",
                ),
            )
        )
    if old.status == "deprecated":
        return Plan(problems=(Problem("filename", f"{proposal.filename} is deprecated already"),))
    wants: tuple[str, ...] = ()
    successor = proposal.successor
    if successor.startswith("ref:"):
        known = context.refs.get(successor[4:])
        if known is None:
            return Plan(problems=(Problem("successor", f"no sibling is named {successor[4:]!r}"),))
        successor = known
    log = f"marked deprecated: {proposal.reason}"
    fields: dict[str, frontmatter.Value | None] = {"status": "deprecated", "superseded_at": context.today}
    if successor:
        if successor == proposal.filename:
            return Plan(problems=(Problem("successor", "an entry cannot be its own successor"),))
        next_note = context.folder.read(successor)
        if next_note is None:
            return Plan(problems=(Problem("successor", f"{successor} does not exist"),))
        fields["superseded_by"] = successor
        log += f"; see {link(title_of(next_note, successor), successor)}"
    fields["updated"] = context.today
    after = frontmatter.edit(before, fields)
    for line in (log, *((resolved,) if resolved else ())):
        after = entry.append_log(after, f"{context.today} — {line}")
    lines, notices = follow_index(
        context,
        proposal.filename,
        title=old.title,
        type_=old.type,
        tags=old.tags,
        hook=None,
        deprecated=True,
    )
    return Plan(
        changes=(FileChange(proposal.filename, before, after), *lines),
        notices=tuple(notices),
        wants=wants,
        result={"filename": proposal.filename, "superseded_by": successor or None},
    )


def plan_delete(proposal: Delete, context: Context) -> Plan:
    """Any note removed, its index line, and every `superseded_by` that pointed to it."""
    if not proposal.user_command.strip():
        return Plan(problems=(Problem("user_command", "a delete must quote the person's own words"),))
    before = context.folder.read(proposal.filename)
    if before is None:
        return Plan(problems=(Problem("filename", f"{proposal.filename} does not exist"),))
    changes: list[Change] = [FileChange(proposal.filename, before, None)]
    notices: list[Notice] = []
    found = index.read_index(context.folder.read(INDEX))
    line = found.get(proposal.filename)
    if proposal.filename in found.duplicates:
        notices.append(Notice("index", f"index.md has two lines for {proposal.filename}: both stay"))
    elif line is not None:
        changes.append(LineChange(INDEX, proposal.filename, line.line, None))
    for path, data in superseded_by(proposal.filename, context):
        try:
            after = frontmatter.edit(data, {"superseded_by": None})
        except frontmatter.EditRefused as refusal:
            notices.append(Notice("link", f"{path} still names it as successor: {refusal}"))
            continue
        after = entry.append_log(after, f"{context.today} — successor deleted {context.today}")
        changes.append(FileChange(path, data, after))
    return Plan(tuple(changes), tuple(notices), result={"filename": proposal.filename})


def superseded_by(filename: str, context: Context) -> list[tuple[str, bytes]]:
    """Every note whose `superseded_by` names `filename`, with its bytes."""
    found = []
    for note in context.folder.notes():
        if note.path == filename or b"superseded_by" not in context.folder.head(note.path):
            continue
        data = context.folder.read(note.path)
        if data is not None and frontmatter.read(data).fields.get("superseded_by") == filename:
            found.append((note.path, data))
    return found


def title_of(data: bytes, path: str) -> str:
    """A note's title, else its path."""
    title = frontmatter.read(data).fields.get("title")
    return title if isinstance(title, str) and title.strip() else path


def _entry(filename: str, data: bytes | None) -> entry.Entry | Problem:
    if data is None:
        return Problem("filename", f"{filename} does not exist")
    found = frontmatter.read(data)
    if found.problem:
        return Problem("filename", f"the frontmatter of {filename} cannot be read: {found.problem}")
    read = entry.read_entry(data)
    return read or Problem("filename", f"{filename} is no typed entry: propose a write or an edit instead")


def _as_problem(found: entry.Entry | Problem) -> Problem:
    assert isinstance(found, Problem)
    return found


def _plain(body: str) -> str:
    """A body for comparing: LF endings, no blank lines around it."""
    return body.replace("\r\n", "\n").strip("\n")


def _same(present: object, wanted: str | tuple[str, ...]) -> bool:
    if isinstance(wanted, tuple):
        return isinstance(present, list | tuple) and tuple(present) == wanted
    return present == wanted


def _vocabulary_problem(type_: str, confidence: str, context: Context, prefix: str = "") -> Problem | None:
    known = (*entry.TYPES, *context.types)
    if type_ not in known:
        return Problem(f"{prefix}type", f"`{type_}` is no entry type: use one of {', '.join(known)}")
    if confidence not in entry.CONFIDENCES:
        return Problem(f"{prefix}confidence", f"`{confidence}` is no confidence: use high, medium or low")
    return None
