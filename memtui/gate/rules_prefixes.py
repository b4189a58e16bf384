"""Tokens of many services, known by the few letters that each puts before its own."""

from __future__ import annotations

import re

from memtui.gate.rule import Rule, is_drawn
from memtui.gate.view_sources import Reach

_LONG_ONES = """
apify_api_ bedrock-api-key- dvc_server_ dvc_client_ dvc_mobile_ apk_user_ mercury_production_ mergify_application_key_
api_live. api_live_us. api_live_ca. pdl_live_ persona_production_ polar_oat_ polar_pat_ polar_at_ ramp_sec_ ramp_tok_
samsara_api_ tskey- xnd_production_ packagist_ort_ packagist_out_ packagist_acs_ AIK_CI_ AIK_SECRET_ FLWSECK_TEST-
FLWPUBK_TEST- FLWSECK- FLWPUBK- lsv2_pt_ lsv2_sk_ CCDB1_ pcsk_ SWMKEY-1- SWMTKN-1- CCIPRJ_
BBDC- AstraCS: AQ.Ab8RN6 sk-lf- sk-api- mdb_sa_sk_ sha256~ rootly_ sm_aat_ sm_sat_ sm_pat_ unkey_ zpka_ $aact_ sk_car_
s-s4t2ud- s-s4t2af- rdme_ tgp_v1_ wandb_v1_ rk_prod_ sk_prod_ rk_org_ dnkey- endr+ glrtr- gcntfy- configcat-sdk-
pylf_v1_ bb_live_ tvly- jina_ e2b_ xsmtpsib- hcaik_ hcxik_ rzp_live_ rzp_test_ CFPAT- secret-live- secret-test-
access-production- access-sandbox- access-development- pat-na1- pat-eu1- pubkey- shpua_ shpcu_ sb_publishable_
bkaj_ bksa_ bkct_ bkcq_ cfut_ cfat_ cfk_ vercel_ blob_rw_ atlassian_ nfp_ nfc_ nfo_ lip_ waka_ essu_ nyk_v0_ nyk_ prd_
pnu_ mlsn. vtwn_ wrka- napi_ ucat_ ddp_ ddo_ ddc_ p8e- cog_ csk- llx- phx_ phc_ phs_ PMAT- y0_Ag y0__
AGE-PLUGIN- dt0s01. dt0s16. dt0s02. hcp. glptt- ATSTT3 ion_ tk-us- tss_ rpa_
sk_live_ sk_test_ pk_prod_ ca_live_ test_sec_ prod_sec_ live_sec_ figu_ figo_ ghes_ nuget_ sq0idp- mapi_ scw_ oci_
"""
"""Those that ordinary words do not begin with."""
_SHORT_ONES = """
re_ pa- prf_ apk_ csa_ rnd_ ico- live_ test_ fw_ fc- sat. pat. sk_ vcp_ vca_ vcr_ vci_ vck_ s.
sk.ey r_ at_ gl_ ser. inc_ exp_ api_ oat_ token_ secret_
"""
"""Those of ordinary words too: what follows must be longer and more mixed."""
_U = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_EXACT = (
    r"ATBB[A-Za-z0-9]{24,32}", r"GR1348941[A-Za-z0-9_-]{20}", r"4b1d[A-Za-z0-9]{38}", r"BSA[A-Za-z0-9_-]{26,29}",
    r"EXO[A-Za-z0-9]{26,29}", r"cmVmd[A-Za-z0-9]{59}", r"EZ[AT]K[A-Za-z0-9]{54}", r"cnvca[A-Za-z0-9_-]{48,56}",
    r"AQVN[A-Za-z0-9_-]{35,38}", r"YC[A-Za-z0-9_-]{38}", r"(?:sdk|mob|api)-" + _U, r"API-[A-Z0-9]{26}",
    r"A3T[A-Z0-9]{17}", r"FlyV1[ ]fm[12][A-Za-z0-9]?_[A-Za-z0-9+/=,_-]{60,800}", r"eyJrIjoi[A-Za-z0-9+/=]{60,400}",
    r"v1\.0-[a-f0-9]{24}-[a-f0-9]{140,150}", r"001?[A-Za-z0-9]{13}![A-Za-z0-9_.]{80,120}",
    r"[0-9]{15,16}\|[A-Za-z0-9_-]{27,40}", r"os_v2_(?:app|org)_[a-z0-9]{103}", r"pina_[A-Za-z0-9_-]{32}",
)  # fmt: skip
"""Those with as many characters as theirs always have, since what they begin with stands in other texts too."""
_KINDS = """
_live_ _prod_ _production_ _secret_ _pat_ _sk_ _apikey_ _api_key_ _token_ _sec_ -live- -prod- -secret- -pat- -sk-
-apikey- -api-key- -token- _api_
"""
"""Words that tell that a token follows, after a service's own."""

_NARROW = r"(?P<body>[A-Za-z0-9_.~-]{13,400}[A-Za-z0-9_~-])"
_BODY = r"(?P<body>[A-Za-z0-9_.+/=~:-]{13,400}[A-Za-z0-9=_~-])"


def _any(prefixes: str) -> str:
    return "|".join(map(re.escape, sorted(prefixes.split(), key=len, reverse=True)))


def _cues(prefixes: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(prefixes.lower().split()))


def _is_mixed_up(match: re.Match[str]) -> bool:
    return is_drawn(match["body"])


def _is_surely_mixed_up(match: re.Match[str]) -> bool:
    """Whether one of the parts that signs leave is long and random: names, versions and dates are none."""
    return is_drawn(match["body"]) and any(
        len(part) >= 20 and is_drawn(part) for part in re.split(r"[_.+/=~:-]+", match["body"])
    )


def _is_surely_secret(match: re.Match[str]) -> bool:
    """The same, where the service calls its key no public one (`pk_live_`)."""
    return not match.string.endswith(("pk", "pub", "public"), 0, match.start()) and _is_surely_mixed_up(match)


PREFIXES: tuple[Rule, ...] = (
    Rule(
        "access token",
        _cues(_LONG_ONES),
        rf"(?:{_any(_LONG_ONES)}){_BODY}",
        _is_mixed_up,
        "[A-Za-z0-9]",
        Reach.JOINED,
        solid=True,
    ),
    Rule(
        "access token",
        _cues(_SHORT_ONES),
        rf"(?:{_any(_SHORT_ONES)}){_NARROW}",
        _is_surely_mixed_up,
        "[A-Za-z0-9._/-]",
        Reach.JOINED,
        solid=True,
        upright=True,
    ),
    Rule(
        "access token",
        (),
        rf"(?P<body>{'|'.join(_EXACT)})(?![A-Za-z0-9])",
        _is_mixed_up,
        "[A-Za-z0-9_+/-]",
        solid=True,
        upright=True,
    ),
    Rule(
        "access token",
        _cues(_KINDS),
        rf"(?<=[A-Za-z]{{2}})(?:{_any(_KINDS)}){_NARROW}",
        _is_surely_secret,
        "",
        Reach.JOINED,
        solid=True,
        upright=True,
    ),
)
