"""Letters of other scripts that look like Latin ones."""

from __future__ import annotations

_PAIRS = {
    # Cyrillic
    "АВСЕНІЈКМОРЅТХҮԌԚԜ": "ABCEHIJKMOPSTXYGQW",
    "асԁеһіјӏорԛѕвкмнтухԝүѵʏꞓԍ": "acdehijlopqsbkmhtyxwyvycg",
    "зЗбЬ": "336b",
    # Greek
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺϜϒ": "ABEZHIKMNOPTYXCMFY",
    "αγικνορστυχϲϳωηεβτ": "ayiknopstuxcjwneBt",
    # Armenian, Hebrew, Cherokee, Lisu, Coptic
    "ՍՏԼօսոհզցքղյձւ": "USLounhqgpnjdi",
    "ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃᏎ": "ABCDEGHiJKLMPRSTVWZ4",
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓛꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ": "BPDTGKJCCZFMNLSRVHWXYAEIOU",
    "ⲀⲂⲤⲈⲎⲒⲔⲘⲚⲞⲢⲦⲨⲬ": "ABCEHIKMNOPTYX",
    # Latin letters of their own kind, and small capitals
    "ɑɡıɩȷʟɴʀɢʜᴀʙᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱɪʏƄɓɗɛƒɦƙɭɱɲƥɽʂƭʋƴʐøłđħŧƀ": "agiijLNRGHABCDEJKMOPTUVWZFSIYbbdefhklmnprstvyzoldhtb",
    # Digits and signs
    "٠۰٥۵٧٨۷۸०০੦૦௦౦೦൦๐໐၀": "0055787800000000000",
    "‐‑‒−﹘⁃˗": "-------",
    "∶꞉։׃：ː": "::::::",
    "․‧∙": "...",
    "⁄∕⧸": "///",
    "＿ˍ": "__",
    "∗⁎": "**",
    "＝꞊᐀": "===",
}

LOOKALIKES: dict[str, str] = {
    alike: latin for alikes, latins in _PAIRS.items() for alike, latin in zip(alikes, latins, strict=True)
}
