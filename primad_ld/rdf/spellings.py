"""How a header writes what its graph does not give back: texts, the order of sets, empty keys.

It stands with the record of the header, as JSON: what is written by where it is written, a JSON
Pointer (RFC 6901) into the header with its known keys in their canonical spelling.

- a text: that text, in the place of the canonical one;
- a mapping of numbers to spaces: the canonical text with these spaces before so many of its words;
- a list of numbers: the members of the set in this order, counted from 0 as they are sorted;
- null, an empty list or an empty mapping: that value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from primad_ld.schema.canonical import SPACES

#: A place in the header: canonical keys, and places in lists as they are written, from 0.
Trail = tuple["str | int", ...]

_INDEX: Final = re.compile("0|[1-9][0-9]{0,8}")


def pointer(keys: Iterable[str | int]) -> str:
    """A place in a header as a JSON Pointer."""
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in keys)


def dotted(trail: Trail) -> str:
    return ".".join(map(str, trail))


def nested(found: Iterable[tuple[Trail, object]]) -> dict[str, object]:
    """Values by their trails as nested mappings."""
    result: dict[str, object] = {}
    for trail, value in found:
        keys = [str(step + 1) if isinstance(step, int) else step for step in trail]
        inner = result
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})  # type: ignore[assignment]
        inner[keys[-1]] = value
    return result


def spelling(plain: str, text: str) -> object:
    """A text where the graph gives back another: the text, or its spaces if that is shorter."""
    if not plain or text.split() != plain.split():
        return text
    if " ".join(SPACES.split(text)).strip(" ") != plain:
        return text
    words = text.strip(_STRIPPED)
    gaps = [
        text[: text.index(words)],
        *SPACES.findall(words),
        text[text.index(words) + len(words) :],
    ]
    usual = ["", *[" "] * (len(gaps) - 2), ""]
    found = {
        str(number): gap
        for number, (gap, one) in enumerate(zip(gaps, usual, strict=True))
        if gap != one
    }
    return found if 8 * len(found) < len(text) else text


_STRIPPED: Final = " \t\r\n\u00a0"


def restore(header: object, written: object) -> None:
    """Bring back how a header was written. What does not fit is left out."""
    if not isinstance(written, dict):
        return
    # What is above comes first: places are those in the file.
    for place in sorted(written, key=lambda place: (place.count("/"), place)):
        keys = [key.replace("~1", "/").replace("~0", "~") for key in place.split("/")[1:]]
        if keys:
            _restore(header, keys, written[place])


def _restore(value: object, keys: Sequence[str], said: object) -> None:
    *above, last = keys
    for key in above:
        value = _inner(value, key, make=not said)
    if isinstance(value, list):
        place = int(last) if _INDEX.fullmatch(last) else len(value)
        if place < len(value):
            value[place] = _written(value[place], said)
    elif isinstance(value, dict):
        if last in value:
            value[last] = _written(value[last], said)
        elif not said and not isinstance(said, str):
            value[last] = said


def _inner(value: object, key: str, *, make: bool) -> object:
    if isinstance(value, list):
        return value[int(key)] if _INDEX.fullmatch(key) and int(key) < len(value) else None
    if isinstance(value, dict):
        return value.setdefault(key, {}) if make else value.get(key)
    return None


def _written(value: object, said: object) -> object:
    if isinstance(said, str):
        return said if isinstance(value, str) else value
    if isinstance(said, dict) and isinstance(value, str):
        return _spaced(value, said)
    if isinstance(said, list) and said and isinstance(value, str):
        value = [value]  # one reference is a text
    if isinstance(said, list) and isinstance(value, list):
        ranks = [rank for rank in said if type(rank) is int and 0 <= rank < len(value)]
        if len(ranks) == len(said) and set(ranks) == set(range(len(value))):
            return [_copied(value[rank]) for rank in ranks]
    return value


def _spaced(text: str, said: dict[str, object]) -> str:
    words = text.split(" ")
    usual = ["", *[" "] * (len(words) - 1), ""]
    gaps = [str(said.get(str(number), gap)) for number, gap in enumerate(usual)]
    return "".join(gap + word for gap, word in zip(gaps, [*words, ""], strict=True))


def _copied(value: object) -> object:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value
