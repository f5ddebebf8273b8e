"""Names of formats: the one that we use, by any that a format usually has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from primad_ld.core.errors import PrimadError


def to_format(given: str, known: Iterable[str]) -> str:
    """The name that we use for a format; case does not matter."""
    names = [str(name) for name in known]
    name = given.strip().removeprefix(".").casefold()
    same = next((words.split() for words in _SAME_FORMAT if name in words.split()), [name])
    found = next((one for one in names if one in same), None)
    if found is None or name == "":
        raise PrimadError(f"unknown format {given!r}; choose from {', '.join(names)}")
    return found


# What one format is called, by us and by others.
_SAME_FORMAT: Final = (
    "nq nquads n-quads application/n-quads",
    "nt ntriples n-triples application/n-triples",
    "ttl turtle text/turtle",
    "trig application/trig",
    "jsonld json-ld application/ld+json",
    "yaml yml application/yaml",
    "json application/json",
    "csv text/csv",
    "tsv text/tab-separated-values",
    "jsonl ndjson jsonlines application/x-ndjson",
    "html htm text/html",
    "xml srx application/xml application/sparql-results+xml",
    "srj application/sparql-results+json",
    "rq sparql application/sparql-query",
    "markdown md text/markdown",
    "latex tex",
    "table text txt text/plain",
    "jsonschema json-schema application/schema+json",
)
