"""The words around a diff: what a proposal is, who sent it and why above it, what else it touches below it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memtui.proposals.model import Contradiction, Delete, NewTag, Notice, Rename, Supersede
from memtui.review.blocked import hit_words
from memtui.review.items import CatalogEffect, Item, Preview, Refusal
from memtui.safe_text import alarms
from memtui.tui.outside import safe, safe_name, safe_part, safe_unlike, width
from memtui.tui.paint import Line, Span, line_width, spread, wrap
from memtui.tui.words import ago, meter, origin, plural, thousands

if TYPE_CHECKING:
    from memtui.review.background import Background, Likeness, Rejection

_GLUE = "\xa0"
_QUIET = "rest unchanged: "
_READS = "agent reads "
LABEL = 15
"""Cells of the label column of the facts under the diff."""


@dataclass(frozen=True, slots=True)
class Around:
    """What the lines need beside the preview itself."""

    cells: int
    now: float
    """Unix seconds."""
    position: tuple[int, int] = (0, 0)
    narrow: bool = False
    stale: str = ""
    """Why the item must be looked at again ("changed on disk 09:41"), "" for nothing."""
    choice: str = ""
    """The choice of a contradiction that is shown."""
    new_tags: bool = False
    """The new tags are part of the diff: `a` is a yes to them too."""
    tags: tuple[str, ...] = field(default=())
    """Tags that the person picked."""
    draft: bool = False
    """A draft of the person's waits for it."""
    background: Background | None = None
    """What came before."""
    alike: tuple[Likeness, ...] | None = None
    looking: bool = False
    """What is like it is being looked for."""
    catalog: CatalogEffect | None = None
    """What the agent will read, where the preview does not say."""
    short: bool = False
    """Narrow and few rows: what can be said once is."""
    left_out: str = ""
    """The changes that the person left out, in words."""
    focused: bool = True
    """The preview has the focus."""
    own: bool = False
    """A change of the person's own, who need not be told when they made it."""


def header_lines(preview: Preview, around: Around) -> list[Line]:
    """Everything above the diff, wrapped to the width; nothing from outside is cut."""
    lines = _title(preview, around)
    if not (around.short and around.stale):  # seen before it changed, and to be seen again
        sender = () if around.own else wrap_parts(_sender(preview.item, around), around.cells)
        lines += [((row, "muted"),) for row in sender]
        lines += _reasons(preview, around)
    if around.stale:
        lines.append(
            (("≠ ", "accent"), (around.stale, "bold"), (" · ", "muted"), ("enter", "bold"), (": seen", ""))
        )
    lines += _wants(preview, around)
    problems = (*preview.plan.problems, *preview.item.problems)
    for message in dict.fromkeys(problem.message for problem in problems):
        lines += flagged("!!", "alarm", message, around.cells)
    for notice in _notices(preview):
        flag, role = ("!!", "alarm") if notice.alarm else ("!", "chip")
        lines += flagged(flag, role, _where_seen(notice, preview), around.cells)
    if not (around.narrow or around.stale):
        lines.append(())
    return lines


def _notices(preview: Preview) -> list[Notice]:
    """Those of the plan and of the item, alarms first, each once."""
    seen: dict[str, Notice] = {}
    for notice in (*preview.plan.notices, *preview.item.notices):
        seen.setdefault(notice.message, notice)
    return sorted(seen.values(), key=lambda n: not n.alarm)


def _where_seen(notice: Notice, preview: Preview) -> str:
    """The message; of hidden characters that the diff does not show, where they can be seen."""
    if notice.kind != "hidden":
        return notice.message
    changed = (row for diff in preview.diffs for row in diff.rows if row.kind != " ")
    # What is harmless at the beginning of a file is none inside of it.
    shown = any(alarms(f"-{row.text}") or row.ending == "cr" for row in changed)
    if shown or any(alarms(diff.path) for diff in preview.diffs):
        return notice.message
    return f"{notice.message.partition(': look')[0]}: not in the diff, i shows them."


def _title(preview: Preview, around: Around) -> list[Line]:
    item = preview.item
    name = item.proposal.operation.replace("memory_write", "write")
    place, count = around.position
    right: Line = ((f"{place}/{count}", "muted"),) if place and not around.narrow else ()
    if around.own:
        right = (("you", "muted"),)
    if names_file(preview, around.short):
        diff = preview.diffs[0]
        right = ((f"+{diff.added}", "add"), (f" -{diff.removed}", "remove"))
    if around.draft:
        right = (("draft", "accent"), *(((" · ", "muted"), *right) if right else ()))
    head: Line = ((sign_span(item.sign)), (f" {name}  ", "bold"))
    indent = 2 if around.narrow else 4 + len(name)
    text = safe(item.headline)
    rows = wrap(text, max(8, around.cells - (4 + len(name)) - (line_width(right) + 3 if right else 0)))
    role = "title" if around.focused else "bold"
    lines: list[Line] = [spread((*head, (rows[0], role)), right, around.cells)]
    lines += [((" " * indent, ""), (row, role)) for row in rows[1:]]
    if (
        item.target
        and item.headline != item.target
        and isinstance(item.proposal, Supersede | Delete | Contradiction)
        and item.target not in {diff.path for diff in preview.diffs}
    ):
        lines += _wrapped(safe_name(item.target), "muted", around.cells)
    return lines


def names_file(preview: Preview, short: bool) -> bool:
    """Whether the title says already which file is changed, so that the diff need not where room is short."""
    return (
        short
        and bool(preview.diffs)
        and preview.diffs[0].change == "modified"
        and preview.diffs[0].path == preview.item.headline
    )


def sign_span(sign: str) -> Span:
    """The sign of an operation in its colour."""
    roles = {"+": "add", "-": "remove", "×": "remove", "?": "accent"}
    return (sign, f"{roles.get(sign, 'bold')} bold".strip())


def _sender(item: Item, around: Around) -> list[str]:
    proposal = item.proposal
    age = ago(max(0.0, around.now - item.first_seen))
    session = "" if around.narrow else proposal.session
    came_in = f"spool {item.spool}" if item.spool else ""
    parts = [came_in, proposal.agent or "no agent named", session, *origin(proposal), age]
    if item.edited:
        parts.append("edited by you")
    if item.state == "stale":
        parts.append("the agent read an older version")
    return [safe_part(part) for part in parts if part]


def _reasons(preview: Preview, around: Around) -> list[Line]:
    proposal = preview.item.proposal
    lines: list[Line] = []
    if proposal.reason:
        lines += _labelled("why", f'"{safe(proposal.reason)}"', around.cells, 5)
    if isinstance(proposal, Delete):
        lines += _labelled("you said", f'"{safe(proposal.user_command)}"', around.cells, 10)
    if isinstance(proposal, Contradiction):
        if not around.short and (old := _statement(preview)):
            lines += _labelled("old", f'"{safe(old)}"', around.cells, 5)
        lines += _labelled("new", f'"{safe(proposal.statement)}"', around.cells, 5)
    if isinstance(proposal, Rename):
        lines += _labelled("to", safe_unlike(proposal.new_path, proposal.path), around.cells, 5)
    if isinstance(proposal, Supersede) and proposal.successor:
        lines += _labelled("now", safe(proposal.successor), around.cells, 5)
    if around.background is not None and around.background.rejected is not None:
        text = rejected_text(around.background.rejected, proposal.agent)
        lines += _labelled("before", text, around.cells, 8)
    if around.left_out:
        lines += _labelled("left out", safe(around.left_out), around.cells, 10)
    return lines


def _statement(preview: Preview) -> str:
    """What the note of a contradiction says so far: the first line of its text, "" where no plan touches it."""
    from memtui.notes.catalog import read_head
    from memtui.notes.summary import clip_summary

    for path, before in ((was or path, before) for path, was, before, _ in preview.files):
        if before is not None and path == preview.item.target:
            return clip_summary(read_head(path, before[:8192], 0.0).first_line)
    return ""


def rejected_text(before: Rejection, agent: str) -> str:
    """`rejected 2026-11-20: wrong`; of another agent's, or another proposal about the note, that too."""
    when = time.strftime("%Y-%m-%d", time.localtime(before.at))
    what = "rejected" if before.same else "another change of this note rejected"
    whose = f", of {safe(before.agent)}" if before.agent and before.agent != agent else ""
    return f"{what} {when}{whose}: {safe(before.reason) or 'no reason given'}"


def _wants(preview: Preview, around: Around) -> list[Line]:
    plan = preview.plan
    lines: list[Line] = []
    if plan.choices:
        spans: list[Span] = [("choice  ", "muted")]
        for choice in plan.choices:
            chosen = choice == around.choice
            spans.append((f"[{choice}]" if chosen else f" {choice} ", "title bold" if chosen else "muted"))
        lines.append((*spans, ("  v", "bold"), (" next", "muted")))
    for tag in plan.new_tags:
        lines += flagged("#", "accent", new_tag_text(tag, around.new_tags), around.cells)
    if "tags" in plan.wants:
        text = "tags are wanted (2 to 5 that the dictionary has): press a to pick"
        lines += flagged("#", "accent", text, around.cells)
    elif around.tags:
        lines += _labelled("tags", "  ".join(safe(t) for t in around.tags), around.cells, 6)
    return lines


def new_tag_text(tag: NewTag, shown: bool) -> str:
    """`adds tag #music under #art: playing and listening`, as it came: not yet safe."""
    text = f"{'adds' if shown else 'wants'} tag #{tag.tag}"
    if tag.parent:
        text += f" under #{tag.parent}"
    if tag.description:
        text += f": {tag.description}"
    if tag.not_to_be_confused_with:
        text += f" (not {', '.join('#' + t for t in tag.not_to_be_confused_with)})"
    if tag.because:
        text += f" — {tag.because}"
    return text


# --- under the diff --------------------------------------------------------------------------------


def footer_lines(preview: Preview, around: Around) -> list[Line]:
    """What else it touches: index and tags, what the agent will read, the note's history."""
    paths = {diff.path for diff in preview.diffs}
    still = [name for name, path in (("index", "index.md"), ("tags", "tags.md")) if path not in paths]
    catalog = preview.catalog or around.catalog
    quiet = catalog is not None and catalog_text(catalog) == "unchanged"
    reads = "" if catalog is None or quiet else catalog_text(catalog, renamed=_is_rename(preview))
    lines: list[Line] = []
    history = history_text(around.background) if around.background is not None else ""
    if around.narrow:
        if reads and catalog is not None and catalog.pushed_out:
            lines += _labelled("agent reads", reads, around.cells, 12)
            reads = ""
        if around.alike:
            lines += _labelled("alike", alike_text(around.alike), around.cells, 12)
        if history:
            lines += _labelled("history", history, around.cells, 12)
        if reads:
            lines.append(((_READS + reads, "muted"),))
        names = [*still, "catalog"] if quiet else still
        return [*lines, ((_QUIET + ", ".join(names), "muted"),)] if names else lines
    lines.append(())
    if still:
        lines.append(((", ".join(still).ljust(LABEL), "muted"), ("unchanged", "")))
    if catalog is None and around.looking and preview.plan.changes:
        lines.append((("agent reads".ljust(LABEL), "muted"),))
    elif catalog is not None:
        lines += _labelled("agent reads", reads or "unchanged", around.cells, LABEL)
    if around.looking:
        lines.append((("alike".ljust(LABEL), "muted"),))
    elif around.alike is not None:
        lines += _labelled("alike", alike_text(around.alike), around.cells, LABEL)
    if history:
        lines += _labelled("history", history, around.cells, LABEL)
    return lines


def idle_lines(footer: Sequence[Line]) -> int:
    """How many lines at the end of a footer tell of no change: that nothing else does, or what came before."""
    count = 0
    while count < len(footer) and _is_idle(footer[-1 - count]):
        count += 1
    return count


def _is_idle(line: Line) -> bool:
    if len(line) < 2:
        text = line[0][0] if line else _QUIET
        known = text.strip() != _READS.strip()  # else it is a label that waits for its words
        return known and text.startswith((_QUIET, _READS))
    return line[0][0].strip() == "history" or line[1][0] in ("unchanged", "none")


def _is_rename(preview: Preview) -> bool:
    return isinstance(preview.item.proposal, Rename)


def catalog_text(catalog: CatalogEffect, *, renamed: bool = False) -> str:
    """`1.8 → 2.3 of 2.0K; 6 notes drop out: work/tools.md, …`; a renamed note's line takes the old one's place."""
    if not (catalog.added or catalog.changed or catalog.pushed_out) and catalog.before == catalog.after:
        return "unchanged"
    if thousands(catalog.before) == thousands(catalog.after):
        text = f"{meter(catalog.after, catalog.budget)}"
    else:
        text = f"{thousands(catalog.before)} → {thousands(catalog.after)} of {thousands(catalog.budget)}K"
    if catalog.added:
        text += f"; {plural(len(catalog.added), 'line')} {'replaced' if renamed else 'more'}"
    if catalog.changed:
        text += f"; {plural(len(catalog.changed), 'line')} changed"
    if catalog.pushed_out:
        count = len(catalog.pushed_out)
        names = ", ".join(safe(p) for p in catalog.pushed_out[:6]) + (", …" if count > 6 else "")
        text += f"; {plural(count, 'note drops', 'notes drop')} out: {names}"
    return text


def alike_text(alike: tuple[Likeness, ...] | None) -> str:
    """`91% like health/sleep.md`, `none`."""
    if not alike:
        return "none"
    return ", ".join(f"{like.score}% like {safe(like.name)}{' (waiting)' * like.pending}" for like in alike)


def history_text(background: Background) -> str:
    """`2 changes, last 2024-04-22`, "" for none."""
    if not background.changes:
        return ""
    last = f", last {safe(background.last)}" if background.last else ""
    return f"{plural(background.changes, 'change')}{last}"


def wrap_parts(parts: Sequence[str], cells: int) -> list[str]:
    """Parts with `·` between, broken between parts where that can be.

    Further rows are indented: what a part holds never stands where a line of the app's begins.
    """
    joined = " · ".join(part.replace(" ", _GLUE) for part in parts)
    rows = wrap(joined, max(8, cells))
    if len(rows) > 1:
        rows = wrap(joined, max(8, cells - 2))
    return [f"{'  ' if number else ''}{row.replace(_GLUE, ' ')}" for number, row in enumerate(rows)]


# --- pieces ----------------------------------------------------------------------------------------


def _wrapped(text: str, roles: str, cells: int) -> list[Line]:
    """Text under its own first row, which alone begins where a line of the app's does."""
    rows = wrap(text, max(8, cells - 2))
    return [(("  " if number else "", ""), (row, roles)) for number, row in enumerate(rows)]


def _labelled(label: str, text: str, cells: int, column: int) -> list[Line]:
    """A muted label and its text beside it, wrapped under itself."""
    rows = wrap(text, max(8, cells - column))
    first: Line = ((label.ljust(column), "muted"), (rows[0], ""))
    return [first, *(((" " * column, ""), (row, "")) for row in rows[1:])]


def flagged(flag: str, role: str, text: str, cells: int) -> list[Line]:
    """A chip and its message, which may come from anywhere, wrapped under itself."""
    chip = f" {flag} " if role in ("chip", "alarm") else f"{flag} "
    column = width(chip) + (1 if role in ("chip", "alarm") else 0)
    rows = wrap(safe(text), max(8, cells - column))
    gap = " " * (column - width(chip))
    return [((chip, role), (gap + rows[0], "")), *(((" " * column, ""), (row, "")) for row in rows[1:])]


def refusal_lines(refusal: Refusal, cells: int) -> list[Line]:
    """What became of it, who sent it, and why it was refused."""
    name = safe(refusal.file or refusal.id)
    who = [
        safe_part(refusal.agent or "no agent named"),
        safe_part(refusal.operation),
        "the agent was told why",
    ]
    lines: list[Line] = [(("! ", "bold"), (f"{safe(refusal.verdict)}  ", "bold"), (name, "title"))]
    lines.append(((" · ".join(part for part in who if part), "muted"),))
    for problem in refusal.problems:
        field = (
            f"{problem.field}: " if problem.field and not problem.message.startswith(problem.field) else ""
        )
        lines += flagged("!", "chip", field + problem.message, cells)
    for hit in refusal.hits:
        lines += flagged(" ", "muted", hit_words(hit), cells)
    if refusal.hits:
        lines += [(), (("m s", "bold"), (" says that it is no secret: its agent may send it again", "muted"))]
    return [*lines, ()]
