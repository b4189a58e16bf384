"""What is true of a workspace once it was recovered, and the rules that must hold whatever happened to it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memtui.desk import Desk
from tests.faults.acts import OUTSIDE, open_desk
from tests.support import snapshot


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that counts; two workspaces in the same state have equal facts."""

    memory: dict[str, bytes | None]
    """Every file with its bytes, every folder with None."""
    spool: dict[str, bytes]
    decisions: dict[str, Any]
    inbox: tuple[tuple[str, str], ...]
    waiting: tuple[tuple[str, str, str], ...]
    refusals: tuple[tuple[str, str], ...]
    log: tuple[Any, ...]
    faults: tuple[str, ...] = field(compare=False)
    """What breaks a rule by itself, a sentence each."""


def recovered(root: Path) -> Facts:
    """Recovers as every start does, twice, and looks. The second time must change nothing."""
    faults: list[str] = []
    with open_desk(root) as desk:
        desk.take_in()
        facts = _look(root, desk, faults)
    before = _disk(root)
    with open_desk(root) as desk:
        desk.take_in()
        again = _look(root, desk, [])
    if _disk(root) != before or again != facts:
        faults.append(f"a second recovery changed {_difference(facts, again) or 'the files'}")
    return Facts(**{**_fields(facts), "faults": tuple(faults)})


def difference(one: Facts, other: Facts) -> str:
    """Where two states differ, for a message."""
    return _difference(one, other)


def _look(root: Path, desk: Desk, faults: list[str]) -> Facts:
    dot, memory = root / ".memtui", root / "memory"
    decisions = {path.stem: json.loads(path.read_bytes()) for path in (dot / "spool/decisions").iterdir()}
    records = desk.journal.records()
    facts = Facts(
        memory={
            str(path.relative_to(memory)): path.read_bytes() if path.is_file() else None
            for path in sorted(memory.rglob("*"))
        },
        spool={path.name: path.read_bytes() for path in (dot / "spool").iterdir() if path.is_file()},
        decisions=decisions,
        inbox=tuple(sorted((item.id, item.state) for item in desk.items())),
        waiting=tuple(sorted((row.id, row.file, row.file_sha256) for row in desk.journal.waiting())),
        refusals=tuple(sorted((refusal.id, refusal.verdict) for refusal in desk.refusals())),
        log=tuple(
            (
                record.kind,
                record.undone_by is not None,
                tuple((_known(i.id), i.verdict) for i in record.items),
            )
            for record in reversed(records)
        ),
        faults=(),
    )
    faults += _unruly(root, desk, facts)
    return facts


def _unruly(root: Path, desk: Desk, facts: Facts) -> list[str]:
    findings = [finding for finding in desk.check() if not finding.advice]
    found = [f"check says: {finding.file}: {finding.message}" for finding in findings]
    found += [f"stuck: {sentence}" for sentence in desk.stuck]
    found += [f"decision {record.number} is not finished" for record in desk.journal.unfinished()]
    found += [
        f"{p} was left behind" for p in root.parent.rglob(".*") if p.name.startswith((".memtui-", ".aside"))
    ]
    for name, (data, _) in snapshot(root.parent).items():
        if not name.startswith(f"{root.name}/") and (name, data) != OUTSIDE:
            found.append(f"{name} outside the workspace changed")
    if sorted(path.name for path in root.iterdir()) != [".memtui", "memory"]:
        found.append("something in the workspace changed beside the memory folder")
    pending = {id for id, _ in facts.inbox}
    if pending != {id for id, _, _ in facts.waiting}:
        found.append("inbox and journal disagree on what is pending")
    for id, file, _ in facts.waiting:
        if file not in facts.spool:
            found.append(f"{id} is pending, and its file is not in the spool")
    found += [
        _state_of(desk, facts, id, id in pending)
        for record in facts.log
        for id, _ in record[2]
        if id != "you"
    ]
    found += [f"the file of {name} is nobody's" for name in facts.spool if name not in _files(facts)]
    return [sentence for sentence in found if sentence]


def _known(id: str) -> str:
    """An id, without the time that is in those of the person's own changes."""
    return "you" if id.startswith("you-") else id


def _files(facts: Facts) -> set[str]:
    return {file for _, file, _ in facts.waiting}


def _state_of(desk: Desk, facts: Facts, id: str, pending: bool) -> str:
    """One proposal that was decided at some time: it is pending or decided, never both, and the agent knows."""
    item = desk.journal.latest_item(id)
    assert item is not None
    if pending and item.verdict in ("approved", "rejected"):
        return f"{id} is pending and {item.verdict}"
    if not pending and item.verdict == "undone" and item.file:
        return f"{id} was taken back and does not wait"
    if item.file and facts.decisions.get(id) != item.answer:
        return f"the decision file of {id} is not what the journal says"
    standing = [record for record in facts.log if not record[1] and (id, "approved") in record[2]]
    return f"{id} was approved {len(standing)} times" if len(standing) > 1 else ""


def _disk(root: Path) -> dict[str, tuple[bytes, int]]:
    """Files with bytes and times; the journal's own files aside, whose log is emptied at each end."""
    return {name: seen for name, seen in snapshot(root).items() if "journal.db" not in name}


def _fields(facts: Facts) -> dict[str, Any]:
    return {name: getattr(facts, name) for name in Facts.__slots__}


def _difference(one: Facts, other: Facts) -> str:
    parts = []
    for name in Facts.__slots__:
        mine, its = getattr(one, name), getattr(other, name)
        if name == "faults" or mine == its:
            continue
        if isinstance(mine, dict):
            keys = [key for key in sorted({*mine, *its}) if mine.get(key, "-") != its.get(key, "-")]
            parts.append(f"{name} {keys}")
        else:
            parts.append(
                f"{name} {[x for x in mine if x not in its]} against {[x for x in its if x not in mine]}"
            )
            if sorted(map(repr, mine)) != sorted(map(repr, its)) and parts[-1].endswith("[] against []"):
                parts[-1] = f"{name}: {len(mine)} against {len(its)}"
    return "; ".join(parts)
