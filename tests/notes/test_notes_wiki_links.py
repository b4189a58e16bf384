"""Wiki links: which text is one, and which note its name means."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes.links import maybe_wiki_links, real_links, retarget
from memtui.notes.wiki_names import Names


def names_in(text: str) -> list[str]:
    return [place.written for place in real_links(text, maybe_wiki_links(text))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[[a]]", ["a"]),
        ("see [[a b]] and [[c/d.md]].", ["a b", "c/d.md"]),
        ("[[a|words]] [[a#part]] [[a#part|words]] ![[a#^1]]", ["a"] * 4),
        ("| [[a\\|words]] | [[b]] |\n|---|---|\n", ["a", "b"]),
        ("# [[a]]\n\n- [[b]]\n\n> [[c]]\n", ["a", "b", "c"]),
        ("**[[a]]** *[[b]]* [[c_d_e]]", ["a", "b", "c_d_e"]),
        ("[[what's new]] [[a = b]]", ["what's new", "a = b"]),
        ("[[a]][[b]]", ["a", "b"]),
        ("[x](y.md) [[a]]", ["a"]),
        ("line\r\n[[a]]\r\n", ["a"]),
        ("[[Ünï]] [[日本]]", ["Ünï", "日本"]),
    ],
)
def test_what_is_a_wiki_link(text: str, names: list[str]) -> None:
    assert names_in(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]]`",
        "``x ` [[a]]``",
        "```\n[[a]]\n```",
        "~~~ md\n[[a]]\n~~~",
        "    [[a]]",
        "- x\n\n      [[a]]",
        "<!-- [[a]] -->",
        "<!--\n[[a]]\n-->",
        "<div>\n[[a]]\n</div>",
        '<a title="[[a]]">x</a>',
        "\\[[a]]",
        "[\\[a]]",
        "[[a]](b.md)",
        "[[]] [[ ]] [[#part]] [[|x]]",
        "[[a\nb]]",
        "[[a]",
        "[a]",
    ],
)
def test_what_is_none(text: str) -> None:
    assert names_in(text) == []


def test_only_links_are_written_anew() -> None:
    text = "`[[a]]` [[a|x]] [[a]]\n\n    [[a]]\n"
    places = maybe_wiki_links(text)
    assert retarget(text, places, ["b c"] * len(places)) == "`[[a]]` [[b c|x]] [[b c]]\n\n    [[a]]\n"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["[[", "]]", "a", "|", "#", "`", "\n", "<", "](b)", "\\", "- ", " "])))
def test_a_text_whose_names_stay_stays(parts: list[str]) -> None:
    text = "".join(parts)
    places = maybe_wiki_links(text)
    assert all(text[place.start : place.end] == place.written for place in places)
    assert retarget(text, places, [place.written for place in places]) == text


@pytest.mark.parametrize("text", ["[[a" * 20000, "[[a#" * 20000 + "]]", "[[a]]`" * 5000, "[[a|" * 9000])
def test_a_hostile_text_is_read_like_any_other(text: str) -> None:
    names_in(text)


# --- names ----------------------------------------------------------------------------------------

NAMES = Names(
    [
        ("lina.md", "My daughter"),
        ("people/Ana.md", ""),
        ("work/team.md", "The team"),
        ("old/team.md", ""),
        ("a/b/c.md", ""),
        ("x/b/c.md", ""),
        ("Réunion.md", ""),
        ("AC/DC.md", "Bands"),
        ("deep/Lina2.md", "Two\n words"),
    ]
)


@pytest.mark.parametrize(
    ("name", "at", "meant"),
    [
        ("lina", "q.md", ["lina.md"]),
        ("LINA.MD", "q.md", ["lina.md"]),
        (" lina ", "q.md", ["lina.md"]),
        ("ana", "q.md", ["people/Ana.md"]),
        ("people/ana", "q.md", ["people/Ana.md"]),
        ("team", "q.md", ["work/team.md", "old/team.md"]),
        ("work/team", "q.md", ["work/team.md"]),
        ("/work/team", "q.md", ["work/team.md"]),
        ("b/c", "q.md", ["a/b/c.md", "x/b/c.md"]),
        ("b/c", "a/q.md", ["a/b/c.md"]),
        ("./team", "work/q.md", ["work/team.md"]),
        ("../lina", "work/q.md", ["lina.md"]),
        ("../gone", "work/q.md", []),
        ("Re\u0301union", "q.md", ["Réunion.md"]),
        ("my  daughter", "q.md", ["lina.md"]),
        ("two words", "q.md", ["deep/Lina2.md"]),
        ("AC/DC", "q.md", ["AC/DC.md"]),
        ("gone", "q.md", []),
    ],
)
def test_what_a_name_means(name: str, at: str, meant: list[str]) -> None:
    assert list(NAMES.meant(name, at)) == meant


def test_of_names_that_differ_by_case_alone_the_very_letters_count() -> None:
    names = Names([("a/Tea.md", ""), ("b/tea.md", "")])
    assert names.meant("Tea", "q.md") == ("a/Tea.md",)
    assert names.meant("TEA", "q.md") == ("a/Tea.md", "b/tea.md")
