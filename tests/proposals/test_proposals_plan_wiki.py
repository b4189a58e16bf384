"""Wiki links follow a note that moves where they mean it alone; else the person is told."""

from __future__ import annotations

import pytest

from tests.proposals.plans import applied, folder, notices, planned, rename

LINA = "people/lina.md"


def moved(files: dict[str, str], old: str, new: str) -> tuple[dict[str, str], str]:
    """All notes after a rename, and what is told of links."""
    on = folder({**files})
    made = planned(rename(old, new), on)
    after = {path: data.decode() for path, data in applied(made, on).items() if data is not None}
    return after, notices(made).get("link", "")


@pytest.mark.parametrize(
    ("text", "new", "after"),
    [
        ("[[lina]]", "people/mia.md", "[[mia]]"),
        ("[[lina|my girl]] ![[lina#a]]", "people/mia.md", "[[mia|my girl]] ![[mia#a]]"),
        ("[[LINA.md]]", "people/mia.md", "[[mia.md]]"),
        ("[[ lina ]]", "people/mia.md", "[[ mia ]]"),
        ("[[people/lina]]", "family/lina.md", "[[family/lina]]"),
        ("[[people/lina.md#x|y]]", "mia.md", "[[mia.md#x|y]]"),
        ("[[./people/lina]]", "family/lina.md", "[[./family/lina]]"),
        ("[[lina]]", "family/lina.md", "[[lina]]"),
        ("| [[lina\\|x]] |", "people/mia.md", "| [[mia\\|x]] |"),
        ("[x](people/lina.md) [[lina]]", "people/mia.md", "[x](people/mia.md) [[mia]]"),
        ("`[[lina]]` [[lina]]\r\n", "people/mia.md", "`[[lina]]` [[mia]]\r\n"),
        ("[[linas]] [lina] [[people]]", "people/mia.md", "[[linas]] [lina] [[people]]"),
        ("[[Daughter]]", "people/mia.md", "[[Daughter]]"),
    ],
)
def test_a_wiki_link_follows(text: str, new: str, after: str) -> None:
    lina = "---\ntitle: Daughter\n---\nx\n"
    files, _ = moved({LINA: lina, "a.md": text}, LINA, new)
    assert files["a.md"] == after


def test_what_follows_stands_in_the_plan_as_a_change_of_that_note() -> None:
    on = folder({LINA: "x\n", "a.md": "[[lina]]"})
    assert {change.path for change in planned(rename(LINA, "people/mia.md"), on).changes} == {
        "people/mia.md",
        "a.md",
    }


def test_a_name_that_would_mean_another_note_too_is_written_as_a_path() -> None:
    files, told = moved({LINA: "x\n", "work/mia.md": "y\n", "a.md": "[[lina]]"}, LINA, "people/mia.md")
    assert files["a.md"] == "[[people/mia]]"
    assert not told


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("[[team]]", "work/crew.md"),  # two notes have that name
        ("---\nup: '[[work/team]]'\n---\nx\n", "work/crew.md"),
        ("[[work/team]]", "work/a#b.md"),  # no wiki link can name it
    ],
)
def test_one_that_cannot_follow_stays_and_is_named(text: str, new: str) -> None:
    files = {"work/team.md": "x\n", "old/team.md": "y\n", "a.md": text}
    after, told = moved(files, "work/team.md", new)
    assert after["a.md"] == text
    assert "a.md names work/team.md as [[" in told


def test_an_example_in_code_is_no_link_that_breaks() -> None:
    text = "[[work/team]] `[[work/team]]`\n\n    [[work/team]]\n"
    after, told = moved({"work/team.md": "x\n", "a.md": text}, "work/team.md", "work/crew.md")
    assert after["a.md"] == text.replace("[[work/team]]", "[[work/crew]]", 1)
    assert not told


def test_a_text_with_too_many_brackets_to_be_read_is_named() -> None:
    text = "[[work/team]] " + "[a" * 3000
    after, told = moved({"work/team.md": "x\n", "a.md": text}, "work/team.md", "work/crew.md")
    assert after["a.md"] == text
    assert "a.md names work/team.md" in told


def test_the_moved_note_keeps_its_own_links() -> None:
    text = "[[lina]] [[./mia]] [[../a]] [[b]] [[#part]]\n"
    files = {LINA: text, "people/mia.md": "x\n", "a.md": "x\n", "b.md": "x\n"}
    after, told = moved(files, LINA, "family/deep/ana.md")
    assert after["family/deep/ana.md"] == "[[ana]] [[../../people/mia]] [[../../a]] [[b]] [[#part]]\n"
    assert not told


def test_a_note_that_is_not_utf_8_is_named() -> None:
    on = folder({LINA: "x\n", "a.md": b"caf\xe9 [[lina]]"})
    made = planned(rename(LINA, "people/mia.md"), on)
    assert "a.md is not UTF-8" in notices(made)["link"]


def test_the_pages_that_follow_by_themselves_are_named() -> None:
    on = folder({LINA: "x\n", "tags.md": "See [[lina]].\n"})
    assert "tags.md names" in notices(planned(rename(LINA, "people/mia.md"), on))["link"]
