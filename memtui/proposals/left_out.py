"""Partial accept: the changes of a note that a person can leave out, and the note without them (SPEC.md section 4).

A part is what a reader sees as one change: a field of the frontmatter, or a run of lines. The rules of the operation
work on the text that is left, so the date, the change log and the index follow by themselves. Pure.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.proposals.model import FileChange, Json, Plan

if TYPE_CHECKING:
    from memtui.proposals.diff_lines import Block

_FIELD = re.compile(r"([^\s#:-][^:]*?)\s*:(?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class Part:
    """One change of a note that can be left out by itself."""

    key: str
    """The same for the same change, wherever its lines stand."""
    path: str
    start: int
    """The first old line that it is about, from 0; an insertion stands before it."""
    old: tuple[str, ...]
    """The lines as they were, with their endings; none of an insertion."""
    new: tuple[str, ...]
    field: str = ""
    """The frontmatter's field that it is, "" for lines of the text."""
    out: bool = False
    """The person left it out: its lines stay as they were."""

    @property
    def end(self) -> int:
        """The old line after its last one."""
        return self.start + len(self.old)


def leave_out(
    path: str, before: bytes | None, after: bytes, wanted: Collection[str]
) -> tuple[bytes, tuple[Part, ...]]:
    """The text that is left of `after` without the parts whose keys are `wanted`, and all its parts.

    A new note is one piece and has no parts. Every byte outside the parts left out is that of `after`.
    """
    if before is None or before == after:
        return after, ()
    from memtui.proposals.diff_lines import align, cut

    old, new = (cut(data.decode("utf-8", "surrogateescape")).keys for data in (before, after))
    blocks, _ = align(old, new)
    pieces = [piece for block in blocks for piece in _pieces(block, old, new, (before, after))]
    found: list[Part] = []
    text: list[str] = []
    at = 0
    seen: Counter[str] = Counter()
    for (a, b, c, d), field in pieces:
        gone, come = tuple(old[a:b]), tuple(new[c:d])
        key = _key(gone, come, seen)
        out = key in wanted
        found.append(Part(key, path, a, gone, come, field, out))
        text += [*new[at:c], *(gone if out else come)]
        at = d
    text += new[at:]
    return "".join(text).encode("utf-8", "surrogateescape"), tuple(found)


def parts(made: Plan) -> tuple[Part, ...]:
    """What of a plan's note can be left out by itself, and what of it is; nothing of a plan with problems."""
    note = next((change for change in made.changes if isinstance(change, FileChange)), None)
    if note is None or made.wanted is None:
        return ()
    return leave_out(note.path, note.before, made.wanted, made.left_out)[1]


def told(made: Plan) -> list[Json]:
    """What an agent is told of the parts that were left out, in words and as text."""
    if not made.left_out:
        return []
    return [
        {
            "path": part.path,
            "field": part.field or None,
            "line": part.start + 1,
            "message": _message(part),
            "before": "".join(part.old),
            "after": "".join(part.new),
        }
        for part in parts(made)
        if part.out
    ]


def _message(part: Part) -> str:
    if part.field:
        what = (
            f"the field `{part.field}` was not added" if not part.old else f"the field `{part.field}` stays"
        )
        return f"{what}: this change of {part.path} was left out"
    if not part.old:
        return f"nothing was added at line {part.start + 1} of {part.path}: this change was left out"
    lines = f"line {part.start + 1}" if len(part.old) == 1 else f"lines {part.start + 1} to {part.end}"
    verb = "stays" if len(part.old) == 1 else "stay"
    return f"{lines} of {part.path} {verb} as before: this change was left out"


def _key(old: Sequence[str], new: Sequence[str], seen: Counter[str]) -> str:
    text = "\0".join(("".join(old), "".join(new)))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    seen[digest] += 1
    return f"{digest}.{seen[digest]}"


# --- fields ---------------------------------------------------------------------------------------


def _pieces(
    block: Block, old: Sequence[str], new: Sequence[str], sides: tuple[bytes, bytes]
) -> Iterator[tuple[Block, str]]:
    """A block of changed lines, of the frontmatter field by field, with the field's name."""
    a, b, c, d = block
    if b <= _head_lines(sides[0]) and d <= _head_lines(sides[1]):
        mine, theirs = _fields(old, a, b), _fields(new, c, d)
        if mine is not None and theirs is not None:
            yield from _matched(mine, theirs, block)
            return
    yield block, ""


def _head_lines(data: bytes) -> int:
    """Lines of the frontmatter with its delimiters, 0 where there is none that can be read."""
    from memtui.notes import frontmatter
    from memtui.proposals.diff_lines import cut

    read = frontmatter.read(data)
    if read.kind != "yaml" or read.problem:
        return 0
    return len(cut(data[: read.body_start].decode("utf-8", "surrogateescape")).keys)


def _fields(lines: Sequence[str], start: int, end: int) -> list[tuple[str, int, int]] | None:
    """The fields that lines are made of, each with its lines; None where they do not begin with one."""
    found: list[tuple[str, int, int]] = []
    for number in range(start, end):
        name = _FIELD.match(lines[number].removeprefix("\ufeff"))
        if name:
            found.append((name[1].strip("\"'"), number, number + 1))
        elif not found:
            return None
        else:
            found[-1] = (found[-1][0], found[-1][1], number + 1)
    names = [name for name, _, _ in found]
    return found if len(set(names)) == len(names) else None


def _matched(
    old: Sequence[tuple[str, int, int]], new: Sequence[tuple[str, int, int]], block: Block
) -> Iterator[tuple[Block, str]]:
    """Each field of either side as a block of its own; the block whole where they stand in another order."""
    mine, theirs = {name for name, _, _ in old}, {name for name, _, _ in new}
    if [n for n, _, _ in old if n in theirs] != [n for n, _, _ in new if n in mine]:
        yield block, ""
        return
    a, _, c, _ = block
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and old[i][0] not in theirs:
            name, start, end = old[i]
            yield (start, end, c, c), name
            a, i = end, i + 1
        elif j < len(new) and new[j][0] not in mine:
            name, start, end = new[j]
            yield (a, a, start, end), name
            c, j = end, j + 1
        else:
            name, start, end = old[i]
            _, first, last = new[j]
            yield (start, end, first, last), name
            a, c, i, j = end, last, i + 1, j + 1
