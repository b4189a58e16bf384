"""Plan of a rename: index lines, `superseded_by` and Markdown links follow; dates and logs do not change."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memtui.notes import frontmatter, index
from memtui.proposals.context import INDEX, TAGS
from tests.proposals.plans import (
    INDEX_PAGE,
    LINA,
    LINA_NOTE,
    RUN,
    RUN_NOTE,
    TAGS_PAGE,
    applied,
    done,
    folder,
    notices,
    planned,
    problem,
    rename,
    touched,
)


def test_the_note_moves_with_every_byte() -> None:
    on = folder()
    made = planned(rename(LINA, "family/lina.md"), on)
    after = applied(made, on)
    assert LINA not in after
    assert after["family/lina.md"] == LINA_NOTE.encode()
    assert after[INDEX] == INDEX_PAGE.encode()
    assert made.result == {"path": LINA, "new_path": "family/lina.md"}
    assert not made.notices


@pytest.mark.parametrize("note", [b"\xff\xfe\x00 [a](b.md)", b"", b"\xef\xbb\xbfx\r\n", b"---\na: [\n---\n"])
def test_any_bytes_move(note: bytes) -> None:
    on = folder({LINA: note})
    assert applied(planned(rename(LINA, "people/x.md"), on), on)["people/x.md"] == note


# --- index ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "new", "moved"),
    [
        (f"- [T]({RUN}) — goal, [a, b], c", "run.md", "- [T](run.md) — goal, [a, b], c"),
        (f"* [T]({RUN}) - goal, a, b, c, d", "run.md", "* [T](run.md) - goal, a, b, c, d"),
        (f"-  [T](<{RUN}>)  —  goal", "run.md", "-  [T](<run.md>)  —  goal"),
        (f'- [T]({RUN} "t") [deprecated] — goal, [a], b', "run.md", '- [T](run.md "t") [deprecated] — goal, [a], b'),
        (f"- [a\\]b]({RUN}) — goal, [a, b], see [x]({RUN})", "r.md", "- [a\\]b](r.md) — goal, [a, b], see [x](r.md)"),
        (f"- [T]({RUN}) — goal, [a, b], c", "sub/ä (b) c.md", "- [T](sub/ä%20%28b%29%20c.md) — goal, [a, b], c"),
        (f"- [T]({RUN}) — goal, [a, b], c", "100%.md", "- [T](100%25.md) — goal, [a, b], c"),
        (f"- [T](./{RUN}) — goal, [a, b], c", "run.md", "- [T](./run.md) — goal, [a, b], c"),
    ],
)  # fmt: skip
def test_the_index_line_changes_its_link_alone_and_keeps_its_place(line: str, new: str, moved: str) -> None:
    page = f"## Entries\n- [A](a.md) — fact, [x, y], z\n{line}\n- [B](b.md) — fact, [x, y], z\n\ntext\n"
    after = done(rename(RUN, new), folder({INDEX: page}))[INDEX]
    assert after == page.replace(line, moved)
    assert index.read_index(after.encode()).get(new) is not None


@pytest.mark.parametrize("section", ["### Deprecated", "## Deprecated"])
def test_a_deprecated_line_stays_where_it_is(section: str) -> None:
    page = f"## Entries\n\n{section}\n\n- [T]({RUN}) — goal, [a, b], c\n- [U](u.md) — goal, [a, b], c\n"
    after = done(rename(RUN, "run.md"), folder({INDEX: page}))[INDEX]
    assert after == page.replace(RUN, "run.md")


def test_links_in_other_lines_hooks_follow() -> None:
    page = (
        f"## Entries\n- [A](a.md) — fact, [x, y], see [run]({RUN}) and `[run]({RUN})`\n"
        f"- [T]({RUN}) — goal, [a, b], c\n"
    )
    after = done(rename(RUN, "run.md"), folder({INDEX: page}))[INDEX]
    assert after == page.replace(f"[run]({RUN}) and", "[run](run.md) and").replace(
        f"[T]({RUN})", "[T](run.md)"
    )


def test_a_link_in_the_index_own_text_is_reported() -> None:
    on = folder({INDEX: INDEX_PAGE.replace("My own words", f"My [run]({RUN}) words")})
    assert "index.md" in notices(planned(rename(RUN, "run.md"), on))["link"]
    on = folder({TAGS: TAGS_PAGE + f"\nsee [run]({RUN})\n"})
    assert "tags.md" in notices(planned(rename(RUN, "run.md"), on))["link"]


def test_two_lines_are_reported_and_stay() -> None:
    page = f"## Entries\n- [A]({RUN}) — goal, [a, b], c\n- [B]({RUN}) — goal, [a, b], c\n"
    on = folder({INDEX: page})
    made = planned(rename(RUN, "run.md"), on)
    assert "two lines" in notices(made)["index"]
    assert applied(made, on)[INDEX].decode() == page


def test_a_line_for_the_new_name_is_not_overwritten() -> None:
    on = folder({INDEX: INDEX_PAGE.replace("\n\n## D", "\n- [X](run.md) — fact, [a, b], c\n\n## D")})
    field, message = problem(rename(RUN, "run.md"), on)
    assert (field, "index.md" in message) == ("new_path", True)


# --- superseded_by -------------------------------------------------------------------------------

OLD_NOTE = RUN_NOTE.replace("goal\n", f"goal\nsuperseded_by: {RUN} # next\n")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_superseded_by_follows_without_date_or_log(ending: str) -> None:
    note = ("\ufeff" + OLD_NOTE).replace("\n", ending)
    after = done(rename(RUN, "sub/run.md"), folder({"x/old.md": note}))["x/old.md"]
    assert after == note.replace(f"superseded_by: {RUN}", "superseded_by: sub/run.md")


def test_a_frontmatter_that_cannot_be_edited_is_named() -> None:
    on = folder({"old.md": OLD_NOTE.replace("title:", "title: &a") + f"[run]({RUN})\n"})
    made = planned(rename(RUN, "run.md"), on)
    assert "old.md" in notices(made)["link"]
    assert b"[run](run.md)" in applied(made, on)["old.md"]


def test_an_unreadable_neighbour_is_named() -> None:
    made = planned(rename(RUN, "run.md"), folder(unreadable=["s.md"]))
    assert made.ready
    assert "s.md" in notices(made)["link"]


# --- links to the moved note ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "old", "new", "text", "after"),
    [
        ("a.md", "b.md", "c.md", "[x](b.md)", "[x](c.md)"),
        ("a.md", "b.md", "sub/c.md", "[x](b.md#part)", "[x](sub/c.md#part)"),
        ("a.md", "b.md", "c.md", "[x](./b.md)", "[x](./c.md)"),
        ("a.md", "b.md", "c.md", '[x](b.md "T")', '[x](c.md "T")'),
        ("a.md", "b.md", "c.md", "[x](b.md 'T (1)')", "[x](c.md 'T (1)')"),
        ("a.md", "b.md", "c.md", "![x](b.md)", "![x](c.md)"),
        ("a.md", "b.md", "c.md", "[[x]](b.md) [y\\]](b.md)", "[[x]](c.md) [y\\]](c.md)"),
        ("a.md", "b.md", "c.md", "[`x`](b.md)", "[`x`](c.md)"),
        ("a.md", "b.md", "c.md", "[x]( b.md )", "[x]( c.md )"),
        ("a.md", "b.md", "c d.md", "[x](b.md)", "[x](c%20d.md)"),
        ("a.md", "b.md", "c d.md", "[x](<b.md>)", "[x](<c d.md>)"),
        ("a.md", "b b.md", "c d.md", "[x](<b b.md#y z>)", "[x](<c d.md#y z>)"),
        ("a.md", "b b.md", "c d.md", "[x](b%20b.md)", "[x](c%20d.md)"),
        ("a.md", "b.md", "c(1).md", "[x](b.md)", "[x](c%281%29.md)"),
        ("a.md", "b(1).md", "c.md", "[x](b(1).md)", "[x](c.md)"),
        ("a.md", "b(1).md", "c.md", "[x](b\\(1\\).md)", "[x](c.md)"),
        ("a.md", "b.md", "c#1.md", "[x](b.md)", "[x](c%231.md)"),
        ("a.md", "b&c.md", "d.md", "[x](b&amp;c.md)", "[x](d.md)"),
        ("a.md", "ä.md", "ö.md", "[x](ä.md)", "[x](ö.md)"),
        ("a.md", "ä.md", "ö.md", "[x](%C3%A4.md)", "[x](%C3%B6.md)"),
        ("a.md", "a\u0308.md", "b.md", "[x](ä.md)", "[x](b.md)"),
        ("p/a.md", "b.md", "c.md", "[x](../b.md)", "[x](../c.md)"),
        ("p/a.md", "p/b.md", "q/b.md", "[x](b.md)", "[x](../q/b.md)"),
        ("p/q/a.md", "b.md", "p/b.md", "[x](../../b.md)", "[x](../b.md)"),
        ("p/a.md", "b.md", "p/b.md", "[x](../b.md)", "[x](b.md)"),
        ("a.md", "b.md", "c.md", "[x]: b.md", "[x]: c.md"),
        ("a.md", "b.md", "c d.md", '  [x]: <b.md> "T"', '  [x]: <c d.md> "T"'),
        ("a.md", "b.md", "c.md", "[x](b.md), [y](b.md)\r\n# [z](b.md)\r\n", "[x](c.md), [y](c.md)\r\n# [z](c.md)\r\n"),
    ],
)  # fmt: skip
def test_a_link_follows(at: str, old: str, new: str, text: str, after: str) -> None:
    on = folder({at: text, old: "note\n"})
    made = planned(rename(old, new), on)
    assert touched(made) == {new, at}
    assert applied(made, on)[at].decode() == after


@pytest.mark.parametrize(
    "text",
    [
        "[x](other.md)",
        "[x](/b.md)",
        "[x](https://x.y/b.md)",
        "[x](//b.md)",
        "[x](mailto:b.md)",
        "[x](#b.md)",
        "[x](p/b.md)",
        "[x](../b.md)",
        "[x](b.md",
        "[x\\](b.md)",
        "[x](b.md y)",
        "b.md",
        "`[x](b.md)`",
        "``[x](b.md) ` ``",
        "```\n[x](b.md)\n```",
        "~~~\n[x]: b.md\n~~~",
        "<!-- [x](b.md) -->",
        "<!--\n[x](b.md)\n-->",
        "text <!-- [x](b.md) --> text",
        "[^1]: b.md",
        "---\nlink: '[x](b.md)'\n---\ntext",
        "[x](b.md.md)",
        "[x](xb.md)",
    ],
)
def test_what_is_no_link_to_it_stays(text: str) -> None:
    on = folder({"a.md": text, "b.md": "note\n"})
    assert touched(planned(rename("b.md", "c.md"), on)) == {"c.md"}


# --- links inside the moved note -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "text", "after"),
    [
        ("a.md", "p/a.md", "[x](b.md#y)", "[x](../b.md#y)"),
        ("p/a.md", "a.md", "[x](../b.md)", "[x](b.md)"),
        ("p/a.md", "q/a.md", "[x](b.md)", "[x](../p/b.md)"),
        ("p/a.md", "q/a.md", "![x](img/b.png)", "![x](../p/img/b.png)"),
        ("p/a.md", "q/r/a.md", "[x](../../README.md)", "[x](../../../README.md)"),
        ("p/a.md", "q/a.md", "[x](a.md)", "[x](a.md)"),
        ("p/a.md", "q/b.md", "[x](a.md#y) [z](#y)", "[x](b.md#y) [z](#y)"),
        ("p/a.md", "p/b.md", "[x](c.md) [y](../d.md)", "[x](c.md) [y](../d.md)"),
        (
            "a.md",
            "p/a.md",
            "[x](https://x.y) [y](/z.md) `[z](b.md)`",
            "[x](https://x.y) [y](/z.md) `[z](b.md)`",
        ),
        ("a.md", "p/a.md", "[x](b%20c.md) [y](<b c.md>)", "[x](../b%20c.md) [y](<../b c.md>)"),
        ("a.md", "p/a.md", "[x]: b.md", "[x]: ../b.md"),
        ("a.md", "p/a.md", "[x](dir/)", "[x](../dir/)"),
    ],
)
def test_links_inside_the_moved_note_point_where_they_did(old: str, new: str, text: str, after: str) -> None:
    on = folder({old: text})
    assert done(rename(old, new), on)[new] == after


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "new", "field"),
    [
        ("gone.md", "x.md", "path"),
        (RUN, RUN, "new_path"),
        (RUN, LINA, "new_path"),
        (RUN, LINA.upper().replace(".MD", ".md"), "new_path"),
        (RUN, "../x.md", "new_path"),
        (RUN, "x.txt", "new_path"),
        (RUN, ".x.md", "new_path"),
        (RUN, "index.md", "new_path"),
        (RUN, "TAGS.md", "new_path"),
        (RUN, "nul.md", "new_path"),
        ("index.md", "x.md", "path"),
        ("tags.md", "x.md", "path"),
    ],
)
def test_a_path_that_cannot_be_is_a_problem(path: str, new: str, field: str) -> None:
    assert problem(rename(path, new))[0] == field


def test_a_change_of_case_alone_is_a_rename() -> None:
    assert "people/Lina.md" in done(rename(LINA, "people/Lina.md"))


# --- any folder ----------------------------------------------------------------------------------

_path = st.builds(
    lambda folders, name: "/".join([*folders, f"{name}.md"]),
    st.lists(st.sampled_from(["p", "q r", "ä"]), max_size=2),
    st.sampled_from(["a", "b c", "d(1)", "e%20f", "g#h", "ж", "i&j", "k<l"]),
)


def _links(path: str, data: bytes) -> list[str]:
    """Where the links of a note lead, by a CommonMark parser."""
    body = data[frontmatter.read(data).body_start :].decode()
    found = []
    for token in MarkdownIt().parse(body):
        for child in token.children or ():
            if child.type == "link_open":
                target = unquote(str(child.attrs["href"])).partition("\0")[0]
                found.append(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
    return found


@settings(max_examples=200, deadline=None)
@given(paths=st.lists(_path, min_size=4, max_size=4, unique=True), angle=st.booleans())
def test_after_a_rename_every_link_leads_where_it_led(paths: list[str], angle: bool) -> None:
    from memtui.proposals.entry_rules import target
    from memtui.proposals.plan_links import Move, relinked

    old, new, other, at = paths

    def link(start: str, to: str) -> str:
        relative = posixpath.relpath(to, posixpath.dirname(start) or ".")
        shown = "<{}>".format(
            relative.replace("%", "%25").replace("#", "%23").replace("<", "%3C").replace("&", "%26")
        )
        return f"[x]({shown if angle else target(relative)})"

    note = f"{link(at, old)} {link(at, other)}".encode()
    after = relinked(note, Move(old, new, at=at))
    assert _links(at, note) == [old, other]
    assert _links(at, after) == [new, other]
    own = f"{link(old, old)} {link(old, other)}".encode()
    assert _links(new, relinked(own, Move(old, new))) == [new, other]
    assert relinked(after, Move(new, old, at=at)) == note


def test_hostile_links_are_left_alone() -> None:

    from memtui.proposals.plan_links import Move, relinked

    for text in (
        "](" * 20000,
        "](((" * 10000,
        '](a "' * 10000,
        "](<" * 20000,
        "[a" * 20000 + "]: b",
        "[x](a.md)`" * 5000,
    ):
        relinked(text.encode(), Move("a.md", "b.md", at="c.md"))
