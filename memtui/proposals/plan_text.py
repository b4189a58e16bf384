"""Plans for text changes: edit (exact-match replacements) and replace (the whole file)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memtui.notes import entry, frontmatter, index, markdown
from memtui.notes.folder import clip
from memtui.proposals import tagpick
from memtui.proposals.context import INDEX, NOTHING_LEFT, Context
from memtui.proposals.entry_rules import (
    because,
    changed_fields,
    critical_lines,
    critical_names,
    enter_index,
    follow_index,
    outdated_description,
    vocabulary_problems,
)
from memtui.proposals.model import (
    Change,
    Edit,
    FileChange,
    Json,
    Notice,
    Plan,
    Problem,
    Replace,
    TextEdit,
)
from memtui.proposals.notices import listed
from memtui.proposals.plan_notes import path_problem

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def plan_edit(proposal: Edit, context: Context) -> Plan:
    """Exact-match replacements; every `old` must occur exactly once."""
    path = proposal.path
    before = context.folder.read(path)
    if before is None:
        return Plan(problems=(Problem("path", f"{clip(path)} does not exist: there is nothing to edit."),))
    try:
        text = before.decode("utf-8")
    except UnicodeDecodeError as error:
        return Plan(
            problems=(
                Problem("path", f"{path} is not UTF-8 (at byte {error.start}): it cannot be edited as text."),
            )
        )
    problems = []
    seen = context.seen(text)
    covered = seen != text
    for number, edit in enumerate(proposal.edits):
        found = _find_once(seen, edit.old)
        if isinstance(found, int):
            problems.append(Problem(f"edits[{number}].old", _not_once(path, found, covered)))
        else:
            new = _new_text(text, edit, *found)
            text, seen = (each[: found[0]] + new + each[found[1] :] for each in (text, seen))
    if problems:
        return Plan(problems=tuple(problems))
    after = text.encode("utf-8", "surrogatepass")
    if after == before:
        return Plan(problems=(Problem("edits", f"The edits change nothing in {path}: leave them out."),))
    exchanged = [(edit.old, edit.new) for edit in proposal.edits]
    notices = outdated_description(before, after, exchanged)
    return _onto(path, before, after, proposal.reason, context, notices)


def _find_once(text: str, old: str) -> tuple[int, int] | int:
    """Where `old` stands, start and end, or how often it occurs where that is not once.

    A text with LF endings is found in a file with CRLF or CR ones, too.
    """
    count = _occurrences(text, old)
    if not count and "\n" in old and "\r" not in old:
        old = old.replace("\n", "\r" if _has_lone_returns(text) else "\r\n")
        count = _occurrences(text, old)
    at = text.find(old)
    return (at, at + len(old)) if count == 1 else count


def _new_text(text: str, edit: TextEdit, start: int, end: int) -> str:
    """What an edit puts there, with the line endings of the place."""
    if "\r" in edit.old + edit.new:
        return edit.new
    return edit.new.replace("\n", "\r" if _has_lone_returns(text) else _ending(text, start, end))


def _has_lone_returns(text: str) -> bool:
    return "\r" in text and "\n" not in text


def _occurrences(text: str, old: str) -> int:
    """How often `old` stands in `text`; places that overlap count each (up to 2)."""
    first = text.find(old) if old else -1
    if first < 0:
        return 0
    return max(text.count(old), 2) if text.find(old, first + 1) >= 0 else 1


def _ending(text: str, start: int, end: int) -> str:
    """The line ending in use where a piece of text stands: inside of it, else at the line's end, else before."""
    found = re.compile(r"\r\n|\n").search(text, start)
    return found[0] if found else markdown.newline(text, end)


def _not_once(path: str, count: int, covered: bool) -> str:
    """`covered`: what the agent cannot see of the note was not looked in, and what is said tells nothing of it."""
    if covered and not count:
        return (
            f"This text does not occur in {path} outside of the secrets in it, which you cannot edit: read the note "
            "again and quote what is around them."
        )
    if count:
        return f"This text occurs {count} times in {path}: quote more around it, so that it occurs once."
    return f"This text does not occur in {path}: read the note again and quote it exactly."


# --- replace -------------------------------------------------------------------------------------


def plan_replace(proposal: Replace, context: Context) -> Plan:
    """The whole file as the agent would have written it."""
    path = proposal.path
    before = context.folder.read(path)
    if trouble := path_problem(path, before, context):
        return Plan(problems=(Problem("path", trouble),))
    after = proposal.text.encode("utf-8", "surrogatepass")
    if before is not None:
        return _onto(path, before, after, proposal.reason, context, outdated_description(before, after))
    return _as_note(path, None, after, context, [])


# --- both ----------------------------------------------------------------------------------------


def _onto(
    path: str, before: bytes, after: bytes, reason: str, context: Context, notices: list[Notice]
) -> Plan:
    """A text change onto an existing note; onto an entry the rules of update hold."""
    old = entry.read_entry(before)
    wanted, after = after, context.kept(path, before, after)
    if old is None:
        return replace(_as_note(path, before, after, context, notices), wanted=wanted)
    if after == before != wanted:
        return Plan(problems=(NOTHING_LEFT,))
    if after == before:
        return Plan(problems=(Problem("", f"This changes nothing in {path}: say what shall be different."),))
    new = entry.read_entry(after)
    if new is None:
        return Plan(problems=(_no_entry(path, after),))
    if problems := _update_problems(path, old, new, context) + _log_problems(path, before, after):
        return Plan(problems=tuple(problems))
    picked = _picked(new, old, context)
    if picked.problems:
        return Plan(problems=picked.problems)
    if picked.tags != new.tags:
        after = frontmatter.edit(after, {"tags": picked.tags})
        new = replace(new, tags=picked.tags)
    after, log_notices = _dated(after, old, new, before, reason, context)
    lines, index_notices = follow_index(context, path, old, new)
    changes: list[Change] = [FileChange(path, before, after), *lines]
    made = _planned(path, changes, after, picked, (*notices, *log_notices, *index_notices))
    return replace(made, wanted=wanted)


def _as_note(path: str, before: bytes | None, after: bytes, context: Context, notices: list[Notice]) -> Plan:
    """A note with these very bytes; one that becomes an entry so gains an index line."""
    found = frontmatter.read(after)
    if found.problem and (before is None or not frontmatter.read(before).problem):
        notices = [
            *notices,
            Notice("yaml", f"The frontmatter of {path} will not be readable: {found.problem}."),
        ]
    known = frontmatter.twice(before or b"")
    if again := [f"`{key[:80]}`" for key in frontmatter.twice(after) if key not in known]:
        what = f"the key {again[0]}" if len(again) == 1 else f"the keys {listed(again)}"
        notices = [
            *notices,
            Notice("yaml", f"The frontmatter of {path} has {what} twice: only the last counts."),
        ]
    changes: list[Change] = [FileChange(path, before, after)]
    new = entry.read_entry(after)
    if new is None or after == before:
        return Plan(tuple(changes), tuple(notices), result=_written(path, after))
    if problems := vocabulary_problems(new, None, context):
        return Plan(problems=tuple(problems))
    picked = tagpick.admit(new.tags, (), context)
    if not tagpick.LEAST <= len(new.tags) <= tagpick.MOST:
        count = f"{len(new.tags)} tag{'' if len(new.tags) == 1 else 's'}"
        notices = [*notices, Notice("tag", f"{path} has {count}: an entry has 2 to 5.")]
    if index.read_index(context.folder.read(INDEX)).get(path) is None:
        changes.append(enter_index(context, path, new))
    else:
        lines, index_notices = follow_index(context, path, _on_the_line(path, new, context), new)
        changes.extend(lines)
        notices = [*notices, *index_notices]
    return _planned(path, changes, after, picked, notices)


def _on_the_line(path: str, new: entry.Entry, context: Context) -> entry.Entry:
    """The entry as its index line says that it is, so that what differs there follows."""
    line = index.read_index(context.folder.read(INDEX)).get(path)
    return (
        new
        if line is None
        else replace(new, title=line.title, type=line.type, tags=line.tags_beside(new.tags))
    )


def _no_entry(path: str, after: bytes) -> Problem:
    found = frontmatter.read(after)
    if found.problem:
        return Problem(
            "", f"The frontmatter of the entry {path} would break ({found.problem}): correct the text."
        )
    return Problem("", f"{path} would be no entry any more: keep its title, type, confidence and status.")


def _update_problems(path: str, old: entry.Entry, new: entry.Entry, context: Context) -> list[Problem]:
    """What an update may not change (SPEC.md section 3); the person may mend what is no value at all."""
    problems = []
    kept = ["status", "created"] if context.own else ["status", "created", "superseded_at", "superseded_by"]
    for name in kept:
        was = getattr(old, name)
        mends = context.own and not (was in entry.STATUSES if name == "status" else _DATE.fullmatch(was))
        if was != getattr(new, name) and not mends:
            way = "propose a `supersede`" if name == "status" else "leave it as it is"
            problems.append(Problem(name, f"`{name}` of {path} cannot be changed by an edit: {way}."))
    problems += vocabulary_problems(new, old, context)
    return problems


def _log_problems(path: str, before: bytes, after: bytes) -> list[Problem]:
    """What of the change log a text may not change: what stands there, and that a line can be added."""
    if trouble := entry.log_trouble(after):
        return [Problem("", f"With this change {trouble[:1].lower()}{trouble[1:]}")]
    if entry.has_log(before) and not entry.has_log(after):
        return [
            Problem(
                "",
                f"The heading `{entry.LOG_HEADING}` of {path} would be gone, or hidden in a code fence or a "
                "comment: keep the change log as it is.",
            )
        ]
    if not entry.keeps_log(before, after):
        return [Problem("", f"The earlier change log lines of {path} must stay as they are: put them back.")]
    return []


def _dated(
    after: bytes, old: entry.Entry, new: entry.Entry, before: bytes, reason: str, context: Context
) -> tuple[bytes, list[Notice]]:
    """The text with today's date and log lines, unless it brings today's line itself."""
    if new.updated != context.today:
        after = frontmatter.edit(after, {"updated": context.today})
    brought = [line for line in new.log[len(old.log) :] if line.startswith(context.today)]
    if brought:
        missing = [
            line
            for name, line in zip(critical_names(old, new), critical_lines(old, new, reason), strict=True)
            if not any(f"{name} changed from" in told for told in brought)
        ]
        for line in missing:
            after = entry.append_log(after, f"{context.today} — {line}")
        more = "only what must have a line of its own is added" if missing else "no other one is added"
        return after, [Notice("log", f"The text brings today's change log line itself: {more}.")]
    own = ("type", "confidence", "updated")
    others = [name for name in changed_fields(before, after) if name not in own]
    lines = critical_lines(old, new, reason)
    if others or not lines:
        lines.insert(0, because(f"changed {', '.join(others) or 'wording'}", reason))
    for line in lines:
        after = entry.append_log(after, f"{context.today} — {line}")
    return after, []


def _picked(new: entry.Entry, old: entry.Entry, context: Context) -> tagpick.Picked:
    """Tags go through tag picking when they change, and only then."""
    asked = new.tags if context.choices.tags is None else context.choices.tags
    if asked == old.tags:
        return tagpick.Picked(tags=asked)
    return tagpick.pick(asked, (), context, text=(new.title, new.body, ""))


def _planned(
    path: str, changes: Sequence[Change], after: bytes, picked: tagpick.Picked, notices: Sequence[Notice]
) -> Plan:
    return Plan(
        changes=(*changes, *picked.changes),
        notices=(*picked.notices, *notices),
        wants=picked.wants,
        new_tags=picked.new_tags,
        suggested_tags=picked.suggested,
        result=_written(path, after),
    )


def _written(path: str, after: bytes) -> dict[str, Json]:
    return {"path": path, "bytesWritten": len(after)}
