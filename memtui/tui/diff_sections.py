"""The files, or the one text, that a diff view shows. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from memtui.proposals.diff import FileDiff, Row
from memtui.proposals.diff_lines import cut
from memtui.tui.diff_marks import Partial


class Section(NamedTuple):
    """One file, or one plain text (no heading)."""

    rows: Sequence[Row]
    diff: FileDiff | None
    usual: str
    """The line ending that most lines have: others are worth a mark."""
    parts: Mapping[int, str] = MappingProxyType({})
    """Which change that can be left out by itself a row belongs to, by its index."""
    partial: Partial = Partial(())
    """Its rows of which only what is marked changed."""


def section_of(diff: FileDiff, parts: Mapping[int, str] = MappingProxyType({})) -> Section:
    counted = Counter(row.ending for row in diff.rows)
    counted.pop("none", None)
    return Section(
        diff.rows, diff, counted.most_common(1)[0][0] if counted else "lf", parts, Partial(diff.rows)
    )


def section_of_text(text: str, links: Mapping[int, str] = MappingProxyType({})) -> Section:
    """A text that is not compared with anything; `links` says where its lines lead to, by their index."""
    side = cut(text)
    rows = [
        Row(" ", n + 1, n + 1, line, ending)
        for n, (line, ending) in enumerate(zip(side.texts, side.endings, strict=True))
    ]
    return Section(rows, None, "lf", links)
