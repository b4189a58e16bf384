"""Kinds of secret, each made afresh from a seeded generator, as a note would hold them.

Put together at run time, so that no scanner of repositories takes one for real.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

Maker = Callable[[random.Random], str]

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_B64 = _ALNUM + "+/"
_URL = _ALNUM + "-_"
_WORDS = (
    "amber",
    "anchor",
    "basil",
    "beacon",
    "birch",
    "candle",
    "cedar",
    "cobalt",
    "comet",
    "coral",
    "dapple",
    "ember",
    "falcon",
    "fern",
    "garnet",
    "harbor",
    "hazel",
    "indigo",
    "ivory",
    "jasper",
    "juniper",
    "kestrel",
    "lantern",
    "lemon",
    "maple",
    "marble",
    "meadow",
    "nickel",
    "oak",
    "onyx",
    "orchid",
    "otter",
    "pebble",
    "pepper",
    "pigeon",
    "plum",
    "quartz",
    "raven",
    "river",
    "saffron",
    "sparrow",
    "spruce",
    "thistle",
    "timber",
    "velvet",
    "walnut",
    "willow",
    "winter",
)


def _some(chosen: random.Random, length: int, alphabet: str = _ALNUM) -> str:
    """Characters at random, letters and digits among them where the alphabet has both."""
    while True:
        made = "".join(chosen.choice(alphabet) for _ in range(length))
        if length < 6 or alphabet.isdigit() or (any(map(str.isdigit, made)) and any(map(str.isalpha, made))):
            return made


def password(chosen: random.Random) -> str:
    """As people and password managers make them."""
    word, other = chosen.choice(_WORDS), chosen.choice(_WORDS)
    return chosen.choice(
        (
            f"{word.title()}-{other.title()}{chosen.randrange(10, 99)}",
            f"{word}.{other.title()}{chosen.randrange(100, 999)}",
            f"{word.title()}{chosen.choice('!#%&*?')}{chosen.randrange(1000, 9999)}",
            _some(chosen, chosen.randrange(10, 20), _ALNUM + "!#%*?-_"),
            f"{word[:3].title()}{_some(chosen, 8)}",
        )
    )


def _card(chosen: random.Random) -> str:
    digits = [int(each) for each in chosen.choice(("4539", "4716", "5412", "5264", "6011"))]
    digits += [chosen.randrange(10) for _ in range(11)]
    total = sum(d if place % 2 else (d * 2 - 9 if d > 4 else d * 2) for place, d in enumerate(digits))
    digits.append(-total % 10)
    plain = "".join(map(str, digits))
    return chosen.choice(
        (
            plain,
            " ".join(plain[at : at + 4] for at in range(0, 16, 4)),
            "-".join(plain[at : at + 4] for at in range(0, 16, 4)),
        )
    )


def _jwt(chosen: random.Random) -> str:
    def part(value: dict[str, object]) -> str:
        return (
            base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")
        )

    payload = {"sub": _some(chosen, 8, string.digits), "iat": chosen.randrange(1_700_000_000, 1_800_000_000)}
    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(payload)}.{_some(chosen, 43, _URL)}"


def _pem(chosen: random.Random, lines: int = 6) -> str:
    kind = chosen.choice(("RSA ", "EC ", "OPENSSH ", ""))
    body = "\n".join(_some(chosen, 64, _B64) for _ in range(lines))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def _pem_part(chosen: random.Random) -> str:
    return _pem(chosen).rpartition("\n-----END")[0].rpartition("\n")[0]


def _recovery_codes(chosen: random.Random) -> str:
    shape = chosen.choice(
        (
            lambda: f"{_some(chosen, 5)}-{_some(chosen, 5)}".lower(),
            lambda: _some(chosen, 8, string.digits),
            lambda: _some(chosen, 10).lower(),
        )
    )
    return "Recovery codes:\n" + "\n".join(shape() for _ in range(6))


def _seed(chosen: random.Random) -> str:
    from pathlib import Path

    import memtui.gate

    words = (Path(memtui.gate.__file__).with_name("seed_words.txt")).read_text("ascii").split()
    return "seed phrase: " + " ".join(chosen.choice(words) for _ in range(chosen.choice((12, 24))))


def _gcp(chosen: random.Random) -> str:
    return json.dumps(
        {
            "type": "service_account",
            "project_id": "notes-1",
            "private_key_id": _some(chosen, 40, _HEX),
            "private_key": _pem(chosen),
        }
    )


def _discord(chosen: random.Random) -> str:
    number = base64.b64encode(str(chosen.randrange(10**17, 10**18)).encode()).decode().rstrip("=")
    return f"{number}.{_some(chosen, 6, _URL)}.{_some(chosen, 27, _URL)}"


_TOLD = (
    "the wifi password is",
    "Password for the router is",
    "My Netflix password is",
    "пароль от вайфая:",
    "das WLAN-Passwort lautet",
    "le mot de passe du wifi est",
    "la contraseña del wifi es",
)

KINDS: dict[str, Maker] = {
    "AWS key id": lambda c: "AK" + "IA" + _some(c, 16, string.ascii_uppercase + "234567"),
    "AWS secret key": lambda c: f"aws_secret_access_key = {_some(c, 40, _B64)}",
    "GitHub token": lambda c: "gh" + "p_" + _some(c, 36),
    "GitHub fine-grained token": lambda c: "github" + f"_pat_{_some(c, 22)}_{_some(c, 59)}",
    "GitLab token": lambda c: "gl" + "pat-" + _some(c, 20, _URL),
    "Slack token": lambda c: (
        "xox" + f"b-{_some(c, 12, string.digits)}-{_some(c, 12, string.digits)}-{_some(c, 24)}"
    ),
    "Slack webhook": lambda c: (
        "https://hooks.sl" + f"ack.com/services/T{_some(c, 8).upper()}/B{_some(c, 8).upper()}/{_some(c, 24)}"
    ),
    "Stripe key": lambda c: "sk" + "_live_" + _some(c, 24),
    "Google API key": lambda c: "AI" + "za" + _some(c, 35, _URL),
    "GCP service account": _gcp,
    "Azure connection string": lambda c: (
        f"DefaultEndpointsProtocol=https;AccountName=notes;AccountKey={_some(c, 86, _B64)}=="
        ";EndpointSuffix=core.windows.net"
    ),
    "OpenAI key": lambda c: "s" + "k-proj-" + _some(c, 60, _URL),
    "Anthropic key": lambda c: "s" + "k-ant-api03-" + _some(c, 93, _URL) + "AA",
    "Hugging Face token": lambda c: "h" + "f_" + _some(c, 34),
    "npm token": lambda c: "np" + "m_" + _some(c, 36),
    "PyPI token": lambda c: "py" + "pi-AgEIcHlwaS5vcmc" + _some(c, 70, _URL),
    "SendGrid key": lambda c: "S" + f"G.{_some(c, 22, _URL)}.{_some(c, 43, _URL)}",
    "Twilio key": lambda c: "S" + "K" + _some(c, 32, _HEX),
    "Discord bot token": _discord,
    "Telegram bot token": lambda c: f"{c.randrange(10**8, 10**10)}:" + "AA" + _some(c, 33, _URL),
    "JSON Web Token": _jwt,
    "private key": _pem,
    "private key, in part": _pem_part,
    "password in a URL": lambda c: f"https://{c.choice(_WORDS)}:{_some(c, 12)}@host.local/x",
    "connection string": lambda c: f"postgresql://app:{_some(c, 14)}@10.0.0.{c.randrange(2, 250)}:5432/main",
    "password assignment": lambda c: (
        f"{c.choice(('password', 'DB_PASSWORD', 'passwd', 'pwd'))}{c.choice(('=', ': ', ' = '))}{password(c)}"
    ),
    "password in prose": lambda c: f"{c.choice(_TOLD)} {password(c)}",
    "PIN": lambda c: (
        f"{c.choice(('my PIN is', 'bank card PIN:', 'the alarm code is', 'пин-код карты:'))} {c.randrange(1000, 9999)}"
    ),
    "card number": _card,
    "recovery codes": _recovery_codes,
    "seed phrase": _seed,
    "one-time password secret": lambda c: (
        f"otpauth://totp/Mail:ana?secret={_some(c, 32, string.ascii_uppercase + '234567')}&issuer=Mail"
    ),
    "bearer header": lambda c: f"Authorization: Bearer {_some(c, 40)}",
    "session cookie": lambda c: f"Cookie: sessionid={_some(c, 32)}",
    "named key": lambda c: (
        f"{c.choice(('api_key', 'secret_token', 'client_secret', 'API key'))}: {_some(c, 32)}"
    ),
    "age secret key": lambda c: "AGE-SECRET" + "-KEY-1" + _some(c, 58, string.ascii_uppercase + "234567"),
}
