"""What the rows of a diff alone would not tell: line endings, BOM, final newline, encoding, emptiness."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from memtui.proposals.diff_lines import Ending, Side, trim
from memtui.safe_twins import looks_like

_BOM = b"\xef\xbb\xbf"
_NAMES: dict[Ending, str] = {"lf": "LF", "crlf": "CRLF", "cr": "CR", "none": ""}


def facts_of(
    before: bytes | None, after: bytes | None, old: Side, new: Side, *, renamed: bool, aligned: bool
) -> tuple[str, ...]:
    """Facts in the order of their weight, each a few plain words; () where the rows tell everything."""
    return tuple(_facts(before, after, old, new, renamed, aligned))


def _facts(
    before: bytes | None, after: bytes | None, old: Side, new: Side, renamed: bool, aligned: bool
) -> Iterator[str]:
    if before is None and after is None:
        yield "no such file"
    elif before is None or after is None:
        yield from _facts_of_one(before if after is None else after, old if after is None else new)
    else:
        if before == after:
            yield "the text is unchanged" if renamed else "nothing changes"
        elif not after or not before:
            yield "empty file now" if not after else "was an empty file"
        if before != after:
            yield from _facts_of_two(before, after, old, new)
        elif not after:
            yield "empty file"
    for name, data in (("before", before), ("after", after)):
        bad = _not_utf8(data)
        if bad:
            where = f" {name}" if before is not None and after is not None and before != after else ""
            yield f"not UTF-8{where}: {bad} {'byte' if bad == 1 else 'bytes'}"
            if before == after:
                break
    if not aligned:
        yield "too big to align: shown plain, before then after"


def _facts_of_one(data: bytes | None, side: Side) -> Iterator[str]:
    """Of a file that is created or deleted."""
    if not data:
        yield "empty file"
        return
    if data.startswith(_BOM):
        yield "starts with a BOM"
    kinds = _kinds(side)
    if kinds - {"lf"}:
        yield f"line endings: {_listed(kinds)}"
    if side.endings[-1] == "none":
        yield "no final newline"


def _facts_of_two(before: bytes, after: bytes, old: Side, new: Side) -> Iterator[str]:
    if before.startswith(_BOM) != after.startswith(_BOM):
        yield "BOM removed" if before.startswith(_BOM) else "BOM added"
    was, now = _kinds(old), _kinds(new)
    if was and now and was != now:
        yield f"line endings: {_listed(was)} to {_listed(now)}"
    elif len(now) > 1 and _counts(old) != _counts(new):
        yield f"mixed line endings: {_listed(now)}"
    if old.endings and new.endings:
        if (old.endings[-1] == "none") != (new.endings[-1] == "none"):
            yield "final newline added" if old.endings[-1] == "none" else "final newline removed"
        if old.texts == new.texts:
            pairs = zip(old.endings, new.endings, strict=True)
            if any(a != b and "none" not in (a, b) for a, b in pairs):
                yield "only line endings differ"
            return
        a, b, c, d = trim(old.texts, new.texts, (0, len(old.texts), 0, len(new.texts)))
        was_texts, now_texts = old.texts[a:b], new.texts[c:d]
        if _without_blanks(was_texts) == _without_blanks(now_texts):
            yield "only white space differs"
        elif _composed(was_texts) == _composed(now_texts):
            yield "only the encoding of accents differs (Unicode normalisation)"
        elif looks_like("\n".join(was_texts), "\n".join(now_texts)):
            yield "only characters that look alike differ"


def _kinds(side: Side) -> set[Ending]:
    return set(side.endings) - {"none"}


def _counts(side: Side) -> Counter[Ending]:
    return Counter(side.endings)


def _listed(kinds: set[Ending]) -> str:
    return " and ".join(_NAMES[kind] for kind in ("lf", "crlf", "cr") if kind in kinds)


def _without_blanks(texts: Sequence[str]) -> str:
    return "".join("".join(texts).split())


def _composed(texts: Sequence[str]) -> str:
    return unicodedata.normalize("NFC", "\n".join(texts))


def _not_utf8(data: bytes | None) -> int:
    """How many bytes are not UTF-8."""
    if data is None or is_utf8(data):
        return 0
    return sum("\udc80" <= c <= "\udcff" for c in data.decode("utf-8", "surrogateescape"))


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
