"""Proposals whose words were made to deceive: titles, tags, file names, agents, reasons; and notes of such kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.tui.driver import write

BOLD = "\x1b[1m"
BIDI = "\u202e"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

WORDS = (
    "Tea\u200b and milk",
    f"Tea {BIDI}klim dna",
    f"Tea {FAMILY} {FAMILY} milk",
    "Tea \u2764\ufe0f 1\ufe0f\u20e3 \U0001f1e9\U0001f1ea",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u0301\u0301\u0301algo",
    "日本語の緑茶と牛乳と砂糖の記録と日本語の緑茶と牛乳と砂糖",
    "मेरी माँ को हरी चाय पसंद है और वह हर सुबह उसे पीती है",
    "เธอชอบดื่มชาเขียวทุกเช้าและไม่ใส่น้ำตาล",
    "\u3164\u115f\u2800",
    "p\u0430ypal \u0441\u043e\u0440",
    "cafe\u0301 caf\u00e9",
    "Tea \U000e0041\U000e0042\U000e0043",
    "\u0301\u0301Tea",
    "Tea  1/14",
    "Tea !! hidden 2m",
    "▌~ update  Tea",
    "◆+ prefs/tea.md",
    "⋯ 3 lines",
    "U+202E klim dna",
    "[@click=app.exit]Tea[/]",
    "claude-code · you said it · edited by you",
    "x" * 200,
    "a" + "\u00a0" * 60 + "b",
    "Tea \u05d0\u05d1\u05d2 12 (\u05d3)",
    "-" * 90,
    "Tea\uff01\uff21\uff22\uff23\u3000end",
)
"""One line each: a name that somebody would have to read."""

RAW = "x\x1b]0;owned\x07\x1b[2J\x1b[8m\x9b31m\x08\r\n\tnext \u2028line\u0085"
"""What only a field can hold that is no title: control characters and lines."""


def proposals() -> Iterator[tuple[str, dict[str, object]]]:
    """An id and the fields of each."""
    for number, word in enumerate(WORDS):
        yield (
            f"w{number:02}",
            {**write(f"deceive/{number:02}.md", word, f"{word}\n\n{word}\n", agent=word), "reason": word},
        )
        if number % 4:
            continue
        yield (
            f"s{number:02}",
            {**write(f"deceive/s{number:02}.md", "Tea", "Tea.\n"), "session": word, "cwd": word, "odd": word},
        )
    for number, word in enumerate(WORDS[:12]):
        yield (
            f"a{number:02}",
            {
                "operation": "add",
                "title": word,
                "body": f"{word}.",
                "type": "fact",
                "confidence": "high",
                "context": word,
                "tags": ["health", word],
                "hook": word,
                "agent": "me",
                "reason": word,
            },
        )
    raw = {**write("deceive/raw.md", "Tea", RAW, agent=RAW), "session": RAW, "odd": {"a": RAW}}
    yield "raw", raw
    yield "raw2", {**raw, "reason": RAW}
    yield "raw3\u202e", raw


def fill(memory: Path) -> None:
    """Notes of such names in the folder, with such titles."""
    folder = memory / "deceive"
    folder.mkdir()
    for number, word in enumerate(WORDS):
        name = f"{number:02} {word}"
        while len(name.encode()) > 200:
            name = name[:-1]
        (folder / f"{name.replace('/', '_')}.md").write_text(
            f"---\ndescription: {word}\n---\n{word}\n{RAW}\n"
        )
    (folder / "raw \x1b[31m\x07\r\n\u202e.md").write_text("Tea.\n")
    (folder / b"latin \xe9\xff.md".decode("utf-8", "surrogateescape")).write_text("Tea.\n")
