"""A nanopublication: an assertion, where it comes from, and who published it (nanopub.net).

The rules are those of the reference implementation in Java; what breaks one of them is no
nanopublication to any registry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.iris import RDF_TYPE
from primad_ld.nanopub.trusty import artifact_of, is_below, owner_of
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.nanopub_statements import Statement, is_blank, read_statements
from primad_ld.rdf.subject_index import Object

_PARTS: Final = {
    "assertion": terms.HAS_ASSERTION,
    "provenance": terms.HAS_PROVENANCE,
    "publication info": terms.HAS_PUBINFO,
}


class MalformedError(PrimadError):
    """Statements that are no nanopublication, and why not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Nanopub:
    """The four graphs of a nanopublication, by their names, and all that they say."""

    uri: str
    head: str
    assertion: str
    provenance: str
    pubinfo: str
    statements: tuple[Statement, ...]

    def graph(self, name: str) -> list[Statement]:
        """The statements of one of its graphs."""
        return [one for one in self.statements if one.graph == name]

    def objects(self, subject: str, predicate: str, *, graph: str | None = None) -> list[Object]:
        """What is said of a node, in the publication info unless another graph is named."""
        wanted = graph or self.pubinfo
        return [
            one.value
            for one in self.statements
            if one.predicate == predicate and one.subject == subject and one.graph == wanted
        ]

    def values(self, subject: str, predicate: str, *, graph: str | None = None) -> list[str]:
        """The same as texts, whatever their types."""
        return [value.value for value in self.objects(subject, predicate, graph=graph)]

    def asserted(self, predicate: str) -> list[str]:
        """What the assertion says by a predicate, of whatever node."""
        return [
            one.value.value
            for one in self.statements
            if one.predicate == predicate and one.graph == self.assertion
        ]

    @property
    def graphs(self) -> tuple[str, str, str, str]:
        """The names of its graphs, the head first."""
        return self.head, self.assertion, self.provenance, self.pubinfo

    @property
    def inside(self) -> str:
        """How the names of its own nodes begin."""
        return self.uri if self.uri.endswith(("/", "#")) else f"{self.uri}/"

    @property
    def artifact(self) -> str:
        """The digest in its name; empty if there is none."""
        return artifact_of(self.uri)

    @property
    def is_draft(self) -> bool:
        """Whether it still has a name that it loses by being signed."""
        return self.uri.startswith(terms.DRAFTS)


def nanopub_of(statements: Sequence[Statement]) -> Nanopub:
    """The nanopublication that some statements are.

    Raises:
        MalformedError: They are none, or several.
    """
    head, uri = _head_of(statements)
    parts = {name: _part_of(statements, head, uri, name) for name in _PARTS}
    _check_graphs(statements, uri, [head, *parts.values()])
    assertion, provenance, pubinfo = parts.values()
    _check_link(statements, provenance, assertion, "the provenance does not speak of the assertion")
    _check_link(
        statements, pubinfo, uri, "the publication info does not speak of the nanopublication"
    )
    return Nanopub(
        uri=uri,
        head=head,
        assertion=assertion,
        provenance=provenance,
        pubinfo=pubinfo,
        statements=tuple(dict.fromkeys(statements)),
    )


def read_nanopub(path: Path) -> Nanopub:
    """The nanopublication that a file is.

    Raises:
        HeaderError: It cannot be read, or is none.
    """
    try:
        return nanopub_of(read_statements(path))
    except MalformedError as error:
        raise HeaderError(str(error), file=path) from None


def _head_of(statements: Iterable[Statement]) -> tuple[str, str]:
    found = dict.fromkeys(
        (one.graph, one.subject)
        for one in statements
        if one.predicate == RDF_TYPE and one.value == (terms.NANOPUBLICATION, None, None)
    )
    if not found:
        raise MalformedError("nothing here is called a nanopublication")
    if len(found) > 1:
        raise MalformedError(
            f"{len(found)} nanopublications; write each of them into a file of its own"
        )
    ((head, uri),) = found
    if is_blank(uri) or is_blank(head) or not head:
        raise MalformedError("the nanopublication or its head has no name")
    return head, uri


def _part_of(statements: Iterable[Statement], head: str, uri: str, name: str) -> str:
    found = {
        (one.subject, one.value)
        for one in statements
        if one.predicate == _PARTS[name] and one.graph == head
    }
    if len(found) != 1:
        raise MalformedError(f"the head names {len(found) or 'no'} {name}, where it names one")
    ((subject, graph),) = found
    if subject != uri:
        raise MalformedError(f"the head names the {name} of something else")
    if graph.datatype is not None:
        raise MalformedError(f"the head names its {name} by a text, and not by an IRI")
    return graph.value


def _check_graphs(statements: Iterable[Statement], uri: str, names: Sequence[str]) -> None:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise MalformedError(f"two of the four graphs have one name: {repeated[0]}")
    there = {one.graph for one in statements}
    for name in names:
        if owner := owner_of(name, uri):
            raise MalformedError(
                f"the graph {name} lies below the name of another nanopublication, {owner}"
            )
        if not is_below(name, uri):
            raise MalformedError(
                f"the graph {name} is named as if it were part of something else than {uri}"
            )
        if name not in there:
            raise MalformedError(f"the graph {name} is empty")
    others = sorted(there.difference(names))
    if others:
        raise MalformedError(f"there is a fifth graph: {others[0] or 'one without a name'}")


def _check_link(statements: Iterable[Statement], graph: str, node: str, words: str) -> None:
    if not any(
        one.graph == graph and (one.subject == node or one.value == (node, None, None))
        for one in statements
    ):
        raise MalformedError(words)
