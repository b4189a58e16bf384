"""The editor loses nothing: line endings, BOM, what it cannot hold; and what goes wrong is read whole."""

from __future__ import annotations

import pytest

from memtui.config import Workspace
from memtui.tui.form import inline_problem, take_in
from tests.tui.driver import Driver, Opener

EDITED_HERE = {
    "crlf": b"# Crlf\r\nOne.\r\nTwo.\r\nno end",
    "crlfend": b"---\r\ndescription: crlfend\r\n---\r\nOne.\r\n",
    "bom": b"\xef\xbb\xbf# Bom\ntext\n",
    "bomcrlf": b"\xef\xbb\xbf# Bomcrlf\r\ntext\r\n",
    "plain": b"# Plain\n\ttab  trailing  \n\n\n",
}
EDITED_ELSEWHERE = {
    "mixed": b"# Mixed\nunix\r\nwin\n",
    "mac": b"# Mac\rold\r",
    "vt": b"# Vt\x0btab\n",
    "nel": "# Nel\u0085x\n".encode(),
    "separator": "# Separator\u2028x\n".encode(),
    "longline": b"# Longline\n" + b"word " * 1024 + b"\n",
    "big": b"# Big\n" + b"0123456789abcde\n" * 16400,
}


async def open_note(app: Driver, name: str) -> None:
    await app.press("g", "n")
    await app.until(lambda: app.app.main.pane.pane == "notes" and app.app.main.pane.rows.rows)
    await app.press("/", *f"{name}.md", "enter")
    await app.until(lambda: getattr(app.app.main.pane, "shown", None) and f"{name}.md" in app.text)
    await app.until(lambda: app.app.main.pane.shown.row.path == f"{name}.md")


@pytest.mark.parametrize("name", EDITED_HERE)
async def test_endings_and_bom_come_back_as_they_were(
    opened: Opener, workspace: Workspace, name: str
) -> None:
    path, before = workspace.memory / f"{name}.md", EDITED_HERE[name]
    path.write_bytes(before)
    async with opened() as app:
        await open_note(app, name)
        await app.press("e")
        await app.until(lambda: app.app.main.typing)
        await app.press("ctrl+end", "X", "ctrl+s")
        await app.sees("a write it")
        await app.until(lambda: app.app.main.pane.view.settled)
        await app.press("a")
        await app.sees("wrote ")
        assert path.read_bytes() == before + b"X"
        await app.press("u")
        await app.until(lambda: path.read_bytes() == before)


@pytest.mark.parametrize("name", EDITED_ELSEWHERE)
async def test_what_it_cannot_hold_is_not_opened(opened: Opener, workspace: Workspace, name: str) -> None:
    (workspace.memory / f"{name}.md").write_bytes(EDITED_ELSEWHERE[name])
    async with opened() as app:
        await open_note(app, name)
        await app.press("e")
        await app.sees("is edited in $EDITOR only: E")
        assert not app.app.main.typing
        assert "show the change" not in app.text


@pytest.mark.parametrize("data", EDITED_HERE.values())
def test_words_and_shape_make_the_text_again(data: bytes) -> None:
    text = data.decode()
    words, shape = take_in(text)
    assert shape.give_back(words) == text
    assert "\r" not in words
    assert "\ufeff" not in words
    assert inline_problem(text) == ""


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (40, 12)])
async def test_what_is_wrong_is_read_whole(opened: Opener, size: tuple[int, int]) -> None:
    async with opened(size=size) as app:
        await app.until(lambda: app.app.desk is not None)
        await app.press("c")
        await app.until(lambda: app.app.main.typing)
        await app.press(*"../x.md", "tab", "s", "tab", "t", "ctrl+s")
        editor = app.app.main.pane._editor
        await app.until(lambda: editor.says._text or any(line.note.size.width for line in editor._lines))
        await app.pilot.pause()
        said = " ".join("".join(line.split("│")[-1:]).strip() for line in app.lines)
        for word in editor.says._text.split():
            assert word in said


async def test_the_hint_of_a_new_note_takes_one_line_where_it_fits(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Notes 6")
        await app.press("c")
        await app.sees("a path ending in .md, one line of summary, the text")


async def test_esc_from_a_new_note_goes_back_to_where_it_was_begun(opened: Opener) -> None:
    async with opened("01") as app:
        for keys, pane in ((("g", "i"), "inbox"), (("g", "a"), "activity"), (("g", "n"), "notes")):
            await app.press(*keys)
            await app.until(lambda pane=pane: app.app.main.pane.pane == pane)
            await app.press("c")
            await app.until(lambda: app.app.main.typing)
            await app.press("escape")
            await app.until(lambda pane=pane: app.app.main.pane.pane == pane and not app.app.main.typing)


async def test_a_blank_stands_between_the_longest_label_and_its_field(opened: Opener) -> None:
    async with opened("08") as app:
        await app.settled()
        await app.press("e")
        await app.sees("user_command delete the entry")
        await app.sees("reason       should not have been saved")
