"""What an earlier run left unfinished: drafts, changes left out, and texts that `$EDITOR` had when memtui was killed.

All of it is kept as drafts in the journal; a text that `$EDITOR` had becomes one. Everything here blocks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.review.drafts import left_out_key, partly, read_left_out, whole_key, wholes
from memtui.tui.form import Values, read_draft
from memtui.tui.left_over import left_over

if TYPE_CHECKING:
    from memtui.desk import Desk


@dataclass(frozen=True, slots=True)
class Lent:
    """A text that `$EDITOR` has: as which draft it is kept."""

    workspace: str
    """The path of its journal."""
    key: str
    """Of the form that it is a text of."""
    values: Values | None = None
    """Of the form whose body it is; None where it is a whole text."""

    def label(self) -> str:
        """As it stands beside the text, in case nobody is left to take it back."""
        values = None if self.values is None else self.values.dump()
        return json.dumps({"workspace": self.workspace, "key": self.key, "values": values})

    def keep(self, desk: Desk, text: str) -> bool:
        """Keep the text as a draft; False: it holds a secret, so it is not kept."""
        if self.values is None:
            return desk.save_draft(whole_key(self.key), text)
        return desk.save_draft(self.key, replace(self.values, body=text).dump())


def _read_label(label: str) -> Lent | None:
    try:
        read = json.loads(label)
        return Lent(str(read["workspace"]), str(read["key"]), read_draft(read["values"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What there is of it."""

    drafts: frozenset[str] = frozenset()
    """Keys of forms whose values are kept."""
    texts: frozenset[str] = frozenset()
    """Keys of forms of which a whole text is kept, that `$EDITOR` gave back."""
    left_out: Mapping[str, tuple[str, ...]] | None = None
    """Keys of the changes that were left out of an item, by its id."""
    kept: tuple[str, ...] = ()
    """A sentence on each text that `$EDITOR` had and that is a draft now."""
    unkept: tuple[str, ...] = ()
    """A sentence on each that no draft can hold: where it is."""
    left_over: Mapping[str, str] | None = None
    """Headlines of the proposals that were withdrawn or refused while they were edited, by id."""


def take_up(desk: Desk) -> Unfinished:
    """Everything unfinished, after the texts that `$EDITOR` had were kept. Raises JournalError."""
    from memtui.tui.external import take_left

    kept: list[str] = []
    unkept: list[str] = []

    def take(label: str, text: bytes, path: Path) -> bool:
        lent = _read_label(label)
        if lent is None or lent.workspace != str(desk.workspace.journal):
            return False
        where = f"the text that you had in $EDITOR is still in {path}"
        try:
            if lent.keep(desk, text.decode("utf-8")):
                key = "E" if lent.values is None else "e"
                kept.append(f"your text of {lent.key} in $EDITOR is kept as a draft: {key} goes on with it")
                return True
            unkept.append(f"{where}: it holds what looks like a secret, so no draft of it is kept")
        except UnicodeDecodeError:
            unkept.append(f"{where}: it is not UTF-8")
        return False

    if not desk.workspace.settings.problem:  # a journal that is only read takes no draft
        take_left(take)
    keys = desk.drafts()
    ids = partly(keys)
    texts = wholes(keys)
    return Unfinished(
        frozenset(key for key in keys if "\n" not in key),
        texts,
        {id: read_left_out(desk.draft(left_out_key(id))) for id in ids},
        tuple(kept),
        tuple(unkept),
        left_over(desk, texts | {key for key in keys if "\n" not in key}),
    )
