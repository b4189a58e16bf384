"""Texts of many kinds, 64 KiB each, that hold no secret: what the screen has to read all day.

Made afresh from a seeded generator; the code and the documentation are this project's own.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import random
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

from memtui.gate.rules_seeds import _numbers
from tests.benchmarks.ordinary_notes import note

SIZE = 1 << 16
"""Characters of each."""
_ROOT = Path(__file__).resolve().parents[2]


def _words(line: str) -> list[str]:
    return line.split()


_ENGLISH = [
    *(
        word
        for word in sorted(_numbers())
        if word not in ("code", "key", "phrase", "secret", "token", "word")
    ),
    *_words("the of and to in a is was that it for on with as at by from we they which not or his her") * 100,
]
"""Words of all kinds, and between them the small ones that are nearly half of any text."""
_STEMS = _words(
    "Garten Straße Küche Fenster Nachbar Brücke Fahrrad Wetter Übung Schlüsselbund Zeitung Reise Bahnhof Familie"
    " Sommer Gespräch Termin Kalender Vertrag Wohnung Heizung Werkstatt Bücher Lampe Teppich Kaffee Frühstück Abend"
)
_VERBS = _words(
    "bringen suchen holen lesen schreiben warten kochen planen kaufen rufen messen prüfen bauen ändern zeigen"
)
_HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民"
    "得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社"
)
_ARABIC = _words(
    "في من على هذا البيت كان يوم الجمعة مع الأصدقاء حديقة المدينة قرأت كتابا جديدا عن التاريخ والسفر إلى الجبل"
    " صباح الخير مساء القهوة الشاي السوق الطريق النافذة المطر الصيف العائلة الأطفال المدرسة الرسالة العمل الموعد"
)
_EMOJI = _words("😀 🎉 👩‍👩‍👧 🚲 ☕ 🌧️ 📅 ✅ ❤️ 🇵🇹 👍🏽 🏠 🐕 📝")


def _filled(make: Callable[[random.Random], str], between: str = "\n") -> str:
    rng, parts, length = random.Random(make.__name__), [], 0
    while length < SIZE:
        parts.append(make(rng))
        length += len(parts[-1]) + len(between)
    return between.join(parts)[:SIZE]


def _sentence(rng: random.Random, words: Sequence[str] = _ENGLISH) -> str:
    chosen = [rng.choice(words) for _ in range(rng.randint(6, 18))]
    chosen.insert(len(chosen) // 2, "a, and the")
    said = " ".join(chosen)
    return f"{said[0].upper()}{said[1:]}{rng.choice('...;?!')}"


def _paragraph(rng: random.Random, words: Sequence[str] = _ENGLISH) -> str:
    return " ".join(_sentence(rng, words) for _ in range(rng.randint(3, 7)))


def _wrapped(rng: random.Random) -> str:
    return textwrap.fill(_paragraph(rng), 90)


def _german(rng: random.Random) -> str:
    words = [*_STEMS, *_VERBS, "und", "nicht", "für", "weil", "die", "der", "heute", "größere", "schöne"]
    made = [rng.choice(_STEMS) + rng.choice(_STEMS).lower() for _ in range(8)]
    return textwrap.fill(_paragraph(rng, [*words, *made]), 90)


def _chinese(rng: random.Random) -> str:
    said = ["".join(rng.choices(_HAN, k=rng.randint(6, 24))) for _ in range(8)]
    return "，".join(said[:4]) + "。" + "，".join(said[4:]) + "。\n"


def _arabic(rng: random.Random) -> str:
    return "، ".join(" ".join(rng.choices(_ARABIC, k=rng.randint(5, 12))) for _ in range(5)) + ".\n"


def _links(rng: random.Random) -> str:
    words = rng.sample(_ENGLISH, 5)
    date = f"20{rng.randint(20, 30)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    return rng.choice(
        (
            f"- [{words[0].title()} {words[1]}](people/{words[0]}-{words[1]}.md): {_sentence(rng)}",
            f"- {date} see [the {words[2]} page](https://www.{words[3]}.org/{words[4]}/{date[:4]}/{words[1]}.html)",
            f"- **{words[0]}**: {_sentence(rng)} `{words[1]}_{words[2]}`\n  - {words[3]} {words[4]}, {date}",
            f"\n## {words[0].title()} {words[1]}\n\n{_wrapped(rng)}\n",
        )
    )


def _table(rng: random.Random) -> str:
    rows = [
        f"| {rng.choice(_ENGLISH)} | {rng.randint(1, 900)} | {rng.randint(1, 28)}.{rng.randint(1, 12)}.2026"
        f" | {rng.choice(_ENGLISH)} {rng.choice(_ENGLISH)} | {rng.random() * 100:.2f} € |"
        for _ in range(12)
    ]
    return "\n".join(("| what | count | day | where | price |", "|---|--:|---|:---:|---|", *rows, ""))


def _record(rng: random.Random) -> dict[str, object]:
    return {
        "id": f"p-{rng.getrandbits(32):08x}",
        "created": f"2026-11-{rng.randint(1, 30):02}T{rng.randint(0, 23):02}:14:0{rng.randint(0, 9)}Z",
        "title": _sentence(rng),
        "size": rng.randint(1, 1 << 20),
        "tags": rng.sample(_ENGLISH, 3),
        "done": rng.random() < 0.5,
        "sha256": f"{rng.getrandbits(256):064x}",
    }


def _hex_dump() -> str:
    data = random.Random("dump").randbytes(SIZE // 4)
    return "\n".join(
        f"{at:08x}  {data[at : at + 8].hex(' ')}  {data[at + 8 : at + 16].hex(' ')}  |"
        + "".join(chr(each) if 32 <= each < 127 else "." for each in data[at : at + 16])
        + "|"
        for at in range(0, len(data), 16)
    )[:SIZE]


def _log(rng: random.Random) -> str:
    words = rng.sample(_ENGLISH, 4)
    return (
        f"2026-11-30T0{rng.randint(0, 9)}:{rng.randint(10, 59)}:{rng.randint(10, 59)}.{rng.randint(100, 999)}Z"
        f" {rng.choice(('INFO', 'WARN', 'DEBUG'))} [{words[0]}-{rng.randint(1, 8)}]"
        f" com.{words[1]}.{words[2].title()}Service - request id={rng.getrandbits(64):016x}"
        f" GET /api/v1/{words[3]}/{rng.randint(1, 99999)} 200 {rng.randint(1, 900)}ms from 10.0.{rng.randint(0, 9)}.7"
    )


def _url(rng: random.Random) -> str:
    words = rng.sample(_ENGLISH, 3)
    return (
        f"- https://{words[0]}.example.org/{words[1]}?q={quote(_sentence(rng))}&page={rng.randint(1, 99)}"
        f"&ref={quote('https://' + words[2] + '.net/a b/ü', safe='')}"
    )


def _script(rng: random.Random) -> str:
    names = "abcdefghijklmnopqrstuvwxyz"
    one, two, three = (rng.choice(names) + rng.choice(names) for _ in range(3))
    word, number = rng.choice(_ENGLISH), rng.randint(1, 9999)
    return rng.choice(
        (
            f"function {one}({two},{three}){{return {two}.{word}?{three}[{number}]:void 0}}",
            f'var {one}={{{word}:"{rng.choice(_ENGLISH)}",{two}:{number},{three}:!0}};',
            f"if(!{one}||{two}.length>{number}){{throw new Error('{word} '+{three})}}",
            f"{one}.prototype.{word}=function(){{for(var {two}=0;{two}<{number};{two}++)this.{three}({two})}};",
        )
    )


def _yaml(rng: random.Random) -> str:
    words = rng.sample(_ENGLISH, 5)
    return (
        f"{words[0]}_{words[1]}:\n  {words[2]}: {rng.randint(1, 5000)}\n  {words[3]}: '{_sentence(rng)}'\n"
        f"  on: 2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}\n  of: [{', '.join(words[2:])}]"
    )


def _numbers() -> str:
    rng, file = random.Random("numbers"), io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    for _ in range(1500):
        rows.writerow(
            [rng.randint(0, 99999), f"{rng.random() * 1000:.3f}", *(rng.randint(-9, 999) for _ in "abcdefg")]
        )
    return file.getvalue()[:SIZE]


def _chat(rng: random.Random) -> str:
    return f"{rng.choice(_EMOJI)} {_sentence(rng)} {''.join(rng.choices(_EMOJI, k=rng.randint(1, 6)))}"


def _own(pattern: str) -> str:
    return "".join(path.read_text("utf-8") for path in sorted((_ROOT / "memtui").rglob(pattern)))[:SIZE]


def _readme() -> str:
    return ((_ROOT / "README.md").read_text("utf-8") * 9)[:SIZE]


PLAIN: dict[str, Callable[[], str]] = {
    "English, wrapped": lambda: _filled(_wrapped, "\n\n"),
    "English, one line a paragraph": lambda: _filled(_paragraph, "\n\n"),
    "German, wrapped": lambda: _filled(_german, "\n\n"),
    "Chinese": lambda: _filled(_chinese),
    "Arabic": lambda: _filled(_arabic),
    "lists with links": lambda: _filled(_links),
    "tables": lambda: _filled(_table),
    "chat with emoji": lambda: _filled(_chat),
    "YAML": lambda: _filled(_yaml),
    "Python": lambda: _own("*.py"),
    "documentation": _readme,
}
"""Texts without a disguise."""

DENSE: dict[str, Callable[[], str]] = {
    "notes with hashes and base64": lambda: _filled(note),
    "JSON": lambda: json.dumps([_record(random.Random(number)) for number in range(400)], indent=1)[:SIZE],
    "hex dump": _hex_dump,
    "base64, in lines": lambda: base64.encodebytes(random.Random("a picture").randbytes(SIZE)).decode()[
        :SIZE
    ],
    "base64, in one": lambda: base64.b64encode(random.Random("a picture").randbytes(SIZE)).decode()[:SIZE],
    "log lines": lambda: _filled(_log),
    "URLs with percent-escapes": lambda: _filled(_url),
    "JavaScript, minified": lambda: _filled(_script, ""),
    "CSV of numbers": _numbers,
}
"""Texts full of what could be one."""
