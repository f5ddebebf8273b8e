"""Texts without what must not leave the machine."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from primad_ld.core.errors import PrimadError
from primad_ld.header.redaction.addresses import ADDRESSES
from primad_ld.header.redaction.form_matching import (
    HOST,
    REMOVED,
    SECRET,
    Form,
    Place,
    plain_letters,
)
from primad_ld.header.redaction.passwords_and_tokens import PASSWORDS, TOKENS

#: Whatever is looked for, in this order.
FORMS: Final = (*PASSWORDS, *TOKENS, *ADDRESSES)

# What is left may look like something again, such as /a/~b/c; it gets shorter each time.
_MOST_ROUNDS: Final = 5
# Headers repeat names and versions thousands of times.
_SHORT: Final = 200
_TEXTS_KEPT: Final = 8192
#: Between the items of a list: counts as a blank, and no item has it.
BETWEEN: Final = "\x1f"


def redact_text(text: str, *, keep: Collection[str] = ()) -> tuple[str, tuple[str, ...]]:
    """A text without what must not leave the machine, and what kinds of things were taken out.

    ``keep`` are kinds that may be known, all but secrets.
    """
    kept = frozenset(keep)
    return _redacted_short(text, kept) if len(text) <= _SHORT else _redacted(text, kept)


def check_public(text: str, name: str) -> None:
    """Refuse a text for publication that holds what must not leave the machine.

    Raises:
        PrimadError: What kinds of things it holds; ``name`` is what it is called.
    """
    kinds = redact_text(text)[1]
    if kinds:
        raise PrimadError(f"the {name} holds {' and '.join(kinds)}; remove it")


def redact_words(words: Sequence[str], *, keep: Collection[str] = ()) -> dict[int, str]:
    """Which items of a list are only private together with the items before, and what they are.

    A command may be a list of words, with the secret after the name of its option.
    """
    found: dict[int, str] = {}
    if len(words) < 2:
        return found
    text = BETWEEN.join(word.replace(BETWEEN, " ") for word in words)
    starts = list(accumulate((len(word) + 1 for word in words), initial=0))
    for form in _forms(text, frozenset(keep)):
        if form.kind in (SECRET, HOST):
            for start, end, _ in _places(form, text):
                first, last = bisect_right(starts, start) - 1, bisect_left(starts, end)
                found.update(dict.fromkeys(range(first, last), form.kind))
    return found


def _redacted(text: str, keep: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    found: dict[str, None] = {}
    for _ in range(_MOST_ROUNDS):
        before = text
        for form in _forms(text, keep):
            clean = _without(form, text)
            if clean != text:
                text, found[form.kind] = clean, None
        if text == before:
            break
    return text, tuple(found)


_redacted_short = lru_cache(maxsize=_TEXTS_KEPT)(_redacted)


def _forms(text: str, keep: frozenset[str]) -> list[Form]:
    """The forms that a text may have; most have none."""
    plain, _ = plain_letters(text)
    small = text.lower() if plain is text else f"{text}\n{plain}".lower()
    return [
        form
        for form in FORMS
        if (form.kind not in keep or form.kind == SECRET)
        and any(sign in small for sign in form.signs)
    ]


def _without(form: Form, text: str) -> str:
    kept, at = [], 0
    for start, end, instead in _places(form, text):
        if start >= at:
            kept += [text[at:start], instead]
        at = max(at, end)
    return "".join([*kept, text[at:]])


def _places(form: Form, text: str) -> list[Place]:
    """Where a text has a form, as it is written and as it looks."""
    found = list(form.places(text))
    plain, places = plain_letters(text)
    if plain is not text:
        known, ends = {place[:2] for place in found}, [*places[1:], len(text)]
        for start, end, _ in form.places(plain):
            place = places[start], max(ends[end - 1], places[end - 1] + 1)
            if place not in known:
                found.append((*place, REMOVED))
        found.sort(key=lambda place: (place[0], -place[1]))
    return found
