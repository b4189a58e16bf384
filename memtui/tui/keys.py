"""From a key press to an action: the person's own keys, chords, and the key positions of other layouts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memtui.tui.actions import ACTIONS, NEVER_BOUND, Action

_LATIN = "qwertyuiop[]asdfghjklzxcvbnm"
_LAYOUTS: tuple[tuple[str, str], ...] = (
    (_LATIN, "йцукенгшщзхъфывапролдячсмить"),  # Russian
    ("wertyuiopasdfghjklzxcvbnm", "ςερτυθιοπασδφγηξκλζχψωβνμ"),  # Greek: its q key is punctuation
    ("ertyuiopasdfghjklzxcvbnm", "קראטוןםפשדגכעיחלךזסבהנמצ"),  # Hebrew: q and w are punctuation
    ("qwertyuiop[]asdfghjklzxcvnm", "ضصثقفغعهخحجدشسيبلاتنمئءؤرىة"),  # Arabic: b is a ligature
)
_PUNCTUATION = {"ж": ":", "Ж": ":", ".": "/", ",": "?"}
"""Keys that the Russian layout moves: `:` stands on a letter's key there, `/` and `?` on the last one's."""
_ARABIC_SHIFTED = {"أ": "H", "إ": "Y", "آ": "N"}


def _positions() -> dict[str, str]:
    """Letter of another layout to the Latin letter on the same key; the first layout named wins."""
    table: dict[str, str] = {}
    for latin, other in _LAYOUTS:
        for key, letter in zip(latin, other, strict=True):
            table.setdefault(letter, key)
            if letter.upper() != letter and len(letter.upper()) == 1:
                table.setdefault(letter.upper(), key.upper())
    for letter, key in (*_ARABIC_SHIFTED.items(), *_PUNCTUATION.items()):
        table.setdefault(letter, key)
    return table


POSITIONS: Mapping[str, str] = _positions()

_NAMES = {"escape": "esc", "return": "enter", " ": "space"}
_SHOWN = {
    "esc": "esc",
    "enter": "enter",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "home": "Home",
    "end": "End",
    "space": "space",
}


def name_of(key: str, character: str | None) -> str:
    """The name that the registry uses for a key event: its character where it prints, else the key's own name."""
    if character and character.isprintable() and character != " " and "+" not in key:
        return unicodedata.normalize("NFC", character)
    if key.startswith("ctrl+") and len(key) == 6:
        return "ctrl+" + POSITIONS.get(key[5], key[5]).lower()
    return _NAMES.get(key, key)


def at_position(name: str) -> str:
    """The Latin letter on the same key, or the name itself."""
    return POSITIONS.get(name, name)


def shown(key: str, ascii_only: bool = False) -> str:
    """A key or chord as footer and help write it: `^q`, `gn`, `↓`."""
    parts = []
    for part in key.split(" "):
        if part.startswith("ctrl+") and len(part) == 6:
            parts.append("^" + part[5])
        else:
            parts.append(part if ascii_only else _SHOWN.get(part, part))
    return "".join(parts)


@dataclass(frozen=True)
class Keymap:
    """Which keys lead to which action in which place, with the person's own settings applied."""

    table: Mapping[tuple[str, str], Action]
    """(place, key or chord) to action."""
    keys: Mapping[tuple[str, str], tuple[str, ...]]
    """(place, action id) to its keys, the first one shown in the footer."""
    chords: frozenset[str]
    """First keys of chords."""
    problems: tuple[str, ...] = field(default=())
    """What of the person's key settings cannot be used, one sentence each."""

    def found(self, places: Sequence[str], key: str) -> list[Action]:
        """The actions of a key or chord, innermost place first, at its own letter before its key position."""
        names = dict.fromkeys((key, " ".join(at_position(part) for part in key.split(" "))))
        actions = (self.table.get((place, name)) for name in names for place in places)
        return [action for action in actions if action is not None]

    def find(self, places: Sequence[str], key: str) -> Action | None:
        """The action of a key or chord in the innermost place that has one."""
        return next(iter(self.found(places, key)), None)

    def is_chord(self, key: str) -> bool:
        """Whether the key begins a chord."""
        return key in self.chords or at_position(key) in self.chords

    def key_of(self, action: Action) -> str:
        """Its first key, "" where it has none."""
        keys = self.keys.get((action.where, action.id), ())
        return keys[0] if keys else ""

    def keys_of(self, action: Action) -> tuple[str, ...]:
        return self.keys.get((action.where, action.id), ())


def keymap(own: Mapping[str, str]) -> Keymap:
    """The keys of the registry with the person's `[keys]` applied: `approve = "ctrl+a, y"`; "" unbinds."""
    problems: list[str] = []
    wanted = {id: _parse(id, text, problems) for id, text in own.items()}
    known = {action.id for action in ACTIONS}
    problems += [f"keys.{id}: there is no such action" for id in own if id not in known]
    table: dict[tuple[str, str], Action] = {}
    keys: dict[tuple[str, str], tuple[str, ...]] = {}
    # What the person set comes first, so that it wins over a default on the same key.
    for action in sorted(ACTIONS, key=lambda a: wanted.get(a.id) is None):
        bound = wanted.get(action.id)
        free = []
        for key in action.keys if bound is None else bound:
            if table.setdefault((action.where, key), action) is action:
                free.append(key)
            elif bound is not None:
                problems.append(f"keys.{action.id}: {key} is taken by {table[action.where, key].id}")
        keys[action.where, action.id] = tuple(free)
    chords = frozenset(key.split(" ")[0] for _, key in table if " " in key)
    return Keymap(table, keys, chords, tuple(problems))


def _parse(id: str, text: str, problems: list[str]) -> tuple[str, ...] | None:
    """The keys of one setting; None (the defaults hold) where one of them can't be bound."""
    keys = tuple(" ".join(part.split()) for part in _split(text))
    for key in keys:
        if any(part in NEVER_BOUND for part in key.split(" ")):
            problems.append(f"keys.{id}: {key} cannot be told from enter, tab or backspace in a terminal")
            return None
    return tuple(_NAMES.get(key, key) for key in keys)


def _split(text: str) -> Iterable[str]:
    """Commas separate keys; a comma alone is the comma key."""
    if text.strip() == ",":
        return (",",)
    return tuple(part for part in text.split(",") if part.strip())
