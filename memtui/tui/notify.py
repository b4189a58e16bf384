"""A desktop notification, which the terminal shows: OSC 9, or OSC 777 where that is what it knows. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.safe_text import safe

LONGEST = 120
"""Characters of a notification: it says how many came and from whom, and nothing of what they hold."""
_BY_777 = ("foot", "rxvt", "vte", "gnome")
"""Terminals, by the start of `$TERM` or `$TERM_PROGRAM`, that know OSC 777 and not OSC 9."""


def notification(text: str, environment: Mapping[str, str]) -> str:
    """The control sequence that has the terminal notify the person; `text` may come from anywhere."""
    plain = safe(text)[:LONGEST].replace(";", ",")  # the semicolon ends a part of OSC 777
    names = (environment.get("TERM_PROGRAM", "").lower(), environment.get("TERM", "").lower())
    is_777 = any(name.startswith(_BY_777) for name in names) or bool(environment.get("VTE_VERSION"))
    sequence = f"\x1b]777;notify;memtui;{plain}\x07" if is_777 else f"\x1b]9;memtui: {plain}\x07"
    if environment.get("TMUX"):  # tmux passes on what is wrapped so, where it is set to
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return sequence


def arrival_text(count: int, agents: list[str]) -> str:
    """`2 proposals wait for you, from codex`; of several agents, the first and how many more."""
    words = "1 proposal waits for you" if count == 1 else f"{count:,} proposals wait for you"
    named = list(dict.fromkeys(agent for agent in agents if agent))
    if not named:
        return words
    more = f" and {len(named) - 1} more" if len(named) > 1 else ""
    return f"{words}, from {named[0][:40]}{more}"
