"""What people call a seed phrase: with one of these names begins what is looked at more closely."""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def named_at(lowered: str) -> Iterator[int]:
    """Where such a name begins in a text of small letters."""
    for cue in CUES:
        if cue in lowered:
            found = (match.start() for match in re.finditer(cue, lowered))
            yield from (at for at in found if _NAMES.match(lowered, at))
