"""The screen of one workspace: the built-in rules, the person's vault, the scanner, and what is marked as no secret.

Made once for a desk and used wherever text comes in, is kept or is read back (SPEC.md section 4): there is no
other way to the rules from outside this room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from memtui.gate import secrets
from memtui.gate.engine import Engine
from memtui.gate.fingerprints import Marks
from memtui.gate.secret_rules import RULES
from memtui.gate.secrets import Also, Hit
from memtui.gate.vault import Vault

if TYPE_CHECKING:
    from memtui.config import Workspace
    from memtui.gate.views import View

__all__ = ["Hit", "Screen", "open_screen", "rule_names"]


_TOLD_APART = 4
"""Characters from which a text is no word that is in any note."""


class Screen:
    """Finds and takes out secrets. Thread-safe; reads the vault and starts the scanner when first needed."""

    def __init__(self, vault: Vault, engine: Engine, marks: Marks) -> None:
        self.vault = vault
        self.marks = marks
        self._engine = engine

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Wait no longer for the vault's programs, and end the scanner's helper."""
        self.vault.close()
        self._engine.close()

    @property
    def engine(self) -> str:
        """Which rules run, in words."""
        return self._engine.words()

    @property
    def loading(self) -> bool:
        """Whether the scanner is being made ready: the first time on a machine that takes some seconds."""
        return self._engine.loading

    @property
    def trouble(self) -> bool:
        """Whether the scanner failed, so that the built-in rules run alone."""
        return self._engine.failed

    @property
    def generation(self) -> int:
        """Changes where the vault has other values, so that a text that passed may not pass again."""
        self.vault.refresh()
        return self.vault.generation

    def identity(self) -> str:
        """A salted hash of what decides what the screen finds: rules, vault, scanner, what is marked as no secret."""
        self.marks.refresh()
        rules = sorted((file.name, file.stat().st_mtime_ns) for file in Path(__file__).parent.glob("*.py"))
        return self.marks.digest(
            repr((rules, self.vault.identity(), self._engine.identity, self.marks.marked))
        )

    def scan_fields(self, fields: Mapping[str, str], *, wait: bool = True) -> tuple[Hit, ...]:
        """Secrets in these texts and in the names of the fields: all that the built-in rules and the vault show;
        the scanner's where those show none, since one is enough to stop a proposal.

        `wait` False: the scanner is not asked where it would have to be started first.
        """
        return secrets.scan_fields(fields, self._also(ask=wait or self._engine.running))

    def scan_bytes(self, data: bytes) -> tuple[Hit, ...]:
        """The same for a raw file, whatever it holds."""
        return secrets.scan_bytes(data, self._also())

    def redact(self, text: str) -> str:
        """The text with every secret replaced by `[redacted: <rule>]`."""
        return secrets.redact(text, self._also(all=True))

    def cover(self, text: str) -> str:
        """The text, as long as before, with nothing in the place of every secret that an agent's words could match."""
        return secrets.cover(text, self._also(all=True))

    def uncovers(self, before: bytes, after: bytes) -> bool:
        """Whether a secret of the one text stands in the other where nothing tells any more that it is one."""
        old, new = before.decode("utf-8", "replace"), after.decode("utf-8", "replace")
        runs = re.finditer(f"{secrets.COVER}+", self.cover(old))
        parts = {part for run in runs if len(part := old[slice(*run.span())].strip()) >= _TOLD_APART}
        if not any(part in new for part in parts):
            return False
        shown = self.cover(new)
        return any(part in shown for part in parts)

    def _also(self, *, ask: bool = True, all: bool = False) -> Also:
        """`ask`: the scanner too; `all`: even where something is found already."""
        self.vault.refresh()
        self.marks.refresh()
        stopped = False

        def passes(rule: str, value: str) -> bool:
            nonlocal stopped
            marked = self._is_marked(rule, value)
            stopped = stopped or not marked
            return marked

        def scanner(view: View) -> Iterator[tuple[str, int, int]]:
            if ask and (all or not stopped):
                yield from self._engine.find(view)

        return Also(self.vault.finder(), scanner, passes, self._known_by)

    def _is_marked(self, rule: str, value: str) -> bool:
        """Whether the person has said that it is no secret. A rule's mark never covers a value of the vault."""
        marked = self.marks.marked
        if not (marked.rules or marked.fingerprints):
            return False
        if rule in marked.rules and not self.vault.value(rule):
            return True
        return bool(marked.fingerprints) and self._known_by(rule, value)[1] in marked.fingerprints

    def _known_by(self, rule: str, value: str) -> tuple[int, str]:
        bare = self.vault.value(rule) or value
        return len(bare), self.marks.fingerprint(bare)


def rule_names() -> list[str]:
    """The names of the built-in rules."""
    return sorted({rule.name for rule in RULES})


PLAIN = Screen(Vault(), Engine(()), Marks(None))
"""The built-in rules alone: for what knows no workspace."""


def open_screen(workspace: Workspace) -> Screen:
    """The screen of a workspace, as its settings have it; nothing is read yet."""
    return Screen(Vault(workspace.settings.vault), Engine(), Marks(workspace.state))
