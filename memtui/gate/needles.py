"""Many exact values looked for in one text at once, also as they stand encoded.

A text is looked at in steps, a few characters each, which the first places of all values are looked up by: the
time hardly depends on how many values there are.
"""

from __future__ import annotations

import binascii
from collections import defaultdict
from collections.abc import Iterator, Mapping

SHORTEST = 6
"""Characters from which a value is looked for as it stands."""
SHORTEST_HIDDEN = 8
"""Characters from which it is looked for in every view, encoded, and split by white space."""
_GRAM = 4


class Needles:
    """Texts of at least `shortest` characters, each with the name that a match is reported under."""

    def __init__(self, needles: Mapping[str, str], shortest: int) -> None:
        self._step = shortest - _GRAM + 1
        self._places: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for needle in needles:
            for offset in range(self._step):
                self._places[needle[offset : offset + _GRAM]].append((needle, offset))
        self._names = needles

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Name, start and end of every match, in the order of the text."""
        places = self._places
        if not places:
            return
        seen: set[tuple[int, str]] = set()
        for at in range(0, len(text) - _GRAM + 1, self._step):
            if text[at : at + _GRAM] not in places:
                continue
            for needle, offset in places[text[at : at + _GRAM]]:
                start = at - offset
                if start >= 0 and (start, needle) not in seen and text.startswith(needle, start):
                    seen.add((start, needle))
                    yield self._names[needle], start, start + len(needle)


def encoded(value: str) -> Iterator[str]:
    """The forms in which a value stands inside of encoded text: hex, and base64 at its three offsets."""
    data = value.encode("utf-8", "surrogatepass")
    yield data.hex()
    yield data.hex().upper()
    for before in range(3):
        # Characters that also hold bits of the neighbours are left out.
        start = (before * 8 + 5) // 6
        end = (before + len(data)) * 8 // 6
        text = binascii.b2a_base64(bytes(before) + data, newline=False).decode("ascii")[start:end]
        yield text
        yield text.replace("+", "-").replace("/", "_")
