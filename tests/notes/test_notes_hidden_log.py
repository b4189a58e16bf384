"""A change log that its surroundings hide is never erased, rewritten or doubled; every line of a log stays."""

from __future__ import annotations

import pytest

from memtui.notes.entry import append_log, has_log, keeps_log, log_of, log_trouble, replace_body
from memtui.notes.frontmatter import EditRefused

HEAD = "---\ntitle: T\ntags: [a, b]\ntype: fact\nconfidence: high\nstatus: active\n---\n"


def note(text: str) -> bytes:
    return (HEAD + text).encode()


HIDDEN = [
    "<details>\nx\n</details>\n## Change log\n- a\n",
    "</details>\n  ##  change LOG ##\n- a\n",
    "<div>\n## Change log\n- a\n\n## More\ny\n",
    "text\n<table>\n## Change log\n- a\n\n## Change log\n- b\n",
]


@pytest.mark.parametrize("text", HIDDEN)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_change_log_inside_raw_html_is_neither_replaced_nor_doubled(text: str, ending: str) -> None:
    data = note(text.replace("\n", ending))
    with pytest.raises(EditRefused, match="raw HTML; put a blank line above"):
        replace_body(data, "new")
    with pytest.raises(EditRefused, match="raw HTML; put a blank line above"):
        append_log(data, "new")
    assert "raw HTML" in (log_trouble(data) or "")


@pytest.mark.parametrize(
    "text",
    [
        "<details>\nx\n</details>\n\n## Change log\n- a\n",
        "a <b>\n## Change log\n- a\n",
        "- <div>\n  ## Change log\n\n## Change log\n- a\n",
        "```\n<div>\n## Change log\n```\n\n## Change log\n- a\n",
        "<!--\n## Change log\n-->\n\n## Change log\n- a\n",
    ],
)
def test_one_that_stands_free_takes_lines(text: str) -> None:
    data = note(text)
    assert log_trouble(data) is None
    assert log_of(append_log(data, "new")) == ("a", "new")


def test_a_change_log_that_an_open_fence_swallowed_is_not_thrown_away_with_the_body() -> None:
    with pytest.raises(EditRefused, match="close it first"):
        replace_body(note("```\ncode\n\n## Change log\n- a\n"), "new")


LOG = "x\n\n## Change log\n"
KEPT = [
    ("- a\n", "- a\n- b\n"),
    ("- a\n\nTail.\n", "- a\n- b\n\nTail.\n"),
    ("- a\n\nTail.\n", "- a\n\nTail.\n- b\n"),
    ("1. a\n2. b\n", "1. a\n2. b\n3. c\n"),
    ("- a  \n\n\n", "- a\n"),
    ("All:\n", "All:\n- b\n"),
]
LOST = [
    ("- a\n", ""),
    ("- a\n", "- b\n- a\n"),
    ("- a\n", "* a\n"),
    ("1. a\n2. b\n", "1. a\n"),
    ("1. a\n", "1. b\n"),
    ("* a\n+ b\n", "* a\n+ c\n"),
    ("- a\n\n  b\n", "- a\n\n  c\n"),
    ("- a\n\n  b\n", "- a\n- new\n\n  b\n"),
    ("- a\n  ```\n  b\n  ```\n", "- a\n  ```\n  c\n  ```\n"),
    ("- a\n  > b\n", "- a\n"),
    ("- a\n  <!-- b -->\n", "- a\n  <!-- c -->\n"),
    ("- a\n\nTail.\n", "- a\n- b\n"),
    ("All:\n- a\n", "- a\n"),
    ("- a\n", "- a\n\n## Change log\n- b\n"),
    ("- a\n\n## Change log\n- b\n", "- b\n"),
    ("- a\n\n## Change log\n- b\n", "- c\n\n## Change log\n- b\n"),
]


@pytest.mark.parametrize(("before", "after"), KEPT)
def test_new_lines_may_stand_below_the_last_item(before: str, after: str) -> None:
    assert keeps_log(note(LOG + before), note("y" + LOG + after))


@pytest.mark.parametrize(("before", "after"), LOST)
def test_no_line_of_a_change_log_may_go_or_change(before: str, after: str) -> None:
    assert not keeps_log(note(LOG + before), note(LOG + after))


@pytest.mark.parametrize("text", [HIDDEN[0], HIDDEN[3], "```\nx\n## Change log\n- a\n"])
def test_a_hidden_one_may_be_brought_to_light_and_keeps_its_lines(text: str) -> None:
    shown = text.replace("\n## Change log\n- a", "\n\n## Change log\n- a").replace("```\nx", "```\nx\n```")
    assert has_log(note(shown))
    assert keeps_log(note(text), note(shown))
    assert not keeps_log(note(text), note(shown.replace("- a", "- forged")))
