"""tags.md: what people write in a way of their own is understood."""

from __future__ import annotations

import pytest

from memtui.notes import tags


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
