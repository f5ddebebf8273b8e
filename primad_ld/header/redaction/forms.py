"""What a form is: one way to write something that must not leave the machine.

Texts may come from anybody: each pattern begins at few places and goes over what follows once,
so the work grows as the text does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

#: What stands in the place of something that has no part which others may know.
REMOVED: Final = "[removed]"

MAIL: Final = "a mail address"
LOCAL_PATH: Final = "a path of one machine"
LOGIN: Final = "a login in an address"
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
