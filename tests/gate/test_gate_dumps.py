"""Secrets in the alphabets of mail and of dumps, and folded inside of a paragraph."""

from __future__ import annotations

import base64
import binascii
import quopri
from collections.abc import Callable

import pytest

from memtui.gate.secrets import find

TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"
TOLD = "Пароль от вайфая: Xk4" + "#pq91v"


def uuencoded(data: bytes) -> str:
    lines = (binascii.b2a_uu(data[at : at + 45]).decode() for at in range(0, len(data), 45))
    return f"begin 644 note\n{''.join(lines)}`\nend"


def dumped(data: bytes, *, between: str = " ", after: str = "") -> str:
    rows = (data[at : at + 16] for at in range(0, len(data), 16))
    return "\n".join(f"{number * 16:08x}{after} {row.hex(between)}" for number, row in enumerate(rows))


WAYS: dict[str, Callable[[bytes], str]] = {
    "base85": lambda data: base64.b85encode(data).decode(),
    "ascii85": lambda data: base64.a85encode(data, adobe=True).decode(),
    "uuencode": uuencoded,
    "hex dump": dumped,
    "hex dump with colons": lambda data: dumped(data, after=":"),
    "quoted-printable": lambda data: quopri.encodestring(data + b" = " + b"x" * 60).decode(),
    "every byte quoted": lambda data: "".join(f"={byte:02X}" for byte in data),
    "octal": lambda data: "".join(f"\\{byte:03o}" for byte in data),
    "continued lines": lambda data: "\\\n".join(
        data.decode()[at : at + 8] for at in range(0, len(data.decode()), 8)
    ),
    "hex with colons": lambda data: data.hex(":").upper(),
    "data URL": lambda data: f"data:text/plain;base64,{base64.b64encode(data).decode()}",
}
AROUND = ("Noted at lunch:\n\n{x}\n\nTea at four.", "Noted at lunch:\n{x}\nTea at four.")


@pytest.mark.parametrize("around", AROUND, ids=["alone", "in a paragraph"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("secret", [TOKEN, TOLD], ids=["token", "told"])
def test_such_texts_are_read(secret: str, way: str, around: str) -> None:
    value = secret.rpartition(" ")[2]
    found = find(around.replace("{x}", WAYS[way](secret.encode())))
    assert any(value in hit.value for hit in found)


FOLDED = (
    "note: >\n  {0}\n  {1}\n  {2}",
    "- {0}\n- {1}\n- {2}",
    "{0}\n{1}\n{2}",
    '("{0}"\n    "{1}"\n    "{2}")',
)


@pytest.mark.parametrize("around", AROUND, ids=["alone", "in a paragraph"])
@pytest.mark.parametrize("form", FOLDED)
def test_an_assignment_folded_among_other_lines_is_put_together(form: str, around: str) -> None:
    line = "DB_PASSWORD=Xk4" + "pq91vT8#mz2"
    pieces = line[:11], line[11:22], line[22:]
    found = find(around.replace("{x}", form.format(*pieces)))
    assert any(len(hit.value) > 9 and hit.value in line for hit in found)


@pytest.mark.parametrize(
    "text",
    ["The range is a=20 to b=3F in hex.", "begin 644 lines\nof prose\nend", "<~ home ~> and <~ back ~>",
     "00001000 to 00002000 are free.\n00003000 is not.", "a+b=c; x!=y; z^2&1|0#5%3", "cd /tmp && \\\n  ls -l"],
)  # fmt: skip
def test_other_texts_stay_what_they_are(text: str) -> None:
    assert find(text) == []
