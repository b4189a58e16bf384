"""Settings: what a settings file may hold, its defaults, and what counts without trust (SPEC.md section 1)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DOT = ".memtui"
CATALOG_BUDGET = 2048
"""Bytes of the catalog that an agent reads, unless a setting says otherwise."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with its default. Times in milliseconds or days, sizes in bytes."""

    memory: Path
    spool: Path
    state: Path
    approve_without_terminal: bool = False
    settle_ms: int = 250
    catalog_budget: int = CATALOG_BUDGET
    types: tuple[str, ...] = ()
    """Entry types that the person added to the vocabulary."""
    tag_command: tuple[str, ...] = ()
    """A program that picks tags instead of memtui, with its arguments; () for none."""
    title_count: bool = True
    bell: bool = False
    ascii: bool = False
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Action id to key, as the person set them."""
    problem: str = ""
    """Not empty: the settings file does not parse, and memtui only reads."""
    ignored: tuple[str, ...] = ()
    """Settings of the workspace's file that do not count until `memtui trust`."""
    complaints: tuple[str, ...] = ()
    """One sentence for each setting that is unknown or of the wrong kind; its default counts."""


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """The settings and "" — or {} and one sentence that says why they were not read."""
    try:
        text = path.read_text(encoding="utf-8")
        import tomllib  # loaded only where there are settings

        return tomllib.loads(text), ""
    except FileNotFoundError:
        return {}, ""
    except ValueError as error:  # no TOML, or not UTF-8
        return {}, f"{path} does not parse ({error}): memtui only reads until it is mended"
    except OSError as error:
        return {}, f"{path} cannot be read ({error.strerror}): memtui only reads until it is mended"


def resolve(root: Path, shared: Mapping[str, Any], own: Mapping[str, Any], *, trusted: bool) -> Settings:
    """Settings from the workspace's file and the person's own, the person's winning where trust matters."""
    read = _Reader({**own, **shared}, _table(own, "app") | _table(shared, "app"))
    ignored: list[str] = []

    def place(name: str, default: Path) -> Path:
        value = read.text(shared, name)
        if not value:
            return default
        path = (root / Path(value).expanduser()).absolute()
        if trusted or is_inside(path, root):
            return path
        ignored.append(name)
        return default

    without_terminal = read.flag(_table(own, "review"), "review.approve_without_terminal")
    if read.flag(_table(shared, "review"), "review.approve_without_terminal"):
        if trusted:
            without_terminal = True
        else:
            ignored.append("review.approve_without_terminal")
    tag_command = read.command(_table(own, "tags"))
    if shared_command := read.command(_table(shared, "tags")):
        if trusted:
            tag_command = shared_command
        else:
            ignored.append("tags.command")
    return Settings(
        tag_command=tag_command,
        memory=place("memory", root / "memory"),
        spool=place("spool", root / DOT / "spool"),
        state=place("state", root / DOT),
        approve_without_terminal=without_terminal,
        settle_ms=read.whole(read.app, "app.settle_ms", 250, 5000),
        catalog_budget=read.whole(read.top, "catalog_budget", CATALOG_BUDGET, 1 << 20),
        types=read.words("types"),
        title_count=read.flag(read.app, "app.title_count", True),
        bell=read.flag(read.app, "app.bell"),
        ascii=read.flag(read.app, "app.ascii"),
        theme=read.text(read.app, "app.theme"),
        keys={k: v for k, v in _table(own, "keys").items() if isinstance(v, str)},
        ignored=tuple(ignored),
        complaints=(*read.complaints, *_unknown(shared)),
    )


_KNOWN = (
    "memory",
    "spool",
    "state",
    "catalog_budget",
    "types",
    "spools",
    "review",
    "app",
    "keys",
    "vault",
    "tags",
)
"""Names that a settings file may hold at its top."""


def _unknown(shared: Mapping[str, Any]) -> list[str]:
    return [
        f"the setting {name} is not known: see the README for those that are"
        for name in shared
        if name not in _KNOWN
    ]


class _Reader:
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

    def whole(self, table: Mapping[str, Any], name: str, default: int, high: int) -> int:
        value = self._value(table, name, int, "a whole number")
        if value is not None and not 0 <= value <= high:
            self.complaints.append(f"the setting {name} must lie between 0 and {high}: its default counts")
            return default
        return default if value is None else int(value)

    def command(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        value = self._value(table, "tags.command", list, "a list of words") or []
        return tuple(word for word in value if isinstance(word, str))

    def words(self, name: str) -> tuple[str, ...]:
        value = self._value(self.top, name, list, "a list of words") or []
        return tuple(word for word in value if isinstance(word, str) and word.isprintable())


def _table(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = settings.get(name)
    return value if isinstance(value, dict) else {}


def is_inside(path: Path, root: Path) -> bool:
    """Whether a path, its symbolic links followed, stays below the workspace."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
