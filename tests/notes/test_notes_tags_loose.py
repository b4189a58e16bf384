"""tags.md: what people write in a way of their own is understood."""

from __future__ import annotations

import pytest

from memtui.notes import tags
from memtui.notes.lines import LineConflict


@pytest.mark.parametrize(
    ("description", "confused", "text"),
    [
        ("x. Not to be confused with #q.", (), "x. Not to be confused with #q."),
        ("x. Not to be confused with #Q", ("q", "r"), "x. Not to be confused with #q, #r."),
        (
            "x. not to be confused with #q and #r. More words",
            ("s",),
            "x. More words. Not to be confused with #q, #r, #s.",
        ),
        ("Not to be confused with #q.", ("r",), "Not to be confused with #q, #r."),
        (
            "x. Not to be confused with #q — q is y",
            ("q", "r"),
            "x. Not to be confused with #q — q is y. Not to be confused with #r.",
        ),
        ("x, not #q", ("r",), "x, not #q. Not to be confused with #r."),
    ],
)
def test_what_a_description_says_it_is_not_counts(
    description: str, confused: tuple[str, ...], text: str
) -> None:
    line = tags.compose(
        b"## L1\n",
        name="new",
        level=1,
        parent="",
        description=description,
        not_to_be_confused_with=confused,
    )
    assert line.text == f"- **#new** — {text}"
    read = tags.read_tags(f"## L1\n{line.text}\n".encode()).tags["new"]
    assert set(confused) <= set(read.not_to_be_confused_with)
    assert ("q" in read.not_to_be_confused_with) == ("confused with #q" in text)


@pytest.mark.parametrize(
    "heading",
    ["under #health (body)", "#health — body", "Under #Health:", "under #health - the body", "#health"],
)
def test_a_parent_is_read_with_words_behind_it(heading: str) -> None:
    text = f"## L1\n- **#health** — x.\n## L2\n### {heading}\n- **#food** — x.\n### under #nope\n"
    found = tags.read_tags(text.encode())
    assert found.tags["food"].parent == "health"
    assert found.parents == ("health", "nope")
    line = tags.compose(
        text.encode(), name="diet", level=2, parent="health", description="x", not_to_be_confused_with=()
    )
    result = tags.set_line(text.encode(), "diet", None, line).decode()
    assert f"### {heading}\n- **#diet** — x.\n- **#food**" in result


TOP = "# Tags\n## Dictionary\n### L1\n- **#drink** — x.\n"


@pytest.mark.parametrize(
    ("text", "level", "parent", "after"),
    [
        (
            f"{TOP}### L2\n### L3\n## Notes\nwords\n",
            3,
            "drink",
            f"{TOP}### L2\n### L3\n\n#### under #drink\n- **#n** — x.\n\n## Notes\nwords\n",
        ),
        (
            f"{TOP}### L2\n### L3\n",
            2,
            "drink",
            f"{TOP}### L2\n\n#### under #drink\n- **#n** — x.\n\n### L3\n",
        ),
        (f"{TOP}### L2\n### L3\n", 3, "", f"{TOP}### L2\n### L3\n\n- **#n** — x.\n"),
        (
            f"{TOP}## Notes\n",
            2,
            "drink",
            f"{TOP}\n### L2 — subcategories\n\n#### under #drink\n- **#n** — x.\n\n## Notes\n",
        ),
        (
            "## L1\n- **#drink** — x.\n## L2\n##### under #a\n- **#b** — x.\n",
            2,
            "drink",
            "## L1\n- **#drink** — x.\n## L2\n##### under #a\n- **#b** — x.\n\n##### under #drink\n- **#n** — x.\n",
        ),
        (
            "# L1\n- **#drink** — x.\n# L2\nwords\n",
            2,
            "drink",
            "# L1\n- **#drink** — x.\n# L2\nwords\n\n## under #drink\n- **#n** — x.\n",
        ),
        (
            "L1\n==\n- **#drink** — x.\n",
            2,
            "drink",
            "L1\n==\n- **#drink** — x.\n\n# L2 — subcategories\n\n## under #drink\n- **#n** — x.\n",
        ),
    ],
)
def test_headings_are_as_deep_as_their_neighbours_and_go_with_their_last_line(
    text: str, level: int, parent: str, after: str
) -> None:
    data = text.encode()
    line = tags.compose(
        data, name="n", level=level, parent=parent, description="x", not_to_be_confused_with=()
    )
    made = tags.set_line(data, "n", None, line)
    assert made.decode() == after
    assert tags.read_tags(made).tags["n"].parent == parent
    assert tags.set_line(made, "n", line, None) == data


def test_levels_of_the_deepest_headings_have_no_room_below_and_say_so() -> None:
    data = b"###### L1\n- **#drink** \xe2\x80\x94 x.\n###### L2\n"
    with pytest.raises(LineConflict, match="give them fewer") as conflict:
        tags.compose(data, name="n", level=2, parent="drink", description="x", not_to_be_confused_with=())
    assert conflict.value.path == tags.NAME
