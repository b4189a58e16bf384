"""What a rule for secrets is, and what passes for a value that is none.

Each rule is tried only where one of its cues stands, so that ordinary text costs next to nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from memtui.gate.view_sources import FAR, Reach
from memtui.gate.views import LongWords, View
from memtui.gate.watch import watch_of


def always(_: re.Match[str]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Rule:
    """One format. The group `value` of `pattern` is the secret, else the whole match."""

    name: str
    cues: tuple[str, ...]
    """Text, in lower case, with which a match begins; none: it is looked for everywhere."""
    pattern: str
    """A regular expression, compiled when a cue first turns up. Every repeat in it is bounded or possessive."""
    holds: Callable[[re.Match[str]], bool] = always
    """What a pattern cannot say: check digits, placeholders."""
    before: str = ""
    """Characters (a class) that cannot stand before a match."""
    reach: Reach = Reach.LINES
    solid: bool = False
    """A match is a part of one long word (`View.long_words`), and only looked for there."""
    upright: bool = False
    """Not looked for where letters were turned round or into others."""
    lines: bool = False
    """A match begins with a line."""
    digits: int = 0
    """Every match holds so many, with nothing but blanks and dashes between them."""
    signs: str = ""
    """Characters of which every match holds one; of a solid one with cues, in the same word."""
    far: int = FAR
    """Characters that a match and what is looked at behind it take at most; 0: many, or some far before it too."""
    trims: bool = False
    """The value stands in a sentence, whose signs do not belong to it."""
    where: Callable[[View], Iterable[tuple[int, int]]] | None = None
    """Start and end of what every match lies in, told quicker than by the pattern; of a rule without cues."""

    def find(
        self, view: View, cues: Iterable[str], words: LongWords | None = None
    ) -> Iterator[tuple[int, int]]:
        """Start and end of every secret of this format in the text of a view that it applies to.

        `cues`: those that stand in it; `words`: its long words, for a solid one.
        """
        found = self._matches(view, cues, words) if self.cues else self._everywhere(view, words)
        for match in watch_of(view).over(found):
            if self.holds(match):
                start, end = self._span(match)
                yield (start, end) if words is None else (words.offset(start), words.offset(end - 1) + 1)

    def applies(self, view: View) -> bool:
        """Whether it is looked for in a view like this."""
        return (
            view.reach <= self.reach
            and not (self.upright and view.is_turned)
            and self.is_spelled(view.characters)
            and (not self.digits or view.has_digits(self.digits))
        )

    def is_in(self, text: str) -> bool:
        """Whether a text has this format anywhere, whatever it holds there."""
        return bool(_compiled(self.pattern, self.before).search(text))

    def is_spelled(self, characters: Collection[str]) -> bool:
        """Whether these characters, or a word's, hold one that every match has."""
        return not self.signs or any(sign in characters for sign in self.signs)

    def _span(self, match: re.Match[str]) -> tuple[int, int]:
        """Where the value stands: in its quotes, else bare, else the whole match."""
        group = next((name for name in _GROUPS if name in match.re.groupindex and match[name]), 0)
        start, end = match.span(group)
        if not self.trims:
            return start, end
        value = trimmed(match.string[start:end])
        start += match.string[start:end].index(value)
        return start, start + len(value)

    def _matches(self, view: View, cues: Iterable[str], words: LongWords | None) -> Iterator[re.Match[str]]:
        text = view.text if words is None else words.text
        bound = _compiled(self.pattern, self.before)
        is_sparse = words is None and bool(self.far) and view.is_sparse
        for cue in cues:
            done = 0
            for at in watch_of(view).over(view.places(cue) if words is None else words.places(cue)):
                if at < done:
                    continue
                if is_sparse and view.is_as_before(at, self.far):
                    continue
                # Where a line began before lines were run together, a word may begin.
                free = view.joined and (at if words is None else words.offset(at)) in view.joints
                match = (_compiled(self.pattern) if free else bound).match(text, at)
                if match:
                    yield match
                    done = match.end()

    def _everywhere(self, view: View, words: LongWords | None) -> Iterator[re.Match[str]]:
        pattern = _compiled(self.pattern, self.before)
        if self.where is not None:
            for start, end in self.where(view):
                yield from pattern.finditer(view.text, start, end)
            return
        if not self.lines:
            if words is None and self.far and view.is_sparse:
                for start, end in view.changed_stretches(self.far):
                    found = pattern.finditer(view.text, start, end + self.far)
                    yield from (match for match in found if match.end() <= end)
                return
            yield from pattern.finditer(view.text if words is None else words.text)
            return
        if first := pattern.match(view.text):
            yield first
        later = _compiled(rf"\n(?P<value>{self.pattern})")  # it begins with its sign: quicker
        yield from later.finditer(view.text, first.end() if first else 0)


_GROUPS = ("quoted", "bare", "value")


def trimmed(value: str) -> str:
    """A value without the signs of the sentence around it."""
    head = re.split(r"\\[nr]", value, maxsplit=1)[0] if "\\" in value else value  # the end of a line in JSON
    if len(head) >= 3:
        value = head
    return value.rstrip(".,;:!?)]}>*_'’。，、؛").lstrip("([<*_'‘") or value


@cache
def _compiled(pattern: str, before: str = "") -> re.Pattern[str]:
    """Compiled when a cue of it first turns up."""
    return re.compile(f"(?<!{before})(?:{pattern})" if before else pattern, re.MULTILINE)


def spelled(value: str) -> str:
    """A value with the letters that JSON writes as `\\u20ac` as themselves."""
    if "\\u" not in value:
        return value
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), value)


# --- what a value is not -------------------------------------------------------------------------

_PLACEHOLDER = r"""[<\[(*%•·].* | \{\{?[\w.\- ]+\}?\}.* | \{[^{]*\} | \$[{(].* | \$[A-Za-z_]+ | @\w+@ | [\w.>:-]+\(.*
    | [\w.]+\[(?:\\?["'\w].*|\\)?
    | .*(?:\.\.\.|…|\*\*\*|xxxx|XXXX|----|____|\#\#\#\#).*
    | (?:my|your|the|some|a|an|new|old|no|not|super|dummy|fake|test|sample|demo)[\W_]?
      (?:own[\W_])?(?:secret|password|passwd|token|key|api[\W_]?key|value|pass)\w*
    | (?:change|replace|fill|insert|put|set|enter|goes|add)[\W_]?(?:me|this|it|here|in|your)\b.*
    | (?:x+|\?+|\.+|-+|_+|0+|1234567890|abc123?|foo\w*|bar\w*|null|none|nil|undefined|true|false|yes|no|n/?a)
    | [\w.+%~-]*\]\s?[(\[].* | //.*
    | (?:secret|secure|pass|password|passwd|pw|sample|test|demo|user|admin|key|token)[0-9]{0,3}
    | (?:[a-z]+/[\w.${}-]+/)+(?:secrets?|keys?|tokens?)/[\w.${}-]+(?:/versions/\w+)?
    | [\w.+-]+(?:/[\w.+-]+)+\.[a-z]{1,4}
    | [\w.-]+:[^:]*:\d+:\d+:.* | \\f[A-Z].* | \w+\\f[A-Z]
    | enter[\W_]?an?[\W_]?pass\w* | postgres | mysql | redis | mongo | guest
    | (?:(?:[a-z]+[_-])?(?:my|your|the|db|user|root|admin|super|very|key|keyfile|file|some|test|new|old|good|bad
      |strong|weak
      |secure|auth|login|postgres|mysql|redis|smtp|mail)?(?:[_-]?(?:secret|top|strong))?[_-]?
      (?:secret|password|passwd|passphrase|pwd))s?
    | (?:todo|tbd|redacted|removed|hidden|masked|censored|empty|required|optional|unknown|forgotten)
    | (?:secret|password|passwd|passwort|passphrase|pass|pwd|token|user|username|login)s?
    | (?:1password|bitwarden|keychain|lastpass|keepass\w*|dashlane|protonpass)\W?
    | .*(?:example|placeholder|redacted|changeme|your[-_]|fake|dummy).*
    | (?:os\.|process\.|env[.\[(:]|getenv|config[.\[(]|settings[.\[(]|secrets?[.\[(]|vault[.:/]|self\.|this\.).*
    | (?:op|https?|file|s3|gs|arn|vault|secret|ref)+:/?/.* | arn:[\w-]*:.*
    | \d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?
    | (?![A-Za-z0-9+/]{38,44}={0,2}\Z)(?-i:(?:~|\.{1,2})?(?:/[a-z_.][\w.@+-]*)+/?|[~.]/.*) | [A-Za-z]:\\.*
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | [\w.-]+\.(?:md|txt|json|ya?ml|toml|py|js|ts|html?|pdf|png|jpe?g|env|pem|key|kdbx|com|org|net|io|dev
      |zip|t?gz|tar|ova|cer|crt|p12|jks|csv
      |xml|sh|rb|go|rs|java|php|cfg|conf|ini|log|sql|db|jar|exe|dll|so|bin|svg|gif|css)
    """
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")

_NUMBER = r"[$€£¥]?(?:\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{1,2})?|\d+[.,]\d{1,2})(?:[a-zA-Z]{1,3}²?|[%€£¥°])?"
_AMOUNT = re.compile(rf"{_NUMBER}(?:[/–-]{_NUMBER})?|(?:\d{{1,3}}[dhms]){{2,4}}")
"""A price, a height, a part of a hundred, a time that something took: `2,106m`, `$1,299.00`, `1h23m`."""
_REFERENCE = re.compile(
    r"(?:local|var|data|module|output|resource|each|props|state|ctx|args)(?:\.[a-z_]\w{0,60}){1,6}"
    r"|(?=[a-z0-9.]*_)[a-z]\w{0,60}(?:\.[a-z_]\w{0,60}){2,6}"
    r"|[a-z][a-z_.-]{0,60}:(?:/[a-z_.][\w.@+-]{0,60}){1,12}"
    r"|(?:/[a-z]{2,12}){2}/[\w.@+=%/-]{1,200}"
    r"|(?:type|name|id|for|autocomplete|placeholder|class)=[\"']?[A-Za-z-]{0,40}[\"']?"
)
"""What stands elsewhere, or names a field: `aws_secret.db.id`, `db-password:/etc/creds/db`, `type=password`."""


@cache
def _placeholder() -> re.Pattern[str]:
    """Compiled when a rule first wants it: that takes longer than all the other rules together."""
    return re.compile(_PLACEHOLDER, re.VERBOSE | re.IGNORECASE)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: `<password>`, `${TOKEN}`, `changeme`, a path, a call."""
    if _ENV_NAME.fullmatch(value) or _AMOUNT.fullmatch(value) or _REFERENCE.fullmatch(value):
        return True
    return bool(_placeholder().fullmatch(value)) or len(set(value)) < 4


def is_mixed(value: str) -> bool:
    """Letters and digits both, as generated tokens have."""
    return any(each.isdigit() for each in value) and any(each.isalpha() for each in value)


def reads_as_words(value: str) -> bool:
    """Whether a value is a name or a slug, such as `2024-budget-plan.md`."""
    words = [
        part for part in re.split(r"[-_./]", value) if len(part) > 2 and part.isalpha() and part.islower()
    ]
    return len(words) > 1


_SLUG_PART = re.compile(r"[a-z]+|[0-9]+|[a-z0-9]{1,5}")


def is_slug(value: str) -> bool:
    """Whether dashes part small words and numbers, as in a name that counts: `web-21-prod`."""
    parts = re.split("[-_.]", value)
    return len(parts) > 1 and all(map(_SLUG_PART.fullmatch, parts))


def is_wild(value: str) -> bool:
    """Whether signs of many kinds stand between the letters of a value, which no name or call has."""
    return len(set(re.findall(r"[^\w\s./,:;'\"-]", value))) >= 5 and len(value) >= 16


def is_generated(match: re.Match[str]) -> bool:
    """Whether a match looks drawn at random: letters and digits, ten different characters, no placeholder."""
    value = match[0]
    return is_mixed(value) and not is_placeholder(value) and len(set(value)) >= 10


def is_random(value: str) -> bool:
    """Whether a value under a secret's name looks drawn at random and not written by a person.

    Of 16 characters or more, letters and digits mixed, some 3 bits a character or more, no words, no path.
    """
    if len(value) < 16 or not is_mixed(value) or is_placeholder(value) or reads_as_words(value):
        return False
    counts = Counter(value)
    bits = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return bits > 2.99 and value.count("/") <= len(value) // 8


_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_uuid(value: str) -> bool:
    """Whether a value has the shape of a UUID, which names things more often than it opens them."""
    return bool(_UUID.fullmatch(value))


_KIND_OF_LETTER = re.compile(r"[a-z]+|[A-Z]+|[0-9]+")


def is_drawn(value: str) -> bool:
    """Whether letters and digits of a value change places as only a machine draws them.

    Small letters, capitals and digits take turns at least every six characters and eight of them differ; without a
    digit at every third. `acceptance-2024-report` and `SlackAppAccessToken` do not, nor does the alphabet.
    """
    bare = "".join(_ALNUM.findall(value))
    turns = len(_KIND_OF_LETTER.findall(bare)) - 1
    if len(bare) < 12 or len(set(bare)) < 8 or is_placeholder(value) or _IN_ORDER.search(value):
        return False
    if any(each.isdigit() for each in bare):
        return turns >= max(4, len(bare) // 6)
    return turns >= len(bare) // 3 and len(bare) >= 20


_ALNUM = re.compile(r"[A-Za-z0-9]+")
_IN_ORDER = re.compile(r"(?i)abcdefghij|0123456789ab")
"""The alphabet, from which no machine draws in order."""
_MEASURE = re.compile(
    r"""[vV]?\d+(?:[.:,/-]\d+)*(?:[-–]\d+)?[-–]?(?:st|nd|rd|th|s|m|h|d|x|k|kb|mb|gb|ms|min|mins|hours?|days?|weeks?|months?
      |years?|chars?|characters?|letters?|digits?|bits?|bytes?|words?|am|pm|times?|uhr|er|%|€|\$|°)?(?:[-–][^\W\d_]+)?
    | (?:big)?(?:u?int|float|utf|base|sha)-?\d+\w*
    | (?:sha|md|aes|utf|base|rsa|oauth|bcrypt|argon|pbkdf|x|ed|p|q|h|ipv|wpa|tls|id|level|step|chapter|page|version
      |v)-?\d+\w{0,3}
    | (?:[a-z]+\d{1,2}|[A-Z][a-z]+\d)""",
    re.VERBOSE | re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]+(?:['’./&+-][^\W\d_]+)*(?:['’]s)?")


def is_strong(value: str) -> bool:
    """Whether a value that prose gives as a password can be nothing else: no word, date, measure or name."""
    value = spelled(value)
    if len(value) < 6 or is_placeholder(value):
        return False
    if _WORDS.fullmatch(value):
        inner = value[1:]
        return (
            value.isalpha()
            and len(value) >= 8
            and sum(e.isupper() for e in inner) >= 2
            and not value.isupper()
        )
    if re.fullmatch(r"[\d\W_]+", value):
        return bool(re.fullmatch(r"\d{6,12}", value)) or (
            not re.fullmatch(r"#\d+\W*", value)
            and any(e.isdigit() for e in value)
            and bool(re.search(r"[!#$%^&*?@~]", value))
        )
    if _MEASURE.fullmatch(value) and (len(value) < 8 or not value.isalnum() or value[0].isdigit()):
        return False
    return is_mixed(value) or bool(
        re.search(r"\w[!#$%^&*?@~=+_.-]+\w", value) and not re.fullmatch(r"[\w.'’/–—-]+", value)
    )


def is_second(value: str) -> bool:
    """Whether a word beside another one is a strong password: signs of three kinds, no name, path, call or date."""
    classes = (str.isupper, str.islower, str.isdigit, lambda each: not each.isalnum())
    return (
        is_strong(value)
        and (sum(any(map(kind, value)) for kind in classes) >= 3 or is_drawn(value))
        and not re.fullmatch(r"(?:[A-Z]?[a-z]++)++[0-9]?|[a-z]+(?:-[a-z0-9]{1,9})+", value)
        and not re.search(r"[\\()\[\]{}<>]|://|::|\.\w{2,4}$|^\w*[A-Za-z_]\w*[=:]|^\d{4}-\d\d-\d\d", value)
    )
