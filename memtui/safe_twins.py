"""Characters that look like an ASCII one, from Unicode's list of confusable characters (UTS #39), one cell each.

What differs from an ASCII character at a glance (fullwidth letters, emoji, most accents) is not in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

_TWINS = (
    "!ǃⵑ &ꝸ '´ʹʻʼʽʾˈˊˋ˴ʹ΄՚՝ᑊᛌ᾽᾿´῾‘’‛′‵ꞌ *∗\U0001031f +᛭\U0001029b ,¸‚ꓹ -˗‐‑‒–⁃−Ⲻ .\u06f0․ꓸ꘎ "
    "/᜵⁁⁄∕\U0001d23a 2ƧϨᒿꙄꛯꝚ\U0001fbf2 3ƷȜЗӠⳌꝪꞫ\U000118ca\U00016f3b\U0001d206\U0001fbf3 "
    "4Ꮞ\U000118af\U0001fbf4 5Ƽ\U000118bb\U0001fbf5 6бᏮⳒ\U000118d5\U0001fbf6 "
    "7\U000104d2\U000118c6\U0001d212\U0001fbf7 8Ȣȣ৪੪\U0001031a\U0001fbf8 "
    "9৭੧୨൭ⳊꝮ\U000118ac\U000118cc\U000118d6\U0001fbf9 :ː˸։᛬᠃᠉⁚∶ꓽ꞉ <˂ᐸᚲ‹\U0001d236 =᐀꓿ "
    ">˃ᐳ›\U00016f3f\U0001d237 ?ɁʔॽᎮꛫ AΑАᎪᗅꓮ\U000102a0\U00016f40 BΒВᏴᗷℬꓐꞴ\U00010282\U000102a1\U00010301 "
    "CϹСᏟℂℭⅭⲤꓚ\U000102a2\U00010302\U00010415\U0001051c\U000118e9\U000118f2\U0001f74c DᎠᗞᗪⅅⅮꓓ "
    "EΕЕᎬℰ⋿ⴹꓰ\U00010286\U000118a6\U000118ae "
    "FϜᖴℱꓝꞘ\U00010287\U000102a5\U00010525\U000118a2\U000118c2\U0001d213 GԌᏀᏳꓖ HΗНᎻᕼℋℌℍⲎꓧ\U000102cf "
    "JͿЈᎫᒍꓙꞲ KΚКᏦᛕⲔꓗ\U00010518 LᏞᒪℒⅬⳐꓡ\U0001041b\U00010526\U000118a3\U000118b2\U00016f16\U0001d22a "
    "MΜϺМᎷᗰᛖℳⅯⲘꓟ\U000102b0\U00010311 NΝℕⲚꓠ\U00010513 "
    "OΟОՕ০ଠ୦ዐⲞⵔꓳ\U00010292\U000102ab\U00010404\U000104c2\U00010516\U000114d0\U000118b5\U000118e0 "
    "O\U0001fbf0 PΡРᏢᑭℙⲢꓑ\U00010295 Qℚⵕ RƦᎡᏒᖇℛℜℝꓣ\U000104b4\U00016f35\U0001d216 "
    "SЅՏᏕᏚꓢ\U00010296\U00010420\U00016f3a "
    "TΤТᎢⲦꓔ\U00010297\U000102b1\U00010315\U000118bc\U00016f0a\U0001f768 "
    "UՍሀᑌꓴ\U000104ce\U000118b8\U00016f42 VѴ\u06f7ᏙᐯⅤⴸꓦꛟ\U0001051d\U000118a0\U00016f08\U0001d20d "
    "WԜᎳᏔꓪ\U000118e6\U000118ef XΧХ᙭ᚷⅩⲬⵝꓫꞳ\U00010290\U000102b4\U00010317\U00010322\U00010527\U000118ec "
    "YΥϒУҮᎩᎽⲨꓬ\U000102b2\U000118a4\U00016f43 ZΖᏃℤℨꓜ\U000102f5\U000118a9\U000118e5 \\∖\U0001d20f\U0001d23b "
    "^˄ˆ aɑαа⍺ bƄЬᏏᑲᖯ cϲсᴄⅽⲥꮯ\U0001043d dԁᏧᑯⅆⅾꓒ eеҽ℮ℯⅇꬲ fſքẝꞙꬵ gƍɡցᶃℊ hһհᏂℎ iıɩɪ˛ͺιіӏᎥιℹⅈⅰ⍳ꙇꭵ\U000118c3 "
    "jϳјⅉ lƖǀΙІӀ\u06f1ᛁℐℑℓⅠⅼ∣⏽Ⲓⵏꓲ￨\U0001028a\U00010309\U00010320\U00016f28\U0001fbf1 nոռ "
    "oοσоօ\u06f5०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑℴⲟꬽ\U0001042c\U000104ea\U000118c8\U000118d7 pρϱр⍴ⲣ qԛգզ rгᴦⲅꭇꭈꮁ "
    "sƽѕꜱꮪ\U00010448\U000118c1 uʋυսᴜꞟꭎꭒ\U000104f6\U000118d8 vνѵᴠⅴꮩ\U00011706\U000118c0 "
    "wɯѡԝաᴡꮃ\U0001170a\U0001170e\U0001170f x×хᕁᕽ᙮ⅹ yɣʏγуүყᶌỿℽꭚ\U000118dc zᴢꮓ\U000118c4 {\U0001d114 ~˜῀∼"
)
"""Words: an ASCII character, then all that look like it."""


def _by_first(words: str) -> dict[str, str]:
    """Of each word the first character, by each of the others."""
    return {twin: word[0] for word in words.split(" ") for twin in word[1:]}


TWINS: Mapping[str, str] = _by_first(_TWINS)
"""The ASCII character that each one looks like."""

_ALIKE = (
    "ГΓ ПΠ ФΦ ĐÐƉ əǝә ƏӘ æӕ ÆӔ µμ ßβ ヘへ 二ニ 力カ 口ロ囗 工エ 八ハ 夕タ 卜ト 一ー⼀ 才オ 千チ 丿ノ 彡ミ "
    "يیى كک هہە ٠۰ ١۱ ٢۲ ٣۳ ٧۷ ٨۸ ٩۹"
)
"""Words of characters that look like each other, none of which looks like an ASCII one."""
_BARS = dict.fromkeys("I|1", "l")
_SKELETON = str.maketrans(
    {
        **_by_first(_ALIKE),
        **{twin: _BARS.get(to, to) for twin, to in TWINS.items()},
        **_BARS,
        "ҫ": "c\u0327",
        "Ҫ": "C\u0327",
    }
)
_STACKED = re.compile("[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece]{2,}")
"""Marks of Thai and Lao, which Unicode puts in no order: above and below one letter, either may come first."""


def skeleton(text: str) -> str:
    """What `text` looks like: two texts with one skeleton can hardly be told apart by eye."""
    if text.isascii():
        return text.translate(_SKELETON)
    plain = unicodedata.normalize("NFD", text)
    if any("\U0001d400" <= character <= "\U0001d7ff" for character in plain):
        plain = "".join(
            unicodedata.normalize("NFKC", c) if "\U0001d400" <= c <= "\U0001d7ff" else c for c in plain
        )
    plain = _STACKED.sub(lambda marks: "".join(sorted(marks[0])), plain)
    return plain.translate(_SKELETON)


def looks_like(one: str, other: str) -> bool:
    """Whether two different texts look the same, and one of them is more than ASCII."""
    return one != other and not (one.isascii() and other.isascii()) and skeleton(one) == skeleton(other)
