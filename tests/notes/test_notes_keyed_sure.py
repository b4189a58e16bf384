"""A line that is sure to be read back really is: the quick way never lets through what a look would stop."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes import index, keyed, tags
from memtui.notes.lines import KeyedLine
from memtui.notes.sheet import Grammar, scan

_INDEX = index._GRAMMAR
_TAGS = tags._GRAMMAR

_INDEX_LINES = (
    "# Memory index",
    "## Entries",
    "### Deprecated",
    "## Deprecated",
    "## Other",
    "- [A](a.md) — fact, [x, y], a hook",
    "- [B](b.md) — fact, [x, y], a hook",
    "  - [C](c.md) — fact, [x, y], a hook",
    "- [A](a.md) — fact, [x, y], again",
)
_TAG_LINES = (
    "# Tag dictionary",
    "## L1 — top",
    "## L2 — sub",
    "### under #food",
    "## L3 — objects",
    "- **#food** — what is eaten.",
    "- **#tea** — a drink. Not to be confused with #food.",
    "- **#tea** — again.",
)
_ODD = (
    "",
    " ",
    "text",
    "    indented",
    "  more of an item",
    "```",
    "~~~",
    "- ```",
    "1. ~~~~",
    "  ```",
    "<!--",
    "-->",
    "<!-- closed -->",
    "text <!-- open",
    "open --> text",
    "`code` <!-- text",
    "> quote",
    "    # no heading",
)
_ENDINGS = st.sampled_from(("\n", "\n", "\n", "\r\n", "\r", ""))


def _documents(opening: str, lines: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Files that begin with a section, or anyhow; keyed lines and odd ones in them."""
    line = st.sampled_from((*lines, *lines, *_ODD))
    pairs = st.lists(st.tuples(line, _ENDINGS), max_size=9)

    def joined(made: tuple[str, list[tuple[str, str]]]) -> str:
        start, pairs = made
        *first, last = [(text, ending) for text, ending in pairs] or [("", "")]
        return start + "".join(text + (ending or "\n") for text, ending in first) + "".join(last)

    return st.tuples(st.sampled_from((opening, opening, "")), pairs).map(joined)


_NEW_INDEX_LINES = (
    ("a.md", "- [A](a.md) — fact, [x, y], another"),
    ("b.md", "  - [B](b.md) — fact, [x, y], another"),
    ("n.md", "- [N](n.md) — fact, [x, y], new"),
    ("n.md", "    - [N](n.md) — fact, [x, y], new"),
    ("n.md", "* [N](n.md) — fact, [x, y], `new`"),
    ("n.md", "- [N](n.md) <!-- x"),
    ("n.md", "- [N](n.md) -->"),
    ("n.md", "- [N](n.md) — ```"),
    ("n.md", "## Deprecated"),
    ("n.md", "- [B](b.md) — fact, [x, y], of another"),
)
_NEW_TAG_LINES = (
    ("food", "- **#food** — all that is eaten."),
    ("tea", "  - **#tea** — hot."),
    ("new", "- **#new** — a tag."),
    ("new", "- **#new** — a tag ```"),
    ("new", "- **#new** <!-- a tag"),
    ("new", "- **#tea** — of another."),
)


def _check(text: str, new: tuple[str, str], section: str, above: str | None, grammar: Grammar) -> None:
    key, line = new
    sheet = scan(text, grammar)
    after = KeyedLine(line, section, above)
    spots = sheet.find(key)
    present = spots[0] if len(spots) == 1 and spots[0].section else None
    if not any(spot.section for spot in spots):
        candidates = keyed._inserted(sheet, key, after, grammar)
    elif len(spots) == 1 and spots[0].section == section:
        after = replace(after, below=sheet.below(spots[0]))
        candidates = [keyed._replaced(sheet, spots[0], key, after, grammar)]
    else:
        return
    for made, sure in candidates:
        if sure:
            assert keyed._reads_back(sheet, present, scan(made, grammar), key, after)


@settings(max_examples=300)
@given(
    _documents("## Entries\n\n", _INDEX_LINES),
    st.sampled_from(_NEW_INDEX_LINES),
    st.sampled_from(("entries", "entries", "deprecated")),
    st.sampled_from((None, "a.md", "b.md", "\n0", "\n1", "a.md\n1", "b.md\n2", "a.md\n1 cr")),
)
def test_a_sure_index_line_is_read_back(
    text: str, new: tuple[str, str], section: str, above: str | None
) -> None:
    _check(text, new, section, above, _INDEX)


@settings(max_examples=300)
@given(
    _documents("## L1 — top\n", _TAG_LINES),
    st.sampled_from(_NEW_TAG_LINES),
    st.sampled_from(("L1", "L1", "L2", "L2 food", "L3")),
    st.sampled_from((None, "food", "tea", "\n0", "\n1", "food\n1", "tea\n2")),
)
def test_a_sure_tag_line_is_read_back(
    text: str, new: tuple[str, str], section: str, above: str | None
) -> None:
    _check(text, new, section, above, _TAGS)


def test_a_plain_line_in_a_plain_index_is_sure() -> None:
    text = "# Memory index\n\n## Entries\n\n- [A](a.md) — fact, [x, y], a hook\n"
    sheet = scan(text, _INDEX)
    new = KeyedLine("- [N](n.md) — fact, [x, y], new", "entries", "a.md")
    assert all(sure for _, sure in keyed._inserted(sheet, "n.md", new, _INDEX))
    same = KeyedLine("- [A](a.md) — fact, [x, y], another", "entries", None)
    assert keyed._replaced(sheet, sheet.find("a.md")[0], "a.md", same, _INDEX)[1]
