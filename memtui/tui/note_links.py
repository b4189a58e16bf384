"""Links of the note shown: `n` and `p` go from one to the next, `enter` follows, `ctrl+o` jumps back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING

from memtui.notes.links import maybe_links, maybe_wiki_links, real_links, resolve, target_of
from memtui.notes.wiki_names import Names, without_suffix
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
    return note, links_of(
        note, lambda: Names((path, head.title) for path, head in desk.library.heads().items())
    )


def links_of(note: NoteView, names: Callable[[], Names]) -> dict[int, str]:
    """The notes that the lines of a note lead to, by the number of the line from 0; `superseded_by` is one too.

    `names` is asked only for a note that has wiki links. One that means several notes leads to each of them.
    """
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
    for start, path in sorted((*_targets(text, note.row.path), *_named(text, note.row.path, names))):
        listed = found.setdefault(bisect_right(starts, start) - 1, [])
        if path not in listed and BETWEEN not in path:
            listed.append(path)
    return {number: BETWEEN.join(paths) for number, paths in sorted(found.items()) if paths}


def _targets(text: str, at: str) -> Iterator[tuple[int, str]]:
    """Where each Markdown link stands, and the path that it leads to."""
    places = list(maybe_links(text))
    for place in real_links(text, places) if places else ():
        target = target_of(place.written)
        if target is not None:
            yield place.start, resolve(target.path, at)


def _named(text: str, at: str, names: Callable[[], Names]) -> Iterator[tuple[int, str]]:
    """The same of wiki links; the path that a note of this name would have, where there is none."""
    places = maybe_wiki_links(text)
    links = real_links(text, places) if places else []
    if not links:
        return
    known = names()
    for place in links:
        for path in known.meant(place.written, at) or (f"{without_suffix(place.written.strip())}.md",):
            yield place.start, path
