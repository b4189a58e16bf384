"""Who may write: spools and rules as settings hold them (SPEC.md sections 1 and 4, "Gate").

Only plain values and their reading: what a rule decides is `gate/policy.py`'s. What would let a write through,
or lead out of the workspace, counts only in the person's own file or once the workspace's file is trusted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from memtui.settings import NEVER_ALLOWED, Rule, Ruling, SpoolPlace, is_inside, why_no_spool

_RULINGS = ("ask", "allow", "deny")
_OPERATIONS = ("write", "add", "update", "edit", "replace", "rename", *NEVER_ALLOWED)
_KEYS = ("spool", "agent", "operation", "path", "source")
_SPOOL_KEYS = ("name", "path", "ruling")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,39}")
_LONGEST = 200
"""Characters of a pattern."""


@dataclass(slots=True)
class GateSettings:
    """What two settings files say of spools and rules, and what of it does not count."""

    spools: list[SpoolPlace] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def read_gate(
    root: Path,
    own: Mapping[str, Any],
    shared: Mapping[str, Any],
    *,
    trusted: bool,
    taken: Mapping[str, Path],
) -> GateSettings:
    """`[[spools]]` and `[[rules]]` of the person's own file, then of the workspace's; first match wins.

    `taken` holds the workspace's folders: "memory", "spool", "state" and "dot" (its `.memtui`).
    """
    made = GateSettings()
    for settings, free in ((own, True), (shared, trusted)):
        for table in _tables(settings, "spools", made):
            _read_spool(root, table, free, taken, made)
    names = {spool.name for spool in made.spools} | {""}
    for settings, free in ((own, True), (shared, trusted)):
        for number, table in enumerate(_tables(settings, "rules", made), 1):
            _read_rule(number, table, free, names if settings is shared else None, made)
    return made


def _tables(settings: Mapping[str, Any], name: str, made: GateSettings) -> list[dict[str, Any]]:
    value = settings.get(name, [])
    if isinstance(value, list) and all(isinstance(table, dict) for table in value):
        return value
    made.complaints.append(f"the setting {name} must be a list of tables, each under [[{name}]]: none counts")
    return []


# --- spools --------------------------------------------------------------------------------------


def _read_spool(
    root: Path, table: Mapping[str, Any], free: bool, taken: Mapping[str, Path], made: GateSettings
) -> None:
    name = table.get("name")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        made.complaints.append(
            "a spool of [[spools]] has no name, or one that is not of letters, digits, - and _: it is left out"
        )
        return
    if any(spool.name.casefold() == name.casefold() for spool in made.spools):
        made.complaints.append(f"two spools are called {name}: the first one counts")
        return
    for key in table:
        if key not in _SPOOL_KEYS:
            made.complaints.append(f"the spool {name} has a setting {_named(key)} that is not known")
    place = _place_of(root, table, name, free, taken, made)
    if place is None:
        return
    ruling = table.get("ruling", "ask")
    if ruling not in _RULINGS:
        made.complaints.append(f"the ruling of the spool {name} must be ask, allow or deny: it asks")
        ruling = "ask"
    if ruling == "allow" and not free:
        made.ignored.append(f"spools.{name}.ruling")
        ruling = "ask"
    made.spools.append(
        SpoolPlace(
            name, place, cast(Ruling, ruling), ours="path" not in table or (free and is_inside(place, root))
        )
    )


def _place_of(
    root: Path,
    table: Mapping[str, Any],
    name: str,
    free: bool,
    taken: Mapping[str, Path],
    made: GateSettings,
) -> Path | None:
    """The spool's folder; None, and why, where it cannot be used."""
    usual = taken["dot"] / "spools" / name
    given = table.get("path", "")
    if not isinstance(given, str) or (given and not given.isprintable()):
        made.complaints.append(f"the path of the spool {name} must be text: it is left out")
        return None
    path = (root / Path(given).expanduser()).absolute() if given else usual
    if not free and not is_inside(path, root):
        made.ignored.append(f"spools.{name}.path")
        return None
    if other := _in_the_way(path, taken, made.spools):
        made.complaints.append(
            f"the spool {name} ({path}) and {other} lie one inside the other: it is left out until it has a "
            "folder of its own"
        )
        return None
    if path != usual and (why := why_no_spool(path)):
        made.complaints.append(f"the spool {name} is left out: {why}")
        return None
    return path


def _in_the_way(path: Path, taken: Mapping[str, Path], spools: Sequence[SpoolPlace]) -> str:
    """What a spool's folder lies in, or around; "" where it has a place of its own."""
    real = {name: Path(os.path.realpath(other)) for name, other in taken.items()}
    here = Path(os.path.realpath(path))
    if here.is_relative_to(real["memory"]) and not here.is_relative_to(real["dot"]):
        return "the memory folder"
    for name, words in (
        ("memory", "the memory folder"),
        ("dot", "the workspace's own files"),
        ("state", "state"),
    ):
        if real[name].is_relative_to(here):
            return words
    others = [("the workspace's own spool", real["spool"])]
    others += [(f"the spool {spool.name}", Path(os.path.realpath(spool.path))) for spool in spools]
    return next((n for n, p in others if p.is_relative_to(here) or here.is_relative_to(p)), "")


# --- rules ---------------------------------------------------------------------------------------


def _read_rule(
    number: int, table: Mapping[str, Any], free: bool, spools: set[str] | None, made: GateSettings
) -> None:
    """One rule. One that cannot be read in full asks, or counts for nothing: it never allows."""
    known, problem = _matched(table)
    ruling = table.get("ruling")
    if ruling not in _RULINGS:
        problem = problem or "has no ruling, which must be ask, allow or deny"
    rule = Rule(cast(Ruling, ruling if not problem else "ask"), **known)
    if problem:
        then = "it counts for nothing" if ruling == "allow" else "it asks"
        made.complaints.append(f"rule {number} of [[rules]] {problem}: {then}")
        if ruling == "allow":
            return
    elif ruling == "allow" and (why := why_never(rule)):
        made.complaints.append(f"rule {number} of [[rules]] can never allow anything: {why}")
        return
    elif ruling == "allow" and not free:
        made.ignored.append(f"rules {number} ({rule.words})")
        return
    if spools is not None and (unknown := [name for name in rule.spool if name not in spools]):
        made.complaints.append(f"rule {number} of [[rules]] names a spool {unknown[0]} that is not known")
    made.rules.append(rule)


def _matched(table: Mapping[str, Any]) -> tuple[dict[str, tuple[str, ...]], str]:
    """What a rule names, by key, and what is wrong with it, "" for nothing."""
    known: dict[str, tuple[str, ...]] = {}
    problem = ""
    for key, value in table.items():
        values = [value] if isinstance(value, str) else value
        if key == "ruling":
            continue
        if key not in _KEYS:
            problem = f"has a key {_named(key)} that is not known"
        elif not isinstance(values, list) or not values or not all(_is_pattern(each) for each in values):
            problem = f"has a {key} that is no text of at most {_LONGEST} characters, nor a list of such"
        else:
            known[key] = tuple("write" if each == "memory_write" else each for each in values)
    if not problem and (odd := [each for each in known.get("operation", ()) if each not in _OPERATIONS]):
        problem = f"names an operation {_named(odd[0])} that is not known"
    return known, problem


def _is_pattern(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST and (value.isprintable() or not value)


def why_never(rule: Rule) -> str:
    """Why an allowing rule could never allow anything, or would allow far too much; "" where it is sound."""
    if not (rule.spool or rule.operation or rule.path):
        return "agent and source are what a proposal says of itself; name the spool, or a path or operation, as well"
    for pattern in rule.path:
        if is_root_wide(pattern):
            return (
                f"the path {pattern} begins with a wildcard, so it is not bound to a note or folder; name one, or "
                "leave path out and name the spool"
            )
    if rule.operation and all(each in NEVER_ALLOWED for each in rule.operation):
        return f"{rule.operation[0]} is always asked about"
    return ""


def is_root_wide(pattern: str) -> bool:
    """Whether a path pattern has a wildcard before its first `/`."""
    return any(sign in pattern.partition("/")[0] for sign in "*?")


def _named(value: object) -> str:
    """A word out of a settings file, short enough for a sentence."""
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
