"""What the person let pass hides nothing beside it: neither the same value in a disguise nor a longer one."""

from __future__ import annotations

import base64
import codecs
import gzip
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.gate.engine import Engine
from memtui.gate.fingerprints import Marked, Marks
from memtui.gate.screen import Screen
from memtui.gate.vault import Vault
from memtui.settings import VaultSources

VALUE = "correcthorse-Zq91-battery"
RULE = "password in prose"
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def encode(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


DISGUISES: dict[str, Callable[[str], str]] = {
    "base64": encode,
    "base64 twice": lambda v: encode(encode(v)),
    "hex": lambda v: v.encode().hex(),
    "reversed": lambda v: v[::-1],
    "percent": lambda v: "".join(f"%{c:02x}" for c in v.encode()),
    "percent twice": lambda v: urllib.parse.quote("".join(f"%{c:02x}" for c in v.encode())),
    "entities": lambda v: "".join(f"&#{ord(c)};" for c in v),
    "escapes": lambda v: "".join(f"\\x{ord(c):02x}" for c in v),
    "spaced": " ".join,
    "zero width": "\u200b".join,
    "full width": lambda v: "".join(chr(ord(c) + 0xFEE0) for c in v),
    "rot13": lambda v: codecs.encode(v, "rot13"),
    "gzip": lambda v: base64.b64encode(gzip.compress(v.encode(), mtime=0)).decode(),
    "cut": lambda v: f"{v[:9]}\n{v[9:]}",
    "a list": lambda v: f"- {v[:9]}\n- {v[9:]}",
}


class _Marked(Marks):
    """Marks of a test, in memory alone."""

    def __init__(self, rules: tuple[str, ...] = (), values: tuple[str, ...] = ()) -> None:
        super().__init__(None)
        self.marked = Marked({self.fingerprint(each): 1.0 for each in values}, dict.fromkeys(rules, 1.0))


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / ".env").write_text(f"DB_PASSWORD={VALUE}\n")
    return Vault(VaultSources(files=(tmp_path / ".env",)), {})


def found(screen: Screen, text: str) -> list[str]:
    return [hit.rule for hit in screen.scan_fields({"content": text})]


@pytest.mark.parametrize("before", ["", f"password: {VALUE[:17]} ", f"password: {VALUE[:-2]} ", "password: "])
@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_marked_rule_hides_no_value_of_the_vault(vault: Vault, disguise: str, before: str) -> None:
    hidden = DISGUISES[disguise](VALUE)
    screen = Screen(vault, Engine(()), _Marked(rules=(RULE, "password or key in an assignment")))
    assert "vault DB_PASSWORD" in found(screen, before + hidden)
    assert hidden not in screen.redact(before + hidden)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_marked_value_hides_none_that_begins_with_it(vault: Vault, disguise: str) -> None:
    screen = Screen(vault, Engine(()), _Marked(values=(VALUE[:17],)))
    assert found(screen, f"password: {VALUE[:17]}") == []
    assert "vault DB_PASSWORD" in found(screen, f"password: {VALUE[:17]} {DISGUISES[disguise](VALUE)}")


@pytest.mark.parametrize("disguise", ["base64", "base64 twice", "hex", "percent", "entities", "gzip"])
@pytest.mark.parametrize("shown", [TOKEN, f"password: {TOKEN[:20]}", f"password: {TOKEN[:20]} and"])
@pytest.mark.parametrize("rules", [(), (RULE,)])
def test_one_on_the_same_line_hides_no_token_in_a_disguise(
    rules: tuple[str, ...], shown: str, disguise: str
) -> None:
    hidden = DISGUISES[disguise](TOKEN)
    screen = Screen(Vault(), Engine(()), _Marked(rules=rules))
    assert "GitHub token" in found(screen, f"{shown} {hidden}")
    assert hidden not in screen.redact(f"{shown} {hidden}")


def test_a_text_that_is_covered_stays_as_long_and_holds_nothing_of_it(vault: Vault) -> None:
    screen = Screen(vault, Engine(()), _Marked())
    text = f"one\n\nso {VALUE} here\n\n{' '.join(VALUE)}\n\nlast\n"
    covered = screen.cover(text)
    assert (len(covered), covered.count("\n")) == (len(text), text.count("\n"))
    assert covered.startswith("one\n\nso ")
    assert covered.endswith("\n\nlast\n")
    assert " here\n" in covered
    assert not any(part in covered for part in (VALUE[:3], VALUE[-3:], " ".join(VALUE[:3])))
