"""The values of the person's vault as rules: which of them count, and where a view of a text shows one.

A value counts as `vault_words` says, or where the person lists its key; from 6 characters it is found as it stands,
from 8 in every view too, encoded, and split by white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from memtui.gate.needles import SHORTEST, SHORTEST_HIDDEN, Needles, encoded
from memtui.gate.vault import Entry
from memtui.gate.vault_sources import Source
from memtui.gate.vault_words import is_secret_name, password_in, why_ordinary
from memtui.gate.views import View, views

_RUN = re.compile(r"[A-Za-z0-9+/_=-]{0,200}")
_RUN_BEFORE = re.compile(r"[A-Za-z0-9+/_-]*\Z")
_LINE = 20
"""Characters from which a line of a value over several lines is a secret by itself."""


class Values:
    """What all sources gave, ready to be looked for. Never changes."""

    def __init__(self, sources: Iterable[Source], listed: Iterable[str]) -> None:
        """`listed`: keys whose values count whatever they look like."""
        self.entries: tuple[Entry, ...] = ()
        self.rules: dict[str, str] = {}
        """Value by rule."""
        for source in sources:
            self._take(source, frozenset(listed))
        parts = [(part, rule) for rule, value in self.rules.items() for part in _parts(value)]
        plain = {part: rule for part, rule in parts if len(part) < SHORTEST_HIDDEN}
        hidden = {part: rule for part, rule in parts if len(part) >= SHORTEST_HIDDEN}
        covered = {form: rule for part, rule in hidden.items() for form in encoded(part)}
        shown = {form: rule for part, rule in hidden.items() for form in _forms(part)}
        hidden = {**covered, **shown, **hidden}
        self._plain, self._hidden = Needles(plain, SHORTEST), Needles(hidden, SHORTEST_HIDDEN)
        self._covered = frozenset(covered) - frozenset(shown)
        """Forms inside of encoded text."""
        self._words = frozenset(
            form for part, _ in parts if part.isalpha() or part.isdigit() for form in (part, part[::-1])
        )
        """Values that are letters alone or digits alone."""

    def _take(self, source: Source, listed: frozenset[str]) -> None:
        entries = [Entry(source.name, "", source.trouble)] if source.trouble else []
        known = set(self.rules.values())
        for name, value in source.values:
            if source.named and not (name in listed or is_secret_name(name) or password_in(value)):
                continue
            bare = value.strip()
            why = _why_not(bare, name in listed)
            entries.append(Entry(source.name, name, why))
            if not why and bare not in known:
                known.add(bare)
                self.rules[_rule_name(name, self.rules)] = bare
        self.entries += tuple(entries)

    def find(self, view: View) -> Iterator[tuple[str, int, int]]:
        """Rule, start and end of every value that a view of a text shows."""
        text = view.text
        if not view.veiled:
            yield from self._apart(view, self._plain.find(text))
        yield from self._apart(view, self._hidden.find(text))
        if not view.joined:
            yield from self._apart(view, _split_by_blanks(text, self._hidden))

    def _apart(self, view: View, found: Iterable[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
        """Of values that are letters or digits alone those that are no part of a longer word or number; of
        encoded ones the whole run, whose next characters hold bits of it too.
        """
        text = view.text
        for rule, start, end in found:
            value = "".join(text[start:end].split())
            if value in self._covered:
                before, after = _RUN_BEFORE.search(text[max(0, start - 200) : start]), _RUN.match(text, end)
                yield rule, start - len(before[0] if before else ""), after.end() if after else end
            elif value not in self._words or not _goes_on(value, view, start, end):
                yield rule, start, end


def _why_not(value: str, listed: bool) -> str:
    if not value:
        return "empty"
    if len(value) < SHORTEST:
        return f"shorter than {SHORTEST} characters"
    return "" if listed else why_ordinary(value)


def _rule_name(name: str, taken: Mapping[str, str]) -> str:
    """`vault DB_PASSWORD`; numbered where two sources give one name to different values."""
    rule, number = f"vault {name}", 1
    while rule in taken:
        number += 1
        rule = f"vault {name} ({number})"
    return rule


def _parts(value: str) -> Iterator[str]:
    """The value, the password in it, and of one over several lines each long line."""
    yield value
    password = password_in(value)
    if len(password) >= SHORTEST and not why_ordinary(password):
        yield password
    lines = value.split("\n")
    if len(lines) > 1:
        yield from (
            line.strip() for line in lines if len(line.strip()) >= _LINE and not line.startswith("-----")
        )


def _forms(part: str) -> Iterator[str]:
    """How a value also stands in a text or one of its views: reversed, without its blanks, folded."""
    forms = [part, part[::-1], "".join(part.split())]
    if not part.isascii() or re.search(r"[%&\\]", part):
        forms += [
            view.text for view in views(part) if not (view.is_after("rot13") or view.is_after("reversed"))
        ]
    yield from (form for form in forms if len(form) >= SHORTEST_HIDDEN)


# --- the same value in several views --------------------------------------------------------------


class Once:
    """Finds each value once in all views of one text: first as it stands, then only what a disguise hid."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._known: list[tuple[str, int, int]] = []

    def find(self, view: View) -> Iterator[tuple[str, int, int]]:
        if not view.veiled:
            self._known = []
        found = list(self._values.find(view))
        if not found:
            return
        raw = [(rule, *view.raw(start, end)) for rule, start, end in found]
        if len(raw) > _MANY:
            yield from found
            return
        fresh = []
        for each, place in zip(found, raw, strict=True):
            # A view that was made line by line only tells the line: it shows more there, or the same again.
            if _count(place, raw) > _count(place, self._known):
                fresh.append(place)
                yield each
        self._known += fresh


_MANY = 200
"""Matches in one view from which on they are not compared with those of others."""


def _count(place: tuple[str, int, int], others: Iterable[tuple[str, int, int]]) -> int:
    rule, start, end = place
    return sum(other == rule and first < end and start < last for other, first, last in others)


# --- matches in a text ---------------------------------------------------------------------------


def _goes_on(value: str, view: View, start: int, end: int) -> bool:
    """Whether a word or number goes on before or after what was found of it."""
    text = view.text
    if view.joined:  # where words were run together the text as it stands knows where one ends
        start, end = view.raw(start, end)
        text = view.whole.text
    around = (text[start - 1 : start], text[end : end + 1])
    return any(each.isdigit() if value.isdigit() else each.isalpha() for each in around)


def _split_by_blanks(text: str, needles: Needles) -> Iterator[tuple[str, int, int]]:
    """Values with white space put between their characters."""
    words = text.split()
    if len(words) < 2:
        return
    at: list[int] | None = None
    for rule, start, end in needles.find("".join(words)):
        if at is None:
            at = [place for place, character in enumerate(text) if not character.isspace()]
        first, last = at[start], at[end - 1] + 1
        if last - first > end - start:
            yield rule, first, last
