"""What is judged: statements by subject, from graphs that many runs share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from primad_ld.core.iris import RDF_TYPE
from primad_ld.rdf.subject_index import Object, oxigraph_object

#: Objects by predicate, of one subject.
Said = Mapping[str, Sequence[Object]]

_NOTHING: Final[Said] = {}


class LayeredData:
    """A graph as the judge asks it. Subjects are IRIs, or blank nodes with ``_:``.

    Classes that the data call subclasses are none here: headers do not speak of classes.
    """

    def __init__(self, statements: Mapping[str, Said]) -> None:
        self.statements = statements

    @classmethod
    def of_triples(cls, triples: str) -> LayeredData:
        """A graph from N-Triples."""
        import pyoxigraph

        found: dict[str, dict[str, dict[Object, None]]] = {}
        for triple in pyoxigraph.parse(triples, format=pyoxigraph.RdfFormat.N_TRIPLES):
            said = found.setdefault(oxigraph_object(triple.subject).value, {})
            said.setdefault(triple.predicate.value, {})[oxigraph_object(triple.object)] = None
        return cls(
            {
                subject: {predicate: list(values) for predicate, values in said.items()}
                for subject, said in found.items()
            }
        )

    @classmethod
    def of_layers(cls, layers: Iterable[LayeredData]) -> LayeredData:
        """Some graphs as one."""
        found: dict[str, Said] = {}
        for layer in layers:
            again = found.keys() & layer.statements.keys()
            merged = {name: _merged(found[name], layer.statements[name]) for name in again}
            found |= layer.statements
            found |= merged
        return cls(found)

    def about(self, subject: str) -> Said:
        """Objects by predicate; each once."""
        return self.statements.get(subject, _NOTHING)

    @cached_property
    def members(self) -> Mapping[str, Sequence[str]]:
        """Subjects by each class that is their rdf:type."""
        found: dict[str, list[str]] = {}
        for subject, said in self.statements.items():
            for kind in said.get(RDF_TYPE, ()):
                if kind.datatype is None:
                    found.setdefault(kind.value, []).append(subject)
        return found


def _merged(one: Said, other: Said) -> Said:
    """What two graphs say about a subject."""
    merged = {**one, **other}
    for predicate in one.keys() & other.keys():
        merged[predicate] = list(dict.fromkeys((*one[predicate], *other[predicate])))
    return merged
