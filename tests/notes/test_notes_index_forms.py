"""index.md: lines in a form of their own change where the named part is found surely, and stay otherwise."""

from __future__ import annotations

import pytest

from memtui.notes import index
from memtui.notes.lines import KeyedLine


def compose(text: str, **changes: object) -> KeyedLine:
    usual: dict[str, object] = {
        "title": "T",
        "filename": "t.md",
        "type": "fact",
        "tags": ("x", "y"),
        "hook": "hook",
        "deprecated": False,
    }
    return index.compose(text.encode(), **(usual | changes))  # type: ignore[arg-type]


PAGE = "## Entries\n\n{}\n\nwords\n\n## Deprecated\n"
FORMS = [
    "* [T](t.md): hook",
    "- **[T](t.md)** all about it",
    "- _[T](<t.md>)_ — fact; x",
    "1. [T](t.md) — fact, [x, y], hook",
    "12) [T](t.md) and words",
    "- [ ] [T](t.md) — fact, [x, y], hook",
    "* [X] **[T](t.md)** — hook",
    "| [T](t.md) | fact | x, y | hook |",
    "|[T](t.md)|fact",
    "  | **[T](t.md)** | hook |",
]


@pytest.mark.parametrize("line", FORMS)
def test_the_text_of_the_link_is_replaced_alone_and_the_line_can_go(line: str) -> None:
    text = PAGE.format(line)
    found = index.read_index(text.encode()).get("t.md")
    assert found is not None
    same = {"type": found.type, "tags": found.tags, "hook": found.hook}
    after = compose(text, title="A | B", **same)
    written = r"A \| B" if "|" in line else "A | B"
    assert after.text == line.replace("[T]", f"[{written}]")
    result = index.set_line(text.encode(), "t.md", found.line, after)
    assert result.decode() == PAGE.format(after.text)
    entry = index.read_index(result).get("t.md")
    assert entry is not None
    assert (entry.title, entry.type, entry.hook) == ("A | B", found.type, found.hook)
    assert index.set_line(result, "t.md", after, found.line) == text.encode()
    gone = index.set_line(text.encode(), "t.md", found.line, None)
    assert gone.decode() == text.replace(f"{line}\n", "")
    assert index.set_line(gone, "t.md", None, found.line) == text.encode()


def test_the_row_of_a_table_neither_moves_nor_bears_a_mark_at_its_end() -> None:
    row = "| [T](t.md) | fact |"
    moved = compose(PAGE.format(row), title="T", type="", tags=(), hook="| fact |", deprecated=True)
    assert (moved.text, moved.section) == (row, "entries")
    text = f"## Entries\n\n{row}\n\n- [A](a.md) — fact, [x], h [deprecated]\n"
    marked = compose(text, title="T", type="", tags=(), hook="| fact |", deprecated=True)
    assert marked.text == "| [T](t.md) [deprecated] | fact |"


@pytest.mark.parametrize("other", ["1. [T](t.md)", "| [T](t.md) | first |"])
def test_a_line_in_another_form_gives_way_to_the_usual_one(other: str) -> None:
    text = f"## Entries\n\n{other}\n\n- [T](t.md) — fact, [x, y], hook\n"
    found = index.read_index(text.encode())
    assert found.duplicates == ()
    assert [entry.line.text for entry in found.entries] == ["- [T](t.md) — fact, [x, y], hook"]


@pytest.mark.parametrize(
    ("last", "lead"),
    [
        ("* [A](a.md)", "* "),
        ("+ [A](a.md)", "+ "),
        ("-   [A](a.md)", "-   "),
        ("- [ ] [A](a.md)", "- "),
        ("3. [A](a.md)", "- "),
        ("| [A](a.md) |", "- "),
        ("  - [A](a.md)", "- "),
        ("- [deprecated] [A](a.md)", "- "),
    ],
)
def test_a_new_line_takes_the_bullet_of_the_list(last: str, lead: str) -> None:
    assert compose(f"## Entries\n\n{last}\n", filename="n.md").text.startswith(f"{lead}[T](n.md)")


LINE = "## Entries\n- [T](t.md) — fact, {}\n"


@pytest.mark.parametrize(
    ("words", "own", "dictionary", "unsure"),
    [
        ("health, food, hook words", ("health", "food"), ("health", "food"), False),
        ("food, health, vegan, since 2019", ("health", "food"), ("health", "food", "vegan"), False),
        ("health, vegan, since 2019", ("health", "food"), ("health", "food"), False),
        ("health, vegan, since 2019", ("health", "food"), ("health", "food", "vegan"), True),
        ("health, vegan, since 2019", ("health", "food"), (), True),
        ("vegan, since 2019", ("health", "food"), ("health", "food"), True),
        ("vegan, food, since 2019", ("health", "food"), ("health", "food"), True),
        ("health, food, vegan, food, x", ("health", "food"), ("health", "food"), True),
        ("health, food, x", ("health", "food", "sport"), ("health",), False),
        ("[health], vegan, since 2019", ("health", "food"), ("vegan",), False),
    ],
)
def test_bare_tags_and_a_hook_are_told_apart_only_where_that_is_sure(
    words: str, own: tuple[str, ...], dictionary: tuple[str, ...], unsure: bool
) -> None:
    (entry,) = index.read_index(LINE.format(words).encode()).entries
    assert entry.is_unsure(own, dictionary) == unsure
