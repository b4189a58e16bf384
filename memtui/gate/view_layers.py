"""Layers that lie over the words of a text: each function takes one off, or finds none of it (None).

A layer that decodes only what can be text leaves everything else as it is: pictures in base64, hashes, sums.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from memtui.gate.view_decoders import decoded_runs, number_lists
from memtui.gate.view_dumps import decode_dumps
from memtui.gate.view_gaps import drop_odd_blanks, drop_soft_breaks
from memtui.gate.view_letters import LOOKALIKES
from memtui.gate.view_sources import Edit
from memtui.gate.views import View, edited

_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_FEW = 60
"""Different characters up to which replacing one by one is quicker than translating all."""
_FEW_PLACES = 200
_LONE_RETURN = re.compile(r"\r(?!\n)")


def fold(view: View) -> View | None:
    """Compatible characters as plain ones (full-width letters too), tag characters as the letters that they
    hide; combining, format and control characters dropped.
    """
    changed = {each: plain for each in view.characters - _PLAIN if (plain := _plain(each)) != each}
    if "\r" in view.characters and _LONE_RETURN.search(view.text):
        text = _LONE_RETURN.sub("", view.text)
        return View("Unicode-folded", replaced(text, changed), view, reach=view.reach)
    return _with_others("Unicode-folded", view, changed)


def _with_others(name: str, view: View, by: Mapping[str, str]) -> View | None:
    """A view with characters replaced; None where nothing changes. Each place is known where they are few."""
    text = view.text
    if len(by) <= _FEW and sum(map(text.count, by)) <= _FEW_PLACES + len(text) // 100:
        if not by:
            return None
        found = re.finditer(f"[{re.escape(''.join(by))}]", text)
        return edited(name, view, (Edit(*each.span(), by[each[0]]) for each in found))
    changed = replaced(text, by)
    return None if changed == text else View(name, changed, view, reach=view.reach)


_PLAIN = frozenset(map(chr, (*range(32, 127), 9, 10, 13)))


def replaced(text: str, by: Mapping[str, str]) -> str:
    """The text with characters replaced."""
    if len(by) > _FEW:
        return text.translate({ord(each): plain for each, plain in by.items()})
    for each, plain in by.items():
        text = text.replace(each, plain)
    return text


@lru_cache(4096)
def _plain(character: str) -> str:
    plain = _TAGS.get(ord(character)) or unicodedata.normalize("NFKD", character)
    return "".join(each for each in plain if unicodedata.category(each) not in ("Cc", "Cf", "Mn", "Me"))


_MIXED = re.compile(r"[A-Za-z0-9_][^\x00-\xff]|[^\x00-\xff][A-Za-z0-9_]")


def latinize(view: View) -> View | None:
    """Letters of other scripts that look like Latin ones as those, where the two are mixed in one word."""
    text = view.text
    if text.isascii() or not (alike := LOOKALIKES.keys() & view.characters):
        return None
    among = re.escape("".join(alike))
    mixed = re.finditer(rf"[{among}](?:(?=[A-Za-z0-9_])|(?<=[A-Za-z0-9_].))", text)
    return edited("look-alike letters", view, _in_their_words(text, mixed))


_LONGEST, _BEFORE = 300, 40
"""Characters of a word, and before it, in which letters are replaced."""
_ALIKE = re.compile(rf"(?<!\w)[{re.escape(''.join(LOOKALIKES))}]{{3,20}}(?!\w)")


def _in_their_words(text: str, mixed: Iterator[re.Match[str]]) -> Iterator[Edit]:
    """Each letter that looks like a Latin one in the words of these matches, and in words of such ones before them."""
    done = 0
    for match in mixed:
        if match.end() <= done:
            continue
        start, end = match.span()
        while start > done and match.start() - start < _LONGEST and _of_word(text[start - 1]):
            start -= 1
        while end < len(text) and end - match.end() < _LONGEST and _of_word(text[end]):
            end += 1
        near = [each.span() for each in _ALIKE.finditer(text, max(start - _BEFORE, done), start)]
        for first, last in (*near, (start, end)):
            yield from (
                Edit(at, at + 1, LOOKALIKES[text[at]]) for at in range(first, last) if text[at] in LOOKALIKES
            )
        done = end


def _of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


_TAG = r"<(?:!--[^>]{0,200}?--|/?[A-Za-z][^<>\n]{0,80})>"
_SIDE = r"[^\s<>*`~(){}\[\]\"'|]"
_INSIDE = re.compile(
    rf"[<*`~](?<={_SIDE}.)(?:(?<=<)[^<>\n]{{1,200}}>(?:{_TAG})*+|(?<!<)[*`~]{{0,2}})(?={_SIDE})"
    r"(?<!\s[.,;:!?].)(?![.,;:!?]{1,3}(?:\s|\Z))"
)
_IN_OUTLINE = re.compile(rb"m(?<=[ap]m)m?+m?+(?:a|pp?+p?+[am<])|<(?<=[ap]<)")
"""The same as a text's outline for them shows it, at least."""
_MARK_OUTLINE = "".join(
    "m"
    if letter in "*`~"
    else "p"
    if letter in ".,;:!?"
    else letter
    if letter in "<\n"
    else " "
    if letter.isspace() or letter in "<>(){}[]\"'|"
    else "a"
    for letter in map(chr, range(256))
).encode("ascii")
_MARKS = re.compile(rf"{_TAG}(?:{_TAG})*+|\*\*{{0,2}}|``{{0,2}}|~~")  # each begins with its sign: quicker


def drop_markup(view: View) -> View | None:
    """Tags, comments and marks of emphasis dropped, where some stand in the middle of words."""
    text = view.text
    if view.characters.isdisjoint("<*`~"):
        return None
    if not _IN_OUTLINE.search(view.plain_bytes.translate(_MARK_OUTLINE)):
        return None
    found = list(islice(_INSIDE.finditer(text), _ENOUGH))
    near = sum(bool(_HAS_DIGIT.search(text, max(each.start() - 20, 0), each.end() + 20)) for each in found)
    if not near and len(found) < _MANY:
        return None
    return edited("markup dropped", view, _marks(text, [match.span() for match in found]))


def _marks(text: str, inside: Sequence[tuple[int, int]]) -> Iterator[Edit]:
    """Every mark in lines that have one inside of a word, or are near."""
    done = 0
    for number, (start, end) in enumerate(inside, 1):
        start = max(text.rfind("\n", 0, max(start - _AROUND, 0)) + 1, done)
        stop = text.find("\n", end + _AROUND)
        done = max(len(text) if stop < 0 or number == _ENOUGH else stop, done)
        yield from (Edit(*match.span(), "") for match in _MARKS.finditer(text, start, done))


_ENOUGH, _AROUND = 1000, 200
_MANY = 3
"""Marks inside of words that are no chance."""
_HAS_DIGIT = re.compile(r"[0-9]")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")


def unescape_entities(view: View) -> View | None:
    """HTML entities as their characters."""
    if "&" not in view.characters:
        return None
    import html  # its table of names is costly to load, and notes hardly ever need it

    found = _ENTITY.finditer(view.text)
    return edited(
        "HTML entities decoded", view, (Edit(*each.span(), html.unescape(each[0])) for each in found)
    )


_PERCENT = re.compile(r"%(?:[0-9a-fA-F]{2}(?:%[0-9a-fA-F]{2})*+|u[0-9a-fA-F]{4})")


def unquote(view: View) -> View | None:
    """Percent-encoded characters as themselves."""
    if "%" not in view.characters:
        return None
    return edited(
        "percent-decoded", view, (Edit(*e.span(), _unquoted(e[0])) for e in _PERCENT.finditer(view.text))
    )


def _unquoted(run: str) -> str:
    if run[1] == "u":
        return _character(int(run[2:], 16), run)
    return bytes.fromhex(run.replace("%", "")).decode("utf-8", "replace")


_ESCAPE = re.compile(
    r"\\(?:(?P<bytes>x[0-9a-fA-F]{2}(?:\\x[0-9a-fA-F]{2})*+)|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}"
    r"|U([0-9a-fA-F]{8})"
    r"|(?P<octal>[01][0-7]{2})|(?P<one>[/\"'nrt\\=+&_*`\-.#:@!$~]))"
)


def unescape(view: View) -> View | None:
    """Backslash escapes, as strings of programs and JSON have them, as their characters."""
    if "\\" not in view.characters:
        return None
    return edited(
        "backslash escapes decoded",
        view,
        (Edit(*e.span(), _unescaped(e)) for e in _ESCAPE.finditer(view.text)),
    )


def _unescaped(match: re.Match[str]) -> str:
    if match["bytes"]:
        data = bytes.fromhex(match[0].replace("\\x", ""))
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.decode("latin-1")
    if match["one"]:
        return {"n": "\n", "r": " ", "t": " "}.get(match["one"], match["one"])
    if match["octal"]:
        return chr(int(match["octal"], 8))
    return _character(int(match[2] or match[3] or match[4], 16), match[0])


def _character(code: int, otherwise: str) -> str:
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else otherwise


def decode_numbers(view: View) -> View | None:
    """Lists of character codes (hexadecimal, decimal, binary) as the text that they spell."""
    if view.characters.isdisjoint("0123456789"):
        return None
    return edited("character codes", view, number_lists(view))


def decode_runs(view: View) -> View | None:
    """Base64, base32 and hexadecimal, over several lines and compressed too, as the text that they hold."""
    return edited("base64 or hex decoded", view, decoded_runs(view))


LAYERS: tuple[Callable[[View], View | None], ...] = (
    decode_dumps,
    drop_soft_breaks,
    drop_odd_blanks,
    fold,
    drop_markup,
    unescape_entities,
    unquote,
    unescape,
    decode_numbers,
    decode_runs,
    latinize,
)
TAKING = (decode_dumps, unescape_entities, unquote, decode_numbers, decode_runs)
"""Layers that hide what they lie over, and whose trace makes a text suspicious."""
