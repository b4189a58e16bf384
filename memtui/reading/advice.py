"""Advice about a memory folder: near-duplicates, what the catalog leaves out, what may be out of date, wiki links to
notes that nobody has written yet.

Nothing here is broken, so none of it makes `memtui check` fail (SPEC.md section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from memtui.notes.catalog import Catalog, NoteHead
from memtui.proposals.alike import Alike
from memtui.proposals.context import is_reserved
from memtui.review.items import Finding

_LASTS = {"preference": 365, "belief": 365, "goal": 365}
"""Days after which an entry of this type is worth a look; facts, constraints and events have no age."""
_LOW_LASTS = 183
"""Days after which what was held with low confidence is worth a look, whatever its type but an event."""
_NAMED = 5
"""Notes that a sentence names before it only counts."""

_NAME = 60
"""Characters of a name in a sentence."""


def advise(heads: Iterable[NoteHead], listed: Catalog, today: date) -> Iterator[Finding]:
    """What is worth a look, each with the file and what to do."""
    living = [head for head in heads if not is_reserved(head.path) and not _is_deprecated(head)]
    yield from _duplicates(living)
    yield from _dropped(listed)
    for head in living:
        yield from _age(head, today)


def unwritten(path: str, names: Sequence[str]) -> Finding:
    """Wiki links of a note that mean no note: one may be meant that is to be written, so that nothing is broken."""
    named = ", ".join(f"[[{_clip(name)}]]" for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    what, it = ("its wiki link", "it") if len(names) == 1 else ("its wiki links", "them")
    leads = "leads" if len(names) == 1 else "lead"
    return Finding(
        path,
        f"{what} {named}{more} {leads} to no note: write {it}, or correct "
        f"{'the link' if len(names) == 1 else 'the links'}",
        "wiki-link",
        advice=True,
    )


def _clip(text: str) -> str:
    return text if len(text) <= _NAME else f"{text[: _NAME - 1]}…"


def _is_deprecated(head: NoteHead) -> bool:
    return head.kind == "entry" and head.status.strip().casefold() == "deprecated"


def _duplicates(heads: Iterable[NoteHead]) -> Iterator[Finding]:
    # A first line may be a macro or a heading that many notes share; title and description are meant to tell.
    texts = {
        head.path: f"{head.title} {head.description}" for head in heads if head.title or head.description
    }
    for pair in Alike(texts).pairs():
        yield Finding(
            pair.one,
            f"it reads like {pair.other} ({pair.score}%): make one of the two, or let their summaries say "
            "how they differ",
            "duplicate",
            advice=True,
        )


def _dropped(listed: Catalog) -> Iterator[Finding]:
    if not listed.dropped:
        return
    count = len(listed.dropped)
    named = ", ".join(listed.dropped[:_NAMED])
    more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
    does = "1 note does" if count == 1 else f"{count:,} notes do"
    yield Finding(
        "",
        f"{does} not fit into its {listed.budget:,} bytes, so that no agent reads their lines ({named}{more}): "
        "shorten summaries, deprecate what is past, or set a bigger catalog_budget",
        "catalog",
        advice=True,
    )


def _age(head: NoteHead, today: date) -> Iterator[Finding]:
    touched = _day(head.updated) or _day(head.created)
    kind = head.type.strip().casefold()
    if head.kind != "entry" or touched is None or kind == "event":
        return
    days = (today - touched).days
    if head.confidence.strip().casefold() == "low" and days > _LOW_LASTS:
        what = "held with low confidence and"
    elif days > _LASTS.get(kind, days):
        what = f"a {kind}"
    else:
        return
    yield Finding(
        head.path,
        f"it is {what} not touched since {touched}: ask whether it still holds, then update or deprecate it",
        "age",
        advice=True,
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
