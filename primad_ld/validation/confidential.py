"""What a report must not repeat: values that hold what a profile calls a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from primad_ld.core.iris import FIELD, SH
from primad_ld.header.redaction import SECRET as PRIVATE
from primad_ld.header.redaction import redact_text
from primad_ld.rdf.index import Object
from primad_ld.shacl.data import LayeredData
from primad_ld.shacl.judge import Judge, Result
from primad_ld.shacl.literals import STRING
from primad_ld.validation.profiles import Profile

#: The mark of a shape whose values are secrets.
SECRET: Final = FIELD + "secret"
_NOT: Final = SH + "not"
_TEXTS_KEPT: Final = 10_000


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


def without_secrets(results: Iterable[Result], profile: Profile) -> Iterator[Result]:
    """Results whose values may be shown to anybody."""
    tells = secret_finder(profile)
    for result in results:
        if result.value is not None and tells(result.value.value):
            result = result._replace(value=Object("…", STRING))
        yield result
