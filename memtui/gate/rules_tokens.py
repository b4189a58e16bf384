"""Tokens that are known by a prefix of their own or by their shape alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from memtui.gate.rule import Rule, always, is_drawn, is_generated, is_mixed, is_placeholder, is_strong
from memtui.gate.view_sources import Reach


def _token(
    name: str,
    cues: str,
    pattern: str,
    holds: Callable[[re.Match[str]], bool] = always,
    before: str = "[A-Za-z0-9]",
    reach: Reach = Reach.BARE,
) -> Rule:
    """A token with a prefix of its own; it begins where no word goes on."""
    return Rule(name, tuple(cues.split()), pattern, holds, before, reach, solid=True)


def _no_published_key(match: re.Match[str]) -> bool:
    return "EXAMPLE" not in match[0] and (
        any(each.isdigit() for each in match[0])
        or (len(set(match[0][4:])) >= 9 and not is_placeholder(match[0]))
    )


def _shuffled(match: re.Match[str]) -> bool:
    """Generated, with capitals and small letters too."""
    value = match[0]
    return is_generated(match) and any(e.isupper() for e in value[4:]) and any(e.islower() for e in value[4:])


def _slack(match: re.Match[str]) -> bool:
    """Whether what follows the kind ends in letters and digits drawn at random, as no name or number does."""
    last = match[0].rstrip("-").rpartition("-")[2]
    turns = len(re.findall(r"[A-Z]+|[a-z]+|[0-9]+", last))
    has_digits = any(map(str.isdigit, last)) or bool(re.search(r"-\d{8,}-", match[0]))
    return len(last) >= 8 and turns >= 3 and has_digits and len(match[0]) >= 16


def _is_claim(match: re.Match[str]) -> bool:
    """Whether the first part says how a token is signed."""
    import base64
    import json

    head, _, rest = match[0].partition(".")
    if "." in rest and len(rest.rpartition(".")[2]) >= 8:
        return True
    try:
        claim = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except ValueError:
        return False
    return isinstance(claim, dict) and "alg" in claim


def _body_is_drawn(match: re.Match[str]) -> bool:
    """Whether what stands after the service's own letters is random, with or without digits."""
    body = re.split(r"[_-]", match[0].removeprefix("api_"), maxsplit=1)[-1]
    turns = len(re.findall(r"[A-Z]+|[a-z]+|[0-9]+", body))
    return is_drawn(body) or (body.isalpha() and turns >= max(5, len(body) // 5) and not is_placeholder(body))


def _varies(match: re.Match[str]) -> bool:
    """Whether a token has more than a few different characters: `ghp_xxxx…` stands for one."""
    return len(set(match[0][4:40])) >= 8


_PUBLISHED = (
    "AnLA7N CkEhVj DMAScl D3asb- AdOS2z ASWm6H ANUvH9 A5_iVa A4Urcx A4UrcG DSb51J BF2RrA BcE-OO B8qGxt A8vmAp"
)
"""How keys begin that Google's own samples hold."""


def _real_google_key(match: re.Match[str]) -> bool:
    return is_drawn(match[0]) and match[0][6:12] not in _PUBLISHED.split()


def _real_value(match: re.Match[str]) -> bool:
    return not is_placeholder(match["value"])


def _discord(match: re.Match[str]) -> bool:
    """Whether the first part is a user's number in base64, as a bot's token begins."""
    import base64

    head = match[0].partition(".")[0]
    try:
        number = base64.b64decode(head + "=" * (-len(head) % 4), validate=True)
    except ValueError:
        return False
    return number.isdigit() and 15 <= len(number) <= 22


def _is_pair(value: str) -> bool:
    """Whether base64 holds a name, a colon and a password."""
    import base64

    if ":" in value:  # without its disguise
        return is_strong(value.partition(":")[2])
    try:
        name, colon, password = (
            base64.b64decode(value + "=" * (-len(value) % 4)).decode("ascii").partition(":")
        )
    except ValueError:
        return False
    return bool(colon) and f"{name}{password}".isprintable() and len(password) >= 4


_HEX = "[0-9a-fA-F]"
_END = "(?![A-Za-z0-9])"

TOKENS: tuple[Rule, ...] = (
    _token("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}", _varies),
    _token("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{40,255}"),
    _token(
        "GitLab token",
        "glpat- gldt- glrt- glft- glptt- glsoat- glcbt- gloas- glimt- glagent- glffct-",
        r"gl[a-z]{2,5}-[A-Za-z0-9_.-]{20,300}",
        lambda match: is_generated(match) or _body_is_drawn(match),
        reach=Reach.JOINED,
    ),
    _token(
        "AWS key id",
        "akia asia abia acca",
        rf"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_END}",
        _no_published_key,
    ),
    _token("AWS Bedrock key", "absk", r"ABSK[A-Za-z0-9+/]{100,300}={0,2}", is_generated),
    _token("Slack token", "xox xapp-", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,300}", _slack),
    _token("Slack token", "xoxd-", r"xoxd-[A-Za-z0-9%/+=_-]{40,400}", is_generated),
    _token(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}",
        is_generated,
    ),
    _token("Google API key", "aiza", r"AIza[A-Za-z0-9_-]{35}", _real_google_key),
    _token("Google OAuth secret", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _token("Google OAuth token", "ya29.", r"ya29\.[A-Za-z0-9_-]{30,500}", is_generated),
    _token(
        "Stripe key",
        "sk_live_ rk_live_ sk_test_ rk_test_ sk_org_",
        r"[sr]k_(?:live|test|org)_[A-Za-z0-9]{16,250}",
        is_generated,
    ),
    _token("Stripe webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}", is_generated),
    _token("Anthropic key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,300}", is_generated),
    _token(
        "OpenAI key",
        "sk-proj- sk-svcacct- sk-admin- sk-none- sk-or-v1-",
        r"sk-(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,300}",
        is_generated,
    ),
    _token("OpenAI key", "sk-", r"sk-[A-Za-z0-9]{32,100}", is_generated, reach=Reach.JOINED),
    _token("OpenAI key", "sk-", r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    _token(
        "JSON Web Token",
        "eyj",
        r"eyJ[A-Za-z0-9_-]{8,1000}+\.eyJ[A-Za-z0-9_-]{8,20000}+(?:\.[A-Za-z0-9_-]{8,2000})?",
        _is_claim,
        before="[A-Za-z0-9_-]",
    ),
    _token("npm token", "npm_", r"npm_[A-Za-z0-9]{36}", _body_is_drawn),
    _token(
        "npm token",
        "_authtoken _auth",
        r"(?:_authToken[ \t]{0,4}=[ \t]{0,4}(?P<value>[A-Za-z0-9+/=_-]{16,200})"
        r"|(?<=/:)_auth(?:Token)?=[ \t]?(?P<bare>[A-Za-z0-9+/=_-]{8,200}))",
        lambda match: not is_placeholder(match["value"] or match["bare"]),
        "",
    ),
    _token("PyPI token", "pypi-", r"pypi-[A-Za-z0-9_-]{50,1000}", is_generated),
    _token(
        "Hugging Face token",
        "hf_ api_org_",
        r"(?:hf_[A-Za-z0-9]{34,40}|api_org_[A-Za-z0-9]{34})",
        _body_is_drawn,
    ),
    _token("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _token("SendGrid key", "sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}", is_generated),
    _token("Twilio key", "", rf"SK[0-9a-f]{{32}}{_END}"),
    _token("Twilio account id", "", rf"AC[0-9a-f]{{32}}{_END}"),
    _token("Shopify token", "shpat_ shpca_ shppa_ shpss_", rf"shp(?:at|ca|pa|ss)_{_HEX}{{32}}"),
    _token("age secret key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    Rule(
        "Telegram bot token",
        (":aa",),
        r"(?<=\d{8}):(?P<value>AA[A-Za-z0-9_-]{32,35})",
        reach=Reach.BARE,
        solid=True,
    ),
    Rule(
        "Discord bot token",
        (),
        rf"[MNO][A-Za-z0-9_-]{{19,30}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,45}}{_END}",
        _discord,
        "[A-Za-z0-9_-]",
        Reach.JOINED,
        solid=True,
    ),
    _token("Zapier webhook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/\d{4,12}/[a-z0-9]{5,20}"),
    _token(
        "Logic Apps webhook",
        ".logic.azure.com",
        r"\.logic\.azure\.com[:/][^\s\"'<>]{1,400}?[?&]sig=(?P<value>[A-Za-z0-9_%-]{30,100})",
        before="",
    ),
    _token(
        "session cookie", "li_at", r"li_at[\"']?[ \t]?[=:][ \t]?[\"']?(?P<value>AQED[A-Za-z0-9_-]{40,400})"
    ),
    _token(
        "Discord webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{16,22}/[A-Za-z0-9_-]{40,90}",
        before="[A-Za-z0-9-]",
    ),
    _token(
        "Teams webhook",
        ".webhook.office.com",
        r"\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{80,250}",
        before="",
    ),
    _token("Mailgun key", "key-", rf"key-[0-9a-f]{{32}}{_END}", reach=Reach.JOINED),
    _token("Mailchimp key", "", rf"(?<={_HEX}{{32}})-us\d{{1,2}}{_END}", before="", reach=Reach.JOINED),
    _token(
        "Square token",
        "sq0atp- sq0csp- eaaa",
        r"(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{60})",
        is_generated,
    ),
    _token(
        "PayPal token", "access_token$production$", rf"access_token\$production\$[0-9a-z]{{16}}\${_HEX}{{32}}"
    ),
    _token("Dropbox token", "sl.", r"sl\.[A-Za-z0-9_-]{130,200}", is_generated),
    _token("Linear key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    _token(
        "Notion token",
        "ntn_ secret_",
        rf"(?:ntn_[A-Za-z0-9]{{40,50}}|secret_[A-Za-z0-9]{{43}}{_END})",
        _shuffled,
    ),
    _token("Atlassian token", "atatt3 atctt3", r"AT[AC]TT3[A-Za-z0-9_=-]{60,250}", is_generated),
    _token("Figma token", "figd_", r"figd_[A-Za-z0-9_-]{38,60}", is_generated),
    _token("Postman key", "pmak-", rf"PMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    _token(
        "Doppler token",
        "dp.pt. dp.st. dp.ct. dp.sa.",
        r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{40,80}",
        is_generated,
    ),
    _token("Databricks token", "dapi", rf"dapi{_HEX}{{32}}(?:-\d)?{_END}"),
    _token("Vault token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{24,300}", is_generated),
    _token(
        "Terraform token", ".atlasv1.", r"(?<=[A-Za-z0-9]{14})\.atlasv1\.[A-Za-z0-9_=-]{60,70}", before=""
    ),
    _token(
        "Grafana token",
        "glsa_ glc_",
        r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})",
        is_generated,
    ),
    _token(
        "New Relic key", "nrak- nrjs- nrii- nrra-", r"NR(?:AK|JS|II|RA)-[A-Za-z0-9_-]{19,42}", is_generated
    ),
    _token("Sentry token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_-]{60,300}", is_generated),
    _token(
        "Supabase key",
        "sbp_ sb_secret_",
        r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{30,60})",
        is_generated,
    ),
    _token("PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64}", is_generated),
    _token("Airtable token", "", rf"pat[A-Za-z0-9]{{14}}\.[a-f0-9]{{64}}{_END}", reach=Reach.JOINED),
    _token("Docker token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[A-Za-z0-9_-]{27,60}", is_generated),
    _token("Fly token", "fm1_ fm2_ fm1r_ fm1a_", r"fm(?:2|1[ar]?)_[A-Za-z0-9+/_-]{60,1000}", is_generated),
    _token("Replicate token", "r8_", r"r8_[A-Za-z0-9]{37,40}", is_generated),
    _token("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{50,56}", is_generated),
    _token("xAI key", "xai-", r"xai-[A-Za-z0-9]{70,90}", is_generated),
    _token("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,60}", is_generated),
    _token("NVIDIA key", "nvapi-", r"nvapi-[A-Za-z0-9_-]{60,80}", is_generated),
    _token("Facebook token", "", rf"EAA[A-Z][A-Za-z0-9]{{80,300}}{_END}", is_generated),
    _token("Pulumi token", "pul-", rf"pul-[a-f0-9]{{40}}{_END}"),
    _token("RubyGems key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _token("Brevo key", "xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _token(
        "Tailscale key", "tskey-", r"tskey-[a-z]{2,10}-[A-Za-z0-9]{10,24}-[A-Za-z0-9]{20,40}", is_generated
    ),
    _token("Alibaba key id", "ltai", rf"LTAI[A-Za-z0-9]{{16,26}}{_END}", is_generated),
    _token("1Password token", "ops_eyj", r"ops_eyJ[A-Za-z0-9+/_=-]{200,2000}"),
    _token(
        "1Password secret key",
        "a3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        is_generated,
    ),
    _token("crates.io token", "", rf"cio[A-Za-z0-9]{{32}}{_END}", _shuffled, reach=Reach.JOINED),
    _token("Clojars token", "clojars_", r"CLOJARS_[a-z0-9]{60}"),
    _token("Buildkite token", "bkua_", r"bkua_[a-z0-9]{40}"),
    _token("CircleCI token", "ccipat_", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    _token("Artifactory token", "akcp", rf"AKCp[A-Za-z0-9]{{60,75}}{_END}", is_generated),
    _token("NuGet key", "oy2", rf"oy2[a-z0-9]{{43}}{_END}", is_generated),
    _token("Sourcegraph token", "sgp_", rf"sgp_(?:{_HEX}{{16}}_|local_)?{_HEX}{{40}}", _body_is_drawn),
    _token("Typeform token", "tfp_", r"tfp_[A-Za-z0-9_.=-]{59}"),
    _token("Dynatrace token", "dt0c01.", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("Heroku key", "hrku-", r"HRKU-[A-Za-z0-9_-]{36,64}", is_generated),
    _token("EasyPost key", "ezak ezte", r"EZ(?:AK|TE)[A-Za-z0-9]{54}"),
    _token("Shippo token", "shippo_", rf"shippo_(?:live|test)_{_HEX}{{40}}"),
    _token("Duffel token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
    _token("Frame.io token", "fio-u-", r"fio-u-[A-Za-z0-9_=-]{64}"),
    _token("Adafruit key", "aio_", r"aio_[A-Za-z0-9]{28}", is_generated),
    _token("Azure client secret", "8q~", r"(?<=[A-Za-z0-9_~.-]{3})8Q~[A-Za-z0-9_~.-]{31,34}", before=""),
    _token(
        "Azure shared access signature",
        "sig=",
        r"sig=(?P<value>[A-Za-z0-9%/+]{40,100}(?:%3[dD]|=))(?![A-Za-z0-9])",
        before="[A-Za-z]",
    ),
    _token(
        "connection string",
        "accountkey= sharedaccesskey=",
        r"(?i:accountkey|sharedaccesskey)=(?P<value>[A-Za-z0-9+/]{40,90}={0,2})",
        before="",
    ),
    _token("Bitcoin key", "xprv", rf"xprv[1-9A-HJ-NP-Za-km-z]{{107}}{_END}", reach=Reach.JOINED),
    Rule(
        "one-time password secret",
        ("otpauth://",),
        r"otpauth://[^\s\"'<>]{0,300}?[?&]secret=(?P<value>[A-Za-z2-7]{8,128})",
        reach=Reach.BARE,
        solid=True,
    ),
    Rule(
        "password in a URL",
        ("://",),
        r"://[^\s/:@?#\"'<>`]{0,100}:(?P<value>[^\s/@\"'<>`]{3,200})@[\w.\[-]",
        _real_value,
        solid=True,
        upright=True,
        signs="@",
    ),
    Rule(
        "password in a URL",
        ("postgres", "mysql", "mongodb", "redis", "amqp", "mssql", "ftp://", "https://", "http://", "smtp"),
        r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|s?ftp|https?"
        r"|smtps?)(?:\+[a-z0-9]+)?://[\w.%-]{0,60}:"
        r"(?P<value>[^\s/@\"'<>`]{6,200})@[\w.\[-]",
        lambda match: is_strong(match["value"]) and "AAAA" not in match["value"],  # a public key
        reach=Reach.BARE,
        solid=True,
        signs="@",
    ),
    Rule(
        "token in a header",
        ("bearer", "authorization", "x-", "api-token", "apikey", "token:"),
        r"(?i:(?:authorization[\"']?[ \t]{0,4}[:=][ \t\"']{0,4}"
        r"(?:(?:bearer|basic|(?:api-?)?token|apikey|key)[ \t:]{1,4})?)"
        r"|bearer[ \t:]{1,4}|x-(?:[a-z]{1,16}-){0,2}(?:api-?)?(?:key|token)[\"']?[ \t]{0,4}[:=][ \t\"']{0,4}"
        r"|(?<=[\"'])(?:api-?)?(?:key|token):[ \t]{1,2})"
        r"(?P<value>[A-Za-z0-9._~+/@-]{11,2000}={0,2})(?![A-Za-z0-9])",
        lambda match: (
            is_mixed(match["value"])
            and not is_placeholder(match["value"])
            and len(set(match["value"])) >= 8
            and not match["value"].startswith("AWS4-")  # how a request is signed
            and (len(match["value"]) >= 16 or ("-" not in match["value"] and is_strong(match["value"])))
        ),
        "[A-Za-z]",
        Reach.JOINED,
        far=2200,
    ),
    Rule(
        "user and password in base64",
        ("basic", '"auth"', "auth:"),
        r"(?i:(?:authorization[\"']?[ \t]{0,4}[:=][ \t\"']{0,4})?basic[ \t]{1,4}|[\"']?auth[\"']?:[ \t]{0,8}[\"'])"
        r"(?P<value>[A-Za-z0-9+/]{8,400}={0,2}|[\w.@-]{1,60}:[^\s\"']{6,200})(?![A-Za-z0-9])",
        lambda match: _is_pair(match["value"]),
        "[A-Za-z]",
        Reach.JOINED,
    ),
    Rule(
        "session cookie",
        ("sess", "sid=", "connect.sid", "auth_token=", "remember_token=", "csrftoken=", "xsrf-token="),
        r"(?i:sess(?:ion)?(?:[_-]?(?:id|token|key))?|(?<![A-Za-z])sid|connect\.sid|auth_token|remember_token"
        r"|csrftoken|xsrf-token)=\"?"
        r"(?P<value>[A-Za-z0-9._~+/%:-]{16,2000}={0,2})",
        lambda match: (
            is_mixed(match["value"]) and not is_placeholder(match["value"]) and len(set(match["value"])) >= 8
        ),
        reach=Reach.JOINED,
        solid=True,
    ),
)
