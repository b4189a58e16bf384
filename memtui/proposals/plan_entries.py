"""Plans for typed entries: add, update, supersede (seed 004)."""

from __future__ import annotations

from memtui.notes import entry, frontmatter, index, naming
from memtui.notes.folder import FolderError, clip
from memtui.notes.index_line import read_line
from memtui.proposals import tagpick
from memtui.proposals.context import INDEX, NOTHING_LEFT, Context
from memtui.proposals.entry_rules import (
    because,
    changed_fields,
    critical_lines,
    enter_index,
    follow_index,
    link,
    outdated_description,
    same_path,
    successor_of,
    vocabulary_problems,
)
from memtui.proposals.model import Add, FileChange, LineChange, Notice, Plan, Problem, Supersede, Update

_KEPT = ("status", "created", "updated", "superseded_at", "superseded_by")
"""Fields that memtui keeps."""
_MOST_STEPS = 1_000
"""Links of a chain of successors that are followed."""


# --- add -----------------------------------------------------------------------------------------


def plan_add(proposal: Add, context: Context) -> Plan:
    """A new entry with its log line, its index line, and the tags that it needs."""
    if trouble := entry.check_body(proposal.body):
        return Plan(problems=(Problem("body", trouble),))
    picked = tagpick.pick(
        context.choices.tags if context.choices.tags is not None else proposal.tags,
        proposal.new_tags,
        context,
        text=(proposal.title, proposal.body, proposal.context),
    )
    if picked.problems:
        return Plan(problems=picked.problems)
    filename = _free_filename(proposal.title, context)
    data = entry.new_entry(
        title=proposal.title,
        tags=picked.tags,
        type=proposal.type,
        confidence=proposal.confidence,
        date=context.today,
        body=proposal.body,
        context=proposal.context,
    )
    new = entry.read_entry(data)
    if new is None:
        too_long = (
            "With this title and these tags the head of the entry is too long to be read again: shorten them."
        )
        return Plan(problems=(Problem("title", too_long),))
    if problems := vocabulary_problems(new, None, context):
        return Plan(problems=tuple(problems))
    line = enter_index(context, filename, new, proposal.hook)
    return Plan(
        changes=(FileChange(filename, None, data), line, *picked.changes),
        notices=picked.notices,
        wants=picked.wants,
        new_tags=picked.new_tags,
        suggested_tags=picked.suggested,
        result={"filename": filename},
    )


def _free_filename(title: str, context: Context) -> str:
    """The name of a new entry, which neither a file nor a line of the index has."""
    taken = {*context.folder.names("")}
    listed = index.read_index(context.folder.read(INDEX))
    while listed.get(name := naming.entry_filename(title, context.first_seen, taken)) is not None:
        taken.add(name)
    return name


# --- update --------------------------------------------------------------------------------------


def plan_update(proposal: Update, context: Context, resolved: str = "") -> Plan:
    """An entry edited; `resolved` is the line of a settled contradiction, kept in the log for itself."""
    filename = proposal.filename
    before = context.folder.read(filename)
    old = entry_at(filename, before)
    if isinstance(old, Problem) or before is None:
        return Plan(problems=(_as_problem(old),))
    if problems := _input_problems(proposal):
        return Plan(problems=tuple(problems))
    picked = _picked_tags(proposal, old, context)
    if picked.problems:
        return Plan(problems=picked.problems)
    wanted = _edited(before, proposal, old, picked.tags)
    after = context.kept(filename, before, wanted)
    new = entry.read_entry(after)
    if new is None:
        return Plan(
            problems=(
                Problem(
                    "fields",
                    f"{filename} would be no entry any more: keep its title, type, confidence and status.",
                ),
            )
        )
    if problems := vocabulary_problems(new, old, context, prefix="fields."):
        return Plan(problems=tuple(problems))
    if after != wanted and new.tags == old.tags:  # left out: nothing is picked then
        picked = tagpick.Picked(tags=old.tags)
    lines, notices = follow_index(context, filename, old, new, hook=proposal.hook)
    log = _update_log(proposal, old, new, changed_fields(before, after), _rehooked(lines))
    if not log:
        return Plan(problems=(NOTHING_LEFT if after != wanted else _idle(proposal, notices),))
    after = frontmatter.edit(after, {"updated": context.today})
    for line in (*log, *((resolved,) if resolved else ())):
        after = entry.append_log(after, f"{context.today} — {line}")
    return Plan(
        changes=(FileChange(filename, before, after), *lines, *picked.changes),
        notices=(*picked.notices, *notices, *outdated_description(before, after)),
        wants=picked.wants,
        new_tags=picked.new_tags,
        suggested_tags=picked.suggested,
        result={"filename": filename},
        wanted=wanted,
    )


def _input_problems(proposal: Update) -> list[Problem]:
    """What an update cannot be given, whatever the entry."""
    problems = [
        Problem(f"fields.{name}", f"`{name}` cannot be set by an update: leave it out.")
        for name in _KEPT
        if name in proposal.fields
    ]
    if proposal.body is not None and (trouble := entry.check_body(proposal.body)):
        problems.append(Problem("body", trouble))
    return problems


def _picked_tags(proposal: Update, old: entry.Entry, context: Context) -> tagpick.Picked:
    """Tags go through tag picking when they change, and only then."""
    asked = context.choices.tags
    if asked is None:
        given = proposal.fields.get("tags")
        asked = (given,) if isinstance(given, str) else given
    if asked is None or asked == old.tags:
        return tagpick.Picked(tags=old.tags)
    return tagpick.pick(
        asked, proposal.new_tags, context, text=(old.title, proposal.body or old.body, proposal.reason)
    )


def _edited(before: bytes, proposal: Update, old: entry.Entry, tags: tuple[str, ...]) -> bytes:
    """The note with the fields and the body that the proposal names; what says so already stays as it is."""
    wanted = {name: value for name, value in proposal.fields.items() if name != "tags"}
    if tags != old.tags:
        wanted["tags"] = tags
    present = frontmatter.read(before).fields
    edits = {name: value for name, value in wanted.items() if not _same(present.get(name), value)}
    after = frontmatter.edit(before, edits) if edits else before
    return after if proposal.body is None else entry.replace_body(after, proposal.body)


def _same(present: object, wanted: str | tuple[str, ...]) -> bool:
    if isinstance(wanted, tuple):
        return isinstance(present, list | tuple) and tuple(present) == wanted
    return present == wanted


def _rehooked(lines: list[LineChange]) -> bool:
    """Whether the hook of the index line changes."""
    for change in lines:
        sides = [read_line(side.text) for side in (change.before, change.after) if side]
        if len({line.hook for line in sides if line}) > 1:
            return True
    return False


def _update_log(
    proposal: Update, old: entry.Entry, new: entry.Entry, changed: list[str], rehooked: bool
) -> list[str]:
    """The log lines of an update, without their date; none where nothing changes."""
    critical = critical_lines(old, new, proposal.reason)
    others = [name for name in changed if name not in ("type", "confidence")]
    if rehooked and proposal.hook is not None:
        others.append("hook")
    if not others:
        return critical
    what = (proposal.change or "").strip() or f"changed {', '.join(others)}"
    return [because(what, proposal.reason), *critical]


def _idle(proposal: Update, notices: list[Notice]) -> Problem:
    if proposal.hook is not None and notices:
        return Problem("hook", f"The hook of {proposal.filename} cannot be changed: {notices[0].message}")
    return Problem("", f"This changes nothing in {proposal.filename}: say what shall be different.")


# --- supersede -----------------------------------------------------------------------------------


def plan_supersede(proposal: Supersede, context: Context, resolved: str = "") -> Plan:
    """An entry marked deprecated; events never are (seed 004)."""
    filename = proposal.filename
    before = context.folder.read(filename)
    old = entry_at(filename, before)
    if isinstance(old, Problem) or before is None:
        return Plan(problems=(_as_problem(old),))
    if problem := deprecation_problem(filename, old):
        return Plan(problems=(problem,))
    successor = proposal.successor
    if successor.startswith("ref:"):
        ref = successor.removeprefix("ref:")
        if ref not in context.refs:
            return Plan(
                problems=(Problem("successor", f"No sibling has the ref `{ref}`: name one that has."),)
            )
        successor = context.refs[ref]
    fields: dict[str, frontmatter.Value | None] = {"status": "deprecated", "superseded_at": context.today}
    log = because("marked deprecated", proposal.reason)
    if successor:
        following = _successor(successor, filename, context)
        if isinstance(following, Problem):
            return Plan(problems=(following,))
        fields["superseded_by"] = successor
        log += f"; see {link(title_of(following, successor), successor, filename)}"
    elif "superseded_by" in frontmatter.read(before).fields:
        fields["superseded_by"] = None  # a stale one, from before it was made active again
    fields["updated"] = context.today
    after = frontmatter.edit(before, fields)
    for line in (log, *((resolved,) if resolved else ())):
        after = entry.append_log(after, f"{context.today} — {line}")
    lines, notices = follow_index(context, filename, old, old, deprecated=True)
    return Plan(
        changes=(FileChange(filename, before, after), *lines),
        notices=tuple(notices),
        result={"filename": filename, "superseded_by": successor or None},
    )


def deprecation_problem(filename: str, old: entry.Entry) -> Problem | None:
    """Why an entry cannot be marked deprecated, None where it can."""
    if old.type.strip().casefold() == "event":
        return Problem(
            "filename",
            f"{filename} is an event, and events never deprecate, since they happened: "
            "add a new entry for what came after.",
        )
    if old.status.strip().casefold() == "deprecated":
        return Problem("filename", f"{filename} is deprecated already: leave it as it is.")
    return None


def _successor(successor: str, filename: str, context: Context) -> bytes | Problem:
    """The bytes of an entry's successor, or what is wrong with it."""
    if same_path(successor, filename):
        return Problem("successor", f"{filename} cannot be its own successor: name another entry.")
    try:
        following = context.folder.read(successor)
    except FolderError as error:
        return Problem("successor", str(error))
    if following is None:
        return Problem("successor", f"The successor {clip(successor)} does not exist: name one that does.")
    here, data, steps = successor, following, 0
    while (here := successor_of(data)) and steps < _MOST_STEPS:
        if same_path(here, filename):
            return Problem(
                "successor",
                f"{successor} is itself superseded by {filename}, directly or further on: name another entry.",
            )
        steps += 1
        try:
            data = context.folder.read(here) or b""
        except FolderError:  # what leads out of the folder leads not back to the entry
            break
    return following


# --- entries -------------------------------------------------------------------------------------


def title_of(data: bytes, path: str) -> str:
    """A note's title, else its path."""
    title = frontmatter.read(data).fields.get("title")
    return title if isinstance(title, str) and title.strip() else path


def entry_at(filename: str, data: bytes | None) -> entry.Entry | Problem:
    """The entry in these bytes, or why there is none."""
    if data is None:
        return Problem("filename", f"{clip(filename)} does not exist: name an entry that does.")
    found = frontmatter.read(data)
    if found.problem:
        return Problem(
            "filename",
            f"The frontmatter of {filename} cannot be read ({found.problem}): it must be mended by hand first.",
        )
    read = entry.read_entry(data)
    return read or Problem(
        "filename", f"{filename} is not a typed entry: propose a `write` or an `edit` instead."
    )


def _as_problem(found: entry.Entry | Problem) -> Problem:
    assert isinstance(found, Problem)
    return found
