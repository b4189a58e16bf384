"""Passwords, keys and codes that a text names as such: assigned, or told in prose, in several languages."""

from __future__ import annotations

import re

from memtui.gate.rule import (
    Rule,
    is_drawn,
    is_mixed,
    is_placeholder,
    is_random,
    is_slug,
    is_strong,
    is_uuid,
    is_wild,
    reads_as_words,
    spelled,
    trimmed,
)

# --- assignments ---------------------------------------------------------------------------------

_PASS = (
    r"passwor[dt]|passwd|passphrase|pass[ _-]phrase|passcode|passwort|kennwort|mot[ _]?de[ _]?passe"
    r"|mdp|contrase(?:ñ|n|n\u0303)a"
    r"|senha|palavra[ _-]passe|wachtwoord|has[łl]o|heslo|l(?:ö|o|o\u0308)senord|adgangskode|passord"
    r"|salasana|(?:ş|s|s\u0327)ifre|jelsz(?:ó|o|o\u0301)|pwd"
    r"|пароль|парола|пасс?фраза|кодовое слово|密码|密碼|口令|パスワード|비밀번호|암호|kata sandi|mật khẩu|κωδικ[όο]ς"
    r"|(?<=[_-])pass|(?<![a-z])pass(?=[\"'`*_]{0,4}[ \t]?[:=])|(?<![a-z])pw(?=[\"'`*_]{0,4}[ \t]?[:=])"
    r"|(?<=psk)(?==)"
)
_KEY = (
    r"secret|token|credentials?|creds(?![a-z])|psk|authkey|(?<=[a-z][_-])auth(?![a-z])"
    r"|(?:(?<=api)|(?<=access)|(?<=private)|(?<=auth)|(?<=secret)|(?<=signing)"
    r"|(?<=encryption)|(?<=account)|(?<=shared)|(?<=license)|(?<=master)|(?<=(?:api|uth)[ _-])"
    r"|(?<=(?:ccess|ivate|ecret)[ _-])"
    r"|(?<=encryption[ _-])|(?<=account[ _-])|(?<=shared[ _-])|(?<=signing[ _-])|(?<=master[ _-])"
    r"|(?<=icense[ _-]))key(?:[ _-]?id)?"
)
_CUES = (
    "pass", "pwd", "pw", "secret", "token", "key", "cred", "auth", "psk", "kennwort", "mot de passe", "mot_de_passe",
    "motdepasse", "mdp", "contrase", "senha", "palavra", "wachtwoord", "haslo", "hasło", "heslo", "lösenord",
    "losenord", "adgangskode", "salasana", "şifre", "sifre", "jelsz", "парол", "кодовое", "密码", "密碼", "口令",
    "パスワード", "비밀번호", "암호", "kata sandi", "mật khẩu", "κωδικ",
)  # fmt: skip
_AFTER = r"(?P<after>(?:[_-]?[A-Za-z0-9]{1,20}){0,4}+)?"
_OPEN = r"[\"'`*_\])]{0,5}"
_TYPE = r"(?:\[[0-9]{1,5}\]|[ \t]{0,3}(?::[ \t]{0,3}|[ \t])&?(?:string|str|text)(?=[ \t]{0,3}=))?"
"""What some programming languages put between a name and its sign."""
_NAMED = r"(?:,?[ \t]{0,4}(?:\r?\n[ \t]{0,40})?[\"'`]?\bvalue[\"'`]?[ \t]{0,4}[:=][ \t]{0,4})"
"""`"name": "token", "value": "…"`."""
_SIGN = (
    r"(?P<sign>(?:\[\])?[ \t\u3000]{0,8}"
    r"(?:=>|:{1,3}=|[?+.]{1,2}=|===?|!=|=|:[ \t]*[|>][+-]?[ \t]*\r?\n|:|：|->|→|＝|\|)"
    rf"[*_]{{0,2}}[ \t\u3000]{{0,8}}@?|{_NAMED}|,[ \t]?)"
)
_BARE = r"(?:[^\s\"'`“”„«»;&,]|[;&,](?!\s|\Z|[\w.-]{1,30}=|[\"'])|['\"](?=[^\s\"',;)}\]]{2})){4,300}+"
_VALUE = rf"(?:(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n]){{4,200}})(?P=quote)|(?P<bare>{_BARE}))"
_ABOUT = re.compile(
    r"(?i)(?:file|path|name|url|uri|dir|hash(?:ed)?|digest|policy|length|len|count|type|hint|manager"
    r"|field|input|label|min|max|size"
    r"|limit|expir\w*|expires?|at|age|date|reset|rotation|format|status|strength|change[ds]?|days"
    r"|rules?|regex|pattern|budget|usage|less|is|(?<![a-z])(?:arn|spec|generation|time|algorithm|curve|usages?|alias"
    r"|kind|scope|audience|issuer|endpoint|host|port|version|prefix|suffix|ids?|types?|hashes|mode|ttl))\Z|\A(?:ing|board"
    r"|words?|code|frames?|stores?|ring|chain|hole|note|pad|stroke)"
)
_NO_SECRET = re.compile(
    r"(?i)(?:next|page|paging|pagination|continuation|continue|cursor|sync|resume|lock|change|idempotency|idempotent"
    r"|request|device|cancellation|[cx]srf|public|pub|update|start|end|sas|design|color|colour|mention|keyboard"
    r"|vocabulary|eos|bos|pad|stop|special|mask|input|output|max|min|num|total)[_ .\\-]{0,2}\Z"
)
"""What stands before the name of a token that opens nothing."""


def _parts(match: re.Match[str]) -> tuple[str, bool]:
    """The value, and whether it was quoted."""
    return (spelled(match["quoted"]), True) if match["quoted"] else (spelled(trimmed(match["bare"])), False)


def is_assigned(match: re.Match[str]) -> bool:
    """Whether a secret is assigned and not a word about one ("Password: Annual", "token: required")."""
    value, quoted = _parts(match)
    if _is_a_name(match, value) or _is_of_a_list(match, value):
        return False
    if _is_about(match["after"] or ""):
        return False
    if len(value) < 6 or (is_placeholder(value) and not (quoted and len(value) >= 32 and is_wild(value))):
        return False
    if (match["after"] or "s").lower() != "s" and not re.match("[_A-Z0-9-]", match["after"]):
        return False  # `tokenizer`, `passenger`
    if _IN_A_RUN.fullmatch(match.string[max(match.start() - 12, 0) : match.start()]):
        return False
    if not match["pass"]:
        return _is_key(value)
    return _is_password(value, quoted, match["sign"], _ends(match))


def _is_of_a_list(match: re.Match[str], value: str) -> bool:
    """Whether names of fields (`user:password:uid`) or a program stand around it, or what it names is no secret: the
    folder of `PWD`, a `ClientToken` that tells requests apart.
    """
    bare, word = value.strip("\"'"), match[0].casefold()
    before = match.string[max(match.start() - 7, 0) : match.start()]
    if re.search(r":\w{0,5}\Z", before) and value.count(":") > 1:
        return True
    if match["bare"] and re.match(r"[{\[][\w\"'{\[]*[:,]|![01]\b|[^{]*\}[;,]", bare):  # a program
        return True
    if word.startswith("pwd") and bare.startswith("/"):
        return True
    return before.casefold().endswith(("client", "client_")) and word.startswith("token") and is_uuid(bare)


def _is_about(after: str) -> bool:
    """Whether what follows the word tells of something about a secret: `_expiry`, `HashType`."""
    return bool(after and _ABOUT.search(re.split(r"[_-]|(?<=[a-z])(?=[A-Z])", after)[-1]))


def _is_a_name(match: re.Match[str], value: str) -> bool:
    """Whether the value is the name of a field that comes next, or its own name says that it opens nothing."""
    rest = match.string[match.end() : match.end() + 6]
    if re.match(r"[\"']?[ \t]?:[ \t\"'\[{]", rest) and not match["sign"].isspace():
        return True
    before = match.string[max(match.start() - 16, 0) : match.start()]
    if re.match(r"(?i)key[ _-]?id", match[0]) and not re.search(r"(?i)access[ _-]?\Z", before):
        return True
    if not match["pass"] and _NO_SECRET.search(before):
        return True
    return match["sign"].strip() == "," and bool(match["pass"] or not is_drawn(value) or "=" in value[:-2])


def _ends(match: re.Match[str]) -> bool:
    """Whether nothing more of a sentence follows on the line."""
    rest = match.string[match.end() : match.end() + 60].split("\n", 1)[0].strip(" \t\r")
    return not rest or rest[0] in "\"'`,;&)}]#|*_/" or rest.startswith(("<", "\\"))


def _is_password(value: str, quoted: bool, sign: str, ends: bool) -> bool:
    tight = "=" in sign and sign == sign.strip()
    if quoted and " " in value:
        return is_strong(value.replace(" ", "-")) and is_mixed(value)
    if is_strong(value):
        return True
    if re.fullmatch(r"[\d.,:/-]+", value):  # a date or a sum; a PIN has a rule of its own
        return ends and value.isdigit() and len(value) >= 6
    if value.isalpha():
        shuffled = not (value.islower() or value.isupper() or value.istitle())
        return ends and (shuffled or quoted or tight or len(value) >= 20)
    return ends and (quoted or tight or is_mixed(value) or len(re.findall(r"[^\W\d_]+", value)) >= 3)


_IN_A_RUN = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/=]{12}")
"""What stands before letters that chance made a word, in a checksum or a picture."""


def _is_key(value: str) -> bool:
    if len(value) < 12 or reads_as_words(value) or is_slug(value) or value.count("/") > 2 + len(value) // 12:
        return False
    if " " in value or len(set(value)) < 8 or re.match(r"[A-Za-z_]\w*\.[A-Za-z_]\w*\Z", value):
        return False
    return is_mixed(value) or is_wild(value)


# --- prose ---------------------------------------------------------------------------------------

_NEXT_LINE = r"\\?\r?\n[ \t>]*(?:(?:[-*+]|[0-9]{1,2}[.)])[ \t]+)?"
_B = rf"(?:[ \t\u00a0]+(?:{_NEXT_LINE})?|{_NEXT_LINE})"
"""A blank; one line may end in it."""
_TOLD = r"[\"'`“”„«»‘’*_(\[]{0,3}(?P<value>[^\s\"`“”„«»]{4,200}+)"
_QUOTED = r"[\"`“„«'‘](?P<value>[^\n\"`“”„«»]{4,80}?)[\"`“”»'’](?![A-Za-z])"
_OF = rf"(?:{_B}(?:[^\s:=.;!?|]|\.(?=\w)){{1,30}}){{0,7}}?"
_OF_LINE = r"(?:[ \t\u00a0]+(?:[^\s:=.;!?|]|\.(?=\w)){1,30}){0,5}?"
_COLON = r"[ \t]{0,3}(?::|(?<=[ \t])=(?=[ \t])|：|＝|->|→|–|—)[ \t]{0,3}\n?[ \t>*-]{0,6}"


_NOW = r"(?i:jetzt|nun|neu|ab sofort|maintenant|d[ée]sormais|toujours|ahora|ora|adesso|agora|nu|nå|teraz|nyt|теперь)"


def _prose(words: str, cues: tuple[str, ...], links: str, tail: str = _TOLD) -> Rule:
    return Rule(
        "password in prose",
        cues,
        rf"(?i:{words})[\"'`*_”»)]{{0,3}}(?:(?P<of>{_OF}){_B}(?:{links})(?:{_B}{_NOW})?(?:{_B}|[ \t]?:[ \t]?)"
        rf"|(?P<line>{_OF_LINE}){_COLON}){tail}",
        _is_told if tail is _TOLD else _is_quoted,
        trims=True,
    )


_PUBLIC = re.compile(
    r"(?i)\b(?:manager|policy|field|fingerprint|public|hash|length|strength|rules?|changed? on|reset"
    r"|expires?|generator|with|using|via|from)\b"
)


def _is_told(match: re.Match[str]) -> bool:
    value = trimmed(match["value"])
    if _PUBLIC.search(match["of"] or match["line"] or "") or "\n\n" in match[0]:
        return False
    return is_strong(value)


def _is_quoted(match: re.Match[str]) -> bool:
    value = match["value"].strip()
    if _PUBLIC.search(match["of"] or match["line"] or "") or is_placeholder(value) or "\n\n" in match[0]:
        return False
    if " " in value:
        return is_phrase(value)
    return len(value) >= 6


_SENTENCE = """
a an and any are as at be been before by can case changed characters check do does each every for
from get has have he her here him his how i if in into is it its kept know known least let longer
made make may me minimum more most must my never new no not now of off often old on one only or
other our out over own per please policy rotated saved same see sensitive set she should so some
still stored strong than that the their them then there these they this those to too twice under
until up us use used using very was we weak well were what when where which who why will with
without written yet you your der die das den dem des ein eine im in am auf an zu mit von bei nach
und oder nicht ist steht sind wird wie noch immer le la les un une des du de dans sur pour avec et
ou est pas sont toujours el los las en con por para y no es está на в и не что как с по от для у из
о к а но это был была
"""
_PLAIN = frozenset(_SENTENCE.split())
"""Words that make a sentence of others."""


def is_phrase(value: str) -> bool:
    """Whether blanks part words drawn at random, as in a pass phrase, and not those of a sentence."""
    words = value.split()
    return (
        3 <= len(words) <= 12
        and not any(word.casefold().strip(".,") in _PLAIN for word in words)
        and all(2 < len(word) < 16 and word.isalnum() for word in words)
    )


_EN = r"pass(?:word|code|phrase|[ -]phrase|wd)s?|pwd|pw"
_EN_CUES = ("pass", "pw")
_EN_LINKS = (
    r"(?:(?:is|was|has been|got|is being|were)?[ \t]?(?:now[ \t])?(?:changed|set|reset|updated"
    r"|switched)[ \t]+(?:back[ \t]+)?to"
    r"|(?:is|was|are|will be|remains|became|equals|to be|reads)(?:[ \t]+(?:now|still|currently"
    r"|always|just|again|simply|called))?)"
)
_TABLE: tuple[tuple[str, str, str], ...] = (
    # words, their cues with | between, links
    (r"passw[oö]rt(?:er)?|kennwort|zugangscode|passphrase|(?:w-?lan|wi-?fi|netzwerk)-?schl[üu]ssel",
     "passw|kennwort|zugangscode|passphrase|wlan|w-lan|wifi|wi-fi|netzwerkschl",
     r"ist|lautet|war|heißt|heisst|(?:wurde )?ge[aä]ndert auf"),
    (r"mot[ \t]de[ \t]passe|mdp|code[ \t](?:secret|wi-?fi)|phrase[ \t]secr[èe]te",
     "mot de passe|mdp|code secret|code wi|phrase secr",
     r"est|c'est|c’est|sera|[ée]tait|reste"),
    (r"contrase(?:ñ|n|n\u0303)a|clave|palabra[ \t]clave", "contrase|clave", r"es|era|ser[áa]|sigue siendo"),
    (r"senha|palavra[- ]passe", "senha|palavra", r"[ée]|era|ser[áa]|continua"),
    (r"password|parola[ \t]d'ordine|chiave", "password|parola d|chiave", r"[èe]|[èe] ancora|sar[àa]"),
    (r"wachtwoord|toegangscode", "wachtwoord|toegangscode", r"is|was|blijft|luidt"),
    (r"has[łl]o", "hasło|haslo", r"to|jest|brzmi"),
    (r"heslo", "heslo", r"je|bylo|zní"),
    (r"l[öo]senord(?:et)?|adgangskoden?|kodeordet?"
    r"|passord(?:et)?", "lösenord|losenord|adgangskode|kodeord|passord", r"[äa]r|er|var"),
    (r"salasana", "salasana", r"on|oli"),
    (r"[şs]ifre(?:si|miz)?|parolas?[ıi]?", "şifre|sifre|parola", r"[şs]u|este|e|tai"),
    (r"jelsz[óo]", "jelsz", r"az?"),
    (r"парол[ьяею]|пасс?фраз[аы]|кодовое[ \t]слово"
    r"|парола(?:та)?", "парол|пассфраз|пасфраз|кодовое", r"это|теперь|сейчас|такой|был|є|е"),
    (r"κωδικ[όο]ς|συνθηματικ[όο]", "κωδικ|συνθηματικ", r"είναι|ειναι"),
    (r"mật khẩu|mat khau", "mật khẩu|mat khau", r"là|la"),
    (r"kata sandi(?:nya)?", "kata sandi", r"adalah"),
    (r"كلمة (?:السر|المرور)", "كلمة", r"هي|هو"),
    (r"ה?סיסמ[הא]", "סיסמ", r"היא|זה"),
    (r"पासवर्ड", "पासवर्ड", r"है"),
)  # fmt: skip
_SET = re.compile(r"(?i)\b(?:chang|set|reset|updat|switch)\w*[^.!?\n]{0,40}\Z")
_CHANGED = Rule(
    "password in prose",
    ("password to ", "passcode to ", "passphrase to ", "pin to "),
    rf"(?i:password|passcode|passphrase|pin)[ \t]to[ \t]{_TOLD}",
    lambda match: (
        is_strong(trimmed(match["value"]))
        and bool(_SET.search(match.string[max(match.start() - 60, 0) : match.start()]))
    ),
    trims=True,
)
# --- keys ----------------------------------------------------------------------------------------

_KEY_PUBLIC = re.compile(
    r"(?i)\b(?:public|fingerprint|hash|checksum|digest|commit|id|name|file|host|cache|sort|foreign"
    r"|primary|sha\d*|etag|version)\b"
)
_NO_KEY = re.compile(
    r"(?i)(?:public|pub|primary|foreign|bucket|s3|object|cache|schema|sequence|partition|sort|range|index|idx|group|map"
    r"|natural|row|lookup|kms|translation|i18n|message|event|down|up|hot|turkey|monkey|storage|local|query|dict|data"
    r"|next|page|lock|change|sync|csrf|xsrf|idempotency|issuer|unique|composite|registry|dedup\w*|routing|shard|gpg|pgp)"
    r"[\"'`\s_.-]{0,3}\Z"
)
_TOLD_KEY = Rule(
    "key in prose",
    ("key", "token", "secret", "schlüssel", "ключ", "токен", "clé", "clave", "chiave"),
    r"(?i:keys?|tokens?|secrets?|schl[üu]ssel|ключ|токен|cl[ée]|clave|chiave)[\"'`*_)]{0,3}"
    rf"(?:(?P<of>{_OF}){_B}(?i:is|was|ist|lautet|est|es|è|é|это|now|is now|changed to|set to)(?:{_B}"
    rf"|:[ \t]?)|(?P<line>{_OF_LINE})(?:{_COLON}|[ \t]?:?=[ \t]?))"
    r"[\"'`*“„«(]{0,3}(?P<value>[A-Za-z0-9+/=_.~!-]{16,300}+)",
    lambda match: _is_told_key(match),
    before="[A-Za-z:]",
    trims=True,
)


def _is_told_key(match: re.Match[str]) -> bool:
    value = trimmed(match["value"])
    before = match.string[max(match.start() - 16, 0) : match.start()]
    if _KEY_PUBLIC.search(match["of"] or match["line"] or "") or _NO_KEY.search(before):
        return False
    if re.search(r"\w=\w", value):  # an assignment of its own
        return False
    if is_uuid(value):  # it names things more often than it opens them
        return bool(re.search(r"(?i)(?:api|auth|access|secret)[\W_]?\Z", before))
    if re.fullmatch(r"(?:[A-Z][a-z]+){2,}[0-9]{0,2}", value):  # a name
        return False
    return is_random(value) and not is_slug(value) and (is_drawn(value) or len(value) < 24)


_USER = r"[ \t](?:-u|--user)[ \t=]*[\"']?[\w.@{}$-]{0,60}[\"']?:"
_OPTION = Rule(
    "password or key on a command line",
    ("--pass", "--token", "--secret", "--api", "--auth", "sshpass", "curl", "mysql", "-api-key", "-apikey", "-token",
     "-u ", "-p", "plink", "pscp", "psftp", "docker", "podman", "nerdctl", "skopeo", "helm"),
    r"(?:--?(?:[\w-]{1,20}-)?(?:password|passwd|pass|token|secret|api-?key|auth-?token|secret-key)(?:=|[ \t]+)"
    r"|sshpass[ \t]+-p[ \t]*|(?:plink|pscp|psftp)\b[^\n]{0,80}?[ \t]-pw[ \t]+"
    rf"|(?:docker|podman|nerdctl|skopeo|helm)\b[^\n]{{0,20}}?[ \t]login\b[^\n]{{0,80}}?[ \t]-p[ \t=]*"
    rf"|(?:curl|wget|http)\b(?:[^\n]|\\\n){{0,300}}?{_USER}"
    r"|mysql\w*\b[^\n]{0,80}?[ \t]-p(?=\S))[\"']?(?P<value>[^\s\"'`]{6,200})",
    lambda match: is_strong(match["value"]) or is_random(match["value"]),
    "[A-Za-z0-9]",
)  # fmt: skip
_XML = Rule(
    "password or key in an assignment",
    ("pass", "pwd", "secret", "token", "apikey", "api-key", "api_key"),
    r"(?i:password|passwd|passphrase|pass|pwd|secret|token|api[_-]?key)(?P<after>[\w.-]{0,30})(?:[ \t][^<>\n]{0,80})?>"
    r"\s{0,40}(?:\{(?:[\w.-]{1,40}[ \t]){0,3})?(?P<value>[^<>\s]{6,300}?)\}?\s{0,40}</",
    lambda match: (
        bool(re.search(r"<[\w.:-]{0,60}\Z", match.string[max(match.start() - 61, 0) : match.start()]))
        and not _is_about(match["after"])
        and not is_placeholder(match["value"])
        and (is_mixed(match["value"]) or is_strong(match["value"]))
    ),
)
_CALL = Rule(
    "password or key in an assignment",
    ("apikey", "api_key", "password", "private_key", "secret"),
    r"(?i:apikey|api_key|password|private_key"
    r"|secret)[\w-]{0,20}[ \t]{0,4}[(]?(?P<quote>[\"'])(?P<value>[^\s\"']{8,200})(?P=quote)[);]",
    lambda match: (
        not is_placeholder(match["value"])
        and (is_mixed(match["value"]) or is_wild(match["value"]))
        and len(set(match["value"])) >= 6
    ),
)

_ASSIGNED = Rule(
    "password or key in an assignment",
    _CUES,
    rf"(?i:(?P<pass>{_PASS})|{_KEY}){_AFTER}{_OPEN}{_TYPE}{_SIGN}{_VALUE}",
    is_assigned,
    trims=True,
)

WORDS: tuple[Rule, ...] = (
    _ASSIGNED,
    _XML,
    _CALL,
    _OPTION,
    _prose(_EN, _EN_CUES, _EN_LINKS),
    _prose(_EN, _EN_CUES, _EN_LINKS, _QUOTED),
    *(_prose(words, tuple(cues.split("|")), rf"(?i:{links})") for words, cues, links in _TABLE),
    *(_prose(words, tuple(cues.split("|")), rf"(?i:{links})", _QUOTED) for words, cues, links in _TABLE[:5]),
    _CHANGED,
    _TOLD_KEY,
)
