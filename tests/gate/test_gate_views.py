"""Views: each takes one disguise off, keeps the line numbers, and none grows without bound."""

from __future__ import annotations

import base64
import gzip
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.gate.view_decoders import MAX_INFLATED
from memtui.gate.views import MAX_VIEWED, MAX_VIEWS, views


def test_the_text_as_it_stands_comes_first() -> None:
    assert next(views("plain words")).text == "plain words"
    assert [view.name for view in views("plain words")] == ["as it stands", "reversed", "rot13"]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("\uff48\uff49", "hi"),
        ("h\u200bi", "hi"),
        ("\U000e0068\U000e0069", "hi"),
        ("&#104;&#x69;", "hi"),
        ("&amp;#104;i", "hi"),
        ("%68%2569", "hi"),
        ("\\u0068\\x69", "hi"),
        ("%26%2335%3B%26%23104%3B", "#h"),
    ],
)
def test_disguises_come_off(text: str, bare: str) -> None:
    assert f"say {bare}, so" in [view.text for view in views(f"say {text}, so")]


ENCODED = {
    "base64": "Z3JlZW4gdGVhLCBubyBzdWdhcg==",
    "base64, wrapped": "    Z3JlZW4gdGVh\n    LCBubyBzdWdh\n    cg==",
    "base64, quoted": "> Z3JlZW4gdGVh\n> LCBubyBzdWdh\n> cg==",
    "base64, no padding": "Z3JlZW4gdGVhLCBubyBzdWdhcg",
    "base64 twice": "WjNKbFpXNGdkR1ZoTENCdWJ5QnpkV2RoY2c9PQ==",
    "base32": "M5ZGKZLOEB2GKYJMEBXG6IDTOVTWC4Q=",
    "hex": "677265656e207465612c206e6f207375676172",
    "hex, spaced": "67 72 65 65 6e 20 74 65 61 2c 20 6e 6f 20 73 75 67 61 72",
    "hex, colons": "67:72:65:65:6E:20:74:65:61:2C:20:6E:6F:20:73:75:67:61:72",
    "hex, a list": ", ".join(f"0x{byte:02x}" for byte in b"green tea, no sugar"),
    "decimal": "103 114 101 101 110 32 116 101 97 44 32 110 111 32 115 117 103 97 114",
    "backwards": "ragus on ,aet neerg",
    "rot13": "terra grn, ab fhtne",
    "apart": "g r e e n   t e a ,   n o   s u g a r",
    "dashes": "g-r-e-e-n- -t-e-a-,- -n-o- -s-u-g-a-r",
    "one a line": "\n".join("green tea, no sugar"),
    "cut": "green\n tea,\n no s\nugar",
    "strings": '"green te" + "a, no su" + "gar"',
}


@pytest.mark.parametrize("name", ENCODED)
def test_encoded_text_is_read(name: str) -> None:
    assert any("green tea, no sugar" in view.text for view in views(f"one\n\n{ENCODED[name]}\n\ntwo"))


def test_compressed_text_is_read_up_to_a_bound() -> None:
    packed = base64.b64encode(gzip.compress(b"green tea, no sugar. " * 100_000)).decode()
    held = [view.text for view in views(packed) if "green tea, no sugar" in view.text]
    assert held
    assert max(map(len, held)) <= MAX_INFLATED


@pytest.mark.parametrize("length", [16, 40, 300, 5_000])
def test_what_is_no_text_is_left_alone(length: int) -> None:
    data = random.Random(length).randbytes(length)
    for text in (base64.b64encode(data).decode(), data.hex()):
        assert not any(
            view.name.startswith("base64") for view in views(f"![dot](data:image/png;base64,{text})")
        )


def test_views_say_which_lines_they_show() -> None:
    text = "one\ntwo\n\n  Z3JlZW4gdGVh\n  LCBubyBzdWdh\n  cg==\n\nlast"
    view = next(view for view in views(text) if "green tea" in view.text)
    start = view.text.index("green")
    assert view.lines(start, start + 5) == (4, 6)
    assert view.line(view.text.index("last")) == 8
    turned = next(view for view in views("one\nowt\nthree") if view.name == "reversed")
    assert turned.line(turned.text.index("two")) == 2


def test_lines_keep_their_numbers() -> None:
    text = "one\n%0Atwo &#10; \\n\nthree"
    for view in views(text):
        if "three" in view.text:
            assert view.line(view.text.index("three")) == 3


def test_joined_lines_know_where_they_began() -> None:
    joined = next(view for view in views("- ab\n  - cd\n> ef  \n12. gh\n\nnext") if view.joined)
    assert joined.text == "abcdefgh\n\nnext"
    assert [joined.line(offset) for offset in range(8)] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert joined.lines(0, 8) == (1, 4)
    assert joined.joints == {0, 2, 4, 6}


def test_a_text_beyond_the_bound_is_left_as_it_stands() -> None:
    assert len(list(views("%41" * MAX_VIEWED))) == 1


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_every_line_of_every_view_is_a_line_of_the_text(text: str) -> None:
    last = text.count("\n") + 1
    shown = list(views(text))
    assert len(shown) <= MAX_VIEWS + 1
    for view in shown:
        assert all(1 <= view.line(offset) <= last for offset in range(len(view.text)))
