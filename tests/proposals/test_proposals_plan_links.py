"""Which text of a note is a link that follows a rename, and which only looks like one (CommonMark)."""

from __future__ import annotations

import pytest

from memtui.proposals.plan_links import Move, relinked
from tests.proposals.plans import applied, folder, notices, planned, rename, touched

MOVE = Move("a.md", "b.md", at="c.md")


@pytest.mark.parametrize(
    "text",
    [
        "para\n\n    [x](a.md)\n",
        "\t[x]: a.md\n",
        "- item\n\n      [x](a.md)\n",
        "> ```\n> [x](a.md)\n> ```\n",
        "1. ~~~\n   [x]: a.md\n   ~~~\n",
        "<pre>\n\n[x](a.md)\n</pre>\n",
        "<div>\n[x](a.md)\n</div>\n",
        "<script>\n[x](a.md)\n\n[x]: a.md\n</script>\n",
        "<![CDATA[\n[x](a.md)\n]]>\n",
        "<!--\n\n[x](a.md)\n-->\n",
        "`code [x](a.md)\nover two lines`\n",
        '<a title="[x](a.md)">text</a>\n',
        "\\[e](a.md)\n",
        "no open bracket](a.md)\n",
        "a paragraph\n[notdef]: a.md\n",
        '[y](z.md "[x](a.md)")\n',
        "[^1]: a.md\n",
        "[x](a.md y)\n",
        "[x](a\\.md.md)\n",
    ],
)
def test_what_is_no_link_stays(text: str) -> None:
    assert relinked(text.encode(), MOVE) == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "[x\\\\](a.md)\n",
        "\\`[x](a.md)`\n",
        "\\\\[x](a.md)\n",
        "[split](\na.md)\n",
        "[split](\r\na.md)\r\n",
        "[split](\ra.md)\r",
        "> [split](\n> a.md)\n",
        '[sp](a.md\n"title")\n',
        "[split\ntext](a.md)\n",
        "[x]:\n  a.md\n",
        "[x]: a.md\n[x]: a.md\n\n[x] ![y][x]\n",
        "> - [x](a.md)\n>\n> [y]: a.md\n",
        "<b>[x](a.md)</b>\n",
        "[![i](a.md)](a.md)\n",
        "![one [x](a.md) two](a.md)\n",
        "<div>\n\n[x](a.md)\n\n</div>\n",
        "| [x](a.md) | `y` |\n",
        "para\n    [x](a.md)\n",
        "---\nlink: a\n---\n[x](a.md)\n",
        "memtuilink0z [x](a.md) [y](memtuilink0z)\n",
        "[x](a.md)\x00[y](a.md)\n",
    ],
)
def test_every_link_follows_and_nothing_else_changes(text: str) -> None:
    assert relinked(text.encode(), MOVE) == text.replace("a.md", "b.md").encode()


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("[x](a&#46;md)", "[x](b.md)"),
        ("[x](a&#x2e;md#part)", "[x](b.md#part)"),
        ("[x](&#97;.md)", "[x](b.md)"),
        ("[x](a&period;md)", "[x](b.md)"),
        ("[x](a.md#a&#46;b)", "[x](b.md#a&#46;b)"),
        ("[x](a.md) `[x](a.md)` [y](a.md)", "[x](b.md) `[x](a.md)` [y](b.md)"),
        ("[x](a.md)\n\n    [x](a.md)\n", "[x](b.md)\n\n    [x](a.md)\n"),
        ("[x](a.md?raw)", "[x](b.md?raw)"),
        ("[x](a.md?raw#part)", "[x](b.md?raw#part)"),
        ("[x](<a.md?two words>)", "[x](<b.md?two words>)"),
        ("[x]: a.md?raw 'title'", "[x]: b.md?raw 'title'"),
        (
            "[t](a.md)\n\n> [t](\n> <script>)\n<script>\n[t](a.md)\n",
            "[t](b.md)\n\n> [t](\n> <script>)\n<script>\n[t](a.md)\n",
        ),
    ],
)
def test_a_link_follows_in_whatever_form_it_is_written(text: str, after: str) -> None:
    assert relinked(text.encode(), MOVE).decode() == after


def test_a_question_mark_of_the_name_is_no_query() -> None:
    move = Move("why?.md", "who?.md", at="c.md")
    assert relinked(b"[x](why?.md) [y](why%3F.md)", move) == b"[x](who%3F.md) [y](who%3F.md)"
    assert relinked(b"[x](why?.md)", Move("why", "who", at="c.md")) == b"[x](who?.md)"


def test_links_of_a_moved_note_keep_their_query() -> None:
    text = b"[x](b.md?raw) [y](?raw) [z](#part) [w](why?.md#part)"
    after = b"[x](../b.md?raw) [y](?raw) [z](#part) [w](../why?.md#part)"
    assert relinked(text, Move("a.md", "p/a.md")) == after


@pytest.mark.parametrize(
    "note", [b"caf\xe9 [x](a.md)\n", b"---\nsuperseded_by: a.md\ntitle: caf\xe9\n---\ntext\n"]
)
def test_a_note_that_is_not_utf_8_is_left_and_named(note: bytes) -> None:
    on = folder({"a.md": "note\n", "c.md": note})
    made = planned(rename("a.md", "ä.md"), on)
    assert touched(made) == {"ä.md"}
    assert "c.md" in notices(made)["link"]
    on = folder({"a.md": "note\n", "c.md": b"caf\xe9 [x](z.md)\n"})
    assert not planned(rename("a.md", "ä.md"), on).notices


def test_a_moved_note_that_is_not_utf_8_keeps_its_bytes_and_is_named() -> None:
    on = folder({"a.md": b"caf\xe9 [x](z.md)\n"})
    made = planned(rename("a.md", "p/a.md"), on)
    assert "a.md" in notices(made)["link"]
    assert applied(made, on)["p/a.md"] == b"caf\xe9 [x](z.md)\n"


def test_a_list_of_successors_stays_and_is_named() -> None:
    on = folder({"a.md": "note\n", "c.md": "---\nsuperseded_by: [a.md]\n---\ntext\n"})
    made = planned(rename("a.md", "b.md"), on)
    assert touched(made) == {"b.md"}
    assert "c.md" in notices(made)["link"]
