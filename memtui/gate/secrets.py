"""The screen for secrets: what must not even be offered for approval (seed 000; SPEC.md section 4).

Rules look at the raw text and at its views (`gate/views.py`). A hit says which rule, where and how long; the
value itself leaves this room only as a black bar.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from memtui.gate.cues import TOO_MUCH, Cues
from memtui.gate.secret_rules import RULES
from memtui.gate.view_sources import Reach
from memtui.gate.views import View, views
from memtui.gate.watch import TakesTooLong, Watch


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a secret stands. Never its value."""

    rule: str
    field: str
    """The field's path, itself redacted; "" for a whole file."""
    line: int
    """1-based, in the field's text as it came."""
    length: int
    """Characters, without their disguise."""
    fingerprint: str = ""
    """Salted hash of the value, by which the person can say that it is no secret; "" without a workspace."""


More: TypeAlias = Callable[[View], Iterable[tuple[str, int, int]]]
"""Further rules, called for every view of a text: name of the rule, start and end in the view's text."""


def _no_more(_: View) -> Iterable[tuple[str, int, int]]:
    return ()


NO_MORE: More = _no_more
"""Finds nothing."""


def _none_pass(_rule: str, _value: str) -> bool:
    return False


def _no_fingerprint(_rule: str, value: str) -> tuple[int, str]:
    return len(value), ""


class Also(NamedTuple):
    """What a workspace adds to the built-in rules; what was found by one of these is not found again."""

    first: More = NO_MORE
    """Looked for before them: the person's own values."""
    last: More = NO_MORE
    """Looked for after them: the scanner's rules."""
    passes: Callable[[str, str], bool] = _none_pass
    """Rule and value: whether the person has said that it is no secret. Others may still find it."""
    known_by: Callable[[str, str], tuple[int, str]] = _no_fingerprint
    """Rule and value: its length without any disguise, and its fingerprint."""


class Found(NamedTuple):
    """A secret that a view shows. It holds the value: for what screens and redacts, and for no log or file."""

    rule: str
    value: str
    """Without its disguise."""
    veiled: bool
    """Only a view without the disguise shows it."""
    spills: bool
    """Lines were joined, and it takes the whole of the next one: rather wrapped than followed by a word."""
    start: int
    end: int
    """Offsets in the raw text; of a veiled one in the view."""
    first: int
    last: int
    """The lines that it stands in, 1-based, both included."""
    raw: tuple[int, int]
    """The offsets in the raw text that make it up."""
    sure: bool
    """It is one of the person's own values."""
    passes: bool = False
    """The person has said that it is no secret."""

    @property
    def line(self) -> int:
        """The line that it begins in, 1-based."""
        return self.first


BUILT_IN = Also()
"""Nothing beside the built-in rules."""
COVER = "\udfff"
"""A lone surrogate: no text that came in UTF-8 holds one."""


def scan_fields(fields: Mapping[str, str], more: Also = BUILT_IN) -> tuple[Hit, ...]:
    """Every secret in these texts, and in the names of the fields, in the order of the fields."""
    names_hold = bool(find("\n".join(fields), more))
    hits: dict[Hit, None] = {}
    for name, text in fields.items():
        shown = redact(name, more) if names_hold else name
        found = (
            (*_hits(name, shown, more), *_hits(text, shown, more)) if names_hold else _hits(text, shown, more)
        )
        hits.update(dict.fromkeys(found))
    return tuple(hits)


def scan_bytes(data: bytes, more: Also = BUILT_IN) -> tuple[Hit, ...]:
    """Every secret in a raw file, whatever it holds: what is refused is screened whole before it is kept."""
    return tuple(_hits(data.decode("utf-8", "replace"), "", more))


def redact(text: str, more: Also = BUILT_IN) -> str:
    """The text with every secret replaced by `[redacted: <rule>]`.

    Where only a view without the disguise shows a secret, the whole lines that it stands in are replaced.
    """
    found = find(text, more)
    lines = _veiled_lines(found)
    parts, at = [], 0
    for each in sorted((each for each in found if not each.veiled), key=lambda each: (each.start, -each.end)):
        if each.end <= at:
            continue
        # Line breaks stay, so that the lines of veiled ones keep their numbers.
        breaks = "\n" * text.count("\n", max(each.start, at), each.end)
        parts += [text[at : each.start], _mark(each.rule), breaks] if each.start >= at else [breaks]
        at = each.end
    shown = "".join((*parts, text[at:]))
    if not lines:
        return shown
    return "\n".join(
        _mark(lines[number]) if number in lines else line for number, line in enumerate(shown.split("\n"), 1)
    )


def _veiled_lines(found: Iterable[Found]) -> dict[int, str]:
    """Rule by number of the lines that are taken out whole."""
    return {number: each.rule for each in found if each.veiled for number in range(each.first, each.last + 1)}


def cover(text: str, more: Also = BUILT_IN) -> str:
    """The text with `COVER` for every character that `redact` takes out, so that it stays as long.

    What an agent's words are looked for in: no answer may tell whether a secret holds them.
    """
    found = find(text, more)
    if not found:
        return text
    lines, shown = _veiled_lines(found), list(text)
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n"), len(text) + 1]
    spans = [(starts[number - 1], starts[number] - 1) for number in lines]
    for start, end in (*spans, *((each.start, each.end) for each in found if not each.veiled)):
        shown[start:end] = [letter if letter == "\n" else COVER for letter in text[start:end]]
    return "".join(shown)


def _mark(rule: str) -> str:
    return f"[redacted: {rule}]"


def _hits(text: str, field: str, more: Also) -> Iterator[Hit]:
    for found in find(text, more):
        yield Hit(found.rule, field, found.first, *more.known_by(found.rule, found.value))


def find(text: str, more: Also = BUILT_IN, watch: Watch | None = None) -> list[Found]:
    """Every secret once: what the text shows as it stands, then what only a view shows.

    A place where one rule has found something is not looked at by the rules after it. More than `MOST` are one, and
    so is a text that takes longer than `watch` says (without one, than `MOST_SECONDS`; it is remembered that it did).
    """
    if more.first is NO_MORE and _A_FEW_WORDS.fullmatch(text):
        return []
    found: list[Found] = []
    if watch is None and hash(text) in _TOOK_TOO_LONG:
        return [_all_of(text)]
    try:
        _gather(text, more, watch or Watch(), found)
    except TakesTooLong:
        found.append(_all_of(text))
        if watch is None:
            if len(_TOOK_TOO_LONG) >= _MOST_KEPT:
                _TOOK_TOO_LONG.clear()
            _TOOK_TOO_LONG.add(hash(text))
    return found


_TOOK_TOO_LONG: set[int] = set()
"""Hashes of texts that are refused at once when they are looked at again."""
_MOST_KEPT = 1000


def _gather(text: str, more: Also, watch: Watch, found: list[Found]) -> None:
    """Raises: TakesTooLong."""
    known: defaultdict[int, _Known] = defaultdict(_Known)
    seen = 0
    for view in views(text, watch):
        watch.look()
        fresh = []
        for each in _find_in(view, more):
            seen += 1
            if not known[each.first].holds(each, view):
                fresh.append(each)
            if (
                len(found) + len(fresh) > MOST
                or seen > MOST_SEEN
                or (each.rule == TOO_MUCH and not each.passes)
            ):
                told = (each for each in fresh[:MOST_TOLD] if not (each.passes or each.rule == TOO_MUCH))
                found += (*told, _all_of(text))
                return
        for each in fresh:
            known[each.first].add(each)
        found += (each for each in fresh if not each.passes)


MOST, MOST_SEEN, MOST_TOLD = 1000, 8000, 20
"""Secrets that are told apart in one text, and how often its views may show them. One with more is a secret as a whole:
it is refused, and nothing of it is shown to an agent.
"""


def _all_of(text: str) -> Found:
    lines = text.count("\n") + 1
    return Found(TOO_MUCH, text, True, False, 0, len(text), 1, lines, (0, len(text)), True)


_A_FEW_WORDS = re.compile(r"[a-z]{1,14}(?: [a-z]{1,14}){0,10}")
"""What a field holds as a rule. Without a sign, digit or capital only a value of the person's own can be a secret, a
long word or the twelve words of a seed phrase."""


class _Known:
    """What earlier views showed in one line."""

    def __init__(self) -> None:
        self._places: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
        """By value the places in the raw text, in order; each with the rule of what the person let pass, else ""."""
        self._lengths: set[int] = set()
        self._longest = 0
        """Characters of the raw text that one of them takes at most."""

    def add(self, found: Found) -> None:
        value, (start, end) = _bare(found.value), found.raw
        insort(self._places[value], (start, end, found.rule if found.passes else ""))
        self._lengths.add(len(value))
        self._longest = max(self._longest, end - start)

    def holds(self, found: Found, view: View) -> bool:
        """Whether it is the same secret at the same place; where lines, words or strings were run together, give or
        take words that follow it.

        A longer value that a disguise hid is another one, and so is the same value at another place of the line: one
        of them would stay when the other is taken out. What the person let pass stands for what its own rule finds
        alone. The person's own values are told apart by what finds them.
        """
        if not found.veiled or found.sure:
            return False
        value = _bare(found.value)
        if self._is_at(value, found):
            return True
        if found.spills or not (view.joined or any(map(view.is_after, ("strings joined", "lines glued")))):
            return False
        return any(self._is_at(value[:length], found) for length in self._lengths if length < len(value))

    def _is_at(self, value: str, found: Found) -> bool:
        places, (start, end) = self._places.get(value, []), found.raw
        for at in range(bisect_left(places, (start - self._longest,)), len(places)):
            first, last, rule = places[at]
            if first >= end:
                return False
            if last > start and rule in ("", found.rule):
                return True
        return False


def _bare(value: str) -> str:
    return "".join(value.split())


def _find_in(view: View, more: Also) -> Iterator[Found]:
    taken = bytearray()
    own = ((True, *each) for each in more.first(view))
    others = ((False, *each) for each in chain(_CUES.find(view), more.last(view)))
    for sure, rule, start, end in chain(own, others):
        taken = taken or bytearray(len(view.text))
        value = view.text[start:end]
        if 0 not in taken[start:end]:
            continue
        passes = more.passes(rule, value)
        if not passes:
            taken[start:end] = b"\x01" * (end - start)
        first, last = view.lines(start, end)
        spills = view.reach == Reach.JOINED and last > first and _ends_a_line(view, start, end)
        raw = view.raw(start, end)
        yield Found(rule, value, view.veiled, spills, start, end, first, last, raw, sure, passes)


def _ends_a_line(view: View, start: int, end: int) -> bool:
    """Whether no word follows on the line in which a stretch of a view ends."""
    if view.parent is None:
        return True
    _, at = view.source(start, end)
    text = view.parent.text
    stop = text.find("\n", at)
    return not text[at : stop if stop >= 0 else len(text)].strip(" \t\r\\")


_CUES = Cues(RULES)
