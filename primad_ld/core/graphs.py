"""A named graph as text: what lift makes and the writers take."""

from __future__ import annotations

from dataclasses import dataclass


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
