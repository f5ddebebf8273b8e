"""Texts in plain letters, so that look-alikes and characters that nobody sees hide nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

#: Latin letters, each with those of other scripts that look like it (Cyrillic, Greek, Armenian,
#: phonetic).
_LOOK_ALIKES: Final = (
    "A\u0410\u0391 B\u0412\u0392 C\u0421 E\u0415\u0395 H\u041d\u0397 I\u0406\u0399\u04c0 "
    "J\u0408 K\u041a\u039a M\u041c\u039c N\u039d O\u041e\u039f\u0555 P\u0420\u03a1 "
    "S\u0405\u054f T\u0422\u03a4 X\u0425\u03a7 Y\u04ae\u03a5 Z\u0396 "
    "a\u0430\u03b1\u0251\u1d00 c\u0441\u1d04 d\u0501\u1d05 e\u0435\u03b5\u1d07 g\u0261 "
    "h\u04bb\u0570 i\u0456\u03b9\u0131\u0269 j\u0458\u1d0a k\u043a\u03ba\u1d0b "
    "l\u04cf\u029f m\u043c\u1d0d n\u0578\u0274 p\u0440\u03c1\u1d18 "
    "o\u043e\u03bf\u0585\u1d0f q\u051b r\u0433\u0280 s\u0455\ua731 t\u0442\u03c4\u1d1b "
    "u\u057d\u03c5\u1d1c v\u0475\u03bd\u1d20 w\u051d\u0461\u03c9\u1d21 x\u0445\u03c7 "
    "y\u0443\u04af z\u1d22"
)
_ALIKE: Final = {ord(one): alike[0] for alike in _LOOK_ALIKES.split() for one in alike[1:]}
#: Not drawn, although Unicode counts them as letters or symbols.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")


def plain_letters(text: str) -> tuple[str, Sequence[int]]:
    """A text as it looks, for patterns, and the place in the text where each letter comes from."""
    if text.isascii() and _UNSEEN.search(text) is None:
        return text, range(len(text))
    plain, places = _plain_letters(text)
    return (text, range(len(text))) if plain == text else (plain, places)


@lru_cache(maxsize=8)
def _plain_letters(text: str) -> tuple[str, Sequence[int]]:
    letters = list(map(_plain, text))
    places = [place for place, plain in enumerate(letters) for _ in plain]
    return "".join(letters), places


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    """What is seen of a character: nothing of marks and of controls."""
    seen = (
        one
        for one in unicodedata.normalize("NFKD", letter)
        if one not in _BLANK
        and unicodedata.category(one) not in ("Mn", "Me", "Cf")
        and _UNSEEN.match(one) is None
    )
    return "".join(seen).translate(_ALIKE)
