"""Tag picking: 2 to 5 tags, known to the dictionary, or with the person's yes (SPEC.md section 3)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from memtui.notes import index, tags
from memtui.notes.lines import KeyedLine
from memtui.proposals.context import INDEX, TAGS, Context
from memtui.proposals.model import LineChange, NewTag, Notice, Problem

LEAST, MOST = 2, 5
SUGGESTED = 5
_WORD = re.compile(r"\w{3,}")
_STEM = 5
"""Letters that two words must share at their start to count as one stem."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Tags of an entry, and what they add to the dictionary."""

    tags: tuple[str, ...] = ()
    changes: tuple[LineChange, ...] = ()
    notices: tuple[Notice, ...] = ()
    problems: tuple[Problem, ...] = ()
    wants: tuple[str, ...] = ()
    new_tags: tuple[NewTag, ...] = ()
    suggested: tuple[tuple[str, str], ...] = ()


def pick(
    asked: Sequence[str] | None, new_tags: Sequence[NewTag], context: Context, text: tuple[str, str, str]
) -> Picked:
    """Check the tags that were asked for, or suggest some where fewer than two were.

    `text` is title, body and conversation context, which suggestions come from.
    """
    data = context.folder.read(TAGS)
    dictionary = tags.read_tags(data)
    wanted = tuple(dict.fromkeys(name for name in map(tags.normalise, asked or ()) if name))
    if len(wanted) > MOST:
        return Picked(problems=(Problem("tags", f"{len(wanted)} tags are too many: give 2 to 5"),))
    wants: list[str] = []
    suggested: tuple[tuple[str, str], ...] = ()
    if len(wanted) < LEAST:
        wants.append("tags")
        suggested = suggest(text, dictionary, index.read_index(context.folder.read(INDEX)), skip=wanted)
    described = {tags.normalise(new.tag): new for new in new_tags}
    fresh = tuple(_described(name, described) for name in wanted if name not in dictionary.tags)
    problems = tuple(_parent_problems(fresh, dictionary))
    if problems:
        return Picked(problems=problems)
    if fresh and not context.choices.accept_new_tags:
        wants.append("new_tags")
    notices = [
        Notice("tag", f"new tag #{new.tag} is near #{known}: {why}")
        for new in fresh
        for known, why in tags.near(new.tag, tuple(dictionary.tags))
    ]
    return Picked(wanted, _tag_lines(data, fresh), tuple(notices), (), tuple(wants), fresh, suggested)


def _described(name: str, described: dict[str, NewTag]) -> NewTag:
    given = described.get(name)
    if given is None:
        return NewTag(name)
    parent = tags.normalise(given.parent) if given.parent else ""
    confused = tuple(map(tags.normalise, given.not_to_be_confused_with))
    return NewTag(name, given.level, parent, given.description, confused, given.because)


def _parent_problems(fresh: Sequence[NewTag], dictionary: tags.TagDictionary) -> list[Problem]:
    known = {*dictionary.tags, *(new.tag for new in fresh)}
    problems = []
    for new in fresh:
        if new.level == 1 and new.parent:
            problems.append(Problem("new_tags", f"#{new.tag} is of level 1 and cannot have a parent"))
        elif new.parent and (new.parent not in known or new.parent == new.tag):
            problems.append(Problem("new_tags", f"the parent of #{new.tag}, #{new.parent}, is not known"))
        elif new.level == 2 and not new.parent:
            problems.append(Problem("new_tags", f"#{new.tag} is of level 2: name its parent"))
    return problems


def _tag_lines(data: bytes | None, fresh: Sequence[NewTag]) -> tuple[LineChange, ...]:
    """The lines that the new tags add, each composed on the dictionary with those before it."""
    changes: list[LineChange] = []
    for new in fresh:
        line = tags.compose(
            data,
            name=new.tag,
            level=new.level,
            parent=new.parent,
            description=new.description,
            not_to_be_confused_with=new.not_to_be_confused_with,
        )
        changes.append(LineChange(TAGS, new.tag, None, line))
        data = tags.set_line(data, new.tag, None, line)
        for other in new.not_to_be_confused_with:
            found = tags.read_tags(data).tags.get(other)
            if found is None:
                continue
            text = tags.with_confusion(found.line.text, new.tag)
            if text != found.line.text:
                told = KeyedLine(text, found.line.section, found.line.above)
                changes.append(LineChange(TAGS, other, found.line, told))
                data = tags.set_line(data, other, found.line, told)
    return tuple(changes)


# --- suggestions ---------------------------------------------------------------------------------


def suggest(
    text: tuple[str, str, str],
    dictionary: tags.TagDictionary,
    entries: index.Index,
    skip: Sequence[str] = (),
) -> tuple[tuple[str, str], ...]:
    """Known tags that fit, best first, each with the reason: its words in the text, or similar entries."""
    title, body, context = (_words(part) for part in text)
    scores: Counter[str] = Counter()
    reasons: dict[str, list[str]] = defaultdict(list)
    for name, tag in dictionary.tags.items():
        for words, weight, place in ((title, 6, "title"), (body, 4, "body"), (context, 4, "context")):
            if _meets(_words(name.replace("-", " ")), words):
                scores[name] += weight
                reasons[name].append(f"named in the {place}")
        shared = _meets(_words(tag.description), title | body | context)
        if shared:
            scores[name] += 2 * len(shared)
            reasons[name].append(f"its description says {', '.join(sorted(shared)[:2])}")
    everything = title | body | context
    for entry in entries.entries:
        shared = _meets(_words(f"{entry.title} {entry.hook}"), everything)
        if len(shared) >= 2:
            for name in entry.tags:
                if name in dictionary.tags:
                    scores[name] += len(shared)
                    reasons[name].append(f"used by “{entry.title}”")
    ranked = sorted((name for name in scores if name not in skip), key=lambda n: (-scores[n], n))
    return tuple((name, "; ".join(dict.fromkeys(reasons[name]).keys())) for name in ranked[:SUGGESTED])


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _meets(some: frozenset[str], others: frozenset[str]) -> set[str]:
    """Words of `some` that stand in `others`, or share a stem with one there."""
    stems = {word[:_STEM] for word in others if len(word) >= _STEM}
    return {word for word in some if word in others or (len(word) >= _STEM and word[:_STEM] in stems)}
