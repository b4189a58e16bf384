"""What stands beside a word for a secret and is none: amounts, what refers to something elsewhere, names of fields."""

from __future__ import annotations

import json

import pytest

from memtui.gate.secrets import find

AMOUNTS = [
    "Mountain pass: 2,106m",
    "Mountain pass: 2.106m",
    "Col pass: 2,106m/6,909ft",
    "Bus pass: 49,90",
    "Ski pass: €312.50",
    "Pass: $1,299.00",
    "pass: 120.50CHF",
    "Math test, pass: 61.5%",
    "Exam result, pass: 14/20",
    "pass: 1h23m45s",
]
NONE_GIVEN = [
    "pwd: k.A.",
    "mot de passe: s.o.",
    "pwd: n.v.t.",
    "senha: n.d.a.",
    "password: n/a",
    "API key: t.b.d.",
]
ELSEWHERE = [
    "client_secret = (1Password)",
    "LoadCredential=db-password:/etc/creds/db",
    "LoadCredential=db-password:/etc/creds/db\nEnvironment=TOKEN_FILE=%d/token",
    "secret_id = aws_secretsmanager_secret.db.id",
    "password = random_password.master2.result",
    "password = data.vault_generic_secret.db1.data",
    "password = local.db_password1",
]
NAMES = [
    '`password` is type=password, autocomplete="current-password".',
    "<input type=password autocomplete='new-password'>",
    "if !ok { return ErrPassword }",
    "a senha é pessoal e intransferível.",
    "New pin for the jacket: 1987 enamel",
    "Bought a pin for the jacket: 1987 enamel pin.",
]


PROGRAMS = [
    'password = form.cleaned_data["password1"]',
    'password = request.form["password"]',
    f"GITHUB_TOKEN=ghp_{'x' * 36}",
    "* fix gpasswd passwd leak (Closes: #1051062)",
    "docker run -p 127.0.0.1:5432:5432/tcp pg16",
    "docker login -p $TOKEN ghcr.io",
    "Serial number: K7Q2M-9XW3P-LL2RT",
    "The password was reset to default yesterday.",
]


@pytest.mark.parametrize("text", [*AMOUNTS, *NONE_GIVEN, *ELSEWHERE, *NAMES, *PROGRAMS])
def test_it_is_left_alone_in_a_note_and_in_json(text: str) -> None:
    for note in (text, f"{text}\n", f"Notes.\n{text}\nEnvironment=TOKEN_FILE=%d/token\n"):
        assert find(note) == []
        assert find(json.dumps({"content": note})) == []
        assert find(json.dumps({"content": note}, ensure_ascii=False)) == []


@pytest.mark.parametrize(
    "text",
    [
        "pass: 2106-Xk#m",
        "Mountain pass: Xk4.pq91m",
        "password = data4you.Xk_91",
        "password: type=Xk4#pq91v",
        "pin for the card: 1987 always",
        "my pin for the door: 1987",
        "PIN: 1987 works",
        "senha: pessoal#Xk4",
        "password = blue_Whale.42",
        "The wifi passphrase was changed to kqv882Xz!",
        "root password on nas.lan is Walrus3321!",
        "activation key K7Q2M-9XW3P-LL2RT-88HGB",
        "Lizenzschlüssel: K7Q2M-9XW3P-LL2RT-88HGB",
        "docker login -u anna -p kq9Xw2LmPz71Gh host.io",
        "plink -ssh a@b -pw Walrus3321! ls",
        "https://hooks.zapier.com/hooks/catch/1234567/ab12cd3",
        "li_at=AQEDAxyzQ8s7abcdEFGH1234567890abcdefghijklmnopq",
        "WLAN-Schlüssel lautet Hkq82-Trw!x",
        "Machine prod1.maple.de Login deploy Password kmv809+JXUAhq",
    ],
)
def test_what_could_be_one_is_found(text: str) -> None:
    assert find(text)
    assert find(json.dumps({"content": f"{text}\nand so on"}))
