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
BAD_NAMES += ["q/a\u2215b.md", "a\u2044b.md", "a\uff0fb.md", "\u2571.md", "q/a  b.md"]
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


HIDDEN = (
    "\n\x7f\x85"  # controls
    "\u00ad\u061c\u0600\u180e\u200b\u200c\u200d\u200e\u202e\u2060\ufeff\ufff9\U0001d173\U000e0041"  # formats
    "\u2028\u2029\u00a0\u1680\u2002\u200a\u202f\u205f\u3000\u2800"  # other blanks
    "\u034f\u115f\u1160\u17b4\u3164\uffa0\U00016fe4\U0001d159"  # letters and marks without ink
    "\u180b\u180f\ufe00\ufe0e\ufe0f\U000e0100"  # selectors with nothing to select
    "\u0378\u2065\uffff\U0010ffff\ue000\U000f0000"  # unassigned, no characters, private use
)


@pytest.mark.parametrize("hidden", HIDDEN, ids=ascii)
def test_a_new_name_shows_every_character_it_holds(hidden: str) -> None:
    for path in (f"q{hidden}.md", f"q{hidden}q/x.md", f"x/{hidden}q.md"):
        problem = check_new_path(path, lambda _: ())
        assert problem
        assert f"U+{ord(hidden):04X}, which cannot be told by eye" in problem
        assert problem.endswith("leave it out.")
    assert check_new_path(f"q{hidden}/new.md", lambda directory: () if directory else [f"q{hidden}"]) is None


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "👍🏽",
        "🇵🇹",
        "葛\U000e0100城",
        "ᠠ\u180bᠠ",
        "नमस्ते",
        "བརྒྱུད",
        "ไทย",
        "한국어",
        "ﾊﾝ",
        "⠓⠑",
        "q\u0323\u0331\u0332\u0333\u0348\u0349",
    ],
)
def test_a_new_name_may_hold_what_its_script_or_emoji_needs(name: str) -> None:
    assert check_new_path(f"{name}.md", lambda _: ()) is None
    assert check_new_path(f"{name}/x.md", lambda _: ()) is None


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("name", ["index.md", "tags.md", "INDEX.md", "Tags.MD", "tag\u017f.md"])
def test_nothing_new_takes_the_name_of_a_list_at_the_root(name: str, there: bool) -> None:
    for path in (f"{name}/x.md", f"{name}/deep/x.md"):
        problem = check_new_path(path, lambda directory: [name] if there and not directory else ())
        follower = "index.md" if name.casefold().startswith("index") else "tags.md"
        assert problem == (
            f"The name {name} at the root is kept for {follower}, which follows the notes; choose another."
        )


@pytest.mark.parametrize(
    "path",
    ["people/index.md", "people/tags.md/x.md", "a/b.md/c.md", "a.md/x.md", "index/x.md", "index.md.md/x.md"],
)
def test_other_names_that_end_in_md_are_free_to_files_and_folders(path: str) -> None:
    assert check_new_path(path, lambda _: ()) is None


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
