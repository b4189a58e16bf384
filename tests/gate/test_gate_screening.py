"""What the screen finds and leaves alone: every kind of secret, every disguise, ordinary notes in many languages.

The secrets are made afresh by the benchmark's seeded generators, which measure the same at length.
"""

from __future__ import annotations

import random

import pytest

from memtui.gate.secret_rules import RULES
from memtui.gate.secrets import find, redact
from tests.benchmarks.disguises import DISGUISES
from tests.benchmarks.ordinary_notes import fixed_lines, note
from tests.benchmarks.secret_kinds import KINDS

SHOWN = ("GitHub token", "password in prose", "card number", "JSON Web Token")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_kind_is_found_and_taken_out(kind: str, seed: int) -> None:
    secret = KINDS[kind](random.Random(f"{kind} {seed}"))
    text = f"A note on the flat.\n\n{secret}\n\nCalls every Sunday.\n"
    found = find(text)
    assert found
    assert not any(each.value in redact(text) for each in found)
    assert redact(text).startswith("A note on the flat.\n")
    assert redact(text).endswith("\nCalls every Sunday.\n")


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("kind", SHOWN)
def test_every_disguise_is_seen_through(kind: str, disguise: str) -> None:
    chosen = random.Random(f"{disguise}, {kind}")
    hidden = DISGUISES[disguise](KINDS[kind](chosen), chosen)
    text = f"A note on the flat.\n\n{hidden}\n\nCalls every Sunday.\n"
    found = find(text)
    assert found
    assert all(3 <= each.first <= each.last <= text.count("\n") for each in found)
    shown = redact(text)
    assert shown != text
    assert shown.count("\n") == text.count("\n")


PROSE = [
    "the wifi password is blue.Whale42",
    "Password for the router: Amber-Falcon77 (ask Tom)",
    "We changed the Netflix password to k9Plum_tree in May.",
    'the passphrase is "comet walnut saffron otter"',
    "my PIN is 4821",
    "The alarm code is 2580#.",
    "пароль от вайфая: Синий7кит!",
    "Das WLAN-Passwort lautet Sommer!2031.",
    "le mot de passe du wifi est Rivière#88",
    "la contraseña del wifi es Mariposa_2031!",
    "La password del wifi è Cavallo?77x",
    "Het wachtwoord is Fiets-9931x",
    "Hasło: zielony7Kot!",
    "wifi 密码是Blue42whale",
    "パスワードは sakura_2031x です",
    "login: anna / Sommer!2031",
    "curl -u ana:h0rse-Battery https://x.local",
    "The API key is 8fJq2LmZ0vRt6XyWc4Bn9KdS",
    "Authenticator setup key: jbsw y3dp ehpk 3pxp 2k7q",
    "backup codes: 4821-9930, 1177-2040 and 8812-0035",
    "Server=db;User Id=sa;Password=Wint3r!s;Encrypt=yes",
    "<password>Wint3r!s-x</password>",
]


@pytest.mark.parametrize("text", PROSE)
def test_secrets_told_in_prose_are_found(text: str) -> None:
    assert find(f"Notes on the flat.\n\n{text}\n\nCalls every Sunday.\n")


@pytest.mark.parametrize("text", fixed_lines())
def test_lines_that_speak_of_secrets_are_left_alone(text: str) -> None:
    assert find(text) == []
    assert find(f"Notes on the flat.\n\n- {text}\n- Calls every Sunday.\n") == []


@pytest.mark.parametrize("seed", range(60))
def test_ordinary_notes_are_left_alone(seed: int) -> None:
    text = note(random.Random(f"quiet {seed}"))
    assert find(text) == []
    assert redact(text) == text


def test_every_rule_has_a_name_and_cues_in_lower_case() -> None:
    for rule in RULES:
        assert rule.name
        assert all(cue == cue.lower() for cue in rule.cues)


def test_what_overlaps_leaves_nothing_behind() -> None:
    text = "password: https://ana:h0rse-Battery@db.local/x-Tr0ub4dor\n"
    assert "h0rse" not in redact(text)


@pytest.mark.parametrize(
    "piece", ["password is ", "4539 ", "abandon ", "recovery codes: ab12-", "a\n", "QUJD\n", "41 ", "**a"]
)
def test_repeated_cues_are_screened(piece: str) -> None:
    find((piece * 20_000)[: 1 << 15])
