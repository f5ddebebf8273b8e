"""Texts of any length in a time that grows as they do, where the standard library takes longer.

Unicode is normalised in a time that grows with the square of a run of marks, and `difflib` compares
two names in one that grows with the square of their length. What a library reads as one value is no
longer than `LONGEST_VALUE`; a longer text is none, and stays a text. Patterns have no such limit:
each is linear by itself (``tests/core/test_patterns.py``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

#: Nobody writes a longer version, address or requirement.
LONGEST_VALUE: Final = 2000
#: A name for which somebody may have mistyped another one.
_LONGEST_NAME: Final = 200
#: Marks of a letter. No script has more than a few; to sort so many takes no time.
_MOST_MARKS: Final = 64

Form = Literal["NFC", "NFKC", "NFD", "NFKD"]


def normalized(form: Form, text: str) -> str:
    """A text in a normal form of Unicode: what `unicodedata.normalize` gives."""
    if len(text) > _MOST_MARKS and not text.isascii() and _has_many_marks(text):
        text = "".join(_in_order("NFKD" if "K" in form else "NFD", text))
    return unicodedata.normalize(form, text)


def _has_many_marks(text: str) -> bool:
    runs = ((is_mark, sum(1 for _ in run)) for is_mark, run in groupby(map(_is_mark, text)))
    return any(is_mark and length > _MOST_MARKS for is_mark, length in runs)


@lru_cache(maxsize=4096)
def _is_mark(letter: str) -> bool:
    """Whether a character is a mark, or is made of marks."""
    return unicodedata.combining(unicodedata.normalize("NFKD", letter)[0]) > 0


def _in_order(form: Form, text: str) -> Iterator[str]:
    """The characters that a text is made of, the marks of each letter in the order of Unicode."""
    decompose = lru_cache(maxsize=4096)(unicodedata.normalize)
    letters = (part for letter in text for part in decompose(form, letter))
    for _, run in groupby(letters, lambda letter: unicodedata.combining(letter) > 0):
        yield from sorted(
            run, key=unicodedata.combining
        )  # letters of one class stay where they are


def closest(name: str, known: Iterable[str], most: int = 1, least: float = 0.6) -> list[str]:
    """The known names that are most like an unknown one; empty for a text too long to be a name."""
    from difflib import get_close_matches

    if len(name) > _LONGEST_NAME:
        return []
    return get_close_matches(
        name, [other for other in known if len(other) <= _LONGEST_NAME], most, least
    )
