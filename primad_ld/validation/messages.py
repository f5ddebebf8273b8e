"""Messages of shapes, with the values that they are about filled in, and without secrets.

A report goes to many people. It must not repeat values that hold what a profile calls a secret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from primad_ld.core.errors import LimitError
from primad_ld.core.iris import FIELD, SH
from primad_ld.core.processes import within
from primad_ld.header.redaction import SECRET as PRIVATE
from primad_ld.header.redaction import redact_text
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.literals import STRING
from primad_ld.validation.profiles import Profile, load_profile
from primad_ld.validation.user_profiles import ended, limits_for

_PLACE_MARK: Final = re.compile(r"\{[?$](\w+)\}")
_LONGEST_VALUE: Final = 60


def message_of(profile: Profile, language: str = "en") -> Callable[[ShapeResult], str]:
    """What a report says of a result, with the value filled in."""

    def message(result: ShapeResult) -> str:
        texts = {"value": shown(result.value.value) if result.value else ""}
        text = message_text(profile, result.shape, language)
        return filled(text, texts) or default_message(result, texts)

    return message


def message_text(profile: Profile, shape: str, language: str) -> str:
    """The message of a shape, or of the SPARQL constraint that it has; "" without one."""
    text = profile.text(shape, SH + "message", language)
    known = profile.shapes.by_iri.get(shape)
    return text or next((said for said, _ in known.messages), "") if known else text


def default_message(result: ShapeResult, texts: Mapping[str, str]) -> str:
    """What can be said where a shape has no message."""
    about = f"{texts['value']} " if texts["value"] else ""
    return f"{about}does not fit: {_default_component(result.component)}"


@cache
def _default_component(component: str) -> str:
    name = component.rpartition("#")[2].removesuffix("ConstraintComponent")
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*", name)).lower()


def filled(message: str, texts: Mapping[str, str]) -> str:
    """A message with its places filled in."""
    return _PLACE_MARK.sub(lambda match: texts.get(match[1], match[0]), message)


#: What stands for a value in a message about no header in particular.
_IN_GENERAL: Final = {"value": "the value", "key": "the key", "field": "the field"}


def in_general(message: str) -> str:
    """A message as it reads where there is no value."""
    return _PLACE_MARK.sub(lambda match: _IN_GENERAL.get(match[1], match[1]), message)


def shown(value: object) -> str:
    """A value as a message quotes it, on one line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    if len(text) > _LONGEST_VALUE:
        # The end tells more than the middle: it is the name of a file, or the last option.
        text = f"{text[: _LONGEST_VALUE // 2]}…{text[1 - _LONGEST_VALUE // 2 :]}"
    return f'"{text}"' if isinstance(value, str) else text


# Secrets ----------------------------------------------------------------------------------

#: The mark of a shape whose values are secrets.
SECRET: Final = FIELD + "secret"
_NOT: Final = SH + "not"
_TEXTS_KEPT: Final = 10_000


def without_secrets(results: Iterable[ShapeResult], profile: Profile) -> Iterator[ShapeResult]:
    """Results whose values may be shown to anybody.

    What a profile of a user calls a secret is looked for within the limits of such profiles.
    """
    results = list(results)
    texts = [result.value.value if result.value is not None else "" for result in results]
    try:
        with within(limits_for(profile), _make_finder, (profile.names,)) as tell:
            for result, is_secret in zip(results, tell(texts), strict=True):
                yield result._replace(value=Object("…", STRING)) if is_secret else result
    except LimitError as error:
        raise ended(profile, error) from None


def _make_finder(names: tuple[str, ...]) -> Callable[[Iterable[str]], Iterator[bool]]:
    tells = secret_finder(load_profile(*names))
    return lambda texts: (bool(text) and tells(text) for text in texts)


def secret_finder(profile: Profile) -> Callable[[object], bool]:
    """Whether a value holds a secret, by the profile or by the forms that drafts leave out."""
    judge = Judge(replace(profile.shapes, unsupported=()))
    forms = {
        form.value
        for shape in profile.shapes
        if profile.has(shape.iri, SECRET)
        for form in profile.terms.values(shape.iri, _NOT)
        if form.value in profile.shapes.by_iri
    }
    nothing = LayeredData({})

    @lru_cache(maxsize=_TEXTS_KEPT)
    def has_form(text: str) -> bool:
        if PRIVATE in redact_text(text)[1]:
            return True
        node = Object(text, STRING)
        return any(not judge.judge_node(nothing, form, node) for form in forms)

    def tells(value: object) -> bool:
        if isinstance(value, str):
            return has_form(value)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return has_form(" ".join(value)) or any(map(has_form, value))
        below = value.values() if isinstance(value, dict) else value
        return isinstance(below, Iterable) and any(map(tells, below))

    return tells
