"""The built-in rules for secrets: what well-known tokens look like, and what passes for a value that is none.

Each rule is tried only where one of its cues stands, so that ordinary text costs next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import cache


def _always(_: re.Match[str]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Rule:
    """One format. The group `value` of `pattern` is the secret, else the whole match."""

    name: str
    cues: tuple[str, ...]
    """Text, in lower case, with which a match begins; none: it is looked for everywhere."""
    pattern: str
    """A regular expression, compiled when a cue first turns up."""
    holds: Callable[[re.Match[str]], bool] = _always
    """What a pattern cannot say: check digits, placeholders."""
    before: str = ""
    """Characters (a class) that cannot stand before a match."""
    joins: bool = True
    """Looked for where lines are run together: needs a format that chance does not make."""

    def find(
        self, text: str, lowered: str, begins: Container[int] = frozenset()
    ) -> Iterator[tuple[int, int]]:
        """Start and end of every secret of this format; `lowered` is `text` in lower case, as long.

        At the offsets in `begins` a line began before lines were run together, so that a word may begin there.
        """
        found = self._matches(text, lowered, begins) if self.cues else _compiled(self.pattern).finditer(text)
        for match in found:
            if self.holds(match):
                yield match.span("value" if "value" in match.re.groupindex else 0)

    def _matches(self, text: str, lowered: str, begins: Container[int]) -> Iterator[re.Match[str]]:
        for cue in self.cues:
            at = lowered.find(cue)
            while at >= 0:
                bound = f"(?<!{self.before})" if self.before and at not in begins else ""
                match = _compiled(f"{bound}(?:{self.pattern})").match(text, at)
                if match:
                    yield match
                at = lowered.find(cue, match.end() if match else at + 1)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


# --- what a value is not -------------------------------------------------------------------------

_PLACEHOLDER = r"""[<\[{(%*•·].* | \$[{(].* | \$[A-Z_]+ | [\w.]+\(.* | .*(?:\.\.\.|…|\*\*\*|xxxx|----|____).*
    | (?:my|your|the|some|a|an|new|old|no|not|super|dummy|fake|test|sample|demo)[\W_]?
      (?:own[\W_])?(?:secret|password|passwd|token|key|api[\W_]?key|value|pass)\w*
    | (?:change|replace|fill|insert|put|set|enter|goes|add)[\W_]?(?:me|this|it|here|in|your)\b.*
    | (?:x+|\?+|\.+|-+|_+|0+|1234567890|abc123?|foo\w*|bar\w*|null|none|nil|undefined|true|false|yes|no|n/?a)
    | (?:todo|tbd|redacted|removed|hidden|masked|censored|empty|required|optional|unknown|forgotten)
    | (?:secret|password|passwd|passwort|passphrase|pass|pwd|token|user|username|login)s?
    | (?:1password|bitwarden|keychain|lastpass|keepass\w*|dashlane|protonpass)\W?
    | .*(?:example|placeholder|redacted|changeme|your[-_]).*
    | (?:os\.|process\.|env[.\[(:]|getenv|config[.\[(]|settings[.\[(]|secrets?[.\[(]|vault[.:/]).*
    | (?:https?:|file:|/|~/|\./).*
    """
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


@cache
def _placeholder() -> re.Pattern[str]:
    """Compiled when a rule first wants it: that takes longer than all the other rules together."""
    return re.compile(_PLACEHOLDER, re.VERBOSE | re.IGNORECASE)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: `<password>`, `${TOKEN}`, `changeme`, a path, a call."""
    return bool(_placeholder().fullmatch(value) or _ENV_NAME.fullmatch(value)) or len(set(value)) < 4


def _mixed(value: str) -> bool:
    """Letters and digits both, as generated tokens have."""
    return any(each.isdigit() for each in value) and any(each.isalpha() for each in value)


def _generated(match: re.Match[str]) -> bool:
    value = match[0]
    return _mixed(value) and not is_placeholder(value) and len(set(value)) >= 10


def _no_published_key(match: re.Match[str]) -> bool:
    return not match[0].endswith("EXAMPLE")


def _real_value(match: re.Match[str]) -> bool:
    return not is_placeholder(match["value"])


def _assigned(match: re.Match[str]) -> bool:
    """Whether a secret is assigned and not a word about one ("Password: Annual", "token: required")."""
    value = match["value"]
    if is_placeholder(value):
        return False
    long_enough = len(value) >= (6 if match["pass"] else 12)
    letters = sum(each.isalpha() for each in value)
    if letters == len(value):  # words alone: only where nothing else can be meant
        shuffled = not (value.islower() or value.isupper() or value.istitle())
        tight = match["sign"].strip() == "=" and bool(match["pass"]) and not match["sign"].endswith(" ")
        return long_enough and (shuffled or tight or len(value) >= 20)
    if re.fullmatch(r"[\d.,:/-]+", value):  # a number or a date; a PIN is not ours to find
        return bool(match["pass"]) and len(re.sub(r"\D", "", value)) >= 6 and not re.search(r"[.,:/-]", value)
    return long_enough and (bool(match["pass"]) or (_mixed(value) and not _reads_as_words(value)))


def _reads_as_words(value: str) -> bool:
    """Whether a value is a name or a slug, such as `2024-budget-plan.md`."""
    words = [
        part for part in re.split(r"[-_./]", value) if len(part) > 2 and part.isalpha() and part.islower()
    ]
    return len(words) > 1


# --- cards ---------------------------------------------------------------------------------------

_CARD_KINDS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|220[0-4]\d{12}"
    r"|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17}"
)


def is_card_number(digits: str) -> bool:
    """Whether digits are a payment card's number: a known issuer, its length, the Luhn check digit."""
    if not _CARD_KINDS.fullmatch(digits) or len(set(digits)) < 3:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _card(match: re.Match[str]) -> bool:
    signs = set(re.sub(r"\d", "", match[0]))
    return len(signs) < 2 and is_card_number(re.sub(r"\D", "", match[0]))


# --- the table -----------------------------------------------------------------------------------


def _token(
    name: str,
    cues: str,
    pattern: str,
    holds: Callable[[re.Match[str]], bool] = _always,
    before: str = "[A-Za-z0-9]",
) -> Rule:
    """A token with a prefix of its own; it begins where no word goes on."""
    return Rule(name, tuple(cues.split()), pattern, holds, before)


RULES: tuple[Rule, ...] = (
    _token("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _token("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{40,255}"),
    _token(
        "GitLab token",
        "glpat- gldt- glrt- glft- glptt- glsoat- glcbt- gloas- glimt- glagent-",
        r"gl[a-z]{2,5}-[A-Za-z0-9_.-]{20,300}",
        _generated,
    ),
    _token(
        "AWS key id",
        "akia asia abia acca",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
        _no_published_key,
    ),
    _token("Slack token", "xox xapp-", r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,300}", _generated),
    _token(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,200}",
        _generated,
    ),
    _token("Google API key", "aiza", r"AIza[A-Za-z0-9_-]{35}"),
    _token("Google OAuth secret", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _token("Google OAuth token", "ya29.", r"ya29\.[A-Za-z0-9_-]{30,500}"),
    _token(
        "Stripe key",
        "sk_live_ rk_live_ sk_test_ rk_test_",
        r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}",
        _generated,
    ),
    _token("Stripe webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}", _generated),
    _token("Anthropic key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,300}", _generated),
    _token(
        "OpenAI key",
        "sk-",
        r"sk-(?:(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,300}|[A-Za-z0-9]{32,100})",
        _generated,
    ),
    _token(
        "JSON Web Token",
        "eyj",
        r"eyJ[A-Za-z0-9_-]{8,1000}+\.eyJ[A-Za-z0-9_-]{8,20000}+\.[A-Za-z0-9_-]{8,2000}",
        before="[A-Za-z0-9_-]",
    ),
    _token("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _token("PyPI token", "pypi-", r"pypi-[A-Za-z0-9_-]{50,1000}", _generated),
    _token("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{34,40}", _generated),
    _token("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _token("SendGrid key", "sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}", _generated),
    _token("Twilio key", "sk", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _token("age secret key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    Rule("Telegram bot token", (":aa",), r"(?<=\d{8}):(?P<value>AA[A-Za-z0-9_-]{33})"),
    Rule(
        "private key",
        ("-----begin ",),
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]|-(?!----)){0,200}?[A-Za-z0-9+/=]{16}(?:[^-]|-(?!----)){0,20000}"
        r"(?:-----END [A-Z0-9 ]{0,60}-----)?",
        joins=False,  # it spans lines by itself
    ),
    Rule(
        "password in a URL",
        ("://",),
        r"://[^\s/:@?#\"'<>`]{0,100}:(?P<value>[^\s/@\"'<>`]{3,200})@[\w.\[-]",
        _real_value,
    ),
    Rule(
        "password or key in an assignment",
        ("pass", "pwd", "secret", "token", "key"),
        r"(?i:(?P<pass>passwor[dt]|passwd|passphrase|passcode|pwd|(?<=[_-])pass)|secret|token"
        r"|(?:(?<=api)|(?<=access)|(?<=private)|(?<=auth)|(?<=secret)|(?<=signing)"
        r"|(?<=encryption)|(?<=account)|(?<=shared)|(?<=(?:api|uth)[ _-])|(?<=(?:ccess|ivate|ecret)[ _-])"
        r"|(?<=encryption[ _-])|(?<=account[ _-])|(?<=shared[ _-])|(?<=signing[ _-]))key(?:[ _-]?id)?)"
        r"(?![A-Za-z])[\"'`*_]{0,4}(?P<sign>[ \t]{0,8}(?:=>|:=|==?|:)[*]{0,2}[ \t]{0,8})"
        r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;&)}\]]{6,200}+)(?P=quote)"
        r"(?=[ \t]*+(?:$|[\r\"'`,;&)}\]]|\#|//))",
        _assigned,
        joins=False,
    ),
    Rule(
        "card number",
        (),
        r"[2-6](?<![\w+.,/=-].)(?<!\d[ ].)(?:[ -]?\d){12,18}(?![\w/=-]|[.,]\d|[ ]\d)",
        _card,
        joins=False,
    ),
)
