"""What notes hold and code does not: card numbers, lists of recovery codes, keys pasted in part."""

from __future__ import annotations

import re

from memtui.gate.rule import Rule, is_mixed
from memtui.gate.view_sources import Reach

# --- cards ---------------------------------------------------------------------------------------

_CARD_KINDS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|220[0-4]\d{12}"
    r"|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|62\d{14,17}"
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


_ABOUT_CARDS = re.compile(
    r"(?i)card|visa|master|amex|karte|carte|tarjeta|cartão|carta|карт|kort|kaart|カード|卡"
)
_ABOUT_OTHER = re.compile(
    r"(?i)(?:order|tracking|invoice|isbn|issn|ean|gtin|barcode|imei|serial|ticket|booking|reference"
    r"|ref|timestamp|parcel|shipment"
    r"|phone|tel|account|bestell\w*|sendung\w*|rechnung\w*|commande|pedido|заказ\w*|трек\w*)\b[^\n]{0,20}\Z"
)


_GROUPS = (
    (13,),
    (14,),
    (15,),
    (16,),
    (17,),
    (18,),
    (19,),
    (4, 4, 4, 4),
    (4, 6, 5),
    (4, 6, 4),
    (4, 4, 4, 4, 3),
    (4, 3, 3, 3),
    (8, 8),
)


def _is_card(match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match[0])
    if len(set(re.sub(r"\d", "", match[0]))) > 1 or not is_card_number(digits):
        return False
    if tuple(map(len, re.split(r"[ -]", match[0]))) not in _GROUPS:
        return False
    before = match.string[max(match.start() - 60, 0) : match.start()].rpartition("\n")[2]
    after = match.string[match.end() : match.end() + 60].partition("\n")[0]
    if _ABOUT_CARDS.search(before):
        return True
    # What stands before it where the text was turned round stands after it.
    return len(digits) in (15, 16) and not (_ABOUT_OTHER.search(before) or _ABOUT_OTHER.search(after[::-1]))


_CARD = Rule(
    "card number",
    (),
    r"[2-6](?<![\w+.,/=@-].)(?<!\d[ ].)(?:[ -]?\d){12,18}(?![\w/=@-]|[.,]\d|[ ]\d)",
    _is_card,
    digits=13,
    far=120,
    signs="0123456789",
)

# --- recovery codes ------------------------------------------------------------------------------

_CODE = (
    r"(?:[0-9]{4,5}[ -][0-9]{4,5}(?:[ -][0-9]{4,5})?|[0-9]{6,10}"
    r"|[A-Za-z0-9]{4,6}(?:-[A-Za-z0-9]{4,6}){1,5}|[A-Za-z0-9]{8,16})"
)
_BETWEEN = (
    r"(?:<br ?/?>|[ \t\r\n,;|*>`\"'\[\](){}-]|[0-9]{1,2}[.)](?=[ \t])|[ \t](?:and|und|et|y|и)[ \t]){1,40}"
)
_RECOVERY = Rule(
    "recovery codes",
    (
        "recovery",
        "backup",
        "back-up",
        "scratch",
        "emergency",
        "one-time",
        "wiederherstell",
        "notfall",
        "sicherungs",
        "codes de",
        "códigos de",
        "codigos de",
        "codici di",
        "резервн",
        "коды восст",
        "код восст",
        "备用",
        "恢复",
        "herstel",
        "バックアップ",
    ),
    r"(?i:(?:recovery|backup|back-up|scratch|emergency|one-time)[ _-](?:\w{1,12}[ _-]){0,2}?(?:codes?"
    r"|keys?)|(?:wiederherstell|notfall|sicherungs)\w{0,6}[- ]?codes?"
    r"|codes de (?:secours|r[ée]cup[ée]ration|sauvegarde)|c[óo]digos de (?:recuperaci[óo]n"
    r"|recupera[çc][ãa]o|respaldo|seguran[çc]a|backup)|codici di (?:recupero|backup)"
    r"|резервны\w{1,3} код\w{0,2}|коды? восстановления|(?:备用|恢复)(?:代)?码|herstelcodes?|バックアップコード)"
    rf"[^\n:：]{{0,60}}(?P<colon>[:：]"
    rf"|(?=\n)){_BETWEEN}(?P<value>{_CODE}(?:{_BETWEEN}{_CODE}){{0,24}})(?![A-Za-z0-9])",
    lambda match: _count_codes(match["value"]) >= (2 if match["colon"] else 3) or _is_one_code(match),
    far=2000,
)


def _count_codes(value: str) -> int:
    """How many of these words are drawn at random, as codes are."""
    return sum(
        any(each.isdigit() for each in word) and not re.fullmatch(r"(?:19|20)\d\d[ -]?\d\d?-?\d*", word)
        for word in re.findall(_CODE, value)
    )


def _is_one_code(match: re.Match[str]) -> bool:
    """Whether one long code follows on the same line."""
    code = re.match(_CODE, match["value"])
    between = match.string[match.end("colon") : match.start("value")]
    return (
        bool(match["colon"] and code and len(code[0]) > 9 and not code[0].isdigit() and "\n" not in between)
        and _count_codes(code[0]) > 0
        if code
        else False
    )


# --- private keys --------------------------------------------------------------------------------

_PRIVATE_KEYS = (
    Rule(
        "private key",
        ("-----begin ", "---- begin "),
        r"-----? ?BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)? ?-----?"
        r"(?:(?=(?:[^-]|-(?!----)){0,200}?[A-Za-z0-9+/=]{16})(?:[^-]|-(?!----)){0,20000}+-----END [A-Z0-9 ]{0,60}-----"
        r"|(?:[^-]|-(?!----)){0,200}?[A-Za-z0-9+/=]{16,100}+"
        r"(?:(?:\\[nr]|[^A-Za-z0-9+/=-]){1,40}[A-Za-z0-9+/=]{16,100}+){0,400}+(?:\\[nr]|\s){0,4}(?:[A-Za-z0-9+/]{1,15}={1,2})?)",
        reach=Reach.JOINED,
        far=0,
    ),
    Rule(
        "private key",  # its end alone: the lines before it
        ("-----end ",),
        r"(?<=[A-Za-z0-9+/=]\n)-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----",
        far=0,
    ),
    Rule(
        "private key",  # without the line above it: how the bytes of each kind begin
        (
            "miib",
            "miic",
            "miie",
            "miij",
            "mhccaqee",
            "mighage",
            "mig2age",
            "mighagea",
            "mc4caqaw",
            "mihu",
            "b3blbnnzac1rzxktdje",
        ),
        r"(?:MII[BCEJ][A-Za-z0-9+/]{2}[IA][BE]A[DAEK][A-Za-z0-9+/]{10,100}"
        r"|MHcCAQEE[A-Za-z0-9+/]{30,100}|MI(?:GH|G2|Hu)AgE[A-Za-z0-9+/]{30,100}"
        r"|MC4CAQAwBQYDK2V[A-Za-z0-9+/]{30,60}"
        r"|b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20,100})(?:[A-Za-z0-9+/=]|\\n"
        r"|[ \t\r]*\n[ \t>]*(?=[A-Za-z0-9+/=]{20})){0,20000}",
        before="[A-Za-z0-9+/]",
        reach=Reach.JOINED,
        far=0,
    ),
    Rule(
        "private key",
        ("private-lines:",),
        r"(?i:private-lines):[ \t]*[0-9]{1,3}(?:[ \t]*\r?\n[ \t>]*"
        r"|[ \t]+)(?P<value>[A-Za-z0-9+/=]{20,}(?:[ \t]*\r?\n[ \t>]*[A-Za-z0-9+/=]{20,100}){0,200})",
        far=0,
    ),
    Rule(
        "private key",
        ("private key", "private_key", "privatekey", "privater schlüssel", "clé privée", "приватный ключ"),
        r"(?i:private[ _]?key(?![_ ]?id|\w{0,10}(?:blob|hash|path|file))|privater schlüssel|clé privée|приватный ключ)"
        r"[^\n.!?:=]{0,40}?(?:[:=]"
        r"|[ \t]is|\n)[ \t\r\n\"'`>*(]{0,8}(?:[ \t]*```\w{0,10}\n)?"
        r"(?P<value>0x[0-9a-fA-F]{64}|[0-9a-fA-F]{64}(?![0-9a-zA-Z])|[A-Za-z0-9+/]{43}="
        r"|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])"
        r"|[A-Za-z0-9+/]{40,100}={0,2}(?:[ \t]*\r?\n[ \t>]*[A-Za-z0-9+/]{20,100}={0,2}){0,100})",
        lambda match: is_mixed(match["value"]) and "EXAMPLE" not in match["value"],
        reach=Reach.JOINED,
        far=0,
    ),
)

_MANIFEST = Rule(
    "Kubernetes secret",
    ("data:",),
    r"data:[ \t]*\r?\n(?:[ \t]+(?:#[^\n]{0,200}|[\w.-]{1,60}:[ \t]*)\r?\n){0,4}[ \t]+[\w.-]{1,60}:[ \t]*"
    r"(?:[|>][+-]?[ \t]*\r?\n[ \t]+)?[\"']?(?P<value>[A-Za-z0-9+/]{12,4000}={0,2})(?![\w/+])",
    lambda match: _is_manifest(match),
    "[A-Za-z]",
    far=0,
)


def _is_manifest(match: re.Match[str]) -> bool:
    """Whether a Kubernetes manifest of the kind Secret holds a value in base64 there."""
    import base64

    around = match.string[max(match.start() - 600, 0) : match.end() + 600]
    if not re.search(r"(?m)^[ \t]*kind:[ \t]*[\"']?[Ss]ecret\b(?!\w)", around):
        return False
    try:
        return bool(base64.b64decode(match["value"], validate=True))
    except ValueError:
        return False


KEYS: tuple[Rule, ...] = (*_PRIVATE_KEYS, _MANIFEST)
LISTS: tuple[Rule, ...] = (_CARD, _RECOVERY)
