"""Values whose letters or pieces were set apart are seen as they are."""

from __future__ import annotations

import pytest

from memtui.gate.secrets import find

TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"
KEY_ID = "AK" + "IA" + "Q7XR2MNB5TLKJ3WD"


def pieces(text: str, length: int) -> list[str]:
    return [text[at : at + length] for at in range(0, len(text), length)]


def found(text: str) -> set[str]:
    return {each.value for each in find(f"Some words first.\n\n{text}\n\nand after.\n")}


@pytest.mark.parametrize("blank", ["\u00a0", "\u2009", "\u202f", "\u2003"])
@pytest.mark.parametrize("length", [3, 4, 5, 8])
def test_unusual_blanks_between_pieces_of_one_length(blank: str, length: int) -> None:
    for token in (TOKEN, KEY_ID):
        if len(token) > 3 * length:
            assert token in found(f"Jo pushed with {blank.join(pieces(token, length))} last night")


@pytest.mark.parametrize("token", [TOKEN, KEY_ID])
def test_letters_spaced_out_within_a_sentence(token: str) -> None:
    assert token in found(f"Jo pushed with {' '.join(token)} last night")
    assert token in found(f"{' '.join(token)} it was")
    assert token in found(f"It was {' '.join(token)}")


def test_digits_of_a_card_spaced_out_within_a_sentence() -> None:
    assert "4539148803436467" in found(f"pay with {' '.join('4539148803436467')} exp 04/29")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("length", [7, 12])
def test_soft_breaks_of_quoted_printable(end: str, length: int) -> None:
    assert TOKEN in found(f"Jo pushed with {f'={end}'.join(pieces(TOKEN, length))} last night")


@pytest.mark.parametrize(
    "text",
    [
        "1\u00a0234\u00a0567\u00a0890\u00a0123",
        "the\u00a0bus\u00a0was\u00a0late\u00a0again",
        "A=abcdef=\nB=abcdef=\nC=abcdef=",
        "We saw a b c d e f g h of the list.",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    assert found(text) == set()
