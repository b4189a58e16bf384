"""What the screen knows of words, and what it leaves out, changes nothing of what it finds."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memtui.gate.cues import Cues
from memtui.gate.secret_rules import RULES
from memtui.gate.secrets import Also, find
from memtui.gate.view_shapes import bare_words
from memtui.gate.views import View, views

CUE_WORDS = sorted(
    {cue for rule in RULES for cue in rule.cues if cue.isascii() and cue.isalpha() and len(cue) < 15}
)
WORDS = st.sampled_from(CUE_WORDS) | st.from_regex(r"[a-z]{1,14}", fullmatch=True)


@given(st.lists(WORDS, min_size=1, max_size=11).map(" ".join))
@settings(max_examples=200)
@example("password is hunter")
@example("the token is abcdefghijklmn")
def test_a_few_plain_words_hold_nothing_that_a_rule_finds(text: str) -> None:
    assert find(text) == []
    assert find(text, Also(first=lambda _: ())) == []


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=6).map("\n".join))
@settings(max_examples=200)
def test_no_character_of_a_view_is_missing_from_its_characters(text: str) -> None:
    for view in views(text):
        assert set(view.text) <= view.characters


def test_what_is_known_of_words_does_not_change_what_is_found() -> None:
    token = "np" + "m_" + "a7Bq" * 9
    text = f"one {token} two\nhttps://ana:h0rse-Battery@db.local/x and {token[::-1]}\n"
    for view in views(text):
        fresh, used = Cues(RULES), Cues(RULES)
        for other in views(text):
            list(used.find(other))
        assert list(fresh.find(view)) == list(used.find(view))


def test_words_with_other_scripts_among_them_are_read_run_by_run() -> None:
    token = "np" + "m_" + "a7Bq" * 9
    view = View("as it stands", f"x → é{token}é and {token}")
    places = view.long_runs(view.all_long_words.keys())
    assert [run for _, run, _ in places] == [token, token]
    assert all(view.text.startswith(run, at) for at, run, _ in places)


def test_blanks_dropped_in_a_dump_keep_their_lines() -> None:
    line = " ".join(f"{number % 256:02x}" for number in range(1000, 1032))
    text = "\n".join([line] * 200)
    bare = bare_words(View("as it stands", text))
    assert bare is not None
    start = bare.text.index("a7", len(bare.text) // 2) if "a7" in bare.text else len(bare.text) // 2
    first, last = bare.lines(start, start + 1)
    assert first == last
    assert 80 < first < 120
