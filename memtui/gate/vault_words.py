"""Which values of the person's sources are secrets, and which are ordinary words (SPEC.md section 4).

A `.env` file names a port, a mode and a host beside its passwords, and a note may well say "production".
"""

from __future__ import annotations

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SECRET_WORDS = _set(
    "pass password passwd passphrase passcode pwd pw pin secret secrets token tokens key keys apikey auth credential"
    " credentials cred creds salt dsn webhook jwt bearer cookie signature seed mnemonic otp pat"
)
_SECRET_ENDS = ("password", "passwd", "passphrase", "secret", "token", "apikey", "webhook", "privatekey")
_PLAIN_LAST = _set(
    "file path dir directory url uri host port name user username email type kind alg algorithm length size limit"
    " ttl expiry expires expiration timeout enabled disabled required version region id ids issuer audience scope"
    " scopes header prefix suffix count budget max min format mode public publishable length rounds days hours"
    " minutes seconds interval provider"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WITH_PASSWORD = re.compile(r"[A-Za-z][\w+.-]*://[^\s/:@]*:(?P<password>[^\s/@]+)@")

_ORDINARY = _set(
    "production development staging testing sandbox preview localhost default enabled disabled required optional"
    " optional never always automatic automatically debugging verbose warning critical information internal external"
    " private public secret secrets password passwords passphrase username administrator anonymous undefined unknown"
    " nothing changeme placeholder example examples template postgres postgresql mongodb sqlite redis rabbitmq"
    " memcached elasticsearch filesystem database databases standard premium enterprise community primary secondary"
    " replica readonly readwrite document documents application applications service services container containers"
    " kubernetes terraform cloudflare cloudfront google github gitlab bitbucket microsoft anthropic openai"
    " mistral ollama claude telegram discord slackbot stripe paypal sendgrid mailgun postmark twilio sentry"
    " datadog honeycomb prometheus grafana amazon azure digitalocean heroku netlify vercel railway supabase"
    " firebase plaintext plain bearer basic digest oauth openid strict relaxed lenient session sessions cookies"
    " websocket transport tls1.2 tls1.3 starttls hs256 hs384 hs512 rs256 rs384 rs512 es256 eddsa sha256 sha512"
    " argon2id bcrypt scrypt pbkdf2 aes-256-gcm aes-128-gcm aes-256-cbc utf-8 us-east-1 us-east-2 us-west-1"
    " us-west-2 eu-west-1 eu-central-1 europe-west1 127.0.0.1 0.0.0.0 application/json text/plain"
)
_LONGEST_WORD = 7
"""Letters up to which a word in one case is an ordinary one: `banana`, not `swordfish`."""


def is_secret_name(name: str) -> bool:
    """Whether a variable is named like a secret: `DB_PASSWORD`, `githubToken`, `SLACK_WEBHOOK_URL`.

    Not where its last word says that it is about one: `TOKEN_LIMIT`, `SECRET_KEY_FILE`, `STRIPE_KEY_ID`.
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or not (_SECRET_WORDS & set(words) or any(word.endswith(_SECRET_ENDS) for word in words)):
        return False
    return words[-1] not in _PLAIN_LAST or "webhook" in words


def password_in(value: str) -> str:
    """The password in a connection string or URL, "" where there is none."""
    match = _WITH_PASSWORD.match(value)
    return match["password"] if match else ""


def why_ordinary(value: str) -> str:
    """Why a value is no secret, a few words; "" where it may be one.

    Ordinary are: numbers, dates, versions and addresses; truth values and the words that settings are made of
    (`production`, `localhost`); a single word of at most 7 letters in one case; one character over and over; a
    reference (`${OTHER}`); a URL that holds no password and nothing long. The person can list the key to make
    the value count all the same.
    """
    text = value.strip()
    folded = text.casefold()
    if re.fullmatch(r"[+-]?[\d\s.,:/_-]+(?:[a-z]{1,3})?", folded):
        return "a number"
    if folded in _ORDINARY:
        return "an ordinary word"
    one_case = text.islower() or text.isupper() or text.istitle()
    if len(text) <= _LONGEST_WORD and text.isalpha() and one_case:
        return "an ordinary word"
    if len(set(text)) < 3:
        return "the same character over and over"
    if re.fullmatch(r"\$\{?\w+\}?|<[^<>]*>|\{\{.*\}\}", text):
        return "a reference"
    if re.fullmatch(r"https?://[^\s@]*", folded) and not re.search(r"[\w-]{16,}(?![\w.-]*\.[a-z])", folded):
        return "an address"
    return ""
