"""Links of a Markdown text: where their targets stand, and what they lead to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memtui.notes.links import Place, Target, maybe_links, real_links, resolve, retarget, target_of


def found(text: str) -> list[str]:
    return [place.written for place in real_links(text, list(maybe_links(text)))]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[a](x.md) ![b](y.png)", ["x.md", "y.png"]),
        ("[a](<two words.md> 'title')", ["<two words.md>"]),
        ("[a][r]\n\n[r]: x.md", ["x.md"]),
        ("[![i](x.png)](y.md)", ["x.png", "y.md"]),
        ("`[a](x.md)` [b](y.md)", ["y.md"]),
        ("```[a](x`y.md)\n[b](z.md)\n", ["z.md"]),
        ("<pre>\n[a](x.md)\n</pre>\n\n[b](y.md)", ["y.md"]),
        ("> [a](\n> x.md)\n", ["x.md"]),
        ("[t](\n<pre>)\n</pre>\n\n[b](y.md)", ["y.md"]),
        ("", []),
        ("[a](x.md", []),
    ],
)
def test_the_targets_of_links_and_of_nothing_else_are_found(text: str, targets: list[str]) -> None:
    assert found(text) == targets


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("a.md", Target("a.md", "")),
        ("<a b.md>", Target("a b.md", "")),
        ("a%20b.md#c", Target("a b.md", "#c")),
        ("a.md?b#c", Target("a.md", "?b#c")),
        ("a.md#b?c", Target("a.md", "#b?c")),
        ("a&amp;b.md", Target("a&b.md", "")),
        ("a\\(b.md", Target("a(b.md", "")),
        ("../a/", Target("../a/", "")),
        ("#a", None),
        ("?a", None),
        ("/a.md", None),
        ("//host/a.md", None),
        ("https://host/a.md", None),
        ("mailto:a@b.md", None),
    ],
)
def test_a_target_leads_to_a_path(written: str, target: Target | None) -> None:
    assert target_of(written) == target


def test_a_path_is_meant_from_the_folder_of_its_note() -> None:
    assert resolve("b.md", "a.md") == "b.md"
    assert resolve("../b.md", "p/q/a.md") == "p/b.md"
    assert resolve("./x/../b.md", "p/a.md") == "p/b.md"
    assert resolve("../b.md", "a.md") == "../b.md"


LINKS = ("[t](a.md)", "[t](<a.md>)", "![i](a.md 'x')", "[t]: a.md", "[t](\na.md)", "[t](a`.md)", "[t](\n***)")
SIGNS = (
    "`",
    "```",
    "~~~",
    "<pre>",
    "</pre>",
    "<!--",
    "-->",
    "<a title='",
    "'>",
    "\\",
    "> ",
    "- ",
    "===",
    "    ",
)
PIECES = st.sampled_from((*LINKS, *SIGNS, "\n", "\n\n", " x "))


@given(st.lists(PIECES, max_size=12).map("".join))
@settings(max_examples=200, deadline=None)
def test_another_target_changes_those_links_and_nothing_else(text: str) -> None:
    places = [place for place in maybe_links(text) if place.written in ("a.md", "<a.md>")]
    after = retarget(text, places, ["other.md"] * len(places))
    links = real_links(text, places)
    assert after.count("other.md") in (0, len(links))
    if "other.md" in after:
        shown = MarkdownIt("commonmark").render
        assert shown(after).replace("other.md", "a.md") == shown(text)


def test_a_place_stays_where_it_is_not_asked_for() -> None:
    text = "[a](x.md) [b](x.md)"
    assert retarget(text, [Place(14, 18, "x.md")], ["y.md"]) == "[a](x.md) [b](y.md)"
    assert retarget(text, [], []) == text
