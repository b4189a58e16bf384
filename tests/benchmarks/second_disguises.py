"""A second set of disguises, made without a look at the first, and sentences that a secret stands among."""

from __future__ import annotations

import base64
import binascii
import codecs
import gzip
import html
import json
import quopri
import random
import urllib.parse
import zlib
from collections.abc import Callable

_CYRILLIC = dict(zip("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ", strict=True))


def _every(t: str, n: int, sep: str) -> str:
    return sep.join(t[i : i + n] for i in range(0, len(t), n))


def _percent(t: str) -> str:
    return urllib.parse.quote(t, safe="")


def _b64(t: str) -> str:
    return base64.b64encode(t.encode()).decode()


def _parts(t: str, r: random.Random, n: int = 3) -> list[str]:
    if len(t) < n:
        return [t]
    cut = sorted(r.sample(range(1, len(t)), n - 1))
    return [t[a:b] for a, b in zip([0, *cut], [*cut, len(t)], strict=True)]


def _quoted(t: str, q: str = '"') -> str:
    return q + t.replace("\\", "\\\\").replace(q, "\\" + q).replace("\n", "\\n") + q


SECOND_DISGUISES: dict[str, Callable[[str, random.Random], str]] = {
    "plain": lambda t, _: t,
    "in bold": lambda t, _: f"**{t}**",
    "code span": lambda t, _: f"`{t}`" if "\n" not in t else f"```\n{t}\n```",
    "code fence": lambda t, _: f"```sh\n{t}\n```",
    "indented": lambda t, _: "\n".join("    " + line for line in t.split("\n")),
    "folded at 40": lambda t, _: (
        _every(t.replace("\n", ""), 40, "\n") if "\n" not in t else _every(t, 40, "\n")
    ),
    "folded at 17": lambda t, _: _every(t, 17, "\n"),
    "YAML folded": lambda t, _: (
        "note: >\n" + "\n".join("  " + line for line in _every(t, 30, "\n").split("\n"))
    ),
    "full width": lambda t, _: "".join(chr(ord(c) + 0xFEE0) if 33 <= ord(c) <= 126 else c for c in t),
    "zero width": lambda t, r: "".join(c + r.choice(["", "\u200b", "\u200d", "\u2060"]) for c in t),
    "soft hyphens": lambda t, _: _every(t, 4, "\u00ad"),
    "Cyrillic": lambda t, r: "".join(_CYRILLIC.get(c, c) if r.random() < 0.6 else c for c in t),
    "math bold": lambda t, _: "".join(
        chr(0x1D400 + ord(c) - 65)
        if "A" <= c <= "Z"
        else chr(0x1D41A + ord(c) - 97)
        if "a" <= c <= "z"
        else chr(0x1D7CE + ord(c) - 48)
        if "0" <= c <= "9"
        else c
        for c in t
    ),
    "combining marks": lambda t, _: "".join(c + ("\u0336" if c.isalnum() else "") for c in t),
    "percent": lambda t, _: _percent(t),
    "percent all": lambda t, _: "".join(f"%{b:02X}" for b in t.encode()),
    "percent x2": lambda t, _: _percent(_percent(t)),
    "percent x4": lambda t, _: _percent(_percent(_percent(_percent(t)))),
    "HTML entities": lambda t, _: "".join(f"&#{ord(c)};" for c in t),
    "HTML hex entities": lambda t, r: "".join(
        f"&#x{ord(c):x};" if r.random() < 0.7 else html.escape(c) for c in t
    ),
    "unicode escapes": lambda t, _: "".join(f"\\u{ord(c):04x}" if ord(c) < 65536 else c for c in t),
    "hex escapes": lambda t, _: "".join(f"\\x{b:02x}" for b in t.encode()),
    "JSON string": lambda t, _: json.dumps({"v": t}),
    "JSON twice": lambda t, _: json.dumps(json.dumps({"v": t})),
    "base64": lambda t, _: _b64(t),
    "base64 wrapped": lambda t, _: _every(_b64(t), 64 if len(t) > 60 else 20, "\n"),
    "base64 url no pad": lambda t, _: base64.urlsafe_b64encode(t.encode()).decode().rstrip("="),
    "base64 twice": lambda t, _: _b64(_b64(t)),
    "base64 in JSON in base64": lambda t, _: _b64(json.dumps({"data": _b64(t)})),
    "data URL": lambda t, _: f"data:text/plain;base64,{_b64(t)}",
    "hex": lambda t, _: t.encode().hex(),
    "hex spaced": lambda t, _: _every(t.encode().hex(), 2, " "),
    "hex colons": lambda t, _: _every(t.encode().hex().upper(), 2, ":"),
    "hex dump": lambda t, _: "\n".join(
        f"{i:08x}  {_every(t.encode()[i : i + 16].hex(), 2, ' ')}" for i in range(0, len(t.encode()), 16)
    ),
    "decimal codes": lambda t, _: ", ".join(str(b) for b in t.encode()),
    "binary": lambda t, _: " ".join(f"{b:08b}" for b in t.encode()),
    "octal escapes": lambda t, _: "".join(f"\\{b:03o}" for b in t.encode()),
    "gzip base64": lambda t, _: base64.b64encode(gzip.compress(t.encode())).decode(),
    "zlib base64": lambda t, _: base64.b64encode(zlib.compress(t.encode())).decode(),
    "base32": lambda t, _: base64.b32encode(t.encode()).decode(),
    "base85": lambda t, _: base64.b85encode(t.encode()).decode(),
    "ascii85": lambda t, _: base64.a85encode(t.encode(), adobe=True).decode(),
    "quoted-printable": lambda t, _: quopri.encodestring(t.encode()).decode(),
    "quoted-printable all": lambda t, _: "".join(f"={b:02X}" for b in t.encode()),
    "uuencode": lambda t, _: (
        "begin 644 x\n"
        + "".join(binascii.b2a_uu(t.encode()[i : i + 45]).decode() for i in range(0, len(t.encode()), 45))
        + "`\nend"
    ),
    "reversed": lambda t, _: t[::-1],
    "rot13": lambda t, _: codecs.encode(t, "rot13"),
    "list items": lambda t, _: "\n".join(
        f"- {p}" for p in _every(t, max(8, len(t) // 4), "\x00").replace("\n", " ").split("\x00")
    ),
    "numbered items": lambda t, _: "\n".join(
        f"{i}. {p}"
        for i, p in enumerate(_every(t, max(8, len(t) // 3), "\x00").replace("\n", " ").split("\x00"), 1)
    ),
    "table cell": lambda t, _: f"| what | value |\n|---|---|\n| it | {t.replace(chr(10), '<br>')} |",
    "quoted lines": lambda t, _: "\n".join("> " + line for line in _every(t, 50, "\n").split("\n")),
    "string concat": lambda t, r: " + ".join(_quoted(p) for p in _parts(t, r)),
    "string concat lines": lambda t, r: " +\n    ".join(_quoted(p, "'") for p in _parts(t, r, 4)),
    "implicit concat": lambda t, r: "(" + "\n    ".join(_quoted(p) for p in _parts(t, r, 3)) + ")",
    "spaced letters": lambda t, _: " ".join(t.replace("\n", "")),
    "dashed letters": lambda t, _: "-".join(t.replace("\n", "")),
    "dots between": lambda t, _: ".".join(t.replace("\n", "")),
    "HTML tags inside": lambda t, _: _every(t, 6, "<b></b>"),
    "HTML comment": lambda t, _: f"<!-- {t} -->",
    "HTML attribute": lambda t, _: f'<a title="{html.escape(t)}">x</a>',
    "link target": lambda t, _: f"[see](https://x.org/?q={_percent(t)})",
    "backslash marks": lambda t, _: "".join("\\" + c if c in "_*-.!#" else c for c in t),
    "line continuation": lambda t, _: _every(t, 25, "\\\n"),
    "CRLF": lambda t, _: _every(t, 45, "\r\n"),
    "tag characters": lambda t, _: "ok " + "".join(chr(0xE0000 + ord(c)) for c in t if ord(c) < 127),
    "u-plus list": lambda t, _: " ".join(f"U+{ord(c):04X}" for c in t),
}
SENTENCES = [
    "A note on the flat.\n\n{x}\n\nCalls every Sunday; the plan stands.",
    "Ana wrote this down after lunch:\n{x}\nWe talk about it on Monday.",
    "# Trip\n\nBooked the train for the 14th.\n\n{x}\n",
]
