"""Nanopublications as TriG that people can read, letter by letter what was signed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Final

from primad_ld.core.iris import NAME, RDF_TYPE, XSD
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.rdf.nanopub_statements import Statement, is_blank, literal_token
from primad_ld.rdf.nanopub_terms import INTRODUCES, PREFIXES
from primad_ld.rdf.subject_index import Object

# A longer list of values has a line for each.
_LONGEST: Final = 160
_LOCAL: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.%\-]*[A-Za-z0-9_\-])?")
# Percent signs stand only before two digits, and a dot not at the end.
_BROKEN: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
# What archives call components and results: a kind, digits, and the nodes inside.
_NODE: Final = re.compile(rf"([^#]*/([a-z][a-z\-]*)/{NAME})#.+")
# What is a literal of this type without quotes, letter by letter: rdflib reads others as if
# they were numbers, and 01 as 1.
_BARE: Final = {
    XSD + "integer": re.compile(r"0|-?[1-9][0-9]*"),
    # Smaller ones become 1E-7.
    XSD + "decimal": re.compile(r"-?(?:[1-9][0-9]*\.[0-9]+|0\.(?:[0-9]{1,6}|0{0,5}[1-9][0-9]*))"),
    XSD + "boolean": re.compile(r"true|false"),
}


def as_trig(nanopub: Nanopub) -> str:
    """A nanopublication as TriG: the head, the assertion, the provenance, the publication info."""
    names = _Names(nanopub)
    body = [line for graph in nanopub.graphs for line in _graph(nanopub, graph, names)]
    return "".join([*names.declarations(), *body])


class _Names:
    """Writes IRIs with prefixes, and remembers which of them were used.

    Nodes inside of components get a prefix for each component: ``method:stage-1``.
    """

    def __init__(self, nanopub: Nanopub) -> None:
        self.uri = nanopub.uri
        self.spaces = {"sub": nanopub.inside, **PREFIXES, **_prefixes_of_nodes(nanopub)}
        # The first name of those that one namespace may have.
        self.prefixes = {space: prefix for prefix, space in sorted(self.spaces.items())[::-1]}
        self.used: set[str] = set()
        self.known: dict[str, str] = {}

    def iri(self, iri: str) -> str:
        found = self.known.get(iri)
        if found is None:
            found = self.known[iri] = self._written(iri)
        return found

    def _written(self, iri: str) -> str:
        if iri == self.uri:
            return "this:"
        # All namespaces end with one of these, and no local name has one.
        end = max(iri.rfind("/"), iri.rfind("#")) + 1
        prefix = self.prefixes.get(iri[:end])
        local = iri[end:]
        if prefix is not None and _LOCAL.fullmatch(local) and not _BROKEN.search(local):
            self.used.add(prefix)
            return f"{prefix}:{local}"
        return iri if is_blank(iri) else f"<{iri}>"

    def value(self, value: Object) -> str:
        if value.datatype is None:
            return self.iri(value.value)
        bare = _BARE.get(value.datatype)
        if bare is not None and bare.fullmatch(value.value):
            return value.value
        token = literal_token(value)
        if value.language or value.datatype == XSD + "string":
            return token
        return f"{token[: token.rindex('^^')]}^^{self.iri(value.datatype)}"

    def declarations(self) -> Iterator[str]:
        yield f"@prefix this: <{self.uri}> .\n"
        for prefix, space in self.spaces.items():
            if prefix in self.used:
                yield f"@prefix {prefix}: <{space}> .\n"


def _prefixes_of_nodes(nanopub: Nanopub) -> dict[str, str]:
    """A prefix for each component with nodes inside: its kind, numbered from the second on."""
    found = {
        match[1]: match[2]
        for one in nanopub.statements
        if (match := _NODE.fullmatch(one.subject)) is not None and match[2] != "this"
    }
    prefixes: dict[str, str] = {}
    for iri, kind in sorted(found.items()):
        number = sum(1 for other in prefixes.values() if f"/{kind}/" in other) + 1
        prefixes[f"{kind}{number if number > 1 else ''}"] = f"{iri}#"
    return prefixes


def _graph(nanopub: Nanopub, graph: str, names: _Names) -> Iterator[str]:
    yield f"\n{names.iri(graph)} {{"
    rows = sorted(set(nanopub.graph(graph)), key=_order(nanopub))
    for subject, about in groupby(rows, key=lambda one: one.subject):
        yield f"\n    {names.iri(subject)} "
        yield " ;\n        ".join(_said(about, names))
        yield " .\n"
    yield "}\n"


def _said(about: Iterable[Statement], names: _Names) -> Iterator[str]:
    for predicate, rows in groupby(about, key=lambda one: one.predicate):
        verb = "a" if predicate == RDF_TYPE else names.iri(predicate)
        values = [names.value(one.value) for one in rows]
        comma = ", " if sum(map(len, values)) <= _LONGEST else ",\n            "
        yield f"{verb} {comma.join(values)}"


def _order(nanopub: Nanopub) -> Callable[[Statement], tuple[object, ...]]:
    """The nanopublication first, then what it introduces, then the rest; types first."""
    uri = nanopub.uri
    main = frozenset(nanopub.values(uri, INTRODUCES))

    def key(one: Statement) -> tuple[object, ...]:
        value = one.value
        return (
            one.subject != uri,
            one.subject.partition("#")[0] not in main,
            one.subject,
            one.predicate != RDF_TYPE,
            one.predicate,
            (value.value, value.datatype or "", value.language or ""),
        )

    return key
