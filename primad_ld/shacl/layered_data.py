"""What is judged: statements by subject, from graphs that many runs share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from primad_ld.core.iris import RDF_TYPE
from primad_ld.rdf.subject_index import Object, oxigraph_object

#: Objects by predicate, of one subject.
Said = Mapping[str, Sequence[Object]]

_NOTHING: Final[Said] = {}


class Data(Protocol):
    """A graph as the judge asks it. Subjects are IRIs, or blank nodes with ``_:``.

    Classes that the data call subclasses are none here: headers do not speak of classes.
    """

    def about(self, subject: str) -> Said:
        """Objects by predicate; each once."""

    def members(self, name: str) -> Iterable[str]:
        """Subjects whose rdf:type is the class."""

    def classes(self) -> Iterable[str]:
        """The classes that have members."""

    def subjects(self) -> Iterable[str]:
        """All subjects."""


class Layer:
    """One graph, prepared to be judged; make it once and share it between runs.

    ``iri`` is the name of the graph: what it says about other nodes than that and its
    fragments is found, too, but not as fast.
    """

    __slots__ = ("foreign", "iri", "members", "statements")

    def __init__(self, iri: str, statements: Mapping[str, Said]) -> None:
        self.iri, self.statements = iri, statements
        self.members: dict[str, list[str]] = {}
        self.foreign: list[str] = []
        for subject, said in self.statements.items():
            for kind in said.get(RDF_TYPE, ()):
                if kind.datatype is None:
                    self.members.setdefault(kind.value, []).append(subject)
            if subject.partition("#")[0] != iri:
                self.foreign.append(subject)

    @classmethod
    def of_triples(cls, iri: str, triples: str) -> Layer:
        """A graph from N-Triples."""
        import pyoxigraph

        found: dict[str, dict[str, dict[Object, None]]] = {}
        for triple in pyoxigraph.parse(triples, format=pyoxigraph.RdfFormat.N_TRIPLES):
            said = found.setdefault(oxigraph_object(triple.subject).value, {})
            said.setdefault(triple.predicate.value, {})[oxigraph_object(triple.object)] = None
        return cls(
            iri,
            {
                subject: {predicate: list(values) for predicate, values in said.items()}
                for subject, said in found.items()
            },
        )


class LayeredData:
    """Some graphs as one; a subject is looked up in the graph of its own name first."""

    __slots__ = ("_foreign", "_layers")

    def __init__(self, layers: Mapping[str, Layer]) -> None:
        self._layers = layers
        self._foreign: dict[str, Said] = {}
        for layer in layers.values():
            for subject in layer.foreign:
                if subject not in self._foreign:
                    self._foreign[subject] = self._merged(subject)

    @classmethod
    def of_triples(cls, triples: str) -> LayeredData:
        """One graph without a name, from N-Triples."""
        return cls({"": Layer.of_triples("", triples)})

    def _merged(self, subject: str) -> Said:
        """What all graphs say about a subject."""
        found = [said for layer in self._layers.values() if (said := layer.statements.get(subject))]
        if len(found) == 1:
            return found[0]
        merged: dict[str, dict[Object, None]] = {}
        for said in found:
            for predicate, values in said.items():
                merged.setdefault(predicate, {}).update(dict.fromkeys(values))
        return {predicate: list(values) for predicate, values in merged.items()}

    def about(self, subject: str) -> Said:
        if subject in self._foreign:
            return self._foreign[subject]
        layer = self._layers.get(subject.partition("#")[0])
        return layer.statements.get(subject, _NOTHING) if layer is not None else _NOTHING

    def members(self, name: str) -> Iterable[str]:
        found: dict[str, None] = {}
        for layer in self._layers.values():
            if name in layer.members:
                found.update(dict.fromkeys(layer.members[name]))
        return found

    def classes(self) -> Iterable[str]:
        return {name: None for layer in self._layers.values() for name in layer.members}

    def subjects(self) -> Iterable[str]:
        return {subject: None for layer in self._layers.values() for subject in layer.statements}
