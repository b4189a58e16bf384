"""Links of the note shown: `n` and `p` go from one to the next, `enter` follows, `ctrl+o` jumps back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING

from memtui.notes.links import maybe_links, real_links, resolve, target_of
from memtui.proposals.diff_lines import cut
from memtui.review.items import NoteView

if TYPE_CHECKING:
    from memtui.desk import Desk

LARGEST = 256 * 1024
"""Characters of a note beyond which its links are not looked for: a parser takes seconds for more."""
BETWEEN = "\n"
"""Between the targets of one line, which no path that can be followed has in it."""


def load_note(desk: Desk, path: str) -> tuple[NoteView, Mapping[int, str]]:
    """A note and its links. Blocks. Raises FolderError."""
    note = desk.note(path)
    return note, links_of(note)


def links_of(note: NoteView) -> dict[int, str]:
    """The notes that the lines of a note lead to, by the number of the line from 0; `superseded_by` is one too."""
    text = note.text
    if text is None or len(text) > LARGEST:
        return {}
    lines = cut(text).keys
    starts = [0, *accumulate(map(len, lines))]
    found: dict[int, list[str]] = {}
    later = note.fields.get("superseded_by")
    if isinstance(later, str) and later.strip():
        number = next((n for n, line in enumerate(lines) if line.startswith("superseded_by")), -1)
        if number >= 0:
            found[number] = [later.strip()]
    places = list(maybe_links(text))
    for place in real_links(text, places) if places else ():
        target = target_of(place.written)
        if target is not None and BETWEEN not in target.path:
            listed = found.setdefault(bisect_right(starts, place.start) - 1, [])
            if (path := resolve(target.path, note.row.path)) not in listed:
                listed.append(path)
    return {number: BETWEEN.join(paths) for number, paths in sorted(found.items())}
