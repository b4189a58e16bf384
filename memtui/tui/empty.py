"""Words for where there is nothing to decide: first launch, all done, the offer of a workspace, trouble."""

from __future__ import annotations

from pathlib import Path

from memtui.tui.outside import safe
from memtui.tui.paint import Line, wrap
from memtui.tui.topbar import home_path
from memtui.tui.words import number

COMMAND = """memtui propose - <<< '{"operation": "write",
  "path": "prefs/tea.md", "summary": "green tea",
  "content": "No sugar.\\n", "agent": "me"}'"""
"""A first proposal, as the person can send it from another terminal."""
NARROW = """memtui propose - <<< '{
  "operation": "write",
  "path": "prefs/tea.md",
  "summary": "green tea",
  "content": "No sugar.\\n",
  "agent": "me"}'"""
"""The same, wrapped where a shell does not mind."""

UNREADABLE = "The spool cannot be read"
SCANNER_LOADS = "The secret scanner is being made ready: the first time, that takes some seconds."


def words_lines(cells: int, title: str, *sentences: str) -> list[Line]:
    """A title and sentences under it, wrapped."""
    lines: list[Line] = [((safe(title), "title"),)] if title else []
    for sentence in sentences:
        if sentence:
            lines += [((row, ""),) for row in wrap(safe(sentence), max(8, cells - 1))]
    return lines


def empty_lines(cells: int, rows: int, never_used: bool, decided: int, spool: str, demo: bool) -> list[Line]:
    """Nothing is waiting."""
    if never_used:
        return first_lines(cells, rows, spool, demo)
    words = f"{number(decided)} decided today" if decided else "An agent proposes; you decide here."
    if cells >= 60:
        return [(("Nothing is waiting", "title"),), (), ((words, "muted"),)]
    top: list[Line] = [()] * max(0, rows // 2 - 2)
    return [
        *top,
        (("Nothing is waiting".center(cells).rstrip(), "title"),),
        ((words.center(cells).rstrip(), "muted"),),
    ]


def first_lines(cells: int, rows: int, spool: str, demo: bool) -> list[Line]:
    """The first launch: what this is and how to send a first proposal (SCREENS, First launch)."""
    if cells < 42 or rows < 19:
        return _first_short(cells, rows)
    short = cells < 58 or rows < 21
    gap: list[Line] = [] if short else [()]
    send = "Send one from another terminal" + (":" if short else ". It appears here by itself:")
    own = "Or write a note yourself" + (":" if short else "; it passes the same review.")
    command: list[Line] = [((f"     {line}", ""),) for line in (NARROW if short else COMMAND).split("\n")]
    look: list[Line] = [] if demo else [_step("3", "Look around first:   memtui demo"), ()]
    return [
        (("Nothing is waiting", "title"),),
        (),
        *words_lines(cells, "", "An agent proposes; you decide here; only then is a note written."),
        (),
        _step("1", send),
        *gap,
        *command,
        *gap,
        (("     y", "bold"), ("  copy the command", "muted")),
        (),
        _step("2", own),
        *gap,
        (("     c", "bold"), ("  new note", "muted")),
        (),
        *look,
        *(((row, "muted"),) for row in wrap(f"watching {home_path(Path(spool))}", max(8, cells - 1))),
    ]


def _step(number: str, words: str) -> Line:
    return ((f"{number}  ", "bold"), (words, ""))


def _first_short(cells: int, rows: int) -> list[Line]:
    """The same where there is little room: the command, and the key that copies it."""
    lines: list[Line] = [
        (("Nothing is waiting", "title"),),
        (),
        *words_lines(cells, "", "An agent sends:"),
        (("  memtui propose FILE", "bold"),),
        (),
        (("y", "bold"), ("  copy a first command", "muted")),
        (("c", "bold"), ("  new note", "muted")),
    ]
    return lines if len(lines) <= rows else [line for line in lines if line]


def offer_lines(cells: int, directory: Path) -> list[Line]:
    """A memory folder without a workspace: what `y` makes, and that it makes nothing else."""
    return [
        (("No workspace here yet", "title"),),
        (),
        *words_lines(cells, "", f"There is a memory folder in {home_path(directory)}."),
        *_keyed("y", "makes .memtui/ and nothing else: no note is touched", cells),
        *_keyed("q", "leaves everything as it is", cells),
    ]


def _keyed(key: str, words: str, cells: int) -> list[Line]:
    """A key and what it does, wrapped."""
    first, *more = wrap(words, max(8, cells - 3))
    return [((key, "bold"), ("  " + first, "")), *((("   " + row, ""),) for row in more)]


def trouble_lines(cells: int, sentence: str) -> list[Line]:
    """The workspace cannot be opened."""
    return [
        (("The workspace cannot be opened", "title"),),
        (),
        *words_lines(cells, "", sentence),
        (),
        (("Nothing was written. ", "muted"), ("^q", "bold"), (" quits", "muted")),
    ]
