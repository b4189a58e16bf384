"""What the signs on the screen mean, for the help."""

from __future__ import annotations

from memtui.safe_chars import ASCII_GLYPHS, GLYPHS
from memtui.tui.outside import safe


def signs(ascii_only: bool) -> list[tuple[str, str]]:
    """Each sign that the app draws by itself, and what it says; in ASCII the app's own are drawn as such anyway."""
    glyphs = ASCII_GLYPHS if ascii_only else GLYPHS
    return [
        ("+ ~ > -", "New, changed, renamed, deleted; before a line: added, removed"),
        ("× ?", "Superseded; a contradiction"),
        ("! !!", "A notice; an alarm"),
        ("• ◆", "Not looked at yet; marked"),
        ("≠", "Not what you looked at before"),
        ("⋯ …", "Lines that did not change; words cut for want of room"),
        ("\\", "Goes on with the word of the line above"),
        (f"{glyphs[' ']} {glyphs[chr(9)]}", "In a changed line: a blank at its end or in a long run; a tab"),
        (f"{glyphs[chr(13)]} {glyphs[chr(0xA0)]}", "A carriage return; a blank that is not the usual one"),
        (safe("\u202e"), "A hidden or harmful character, by its number: no text can draw it like this"),
    ]
