"""Which note the name in a wiki link means: a file by its name or path, else a note by its title. Pure.

As Obsidian reads them: a name alone is looked for in every folder, case does not count, `.md` may be left out. Where
several notes are meant, all of them are told, and nobody guesses.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from memtui.notes.links import resolve


class Names:
    """What there is to be named: paths with their titles ("" for none)."""

    def __init__(self, notes: Iterable[tuple[str, str]]) -> None:
        self._paths: dict[str, list[str]] = defaultdict(list)
        self._names: dict[str, list[str]] = defaultdict(list)
        self._titles: dict[str, list[str]] = defaultdict(list)
        for path, title in notes:
            folded = _folded(path)
            self._paths[folded].append(path)
            self._names[posixpath.basename(folded)].append(path)
            if title.strip():
                self._titles[" ".join(_folded(title).split())].append(path)

    def meant(self, name: str, at: str) -> tuple[str, ...]:
        """The notes that a name in the note `at` may mean; none where there is no such note."""
        found = self._files(_folded(name), _folded(at))
        found = found or self._titles.get(" ".join(_folded(name).split()), [])
        exact = [path for path in found if _ends_with(path, name)]
        return tuple(exact if len(exact) == 1 else found)

    def _files(self, name: str, at: str) -> list[str]:
        if is_relative(name):
            return self._paths.get(resolve(name, at), [])
        name = name.lstrip("/")
        if "/" not in name:
            return self._names.get(name, [])
        for path in (name, resolve(name, at)):
            if path in self._paths:
                return self._paths[path]
        named = self._names.get(posixpath.basename(name), [])
        return [path for path in named if _folded(path).endswith(f"/{name}")]


def is_relative(name: str) -> bool:
    """Whether a name is meant from the folder of the note that it stands in."""
    return name.lstrip().startswith(("./", "../"))


def without_suffix(path: str) -> str:
    """A path or name without `.md`."""
    return path[:-3] if path[-3:].casefold() == ".md" else path


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", without_suffix(name.strip())).casefold()


def _ends_with(path: str, name: str) -> bool:
    """Whether a path has the name in its very letters."""
    whole, end = (unicodedata.normalize("NFC", without_suffix(each.strip())) for each in (path, name))
    return whole == end or whole.endswith(f"/{end}")
