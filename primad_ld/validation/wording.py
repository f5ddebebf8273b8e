"""Messages of shapes, with the values that they are about filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from primad_ld.core.iris import SH
from primad_ld.shacl.judge import Result
from primad_ld.validation.profiles import Profile

_PLACE_MARK: Final = re.compile(r"\{[?$](\w+)\}")
_LONGEST_VALUE: Final = 60


def message_of(profile: Profile, language: str = "en") -> Callable[[Result], str]:
    """What a report says of a result, with the value filled in."""

    def message(result: Result) -> str:
        texts = {"value": shown(result.value.value) if result.value else ""}
        text = message_text(profile, result.shape, language)
        return filled(text, texts) or default_message(result, texts)

    return message


def message_text(profile: Profile, shape: str, language: str) -> str:
    """The message of a shape, or of the SPARQL constraint that it has; "" without one."""
    text = profile.text(shape, SH + "message", language)
    known = profile.shapes.by_iri.get(shape)
    return text or next((said for said, _ in known.messages), "") if known else text


@cache
def _default_component(component: str) -> str:
    name = component.rpartition("#")[2].removesuffix("ConstraintComponent")
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*", name)).lower()


def default_message(result: Result, texts: Mapping[str, str]) -> str:
    """What can be said where a shape has no message."""
    about = f"{texts['value']} " if texts["value"] else ""
    return f"{about}does not fit: {_default_component(result.component)}"


def filled(message: str, texts: Mapping[str, str]) -> str:
    """A message with its places filled in."""
    return _PLACE_MARK.sub(lambda match: texts.get(match[1], match[0]), message)


def shown(value: object) -> str:
    """A value as a message quotes it, on one line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    if len(text) > _LONGEST_VALUE:
        # The end tells more than the middle: it is the name of a file, or the last option.
        text = f"{text[: _LONGEST_VALUE // 2]}…{text[1 - _LONGEST_VALUE // 2 :]}"
    return f'"{text}"' if isinstance(value, str) else text
