"""The graphs of an archive as statements by subject: what lowering reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from primad_ld.archive.engine import CutOffError, Engine
from primad_ld.archive.runs import all_runs, component_fields, values
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.subject_index import MemoryIndex, Object, Statements, index_triples

_AT_ONCE: Final = 50


class EngineIndex:
    """What an archive says, fetched graph by graph and kept.

    ``known`` are graphs at hand, such as those of a run that is no part of the archive.
    """

    def __init__(self, engine: Engine, known: Iterable[NamedGraph] = ()) -> None:
        self.engine = engine
        self._graphs = {graph.iri: index_triples(graph.triples) for graph in known}

    def about(self, subject: str) -> Statements:
        if not subject:
            return {}  # an actor of whom a header says nothing but the role is no component
        name = subject.partition("#")[0]
        if name not in self._graphs:
            self.fetch([name])
        return self._graphs[name].about(subject)

    def within(self, graph: str, subject: str) -> Statements:
        """What one graph says of a node that is not its own, as a run's does of its ranking."""
        self.fetch([graph])
        return self._graphs[graph].about(subject)

    def graph(self, name: str) -> MemoryIndex:
        """All that one graph says."""
        self.fetch([name])
        return self._graphs[name]

    def of_type(self, name: str) -> list[str]:
        node = values([name])
        return sorted(self.engine.column(f"SELECT ?it WHERE {{ GRAPH ?it {{ ?it a {node} }} }}"))

    def runs(self) -> Iterable[str]:
        return all_runs(self.engine)

    def fetch(self, names: Iterable[str]) -> None:
        """Get these graphs if they are not here yet; many in one go."""
        wanted = sorted({name for name in names if name not in self._graphs})
        for start in range(0, len(wanted), _AT_ONCE):
            self._fetch(wanted[start : start + _AT_ONCE])

    def _fetch(self, names: Sequence[str]) -> None:
        found = {name: MemoryIndex() for name in names}
        for graph, subject, predicate, value in self._rows(names):
            if graph is not None and subject and predicate and value:
                found[graph.value].add(subject.value, predicate.value, value)
        self._graphs.update(found)

    def _rows(self, names: Sequence[str]) -> list[tuple[Object | None, ...]]:
        """What some graphs say; in pieces, where a server cuts long answers off."""
        given = f"VALUES ?g {{ {values(names)} }}"
        try:
            return self.engine.select(
                f"SELECT ?g ?s ?p ?o WHERE {{ {given} GRAPH ?g {{ ?s ?p ?o }} }}"
            ).rows
        except CutOffError:
            if len(names) > 1:
                middle = len(names) // 2
                return [*self._rows(names[:middle]), *self._rows(names[middle:])]
        predicates = self.engine.column(
            f"SELECT DISTINCT ?p WHERE {{ {given} GRAPH ?g {{ ?s ?p ?o }} }}"
        )
        return [
            row
            for name in sorted(predicates)
            for row in self.engine.select(
                f"SELECT ?g ?s ?p ?o WHERE {{ {given} VALUES ?p {{ {values([name])} }} "
                "GRAPH ?g { ?s ?p ?o } }"
            ).rows
        ]


class SomeRuns(EngineIndex):
    """Some runs of an archive with their components, as what lowering reads."""

    def __init__(self, engine: Engine, iris: Sequence[str]) -> None:
        super().__init__(engine)
        self.iris = iris
        self.fetch(iris)
        predicates = [entry.predicate for entry in component_fields()]
        self.fetch(
            one.value
            for iri in iris
            for predicate in predicates
            for one in self.about(iri).get(predicate, ())
            if one.datatype is None
        )

    def runs(self) -> Iterable[str]:
        return self.iris
