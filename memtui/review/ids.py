"""Ids of proposals: which are free, and which name one that was decided or waits (SPEC.md section 4, "Ids")."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from memtui.proposals.decode import Decoded, decode
from memtui.proposals.model import Problem
from memtui.storage.journal import Journal
from memtui.storage.spools import name_in

FINAL = ("approved", "rejected")
"""Verdicts after which an id is taken for good."""
_ANSWERED = (*FINAL, "refused", "blocked")
"""Verdicts after which a file is taken away."""


@dataclass(frozen=True, slots=True)
class Ids:
    """Answers from the journal; `file` is always a spool file as `storage/spools.py` knows it."""

    journal: Journal
    types: tuple[str, ...]

    def is_decided(self, id: str, digest: str) -> bool:
        """Whether these bytes have had their answer: approved and rejected are for good, the others only
        while their file is on its way out, or the rest of their batch still waits."""
        item = self.journal.latest_item(id)
        if item is None or item.file_sha256 != digest:
            return False
        if item.verdict in FINAL:
            return True
        if item.verdict not in ("refused", "blocked"):
            return False
        if self.journal.open_state(digest, id):  # a crash came before its file could go
            return True
        return bool(item.batch) and bool(self.journal.waiting(batch=item.batch))

    def came_in(self, digest: str) -> dict[str, bool]:
        """The files that these bytes came in, each with whether all in it was answered for good and waits no more.

        A blocked one's name is kept nowhere: it stands under its spool alone.
        """
        waits = {row.file for row in self.journal.waiting() if row.file_sha256 == digest}
        begun = self.journal.open_state(digest) == "intent"
        files = dict.fromkeys(waits, False)
        for item in self.journal.items_of(digest):
            had = item.verdict in _ANSWERED and not begun
            files[item.file] = files.get(item.file, True) and had
        return files

    def waiting(self, file: str, data: bytes, digest: str, decoded: Decoded) -> Decoded:
        """The proposal under the id that it waits under: an undone one may have got another file name."""
        row = next((row for row in self.journal.waiting(file=file) if row.file_sha256 == digest), None)
        if row is None or decoded.explicit_id or decoded.id == (row.batch or row.id):
            return decoded
        return decode(name_in(file), data, types=self.types, id=row.batch or row.id)

    def freed(self, file: str, data: bytes, digest: str, decoded: Decoded) -> Decoded:
        """The proposal under an id of its own: `<id>-<8 hex>` where the id was used for other bytes."""
        if not self._is_used(decoded, file, digest):
            return decoded
        suffixed = f"{decoded.id[:63]}-{digest[:8]}"
        if not decoded.explicit_id:
            return decode(name_in(file), data, types=self.types, id=suffixed)
        row = self.journal.waits(decoded.id)
        again = row is not None and row.file_sha256 == digest
        said = (
            f"{decoded.id} waits already, with the same bytes: this copy was not needed"
            if again
            else f"the id {decoded.id} has been used for another proposal: choose a new one"
        )
        used = Problem("id", said)
        return replace(decoded, id=suffixed, proposals=(), problems={suffixed: (used,)}, batch=False)

    def _is_used(self, decoded: Decoded, file: str, digest: str) -> bool:
        ids = {p.id for p in decoded.proposals} | set(decoded.problems) | {decoded.id}
        for id in ids:
            row = self.journal.waits(id)
            if row is not None and row.file != file:
                return True
            item = self.journal.latest_item(id)
            if item is not None and item.verdict in FINAL and item.file_sha256 != digest:
                return True
        return False


def made_up_name(data: bytes) -> str:
    """A name for a proposal that came without one, its form told from its first characters."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:3]
    suffix = ".json" if start[:1] in (b"{", b"[") else ".md" if start == b"---" else ".yaml"
    return f"p-{os.urandom(4).hex()}{suffix}"
