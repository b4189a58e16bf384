"""Splices give back every byte, and stay small."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.storage.splice import Splice, reverse, splice, splices

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"d", b"\n", b"\r", b"\xff\n"]), max_size=12)


@settings(max_examples=200)
@given(LINES, LINES)
def test_splices_turn_one_text_into_the_other_and_back(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    found = splices(before, after)
    assert splice(before, found) == after
    assert splice(after, reverse(found)) == before
    assert (found == ()) == (before == after)


def test_a_moved_and_a_changed_line_of_a_long_file_cost_only_themselves() -> None:
    lines = [b"- [t%d](f%d.md) - fact, [a], hook %d\n" % (i, i, i) for i in range(3000)]
    moved = [*lines[:100], *lines[101:2500], lines[100], *lines[2500:]]
    moved[1200] = b"- changed\n"
    found = splices(b"".join(lines), b"".join(moved))
    assert splice(b"".join(lines), found) == b"".join(moved)
    assert sum(len(s.removed) + len(s.inserted) for s in found) < 300


def test_a_splice_that_does_not_fit_is_refused() -> None:
    assert splice(b"abc", [Splice(1, b"x", b"y")]) is None
    assert splice(b"abc", [Splice(1, b"b", b"xx"), Splice(3, b"c", b"")]) == b"axx"
