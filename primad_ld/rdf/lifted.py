"""A header as RDF: what lifting makes of a run, and archives keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from primad_ld.core.triples import NamedGraph

if TYPE_CHECKING:
    from primad_ld.compare.identity import Identity


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
