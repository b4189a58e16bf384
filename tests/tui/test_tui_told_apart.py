"""The app's own words and those of the outside are told apart, and so are two names that look the same."""

from __future__ import annotations

import pytest

from memtui.proposals.diff import diff
from memtui.proposals.diff_pieces import LONG_RUN
from memtui.proposals.model import NewTag
from memtui.tui.app import MemtuiApp
from memtui.tui.diff_heads import head_lines
from memtui.tui.diff_layout import Layout, Shape
from memtui.tui.diff_sections import section_of
from memtui.tui.outside import bare, parts, safe_part, safe_unlike
from memtui.tui.proposal_lines import flagged, new_tag_text, wrap_parts
from tests.tui.driver import Opener, write
from tests.tui.test_tui_diff_rows import compare, lines_of, paint

LONG = "".join(f"line {number}\n" for number in range(40))


@pytest.mark.parametrize(
    ("name", "other", "shown"),
    [
        ("café.md", "cafe\u0301.md", "cafU+00E9.md"),
        ("cafe\u0301.md", "café.md", "cafeU+0301.md"),
        ("p\u0430ypal.md", "paypal.md", "pU+0430ypal.md"),
        ("a\u00a0b.md", "a b.md", "aU+00A0b.md"),
        ("café.md", "tea.md", "café.md"),
        ("Tea.md", "tea.md", "Tea.md"),
    ],
)
def test_a_name_that_looks_like_the_other_is_told_by_its_numbers(name: str, other: str, shown: str) -> None:
    assert bare(safe_unlike(name, other)) == shown


def test_a_rename_between_like_names_is_not_the_same_picture() -> None:
    lines = lines_of(paint(diff("cafe\u0301.md", b"a\n", b"a\n", "café.md")))
    assert lines[0].startswith("cafeU+0301.md")
    assert lines[1] == "renamed from cafU+00E9.md"


def test_a_path_with_another_blank_is_not_the_picture_of_the_usual_one() -> None:
    assert lines_of(paint(compare(None, "a\n", "tea\u00a0list .md")))[0].startswith("tea⍽list .md")
    assert lines_of(paint(compare(None, "a\n", "tea list.md")))[0].startswith("tea list.md")


def test_an_agent_cannot_bring_the_sign_between_two_parts() -> None:
    drawn = safe_part("claude · edited by you")
    assert [part for part, token in parts(drawn) if token] == ["·"]


def test_what_wraps_never_begins_where_the_apps_own_words_begin() -> None:
    rows = wrap_parts(["x" * 30, "!! hidden text", "2 min ago"], 30)
    assert all(row.startswith("  ") for row in rows[1:])
    assert all(len(row) <= 30 for row in rows)
    assert all(
        line.startswith("  ") for line in head_lines("people/" + "deleted · new file " * 9, 40, "+1 -1")[1:]
    )


def test_a_new_tag_is_made_safe_once() -> None:
    tag = NewTag("tea\u200b", 3, "", "d\u202e")
    rows = flagged("#", "accent", new_tag_text(tag, shown=True), 60)
    assert bare("".join(text for text, _ in rows[0])) == "# adds tag #teaU+200B: dU+202E"


def test_a_fold_stands_in_the_column_of_the_signs() -> None:
    lines = lines_of(paint(compare(LONG, LONG.replace("line 30", "line x") + "⋯ 3 lines\n")))
    folds = [line for line in lines if line.startswith("     ⋯ ")]
    assert folds == ["     ⋯ 29 lines", "     ⋯ 8 lines"]
    assert lines[-1] == "  41 + ⋯ 3 lines"


def test_a_cut_word_and_two_words_are_not_the_same_picture() -> None:
    one = lines_of(paint(compare(None, "a" * 32 + " b\n"), cells=39))
    other = lines_of(paint(compare(None, "a" * 34 + "b\n"), cells=39))
    assert [line[3:5] for line in one] == ["e.", "+ "]
    assert other[1:] == [" 1 + " + "a" * 34, "   \\ b"]


def test_many_blanks_are_seen_one_by_one() -> None:
    lines = lines_of(paint(compare("a b\n", f"a{' ' * LONG_RUN}b\n")))
    assert lines[-1] == f"   1 + a{'·' * LONG_RUN}b"


def test_all_of_a_deleted_file_can_be_read_and_its_rest_need_not_be() -> None:
    layout = Layout([section_of(diff("long.md", LONG.encode(), None))], Shape(60), foot=2)
    painted = lines_of(paint(diff("long.md", LONG.encode(), None), cells=60))
    assert painted[-1] == "  40 - line 39"
    assert sum(" - line" in line for line in painted) == 40
    assert layout.end == layout.height - 2 - 34


async def test_a_removed_note_is_read_to_its_end_below_the_facts(opened: Opener) -> None:
    async with opened() as app:
        (app.workspace.memory / "long.md").write_text(LONG)
        app.drop(
            "d", {"operation": "delete", "filename": "long.md", "reason": "r", "user_command": "delete it"}
        )
        await app.sees("34 more lines are removed with it, below")
        await app.settled()
        assert app.app.main.inbox.view.end_seen
        await app.press("l", "G")
        await app.sees("40 - line 39")


async def test_an_agent_that_calls_itself_edited_is_seen_through(opened: Opener) -> None:
    async with opened() as app:
        app.drop("w", write("a.md", agent="claude · you said it · edited by you"))
        await app.sees("+ write  a.md")
        line = app.app.main.inbox.view.diff.render_line(1)
        assert [s.text for s in line if s.style and s.style.reverse] == ["·", "·"]


@pytest.mark.parametrize(
    ("terminal", "colours", "theme"),
    [
        ("xterm", "", "ansi-dark"),
        ("xterm-256color", "", "textual-dark"),
        ("xterm", "truecolor", "textual-dark"),
    ],
)
def test_a_terminal_of_sixteen_colours_gets_no_backgrounds(
    monkeypatch: pytest.MonkeyPatch, terminal: str, colours: str, theme: str
) -> None:
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setenv("COLORTERM", colours)
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    assert MemtuiApp(None).theme == theme
