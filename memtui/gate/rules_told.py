"""Secrets that are told without their name beside them: of a service, in brackets, before their word, in a column."""

from __future__ import annotations

import re

from memtui.gate.rule import Rule, is_drawn, is_placeholder, is_second, is_strong, is_uuid, trimmed

_SERVICES = """
mailgun datadog stripe cloudflare pagerduty algolia mapbox sentry openweather plaid auth0 pushover zendesk segment
mixpanel twilio intercom fastly sendgrid mailchimp mailjet postmark sparkpost mandrill heroku netlify vercel supabase
okta hubspot salesforce shopify paypal braintree adyen klarna coinbase binance bitfinex honeycomb grafana splunk loggly
papertrail rollbar bugsnag airbrake amplitude launchdarkly contentful cloudinary unsplash giphy tmdb omdb newsapi
finnhub ipinfo ipstack tomtom deepl openai anthropic mistral cohere replicate pinecone weaviate elevenlabs assemblyai
deepgram asana trello airtable todoist toggl clockify calendly typeform zapier ifttt pushbullet telegram discord slack
nexmo vonage plivo messagebird hetzner linode vultr digitalocean scaleway backblaze wasabi dropbox namecheap godaddy
gandi porkbun dnsimple ngrok tailscale zerotier strava fitbit spotify trakt sonarr radarr jackett prowlarr
"""
_SHORT_WORD = (
    r"(?:[ \t]+(?!(?:commit|sha|hash|digest|md5|id|ids|sid|uuid|zone|page|event|issue|trace|build|image)\b)"
)
_SERVICE = Rule(
    "key of a service",
    tuple(_SERVICES.split()),
    rf"(?i:{'|'.join(_SERVICES.split())})(?:'s|’s)?[\"'`*_)]{{0,3}}{_SHORT_WORD}[A-Za-z'’-]{{1,12}}){{0,4}}?"
    r"[ \t]*(?:[:=→–-]|->|=>)?[ \t]*[\"'`*(]{0,3}"
    r"(?P<value>[0-9a-f]{32,64}|[A-Za-z0-9_-]{24,80})(?![\w/@:-]|\.\w|[ \t]{0,2}(?:commit|sha|hash)\b)",
    lambda match: _is_a_key(match["value"]),
    before="[A-Za-z0-9_./@-]",
)


def _is_a_key(value: str) -> bool:
    """Whether a word is drawn at random of letters and digits, and names nothing."""
    if is_uuid(value) or is_placeholder(value) or not any(map(str.isdigit, value)):
        return False
    if re.fullmatch(r"[0-9a-f]+", value):
        return len(set(value)) >= 10 and any(map(str.isalpha, value))
    return is_drawn(value) and any(map(str.isupper, value)) and any(map(str.islower, value))


_NAME = re.compile(r"[A-Z]+[0-9]*(?:[-_/][A-Z]+[0-9]*)*|[A-Za-z]+[-.][0-9A-Za-z]{1,3}(?:[-.]\w{1,3})*")
"""A chapter, a method: `Section-12.b`, `PBKDF2-SHA256`."""


def _is_password(value: str) -> bool:
    return is_second(value) and not _NAME.fullmatch(value)


_VALUE = r"[\"'`*“„«(]{0,3}(?P<value>[^\s\"'`“”„«»()]{7,100})"
_SECRET_WORD = (
    r"(?i:pass(?:word|code|phrase)?|passwort|kennwort|mot[ ]de[ ]passe|contraseña|clave|senha|wachtwoord)"
)
_BEFORE_ITS_WORD = Rule(
    "password in prose",
    ("with ", "enter ", "mit "),
    rf"(?i:with|enter|mit)[ \t]+{_VALUE}[\"'`*”»)]{{0,3}}[ \t]+"
    r"(?i:as|als)[ \t]+(?:[a-zñ'-]{1,12}[ \t]+){0,2}" + _SECRET_WORD,
    lambda match: _is_password(trimmed(match["value"])),
    before="[A-Za-z]",
    trims=True,
)
"""`you get in with … as the password`."""
_SHORT_NAME = Rule(
    "password in prose",
    ("pass", "pw"),
    rf"(?i:pass|pw)[ \t]+(?:is|was|now|->)[ \t]+(?:(?:now|still)[ \t]+)?{_VALUE}",
    lambda match: _is_password(trimmed(match["value"])),
    before="[A-Za-z]",
    trims=True,
)
_IN_BRACKETS = Rule(
    "password in prose",
    ("pass", "kennwort", "mot de passe", "contrase", "senha", "wachtwoord", "парол"),
    r"(?i:pass(?:word|code|phrase)|passwort|kennwort|mot[ ]de[ ]passe|contraseña|senha|wachtwoord|пароль)"
    r"(?:[ \t]+[^\s:=.;!?|()]{1,20}){0,6}?[ \t]+[(\[][\"'`*]{0,2}(?P<value>[^\s\"'`()\[\]]{7,100})[\"'`*]{0,2}[)\]]",
    lambda match: _is_password(match["value"]),
    before="[A-Za-z]",
)

# --- languages without blanks --------------------------------------------------------------------

_PASSWORD_CJK = r"パスワード|パスフレーズ|合言葉|暗証番号|密码|密碼|口令|비밀번호|암호|รหัสผ่าน"
_KEY_CJK = (
    r"(?:API|アクセス|シークレット|秘密)?(?:キー|鍵)|トークン|シークレット|密钥|密鑰|令牌|토큰|API[ ]?키"
)
_LINK_CJK = r"(?:を|が|は|改成|改为|改為|换成|換成|設為|设为|就是|是|为|為|를|을|는|은|คือ|[:：=＝])[ \t「『“\"'`]{0,3}"
_TOLD_CJK = Rule(
    "password in prose",
    (
        "パスワード",
        "パスフレーズ",
        "合言葉",
        "密码",
        "密碼",
        "口令",
        "비밀번호",
        "암호",
        "暗証番号",
        "รหัสผ่าน",
    ),
    rf"(?:{_PASSWORD_CJK})[^\n:：=!-~]{{0,12}}?{_LINK_CJK}(?P<value>[!-~]{{6,100}})",
    lambda match: is_strong(trimmed(match["value"])),
    trims=True,
)
_TOLD_KEY_CJK = Rule(
    "key in prose",
    ("キー", "鍵", "トークン", "シークレット", "密钥", "密鑰", "令牌", "토큰", "키"),
    rf"(?:{_KEY_CJK})[^\n:：=!-~]{{0,12}}?{_LINK_CJK}(?P<value>[A-Za-z0-9+/=_.~-]{{16,200}})",
    lambda match: is_drawn(trimmed(match["value"])) or _is_a_key(trimmed(match["value"])),
    trims=True,
)
_PIN_CJK = Rule(
    "PIN or door code",
    ("暗証番号", "pin码", "pinコード", "비밀번호", "비번", "门禁密码"),
    rf"(?i:暗証番号|pin(?:码|コード)|비밀번호|비번|门禁密码)[^\n:：=!-~]{{0,6}}?{_LINK_CJK}(?P<value>[0-9]{{4,8}})(?![0-9A-Za-z年月日])",
)

# --- tables --------------------------------------------------------------------------------------

_COLUMN = Rule(
    "password or key in a table",
    ("pass", "kennwort", "mot de passe", "contrase", "senha", "pin", "secret", "token", "key", "парол"),
    r"(?i:pass(?:word|wd|code|phrase)?s?|passwort|kennwort|mot[ ]de[ ]passe|contraseña|senha|secret|token|пароль"
    r"|(?:api[ _-]?)?key)[*_` \t]{0,4}(?:\|[^\n]{0,300})?\r?\n[ \t>]{0,8}\|?[ \t]*:?-{2,}[-:| \t]{0,200}\r?\n"
    r"(?P<value>(?:[^\n|]{0,200}\|[^\n]{0,500}(?:\n|\Z)){1,200}+)",
    lambda match: _holds_in_column(match),
    before="[A-Za-z]",
    far=3000,
)
"""All rows below a heading: each of them may hold another one."""


def _holds_in_column(match: re.Match[str]) -> bool:
    """Whether a cell below the word can be nothing else than what it says."""
    column = match.string.count("|", match.string.rfind("\n", 0, match.start()) + 1, match.start())
    rows = (row.split("|") for row in match["value"].splitlines())
    return any(is_second(row[column].strip(" \t`*")) for row in rows if len(row) > column)


TOLD: tuple[Rule, ...] = (
    _SERVICE,
    _BEFORE_ITS_WORD,
    _SHORT_NAME,
    _IN_BRACKETS,
    _TOLD_CJK,
    _TOLD_KEY_CJK,
    _PIN_CJK,
    _COLUMN,
)
"""What the words around a secret tell otherwise than by a name and a sign."""
