"""Disguises that a secret can wear in a note: each a function from text to text."""

from __future__ import annotations

import base64
import gzip
import html
import json
import random
import textwrap
import zlib
from collections.abc import Callable
from urllib.parse import quote

Disguise = Callable[[str, random.Random], str]

_ALIKE = str.maketrans("aceopxyiABCEHKMOPTX", "асеорхуіАВСЕНКМОРТХ")


def _b64(data: bytes | str) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def _percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _full_width(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def _bold(text: str) -> str:
    def one(each: str) -> str:
        if "A" <= each <= "Z":
            return chr(0x1D400 + ord(each) - 65)
        if "a" <= each <= "z":
            return chr(0x1D41A + ord(each) - 97)
        return chr(0x1D7CE + int(each)) if each in "0123456789" else each

    return "".join(map(one, text))


def _cut(text: str, width: int) -> list[str]:
    return [text[at : at + width] for at in range(0, len(text), width)]


def _wrap(text: str, before: str = "", width: int = 24) -> str:
    return "\n".join(before + part for part in _cut(text.replace("\n", " "), width))


def _deflated(text: str) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(text.encode()) + packer.flush()


DISGUISES: dict[str, Disguise] = {
    "none": lambda text, _: text,
    "percent": lambda text, _: _percent(text),
    "percent, needed ones only": lambda text, _: quote(text, safe=""),
    "percent, four times": lambda text, _: _percent(text).replace("%", "%252525"),
    "HTML entities, decimal": lambda text, _: "".join(f"&#{ord(each)};" for each in text),
    "HTML entities, hex": lambda text, _: "".join(f"&#x{ord(each):x};" for each in text),
    "backslash u": lambda text, _: "".join(f"\\u{ord(each):04x}" for each in text),
    "backslash x": lambda text, _: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "octal escapes": lambda text, _: (
        "".join(f"\\{byte:03o}" if byte < 128 else chr(byte) for byte in text.encode())
        if text.isascii()
        else "".join(f"\\u{ord(e):04x}" for e in text)
    ),
    "JSON in JSON": lambda text, _: json.dumps(json.dumps({"note": text})),
    "base64": lambda text, _: _b64(text),
    "base64, url-safe, no padding": lambda text, _: (
        base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    ),
    "base64, wrapped and indented": lambda text, _: textwrap.indent("\n".join(_cut(_b64(text), 30)), "    "),
    "base64, quoted lines": lambda text, _: "\n".join("> " + part for part in _cut(_b64(text), 30)),
    "base64 twice": lambda text, _: _b64(_b64(text)),
    "base64 of percent": lambda text, _: _b64(_percent(text)),
    "base64 of UTF-16": lambda text, _: _b64(text.encode("utf-16-le")),
    "base32": lambda text, _: base64.b32encode(text.encode()).decode(),
    "gzip in base64": lambda text, _: _b64(gzip.compress(text.encode(), mtime=0)),
    "zlib in base64": lambda text, _: _b64(zlib.compress(text.encode())),
    "deflate in base64": lambda text, _: _b64(_deflated(text)),
    "hex": lambda text, _: text.encode().hex(),
    "hex, spaced": lambda text, _: text.encode().hex(" "),
    "hex, colons": lambda text, _: text.encode().hex(":").upper(),
    "hex, list of 0x": lambda text, _: ", ".join(f"0x{byte:02x}" for byte in text.encode()),
    "hex, wrapped": lambda text, _: _wrap(text.encode().hex(), width=32),
    "decimal codes": lambda text, _: " ".join(str(byte) for byte in text.encode()),
    "binary codes": lambda text, _: " ".join(f"{byte:08b}" for byte in text.encode()),
    "full width": lambda text, _: _full_width(text),
    "zero-width spaces": lambda text, _: "\u200b".join(text),
    "soft hyphens": lambda text, _: "\u00ad".join(text),
    "variation selectors": lambda text, _: "\ufe0f".join(text),
    "combining marks": lambda text, _: "".join(f"{each}\u0332" if each.isalnum() else each for each in text),
    "tag characters": lambda text, _: "".join(
        chr(0xE0000 + ord(each)) if " " <= each <= "~" else each for each in text
    ),
    "mathematical letters": lambda text, _: _bold(text),
    "look-alike letters": lambda text, _: text.translate(_ALIKE),
    "reversed": lambda text, _: text[::-1],
    "reversed base64": lambda text, _: _b64(text)[::-1],
    "rot13": lambda text, _: text.translate(_ROT13),
    "wrapped": lambda text, _: _wrap(text),
    "wrapped with backslashes": lambda text, _: _wrap(text).replace("\n", "\\\n  "),
    "list items": lambda text, _: _wrap(text, "- "),
    "numbered items": lambda text, _: "\n".join(
        f"{at}. {part}" for at, part in enumerate(_cut(text.replace("\n", " "), 24), 1)
    ),
    "quoted lines": lambda text, _: _wrap(text, "> "),
    "spaces between": lambda text, _: " ".join(text.replace("\n", " ")),
    "dashes between": lambda text, _: "-".join(text.replace("\n", " ")),
    "dots between": lambda text, _: ".".join(text.replace("\n", " ")),
    "one letter a line": lambda text, _: "\n".join(text.replace("\n", " ")),
    "strings added": lambda text, _: " + ".join(f'"{part}"' for part in _cut(text.replace("\n", " "), 14)),
    "emphasis inside": lambda text, _: "**".join(_cut(text, 9)),
    "tags inside": lambda text, _: "<b></b>".join(_cut(text, 9)),
    "entities of zero-width": lambda text, _: "&#8203;".join(html.escape(each) for each in text),
}
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_ROT13 = str.maketrans(
    _LOWER + _LOWER.upper(), _LOWER[13:] + _LOWER[:13] + (_LOWER[13:] + _LOWER[:13]).upper()
)
