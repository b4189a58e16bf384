"""The person's vault: which values count, that they are found in every disguise, and shown nowhere."""

from __future__ import annotations

import base64
import html
import os
import random
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.gate.engine import Engine
from memtui.gate.env_file import read_env
from memtui.gate.fingerprints import Marks
from memtui.gate.screen import Screen
from memtui.gate.vault import Vault
from memtui.gate.vault_words import is_secret_name, why_ordinary
from memtui.settings import VaultSources

VALUE = "mellow-Badger!42"
"""No rule for known formats finds it."""


def env(tmp_path: Path, text: str, name: str = ".env") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def screen_of(*, environ: dict[str, str] | None = None, **sources: object) -> Screen:
    return Screen(Vault(VaultSources(**sources), environ or {}), Engine(()), Marks(None))  # type: ignore[arg-type]


def with_value(tmp_path: Path, value: str) -> Screen:
    return screen_of(files=(env(tmp_path, f"DB_PASSWORD='{value}'\n"),))


def rules(screen: Screen, text: str) -> list[str]:
    return [hit.rule for hit in screen.scan_fields({"body": text})]


# --- .env files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("A=b\n", [("A", "b")]),
        ("A=b", [("A", "b")]),
        ("A = b\r\nC=d\r\n", [("A", "b"), ("C", "d")]),
        ("export A=b\n", [("A", "b")]),
        ("  A=b  \n", [("A", "b")]),
        ("# A=b\n\n  # c\nD=e", [("D", "e")]),
        ("A=b # said\n", [("A", "b")]),
        ("A=b#c\n", [("A", "b#c")]),
        ("A= # nothing\n", [("A", "")]),
        ("A=\n", [("A", "")]),
        ("A='b # c' # d\n", [("A", "b # c")]),
        ('A="b \\"c\\" \\\\ $d"\n', [("A", 'b "c" \\ $d')]),
        ("A='b\\'c'\n", [("A", "b'c")]),
        ("A=`b \"c\" 'd'`\n", [("A", "b \"c\" 'd'")]),
        ('A="b\nc\n"\nD=e\n', [("A", "b\nc\n"), ("D", "e")]),
        ('A="b\\nc"\n', [("A", "b\nc")]),
        ("A='b\\nc'\n", [("A", "b\\nc")]),
        ("A=b=c==\n", [("A", "b=c==")]),
        ("A=пароль\n", [("A", "пароль")]),
        ("A=1\nA=2\n", [("A", "1"), ("A", "2")]),
        ("a.b-c=d\n", [("a.b-c", "d")]),
    ],
)
def test_env_files_are_read_as_shells_and_libraries_write_them(
    text: str, values: list[tuple[str, str]]
) -> None:
    assert read_env(text) == (tuple(values), ())


@pytest.mark.parametrize(
    ("text", "unread"), [("A\n", (1,)), ("A=b\nno word\n\nB='c\nD=e\n", (2, 4)), ('A="b" c\n', (1,))]
)
def test_lines_that_assign_nothing_are_named(text: str, unread: tuple[int, ...]) -> None:
    assert read_env(text).unread == unread


# --- which values count --------------------------------------------------------------------------


SECRET_NAMES = (
    "PASSWORD DB_PASSWORD dbPassword PGPASSWORD MYSQL_PWD GITHUB_TOKEN githubToken API_KEY APIKEY SECRET_KEY"
    " CLIENT_SECRET SLACK_WEBHOOK_URL SENTRY_DSN JWT_SECRET SMTP_PASS ADMIN_PIN BASIC_AUTH token APITOKEN"
)


@pytest.mark.parametrize("name", SECRET_NAMES.split())
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


OTHER_NAMES = (
    "AUTHOR KEYBOARD MODE PORT TOKEN_LIMIT SECRET_KEY_FILE STRIPE_KEY_ID AUTH_URL PASSWORD_MIN_LENGTH COMPASS"
    " MONKEY PUBLIC_URL TOKEN_EXPIRY KEY_PATH _"
)


@pytest.mark.parametrize("name", OTHER_NAMES.split())
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


ORDINARY = (
    "production localhost true disabled 123456 2026-11-30 127.0.0.1:5432 3.14 30s banana Banana PostgreSQL xxxxxxxx"
    " ${OTHER} $OTHER <password> {{secret}} https://example.org/login changeme us-east-1"
)


@pytest.mark.parametrize("value", ORDINARY.split())
def test_ordinary_values_are_no_secrets(value: str) -> None:
    assert why_ordinary(value)


SECRET_VALUES = (
    f"{VALUE} k9x2vq swordfish hunter2 tr0ub4dor correcthorsebatterystaple Sommer2031 пароль-дня /9j4AAQSkZJRgAB"
    " postgres://app:mellow42@db/x https://hooks.example.org/services/T0/B0/x8Kd93jdLkWq72hsPq correct-horse"
)


@pytest.mark.parametrize("value", SECRET_VALUES.split())
def test_other_values_are(value: str) -> None:
    assert not why_ordinary(value)


def test_entries_say_what_counts_and_why_the_rest_does_not(tmp_path: Path) -> None:
    path = env(
        tmp_path, f"DB_PASSWORD={VALUE}\nAPI_KEY=abc\nAPP_SECRET=production\nMODE=quiet-Otter77\nMY_TOKEN=\n"
    )
    vault = Vault(VaultSources(files=(path,)), {})
    assert [(entry.name, entry.why_not) for entry in vault.entries()] == [
        ("DB_PASSWORD", ""),
        ("API_KEY", "shorter than 6 characters"),
        ("APP_SECRET", "an ordinary word"),
        ("MY_TOKEN", "empty"),
    ]
    assert {entry.source for entry in vault.entries()} == {str(path)}


def test_a_listed_key_counts_whatever_its_name_and_value(tmp_path: Path) -> None:
    path = env(tmp_path, "MODE=production\nDOOR=482913\n")
    screen = screen_of(files=(path,), keys=("MODE", "DOOR"))
    assert rules(screen, "it runs in production") == ["vault MODE"]
    assert rules(screen, "the door opens with 482913") == ["vault DOOR"]
    assert not rules(screen, "productions, 1482913 and 4829130")


def test_ordinary_values_stop_no_note(tmp_path: Path) -> None:
    screen = screen_of(
        files=(env(tmp_path, "SECRET=production\nTOKEN=banana\nKEY=localhost\nPIN=20261130\n"),)
    )
    assert not rules(screen, "production runs on localhost with a banana since 20261130")


def test_a_password_inside_a_connection_string_counts_whatever_the_key(tmp_path: Path) -> None:
    screen = screen_of(files=(env(tmp_path, f"DATABASE_URL=postgres://app:{VALUE}@db.local/main\n"),))
    assert rules(screen, f"the app logs in with {VALUE} there") == ["vault DATABASE_URL"]


def test_each_line_of_a_private_key_counts(tmp_path: Path) -> None:
    lines = ["".join(random.Random(n).choices(string.ascii_letters, k=40)) for n in range(3)]
    text = "-----BEGIN THING-----\n" + "\n".join(lines) + "\n-----END THING-----"
    screen = screen_of(files=(env(tmp_path, f'SIGNING_KEY="{text}"\n'),))
    assert rules(screen, f"part of it: {lines[1]} end") == ["vault SIGNING_KEY"]
    assert not rules(screen, "-----END THING-----")


def test_one_name_with_two_values_finds_both(tmp_path: Path) -> None:
    files = (env(tmp_path, f"KEY={VALUE}\n", "a.env"), env(tmp_path, "KEY=quiet-Otter77\n", "b.env"))
    screen = screen_of(files=files)
    assert rules(screen, f"{VALUE} and quiet-Otter77") == ["vault KEY", "vault KEY (2)"]


# --- where a value is found ----------------------------------------------------------------------


def percent(text: str, layers: int) -> str:
    for _ in range(layers):
        text = "".join(f"%{byte:02X}" for byte in text.encode())
    return text


def full_width(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


DISGUISES: dict[str, Callable[[str], str]] = {
    "as it stands": lambda text: text,
    "in a word": lambda text: f"x{text}y",
    "percent": lambda text: percent(text, 1),
    "percent, some": lambda text: text.replace("-", "%2D").replace("!", "%21"),
    "percent, 4 layers": lambda text: "".join(f"%252525{ord(each):02x}" for each in text),
    "base64": base64_of,
    "base64 of more, 1": lambda text: base64_of(f"u:{text} and so on"),
    "base64 of more, 2": lambda text: base64_of(f"us:{text} and so on"),
    "base64 of more, 3": lambda text: base64_of(f"use:{text} and so on"),
    "base64url": lambda text: base64.urlsafe_b64encode(f"??>>{text}??".encode()).decode(),
    "base64 wrapped": lambda text: "\n".join(
        base64_of(f"{text}-{text}")[at : at + 9] for at in range(0, 45, 9)
    ),
    "hex": lambda text: text.encode().hex(),
    "hex, capitals": lambda text: text.encode().hex().upper(),
    "entities": lambda text: "".join(f"&#{ord(each)};" for each in text),
    "hex entities": lambda text: "".join(f"&#x{ord(each):x};" for each in text),
    "escaped for HTML": lambda text: html.escape(text.replace("!", "&#33;")),
    "backslash u": lambda text: "".join(f"\\u{ord(each):04x}" for each in text),
    "backslash x": lambda text: "".join(f"\\x{ord(each):02x}" for each in text),
    "reversed": lambda text: text[::-1],
    "spaced out": lambda text: " ".join(text),
    "split by blanks": lambda text: f"{text[:5]}  {text[5:]}",
    "split by tabs and lines": lambda text: f"{text[:4]}\t{text[4:9]}\n\n{text[9:]}",
    "wrapped in a list": lambda text: f"- {text[:7]}\n- {text[7:]}",
    "zero-width": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "combining": lambda text: "\u0301".join(text),
    "full width": full_width,
    "tag characters": lambda text: "".join(chr(0xE0000 + ord(each)) for each in text),
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize(
    "value", [VALUE, "k9x2vq8z", "swordfish", "пароль-Дня9", "p%40ss&amp;w\\x", "two words 42"]
)
def test_a_value_of_8_characters_is_found_in_every_disguise(
    tmp_path: Path, value: str, disguise: str
) -> None:
    if disguise == "in a word" and value.isalpha():
        pytest.skip("letters alone are a word of their own")
    if not value.isascii() and disguise in ("percent, 4 layers", "backslash x", "tag characters"):
        pytest.skip("a form for ASCII")
    screen = with_value(tmp_path, value)
    text = f"first line\n{DISGUISES[disguise](value)}\nlast"
    hits = screen.scan_fields({"body": text})
    assert {hit.rule for hit in hits} == {"vault DB_PASSWORD"}
    assert min((hit.line, hit.length) for hit in hits) == (2, len(value))
    shown = screen.redact(text)
    assert value not in shown
    assert DISGUISES[disguise](value) not in shown
    assert shown.startswith("first line\n[redacted: vault DB_PASSWORD]") or disguise == "in a word"
    assert shown.endswith("last")


@pytest.mark.parametrize("value", ["k9x2vq", "hunter2"])
def test_a_shorter_value_is_found_as_it_stands(tmp_path: Path, value: str) -> None:
    screen = with_value(tmp_path, value)
    assert rules(screen, f"pw={value}!") == ["vault DB_PASSWORD"]
    assert not rules(screen, base64_of(value))
    assert not rules(screen, value[:-1])


def test_a_word_is_not_found_inside_of_another(tmp_path: Path) -> None:
    screen = with_value(tmp_path, "swordfish")
    assert not rules(screen, "two swordfishes, and a swordfisher's boat")
    assert rules(screen, "it is Swordfish or swordfish.") == ["vault DB_PASSWORD"]


def test_every_text_is_screened_names_of_fields_and_raw_bytes_too(tmp_path: Path) -> None:
    screen = with_value(tmp_path, VALUE)
    hits = screen.scan_fields({"a": "no", f"x-{VALUE}": "yes"})
    assert [hit.rule for hit in hits] == ["vault DB_PASSWORD"]
    assert VALUE not in hits[0].field
    assert screen.scan_bytes(b"\xff\xfe " + VALUE.encode())


# --- sources -------------------------------------------------------------------------------------


def test_a_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = env(tmp_path, f"KEY={VALUE}\n")
    screen = screen_of(files=(path,))
    assert rules(screen, VALUE)
    before = screen.generation
    env(tmp_path, "KEY=quiet-Otter77-now\n")
    assert not rules(screen, VALUE)
    assert rules(screen, "quiet-Otter77-now")
    assert screen.generation != before


def test_of_a_file_that_goes_away_the_values_go_on_counting_and_it_is_said(tmp_path: Path) -> None:
    path = env(tmp_path, f"KEY={VALUE}\n")
    screen = screen_of(files=(path,))
    assert rules(screen, VALUE)
    path.unlink()
    assert rules(screen, VALUE) == ["vault KEY"]
    assert [entry.why_not for entry in screen.vault.troubles()] == [
        "there is no such file: its values are not looked for"
    ]
    env(tmp_path, f"KEY={VALUE}\n")
    assert not screen.vault.troubles()


def test_a_file_that_cannot_be_read_is_said_and_the_others_count(tmp_path: Path) -> None:
    good = env(tmp_path, f"KEY={VALUE}\nnot a line\n", "good.env")
    (tmp_path / "latin.env").write_bytes(b"KEY=caf\xe9-longer\n")
    (tmp_path / "large.env").write_bytes(b"#" * (1 << 20) + b"#\n")
    os.mkfifo(tmp_path / "pipe.env")
    names = ["none.env", "latin.env", "large.env", "pipe.env", "."]
    screen = screen_of(files=(*(tmp_path / name for name in names), good))
    assert [(Path(entry.source).name, entry.why_not) for entry in screen.vault.troubles()] == [
        ("none.env", "there is no such file: its values are not looked for"),
        ("latin.env", "it is not UTF-8"),
        ("large.env", "it is larger than 1 MiB"),
        ("pipe.env", "it is no regular file"),
        (tmp_path.name, "it is no regular file"),
        ("good.env", "lines that are no NAME=value are not used: 2"),
    ]
    assert rules(screen, VALUE) == ["vault KEY"]


def test_variables_of_the_environment_by_pattern() -> None:
    screen = screen_of(
        environ={"GH_TOKEN": VALUE, "OTHER": "quiet-Otter77", "X_TOKEN": "1"}, environment=("*_TOKEN",)
    )
    assert rules(screen, f"{VALUE} quiet-Otter77") == ["vault GH_TOKEN"]
    assert [(e.source, e.name, e.why_not) for e in screen.vault.entries()] == [
        ("environment", "GH_TOKEN", ""),
        ("environment", "X_TOKEN", "shorter than 6 characters"),
    ]


def test_values_are_nowhere_in_what_can_be_shown(tmp_path: Path) -> None:
    screen = with_value(tmp_path, VALUE)
    hits = screen.scan_fields({"body": VALUE})
    everything = [
        screen,
        screen.vault,
        screen.vault.entries(),
        screen.vault._sources,
        screen.vault._values,
        hits,
    ]
    assert VALUE not in " ".join(map(repr, everything))


def test_each_of_a_thousand_values_is_found_and_none_in_ordinary_text(tmp_path: Path) -> None:
    chosen = random.Random(3)
    letters = string.ascii_letters + string.digits
    values = ["".join(chosen.choices(letters, k=chosen.randint(8, 40))) for _ in range(1000)]
    path = env(tmp_path, "".join(f"KEY_{n}_TOKEN={value}\n" for n, value in enumerate(values)))
    screen = screen_of(files=(path,))
    text = "Ordinary words about dogs, the trains at 8:30 and three cats.\n" * 1000
    assert not rules(screen, text)
    for number in chosen.sample(range(1000), 20):
        assert rules(screen, f"it is\n{values[number]}!") == [f"vault KEY_{number}_TOKEN"]
