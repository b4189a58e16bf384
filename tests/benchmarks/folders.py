"""Memory folders and proposals of a given size."""

from __future__ import annotations

from pathlib import Path

_SUBJECTS = (
    "tea",
    "running",
    "Lisbon",
    "the garden",
    "chess",
    "old films",
    "bread",
    "the piano",
    "maps",
    "bees",
)
TAGS = ("food", "sport", "travel", "home", "music", "work", "family", "health")

_ENTRY = """---
title: {title}
tags: [{tags}]
type: fact
confidence: high
status: current
created: 2024-01-10
updated: 2024-01-10
---

What is known about {subject}, number {number}, in a line or two.
It was said in passing and is worth keeping.

## Change log

- 2024-01-10 — created during conversation about {subject}
"""


def entry_name(number: int) -> str:
    return f"{1_700_000_000 + number}-entry-{number}.md"


def fill(memory: Path, entries: int) -> None:
    """Typed entries with their lines in index.md, and a tags.md."""
    memory.mkdir(parents=True, exist_ok=True)
    lines = ["# Memory index", "", "## Entries", ""]
    for number in range(entries):
        subject = _SUBJECTS[number % len(_SUBJECTS)]
        tags = f"{TAGS[number % 8]}, {TAGS[(number + 3) % 8]}"
        title = f"Something about {subject} {number}"
        text = _ENTRY.format(title=title, tags=tags, subject=subject, number=number)
        (memory / entry_name(number)).write_text(text, encoding="utf-8")
        lines.append(f"- [{title}]({entry_name(number)}) — fact, [{tags}], what is known about {subject}")
    (memory / "index.md").write_text("\n".join((*lines, "")), encoding="utf-8")
    tree = "\n".join(f"- **#{tag}** — {tag} and what belongs to it." for tag in sorted(TAGS))
    (memory / "tags.md").write_text(
        f"# Tag dictionary\n\n## L1 — top categories\n\n{tree}\n\n## L2 — subcategories\n\n"
        "## L3 — concrete objects\n",
        encoding="utf-8",
    )


def update(number: int) -> dict[str, object]:
    """A proposal that changes the body, the tags and the hook of one entry."""
    return {
        "operation": "update",
        "filename": entry_name(number),
        "body": f"What is known about it now, number {number}.\nIt has changed since.",
        "fields": {"tags": ["food", "travel"]},
        "hook": f"what is known now, {number}",
        "reason": "the person said so today",
        "agent": "benchmark",
    }


def add(number: int) -> dict[str, object]:
    """A proposal of one new entry, its tags known."""
    return {
        "operation": "add",
        "title": f"A new thing {number}",
        "body": f"Learned today, number {number}.",
        "type": "fact",
        "confidence": "medium",
        "context": "a benchmark",
        "tags": ["home", "music"],
        "agent": "benchmark",
    }


def write(path: str) -> dict[str, object]:
    """A proposal of one plain note."""
    return {
        "operation": "write",
        "path": path,
        "summary": f"what {path} says",
        "content": "A line.\n",
        "agent": "benchmark",
    }
