"""What people call a seed phrase: with one of these names begins what is looked at more closely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.gate.views import View

NAMES = (
    r"seed|mnemonic|(?:recovery|secret|wallet|backup|pass)[ -]?(?:phrase|words)|wallet"
    r"|(?:12|15|18|21|24|twelve|four)[ -]words|phrase|frase"
    r"|сид|мнемоник\w*|助记词|wiederherstellungsw\w+"
)
"""A regular expression, for small letters."""
CUES = (
    *("seed", "mnemonic", "recovery", "secret", "wallet", "phrase", "frase"),
    *(f"{name}{sign}words" for name in ("backup", "pass") for sign in ("", " ", "-")),
    *(f"{count}{sign}words" for count in ("12", "15", "18", "21", "24", "twelve", "four") for sign in " -"),
    *("сид", "мнемоник", "助记词", "wiederherstellungsw"),
)
"""One of them begins every name."""
_NAMES = re.compile(NAMES)


def named_at(view: View) -> Iterator[int]:
    """Where such a name begins in the text of a view."""
    for cue in CUES:
        yield from (at for at in view.places(cue) if _NAMES.match(view.lowered, at))
