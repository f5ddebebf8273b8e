"""Terms that nanopublications of before use, and what they are called now: a table of the ontology."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from primad_ld.core.files import resource
from primad_ld.core.iris import DCT, NAME, PRIMAD
from primad_ld.core.triples import read_subjects
from primad_ld.rdf.statements import Statement
from primad_ld.schema.canonical import decimal

_NOW: Final = DCT + "isReplacedBy"
_NAMED_NOW: Final = re.compile(rf"/{NAME}\Z")
#: What was in hertz and is in megahertz.
_FREQUENCIES: Final = frozenset(
    f"{PRIMAD}{device}Frequency{end}" for device in ("cpu", "gpu") for end in ("Min", "Max")
)


@cache
def renamed_terms(table: Path | None = None) -> dict[str, str]:
    """The terms in the place of deprecated ones; ``table`` is that of the ontology, if left out."""
    said = read_subjects(table or resource("ontology/deprecated.ttl"))
    return {iri: about[_NOW][0] for iri, about in said.items() if _NOW in about}


def in_terms_of_now(said: Statement, terms: Mapping[str, str]) -> Statement:
    """A statement in the terms that the ontology has now."""
    value = said.value
    if said.predicate in _FREQUENCIES and not _NAMED_NOW.search(said.subject):
        megahertz = decimal(f"{value.value}e-6")
        value = value._replace(value=megahertz or value.value)
    if value.datatype is None:
        value = value._replace(value=terms.get(value.value, value.value))
    return said._replace(predicate=terms.get(said.predicate, said.predicate), value=value)
