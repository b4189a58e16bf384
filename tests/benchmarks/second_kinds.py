"""A second set of secrets, made without a look at the first, in the lines that notes hold them in.

Put together at run time, so that no scanner of repositories takes one for real.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

_ALNUM = string.ascii_letters + string.digits
_LOW = string.ascii_lowercase + string.digits
_UP = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"
_URL = _ALNUM + "_-"
_B64 = _ALNUM + "+/"


def _some(r: random.Random, a: str, n: int) -> str:
    return "".join(r.choice(a) for _ in range(n))


def _strong(r: random.Random) -> str:
    """A password as a person or a manager would make it."""
    ways: list[Callable[[], str]] = [
        lambda: _some(r, _ALNUM, 6) + r.choice("!#$%&*?@") + _some(r, _ALNUM, 6),
        lambda: (
            r.choice(["Winter", "Otter", "Copper", "Maple", "Rocket", "Saffron"])
            + r.choice("!#_-.*")
            + str(r.randint(100, 9999))
            + r.choice(["", "!", "x"])
        ),
        lambda: _some(r, _ALNUM, 14),
        lambda: (
            r.choice("BCDFGHKLMN")
            + r.choice(["lu3", "4rk", "0n3", "1sk"])
            + _some(r, _LOW, 4)
            + r.choice("!?%$")
            + _some(r, _UP, 3)
        ),
    ]
    return r.choice(ways)()


def _card(p: str, n: int, r: random.Random) -> str:
    """A number with a check digit."""
    d = p + "".join(r.choice("0123456789") for _ in range(n - len(p) - 1))
    for c in "0123456789":
        t = 0
        for i, x in enumerate(reversed(d + c)):
            v = int(x) * (1 + i % 2)
            t += v - 9 if v > 9 else v
        if t % 10 == 0:
            return d + c
    raise AssertionError("one of ten digits fits")


def _pem(r: random.Random, kind: str, head: str, lines: int) -> str:
    body = head + _some(r, _B64, 64 * lines - len(head) - 2) + "=="
    return (
        f"-----BEGIN {kind}-----\n"
        + "\n".join(body[i : i + 64] for i in range(0, len(body), 64))
        + f"\n-----END {kind}-----"
    )


_WORDS = """
abandon ability able about above absent absorb abstract absurd abuse access accident account accuse
achieve acid acoustic acquire across act action actor actress actual adapt add addict address
adjust admit adult advance advice aerobic affair afford afraid again age agent agree ahead
aim air airport aisle alarm album alcohol alert alien all alley allow almost alone
alpha already also alter always amateur amazing among zebra zero zone zoo youth young
wrong wreck world wool wonder wolf witness wish winter wine window wheat welcome weapon
wave voyage volcano vivid village velvet vehicle upset tunnel trumpet tribe tower tissue thunder
theme
"""


def _b64(x: str) -> str:
    return base64.b64encode(x.encode()).decode()


def _spaced(digits: str, r: random.Random) -> str:
    return r.choice([digits, " ".join(digits[i : i + 4] for i in range(0, 16, 4))])


def _jwt(r: random.Random) -> str:
    h = (
        base64.urlsafe_b64encode(
            json.dumps(
                {"typ": "JWT", "alg": r.choice(["HS256", "RS256", "ES384"])}, separators=(",", ":")
            ).encode()
        )
        .decode()
        .rstrip("=")
    )
    p = (
        base64.urlsafe_b64encode(
            json.dumps(
                {"iss": _some(r, _LOW, 6), "exp": r.randint(10**9, 2 * 10**9), "uid": r.randint(1, 9999)}
            ).encode()
        )
        .decode()
        .rstrip("=")
    )
    return f"{h}.{p}.{_some(r, _URL, 43)}"


SECOND_KINDS: dict[str, Callable[[random.Random], str]] = {
    "AWS pair": lambda r: f"AKIA{_some(r, string.ascii_uppercase + '234567', 16)} / {_some(r, _B64, 40)}",
    "AWS secret in ini": lambda r: f"aws_secret_access_key = {_some(r, _B64, 40)}",
    "GCP service account": lambda r: json.dumps(
        {
            "type": "service_account",
            "project_id": _some(r, _LOW, 9),
            "private_key_id": _some(r, _HEX, 40),
            "private_key": _pem(r, "PRIVATE KEY", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 6) + "\n",
            "client_email": "svc@x.iam.gserviceaccount.com",
        }
    ),
    "Google API key": lambda r: "AIza" + _some(r, _URL, 35),
    "Azure connection string": lambda r: (
        f"DefaultEndpointsProtocol=https;AccountName={_some(r, _LOW, 9)};"
        f"AccountKey={_some(r, _B64, 86)}==;EndpointSuffix=core.windows.net"
    ),
    "GitHub token": lambda r: r.choice(["ghp_", "gho_", "ghs_"]) + _some(r, _ALNUM, 36),
    "GitHub fine-grained": lambda r: "github_pat_" + _some(r, _ALNUM, 22) + "_" + _some(r, _ALNUM, 59),
    "GitLab token": lambda r: r.choice(["glpat-", "gldt-", "glrt-"]) + _some(r, _URL, 20),
    "Slack token": lambda r: (
        f"xoxb-{_some(r, string.digits, 12)}-{_some(r, string.digits, 13)}-{_some(r, _ALNUM, 24)}"
    ),
    "Slack webhook": lambda r: (
        f"https://hooks.slack.com/services/T{_some(r, _UP, 8)}/_B64{_some(r, _UP, 10)}/{_some(r, _ALNUM, 24)}"
    ),
    "Stripe key": lambda r: (
        r.choice(["sk_live_", "rk_live_", "sk_test_"]) + _some(r, _ALNUM, r.choice([24, 99]))
    ),
    "OpenAI key": lambda r: f"sk-proj-{_some(r, _URL, 74)}T3BlbkFJ{_some(r, _URL, 74)}",
    "Anthropic key": lambda r: f"sk-ant-api03-{_some(r, _URL, 93)}AA",
    "Hugging Face token": lambda r: "hf_" + _some(r, string.ascii_letters, 34),
    "npm token": lambda r: "npm_" + _some(r, _ALNUM, 36),
    "PyPI token": lambda r: "pypi-AgEIcHlwaS5vcmc" + _some(r, _URL, 140),
    "JWT": _jwt,
    "PEM RSA key": lambda r: _pem(r, "RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 8),
    "PEM without head": lambda r: (
        "MIIEowIBAAKCAQEA" + "\n".join([_some(r, _B64, 48)] + [_some(r, _B64, 64) for _ in range(4)])
    ),
    "OpenSSH key": lambda r: _pem(
        r, "OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMw", 4
    ),
    "PGP key": lambda r: (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n"
        + "\n".join(_some(r, _B64, 64) for _ in range(5))
        + f"\n={_some(r, _B64, 4)}\n-----END PGP PRIVATE KEY BLOCK-----"
    ),
    "age key": lambda r: "AGE-SECRET-KEY-1" + _some(r, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "database URL": lambda r: (
        f"{r.choice(['postgres', 'mysql', 'mongodb+srv', 'redis', 'amqp'])}://{r.choice(['app', 'ana', 'svc'])}"
        f":{_some(r, _ALNUM, r.randint(10, 18))}@db{r.randint(1, 9)}.internal:{r.randint(1000, 9999)}/main"
    ),
    "basic auth URL": lambda r: (
        f"https://{r.choice(['ana', 'deploy', 'bob'])}:{_some(r, _ALNUM, 12)}@git.{_some(r, _LOW, 6)}.org/repo.git"
    ),
    "password line": lambda r: f"password: {_strong(r)}",
    "password in env": lambda r: f"DB_PASSWORD={_strong(r)}",
    "password in prose": lambda r: f"the password is {_strong(r)}",
    "wifi en": lambda r: f"Wifi password at the cabin is {_strong(r)}",
    "wifi de": lambda r: f"Das WLAN-Passwort lautet {_strong(r)}",
    "wifi fr": lambda r: f"Le mot de passe du wifi est {_strong(r)}",
    "wifi es": lambda r: f"La contraseña del wifi es {_strong(r)}",
    "wifi ru": lambda r: f"Пароль от вайфая: {_strong(r)}",
    "wifi it pt": lambda r: r.choice(
        [f"La password del wifi è {_strong(r)}", f"A senha do wifi é {_strong(r)}"]
    ),
    "card number": lambda r: _spaced(_card(r.choice(["4", "51", "55", "2230"]), 16, r), r),
    "recovery codes": lambda r: (
        "Recovery codes: " + ", ".join(f"{_some(r, _HEX, 5)}-{_some(r, _HEX, 5)}" for _ in range(6))
    ),
    "seed phrase": lambda r: "seed phrase: " + " ".join(r.sample(_WORDS.split(), 12)),
    "TOTP uri": lambda r: (
        f"otpauth://totp/Mail:ana@x.org?secret={_some(r, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 32)}&issuer=Mail"
    ),
    "netrc": lambda r: (
        f"machine api.heroku.com login ana@x.org password {_some(r, _HEX, 8)}-{_some(r, _LOW, 14)}"
    ),
    "pgpass": lambda r: f"db.internal:5432:main:app:{_some(r, _ALNUM, 16)}",
    "Telegram bot": lambda r: f"{r.randint(10**8, 10**10 - 1)}:AA{_some(r, _URL, 33)}",
    "Discord bot": lambda r: (
        f"{_b64(str(r.randint(10**17, 10**18))).rstrip('=')}.{_some(r, _URL, 6)}.{_some(r, _URL, 38)}"
    ),
    "kubeconfig": lambda r: f"    client-key-data: {_b64(_pem(r, 'EC PRIVATE KEY', 'MHcCAQEE', 3))}",
    "Docker auth": lambda r: '"auths": {"ghcr.io": {"auth": "' + _b64(f"ana:{_some(r, _ALNUM, 18)}") + '"}}',
    "Terraform": lambda r: f'variable "db_password" {{ default = "{_strong(r)}" }}',
    "Vault token": lambda r: "hvs." + _some(r, _URL, 95),
    "PIN": lambda r: f"PIN for the bank card: {_some(r, string.digits, 4)}",
    "door code": lambda r: f"The door code is {_some(r, string.digits, r.choice([4, 6]))}#",
    "SendGrid key": lambda r: f"SG.{_some(r, _URL, 22)}.{_some(r, _URL, 43)}",
    "Twilio": lambda r: f"twilio auth token {_some(r, _HEX, 32)}",
    "generic api key": lambda r: (
        f"{r.choice(['WEATHER', 'MAPS', 'MAILER'])}_API_KEY={_some(r, r.choice([_ALNUM, _HEX, _LOW]), 32)}"
    ),
}
