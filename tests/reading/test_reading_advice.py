"""What the health check advises, which is never a fault."""

from __future__ import annotations

from datetime import date

import pytest

from memtui.notes.catalog import NoteHead, catalog, read_head
from memtui.reading.advice import advise
from memtui.review.items import Finding

TODAY = date(2026, 11, 30)


def head(path: str, **fields: str) -> NoteHead:
    usual = {"title": path, "type": "fact", "confidence": "high", "status": "active", "updated": "2026-11-01"}
    lines = "".join(f"{name}: {value}\n" for name, value in (usual | fields).items() if value)
    return read_head(path, f"---\n{lines}---\n\nBody.\n".encode(), 0.0)


def advice(*heads: NoteHead, budget: int = 2048) -> list[Finding]:
    found = list(advise(heads, catalog(heads, budget), TODAY))
    assert all(finding.advice for finding in found)
    assert not any("\n" in finding.message or finding.message.endswith(".") for finding in found)
    return found


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"type": "preference", "updated": "2025-11-29"}, True),
        ({"type": "preference", "updated": "2025-11-30"}, False),
        ({"type": "belief", "updated": "2025-01-01"}, True),
        ({"type": "goal", "updated": "2025-01-01"}, True),
        ({"type": "goal", "updated": "", "created": "2025-01-01"}, True),
        ({"type": "fact", "updated": "2001-01-01"}, False),
        ({"type": "constraint", "updated": "2001-01-01"}, False),
        ({"type": "fact", "confidence": "low", "updated": "2026-05-30"}, True),
        ({"type": "fact", "confidence": "low", "updated": "2026-05-31"}, False),
        ({"type": "event", "confidence": "low", "updated": "2001-01-01"}, False),
        ({"type": "belief", "status": "deprecated", "updated": "2001-01-01"}, False),
        ({"type": "belief", "updated": "long ago"}, False),
        ({"type": "belief", "updated": "2099-01-01"}, False),
        ({"type": "belief", "updated": "2025-01-01", "confidence": ""}, False),
    ],
)
def test_age_depends_on_the_type_and_the_confidence(fields: dict[str, str], told: bool) -> None:
    found = advice(head("a.md", **fields))
    assert [(finding.file, finding.kind) for finding in found] == ([("a.md", "age")] if told else [])


def test_a_note_that_reads_like_another_is_named_with_a_score() -> None:
    [found] = advice(
        head("a.md", title="Run 5K under 25 minutes"),
        head("b.md", title="Moved to Lisbon"),
        head("c.md", title="Runs 5K under 25 minutes"),
    )
    assert (found.file, found.kind) == ("c.md", "duplicate")
    assert "it reads like a.md (84%)" in found.message


def test_what_is_deprecated_or_has_neither_title_nor_description_is_no_duplicate() -> None:
    same = "The same title of two notes"
    assert advice(head("a.md", title=same), head("b.md", title=same, status="deprecated")) == []
    plain = [read_head(path, b"# The same first line\n", 0.0) for path in ("a.md", "b.md")]
    assert advice(*plain) == []


def test_what_the_catalog_drops_is_one_piece_of_advice() -> None:
    heads = [head(f"{number}.md", title=f"Word{number} alone") for number in range(9)]
    [found] = advice(*heads, budget=40)
    assert (found.file, found.kind) == ("", "catalog")
    assert "8 notes do not fit into its 40 bytes" in found.message
    assert "and 3 more" in found.message
    [found] = advice(*heads[:2], budget=30)
    assert "1 note does not fit" in found.message
