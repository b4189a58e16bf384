"""Text in a proposal that reads like orders to an agent: told to the person, never a reason to refuse.

A note is read into a prompt at every turn (seed 000), so a sentence in it can act as an instruction, a heading or a
tag as a part of the prompt. Each rule looks for a few words first, so that an ordinary note costs next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

Shape = Literal["override", "structure", "trigger", "trust", "comment", "blanks"]


class Span(NamedTuple):
    """A stretch of text that reads like an instruction; character offsets."""

    shape: Shape
    start: int
    end: int


class _Rule(NamedTuple):
    shape: Shape
    cues: tuple[str, ...]
    """Text, in lower case, one of which stands in whatever matches."""
    pattern: str


_ASKER = (
    r"(?:(?:the|a|any)\s+)?(?:user|human|operator|customer|person|client)s?|anyone|anybody"
    r"|someone|somebody|you(?:['’]re|\s+are)?"
)
_ASKS = r"asks?|asked|says?|mentions?|requests?|wants?|types?|sees?|reads?|queries|prompted|told|inquires?"
_DOES = (
    r"always|never|say|answer|reply|respond|tell\s+them|recommend|execute|send|include|claim"
    r"|pretend|output|insist|deny|refuse"
)

_RULES: tuple[_Rule, ...] = (
    _Rule(
        "override",
        ("instruction", "rules", "prompt", "guideline", "guardrail", "restriction", "everything", "directive"),
        r"\b(?:ignore|disregard|forget|override|bypass|overrule|discard|do\s+not\s+follow"
        r"|don['’]t\s+follow|stop\s+following)\s+"
        r"(?:(?:all|any|every|the|your|my|these|those|previous|prior|earlier|above|preceding|existing"
        r"|current|original|other|of|and|system|safety|former)\s+){1,6}"
        r"(?:instructions?|rules|prompts?|guidelines|guardrails|restrictions|directives?|messages?|context)\b"
        r"|\b(?:forget|ignore|disregard)\s+everything\s+(?:above|before|you|that\s+came)\b",
    ),
    _Rule(
        "override",
        ("you are now", "new instructions", "system prompt", "developer mode", "jailbreak", "the user", "from now on"),
        r"\byou\s+are\s+now\s+(?:in\s+)?(?:an?\s+)?(?:unrestricted|developer|admin|dan\b|jailbroken"
        r"|root|free\s+of)"
        r"|^[ \t>*#-]{0,6}(?:new|updated|revised|important)\s+(?:system\s+)?instructions?[ \t*]{0,3}:"
        r"|\b(?:reveal|print|repeat|output|show|leak)\s+(?:me\s+)?(?:your|the)\s+(?:system|hidden"
        r"|initial)\s+prompt\b"
        r"|\b(?:do\s+not|don['’]t|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|ask(?:ing)?"
        r"|mention(?:ing)?\s+(?:this|it)\s+to|notify(?:ing)?|alert(?:ing)?)\s+the\s+(?:user|human|person)\b"
        r"|\bfrom\s+now\s+on,?\s+(?:you\s+)?(?:must|will|always|never|act\s+as|ignore)\b",
    ),
    _Rule(
        "override",
        ("anweisung", "instruction", "instruccion", "instruç", "istruzion",
         "instructie", "instrukcj", "инструкци", "указани", "指令", "指示", "지시"),
        r"\b(?:ignoriere|missachte|vergiss)\s+(?:bitte\s+)?(?:alle\s+|die\s+|deine\s+)*(?:vorherigen"
        r"|bisherigen|obigen|früheren)\s+(?:anweisungen|regeln|instruktionen)"
        r"|\b(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes?\s+)?(?:les\s+|tes\s+|vos\s+)?(?:instructions"
        r"|consignes)(?:\s+(?:précédentes|antérieures|ci-dessus))?"
        r"|\b(?:ignora|olvida|descarta)\s+(?:todas?\s+)?(?:las\s+"
        r"|tus\s+)?instrucciones(?:\s+(?:anteriores|previas))?"
        r"|\b(?:ignore|esqueça|desconsidere)\s+(?:todas?\s+)?(?:as\s+|suas\s+)?instruções(?:\s+anteriores)?"
        r"|\b(?:ignora|dimentica)\s+(?:tutte\s+)?(?:le\s+|tue\s+)?istruzioni(?:\s+precedenti)?"
        r"|\b(?:negeer|vergeet)\s+(?:alle\s+)?(?:vorige|eerdere|bovenstaande)\s+instructies"
        r"|\bzignoruj\s+(?:wszystkie\s+)?(?:poprzednie\s+)?instrukcje"
        r"|(?:игнорируй(?:те)?|забудь(?:те)?|проигнорируй(?:те)?)\s+(?:все\s+)?(?:предыдущие|прежние"
        r"|прошлые|вышеуказанные|свои\s+)?\s*(?:инструкции|указания)"
        r"|(?:忽略|无视|無視|忘记)(?:掉)?(?:之前|以上|先前|所有|前面|一切)[^\n。]{0,8}(?:指令|指示|提示)|(?:以前|これまで|上記"
        r"|前)の[^\n。]{0,6}(?:指示|命令)を(?:すべて)?(?:無視|忘れ)"
        r"|(?:이전|위의|모든)[^\n.]{0,8}(?:지시|명령)[^\n.]{0,6}무시",
    ),
    _Rule(
        "structure",
        ("<", "[inst", "[/inst", "[system"),
        r"</?(?:system|memory|memories|instructions?|assistant|prompt|human|user_?(?:query|message"
        r"|input)|tool_?(?:calls?|results?|use)|function_?(?:calls?|results?)"
        r"|system[_-]?(?:prompt|reminder|message)|developer|admin|untrusted"
        r"|antml:\w{1,20})(?=[\s>/])[^<>\n]{0,80}>"
        r"|\[/?(?:INST|SYSTEM)\]|<{2}/?SYS>{2}|<\|[a-z_]{2,24}\|>|<(?:start|end)_of_turn>",
    ),
    _Rule(
        "structure",
        ("system", "assistant", "human", "developer", "instruction"),
        r"^[ \t>]{0,6}(?:#{1,6}[ \t]*|\*\*|={2,}[ \t]*|-{3,}[ \t]*)(?:(?:begin"
        r"|end)\s+(?:of\s+)?)?(?:system(?:\s+(?:prompt|message|instructions?|override|note))?"
        r"|assistant|human|developer(?:\s+message)?|instructions?\s+(?:for|to)\s+(?:the\s+)?(?:ai"
        r"|assistant|model|agent|llm)s?)[ \t]*(?:\*\*[ \t]*:?|:|[=-]{2,}|$)"
        r"|^[ \t>]{0,6}(?:Human|Assistant|System\s+(?:prompt|message|note)):[ \t]",
    ),
    _Rule(
        "trigger",
        ("whenever", "when", "if ", "time", "once "),
        rf"\b(?:whenever|if|when|once|each\s+time|every\s+time"
        rf"|any\s+time)\s+(?:{_ASKER})\s[^.!?\n]{{0,60}}?\b(?:{_ASKS})\b[^.!?\n]{{0,140}}?(?:,"
        rf"|\bthen\b|:|;)[^.!?\n]{{0,60}}?\b(?:{_DOES})\b"
        rf"|\b(?:whenever|if|when)\s+(?:you\s+are\s+)?asked\b[^.!?\n]{{0,120}}?(?:,|\bthen\b"
        rf"|:)\s*[^.!?\n]{{0,40}}?\b(?:{_DOES})\b",
    ),
    _Rule(
        "trigger",
        ("wenn", "sobald", "si ", "lorsque", "cuando", "se ", "если", "когда", "如果", "每当"),
        r"\b(?:wenn|sobald|falls)\s+(?:der\s+|ein\s+)?(?:nutzer|benutzer|user|jemand"
        r"|mensch)\w{0,3}\s[^.!?\n]{0,80}?\b(?:fragt|sagt|erwähnt"
        r"|will)\b[^.!?\n]{0,20},\s*[^.!?\n]{0,30}?\b(?:antworte|sage?|immer|nie|empfiehl|sende)\b"
        r"|\b(?:si|lorsque|quand)\s+(?:l['’]utilisateur|quelqu['’]un"
        r"|on\s+te)\s[^.!?\n]{0,80}?,\s*[^.!?\n]{0,30}?\b(?:réponds|dis|toujours|jamais|recommande|envoie)\b"
        r"|\b(?:si|cuando)\s+(?:el\s+usuario|alguien"
        r"|te)\s[^.!?\n]{0,80}?,\s*[^.!?\n]{0,30}?\b(?:responde|di|siempre|nunca|recomienda|envía)\b"
        r"|(?:если|когда)\s+(?:пользователь|кто-то|тебя"
        r"|вас)\s[^.!?\n]{0,80}?,\s*[^.!?\n]{0,30}?(?:отвечай|говори|скажи|всегда|никогда|рекомендуй|отправь)"
        r"|(?:如果|每当|当)用户[^。\n]{0,30}(?:总是|必须|回答|不要)",
    ),
    _Rule(
        "trust",
        ("trust", "verified", "authoritative", "official", "whitelist", "allowlist", "safe"),
        r"\b(?:remember|treat|consider|mark|regard|store|note|whitelist"
        r"|accept)\s[^!?\n]{0,80}?\bas\s+(?:(?:a|an|the|fully|always|being"
        r"|completely)\s+){0,2}(?:trusted|trustworthy|verified|authoritative|official|safe|allowed"
        r"|approved)\b"
        r"|\b(?:always|fully)\s+trust\s+[^.!?\n]{1,60}",
    ),
    _Rule("comment", ("<!--",), r"<!--.*?(?:-->|\Z)"),
    _Rule("blanks", (" " * 60, "\t" * 12, "\u00a0" * 20, "\u3000" * 10),
          r"(?<=\S)(?:[ \u00a0\u3000]{60,}|[\t\u00a0\u3000]{10,})(?=\S)|^[ \u00a0\u3000]{80,}(?=\S)"),
    _Rule("blanks", ("\n" * 10, "\n \n", "\n\r\n\r\n"), r"(?<=\S)(?:[ \t\r]{0,200}\n){10,}+(?!\Z)"),
)  # fmt: skip

_WORDS: Mapping[Shape, str] = {
    "override": "reads like an order to set other instructions aside",
    "structure": "looks like a part of a prompt",
    "trigger": "tells the agent what to do when something is asked",
    "trust": "asks to trust something that comes from the web",
    "comment": "is a comment, which is not seen where the note is rendered",
    "blanks": "is a long run of blanks that can push text out of sight",
}


def instruction_spans(text: str) -> list[Span]:
    """Every stretch that reads like an instruction, in the order of the text; none covers another."""
    lowered = text.lower()
    found = [
        Span(rule.shape, *match.span())
        for rule in _RULES
        if any(cue in lowered for cue in rule.cues)
        for match in _compiled(rule.pattern).finditer(text)
    ]
    return list(_apart(sorted(found, key=lambda span: (span.start, -span.end))))


def _apart(spans: list[Span]) -> Iterator[Span]:
    at = 0
    for span in spans:
        if span.start >= at:
            yield span
            at = span.end


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.DOTALL)


def in_words(shape: Shape) -> str:
    """What a span of this shape does, in words that follow its name."""
    return _WORDS[shape]
