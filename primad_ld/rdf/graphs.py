"""Named graphs as text: what lift makes and the writers take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from primad_ld.compare.identity import Identity


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedGraph:
    """One named graph: its IRI and its triples as lines of N-Triples."""

    iri: str
    triples: str

    @property
    def token(self) -> str:
        """The graph's name as N-Quads write it; what others made may be a blank node."""
        return self.iri if self.iri.startswith("_:") else f"<{self.iri}>"

    def nquads(self) -> str:
        """The graph as N-Quads. A line break in a literal is escaped, so lines are triples."""
        return self.triples.replace(" .\n", f" {self.token} .\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class LiftedRun:
    """A header as RDF: the graph of the run, and the graphs of the components it shares."""

    run: NamedGraph
    components: tuple[NamedGraph, ...]
    #: What its components are compared by, by their key in the header; an archive keeps these.
    identities: Mapping[str, Identity] = field(default_factory=dict)

    @property
    def graphs(self) -> tuple[NamedGraph, ...]:
        """All graphs, the run's last: once it is there, everything it names is."""
        return (*self.components, self.run)

    def nquads(self) -> str:
        """The whole as N-Quads."""
        return "".join(graph.nquads() for graph in self.graphs)
