"""The screen for secrets: known formats are found in every disguise that has a view, ordinary notes are not.

Every token here is made up, and put together at run time so that no scanner of repositories takes it for one.
"""

from __future__ import annotations

import html
import random
import string
from collections.abc import Callable

import pytest

from memtui.gate.rules_lists import is_card_number
from memtui.gate.secrets import Hit, redact, scan_bytes, scan_fields

LETTERS = string.ascii_letters + string.digits


def made_up(length: int, alphabet: str = LETTERS, seed: int = 7) -> str:
    """Random characters, the same in every run, with letters and digits among them."""
    chosen = random.Random(seed)
    return "a7" + "".join(chosen.choice(alphabet) for _ in range(length - 2))


def upper(length: int) -> str:
    return "Q7" + made_up(length, string.ascii_uppercase + "234567")[2:]


HEX = "0123456789abcdef"
KEY = made_up(64, LETTERS + "+/")
SECRETS = {
    "GitHub token": "gh" + "p_" + made_up(36),
    "GitHub token, fine-grained": "github" + "_pat_" + made_up(22) + "_" + made_up(59),
    "GitLab token": "gl" + "pat-" + made_up(20),
    "AWS key id": "AK" + "IA" + upper(16),
    "AWS key id, temporary": "AS" + "IA" + upper(16),
    "Slack token": "xox" + "b-" + "123456789012-" + made_up(24),
    "Google API key": "AI" + "za" + made_up(35, LETTERS + "_-"),
    "Stripe key": "sk" + "_live_" + made_up(24),
    "OpenAI key": "s" + "k-" + made_up(48),
    "OpenAI key, project": "s" + "k-proj-" + made_up(60, LETTERS + "_-"),
    "Anthropic key": "s" + "k-ant-api03-" + made_up(80, LETTERS + "_-"),
    "JSON Web Token": "ey" + "J" + made_up(30) + ".ey" + "J" + made_up(60) + "." + made_up(43),
    "npm token": "np" + "m_" + made_up(36),
    "PyPI token": "py" + "pi-AgEIcHlwaS5vcmc" + made_up(60),
    "Hugging Face token": "h" + "f_" + made_up(34),
    "SendGrid key": "S" + "G." + made_up(22) + "." + made_up(43),
    "DigitalOcean token": "do" + "p_v1_" + made_up(64, HEX),
    "Telegram bot token": "123456789" + ":" + "AA" + made_up(33),
    "age secret key": "AGE-SECRET" + "-KEY-1" + upper(58),
    "private key": "-----BEGIN " + f"RSA PRIVATE KEY-----\n{KEY}\n{KEY}\n-----END RSA PRIVATE KEY-----",
    "private key, in part": "-----BEGIN " + f"OPENSSH PRIVATE KEY-----\n{KEY}",
    "password in a URL": "https://ana:" + "h0rse-Battery@db.local/x",
    "connection string": "postgres://app:" + "s3cr8tPhrase@10.0.0.5:5432/main",
    "card number": "4539 " + "1488 0343 6467",
}
ASSIGNMENTS = [
    "password=hunter2x",
    "Password: hunter2x!",
    "- **Wifi password:** `blue.Whale42`",
    'db_password = "k8sPlum_tree"',
    "DB_PASS=tr0ub4dor",
    "pwd: 482913",
    "passphrase: Correct-Horse-7",
    "Passwort: Sommer!2031",
    "api_key: " + made_up(32),
    "export SECRET_KEY='" + made_up(40) + "'",
    "aws_secret_access_key = " + made_up(40),
    "access token: " + made_up(30),
    "Server=db;User Id=sa;Password=Wint3r!s;Encrypt=yes",
    '{"password": "hunter2x", "a": 1}',
    "https://x.local/?user=a&password=hunter2x&b=c",
]


def rules(text: str) -> list[str]:
    return [hit.rule for hit in scan_fields({"body": text})]


def kind(name: str) -> str:
    name = name.partition(",")[0]
    return "password in a URL" if name == "connection string" else name


@pytest.mark.parametrize("name", SECRETS)
def test_known_formats_are_found(name: str) -> None:
    assert rules(f"It is {SECRETS[name]} for now.") == [kind(name)]
    assert rules(SECRETS[name]) == [kind(name)]
    assert rules(f'["{SECRETS[name]}"]') == [kind(name)]


@pytest.mark.parametrize("text", ASSIGNMENTS)
def test_assigned_passwords_and_keys_are_found(text: str) -> None:
    assert rules(text) == ["password or key in an assignment"]
    assert len(rules(f"Notes on the flat\n{text}\nand so on")) == 1
    assert len(rules(f"Notes on the flat\r\n{text}\r\nand so on")) == 1


def full_width(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


DISGUISES: dict[str, Callable[[str], str]] = {
    "zero-width": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "combining": lambda text: "\u0301".join(text),
    "full width": full_width,
    "tag characters": lambda text: "".join(chr(0xE0000 + ord(each)) for each in text),
    "bold letters": lambda text: "".join(
        chr(0x1D400 + ord(e) - 65)
        if "A" <= e <= "Z"
        else chr(0x1D41A + ord(e) - 97)
        if "a" <= e <= "z"
        else e
        for e in text
    ),
    "percent": lambda text: "".join(f"%{ord(each):02X}" for each in text),
    "percent three times": lambda text: "".join(f"%2525{ord(each):02x}" for each in text),
    "entities": lambda text: "".join(f"&#{ord(each)};" for each in text),
    "hex entities": lambda text: "".join(f"&#x{ord(each):x};" for each in text),
    "entities with zero-width": lambda text: "&#8203;".join(html.escape(each) for each in text),
    "backslash u": lambda text: "".join(f"\\u{ord(each):04x}" for each in text),
    "backslash x": lambda text: "".join(f"\\x{ord(each):02x}" for each in text),
    "wrapped": lambda text: f"{text[:15]}\n{text[15:]}",
    "wrapped in a list": lambda text: f"- {text[:15]}\n- {text[15:]}",
    "wrapped in a quote": lambda text: f"> {text[:15]}\r\n> {text[15:]}",
    "wrapped by backslashes": lambda text: f"{text[:15]}\\\n  {text[15:]}",
}
DISGUISED = [
    "GitHub token",
    "GitLab token",
    "Slack token",
    "Stripe key",
    "Anthropic key",
    "JSON Web Token",
    "npm token",
]


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("name", DISGUISED)
def test_disguises_are_seen_through(name: str, disguise: str) -> None:
    text = f"first line\n{DISGUISES[disguise](SECRETS[name])}\nlast"
    hits = scan_fields({"body": text})
    assert {hit.rule for hit in hits} == {name}
    assert hits[0].line == 2
    assert SECRETS[name][:15] not in redact(text).replace("\n- ", "").replace("\n", "")


ORDINARY = [
    "Password: ask Ana",
    "password: required",
    "Password: Annual",
    "Passwords are kept in 1Password.",
    "password: bitwarden",
    "password=<your password>",
    "password: ${DB_PASSWORD}",
    'password = os.environ["DB_PASSWORD"]',
    "api_key: YOUR_API_KEY",
    "api key: your-key-here",
    "token: xxxxxxxxxxxxxxxxxxxx",
    "token: a unit of text, about four letters",
    "Access token: expires after 30 days",
    "secret: he does not like surprises",
    "key: value",
    "monkey: capuchin2024banana7",
    "The password is changed every 90 days",
    "secret = vault.read('db')",
    "secret ingredient: cardamom-and-rosewater-2024.md",
    "client_secret: changeme",
    "https://user:password@example.com/",
    "http://localhost:8080/@ana",
    "see https://medium.com/@ana/sk-learn-tips-2024",
    "AK" + "IAIOSFODNN7EXAMPLE is the key id of the manual",
    "disk-usage-report-2024-for-the-whole-department",
    "sk-learn and task-management-for-two-or-more-people-in-2024",
    "Keys begin with -----BEGIN " + "PRIVATE KEY----- as a rule.",
    "ISBN 978-3-16-148410-0 and +41 44 668 18 00",
    "1704844800-run-5k-under-25-minutes.md at 1709376000123",
    "3.14159265358979323846",
    "4539148803436468 is no card, as its check digit says",
    "order 4539148803436467000123",
    "sha256: 311a237a47b5b30d448366a533083ef86e3b4f4808b19b3f1a9ccc333b621a72",
    "[[2024-01-10 Meeting]] #work/secret-santa",
    "50% off, 20%20 and &amp; &lt;b&gt; C:\\users\\new",
    "Привет, пароль: спросить у Ани",
    "numbers\n4539\n1488\n0343\n6467",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_notes_are_left_alone(text: str) -> None:
    assert rules(text) == []
    assert redact(text) == text


def test_a_hit_tells_where_and_how_long_but_never_what() -> None:
    token = SECRETS["npm token"]
    hits = scan_fields({"title": "x", "body": f"one\ntwo {token}"})
    assert hits == (Hit("npm token", "body", 2, len(token)),)
    assert token not in repr(hits)


def test_the_name_of_a_field_is_screened_and_masked() -> None:
    token = SECRETS["npm token"]
    (hit,) = scan_fields({f"extra.{token}": "x", "title": "y"})
    assert hit.field == "extra.[redacted: npm token]"


def test_every_field_is_scanned_in_order() -> None:
    hits = scan_fields({"b": SECRETS["npm token"], "c": "fine", "a": SECRETS["Stripe key"]})
    assert [hit.field for hit in hits] == ["b", "a"]


def test_raw_bytes_are_scanned_whatever_they_are() -> None:
    token = SECRETS["npm token"]
    assert scan_bytes(b'\xff\x00{"title": "' + token.encode() + b'"')
    assert scan_bytes(token.encode("utf-16"))
    assert scan_bytes(b'{"a": "\\u006e' + token[1:].encode() + b'\\nmore"}')
    assert not scan_bytes(bytes(range(256)))


def test_redacting_keeps_everything_else() -> None:
    text = f"one {SECRETS['npm token']} two\n{SECRETS['private key']}\nthree"
    shown = redact(text)
    assert shown.startswith("one [redacted: npm token] two\n[redacted: private key]\n")
    assert shown.endswith("\nthree")
    assert shown.count("\n") == text.count("\n")


def test_redacting_takes_whole_lines_where_the_secret_is_disguised() -> None:
    token = SECRETS["npm token"]
    assert redact(f"one\nx {full_width(token)} y\nthree") == "one\n[redacted: npm token]\nthree"
    assert redact(f"one\n{token[:20]}\n{token[20:]}\nfour") == "\n".join(
        ["one", "[redacted: npm token]", "[redacted: npm token]", "four"]
    )


def test_a_wrapped_secret_whose_first_line_alone_is_one_leaves_no_tail() -> None:
    token = SECRETS["Anthropic key"]
    assert token[60:] not in redact(f"{token[:60]}\n{token[60:]}\n\nnext")
    assert redact(f"{token}\nlikes dinosaurs") == "[redacted: Anthropic key]\nlikes dinosaurs"


@pytest.mark.parametrize(
    ("digits", "is_card"),
    [
        ("4539148803436467", True),
        ("371449635398431", True),
        ("5555555555554444", False),
        ("5105105105105100", True),
        ("6011000990139424", True),
        ("30569309025904", True),
        ("4539148803436468", False),
        ("1539148803436467", False),
        ("4444444444444444", False),
    ],
)
def test_card_numbers_have_an_issuer_and_a_check_digit(digits: str, is_card: bool) -> None:
    assert is_card_number(digits) == is_card


HOSTILE = {
    "assignments": "password=" * 14_000,
    "urls": "://a:" * 25_000,
    "tokens": (SECRETS["npm token"] + " ") * 3_000,
    "hidden tokens": (full_width(SECRETS["npm token"]) + " ") * 3_000,
    "keys": ("-----BEGIN " + "PRIVATE KEY-----") * 4_500,
    "web tokens": "-eyJ" * 32_000,
    "digits": "4 " * 62_000,
    "percent": "%2525252541" * 11_500,
    "entities": "&amp;amp;amp;" * 10_000,
    "lines": "a\n" * 62_000,
    "ligatures": "\ufdfa" * 42_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_long_hostile_text_is_screened(name: str) -> None:
    scan_fields({"body": HOSTILE[name]})
    redact(HOSTILE[name])


def test_ordinary_text_costs_next_to_nothing() -> None:
    text = ("Calls every Sunday; visits are easier when they are short. The key: to plan ahead.\n" * 800)[
        : 64 * 1024
    ]
    for _ in range(10):
        scan_fields({"body": text})
