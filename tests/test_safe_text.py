from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.safe_chars import imitations
from memtui.safe_text import alarms, clip, pieces, safe, safe_lines, width
from memtui.safe_twins import looks_like

TRICKY = (
    "\x1b\x00\x07\r\n\t\x7f\x85\x9b\u00a0\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u202e\u2028\u2029"
    "\u2066\ufe0f\ufe0e\ufeff\ufffe\ufff9\ud800\udc80\ue000\u0301\u0308\u20e3\u3000\u3164\U0001f468\U0001f3fd\u2764"
    "\U0001f1e9\U0001f1ea\U0001f3f4\U000e0067\U000e0062\U000e007f\U000e0100\u845b\u0645\u06cc\u0915\u094d\uac00"
    "\u1161 a1#аpо‹›\u0600\U0001fae8\U00012345"
)
texts = st.text(st.one_of(st.sampled_from(TRICKY), st.characters()), max_size=40)


def kinds(text: str, **options: bool) -> list[tuple[str, str]]:
    return [(piece.text, piece.kind) for piece in pieces(text, **options)]


def is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return category[0] == "C" or category in ("Zl", "Zp") or selector


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\x1b", "U+001B"),
        ("\x00", "U+0000"),
        ("\x7f", "U+007F"),
        ("\x85", "U+0085"),
        ("\x9b", "U+009B"),
        ("\u00ad", "U+00AD"),
        ("\u034f", "U+034F"),
        ("\u061c", "U+061C"),
        ("\u115f", "U+115F"),
        ("\u180e", "U+180E"),
        ("\u200b", "U+200B"),
        ("\u200f", "U+200F"),
        ("\u2028", "U+2028"),
        ("\u2029", "U+2029"),
        ("\u202e", "U+202E"),
        ("\u2062", "U+2062"),
        ("\u2069", "U+2069"),
        ("\u3164", "U+3164"),
        ("\ufe0f", "U+FE0F"),
        ("\ufeff", "U+FEFF"),
        ("\ufff9", "U+FFF9"),
        ("\uffff", "U+FFFF"),
        ("\ue000", "U+E000"),
        ("\ud83d", "U+D83D"),
        ("\u0378", "U+0378"),
        ("\U000e0041", "U+E0041"),
        ("\U000e0100", "U+E0100"),
        ("\U0010ffff", "U+10FFFF"),
    ],
)
def test_hidden_and_harmful_characters_become_alarm_tokens(character: str, shown: str) -> None:
    assert kinds(f"a{character}b") == [("a", "plain"), (shown, "alarm"), ("b", "plain")]
    assert alarms(f"a{character}b") == 1
    assert safe(f"a{character}b") == f"a‹{shown}›b"
    assert safe(f"a{character}b", ascii=True) == f"a<{shown}>b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("Отношения с мамой", "Отношения с мамой"),
        ("日本語 한국어", "日本語 한국어"),
        ("שלום مرحبا", "שלום مرحبا"),
        ("e\u0301", "e\u0301"),
        ("no\u00a0break", "no break"),
        ("❤\ufe0f!", "❤!"),
        ("👨\u200d👩\u200d👧", "👨‿👩‿👧"),
        ("❤\ufe0f\u200d🔥", "❤‿🔥"),
        ("👍🏽", "👍⁴"),
        ("👩🏽\u200d🔬", "👩⁴‿🔬"),
        ("🇩🇪🇫🇷", "‹de›‹fr›"),
        ("1\ufe0f\u20e3", "1▢"),
        ("🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "🏴‹gbsct›"),
        ("می\u200cخواهم", "می¦خواهم"),
        ("ه\u200d ", "ه‿ "),
        ("क्\u200dष", "क्‿ष"),
        ("葛\U000e0100", "葛"),
        ("\ufefftitle", "‹BOM›title"),
        ("a\tb", "a‹→›b"),
        ("a\nb", "a‹↵›b"),
        ("a\r\nb", "a‹␍›‹↵›b"),
        ("\u0301x", "◌\u0301x"),
        ("\U0001fbff", "‹U+1FBFF›"),
    ],
)
def test_what_scripts_and_emoji_need_is_no_alarm(text: str, shown: str) -> None:
    assert alarms(text.replace("\U0001fbff", "")) == 0
    assert safe(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "a\u200db",
        "a\u200cb",
        "می\u200c\u200cخواهم",
        "👨\u200d\u200d👩",
        "👨\u200c👩",
        "\u200d👩",
        "🏴\U000e0061\U000e0062\U000e007f",
        "x\ufe0f",
        "❤\ufe0f\ufe0f",
        "7\ufe0f",
        "a\rb",
        "x\ufeff",
    ],
)
def test_the_same_characters_out_of_place_are_an_alarm(text: str) -> None:
    assert alarms(text) >= 1


def test_a_byte_order_mark_is_no_alarm_only_where_a_file_begins() -> None:
    assert kinds("\ufeffx") == [("BOM", "mark"), ("x", "plain")]
    assert kinds("\ufeffx", bom=False) == [("U+FEFF", "alarm"), ("x", "plain")]


def test_a_base_carries_four_combining_marks_and_no_more() -> None:
    assert kinds("e" + "\u0301" * 6 + "f") == [
        ("e" + "\u0301" * 4, "plain"),
        ("U+0301", "alarm"),
        ("U+0301", "alarm"),
        ("f", "plain"),
    ]


def test_a_combining_mark_never_lands_on_a_token() -> None:
    assert kinds("\x1b\u0301") == [("U+001B", "alarm"), ("◌\u0301", "mark")]


def test_blanks_that_cannot_be_seen_are_marked_when_asked_for() -> None:
    assert kinds("a b\u00a0c \t", whitespace=True) == [
        ("a b", "plain"),
        ("⍽", "mark"),
        ("c", "plain"),
        ("·", "mark"),
        ("→", "mark"),
    ]
    assert kinds("a\u2003b", whitespace=True)[1] == ("U+2003", "mark")
    assert kinds("❤\ufe0f", whitespace=True) == [("❤", "plain"), ("VS16", "mark")]
    assert kinds("  \t", whitespace=True, ascii=True) == [(".", "mark"), (".", "mark"), (">", "mark")]


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("pаypal", "p‹а›ypal"),
        ("Αdmin", "‹Α›dmin"),
        ("Мoсква", "М‹o›сква"),
        ("the сор is", "the ‹с›‹о›‹р› is"),
        ("the α and ρ are", "the α and ρ are"),
        ("сор is сор, мусор is мусор", "сор is сор, мусор is мусор"),
        ("g\u2c9f\U0001d428gle", "g‹\u2c9f›‹\U0001d428›gle"),
        ("SQLщик", "SQLщик"),
        ("IT-отдел", "IT-отдел"),
        ("naïve", "naïve"),
        ("μm", "μm"),
    ],
)
def test_letters_that_imitate_another_script_are_marked(word: str, shown: str) -> None:
    assert safe(word) == shown
    assert alarms(word) == 0


def test_lines_stay_lines() -> None:
    assert safe_lines("a\r\nb\x1b\n\n") == "a‹␍›\nb‹U+001B›\n\n"


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("日本語", 4, "日…"),
        ("日本語", 6, "日本語"),
        ("abc", 0, ""),
        ("abc", 1, "…"),
    ],
)
def test_clip_keeps_within_its_cells(text: str, cells: int, shown: str) -> None:
    assert clip(text, cells) == shown
    assert width(clip(text, cells)) <= cells


def test_clip_keeps_a_base_and_its_marks_together() -> None:
    assert clip("e\u0301e\u0301e\u0301", 2) == "e\u0301…"
    assert clip("abcd", 3, ascii=True) == "a.."


@settings(max_examples=200, deadline=None)
@given(texts, st.booleans(), st.booleans(), st.booleans())
def test_pieces_cover_the_source_and_hold_nothing_hidden(
    text: str, blanks: bool, ascii: bool, bom: bool
) -> None:
    found = pieces(text, whitespace=blanks, ascii=ascii, bom=bom)
    assert [p.start for p in found] == [0, *(p.end for p in found[:-1])][: len(found)]
    assert (found[-1].end if found else 0) == len(text)
    assert all(p.start < p.end for p in found)
    assert not any(map(is_hidden, "".join(p.text for p in found)))
    assert all(len(p.text) == p.end - p.start for p in found if p.kind == "plain")


@settings(max_examples=200, deadline=None)
@given(texts)
def test_safe_text_holds_nothing_hidden_and_stays_as_it_is(text: str) -> None:
    shown = safe(text)
    assert not any(map(is_hidden, shown))
    assert "‹" in shown or safe(shown) == shown  # what could be taken for a token is one itself
    assert not any(map(is_hidden, safe_lines(text).replace("\n", "")))


@settings(max_examples=200, deadline=None)
@given(texts)
def test_alarms_are_counted_as_they_are_shown(text: str) -> None:
    assert alarms(text) == sum(p.kind == "alarm" for p in pieces(text))


@settings(max_examples=200, deadline=None)
@given(texts, st.integers(0, 20))
def test_clip_never_exceeds_its_cells(text: str, cells: int) -> None:
    assert width(clip(safe(text), cells)) <= cells


def test_width_agrees_with_the_one_that_draws() -> None:
    from rich.cells import get_character_cell_size

    for code in range(32, sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in ("Cn", "Co", "Cs"):
            continue
        shown = safe(chr(code))
        if shown != chr(code):
            continue
        assert width(shown) == get_character_cell_size(shown), hex(code)


@pytest.mark.parametrize(
    "line",
    [
        "a plain line of prose, as most are\n",
        "Привет, мир. Это строка\n",
        "日本語の文章です。\n",
        "e\u0301 👨\u200d👩 ok\n",
    ],
)
def test_a_mebibyte_is_made_safe(line: str) -> None:
    text = line * (1048576 // len(line.encode()))
    safe_lines(text)


@pytest.mark.parametrize("text", ["\u202e", "\x1b", "a\u200bb", "p\u0430ypal", "\ufefftitle", "🇩🇪", "a\tb"])
@pytest.mark.parametrize("ascii", [False, True])
def test_a_text_cannot_write_a_printed_token_itself(text: str, ascii: bool) -> None:
    printed = safe(text, ascii=ascii)
    if not ascii or "U+" in printed:
        assert safe(printed, ascii=ascii) != printed
        assert safe_lines(printed, ascii=ascii) != printed


def test_quotation_marks_stay_as_they_are() -> None:
    for text in ("‹ein längeres Zitat›", "a ‹ b › c", "<b>bold</b>", "x ‹"):
        assert safe(text) == text
    assert safe("<b> <U+202E>") == "<b> <U+202E>"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Noël Schröder, naïve, Ärzte", "Noёl Schrӧder, naїve, Ӓrzte"),
        ("ГПФ", "ΓΠΦ"),
        ("Đurić", "Ðurić"),
        ("ə", "ǝ"),
        ("へべ", "ヘベ"),
        ("æ ça µ", "ӕ ҫa μ"),
        ("علي", "علی"),
        ("กิ่", "ก่ิ"),
        ("Straße", "Straβe"),
        ("é", "e\u0301"),
    ],
)
def test_texts_that_no_eye_tells_apart_look_alike_also_without_an_ascii_twin(one: str, other: str) -> None:
    assert looks_like(one, other)
    assert not looks_like(one, one)
    assert not looks_like(one, f"{other}x")


@pytest.mark.parametrize(
    ("text", "places"), [("Noёl", [2]), ("naїve Ӓrzte", [2, 6]), ("naïve", []), ("Ёлка", [])]
)
def test_a_letter_with_an_accent_imitates_as_the_bare_one_does(text: str, places: list[int]) -> None:
    assert imitations(text) == places
