"""Words for where there is nothing to decide: first launch, all done, the offer of a workspace, trouble."""

from __future__ import annotations

from pathlib import Path

from memtui.safe_text import safe
from memtui.tui.paint import Line, wrap
from memtui.tui.topbar import home_path

COMMAND = """memtui propose - <<< '{"operation": "write",
  "path": "prefs/tea.md", "summary": "green tea",
  "content": "No sugar.\\n", "agent": "me"}'"""
"""A first proposal, as the person can send it from another terminal."""


def words_lines(cells: int, title: str, *sentences: str) -> list[Line]:
    """A title and sentences under it, wrapped."""
    lines: list[Line] = [((safe(title), "title"),)] if title else []
    for sentence in sentences:
        if sentence:
            lines += [((row, ""),) for row in wrap(safe(sentence), max(8, cells - 1))]
    return lines


def empty_lines(cells: int, rows: int, never_used: bool, decided: int, spool: str, demo: bool) -> list[Line]:
    """Nothing is waiting."""
    if never_used and rows >= 16 and cells >= 50:
        return first_lines(spool, demo)
    words = f"{decided} decided today" if decided else "An agent proposes; you decide here."
    if cells >= 60:
        return [(("Nothing is waiting", "title"),), (), ((words, "muted"),)]
    top: list[Line] = [()] * max(0, rows // 2 - 2)
    return [
        *top,
        (("Nothing is waiting".center(cells).rstrip(), "title"),),
        ((words.center(cells).rstrip(), "muted"),),
    ]


def first_lines(spool: str, demo: bool) -> list[Line]:
    """The first launch: what this is and how to send a first proposal (SCREENS, First launch)."""
    command: list[Line] = [((f"     {line}", ""),) for line in COMMAND.split("\n")]
    look: list[Line] = [] if demo else [(("3  ", "bold"), ("Look around first:   memtui demo", "")), ()]
    return [
        (("Nothing is waiting", "title"),),
        (),
        (("An agent proposes; you decide here; only then is a note written.", ""),),
        (),
        (("1  ", "bold"), ("Send one from another terminal. It appears here by itself:", "")),
        (),
        *command,
        (),
        (("     y", "bold"), ("  copy the command", "muted")),
        (),
        (("2  ", "bold"), ("Or write a note yourself; it passes the same review.", "")),
        (),
        (("     c", "bold"), ("  new note", "muted")),
        (),
        *look,
        ((f"watching {home_path(Path(spool))}", "muted"),),
    ]


def offer_lines(cells: int, directory: Path) -> list[Line]:
    """A memory folder without a workspace: what `y` makes, and that it makes nothing else."""
    return [
        (("No workspace here yet", "title"),),
        (),
        *words_lines(cells, "", f"There is a memory folder in {home_path(directory)}."),
        (("y", "bold"), ("  makes .memtui/ and nothing else: no note is touched", "")),
        (("q", "bold"), ("  leaves everything as it is", "")),
    ]


def trouble_lines(cells: int, sentence: str) -> list[Line]:
    """The workspace cannot be opened."""
    return [
        (("The workspace cannot be opened", "title"),),
        (),
        *words_lines(cells, "", sentence),
        (),
        (("Nothing was written. ", "muted"), ("^q", "bold"), (" quits", "muted")),
    ]
