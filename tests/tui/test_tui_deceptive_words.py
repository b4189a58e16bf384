"""Words of proposals and notes made to deceive, in the whole app: on the screen, and in what a terminal gets."""

from __future__ import annotations

import re

import pytest
from textual.strip import Strip

from memtui.config import Workspace
from tests.tui.deceptive_words import fill, proposals
from tests.tui.driver import Driver, Opener, drop
from tests.tui.picture import BORDER, columns, on_terminal
from tests.tui.pty_driver import on_terminal as on_pty
from tests.tui.test_tui_deceptions import is_hidden

SIZES = [(40, 20), (80, 24), (200, 50)]
SEQUENCE = re.compile(
    r"\x1b\[[0-9;:<=>?]*\$?[A-Za-z~]|\x1b\](?:[012]|22);[^\x07\x1b]*\x07|\x1bP[^\x1b]*\x1b\\|\x1b[=>78M]"
)
"""What the app itself sends: positions, colours, modes, the terminal's title."""
_CUT = re.compile(r"(?:\x1b[^A-Za-z\x1b]*|\ufffd)\Z")
"""What was being written as the last byte was read."""


def divider(cells: int) -> int:
    """The column between list and preview."""
    return 33 if cells < 140 else 40


def look(driver: Driver) -> None:
    """Every cell stands where the app believes it, and nothing hidden is in any."""
    strips = [Strip(strip) for strip in driver.app.screen._compositor.render_strips()]
    size = driver.app.size
    screen = on_terminal(strips, size.width)
    for y, strip in enumerate(strips):
        assert not any(map(is_hidden, strip.text)), driver.text
        assert [screen.buffer[y][x].data for x in range(size.width)] == columns(strip)
        assert screen.buffer[y][size.width].data == BORDER
        if size.width >= 80 and 0 < y < size.height - 2 and driver.app.screen is driver.app.main:
            assert screen.buffer[y][divider(size.width)].data == "│", driver.text


@pytest.mark.parametrize("size", SIZES)
async def test_no_word_of_a_proposal_moves_or_hides_anything(opened: Opener, size: tuple[int, int]) -> None:
    async with opened(size=size, wait=False) as app:
        fill(app.workspace.memory)
        wanted = dict(proposals())
        for name, fields in wanted.items():
            app.drop(name, fields)
        inbox = app.app.main.inbox
        await app.until(
            lambda: len(inbox.model.items) + len(inbox.model.held) + len(inbox.model.refusals) == len(wanted)
        )
        for id in [*inbox.model.items, *inbox.model.held][:: 1 if size == (80, 24) else 4]:
            inbox.come_back(id)
            await app.until(
                lambda id=id: inbox.view.preview is not None and inbox.view.preview.item.id == id, id
            )
            await app.pilot.pause()
            look(app)
        await app.press("i")
        look(app)
        await app.press("escape", "g", "h")
        look(app)
        await app.press("g", "n")
        await app.until(lambda: "deceive" in app.text)
        for _ in range(30 if size == (80, 24) else 10):
            await app.press("j")
            look(app)


async def test_what_was_decided_of_such_words_is_said_safely(opened: Opener) -> None:
    async with opened(wait=False) as app:
        await app.sees("Nothing is waiting")
        for name, fields in [pair for pair in proposals() if pair[0] in ("w01", "w04", "w05", "w19")]:
            app.drop(name, fields)
        await app.until(lambda: app.app.main.inbox.model.waiting == 4)
        for left in (3, 2):
            await app.settled()
            await app.press("r", "enter")
            await app.until(lambda left=left: app.app.main.inbox.model.waiting == left)
            look(app)
        await app.approve()
        look(app)
        await app.press("g", "a")
        await app.sees("approved")
        look(app)


@pytest.mark.parametrize("size", SIZES)
def test_a_terminal_gets_no_control_sequence_but_the_apps_own(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    fill(workspace.memory)
    wanted = [pair for pair in proposals() if pair[0] in ("raw", "w01", "w04", "w06", "w12", "a03")]
    for name, fields in wanted:
        drop(workspace, name, fields)
    with on_pty(workspace, size=size) as app:
        app.sees("deceive" if size[0] > 40 else "write")
        for _ in range(len(wanted)):
            app.send("J")
            app.read(0.3)
        app.send("i")
        app.sees("Details")
        app.send("esc")
        app.until(lambda: "Details" not in app.text)
        app.send("g", "n")
        app.sees("deceive")
        app.send("j", "j", "j", "j")
        app.stand_still()
        text = _CUT.sub("", SEQUENCE.sub("", bytes(app.raw).decode("utf-8", "replace")))
        assert {c for c in text if is_hidden(c)} <= set("\r\n"), text
        assert "owned" not in "".join(re.findall(r"\x1b\][^\x07\x1b]*", bytes(app.raw).decode()))
        if size[0] >= 80:
            column, rows = divider(size[0]), range(1, size[1] - 2)
            app.until(
                lambda: {app.screen.buffer[y][column].data for y in rows} == {"│"}, "a straight divider"
            )
