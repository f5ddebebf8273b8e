"""What judging needs of a header's top-level keys, made once for each that archives repeat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.index import Object
from primad_ld.rdf.lifted import BASE_MARK, RUN, LiftedRun
from primad_ld.rdf.parts import Part
from primad_ld.rdf.spellings import Trail
from primad_ld.shacl.data import Layer
from primad_ld.shacl.judge import Result
from primad_ld.validation.findings import Remark
from primad_ld.validation.places import Keys

_KEPT: Final = 6000

#: A remark at its place, with the constraint that its value breaks; "" where it has none.
Judgement = tuple[Keys, Remark, str]


class KnownPart:
    """One top-level key: its graphs as layers, and where the header has their nodes."""

    __slots__ = ("explained", "judgements", "layers", "nodes", "part", "said")

    def __init__(self, part: Part, run: str, base: str, layers: dict[str, Layer]) -> None:
        #: Keeps the part, so that its id is no other's.
        self.part = part
        self.nodes: dict[str, Trail] = {node.replace(RUN, run): trail for node, trail in part.nodes}
        lines = " .\n".join((*part.judged, *part.derived))
        named = lines.replace(RUN, run).replace(BASE_MARK, base)
        #: What it says of the run.
        self.said = Layer.of_triples(run, f"{named} .\n" if lines else "").statements
        self.layers = layers
        #: What is to be said of its components, once that is known.
        self.judgements: list[Judgement] | None = None
        #: How results about its components were explained.
        self.explained: dict[Result, list[tuple[Keys, Remark]]] = {}


class KnownParts:
    """The parts that were met, by what they are."""

    def __init__(self, run: str, base: str) -> None:
        self.run, self.base = run, base
        self._parts: dict[int, KnownPart] = {}
        self._layers: dict[str, Layer] = {}

    def of(self, part: Part) -> KnownPart:
        """What is known of a part."""
        known = self._parts.pop(id(part), None)
        if known is None:
            _make_room(self._parts)
            layers = {one.judged.iri: self.layer(one.judged) for one in part.components}
            known = KnownPart(part, self.run, self.base, layers)
        self._parts[id(part)] = known  # what is met again stays
        return known

    def layer(self, graph: NamedGraph) -> Layer:
        """A component's graph, prepared to be judged."""
        found = self._layers.pop(graph.iri, None)
        if found is None:
            _make_room(self._layers)
            found = Layer.of_triples(graph.iri, graph.triples)
        self._layers[graph.iri] = found
        return found


def _make_room(known: dict[int, KnownPart] | dict[str, Layer]) -> None:
    """Forget the oldest quarter of many: archives come sorted, and neighbours are alike."""
    if len(known) >= _KEPT:
        for key in list(known)[: _KEPT // 4]:
            del known[key]  # type: ignore[arg-type]


def merged(parts: Iterable[KnownPart], beside: str, run: str) -> Layer:
    """The graph of a run, from what its parts say of it and some lines beside them."""
    found: dict[str, dict[str, Sequence[Object]]] = {}
    for said in (*(part.said for part in parts), Layer.of_triples(run, beside).statements):
        for subject, statements in said.items():
            own = found.get(subject)
            if own is None:
                found[subject] = dict(statements)
                continue
            for predicate, values in statements.items():
                own[predicate] = (
                    list(dict.fromkeys((*own[predicate], *values))) if predicate in own else values
                )
    return Layer(run, found)


def renamed(lifted: LiftedRun, run: str) -> LiftedRun:
    """A run under the name that it has in its archive."""
    triples = lifted.run.triples.replace(f"<{lifted.run.iri}", f"<{run}")
    return replace(lifted, run=NamedGraph(iri=run, triples=triples))
