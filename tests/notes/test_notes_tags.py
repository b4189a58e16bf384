"""tags.md: the three-level tree, each line in its alphabetical place, and no other byte touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes import tags
from memtui.notes.lines import KeyedLine, LineConflict

HEADING = re.compile(rb"(?m)^(?:\xef\xbb\xbf)?#")
DICTIONARY = """\
# Tag dictionary

## L1 — top categories

- **#family** — partner, children, parents.
- **#health** — body, sleep, diet.
- **#work** — career and projects.

## L2 — subcategories

### under #health
- **#food** — what is eaten and what is not.

### under #work
- **#beliefs** — what is held to be true. Not to be confused with #patterns.
- **#patterns** — what is done again and again. Not to be confused with #beliefs.

## L3 — concrete objects
"""


def compose(data: bytes | None, name: str, **changes: object) -> KeyedLine:
    usual: dict[str, object] = {"level": 1, "parent": "", "description": "x", "not_to_be_confused_with": ()}
    return tags.compose(data, name=name, **(usual | changes))  # type: ignore[arg-type]


def add(text: str | None, name: str, **changes: object) -> str:
    """Compose a tag's line and set it; check that taking it back restores a file that had the heading."""
    data = None if text is None else text.encode()
    present = tags.read_tags(data).tags.get(tags.normalise(name))
    before = present.line if present else None
    after = compose(data, name, **changes)
    result = tags.set_line(data, name, before, after)
    if data and len(HEADING.findall(result)) == len(HEADING.findall(data)):
        assert tags.set_line(result, name, after, before) == data
    return result.decode()


# --- reading -------------------------------------------------------------------------------------


def test_the_tree_is_read() -> None:
    found = tags.read_tags(DICTIONARY.encode())
    assert [(tag.name, tag.level, tag.parent) for tag in found.tags.values()] == [
        ("family", 1, ""),
        ("health", 1, ""),
        ("work", 1, ""),
        ("food", 2, "health"),
        ("beliefs", 2, "work"),
        ("patterns", 2, "work"),
    ]
    assert found.tags["beliefs"].description == "what is held to be true."
    assert found.tags["beliefs"].not_to_be_confused_with == ("patterns",)
    assert found.tags["food"].line.section == "L2 health"
    assert found.duplicates == ()


@pytest.mark.parametrize(
    ("line", "name", "description", "confused"),
    [
        ("- **#a** — text.", "a", "text.", ()),
        ("* **#a** - text", "a", "text", ()),
        ("- __#a__: text", "a", "text", ()),
        ("- **#a:** text", "a", "text", ()),
        ("- **#a**", "a", "", ()),
        ("- **#Side Project** — x", None, "", ()),
        ("- **#Side-Project** — x", "side-project", "x", ()),
        ("- **#здоровье** — тело.", "здоровье", "тело.", ()),
        ("- **#健康** — 身体。", "健康", "身体。", ()),
        ("- **#c++** — x", "c++", "x", ()),
        ("- **#a** — Not to be confused with #b.", "a", "", ("b",)),
        ("- **#a** — x. not to be confused with #b, #c and #d.", "a", "x.", ("b", "c", "d")),
        ("- **#a** — x. Not to be confused with #b — c is what #d is.", "a", "x.", ("b",)),
        ("- #a — text", None, "", ()),
        ("- **a** — text", None, "", ()),
        ("    - **#a** — text", None, "", ()),
    ],
)
def test_a_line_is_read(line: str, name: str | None, description: str, confused: tuple[str, ...]) -> None:
    found = list(tags.read_tags(f"## L1\n{line}\n".encode()).tags.values())
    assert [(t.name, t.description, t.not_to_be_confused_with) for t in found] == (
        [(name, description, confused)] if name else []
    )


def test_lines_in_comments_and_fences_are_examples() -> None:
    text = "```\n- **#tag** — x\n```\n## L1\n<!-- e.g.\n- **#a** — x\n### under #p\n-->\n- **#b** — x\n"
    assert list(tags.read_tags(text.encode()).tags) == ["b"]


def test_a_flat_list_without_levels_counts_as_level_one_and_keeps_its_place() -> None:
    text = "# Tags\n- **#b** — x.\n- **#a** — y.\n"
    found = tags.read_tags(text.encode())
    assert [(tag.name, tag.level) for tag in found.tags.values()] == [("b", 1), ("a", 1)]
    assert add(text, "a", description="new") == "# Tags\n- **#b** — x.\n- **#a** — new.\n"


def test_a_tag_on_two_lines_is_never_guessed_at() -> None:
    data = b"## L1\n- **#a** x\n## L2\n- **#A** y\n"
    found = tags.read_tags(data)
    assert found.duplicates == ("a",)
    with pytest.raises(LineConflict, match="has 2 lines for a"):
        tags.set_line(data, "a", found.tags["a"].line, None)


def test_bytes_that_are_not_utf8_are_read_but_never_changed() -> None:
    data = b"## L1\n- **#a** caf\xe9\n"
    assert list(tags.read_tags(data).tags) == ["a"]
    with pytest.raises(LineConflict, match="not valid UTF-8"):
        compose(data, "b")
    with pytest.raises(LineConflict, match="not valid UTF-8"):
        tags.set_line(data, "b", None, KeyedLine("- **#b** x", "L1"))


# --- writing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "level", "parent", "above", "below"),
    [
        ("aa", 1, "", "top categories\n\n", "- **#family**"),
        ("Goals", 1, "", "parents.\n", "- **#health**"),
        ("zoo", 1, "", "projects.\n", "\n## L2"),
        ("fasting", 2, "health", "### under #health\n", "- **#food**"),
        ("yoga", 2, "health", "is not.\n", "\n### under #work"),
        ("diet", 2, "family", "subcategories\n\n### under #family\n", "\n### under #health"),
        ("team", 2, "people", "is not.\n\n### under #people\n", "\n### under #work"),
        ("x", 2, "zoo", "#beliefs.\n\n### under #zoo\n", "\n## L3"),
        ("x", 2, "", "subcategories\n\n", "\n### under #health"),
        ("paris", 3, "", "concrete objects\n\n", ""),
        ("paris", 3, "travel", "concrete objects\n\n### under #travel\n", ""),
    ],
)
def test_a_new_tag_stands_in_alphabetical_place(
    name: str, level: int, parent: str, above: str, below: str
) -> None:
    result = add(DICTIONARY, name, level=level, parent=parent, description="new")
    line = f"- **#{tags.normalise(name)}** — new.\n"
    assert above + line + below in result
    if not below:
        assert result.endswith(line)
    tag = tags.read_tags(result.encode()).tags[tags.normalise(name)]
    assert (tag.level, tag.parent) == (level, parent)


def test_a_list_in_no_order_takes_new_tags_at_its_end() -> None:
    text = "## L1\n- **#b** x.\n- **#a** x.\n\nwords\n"
    assert add(text, "aa") == "## L1\n- **#b** x.\n- **#a** x.\n- **#aa** — x.\n\nwords\n"


@pytest.mark.parametrize("data", [None, ""])
def test_a_missing_dictionary_is_made(data: str | None) -> None:
    assert add(data, "food", level=2, parent="health", description="what is eaten") == (
        "# Tag dictionary\n\n## L1 — top categories\n\n## L2 — subcategories\n\n### under #health\n"
        "- **#food** — what is eaten.\n\n## L3 — concrete objects\n"
    )


@pytest.mark.parametrize(
    ("before", "level", "after"),
    [
        ("words\n", 1, "words\n\n## L1 — top categories\n\n- **#n** — x.\n"),
        ("words", 1, "words\n\n## L1 — top categories\n\n- **#n** — x."),
        ("## L3\r\n", 1, "## L1 — top categories\r\n\r\n- **#n** — x.\r\n\r\n## L3\r\n"),
        ("## L1\n\n## L3\n", 2, "## L1\n\n## L2 — subcategories\n\n- **#n** — x.\n\n## L3\n"),
        ("## L1\n## L2\n", 3, "## L1\n## L2\n\n## L3 — concrete objects\n\n- **#n** — x.\n"),
    ],
)
def test_a_missing_level_is_made_in_its_order(before: str, level: int, after: str) -> None:
    assert add(before, "n", level=level) == after


def test_a_tag_moves_where_its_level_or_parent_changes_and_stays_otherwise() -> None:
    assert add(DICTIONARY, "food", level=2, parent="health", description="eating") == DICTIONARY.replace(
        "what is eaten and what is not.", "eating."
    )
    moved = add(DICTIONARY, "food", level=2, parent="work", description="eating")
    assert (
        "#beliefs** — what is held to be true. Not to be confused with #patterns.\n- **#food** — eating.\n"
        in moved
    )
    same = tags.read_tags(DICTIONARY.encode()).tags["beliefs"]
    assert same.line == compose(
        DICTIONARY.encode(),
        "beliefs",
        level=2,
        parent="work",
        description="what is held to be true",
        not_to_be_confused_with=("patterns",),
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("- **#a** — x.", "- **#a** — x. Not to be confused with #b."),
        ("- **#a** — x", "- **#a** — x. Not to be confused with #b."),
        ("- **#a** — да!  ", "- **#a** — да! Not to be confused with #b."),
        ("- **#a**", "- **#a** — Not to be confused with #b."),
        ("- **#a** — ", "- **#a** — Not to be confused with #b."),
        ("- **#a** — x. Not to be confused with #c.", "- **#a** — x. Not to be confused with #c, #b."),
        ("- **#a** — x. Not to be confused with #c", "- **#a** — x. Not to be confused with #c, #b"),
        (
            "- **#a** — x. Not to be confused with #c — c is y.",
            "- **#a** — x. Not to be confused with #c, #b — c is y.",
        ),
        ("- **#a** — x. Not to be confused with #c, #b.", "- **#a** — x. Not to be confused with #c, #b."),
    ],
)
def test_a_confusion_is_added_to_a_line(text: str, after: str) -> None:
    assert tags.with_confusion(text, "#B") == after
    assert tags.with_confusion(after, "b") == after


@pytest.mark.parametrize(
    ("tag", "normal"),
    [
        ("#Health", "health"),
        ("  ## Side   Project ", "side-project"),
        ("Здоровье", "здоровье"),
        ("cafe\u0301", "café"),
        ("İstanbul", "i̇stanbul"),
        ("c#", "c#"),
        ("#", ""),
        ("健康 管理", "健康-管理"),
    ],
)
def test_tags_are_normalised(tag: str, normal: str) -> None:
    assert tags.normalise(tag) == normal


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=20))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert tags.normalise(tags.normalise(text)) == tags.normalise(text)


@pytest.mark.parametrize(
    ("tag", "known", "reason"),
    [
        ("health", "Health", "case"),
        ("side-project", "side_project", "case"),
        ("sideproject", "side-project", "case"),
        ("sports", "sport", "plural"),
        ("hobbies", "hobby", "plural"),
        ("boxes", "box", "plural"),
        ("running", "run", "stem"),
        ("travelling", "travel", "stem"),
        ("привычки", "привычка", "stem"),
        ("еды", "еда", "stem"),
        ("едой", "еда", "stem"),
        ("коты", "кот", "stem"),
        ("семьи", "семья", "stem"),
        ("γάτες", "γάτα", "stem"),
        ("helth", "health", "one edit away"),
        ("haelth", "health", "one edit away"),
    ],
)
def test_near_duplicates_are_named_with_the_reason(tag: str, known: str, reason: str) -> None:
    assert tags.near(tag, ("psychology", known)) == ((known, reason),)


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("health", "health"),
        ("food", "sport"),
        ("ai", "ml"),
        ("健康", "家族"),
        ("bus", "bug"),
        ("кот", "год"),
        ("дом", "дол"),
    ],
)
def test_what_is_no_near_duplicate(tag: str, known: str) -> None:
    assert tags.near(tag, (known,)) == ()


# --- properties ----------------------------------------------------------------------------------

NAMES = ["a", "b", "c", "d", "Ж"]
ROW = st.one_of(
    st.sampled_from(NAMES).map(lambda name: f"- **#{name}** — x."),
    st.sampled_from(
        [
            "",
            "",
            "words",
            "  more",
            "## L1",
            "## L2 — sub",
            "## L3",
            "### under #a",
            "### under #c",
            "### Notes",
            "## Notes",
            "```",
            "<!--",
            "-->",
            "# Tags",
        ]
    ),
)
DOCUMENT = st.tuples(
    st.sampled_from(["", "\ufeff"]),
    st.lists(st.tuples(ROW, st.sampled_from(["\n", "\n", "\n", "\r\n"])), max_size=14),
    st.booleans(),
).map(lambda d: d[0] + "".join(row + end for row, end in d[1])[: None if d[2] else -1])


@settings(max_examples=200, deadline=None)
@given(
    text=DOCUMENT,
    name=st.sampled_from([*NAMES, "new"]),
    level=st.integers(1, 3),
    parent=st.sampled_from(["", "a", "b", "c"]),
)
def test_what_is_set_can_be_taken_back_exactly(text: str, name: str, level: int, parent: str) -> None:
    data = text.encode()
    found = tags.read_tags(data)
    key = tags.normalise(name)
    if key in found.duplicates:
        return
    before = found.tags[key].line if key in found.tags else None
    after = compose(data, name, level=level, parent=parent, description="new")
    try:
        result = tags.set_line(data, name, before, after)
    except LineConflict:
        assert re.search("```|<!--", text)  # one that is never closed
        return
    tag = tags.read_tags(result).tags[key]
    assert (tag.level, tag.parent, tag.line.text) == (level, parent if level > 1 else "", after.text)
    if data and result.count(b"#") - after.text.count("#") == data.count(b"#") - (
        before.text.count("#") if before else 0
    ):
        assert tags.set_line(result, name, after, before) == data
    if before is not None and before.section:
        gone = tags.set_line(data, name, before, None)
        assert tags.set_line(gone, name, None, before) == data


@settings(max_examples=200, deadline=None)
@given(
    name=st.text(min_size=1, max_size=12),
    description=st.text(
        st.one_of(st.sampled_from("#.<!->*`\\ \n"), st.characters(exclude_categories=["Cs"])), max_size=30
    ),
    confused=st.lists(st.sampled_from(["a", "c++", "здоровье"]), max_size=2, unique=True),
)
def test_any_tag_and_description_are_read_back(name: str, description: str, confused: list[str]) -> None:
    if not tags.normalise(name) or "#" in description:
        return
    line = compose(None, name, description=description, not_to_be_confused_with=confused)
    try:
        data = tags.set_line(None, name, None, line)
    except LineConflict:
        # A name that Markdown takes apart, such as one with control characters, is refused, not bent.
        assert not all(char.isalnum() or char in "-+" for char in tags.normalise(name))
        return
    tag = tags.read_tags(data).tags[tags.normalise(name)]
    assert tag.not_to_be_confused_with == tuple(confused)
    told = {"description": tag.description, "not_to_be_confused_with": tag.not_to_be_confused_with}
    again = compose(data, name, **told)
    assert (line.text, line.section) == (again.text, again.section) or "<!--" in description


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=200), DOCUMENT.map(str.encode)))
def test_any_bytes_are_read(data: bytes) -> None:
    tags.read_tags(data)


@pytest.mark.parametrize(
    "line",
    [
        "- **#" + "a" * 30000,
        "- **#" + "\\" * 30000,
        "- **#a** — Not to be confused with " + "#a, " * 8000,
        "- **#a** — " + " " * 30000 + "x",
        "- **#a** — Not to be confused with #" + "a, " * 8000,
    ],
)
def test_hostile_lines_are_read_in_a_moment(line: str) -> None:
    tags.read_tags(f"## L1\n{line}\n".encode())
    tags.with_confusion(line, "b")
