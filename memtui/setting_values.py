"""Single values of the settings files, each of the kind that it must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Reader:
    """Reads single values; one of the wrong kind is complained of, and its default counts."""

    def __init__(self, top: Mapping[str, Any], app: Mapping[str, Any]) -> None:
        self.top = top
        self.app = app
        self.complaints: list[str] = []

    def _value(self, table: Mapping[str, Any], name: str, kind: type, wanted: str) -> Any:
        value = table.get(name.rpartition(".")[2])
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if value is not None and not fits:
            self.complaints.append(f"the setting {name} must be {wanted}: its default counts")
        return value if fits else None

    def text(self, table: Mapping[str, Any], name: str) -> str:
        value = self._value(table, name, str, "text")
        if value and not value.isprintable():
            self.complaints.append(f"the setting {name} holds a control character: its default counts")
            return ""
        return value or ""

    def flag(self, table: Mapping[str, Any], name: str, default: bool = False) -> bool:
        value = self._value(table, name, bool, "true or false")
        return default if value is None else bool(value)

    def whole(self, table: Mapping[str, Any], name: str, default: int, high: int, *, low: int = 0) -> int:
        value = self._value(table, name, int, "a whole number")
        if value is not None and not low <= value <= high:
            self.complaints.append(
                f"the setting {name} must lie between {low} and {high}: its default counts"
            )
            return default
        return default if value is None else int(value)

    def command(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        value = self._value(table, "tags.command", list, "a list of words") or []
        return tuple(word for word in value if isinstance(word, str))

    def words(self, name: str) -> tuple[str, ...]:
        value = self._value(self.top, name, list, "a list of words") or []
        return tuple(word for word in value if isinstance(word, str) and word.isprintable())

    def word_lists(self, table: Mapping[str, Any], name: str, *, nested: bool) -> list[tuple[str, ...]]:
        """A list of words as lists of one word each, or `nested` a list of lists of words."""
        wanted = f"a list of {'lists of ' if nested else ''}words, none of them empty"
        found = []
        for entry in self._value(table, name, list, wanted) or []:
            words = entry if nested else [entry]
            if (
                isinstance(words, list)
                and words
                and all(isinstance(w, str) and w.isprintable() for w in words)
                and words[0].strip()
            ):
                found.append(tuple(words))
            else:
                self.complaints.append(f"the setting {name} must be {wanted}: one entry does not count")
        return found


def table_of(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The table of that name, empty where it is none."""
    value = settings.get(name)
    return value if isinstance(value, dict) else {}
