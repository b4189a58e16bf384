"""What services' own letters, configuration files and command lines give away, and what only looks so."""

from __future__ import annotations

import base64
import json
import random
import string

import pytest

from memtui.gate.secrets import find

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(name: str, length: int, letters: str = LETTERS) -> str:
    """As good as random, the same for one name, with a digit and a letter in it."""
    chosen = random.Random(name)
    return "k7" + "".join(chosen.choice(letters) for _ in range(length - 2))


def rules(text: str) -> set[str]:
    return {found.rule for found in find(text)}


PREFIXES = (
    "apify_api_", "dvc_server_", "pdl_live_apikey_", "polar_pat_", "ramp_sec_", "packagist_ort_", "lsv2_pt_", "pcsk_",
    "SWMKEY-1-", "sk-lf-", "mdb_sa_sk_", "rootly_", "wandb_v1_", "tvly-", "rzp_live_", "vcp_", "napi_", "ddp_",
    "acme_live_", "acme-prod-", "acme_secret_", "re_", "pa-", "rnd_",
)  # fmt: skip


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_token_is_known_by_the_letters_before_it(prefix: str) -> None:
    token = prefix + drawn(prefix, 40)
    assert [(hit.rule, hit.value in token) for hit in find(f"Use {token} there.")] == [("access token", True)]


@pytest.mark.parametrize(
    "name",
    ["re_exported_from_the_other_module", "sk_learn_preprocessing_pipelines", "polar_pattern_of_the_microphone",
     "acme_live_update_2026_release", "pa-system-upgrade-2025-notes", "test_secret_is_never_logged_anywhere",
     "sdk-node/commit/04dcceb50c7c16534da13ebbdd90fff79c7fecf0", "waka_" + "a" * 40, "pk_live_" + drawn("pk", 24)],
)  # fmt: skip
def test_a_name_that_begins_so_is_none(name: str) -> None:
    assert rules(f"See {name} for more.") == set()


SIGNS = (
    '{n}Token ::= "{s}"', '{n}_TOKEN :::= "{s}"', '{n}_TOKEN ?= "{s}"', '{n}_TOKEN += "{s}"', '${n}Token .= "{s}"',
    'var {n}Token string = "{s}"', 'const {n}Token: string = "{s}"', 'char secret[50] = "{s}";', "{n}Token,{s},",
    "{n}_token: |\n  {s}", "{n}_token: >\n  {s}", "<{n}Token>{s}</{n}Token>", "<{n}Token>\n    {s}\n</{n}Token>",
    "<secret>{{{n} AQAAABAAA {s}}}</secret>", '{{"name": "{n}_token", "value": "{s}"}}',
    '<entry name="{n}Token" value="{s}" />', 'environment("{n}_TOKEN", "{s}")', 'creds = {s}', '"{n}_auth": "{s}"',
    "{n} auth token {s}", "[DEBUG] Using Key={s}", '"{n}_iam-key" := "{s}"', "X-{n}-Key: {s}",
    "--{n}-api-key {s}", 'curl -H "Authorization: Api-Token {s}" https://x.org',
)  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("letters", [LETTERS, HEX], ids=["mixed", "hex"])
def test_a_value_is_assigned_in_the_manner_of_many_files(sign: str, letters: str) -> None:
    value = drawn(sign, 32, letters)
    text = sign.replace("{{", "{").replace("}}", "}").replace("{n}", "acme").replace("{s}", value)
    assert any(value in hit.value or hit.value in value for hit in find(text))


PUBLIC = (
    "NextToken", "next_page_token", "LockToken", "csrf-token", "idempotency_token", "deviceToken", "publicToken",
    "public_key", "primaryKey", "cache-key", "S3Key", "kms_key_id", "private_key_id", "credentialsId", "SecretArn",
    "tokenizer", "passenger", "keyboard", "master-keying", "authority", "key_down_event",
)  # fmt: skip


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("form", ['"{n}": "{s}"', "{n}={s}"])
def test_what_a_name_says_to_open_nothing_is_no_secret(name: str, form: str) -> None:
    assert rules(form.replace("{n}", name).replace("{s}", drawn(name, 30))) == set()


@pytest.mark.parametrize(
    "value",
    ["arn:aws:secretsmanager:us-west-2:111122223333:secret:mySecret1", "2026-03-16T03:45:09+00:00", "keys.pem.tar",
     "XSalsa20.key_length", "Uint8Array", "web-21-prod-4471"],
)  # fmt: skip
def test_no_token_is_a_name_that_counts(value: str) -> None:
    assert rules(f'token: "{value}"') == set()


@pytest.mark.parametrize(
    "value", ["secret123", "my_db_password", "keyfile_password", "changeme", "//x.org/pass1"]
)
def test_no_password_is_a_word_for_one(value: str) -> None:
    assert rules(f"password: {value}\npassword = '{value}'") == set()


@pytest.mark.parametrize("text", ["xoxb-12345-abcd234", "xoxp-1234567890", "x.org/2018-250-xoxo-indieweb-1.jpg",
                                  "sgp_" + "0" * 40, "AIza" + "a" * 35, "hvs." + "x" * 90])  # fmt: skip
def test_a_token_that_nothing_was_drawn_for_is_none(text: str) -> None:
    assert rules(text) == set()


def test_the_name_of_the_next_field_is_no_part_of_a_value() -> None:
    assert rules('{\n  "KeySpec": "RSA_2048",\n  "Description": ""\n}') == set()
    assert rules('{\n  "Account": "a:b",\n  "Region": "us-west-2",\n  "Status": "ok"\n}') == set()
    assert rules('{\n  "Id": "pa-pcz347abcdcfm",\n  "RecordTags": []\n}') == set()


def test_files_of_logins_are_known() -> None:
    password = "Xk4" + "#pq91v"
    assert rules(f"machine api.x.org login ana password {password}") == {"password in a file of logins"}
    assert rules(f"db.x.org:5432:main:app:{password}") == {"password in a file of logins"}
    assert rules("machine api.x.org login ana password <secret>") == set()


@pytest.mark.parametrize(
    "password", [drawn("router", 14, string.ascii_lowercase + string.digits), "Otter" + "#8537"]
)
@pytest.mark.parametrize("form", ["Router login: admin / {s}", "<pre>Router login: admin / {s}</pre>"])
def test_a_login_has_a_name_and_a_password(form: str, password: str) -> None:
    assert [hit.value for hit in find(form.replace("{s}", password))] == [password]


def test_a_long_key_of_many_signs_is_no_placeholder_whatever_it_begins_with() -> None:
    assert rules("SECRET_KEY = '*" + drawn("django", 40, LETTERS + "!@#$%^&(-_=+)") + "'")
    assert rules("SECRET_KEY = '<the long key of this site>'") == set()


def test_a_name_and_a_password_in_base64_are_known() -> None:
    pair = base64.b64encode(b"ana:" + b"s3cr3tpw!x").decode()
    assert "user and password in base64" in rules(json.dumps({"auths": {"x.org": {"auth": pair}}}))
    assert rules('"auth": "' + base64.b64encode(b"just some words").decode() + '"') == set()


def test_a_kubernetes_secret_holds_base64_and_other_manifests_do_not() -> None:
    value = base64.b64encode(b"admin:" + b"pass-w0rd").decode()
    manifest = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  extra: {value}\n"
    assert rules(manifest) == {"Kubernetes secret"}
    assert rules(manifest.replace("kind: Secret", "kind: ConfigMap")) == set()
    assert rules(manifest.replace(value, "{{ .Values.password }}")) == set()


def test_a_jwt_without_signature_says_how_it_was_signed() -> None:
    head, claims = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890", "name": "Ana"})
    )
    assert rules(f"{head}.{claims}") == {"JSON Web Token"}
    assert rules(f"{claims}.{claims}") == set()
    assert rules(head) == set()
