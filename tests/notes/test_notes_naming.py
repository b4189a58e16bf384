"""Slugs are ASCII, stable and never empty; paths stay inside the folder and work everywhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes.naming import check_new_path, check_path, entry_filename, slug

SETTINGS = settings(max_examples=200, deadline=None)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Relationship with my mother", "relationship-with-my-mother"),
        ("Переезд в Лиссабон", "pereezd-v-lissabon"),
        ("  --Hello,   World!--  ", "hello-world"),
        ("Crème brûlée", "creme-brulee"),
        ("日本語", "ribenyu"),
        ("!!!", "entry"),
        ("", "entry"),
        ("CON", "entry-con"),
        ("com1", "entry-com1"),
        ("console", "console"),
        ("a" * 59 + " b", "a" * 59),
        ("a" * 100, "a" * 60),
    ],
)
def test_a_slug_is_transliterated_lower_case_and_dashed(title: str, expected: str) -> None:
    assert slug(title) == expected


@pytest.mark.parametrize(
    "title", ["Ελλάδα", "مرحبا", "שלום", "你好", "こんにちは", "한국어", "😀🎉", "Žluťoučký", "ไทย"]
)
def test_every_script_gives_a_slug_of_its_own_in_both_forms(title: str) -> None:
    assert slug(title) != "entry"
    assert slug(unicodedata.normalize("NFD", title)) == slug(unicodedata.normalize("NFC", title))


@given(st.text(max_size=200))
@SETTINGS
def test_a_slug_is_always_a_safe_name(title: str) -> None:
    made = slug(title)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", made)
    assert len(made) <= 60
    assert not re.fullmatch(r"con|prn|aux|nul|com\d|lpt\d", made)
    assert slug(made) == made
    assert check_new_path(entry_filename(title, 1_704_844_800, ()), lambda _: ()) is None


def test_a_taken_name_gets_a_number() -> None:
    assert entry_filename("A b", 17, ()) == "17-a-b.md"
    assert entry_filename("A b", 17, ["17-A-B.md"]) == "17-a-b-2.md"
    assert entry_filename("A b", 17, {"17-a-b.md", "17-a-b-2.MD", "17-a-b-3.md"}) == "17-a-b-4.md"


@pytest.mark.parametrize(
    "path",
    [
        "a.md",
        "people/lina.md",
        "a b/c-d_e.md",
        "é/日本.md",
        "a..b/c...md",
        "~/x.md",
        "$HOME/x.md",
        "CON.md",
        "ab:c.md",
    ],
)
def test_a_path_inside_the_folder_is_accepted(path: str) -> None:
    assert check_path(path) is None


BAD_PATHS = [
    "",
    "/a.md",
    "../a.md",
    "a/../b.md",
    "a/./b.md",
    "./a.md",
    "a//b.md",
    "a/",
    "a",
    "a.txt",
    "a.MD",
    ".md",
    ".a.md",
]
BAD_PATHS += [
    ".x/a.md",
    "a\x00.md",
    "\ud800.md",
    "a.md\n",
    "a.md/",
    "..md/../a.md",
    "a/..",
]


@pytest.mark.parametrize("path", BAD_PATHS)
def test_a_path_that_leaves_the_folder_or_is_no_note_is_refused(path: str) -> None:
    for problem in (check_path(path), check_new_path(path, lambda _: ())):
        assert problem
        assert problem.endswith(".")


BAD_NAMES = [
    "e\u0301.md",
    "a" * 198 + ".md",
    "é" * 99 + ".md",
    "con.md",
    "Aux.x.md",
    "nul .md",
    "lpt9.md",
    "com¹.md",
    "conin$.md",
]
BAD_NAMES += [
    "a?.md",
    "a:b.md",
    "a*.md",
    'a"b.md',
    "a|b.md",
    "a<b.md",
    " a.md",
    "b /a.md",
    "b./a.md",
    "con/a.md",
    "\u00a0a.md",
    "a\\b.md",
    "C:/a.md",
    "C:a.md",
    "\\\\x\\a.md",
]
BAD_NAMES += [
    "a\n.md",
    "a\u202e.md",
    "a\u200b.md",
    "\ufeffa.md",
    "a\u2028.md",
    "a\x7f.md",
    "a\u0085.md",
    "a/" * 400 + "x.md",
    "a/" * 9_000 + "x.md",
]


@pytest.mark.parametrize("path", BAD_NAMES)
def test_a_new_name_that_some_system_cannot_hold_is_refused(path: str) -> None:
    problem = check_new_path(path, lambda _: ())
    assert problem
    assert problem.endswith(".")
    assert len(problem) < 250


@pytest.mark.parametrize(
    "path", ["x:y.md", "back\\s.md", "C:/a.md", "a\n.md", "a\u202e.md", "con.md", " a.md"]
)
def test_a_name_that_exists_is_taken_as_it_is(path: str) -> None:
    assert check_path(path) is None
    folder, _, name = path.rpartition("/")
    assert check_new_path(f"{folder}/new.md" if folder else "new.md", lambda _: [folder or name]) is None


def tree(directory: str) -> Collection[str]:
    return {"": ["People", "a.md", "e\u0301", "Straße.md"], "People": ["Lina.md"], "e\u0301": []}.get(
        directory, ()
    )


@pytest.mark.parametrize(
    ("path", "ok"),
    [
        ("b.md", True),
        ("People/ana.md", True),
        ("People/new/ana.md", True),
        ("new/deep/Lina.md", True),
        ("e\u0301/x.md", True),  # an existing folder is taken as it is
        ("a.md", False),
        ("A.md", False),
        ("STRASSE.md", False),
        ("people/x.md", False),
        ("People/LINA.md", False),
        ("é/x.md", False),
        ("People/con.md", False),
    ],
)
def test_a_new_name_differs_from_every_existing_one_by_more_than_case(path: str, ok: bool) -> None:
    assert (check_new_path(path, tree) is None) == ok


@given(st.text(max_size=60), st.lists(st.text(max_size=10), max_size=4))
@SETTINGS
def test_checking_never_raises_and_accepts_only_what_stays_inside(path: str, names: list[str]) -> None:
    if check_new_path(path, lambda _: names) is None:
        parts = path.split("/")
        assert all(part and not part.startswith(".") and len(part.encode()) <= 200 for part in parts)
        assert parts[-1].endswith(".md")
        assert path not in names
