"""Tag picking: 2 to 5 tags, known to the dictionary, or with the person's yes (SPEC.md section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memtui.notes import index, tags
from memtui.proposals.context import INDEX, TAGS, Context
from memtui.proposals.model import LineChange, NewTag, Notice, Problem
from memtui.proposals.tag_suggest import like_meaning, suggest

LEAST, MOST = 2, 5
_NEAR = {
    "case": "the same but for case or dashes",
    "plural": "its plural or singular",
    "stem": "the same stem",
}


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
    wanted = _normalised(asked or ())
    if len(wanted) > MOST:
        return Picked(problems=(Problem("tags", f"{len(wanted)} tags are too many: give 2 to 5."),))
    admitted = admit(wanted, new_tags, context)
    if admitted.problems or len(wanted) >= LEAST:
        return admitted
    dictionary = tags.read_tags(context.folder.read(TAGS))
    entries = index.read_index(context.folder.read(INDEX))
    suggested = suggest(text, dictionary, entries, skip=wanted)
    return replace(admitted, wants=("tags", *admitted.wants), suggested=suggested)


def admit(asked: Sequence[str], new_tags: Sequence[NewTag], context: Context) -> Picked:
    """These tags, however many; those that the dictionary lacks want the person's yes, with near ones named."""
    data = context.folder.read(TAGS)
    dictionary = tags.read_tags(data)
    wanted = _normalised(asked)
    fresh = _fresh(wanted, new_tags, dictionary)
    if problems := tuple(_level_problems(fresh, dictionary)):
        return Picked(problems=problems)
    if not fresh:
        return Picked(wanted)
    changes, troubles = _tag_lines(data, fresh)
    entries = index.read_index(context.folder.read(INDEX))
    notices = (*_near_notices(fresh, dictionary, entries), *troubles)
    wants = () if context.choices.accept_new_tags else ("new_tags",)
    return Picked(wanted, changes, notices, (), wants, fresh)


def _normalised(asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in map(tags.normalise, asked) if name))


# --- new tags ------------------------------------------------------------------------------------


def _fresh(
    wanted: Sequence[str], new_tags: Sequence[NewTag], dictionary: tags.TagDictionary
) -> tuple[NewTag, ...]:
    """The tags that the dictionary lacks, each after the new tag that it stands under."""
    described = {tags.normalise(new.tag): _plain(new) for new in new_tags}
    found: dict[str, NewTag] = {}

    def take(name: str, below: tuple[str, ...] = ()) -> None:
        if name in dictionary.tags or name in found or name in below:
            return
        new = described.get(name, NewTag(name))
        if new.parent in described:
            take(new.parent, (*below, name))
        found[name] = new

    for name in wanted:
        take(name)
    # "Not to be confused with" holds both ways.
    return tuple(
        replace(
            new,
            not_to_be_confused_with=_normalised(
                [
                    *new.not_to_be_confused_with,
                    *(other.tag for other in found.values() if new.tag in other.not_to_be_confused_with),
                ]
            ),
        )
        for new in found.values()
    )


def _plain(given: NewTag) -> NewTag:
    name = tags.normalise(given.tag)
    parent = tags.normalise(given.parent) if given.parent else ""
    description, said = tags.split_confusion(given.description)
    others = _normalised((*given.not_to_be_confused_with, *said))
    confused = tuple(other for other in others if other != name)
    return NewTag(name, given.level, parent, description, confused, given.because)


def _level_problems(fresh: Sequence[NewTag], dictionary: tags.TagDictionary) -> Iterator[Problem]:
    levels = {name: tag.level for name, tag in dictionary.tags.items()} | {
        new.tag: new.level for new in fresh
    }
    for new in fresh:
        if new.level == 1 and new.parent:
            yield Problem("new_tags", f"#{new.tag} is of level 1 and has no parent: leave #{new.parent} out.")
        elif new.level == 2 and not new.parent:
            yield Problem(
                "new_tags", f"#{new.tag} is of level 2: name the tag of level 1 that it stands under."
            )
        elif new.parent and new.parent not in levels:
            yield Problem(
                "new_tags",
                f"The parent of #{new.tag}, #{new.parent}, is not in tags.md: describe it in `new_tags` as well.",
            )
        elif new.parent and levels[new.parent] >= new.level:
            yield Problem(
                "new_tags",
                f"#{new.tag} (level {new.level}) cannot stand under #{new.parent} "
                f"(level {levels[new.parent]}): name a parent from a level above.",
            )


def _tag_lines(
    data: bytes | None, fresh: Sequence[NewTag]
) -> tuple[tuple[LineChange, ...], tuple[Notice, ...]]:
    """The lines that the new tags add and change, each composed on the dictionary with those before it."""
    changes: list[LineChange] = []
    notices: list[Notice] = []
    names = {new.tag for new in fresh}
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
            if other in names:
                continue
            told = _told(data, other, new.tag)
            if isinstance(told, Notice):
                notices.append(told)
            elif told is not None:
                changes.append(told)
                data = tags.set_line(data, other, told.before, told.after)
    return tuple(changes), tuple(notices)


def _told(data: bytes, other: str, tag: str) -> LineChange | Notice | None:
    """The change that makes a known tag say that it is not `tag`; None where it says so."""
    dictionary = tags.read_tags(data)
    found = dictionary.tags.get(other)
    if found is None:
        return Notice(
            "tag",
            f"#{tag} is not to be confused with #{other}, but tags.md has no #{other}: only #{tag} says so.",
        )
    if other in dictionary.duplicates:
        return Notice("tag", f"tags.md has two lines for #{other}: neither changes, so remove one by hand.")
    text = tags.with_confusion(found.line.text, tag)
    if text == found.line.text:
        return None
    return LineChange(TAGS, other, found.line, replace(found.line, text=text))


def _near_notices(
    fresh: Sequence[NewTag], dictionary: tags.TagDictionary, entries: index.Index
) -> Iterator[Notice]:
    """A notice for each known or new tag that a new one may be another word for."""
    before: list[str] = []
    descriptions = {name: tag.description for name, tag in dictionary.tags.items()}
    for new in fresh:
        near = {other: _NEAR.get(why, why) for other, why in tags.near(new.tag, (*descriptions, *before))}
        apart = (*near, *new.not_to_be_confused_with, new.parent)
        for other, why in like_meaning(new, descriptions, entries):
            if other not in apart:
                near[other] = why
        for other, why in near.items():
            yield Notice("tag", f"New tag #{new.tag} is near #{other} ({why}): check that both are needed.")
        before.append(new.tag)
