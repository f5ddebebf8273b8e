"""Forms: each is one way to write something that must not leave the machine.

Texts may come from anybody: each pattern begins at few places and goes over what follows once,
so the work grows as the text does. Texts are searched in plain letters, too, so that look-alikes and
characters that nobody sees hide nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

#: What stands in the place of something that has no part which others may know.
REMOVED: Final = "[removed]"

MAIL: Final = "an email address"
LOCAL_PATH: Final = "a local path"
LOGIN: Final = "a login in a URL"
HOST: Final = "a private address or host"
SECRET: Final = "a password or an access token"  # noqa: S105  it is none
#: What people may want to keep, by a short name; secrets are nobody's.
KINDS: Final = {"mail": MAIL, "paths": LOCAL_PATH, "logins": LOGIN, "hosts": HOST}

Match = re.Match[str]
#: A place in a text, and what is to stand there.
Place = tuple[int, int, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One way to write something that must not leave the machine."""

    name: str
    kind: str
    #: The group ``x`` is what is left out, or all of it where there is no such group.
    written: str
    flags: int
    #: A text with the form has one of these, in small letters.
    signs: tuple[str, ...]
    #: An example; what is left out stands between « and ».
    caught: str
    #: One that looks like it, and stays.
    kept: str
    #: Only inside of these, such as the call of one program.
    inside: str | None = None
    #: Where in a match, if the pattern alone cannot say.
    part: Callable[[Match], tuple[int, int] | None] | None = None
    instead: str | Callable[[str], str] = REMOVED

    @property
    def pattern(self) -> re.Pattern[str]:
        """What is looked for; made when a text may have it, since most texts have none."""
        return _compiled(self.written, self.flags)

    @property
    def within(self) -> re.Pattern[str] | None:
        """The regions in which it is looked for, if not everywhere."""
        return _compiled(self.inside, 0) if self.inside else None

    def places(self, text: str) -> Iterator[Place]:
        """What of a text is left out, in order, and what stands there instead."""
        end = 0
        for region in self.within.finditer(text) if self.within else [None]:
            for match in self.pattern.finditer(text, *(region.span() if region else ())):
                # A value may hold what looks like the next one.
                found = self._span(match) if match.start() >= end else None
                if found is not None:
                    start, end = found
                    yield start, end, self.replacement(text[start:end])

    def _span(self, match: Match) -> tuple[int, int] | None:
        if self.part is not None:
            return self.part(match)
        return match.span("x" if "x" in self.pattern.groupindex else 0)

    def replacement(self, found: str) -> str:
        """What stands in the place of something that was found."""
        return self.instead if isinstance(self.instead, str) else self.instead(found)


@cache
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def form(
    name: str,
    kind: str,
    pattern: str,
    signs: str,
    caught: str,
    kept: str,
    *,
    instead: str | Callable[[str], str] = REMOVED,
    within: str | None = None,
    part: Callable[[Match], tuple[int, int] | None] | None = None,
    flags: int = re.IGNORECASE | re.MULTILINE,
) -> Form:
    """A row of a table; signs stand between blanks."""
    return Form(
        name=name,
        kind=kind,
        written=pattern,
        flags=flags,
        signs=tuple(signs.split()),
        caught=caught,
        kept=kept,
        instead=instead,
        inside=within,
        part=part,
    )


#: What examples of keys hold. They are put together, so that nobody finds a key in these files.
LETTERS: Final = "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V"
DIGITS: Final = "0123456789abcdef" * 2
#: From the name of a program to the end of its call, also on the next lines.
END_OF_CALL: Final = r"(?:(?!&&|\|\||[;|]\s)(?:[^\n]|(?<=\\)\n))*"


# Plain letters ----------------------------------------------------------------------------

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
