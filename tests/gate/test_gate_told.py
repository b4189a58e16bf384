"""Secrets that are told without their name beside them, and words that only look so."""

from __future__ import annotations

import pytest

from memtui.gate.secrets import find

HEX = "3f2a9c" + "71b0d4e85f6a1c" + "9d2e7b3480c5"
KEY = "Ab3dE9" + "fGh1JkL4mN7pQrS2tUv5Wx"
PASSWORD = "lagoon%" + "Tiger47"


@pytest.mark.parametrize(
    "text",
    [
        f"our Mailgun one is {HEX}",
        f"Cloudflare: {HEX}",
        f"For Algolia use `{KEY}`.",
        f"Datadog → {HEX}, ask Ida.",
        f"You get in with {PASSWORD} as the password.",
        f"mit {PASSWORD} als Passwort",
        f"log in as ops, pass is {PASSWORD}",
        f"password for the printer ({PASSWORD})",
        f"Passwort ist jetzt {PASSWORD}",
        f"パスワードを{PASSWORD}に変更しました",
        f"APIキーは{KEY}です",
        "ルーターの暗証番号は504405です",
        f"密碼改成{PASSWORD}了",
        f"รหัสผ่านคือ{PASSWORD}",
        f"| service | password |\n|---|---|\n| wiki | {PASSWORD} |",
        f"user | password | since\n---|:--|---\nana | {PASSWORD} | May\nida | later | June\n",
    ],
)
def test_it_is_found(text: str) -> None:
    value = next(value for value in (HEX, KEY, PASSWORD, "504405") if value in text)
    for whole in (text, f"Notes.\n\n{text}\n\nMore.", f"> {text}".replace("\n", "\n> ")):
        assert any(value in each.value for each in find(whole))


def test_all_rows_of_a_table_are_taken_out_together() -> None:
    table = f"| of | password |\n|---|---|\n| wiki | {PASSWORD} |\n| mail | {PASSWORD}x |\n\nText.\n"
    [found] = [each for each in find(table) if each.rule.endswith("table")]
    assert found.value.count(PASSWORD) == 2


@pytest.mark.parametrize(
    "text",
    [
        f"Sentry event {HEX}",
        f"Cloudflare zone: {HEX}",
        f"Vercel build {HEX} is live",
        "Datadog: 2026-11-30T10:00:00Z",
        "Twilio → see messages/inbound-webhook-handler.md",
        "Stripe: 3f2a9c71-b0d4-485f-8a1c-9d2e7b3480c5",
        "start with Section-12.b as the password chapter says",
        "password for the printer (see the manual)",
        "the hashing (RFC2898) of a password (PBKDF2-SHA256)",
        "the pass is 1200m high",
        "パスワードは変更してください",
        "| field | password | token |\n|---|---|---|\n| type | string | string |\n| length | 12 | 40 |",
        "name:password:uid:gid:gecos:directory:shell",
        '{"OLDPWD": "/home/ana/notes/work"}',
        "--secret=projects/my-project/secrets/my-secret/versions/2",
        '"ClientToken": "c9adb218-3222-4889-8216-0cf0e52dc37e"',
        "recipient): Likewise. (get_session_key): Likewise.\n\t* g10/sign.c (clearsign_file): the same",
        'e={secret:{actual:"remain"},token:!0};var f=1;',
    ],
)
def test_ordinary_text_is_none(text: str) -> None:
    assert find(text) == []
