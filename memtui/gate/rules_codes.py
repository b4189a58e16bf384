"""PINs, door codes, and a name with its password: short values that only the words around them give away."""

from __future__ import annotations

import re

from memtui.gate.rule import Rule, is_drawn, is_mixed, is_second, is_strong, is_uuid, trimmed

_PIN_WORD = (
    r"pin(?:[- ]?(?:code|nummer|number|kod|код))?s?|пин(?:[- ]?код)?(?:а|ом)?|暗証番号|geheimzahl|cvv2?"
    r"|cvc2?|passcode"
    r"|codes?(?:[ \t](?:pin|(?:de[ \t]la[ \t]porte|d'entr[ée]e|de[ \t]l'alarme|du[ \t]portail)))?"
    r"|c[óo]digo(?:[ \t]pin)?(?:[ \t]de[ \t](?:la[ \t])?(?:puerta|alarma|entrada|caja))?"
    r"|код(?:[ \t](?:от[ \t])?(?:домофона|двери|подъезда|сейфа|сигнализации|ворот))?"
)
_PIN_LINK = (
    r"(?:is|was|ist|lautet|est|es|é|è|это|to|(?:is )?now|(?:is )?still|(?:was |is )?changed to"
    r"|set to|er|är|on)"
)
_LOCKED = re.compile(
    r"(?i)(?:door|gate|alarm|entry|lock|lockbox|safe|garage|building|access|unlock|screen|keypad|vault"
    r"|house|security|burglar|t[üu]r|tor|haus|zugangs|fach)[*_\"'`]{0,3}[ \t-]?(?:pass)?\Z"
)
_PIN = Rule(
    "PIN or door code",
    ("pin", "пин", "código", "codigo", "code", "暗証番号", "geheimzahl", "passcode", "код", "cvv", "cvc"),
    rf"(?i:{_PIN_WORD})[\"'`*_]{{0,3}}(?P<of>(?:[ \t]+[^\s:=]{{1,20}}){{0,6}}?)"
    rf"(?:[ \t]+(?i:{_PIN_LINK})[ \t]*:?[ \t]+|[ \t]{{0,2}}[:=：→–—][ \t]{{0,2}})"
    r"[\"'`*“„«(]{0,3}(?P<value>[*#]?[0-9](?:[ -]?[0-9]){2,7}[*#]?)"
    r"(?![\w%°€$]|[.,:/-]\d|[ \t]*(?:digits?|characters?|stellig|chiffres|цифр|times?|mm|cm|px|km|V|A"
    r"|days?|people|years?)\b)",
    lambda match: _is_pin(match),
    "[A-Za-z_./]",
)


_THING = re.compile(
    r"[ \t]+(?!(?:now|and|but|since|for|until|from|please|then|with|not|the|keep|ask|always|still|again|works?"
    r"|opens)\b)"
    r"[a-z]{3,20}\b"
)
"""What a number before it counts or dates: `1987 enamel`."""
_LOCKED_BY_PIN = re.compile(
    r"(?i)card|door|gate|phone|sim|bank|safe|alarm|app|account|log|lock|tablet|pad|garage|box|code|atm|visa|watch"
    r"|laptop|house|home|bike|shed|office|vault|number|\bis\b|\bwas\b"
)


def _is_pin(match: re.Match[str]) -> bool:
    """Whether a number is told as a PIN: no postal code, date, board's pin or length."""
    word = match[0].lower()
    digits = re.sub(r"\D", "", match["value"])
    if word.startswith(("code", "cód", "cod", "код")) and not _of_a_lock(match, word):
        return False
    if len(digits) not in ((3, 4) if word.startswith("cv") else range(4, 9)):
        return False
    if (
        re.match(r"pin[- ]?code", word)
        and len(digits) == 6
        and not re.search(r"card|bank|sim|phone|door|safe", word)
    ):
        return False  # an Indian postal code
    if " " in match["value"] and len(digits) not in (4, 6, 8):
        return False
    rest = match.string[match.end() : match.end() + 40]
    if match[0].startswith("pin ") and _THING.match(rest) and not _LOCKED_BY_PIN.search(match["of"]):
        return False  # to be worn
    return not re.search(
        r"(?i)\b(?:postal|zip|area|gpio|header|board|connector|error|line|page|tax|status)\b", match["of"]
    )


def _of_a_lock(match: re.Match[str], word: str) -> bool:
    """Whether a code opens something."""
    if re.match(r"codes? (?:pin|de la|d'|de l'|du)|c[óo]digo (?:pin|de)|код (?:от )?[а-я]", word):
        return True
    before = match.string[max(match.start() - 20, 0) : match.start()]
    return bool(
        _LOCKED.search(before)
        or re.match(
            r"(?i)[ \t](?:for|to|of|at) (?:the|my|our) (?:\w+ )?(?:door|gate|alarm|safe|lock|garage"
            r"|vault|house|building|bike|locker|office)",
            match["of"],
        )
    )


_PAIR = Rule(
    "name and password",
    (
        "login",
        "credential",
        "creds",
        "user",
        "account",
        "admin",
        "root",
        "zugangsdaten",
        "anmeldedaten",
        "identifiants",
        "credenciales",
        "логин",
        "учётка",
        "доступ",
    ),
    r"(?i:logins?|credentials?|creds|user(?:name)?|account|admin|root|zugangsdaten|anmeldedaten"
    r"|identifiants|credenciales|логин|учётка|доступ)"
    r"[\"'`*_]{0,3}(?:[ \t]+[^\s:=]{1,20}){0,5}?(?:[ \t]*[:=：][ \t]*|[ \t]+(?:is"
    r"|are)[ \t]+)[\"'`*_(]{0,3}[\w.@+-]{2,40}"
    r"[\"'`*_]{0,3}(?:[ \t]*(?:/|\||:)[ \t]*|[ \t]*,[ \t]*|[ \t]+(?:and|with|und|et|y"
    r"|и)[ \t]+)[\"'`*_]{0,3}(?P<value>[^\s\"'`/|<]{7,100}+)",
    lambda match: is_second(trimmed(match["value"])),
    "[A-Za-z]",
    trims=True,
)


_NETRC = Rule(
    "password in a file of logins",
    ("machine", "default", "login"),
    r"(?i:(?:machine[ \t]+[\w.-]{2,100}|default)\s+)?(?i:login)\s+[\w.@+-]{1,80}\s+(?i:account\s+\S{1,80}\s+)?"
    r"(?i:password)\s+(?P<value>\S{6,200})",
    lambda match: is_strong(trimmed(match["value"])),
    "[A-Za-z]",
    trims=True,
)
_PGPASS = Rule(
    "password in a file of logins",
    (":5432:", ":5433:", ":6432:", ":3306:", ":*:"),
    r":(?:[0-9]{4}|\*):[\w.*-]{1,60}:[\w.*@-]{1,60}:(?P<value>[^\s:]{6,200})",
    lambda match: is_strong(trimmed(match["value"])),
    trims=True,
)
_BESIDE = Rule(
    "password or key in prose",
    ("password", "passwort", "passwd", "passcode", "token", "key", "secret"),
    r"(?i:password|passwort|passwd|passcode|(?<=[hisetyr][ _-])(?:token|key|secret))[ \t]{1,3}[\"'`*(]{0,2}"
    r"(?P<value>[^\s\"'`<>()\[\]{}|,;]{12,200}+)",
    lambda match: _stands_beside(match),
    "[A-Za-z]",
    trims=True,
)
"""A word and a secret with nothing between them: `auth token 3f…`."""


def _stands_beside(match: re.Match[str]) -> bool:
    """Whether nothing else than a secret can follow the word so: drawn at random, no hash, path, URL or id."""
    value = trimmed(match["value"])
    before = match.string[max(match.start() - 12, 0) : match.start()]
    if match[0][0] not in "pP" and not re.search(
        r"(?i)\b(?:auth|api|access|secret|bot|deploy|refresh|bearer)[ _-]\Z", before
    ):
        return False
    return (
        is_drawn(value)
        and not is_uuid(value)
        and not re.search(r"[/\\=:@]|\.\w{2,4}\Z|\w\.[a-z]", value)
        and any(map(str.isdigit, value))
    )


_SETUP_KEY = Rule(
    "one-time password secret",
    ("totp", "2fa", "otp", "authenticator", "two-factor", "mfa", "setup key", "einrichtungs"),
    r"(?i:totp|2fa|otp|mfa|authenticator|two-factor|setup key"
    r"|einrichtungsschl[üu]ssel)[\"'`*_]{0,3}(?:[ \t_-]+[^\s:=]{1,20}){0,5}?"
    r"(?:[ \t]*[:=：→][ \t]*|[ \t]+(?:is|ist|est|es)[ \t]+)[\"'`*(]{0,3}(?P<value>(?i:[a-z2-7]{16,64}"
    r"|[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,15}))(?![\w])",
    lambda match: _is_base32(match["value"]),
    "[A-Za-z]",
)


def _is_base32(value: str) -> bool:
    bare = re.sub(r"[ -]", "", value)
    return (
        len(set(bare)) >= 8
        and (bare.isupper() or bare.islower())
        and (bare.isupper() or any(e.isdigit() for e in bare))
    )


_LICENCE = Rule(
    "licence key",
    ("licen", "lizenz", "activation", "activación", "activacion", "aktivierung", "produkts", "produktk", "product key",
     "product code", "produktcode", "serial key", "registration"),
    r"(?i:licen[cs]e(?:[ _-]?(?:key|code))?|licencia|(?:activation|registration)[ _-](?:key|code)"
    r"|product[ _-](?:key|code)|serial[ _-]key|activaci[óo]n|(?:lizenz|aktivierungs|produkt)(?:schl[üu]ssel|code|key))"
    r"[\"'`*_)]{0,3}(?:[ \t]+[^\s:=;!?|]{1,20}){0,5}?(?:[ \t]*[:=：|→–—][ \t]*|[ \t]+)[\"'`*(|]{0,3}"
    r"(?P<value>[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7})(?![\w-])",
    lambda match: _is_licence(match["value"]),
    "[A-Za-z]",
)  # fmt: skip


def _is_licence(value: str) -> bool:
    """Whether letters and digits stand together in the groups, as only a machine draws them."""
    return sum(map(is_mixed, value.split("-"))) >= 2 and len(set(value)) >= 8 and not is_uuid(value)


CODES: tuple[Rule, ...] = (_PIN, _PAIR, _NETRC, _PGPASS, _BESIDE, _LICENCE, _SETUP_KEY)
